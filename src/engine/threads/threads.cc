#include "engine/threads/threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <functional>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "diag/kinds.h"
#include "engine/threads/composition.h"
#include "engine/threads/conformance.h"
#include "engine/threads/imagined.h"
#include "plato/bare.h"
#include "plato/flow.h"
#include "plato/started.h"
#include "simulation/message.h"
#include "simulation/team.h"

namespace concord::engine::threads {

using diag::Kind;
using sequential::Outcome;
using simulation::Claim;
using simulation::Obligation;

namespace {

constexpr std::chrono::milliseconds kShortSearch{5000};

// Of a thread to its abstract thread; code may have assertions that are called so, too.
bool is_conformance(const Property& property) { return property.kind == Kind::kConformance && property.procedure < 0; }

// What the rest rests on: where such a thing is not shown, nothing else is.
bool is_foundation(const Property& property) {
  switch (property.kind) {
    case Kind::kConformance: return is_conformance(property);
    case Kind::kInvariant:
    case Kind::kPrecondition:
    case Kind::kPostcondition:
    case Kind::kLoopInvariant: return true;
    case Kind::kAssertion: return property.procedure < 0;  // of a node
    default: return false;
  }
}

class Run {
 public:
  Run(const Task& task, Control& control, simulation::Defect defect, cache::Store* proofs, bool runs)
      : task_(task),
        control_(control),
        defect_(defect),
        runs_(runs),
        program_(plato::without_step_clauses(*task.program)),
        derived_(program_),
        team_(task.settings, control, proofs) {}

  EngineResult run() {
    // All of them, whatever --only asks for: the rest rests on some.
    for (const Property& property : collect_properties(*task_.sources, *task_.program, {})) {
      PropertyResult result;
      result.property = property;
      result.engine = "threads";
      result.verdict = Verdict::kVerified;
      result.location = property.claim;
      index_[property.id] = out_.results.size();
      out_.results.push_back(std::move(result));
    }
    const std::string trouble = why_not();
    if (!trouble.empty()) {
      for (PropertyResult& it : out_.results) set_unknown(it, trouble);
      return asked_for();
    }
    const plato::DeclaredThreads declared = plato::declared_threads(program_);
    conformances_ = check_conformance(program_, derived_, task_.settings.ints, defect_, team_, [&](std::size_t worker) {
      prove_together(declared, team_.settings("composition", worker));
    });
    compose(declared);
    answer();
    return asked_for();
  }

 private:
  EngineResult asked_for() {
    std::vector<PropertyResult> all = std::exchange(out_.results, {});
    for (const Property& property : task_.properties) {
      const auto found = index_.find(property.id);
      if (found != index_.end()) {
        out_.results.push_back(std::move(all[found->second]));
        continue;
      }
      PropertyResult result;  // on request: for others
      result.property = property;
      result.engine = "threads";
      result.location = property.claim;
      set_unknown(result, fmt::format("the threads engine does not look for {}", diag::name(property.kind)));
      out_.results.push_back(std::move(result));
    }
    for (PropertyResult& it : vacuous_) out_.results.push_back(std::move(it));
    return std::move(out_);
  }

  std::string why_not() const {
    if (!plato::has_abstract_threads(program_))
      return "no thread has an abstract thread (`thread p() abstracted by A;`)";
    return derived_.has_unknown_code() ? "the program has code that is not supported and may do anything" : "";
  }

  // For every number of threads.
  void prove_together(const plato::DeclaredThreads& declared, const sequential::Settings& settings) {
    if (declared.trouble.empty()) {
      const spec::Derived derived(declared.program);
      composition_ = prove_composition(declared.program, derived, task_, control_, settings);
    } else {
      composition_.trouble =
          fmt::format("not supported at {}: {}", task_.sources->place(declared.at), declared.trouble);
    }
  }

  // What threads without an abstract thread claim. Where anything is not proved for every number, for the given one.
  void compose(const plato::DeclaredThreads& declared) {
    is_for_all_ = composition_.is_verified();
    if (is_for_all_) bystanders_ = check_bystanders(program_, derived_, task_.settings.ints, defect_, team_);
    const bool are_proved =
        std::all_of(bystanders_.begin(), bystanders_.end(), [](const Conformance& it) { return it.is_proved(); });
    if ((is_for_all_ && are_proved) || control_.should_stop() || !runs_) return;
    // Of threads without a limit few are looked at, so that nothing is verified unless it takes little time.
    const bool is_unbounded =
        std::any_of(declared.program.threads.begin(), declared.program.threads.end(), [&](const plato::Thread& it) {
          return it.count == plato::Thread::Count::kUnbounded && !task_.settings.threads;
        });
    Control limited;
    limited.parent = &control_;
    if (is_unbounded) limited.timeout = kShortSearch;
    limited.memory_limit_bytes = control_.memory_limit_bytes;
    limited.on_progress = control_.on_progress;
    Composition explored = explore_composition(program_, task_, limited);
    const bool has_broken = std::any_of(explored.results.begin(), explored.results.end(),
                                        [](const auto& it) { return it.second.verdict == Verdict::kViolated; });
    if (!explored.trouble.empty() || (is_for_all_ && !explored.is_verified() && !has_broken)) return;
    explored.vacuous = std::move(composition_.vacuous);
    composition_ = std::move(explored);
    bystanders_.clear();
    is_for_all_ = false;
  }

