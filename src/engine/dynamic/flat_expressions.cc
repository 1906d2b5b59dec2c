#include <algorithm>
#include <utility>

#include "base/overloaded.h"
#include "engine/dynamic/flat_code.h"
#include "plato/classes.h"
#include "plato/copy.h"
#include "plato/walk.h"

namespace concord::engine::dynamic {

using base::Overloaded;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr const char* kMissing = "a reference that may be null";

bool is_division(const Expr& part) {
  const auto* it = std::get_if<BinaryExpr>(&part.node);
  return it != nullptr && (it->op == BinaryOp::kDiv || it->op == BinaryOp::kMod);
}

}  // namespace

// ---- what references mean

std::set<Target> FlatExpressions::targets(const Expr& expr) const {
  if (self_ == 0) return variables_.targets().of(procedure_, expr);
  if (std::holds_alternative<ThisExpr>(expr.node)) return {self_};
  if (const auto* it = std::get_if<NameExpr>(&expr.node); it != nullptr && it->ref.kind == Ref::Kind::kField)
    return variables_.targets().of_field(self_, it->ref.index);
  if (const auto* it = std::get_if<FieldExpr>(&expr.node); it != nullptr && is_reference(expr.type)) {
    std::set<Target> out;
    for (const Target object : targets(*it->object)) {
      if (object == Targets::kNull) continue;
      const std::set<Target> more = variables_.targets().of_field(object, it->index);
      out.insert(more.begin(), more.end());
    }
    return out;
  }
  return variables_.targets().of(procedure_, expr);
}

Target FlatExpressions::only(const Expr& expr) const {
  const std::set<Target> all = targets(expr);
  if (all.contains(Targets::kNull)) throw Refusal{expr.range, kMissing};
  if (all.size() != 1) throw Refusal{expr.range, "a reference to one of several objects"};
  if (*all.begin() < 0) throw Refusal{expr.range, "an object that is made while threads run"};
  return *all.begin();
}

std::optional<Target> FlatExpressions::fixed_array(const Expr& expr) const {
  const std::set<Target> all = targets(expr);
  if (all.size() != 1 || *all.begin() <= 0) return std::nullopt;
  return *all.begin();
}

std::optional<Holder> FlatExpressions::holder(const Expr& expr) const {
  if (const auto* it = std::get_if<NameExpr>(&expr.node)) {
    if (it->ref.kind == Ref::Kind::kShared) return Holder{0, it->ref.index};
    if (it->ref.kind == Ref::Kind::kField && self_ != 0) return Holder{self_, it->ref.index};
    return std::nullopt;
  }
  const auto* field = std::get_if<FieldExpr>(&expr.node);
  if (field == nullptr || field->kind != FieldExpr::Kind::kField) return std::nullopt;
  return Holder{only(*field->object), field->index};
}

// Of an array that is not always the same: a local variable, or what an object has.
std::optional<ArrayMeaning> FlatExpressions::meaning(const Expr& expr) const {
  if (const auto* it = std::get_if<UnaryExpr>(&expr.node)) return meaning(*it->operand);
  if (const int slot = local_slot(expr); slot >= 0) {
    const auto found = meanings.find(slot);
    return found == meanings.end() ? std::nullopt : std::optional(found->second);
  }
  const auto found = holder(expr);
  return found ? std::optional(ArrayMeaning{found, -1}) : std::nullopt;
}

const Local& FlatExpressions::local(int slot) const {
  return variables_.program().procedures[static_cast<std::size_t>(procedure_)].locals[static_cast<std::size_t>(slot)];
}

Home FlatExpressions::home(const Expr& array) {
  check_left_out(array);
  if (const auto fixed = fixed_array(array)) return variables_.array(*fixed);
  if (targets(array).contains(Targets::kNull)) throw Refusal{array.range, kMissing};
  const auto known = meaning(array);
  if (!known) throw Refusal{array.range, "an array that may be one of several"};
  if (known->alias_of) return variables_.growing(*known->alias_of, array.range);
  const std::string& name = local(known->own).name;
  return {name + ".elements", name, 0};
}

ExprPtr FlatExpressions::length(const Expr& array) {
  const Home it = home(array);
  return it.length.empty() ? make_number(it.fixed_length, array.range) : make_name(it.length, array.range);
}

// ---- values

void FlatExpressions::leave_out(const Expr& expr) {
  check_left_out(expr);
  note_reads(expr);
}

