#include "smt/smtlib.h"

#include "smt/postorder.h"
#include "smt/term_text.h"

namespace concord::smt {

using formula::Op;
using formula::Sort;
using formula::SortNode;
using formula::Term;

std::string SmtLib::declare(Term term) {
  std::string out;
  postorder(
      term, [&](Term part) { return declared_.contains(part); },
      [&](Term part) {
        declare_sort(part->sort, out);
        declare_symbol(part, out);
        declare_constant_array(part, out);
        declared_.insert(part);
      });
  return out;
}

namespace {

bool is_value(Term term) {
  const bool is_literal =
      term->op == Op::kTrue || term->op == Op::kFalse || term->op == Op::kNumber || term->op == Op::kEnumConst;
  return is_literal || (term->op == Op::kConstArray && is_value(term->args[0]));
}

}  // namespace

// SMT-LIB knows arrays that have the same value everywhere; of an element that is no value cvc5 does not make one.
void SmtLib::declare_constant_array(Term term, std::string& out) {
  if (term->op != Op::kConstArray || is_value(term) || !free_.of(term).empty()) return;
  out += "(declare-fun " + part_name(term) + " () " + symbols_.sort(term->sort) + ")\n";
  constant_arrays_.insert(term);
  defined_.insert(term);
}

std::string SmtLib::constant_arrays_of(Term formula) {
  std::string out;
  std::unordered_set<Term> seen;
  if (constant_arrays_.empty()) return out;
  postorder(
      formula, [&](Term part) { return seen.contains(part); },
      [&](Term part) {
        seen.insert(part);
        if (!constant_arrays_.contains(part)) return;
        const std::string entry = "(select " + part_name(part) + " key)";
        out += "(assert (forall ((key " + symbols_.sort(part->sort->key) + ")) (! (= " + entry + " " +
               text(part->args[0]) + ") :pattern (" + entry + "))))\n";
      });
  return out;
}

void SmtLib::declare_sort(Sort sort, std::string& out) {
  if (!declared_sorts_.insert(sort).second) return;
  switch (sort->kind) {
    case SortNode::Kind::kBool:
    case SortNode::Kind::kInt: return;
    case SortNode::Kind::kArray:
      declare_sort(sort->key, out);
      declare_sort(sort->value, out);
      return;
    case SortNode::Kind::kUninterpreted: out += "(declare-sort " + symbols_.sort_name(sort) + " 0)\n"; return;
    case SortNode::Kind::kEnum:
      out += "(declare-datatypes ((" + symbols_.sort_name(sort) + " 0)) ((";
      for (std::size_t i = 0; i < sort->constants.size(); ++i) out += "(" + symbols_.enum_const(sort, i) + ")";
      out += ")))\n";
      return;
  }
}

void SmtLib::declare_symbol(Term term, std::string& out) {
  if (term->op != Op::kConst && term->op != Op::kApply) return;
  const std::string& symbol = term->op == Op::kConst ? symbols_.constant(term) : symbols_.function(term);
  if (!declared_symbols_.insert(symbol).second) return;
  out += "(declare-fun " + symbol + " (";
  for (std::size_t i = 0; i < term->args.size(); ++i) out += (i == 0 ? "" : " ") + symbols_.sort(term->args[i]->sort);
  out += ") " + symbols_.sort(term->sort) + ")\n";
}

std::string SmtLib::add(Term formula) {
  std::string out = constant_arrays_of(formula);
  if (sharing_ == Sharing::kDefine) {
    for (Term it : uses_.add(formula, [&](Term part) { return defined_.contains(part); })) {
      if (!free_.of(it).empty()) continue;
      out += "(define-fun " + part_name(it) + " () " + symbols_.sort(it->sort) + " ";
      out += TermText(symbols_, free_, defined_).print(it) + ")\n";
      defined_.insert(it);
    }
  }
  return out + "(assert " + TermText(symbols_, free_, defined_).print(formula) + ")\n";
}

std::string SmtLib::text(Term term) { return TermText(symbols_, free_, constant_arrays_).print(term); }

std::string SmtLib::enum_const(Sort sort, const std::string& symbol) {
  for (std::size_t i = 0; i < sort->constants.size(); ++i) {
    if (symbols_.enum_const(sort, i) == symbol) return sort->constants[i];
  }
  return symbol;
}

std::string script(const std::vector<Term>& formulas, const std::vector<Term>& assumptions) {
  SmtLib smtlib(Sharing::kLet);
  std::string declarations;
  std::string assertions;
  const auto add = [&](const std::vector<Term>& parts) {
    for (Term it : parts) {
      declarations += smtlib.declare(it);
      assertions += smtlib.add(it);
    }
  };
  add(formulas);
  if (!assumptions.empty()) assertions += "; assumptions\n";
  add(assumptions);
  return "(set-logic ALL)\n" + declarations + assertions + "(check-sat)\n";
}

}  // namespace concord::smt