  static void set_unknown(PropertyResult& result, const std::string& reason, bool internal_error = false) {
    if (result.verdict == Verdict::kUnproved && !internal_error) return;
    result.verdict = Verdict::kUnknown;
    if (result.reason.empty()) result.reason = reason;
    result.internal_error = result.internal_error || internal_error;
  }

  std::string id(const Claim& claim) const { return property_id(*task_.sources, claim.kind, claim.range); }

  // ---- the answer

  void answer() {
    for (const Conformance& it : conformances_) abstracted_.insert(it.bodies.begin(), it.bodies.end());
    concrete_ = plato::run_from(program_, plato::concrete_entries(program_), false);
    for (PropertyResult& it : out_.results) judge_kind(it);
    std::set<std::int64_t> found;
    for (const Conformance& it : conformances_) simulation::suggest_ints(it.verification, task_.settings, found);
    out_.suggested_ints.assign(found.begin(), found.end());
    for (const Conformance& it : conformances_) judge(it);
    for (std::size_t t = 0; t < program_.threads.size(); ++t) imagine(program_.threads[t].abstracted, t);
    for (const plato::Procedure& it : program_.procedures) imagine(it.abstracted, std::nullopt);
    for (const Conformance& it : bystanders_) judge(it);
    for (PropertyResult& it : out_.results) judge_composition(it);
    for (const simulation::Probe& it : composition_.vacuous) add_vacuity(it);
    rest_on_foundation();
    describe();
  }

  void judge_kind(PropertyResult& result) const {
    const Property& property = result.property;
    if (!Threads::decides(property)) {
      return set_unknown(result, fmt::format("the threads engine does not look for {}", diag::name(property.kind)));
    }
    const bool is_run =
        property.procedure < 0 || abstracted_.contains(property.procedure) || concrete_.contains(property.procedure);
    if (!is_run) set_unknown(result, "no thread of the program comes there");
  }

  void judge(const Conformance& job) {
    const bool failed = !job.failure.empty();
    if (failed || job.simulation.obstacle) {
      const std::string reason =
          failed ? job.failure
                 : fmt::format("not supported at {}: {}", task_.sources->place(job.simulation.obstacle->range),
                               job.simulation.obstacle->what);
      const std::set<int> started = plato::started_in(program_, job.bodies);
      for (PropertyResult& it : out_.results) {
        const Property& property = it.property;
        const bool is_begun = property.kind == Kind::kPrecondition && started.contains(property.procedure);
        const bool is_its = is_conformance(property) ? job.claim != nullptr && property.claim == job.claim->range
                                                     : is_begun || job.bodies.contains(property.procedure);
        if (is_its) set_unknown(it, reason, job.internal_error);
      }
      return;
    }
    for (const simulation::Lost& it : job.simulation.lost) {
      if (const auto found = index_.find(id(it.claim)); found != index_.end())
        set_unknown(out_.results[found->second],
                    fmt::format("not supported at {}: {}", task_.sources->place(it.why.range), it.why.what));
    }
    for (std::size_t i = 0; i < job.simulation.obligations.size(); ++i) {
      const Obligation& obligation = job.simulation.obligations[i];
      for (const Claim& claim : obligation.claims) {
        const auto found = index_.find(id(claim));
        if (found != index_.end())
          judge(obligation, job.verification.obligations[i], claim, out_.results[found->second]);
      }
      judge_covered(job, obligation, job.verification.obligations[i]);
    }
    for (std::size_t i = 0; i < job.simulation.probes.size(); ++i) {
      if (job.verification.unreachable[i]) add_vacuity(job.simulation.probes[i]);
    }
  }

