#include "engine/modular/modular.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>
#include <set>

#include "base/check.h"
#include "plato/flow.h"
#include "plato/walk.h"
#include "sequential/verify.h"
#include "simulation/closure.h"
#include "simulation/message.h"
#include "simulation/team.h"
#include "smt/solver.h"

namespace concord::engine::modular {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using sequential::Outcome;
using namespace simulation;  // NOLINT: and about simulations
using simulation::Unsupported;

namespace {

// The check of one procedure, or of the initial states (procedure -1).
struct Job {
  int procedure = -1;
  Round round;
  // Nobody of the program enters the procedure so, only code that may do anything. What fails is then not known to fail.
  bool is_for_unknown_code = false;
  // Its body is checked where it is called. Whether it can be called at all is a question of its own.
  bool is_entry_only = false;
  std::unique_ptr<Pool> pool = std::make_unique<Pool>();  // of all its terms
  Simulation simulation;
  sequential::Verification verification;
  double time_ms = 0;
  std::string failure;  // an internal error, or why it cannot run
  bool internal_error = false;
  std::vector<bool> doubtful;  // by premise: it is not proved
  bool has_new_doubt = false;
};

class Run {
 public:
  Run(const Task& task, Control& control, Defect defect, cache::Store* proofs, Modular::Failures wanted)
      : task_(task),
        program_(*task.program),
        control_(control),
        defect_(defect),
        wanted_(wanted),
        derived_(program_, defect != Defect::kOwnSpecificationOnly),
        team_(task.settings, control, proofs) {
    has_races_ = std::any_of(task.properties.begin(), task.properties.end(),
                             [](const Property& it) { return it.kind == Kind::kRace; });
  }

  EngineResult run() {
    plan();
    plan_entries();
    plan_order();
    work("proving procedures", [this](Job& job, std::size_t worker) { check(job, worker); });
    EngineResult out = answer();
    // What a proof uses matters only if it is not proved itself.
    while (wanted_ == Modular::Failures::kAll && !limit_by_race(out) && doubt_unproved(out)) {
      work("proving again without what is not proved",
           [this](Job& job, std::size_t worker) { prove_again(job, worker); });
      out = answer();
    }
    if (task_.settings.keeps_evidence) describe_questions(out);
    if (task_.settings.tells_uses && is_all_proved(out)) {
      for (Job& job : jobs_) {
        job.doubtful.assign(job.simulation.premises.size(), true);
        job.has_new_doubt = !job.doubtful.empty();
      }
      work("looking what proofs use", [this](Job& job, std::size_t worker) { prove_again(job, worker); });
      tell_uses(out);
    }
    return out;
  }

 private:
  // ---- what proofs use

  bool is_all_proved(const EngineResult& answer) const {
    return !control_.should_stop() &&
           std::all_of(answer.results.begin(), answer.results.end(), [](const PropertyResult& it) {
             return it.verdict == Verdict::kVerified || !Modular::decides(it.property);
           });
  }

  // Of clauses: what is claimed of the code itself is nothing to leave out.
  static bool is_clause(const Property& property) {
    switch (property.kind) {
      case Kind::kInvariant:
      case Kind::kEnvAssumption:
      case Kind::kGuardedBy:
      case Kind::kGuarantee:
      case Kind::kPrecondition:
      case Kind::kPostcondition:
      case Kind::kLoopInvariant: return true;
      default: return false;
    }
  }

  void tell_uses(EngineResult& out) {
    answer();  // for needs_: what was proved once is proved still
    std::set<std::string> used;
    for (std::size_t i = 0; i < out.results.size(); ++i) {
      PropertyResult& it = out.results[i];
      needs_[i].erase(it.property.id);
      it.uses.assign(needs_[i].begin(), needs_[i].end());
      used.insert(it.uses.begin(), it.uses.end());
    }
    for (const PropertyResult& it : out.results) {
      if (is_clause(it.property) && !used.contains(it.property.id)) out.superfluous.push_back(it.property.id);
    }
  }

  // ---- what is to be checked

