#include "engine/shape/source/vocabulary.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/check.h"
#include "engine/shape/build.h"
#include "plato/class_flow.h"
#include "plato/classes.h"
#include "plato/observed.h"
#include "plato/walk.h"

namespace concord::engine::shape::source {

using plato::Type;

Vocabulary::Vocabulary(const plato::Program& program, const Code& code, bool tracks_waiting, bool sums, bool views,
                       bool lock_orders)
    : program_(program), code_(code), numbers_(find_numbers(program)), sums_(sums) {
  system_.has_threads = true;
  system_.sm = add("sm", 1, false);
  system_.is_new = add("isNew", 1, false);
  system_.instance = add("instance", 2, false);
  system_.is_thread = add("is_thread", 1, true);
  system_.ready = add("ready", 1, false);
  system_.runnable = add("runnable", 1, false);
  system_.predicates[static_cast<std::size_t>(system_.runnable)].is_unique = true;
  for (std::size_t l = 0; l < code.labels.size(); ++l) {
    const Label& it = code.labels[l];
    const std::string where =
        it.procedure < 0
            ? "done"
            : fmt::format("{}:{}.{}", program.procedures[static_cast<std::size_t>(it.procedure)].name, it.node, l);
    system_.labels.push_back(where);
    system_.at.push_back(add("at[" + where + "]", 1, true));
  }
  fresh_ = add("fresh", 1, false);
  if (views) {
    others_ = add("others", 1, true);
    escaped_ = add("escaped", 1, true);
    add_made_once();
  }
  if (tracks_waiting) waiting_ = add("waiting", 1, true);
  wait_deep_ = add("wait_deep", 1, true);
  wait_deeper_ = add("wait_deeper", 1, true);
  for (const plato::Class& it : program.classes) classes_.push_back(add("is_" + it.name, 1, true));
  array_ = add("is_array", 1, true);
  for (const plato::Thread& it : program.threads) {
    const bool is_one = it.count == plato::Thread::Count::kNumber && it.number == 1;
    const bool is_told_apart = !it.name.empty() || (views && is_one);
    named_.push_back(is_told_apart ? add("thread[" + it.name + "]", 1, true) : -1);
    if (views && is_one) system_.predicates.back().is_unique = true;
  }
  // What nobody looks at is not kept.
  const plato::Observed observed(program);
  const auto is_kept = [&](const Type& type, bool is_observed) {
    const bool is_object = type.kind == Type::Kind::kClass || type.kind == Type::Kind::kArray;
    return !views || !is_object || is_observed;
  };
  object_monitor_.kind = Place::Kind::kMonitor;
  add_monitor(object_monitor_, "", 1);
  if (!numbers_.empty()) add_numbers();
  for (std::size_t v = 0; v < program.variables.size(); ++v) {
    const plato::Variable& it = program.variables[v];
    const bool is_number = numbers_.shared.contains(static_cast<int>(v));
    shared_.push_back(is_kept(it.type, observed.variable(static_cast<int>(v)))
                          ? make_place(it.name, it.type, 0, is_number)
                          : Place());
  }
  for (std::size_t c = 0; c < program.classes.size(); ++c) {
    const plato::Class& owner = program.classes[c];
    for (std::size_t f = 0; f < owner.fields.size(); ++f) {
      Place& made = fields_[{static_cast<int>(c), static_cast<int>(f)}];
      if (!is_kept(owner.fields[f].type, observed.field(static_cast<int>(c), static_cast<int>(f)))) continue;
      made = make_place(owner.name + "." + owner.fields[f].name, owner.fields[f].type, 1,
                        numbers_.fields.contains({static_cast<int>(c), static_cast<int>(f)}));
    }
  }
  if (views) add_holders();
  find_hidden_references();
  std::set<LocalName> used;
  for (const Label& it : code.labels) used.insert(it.live.begin(), it.live.end());
  find_locked();
  locals_begin_ = static_cast<int>(system_.predicates.size());
  for (const LocalName& it : used) {
    const plato::Procedure& procedure = program.procedures[static_cast<std::size_t>(it.first)];
    if (it.second == kWaitSlot) {
      Place made;
      made.kind = Place::Kind::kRelation;
      add_relation(made, procedure.name + ".wait", 1, true);
      locals_[it] = made;
    } else if (it.second == kResultSlot) {
      if (is_kept(procedure.result, observed.result(it.first)))
        locals_[it] = make_place(procedure.name + ".result", procedure.result, 1);
    } else {
      const plato::Local& local = procedure.locals[static_cast<std::size_t>(it.second)];
      if (!is_kept(local.type, observed.local(it.first, it.second))) continue;
      locals_[it] = make_place(procedure.name + "." + local.name, local.type, 1, numbers_.locals.contains(it));
      if (locked_.contains(it) && local.type.kind == Type::Kind::kClass) {
        define(fmt::format("owns[{}.{}]", procedure.name, local.name), {"t"},
               exists({"o"}, conjunction({atom(locals_[it].predicate, {"t", "o"}),
                                          atom(object_monitor_.predicate, {"o", "t"})})),
               true);
      }
    }
  }
  relate_locked();
  locals_end_ = static_cast<int>(system_.predicates.size());
  add_closures();
  if (views) add_recursive_closures();
  if (lock_orders) add_precedences();
}

// Whether a variable refers to some thread, or is locked by one, whichever that is.
void Vocabulary::add_holders() {
  for (std::size_t v = 0; v < shared_.size(); ++v) {
    const bool is_thread = program_.variables[v].type.kind == Type::Kind::kTid;
    if (!is_thread && shared_[v].kind != Place::Kind::kMonitor) continue;
    shared_[v].has = define(fmt::format("some[{}]", program_.variables[v].name), {},
                            exists({"v"}, atom(shared_[v].predicate, {"v"})), true);
  }
}

// Objects that are threads are left out: each knows itself, and if all knew it they would also know whatever it leads to.
void Vocabulary::add_made_once() {
  const auto knows_thread = [&](int class_index) {
    for (int f = 0; f < plato::field_count(program_, class_index); ++f) {
      if (plato::field_of(program_, class_index, f).type.kind == Type::Kind::kTid) return true;
    }
    return false;
  };
  for (const int it : moves_once(program_, code_)) {
    const plato::Operation& operation = code_.moves[static_cast<std::size_t>(it)].operation;
    const bool is_statement = operation.kind == plato::Operation::Kind::kStatement;
    const plato::Rhs* value = is_statement ? plato::right_side(*operation.statement) : nullptr;
    const auto* made = value == nullptr ? nullptr : std::get_if<plato::NewObject>(value);
    if (made == nullptr || knows_thread(made->class_index)) continue;
    made_once_[it] = add(fmt::format("made[{}]", it), 1, true);
    system_.predicates.back().is_unique = true;
  }
}

// Of every field that leads from objects of a class to others of it, and from wherever it may begin.
void Vocabulary::add_recursive_closures() {
  const plato::ClassFlow flow(program_);
  for (std::size_t c = 0; c < program_.classes.size(); ++c) {
    const int owner = static_cast<int>(c);
    for (std::size_t f = 0; f < program_.classes[c].fields.size(); ++f) {
      const std::pair<int, int> followed{owner, static_cast<int>(f)};
      if (fields_.at(followed).kind != Place::Kind::kRelation || !flow.field_may_be(followed, owner)) continue;
      const int closure = follow(fields_.at(followed));
      // Where it leads is told by what is reached; that each object on the way has one before it tells nothing more.
      for (const Reference& it : references_) {
        if (it.relation == fields_.at(followed).predicate)
          system_.predicates[static_cast<std::size_t>(it.r_by)].is_abstraction = false;
      }
      for (std::size_t v = 0; v < shared_.size(); ++v) {
        if (shared_[v].kind == Place::Kind::kRelation && flow.variable_may_be(static_cast<int>(v), owner))
          add_reached(shared_[v], closure);
      }
      for (const auto& [from, place] : fields_) {
        if (from != followed && place.kind == Place::Kind::kRelation && flow.field_may_be(from, owner) &&
            !flow.field_may_be(from, from.first))
          add_reached(place, closure);
      }
    }
  }
}

// Of the fields that claims follow.
void Vocabulary::add_closures() {
  plato::for_each_whole_expr(program_, [&](const plato::Expr& whole, int owner) {
    plato::for_each_expr(whole, [&](const plato::Expr& part) {
      if (const auto* it = std::get_if<plato::ShapeExpr>(&part.node)) add_closure(*it, owner);
    });
  });
}

// The closure of the field.
int Vocabulary::follow(Place& field) {
  if (field.closure >= 0) return field.closure;
  const std::string name = system_.predicates[static_cast<std::size_t>(field.predicate)].name;
  field.closure = define("reach[" + name + "]", {"u", "v"}, closure_definition(field.predicate, "u", "v"), false);
  return field.closure;
}

// Who is reached is kept apart if it begins with a shared variable or a field; where a local variable refers to is known as long as it
// does. `owner`: of a clause of a class.
void Vocabulary::add_closure(const plato::ShapeExpr& shape, int owner) {
  const plato::FieldHome home = plato::field_home(program_, shape.from->type.decl, shape.index);
  Place& followed = fields_.at({home.class_index, home.place});
  follow(followed);
  const Place* from = nullptr;
  if (const auto* it = std::get_if<plato::NameExpr>(&shape.from->node)) {
    if (it->ref.kind == plato::Ref::Kind::kShared) from = &shared(it->ref.index);
    if (it->ref.kind == plato::Ref::Kind::kField && owner >= 0) from = &field(owner, it->ref.index);
  } else if (const auto* of = std::get_if<plato::FieldExpr>(&shape.from->node)) {
    if (of->kind == plato::FieldExpr::Kind::kField) from = &field(of->object->type.decl, of->index);
  }
  if (from != nullptr) add_reached(*from, followed.closure);
}

// Who is reached from the variable, or from the field of any object.
void Vocabulary::add_reached(const Place& from, int closure) {
  const auto name = [&](int predicate) { return system_.predicates[static_cast<std::size_t>(predicate)].name; };
  const int begin = from.predicate;
  const bool is_there = std::any_of(reached_.begin(), reached_.end(),
                                    [&](const Reached& it) { return it.from == begin && it.closure == closure; });
  if (is_there) return;
  const bool is_relation = system_.predicates[static_cast<std::size_t>(begin)].arity == 2;
  const auto followed =
      std::find_if(fields_.begin(), fields_.end(), [&](const auto& it) { return it.second.closure == closure; });
  const int predicate = define(fmt::format("rt[{},{}]", name(begin), name(followed->second.predicate)), {"v"},
                               reached_definition(begin, is_relation, closure, "v"), true);
  reached_.push_back({predicate, begin, is_relation, closure});
}

int Vocabulary::add(const std::string& name, int arity, bool is_abstraction) {
  Predicate made;
  made.name = name;
  made.arity = arity;
  made.is_abstraction = is_abstraction;
  system_.predicates.push_back(std::move(made));
  return static_cast<int>(system_.predicates.size()) - 1;
}

int Vocabulary::define(const std::string& name, const std::vector<Variable>& variables, const FormulaPtr& definition,
                       bool is_abstraction) {
  const int out = add(name, static_cast<int>(variables.size()), is_abstraction);
  system_.predicates.back().variables = variables;
  system_.predicates.back().definition = definition;
  return out;
}

const Type& Vocabulary::type_of(const LocalName& local) const {
  return program_.procedures[static_cast<std::size_t>(local.first)].locals[static_cast<std::size_t>(local.second)].type;
}

// One object may be of both.
bool Vocabulary::are_related(const Type& a, const Type& b) const {
  return a.kind == Type::Kind::kClass && b.kind == Type::Kind::kClass &&
         (plato::is_subclass(program_, a.decl, b.decl) || plato::is_subclass(program_, b.decl, a.decl));
}

// Of the local variables that have values at the same time.
Vocabulary::Pairs Vocabulary::pairs_alive(const std::function<bool(const LocalName&, const LocalName&)>& fits) const {
  constexpr std::size_t kMostPairs = 12;
  Pairs out;
  for (const Label& label : code_.labels) {
    for (const LocalName& a : label.live) {
      for (const LocalName& b : label.live) {
        const bool are_variables = a != b && a.second >= 0 && b.second >= 0 && locked_.contains(a);
        if (are_variables && are_related(type_of(a), type_of(b)) && fits(a, b) && out.size() < kMostPairs)
          out.emplace(a, b);
      }
    }
  }
  return out;
}

// A variable through which fields are accessed is often another name for the one that was locked.
void Vocabulary::relate_locked() {
  const Pairs pairs = pairs_alive(
      [&](const LocalName& a, const LocalName& b) { return a.first == b.first && (!locked_.contains(b) || a < b); });
  for (const auto& [a, b] : pairs) {
    if (locals_[a].kind != Place::Kind::kRelation || locals_[b].kind != Place::Kind::kRelation) continue;
    define(fmt::format("same[{},{}]", system_.predicates[static_cast<std::size_t>(locals_[a].predicate)].name,
                       system_.predicates[static_cast<std::size_t>(locals_[b].predicate)].name),
           {"t"},
           exists({"o"}, conjunction({atom(locals_[a].predicate, {"t", "o"}), atom(locals_[b].predicate, {"t", "o"})})),
           true);
  }
}

void Vocabulary::find_locked() {
  for (const Move& it : code_.moves) {
    if (it.operation.kind != plato::Operation::Kind::kStatement || it.set != nullptr) continue;
    const auto* release = std::get_if<plato::Release>(&it.operation.statement->node);
    if (release == nullptr) continue;
    if (const int slot = plato::local_slot(*release->lock); slot >= 0) locked_.emplace(it.procedure, slot);
  }
}

// An array that is never made is null. Whatever gets any value may come to refer to an object that nobody refers to.
void Vocabulary::find_hidden_references() {
  const auto refers = [](const Type& type) { return plato::refers_to_objects(type) || type.kind == Type::Kind::kTid; };
  const auto any_of = [&](const std::vector<plato::ExprPtr>& targets) {
    for (const plato::ExprPtr& it : targets) has_hidden_references_ = has_hidden_references_ || refers(it->type);
  };
  for (const plato::Procedure& procedure : program_.procedures) {
    plato::for_each_stmt(*procedure.body, [&](const plato::Stmt& statement) {
      const plato::Rhs* value = plato::right_side(statement);
      if (const auto* array = value == nullptr ? nullptr : std::get_if<plato::NewArray>(value))
        has_hidden_references_ = has_hidden_references_ || refers(array->element);
      if (const auto* it = value == nullptr ? nullptr : std::get_if<plato::ExprPtr>(value))
        has_hidden_references_ =
            has_hidden_references_ || (std::holds_alternative<plato::Star>((*it)->node) && refers((*it)->type));
      if (const auto* it = std::get_if<plato::Havoc>(&statement.node)) any_of(it->targets);
      if (const auto* it = std::get_if<plato::Unsupported>(&statement.node)) any_of(it->targets);
      if (const auto* it = std::get_if<plato::Direct>(&statement.node); it != nullptr && it->action.frame)
        any_of(*it->action.frame);
    });
  }
}

void Vocabulary::add_numbers() {
  is_number_ = add("is_number", 1, true);
  zero_ = add("zero", 1, true);
  system_.predicates.back().is_unique = true;
  le_ = add("le", 2, false);
  system_.predicates.back().is_transitive = true;
  // They are all in one order.
  const FormulaPtr numbers = conjunction({atom(is_number_, {"a"}), atom(is_number_, {"b"})});
  system_.rules.push_back({conjunction({numbers, negation(atom(le_, {"a", "b"}))}), atom(le_, {"b", "a"}), {}});
}

Place Vocabulary::make_place(const std::string& name, const Type& type, int first_arguments, bool is_number) {
  Place out;
  if (is_number && type.kind == Type::Kind::kInt) {
    out.kind = Place::Kind::kNumber;
    add_relation(out, name, first_arguments, true);
    return out;
  }
  switch (type.kind) {
    case Type::Kind::kBool:
      out.kind = Place::Kind::kBool;
      out.predicate = add(name, first_arguments, true);
      break;
    case Type::Kind::kEnum:
      out.kind = Place::Kind::kEnum;
      for (const plato::Enum::Constant& it : program_.enums[static_cast<std::size_t>(type.decl)].constants)
        out.constants.push_back(add(name + "==" + it.name, first_arguments, true));
      break;
    case Type::Kind::kClass:
    case Type::Kind::kTid:
    case Type::Kind::kArray:
      out.kind = Place::Kind::kRelation;
      add_relation(out, name, first_arguments, type.kind != Type::Kind::kTid);
      break;
    case Type::Kind::kMonitor:
      out.kind = Place::Kind::kMonitor;
      add_monitor(out, name, first_arguments);
      break;
    case Type::Kind::kSet:
    case Type::Kind::kMap: has_hidden_references_ = true; break;
    default: break;
  }
  return out;
}

// `tells_targets`: individuals that something refers to are kept apart from others. Threads are where they are, whoever knows them.
void Vocabulary::add_relation(Place& place, const std::string& name, int first_arguments, bool tells_targets) {
  place.predicate = add(fmt::format("rv[{}]", name), first_arguments + 1, first_arguments == 0);
  Predicate& made = system_.predicates.back();
  if (first_arguments == 0) {
    made.is_unique = true;
    references_.push_back({place.predicate, 1, -1, -1});
    return;
  }
  made.is_function = true;
  const int relation = place.predicate;
  place.has = define(fmt::format("has[{}]", name), {"u"}, exists({"v"}, atom(relation, {"u", "v"})), true);
  const int r_by =
      define(fmt::format("r_by[{}]", name), {"v"}, exists({"u"}, atom(relation, {"u", "v"})), tells_targets);
  const FormulaPtr twice =
      conjunction({negation(equal("u", "w")), atom(relation, {"u", "v"}), atom(relation, {"w", "v"})});
  const int is = define(fmt::format("is[{}]", name), {"v"}, exists({"u", "w"}, twice), false);
  references_.push_back({relation, 2, r_by, is});
}

void Vocabulary::add_monitor(Place& place, const std::string& name, int first_arguments) {
  const std::string of = name.empty() ? "" : "[" + name + "]";
  place.predicate = add("held_by" + of, first_arguments + 1, first_arguments == 0);
  Predicate& made = system_.predicates.back();
  first_arguments == 0 ? made.is_unique = true : made.is_function = true;
  place.deep = add("deep" + of, first_arguments, true);
  place.deeper = add("deeper" + of, first_arguments, true);
  if (first_arguments == 0) {
    monitors_.push_back(place);
    return;
  }
  place.taken = define("is_acquired" + of, {"u"}, exists({"v"}, atom(place.predicate, {"u", "v"})), true);
  define("holds" + of, {"v"}, exists({"u"}, atom(place.predicate, {"u", "v"})), true);
  monitors_.push_back(place);
}

const Place& Vocabulary::field(int class_index, int number) const {
  const plato::FieldHome home = plato::field_home(program_, class_index, number);
  return fields_.at({home.class_index, home.place});
}

const Place& Vocabulary::local(const LocalName& name) const {
  static const Place kUnknown;
  const auto found = locals_.find(name);
  return found == locals_.end() ? kUnknown : found->second;  // one that nobody looks at
}

}  // namespace concord::engine::shape::source
