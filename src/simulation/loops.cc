// Loops: what others do on the way to the head, and what may be known there. Cuts of long programs are like heads in that.
#include <algorithm>

#include "plato/classes.h"
#include "plato/printer.h"
#include "plato/walk.h"
#include "simulation/counters.h"
#include "simulation/simulator.h"

namespace concord::simulation {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using sequential::Command;
using sequential::Invariant;

namespace {

// How often a monitor is likely to be taken by one thread.
constexpr std::int64_t kMostLevels = 3;

}  // namespace

void Simulator::go_on(Activation& activation, const Flow& flow, int from, int node, bool in_atomic,
                      const std::vector<int>& block_of) {
  arrive(activation, flow, from, node, in_atomic);
  go_to(block_of[static_cast<std::size_t>(node)]);
}

// The components on which others act inside a loop.
std::set<int> Simulator::touched(const LoopKey& loop) const {
  const auto found = learned_.touched.find(loop);
  if (found == learned_.touched.end() || found->second.contains(Learned::kEverything)) return all_components();
  return components_of(found->second);
}

// Whether it says what others leave alone as long as a monitor is held that is given up in the loop: `wait` does that.
bool Simulator::is_given_up(Term protection, const LoopKey& loop) const {
  const auto found = learned_.given_up.find(loop);
  if (found == learned_.given_up.end()) return false;
  const std::vector<Term> constants = formula::constants_of(protection);
  const auto looks_at = [&](Term it) { return std::find(constants.begin(), constants.end(), it) != constants.end(); };
  return std::any_of(found->second.begin(), found->second.end(), [&](int holder) {
    return looks_at(world_.part(holder).before) && !looks_at(world_.part(holder).now);
  });
}

void Simulator::learn_touched() {
  for (const auto& [loop, parts] : touching_) {
    const auto found = learned_.touched.find(loop);
    const bool is_known = found != learned_.touched.end() &&
                          std::includes(found->second.begin(), found->second.end(), parts.begin(), parts.end());
    if (is_known) continue;
    learned_.is_settled = false;
    learned_.touched[loop].insert(parts.begin(), parts.end());
  }
}

// On the way to a loop head others may do anything that matters in the loop; then the invariants hold. What does not matter
// there they may as well do later.
void Simulator::arrive(Activation& activation, const Flow& flow, int from, int node, bool in_atomic) {
  const FlowNode& head = flow.nodes[static_cast<std::size_t>(node)];
  const bool ends_round = activation.caller == nullptr && node == input_.round.head;
  if (head.loop == nullptr || ends_round) return;
  if (!in_atomic && input_.defect != Defect::kNoStepAtLoopHead) environment(touched({activation.number, node}));
  if (from < node) {
    // Entered from outside: the body's nodes come after the head.
    std::vector<Term>& entry = loop_entry_[activation.number * 100'000 + node];
    snapshot(entry, "loop");
    for (const Counter& it : counters(flow, node)) {
      if (it.grows) continue;
      const auto slot = static_cast<std::size_t>(it.slot);
      Term& start = counted_from_[{activation.number, node, it.slot}];
      if (start == nullptr) start = variable("start of the count", activation.locals[slot]->sort);
      assign(start, activation.locals[slot]);
    }
  }
}

void Simulator::snapshot(std::vector<Term>& into, const std::string& name) {
  for (std::size_t i = 0; i < world_.parts().size(); ++i) {
    const Part& part = world_.parts()[i];
    if (i == into.size()) into.push_back(part.changes ? variable(part.name + "@" + name, part.now->sort) : part.now);
    if (part.changes) assign(into[i], part.now);
  }
}

void Simulator::assume_more_exists(const std::vector<Term>& since) {
  for (std::size_t i = 0; i < since.size(); ++i) {
    const Part& part = world_.parts()[i];
    if (is_existence(part.kind) && part.changes) assume(pool().le(since[i], part.now));
  }
  for (const auto& [part, first] : existed_first_) {
    assume(pool().le(first, world_.part(part).now));
    for (const auto& [component, parts] : existence_of_) {
      if (parts.contains(part)) assume(pool().le(first, existed(component, part)));
    }
  }
}

void Simulator::begin_loop(Activation& activation, const Flow& flow, int node, bool in_atomic) {
  const FlowNode& head = flow.nodes[static_cast<std::size_t>(node)];
  block(at_).is_loop_head = true;
  std::vector<Invariant> invariants;
  for (const ExprPtr& expr : head.loop->invariants) {
    try {
      Encoder encoder(world_, scene(activation));
      const Term holds = encoder.clause(*expr);
      Obligation made;
      made.claims = {{Kind::kLoopInvariant, expr->range}};
      made.at = expr->range;
      made.message =
          "the loop invariant may not hold when the loop is entered, after a round, or after a step of another thread";
      made.shown = shown_for(holds, &activation);
      const Term claim = pool().implies(encoder.all_facts(), holds);
      const std::set<int> parts = accessed(Commands{{Command::Kind::kAssume, nullptr, claim, -1, -1}});
      touch(parts);
      if (in_atomic) look_in_atomic(parts, {});
      assume(encoder.all_facts());  // true of every state, and without them nothing follows from the claim
      invariants.push_back({claim, obligation(std::move(made)), premise(Kind::kLoopInvariant, expr->range)});
    } catch (const Unsupported& why) { out_.lost.push_back({{Kind::kLoopInvariant, expr->range}, why}); }
  }
  const int head_block = at_;
  const auto entered = loop_entry_.find(activation.number * 100'000 + node);
  const std::vector<Term>* since = entered == loop_entry_.end() ? nullptr : &entered->second;
  const base::SourceRange loop = head.edges.empty()
                                     ? procedure(activation.procedure).name_range
                                     : range_of(head.edges.front().operation, procedure(activation.procedure));
  std::vector<Candidate> guesses = counts(activation, flow, node);
  const LoopKey key{activation.number, node};
  for (Candidate& it : candidates(activation, &head, since, &key, in_atomic)) guesses.push_back(std::move(it));
  for (const Candidate& it : guesses) {
    suggest(static_cast<int>(invariants.size()), it.text, loop);
    invariants.push_back(it.invariant);
  }
  block(head_block).invariants = std::move(invariants);
  block(head_block).is_landmark = !in_atomic && initialised_;
  if (since != nullptr) assume_more_exists(*since);
  if (!in_atomic && input_.defect != Defect::kNoStepAtLoopHead) assume_caught_up(touched({activation.number, node}));
  assume_private_unknown();
  if (!in_atomic) assume_invariants();
}

void Simulator::suggest(int candidate, const std::string& text, base::SourceRange loop) {
  out_.suggestions.push_back({at_, candidate, text, loop});
}

// What may be known of the counters of a loop.
std::vector<Simulator::Candidate> Simulator::counts(const Activation& activation, const Flow& flow, int node) {
  std::vector<Candidate> out;
  const auto add = [&](Term term, const std::string& text) { out.push_back({{term, -1, -1, nullptr, {}}, text}); };
  const std::vector<Counter> all = counters(flow, node);
  for (const Counter& it : all) {
    const Term value = activation.locals[static_cast<std::size_t>(it.slot)];
    const std::string& name = flow.procedure->locals[static_cast<std::size_t>(it.slot)].name;
    for (const Counter& other : all) {  // of two that grow one may stay behind
      if (!it.grows || !other.grows || it.slot == other.slot) continue;
      const auto slot = static_cast<std::size_t>(other.slot);
      add(pool().le(value, activation.locals[slot]), name + " <= " + flow.procedure->locals[slot].name);
    }
    if (it.grows) {
      add(pool().le(pool().number(0), value), "0 <= " + name);
    } else if (const auto start = counted_from_.find({activation.number, node, it.slot});
               start != counted_from_.end()) {
      add(pool().le(value, start->second), "");
    }
    for (const Counter::Limit& limit : it.limits) {
      try {
        Encoder encoder(world_, scene(activation));
        const Term last = encoder.value(*limit.value);
        assume(encoder.all_facts());
        const Term beyond = pool().number(limit.beyond);
        const std::string text = print(*limit.value);
        const std::string further = std::to_string(limit.beyond);
        if (limit.is_field) {  // as it could be written only in the language of the source
          const Term known =
              it.grows ? pool().le(value, pool().add(last, beyond)) : pool().le(pool().sub(last, beyond), value);
          add(known, "");
        } else if (it.grows) {
          add(pool().le(value, pool().add(last, beyond)),
              name + " <= " + text + (limit.beyond == 0 ? "" : " + " + further));
        } else {
          add(pool().le(pool().sub(last, beyond), value),
              text + (limit.beyond == 0 ? "" : " - " + further) + " <= " + name);
        }
      } catch (const Unsupported&) { continue; }
    }
  }
  return out;
}

// A long program is checked in pieces. What is known where one begins are the candidates that hold there.
void Simulator::cut(const Activation& activation, const std::vector<Term>& since) {
  block(at_).is_loop_head = block(at_).is_landmark = true;
  std::vector<Invariant> invariants;
  for (const Candidate& it : candidates(activation, nullptr, &since, nullptr, false))
    invariants.push_back(it.invariant);
  for (const Candidate& it : returned_or_thrown(activation)) invariants.push_back(it.invariant);
  block(at_).invariants = std::move(invariants);
  assume_more_exists(since);
  assume_private_unknown();
  assume_invariants();
}

// Where a call has ended: what may be known of its result if there is one.
std::vector<Simulator::Candidate> Simulator::returned_or_thrown(const Activation& activation) {
  std::vector<Candidate> out;
  const auto found = after_call_.find(at_);
  const int slot = found == after_call_.end() ? -1 : direct_result_slot(*found->second);
  if (slot < 0) return out;
  const std::vector<Local>& locals = procedure(activation.procedure).locals;
  const auto r = static_cast<std::size_t>(slot);
  const auto t = static_cast<std::size_t>(called(*found->second)->catch_slot);
  const Term result = activation.locals[r];
  const Type& type = locals[r].type;
  if (type.kind != Type::Kind::kClass && type.kind != Type::Kind::kArray) return out;
  const Term returned = pool().eq(activation.locals[t], world_.null(locals[t].type));
  const Term is_some = pool().ne(result, world_.null(type));
  const auto add = [&](Term term) {
    out.push_back({{pool().implies(returned, term), -1, -1, result, changeable_in(result)}, ""});
  };
  add(is_some);
  if (may_be_private(type)) add(pool().and_(is_some, is_private(result)));
  return out;
}

// The variables in a term.
std::vector<Term> Simulator::changeable_in(Term term) const {
  std::vector<Term> out;
  for (Term it : formula::constants_of(term)) {
    const int part = world_.part_of(it);
    if (variables_.contains(it) || (part >= 0 && world_.part(part).changes)) out.push_back(it);
  }
  return out;
}

// What may be invariant at a loop head, or after a call: the relies between entry and now, preconditions, conditions of the
// write disciplines, positions of F; each alone, and under the condition of the loop or its negation.
std::vector<Simulator::Candidate> Simulator::candidates(const Activation& activation, const FlowNode* head,
                                                        const std::vector<Term>* since, const LoopKey* loop,
                                                        bool in_atomic) {
  const std::set<int> touched = loop == nullptr ? all_components() : this->touched(*loop);
  std::vector<Candidate> out;
  std::set<Term> seen;
  const bool is_long = !learned_.cuts.empty();
  const auto add = [&](Term term, const std::string& text, Term about = nullptr, Term core = nullptr) {
    if (term == pool().truth(true) || term == pool().truth(false) || !seen.insert(term).second) return;
    out.push_back(
        {{term, -1, -1, about, is_long && core != nullptr ? changeable_in(core) : std::vector<Term>{}}, text});
  };
  struct Guard {
    Term term;
    std::string text;
  };
  std::vector<Guard> guards;
  const auto state_formula = [&](const Expr& expr, const Activation& where) -> std::optional<StateFormula> {
    try {
      Encoder encoder(world_, scene(where));
      const Term holds = encoder.clause(expr);
      assume(encoder.all_facts());  // true of every state
      return StateFormula{holds, encoder.all_facts()};
    } catch (const Unsupported&) { return {}; }
  };
  std::vector<const Expr*> conditions;
  for (const FlowEdge& edge : head == nullptr ? std::vector<FlowEdge>{} : head->edges) {
    if (edge.operation.kind != Operation::Kind::kCondition || !edge.operation.wanted) continue;
    if (std::holds_alternative<Star>(edge.operation.condition->node)) continue;
    conditions.push_back(edge.operation.condition);
  }
  for (const Expr* condition : conditions) {
    const std::optional<StateFormula> term = state_formula(*condition, activation);
    if (!term) continue;
    guards.push_back({term->holds, print(*condition)});
    guards.push_back({pool().not_(term->holds), "!(" + print(*condition) + ")"});
  }
  const std::size_t loop_guards = guards.size();
  const Procedure& own = procedure(activation.procedure);
  for (std::size_t i = 0; i < own.locals.size(); ++i) {
    if (own.locals[i].type.kind != Type::Kind::kBool) continue;
    guards.push_back({activation.locals[i], own.locals[i].name});
    guards.push_back({pool().not_(activation.locals[i]), "!" + own.locals[i].name});
  }
  // Positions of F; with \result, for the value that will be returned.
  std::vector<std::pair<Term, std::string>> positions;
  for (Term position : positions_) positions.emplace_back(position, "");
  if (result_ != nullptr && !positions_.empty()) {
    const Procedure& checked = procedure(input_.procedure);
    for_each_stmt(*checked.body, [&](const Stmt& statement) {
      const auto* it = std::get_if<Return>(&statement.node);
      if (it == nullptr || !it->value || activation.caller != nullptr) return;
      const auto* name = std::get_if<NameExpr>(&it->value->node);
      if (name == nullptr || name->ref.kind != Ref::Kind::kLocal) return;
      const Term same = pool().eq(result_, activation.locals[static_cast<std::size_t>(name->ref.index)]);
      for (Term position : positions_) positions.emplace_back(pool().implies(same, position), "");
    });
  }
  for (const std::vector<Term>* list : {&unbound_, &bound_}) {
    for (Term position : *list) positions.emplace_back(position, "");
  }
  if (machine() != nullptr) {
    for (const Candidate& it : about_nodes(activation)) add(it.invariant.term, it.text);
  }
  for (const auto& [position, text] : positions) {
    add(position, text);
    for (const Guard& guard : guards) add(pool().implies(guard.term, position), "");
  }
  if (!unbound_.empty()) {
    std::vector<Term> any = unbound_;
    any.insert(any.end(), bound_.begin(), bound_.end());
    add(pool().or_(any), "");
  }
  // What relies say about everything since the loop was entered.
  std::set<Term> unprotected;  // what others may have changed meanwhile, now
  if (!in_atomic && since != nullptr && !is_long) {
    formula::Substitution then;
    for (std::size_t i = 0; i < since->size(); ++i) then[world_.parts()[i].before] = (*since)[i];
    for (const OfOthers& it : true_of_others(touched)) {
      if (loop == nullptr || !is_given_up(it.holds, *loop)) {
        add(pool().substitute(it.holds, then), "");
        continue;
      }
      for (Term each : formula::constants_of(it.holds)) unprotected.insert(each);
    }
  }
  const auto add_reference = [&](Term local, const Type& type) {
    if (type.kind != Type::Kind::kClass && type.kind != Type::Kind::kArray) return;
    const Term is_some = pool().ne(local, world_.null(type));
    const bool is_own = may_be_private(type);
    if (is_own) add(pool().and_(is_some, is_private(local)), "", local, local);
    add(is_some, "", local, is_some);
    if (type.kind != Type::Kind::kClass) return;
    for (std::size_t i = 0; i < world_.parts().size(); ++i) {
      const Part& part = world_.parts()[i];
      if (part.kind != Part::Kind::kField || !part.changes || !is_subclass(program(), type.decl, part.index)) continue;
      const Type& of_field =
          program().classes[static_cast<std::size_t>(part.index)].fields[static_cast<std::size_t>(part.field)].type;
      const Term value = pool().select(part.now, local);
      if (is_own && (of_field.kind == Type::Kind::kClass || of_field.kind == Type::Kind::kArray)) {
        add(pool().ne(value, world_.null(of_field)), "", local);
      }
      if (since != nullptr && i < since->size() && touched.contains(component(static_cast<int>(i))) &&
          !unprotected.contains(part.now))
        add(pool().eq(value, pool().select((*since)[i], local)), "", local);
    }
  };
  if (activation.result != nullptr && head == nullptr)
    add_reference(activation.result, procedure(activation.procedure).result);
  for (const Activation* it = &activation; it != nullptr; it = it->caller) {
    for (const int slot : it->needed) {
      const auto n = static_cast<std::size_t>(slot);
      add_reference(it->locals[n], procedure(it->procedure).locals[n].type);
    }
  }
  // Facts about the state.
  struct Atom {
    StateFormula formula;
    std::string text;
  };
  std::vector<Atom> atoms;
  const auto add_atoms = [&](const Expr& expr, const Activation& where) {
    std::vector<const Expr*> parts;
    collect_conjuncts(expr, parts);
    for (const Expr* part : parts) {
      const auto term = state_formula(*part, where);
      if (term) atoms.push_back({*term, print(*part)});
    }
  };
  const auto add_atoms_of = [&](const Clause& invariant, Term object) {
    std::vector<const Expr*> parts;
    collect_conjuncts(*invariant.predicate.predicate, parts);
    for (const Expr* part : parts) {
      try {
        Scene of_object;
        of_object.self = object;
        of_object.self_class = invariant.class_index;
        of_object.tid = world_.none();
        Encoder encoder(world_, of_object);
        const Term holds = encoder.clause(*part);
        assume(encoder.all_facts());  // true of every state
        atoms.push_back({{holds, encoder.all_facts()}, ""});
      } catch (const Unsupported&) { continue; }
    }
  };
  for (const Activation* it = &activation; it != nullptr; it = it->caller) {
    for (const ExprPtr& expr : procedure(it->procedure).contract.requires_) add_atoms(*expr, *it);
    if (in_atomic) break;
  }
  for (const Clause* invariant : specification().invariants) {
    // What holds while a lock is free often holds while I have it and wait.
    const auto* implication = std::get_if<BinaryExpr>(&invariant->predicate.predicate->node);
    if (implication == nullptr || implication->op != BinaryOp::kImplies || invariant->class_index >= 0) continue;
    add_atoms(*implication->right, activation);
  }
  // What holds while a monitor is free holds again when `wait` has got it back.
  for (const Clause* invariant : specification().invariants) {
    const bool waits = loop != nullptr && learned_.given_up.contains(*loop);
    if (!waits || invariant->kind != Clause::Kind::kMonitorInvariant || invariant->class_index < 0) continue;
    for (const Activation* it = &activation; it != nullptr; it = it->caller) {
      for (const int slot : it->needed) {
        const auto n = static_cast<std::size_t>(slot);
        const Type& type = procedure(it->procedure).locals[n].type;
        if (type.kind != Type::Kind::kClass || !is_subclass(program(), type.decl, invariant->class_index)) continue;
        add_atoms_of(*invariant, it->locals[n]);
      }
    }
  }
  for (const spec::Rely& rely : specification().relies) {
    if (rely.kind == spec::Rely::Kind::kUnwritable && rely.class_index < 0)
      add_atoms(*rely.field_clause->expr, activation);
    if (rely.kind != spec::Rely::Kind::kClause || rely.class_index >= 0 || rely.clause->predicate.uses_old) continue;
    // The premise of `e ==> x' == x`.
    const auto* implication = std::get_if<BinaryExpr>(&rely.clause->predicate.predicate->node);
    if (implication == nullptr || implication->op != BinaryOp::kImplies) continue;
    bool primed = false;
    for_each_expr(*implication->left, [&](const Expr& part) {
      if (const auto* name = std::get_if<NameExpr>(&part.node)) primed = primed || name->primed;
      if (const auto* field = std::get_if<FieldExpr>(&part.node)) primed = primed || field->primed;
      if (const auto* index = std::get_if<IndexExpr>(&part.node)) primed = primed || index->primed;
    });
    if (!primed) add_atoms(*implication->left, activation);
  }
  for (const Activation* it = &activation; is_long && it != nullptr; it = it->caller) {
    for (const Expr* lock : learned_.locks[it->number]) {
      if (!std::holds_alternative<NameExpr>(lock->node)) continue;  // it may mean another one by now
      Encoder encoder(world_, scene(*it));
      bool is_monitor = false;
      const Term who = encoder.read(encoder.lock_part(*lock, World::Half::kHolder, is_monitor), true);
      const Term mine = pool().eq(who, tid_);
      const Term levels =
          is_monitor ? encoder.read(encoder.lock_part(*lock, World::Half::kDepth, is_monitor), true) : nullptr;
      assume(encoder.all_facts());
      atoms.push_back({{mine, encoder.all_facts()}, ""});
      if (is_monitor) atoms.push_back({{pool().eq(levels, pool().number(1)), encoder.all_facts()}, ""});
      for (std::int64_t n = 2; is_monitor && n <= kMostLevels; ++n) {
        atoms.push_back({{pool().le(pool().number(n), levels), encoder.all_facts()}, ""});
      }
    }
  }
  if (is_long) {
    for (const StateFormula& it : learned_.atoms) {
      assume(it.facts);
      atoms.push_back({it, ""});
    }
  }
  for (const auto& [formula, text] : atoms) {
    const Term atom = pool().implies(formula.facts, formula.holds);
    add(atom, text, nullptr, formula.holds);
    for (std::size_t g = 0; g < loop_guards && !is_long; ++g) {
      add(pool().implies(guards[g].term, atom), guards[g].text + " ==> " + text);
    }
  }
  return out;
}

}  // namespace concord::simulation
