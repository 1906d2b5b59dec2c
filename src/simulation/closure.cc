#include "simulation/closure.h"

#include <fmt/format.h>

#include <optional>
#include <utility>

#include "smt/solver.h"

namespace concord::simulation {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using smt::Answer;
using spec::Rely;

namespace {

class Laws {
 public:
  Laws(const Program& program, const spec::Specification& specification, engine::IntMode ints,
       const sequential::Settings& settings, std::string purpose)
      : world_(pool_, program, ints),
        clauses_(world_),
        specification_(specification),
        settings_(settings),
        purpose_(std::move(purpose)),
        tid_(pool_.constant("tid", world_.tid())) {
    for (int round = 0; round < 2; ++round) {  // the second one knows all parts
      invariants_.clear();
      relies_.clear();
      for (const Clause* it : specification.invariants)
        invariants_.push_back(formula([&] { return clauses_.invariant(*it); }));
      for (const Rely& it : specification.relies) relies_.push_back(formula([&] { return clauses_.rely(it, tid_); }));
    }
  }

  Closure closure() {
    Closure out;
    out.is_reflexive.assign(relies_.size(), true);
    out.is_assumed.assign(relies_.size(), true);
    out.leans_on_relies.assign(relies_.size(), false);
    out.leans_on_invariants.assign(relies_.size(), false);
    for (std::size_t i = 0; i < relies_.size(); ++i) {
      if (!relies_[i]) {
        out.is_assumed[i] = false;
        continue;
      }
      const bool always = specification_.relies[i].kind != Rely::Kind::kClause;  // `unchanged, or …`
      bool leans = false;
      out.is_reflexive[i] = always || is_reflexive(*relies_[i], leans);
      out.leans_on_invariants[i] = leans;
      out.is_assumed[i] = out.is_reflexive[i] && specification_.relies[i].kind != Rely::Kind::kWritable;
    }
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t i = 0; i < relies_.size(); ++i) {
        if (!out.is_assumed[i] || is_transitive(i, out)) continue;
        out.is_assumed[i] = false;
        changed = true;
      }
    }
    return out;
  }

  std::vector<bool> stuttering(int index) {
    const Procedure& procedure = world_.program().procedures[static_cast<std::size_t>(index)];
    std::vector<Term> locals;
    for (const Local& local : procedure.parameters) locals.push_back(pool_.fresh(local.name, world_.sort(local.type)));
    std::vector<bool> out;
    for (const Action& action : procedure.contract.actions) {
      Scene step;
      step.two_state = true;
      step.uses_old = action.uses_old;
      step.tid = tid_;
      step.locals = &locals;
      if (procedure.result.kind != Type::Kind::kNone)
        step.result = pool_.constant("result", world_.sort(procedure.result));
      try {
        Encoder encoder(world_, step);
        const Term holds = encoder.clause(*action.ensures);
        out.push_back(!is_contradictory({in_states(pool_.and_(encoder.all_facts(), holds), 0, 0)}));
      } catch (const Unsupported&) { out.push_back(true); }
    }
    return out;
  }

  std::vector<bool> stuttering(const AbstractThread& machine) {
    std::vector<bool> out;
    for (const AbstractThread::Edge& edge : machine.edges) {
      Scene step;
      step.tid = tid_;
      const std::optional<Formula> it = formula([&] { return clauses_.two_state(edge.step, step, {}); });
      out.push_back(!it || !is_contradictory({in_states(pool_.and_(it->facts, it->holds), 0, 0)}));
    }
    return out;
  }

 private:
  template <class Make>
  std::optional<Formula> formula(Make make) {
    try {
      return make();
    } catch (const Unsupported&) { return {}; }
  }

