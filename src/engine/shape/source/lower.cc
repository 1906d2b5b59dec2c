#include "engine/shape/source/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <tuple>
#include <utility>

#include "base/check.h"
#include "base/overloaded.h"
#include "engine/shape/build.h"
#include "engine/shape/source/action_builder.h"
#include "engine/shape/source/terms.h"
#include "plato/classes.h"
#include "plato/synchronising.h"
#include "plato/walk.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

const shape::Variable kThread = "tr";
const shape::Variable kOther = "t2";  // another thread, for races

FormulaPtr maybe() { return constant(Kleene::kUnknown); }

class Lowering {
 public:
  explicit Lowering(const Task& task)
      : task_(task), program_(*task.program), synchronising_(synchronising_locations(program_)) {}

  Lowered run() {
    out_.code = make_code(program_);
    out_.refused = out_.code.refused;
    find_properties();
    if (out_.refused.empty()) out_.refused = refusal();
    if (!out_.refused.empty()) return std::move(out_);
    out_.vocabulary =
        std::make_unique<Vocabulary>(program_, out_.code, deadlock_ >= 0, task_.settings.ints == IntMode::kMath);
    find_clauses();
    quantifies_ = quantifies_over_objects() || vocabulary().has_hidden_references();
    out_.may_collect = !vocabulary().has_hidden_references() && !quantifies_ && out_.may_forget_threads;
    for (std::size_t d = 0; d < program_.threads.size(); ++d) {
      if (const int named = vocabulary().named_thread(static_cast<int>(d)); named >= 0)
        out_.named_threads.push_back(named);
    }
    find_accesses();
    for (std::size_t m = 0; m < out_.code.moves.size(); ++m) lower(static_cast<int>(m));
    find_stops();
    add_invariants();
    add_entries();
    add_deadlock();
    return std::move(out_);
  }

 private:
  Vocabulary& vocabulary() { return *out_.vocabulary; }
  System& system() { return vocabulary().system(); }

  // -------------------------------------------------------------------------------------------------------- properties

  // As in its id: the place where it begins.
  using Claimed = std::tuple<diag::Kind, std::uint32_t, std::uint32_t>;
  static Claimed claimed(diag::Kind kind, base::SourceRange at) { return {kind, at.file, at.begin}; }

  void find_properties() {
    out_.is_decided.assign(task_.properties.size(), false);
    for (std::size_t p = 0; p < task_.properties.size(); ++p) {
      const Property& it = task_.properties[p];
      by_claim_[claimed(it.kind, it.claim)] = static_cast<int>(p);
      out_.is_decided[p] = is_judged(it.kind);
      if (it.kind == diag::Kind::kDeadlock) deadlock_ = static_cast<int>(p);
    }
    const auto leave = [&](int property) {
      if (property >= 0) out_.is_decided[static_cast<std::size_t>(property)] = false;
    };
    for (const Clause& it : program_.clauses) {
      if (it.kind == Clause::Kind::kMonitorInvariant) leave(find(diag::Kind::kInvariant, it.range));
    }
    for (const AbstractThread& machine : program_.abstract_threads) {
      for (const AbstractThread::Node& node : machine.nodes) {
        if (node.assertion) leave(find(diag::Kind::kAssertion, node.assertion->range));
      }
    }
  }

  // Some of what others may rely on is looked at where it could be broken: at writes.
  void find_clauses() {
    const auto decide = [&](base::SourceRange claim) {
      if (const int property = find(diag::Kind::kEnvAssumption, claim); property >= 0)
        out_.is_decided[static_cast<std::size_t>(property)] = true;
    };
    for (const Numbers::Rising& it : vocabulary().numbers().rising) decide(it.clause->range);
    const auto look = [&](const plato::Variable& it) {
      const bool is_whole =
          it.type.kind != Type::Kind::kMap && it.type.kind != Type::Kind::kSet && it.type.kind != Type::Kind::kMonitor;
      for (const FieldClause& clause : it.clauses) {
        if (is_whole &&
            (clause.kind == FieldClause::Kind::kUnwritableByEnvIf || clause.kind == FieldClause::Kind::kWritableIf))
          decide(clause.range);
        out_.may_forget_threads = false;
      }
    };
    for (const plato::Variable& it : program_.variables) look(it);
    for (const Class& it : program_.classes) {
      for (const plato::Variable& field : it.fields) look(field);
    }
  }

  int find(diag::Kind kind, base::SourceRange at) const {
    const auto found = by_claim_.find(claimed(kind, at));
    return found == by_claim_.end() ? -1 : found->second;
  }

  // Several claims may stand at one place; then the finding is about the place.
  void say(ActionBuilder& builder, const FormulaPtr& broken, diag::Kind kind, base::SourceRange claim,
           base::SourceRange at) const {
    const int property = find(kind, claim);
    CONCORD_CHECK(property >= 0 || !task_.settings.only.empty(), "something may go wrong that no property is about");
    if (property >= 0) builder.say(broken, property, "", at);
  }

  std::string refusal() const {
    for (const Clause& it : program_.clauses) {
      if (it.kind == Clause::Kind::kInitially) return "`initially` is not known to the shape engine";
    }
    for (const plato::Variable& it : program_.variables) {
      const bool refers = refers_to_objects(it.type) || it.type.kind == Type::Kind::kTid;
      const bool is_plain =
          !it.init || std::holds_alternative<NullLit>(it.init->node) || std::holds_alternative<NoneLit>(it.init->node);
      if (refers && !is_plain)
        return fmt::format("the initial value of `{}` is not known to the shape engine", it.name);
    }
    for (const Thread& it : program_.threads) {
      for (const ExprPtr& argument : it.target.arguments) {
        const bool refers = refers_to_objects(argument->type) || argument->type.kind == Type::Kind::kTid;
        const bool is_plain =
            std::holds_alternative<NullLit>(argument->node) || std::holds_alternative<NoneLit>(argument->node);
        if (refers && !is_plain) return "a thread that begins with an object is not known to the shape engine";
      }
    }
    return "";
  }

  // Something speaks of all objects or threads: then it matters which there are, and what the fields of each are.
  bool quantifies_over_objects() const {
    bool out = std::any_of(program_.clauses.begin(), program_.clauses.end(), [](const Clause& it) {
      return it.class_index >= 0 && it.kind == Clause::Kind::kGlobalInvariant;
    });
    for_each_whole_expr(program_, [&](const Expr& whole, int) {
      for_each_expr(whole, [&](const Expr& part) { out = out || std::holds_alternative<QuantifierExpr>(part.node); });
    });
    return out;
  }

  // ------------------------------------------------------------------------------------------------------------- races

  // What a thread that stands at a label is about to access.
  struct Standing {
    int label = -1;
    int move = -1;
    Terms::Access access;
  };

  bool may_race(const Terms::Access& access) const {
    if (access.is_element) return true;
    return access.variable != nullptr && engine::may_race(*access.variable) && !access.variable->is_volatile &&
           !synchronising_.variables.contains(access.variable);
  }

  void find_accesses() {
    for (std::size_t m = 0; m < out_.code.moves.size(); ++m) {
      const Move& move = out_.code.moves[m];
      const Label& label = out_.code.labels[static_cast<std::size_t>(move.from)];
      if (label.is_alone) continue;
      Terms terms(vocabulary(), kOther, move.procedure, move.from);
      collect(terms, move);
      for (const Terms::Access& it : terms.accesses) {
        if (!may_race(it)) continue;
        if (!label.is_inside) {
          standing_.push_back({move.from, static_cast<int>(m), it});
          continue;
        }
        // In the middle of a step: whoever stands at its beginning may be about to do it, to any object.
        Terms::Access any = it;
        any.has_object = false;
        for (const int begin : beginnings(move.from)) standing_.push_back({begin, -1, any});
      }
    }
    if (std::any_of(standing_.begin(), standing_.end(), [](const Standing& it) { return it.access.is_element; })) {
      // Which variable a race of elements belongs to is not looked at.
      for (std::size_t p = 0; p < task_.properties.size(); ++p) {
        if (task_.properties[p].kind == diag::Kind::kRace && is_about_elements(task_.properties[p]))
          out_.is_decided[p] = false;
      }
    }
  }

