#include "check/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "engine/modular/modular.h"
#include "explore/explorer.h"
#include "explore/referee.h"
#include "smt/solver.h"

namespace concord::check {

using engine::EngineResult;
using engine::PropertyResult;
using engine::Verdict;

namespace {

constexpr std::chrono::milliseconds kShortSearch{5000};
// With any number of threads a search never ends with a proof.
constexpr std::chrono::milliseconds kLongSearch{60000};

bool is_open(const PropertyResult& result) {
  return result.verdict != Verdict::kVerified && result.verdict != Verdict::kViolated;
}

// What the explorer adds to the modular engine's answer.
class Merge {
 public:
  Merge(EngineResult& modular, const EngineResult& explored, bool may_verify)
      : modular_(modular), explored_(explored), may_verify_(may_verify) {}

  // True if an answer of the explorer counts.
  bool run() {
    std::map<std::string, const PropertyResult*> found;
    for (const PropertyResult& it : explored_.results) found.emplace(it.property.id, &it);
    std::set<std::string> known;
    for (PropertyResult& it : modular_.results) {
      known.insert(it.property.id);
      const auto other = found.find(it.property.id);
      if (is_open(it) && other != found.end()) settle(it, *other->second);
    }
    for (const PropertyResult& it : explored_.results) {
      if (known.contains(it.property.id)) continue;
      modular_.results.push_back(it);  // vacuity, or a finding of its own
      used_ = true;
    }
    return used_;
  }

 private:
  void settle(PropertyResult& open, const PropertyResult& other) {
    const bool proved = may_verify_ && other.verdict == Verdict::kVerified;
    const bool undecided = open.verdict == Verdict::kUnknown && may_verify_;
    if (other.verdict == Verdict::kViolated || proved || undecided) {
      const bool both_failed = other.verdict == Verdict::kUnknown && engine::modular::Modular::decides(open.property);
      const std::string reason =
          both_failed ? fmt::format("{}; exploring: {}", open.reason, other.reason) : other.reason;
      open = other;
      open.reason = reason;
      used_ = true;
    } else if (open.verdict == Verdict::kUnproved && !other.reason.empty()) {
      open.reason = fmt::format("no run that breaks it was found ({})", other.reason);
    }
  }

  EngineResult& modular_;
  const EngineResult& explored_;
  const bool may_verify_;
  bool used_ = false;
};

bool has_unbounded_threads(const engine::Task& task) {
  const std::vector<plato::Thread>& threads = task.program->threads;
  return !task.settings.threads && std::any_of(threads.begin(), threads.end(), [](const plato::Thread& it) {
    return it.count == plato::Thread::Count::kUnbounded;
  });
}

EngineResult prove_then_explore(bool is_auto, const engine::Task& task, engine::Control& control, std::string& said) {
  engine::modular::Modular modular;
  EngineResult answer = run_engine(modular, task, control);
  said = "modular";
  const auto wanted = [&](const PropertyResult& it) {
    return is_auto ? is_open(it) : it.verdict == Verdict::kUnproved;
  };
  if (std::none_of(answer.results.begin(), answer.results.end(), wanted) || control.should_stop()) return answer;
  if (task.program->threads.empty()) return answer;  // nothing to run
  explore::Explorer explorer;
  const bool may_verify = is_auto && !has_unbounded_threads(task);
  engine::Control limited;
  limited.parent = &control;
  limited.timeout = is_auto ? kLongSearch : kShortSearch;
  limited.memory_limit_bytes = control.memory_limit_bytes;
  limited.on_progress = control.on_progress;
  engine::Task search = task;
  std::set<std::string> races;
  for (const PropertyResult& it : answer.results) {
    if (it.property.kind == diag::Kind::kRace) races.insert(it.property.id);
  }
  for (const PropertyResult& it : answer.results) {
    const bool is_limited = task.settings.race_limits && races.contains(it.depends_on);  // the race is what to find
    if (wanted(it) && (may_verify || !is_auto || !is_limited)) search.sought.insert(it.property.id);
  }
  search.settings.also_ints = answer.suggested_ints;
  EngineResult explored = run_engine(explorer, search, may_verify ? control : limited);
  const bool used = Merge(answer, explored, is_auto).run();
  said = is_auto ? "modular, then explore for what is left"
                 : "modular; explore looked for runs that break what is not proved";
  if (!used) return answer;
  for (std::string& it : explored.assumptions) {
    if (std::find(answer.assumptions.begin(), answer.assumptions.end(), it) == answer.assumptions.end()) {
      answer.assumptions.push_back(std::move(it));
    }
  }
  for (const auto& [name, count] : explored.statistics) answer.statistics.emplace(name, count);
  return answer;
}

}  // namespace

std::string missing_program(const CheckOptions& options) {
  const bool proves = options.engine == EngineChoice::kAuto || options.engine == EngineChoice::kModular;
  return proves && options.settings.solver != engine::SolverChoice::kZ3 ? smt::missing_program(smt::Which::kCvc5) : "";
}

EngineResult run_choice(EngineChoice choice, const engine::Task& task, engine::Control& control, std::string& said) {
  switch (choice) {
    case EngineChoice::kAuto: return prove_then_explore(true, task, control, said);
    case EngineChoice::kModular: return prove_then_explore(false, task, control, said);
    case EngineChoice::kExplore: {
      said = "explore";
      explore::Explorer explorer;
      return run_engine(explorer, task, control);
    }
    case EngineChoice::kReferee: {
      said = "referee";
      explore::Referee referee;
      return run_engine(referee, task, control);
    }
    default: break;
  }
  said = std::string(name(choice));
  return all_unknown(task, said, fmt::format("engine {} is not available in this version", said));
}

}  // namespace concord::check
