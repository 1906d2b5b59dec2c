#include "sequential/arithmetic.h"

#include <algorithm>
#include <unordered_set>

namespace concord::sequential {

namespace {

using formula::Op;
using formula::Pool;

// Remainders by numbers up to this are no trouble.
constexpr std::int64_t kSmall = 256;

bool is_number(Term term) { return term->op == Op::kNumber; }

bool is_slow(Term term) {
  if (term->has_bound) return false;
  switch (term->op) {
    case Op::kMul: return !is_number(term->args[0]) && !is_number(term->args[1]);
    case Op::kDiv:
    case Op::kMod: return !is_number(term->args[0]) && (!is_number(term->args[1]) || term->args[1]->number > kSmall);
    default: return false;
  }
}

// In the order in which they were made, so each after those in it.
std::vector<Term> slow_terms(const Passive& passive) {
  std::vector<Term> out;
  std::unordered_set<Term> seen;
  std::vector<Term> open;
  for (const Item& it : passive.items) {
    open.push_back(it.kind == Item::Kind::kFormula ? it.formula : it.claim.claim);
    open.insert(open.end(), it.claim.shown.begin(), it.claim.shown.end());
  }
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (top == nullptr || !seen.insert(top).second) continue;
    if (is_slow(top)) out.push_back(top);
    open.insert(open.end(), top->args.begin(), top->args.end());
  }
  std::sort(out.begin(), out.end(), [](Term a, Term b) { return a->id < b->id; });
  return out;
}

// Division is that of SMT-LIB: the remainder is never negative.
Term bounds_of(Pool& pool, Op op, Term name, Term a, Term b) {
  const Term zero = pool.number(0);
  const Term positive = pool.lt(zero, b);
  const auto between = [&](Term low, Term it, Term high) { return pool.and_(pool.le(low, it), pool.lt(it, high)); };
  std::vector<Term> out;
  switch (op) {
    case Op::kMod:
      out = {between(zero, name, b), pool.implies(between(zero, a, b), pool.eq(name, a)),
             pool.implies(between(b, a, pool.add(b, b)), pool.eq(name, pool.sub(a, b))),
             pool.implies(between(pool.neg(b), a, zero), pool.eq(name, pool.add(a, b)))};
      break;
    case Op::kDiv:
      out = {pool.implies(pool.le(zero, a), pool.and_(pool.le(zero, name), pool.le(name, a))),
             pool.implies(pool.lt(a, zero), pool.and_(pool.le(a, name), pool.lt(name, zero))),
             pool.implies(between(zero, a, b), pool.eq(name, zero))};
      break;
    default: return pool.truth(true);
  }
  return pool.implies(positive, pool.and_(out));
}

}  // namespace

std::vector<Term> Arithmetic::names_in(Term formula) const {
  std::vector<Term> out;
  for (Term it : formula::constants_of(formula)) {
    if (named.contains(it)) out.push_back(it);
  }
  return out;
}

Arithmetic set_aside(Pool& pool, Passive& passive) {
  Arithmetic out;
  formula::Substitution by;
  for (Term it : slow_terms(passive)) {
    const Term a = pool.substitute(it->args[0], by);
    const Term b = pool.substitute(it->args[1], by);
    const Term same = it->op == Op::kMul ? pool.mul(a, b) : it->op == Op::kDiv ? pool.div(a, b) : pool.mod(a, b);
    const Term name = pool.fresh("number", it->sort);
    Arithmetic::Named made{bounds_of(pool, it->op, name, a, b), pool.eq(name, same), out.names_in(same)};
    by[it] = name;
    passive.values.insert(name);
    out.named.emplace(name, std::move(made));
  }
  if (by.empty()) return out;
  for (Item& it : passive.items) {
    if (it.kind == Item::Kind::kFormula) {
      it.formula = pool.substitute(it.formula, by);
      continue;
    }
    if (it.claim.claim != nullptr) it.claim.claim = pool.substitute(it.claim.claim, by);
    for (Term& shown : it.claim.shown) shown = pool.substitute(shown, by);
  }
  return out;
}

}  // namespace concord::sequential
