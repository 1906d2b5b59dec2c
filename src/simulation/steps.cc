// One step and its surroundings: what other threads do before it, what it must satisfy, how F moves.
#include <algorithm>
#include <functional>
#include <numeric>

#include "base/check.h"
#include "plato/walk.h"
#include "simulation/simulator.h"

namespace concord::simulation {

using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using sequential::Command;
using spec::Rely;

// ------------------------------------------------------------------------------------------------- disjoint components

namespace {

bool mentions(formula::Sort sort, formula::Sort wanted) {
  if (sort == wanted) return true;
  return sort->kind == formula::SortNode::Kind::kArray &&
         (mentions(sort->key, wanted) || mentions(sort->value, wanted));
}

}  // namespace

// The environment assumption, split into components over disjoint parts. Whatever couples two parts puts them together:
// a clause that mentions both, and what the language guarantees of a monitor's holder and depth.
//
// That a reference exists, and clauses about all objects, would couple everything with what exists. Instead, others make
// objects and start threads whenever they act at all, so that what exists is never older than the rest: then a reference that
// is read refers to something that exists. An object that came to exist since others last acted on a component has no values
// there yet: none of the component's formulas are known of it until they act on it again. So each component remembers what
// existed when they last did (existed_), and that is what `exists` means in its formulas.
void Simulator::find_components() {
  const std::size_t count = world_.parts().size();
  component_.resize(count);
  std::iota(component_.begin(), component_.end(), 0);
  if (input_.defect == Defect::kPostponeParts) return;
  const std::function<int(int)> root = [&](int it) {
    while (component_[static_cast<std::size_t>(it)] != it) it = component_[static_cast<std::size_t>(it)];
    return it;
  };
  const auto join = [&](int a, int b) { component_[static_cast<std::size_t>(root(a))] = root(b); };
  const auto join_all = [&](const std::optional<Formula>& it) {
    if (!it) return;
    for (const int part : it->parts) join(part, *it->parts.begin());
  };
  for (const auto& it : invariants_) join_all(it);
  for (const auto& it : relies_) join_all(it);
  for (const auto& it : guarantees_) join_all(it.second);
  for (std::size_t a = 0; a < count; ++a) {
    const Part& part = world_.parts()[a];
    for (std::size_t b = 0; b < count; ++b) {
      const Part& other = world_.parts()[b];
      const bool halves = (part.kind == Part::Kind::kHolder && other.kind == Part::Kind::kDepth) ||
                          (part.kind == Part::Kind::kFieldHolder && other.kind == Part::Kind::kFieldDepth) ||
                          (part.kind == Part::Kind::kObjectHolder && other.kind == Part::Kind::kObjectDepth);
      if (halves && part.index == other.index && part.field == other.field)
        join(static_cast<int>(a), static_cast<int>(b));
    }
  }
  for (std::size_t i = 0; i < count; ++i) component_[i] = root(static_cast<int>(i));
  const auto add = [&](const std::optional<Formula>& it) {
    if (it && !it->parts.empty()) existence_of_[component(*it->parts.begin())].merge(std::set<int>(it->existence));
  };
  for (const auto& it : invariants_) add(it);
  for (const auto& it : relies_) add(it);
  for (const auto& it : relies_other_) add(it);
  for (const auto& it : guarantees_) add(it.second);
  for (std::size_t i = 0; i < count; ++i) {
    const Part& part = world_.parts()[i];
    const formula::Sort values = is_of_objects(part.kind) ? part.now->sort->value : part.now->sort;
    if (part.changes) existence_of_[component_[i]].merge(existence_in(values));
  }
}

// What others change with these components: whom a step must not disturb are all threads that exist.
std::set<int> Simulator::existence_with(const std::set<int>& components) const {
  std::set<int> out;
  for (const int it : components) {
    const auto found = existence_of_.find(it);
    if (found != existence_of_.end()) out.insert(found->second.begin(), found->second.end());
  }
  for (int i = 0; i < std::ssize(world_.parts()); ++i) {
    const Part& part = world_.part(i);
    if (!part.changes || !is_existence(part.kind)) continue;
    if (part.kind == Part::Kind::kAlive || components.contains(component(i))) out.insert(i);
  }
  // With an object comes what its final fields refer to, and whatever an invariant about such fields says of it.
  for (bool grows = true; grows;) {
    const std::size_t before = out.size();
    for (const Part& field : world_.parts()) {
      if (field.changes || !is_of_objects(field.kind)) continue;
      const auto is_owner = [&](int it) { return world_.part(it).of == field.now->sort->key; };
      if (std::none_of(out.begin(), out.end(), is_owner)) continue;
      out.merge(existence_in(field.now->sort->value));
    }
    for (const std::optional<Formula>& it : invariants_) {
      if (!it || !is_about_rigid(*it)) continue;
      const auto asks = [&](int part) { return out.contains(part); };
      if (std::any_of(it->existence.begin(), it->existence.end(), asks))
        out.insert(it->existence.begin(), it->existence.end());
    }
    grows = out.size() > before;
  }
  return out;
}

// What is asked to exist by values of the sort.
std::set<int> Simulator::existence_in(formula::Sort sort) const {
  std::set<int> out;
  for (int i = 0; i < std::ssize(world_.parts()); ++i) {
    const Part& part = world_.part(i);
    if (is_existence(part.kind) && part.changes && mentions(sort, part.of)) out.insert(i);
  }
  return out;
}

// What existed when others last acted on the component.
Term Simulator::existed(int component, int part) {
  if (input_.derived->is_sequential() || component < 0) return world_.part(part).now;
  Term& out = existed_[{component, part}];
  if (out == nullptr) {
    out = variable("existed", pool().integer());
    out_.program.fleeting.insert(out);
  }
  return out;
}

// For a formula at that moment.
formula::Substitution Simulator::when_acted(const Formula& formula, Term Part::*at) {
  formula::Substitution out;
  if (formula.parts.empty()) return out;
  for (const int it : formula.existence) out[world_.part(it).*at] = existed(component(*formula.parts.begin()), it);
  return out;
}

// Whatever exists now has values there.
void Simulator::catch_up(const std::set<int>& components, const std::set<int>& changed) {
  for (const int it : components) {
    const auto found = existence_of_.find(it);
    if (found == existence_of_.end()) continue;
    for (const int part : found->second) {
      if (changed.contains(part) && existed(it, part) != world_.part(part).now)
        assign(existed(it, part), world_.part(part).now);
    }
  }
}

void Simulator::catch_up() {
  std::set<int> all;
  for (int i = 0; i < std::ssize(world_.parts()); ++i) all.insert(i);
  catch_up(all_components(), all);
}

void Simulator::assume_caught_up(const std::set<int>& components) {
  if (input_.derived->is_sequential() || !initialised_) return;
  for (const int it : components) {
    const auto found = existence_of_.find(it);
    if (found == existence_of_.end()) continue;
    for (const int part : found->second) assume(pool().eq(existed(it, part), world_.part(part).now));
  }
}

// A first construction meets parts that it did not know of.
int Simulator::component(int part) const {
  return static_cast<std::size_t>(part) < component_.size() ? component_[static_cast<std::size_t>(part)] : -1;
}

std::set<int> Simulator::components_of(const std::set<int>& parts) const {
  if (parts.contains(Learned::kEverything) || (!input_.postpone && !parts.empty())) return all_components();
  std::set<int> out;
  for (const int part : parts) out.insert(component(part));
  return out;
}

std::set<int> Simulator::all_components() const { return {component_.begin(), component_.end()}; }

// -------------------------------------------------------------------------------------------------------- other threads

void Simulator::touch(const std::set<int>& parts) {
  for (const LoopKey& loop : loops_) touching_[loop].insert(parts.begin(), parts.end());
}

// Before something that looks at these parts.
void Simulator::let_act(const std::set<int>& parts) {
  if (parts.empty()) return;
  touch(parts);
  environment(components_of(parts));
}

// What an operation inside an atomic block looks at others must have acted on when the block begins.
void Simulator::look_in_atomic(std::set<int> parts, const std::set<int>& writes) {
  Learned::Atomic& known = learned_.atomic[atomic_];
  const std::size_t before = known.parts.size() + known.writes.size();
  known.parts.merge(parts);
  known.writes.insert(writes.begin(), writes.end());
  if (known.parts.size() + known.writes.size() > before) learned_.is_settled = false;
}

void Simulator::let_act_before_atomic(const Activation& activation, const Stmt& atomic) {
  Learned::Atomic& known = learned_.atomic[{activation.number, &atomic}];
  add_parts_of_step(procedure(activation.procedure).module, known.writes, known.parts);
  let_act(known.parts);
}

void Simulator::environment(const std::set<int>& components) {
  if (input_.derived->is_sequential() || !initialised_) return;  // there are no other threads, or they wait
  const std::set<int> existence = existence_with(components);
  const auto affected = [&](int part) {
    const Part& it = world_.part(part);
    if (is_existence(it.kind)) return existence.contains(part);
    return components.contains(component(part)) && it.changes && !it.is_final;
  };
  std::vector<int> parts;
  for (std::size_t i = 0; i < world_.parts().size(); ++i) {
    if (affected(static_cast<int>(i))) parts.push_back(static_cast<int>(i));
  }
  if (parts.empty()) return;
  for (const int part : parts) {
    assign(world_.part(part).before, world_.part(part).now);
    emit({Command::Kind::kChange, world_.part(part).now, nullptr, -1, -1});
  }
  for (const int part : parts) {
    if (const auto copied = copied_on_write_.find(part); copied != copied_on_write_.end()) {
      assume(pool().eq(world_.part(part).now, world_.part(part).before),
             premise(copied->second.kind, copied->second.range));
      continue;
    }
    assume(clauses_.guaranteed(part, tid_));
    assume_private_unchanged(part);
    if (alone_ != nullptr) assume(pool().implies(alone_, pool().eq(world_.part(part).now, world_.part(part).before)));
  }
  assume_private_unknown(parts);
  // If others act on some of its component they act on all of it; that there are more threads is not acting on it.
  const auto concerns = [&](const Formula& it) {
    return std::any_of(it.parts.begin(), it.parts.end(),
                       [&](int part) { return !is_hidden(world_.part(part).kind) && affected(part); });
  };
  for (std::size_t i = 0; i < relies_.size(); ++i) {
    const Rely& rely = specification().relies[i];
    if (!relies_[i] || rely.kind == Rely::Kind::kWritable || !concerns(*relies_[i])) continue;
    const bool assumed = i >= input_.closure.is_assumed.size() || input_.closure.is_assumed[i] ||
                         input_.defect == Defect::kEveryRelyAssumed;
    if (!assumed) continue;
    const formula::Substitution then = when_acted(*relies_[i], &Part::before);
    assume(pool().substitute(relies_[i]->facts, then));
    const bool guarded = rely.kind == Rely::Kind::kGuarded;
    assume(pool().substitute(relies_[i]->holds, then),
           premise(guarded ? Kind::kGuardedBy : Kind::kEnvAssumption, rely.claim));
  }
  for (std::size_t i = 0; i < invariants_.size(); ++i) {
    if (!invariants_[i]) continue;
    const bool is_rigid = is_about_rigid(*invariants_[i]);
    const std::set<int>& asks = invariants_[i]->existence;
    const bool has_news = is_rigid && std::any_of(asks.begin(), asks.end(), affected);
    if (!has_news && !concerns(*invariants_[i])) continue;
    assume(invariants_[i]->facts);
    assume(invariants_[i]->holds, premise(Kind::kInvariant, specification().invariants[i]->range));
  }
  catch_up(components, {parts.begin(), parts.end()});
}

// The values that it is about never change: it is known of everything that exists.
bool Simulator::is_about_rigid(const Formula& formula) const {
  return std::all_of(formula.parts.begin(), formula.parts.end(),
                     [&](int part) { return is_hidden(world_.part(part).kind); });
}

std::vector<Simulator::OfOthers> Simulator::true_of_others(const std::set<int>& components) {
  const auto concerns = [&](int part) { return components.contains(component(part)); };
  std::vector<OfOthers> out;
  for (int i = 0; i < std::ssize(world_.parts()); ++i) {
    if (concerns(i)) out.push_back({clauses_.guaranteed(i, tid_), i, -1});
  }
  for (std::size_t i = 0; i < relies_.size(); ++i) {
    if (!relies_[i] || specification().relies[i].kind == Rely::Kind::kWritable) continue;
    if (std::any_of(relies_[i]->parts.begin(), relies_[i]->parts.end(), concerns))
      out.push_back({relies_[i]->holds, -1, specification().relies[i].class_index});
  }
  return out;
}

void Simulator::assume_invariants() {
  if (!initialised_) return;
  for (std::size_t i = 0; i < invariants_.size(); ++i) {
    if (!invariants_[i]) continue;
    const bool is_of_all = is_about_rigid(*invariants_[i]) || input_.defect == Defect::kLateObjectsKnown;
    const formula::Substitution then = is_of_all ? formula::Substitution{} : when_acted(*invariants_[i], &Part::now);
    assume(pool().substitute(invariants_[i]->facts, then));
    assume(pool().substitute(invariants_[i]->holds, then),
           premise(Kind::kInvariant, specification().invariants[i]->range));
  }
}

// Which parts of the state the commands look at. That a reference exists is no news, whoever has it knew that before: so such
// a fact is no look at what exists, unless the reference is picked just now. Nor is whether there is another thread at all: if
// there is none now, there was nobody who could have started one.
std::set<int> Simulator::accessed(const Commands& commands) const {
  const auto picks = [&](formula::Sort sort) {
    return std::any_of(commands.begin(), commands.end(), [&](const Command& it) {
      return it.kind == Command::Kind::kHavoc && it.variable->sort == sort;
    });
  };
  const auto is_no_news = [&](Term it) {
    if (it->op != formula::Op::kLe || it->args[0]->has_bound) return false;
    const int part = world_.part_of(it->args[1]);
    if (part < 0 || !is_existence(world_.part(part).kind)) return false;
    return it == world_.exists(it->args[1], other_) || !picks(world_.part(part).of);
  };
  std::set<int> out;
  std::set<Term> seen;
  std::vector<Term> open;
  for (const Command& command : commands) {
    for (Term root : {command.variable, command.term}) {
      if (root != nullptr) open.push_back(root);
    }
  }
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (!seen.insert(top).second) continue;
    if (const int part = world_.part_of(top); part >= 0 && world_.part(part).changes) out.insert(part);
    open.insert(open.end(), top->args.begin(), is_no_news(top) ? top->args.end() - 1 : top->args.end());
  }
  return out;
}