  bool is_about_elements(const Property& property) const {
    bool is_other = false;  // of a variable that is no array
    const auto look = [&](const plato::Variable& it) {
      const bool is_it = it.name_range.file == property.claim.file && it.name_range.begin == property.claim.begin;
      is_other = is_other || (is_it && it.type.kind != Type::Kind::kArray);
    };
    for (const plato::Variable& it : program_.variables) look(it);
    for (const Class& it : program_.classes) {
      for (const plato::Variable& field : it.fields) look(field);
    }
    return !is_other;
  }

  // The labels from which a step comes to this one, in its middle.
  std::set<int> beginnings(int inside) const {
    std::set<int> seen{inside};
    std::set<int> out;
    std::vector<int> todo{inside};
    while (!todo.empty()) {
      const int at = todo.back();
      todo.pop_back();
      for (const Move& it : out_.code.moves) {
        if (it.to != at || !seen.insert(it.from).second) continue;
        out_.code.labels[static_cast<std::size_t>(it.from)].is_inside ? todo.push_back(it.from)
                                                                      : static_cast<void>(out.insert(it.from));
      }
    }
    return out;
  }

  // What others may be about to do to what this thread accesses now.
  void say_races(ActionBuilder& builder, const Terms& terms, const Move& move, base::SourceRange at) {
    if (out_.code.labels[static_cast<std::size_t>(move.from)].is_alone) return;
    // The other thread accesses what its way leads to after this step.
    const bool changes_ways = out_.code.labels[static_cast<std::size_t>(move.from)].is_inside ||
                              std::any_of(terms.accesses.begin(), terms.accesses.end(), [](const Terms::Access& it) {
                                return it.is_write && (it.variable == nullptr || refers_to_objects(it.variable->type) ||
                                                       it.variable->type.kind == Type::Kind::kTid);
                              });
    const auto theirs = [](const Terms::Access& access, bool is_unsure) -> FormulaPtr {
      if (!access.has_object) return maybe();
      return is_unsure && !access.is_local ? disjunction({access.object.is("o"), maybe()}) : access.object.is("o");
    };
    std::map<int, std::vector<FormulaPtr>> by_property;
    for (const Terms::Access& mine : terms.accesses) {
      if (!may_race(mine) || mine.is_element) continue;
      const int property = find(diag::Kind::kRace, mine.variable->name_range);
      if (property < 0) continue;
      for (const Standing& it : standing_) {
        if (it.access.variable != mine.variable || (!it.access.is_write && !mine.is_write)) continue;
        std::vector<FormulaPtr> all{negation(equal(kOther, kThread)),
                                    atom(system().at[static_cast<std::size_t>(it.label)], {kOther})};
        if (mine.has_object)
          all.push_back(exists({"o"}, conjunction({mine.object.is("o"), theirs(it.access, changes_ways)})));
        by_property[property].push_back(exists({kOther}, conjunction(all)));
      }
    }
    for (auto& [property, any] : by_property) builder.say(disjunction(any), property, "", at);
  }

  // ----------------------------------------------------------------------------------------------------------- actions

  // What the move evaluates, for whoever is the thread of the terms.
  void collect(Terms& terms, const Move& move) {
    ActionBuilder unused(vocabulary(), "", {});
    std::vector<ActionBuilder> more;
    perform(terms, move, unused, more);
  }

  void lower(int number) {
    const Move& move = out_.code.moves[static_cast<std::size_t>(number)];
    const Procedure& procedure = program_.procedures[static_cast<std::size_t>(move.procedure)];
    base::SourceRange at = range_of(move.operation, procedure);
    Terms terms(vocabulary(), kThread, move.procedure, move.from);
    ActionBuilder first(vocabulary(), text_of(move.operation), at);
    std::vector<ActionBuilder> more;  // other ways in which the operation may go
    perform(terms, move, first, more);
    more.push_back(std::move(first));
    const LocalUse use = local_use(program_, move);
    const bool is_waived = move.operation.statement != nullptr && move.operation.statement->is_assertion_waived;
    for (ActionBuilder& it : more) {
      for (const FormulaPtr& formula : terms.focus) it.focus(formula);
      clear_dead(it, move, use);
      for (const Terms::Need& need : terms.needs) {
        say(it, negation(need.holds), need.kind, need.at, at);
        const bool is_assertion = move.operation.statement != nullptr &&
                                  std::holds_alternative<Assert>(move.operation.statement->node) &&
                                  claimed(need.kind, need.at) == claimed(need.kind, move.operation.statement->range);
        if (!is_waived || !is_assertion) it.require(need.holds);
      }
      say_races(it, terms, move, at);
      Edge edge;
      edge.from = move.from;
      edge.to = move.to;
      edge.action = static_cast<int>(system().actions.size());
      edge.goes_on = true;
      edge.range = at;
      system().actions.push_back(it.finish());
      system().edges.push_back(edge);
      out_.moves.push_back(number);
    }
    out_.concerns.push_back(concern(terms, move));
  }

  Concern concern(const Terms& terms, const Move& move) const {
    Concern out;
    for (const Term& it : terms.touched) out.touched.push_back(it.is("o"));
    for (const Terms::Access& it : terms.accesses) {
      if (it.is_write && it.has_object && !it.is_element) out.touched.push_back(it.object.is("o"));
      out.is_shared = out.is_shared || it.is_element || (it.is_write && !it.has_object);
    }
    out.is_shared = out.is_shared || terms.looks_at_shared;
    // Where something speaks of all objects, what is done to one that nobody knows matters too.
    out.is_shared = out.is_shared || (quantifies_ && (!out.touched.empty() || terms.creates));
    const Stmt* statement = move.operation.statement;
    const bool is_statement = move.operation.kind == Operation::Kind::kStatement && move.set == nullptr;
    const auto* havoc = is_statement ? std::get_if<Havoc>(&statement->node) : nullptr;
    out.is_shared = out.is_shared || move.operation.kind == Operation::Kind::kWaitRelease ||
                    move.operation.kind == Operation::Kind::kWaitAcquire || (havoc != nullptr && havoc->low);
    out.may_block = (is_statement && std::holds_alternative<Assume>(statement->node)) ||
                    (move.operation.kind == Operation::Kind::kCall && called(*statement)->is_within_requires);
    return out;
  }

  // The local variables that nobody looks at any more have no values.
  void clear_dead(ActionBuilder& builder, const Move& move, const LocalUse& use) {
    const std::set<LocalName>& after = out_.code.labels[static_cast<std::size_t>(move.to)].live;
    for (const LocalName& it : out_.code.labels[static_cast<std::size_t>(move.from)].live) {
      if (after.contains(it) || use.set.contains(it)) continue;
      const Place& place = vocabulary().local(it);
      builder.clear(place, of_thread());
      focus_local(builder, place);
    }
  }

  static ActionBuilder::First of_thread() {
    return [](const shape::Variable& it) { return equal(it, kThread); };
  }

