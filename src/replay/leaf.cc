#include "replay/leaf.h"

#include <algorithm>
#include <unordered_set>

namespace concord::replay {

using formula::Op;
using formula::SortNode;
using formula::Substitution;

namespace {

constexpr std::size_t kMostNumbers = 48;
constexpr std::size_t kMostInstances = 4000;
constexpr int kRounds = 3;

template <typename Visit>
void for_each_part(const std::vector<Term>& terms, const Visit& visit) {
  std::unordered_set<Term> seen;
  std::vector<Term> open(terms.rbegin(), terms.rend());
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (!seen.insert(top).second) continue;
    visit(top);
    open.insert(open.end(), top->args.rbegin(), top->args.rend());
  }
}

}  // namespace

// What is said without quantifiers, under a condition.
void Leaves::say(Term formula, Term when) {
  const Term out = pool().implies(when, formula);
  if (out != pool().truth(true)) plain_.push_back(out);
}

// The formula is true (or false) wherever `when` holds.
void Leaves::know(Term formula, bool is_true, Term when) {
  if (!formula->has_quantifier) return say(is_true ? formula : pool().not_(formula), when);
  const auto& args = formula->args;
  switch (formula->op) {
    case Op::kNot: return know(args[0], !is_true, when);
    case Op::kAnd:
      if (!is_true) break;
      for (Term it : args) know(it, true, when);
      return;
    case Op::kOr:
      if (is_true) break;
      for (Term it : args) know(it, false, when);
      return;
    case Op::kImplies:
      if (is_true) break;
      know(args[0], true, when);
      return know(args[1], false, when);
    case Op::kForall:
    case Op::kExists:
      if ((formula->op == Op::kForall) != is_true) return name_value(formula, is_true, when);
      universals_.push_back({when, formula, !is_true});
      return;
    default: break;
  }
  say(flat(formula, is_true), when);
}

// A formula without quantifiers that follows from the formula (or its negation). What is quantified in it gets a name, and what the name
// says is known on its own.
Term Leaves::flat(Term formula, bool is_true) {
  if (!formula->has_quantifier) return is_true ? formula : pool().not_(formula);
  const auto& args = formula->args;
  std::vector<Term> parts;
  switch (formula->op) {
    case Op::kNot: return flat(args[0], !is_true);
    case Op::kAnd:
    case Op::kOr:
      for (Term it : args) parts.push_back(flat(it, is_true));
      return (formula->op == Op::kAnd) == is_true ? pool().and_(parts) : pool().or_(parts);
    case Op::kImplies:
      parts = {flat(args[0], !is_true), flat(args[1], is_true)};
      return is_true ? pool().or_(parts) : pool().and_(parts);
    case Op::kIte:
      return pool().and_(pool().or_(flat(args[0], false), flat(args[1], is_true)),
                         pool().or_(flat(args[0], true), flat(args[2], is_true)));
    case Op::kEq:
      if (args[0]->sort != pool().boolean()) return pool().truth(true);
      return pool().and_(pool().or_(flat(args[0], false), flat(args[1], is_true)),
                         pool().or_(flat(args[0], true), flat(args[1], !is_true)));
    case Op::kForall:
    case Op::kExists: {
      const Term name = pool().constant((is_true ? "true " : "false ") + std::to_string(formula->id), pool().boolean());
      if (named_.insert(name).second) know(formula, is_true, name);
      return name;
    }
    default: return pool().truth(true);  // nothing is said of it
  }
}

void Leaves::name_value(Term quantifier, bool is_true, Term when) {
  Substitution names;
  for (Term it : quantifier->bound) {
    const Term name = pool().fresh("some " + it->name, it->sort);
    names.emplace(it, name);
    if (name->sort == pool().integer()) add_number(name);
  }
  know(pool().substitute(quantifier->args[0], names), is_true, when);
}

void Leaves::add_number(Term number) {
  const bool is_new = !number->has_bound && number->sort == pool().integer() &&
                      std::find(numbers_.begin(), numbers_.end(), number) == numbers_.end();
  if (is_new && numbers_.size() < kMostNumbers) numbers_.push_back(number);
}

// Numbers that something is looked up by.
void Leaves::find_numbers(Term term) {
  for_each_part({term}, [&](Term it) {
    if (it->op == Op::kSelect || it->op == Op::kStore) add_number(it->args[1]);
    if (it->op == Op::kApply && it->args.size() == 1) add_number(it->args[0]);
  });
}

// Of a number with a name of its own: who is at that place, and where that thread is.
void Leaves::find_neighbours() {
  const std::vector<Term> known = numbers_;
  for (Term it : known) {
    if (it->op != Op::kConst || !it->name.starts_with("some ")) continue;
    for (const Permutation& order : terms_.sums().permutations()) {
      add_number(pool().apply(order.place, {it}, pool().integer()));
      add_number(pool().apply(order.at, {it}, pool().integer()));
    }
  }
}