// That something new is made commutes with what others do, unless a clause is about it.
std::set<int> Simulator::accessed(const Effect& effect) const {
  Commands commands;
  for (std::size_t i = 0; i < effect.commands.size(); ++i) {
    if (i < effect.allocation.from || i >= effect.allocation.to) commands.push_back(effect.commands[i]);
  }
  std::set<int> out = accessed(commands);
  const auto mentioned = [&](int part) {
    const auto mentions_it = [&](const std::optional<Formula>& it) { return it && it->parts.contains(part); };
    return std::any_of(invariants_.begin(), invariants_.end(), mentions_it) ||
           std::any_of(relies_other_.begin(), relies_other_.end(), mentions_it) ||
           std::any_of(guarantees_.begin(), guarantees_.end(), [&](const auto& it) { return mentions_it(it.second); });
  };
  if (effect.allocation.to > effect.allocation.from) {
    for (const int part : effect.writes) {
      if (mentioned(part)) out.insert(part);
    }
  }
  return out;
}

// ------------------------------------------------------------------------------------------------------------- the step

std::set<int> Simulator::parts_of_every_step(int module) const {
  std::set<int> out;
  for (std::size_t i = 0; i < relies_other_.size(); ++i) {
    const bool reflexive = i >= input_.closure.is_reflexive.size() || input_.closure.is_reflexive[i];
    if (!reflexive && relies_other_[i]) out.insert(relies_other_[i]->parts.begin(), relies_other_[i]->parts.end());
  }
  for (const auto& [clause, formula] : guarantees_) {
    if (clause->module == module && formula) out.insert(formula->parts.begin(), formula->parts.end());
  }
  return out;
}