  void focus_local(ActionBuilder& builder, const Place& place) {
    if (place.kind != Place::Kind::kRelation && place.kind != Place::Kind::kNumber) return;
    builder.focus(conjunction({atom(system().runnable, {kThread}), atom(place.predicate, {kThread, "old"})}));
  }

  // A local variable of that procedure gets a value; if nobody will look at it, none.
  void set_local(ActionBuilder& builder, const Move& move, const LocalName& name, const Term& value) {
    const Place& place = vocabulary().local(name);
    const Label& before = out_.code.labels[static_cast<std::size_t>(move.from)];
    const Label& after = out_.code.labels[static_cast<std::size_t>(move.to)];
    if (before.live.contains(name)) focus_local(builder, place);
    if (after.live.contains(name)) {
      builder.assign(place, of_thread(), value);
    } else if (before.live.contains(name)) {
      builder.clear(place, of_thread());
    }
  }

  Term fitting(const Terms& terms, Term value, const Type& type) const {
    const Term any = terms.unknown(type);
    const bool is_number = value.kind == Term::Kind::kNumber && type.kind == Type::Kind::kInt;
    return value.kind == any.kind || is_number ? std::move(value) : any;
  }

  // What others rely on when this is written; `object`: whose field it is.
  void say_written(ActionBuilder& builder, const Move& move, const plato::Variable& variable, const Term* object,
                   int class_index) {
    if (out_.code.labels[static_cast<std::size_t>(move.from)].is_alone) return;
    const base::SourceRange at =
        range_of(move.operation, program_.procedures[static_cast<std::size_t>(move.procedure)]);
    for (const FieldClause& clause : variable.clauses) {
      const int property = find(diag::Kind::kEnvAssumption, clause.range);
      if (property < 0 || !out_.is_decided[static_cast<std::size_t>(property)]) continue;
      const bool is_own = clause.kind == FieldClause::Kind::kWritableIf;
      Terms terms(vocabulary(), is_own ? kThread : kOther, -1);
      if (object != nullptr) terms.give_this(*object, class_index);
      const FormulaPtr fails = broken(terms, *clause.expr);
      if (is_own) {
        builder.say(fails, property, "", at);
        continue;
      }
      const FormulaPtr meaningless = broken_meaning(object, class_index, *clause.expr);
      builder.say(exists({kOther}, conjunction({negation(equal(kOther, kThread)), atom(system().is_thread, {kOther}),
                                                disjunction({negation(fails), meaningless})})),
                  property, "", at);
    }
  }

  // For the other thread the clause has no meaning: then it counts as relied on.
  FormulaPtr broken_meaning(const Term* object, int class_index, const Expr& clause) {
    Terms terms(vocabulary(), kOther, -1);
    if (object != nullptr) terms.give_this(*object, class_index);
    terms.truth(clause);
    std::vector<FormulaPtr> any;
    for (const Terms::Need& it : terms.needs) any.push_back(negation(it.holds));
    return disjunction(any);
  }

  // The old value must not be larger than the new one.
  void say_rising(ActionBuilder& builder, Terms& terms, const Move& move, const Numbers::Rising& rising,
                  const Term& old, const Term& value) {
    const int property = find(diag::Kind::kEnvAssumption, rising.clause->range);
    if (property < 0 || out_.code.labels[static_cast<std::size_t>(move.from)].is_alone) return;
    builder.say(negation(terms.not_larger(old, value, 0)), property, "",
                range_of(move.operation, program_.procedures[static_cast<std::size_t>(move.procedure)]));
  }

  // The target of an assignment as it is found; then the assignment.
  using Target = std::function<void(ActionBuilder&, const Term&)>;
  Target target(Terms& terms, const Move& move, const Expr& expr) {
    if (const int slot = local_slot(expr); slot >= 0) {
      return [this, &terms, &move, &expr, slot](ActionBuilder& builder, const Term& value) {
        set_local(builder, move, {move.procedure, slot}, fitting(terms, value, expr.type));
      };
    }
    if (const auto* it = std::get_if<NameExpr>(&expr.node); it != nullptr && it->ref.kind == Ref::Kind::kShared) {
      terms.accesses.push_back({&program_.variables[static_cast<std::size_t>(it->ref.index)], false, {}, false, true});
      const Place& place = vocabulary().shared(it->ref.index);
      if (place.kind == Place::Kind::kRelation || place.kind == Place::Kind::kNumber)
        terms.focus.push_back(atom(place.predicate, {"old"}));
      const int variable = it->ref.index;
      return [this, &terms, &move, &expr, &place, variable](ActionBuilder& builder, const Term& value) {
        say_written(builder, move, program_.variables[static_cast<std::size_t>(variable)], nullptr, -1);
        for (const Numbers::Rising& rising : vocabulary().numbers().rising) {
          if (rising.shared == variable)
            say_rising(builder, terms, move, rising, terms.of_place(place, expr.type, nullptr), value);
        }
        builder.assign(place, nullptr, fitting(terms, value, expr.type));
      };
    }
    if (const auto* it = std::get_if<FieldExpr>(&expr.node); it != nullptr && it->kind == FieldExpr::Kind::kField) {
      const Term object = terms.term(*it->object);
      terms.focus_on(object);
      terms.need_object(object, expr.range);
      const plato::Variable& field = plato::field_of(program_, it->object->type.decl, it->index);
      terms.accesses.push_back({&field, true, object, false, true, object.way.size() == 1 && !object.is_shared});
      const Place& place = vocabulary().field(it->object->type.decl, it->index);
      const bool is_kept = place.kind == Place::Kind::kRelation || place.kind == Place::Kind::kNumber;
      if (is_kept && !object.way.empty()) {
        Term old = object;
        old.way.push_back(atom(place.predicate, {object.end, "old"}));
        terms.focus_on(old);
      }
      const int class_index = it->object->type.decl;
      const FieldHome home = field_home(program_, class_index, it->index);
      return [this, &terms, &move, &expr, &place, &field, object, class_index, home](ActionBuilder& builder,
                                                                                     const Term& value) {
        say_written(builder, move, field, &object, class_index);
        for (const Numbers::Rising& rising : vocabulary().numbers().rising) {
          if (rising.field == std::pair(home.class_index, home.place))
            say_rising(builder, terms, move, rising, terms.of_place(place, expr.type, &object), value);
        }
        builder.assign(place, object.is, fitting(terms, value, expr.type));
      };
    }
    // An element or an entry: what is there is not kept.
    terms.term(expr);
    terms.looks_at_shared = true;
    if (const auto* it = std::get_if<IndexExpr>(&expr.node)) {
      for (Terms::Access& access : terms.accesses) access.is_write = access.is_write || access.is_element;
      const Expr* base = it->base.get();
      while (const auto* inner = std::get_if<IndexExpr>(&base->node)) base = inner->base.get();
      if (const auto* name = std::get_if<NameExpr>(&base->node);
          name != nullptr && name->ref.kind == Ref::Kind::kShared)
        terms.accesses.push_back(
            {&program_.variables[static_cast<std::size_t>(name->ref.index)], false, {}, false, true});
      if (const auto* field = std::get_if<FieldExpr>(&base->node);
          field != nullptr && field->kind == FieldExpr::Kind::kField && base->type.kind == Type::Kind::kMap) {
        const plato::Variable& variable = plato::field_of(program_, field->object->type.decl, field->index);
        terms.accesses.push_back({&variable, false, {}, false, true});
      }
    }
    return [](ActionBuilder&, const Term&) {};
  }

