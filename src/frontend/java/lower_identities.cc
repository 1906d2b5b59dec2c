// Boxes and lambdas, whose identities Java leaves open. Which of them there are is known only when everything is lowered, so a
// name stands for the answer until then.
#include <algorithm>
#include <utility>

#include "frontend/java/lowering.h"
#include "plato/walk.h"

namespace concord::frontend::java {

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

Value are_both(const plato::Expr& left, const plato::Expr& right, const std::string& class_name, SourceRange range) {
  return build::binary(plato::BinaryOp::kAnd, build::instance_of(build::copy(left), class_name, range),
                       build::instance_of(build::copy(right), class_name, range), range);
}

Value are_two(const plato::Expr& left, const plato::Expr& right, const std::string& class_name, SourceRange range) {
  Value differ = build::binary(plato::BinaryOp::kNe, build::copy(left), build::copy(right), range);
  return build::binary(plato::BinaryOp::kAnd, are_both(left, right, class_name, range), std::move(differ), range);
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

Value Lowering::are_comparable(Value left, Value right, SourceRange range) {
  const std::shared_ptr<const plato::Expr> one = std::move(left);
  const std::shared_ptr<const plato::Expr> other = std::move(right);
  const std::string text = string_class();
  return answer_later(
      [this, one, other, text, range] {
        std::vector<Value> any;
        any.push_back(are_both(*one, *other, text, range));
        for (const auto& [primitive, name] : boxes_) any.push_back(are_both(*one, *other, name, range));
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

Value Lowering::tests_class(Value value, SymbolId tested, SourceRange range) {
  if (!classes_.symbol(tested).is_interface) { return build::instance_of(std::move(value), class_name(tested), range); }
  std::vector<Value> any;
  const auto test = [&](const std::string& class_name) {
    any.push_back(build::instance_of(build::copy(*value), class_name, range));
  };
  for (SymbolId it : classes_.instances_of(tested)) test(class_name(it));
  for (const Closure* it : closures_of(tested)) test(it->class_name);
  static const std::set<std::string> kOfText = {"java.lang.CharSequence", "java.lang.Comparable",
                                                "java.io.Serializable", "java.lang.constant.Constable",
                                                "java.lang.constant.ConstantDesc"};
  const std::string& name = classes_.symbol(tested).qualified;
  if (kOfText.contains(name)) test(string_class());
  if (name == "java.io.Serializable") test(throwable_class());
  if (kOfText.contains(name) && name != "java.lang.CharSequence") {
    any.push_back(is_any_box(build::copy(*value), range));
  }
  if (const std::string client = client_class(tested); !client.empty()) {
    Value flag = build::field(build::cast(build::copy(*value), client, range), client_flag(tested), range);
    any.push_back(build::binary(plato::BinaryOp::kAnd, build::instance_of(build::copy(*value), client, range),
                                std::move(flag), range));
  }
  return build::any_of(std::move(any), range);
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

}  // namespace concord::frontend::java
