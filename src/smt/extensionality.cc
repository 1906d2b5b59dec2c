#include "smt/extensionality.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace concord::smt {

using formula::Op;
using formula::Sort;
using formula::SortNode;
using formula::Term;

namespace {

bool is_array(Sort sort) { return sort->kind == SortNode::Kind::kArray; }

}  // namespace

std::vector<std::pair<Term, Term>> array_differences(Term formula) {
  std::vector<std::pair<Term, Term>> out;
  std::set<std::pair<Term, bool>> seen;
  std::vector<std::pair<Term, bool>> open{
      {formula, true}};  // true: that it holds may be needed; false: that it does not
  while (!open.empty()) {
    const auto [top, wanted] = open.back();
    open.pop_back();
    if (!seen.emplace(top, wanted).second) continue;
    switch (top->op) {
      case Op::kNot: open.emplace_back(top->args[0], !wanted); break;
      case Op::kImplies:
        open.emplace_back(top->args[0], !wanted);
        open.emplace_back(top->args[1], wanted);
        break;
      case Op::kAnd:
      case Op::kOr:
      case Op::kForall:
      case Op::kExists:
        for (Term it : top->args) open.emplace_back(it, wanted);
        break;
      case Op::kEq:
        if (is_array(top->args[0]->sort)) {
          if (!wanted && !top->has_bound) out.emplace_back(top->args[0], top->args[1]);
          break;
        }
        [[fallthrough]];
      default:
        for (Term it : top->args) {
          open.emplace_back(it, true);
          open.emplace_back(it, false);
        }
    }
  }
  return out;
}

bool compares_arrays_otherwise(Term formula) {
  std::unordered_set<Term> seen;
  std::vector<Term> open{formula};
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (!seen.insert(top).second) continue;
    const auto has_array = [](const std::vector<Term>& terms) {
      return std::any_of(terms.begin(), terms.end(), [](Term it) { return is_array(it->sort); });
    };
    if (is_array(top->sort) && is_array(top->sort->key)) return true;
    if (top->op == Op::kApply && has_array(top->args)) return true;
    if (top->op == Op::kEq && top->has_bound && has_array(top->args)) return true;
    open.insert(open.end(), top->args.begin(), top->args.end());
  }
  return false;
}

}  // namespace concord::smt