  void perform(Terms& terms, const Move& move, ActionBuilder& builder, std::vector<ActionBuilder>& more) {
    if (move.set != nullptr) {
      const Target to = target(terms, move, *move.set->target);
      return to(builder, terms.term(*move.set->value));
    }
    const Operation& operation = move.operation;
    switch (operation.kind) {
      case Operation::Kind::kSilent:
      case Operation::Kind::kAtomicBegin:
      case Operation::Kind::kAtomicEnd: return;
      case Operation::Kind::kCondition: {
        const FormulaPtr truth = terms.truth(*operation.condition);
        return builder.require(operation.wanted ? truth : negation(truth));
      }
      case Operation::Kind::kCall: return perform_call(terms, move, builder);
      case Operation::Kind::kReturn: return perform_return(terms, move, builder);
      case Operation::Kind::kThrow: return perform_throw(terms, move, builder);
      case Operation::Kind::kAssignResult: {
        const int callee = called(*operation.statement)->index;
        const auto& assign = std::get<Assign>(operation.statement->node);
        const Target to = target(terms, move, *assign.target);
        const Type& type = program_.procedures[static_cast<std::size_t>(callee)].result;
        return to(builder, of_local(terms, {callee, kResultSlot}, type));
      }
      case Operation::Kind::kWaitRelease: return perform_wait(terms, move, builder);
      case Operation::Kind::kWaitAcquire: return perform_wake_up(move, builder);
      case Operation::Kind::kStatement: return perform_statement(terms, move, builder, more);
    }
  }

  Term of_local(const Terms& terms, const LocalName& name, const Type& type) {
    const Place& place = vocabulary().local(name);
    Term out;
    switch (place.kind) {
      case Place::Kind::kNumber:
      case Place::Kind::kRelation:
        out.kind = place.kind == Place::Kind::kNumber ? Term::Kind::kNumber : Term::Kind::kRelation;
        out.is = [relation = place.predicate, t = terms.thread()](const shape::Variable& v) {
          return atom(relation, {t, v});
        };
        out.is_null = negation(atom(place.has, {terms.thread()}));
        return out;
      case Place::Kind::kBool:
        out.kind = Term::Kind::kBool;
        out.truth = atom(place.predicate, {terms.thread()});
        return out;
      default: return terms.unknown(type);
    }
  }

  // The clause as it stands, and whether it has a meaning at all.
  static FormulaPtr broken(Terms& terms, const Expr& clause) {
    terms.needs.clear();
    const FormulaPtr truth = terms.truth(clause);
    std::vector<FormulaPtr> all{truth};
    for (const Terms::Need& it : terms.needs) all.push_back(it.holds);
    terms.needs.clear();
    return negation(conjunction(all));
  }

