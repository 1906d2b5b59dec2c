#include "engine/shape/normal.h"

#include <algorithm>
#include <map>

#include "engine/shape/build.h"

namespace concord::engine::shape {

namespace {

bool is_basic(const Formula& formula) {
  switch (formula.kind) {
    case Formula::Kind::kValue:
    case Formula::Kind::kAtom:
    case Formula::Kind::kEqual:
    case Formula::Kind::kClosure: return true;
    default: return false;
  }
}

FormulaPtr pushed(const FormulaPtr& formula, bool is_negated) {
  using Kind = Formula::Kind;
  const auto all = [&](Kind kind) {
    std::vector<FormulaPtr> parts;
    for (const FormulaPtr& it : formula->parts) {
      const FormulaPtr part = pushed(it, is_negated);
      if (part->kind == kind) {
        parts.insert(parts.end(), part->parts.begin(), part->parts.end());
      } else {
        parts.push_back(part);
      }
    }
    return make(kind, {}, std::move(parts));
  };
  switch (formula->kind) {
    case Kind::kNot: return pushed(formula->parts.front(), !is_negated);
    case Kind::kAnd: return all(is_negated ? Kind::kOr : Kind::kAnd);
    case Kind::kOr: return all(is_negated ? Kind::kAnd : Kind::kOr);
    case Kind::kExists:
    case Kind::kForall: {
      const bool is_exists = (formula->kind == Kind::kExists) != is_negated;
      return make(is_exists ? Kind::kExists : Kind::kForall, formula->variables,
                  {pushed(formula->parts.front(), is_negated)});
    }
    case Kind::kIf: {
      const FormulaPtr& test = formula->parts[0];
      const FormulaPtr then = conjunction({test, formula->parts[1]});
      const FormulaPtr otherwise = conjunction({negation(test), formula->parts[2]});
      return pushed(disjunction({then, otherwise}), is_negated);
    }
    case Kind::kValue: return constant(is_negated ? !formula->value : formula->value);
    default: return is_negated ? negation(formula) : formula;
  }
}

void flatten(const FormulaPtr& formula, Conjunction& out) {
  if (formula->kind == Formula::Kind::kExists) {
    out.bound.insert(out.bound.end(), formula->variables.begin(), formula->variables.end());
    return flatten(formula->parts.front(), out);
  }
  if (formula->kind != Formula::Kind::kAnd) return out.parts.push_back(formula);
  for (const FormulaPtr& it : formula->parts) flatten(it, out);
}

FormulaPtr renamed(const FormulaPtr& formula, const std::map<Variable, Variable>& names) {
  auto out = std::make_shared<Formula>(*formula);
  std::map<Variable, Variable> inner = names;
  const bool binds = formula->kind == Formula::Kind::kExists || formula->kind == Formula::Kind::kForall;
  for (std::size_t i = 0; i < out->variables.size(); ++i) {
    const bool is_bound = binds || (formula->kind == Formula::Kind::kClosure && i >= 2);
    if (is_bound) {
      inner.erase(out->variables[i]);
    } else if (const auto found = names.find(out->variables[i]); found != names.end()) {
      out->variables[i] = found->second;
    }
  }
  for (FormulaPtr& it : out->parts) it = renamed(it, inner);
  return out;
}

using Disjuncts = std::vector<std::vector<FormulaPtr>>;

Disjuncts disjuncts_of(const FormulaPtr& formula, int& fresh) {
  switch (formula->kind) {
    case Formula::Kind::kExists:
    case Formula::Kind::kForall: {
      std::map<Variable, Variable> names;
      for (const Variable& it : formula->variables) names.emplace(it, it + "'" + std::to_string(fresh++));
      return disjuncts_of(renamed(formula->parts.front(), names), fresh);
    }
    case Formula::Kind::kOr: {
      Disjuncts out;
      for (const FormulaPtr& it : formula->parts) {
        for (auto& each : disjuncts_of(it, fresh)) out.push_back(std::move(each));
      }
      return out;
    }
    case Formula::Kind::kAnd: {
      Disjuncts out{{}};
      for (const FormulaPtr& it : formula->parts) {
        const Disjuncts next = disjuncts_of(it, fresh);
        Disjuncts product;
        for (const auto& a : out) {
          for (const auto& b : next) {
            product.push_back(a);
            product.back().insert(product.back().end(), b.begin(), b.end());
          }
        }
        out = std::move(product);
      }
      return out;
    }
    default: return {{formula}};
  }
}

}  // namespace

bool is_literal(const Formula& formula) {
  return is_basic(formula) || (formula.kind == Formula::Kind::kNot && is_basic(*formula.parts.front()));
}

FormulaPtr with_inner_negations(const FormulaPtr& formula) { return pushed(formula, false); }

Conjunction conjunction_of(const FormulaPtr& formula) {
  Conjunction out;
  flatten(formula, out);
  return out;
}

std::vector<std::vector<FormulaPtr>> literals_by_disjunct(const FormulaPtr& formula) {
  int fresh = 0;
  return disjuncts_of(with_inner_negations(formula), fresh);
}

}  // namespace concord::engine::shape
