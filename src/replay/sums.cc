#include "replay/sums.h"

#include <unordered_set>

namespace concord::replay {

using formula::Op;
using formula::Substitution;

namespace {

constexpr std::size_t kMostSums = 40;
constexpr int kRounds = 4;

bool mentions(Term term, Term part) {
  std::unordered_set<Term> seen{term};
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (top == part) return true;
    for (Term it : top->args) {
      if (seen.insert(it).second) open.push_back(it);
    }
  }
  return false;
}

// The largest parts without the number, each once; literals stay what they are.
void find_others(Term term, Term number, std::vector<Term>& out, std::unordered_set<Term>& seen) {
  if (!seen.insert(term).second || term == number) return;
  const bool is_literal =
      term->op == Op::kNumber || term->op == Op::kTrue || term->op == Op::kFalse || term->op == Op::kEnumConst;
  if (is_literal) return;
  if (!mentions(term, number)) {
    out.push_back(term);
    return;
  }
  for (Term it : term->args) find_others(it, number, out, seen);
}

void find_sums(Term term, std::vector<Term>& out, std::unordered_set<Term>& seen) {
  if (!seen.insert(term).second) return;
  for (Term it : term->args) find_sums(it, out, seen);
  const bool is_sum = term->op == Op::kApply && term->name.starts_with("sum ");
  if (is_sum && !term->has_bound) out.push_back(term);
}

}  // namespace

const char* name(Law law) {
  switch (law) {
    case Law::kPermutation: return "PERMUTATION";
    case Law::kInterplay: return "INTERPLAY";
    case Law::kSumEmpty: return "SUM-EMPTY";
    case Law::kSumNext: return "SUM-NEXT";
    case Law::kSumChange: return "SUM-CHANGE";
    case Law::kSumReorder: return "SUM-REORDER";
  }
  return "";
}

Term Sums::sum(Term bound, Term low, Term high, Term body) {
  std::vector<Term> others;
  std::unordered_set<Term> seen;
  find_others(body, bound, others, seen);
  Family made;
  made.bound = pool_.constant("the number", pool_.integer());
  Substitution names{{bound, made.bound}};
  for (std::size_t i = 0; i < others.size(); ++i) {
    made.parameters.push_back(
        pool_.constant("part " + std::to_string(i) + " " + to_string(others[i]->sort), others[i]->sort));
    names.emplace(others[i], made.parameters.back());
  }
  made.body = pool_.substitute(body, names);
  const auto [found, is_new] = by_body_.emplace(made.body, families_.size());
  const std::string name = "sum " + std::to_string(found->second);
  if (is_new) {
    for (std::size_t p = 0; p < permutations_.size(); ++p) {
      const Term at = pool_.apply(permutations_[p].at, {made.bound}, pool_.integer());
      const Term without = pool_.substitute(made.body, {{at, pool_.number(0)}});
      if (without != made.body && !mentions(without, made.bound)) made.reorders = static_cast<int>(p);
    }
    families_.push_back(made);
    by_name_.emplace(name, found->second);
  }
  std::vector<Term> arguments{low, high};
  arguments.insert(arguments.end(), others.begin(), others.end());
  return pool_.apply(name, arguments, pool_.integer());
}

const Sums::Family* Sums::family_of(Term sum) const {
  const auto found = by_name_.find(sum->name);
  return found == by_name_.end() ? nullptr : &families_[found->second];
}

Term Sums::instance(const Family& family, Term sum, Term body) const {
  Substitution values;
  for (std::size_t i = 0; i < family.parameters.size(); ++i) values.emplace(family.parameters[i], sum->args[i + 2]);
  return pool_.substitute(body, values);
}

Term Sums::summand(Term sum, Term at) const {
  const Family& family = *family_of(sum);
  return instance(family, sum, pool_.substitute(family.body, {{family.bound, at}}));
}