// References to objects are not followed where they are assigned (FlatVariables::note_reference).
void FlatExpressions::note_reads(const Expr& expr) {
  if (procedure_ < 0) return;
  for_each_expr(expr, [&](const Expr& part) {
    if (part.type.kind == Type::Kind::kClass) return;
    const auto* name = std::get_if<NameExpr>(&part.node);
    const auto* field = std::get_if<FieldExpr>(&part.node);
    if (name != nullptr && name->ref.kind == Ref::Kind::kShared) variables_.note_left_out({0, name->ref.index});
    if (field == nullptr || field->kind != FieldExpr::Kind::kField) return;
    const Holder holder{only(*field->object), field->index};
    if (!is_reference(part.type)) variables_.field(holder.object, holder.number);
    variables_.note_left_out(holder);
  });
}

void FlatExpressions::check_left_out(const Expr& expr) {
  for_each_expr(expr, [&](const Expr& part) {
    if (is_division(part)) throw Refusal{part.range, "a division here"};
    if (std::holds_alternative<ConditionalExpr>(part.node)) note_reads(part);
    if (const auto* it = std::get_if<UnaryExpr>(&part.node); it != nullptr && it->op == UnaryOp::kNonNull) {
      if (targets(*it->operand).contains(Targets::kNull)) throw Refusal{part.range, kMissing};
    }
    if (const auto* it = std::get_if<FieldExpr>(&part.node); it != nullptr && is_reference(it->object->type)) {
      if (it->object->type.kind == Type::Kind::kClass) only(*it->object);
      if (targets(*it->object).contains(Targets::kNull)) throw Refusal{part.range, kMissing};
    }
    if (const auto* it = std::get_if<CastExpr>(&part.node)) {
      for (const Target object : targets(*it->operand)) {
        const int made = variables_.targets().class_of(object);
        const bool fits =
            object == Targets::kNull || (made >= 0 && is_subclass(variables_.program(), made, it->class_index));
        if (!fits) throw Refusal{part.range, "a cast that may fail"};
      }
    }
    if (const auto* it = std::get_if<IndexExpr>(&part.node); it != nullptr && is_reference(it->base->type))
      throw Refusal{part.range, "an array of objects"};
  });
}

ExprPtr FlatExpressions::lock(const Expr& expr) {
  if (expr.type.kind != Type::Kind::kClass) return value(expr);
  check_left_out(expr);
  return make_name(variables_.monitor(only(expr)), expr.range);
}

// Where it may not be evaluated, nothing may have to be checked.
ExprPtr FlatExpressions::under_condition(const Expr& expr) {
  const bool was = std::exchange(is_conditional_, true);
  ExprPtr out = value(expr);
  is_conditional_ = was;
  return out;
}

ExprPtr FlatExpressions::name(const NameExpr& it, SourceRange range) {
  switch (it.ref.kind) {
    case Ref::Kind::kField: return make_name(variables_.field(self_, it.ref.index), range);
    case Ref::Kind::kMonitorHolder:
    case Ref::Kind::kMonitorDepth: {
      const bool is_holder = it.ref.kind == Ref::Kind::kMonitorHolder;
      return make(FieldExpr{make_name(variables_.monitor(self_), range), is_holder ? "holder" : "depth", false, range},
                  range);
    }
    default: return make(NameExpr{it.name, false, {}, it.is_escaped}, range);
  }
}

ExprPtr FlatExpressions::field(const FieldExpr& it, SourceRange range) {
  switch (it.kind) {
    case FieldExpr::Kind::kLength: return length(*it.object);
    case FieldExpr::Kind::kHolder:
    case FieldExpr::Kind::kDepth: return make(FieldExpr{lock(*it.object), it.field, false, it.field_range}, range);
    default: break;
  }
  check_left_out(*it.object);
  return make_name(variables_.field(only(*it.object), it.index), range);
}

ExprPtr FlatExpressions::element(const IndexExpr& it, SourceRange range) {
  if (it.base->type.kind != Type::Kind::kArray) return make_element(value(*it.base), value(*it.index), range);
  const Home home = this->home(*it.base);
  ExprPtr index = value(*it.index);
  ExprPtr length = home.length.empty() ? make_number(home.fixed_length, range) : make_name(home.length, range);
  ExprPtr inside = make_within(make_number(0, range), *index, std::move(length), range);
  if (is_clause_) {
    defined_.push_back(std::move(inside));
  } else {
    if (is_conditional_) throw Refusal{range, "an element that is looked at under a condition"};
    checks.emplace_back(std::move(inside), range);
  }
  return make_element(make_name(home.elements, range), std::move(index), range);
}