// What others act on before a step, besides what the operation itself looks at.
void Simulator::add_parts_of_step(int module, const std::set<int>& writes, std::set<int>& parts) {
  parts.merge(parts_of_every_step(module));
  if (moves_positions(writes) || (machine() != nullptr && !parts.empty())) parts.merge(position_parts());
}

void Simulator::begin_step(bool looks) {
  for (const Part& part : world_.parts()) {
    if (part.changes) assign(part.before, part.now);
  }
  if (machine() != nullptr && looks) assume_nodes();
}

void Simulator::end_step(const std::set<int>& writes, int module, base::SourceRange at, const Activation* activation,
                         const spec::Specification* known) {
  check_step(writes, module, at, activation, known);
  enter_started(started_, activation);
  started_.clear();
  move_positions(writes, at, activation);
  written_.clear();
}

// A clause about all objects has no values of its own: those of what the step wrote.
void Simulator::show_written(const Formula& claim, std::vector<Obligation::Shown>& shown) const {
  if (claim.holds->op != formula::Op::kForall) return;
  for (const auto& [index, object] : written_) {
    const Part& part = world_.part(index);
    if (part.kind != Part::Kind::kField || !claim.parts.contains(index)) continue;
    const std::string name = part.name.substr(part.name.find('.') + 1);
    shown.push_back({name, pool().select(part.before, object), true});
    shown.push_back({name, pool().select(part.now, object), false});
  }
}

