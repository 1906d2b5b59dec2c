#include "check/choose.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "base/check.h"
#include "engine/dynamic/dynamic.h"
#include "engine/modular/modular.h"
#include "engine/shape/shape.h"
#include "engine/threads/threads.h"
#include "explore/explorer.h"
#include "explore/judge.h"
#include "explore/referee.h"
#include "plato/flow.h"
#include "plato/started.h"
#include "smt/solver.h"

namespace concord::check {

using engine::EngineResult;
using engine::PropertyResult;
using engine::Verdict;

namespace {

// The moment that the shape engine is given: of work, so that the answer is the same on a slow machine and a fast one.
// It is a second or two; the time is for work that the measure misjudges.
constexpr std::uint64_t kMomentOfWork = 60'000'000;
constexpr std::chrono::milliseconds kLongestMoment{30000};
constexpr std::chrono::milliseconds kShortSearch{5000};
// With any number of threads a search never ends with a proof.
constexpr std::chrono::milliseconds kLongSearch{60000};

bool is_open(const PropertyResult& result) {
  return result.verdict != Verdict::kVerified && result.verdict != Verdict::kViolated;
}

// What another engine adds to an answer.
class Merge {
 public:
  // `decides`: the properties that the first answer is about. `may_verify`: the other may do more than find runs.
  Merge(EngineResult& answer, const EngineResult& other, bool may_verify,
        std::function<bool(const engine::Property&)> decides)
      : answer_(answer), other_(other), may_verify_(may_verify), decides_(std::move(decides)) {}

  // True if something of the other answer counts.
  bool run() {
    std::map<std::string, const PropertyResult*> found;
    for (const PropertyResult& it : other_.results) found.emplace(it.property.id, &it);
    std::set<std::string> known;
    for (PropertyResult& it : answer_.results) {
      known.insert(it.property.id);
      const auto other = found.find(it.property.id);
      if (is_open(it) && other != found.end()) settle(it, *other->second);
    }
    for (const PropertyResult& it : other_.results) {
      if (known.contains(it.property.id)) continue;
      answer_.results.push_back(it);  // vacuity, or a finding of its own
      used_ = true;
    }
    return used_;
  }

 private:
  void settle(PropertyResult& open, const PropertyResult& other) {
    const bool proved = may_verify_ && other.verdict == Verdict::kVerified;
    const bool undecided = open.verdict == Verdict::kUnknown && may_verify_;
    if (other.verdict == Verdict::kViolated || proved || undecided) {
      const bool both_failed = other.verdict == Verdict::kUnknown && decides_(open.property);
      const std::string reason =
          both_failed ? fmt::format("{}; exploring: {}", open.reason, other.reason) : other.reason;
      open = other;
      open.reason = reason;
      used_ = true;
    } else if (open.verdict == Verdict::kUnproved && !other.reason.empty()) {
      open.reason = fmt::format("no run that breaks it was found ({})", other.reason);
    }
  }

