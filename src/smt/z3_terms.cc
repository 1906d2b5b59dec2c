#include "smt/z3_terms.h"

#include <z3.h>

#include "base/check.h"
#include "smt/postorder.h"

namespace concord::smt {

using formula::Op;
using formula::Sort;
using formula::SortNode;
using formula::Term;

z3::expr Z3Terms::translate(Term term) {
  postorder(
      term, [&](Term part) { return terms_.contains(part); },
      [&](Term part) { terms_.emplace(part, translate_node(part)); });
  return terms_.at(term);
}

// Z3 reports an error through the context, and only to those who ask.
z3::expr Z3Terms::checked(Z3_ast ast) {
  context_.check_error();
  return {context_, ast};
}

z3::sort Z3Terms::sort_of(Sort sort) {
  const auto found = sorts_.find(sort);
  if (found != sorts_.end()) return found->second;
  const auto made = [&]() -> z3::sort {
    switch (sort->kind) {
      case SortNode::Kind::kBool: return context_.bool_sort();
      case SortNode::Kind::kInt: return context_.int_sort();
      case SortNode::Kind::kUninterpreted: return context_.uninterpreted_sort(sort->name.c_str());
      case SortNode::Kind::kEnum: return enumeration(sort);
      case SortNode::Kind::kArray: return context_.array_sort(sort_of(sort->key), sort_of(sort->value));
    }
    base::internal_error(__FILE__, __LINE__, "unknown sort");
  };
  return sorts_.emplace(sort, made()).first->second;
}

z3::sort Z3Terms::enumeration(Sort sort) {
  std::vector<const char*> names;
  names.reserve(sort->constants.size());
  for (const std::string& name : sort->constants) names.push_back(name.c_str());
  z3::func_decl_vector constants(context_);
  z3::func_decl_vector testers(context_);
  const z3::sort made = context_.enumeration_sort(sort->name.c_str(), static_cast<unsigned>(names.size()), names.data(),
                                                  constants, testers);
  Enumeration& known = enumerations_[sort];
  for (unsigned i = 0; i < constants.size(); ++i) known.constants.push_back(constants[static_cast<int>(i)]);
  return made;
}

z3::expr Z3Terms::translate_node(Term term) {
  std::vector<Z3_ast> args;
  args.reserve(term->args.size());
  for (Term it : term->args) args.push_back(terms_.at(it));
  const auto count = static_cast<unsigned>(args.size());
  switch (term->op) {
    case Op::kTrue: return context_.bool_val(true);
    case Op::kFalse: return context_.bool_val(false);
    case Op::kNumber: return context_.int_val(term->number);
    case Op::kEnumConst:
      sort_of(term->sort);
      return enumerations_.at(term->sort).constants[static_cast<std::size_t>(term->number)]();
    case Op::kConst: return context_.constant(term->name.c_str(), sort_of(term->sort));
    // A numbered symbol differs from every named one, so no constant is captured, whatever it is called.
    case Op::kBound: return context_.constant(context_.int_symbol(static_cast<int>(term->id)), sort_of(term->sort));
    case Op::kApply: return apply(term, args);
    case Op::kNot: return checked(Z3_mk_not(context_, args[0]));
    case Op::kAnd: return checked(Z3_mk_and(context_, count, args.data()));
    case Op::kOr: return checked(Z3_mk_or(context_, count, args.data()));
    case Op::kImplies: return checked(Z3_mk_implies(context_, args[0], args[1]));
    case Op::kIte: return checked(Z3_mk_ite(context_, args[0], args[1], args[2]));
    case Op::kEq: return checked(Z3_mk_eq(context_, args[0], args[1]));
    case Op::kAdd: return checked(Z3_mk_add(context_, count, args.data()));
    case Op::kSub: return checked(Z3_mk_sub(context_, count, args.data()));
    case Op::kMul: return checked(Z3_mk_mul(context_, count, args.data()));
    case Op::kNeg: return checked(Z3_mk_unary_minus(context_, args[0]));
    case Op::kDiv: return checked(Z3_mk_div(context_, args[0], args[1]));
    case Op::kMod: return checked(Z3_mk_mod(context_, args[0], args[1]));
    case Op::kLe: return checked(Z3_mk_le(context_, args[0], args[1]));
    case Op::kLt: return checked(Z3_mk_lt(context_, args[0], args[1]));
    case Op::kSelect: return checked(Z3_mk_select(context_, args[0], args[1]));
    case Op::kStore: return checked(Z3_mk_store(context_, args[0], args[1], args[2]));
    case Op::kConstArray: return checked(Z3_mk_const_array(context_, sort_of(term->sort->key), args[0]));
    case Op::kForall:
    case Op::kExists: return quantifier(term);
  }
  base::internal_error(__FILE__, __LINE__, "unknown operator");
}

z3::expr Z3Terms::apply(Term term, const std::vector<Z3_ast>& args) {
  z3::sort_vector domain(context_);
  for (Term it : term->args) domain.push_back(sort_of(it->sort));
  const z3::func_decl function = context_.function(term->name.c_str(), domain, sort_of(term->sort));
  return checked(Z3_mk_app(context_, function, static_cast<unsigned>(args.size()), args.data()));
}

z3::expr Z3Terms::quantifier(Term term) {
  std::vector<Z3_app> bound;
  for (Term it : term->bound) bound.push_back(Z3_to_app(context_, terms_.at(it)));
  // A pattern that nobody holds is freed by the next call.
  std::vector<z3::ast> holders;
  std::vector<Z3_pattern> patterns;
  for (const auto& pattern : term->patterns) {
    std::vector<Z3_ast> parts;
    parts.reserve(pattern.size());
    for (Term it : pattern) parts.push_back(terms_.at(it));
    const Z3_pattern made = Z3_mk_pattern(context_, static_cast<unsigned>(parts.size()), parts.data());
    context_.check_error();
    holders.emplace_back(context_, Z3_pattern_to_ast(context_, made));
    patterns.push_back(made);
  }
  constexpr unsigned kWeight = 1;
  return checked(Z3_mk_quantifier_const(context_, term->op == Op::kForall, kWeight, static_cast<unsigned>(bound.size()),
                                        bound.data(), static_cast<unsigned>(patterns.size()), patterns.data(),
                                        terms_.at(term->args[0])));
}

}  // namespace concord::smt
