// The program as a whole: which classes, variables and procedures it gets. What is reachable from main (or from the public
// methods, if there is none) is lowered, each thing once, when it is first asked for.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "frontend/java/clauses.h"
#include "frontend/java/lowering.h"
#include "frontend/java/walk.h"
#include "plato/flow.h"
#include "plato/reader.h"
#include "plato/walk.h"

namespace concord::frontend::java {

using plato::Type;

// ------------------------------------------------------------------------------------------------------------------- names

std::string Names::fresh(const std::string& wanted) {
  static const std::set<std::string> kReserved(plato::reserved_words().begin(), plato::reserved_words().end());
  std::string base;
  for (const char c : wanted) {
    const bool is_plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    base += is_plain ? c : '_';
  }
  if (base.empty() || (base.front() >= '0' && base.front() <= '9')) base.insert(0, "_");
  std::string name = base;
  for (int i = 2; kReserved.contains(name) || !is_free(name); ++i) name = base + "_" + std::to_string(i);
  taken_.insert(name);
  if (outer_ != nullptr) outer_->inner_.insert(name);
  return name;
}

bool Names::is_free(const std::string& name) const {
  return !taken_.contains(name) && !inner_.contains(name) && (outer_ == nullptr || !outer_->taken_.contains(name));
}

Lowered lower(const base::SourceMap& sources, const Unit& unit, const LowerOptions& options, diag::Sink& sink) {
  return Lowering(sources, unit, options, sink).run();
}

Lowering::Lowering(const base::SourceMap& sources, const Unit& unit, const LowerOptions& options, diag::Sink& sink)
    : sources_(sources),
      unit_(unit),
      options_(options),
      sink_(sink),
      classes_(unit),
      annotations_(sources, classes_, sink) {
  program_.modules.emplace_back();
}

Lowered Lowering::run() {
  find_closures();
  find_monitors();
  if (uses_current_thread()) {
    thread_map();
    classes_.instantiate(thread_symbol());  // that of a thread that nobody started
  }
  const SymbolId main = find_main();
  if (main >= 0 && !options_.client) {
    lower_main(main);
  } else if (!sink_.has_errors()) {
    lower_client();
  }
  run_tasks();
  for (const auto& [name, range] : library_equals_) lower_library_equals(name, range);
  give_answers();
  emit_classes();
  assume("the classes given are all there are");
  if (waits_ && (is_unknown_ || has_client())) assume("no thread is interrupted while it waits");
  std::sort(assumptions_.begin(), assumptions_.end());
  for (const auto& [symbol, name] : statics_) name_is_users(name);
  return {std::move(program_), std::move(assumptions_), std::move(user_names_)};
}

void Lowering::run_tasks() {
  while (!tasks_.empty()) {
    const std::function<void()> task = std::move(tasks_.front());
    tasks_.pop_front();
    task();
  }
}

void Lowering::add_item(plato::Item::Kind kind, std::size_t index) {
  program_.modules.front().items.push_back({kind, static_cast<int>(index)});
}

void Lowering::assume(const std::string& assumption) {
  if (std::find(assumptions_.begin(), assumptions_.end(), assumption) == assumptions_.end()) {
    assumptions_.push_back(assumption);
  }
}

// ------------------------------------------------------------------------------------------------------- classes and types

SymbolId Lowering::find_class(const char* qualified) const {
  for (std::size_t id = 0; id < unit_.symbols.size(); ++id) {
    const Symbol& it = unit_.symbols[id];
    if (it.kind == Symbol::Kind::kClass && it.qualified == qualified) return static_cast<SymbolId>(id);
  }
  return -1;
}

SymbolId Lowering::thread_symbol() const { return find_class("java.lang.Thread"); }

SymbolId Lowering::member_of_thread(const char* name) const {
  for (SymbolId member : classes_.symbol(thread_symbol()).members) {
    if (classes_.symbol(member).name == name) return member;
  }
  base::internal_error(__FILE__, __LINE__, std::string("java.lang.Thread without ") + name);
}

// Whose monitors are used: those of classes whose methods say Concord.acquire(this) stand for locks; threads use their own.
void Lowering::find_monitors() {
  const SymbolId thread = thread_symbol();
  const auto may_be_thread = [&](const Expr* object, SymbolId around) {
    const SymbolId made = object == nullptr ? around : classes_.class_made(*object);
    if (made >= 0) return classes_.is_subclass(made, thread);
    const SymbolId type = classes_.type(object->type).symbol;
    return type >= 0 && (classes_.is_subclass(type, thread) || classes_.is_subclass(thread, type));
  };
  for (const ClassDecl* declaration : classes_.all()) {
    const auto look_at = [&](const Expr& expr) {
      const auto* call = std::get_if<Call>(&expr.node);
      if (call == nullptr) return;
      const Symbol& method = classes_.symbol(call->method);
      if (classes_.is_class(method.owner, "concord.Concord") && method.name == "acquire") {
        const auto* self = std::get_if<This>(&call->arguments.front()->node);
        if (self != nullptr) locks_.insert(self->class_symbol);
      }
      if (classes_.is_class(method.owner, "java.lang.Object") && method.name == "wait" && thread >= 0) {
        waits_at_threads_ = waits_at_threads_ || may_be_thread(call->receiver.get(), declaration->symbol);
      }
    };
    const auto look_in = [&](const Stmt& statement) {
      const auto* it = std::get_if<Synchronized>(&statement.node);
      if (it != nullptr && thread >= 0) locks_threads_ = locks_threads_ || may_be_thread(it->lock.get(), -1);
    };
    walk(*declaration, look_at, look_in, [](const ClassDecl&) {});
    for (SymbolId member : classes_.symbol(declaration->symbol).members) {
      const Symbol& method = classes_.symbol(member);
      locks_threads_ = locks_threads_ || (method.is_synchronized && !method.is_static && thread >= 0 &&
                                          classes_.is_subclass(declaration->symbol, thread));
    }
  }
}

bool Lowering::is_lock(SymbolId class_symbol) const {
  return std::any_of(locks_.begin(), locks_.end(), [&](SymbolId lock) {
    return class_symbol == lock || (class_symbol >= 0 && classes_.is_subclass(class_symbol, lock));
  });
}

std::vector<std::string> Lowering::locks_among(SymbolId type) {
  std::vector<std::string> out;
  for (SymbolId lock : locks_) {
    for (SymbolId it : classes_.instances_of(lock)) {
      if (classes_.is_subclass(it, type)) out.push_back(class_name(it));
    }
  }
  return out;
}

bool Lowering::is_stub(SourceRange range) const {
  return std::find(unit_.stub_files.begin(), unit_.stub_files.end(), range.file) != unit_.stub_files.end();
}

std::string Lowering::content_field() {
  string_class();
  return content_field_ = "content";
}

bool Lowering::is_throwable(SymbolId class_symbol) const {
  for (SymbolId at = class_symbol; at >= 0; at = classes_.symbol(at).superclass) {
    if (classes_.is_class(at, "java.lang.Throwable")) return true;
  }
  return false;
}

// Its own name, or Outer_Inner where that is not the only class of the name.
std::string Lowering::name_of_class(SymbolId symbol) const {
  const Symbol& it = classes_.symbol(symbol);
  const std::string own = it.name.empty() ? "anonymous" : it.name;
  const auto has_name = [&](const ClassDecl* other) { return classes_.symbol(other->symbol).name == it.name; };
  const bool is_unique = !it.name.empty() && std::count_if(classes_.all().begin(), classes_.all().end(), has_name) == 1;
  return it.outer < 0 || is_unique ? own : name_of_class(it.outer) + "_" + own;
}

std::string Lowering::class_name(SymbolId symbol) {
  if (const auto found = class_names_.find(symbol); found != class_names_.end()) return found->second;
  const Symbol& it = classes_.symbol(symbol);
  if (it.qualified == "java.lang.Object") return object_class();
  CONCORD_CHECK(!it.is_interface, "an interface has no class of its own");
  if (it.superclass >= 0 && !classes_.is_class(it.superclass, "java.lang.Object")) class_name(it.superclass);
  const std::string name = names_.fresh(name_of_class(symbol));
  class_names_[symbol] = name;
  classes_made_.push_back(symbol);
  return name;
}

std::string Lowering::object_class() {
  if (object_class_.empty()) object_class_ = names_.fresh("Object");
  return object_class_;
}

std::string Lowering::string_class() {
  if (const SymbolId symbol = find_class("java.lang.String"); symbol >= 0) return class_name(symbol);
  if (string_class_.empty()) string_class_ = names_.fresh("String");
  return string_class_;
}

std::string Lowering::throwable_class() {
  if (const SymbolId symbol = find_class("java.lang.Throwable"); symbol >= 0) return class_name(symbol);
  if (throwable_class_.empty()) throwable_class_ = names_.fresh("Throwable");
  return throwable_class_;
}

std::string Lowering::box_class(Prim primitive) {
  static const std::map<Prim, const char*> kBoxes = {
      {Prim::kBoolean, "java.lang.Boolean"}, {Prim::kByte, "java.lang.Byte"},    {Prim::kShort, "java.lang.Short"},
      {Prim::kChar, "java.lang.Character"},  {Prim::kInt, "java.lang.Integer"},  {Prim::kLong, "java.lang.Long"},
      {Prim::kFloat, "java.lang.Float"},     {Prim::kDouble, "java.lang.Double"}};
  if (const auto found = boxes_.find(primitive); found != boxes_.end()) return found->second;
  const std::string qualified = kBoxes.at(primitive);
  const SymbolId symbol = find_class(qualified.c_str());
  // A program may box without ever naming the class.
  boxes_[primitive] = symbol >= 0 ? class_name(symbol) : names_.fresh(qualified.substr(qualified.rfind('.') + 1));
  return boxes_[primitive];
}

// ------------------------------------------------------------------------------------------------- boxes and lambdas

// A name in place of the disjunction that `any` will give.
Value Lowering::answer_later(std::function<std::vector<Value>()> any, SourceRange range) {
  const std::string name = names_.fresh("concord_answer");
  questions_[name] = std::move(any);
  return build::name(name, range);
}

Value Lowering::is_any_box(Value object, SourceRange range) {
  const std::shared_ptr<const plato::Expr> it = std::move(object);
  return answer_later(
      [this, it, range] {
        std::vector<Value> any;
        for (const auto& [primitive, name] : boxes_) any.push_back(build::instance_of(build::copy(*it), name, range));
        return any;
      },
      range);
}

namespace {

Value are_two(const plato::Expr& left, const plato::Expr& right, const std::string& class_name, SourceRange range) {
  using plato::BinaryOp;
  Value are_both = build::binary(BinaryOp::kAnd, build::instance_of(build::copy(left), class_name, range),
                                 build::instance_of(build::copy(right), class_name, range), range);
  Value differ = build::binary(BinaryOp::kNe, build::copy(left), build::copy(right), range);
  return build::binary(BinaryOp::kAnd, std::move(are_both), std::move(differ), range);
}

}  // namespace

Value Lowering::may_be_one_box(Value left, Value right, SourceRange range) {
  const std::shared_ptr<const plato::Expr> one = std::move(left);
  const std::shared_ptr<const plato::Expr> other = std::move(right);
  return answer_later(
      [this, one, other, range] {
        std::vector<Value> any;
        for (const auto& [primitive, name] : boxes_) any.push_back(are_two(*one, *other, name, range));
        return any;
      },
      range);
}

void Lowering::note_widening(SymbolId from, SymbolId to) {
  if (classes_.symbol(from).is_interface && from != to) widened_.insert(from);
}

std::vector<std::string> Lowering::closure_classes(SymbolId type) const {
  std::vector<std::string> out;
  for (const Closure* it : closure_order_) {
    const auto is_above = [&](SymbolId above) { return classes_.is_subclass(it->interface_symbol, above); };
    const bool has_type = classes_.is_class(type, "java.lang.Object")
                              ? std::any_of(widened_.begin(), widened_.end(), is_above)
                              : is_above(type);
    if (it->is_used && has_type) out.push_back(it->class_name);
  }
  return out;
}

Value Lowering::is_any_closure(Value object, SymbolId type, SourceRange range) {
  const std::shared_ptr<const plato::Expr> it = std::move(object);
  return answer_later(
      [this, it, type, range] {
        std::vector<Value> any;
        for (const std::string& name : closure_classes(type)) {
          any.push_back(build::instance_of(build::copy(*it), name, range));
        }
        return any;
      },
      range);
}

Value Lowering::may_be_one_closure(Value left, Value right, SymbolId type, SourceRange range) {
  const std::shared_ptr<const plato::Expr> one = std::move(left);
  const std::shared_ptr<const plato::Expr> other = std::move(right);
  return answer_later(
      [this, one, other, type, range] {
        std::vector<Value> any;
        for (const std::string& name : closure_classes(type)) any.push_back(are_two(*one, *other, name, range));
        return any;
      },
      range);
}

// A branch that is never taken goes away.
void Lowering::give_answers() {
  const auto question = [&](const plato::Expr& expr) {
    const auto* name = std::get_if<plato::NameExpr>(&expr.node);
    return name == nullptr ? questions_.end() : questions_.find(name->name);
  };
  const auto answer = [&](const plato::Expr& expr) {
    const auto found = question(expr);
    if (found == questions_.end()) return;
    auto& place = const_cast<plato::Expr&>(expr);  // NOLINT: the program is ours
    place.node = std::move(build::any_of(found->second(), expr.range)->node);
  };
  for (plato::Procedure& procedure : program_.procedures) {
    plato::for_each_stmt(*procedure.body, [&](const plato::Stmt& statement) {
      if (const auto* block = std::get_if<plato::Block>(&statement.node)) {
        std::erase_if(const_cast<plato::Block*>(block)->statements, [&](const plato::StmtPtr& it) {  // NOLINT: likewise
          const auto* branch = std::get_if<plato::If>(&it->node);
          if (branch == nullptr) return false;
          const auto found = question(*branch->condition);
          return found != questions_.end() && found->second().empty();
        });
      }
      plato::for_each_part(
          statement, [&](const plato::Expr& expr) { plato::for_each_expr(expr, answer); }, [](const plato::Stmt&) {},
          [](const plato::CallTarget&) {});
    });
  }
}

Type Lowering::type_of_class(SymbolId symbol) {
  const Symbol& it = classes_.symbol(symbol);
  if (it.qualified == "concord.PerThread")
    return build::map_of(build::simple(Type::Kind::kTid), integer_type(Prim::kInt));
  if (it.is_interface) return build::named(object_class());
  return build::named(class_name(symbol));
}

// Floating-point numbers are opaque: they are copied, and nothing is known of what is computed with them.
Type Lowering::integer_type(Prim primitive) const {
  switch (primitive) {
    case Prim::kByte: return build::integer("int8");
    case Prim::kShort: return build::integer("int16");
    case Prim::kChar: return build::integer("uint16");
    case Prim::kInt: return build::integer(options_.unbounded_ints ? "int" : "int32");
    case Prim::kLong: return build::integer(options_.unbounded_ints ? "int" : "int64");
    default: return build::integer("int");
  }
}

Type Lowering::type_of(TypeId id) {
  if (id < 0) return build::simple(Type::Kind::kNone);
  const JavaType& it = classes_.type(id);
  switch (it.kind) {
    case JavaType::Kind::kPrimitive:
      return it.primitive == Prim::kBoolean ? build::simple(Type::Kind::kBool) : integer_type(it.primitive);
    case JavaType::Kind::kVoid: return build::simple(Type::Kind::kNone);
    case JavaType::Kind::kNull: return build::named(object_class());
    case JavaType::Kind::kClass: return type_of_class(it.symbol);
    case JavaType::Kind::kArray: return build::array_of(type_of(it.element));
    case JavaType::Kind::kOther: return build::named(object_class());
  }
  base::internal_error(__FILE__, __LINE__, "a type of no kind");
}

bool Lowering::is_rigid(SymbolId field) const {
  const Symbol& it = classes_.symbol(field);
  return it.is_final && !it.is_static && it.is_from_source && classes_.all_construct_privately(it.owner);
}

std::string Lowering::field_name(SymbolId field) {
  if (const auto found = fields_.find(field); found != fields_.end()) return found->second;
  // Unique along the chain of superclasses; simplest is unique among all classes with the same root.
  const Symbol& it = classes_.symbol(field);
  std::set<std::string> taken;
  for (const auto& [other, name] : fields_) {
    const SymbolId owner = classes_.symbol(other).owner;
    if (classes_.is_subclass(owner, it.owner) || classes_.is_subclass(it.owner, owner)) taken.insert(name);
  }
  static const std::set<std::string> kOurs = {"outer", "receiver", "identity", "shared"};
  const bool is_ours = kOurs.contains(it.name) || it.name.starts_with("outer_") || it.name.starts_with("captured_");
  const std::string wanted = is_ours ? "own_" + it.name : it.name;
  Names names;
  std::string name = names.fresh(wanted);
  while (taken.contains(name)) name = names.fresh(wanted);
  class_name(it.owner);
  return fields_[field] = name;
}

// Each inner class of a chain of superclasses may have another instance around it.
std::string Lowering::outer_field(SymbolId class_symbol) {
  int above = 0;
  for (SymbolId at = classes_.symbol(class_symbol).superclass; at >= 0; at = classes_.symbol(at).superclass) {
    if (classes_.declaration(at) != nullptr && classes_.symbol(at).has_outer_instance) ++above;
  }
  return above == 0 ? "outer" : "outer_" + std::to_string(above + 1);
}

std::string Lowering::captured_field(SymbolId local) {
  if (const auto found = captured_fields_.find(local); found != captured_fields_.end()) return found->second;
  std::string name = "captured_" + classes_.symbol(local).name;
  const auto is_taken = [&](const std::string& wanted) {
    return std::any_of(captured_fields_.begin(), captured_fields_.end(),
                       [&](const auto& it) { return it.second == wanted; });
  };
  for (int i = 2; is_taken(name); ++i) name = "captured_" + classes_.symbol(local).name + "_" + std::to_string(i);
  return captured_fields_[local] = name;
}

std::string Lowering::identity_field() {
  class_name(thread_symbol());
  return identity_field_ = "identity";
}

bool Lowering::uses_current_thread() const {
  return classes_.calls_thread("currentThread") || classes_.calls_thread("interrupted") || classes_.interrupts();
}

std::string Lowering::thread_map() {
  if (thread_map_.empty()) thread_map_ = names_.fresh("thread_of");
  return thread_map_;
}

plato::Variable Lowering::box_field(Prim primitive, SourceRange range) const {
  plato::Variable out;
  out.name = "value";
  out.type = primitive == Prim::kBoolean ? build::simple(Type::Kind::kBool) : integer_type(primitive);
  out.is_final = true;
  out.range = range;
  out.name_range = range;
  return out;
}

plato::Variable Lowering::string_content() const {
  plato::Variable out;
  out.name = content_field_;
  out.type = build::simple(Type::Kind::kInt);
  out.is_final = true;
  return out;
}

plato::Class Lowering::make_class(SymbolId symbol) {
  const Symbol& it = classes_.symbol(symbol);
  plato::Class out;
  out.name = class_names_.at(symbol);
  out.range = it.range;
  out.name_range = it.range;
  if (it.superclass >= 0 && class_names_.contains(it.superclass)) out.extends = class_names_.at(it.superclass);
  const auto add = [&](std::string name, Type type, SourceRange range) -> plato::Variable& {
    plato::Variable field;
    field.name = std::move(name);
    field.type = std::move(type);
    field.range = range;
    field.name_range = range;
    out.fields.push_back(std::move(field));
    return out.fields.back();
  };
  const ClassDecl* declaration = classes_.declaration(symbol);
  if (declaration != nullptr) {
    if (it.has_outer_instance) add(outer_field(symbol), type_of_class(it.outer), it.range).is_final = true;
    const ClassDecl* above = it.superclass < 0 ? nullptr : classes_.declaration(it.superclass);
    const std::vector<SymbolId> inherited = above == nullptr ? std::vector<SymbolId>{} : classes_.captured(*above);
    for (SymbolId local : classes_.captured(*declaration)) {
      if (std::find(inherited.begin(), inherited.end(), local) != inherited.end()) continue;
      add(captured_field(local), type_of(classes_.symbol(local).type), it.range).is_final = true;
    }
    for (SymbolId member : it.members) {
      const Symbol& field = classes_.symbol(member);
      if (field.kind != Symbol::Kind::kField || field.is_static) continue;
      if (is_stub(it.range) && !fields_.contains(member)) continue;  // no code of the program needs it
      plato::Variable& made = add(field_name(member), type_of(field.type), field.range);
      made.is_volatile = field.is_volatile;
      made.is_final = is_rigid(member);
      add_field_clauses(made, member);
    }
    add_ghosts(out, symbol);
    add_clauses(&out, symbol);
  }
  for (const auto& [primitive, name] : boxes_) {
    if (name == out.name) out.fields.push_back(box_field(primitive, it.range));
  }
  if (it.qualified == "java.lang.String" && !content_field_.empty()) out.fields.push_back(string_content());
  if (it.qualified == "java.lang.Thread" && !identity_field_.empty()) {
    plato::Variable& identity = add(identity_field_, build::simple(Type::Kind::kTid), it.range);
    identity.is_unraced = true;
  }
  return out;
}

const Type* Lowering::ghost_field(SymbolId class_symbol, const std::string& name) {
  for (SymbolId at = class_symbol; at >= 0; at = classes_.symbol(at).superclass) {
    for (const plato::AnnotationText* note : annotations_.of_class(at)) {
      for (const plato::Variable& it : note->variables) {
        if (it.name == name) return &it.type;
      }
    }
  }
  return nullptr;
}

void Lowering::add_ghosts(plato::Class& out, SymbolId class_symbol) {
  Place place;
  place.class_symbol = class_symbol;
  place.has_this = true;
  Clauses clauses(*this, place);
  for (plato::AnnotationText* note : annotations_.of_class(class_symbol)) {
    for (plato::Variable& it : note->variables) {
      plato::Variable ghost;
      ghost.name = it.name;
      ghost.type = clauses.translate(it.type);
      if (it.init) ghost.init = build::copy(*it.init);
      if (ghost.init && ghost.type.kind == Type::Kind::kTid &&
          std::holds_alternative<plato::NullLit>(ghost.init->node)) {
        ghost.init = build::none(ghost.init->range);
      }
      ghost.is_ghost = true;
      ghost.is_abstract = it.is_abstract;
      ghost.range = it.range;
      ghost.name_range = it.name_range;
      for (plato::FieldClause& clause : it.clauses) {
        clauses.translate(clause.expr);
        ghost.clauses.push_back(std::move(clause));
      }
      out.fields.push_back(std::move(ghost));
    }
  }
}

// A clause that says nothing of `this` holds also while there is no object; the others belong to the class. `out`: null if
// there never is one.
void Lowering::add_clauses(plato::Class* out, SymbolId class_symbol) {
  if (!has_clauses_.insert(class_symbol).second) return;
  Place place;
  place.class_symbol = class_symbol;
  place.has_this = true;
  for (plato::AnnotationText* note : annotations_.of_class(class_symbol)) {
    if (classes_.symbol(class_symbol).is_interface && !note->variables.empty()) {
      error(note->variables.front().range, "ghost fields of an interface are not supported",
            "put them to the classes that implement it");
    }
    for (plato::Clause& it : note->clauses) {
      Clauses clauses(*this, place);
      clauses.translate(it.predicate);
      const bool is_of_objects = clauses.uses_this() || it.kind == plato::Clause::Kind::kMonitorInvariant;
      if (is_of_objects && out == nullptr) {
        if (classes_.symbol(class_symbol).is_interface) {
          error(it.range, "a clause about the objects of an interface is not supported",
                "put it to the classes that implement it");
        }
        continue;
      }
      if (is_of_objects) {
        out->clauses.push_back(static_cast<int>(program_.clauses.size()));
      } else {
        add_item(plato::Item::Kind::kClause, program_.clauses.size());
      }
      program_.clauses.push_back(std::move(it));
    }
    Clauses clauses(*this, place);
    for (plato::LockOrder& it : note->lock_orders) {
      clauses.translate(it.before);
      clauses.translate(it.after);
      if (it.when) clauses.translate(it.when);
      add_item(plato::Item::Kind::kLockOrder, program_.lock_orders.size());
      program_.lock_orders.push_back(std::move(it));
    }
    for (plato::Check& it : note->checks) {
      add_item(plato::Item::Kind::kCheck, program_.checks.size());
      program_.checks.push_back(std::move(it));
    }
  }
}

// What is written before the field, and @GuardedBy.
void Lowering::add_field_clauses(plato::Variable& out, SymbolId field) {
  const Symbol& symbol = classes_.symbol(field);
  Place place;
  place.class_symbol = symbol.owner;
  place.has_this = !symbol.is_static;
  Clauses clauses(*this, place);
  for (plato::AnnotationText* note : annotations_.of_field(field)) {
    for (const plato::FieldClause& it : note->field_clauses) {
      plato::FieldClause own{it.kind, it.bound, build::copy(*it.expr), it.range};
      clauses.translate(own.expr);
      out.clauses.push_back(std::move(own));
    }
    out.is_thread_local = out.is_thread_local || note->is_thread_local;
    for (const plato::Waiver& it : note->waivers) out.waivers.push_back(it);
  }
  for (const Annotation& it : annotations_.java_annotations(field)) {
    if (it.name == "ThreadConfined") out.is_thread_local = true;
    if (it.name != "GuardedBy") continue;
    plato::FieldClause clause{plato::FieldClause::Kind::kGuardedBy, "", nullptr, it.range};
    const std::string self = ".this";
    if (it.argument.empty() || sources_.text(it.argument_range) != it.argument) {
      error(it.range, "the lock of `@GuardedBy` must be written here, as one string", "");
    } else if (it.argument.ends_with(self)) {
      const std::string owner = it.argument.substr(0, it.argument.size() - self.size());
      const SymbolId around = clauses.class_named(owner, it.argument_range);
      if (around >= 0 && place.has_this) clause.expr = clauses.instance_around(around, it.argument_range);
      if (!clause.expr) error(it.argument_range, "there is no instance of " + owner + " around this field", "");
    } else if (it.argument == "itself") {
      clause.expr = build::name(out.name, it.argument_range);
    } else {
      const std::string suffix = ".class";
      const std::string owner =
          it.argument.ends_with(suffix) ? it.argument.substr(0, it.argument.size() - suffix.size()) : "";
      if (!owner.empty()) {
        const SymbolId named = clauses.class_named(owner, it.argument_range);
        if (named < 0) error(it.argument_range, "there is no class " + owner, "");
        if (named >= 0) clause.expr = build::name(class_monitor(named), it.argument_range);
      } else {
        clause.expr = plato::read_expression(sources_, it.argument_range, sink_);
        if (clause.expr) clauses.translate(clause.expr);
      }
    }
    if (clause.expr) out.clauses.push_back(std::move(clause));
  }
}

void Lowering::add_contract(plato::Procedure& out, SymbolId method, const Body& body) {
  const Symbol& symbol = classes_.symbol(method);
  Place place;
  place.class_symbol = symbol.owner;
  place.has_this = !symbol.is_static;
  place.self = symbol.is_static ? "" : "this_";
  place.local = [&](const std::string& name) -> std::optional<Place::Variable> {
    const auto found = body.parameter_named(name);
    if (!found) return std::nullopt;
    return Place::Variable{found->first, found->second};
  };
  Clauses clauses(*this, place);
  for (plato::AnnotationText* note : annotations_.of_method(method)) {
    for (const plato::Waiver& it : note->waivers) out.waivers.push_back(it);
    if (!note->has_contract) continue;
    plato::Contract from = build::copy(note->contract);  // whoever starts or calls it needs it too
    clauses.translate(from);
    const auto append = [](auto& to, auto& list) {
      for (auto& it : list) to.push_back(std::move(it));
    };
    append(out.contract.requires_, from.requires_);
    append(out.contract.ensures, from.ensures);
    append(out.contract.signals, from.signals);
    append(out.contract.actions, from.actions);
    if (from.modifies) {
      if (!out.contract.modifies) out.contract.modifies.emplace();
      append(*out.contract.modifies, *from.modifies);
    }
    out.contract.is_inline = out.contract.is_inline || from.is_inline;
  }
  // Whoever calls an instance method has an instance.
  if (out.contract.has_abstraction() && !symbol.is_static) {
    Value self = build::name("this_", symbol.range);
    out.contract.requires_.insert(
        out.contract.requires_.begin(),
        build::binary(plato::BinaryOp::kNe, std::move(self), build::null(symbol.range), symbol.range));
  }
}

// When everything else is known. Making a class may ask for another one.
void Lowering::emit_classes() {
  std::vector<plato::Class> made;
  std::size_t asked = 0;
  for (; asked < classes_made_.size(); ++asked) made.push_back(make_class(classes_made_[asked]));
  for (const ClassDecl* it : classes_.all()) {
    if (!class_names_.contains(it->symbol)) add_clauses(nullptr, it->symbol);
  }
  for (const Closure* it : closure_order_) {
    if (!it->is_used) continue;
    plato::Class out;
    out.name = it->class_name;
    out.range = it->range;
    out.name_range = it->range;
    const auto add = [&](std::string name, Type type) {
      plato::Variable field;
      field.name = std::move(name);
      field.type = std::move(type);
      field.is_final = true;
      field.range = it->range;
      field.name_range = it->range;
      out.fields.push_back(std::move(field));
    };
    for (SymbolId local : it->captured) add(captured_field(local), type_of(classes_.symbol(local).type));
    if (it->captures_this) add("outer", type_of_class(it->around));
    if (it->reference != nullptr && it->reference->receiver) add("receiver", type_of(it->reference->receiver->type));
    made.push_back(std::move(out));
  }
  for (const auto& [symbol, name] : statics_) type_of(classes_.symbol(symbol).type);
  for (; asked < classes_made_.size(); ++asked) made.push_back(make_class(classes_made_[asked]));
  const auto add_plain = [&](const std::string& name) {
    plato::Class out;
    out.name = name;
    made.push_back(std::move(out));
  };
  for (const auto& [primitive, name] : boxes_) {
    const auto is_it = [&](const plato::Class& it) { return it.name == name; };
    if (std::any_of(made.begin(), made.end(), is_it)) continue;
    add_plain(name);
    made.back().fields.push_back(box_field(primitive, {}));
  }
  if (!string_class_.empty()) {
    add_plain(string_class_);
    if (!content_field_.empty()) made.back().fields.push_back(string_content());
  }
  if (!throwable_class_.empty()) add_plain(throwable_class_);
  emit_client_class(made);
  if (!object_class_.empty()) {
    for (plato::Class& it : made) {
      if (it.extends.empty()) it.extends = object_class_;
    }
    plato::Class root;
    root.name = object_class_;
    if (has_client()) root.fields.push_back(mark_of_known());
    made.insert(made.begin(), std::move(root));
  }
  // Classes come first in the text.
  std::vector<plato::Item> items;
  for (plato::Class& it : made) {
    items.push_back({plato::Item::Kind::kClass, static_cast<int>(program_.classes.size())});
    program_.classes.push_back(std::move(it));
  }
  for (const auto& [value, name] : strings_) {
    emit_variable(name, build::named(string_class()), -1);
    program_.variables.back().is_final = is_initialised_;
  }
  if (!thread_map_.empty()) {
    emit_variable(thread_map_, build::map_of(build::simple(Type::Kind::kTid), type_of_class(thread_symbol())), -1);
    program_.variables.back().is_unraced = true;
  }
  for (const auto& [symbol, name] : statics_) { emit_variable(name, type_of(classes_.symbol(symbol).type), symbol); }
  // Clauses of static variables may have asked for more of these.
  for (const auto& [symbol, name] : monitors_) emit_variable(name, build::simple(Type::Kind::kMonitor), -1);
  auto& all = program_.modules.front().items;
  std::stable_partition(all.begin(), all.end(),
                        [](const plato::Item& it) { return it.kind == plato::Item::Kind::kVariable; });
  all.insert(all.begin(), items.begin(), items.end());
}

void Lowering::emit_variable(std::string name, Type type, SymbolId id) {
  const Symbol* symbol = id < 0 ? nullptr : &classes_.symbol(id);
  plato::Variable out;
  out.name = std::move(name);
  out.type = std::move(type);
  if (symbol != nullptr) {
    out.is_volatile = symbol->is_volatile;
    out.range = symbol->range;
    out.name_range = symbol->range;
    const std::optional<std::string>& constant = symbol->constant;
    if (constant && out.type.kind == Type::Kind::kInt) out.init = build::number(std::stoll(*constant), symbol->range);
    if (constant && out.type.kind == Type::Kind::kBool) {
      out.init = build::truth(*constant == "true" || *constant == "1", symbol->range);
    }
    add_field_clauses(out, id);
    const bool is_plain = std::all_of(out.clauses.begin(), out.clauses.end(), [](const plato::FieldClause& it) {
      return it.kind == plato::FieldClause::Kind::kElemsUnwritableByEnvIf;
    });
    out.is_final = symbol->is_final && (constant || is_initialised_) && is_plain;
  }
  add_item(plato::Item::Kind::kVariable, program_.variables.size());
  program_.variables.push_back(std::move(out));
}

std::string Lowering::static_name(SymbolId field) {
  if (const auto found = statics_.find(field); found != statics_.end()) return found->second;
  const Symbol& it = classes_.symbol(field);
  return statics_[field] = names_.fresh(name_of_class(it.owner) + "_" + it.name);
}

std::string Lowering::class_monitor(SymbolId symbol) {
  if (const auto found = monitors_.find(symbol); found != monitors_.end()) return found->second;
  return monitors_[symbol] = names_.fresh(name_of_class(symbol) + "_class");
}

std::string Lowering::string_literal(const std::string& value) {
  string_class();
  if (const auto found = strings_.find(value); found != strings_.end()) return found->second;
  return strings_[value] = names_.fresh("text_" + std::to_string(strings_.size() + 1));
}

// -------------------------------------------------------------------------------------------------------------- procedures

void Lowering::emit_procedure(plato::Procedure procedure) {
  add_item(plato::Item::Kind::kProcedure, program_.procedures.size());
  program_.procedures.push_back(std::move(procedure));
}

bool Lowering::has_procedure(SymbolId method) const {
  const MethodDecl* declaration = classes_.method(method);
  if (declaration != nullptr && declaration->body) return true;
  return is_enum_method(method) || record_field(method) >= 0;
}

// values() and valueOf(String).
bool Lowering::is_enum_method(SymbolId method) const {
  const Symbol& it = classes_.symbol(method);
  return it.is_static && classes_.symbol(it.owner).is_enum && classes_.method(method) == nullptr &&
         (it.name == "values" || it.name == "valueOf");
}

// The field that a generated method gives the value of, or -1.
SymbolId Lowering::record_field(SymbolId method) const {
  const Symbol& it = classes_.symbol(method);
  if (!it.is_generated || !classes_.symbol(it.owner).is_record || !it.parameters.empty()) return -1;
  for (SymbolId member : classes_.symbol(it.owner).members) {
    const Symbol& field = classes_.symbol(member);
    if (field.kind == Symbol::Kind::kField && !field.is_static && field.name == it.name) return member;
  }
  return -1;
}

bool Lowering::has_text_method(SymbolId class_symbol) const {
  std::set<SymbolId> visited;
  return has_text_method(class_symbol, visited);
}

// Its text is what toString() of its own makes of it, or what the library makes of it by other methods of its own, or of the
// components of a record.
bool Lowering::has_text_method(SymbolId class_symbol, std::set<SymbolId>& visited) const {
  static const std::set<std::string> kCalled = {"toString", "hashCode", "getMessage", "getLocalizedMessage"};
  if (!visited.insert(class_symbol).second) return false;
  return std::any_of(classes_.all().begin(), classes_.all().end(), [&](const ClassDecl* declaration) {
    const Symbol& it = classes_.symbol(declaration->symbol);
    if (!classes_.is_subclass(declaration->symbol, class_symbol)) return false;
    return std::any_of(it.members.begin(), it.members.end(), [&](SymbolId id) {
      const Symbol& member = classes_.symbol(id);
      if (member.kind == Symbol::Kind::kField && it.is_record && !member.is_static) {
        const JavaType& type = classes_.type(member.type);
        return type.kind == JavaType::Kind::kClass && has_text_method(type.symbol, visited);
      }
      return kCalled.contains(member.name) && member.parameters.empty() && classes_.method(id) != nullptr;
    });
  });
}

std::string Lowering::procedure_of(SymbolId method) {
  if (const auto found = procedures_.find(method); found != procedures_.end()) return found->second;
  const Symbol& it = classes_.symbol(method);
  const std::string name = names_.fresh(name_of_class(it.owner) + "_" + it.name);
  procedures_[method] = name;
  tasks_.emplace_back([this, method, name] { lower_method(method, name); });
  return name;
}

void Lowering::lower_method(SymbolId method, const std::string& name) {
  const Symbol& symbol = classes_.symbol(method);
  const MethodDecl* declaration = classes_.method(method);
  if (declaration == nullptr || !declaration->body) return lower_generated(method, name);
  Body body(*this, symbol.owner, !symbol.is_static);
  for (const Parameter& it : declaration->parameters) body.add_parameter(it.symbol);
  body.set_result(type_of(symbol.type), symbol.type);
  if (classes_.may_throw(method)) body.set_throws();
  if (!symbol.is_static) body.assume_outer();
  const bool on_class = symbol.is_synchronized && symbol.is_static;
  body.lower_body(*declaration->body, symbol.is_synchronized && !symbol.is_static,
                  on_class ? class_monitor(symbol.owner) : "");
  plato::Procedure made = body.finish(name, declaration->range, symbol.range);
  add_contract(made, method, body);
  emit_procedure(std::move(made));
}

std::string Lowering::library_equals(SourceRange call) {
  object_class();
  const std::string name = names_.fresh("library_equals");
  library_equals_.emplace_back(name, call);
  return name;
}

// equals(Object) of strings, boxes, clients' own classes, and of classes that do not override it. When all classes are known.
void Lowering::lower_library_equals(const std::string& procedure, SourceRange range) {
  Body body(*this, -1, false);
  const std::string self = body.add_parameter("self", build::named(object_class()));
  const std::string other = body.add_parameter("other", build::named(object_class()));
  body.set_result(build::simple(Type::Kind::kBool), -1);
  const auto answer = [&](Value value) {
    plato::Return out;
    out.value = std::move(value);
    body.emit(build::make(std::move(out), range));
  };
  const auto is_of = [&](const std::string& object, const std::string& class_name) {
    return build::instance_of(build::name(object, range), class_name, range);
  };
  const auto when = [&](Value condition, const std::function<void()>& work) {
    Body::Statements inside = body.into_new_list(work);
    body.emit(build::if_else(std::move(condition), std::move(inside), {}, range));
  };
  const auto unknown = [&](const std::string& what) {
    const std::string result = body.temporary(build::simple(Type::Kind::kBool), std::nullopt, range, "unknown");
    plato::Unsupported out;
    out.reason = what;
    out.targets.push_back(build::name(result, range));
    body.emit(build::make(std::move(out), range));
    answer(build::name(result, range));
  };
  if (has_client_objects()) {
    when(is_of(self, client_class_),
         [&] { answer(build::name(body.any_of_type(build::simple(Type::Kind::kBool), range, "any"), range)); });
  }
  const auto same = [&] {
    return build::binary(plato::BinaryOp::kEq, build::name(self, range), build::name(other, range), range);
  };
  when(same(), [&] { answer(build::truth(true, range)); });
  if (!string_class_.empty() || class_names_.contains(find_class("java.lang.String"))) {
    Value both = build::binary(plato::BinaryOp::kAnd, is_of(self, string_class()), is_of(other, string_class()), range);
    when(std::move(both), [&] { unknown("the content of strings"); });
  }
  for (const auto& [primitive, name] : boxes_) {
    Value both = build::binary(plato::BinaryOp::kAnd, is_of(self, name), is_of(other, name), range);
    when(std::move(both), [&] {
      if (primitive == Prim::kFloat || primitive == Prim::kDouble) return unknown("floating-point arithmetic");
      const auto value = [&](const std::string& object) {
        return build::field(build::cast(build::name(object, range), name, range), "value", range);
      };
      answer(build::binary(plato::BinaryOp::kEq, value(self), value(other), range));
    });
  }
  if (has_client()) {
    for (SymbolId it : classes_of_library()) {
      if (is_throwable(it)) continue;
      when(is_of(self, class_names_.at(it)), [&] { unknown("the method equals of " + classes_.symbol(it).qualified); });
    }
  }
  answer(build::truth(false, range));
  emit_procedure(body.finish(procedure, range, range));
}

// The accessor of a record, or one of the two methods of an enum.
void Lowering::lower_generated(SymbolId method, const std::string& name) {
  const Symbol& symbol = classes_.symbol(method);
  Body body(*this, symbol.owner, !symbol.is_static);
  for (std::size_t i = 0; i < symbol.parameters.size(); ++i) {
    body.add_parameter("p" + std::to_string(i), type_of(symbol.parameters[i]));
  }
  body.set_result(type_of(symbol.type), symbol.type);
  plato::Return out;
  if (const SymbolId field = record_field(method); field >= 0) {
    out.value = build::field(build::name("this_", symbol.range), field_name(field), symbol.range);
  } else if (symbol.name == "values") {
    out.value = body.enum_constants(symbol.owner, symbol.range);
  } else {
    out.value = body.unsupported("the method " + symbol.name + " of an enum", symbol.type, symbol.range);
  }
  body.emit(build::make(std::move(out), symbol.range));
  emit_procedure(body.finish(name, symbol.range, symbol.range));
}

std::string Lowering::initialiser_of(SymbolId class_symbol, SymbolId constructor) {
  const std::pair key{class_symbol, constructor};
  if (const auto found = initialisers_.find(key); found != initialisers_.end()) return found->second;
  const std::string name = names_.fresh(name_of_class(class_symbol) + "_init");
  initialisers_[key] = name;
  tasks_.emplace_back([this, class_symbol, constructor, name] { lower_initialiser(class_symbol, constructor, name); });
  return name;
}

void Lowering::lower_initialiser(SymbolId class_symbol, SymbolId constructor, const std::string& name) {
  Body body(*this, class_symbol, true);
  const Symbol& symbol = classes_.symbol(class_symbol);
  std::vector<Value> arguments;
  const Symbol* method = constructor < 0 ? nullptr : &classes_.symbol(constructor);
  if (method != nullptr) {
    for (std::size_t i = 0; i < method->parameters.size(); ++i) {
      const std::string given = body.add_parameter("p" + std::to_string(i), type_of(method->parameters[i]));
      arguments.push_back(build::name(given, symbol.range));
    }
    if (classes_.may_throw_in_constructor(constructor)) body.set_throws();
  }
  const MethodDecl* declaration = constructor < 0 ? nullptr : classes_.method(constructor);
  const SourceRange range = declaration != nullptr ? declaration->range : symbol.range;
  body.run_constructor(class_symbol, constructor, std::move(arguments), symbol.range);
  emit_procedure(body.finish(name, range, symbol.range));
}

std::string Lowering::thread_entry(SymbolId thread_class) {
  if (const auto found = entries_.find(thread_class); found != entries_.end()) return found->second;
  const std::string name = names_.fresh(name_of_class(thread_class) + "_thread");
  entries_[thread_class] = name;
  tasks_.emplace_back([this, thread_class, name] { lower_thread_entry(thread_class, name); });
  return name;
}

// What Thread.start runs: the object's own run, under the identity that the object knows.
void Lowering::lower_thread_entry(SymbolId thread_class, const std::string& name) {
  const SymbolId implementation = classes_.implementation(member_of_thread("run"), thread_class);
  const Symbol& symbol = classes_.symbol(implementation);
  Body body(*this, thread_class, true);
  std::vector<Value> self;
  self.push_back(build::name("this_", symbol.range));
  body.call_procedure(procedure_of(implementation), std::move(self), build::simple(Type::Kind::kNone), false,
                      symbol.range, classes_.may_throw(implementation));
  body.note_end(*build::name("this_", symbol.range), symbol.range);
  plato::Procedure made = body.finish(name, symbol.range, symbol.range);
  made.contract.requires_.push_back(build::binary(
      plato::BinaryOp::kEq, build::field(build::name("this_", symbol.range), identity_field(), symbol.range),
      build::tid(symbol.range), symbol.range));
  // Whoever starts the thread answers for what `run` requires.
  Place place;
  place.class_symbol = symbol.owner;
  place.self = "this_";
  place.has_this = true;
  for (const plato::AnnotationText* note : annotations_.of_method(implementation)) {
    for (const Value& it : note->contract.requires_) {
      Value required = build::copy(*it);
      Clauses(*this, place).translate(required);
      made.contract.requires_.push_back(std::move(required));
    }
  }
  emit_procedure(std::move(made));
}

// --------------------------------------------------------------------------------------------------------------- closures

void Lowering::find_closures() {
  for (const ClassDecl* declaration : classes_.all()) {
    // Each expression belongs to the innermost class around it.
    const auto look = [&](const Expr& expr) {
      const auto* lambda = std::get_if<Lambda>(&expr.node);
      const auto* reference = std::get_if<MethodRef>(&expr.node);
      if (lambda == nullptr && reference == nullptr) return;
      auto made = std::make_unique<Closure>();
      made->lambda = lambda;
      made->reference = reference;
      made->interface_symbol = lambda != nullptr ? lambda->interface_symbol : reference->interface_symbol;
      made->method = lambda != nullptr ? lambda->method : reference->method;
      made->around = declaration->symbol;
      made->range = expr.range;
      if (lambda != nullptr) {
        made->captured = classes_.captured(*lambda);
        made->captures_this = classes_.uses_this(*lambda);
        made->may_throw = classes_.may_throw(*lambda);
      } else {
        made->may_throw = reference->target >= 0 && classes_.may_throw(reference->target);
      }
      made->class_name = names_.fresh(name_of_class(declaration->symbol) + "_lambda");
      made->procedure = names_.fresh(made->class_name + "_run");
      Closure* const it = made.get();
      closure_order_.push_back(it);
      closures_[&expr] = std::move(made);
    };
    const auto visit = [&](const auto& self, const auto& part) -> void {
      if constexpr (std::is_same_v<std::decay_t<decltype(part)>, Expr>) look(part);
      const auto again = [&](const auto& inner) { self(self, inner); };
      Parts{again, again, [](const ClassDecl&) {}}.of(part);
    };
    visit(visit, *declaration);
  }
}

void Lowering::use(Closure& closure) {
  if (std::exchange(closure.is_used, true)) return;
  tasks_.emplace_back([this, &closure] { lower_closure(closure); });
}

std::vector<const Closure*> Lowering::closures_for(SymbolId method) {
  std::vector<const Closure*> out;
  for (Closure* it : closure_order_) {
    const std::vector<SymbolId>& overrides = classes_.symbol(it->method).overrides;
    if (it->method != method && std::find(overrides.begin(), overrides.end(), method) == overrides.end()) continue;
    use(*it);
    out.push_back(it);
  }
  return out;
}

std::vector<const Closure*> Lowering::closures_of(SymbolId interface_symbol) {
  std::vector<const Closure*> out;
  for (Closure* it : closure_order_) {
    if (!classes_.is_subclass(it->interface_symbol, interface_symbol)) continue;
    use(*it);
    out.push_back(it);
  }
  return out;
}

const Closure& Lowering::closure(const Expr& expr) {
  Closure& it = *closures_.at(&expr);
  use(it);
  return it;
}

void Lowering::lower_closure(const Closure& closure) {
  Body body(*this, closure.around, false);
  const std::string self = body.add_parameter("self", build::named(closure.class_name));
  body.use_closure(self, closure);
  const Symbol& method = classes_.symbol(closure.method);
  body.set_result(type_of(method.type), method.type);
  if (closure.may_throw) body.set_throws();
  if (closure.lambda != nullptr) {
    const Lambda& it = *closure.lambda;
    for (std::size_t i = 0; i < it.parameters.size(); ++i)
      body.add_lambda_parameter(it.parameters[i].symbol, method.parameters[i]);
    if (it.block) {
      body.lower_body(*it.block, false, "");
    } else {
      body.return_expression(*it.expression);
    }
  } else {
    body.call_referenced(*closure.reference, method);
  }
  emit_procedure(body.finish(closure.procedure, closure.range, closure.range));
}

// -------------------------------------------------------------------------------------------------------------------- main

SymbolId Lowering::find_main() {
  std::vector<SymbolId> found;
  for (const ClassDecl* it : classes_.all()) {
    const Symbol& owner = classes_.symbol(it->symbol);
    if (!options_.main_class.empty() && owner.name != options_.main_class && owner.qualified != options_.main_class)
      continue;
    for (SymbolId member : owner.members) {
      const Symbol& method = classes_.symbol(member);
      if (method.kind != Symbol::Kind::kMethod || method.name != "main" || !method.is_static || !method.is_public)
        continue;
      if (method.parameters.size() != 1 || classes_.type(method.parameters.front()).text != "java.lang.String[]")
        continue;
      found.push_back(member);
    }
  }
  if (found.size() > 1) {
    diag::Diagnostic& error = sink_.error(classes_.symbol(found[1]).range, "there is more than one main method",
                                          "say which class with --main CLASS");
    error.notes.push_back({classes_.symbol(found[0]).range, "the other one"});
  }
  if (found.empty() && !options_.main_class.empty() && !classes_.all().empty()) {
    sink_.error(classes_.symbol(classes_.all().front()->symbol).range,
                "no class " + options_.main_class + " with a method public static void main(String[])",
                "--main names a class of the files given");
  }
  return found.empty() ? -1 : found.front();
}

void Lowering::lower_main(SymbolId main) {
  const Symbol& symbol = classes_.symbol(main);
  plato::Thread thread;
  thread.name = names_.fresh("main");
  procedure_of(main);
  run_tasks();
  thread.target = build::target(lower_main_thread(main), {}, symbol.range);
  thread.range = symbol.range;
  add_item(plato::Item::Kind::kThread, program_.threads.size());
  program_.threads.push_back(std::move(thread));
}

// Behind so many statements. A thread that an initialiser starts would wait where it uses the class, which is not followed.
void Lowering::end_initialisation(Body& body, std::size_t count, SourceRange range) {
  std::vector<const plato::Stmt*> before;
  for (std::size_t i = 0; i < count; ++i) before.push_back(body.root_[i].get());
  if (plato::find_start(program_, std::move(before)) == nullptr) {
    const auto place = body.root_.begin() + static_cast<std::ptrdiff_t>(count);
    body.root_.insert(place, build::make(plato::Initialised{}, range));
    is_initialised_ = true;
    return;
  }
  plato::Unsupported unknown;
  unknown.reason = "a thread that is started while classes are initialised";
  unknown.reason_range = range;
  Body::emit_before(body.root_, build::make(std::move(unknown), range));
}

// Initialisers of classes run first, by the main thread: the strings of the program, then the classes.
std::string Lowering::lower_main_thread(SymbolId main) {
  const Symbol& self = classes_.symbol(main);
  const std::string name = names_.fresh("main_thread");
  Body body(*this, self.owner, false);
  body.initialise_classes(self.owner);
  const std::size_t initialised = body.root_.size();
  std::vector<Value> arguments;
  arguments.push_back(body.command_line(*classes_.method(main)));
  body.call_procedure(procedure_of(main), std::move(arguments), build::simple(Type::Kind::kNone), false, self.range,
                      classes_.may_throw(main));
  run_tasks();
  if (initialised > 0 || !strings_.empty()) end_initialisation(body, initialised, self.range);
  body.make_strings(strings_);
  if (has_thread_map()) body.make_own_thread();
  emit_procedure(body.finish(name, self.range, self.range));
  return name;
}

}  // namespace concord::frontend::java