ExprPtr FlatExpressions::compare(const BinaryExpr& it, SourceRange range) {
  leave_out(*it.left), leave_out(*it.right);
  const std::set<Target> left = targets(*it.left);
  const std::set<Target> right = targets(*it.right);
  const bool is_equality = it.op == BinaryOp::kEq;
  std::set<Target> both = left;
  both.insert(right.begin(), right.end());
  if (both.contains(Targets::kAnything)) throw Refusal{range, "a comparison of references"};
  if (both.size() == left.size() + right.size()) return make_truth(!is_equality, range);  // nothing can be both
  if (both.size() == 1 && *both.begin() >= 0) return make_truth(is_equality, range);
  if (it.left->type.kind == Type::Kind::kArray && it.right->type.kind == Type::Kind::kArray) {
    const auto one = meaning(*it.left);
    const auto other = meaning(*it.right);
    // Arrays of different variables are different, if each is in one variable only.
    for (const auto& each : {one, other}) {
      if (each && each->alias_of) variables_.growing(*each->alias_of, range);
    }
    if (one && other) return make_truth((*one == *other) == is_equality, range);
  }
  throw Refusal{range, "a comparison of references"};
}

ExprPtr FlatExpressions::tests_class(const InstanceOf& it, SourceRange range) {
  if (it.class_index < 0) throw Refusal{range, "`instanceof` of a thread"};
  leave_out(*it.thread);
  std::set<bool> answers;
  for (const Target object : targets(*it.thread)) {
    if (object == Targets::kAnything) answers = {false, true};
    const int made = variables_.targets().class_of(object);
    answers.insert(made >= 0 && is_subclass(variables_.program(), made, it.class_index));
  }
  if (answers.size() != 1) throw Refusal{range, "`instanceof` of one of several objects"};
  return make_truth(*answers.begin(), range);
}

ExprPtr FlatExpressions::sum(const SumExpr& it, SourceRange range) {
  SumExpr out;
  out.variable = it.variable;
  std::vector<ExprPtr> outside = std::exchange(defined_, {});
  out.range = value(*it.range);
  outside.insert(outside.end(), std::make_move_iterator(defined_.begin()), std::make_move_iterator(defined_.end()));
  defined_.clear();
  out.body = value(*it.body);
  // For every summand.
  std::vector<ExprPtr> inside = std::exchange(defined_, std::move(outside));
  if (!inside.empty()) {
    QuantifierExpr all;
    all.variables.push_back(it.variable);
    all.body = make_connective(BinaryOp::kImplies, copy(*out.range), make_all(std::move(inside), range), range);
    defined_.push_back(make(std::move(all), range));
  }
  return make(std::move(out), range);
}

