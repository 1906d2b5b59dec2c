#include "engine/dynamic/sums.h"

#include <algorithm>
#include <set>
#include <unordered_set>

namespace concord::engine::dynamic {

using formula::Op;
using formula::Sort;
using formula::Substitution;

namespace {

constexpr std::size_t kMostSums = 60;
constexpr int kRounds = 4;

// Free constants and the variables that something around the term binds, in the order in which they occur.
void find_free(Term term, std::vector<Term>& out, std::unordered_set<Term>& seen) {
  if (!seen.insert(term).second) return;
  if (term->op == Op::kConst || term->op == Op::kBound) {
    out.push_back(term);
    return;
  }
  for (Term it : term->args) find_free(it, out, seen);
}

// Terms share their parts: each is looked at once.
template <typename Wanted>
bool has_part(Term term, const Wanted& is_wanted) {
  std::unordered_set<Term> seen{term};
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (is_wanted(top)) return true;
    for (Term it : top->args) {
      if (seen.insert(it).second) open.push_back(it);
    }
  }
  return false;
}

bool binds(Term term) {
  return has_part(term, [](Term it) { return it->op == Op::kForall || it->op == Op::kExists; });
}

bool mentions(Term term, Term part) {
  return has_part(term, [&](Term it) { return it == part; });
}

void find_sums(Term term, std::vector<Term>& out, std::unordered_set<Term>& seen) {
  if (!seen.insert(term).second) return;
  for (Term it : term->args) find_sums(it, out, seen);
  if (Sums::is_sum(term)) out.push_back(term);
}

}  // namespace

Term Sums::make(Term array, Term low, Term high) { return pool_.apply(kName, {array, low, high}, pool_.integer()); }

Term Sums::sum(Term bound, Term low, Term high, Term body) { return make(array_of(bound, body), low, high); }

// The same summands give the same array, whatever the names in them.
Term Sums::array_of(Term bound, Term body) {
  const Sort sort = pool_.array(pool_.integer(), pool_.integer());
  if (body->op == Op::kSelect && body->args[1] == bound && body->args[0]->sort == sort &&
      !mentions(body->args[0], bound))
    return body->args[0];
  if (binds(body)) throw simulation::Unsupported{{}, "a quantifier, or another sum, in a sum"};
  std::vector<Term> others;
  std::unordered_set<Term> seen{bound};
  find_free(body, others, seen);
  Family made;
  Substitution names{{bound, pool_.constant("summand", pool_.integer())}};
  for (std::size_t i = 0; i < others.size(); ++i) {
    made.others.push_back(
        pool_.constant("in summand " + std::to_string(i) + " " + to_string(others[i]->sort), others[i]->sort));
    names.emplace(others[i], made.others.back());
  }
  made.number = names.at(bound);
  made.body = pool_.substitute(body, names);
  made.name = "summands " + std::to_string(families_.size());
  const auto [found, is_new] = by_body_.emplace(made.body, families_.size());
  if (is_new) families_.push_back(made);
  return pool_.apply(families_[found->second].name, others, sort);
}

const Sums::Family* Sums::family_of(Term array) const {
  if (array->op != Op::kApply) return nullptr;
  const auto found =
      std::find_if(families_.begin(), families_.end(), [&](const Family& it) { return it.name == array->name; });
  return found == families_.end() ? nullptr : &*found;
}

Term Sums::entry(Term array, Term index) {
  const Family* family = family_of(array);
  if (family == nullptr) return pool_.select(array, index);
  Substitution values{{family->number, index}};
  for (std::size_t i = 0; i < family->others.size(); ++i) values.emplace(family->others[i], array->args[i]);
  return pool_.substitute(family->body, values);
}

Term Sums::reordered(Term sum, const Order& order, Term high) {
  const Term k = pool_.bound("k", pool_.integer());
  const Term array = sum->args[0];
  const Term body = entry(array, pool_.apply(order.name, {k}, pool_.integer()));
  const Term out = array_of(k, body);
  for (Family& it : families_) {
    if (out->op != Op::kApply || it.name != out->name || it.order != nullptr) continue;
    it.order = &order;
    Substitution names;
    for (std::size_t i = 0; i < it.others.size(); ++i) names.emplace(out->args[i], it.others[i]);
    it.of = pool_.substitute(array, names);
  }
  return make(out, pool_.number(0), high);
}

