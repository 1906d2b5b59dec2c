#include "engine/dynamic/system.h"

#include <algorithm>

#include "plato/walk.h"

namespace concord::engine::dynamic {

using formula::Substitution;
using simulation::Encoder;
using simulation::Part;
using simulation::Scene;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

System::System(const Task& task, Control& control, Defect defect)
    : task_(task), defect_(defect), world_(pool_, *task.program, task.settings.ints), sums_(pool_) {
  if (program().initialiser >= 0)
    throw Refusal{program().procedures[static_cast<std::size_t>(program().initialiser)].name_range, "`initialised`"};
  for (const Thread& it : program().threads) {
    classes_.emplace_back();
    classes_.back().declaration = &it;
    codes_.push_back(unfold(program(), it.target.index));
    classes_.back().code = codes_.back();
  }
  atomicity_.emplace(program(), codes_, defect == Defect::kNoAtomicity);
  for (std::size_t c = 0; c < classes_.size(); ++c) {
    classes_[c].positions = find_positions(classes_[c].code, c, *atomicity_);
  }
  configuration_.emplace(world_, classes_, task.settings.threads);
  leaves_ = std::make_unique<Leaves>(world_, *configuration_, sums_, task.settings, control);
  find_transitions();
}

// Of one part of the state no code writes anything: it keeps its first value. Locks are written.
bool System::is_constant(const Part& part) const {
  return part.kind == Part::Kind::kAlive || !part.changes ||
         (part.kind == Part::Kind::kVariable && !atomicity_->is_written(part.index));
}

Term System::first_value(const Part& part) {
  return is_constant(part) ? part.now : pool_.constant(part.name + "@first", part.now->sort);
}

Substitution System::first_values() {
  Substitution out;
  for (const Part& it : world_.parts()) {
    if (!is_constant(it)) out.emplace(it.now, first_value(it));
  }
  return out;
}

Claim System::claim(const Expr& expr) {
  Scene where;
  where.tid = world_.none();
  where.sums = &sums_;
  Encoder encoder(world_, where);
  const Term holds = encoder.clause(expr);
  refuse_references();
  return {holds, encoder.all_facts()};
}

std::vector<Term> System::initially() {
  std::vector<Term> out;
  for (const Clause& clause : program().clauses) {
    if (clause.kind != Clause::Kind::kInitially) continue;
    try {
      Scene where;
      where.tid = world_.none();
      where.sums = &sums_;
      Encoder encoder(world_, where);
      const Term holds = encoder.holds(*clause.predicate.predicate);
      out.push_back(pool_.and_({encoder.all_facts(), encoder.definite_checks(), holds}));
    } catch (const simulation::Unsupported&) { continue; }  // more states to begin in
  }
  return out;
}

std::vector<Term> System::about_first() {
  std::vector<Term> out = initially();
  for (std::size_t p = 0; p < world_.parts().size(); ++p) {
    const Part part = world_.part(static_cast<int>(p));
    const bool is_lock = part.kind == Part::Kind::kHolder || part.kind == Part::Kind::kDepth;
    if (part.kind != Part::Kind::kVariable && !is_lock) continue;
    const Variable& it = program().variables[static_cast<std::size_t>(part.index)];
    if (it.init && std::holds_alternative<Star>(it.init->node)) continue;
    Term value = nullptr;
    if (is_lock) {
      value =
          world_.default_value(it.type, part.kind == Part::Kind::kHolder ? World::Half::kHolder : World::Half::kDepth);
    } else if (it.init) {
      try {
        Encoder encoder(world_, {});
        value = encoder.value_as(*it.init, it.type);
      } catch (const simulation::Unsupported&) { continue; }  // more states to begin in
    } else {
      value = world_.default_value(it.type);
    }
    out.push_back(pool_.eq(part.now, value));
  }
  const Substitution first = first_values();
  for (Term& it : out) it = pool_.substitute(it, first);
  for (Term it : world_.axioms()) {
    if (!it->has_quantifier) out.push_back(it);
  }
  for (const ThreadClass& it : classes_) {
    if (it.declaration->name.empty()) continue;
    const auto number = static_cast<int>(it.declaration - program().threads.data());
    out.push_back(pool_.eq(configuration_->identity(it, pool_.number(0)), world_.thread(number)));
  }
  return out;
}

Substitution System::parameters(const ThreadClass& of, Term thread) {
  const Procedure& entered = program().procedures[static_cast<std::size_t>(of.declaration->target.index)];
  const Update values = enter(*configuration_, world_, of, thread);
  const Substitution first = first_values();
  Substitution out;
  for (std::size_t i = 0; i < entered.parameters.size(); ++i) {
    out.emplace(of.locals[i], pool_.substitute(values.of(of.locals[i]), first));
  }
  return out;
}

void System::refuse_references() {
  for (const Part& it : world_.parts()) {
    const bool is_plain = it.kind == Part::Kind::kVariable || it.kind == Part::Kind::kHolder ||
                          it.kind == Part::Kind::kDepth || it.kind == Part::Kind::kAlive;
    if (!is_plain) throw Refusal{classes_.front().declaration->range, "objects and arrays"};
  }
}

void System::find_transitions() {
  for (const ThreadClass& of : classes_) {
    const Term thread = pool_.constant("thread of " + std::to_string(of.number), pool_.integer());
    for (const Way& way : of.positions.ways) {
      Transition made;
      made.of = &of;
      made.way = &way;
      made.thread = thread;
      made.number = transitions_.size();
      made.from = of.positions.position[static_cast<std::size_t>(way.from)];
      made.to = of.positions.position[static_cast<std::size_t>(way.to)];
      made.step = take(*configuration_, world_, of, way, thread, defect_);
      if (defect_ == Defect::kWrongBranch && made.step.writes == 0 && made.from != made.to) continue;
      transitions_.push_back(std::move(made));
    }
  }
  refuse_references();
  // By now all parts are known.
  for (Transition& it : transitions_) {
    for (const Part& part : world_.parts()) {
      if (defect_ != Defect::kLockEverywhere || part.kind != Part::Kind::kHolder) continue;
      const Term mine = pool_.eq(part.now, configuration_->identity(*it.of, it.thread));
      it.step.assumptions.insert(it.step.assumptions.begin(), pool_.or_(mine, pool_.eq(part.now, world_.none())));
    }
  }
  for (Transition& it : transitions_) {
    const bool enters = it.way->from == Positions::kEntry;
    Substitution known = parameters(*it.of, it.thread);
    if (enters) {
      const Substitution first = first_values();
      const Update values = enter(*configuration_, world_, *it.of, it.thread);
      for (Term local : it.of->locals) known.insert_or_assign(local, pool_.substitute(values.of(local), first));
    }
    for (Term& assumption : it.step.assumptions) assumption = pool_.substitute(assumption, known);
    for (OnTheWay& claimed : it.step.claims) claimed.holds = pool_.substitute(claimed.holds, known);
    it.after = configuration_->after(*it.of, it.from, it.to);
    for (const Part& part : world_.parts()) {
      const Term value = it.step.update.of(part.now);
      if (value != part.now) it.after.emplace(part.now, pool_.substitute(value, known));
    }
    for (Term local : it.of->locals) {
      const Term value = pool_.substitute(it.step.update.of(local), known);
      if (value != local) it.after.emplace(local, value);
    }
  }
}

std::string System::place_of(const ThreadClass& of, std::size_t position) const {
  for (std::size_t s = 0; s < of.positions.stops.size(); ++s) {
    if (of.positions.position[s] != static_cast<int>(position)) continue;
    const base::SourceRange at = of.code.nodes[static_cast<std::size_t>(of.positions.stops[s])].at;
    const std::string place = task_.sources->place(at);
    const std::size_t file = place.rfind(':', place.rfind(':') - 1);
    return file == std::string::npos ? place : place.substr(file + 1);
  }
  return "";
}

}  // namespace concord::engine::dynamic