// A started thread enters its procedure in the state after the whole step.
void Simulator::enter_started(const std::vector<Started>& started, const Activation* activation) {
  if (input_.defect == Defect::kEntryRequiresUnchecked) return;
  Effect effect;
  for (const Started& it : started) {
    const Procedure& entered = procedure(it.procedure);
    for (const ExprPtr& expr : entered.contract.requires_) {
      Scene where;
      where.tid = it.thread;
      where.locals = &it.arguments;
      try {
        Encoder encoder(world_, where);
        const Term holds = encoder.clause(*expr);
        add_assert(effect, pool().implies(pool().and_(it.happened, encoder.all_facts()), holds), Kind::kPrecondition,
                   expr->range, it.at, "`" + entered.name + "` may be entered while its precondition does not hold",
                   activation);
      } catch (const Unsupported& why) { out_.lost.push_back({{Kind::kPrecondition, expr->range}, why}); }
    }
  }
  for (const Command& command : effect.commands) emit(command);
}

void Simulator::check_step(const std::set<int>& writes, int module, base::SourceRange at, const Activation* activation,
                           const spec::Specification* known) {
  if (!initialised_) return;
  if (machine() != nullptr) return;  // that is looked at where the abstract threads run together
  const auto touches = [&](const Formula& it) {
    return std::any_of(it.parts.begin(), it.parts.end(), [&](int part) {
      const bool is_making = world_.part(part).kind == Part::Kind::kMade;
      return writes.contains(part) && !(is_making && input_.defect == Defect::kMakingUnchecked);
    });
  };
  const auto check = [&](const Formula& it, Term when, Kind kind, base::SourceRange claim, const std::string& message) {
    Obligation made;
    made.claims = {{kind, claim}};
    made.at = at;
    made.message = message;
    made.shown = shown_for(it.holds, activation);
    show_written(it, made.shown);
    assert_(pool().implies(pool().and_(when, it.facts), it.holds), obligation(std::move(made)));
  };
  for (std::size_t i = 0; i < invariants_.size(); ++i) {
    const Clause* clause = specification().invariants[i];
    if (!invariants_[i] || !touches(*invariants_[i]) || input_.defect == Defect::kInvariantUnchecked) continue;
    if (known != nullptr &&
        std::find(known->invariants.begin(), known->invariants.end(), clause) != known->invariants.end())
      continue;
    check(*invariants_[i], pool().truth(true), Kind::kInvariant, clause->range,
          "the invariant may not hold after this step");
  }
  const Part& alive = world_.part(world_.alive());
  const Term other_exists =
      pool().and_({pool().ne(other_, world_.none()), pool().ne(other_, tid_), world_.exists(alive.before, other_)});
  for (std::size_t i = 0; i < relies_.size(); ++i) {
    const Rely& rely = specification().relies[i];
    const bool guarded = rely.kind == Rely::Kind::kGuarded;
    const bool own = rely.kind == Rely::Kind::kWritable;
    const std::optional<Formula>& formula = own ? relies_[i] : relies_other_[i];
    if (!formula || input_.defect == Defect::kRelyOfOthersUnchecked) continue;
    const bool reflexive = i >= input_.closure.is_reflexive.size() || input_.closure.is_reflexive[i];
    if (reflexive && !touches(*formula)) continue;
    const auto same = [&](const Rely& it) { return it.claim == rely.claim; };
    if (known != nullptr && std::any_of(known->relies.begin(), known->relies.end(), same)) continue;
    std::string message = "this step may break what another thread assumes of the others";
    if (rely.variable != nullptr) {
      message = "`" + rely.variable->name + "` may be written when not allowed" +
                (own ? "" : ": another thread relies on it");
    }
    check(*formula, own ? pool().truth(true) : other_exists, guarded ? Kind::kGuardedBy : Kind::kEnvAssumption,
          rely.claim, message);
  }
  for (const auto& [clause, formula] : guarantees_) {
    if (clause->module != module || !formula) continue;
    check(*formula, pool().truth(true), Kind::kGuarantee, clause->range, "this step may break the guarantee");
  }
}