std::vector<Term> Leaves::values_of(formula::Sort sort) {
  std::vector<Term> out;
  if (sort->kind == SortNode::Kind::kBool) return {pool().truth(false), pool().truth(true)};
  if (sort->kind == SortNode::Kind::kEnum) {
    for (std::int64_t i = 0; i < std::ssize(sort->constants); ++i) out.push_back(pool().enum_const(sort, i));
    return out;
  }
  return sort == pool().integer() ? numbers_ : out;
}

void Leaves::instantiate() {
  for (std::size_t u = 0; u < universals_.size(); ++u) {
    const Universal it = universals_[u];
    std::vector<std::vector<Term>> tuples{{it.formula, it.when}};
    for (Term variable : it.formula->bound) {
      std::vector<std::vector<Term>> longer;
      for (const std::vector<Term>& tuple : tuples) {
        for (Term value : values_of(variable->sort)) {
          longer.push_back(tuple);
          longer.back().push_back(value);
        }
      }
      tuples = std::move(longer);
    }
    for (const std::vector<Term>& tuple : tuples) {
      if (instances_.size() > kMostInstances || !instances_.insert(tuple).second) continue;
      Substitution values;
      for (std::size_t i = 0; i < it.formula->bound.size(); ++i) values.emplace(it.formula->bound[i], tuple[i + 2]);
      know(pool().substitute(it.formula->args[0], values), !it.is_negated, it.when);
    }
  }
}

// Of a permutation: what is at a place has that place. Of two that follow each other: who has passed the later position has
// passed the earlier one.
void Leaves::about(Term application, const std::set<Law>& used, std::vector<Term>& out) {
  const Term argument = application->args.front();
  for (const ThreadClass& of : classes_) {
    const auto in_range = [&](Term k) { return pool().and_(pool().le(pool().number(0), k), pool().lt(k, of.count)); };
    const auto apply = [&](const std::string& to, Term of_what) {
      return pool().apply(to, {of_what}, pool().integer());
    };
    for (std::size_t p = 0; p < of.orders.size(); ++p) {
      const Permutation& order = of.orders[p];
      const bool is_at = application->name == order.at;
      if (!is_at && application->name != order.place) continue;
      const Term back = pool().eq(apply(is_at ? order.place : order.at, application), argument);
      if (used.contains(Law::kPermutation))
        out.push_back(pool().implies(in_range(argument), pool().and_(in_range(application), back)));
      if (is_at || p == 0 || !used.contains(Law::kInterplay)) continue;
      const Term later = pool().lt(application, of.passed[p]);
      const Term earlier = pool().lt(apply(of.orders[p - 1].place, argument), of.passed[p - 1]);
      out.push_back(pool().implies(pool().and_(in_range(argument), later), earlier));
    }
    if (application->name != "identity " + std::to_string(of.number)) continue;
    out.push_back(pool().ne(application, terms_.none()));
    out.push_back(pool().eq(pool().apply("number of thread", {application}, pool().integer()), argument));
    out.push_back(
        pool().eq(pool().apply("class of thread", {application}, pool().integer()), pool().number(of.number)));
  }
}

std::vector<Term> Leaves::order_laws(const std::set<Law>& used) {
  std::vector<Term> out;
  std::unordered_set<Term> seen;
  std::vector<Term> formulas = plain_;
  for (int round = 0; round < kRounds; ++round) {
    std::vector<Term> added;
    for_each_part(formulas, [&](Term it) {
      const bool is_application = it->op == Op::kApply && it->args.size() == 1 && !it->has_bound;
      if (is_application && seen.insert(it).second) about(it, used, added);
    });
    if (added.empty()) break;
    out.insert(out.end(), added.begin(), added.end());
    formulas = std::move(added);
  }
  return out;
}

std::vector<Term> Leaves::ground(const Sequent& sequent, const std::set<Law>& used, Effort effort) {
  plain_.clear(), universals_.clear(), instances_.clear(), numbers_.clear(), named_.clear();
  for (Term it : sequent.about) add_number(it);
  const Term always = pool().truth(true);
  know(sequent.right, false, always);
  for (std::size_t i = 0; i < plain_.size(); ++i) find_numbers(plain_[i]);
  for (Term it : sequent.left) know(it, true, always);
  if (effort == Effort::kMuch) find_neighbours();
  for (int round = 0; round < kRounds; ++round) {
    const std::size_t before = numbers_.size() + universals_.size();
    instantiate();
    if (numbers_.size() + universals_.size() == before) break;
  }
  std::vector<Term> laws = terms_.sums().laws(plain_, used);
  plain_.insert(plain_.end(), laws.begin(), laws.end());
  laws = order_laws(used);
  plain_.insert(plain_.end(), laws.begin(), laws.end());
  return plain_;
}

}  // namespace concord::replay