  void perform_call(Terms& terms, const Move& move, ActionBuilder& builder) {
    const CallTarget& call = *called(*move.operation.statement);
    const Procedure& callee = program_.procedures[static_cast<std::size_t>(call.index)];
    Terms inside(vocabulary(), terms.thread(), call.index);
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const Term value = fitting(terms, terms.term(*call.arguments[i]), callee.parameters[i].type);
      terms.focus_on(value);
      inside.give(static_cast<int>(i), value);
      set_local(builder, move, {call.index, static_cast<int>(i)}, value);
    }
    for (const ExprPtr& it : callee.contract.requires_) {
      const FormulaPtr fails = broken(inside, *it);
      if (call.is_within_requires) {
        builder.require(negation(fails));
      } else {
        say(builder, fails, diag::Kind::kPrecondition, it->range, call.range);
      }
    }
    adopt(terms, inside);
    if (call.is_within_requires) terms.looks_at_shared = true;
  }

  // What a clause that is looked at in this step speaks of.
  static void adopt(Terms& terms, const Terms& clause) {
    terms.looks_at_shared = terms.looks_at_shared || clause.looks_at_shared;
    terms.touched.insert(terms.touched.end(), clause.touched.begin(), clause.touched.end());
  }

  void say_at_end(Terms& terms, const std::vector<ExprPtr>& clauses, const Term& result, const Move& move,
                  ActionBuilder& builder) {
    for (const ExprPtr& it : clauses) {
      Terms inside(vocabulary(), terms.thread(), move.procedure);
      inside.give_result(result);
      say(builder, broken(inside, *it), diag::Kind::kPostcondition, it->range,
          range_of(move.operation, program_.procedures[static_cast<std::size_t>(move.procedure)]));
      terms.looks_at_shared = true;  // what it says of the shared state must be looked at in every order
    }
  }

  void perform_return(Terms& terms, const Move& move, ActionBuilder& builder) {
    const Procedure& procedure = program_.procedures[static_cast<std::size_t>(move.procedure)];
    Term value = terms.unknown(procedure.result);
    const Stmt* statement = move.operation.statement;
    if (const auto* it = statement == nullptr ? nullptr : std::get_if<Return>(&statement->node);
        it != nullptr && it->value) {
      value = fitting(terms, terms.term(*it->value), procedure.result);
      terms.focus_on(value);
    }
    say_at_end(terms, procedure.contract.ensures, value, move, builder);
    if (move.caller == nullptr) return;
    const CallTarget& call = *called(*move.caller);
    if (call.catch_slot >= 0) set_local(builder, move, {move.calling_procedure, call.catch_slot}, nothing());
    if (procedure.result.kind == Type::Kind::kNone) return;
    const int slot = direct_result_slot(*move.caller);
    set_local(builder, move,
              slot >= 0 ? LocalName{move.calling_procedure, slot} : LocalName{move.procedure, kResultSlot}, value);
  }

  static Term nothing() {
    Term out;
    out.kind = Term::Kind::kRelation;
    out.is = [](const shape::Variable&) { return constant(Kleene::kFalse); };
    out.is_null = constant(Kleene::kTrue);
    return out;
  }

  void perform_throw(Terms& terms, const Move& move, ActionBuilder& builder) {
    const Procedure& procedure = program_.procedures[static_cast<std::size_t>(move.procedure)];
    const Stmt& statement = *move.operation.statement;
    const Term value = fitting(terms, terms.term(*std::get<Throw>(statement.node).value), procedure.throws);
    terms.focus_on(value);
    terms.need_object(value, statement.range);
    say_at_end(terms, procedure.contract.signals, value, move, builder);
    if (move.caller == nullptr) return;
    const int slot = called(*move.caller)->catch_slot;
    if (slot >= 0) set_local(builder, move, {move.calling_procedure, slot}, value);
  }

  // ------------------------------------------------------------------------------------------------------------- locks

  static Lock lock_of(Terms& terms, const Expr& expr) { return terms.lock(expr, expr.range); }
  // For whom a change of a monitor is: its object, in place of `u` (or `v` of a property).
  static FormulaPtr of_object(const Lock& lock, const shape::Variable& it) {
    return lock.has_object ? lock.object.is(it) : constant(Kleene::kTrue);
  }
  static FormulaPtr is_thread(const shape::Variable& it, const shape::Variable& thread) { return equal(it, thread); }

  void change_holder(ActionBuilder& builder, const Lock& lock, const shape::Variable& thread, bool takes) {
    const FormulaPtr whom =
        lock.has_object ? conjunction({of_object(lock, "u"), is_thread("v", thread)}) : is_thread("v", thread);
    builder.change(lock.place->predicate, takes ? whom : nullptr, takes ? nullptr : whom);
  }

  void focus_holder(Terms& terms, const Lock& lock) {
    if (lock.place == nullptr) return;
    Term holder = lock.object;
    if (!lock.has_object) return terms.focus.push_back(atom(lock.place->predicate, {"holder"}));
    if (holder.way.empty()) return;
    holder.way.push_back(atom(lock.place->predicate, {holder.end, "holder"}));
    terms.focus_on(holder);
  }

  void perform_acquire(Terms& terms, const Move& move, const Expr& expr, ActionBuilder& builder,
                       std::vector<ActionBuilder>& more) {
    const Lock lock = terms.lock(expr, expr.range);
    terms.looks_at_shared = true;
    builder.require(negation(terms.is_taken(lock)));
    if (lock.place == nullptr) {
      const Target to = target(terms, move, expr);
      Term self = nothing();
      self.is = [t = terms.thread()](const shape::Variable& v) { return equal(v, t); };
      self.is_null = constant(Kleene::kFalse);
      return to(builder, self);
    }
    focus_holder(terms, lock);
    change_holder(builder, lock, terms.thread(), true);
    // Once more: one level deeper.
    ActionBuilder again(vocabulary(), text_of(move.operation), expr.range);
    again.require(terms.held_by(lock, terms.thread()));
    const FormulaPtr whom = of_object(lock, "v");
    const FormulaPtr was_deep =
        atom(lock.place->deep, lock.has_object ? std::vector<shape::Variable>{"v"} : std::vector<shape::Variable>{});
    again.change(lock.place->deep, whom, nullptr);
    again.change(lock.place->deeper, conjunction({whom, was_deep}), nullptr);
    more.push_back(std::move(again));
  }

  void perform_release(Terms& terms, const Move& move, const Stmt& statement, const Expr& expr, ActionBuilder& builder,
                       std::vector<ActionBuilder>& more) {
    const Lock lock = terms.lock(expr, expr.range);
    terms.looks_at_shared = true;
    terms.need(diag::Kind::kMonitorState, statement.range, terms.held_by(lock, terms.thread()));
    if (lock.place == nullptr) {
      const Target to = target(terms, move, expr);
      return to(builder, nothing());
    }
    focus_holder(terms, lock);
    builder.require(negation(terms.is_deep(lock, lock.place->deep)));
    change_holder(builder, lock, terms.thread(), false);
    ActionBuilder inner(vocabulary(), text_of(move.operation), statement.range);
    inner.require(terms.is_deep(lock, lock.place->deep));
    const FormulaPtr whom = of_object(lock, "v");
    const FormulaPtr was_deeper =
        atom(lock.place->deeper, lock.has_object ? std::vector<shape::Variable>{"v"} : std::vector<shape::Variable>{});
    inner.change(lock.place->deep, conjunction({whom, was_deeper}), whom);
    inner.change(lock.place->deeper, conjunction({whom, was_deeper, maybe()}), whom);
    more.push_back(std::move(inner));
  }

  void perform_wait(Terms& terms, const Move& move, ActionBuilder& builder) {
    const Stmt& statement = *move.operation.statement;
    const Lock lock = lock_of(terms, *std::get<Wait>(statement.node).lock);
    terms.looks_at_shared = true;
    terms.need(diag::Kind::kMonitorState, statement.range, terms.held_by(lock, terms.thread()));
    if (lock.place == nullptr || lock.place != &vocabulary().object_monitor()) {
      // Which monitor it waits for is kept for objects only.
      builder.say(constant(Kleene::kTrue), kUnsupported, "waiting for a monitor that is no object", statement.range);
      return;
    }
    focus_holder(terms, lock);
    change_holder(builder, lock, terms.thread(), false);
    const auto [deep, deeper] = vocabulary().wait_levels();
    const FormulaPtr self = equal("v", terms.thread());
    builder.change(deep, conjunction({self, terms.is_deep(lock, lock.place->deep)}), self);
    builder.change(deeper, conjunction({self, terms.is_deep(lock, lock.place->deeper)}), self);
    builder.change(lock.place->deep, nullptr, of_object(lock, "v"));
    builder.change(lock.place->deeper, nullptr, of_object(lock, "v"));
    set_local(builder, move, {move.procedure, kWaitSlot}, lock.object);
    if (vocabulary().waiting() >= 0) builder.change(vocabulary().waiting(), self, nullptr);
  }

  Lock waited_for(const shape::Variable& thread, int procedure) {
    Lock out;
    out.place = &vocabulary().object_monitor();
    out.has_object = true;
    const Place& place = vocabulary().local({procedure, kWaitSlot});
    out.object.kind = Term::Kind::kRelation;
    out.object.is = [relation = place.predicate, thread](const shape::Variable& v) {
      return atom(relation, {thread, v});
    };
    out.object.is_null = constant(Kleene::kFalse);
    return out;
  }

  // Notified or not: it may also happen by itself.
  void perform_wake_up(const Move& move, ActionBuilder& builder) {
    const Lock lock = waited_for(kThread, move.procedure);
    focus_local(builder, vocabulary().local({move.procedure, kWaitSlot}));
    const FormulaPtr is_taken = exists({"o"}, conjunction({lock.object.is("o"), atom(lock.place->taken, {"o"})}));
    builder.require(negation(is_taken));
    change_holder(builder, lock, kThread, true);
    const auto [deep, deeper] = vocabulary().wait_levels();
    builder.change(lock.place->deep, conjunction({lock.object.is("v"), atom(deep, {kThread})}), nullptr);
    builder.change(lock.place->deeper, conjunction({lock.object.is("v"), atom(deeper, {kThread})}), nullptr);
    const FormulaPtr self = equal("v", kThread);
    builder.change(deep, nullptr, self);
    builder.change(deeper, nullptr, self);
    if (vocabulary().waiting() >= 0) builder.change(vocabulary().waiting(), nullptr, self);
  }

  void perform_notify(Terms& terms, const Move& move, const Notify& notify, ActionBuilder& builder,
                      std::vector<ActionBuilder>& more) {
    const Stmt& statement = *move.operation.statement;
    const Lock lock = lock_of(terms, *notify.lock);
    terms.looks_at_shared = true;
    terms.need(diag::Kind::kMonitorState, statement.range, terms.held_by(lock, terms.thread()));
    focus_holder(terms, lock);
    if (vocabulary().waiting() < 0 || !lock.has_object) return;
    // Who is in the wait set of the object.
    const auto waits = [&](const shape::Variable& who) {
      std::vector<FormulaPtr> any;
      for (const Move& it : out_.code.moves) {
        if (it.operation.kind != Operation::Kind::kWaitAcquire) continue;
        const Lock theirs = waited_for(who, it.procedure);
        any.push_back(conjunction({atom(system().at[static_cast<std::size_t>(it.from)], {who}),
                                   exists({"o"}, conjunction({lock.object.is("o"), theirs.object.is("o")}))}));
      }
      return conjunction({atom(vocabulary().waiting(), {who}), disjunction(any)});
    };
    if (notify.all) return builder.change(vocabulary().waiting(), nullptr, waits("v"));
    builder.require(negation(exists({"w"}, waits("w"))));
    ActionBuilder some(vocabulary(), text_of(move.operation), statement.range);
    some.choose(waits("woken"));
    some.change(vocabulary().waiting(), nullptr, equal("v", "woken"));
    more.push_back(std::move(some));
  }

  // -------------------------------------------------------------------------------------------------------- statements

  // A new individual, as a value.
  Term created() {
    Term out = nothing();
    out.is = [is_new = system().is_new](const shape::Variable& v) { return atom(is_new, {v}); };
    out.is_null = constant(Kleene::kFalse);
    return out;
  }

  Term zero() {
    Term out = nothing();
    out.kind = Term::Kind::kNumber;
    out.is = [number = vocabulary().zero()](const shape::Variable& v) { return atom(number, {v}); };
    out.is_null = constant(Kleene::kFalse);
    return out;
  }

  Term create_object(Terms& terms, const NewObject& it, ActionBuilder& builder) {
    builder.create();
    terms.creates = true;
    Terms initial(vocabulary(), terms.thread(), -1);  // what goes wrong there is nobody's claim
    const Term made = created();
    builder.change(vocabulary().class_predicate(it.class_index), made.is("v"), nullptr);
    std::map<int, Term> values;
    for (int f = 0; f < field_count(program_, it.class_index); ++f) {
      const plato::Variable& field = plato::field_of(program_, it.class_index, f);
      if (field.init) values[f] = initial.term(*field.init);
      if (!field.init && vocabulary().field(it.class_index, f).kind == Place::Kind::kNumber) values[f] = zero();
      if (!field.init && field.type.kind == Type::Kind::kEnum) {
        Term& value = values[f] = terms.unknown(field.type);
        for (std::size_t c = 0; c < value.constants.size(); ++c)
          value.constants[c] = constant(c == 0 ? Kleene::kTrue : Kleene::kFalse);
      }
    }
    for (const NewObject::Init& init : it.inits) {
      values[init.index] = terms.term(*init.value);
      terms.focus_on(values[init.index]);
    }
    for (const auto& [f, value] : values) {
      const plato::Variable& field = plato::field_of(program_, it.class_index, f);
      builder.assign(vocabulary().field(it.class_index, f), made.is, fitting(terms, value, field.type));
    }
    return made;
  }

  Term start(Terms& terms, const CallTarget& call, ActionBuilder& builder) {
    builder.create();  // which nobody can tell from its being created later, if nothing speaks of all threads
    terms.creates = true;
    const Term made = created();
    const Procedure& callee = program_.procedures[static_cast<std::size_t>(call.index)];
    builder.change(system().is_thread, made.is("v"), nullptr);
    builder.change(vocabulary().fresh(), made.is("v"), nullptr);
    builder.change(system().at[static_cast<std::size_t>(out_.code.entry.at(call.index))], made.is("v"), nullptr);
    const Label& entry = out_.code.labels[static_cast<std::size_t>(out_.code.entry.at(call.index))];
    Terms inside(vocabulary(), terms.thread(), call.index);  // what is required of the new thread
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
      const Term value = fitting(terms, terms.term(*call.arguments[i]), callee.parameters[i].type);
      terms.focus_on(value);
      const LocalName name{call.index, static_cast<int>(i)};
      inside.give(static_cast<int>(i), value);
      if (entry.live.contains(name)) builder.assign(vocabulary().local(name), made.is, value);
    }
    for (const ExprPtr& it : callee.contract.requires_) broken(inside, *it);
    adopt(terms, inside);
    return made;
  }

  void perform_rhs(Terms& terms, const Move& move, const Rhs& rhs, const Type& type, const Target& to,
                   ActionBuilder& builder, std::vector<ActionBuilder>& more) {
    std::visit(base::Overloaded{
                   [&](const ExprPtr& it) {
                     const Term value = terms.term(*it);
                     terms.focus_on(value);
                     to(builder, fitting(terms, value, type));
                   },
                   [&](const NewObject& it) { to(builder, create_object(terms, it, builder)); },
                   [&](const NewArray& it) {
                     terms.term(*it.size);
                     const auto* literal = std::get_if<IntLit>(&it.size->node);
                     terms.need(diag::Kind::kNegativeArraySize, move.operation.statement->range,
                                constant(literal != nullptr && literal->value >= 0 ? Kleene::kTrue : Kleene::kUnknown));
                     builder.create();
                     terms.creates = true;
                     const Term made = created();
                     builder.change(vocabulary().array(), made.is("v"), nullptr);
                     to(builder, made);
                   },
                   [&](const CasExpr& it) {
                     terms.looks_at_shared = true;
                     const Term current = terms.term(*it.location);
                     const Target location = target(terms, move, *it.location);
                     const FormulaPtr same = terms.equal_terms(current, terms.term(*it.expected), terms.new_variable());
                     const Term value = terms.term(*it.value);
                     terms.focus_on(current);
                     terms.focus_on(value);
                     Term truth;
                     truth.kind = Term::Kind::kBool;
                     truth.truth = constant(Kleene::kTrue);
                     ActionBuilder fails(vocabulary(), text_of(move.operation), move.operation.statement->range);
                     fails.require(negation(same));
                     builder.require(same);
                     location(builder, fitting(terms, value, it.location->type));
                     to(builder, truth);
                     truth.truth = constant(Kleene::kFalse);
                     to(fails, truth);
                     more.push_back(std::move(fails));
                   },
                   [&](const CallExpr&) { base::internal_error(__FILE__, __LINE__, "a call is no assignment"); },
                   [&](const StartExpr& it) { to(builder, start(terms, it.target, builder)); },
               },
               rhs);
  }

  void perform_statement(Terms& terms, const Move& move, ActionBuilder& builder, std::vector<ActionBuilder>& more) {
    const Stmt& statement = *move.operation.statement;
    const auto havoc = [&](const Expr& expr) {
      const bool refers = refers_to_objects(expr.type) || expr.type.kind == Type::Kind::kTid;
      terms.looks_at_shared = terms.looks_at_shared || refers;  // at which objects there are
      const Target to = target(terms, move, expr);
      to(builder, terms.unknown(expr.type));
    };
    std::visit(base::Overloaded{
                   [&](const LocalDecl& it) {
                     const LocalName name{move.procedure, it.slot};
                     const Target to = [&](ActionBuilder& with, const Term& value) {
                       set_local(with, move, name, value);
                     };
                     if (it.init) return perform_rhs(terms, move, *it.init, it.type, to, builder, more);
                     to(builder, default_of(terms, it.type));
                   },
                   [&](const Assign& it) {
                     const Target to = target(terms, move, *it.target);
                     perform_rhs(terms, move, it.value, it.target->type, to, builder, more);
                   },
                   [&](const Assert& it) {
                     const std::size_t accesses = terms.accesses.size();
                     const FormulaPtr truth = terms.truth(*it.condition);
                     terms.accesses.resize(accesses);  // what an assertion reads is no access
                     terms.need(kind_of(it), statement.range, truth);
                   },
                   [&](const Assume& it) { builder.require(terms.truth(*it.condition)); },
                   [&](const Havoc& it) {
                     for (const ExprPtr& to : it.targets) havoc(*to);
                     if (it.low) terms.term(*it.low), terms.term(*it.high);
                   },
                   [&](const CasSwap& it) {
                     terms.looks_at_shared = true;
                     const Term current = terms.term(*it.location);
                     const FormulaPtr same = terms.equal_terms(current, terms.term(*it.expected), terms.new_variable());
                     const Term other = terms.term(*it.value);
                     terms.focus_on(current);
                     terms.focus_on(other);
                     const Target location = target(terms, move, *it.location);
                     const Target value = target(terms, move, *it.value);
                     ActionBuilder fails(vocabulary(), text_of(move.operation), statement.range);
                     fails.require(negation(same));
                     builder.require(same);
                     location(builder, fitting(terms, other, it.location->type));
                     value(builder, fitting(terms, current, it.value->type));
                     more.push_back(std::move(fails));
                   },
                   [&](const Acquire& it) { perform_acquire(terms, move, *it.lock, builder, more); },
                   [&](const Release& it) { perform_release(terms, move, statement, *it.lock, builder, more); },
                   [&](const Notify& it) { perform_notify(terms, move, it, builder, more); },
                   [&](const Start& it) { start(terms, it.target, builder); },
                   [&](const Join& it) {
                     terms.looks_at_shared = true;
                     const Term thread = terms.term(*it.thread);
                     terms.focus_on(thread);
                     terms.need(diag::Kind::kThreadState, statement.range, negation(thread.is_null));
                     builder.require(has_ended(thread));
                   },
                   [&](const Initialised&) {
                     terms.looks_at_shared = true;
                     builder.change(vocabulary().fresh(), atom(system().is_thread, {"v"}), nullptr);
                   },
                   [&](const Direct& it) {
                     terms.looks_at_shared = true;
                     if (it.wrong_unless)
                       terms.need(diag::Kind::kAssertion, it.wrong_unless->range, terms.truth(*it.wrong_unless));
                     const std::size_t needed = terms.needs.size();
                     terms.term(*it.action.predicate);
                     terms.forget_needs(needed);
                     if (it.action.frame)
                       for (const ExprPtr& to : *it.action.frame) havoc(*to);
                   },
                   [&](const Unsupported& it) {
                     for (const ExprPtr& to : it.targets) havoc(*to);
                     if (it.targets.empty())
                       builder.say(constant(Kleene::kTrue), kUnsupported, it.reason, statement.range);
                   },
                   [&](const SetStmt& it) {
                     const Target to = target(terms, move, *it.set.target);
                     to(builder, terms.term(*it.set.value));
                   },
                   [&](const Skip&) {},
                   [&](const auto&) { base::internal_error(__FILE__, __LINE__, "a statement that is no operation"); },
               },
               statement.node);
  }

  Term default_of(const Terms& terms, const Type& type) {
    Term out = terms.unknown(type);
    if (out.kind == Term::Kind::kBool) out.truth = constant(Kleene::kFalse);
    if (out.kind == Term::Kind::kRelation) return nothing();
    if (type.kind == Type::Kind::kInt && vocabulary().zero() >= 0) return zero();
    for (std::size_t c = 0; c < out.constants.size(); ++c)
      out.constants[c] = constant(c == 0 ? Kleene::kTrue : Kleene::kFalse);
    return out;
  }

  FormulaPtr has_ended(const Term& thread) {
    return exists({"joined"}, conjunction({thread.is("joined"),
                                           atom(system().at[static_cast<std::size_t>(out_.code.done)], {"joined"})}));
  }

  // ------------------------------------------------------------------------------------------------------------ states

  void find_stops() {
    for (std::size_t l = 0; l < out_.code.labels.size(); ++l) out_.stops.push_back(stop(static_cast<int>(l)));
  }

  Stop stop(int label) const {
    const Label& it = out_.code.labels[static_cast<std::size_t>(label)];
    if (label == out_.code.done) return Stop::kAll;
    if (it.is_inside || it.is_alone) return it.is_loop ? Stop::kItself : Stop::kNever;
    bool touches = false;
    for (const int move : it.moves) {
      const std::set<int> all = moves_inside(move);  // of the whole step
      for (const int each : all) {
        const Concern& concern = out_.concerns[static_cast<std::size_t>(each)];
        if (concern.is_shared || (all.size() > 1 && concern.may_block)) return Stop::kAll;
        touches = touches || !concern.touched.empty() || all.size() > 1;
      }
    }
    return touches ? Stop::kPerhaps : Stop::kNever;
  }

  // Those of the step that begins with this one.
  std::set<int> moves_inside(int begin) const {
    std::set<int> out{begin};
    std::vector<int> todo{out_.code.moves[static_cast<std::size_t>(begin)].to};
    while (!todo.empty()) {
      const Label& at = out_.code.labels[static_cast<std::size_t>(todo.back())];
      todo.pop_back();
      if (!at.is_inside) continue;
      for (const int move : at.moves) {
        if (out.insert(move).second) todo.push_back(out_.code.moves[static_cast<std::size_t>(move)].to);
      }
    }
    return out;
  }

  void add_invariants() {
    for (const Clause& it : program_.clauses) {
      const int property = find(diag::Kind::kInvariant, it.range);
      if (property < 0 || it.kind != Clause::Kind::kGlobalInvariant) continue;
      Terms terms(vocabulary(), "nobody", -1);
      if (it.class_index < 0) {
        out_.claims.push_back({broken(terms, *it.predicate.predicate), property, false});
        continue;
      }
      terms.give_this("this", it.class_index);
      Type type = type_of_kind(Type::Kind::kClass);
      type.decl = it.class_index;
      const FormulaPtr fails = broken(terms, *it.predicate.predicate);
      out_.claims.push_back({exists({"this"}, conjunction({terms.has_type(type, "this"), fails})), property, false});
    }
  }

  // A thread begins where its procedure's precondition holds.
  void add_entries() {
    for (const auto& [procedure, label] : out_.code.entry) {
      for (const ExprPtr& it : program_.procedures[static_cast<std::size_t>(procedure)].contract.requires_) {
        const int property = find(diag::Kind::kPrecondition, it->range);
        if (property < 0) continue;
        Terms terms(vocabulary(), "t", procedure);
        out_.claims.push_back({exists({"t"}, conjunction({atom(vocabulary().fresh(), {"t"}),
                                                          atom(system().at[static_cast<std::size_t>(label)], {"t"}),
                                                          broken(terms, *it)})),
                               property, true});
      }
    }
  }

  // Somebody has not ended, nobody can move, and that is not intended.
  void add_deadlock() {
    if (deadlock_ < 0) return;
    // Whoever runs alone and is stuck is stuck with all others; those states are not looked at.
    for (std::size_t m = 0; m < out_.code.moves.size(); ++m) {
      const Label& from = out_.code.labels[static_cast<std::size_t>(out_.code.moves[m].from)];
      if (from.is_alone && !from.is_inside && is_blocked(static_cast<int>(m)) != nullptr)
        out_.is_decided[static_cast<std::size_t>(deadlock_)] = false;
    }
    std::vector<FormulaPtr> stuck;
    std::vector<FormulaPtr> intended;
    const FormulaPtr ended = atom(system().at[static_cast<std::size_t>(out_.code.done)], {"t"});
    for (std::size_t l = 0; l < out_.code.labels.size(); ++l) {
      const Label& label = out_.code.labels[l];
      if (static_cast<int>(l) == out_.code.done || label.is_inside || label.is_alone) continue;
      std::vector<FormulaPtr> all{atom(system().at[l], {"t"})};
      bool is_intended = true;
      for (const int m : label.moves) {
        const Move& move = out_.code.moves[static_cast<std::size_t>(m)];
        const FormulaPtr blocks = is_blocked(m);
        if (blocks == nullptr) {
          all.clear();
          break;
        }
        all.push_back(blocks);
        const Stmt* statement = move.operation.statement;
        const CallTarget* call = statement == nullptr ? nullptr : called(*statement);
        is_intended = is_intended && statement != nullptr &&
                      (statement->may_block || (call != nullptr && call->is_within_requires));
      }
      if (all.empty()) continue;
      if (is_intended) intended.push_back(all.front());
      stuck.push_back(conjunction(all));
    }
    stuck.push_back(ended);
    intended.push_back(ended);
    // Individuals that are no threads do not count.
    const auto all_threads = [&](std::vector<FormulaPtr> any) {
      any.push_back(negation(atom(system().is_thread, {"t"})));
      return forall({"t"}, disjunction(std::move(any)));
    };
    out_.claims.push_back({conjunction({negation(all_threads(intended)), all_threads(stuck)}), deadlock_, false});
  }

  // The thread `t` cannot make this move; null: it always can.
  FormulaPtr is_blocked(int number) {
    const Move& move = out_.code.moves[static_cast<std::size_t>(number)];
    Terms terms(vocabulary(), "t", move.procedure, move.from);
    const Stmt* statement = move.operation.statement;
    switch (move.operation.kind) {
      case Operation::Kind::kWaitAcquire: {
        const Lock lock = waited_for("t", move.procedure);
        return disjunction({atom(vocabulary().waiting(), {"t"}),
                            exists({"o"}, conjunction({lock.object.is("o"), atom(lock.place->taken, {"o"})}))});
      }
      case Operation::Kind::kAtomicBegin: return may_block_inside(number) ? maybe() : nullptr;
      case Operation::Kind::kCall: return called(*statement)->is_within_requires ? maybe() : nullptr;
      case Operation::Kind::kStatement: break;
      default: return nullptr;
    }
    if (const auto* it = std::get_if<Assume>(&statement->node)) return negation(terms.truth(*it->condition));
    if (const auto* it = std::get_if<Acquire>(&statement->node)) {
      const Lock lock = lock_of(terms, *it->lock);
      if (lock.place == nullptr) return terms.is_taken(lock);
      return conjunction({terms.is_taken(lock), negation(terms.held_by(lock, "t"))});
    }
    if (const auto* it = std::get_if<Join>(&statement->node)) {
      const Term thread = terms.term(*it->thread);
      return conjunction({negation(thread.is_null), negation(has_ended(thread))});
    }
    const bool may = std::holds_alternative<Direct>(statement->node) || std::holds_alternative<Havoc>(statement->node);
    return may ? maybe() : nullptr;
  }

  bool may_block_inside(int begin) const {
    for (const int m : moves_inside(begin)) {
      const Move& move = out_.code.moves[static_cast<std::size_t>(m)];
      const Label& from = out_.code.labels[static_cast<std::size_t>(move.from)];
      if (from.is_inside && from.is_loop) return true;  // perhaps for ever
      if (out_.concerns[static_cast<std::size_t>(m)].may_block) return true;
      if (move.operation.kind != Operation::Kind::kStatement || move.set != nullptr) continue;
      const Stmt::Node& node = move.operation.statement->node;
      if (std::holds_alternative<Acquire>(node) || std::holds_alternative<Join>(node) ||
          std::holds_alternative<Direct>(node) || std::holds_alternative<Havoc>(node))
        return true;
    }
    return false;
  }

  const Task& task_;
  const Program& program_;
  const Synchronising synchronising_;
  std::map<Claimed, int> by_claim_;
  int deadlock_ = -1;
  bool quantifies_ = false;
  std::vector<Standing> standing_;
  Lowered out_;
};