  EngineResult& answer_;
  const EngineResult& other_;
  const bool may_verify_;
  const std::function<bool(const engine::Property&)> decides_;
  bool used_ = false;
};

template <class Evidence>
void append(std::vector<Evidence>& all, std::vector<Evidence>& more) {
  std::move(more.begin(), more.end(), std::back_inserter(all));
  more.clear();
}

void add_evidence(EngineResult& answer, EngineResult& other) {
  append(answer.questions, other.questions);
  append(answer.configurations, other.configurations);
}

void add_assumptions(EngineResult& answer, EngineResult& other) {
  for (std::string& it : other.assumptions) {
    if (std::find(answer.assumptions.begin(), answer.assumptions.end(), it) == answer.assumptions.end()) {
      answer.assumptions.push_back(std::move(it));
    }
  }
  for (const auto& [name, count] : other.statistics) answer.statistics.emplace(name, count);
  if (!other.proof.empty()) answer.proof = std::move(other.proof);
}

bool has_unbounded_threads(const engine::Task& task) {
  const std::vector<plato::Thread>& threads = task.program->threads;
  return !task.settings.threads && std::any_of(threads.begin(), threads.end(), [](const plato::Thread& it) {
    return it.count == plato::Thread::Count::kUnbounded;
  });
}

// As far as the code tells; then there may be no end of what is explored.
bool starts_any_number(const plato::Program& program) {
  std::set<int> all;
  for (int p = 0; p < std::ssize(program.procedures); ++p) all.insert(p);
  const std::set<int> started = plato::started_in(program, all);
  return std::any_of(started.begin(), started.end(), [&](int p) { return !plato::most_started(program, p); });
}

// What threads compute together: only the dynamic engine has a proof of it.
bool is_of_all_threads(const engine::Property& it) {
  return it.kind == diag::Kind::kFinalState || it.kind == diag::Kind::kTermination;
}

// Takes over what the engine proves of what is left, and (`decides`) all that it says of some; true if it is of use.
bool prove_rest(engine::Engine& prover, const engine::Task& task, engine::Control& control, EngineResult& answer,
                bool (*decides)(const engine::Property&) = nullptr) {
  EngineResult other = run_engine(prover, task, control);
  bool used = false;
  for (PropertyResult& it : answer.results) {
    const auto found = std::find_if(other.results.begin(), other.results.end(), [&](const PropertyResult& candidate) {
      return candidate.property.id == it.property.id;
    });
    if (!is_open(it) || found == other.results.end()) continue;
    if (found->verdict != Verdict::kVerified && (decides == nullptr || !decides(it.property))) continue;
    it = *found;
    used = true;
  }
  if (!used) return false;
  add_evidence(answer, other);
  add_assumptions(answer, other);
  answer.inferred.insert(answer.inferred.end(), other.inferred.begin(), other.inferred.end());
  return true;
}

// A part of the run that ends with the whole, or after so long.
void limit(engine::Control& part, const engine::Control& whole, std::chrono::milliseconds time) {
  part.parent = &whole;
  part.timeout = time;
  part.memory_limit_bytes = whole.memory_limit_bytes;
  part.on_progress = whole.on_progress;
}

// What is left of the kinds that the shape engine judges is given to it for a moment.
bool prove_by_shape(const engine::Task& task, engine::Control& control, EngineResult& answer) {
  const auto is_for_it = [](const PropertyResult& it) {
    return is_open(it) && engine::shape::Shape::decides(it.property);
  };
  if (std::none_of(answer.results.begin(), answer.results.end(), is_for_it)) return false;
  engine::Control limited;
  limit(limited, control, kLongestMoment);
  limited.work_limit = kMomentOfWork;
  engine::shape::Shape shape;
  return prove_rest(shape, task, limited, answer);
}

// Besides the number of threads that exploration chooses. One more is tried if there were few states: each makes some twenty of one.
constexpr std::int64_t kOtherThreads[] = {1, 0, 3};
constexpr std::int64_t kFewStates = 1000;

std::int64_t states_of(const EngineResult& explored) {
  const auto found = explored.statistics.find("states");
  return found == explored.statistics.end() ? 0 : found->second;
}

// What is claimed of any number of threads may be so of the number that was chosen, and not of others. Only findings are taken over: `task` is
// about what is sought.
void search_other_numbers(const engine::Task& task, std::int64_t states, engine::Control& control,
                          EngineResult& answer) {
  const std::optional<std::int64_t> chosen = explore::chosen_threads(task, control);
  if (!chosen) return;
  engine::Task search = task;
  const auto is_sought = [&](const PropertyResult& it) {
    return is_open(it) && search.sought.contains(it.property.id);
  };
  std::vector<std::int64_t> tried;
  for (const std::int64_t number : kOtherThreads) {
    if (number == *chosen || (number > *chosen && states > kFewStates)) continue;
    std::set<std::string> left;
    for (const PropertyResult& it : answer.results) {
      if (is_sought(it)) left.insert(it.property.id);
    }
    search.sought = left;
    if (left.empty() || control.should_stop()) break;
    search.settings.threads = number;
    explore::Explorer explorer;
    const EngineResult explored = run_engine(explorer, search, control);
    for (const PropertyResult& found : explored.results) {
      const auto open = std::find_if(answer.results.begin(), answer.results.end(), [&](const PropertyResult& it) {
        return it.property.id == found.property.id && is_sought(it);
      });
      if (open != answer.results.end() && found.verdict == Verdict::kViolated) *open = found;
    }
    const bool has_run = states_of(explored) > 0;
    if (has_run && !control.should_stop()) tried.push_back(number);
  }
  if (tried.empty()) return;
  std::sort(tried.begin(), tried.end());
  const auto last = tried.end() - 1;
  const std::string numbers = tried.size() == 1
                                  ? fmt::format("{} thread{}", *last, *last == 1 ? "" : "s")
                                  : fmt::format("{} or {} threads", fmt::join(tried.begin(), last, ", "), *last);
  for (PropertyResult& it : answer.results) {
    if (is_sought(it) && it.verdict == Verdict::kUnproved) it.reason += "; nor was one with " + numbers;
  }
}

// Why an engine comes first; nothing, if the user said so.
std::vector<std::string> reason_for_first(const CheckOptions& options, const engine::Task& task) {
  if (options.engine != EngineChoice::kAuto) return {};
  return {plato::has_abstract_threads(*task.program) ? "threads, since some thread has an abstract thread"
                                                     : "modular, since no thread has an abstract thread"};
}

EngineResult prove_then_explore(const CheckOptions& options, const engine::Task& task, engine::Control& control,
                                Said said) {
  const EngineChoice choice = options.engine;
  const bool is_auto = choice == EngineChoice::kAuto;
  const bool by_threads = choice == EngineChoice::kThreads || (is_auto && plato::has_abstract_threads(*task.program));
  const bool by_shape = choice == EngineChoice::kShape;
  const bool by_dynamic = choice == EngineChoice::kDynamic;
  engine::modular::Modular modular(simulation::Defect::kNone, options.proofs);
  engine::threads::Threads threads(simulation::Defect::kNone, options.proofs);
  engine::shape::Shape shape;
  engine::dynamic::Dynamic dynamic;
  engine::Engine& first = by_shape     ? static_cast<engine::Engine&>(shape)
                          : by_dynamic ? dynamic
                          : by_threads ? static_cast<engine::Engine&>(threads)
                                       : modular;
  EngineResult answer = run_engine(first, task, control);
  said.engine = first.name();
  said.why = reason_for_first(options, task);
  const auto decides = [&](const engine::Property& it) {
    if (by_shape) return engine::shape::Shape::decides(it);
    if (by_dynamic) return engine::dynamic::Dynamic::decides(it);
    if (is_auto && is_of_all_threads(it)) return true;
    return (by_threads && engine::threads::Threads::decides(it)) ||
           ((!by_threads || is_auto) && engine::modular::Modular::decides(it));
  };
  const auto wanted = [&](const PropertyResult& it) {
    return is_auto ? is_open(it) : it.verdict == Verdict::kUnproved;
  };
  if (std::none_of(answer.results.begin(), answer.results.end(), wanted) || control.should_stop()) return answer;
  if (task.program->threads.empty()) return answer;  // nothing to run
  std::string provers = first.name();
  const auto left = [&] { return std::count_if(answer.results.begin(), answer.results.end(), wanted); };
  auto were_left = left();  // before the engine that came last
  const auto also = [&](const std::string& name, const std::string& reason) {
    provers += ", then " + name;
    said.engine = provers + " for what is left";
    said.why.push_back(fmt::format("{}, since {} ({} of {} properties were left, now {})", name, reason, were_left,
                                   answer.results.size(), left()));
    were_left = left();
  };
  const auto is_done = [&] {
    return std::none_of(answer.results.begin(), answer.results.end(), wanted) || control.should_stop();
  };
  if (by_threads && is_auto) {
    prove_rest(modular, task, control, answer);
    also(modular.name(), "the threads engine does not look at everything");
    if (is_done()) return answer;
  }
  const bool asks_of_all = std::any_of(task.properties.begin(), task.properties.end(), is_of_all_threads);
  if (is_auto && asks_of_all && prove_rest(dynamic, task, control, answer, is_of_all_threads)) {
    also(dynamic.name(), "something is claimed of what all threads compute together");
    if (is_done()) return answer;
  }
  if (is_auto && prove_by_shape(task, control, answer)) {
    also(shape.name(), "it judges some of the rest");
    if (is_done()) return answer;
  }
  const bool may_verify = is_auto && !has_unbounded_threads(task);
  if (!may_verify && !options.looks_for_runs) return answer;
  explore::Explorer explorer;
  engine::Control limited;
  const bool is_endless = may_verify && !options.looks_for_runs && starts_any_number(*task.program);
  limit(limited, control, is_auto && !is_endless ? kLongSearch : kShortSearch);
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
  EngineResult explored = run_engine(explorer, search, may_verify && !is_endless ? control : limited);
  said.is_cut_short = is_endless && limited.exceeded();
  const bool used = Merge(answer, explored, is_auto, decides).run();
  if (is_auto) {
    also("explore", may_verify ? "every number of threads is given"
                               : "it may find runs, although there are any number of threads");
  } else {
    said.engine = provers + "; explore looked for runs that break what is not proved";
    said.why.push_back(
        fmt::format("explore, since {} of {} properties were not proved", were_left, answer.results.size()));
  }
  if (used) add_assumptions(answer, explored);
  if (by_dynamic || (is_auto && asks_of_all)) {
    engine::Control rest;
    limit(rest, control, kShortSearch);
    search_other_numbers(search, states_of(explored), rest, answer);
  }
  return answer;
}

}  // namespace

std::string missing_program(const CheckOptions& options) {
  const bool proves = options.engine == EngineChoice::kAuto || options.engine == EngineChoice::kModular ||
                      options.engine == EngineChoice::kThreads || options.engine == EngineChoice::kDynamic;
  return proves && options.settings.solver != engine::SolverChoice::kZ3 ? smt::missing_program(smt::Which::kCvc5) : "";
}

EngineResult run_choice(const CheckOptions& options, const engine::Task& task, engine::Control& control, Said said) {
  switch (options.engine) {
    case EngineChoice::kAuto:
    case EngineChoice::kThreads:
    case EngineChoice::kShape:
    case EngineChoice::kDynamic:
    case EngineChoice::kModular: return prove_then_explore(options, task, control, said);
    case EngineChoice::kExplore: {
      said.engine = "explore";
      explore::Explorer explorer;
      return run_engine(explorer, task, control);
    }
    case EngineChoice::kReferee: {
      said.engine = "referee";
      explore::Referee referee;
      return run_engine(referee, task, control);
    }
  }
  base::internal_error(__FILE__, __LINE__, "no such engine");
}

}  // namespace concord::check