ExprPtr FlatExpressions::value(const Expr& expr) {
  const SourceRange range = expr.range;
  if (is_reference(expr.type)) throw Refusal{range, "a reference as a value"};
  if (expr.type.kind != Type::Kind::kMonitor && refers_to_objects(expr.type))
    throw Refusal{range, "sets and maps of objects"};
  const auto same = [&] { return copy(expr); };
  const auto refuse = [&](const char* what) -> ExprPtr { throw Refusal{range, what}; };
  return std::visit(
      Overloaded{
          [&](const NameExpr& it) { return name(it, range); },
          [&](const FieldExpr& it) { return field(it, range); },
          [&](const IndexExpr& it) { return element(it, range); },
          [&](const UnaryExpr& it) {
            return it.op == UnaryOp::kNot ? make_not(value(*it.operand), range)
                                          : make(UnaryExpr{it.op, value(*it.operand)}, range);
          },
          [&](const BinaryExpr& it) {
            if (is_reference(it.left->type) || is_reference(it.right->type)) return compare(it, range);
            ExprPtr left = value(*it.left);
            const bool is_short = it.op == BinaryOp::kAnd || it.op == BinaryOp::kOr || it.op == BinaryOp::kImplies;
            if (!is_short) return make_binary(it.op, std::move(left), value(*it.right), range);
            const bool* known = truth_of(*left);
            const bool is_over = known != nullptr && *known == (it.op == BinaryOp::kOr);
            if (is_over) return make_truth(it.op != BinaryOp::kAnd, range);
            return make_connective(it.op, std::move(left), under_condition(*it.right), range);
          },
          [&](const ConditionalExpr& it) {
            ExprPtr condition = value(*it.condition);
            if (const bool* known = truth_of(*condition)) return value(*known ? *it.then : *it.otherwise);
            ExprPtr then = under_condition(*it.then);
            return make(ConditionalExpr{std::move(condition), std::move(then), under_condition(*it.otherwise)}, range);
          },
          [&](const WrapExpr& it) {
            return make(WrapExpr{value(*it.operand), it.bits, it.is_signed}, range);
          },
          [&](const FloatExpr& it) {
            ExprPtr left = value(*it.left);
            return make(FloatExpr{it.op, std::move(left), it.right ? value(*it.right) : nullptr}, range);
          },
          [&](const QuantifierExpr& it) {
            for (const BoundVariable& one : it.variables) {
              if (refers_to_objects(one.type)) return refuse("a quantifier over objects");
            }
            QuantifierExpr out;
            out.is_forall = it.is_forall;
            out.variables = it.variables;
            std::vector<ExprPtr> outside = std::exchange(defined_, {});
            out.body = under_condition(*it.body);
            if (!defined_.empty()) return refuse("an element in this place of a clause");
            defined_ = std::move(outside);
            return make(std::move(out), range);
          },
          [&](const SumExpr& it) { return sum(it, range); },
          [&](const MapConst& it) { return make(MapConst{value(*it.value)}, range); },
          [&](const MapUpdate& it) {
            ExprPtr map = value(*it.map);
            ExprPtr key = value(*it.key);
            return make(MapUpdate{std::move(map), std::move(key), value(*it.value)}, range);
          },
          [&](const SetLit& it) {
            SetLit out;
            for (const ExprPtr& one : it.elements) out.elements.push_back(value(*one));
            return make(std::move(out), range);
          },
          [&](const SizeExpr& it) { return make(SizeExpr{value(*it.set)}, range); },
          [&](const InstanceOf& it) { return tests_class(it, range); },
          [&](const HoldsExpr& it) { return make(HoldsExpr{lock(*it.lock)}, range); },
          [&](const OldExpr&) { return refuse("`\\old`"); },
          [&](const ShapeExpr&) { return refuse("a shape of the heap"); },
          [&](const CastExpr&) { return refuse("a cast"); },
          [&](const NullLit&) { return same(); },
          [&](const ThisExpr&) { return same(); },
          [&](const ResultExpr&) { return same(); },
          [&](const IntLit&) { return same(); },
          [&](const BoolLit&) { return same(); },
          [&](const FloatLit&) { return same(); },
          [&](const NoneLit&) { return same(); },
          [&](const TidExpr&) { return same(); },
          [&](const ThreadIndex&) { return same(); },
          [&](const Star&) { return same(); },
      },
      expr.node);
}

// ---- clauses

// A truth value of a clause, with what it needs to have one.
ExprPtr FlatExpressions::guarded(const Expr& expr, bool is_positive) {
  std::vector<ExprPtr> outside = std::exchange(defined_, {});
  ExprPtr out;
  const SourceRange range = expr.range;
  const auto* unary = std::get_if<UnaryExpr>(&expr.node);
  const auto* binary = std::get_if<BinaryExpr>(&expr.node);
  const auto* quantifier = std::get_if<QuantifierExpr>(&expr.node);
  const BinaryOp op = binary != nullptr ? binary->op : BinaryOp::kAdd;
  if (unary != nullptr && unary->op == UnaryOp::kNot) {
    out = make_not(guarded(*unary->operand, !is_positive), range);
  } else if (op == BinaryOp::kAnd || op == BinaryOp::kOr || op == BinaryOp::kImplies) {
    ExprPtr left = guarded(*binary->left, op == BinaryOp::kImplies ? !is_positive : is_positive);
    out = make_connective(op, std::move(left), guarded(*binary->right, is_positive), range);
  } else if (quantifier != nullptr) {
    QuantifierExpr made;
    made.is_forall = quantifier->is_forall;
    made.variables = quantifier->variables;
    for (const BoundVariable& one : made.variables) {
      if (refers_to_objects(one.type)) throw Refusal{range, "a quantifier over objects"};
    }
    made.body = guarded(*quantifier->body, is_positive);
    out = make(std::move(made), range);
  } else {
    out = value(expr);
    std::vector<ExprPtr> inside = std::exchange(defined_, {});
    if (!inside.empty()) {
      ExprPtr all = make_all(std::move(inside), range);
      out = make_connective(is_positive ? BinaryOp::kAnd : BinaryOp::kImplies, std::move(all), std::move(out), range);
    }
  }
  if (!defined_.empty()) throw Refusal{range, "an element in this place of a clause"};
  defined_ = std::move(outside);
  return out;
}

ExprPtr FlatExpressions::clause(const Expr& expr, bool is_positive) {
  is_clause_ = true;
  ExprPtr out = guarded(expr, is_positive);
  is_clause_ = false;
  return out;
}

}  // namespace concord::engine::dynamic