// Of what others did not act on, nothing new is known.
void Simulator::assume_step_of(const spec::Specification& callee, const std::set<int>& components) {
  const auto is_current = [&](const Formula& it) {
    return !is_about_rigid(it) && components.contains(component(*it.parts.begin()));
  };
  for (std::size_t i = 0; i < invariants_.size(); ++i) {
    const Clause* clause = specification().invariants[i];
    const bool known = std::find(callee.invariants.begin(), callee.invariants.end(), clause) != callee.invariants.end();
    if (!known || !invariants_[i]) continue;
    if (!is_about_rigid(*invariants_[i]) && !is_current(*invariants_[i])) continue;
    assume(invariants_[i]->facts);
    assume(invariants_[i]->holds, premise(Kind::kInvariant, clause->range));
  }
  const Part& alive = world_.part(world_.alive());
  const Term other_exists =
      pool().and_({pool().ne(other_, world_.none()), pool().ne(other_, tid_), world_.exists(alive.before, other_)});
  for (std::size_t i = 0; i < relies_.size(); ++i) {
    const Rely& rely = specification().relies[i];
    const auto same = [&](const Rely& it) { return it.claim == rely.claim; };
    const bool own = rely.kind == Rely::Kind::kWritable;
    const std::optional<Formula>& formula = own ? relies_[i] : relies_other_[i];
    if (!formula || std::none_of(callee.relies.begin(), callee.relies.end(), same) || !is_current(*formula)) continue;
    assume(formula->facts);
    assume(own ? formula->holds : pool().implies(other_exists, formula->holds),
           premise(rely.kind == Rely::Kind::kGuarded ? Kind::kGuardedBy : Kind::kEnvAssumption, rely.claim));
  }
}

// ------------------------------------------------------------------------------------------------------------ F moves on

// F starts as {1}. If actions mention \result, F is kept for the value `result_` that the procedure will return, and is
// looked at only when it does. That each step is matched for some value is shown separately: `unbound_` are the positions
// that hold for every value so far, `bound_` those for the value `witness_`, chosen at the step that needs one.
void Simulator::init_positions() {
  if (machine() != nullptr) return init_nodes();
  const Procedure& it = procedure(input_.procedure);
  if (!it.contract.has_abstraction()) return;
  const std::size_t count = it.contract.actions.size() + 1;
  const bool looks_ahead = std::any_of(it.contract.actions.begin(), it.contract.actions.end(),
                                       [](const Action& action) { return mentions_result(*action.ensures); });
  for (std::size_t i = 0; i < count; ++i) {
    positions_.push_back(variable("position " + std::to_string(i + 1), pool().boolean()));
    assign(positions_.back(), pool().truth(i == 0));
    if (!looks_ahead) continue;
    unbound_.push_back(variable("unbound " + std::to_string(i + 1), pool().boolean()));
    assign(unbound_.back(), pool().truth(i == 0));
    bound_.push_back(variable("bound " + std::to_string(i + 1), pool().boolean()));
    assign(bound_.back(), pool().truth(false));
  }
  if (looks_ahead) witness_ = variable("witness", world_.sort(it.result));
}