void Sums::one(Term sum, const std::set<Law>& used, std::vector<Term>& out) {
  const Family family = *family_of(sum);
  const Term low = sum->args[0];
  const Term high = sum->args[1];
  const Term zero = pool_.number(0);
  if (used.contains(Law::kSumEmpty)) {
    const Term some = pool_.constant("not zero " + std::to_string(sum->id), pool_.integer());
    const Term is_there = pool_.and_(pool_.le(low, some), pool_.lt(some, high));
    out.push_back(pool_.or_(pool_.eq(sum, zero), pool_.and_(is_there, pool_.ne(summand(sum, some), zero))));
  }
  if (used.contains(Law::kSumReorder) && family.reorders >= 0) {
    const Permutation& order = permutations_[static_cast<std::size_t>(family.reorders)];
    const Term at = pool_.apply(order.at, {family.bound}, pool_.integer());
    const Term k = pool_.bound("k", pool_.integer());
    const Term body = instance(family, sum, pool_.substitute(family.body, {{at, k}}));
    const Term plain = this->sum(k, zero, order.count, body);
    const Term is_whole = pool_.and_(pool_.eq(low, zero), pool_.eq(high, order.count));
    out.push_back(pool_.implies(is_whole, pool_.eq(sum, plain)));
  }
  if (!used.contains(Law::kSumChange)) return;
  for (std::size_t i = 2; i < sum->args.size(); ++i) {
    const Term part = sum->args[i];
    if (part->op != Op::kStore) continue;
    std::vector<Term> arguments = sum->args;
    arguments[i] = part->args[0];
    const Term before = pool_.apply(sum->name, arguments, pool_.integer());
    if (part->args[1]->sort == pool_.integer()) changed(sum, before, part->args[1], out);
  }
}

// Two sums over the same numbers whose summands are the same everywhere else: their difference is that of the summands there.
void Sums::changed(Term first, Term second, Term at, std::vector<Term>& out) {
  const Term low = first->args[0];
  const Term high = first->args[1];
  const auto in_range = [&](Term k) { return pool_.and_(pool_.le(low, k), pool_.lt(k, high)); };
  const Term elsewhere = pool_.constant("differs " + std::to_string(first->id) + " " + std::to_string(second->id) +
                                            (at == nullptr ? "" : " " + std::to_string(at->id)),
                                        pool_.integer());
  std::vector<Term> differs{in_range(elsewhere), pool_.ne(summand(first, elsewhere), summand(second, elsewhere))};
  Term change = pool_.number(0);
  if (at != nullptr) {
    differs.push_back(pool_.ne(elsewhere, at));
    change = pool_.ite(in_range(at), pool_.sub(summand(first, at), summand(second, at)), change);
  }
  out.push_back(pool_.or_(pool_.and_(differs), pool_.eq(first, pool_.add(second, change))));
}

void Sums::two(Term first, Term second, const std::set<Law>& used, std::vector<Term>& out) {
  if (first->args[0] != second->args[0]) return;
  const bool is_same =
      first->name == second->name && std::vector<Term>(first->args.begin() + 2, first->args.end()) ==
                                         std::vector<Term>(second->args.begin() + 2, second->args.end());
  const auto next = [&](Term less, Term more) {
    const Term from = less->args[1];
    const Term is_next =
        pool_.and_(pool_.eq(more->args[1], pool_.add(from, pool_.number(1))), pool_.le(less->args[0], from));
    out.push_back(pool_.implies(is_next, pool_.eq(more, pool_.add(less, summand(less, from)))));
  };
  if (is_same && used.contains(Law::kSumNext)) next(first, second), next(second, first);
  if (!is_same && first->args[1] == second->args[1] && used.contains(Law::kSumChange))
    changed(first, second, nullptr, out);
}

std::vector<Term> Sums::laws(const std::vector<Term>& formulas, const std::set<Law>& used) {
  std::vector<Term> out;
  std::vector<Term> sums;
  std::unordered_set<Term> seen;
  for (Term it : formulas) find_sums(it, sums, seen);
  std::size_t known = 0;
  for (int round = 0; round < kRounds && known < sums.size() && sums.size() < kMostSums; ++round) {
    const std::size_t from = known;
    known = sums.size();
    std::vector<Term> added;
    for (std::size_t i = from; i < known; ++i) one(sums[i], used, added);
    for (std::size_t i = 0; i < known; ++i) {
      for (std::size_t j = std::max(from, i + 1); j < known; ++j) two(sums[i], sums[j], used, added);
    }
    for (Term it : added) find_sums(it, sums, seen);
    out.insert(out.end(), added.begin(), added.end());
  }
  return out;
}

}  // namespace concord::replay
