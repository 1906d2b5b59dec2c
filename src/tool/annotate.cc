#include "tool/annotate.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
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

// Unless the user asks for annotations there is no more time for that than for looking for runs.
constexpr std::chrono::milliseconds kInferring{20000};

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
    check::CheckOptions asked = asked_for(options_, input_, proofs_);
    if (!may_infer()) return check(input_, asked);
    if (options_.suggests) return suggested(asked);
    asked.looks_for_runs = false;  // if annotations are found, that is not needed
    CheckResult first = check(input_, asked);
    if (std::none_of(first.results.begin(), first.results.end(), is_open) || control_.should_stop()) return first;
    infer::Places open;
    for (const PropertyResult& it : first.results) {
      if (is_for_proofs(it)) open.insert({it.property.kind, it.property.claim});
    }
    CheckResult best = first;
    if (std::optional<CheckResult> better = with_annotations(verified(first), open)) best = std::move(*better);
    if (std::optional<CheckResult> better = with_abstract_threads(best)) best = std::move(*better);
    if (verified(best) > verified(first)) return best;
    asked.looks_for_runs = true;
    return first.engine.find("explore") != std::string::npos ? first : check(input_, asked);
  }

 private:
  bool may_infer() const {
    const check::EngineChoice engine = options_.check.engine;
    const bool proves = engine == check::EngineChoice::kAuto ||
                        (options_.suggests && (is_for_modular() || engine == check::EngineChoice::kThreads));
    return proves && options_.check.settings.only.empty();
  }

  bool is_for_modular() const { return options_.check.engine == check::EngineChoice::kModular; }

  // With the annotations that are found, and what would have to be said besides.
  CheckResult suggested(const check::CheckOptions& asked) {
    std::optional<CheckResult> better;
    if (options_.check.engine != check::EngineChoice::kThreads) {
      better = with_annotations(-1, infer::failing(reader(), control_));
    }
    CheckResult result = better ? std::move(*better) : check(input_, asked);
    if (!better) found_.clear();
    if (!is_for_modular()) {
      if (std::optional<CheckResult> still_better = with_abstract_threads(result)) return std::move(*still_better);
    }
    if (options_.check.engine == check::EngineChoice::kThreads) return result;
    for (std::string& it : infer::missing(subject(), found_, plausible_, result.results, reader(), control_)) {
      result.notes.push_back(std::move(it));
    }
    return result;
  }

  CheckResult check(const Input& input, const check::CheckOptions& asked) {
    CheckResult out = check::check(input.sources, input.program, asked, control_);
    spell(out, input.spelled);
    return out;
  }

  // None: nothing is found by which more is verified than that.
  std::optional<CheckResult> with_annotations(std::ptrdiff_t verified_without, const infer::Places& open) {
    engine::Control limited;
    limited.parent = &control_;
    limited.memory_limit_bytes = control_.memory_limit_bytes;
    limited.on_progress = control_.on_progress;
    if (!options_.suggests) limited.timeout = kInferring;
    if (open.empty()) return {};
    const infer::Read read = reader();
    infer::Held held = infer::holding(infer::candidates(subject()), open, read, limited);
    found_ = std::move(held.candidates);
    plausible_ = std::move(held.plausible);
    if (options_.suggests) found_ = infer::needed(std::move(found_), read, limited);
    if (found_.empty() || limited.should_stop()) return {};
    return with_edits(infer::edits(found_), found_, verified_without);
  }

  // None: nothing is found by which more is verified than in that answer.
  std::optional<CheckResult> with_abstract_threads(const CheckResult& without) {
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
    if (!options_.suggests) limited.timeout = kInferring;
    const infer::Read read = reader();
    const infer::Subject about = subject();
    std::vector<infer::Proposal> found = infer::conforming(about, infer::propose(about), open, read, limited);
    if (options_.suggests) found = infer::coarsened(about, std::move(found), read, limited);
    if (found.empty() || limited.should_stop()) return {};
    return with_edits(infer::edits(about, found), infer::told(found), verified(without));
  }

  // The answer about the program with these lines, if each of them holds, and more is verified than so many.
  std::optional<CheckResult> with_edits(const base::Edits& edits, const std::vector<infer::Candidate>& told,
                                        std::ptrdiff_t verified_without) {
    const Input with = load(texts_, options_.java, control_, edits);
    if (!with.errors.empty()) return {};
    CheckResult result = check(with, asked_for(options_, with, proofs_));
    const bool is_sound = infer::all_verified(result, edits) && !result.internal_error;
    result = infer::told_of_original(std::move(result), input_.sources, edits, told);
    if (!is_sound || verified(result) <= verified_without) return {};
    if (options_.suggests) result.patch = base::unified_patch(input_.sources, edits);
    return result;
  }

  infer::Read reader() const {
    return [this](const base::Edits& edits) { return annotated(edits); };
  }

  infer::Annotated annotated(const base::Edits& edits) const {
    Input input = load(texts_, options_.java, control_, edits);
    infer::Annotated out;
    out.options = asked_for(options_, input, proofs_);
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
