#include "engine/dynamic/flat_copies.h"

#include <algorithm>
#include <set>
#include <utility>

#include "engine/dynamic/made.h"
#include "plato/copy.h"
#include "plato/walk.h"

namespace concord::engine::dynamic {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr const char* kCopied = ".copied";

const Expr* assigned_value(const Stmt& statement) {
  const Rhs* value = right_side(statement);
  const auto* expr = value == nullptr ? nullptr : std::get_if<ExprPtr>(value);
  return expr == nullptr ? nullptr : expr->get();
}

bool is_number(const Expr& expr, std::int64_t value) {
  const auto* it = std::get_if<IntLit>(&expr.node);
  return it != nullptr && it->value == value;
}

// The same wherever it is evaluated in the loop: a number, or a local variable that the loop does not assign.
bool is_stable(const Expr& expr, const std::set<int>& assigned) {
  if (std::holds_alternative<IntLit>(expr.node)) return true;
  const int slot = local_slot(expr);
  return slot >= 0 && !assigned.contains(slot);
}

// i, or first + i: then `first`.
bool is_index(const Expr& expr, int slot, const std::set<int>& assigned, const Expr*& first) {
  if (local_slot(expr) == slot) return true;
  const auto* sum = std::get_if<BinaryExpr>(&expr.node);
  if (sum == nullptr || sum->op != BinaryOp::kAdd || local_slot(*sum->right) != slot) return false;
  first = sum->left.get();
  return is_stable(*first, assigned);
}

// i + 1; it may wrap around, but not below the end.
bool is_next(const Expr& expr, int slot, const Expr& end) {
  const auto* wrap = std::get_if<WrapExpr>(&expr.node);
  const bool is_small = end.type.values && end.type.values->high <= INT32_MAX;
  if (wrap != nullptr && (!wrap->is_signed || wrap->bits < 32 || !is_small)) return false;
  const Expr& inner = wrap != nullptr ? *wrap->operand : expr;
  const auto* sum = std::get_if<BinaryExpr>(&inner.node);
  return sum != nullptr && sum->op == BinaryOp::kAdd && local_slot(*sum->left) == slot && is_number(*sum->right, 1);
}

void find_plain(const Stmt& statement, std::vector<const Stmt*>& out) {
  const auto* block = std::get_if<Block>(&statement.node);
  if (block == nullptr) return out.push_back(&statement);
  for (const StmtPtr& it : block->statements) find_plain(*it, out);
}

}  // namespace

std::optional<CopyLoop> copy_loop(const Stmt& statement) {
  const auto* loop = std::get_if<While>(&statement.node);
  if (loop == nullptr) return std::nullopt;
  std::vector<const Stmt*> body;
  find_plain(*loop->body, body);
  const auto* less = std::get_if<BinaryExpr>(&loop->condition->node);
  if (body.size() != 3 || less == nullptr || less->op != BinaryOp::kLt) return std::nullopt;
  if (std::any_of(body.begin(), body.end(), [](const Stmt* it) { return !it->sets.empty(); })) return std::nullopt;
  const int slot = local_slot(*less->left);
  const auto* read = std::get_if<LocalDecl>(&body[0]->node);
  const auto* write = std::get_if<Assign>(&body[1]->node);
  const auto* step = std::get_if<Assign>(&body[2]->node);
  if (slot < 0 || read == nullptr || write == nullptr || step == nullptr) return std::nullopt;
  const Expr* read_value = assigned_value(*body[0]);
  const Expr* written = assigned_value(*body[1]);
  const Expr* next = assigned_value(*body[2]);
  if (read_value == nullptr || written == nullptr || next == nullptr) return std::nullopt;
  const auto* from = std::get_if<IndexExpr>(&read_value->node);
  const auto* to = std::get_if<IndexExpr>(&write->target->node);
  const bool is_copy = from != nullptr && to != nullptr && local_slot(*from->base) >= 0 && local_slot(*to->base) >= 0 &&
                       local_slot(*written) == read->slot && local_slot(*step->target) == slot &&
                       is_next(*next, slot, *less->right);
  const std::set<int> assigned{slot, read->slot};
  CopyLoop out;
  if (!is_copy || !is_stable(*less->right, assigned)) return std::nullopt;
  if (!is_index(*from->index, slot, assigned, out.from_first) || !is_index(*to->index, slot, assigned, out.to_first))
    return std::nullopt;
  out.index = less->left.get();
  out.end = less->right.get();
  out.from = from->base.get();
  out.to = to->base.get();
  return out;
}