  // Where the thread goes wrong, its abstract thread must have gone wrong.
  void judge_covered(const Conformance& job, const Obligation& obligation, const Outcome& outcome) {
    if (job.claim == nullptr) return;
    const Claim& claim = obligation.claims.front();
    const Claim conformance{Kind::kConformance, job.claim->range};
    const bool goes_wrong = !(claim == conformance) && !is_foundation({"", claim.kind, claim.range, "", 0, 0});
    const auto found = index_.find(id(conformance));
    if (!goes_wrong || found == index_.end()) return;
    Obligation covered = obligation;
    covered.message = "the thread may go wrong here, and its abstract thread does not";
    judge(covered, outcome, claim, out_.results[found->second]);
  }

  void judge(const Obligation& obligation, const Outcome& outcome, const Claim& claim, PropertyResult& result) const {
    result.time_ms += outcome.time_ms;
    switch (outcome.status) {
      case Outcome::Status::kProved: return;
      case Outcome::Status::kUnknown:
        if (defect_ == simulation::Defect::kUnknownIsProved) return;
        return set_unknown(result, unknown_reason(obligation, outcome));
      case Outcome::Status::kFailed: break;
    }
    if (result.verdict == Verdict::kUnproved) return;  // the first one found is told
    result.verdict = Verdict::kUnproved;
    result.reason.clear();
    result.message = obligation.message;
    result.location = obligation.at;
    simulation::explain(obligation, outcome, claim, task_.settings.names, result);
  }

  std::string unknown_reason(const Obligation& obligation, const Outcome& outcome) const {
    if (control_.was_interrupted()) return "interrupted";
    if (const auto limit = control_.exceeded()) {
      return fmt::format("time limit of {} s", static_cast<double>(limit->count()) / 1000);
    }
    return fmt::format("the solver gave up at {}: {}", task_.sources->place(obligation.at), outcome.reason);
  }

  // Of a thread that may not conform, and of nothing else that others do.
  void imagine(const plato::Abstracted& claim, std::optional<std::size_t> declaration) {
    if (claim.index < 0) return;
    PropertyResult& result = out_.results[index_.at(id({Kind::kConformance, claim.range}))];
    if (result.verdict != Verdict::kUnproved || control_.should_stop() || !runs_) return;
    std::optional<Trace> run = imagined_run(program_, claim, declaration, task_, out_.suggested_ints, control_);
    if (!run) return;
    result.trace = std::move(*run);
    result.related.push_back(
        {claim.range, "a run of this thread that shows it; `others` are threads that do anything to variables"});
  }

  void add_vacuity(const simulation::Probe& probe) {
    PropertyResult vacuous;
    vacuous.property = {property_id(*task_.sources, Kind::kVacuity, probe.at), Kind::kVacuity, probe.at, "", -1, 0};
    vacuous.engine = "threads";
    vacuous.verdict = Verdict::kUnproved;
    vacuous.message = probe.message;
    vacuous.location = probe.at;
    for (PropertyResult& it : out_.results) depend_on(it, vacuous.property.id);
    vacuous_.push_back(std::move(vacuous));
  }

  // What the abstract threads do together.
  void judge_composition(PropertyResult& result) const {
    if (!Threads::decides(result.property)) return;
    if (!composition_.trouble.empty()) {
      if (needs_composition(result.property)) set_unknown(result, composition_.trouble, composition_.internal_error);
      return;
    }
    const auto found = composition_.results.find(result.property.id);
    if (found == composition_.results.end()) {
      // An assertion of a machine that nobody has, for instance.
      if (needs_composition(result.property)) set_unknown(result, "the abstract threads together say nothing about it");
      return;
    }
    const PropertyResult& other = found->second;
    switch (other.verdict) {
      case Verdict::kVerified: return;
      case Verdict::kUnknown:
        return set_unknown(result, "the abstract threads together: " + other.reason, other.internal_error);
      default: break;
    }
    if (result.verdict == Verdict::kUnproved) return;
    result.verdict = Verdict::kUnproved;
    result.reason.clear();
    result.message = other.reason.empty() ? "the abstract threads together may break it: " + other.message
                                          : "nothing is shown of the abstract threads together";
    result.location = other.location;
    result.related = other.related;
    result.trace = other.trace;
  }

  // What no thread that has an abstract thread can tell: invariants, assertions of nodes, what other threads run unless it has
  // been proved for all, and what is required where threads begin.
  bool needs_composition(const Property& property) const {
    if (property.procedure < 0) return property.kind == Kind::kInvariant || property.kind == Kind::kAssertion;
    const bool is_declared =
        std::any_of(program_.threads.begin(), program_.threads.end(),
                    [&](const plato::Thread& it) { return it.target.index == property.procedure; });
    if (property.kind == Kind::kPrecondition && is_declared) return true;
    const bool is_started = program_.procedures[static_cast<std::size_t>(property.procedure)].abstracted.index >= 0;
    return !is_for_all_ &&
           (concrete_.contains(property.procedure) || (property.kind == Kind::kPrecondition && is_started));
  }

