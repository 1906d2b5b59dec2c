#include "engine/dynamic/dynamic.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "engine/dynamic/empty_program.h"
#include "engine/dynamic/flat.h"
#include "engine/dynamic/invariant.h"
#include "engine/dynamic/safety.h"
#include "engine/dynamic/save.h"
#include "plato/flow.h"

namespace concord::engine::dynamic {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::size_t kMostRelated = 3;

void set_unknown(PropertyResult& result, std::string reason) {
  result.verdict = Verdict::kUnknown;
  result.reason = std::move(reason);
}

class Run {
 public:
  Run(const Task& task, Control& control, Defect defect)
      : original_(task.program), task_(task), control_(control), defect_(defect) {}

  EngineResult run() {
    begin();
    if (task_.program->threads.empty()) return all_unknown("there is no thread");
    try {
      if (has_objects(*task_.program)) {
        flat_ = flatten(task_, control_);
        task_.program = &flat_.program;
      }
      System system(task_, control_, defect_);
      check_growing(system);
      Invariant invariant(system, control_);
      const bool is_found = invariant.find();
      if (!is_found) return all_unknown(why_stopped());
      if (const Limit* limit = limit_that_is_met(system, invariant)) throw Refusal{limit->at, limit->what};
      judge(system, invariant);
      tell(system, invariant);
      if (task_.settings.keeps_proof || task_.settings.keeps_evidence) save(system, invariant);
    } catch (const Refusal& it) {
      return all_unknown(fmt::format("not supported at {}: {}", task_.sources->place(it.at), it.what));
    } catch (const simulation::Unsupported& it) {
      return all_unknown(fmt::format("not supported at {}: {}", task_.sources->place(it.range), it.what));
    } catch (const smt::CannotRun& it) { return all_unknown(it.what()); }
    return std::move(out_);
  }

 private:
  void begin() {
    for (const Property& property : task_.properties) {
      PropertyResult result;
      result.property = property;
      result.engine = "dynamic";
      result.location = property.claim;
      result.message = std::string(diag::page(property.kind).holds);
      set_unknown(result, fmt::format("the dynamic engine does not look for {}", diag::name(property.kind)));
      out_.results.push_back(std::move(result));
    }
  }

  EngineResult all_unknown(const std::string& reason) {
    for (PropertyResult& it : out_.results) {
      if (Dynamic::decides(it.property)) set_unknown(it, reason);
    }
    return std::move(out_);
  }

  std::string why_stopped() const {
    if (const auto limit = control_.exceeded()) {
      return fmt::format("time limit of {} s reached", static_cast<double>(limit->count()) / 1000.0);
    }
    return "interrupted";
  }

  // Between reading which array it is and looking at its elements nobody may put another one there; and while elements are copied
  // nobody may change them.
  void check_growing(const System& system) const {
    const std::vector<Variable>& variables = task_.program->variables;
    const std::map<int, int>& protected_by = system.atomicity().protected_by();
    const auto number = [&](const std::string& name) {
      const auto found =
          std::find_if(variables.begin(), variables.end(), [&](const Variable& it) { return it.name == name; });
      return static_cast<int>(found - variables.begin());
    };
    for (const Growing& it : flat_.growing) {
      const auto length = protected_by.find(number(it.length));
      const auto elements = protected_by.find(number(it.elements));
      const bool is_kept = elements != protected_by.end() || !system.atomicity().is_written(number(it.elements));
      if (!system.atomicity().is_written(number(it.length)) && is_kept) continue;
      const bool is_known = length != protected_by.end() && elements != protected_by.end();
      if (!is_known || length->second != elements->second)
        throw Refusal{it.at, "an array in a variable that changes, and that no lock protects"};
    }
  }

  const Limit* limit_that_is_met(System& system, Invariant& invariant) const {
    for (const Limit& limit : flat_.limits) {
      for (const Transition& step : system.transitions()) {
        for (const OnTheWay& claim : step.step.claims) {
          std::string why;
          const bool is_its = claim.kind == Kind::kAssertion && claim.claim == limit.at;
          if (is_its && !invariant.holds(step, claim, why)) return &limit;
        }
      }
    }
    return nullptr;
  }

  void judge(System& system, Invariant& invariant) {
    for (const ThreadClass& of : system.classes()) {
      for (const dynamic::Frame& it : of.code.frames) procedures_.insert(it.procedure);
    }
    for (PropertyResult& it : out_.results) {
      if (!Dynamic::decides(it.property)) {
        judge_safety(it, system, invariant);
        continue;
      }
      if (!invariant.has_first_state()) {
        unproved(it, "there is no initial state, so nothing ever runs");
      } else if (it.property.procedure >= 0 && !procedures_.contains(it.property.procedure)) {
        set_unknown(it, "no thread comes there");
      } else {
        judge(it, system, invariant);
      }
      if (control_.should_stop() && it.verdict != Verdict::kVerified) set_unknown(it, why_stopped());
    }
  }

