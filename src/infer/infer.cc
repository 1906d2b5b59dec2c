#include "infer/infer.h"

#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/modular/modular.h"
#include "engine/property.h"
#include "explore/explorer.h"

namespace concord::infer {

using engine::EngineResult;
using engine::Property;
using engine::PropertyResult;
using engine::Verdict;

namespace {

// Long enough for most wrong guesses to be seen wrong; the others are not proved.
constexpr std::chrono::milliseconds kRuns{1000};
constexpr std::chrono::milliseconds kProof{2000};  // what takes longer is not guessed well
constexpr int kMostThreads = 2;
constexpr int kMostRounds = 30;

// Fails by itself, not because something else does.
bool fails(const PropertyResult& it) { return it.verdict != Verdict::kVerified && it.depends_on.empty(); }

// Returns what was left out.
std::vector<Candidate> leave_out(std::vector<Candidate>& candidates, const std::set<std::size_t>& which) {
  std::vector<Candidate> kept;
  std::vector<Candidate> gone;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    (which.contains(i) ? gone : kept).push_back(std::move(candidates[i]));
  }
  candidates = std::move(kept);
  return gone;
}

engine::Task task_of(const Annotated& it) {
  engine::Task task{&it.sources, &it.program, {}, it.options.settings};
  task.properties = engine::collect_properties(it.sources, it.program, it.options.requested);
  task.settings.race_limits = it.options.is_race_limiting;
  std::erase_if(task.properties, [](const Property& each) { return !engine::modular::Modular::decides(each); });
  return task;
}

EngineResult prove(const Annotated& it, engine::Control& control) {
  using engine::modular::Modular;
  Modular prover(simulation::Defect::kNone, it.options.proofs, Modular::Failures::kOne);
  engine::Task task = task_of(it);
  task.settings.solver_timeout = std::min(task.settings.solver_timeout, kProof);
  return prover.run(task, control);
}

// What real runs of a few threads break; the search ends soon, wherever it is.
EngineResult run_some(const Annotated& it, int threads, engine::Control& control) {
  engine::Task task = task_of(it);
  if (!task.settings.threads) task.settings.threads = threads;
  engine::Control limited;
  limited.parent = &control;
  limited.timeout = kRuns;
  limited.memory_limit_bytes = control.memory_limit_bytes;
  explore::Explorer explorer;
  return explorer.run(task, limited);
}

template <class Is>
std::set<std::size_t> those(const EngineResult& answer, const base::Edits& edits, Is is) {
  std::set<std::size_t> out;
  for (const PropertyResult& it : answer.results) {
    const auto which = edits.insertion_at(it.property.claim);
    if (which && is(it)) out.insert(*which);
  }
  return out;
}

void leave_out_implied(std::vector<Candidate>& candidates) {
  std::set<std::pair<int, std::string>> present;
  for (const Candidate& it : candidates) present.emplace(it.scope, it.clause);
  std::erase_if(candidates, [&](const Candidate& it) {
    return std::any_of(it.implied_by.begin(), it.implied_by.end(), [&](const std::string& other) {
      return present.contains({it.scope, other});
    });
  });
}

}  // namespace

base::Edits edits(const std::vector<Candidate>& candidates) {
  std::vector<base::Insertion> insertions;
  for (const Candidate& it : candidates) insertions.push_back(it.insertion);
  return base::Edits(std::move(insertions));
}

Places failing(const Read& read, engine::Control& control) {
  const EngineResult answer = prove(read({}), control);
  Places out;
  for (const PropertyResult& it : answer.results) {
    if (fails(it)) out.insert({it.property.kind, it.property.claim});
  }
  return out;
}

Held holding(std::vector<Candidate> candidates, Places open, const Read& read, engine::Control& control) {
  Held out;
  int threads = 1;  // with fewer a search gets further
  for (int round = 0; round < kMostRounds && !candidates.empty() && !control.should_stop(); ++round) {
    const base::Edits at = edits(candidates);
    const Annotated program = read(at);
    std::set<std::size_t> wrong;
    for (const base::SourceRange& it : program.errors) {
      if (const auto which = at.insertion_at(it)) wrong.insert(*which);
    }
    bool is_proof = false;
    if (!program.is_read && wrong.empty()) return {};
    if (program.is_read && threads <= kMostThreads && !program.program.threads.empty()) {
      const EngineResult seen = run_some(program, threads++, control);
      wrong = those(seen, at, [](const PropertyResult& it) { return it.verdict == Verdict::kViolated; });
      for (const PropertyResult& it : seen.results) {
        if (it.verdict == Verdict::kViolated) open.erase({it.property.kind, at.before(it.property.claim)});
      }
      if (open.empty()) return {};
    } else if (program.is_read) {
      wrong = those(prove(program, control), at, fails);
      is_proof = true;
      if (wrong.empty()) {
        if (control.should_stop()) return {};
        leave_out_implied(candidates);
        out.candidates = std::move(candidates);
        return out;
      }
    }
    for (Candidate& it : leave_out(candidates, wrong)) {
      if (is_proof) out.plausible.push_back(std::move(it));
    }
  }
  return out;
}

Places proved(const std::vector<Candidate>& candidates, const Read& read, engine::Control& control) {
  const base::Edits at = edits(candidates);
  const Annotated program = read(at);
  Places out;
  if (!program.is_read) return out;
  const EngineResult answer = prove(program, control);
  for (const PropertyResult& it : answer.results) {
    const bool is_candidate = at.is_inserted(it.property.claim);
    if (is_candidate && fails(it)) return {};
    if (!is_candidate && !fails(it)) out.insert({it.property.kind, at.before(it.property.claim)});
  }
  return out;
}

std::vector<Candidate> needed(std::vector<Candidate> candidates, const Read& read, engine::Control& control) {
  const Places goal = proved(candidates, read, control);
  for (std::size_t i = candidates.size(); i-- > 0 && !control.should_stop();) {
    std::vector<Candidate> fewer = candidates;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    const Places left = proved(fewer, read, control);
    if (std::includes(left.begin(), left.end(), goal.begin(), goal.end())) candidates = std::move(fewer);
  }
  return candidates;
}

bool all_verified(const check::CheckResult& result, const base::Edits& at) {
  return std::all_of(result.results.begin(), result.results.end(), [&](const PropertyResult& it) {
    return !at.is_inserted(it.property.claim) || it.verdict == Verdict::kVerified;
  });
}

}  // namespace concord::infer