  // Is it contradictory? What is not known to be is not.
  bool is_contradictory(const std::vector<Term>& formulas) {
    if (settings_.should_stop && settings_.should_stop()) return false;
    const sequential::Watched solver(settings_, fmt::format("{}-{}", purpose_, ++questions_),
                                     sequential::Remembers::kYes);
    for (Term axiom : world_.axioms()) solver->add(axiom);
    // Whoever assumes something of others exists.
    solver->add(pool_.ne(tid_, world_.none()));
    solver->add(world_.exists(world_.part(world_.alive()).now, tid_));
    for (Term formula : formulas) solver->add(formula);
    return solver->check() == Answer::kUnsat;
  }

  // A formula about a step, for the step between two of three states.
  Term in_states(Term formula, int before, int now) {
    formula::Substitution by;
    for (const Part& part : world_.parts()) {
      if (!part.changes) continue;
      by[part.before] = state(part, before);
      by[part.now] = state(part, now);
    }
    return pool_.substitute(formula, by);
  }

  Term state(const Part& part, int which) {
    if (which == 0) return part.now;
    return pool_.constant(part.now->name + "@" + std::to_string(which), part.now->sort);
  }

  void add_state(std::vector<Term>& formulas, int which) {
    for (const auto& it : invariants_) {
      if (it) formulas.push_back(in_states(pool_.and_(it->facts, it->holds), which, which));
    }
  }

  bool is_reflexive(const Formula& rely, bool& leans_on_invariants) {
    std::vector<Term> formulas{in_states(pool_.and_(rely.facts, pool_.not_(rely.holds)), 0, 0)};
    if (is_contradictory(formulas)) return true;
    add_state(formulas, 0);
    leans_on_invariants = true;
    return is_contradictory(formulas);
  }

  // First from itself, then from all relies that are assumed, then with the invariants too.
  bool is_transitive(std::size_t which, Closure& closure) {
    const Formula& rely = *relies_[which];
    std::vector<Term> formulas{in_states(pool_.and_(rely.facts, pool_.not_(rely.holds)), 0, 2)};
    for (int step = 0; step < 2; ++step) {
      formulas.push_back(in_states(pool_.and_(rely.facts, rely.holds), step, step + 1));
      for (std::size_t i = 0; i < world_.parts().size(); ++i) {
        formulas.push_back(in_states(clauses_.guaranteed(static_cast<int>(i), tid_), step, step + 1));
      }
    }
    if (is_contradictory(formulas)) return true;
    for (int step = 0; step < 2; ++step) {
      for (std::size_t i = 0; i < relies_.size(); ++i) {
        if (!closure.is_assumed[i]) continue;
        formulas.push_back(in_states(pool_.and_(relies_[i]->facts, relies_[i]->holds), step, step + 1));
      }
    }
    closure.leans_on_relies[which] = true;
    if (is_contradictory(formulas)) return true;
    for (int state = 0; state < 3; ++state) add_state(formulas, state);
    closure.leans_on_invariants[which] = true;
    return is_contradictory(formulas);
  }

  Pool pool_;
  World world_;
  Clauses clauses_;
  const spec::Specification& specification_;
  const sequential::Settings& settings_;
  const std::string purpose_;
  int questions_ = 0;
  const Term tid_;
  std::vector<std::optional<Formula>> invariants_;
  std::vector<std::optional<Formula>> relies_;
};

}  // namespace

Closure closure_of(const Program& program, const spec::Specification& specification, engine::IntMode ints,
                   const sequential::Settings& settings) {
  return Laws(program, specification, ints, settings, "closure").closure();
}

std::vector<bool> stuttering_actions(const Program& program, const spec::Specification& specification,
                                     engine::IntMode ints, int procedure, const sequential::Settings& settings) {
  return Laws(program, specification, ints, settings, "stuttering").stuttering(procedure);
}

std::vector<bool> stuttering_edges(const Program& program, const spec::Specification& specification,
                                   engine::IntMode ints, const AbstractThread& machine,
                                   const sequential::Settings& settings) {
  return Laws(program, specification, ints, settings, "stuttering").stuttering(machine);
}

}  // namespace concord::simulation
