#include "tool/annotate.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "engine/modular/modular.h"
#include "engine/threads/threads.h"
#include "infer/abstract_threads.h"
#include "infer/infer.h"
#include "infer/missing.h"
#include "infer/original.h"
#include "tool/spelling.h"

namespace concord::tool {

using check::CheckResult;
using engine::PropertyResult;
using engine::Verdict;

namespace {

// Unless the user asks for annotations there is little time for that: so long, or so many times as long as a first look took.
constexpr std::chrono::milliseconds kInferring{20000};
constexpr int kLooks = 10;

bool is_open(const PropertyResult& it) { return it.verdict == Verdict::kUnproved || it.verdict == Verdict::kUnknown; }

// Open by itself, not because something else is.
bool is_for_proofs(const PropertyResult& it) {
  return is_open(it) && it.depends_on.empty() && engine::modular::Modular::decides(it.property);
}

std::ptrdiff_t verified(const CheckResult& result) {
  return std::count_if(result.results.begin(), result.results.end(),
                       [](const PropertyResult& it) { return it.verdict == Verdict::kVerified; });
}

class Annotating {
 public:
  Annotating(const Options& options, const Texts& texts, const Input& input, cache::Store* proofs,
             engine::Control& control)
      : options_(options), texts_(texts), input_(input), proofs_(proofs), control_(control) {}

  CheckResult run() {
    if (!may_infer()) return check(input_, asked());
    if (options_.suggests) return suggested();
    Answer best{check(input_, asked(false)), {}, {}};
    inferring_ = std::max(inferring_, kLooks * std::chrono::milliseconds(std::lround(best.result.time_ms)));
    if (std::none_of(best.result.results.begin(), best.result.results.end(), is_open) || control_.should_stop())
      return std::move(best.result);
    infer::Places open;
    for (const PropertyResult& it : best.result.results) {
      if (is_for_proofs(it)) open.insert({it.property.kind, it.property.claim});
    }
    take(best, with_annotations(verified(best.result), open));
    take(best, with_abstract_threads(best.result));
    return after_runs(std::move(best));
  }

 private:
  bool may_infer() const {
    const check::EngineChoice engine = options_.check.engine;
    const bool proves = engine == check::EngineChoice::kAuto ||
                        (options_.suggests && (is_for_modular() || engine == check::EngineChoice::kThreads));
    return proves && options_.check.settings.only.empty();
  }

  bool is_for_modular() const { return options_.check.engine == check::EngineChoice::kModular; }

  // About the program with these lines in it.
  struct Answer {
    CheckResult result;
    base::Edits edits;
    std::vector<infer::Candidate> told;
  };

  static void take(Answer& best, std::optional<Answer> better) {
    if (better) best = std::move(*better);
  }

  // Nobody looks for runs as long as something may still be found by which that is not needed.
  check::CheckOptions asked(bool looks_for_runs = true) const { return asked_for(input_, looks_for_runs); }
  check::CheckOptions asked_for(const Input& input, bool looks_for_runs) const {
    check::CheckOptions out = tool::asked_for(options_, input, proofs_);
    out.looks_for_runs = looks_for_runs;
    return out;
  }

  // With the annotations that are found, and what would have to be said besides.
  CheckResult suggested() {
    const bool is_for_threads = options_.check.engine == check::EngineChoice::kThreads;
    std::optional<Answer> annotated;
    if (!is_for_threads) annotated = with_annotations(-1, infer::failing(reader(), control_));
    if (!annotated) found_.clear();
    Answer best = annotated ? std::move(*annotated) : Answer{check(input_, asked(is_for_modular())), {}, {}};
    if (!is_for_modular()) {
      if (std::optional<Answer> better = with_abstract_threads(best.result)) return after_runs(std::move(*better));
    }
    CheckResult result = after_runs(std::move(best));
    if (is_for_threads) return result;
    for (std::string& it : infer::missing(subject(), found_, plausible_, result.results, reader(), control_)) {
      result.notes.push_back(std::move(it));
    }
    return result;
  }

  // Runs are looked for, if something is open and nobody has done that.
  CheckResult after_runs(Answer answer) {
    const std::vector<PropertyResult>& all = answer.result.results;
    const bool is_done = is_for_modular() || std::none_of(all.begin(), all.end(), is_open) ||
                         is_explored(answer.result) || control_.should_stop();
    if (is_done) return std::move(answer.result);
    if (answer.told.empty()) return check(input_, asked());
    std::optional<Answer> out = with_edits(std::move(answer.edits), std::move(answer.told), -1, true);
    return out ? std::move(out->result) : std::move(answer.result);
  }

  static bool is_explored(const CheckResult& result) {
    return result.engine.find("explore") != std::string::npos && !result.is_cut_short;
  }