std::vector<FrameItem> Simulator::modifies_frame(const Procedure& it, const std::vector<Term>& locals) {
  if (!it.contract.modifies) return {};
  Scene where;
  where.tid = tid_;
  where.locals = &locals;
  return clauses_.frame(*it.contract.modifies, where);
}

std::vector<FrameItem> Simulator::action_frame(const Procedure& it, std::size_t action,
                                               const std::vector<Term>& locals) {
  Scene where;
  where.tid = tid_;
  where.locals = &locals;
  std::vector<FrameItem> out = modifies_frame(it, locals);
  for (const FrameItem& item : clauses_.frame(it.contract.actions[action].also_modifies, where)) out.push_back(item);
  return out;
}

Term Simulator::action_formula(const Procedure& it, std::size_t action, const std::vector<Term>& locals, Term result) {
  Scene where;
  where.two_state = true;
  where.uses_old = it.contract.actions[action].uses_old;
  where.tid = tid_;
  where.locals = &locals;
  where.result = result;
  Encoder encoder(world_, where);
  const Term holds = encoder.clause(*it.contract.actions[action].ensures);
  assume(encoder.all_facts());
  return holds;
}

// The value that an action says will be returned: `\result == e`; for a Boolean result, true where that is allowed.
std::optional<Term> Simulator::result_equation(const Procedure& it, std::size_t action) {
  std::vector<const Expr*> conjuncts;
  collect_conjuncts(*it.contract.actions[action].ensures, conjuncts);
  for (const Expr* conjunct : conjuncts) {
    const auto* equation = std::get_if<BinaryExpr>(&conjunct->node);
    const bool equates = equation != nullptr && (equation->op == BinaryOp::kEq || equation->op == BinaryOp::kIff);
    if (!equates) continue;
    const bool left = std::holds_alternative<ResultExpr>(equation->left->node);
    const Expr& other = left ? *equation->right : *equation->left;
    if ((!left && !std::holds_alternative<ResultExpr>(equation->right->node)) || mentions_result(other)) continue;
    Scene where;
    where.two_state = true;
    where.uses_old = it.contract.actions[action].uses_old;
    where.tid = tid_;
    where.locals = &locals_;
    Encoder encoder(world_, where);
    return encoder.value_as(other, it.result);
  }
  if (it.result.kind == Type::Kind::kBool) return action_formula(it, action, locals_, pool().truth(true));
  return {};
}

// The parts that a formula, or where a frame lies, mentions.
void Simulator::add_parts(Term term, std::set<int>& out) const {
  for (Term constant : formula::constants_of(term)) {
    if (const int part = world_.part_of(constant); part >= 0 && world_.part(part).changes) out.insert(part);
  }
}

void Simulator::add_parts(const std::vector<FrameItem>& frame, std::set<int>& out) const {
  for (const FrameItem& item : frame) {
    for (Term key : item.keys) add_parts(key, out);
    add_parts(item.defined, out);
  }
}

// What the positions depend on: others may act on that before every step that moves them.
std::set<int> Simulator::position_parts() {
  if (machine() != nullptr) return node_parts();
  const Procedure& it = procedure(input_.procedure);
  std::set<int> out;
  add_parts(modifies_frame(it, locals_), out);
  for (std::size_t i = 0; i < it.contract.actions.size(); ++i) {
    add_parts(action_formula(it, i, locals_, result_), out);
    add_parts(action_frame(it, i, locals_), out);
  }
  return out;
}

// What the contract of a procedure speaks of, and may change.
std::set<int> Simulator::parts_of_contract(int index, const std::vector<Term>& locals) {
  const Procedure& it = procedure(index);
  std::set<int> out;
  const auto add_frame = [&](const std::vector<FrameItem>& frame) {
    for (const FrameItem& item : frame) out.insert(item.part);
    add_parts(frame, out);
  };
  const auto add_clauses = [&](const std::vector<ExprPtr>& clauses, const Type& result) {
    Scene where;
    where.two_state = true;
    where.uses_old = true;
    where.tid = tid_;
    where.locals = where.locals_before = &locals;
    if (result.kind != Type::Kind::kNone) where.result = pool().fresh("what comes back", world_.sort(result));
    for (const ExprPtr& expr : clauses) {
      Encoder encoder(world_, where);
      add_parts(encoder.clause(*expr), out);
      add_parts(encoder.all_facts(), out);
    }
  };
  try {
    add_clauses(it.contract.requires_, it.result);
    add_clauses(it.contract.ensures, it.result);
    add_clauses(it.contract.signals, it.throws);
    add_frame(modifies_frame(it, locals));
    const Term result =
        it.result.kind == Type::Kind::kNone ? nullptr : pool().fresh("what comes back", world_.sort(it.result));
    for (std::size_t i = 0; i < it.contract.actions.size(); ++i) {
      add_parts(action_formula(it, i, locals, result), out);
      add_frame(action_frame(it, i, locals));
    }
  } catch (const Unsupported&) { out.insert(Learned::kEverything); }
  return out;
}

