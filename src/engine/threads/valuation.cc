#include "engine/threads/valuation.h"

#include <algorithm>
#include <charconv>
#include <string>

namespace concord::engine::threads {

using formula::Op;
using formula::Term;

namespace {

// Beyond it the solver is asked for the whole: numbers in models are seldom that large.
constexpr std::int64_t kMost = std::int64_t{1} << 31;
struct TooLarge {};

std::int64_t small(std::int64_t number) {
  if (number > kMost || number < -kMost) throw TooLarge{};
  return number;
}

bool is_number(Term term) { return term->sort->kind == formula::SortNode::Kind::kInt; }

}  // namespace

bool Valuation::holds(Term formula) {
  if (const auto found = truths_.find(formula); found != truths_.end()) return found->second;
  bool out = false;
  try {
    out = work_out(formula);
  } catch (const TooLarge&) { out = solver_.is_true(formula); }
  truths_[formula] = out;
  return out;
}

bool Valuation::work_out(Term formula) {
  const std::vector<Term>& args = formula->args;
  const auto is_true = [&](Term it) { return holds(it); };
  switch (formula->op) {
    case Op::kTrue: return true;
    case Op::kFalse: return false;
    case Op::kNot: return !holds(args[0]);
    case Op::kAnd: return std::all_of(args.begin(), args.end(), is_true);
    case Op::kOr: return std::any_of(args.begin(), args.end(), is_true);
    case Op::kImplies: return !holds(args[0]) || holds(args[1]);
    case Op::kLe: return number(args[0]) <= number(args[1]);
    case Op::kLt: return number(args[0]) < number(args[1]);
    case Op::kEq:
      if (is_number(args[0])) return number(args[0]) == number(args[1]);
      if (args[0]->sort->kind == formula::SortNode::Kind::kBool) return holds(args[0]) == holds(args[1]);
      break;
    default: break;
  }
  return solver_.is_true(formula);
}

std::int64_t Valuation::number(Term term) {
  if (const auto found = numbers_.find(term); found != numbers_.end()) return found->second;
  const std::vector<Term>& args = term->args;
  std::int64_t out = 0;
  switch (term->op) {
    case Op::kNumber: out = small(term->number); break;
    case Op::kAdd:
      for (Term it : args) out = small(out + number(it));
      break;
    case Op::kSub: out = small(number(args[0]) - number(args[1])); break;
    case Op::kMul: out = small(number(args[0]) * number(args[1])); break;
    case Op::kNeg: out = -number(args[0]); break;
    case Op::kIte: out = number(holds(args[0]) ? args[1] : args[2]); break;
    default: {
      const std::string text = solver_.value(term);
      const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
      if (error != std::errc() || end != text.data() + text.size()) throw TooLarge{};
      out = small(out);
    }
  }
  numbers_[term] = out;
  return out;
}

}  // namespace concord::engine::threads