  CheckResult check(const Input& input, const check::CheckOptions& asked) {
    CheckResult out = check::check(input.sources, input.program, asked, control_);
    spell(out, input.spelled);
    return out;
  }

  // None: nothing is found by which more is verified than that.
  std::optional<Answer> with_annotations(std::ptrdiff_t verified_without, const infer::Places& open) {
    engine::Control limited;
    limited.parent = &control_;
    limited.memory_limit_bytes = control_.memory_limit_bytes;
    limited.on_progress = control_.on_progress;
    if (!options_.suggests) limited.timeout = inferring_;
    if (open.empty()) return {};
    const infer::Read read = reader();
    infer::Held held = infer::holding(infer::candidates(subject()), open, read, limited);
    found_ = std::move(held.candidates);
    plausible_ = std::move(held.plausible);
    if (options_.suggests) found_ = infer::needed(std::move(found_), read, limited);
    if (found_.empty() || limited.should_stop()) return {};
    return with_edits(infer::edits(found_), found_, verified_without, is_for_modular());
  }

  // None: nothing is found by which more is verified than in that answer.
  std::optional<Answer> with_abstract_threads(const CheckResult& without) {
    infer::Places open;
    for (const PropertyResult& it : without.results) {
      if (is_open(it) && engine::threads::Threads::decides(it.property)) {
        open.insert({it.property.kind, it.property.claim});
      }
    }
    if (open.empty() || control_.should_stop()) return {};
    engine::Control limited;
    limited.parent = &control_;
    limited.memory_limit_bytes = control_.memory_limit_bytes;
    limited.on_progress = control_.on_progress;
    if (!options_.suggests) limited.timeout = inferring_;
    const infer::Read read = reader();
    const infer::Subject about = subject();
    std::vector<infer::Proposal> found = infer::conforming(about, infer::propose(about), open, read, limited);
    if (options_.suggests) found = infer::coarsened(about, std::move(found), read, limited);
    if (found.empty() || limited.should_stop()) return {};
    return with_edits(infer::edits(about, found), infer::told(found), verified(without), false);
  }

  // The answer about the program with these lines, if each of them holds, and more is verified than so many.
  std::optional<Answer> with_edits(base::Edits edits, std::vector<infer::Candidate> told,
                                   std::ptrdiff_t verified_without, bool looks_for_runs) {
    const Input with = load(texts_, options_.java, control_, edits);
    if (!with.errors.empty()) return {};
    CheckResult result = check(with, asked_for(with, looks_for_runs));
    const bool is_sound = infer::all_verified(result, edits) && !result.internal_error;
    result = infer::told_of_original(std::move(result), input_.sources, edits, told);
    if (!is_sound || verified(result) <= verified_without) return {};
    std::error_code error;
    const std::filesystem::path here = std::filesystem::current_path(error);
    if (options_.suggests) result.patch = base::unified_patch(input_.sources, edits, here);
    return Answer{std::move(result), std::move(edits), std::move(told)};
  }

  infer::Read reader() const {
    return [this](const base::Edits& edits) { return annotated(edits); };
  }

  infer::Annotated annotated(const base::Edits& edits) const {
    Input input = load(texts_, options_.java, control_, edits);
    infer::Annotated out;
    out.options = asked_for(input, true);
    for (const diag::Diagnostic& it : input.diagnostics) out.errors.push_back(it.range);
    out.is_read = input.errors.empty();
    out.sources = std::move(input.sources);
    out.program = std::move(input.program);
    return out;
  }

  infer::Subject subject() const {
    return {&input_.sources, &input_.program, input_.is_java, input_.spelled, input_.library_files};
  }

  const Options& options_;
  const Texts& texts_;
  const Input& input_;
  cache::Store* const proofs_;
  engine::Control& control_;
  std::vector<infer::Candidate> found_;
  std::vector<infer::Candidate> plausible_;
  std::chrono::milliseconds inferring_{kInferring};
};

}  // namespace

check::CheckOptions asked_for(const Options& options, const Input& input, cache::Store* proofs) {
  check::CheckOptions asked = options.check;
  asked.assumptions = input.assumptions;
  asked.shows_source = input.is_java;
  asked.settings.names = input.names;
  asked.library_files = input.library_files;
  asked.is_race_limiting = input.is_java;
  asked.proofs = proofs;
  if (input.is_java) {
    asked.requested.insert(diag::Kind::kRace);
    asked.integers = options.java.unbounded_ints ? "" : "integers wrap around as in Java";
    asked.settings.ints = engine::IntMode::kMath;  // the front end says where numbers wrap around
  }
  return asked;
}

CheckResult check_or_infer(const Options& options, const Texts& texts, const Input& input, cache::Store* proofs,
                           engine::Control& control) {
  return Annotating(options, texts, input, proofs, control).run();
}

}  // namespace concord::tool