  static void depend_on(PropertyResult& result, const std::string& id) {
    if (result.verdict != Verdict::kVerified) return;
    result.verdict = Verdict::kUnproved;
    result.depends_on = id;
    result.message = "holds as far as the abstract threads tell, but that depends on " + id;
  }

  // Whether a thread conforms is a question about it alone, unless the proof knows invariants or contracts: those hold only if
  // everybody conforms.
  void rest_on_foundation() {
    const bool stands_alone = std::none_of(out_.results.begin(), out_.results.end(), [](const PropertyResult& it) {
      return is_foundation(it.property) && !is_conformance(it.property) && it.property.kind != Kind::kAssertion;
    });
    const std::string conformance = first_open([](const Property& it) { return is_conformance(it); });
    const std::string any = first_open([](const Property& it) { return is_foundation(it); });
    const std::string other = first_open_in_composition();
    for (PropertyResult& it : out_.results) {
      if (is_conformance(it.property) && stands_alone) continue;
      for (const std::string& open : {conformance, any, other}) {
        if (!open.empty()) depend_on(it, open);
      }
    }
  }

  // What is wrong before what is unknown; empty: nothing is open.
  std::string first_open(const std::function<bool(const Property&)>& concerns) const {
    for (const Verdict verdict : {Verdict::kUnproved, Verdict::kUnknown}) {
      for (const PropertyResult& it : out_.results) {
        if (it.verdict == verdict && Threads::decides(it.property) && concerns(it.property)) return it.property.id;
      }
    }
    return "";
  }

  // Something else that the composition rests on, which is no property of the program itself.
  std::string first_open_in_composition() const {
    for (const auto& [id, it] : composition_.results) {
      if (it.verdict != Verdict::kVerified && !index_.contains(id)) return id;
    }
    return "";
  }

  void describe() {
    for (PropertyResult& it : out_.results) {
      if (it.verdict == Verdict::kVerified) it.message = std::string(diag::page(it.property.kind).holds);
    }
    out_.assumptions = composition_.assumptions;
    out_.inferred = composition_.inferred;
    out_.statistics = composition_.statistics;
    for (const auto* jobs : {&conformances_, &bystanders_}) {
      for (const Conformance& it : *jobs) {
        out_.statistics["obligations"] += std::ssize(it.simulation.obligations);
        out_.statistics["solver_checks"] += it.verification.checks;
        if (it.verification.remembered != 0) {
          out_.statistics["obligations_remembered"] += it.verification.remembered;
        }
        const plato::Procedure& entered = program_.procedures[static_cast<std::size_t>(it.entry)];
        out_.parts.push_back({it.claim != nullptr ? it.claim->by : entered.name,
                              it.claim != nullptr ? it.claim->range : entered.name_range, it.time_ms});
        if (task_.settings.keeps_evidence)
          append(out_.questions, simulation::questions(*task_.sources, out_.parts.back().name, it.simulation,
                                                       it.verification, task_.settings.solver));
      }
    }
    append(out_.questions, std::move(composition_.questions));
  }

  static void append(std::vector<Question>& all, std::vector<Question> more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  }

  const Task& task_;
  Control& control_;
  const simulation::Defect defect_;
  const bool runs_;
  const plato::Program program_;
  const spec::Derived derived_;
  simulation::Team team_;
  std::deque<Conformance> conformances_;
  std::deque<Conformance> bystanders_;
  Composition composition_;
  bool is_for_all_ = false;  // numbers of threads
  std::map<std::string, std::size_t> index_;
  std::set<int> abstracted_;  // procedures that threads with abstract threads run
  std::set<int> concrete_;    // and those that others run
  std::vector<PropertyResult> vacuous_;
  EngineResult out_;
};

}  // namespace

bool Threads::decides(const Property& property) {
  switch (property.kind) {
    case Kind::kDeadlock:
    case Kind::kCyclicDeadlock:
    case Kind::kNestedMonitor:
    case Kind::kIgnoredNotify:
    case Kind::kMutualExclusion:
    case Kind::kFinalState:
    case Kind::kTermination:
    case Kind::kRace:
    case Kind::kConfinement:
    case Kind::kEnvAssumption:
    case Kind::kGuardedBy:
    case Kind::kGuarantee:
    case Kind::kLockOrder:
    case Kind::kAbstractionStep: return false;
    default: return true;
  }
}

EngineResult Threads::run(const Task& task, Control& control) {
  return Run(task, control, defect_, proofs_, runs_).run();
}

}  // namespace concord::engine::threads