  void judge(PropertyResult& result, System& system, Invariant& invariant) {
    switch (result.property.kind) {
      case Kind::kFinalState: return judge_final(result, system, invariant);
      case Kind::kTermination: return judge_termination(result, system);
      case Kind::kInvariant: return judge_invariant(result, system, invariant);
      default: return judge_on_the_way(result, system, invariant);
    }
  }

  static void verified(PropertyResult& result) {
    result.verdict = Verdict::kVerified;
    result.reason.clear();
  }

  static void unproved(PropertyResult& result, std::string message) {
    result.verdict = Verdict::kUnproved;
    result.reason.clear();
    result.message = std::move(message);
  }

  void judge_final(PropertyResult& result, System& system, Invariant& invariant) {
    for (const Clause& clause : task_.program->clauses) {
      if (clause.kind != Clause::Kind::kFinally || !(clause.range == result.property.claim)) continue;
      std::string why;
      try {
        const Claim claim = system.claim(*clause.predicate.predicate);
        if (invariant.holds_finally(claim, why)) {
          invariant.note_laws(result.property.id);
          if (invariant.has_last_state()) return verified(result);
          return unproved(result, "no run ends with all threads finished");
        }
      } catch (const simulation::Unsupported& it) {
        return set_unknown(result, fmt::format("not supported at {}: {}", task_.sources->place(it.range), it.what));
      }
      unproved(result, "it may be that all threads finish and this is not so");
      if (!why.empty()) result.related.push_back({clause.range, "as far as is known, with " + why});
      relate(result, invariant);
      return;
    }
    set_unknown(result, "the dynamic engine does not know this claim");
  }

  // What was tried, and where it fails.
  static void relate(PropertyResult& result, const Invariant& invariant) {
    std::size_t count = 0;
    for (const Candidate& it : invariant.candidates()) {
      const bool is_its = it.proposal.clause != nullptr && it.proposal.clause->range == result.property.claim;
      if (!is_its || it.is_kept || it.lost.empty() || count++ >= kMostRelated) continue;
      result.related.push_back({it.lost_at, fmt::format("tried: {}; {}", it.proposal.text, it.lost)});
    }
  }

  void judge_termination(PropertyResult& result, System& system) {
    for (const ThreadClass& of : system.classes()) {
      if (defect_ == Defect::kDeadlockTerminates) break;
      const auto trouble = may_not_finish(*task_.program, of.code, of.number, system.atomicity(), task_.settings.ints);
      if (!trouble) continue;
      result.location = trouble->at;
      return unproved(result, trouble->what);
    }
    verified(result);
  }

  // Steps may be several operations: then nothing is known of states in between.
  void judge_invariant(PropertyResult& result, System& system, const Invariant& invariant) {
    const bool is_fine =
        std::all_of(system.transitions().begin(), system.transitions().end(),
                    [](const Transition& it) { return it.step.writes <= 1 && !it.way->may_end_behind_write; });
    if (!is_fine)
      return set_unknown(result, "operations are looked at together, and nothing is known of the states in between");
    bool is_known = false;
    for (const Candidate& it : invariant.candidates()) {
      if (it.proposal.clause == nullptr || !(it.proposal.clause->range == result.property.claim)) continue;
      if (!std::exchange(is_known, true)) {
        if (const auto why = not_supported(*it.proposal.clause, system)) return set_unknown(result, *why);
      }
      if (it.is_kept) continue;
      unproved(result, "the invariant may not hold");
      if (!it.lost.empty()) result.related.push_back({it.lost_at, it.lost});
      return;
    }
    if (is_known) return verified(result);
    set_unknown(result, "the dynamic engine does not know this claim");
  }

  // Parts of a clause that are not supported are not among what was proposed.
  std::optional<std::string> not_supported(const Clause& clause, System& system) const {
    try {
      system.claim(*clause.predicate.predicate);
    } catch (const simulation::Unsupported& it) {
      return fmt::format("not supported at {}: {}", task_.sources->place(it.range), it.what);
    }
    return std::nullopt;
  }