  void plan() {
    jobs_.emplace_back();
    for (int p = 0; p < std::ssize(program_.procedures); ++p) {
      const bool alone = program_.procedures[static_cast<std::size_t>(p)].contract.has_abstraction() ||
                         derived_.is_entry(p) || !derived_.is_called(p);
      if (alone) plan_rounds(p);
    }
    if (derived_.has_unknown_code()) return plan_all();
    // Procedures that only call one another are in nobody's body.
    std::set<int> covered;
    for (const Job& job : jobs_) {
      const std::set<int> used = bodies(job);
      covered.insert(used.begin(), used.end());
    }
    for (int p = 0; p < std::ssize(program_.procedures); ++p) {
      if (covered.contains(p)) continue;
      jobs_.emplace_back();
      jobs_.back().procedure = p;
    }
  }

  // A thread that enters the procedure, and nobody else does, may be looked at round by round.
  void plan_rounds(int p) {
    const Contract& contract = program_.procedures[static_cast<std::size_t>(p)].contract;
    const bool by_threads_only = derived_.is_entry(p) && !derived_.is_called(p) && p != program_.initialiser &&
                                 !derived_.has_unknown_code() && !contract.has_abstraction() &&
                                 contract.requires_.empty() && contract.ensures.empty() && contract.signals.empty();
    for (const Round& it :
         by_threads_only ? rounds(program_.procedures[static_cast<std::size_t>(p)]) : std::vector<Round>(1)) {
      jobs_.emplace_back();
      jobs_.back().procedure = p;
      jobs_.back().round = it;
    }
  }

  // Code that may do anything may enter any procedure, in any state that its precondition allows.
  void plan_all() {
    std::set<int> alone;
    for (const Job& job : jobs_) alone.insert(job.procedure);
    for (int p = 0; p < std::ssize(program_.procedures); ++p) {
      if (alone.contains(p)) continue;
      jobs_.emplace_back();
      jobs_.back().procedure = p;
      jobs_.back().is_for_unknown_code = true;
    }
  }

  void plan_entries() {
    std::set<int> alone;
    for (const Job& job : jobs_) {
      if (!job.is_for_unknown_code) alone.insert(job.procedure);
    }
    for (int p = 0; p < std::ssize(program_.procedures); ++p) {
      if (alone.contains(p) || program_.procedures[static_cast<std::size_t>(p)].contract.requires_.empty()) continue;
      jobs_.emplace_back();
      jobs_.back().procedure = p;
      jobs_.back().is_entry_only = true;
    }
  }