std::vector<StmtPtr> copy_at_once(const CopyLoop& loop, const Home& from, const Home& to,
                                  const std::function<ExprPtr(const Expr&)>& value, SourceRange at) {
  const auto offset = [&](const Expr* first) { return first == nullptr ? make_number(0, at) : value(*first); };
  const auto index = [&] { return value(*loop.index); };
  const auto end = [&] { return value(*loop.end); };
  const auto sum = [&](ExprPtr a, ExprPtr b) { return make_binary(BinaryOp::kAdd, std::move(a), std::move(b), at); };
  const auto at_most = [&](ExprPtr a, ExprPtr b) { return make_binary(BinaryOp::kLe, std::move(a), std::move(b), at); };
  const auto length = [&](const Home& it) {
    return it.length.empty() ? make_number(it.fixed_length, at) : make_name(it.length, at);
  };
  std::vector<StmtPtr> out;
  // All that is read and written is there, if anything is.
  std::vector<ExprPtr> inside;
  const auto fits = [&](const Expr* first, const Home& home) {
    inside.push_back(at_most(make_number(0, at), sum(offset(first), index())));
    inside.push_back(at_most(sum(offset(first), end()), length(home)));
  };
  fits(loop.from_first, from), fits(loop.to_first, to);
  out.push_back(
      make_assert(make_connective(BinaryOp::kOr, at_most(end(), index()), make_all(std::move(inside), at), at),
                  "array-bounds", at));
  // Every element is what was there, or what was copied.
  const std::string copied = to.elements + kCopied;
  const std::string k = "k.copied";
  const auto number = [&] { return make_name(k, at); };
  const auto minus = [&](ExprPtr a, ExprPtr b) { return make_binary(BinaryOp::kSub, std::move(a), std::move(b), at); };
  ExprPtr is_copied = make_connective(BinaryOp::kAnd, at_most(sum(offset(loop.to_first), index()), number()),
                                      make_binary(BinaryOp::kLt, number(), sum(offset(loop.to_first), end()), at), at);
  ExprPtr source = make_element(make_name(from.elements, at),
                                sum(minus(number(), offset(loop.to_first)), offset(loop.from_first)), at);
  ExprPtr kept = make_element(make_name(to.elements, at), number(), at);
  QuantifierExpr all;
  all.variables.push_back({k, type_of_kind(Type::Kind::kInt), at});
  all.body = make_binary(BinaryOp::kEq, make_element(make_name(copied, at), number(), at),
                         make(ConditionalExpr{std::move(is_copied), std::move(source), std::move(kept)}, at), at);
  out.push_back(make_local(copied, type_of_elements(*loop.to->type.first), nullptr, at));
  out.push_back(make_statement(Skip{}, at));  // it gets any value: choose_copies
  Assume definition{make(std::move(all), at)};
  definition.is_definition = true;
  out.push_back(make_statement(std::move(definition), at));
  out.push_back(make_assignment(make_name(to.elements, at), make_name(copied, at), at));
  ExprPtr goes_on = make_binary(BinaryOp::kLt, index(), end(), at);
  out.push_back(make_assignment(index(), make(ConditionalExpr{std::move(goes_on), end(), index()}, at), at));
  return out;
}

// Where a copy is declared and nothing is done behind it.
void choose_copies(const Stmt& body) {
  for_each_stmt(body, [](const Stmt& inner) {
    const auto* block = std::get_if<Block>(&inner.node);
    for (std::size_t i = 0; block != nullptr && i + 1 < block->statements.size(); ++i) {
      const auto* made = std::get_if<LocalDecl>(&block->statements[i]->node);
      if (made == nullptr || !made->name.ends_with(kCopied)) continue;
      ExprPtr target = make_name(made->name, block->statements[i]->range);
      std::get<NameExpr>(target->node).ref = {Ref::Kind::kLocal, made->slot};
      target->type = made->type;
      Havoc any;
      any.targets.push_back(std::move(target));
      block->statements[i + 1]->node = std::move(any);
    }
  });
}

}  // namespace concord::engine::dynamic