  void judge_on_the_way(PropertyResult& result, System& system, Invariant& invariant) {
    for (const Transition& step : system.transitions()) {
      for (const OnTheWay& claim : step.step.claims) {
        if (claim.kind != result.property.kind || !(claim.claim == result.property.claim)) continue;
        std::string why;
        if (invariant.holds(step, claim, why)) {
          invariant.note_laws(result.property.id);
          continue;
        }
        unproved(result, std::string(diag::page(claim.kind).may_fail));
        if (!why.empty()) result.related.push_back({claim.claim, "as far as is known, with " + why});
        return;
      }
    }
    verified(result);
  }

  // Of programs with objects: only what goes without saying.
  void judge_safety(PropertyResult& result, System& system, Invariant& invariant) const {
    if (!has_objects(*original_) || !invariant.has_first_state()) return;
    const bool is_run = procedures_.contains(result.property.procedure);
    const bool is_initialising = !is_run && initialising().contains(result.property.procedure);
    if (is_initialising && is_of_one_step(result.property.kind)) return verified(result);
    switch (result.property.kind) {
      case Kind::kRace:
        if (is_without_race(flat_, system, result.property)) verified(result);
        return;
      case Kind::kNullDereference:  // every reference that code goes through is known, or it was refused
      case Kind::kClassCast:
        if (is_run) verified(result);
        return;
      case Kind::kArrayBounds:
      case Kind::kNegativeArraySize:
        if (is_run && hold_on_the_way(result.property, system, invariant)) verified(result);
        return;
      default: return;
    }
  }

  static bool is_of_one_step(Kind kind) {
    return kind == Kind::kNullDereference || kind == Kind::kClassCast || kind == Kind::kArrayBounds ||
           kind == Kind::kNegativeArraySize;
  }

  // What the initialisers run: to the end, or the program was refused (heap.h).
  std::set<int> initialising() const {
    if (original_->initialiser < 0) return {};
    return run_from(*original_, {original_->initialiser}, false);
  }

  static bool hold_on_the_way(const Property& property, System& system, Invariant& invariant) {
    bool is_claimed = false;
    for (const Transition& step : system.transitions()) {
      for (const OnTheWay& claim : step.step.claims) {
        if (claim.kind != property.kind || !(claim.claim == property.claim)) continue;
        is_claimed = true;
        std::string why;
        if (!invariant.holds(step, claim, why)) return false;
      }
    }
    return is_claimed;
  }

  void tell(System& system, const Invariant& invariant) {
    out_.assumptions = system.configuration().assumptions;
    out_.assumptions.push_back(task_.settings.ints == IntMode::kJava ? "integers have 32 bits and wrap around"
                                                                     : "integers are unbounded");
    for (const Candidate& it : invariant.candidates()) {
      const bool is_users = it.proposal.clause != nullptr && it.proposal.clause->kind == Clause::Kind::kGlobalInvariant;
      if (it.is_kept && !is_users) out_.inferred.push_back(it.proposal.text);
    }
    for (const auto& [variable, lock] : system.atomicity().protected_by()) {
      const auto name = [&](int which) { return task_.program->variables[static_cast<std::size_t>(which)].name; };
      out_.inferred.push_back(fmt::format("{} is touched only by whoever holds {}", name(variable), name(lock)));
    }
    out_.statistics["steps"] = std::ssize(system.transitions());
    out_.statistics["branches"] = invariant.branches();
    out_.statistics["leaves"] = system.leaves().count();
  }

  // Who has not asked for the proof need not know.
  void not_saved(const std::string& why) {
    if (task_.settings.keeps_proof) out_.notes.push_back("no proof is saved: " + why);
  }

  void save(System& system, const Invariant& invariant) {
    if (has_objects(*original_)) return not_saved("it would be about variables in place of the program's objects");
    Saved saved = save_proof(task_, system, invariant, out_.results);
    out_.proof = std::move(saved.text);
    if (!saved.trouble.empty()) not_saved(saved.trouble);
  }

  const Program* original_;
  Task task_;
  Flat flat_;  // what stands for a program with objects
  Control& control_;
  const Defect defect_;
  EngineResult out_;
  std::set<int> procedures_;  // that threads run
};

}  // namespace

bool Dynamic::decides(const Property& property) {
  switch (property.kind) {
    case Kind::kFinalState:
    case Kind::kTermination:
    case Kind::kDivisionByZero:
    case Kind::kMonitorState: return true;
    case Kind::kInvariant: return property.procedure < 0;
    case Kind::kAssertion: return property.procedure >= 0;
    default: return false;
  }
}

EngineResult Dynamic::run(const Task& task, Control& control) { return Run(task, control, defect_).run(); }

}  // namespace concord::engine::dynamic