// Of one sum by itself.
void Sums::about(Term sum, std::vector<Term>& out) {
  const Term array = sum->args[0];
  const Term low = sum->args[1];
  const Term high = sum->args[2];
  const Term witness = pool_.constant("counts " + std::to_string(sum->id), pool_.integer());
  const Term counts = pool_.ne(entry(array, witness), pool_.number(0));
  out.push_back(
      pool_.or_(pool_.eq(sum, pool_.number(0)), pool_.and_({pool_.le(low, witness), pool_.lt(witness, high), counts})));
  if (array->op == Op::kStore) {
    const Term index = array->args[1];
    const Term in_range = pool_.and_(pool_.le(low, index), pool_.lt(index, high));
    const Term change = pool_.sub(array->args[2], pool_.select(array->args[0], index));
    const Term before = make(array->args[0], low, high);
    out.push_back(pool_.eq(sum, pool_.add(before, pool_.ite(in_range, change, pool_.number(0)))));
  }
  const Family* family = family_of(array);
  if (family == nullptr || family->order == nullptr || low != pool_.number(0)) return;
  Substitution values;
  for (std::size_t i = 0; i < family->others.size(); ++i) values.emplace(family->others[i], array->args[i]);
  const Term plain = pool_.substitute(family->of, values);
  const Term whole = make(plain, low, family->order->count);
  out.push_back(pool_.implies(pool_.eq(high, family->order->count), pool_.eq(sum, whole)));
}

// Of two sums that begin at the same number.
void Sums::about(Term one, Term other, std::vector<Term>& out) {
  const Term low = one->args[1];
  if (other->args[1] != low) return;
  const Term first = one->args[2];
  const Term second = other->args[2];
  if (one->args[0] == other->args[0]) {
    const auto step = [&](Term less, Term more, Term from, Term to) {
      const Term follows = pool_.and_(pool_.eq(to, pool_.add(from, pool_.number(1))), pool_.le(low, from));
      out.push_back(pool_.implies(follows, pool_.eq(more, pool_.add(less, entry(one->args[0], from)))));
    };
    step(one, other, first, second);
    step(other, one, second, first);
    return;
  }
  if (first != second) return;
  const Term witness =
      pool_.constant("differs " + std::to_string(one->id) + " " + std::to_string(other->id), pool_.integer());
  const Term differs = pool_.ne(entry(one->args[0], witness), entry(other->args[0], witness));
  out.push_back(
      pool_.or_(pool_.eq(one, other), pool_.and_({pool_.le(low, witness), pool_.lt(witness, first), differs})));
}

std::vector<Term> Sums::laws(const std::vector<Term>& formulas) {
  std::vector<Term> out;
  std::unordered_set<Term> seen;
  std::vector<Term> sums;
  std::set<std::pair<Term, Term>> related;
  std::size_t looked_at = 0;
  for (Term it : formulas) find_sums(it, sums, seen);
  std::erase_if(sums, [](Term it) { return it->has_bound; });
  for (int round = 0; round < kRounds && looked_at < sums.size() && sums.size() < kMostSums; ++round) {
    const std::size_t from = looked_at;
    looked_at = sums.size();
    std::vector<Term> added;
    for (std::size_t i = from; i < looked_at; ++i) about(sums[i], added);
    for (std::size_t i = 0; i < looked_at; ++i) {
      for (std::size_t j = std::max(from, i + 1); j < looked_at; ++j) {
        if (related.emplace(sums[i], sums[j]).second) about(sums[i], sums[j], added);
      }
    }
    for (Term it : added) find_sums(it, sums, seen);
    std::erase_if(sums, [](Term it) { return it->has_bound; });
    out.insert(out.end(), added.begin(), added.end());
  }
  return out;
}

}  // namespace concord::engine::dynamic
