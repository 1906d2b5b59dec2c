// Atomic variables that are part of the object whose final field holds them: nobody has another reference to them, so what
// they hold may as well be a volatile field of that object. `node.next.compareAndSet(…)` then works on `node.next`, and a list
// whose links are atomic variables is a list. Likewise arrays of one element that only take the stamp from
// AtomicStampedReference.get: they are local variables.
#include <algorithm>
#include <iterator>

#include "frontend/java/lowering.h"
#include "frontend/java/walk.h"

namespace concord::frontend::java {

namespace {

const std::map<std::string, std::size_t> kOfReference = {
    {"get", 0}, {"set", 1}, {"getAndSet", 1}, {"compareAndSet", 2}};
const std::map<std::string, std::size_t> kOfStamped = {
    {"getReference", 0}, {"getStamp", 0}, {"get", 1}, {"set", 2}, {"compareAndSet", 4}};

SymbolId variable_of(const Expr& expr) {
  if (const auto* it = std::get_if<Name>(&expr.node)) return it->symbol;
  if (const auto* it = std::get_if<Select>(&expr.node); it != nullptr && !it->is_length) return it->symbol;
  return -1;
}

bool is_one(const Expr& expr, const char* number) { return expr.constant && *expr.constant == number; }

}  // namespace

// Finds out what is done with each field and array that might be one.
class AtomicSearch {
 public:
  explicit AtomicSearch(const Classes& classes) : classes_(classes) {}

  void add_fields(const ClassDecl& declaration) {
    for (const Member& member : declaration.members) {
      const auto* field = std::get_if<FieldDecl>(&member);
      if (field == nullptr || !field->annotations.empty()) continue;
      const Symbol& it = classes_.symbol(field->symbol);
      const JavaType& type = classes_.type(it.type);
      if (!it.is_final || it.is_static || it.is_public || type.kind != JavaType::Kind::kClass) continue;
      const bool is_stamped = classes_.is_class(type.symbol, "java.util.concurrent.atomic.AtomicStampedReference");
      if (!is_stamped && !classes_.is_class(type.symbol, "java.util.concurrent.atomic.AtomicReference")) continue;
      if (classes_.symbol(it.owner).is_record || !classes_.all_construct_privately(it.owner)) continue;
      fields_[field->symbol].is_stamped = is_stamped;
    }
  }

  void look_at(const ClassDecl& declaration) {
    const auto look = [&](const auto& root, bool is_constructing) {
      walk(
          root, [&](const Expr& expr) { look_at(expr, is_constructing); },
          [&](const Stmt& statement) {
            if (const auto* it = std::get_if<LocalVar>(&statement.node)) declare(*it);
          },
          [](const ClassDecl&) {});
    };
    for (const Member& member : declaration.members) {
      if (const auto* field = std::get_if<FieldDecl>(&member); field != nullptr && field->init) {
        if (fields_.contains(field->symbol)) give(field->symbol, *field->init);
        look(*field->init, true);
      }
      if (const auto* method = std::get_if<MethodDecl>(&member); method != nullptr && method->body) {
        look(*method->body, classes_.symbol(method->symbol).name == "<init>");
      }
      if (const auto* block = std::get_if<Initialiser>(&member)) look(*block->body, true);
    }
    for (const SymbolId local : classes_.captured(declaration)) refused_.insert(local);
  }

  const std::map<SymbolId, AtomicField>& fields() {
    for (auto it = fields_.begin(); it != fields_.end();) {
      const SymbolId content = it->second.content = content_of(it->first);
      const bool is_plain = classes_.declaration(content) != nullptr && !classes_.symbol(content).is_interface;
      it = refused_.contains(it->first) || !is_plain ? fields_.erase(it) : std::next(it);
    }
    return fields_;
  }

  // After `fields`.
  std::set<SymbolId> stamps() {
    std::erase_if(arrays_, [&](const auto& it) {
      const bool is_given_away =
          std::any_of(it.second.begin(), it.second.end(), [&](SymbolId field) { return !fields_.contains(field); });
      return is_given_away || refused_.contains(it.first);
    });
    std::set<SymbolId> out;
    for (const auto& [array, fields] : arrays_) out.insert(array);
    return out;
  }

 private:
  void declare(const LocalVar& it) {
    const auto* made = it.init ? std::get_if<NewArray>(&it.init->node) : nullptr;
    if (made == nullptr || made->initialisers || made->dimensions.size() != 1 || made->extra_dimensions != 0) return;
    const JavaType& element = classes_.type(made->element);
    const bool is_int = element.kind == JavaType::Kind::kPrimitive && element.primitive == Prim::kInt;
    if (is_int && is_one(*made->dimensions.front(), "1") && classes_.is_fixed(it.symbol)) arrays_[it.symbol];
  }