bool Simulator::moves_positions(const std::set<int>& writes) const {
  if (machine() != nullptr) return moves_nodes(writes);
  if (positions_.empty()) return false;
  const auto& stutters = input_.action_may_stutter;
  return !writes.empty() || std::any_of(stutters.begin(), stutters.end(), [](bool it) { return it; });
}

void Simulator::move_positions(const std::set<int>& writes, base::SourceRange at, const Activation* activation) {
  if (machine() != nullptr) return move_nodes(writes, at, activation);
  if (!moves_positions(writes)) return;
  const Procedure& it = procedure(input_.procedure);
  const std::size_t count = it.contract.actions.size();
  const bool fresh = std::any_of(writes.begin(), writes.end(),
                                 [&](int part) { return world_.part(part).kind == Part::Kind::kAllocated; });
  // What the procedure makes is nothing to its caller as long as nobody else can reach it, and no action spoke of it.
  const auto changes_only = [&](const std::vector<FrameItem>& frame, bool is_before_actions) {
    const auto is_own = [&](Term object) {
      const Term is_new = fresh ? clauses_.is_made(object) : pool().truth(false);
      return is_before_actions ? pool().or_(is_new, is_private(object)) : is_new;
    };
    std::vector<Term> out;
    out.reserve(writes.size());
    for (const int part : writes) out.push_back(clauses_.changes_only(part, frame, is_own));
    return pool().and_(out);
  };
  const auto stutters = [&](bool is_before_actions) {
    if (input_.defect == Defect::kStutterChangesAnything) return pool().truth(true);
    return changes_only(modifies_frame(it, locals_), is_before_actions);
  };
  std::vector<Term> allowed;  // the frame of each action
  std::vector<Term> acts;     // and its predicate, for the value that will be returned
  for (std::size_t i = 0; i < count; ++i) {
    allowed.push_back(changes_only(action_frame(it, i, locals_), i == 0));
    acts.push_back(pool().and_(allowed[i], action_formula(it, i, locals_, result_)));
  }
  std::vector<Obligation::Shown> shown;
  for (Term position : positions_) {
    // Before the step: a copy, since F is about to move.
    const Term copy = variable("position before", pool().boolean());
    assign(copy, position);
    shown.push_back({"", copy, true});
  }
  std::vector<Term> matched;
  const auto step = [&](const std::vector<Term>& set, std::size_t i, const std::vector<Term>& by) {
    const Term stays = pool().and_(set[i], stutters(i == 0));
    return i == 0 ? stays : pool().or_(stays, pool().and_(set[i - 1], by[i - 1]));
  };
  if (!unbound_.empty()) {
    std::vector<Term> next_unbound(count + 1), next_bound(count + 1);
    std::vector<Term> for_all(count), for_witness(count);
    for (std::size_t i = 0; i < count; ++i) {
      const bool ahead = mentions_result(*it.contract.actions[i].ensures);
      for_all[i] = ahead ? pool().truth(false) : acts[i];
      for_witness[i] = ahead ? pool().and_(allowed[i], action_formula(it, i, locals_, witness_)) : acts[i];
    }
    for (std::size_t i = 0; i <= count; ++i) {
      next_unbound[i] = step(unbound_, i, for_all);
      next_bound[i] = step(bound_, i, for_witness);
      matched.push_back(next_unbound[i]);
      matched.push_back(next_bound[i]);
    }
    // No position is left without choosing a value: choose one, if the next action says which.
    Term must_choose = pool().not_(pool().or_(matched));
    Term next_witness = witness_;
    for (std::size_t i = 0; i < count; ++i) {
      const std::optional<Term> chosen = result_equation(it, i);
      if (!chosen) continue;
      const Term fits = pool().and_({must_choose, unbound_[i], allowed[i], action_formula(it, i, locals_, *chosen)});
      next_bound[i + 1] = pool().or_(next_bound[i + 1], fits);
      next_witness = pool().ite(fits, *chosen, next_witness);
      matched.push_back(fits);
      must_choose = pool().and_(must_choose, pool().not_(fits));
    }
    std::vector<std::pair<Term, Term>> moves;
    for (std::size_t i = 0; i <= count; ++i) {
      moves.emplace_back(unbound_[i], next_unbound[i]);
      moves.emplace_back(bound_[i], next_bound[i]);
    }
    moves.emplace_back(witness_, next_witness);
    const Term ok = variable("matched", pool().boolean());
    moves.emplace_back(ok, pool().or_(matched));
    std::vector<Term> copies;
    for (const auto& [target, value] : moves) {
      copies.push_back(variable("next", target->sort));
      assign(copies.back(), value);
    }
    for (std::size_t i = 0; i < moves.size(); ++i) assign(moves[i].first, copies[i]);
    matched = {ok};
  }
  for (std::size_t i = count + 1; i-- > 0;) assign(positions_[i], step(positions_, i, acts));
  if (unbound_.empty()) matched = positions_;
  Obligation made;
  for (const Action& action : it.contract.actions) made.claims.push_back({Kind::kAbstractionStep, action.range});
  if (made.claims.empty()) made.claims.push_back({Kind::kAbstractionStep, it.name_range});
  made.at = at;
  made.message = "this step may be allowed by no step of the abstraction of `" + it.name + "` from here";
  made.first_position = 0;
  made.shown = std::move(shown);
  for (Term claim : acts) {
    for (Obligation::Shown& value : shown_for(claim, nullptr)) made.shown.push_back(std::move(value));
  }
  for (const int part : writes) {
    const Part& changed = world_.part(part);
    for (Obligation::Shown& value : shown_for(pool().eq(changed.now, changed.before), nullptr)) {
      made.shown.push_back(std::move(value));
    }
  }
  assert_(pool().or_(matched), obligation(std::move(made)));
}