// How many threads of a declaration there may be at first: each number; kMany: one or more.
constexpr int kMany = -1;
constexpr int kMostApart = 4;  // more than so many are as good as any number

std::vector<int> counts(const Thread& thread, const Task& task) {
  const auto exactly = [](std::int64_t number) {
    return std::vector<int>{number > kMostApart ? kMany : static_cast<int>(std::max<std::int64_t>(number, 0))};
  };
  if (thread.count == Thread::Count::kNumber) return exactly(thread.number);
  if (task.settings.threads) return exactly(*task.settings.threads);
  return {0, kMany};
}

}  // namespace

bool is_judged(diag::Kind kind) {
  switch (kind) {
    case diag::Kind::kAssertion:
    case diag::Kind::kInvariant:
    case diag::Kind::kPrecondition:
    case diag::Kind::kPostcondition:
    case diag::Kind::kNullDereference:
    case diag::Kind::kArrayBounds:
    case diag::Kind::kNegativeArraySize:
    case diag::Kind::kDivisionByZero:
    case diag::Kind::kClassCast:
    case diag::Kind::kMonitorState:
    case diag::Kind::kThreadState:
    case diag::Kind::kRace:
    case diag::Kind::kDeadlock: return true;
    default: return false;
  }
}

std::vector<Structure> initial_structures(const Lowered& lowered, const Task& task, const Layout& layout) {
  const Program& program = *task.program;
  const Vocabulary& vocabulary = *lowered.vocabulary;
  const System& system = vocabulary.system();
  const auto known = [](const Expr* init) {
    const auto* literal = init == nullptr ? nullptr : std::get_if<BoolLit>(&init->node);
    return literal == nullptr ? (init == nullptr ? Kleene::kFalse : Kleene::kUnknown)
                              : (literal->value ? Kleene::kTrue : Kleene::kFalse);
  };
  // Of an enumeration: the constant that is the value, -1 if that is not known.
  const auto constant_of = [](const Expr* init) {
    if (init == nullptr) return 0;
    const auto* name = std::get_if<NameExpr>(&init->node);
    return name != nullptr && name->ref.kind == Ref::Kind::kEnumConst ? name->ref.index : -1;
  };
  Structure shared(layout, 0);
  if (vocabulary.zero() >= 0) {
    const int zero = shared.add();
    shared.set(vocabulary.zero(), zero, Kleene::kTrue);
    shared.set(vocabulary.is_number(), zero, Kleene::kTrue);
    shared.set(vocabulary.le(), zero, zero, Kleene::kTrue);
  }
  std::vector<Structure> out{shared};
  for (std::size_t d = 0; d < program.threads.size(); ++d) {
    const Thread& thread = program.threads[d];
    std::vector<Structure> next;
    for (const Structure& before : out) {
      for (const int count : counts(thread, task)) {
        Structure with = before;
        for (int i = 0; i < (count == kMany ? 1 : count); ++i) {
          const int added = with.add();
          if (count == kMany) with.set(system.sm, added, Kleene::kUnknown);
          with.set(system.is_thread, added, Kleene::kTrue);
          const bool begins = program.initialiser < 0 || program.initialiser == thread.target.index;
          if (begins) with.set(vocabulary.fresh(), added, Kleene::kTrue);
          with.set(system.at[static_cast<std::size_t>(lowered.code.entry.at(thread.target.index))], added,
                   Kleene::kTrue);
          if (vocabulary.named_thread(static_cast<int>(d)) >= 0)
            with.set(vocabulary.named_thread(static_cast<int>(d)), added, Kleene::kTrue);
          for (std::size_t a = 0; a < thread.target.arguments.size(); ++a) {
            const Place& place = vocabulary.local({thread.target.index, static_cast<int>(a)});
            const Expr* argument = thread.target.arguments[a].get();
            if (place.kind == Place::Kind::kBool) with.set(place.predicate, added, known(argument));
            for (std::size_t c = 0; c < place.constants.size(); ++c) {
              const int value = constant_of(argument);
              with.set(place.constants[c], added,
                       value < 0                      ? Kleene::kUnknown
                       : value == static_cast<int>(c) ? Kleene::kTrue
                                                      : Kleene::kFalse);
            }
          }
        }
        next.push_back(std::move(with));
      }
    }
    out = std::move(next);
  }
  for (Structure& it : out) {
    for (std::size_t v = 0; v < program.variables.size(); ++v) {
      const Place& place = vocabulary.shared(static_cast<int>(v));
      const Expr* init = program.variables[v].init.get();
      if (place.kind == Place::Kind::kBool) it.set(place.predicate, known(init));
      if (place.kind == Place::Kind::kNumber) {
        const auto* literal = init == nullptr ? nullptr : std::get_if<IntLit>(&init->node);
        const bool is_zero = init == nullptr || (literal != nullptr && literal->value == 0);
        if (is_zero) it.set(place.predicate, 0, Kleene::kTrue);
      }
      for (std::size_t c = 0; c < place.constants.size(); ++c) {
        const int value = constant_of(init);
        it.set(place.constants[c], value < 0                      ? Kleene::kUnknown
                                   : value == static_cast<int>(c) ? Kleene::kTrue
                                                                  : Kleene::kFalse);
      }
    }
  }
  return out;
}

Lowered lower(const Task& task) { return Lowering(task).run(); }

}  // namespace concord::engine::shape::source