  // What is said to be in it; if nobody looks, the class of all that is put into it. -1: there is no such class.
  SymbolId content_of(SymbolId field) {
    const std::set<SymbolId>& contents = contents_[field];
    if (!contents.empty()) return contents.size() == 1 ? *contents.begin() : -1;
    const std::set<SymbolId>& puts = puts_[field];
    const auto found = std::find_if(puts.begin(), puts.end(), [&](SymbolId above) {
      return std::all_of(puts.begin(), puts.end(), [&](SymbolId it) { return classes_.is_subclass(it, above); });
    });
    return found == puts.end() ? -1 : *found;
  }

  void put(SymbolId field, const std::vector<ExprPtr>& arguments) {
    for (const ExprPtr& it : arguments) {
      const JavaType& type = classes_.type(it->type);
      if (type.kind == JavaType::Kind::kClass) puts_[field].insert(type.symbol);
    }
  }

  // The value may be nothing but what `new` makes there.
  void give(SymbolId field, const Expr& value) {
    const auto* made = std::get_if<New>(&value.node);
    if (made != nullptr) put(field, made->arguments);
    if (made == nullptr || made->body || made->class_symbol != classes_.type(classes_.symbol(field).type).symbol) {
      refused_.insert(field);
    }
  }

  void look_at(const Expr& expr, bool is_constructing) {
    if (const auto* it = std::get_if<Call>(&expr.node); it != nullptr && it->receiver) {
      const auto field = fields_.find(variable_of(*it->receiver));
      if (field != fields_.end() && !is_constructing && is_understood(*it, expr, *field))
        known_.insert(it->receiver.get());
    }
    if (const auto* it = std::get_if<Assign>(&expr.node); it != nullptr && fields_.contains(variable_of(*it->target))) {
      known_.insert(it->target.get());
      give(variable_of(*it->target), *it->value);
    }
    if (const auto* it = std::get_if<Index>(&expr.node); it != nullptr && is_one(*it->index, "0")) {
      known_.insert(it->array.get());
    }
    if (const auto* it = std::get_if<Lambda>(&expr.node)) {
      for (const SymbolId local : classes_.captured(*it)) refused_.insert(local);
    }
    if (!known_.contains(&expr)) refused_.insert(variable_of(expr));
  }

  bool is_understood(const Call& call, const Expr& expr, const std::pair<const SymbolId, AtomicField>& field) {
    const auto& methods = field.second.is_stamped ? kOfStamped : kOfReference;
    const std::string& name = classes_.symbol(call.method).name;
    const auto found = methods.find(name);
    if (found == methods.end() || found->second != call.arguments.size()) return false;
    if (name.starts_with("get") && name != "getStamp") contents_[field.first].insert(classes_.type(expr.type).symbol);
    put(field.first, call.arguments);
    if (field.second.is_stamped && name == "get") {
      known_.insert(call.arguments.front().get());
      const SymbolId array = variable_of(*call.arguments.front());
      if (array >= 0) arrays_given_to_get(array, field.first);
    }
    return true;
  }

  void arrays_given_to_get(SymbolId array, SymbolId field) {
    if (const auto found = arrays_.find(array); found != arrays_.end()) found->second.insert(field);
  }

  const Classes& classes_;
  std::map<SymbolId, AtomicField> fields_;
  std::map<SymbolId, std::set<SymbolId>> contents_;  // classes that the methods of a field are said to give
  std::map<SymbolId, std::set<SymbolId>> puts_;      // classes of the arguments
  std::map<SymbolId, std::set<SymbolId>> arrays_;    // and the fields that fill them
  std::set<const Expr*> known_;                      // mentions of a variable that are no reason to refuse it
  std::set<SymbolId> refused_;
};

void Lowering::find_atomic_fields() {
  if (!unit_.unchecked.empty()) return;  // what a variable holds may be of any class
  AtomicSearch search(classes_);
  for (const ClassDecl* it : classes_.all()) {
    if (!is_stub(it->range)) search.add_fields(*it);
  }
  for (const ClassDecl* it : classes_.all()) search.look_at(*it);
  atomic_fields_ = search.fields();
  stamp_arrays_ = search.stamps();
  if (!atomic_fields_.empty()) assume(kGenericsHold);
}

const AtomicField* Lowering::atomic_field(SymbolId field) const {
  const auto found = atomic_fields_.find(field);
  return found == atomic_fields_.end() ? nullptr : &found->second;
}

plato::Type Lowering::field_type(SymbolId field) {
  const AtomicField* atomic = atomic_field(field);
  return atomic != nullptr ? type_of_class(atomic->content) : type_of(classes_.symbol(field).type);
}

std::string Lowering::stamp_name(SymbolId field) { return "stamp_of_" + field_name(field); }

}  // namespace concord::frontend::java