// ------------------------------------------------------------------------------------------------ values for the message

std::vector<Obligation::Shown> Simulator::shown_for(Term claim, const Activation* activation) const {
  std::vector<Obligation::Shown> out;
  std::set<Term> seen;
  const auto name_of = [&](Term term, bool& before, const auto& self) -> std::string {
    if (term->op == formula::Op::kNumber) return std::to_string(term->number);
    if (term->op == formula::Op::kConst) {
      if (term == tid_) return "tid";
      if (term == other_) return "other";
      const int part = world_.part_of(term);
      if (part >= 0 && is_hidden(world_.part(part).kind)) return "";
      if (part >= 0) {
        before = before || (world_.part(part).before == term && world_.part(part).changes);
        return world_.part(part).name;
      }
      for (const Activation* it = activation; it != nullptr; it = it->caller) {
        for (std::size_t i = 0; i < it->locals.size(); ++i) {
          if (it->locals[i] == term) return procedure(it->procedure).locals[i].name;
        }
      }
      for (std::size_t i = 0; i < locals_.size(); ++i) {
        if (locals_[i] == term) return procedure(input_.procedure).locals[i].name;
      }
      if (const auto found = parameters_.find(term); found != parameters_.end()) return found->second;
      if (term->name.starts_with("const ") || term->name.starts_with("thread ")) {
        return term->name.substr(term->name.find(' ') + 1);
      }
      return "";
    }
    if (World::is_length(term)) {
      const std::string array = self(term->args[0], before, self);
      return array.empty() ? "" : array + ".length";
    }
    if (term->op == formula::Op::kSelect) {
      const std::string map = self(term->args[0], before, self);
      const std::string key = self(term->args[1], before, self);
      if (map.empty() || key.empty()) return "";
      const int part = world_.part_of(term->args[0]);
      if (part >= 0 &&
          (world_.part(part).kind == Part::Kind::kField || world_.part(part).kind == Part::Kind::kObjectHolder ||
           world_.part(part).kind == Part::Kind::kObjectDepth)) {
        return key + map.substr(map.find('.'));
      }
      if (part >= 0 && world_.part(part).kind == Part::Kind::kElements) return key;
      return map + "[" + key + "]";
    }
    return "";
  };
  std::vector<Term> open{claim};
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (!seen.insert(top).second) continue;
    const bool scalar = top->sort->kind != formula::SortNode::Kind::kArray;
    const bool is_read = top->op == formula::Op::kConst || top->op == formula::Op::kSelect || World::is_length(top);
    if (scalar && !top->has_bound && is_read) {
      bool before = false;
      const std::string name = name_of(top, before, name_of);
      const bool is_local = top->op == formula::Op::kConst && world_.part_of(top) < 0;
      if (!name.empty() && name != "tid" && name != "other") out.push_back({name, top, before, false, is_local});
    }
    if (World::is_floating(top)) continue;  // bits say nothing to the user
    open.insert(open.end(), top->args.rbegin(), top->args.rend());
  }
  out.push_back({"this thread", tid_, false, true});
  out.push_back({"none", world_.none(), false, true});
  for (std::size_t i = 0; i < program().threads.size(); ++i) {
    const std::string& name = program().threads[i].name;
    if (!name.empty()) out.push_back({name, world_.thread(static_cast<int>(i)), false, true});
  }
  out.push_back({"the other thread", other_, false, true});
  for (std::size_t i = 0; i < program().classes.size(); ++i) {
    out.push_back({"null", world_.null(class_type(program(), static_cast<int>(i))), false, true});
  }
  // Not shown: integers that a search for a real run may try.
  for (const Activation* it = activation; it != nullptr; it = it->caller) {
    for (Term local : it->locals) {
      if (local->sort == pool().integer() && seen.insert(local).second) out.push_back({"", local, false});
    }
  }
  for (std::size_t i = 0; i < program().consts.size(); ++i) {
    const Const& it = program().consts[i];
    if (it.value || it.type.kind != Type::Kind::kInt) continue;
    if (const Term term = world_.constant(static_cast<int>(i)); seen.insert(term).second)
      out.push_back({"", term, false});
  }
  return out;
}

}  // namespace concord::simulation