  // What is likely to take longest comes first, so that no core waits for it at the end.
  void plan_order() {
    std::vector<std::size_t> length(jobs_.size(), 0);
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (jobs_[i].is_entry_only) continue;
      for (const int p : bodies(jobs_[i])) {
        for_each_stmt(*program_.procedures[static_cast<std::size_t>(p)].body, [&](const Stmt&) { ++length[i]; });
      }
    }
    order_.resize(jobs_.size());
    std::iota(order_.begin(), order_.end(), 0);
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) { return length[a] > length[b]; });
  }

  const spec::Specification& specification(int procedure) const {
    return procedure < 0 ? derived_.root() : derived_.of(procedure);
  }

  // ---- working, in parallel

  void work(const char* what, const std::function<void(Job&, std::size_t)>& each) {
    team_.work(what, jobs_.size(),
               [&](std::size_t number, std::size_t worker) { each(jobs_[order_[number]], worker); });
  }

  sequential::Settings settings_of(const Job& job, std::size_t worker) {
    sequential::Settings out = team_.settings(
        job.procedure < 0 ? "initial" : program_.procedures[static_cast<std::size_t>(job.procedure)].name, worker);
    out.probes = static_cast<int>(job.simulation.probes.size());
    return out;
  }

  // For the obligations of the job, and nothing else that has to be proved on the way.
  sequential::Settings settings_of_proof(const Job& job, std::size_t worker) {
    sequential::Settings out = settings_of(job, worker);
    if (wanted_ == Modular::Failures::kAll) return out;
    out.on_failure = [this, &job](int tag) { note_failure(job, tag); };
    out.is_pointless = [this, &job](int tag) { return is_known_to_fail(job, tag); };
    return out;
  }

  static const std::vector<Claim>& claimed_by(const Job& job, int tag) {
    return job.simulation.obligations[static_cast<std::size_t>(tag)].claims;
  }

  // Of several claims it is not said which one fails.
  void note_failure(const Job& job, int tag) {
    const std::vector<Claim>& claims = claimed_by(job, tag);
    if (claims.size() > 1) return;
    const std::lock_guard lock(failures_mutex_);
    for (const Claim& it : claims) failures_.insert(id(it));
  }

  bool is_known_to_fail(const Job& job, int tag) {
    const std::vector<Claim>& claims = claimed_by(job, tag);
    const std::lock_guard lock(failures_mutex_);
    return std::all_of(claims.begin(), claims.end(), [&](const Claim& it) { return failures_.contains(id(it)); });
  }

  void check(Job& job, std::size_t worker) {
    guarded(job, [&] {
      SimulationInput input;
      input.program = &program_;
      input.derived = &derived_;
      input.ints = task_.settings.ints;
      input.procedure = job.procedure;
      input.round = job.round;
      input.is_entry_only = job.is_entry_only;
      input.postpone = task_.settings.postpone;
      input.races = has_races_;
      input.defect = defect_;
      const sequential::Settings settings = settings_of(job, worker);
      input.closure = closure(job.procedure, settings);
      if (job.procedure >= 0) {
        input.action_may_stutter =
            stuttering_actions(program_, specification(job.procedure), input.ints, job.procedure, settings);
      }
      job.simulation = job.procedure < 0 ? simulate_start(*job.pool, input) : simulate(*job.pool, input);
      job.verification = sequential::verify(*job.pool, job.simulation.program, settings_of_proof(job, worker));
    });
  }

  void prove_again(Job& job, std::size_t worker) {
    if (!job.has_new_doubt || !job.failure.empty()) return;
    guarded(job, [&] {
      sequential::doubt(*job.pool, job.simulation.program, settings_of(job, worker), job.doubtful, job.verification);
    });
  }

  template <class Work>
  static void guarded(Job& job, Work work) {
    const auto begin = std::chrono::steady_clock::now();
    try {
      work();
    } catch (const smt::CannotRun& reason) { job.failure = reason.what(); } catch (const Unsupported& trouble) {
      job.simulation.obstacle = trouble;
    } catch (const std::exception& defect) {
      job.failure = fmt::format("internal error: {}", defect.what());
      job.internal_error = true;
    }
    job.time_ms += std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  }

  Closure closure(int procedure, const sequential::Settings& settings) {
    const spec::Specification& known = specification(procedure);
    const std::lock_guard lock(closure_mutex_);
    if (const auto found = closures_.find(known.modules); found != closures_.end()) return found->second;
    Closure made = closure_of(program_, known, task_.settings.ints, settings);
    return closures_.emplace(known.modules, std::move(made)).first->second;
  }

  // ---- the answers

  std::string id(const Claim& claim) const { return property_id(*task_.sources, claim.kind, claim.range); }

  // True if a race is not excluded and that is all there is to say about the rest.
  bool limit_by_race(EngineResult& out) const {
    const auto race = std::find_if(out.results.begin(), out.results.end(), [](const PropertyResult& it) {
      return it.property.kind == Kind::kRace && it.verdict == Verdict::kUnproved;
    });
    if (!task_.settings.race_limits || race == out.results.end()) return false;
    for (PropertyResult& it : out.results) {
      if (it.verdict == Verdict::kVerified) depend_on(it, race->property.id);
    }
    return true;
  }

  static void depend_on(PropertyResult& result, const std::string& id) {
    result.verdict = Verdict::kUnproved;
    result.depends_on = id;
    result.message = "proved, but the proof depends on " + id;
  }

  // True if some proof may use what is not proved, and that is news.
  bool doubt_unproved(const EngineResult& answer) {
    std::set<std::string> unproved;
    for (const PropertyResult& it : answer.results) {
      if (it.verdict != Verdict::kVerified) unproved.insert(it.property.id);
    }
    bool is_news = false;
    for (Job& job : jobs_) {
      const std::vector<Claim>& premises = job.simulation.premises;
      job.doubtful.resize(premises.size(), false);
      job.has_new_doubt = false;
      for (std::size_t i = 0; i < premises.size(); ++i) {
        if (job.doubtful[i] || !unproved.contains(id(premises[i]))) continue;
        job.doubtful[i] = job.has_new_doubt = is_news = true;
      }
    }
    return is_news;
  }

  EngineResult answer() {
    EngineResult out;
    for (const Property& it : collect_properties(*task_.sources, program_, {Kind::kRace})) known_.insert(it.id);
    std::map<std::string, std::size_t> index;
    for (const Property& property : task_.properties) {
      PropertyResult result;
      result.property = property;
      result.engine = "modular";
      result.verdict = Verdict::kVerified;
      result.location = property.claim;
      index[property.id] = out.results.size();
      out.results.push_back(std::move(result));
    }
    needs_.assign(out.results.size(), {});
    for (PropertyResult& result : out.results) judge_kind(result);
    for (const Job& job : jobs_) judge_job(job, index, out);
    propagate(index, out);
    std::int64_t obligations = 0;
    std::int64_t checks = 0;
    std::int64_t remembered = 0;
    for (const Job& job : jobs_) {
      remembered += job.verification.remembered;
      obligations += std::ssize(job.simulation.obligations);
      checks += job.verification.checks;
    }
    out.statistics["obligations"] = obligations;
    out.statistics["solver_checks"] = checks;
    if (remembered != 0) out.statistics["obligations_remembered"] = remembered;
    out.statistics["procedures"] = std::count_if(jobs_.begin() + 1, jobs_.end(), [](const Job& it) {
      return !it.is_entry_only && it.round.from == 0;  // each once
    });
    out.assumptions.push_back(task_.settings.ints == IntMode::kJava ? "integers have 32 bits and wrap around"
                                                                    : "integers are unbounded");
    describe_closures(out);
    describe_inferred(out);
    describe_parts(out);
    suggest_integers(out);
    for (PropertyResult& result : out.results) {
      if (result.verdict == Verdict::kVerified) result.message = std::string(diag::page(result.property.kind).holds);
    }
    return out;
  }

  static void set_unknown(PropertyResult& result, const std::string& reason, bool internal_error = false) {
    if (result.verdict == Verdict::kUnproved && !internal_error) return;
    result.verdict = Verdict::kUnknown;
    if (result.reason.empty()) result.reason = reason;
    result.internal_error = result.internal_error || internal_error;
  }

  // What other engines decide.
  void judge_kind(PropertyResult& result) const {
    if (!Modular::decides(result.property)) {
      set_unknown(result,
                  result.property.kind == Kind::kAssertion
                      ? "the modular engine does not look at abstract threads"
                      : fmt::format("the modular engine does not look for {}", diag::name(result.property.kind)));
    }
    const std::vector<bool>& concerned = derived_.root().modules;
    if (result.property.procedure < 0 && result.property.kind != Kind::kRace &&
        !concerned[static_cast<std::size_t>(result.property.module)]) {
      set_unknown(result, "no thread of the program uses the module that states it");
    }
  }

  // The procedures whose bodies are used in a job.
  std::set<int> bodies(const Job& job) const {
    std::set<int> out;
    if (job.procedure < 0) return out;
    std::vector<int> open;
    const auto look_into = [&](const Stmt& body) {
      for_each_stmt(body, [&](const Stmt& statement) {
        const CallTarget* target = called(statement);
        if (target == nullptr || starts_thread(statement)) return;
        const Contract& contract = program_.procedures[static_cast<std::size_t>(target->index)].contract;
        if (!contract.has_abstraction() || contract.is_inline) open.push_back(target->index);
      });
    };
    out.insert(job.procedure);
    look_into(job.round.what != nullptr ? *job.round.what
                                        : *program_.procedures[static_cast<std::size_t>(job.procedure)].body);
    while (!open.empty()) {
      const int at = open.back();
      open.pop_back();
      if (out.insert(at).second) look_into(*program_.procedures[static_cast<std::size_t>(at)].body);
    }
    return out;
  }

  std::string not_supported(const Unsupported& what) const {
    return fmt::format("not supported at {}: {}", task_.sources->place(what.range), what.what);
  }

  // What every step of the procedure is checked against. Where an abstraction stands for the steps of a callee there may be
  // no obligation at all, because it changes nothing that matters: that is a use of it too.
  std::vector<Claim> claims_of(const Job& job) const {
    std::vector<Claim> out;
    const spec::Specification& known = specification(job.procedure);
    for (const Clause* it : known.invariants) out.push_back({Kind::kInvariant, it->range});
    for (const spec::Rely& it : known.relies) out.push_back(claim_of(it));
    for (const LockOrder* it : known.lock_orders) out.push_back({Kind::kLockOrder, it->range});
    for (const Clause& it : program_.clauses) {
      if (it.kind == Clause::Kind::kGuarantee) out.push_back({Kind::kGuarantee, it.range});
    }
    if (job.procedure < 0) return out;
    const Procedure& procedure = program_.procedures[static_cast<std::size_t>(job.procedure)];
    for (const Action& it : procedure.contract.actions) out.push_back({Kind::kAbstractionStep, it.range});
    if (procedure.contract.actions.empty()) out.push_back({Kind::kAbstractionStep, procedure.name_range});
    return out;
  }

  // Whether runs may end because something goes wrong, or because nobody knows how they go on.
  static bool ends_before(const Job& job) {
    const auto has_failed = [](const Outcome& it) { return it.status == Outcome::Status::kFailed; };
    const std::vector<Outcome>& outcomes = job.verification.obligations;
    return !job.simulation.lost.empty() || std::any_of(outcomes.begin(), outcomes.end(), has_failed);
  }

  void judge_job(const Job& job, const std::map<std::string, std::size_t>& index, EngineResult& out) {
    const bool failed = !job.failure.empty();
    if (failed || job.simulation.obstacle) {
      const std::string reason = failed ? job.failure : not_supported(*job.simulation.obstacle);
      const std::set<int> concerned = bodies(job);
      for (PropertyResult& result : out.results) {
        const bool elsewhere = result.property.procedure >= 0 && !concerned.contains(result.property.procedure) &&
                               result.property.kind != Kind::kPrecondition && result.property.kind != Kind::kRace &&
                               job.procedure >= 0;
        if (!elsewhere) set_unknown(result, reason, job.internal_error);
      }
      return;
    }
    for (const Lost& it : job.simulation.lost) {
      const auto found = index.find(id(it.claim));
      CONCORD_CHECK(known_.contains(id(it.claim)), "a lost claim without a property: " + id(it.claim));
      if (found != index.end()) set_unknown(out.results[found->second], not_supported(it.why));
    }
    for (const Claim& claim : claims_of(job)) {
      const auto found = index.find(id(claim));
      if (found == index.end()) continue;
      for (const Claim& used : job.simulation.abstractions) needs_[found->second].insert(id(used));
    }
    for (const spec::Rely& rely : specification(job.procedure).relies) {
      const Claim claim = claim_of(rely);
      if (const auto found = index.find(id(claim)); found != index.end()) lean(job, claim, found->second);
    }
    std::vector<std::size_t> concerned;
    for (std::size_t i = 0; i < job.simulation.obligations.size(); ++i) {
      const Obligation& obligation = job.simulation.obligations[i];
      const Outcome& outcome = job.verification.obligations[i];
      for (const Claim& claim : obligation.claims) {
        const auto found = index.find(id(claim));
        if (found == index.end()) {
          // Left out by --only, or else an obligation that no property stands for would be lost.
          CONCORD_CHECK(known_.contains(id(claim)), "an obligation without a property: " + id(claim));
          continue;
        }
        concerned.push_back(found->second);
        for (const Claim& used : job.simulation.abstractions) needs_[found->second].insert(id(used));
        judge(job, obligation, outcome, claim, out.results[found->second], found->second);
      }
    }
    for (std::size_t i = 0; i < job.simulation.probes.size(); ++i) {
      if (!job.verification.unreachable[i] || job.is_for_unknown_code) continue;
      const Probe& probe = job.simulation.probes[i];
      if (probe.is_for_all && ends_before(job)) continue;
      PropertyResult vacuous;
      vacuous.property = {
          property_id(*task_.sources, Kind::kVacuity, probe.at), Kind::kVacuity, probe.at, "", job.procedure, 0};
      vacuous.engine = "modular";
      vacuous.verdict = Verdict::kUnproved;
      vacuous.message = probe.message;
      vacuous.location = probe.at;
      if (job.is_entry_only) {
        for (std::size_t which = 0; which < out.results.size(); ++which) {
          if (out.results[which].property.procedure == job.procedure) concerned.push_back(which);
        }
      }
      if (job.procedure < 0 || probe.is_for_all) {  // without a state to begin in nothing ever happens
        concerned.resize(out.results.size());
        std::iota(concerned.begin(), concerned.end(), 0);
      }
      for (const std::size_t which : concerned) {
        PropertyResult& result = out.results[which];
        if (result.verdict != Verdict::kVerified) continue;
        result.verdict = Verdict::kUnproved;
        result.depends_on = vacuous.property.id;
        result.message = "proved only because nothing can happen: see " + vacuous.property.id;
      }
      out.results.push_back(std::move(vacuous));
      needs_.emplace_back();
    }
  }

  void judge(const Job& job, const Obligation& obligation, const Outcome& outcome, const Claim& claim,
             PropertyResult& result, std::size_t which) {
    result.time_ms += outcome.time_ms;
    switch (outcome.status) {
      case Outcome::Status::kProved:
        for (const Claim& used : obligation.leans_on) needs_[which].insert(id(used));
        for (const int premise : outcome.premises) {
          const Claim& used = job.simulation.premises[static_cast<std::size_t>(premise)];
          needs_[which].insert(id(used));
          lean(job, used, which);
        }
        return;
      case Outcome::Status::kUnknown:
        if (defect_ == Defect::kUnknownIsProved) return;
        set_unknown(result, unknown_reason(obligation, outcome));
        return;
      case Outcome::Status::kFailed: break;
    }
    if (job.is_for_unknown_code) return set_unknown(result, entered_by_unknown_code());
    const Claim& broken = broken_claim(obligation, outcome);
    if (!(broken == claim)) {
      needs_[which].insert(id(broken));
      return;
    }
    if (result.verdict == Verdict::kUnproved && !result.message.empty()) return;  // the first one found is told
    result.verdict = Verdict::kUnproved;
    result.reason.clear();
    result.message = obligation.message;
    result.location = obligation.at;
    explain(obligation, outcome, claim, task_.settings.names, result);
  }

  std::string entered_by_unknown_code() const {
    for (const Procedure& procedure : program_.procedures) {
      std::string out;
      for_each_stmt(*procedure.body, [&](const Stmt& statement) {
        if (!may_do_anything(statement) || !out.empty()) return;
        out = not_supported({statement.range, std::get<plato::Unsupported>(statement.node).reason}) +
              "; it may enter this procedure in a state that nothing is known of";
      });
      if (!out.empty()) return out;
    }
    return "";
  }

  // What showed that a rely is reflexive and transitive is a premise as well.
  void lean(const Job& job, const Claim& used, std::size_t which) {
    if (used.kind != Kind::kEnvAssumption && used.kind != Kind::kGuardedBy) return;
    const spec::Specification& known = specification(job.procedure);
    const auto found = closures_.find(known.modules);
    if (found == closures_.end()) return;
    const Closure& closure = found->second;
    for (std::size_t i = 0; i < known.relies.size(); ++i) {
      if (!(claim_of(known.relies[i]) == used)) continue;
      for (std::size_t j = 0; j < known.relies.size() && closure.leans_on_relies[i]; ++j) {
        if (closure.is_assumed[j]) needs_[which].insert(id(claim_of(known.relies[j])));
      }
      for (const Clause* invariant : known.invariants) {
        if (closure.leans_on_invariants[i]) needs_[which].insert(id({Kind::kInvariant, invariant->range}));
      }
    }
  }

  std::string unknown_reason(const Obligation& obligation, const Outcome& outcome) const {
    if (control_.was_interrupted()) return "interrupted";
    if (const auto limit = control_.exceeded()) {
      return fmt::format("time limit of {} s", static_cast<double>(limit->count()) / 1000);
    }
    return fmt::format("the solver gave up at {}: {}", task_.sources->place(obligation.at), outcome.reason);
  }

  // Verified only if everything its proof uses is.
  void propagate(const std::map<std::string, std::size_t>& index, EngineResult& out) {
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t i = 0; i < out.results.size(); ++i) {
        PropertyResult& result = out.results[i];
        if (result.verdict != Verdict::kVerified) continue;
        for (const std::string& need : needs_[i]) {
          const auto found = index.find(need);
          if (found == index.end() || found->second == i) continue;  // left out by --only: an assumption
          const PropertyResult& used = out.results[found->second];
          if (used.verdict == Verdict::kVerified) continue;
          depend_on(result, used.depends_on.empty() ? need : used.depends_on);
          changed = true;
          break;
        }
      }
    }
  }

  void describe_closures(EngineResult& out) {
    std::set<std::string> said;
    for (const Job& job : jobs_) {
      const spec::Specification& known = specification(job.procedure);
      const auto found = closures_.find(known.modules);
      if (found == closures_.end()) continue;
      for (std::size_t i = 0; i < known.relies.size(); ++i) {
        const spec::Rely& rely = known.relies[i];
        if (rely.kind == spec::Rely::Kind::kWritable || found->second.is_assumed[i]) continue;
        const char* why = found->second.is_reflexive[i] ? "is not transitive" : "is broken by doing nothing";
        const std::string text = fmt::format(
            "the environment assumption at {} {}: it is checked, but not assumed of several steps of other threads",
            task_.sources->place(rely.claim), why);
        if (said.insert(text).second) out.notes.push_back(text);
      }
    }
  }

  // The procedure that a job is told by. What a round calls says more than who does it.
  const Procedure& told_by(const Job& job) const {
    int named = job.procedure;
    if (job.round.what != nullptr) {
      for_each_stmt(*job.round.what, [&](const Stmt& statement) {
        if (const CallTarget* call = called(statement); call != nullptr && named == job.procedure) named = call->index;
      });
    }
    return program_.procedures[static_cast<std::size_t>(named)];
  }

  void describe_parts(EngineResult& out) const {
    for (const Job& job : jobs_) {
      if (job.procedure < 0 || job.is_entry_only) continue;
      const Procedure& it = told_by(job);
      out.parts.push_back({it.name, it.name_range, job.time_ms});
    }
  }

  void describe_questions(EngineResult& out) const {
    for (const Job& job : jobs_) {
      const std::string part = job.procedure < 0 ? "initially" : told_by(job).name;
      for (Question& it : questions(*task_.sources, part, job.simulation, job.verification, task_.settings.solver))
        out.questions.push_back(std::move(it));
    }
  }

  void describe_inferred(EngineResult& out) {
    std::set<std::string> said;
    for (const Job& job : jobs_) {
      for (const Suggestion& it : job.simulation.suggestions) {
        if (it.text.empty() || it.block >= std::ssize(job.verification.kept)) continue;
        const std::vector<int>& kept = job.verification.kept[static_cast<std::size_t>(it.block)];
        if (std::find(kept.begin(), kept.end(), it.candidate) == kept.end()) continue;
        const std::string text = fmt::format("{}: loop_invariant {};", task_.sources->place(it.loop), it.text);
        if (said.insert(text).second) out.inferred.push_back(text);
      }
    }
    // `c ==> P` says nothing new beside P.
    std::erase_if(out.inferred, [&](const std::string& text) {
      const std::size_t begin = text.find(": loop_invariant ") + std::string_view(": loop_invariant ").size();
      const std::size_t arrow = text.find(" ==> ", begin);
      return arrow != std::string::npos && said.contains(text.substr(0, begin) + text.substr(arrow + 5));
    });
  }

  void suggest_integers(EngineResult& out) const {
    std::set<std::int64_t> found;
    for (const Job& job : jobs_) simulation::suggest_ints(job.verification, task_.settings, found);
    out.suggested_ints.assign(found.begin(), found.end());
  }

  const Task& task_;
  const Program& program_;
  Control& control_;
  const Defect defect_;
  const Modular::Failures wanted_;
  bool has_races_ = false;
  const spec::Derived derived_;
  Team team_;
  std::vector<Job> jobs_;
  std::vector<std::size_t> order_;  // in which they are worked on
  std::mutex closure_mutex_;
  std::map<std::vector<bool>, Closure> closures_;
  std::set<std::string> known_;               // every property of the program
  std::vector<std::set<std::string>> needs_;  // by result: the properties its proof uses
  std::mutex failures_mutex_;
  std::set<std::string> failures_;  // properties that are not proved, by id
};

}  // namespace

bool Modular::decides(const Property& property) {
  switch (property.kind) {
    case Kind::kDeadlock:
    case Kind::kCyclicDeadlock:
    case Kind::kNestedMonitor:
    case Kind::kIgnoredNotify:
    case Kind::kMutualExclusion:
    case Kind::kFinalState:
    case Kind::kTermination:
    case Kind::kConfinement:
    case Kind::kConformance: return false;
    case Kind::kAssertion: return property.procedure >= 0;  // else of an abstract thread
    default: return true;
  }
}

EngineResult Modular::run(const Task& task, Control& control) {
  return Run(task, control, defect_, proofs_, wanted_).run();
}

}  // namespace concord::engine::modular
