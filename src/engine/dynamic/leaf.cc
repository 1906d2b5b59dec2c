#include "engine/dynamic/leaf.h"

#include <algorithm>
#include <unordered_set>

namespace concord::engine::dynamic {

using formula::Op;
using formula::Sort;
using formula::SortNode;
using formula::Substitution;

namespace {

constexpr std::size_t kMostValues = 40;
constexpr std::size_t kMostTuples = 300;
constexpr int kRounds = 2;
constexpr std::chrono::milliseconds kShort{400};
constexpr unsigned kFewSteps = 2000000;

smt::Options options_of(const Settings& settings) {
  smt::Options out;
  out.which = settings.solver == SolverChoice::kZ3     ? smt::Which::kZ3
              : settings.solver == SolverChoice::kCvc5 ? smt::Which::kCvc5
                                                       : smt::Which::kBoth;
  out.timeout = settings.solver_timeout;
  out.seed = settings.solver_seed;
  out.dump_folder = settings.dump_smt;
  out.name = "dynamic";
  return out;
}

}  // namespace

Leaves::Leaves(World& world, const Configuration& configuration, Sums& sums, const Settings& settings, Control& control)
    : world_(world),
      configuration_(configuration),
      sums_(sums),
      control_(control),
      choice_(settings.solver),
      timeout_(settings.solver_timeout),
      solver_(smt::make_solver(options_of(settings))) {}

void Leaves::expect_little(bool is_guess) {
  const bool is_counted = choice_ == SolverChoice::kZ3;
  const bool is_short = is_guess && !is_counted && (timeout_ > kShort || timeout_.count() == 0);
  solver_->set_steps(is_guess && is_counted ? kFewSteps : 0);
  solver_->set_timeout(is_short ? kShort : timeout_);
}

void Leaves::add_value(Term value, std::vector<Term>& values) {
  const bool is_new = !value->has_bound && std::find(values.begin(), values.end(), value) == values.end();
  if (is_new && values.size() < kMostValues) values.push_back(value);
}

// Integers that entries and threads are numbered with.
void Leaves::find_values(Term term, std::vector<Term>& values) {
  std::unordered_set<Term> seen;
  std::vector<Term> open{term};
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    if (!seen.insert(top).second) continue;
    if (top->op == Op::kSelect || top->op == Op::kStore) add_value(top->args[1], values);
    if (top->op == Op::kApply && top->args.size() == 1) add_value(top->args[0], values);
    open.insert(open.end(), top->args.begin(), top->args.end());
  }
}

std::vector<Term> Leaves::values_of(Sort sort, const std::vector<Term>& values) const {
  std::vector<Term> out;
  if (sort->kind == SortNode::Kind::kBool) return {world_.pool().truth(false), world_.pool().truth(true)};
  if (sort->kind == SortNode::Kind::kEnum) {
    for (std::int64_t i = 0; i < std::ssize(sort->constants); ++i) out.push_back(world_.pool().enum_const(sort, i));
    return out;
  }
  std::copy_if(values.begin(), values.end(), std::back_inserter(out), [&](Term it) { return it->sort == sort; });
  return out;
}

// A formula without quantifiers that follows from it, or (not `is_positive`) from which it follows.
Term Leaves::ground(Term formula, bool is_positive, const std::vector<Term>& values) {
  Pool& pool = world_.pool();
  if (!formula->has_quantifier) return formula;
  switch (formula->op) {
    case Op::kNot: return pool.not_(ground(formula->args[0], !is_positive, values));
    case Op::kImplies:
      return pool.implies(ground(formula->args[0], !is_positive, values),
                          ground(formula->args[1], is_positive, values));
    case Op::kAnd:
    case Op::kOr: {
      std::vector<Term> parts;
      for (Term it : formula->args) parts.push_back(ground(it, is_positive, values));
      return formula->op == Op::kAnd ? pool.and_(parts) : pool.or_(parts);
    }
    case Op::kForall:
    case Op::kExists: return ground_quantifier(formula, is_positive, values);
    case Op::kEq: {  // if and only if
      if (formula->args[0]->sort != pool.boolean()) return pool.truth(is_positive);
      const Term a = formula->args[0];
      const Term b = formula->args[1];
      return ground(pool.and_(pool.implies(a, b), pool.implies(b, a)), is_positive, values);
    }
    case Op::kIte: {  // of truth values: this is a formula
      const Term c = formula->args[0];
      return ground(pool.and_(pool.implies(c, formula->args[1]), pool.or_(c, formula->args[2])), is_positive, values);
    }
    default: return pool.truth(is_positive);  // nothing is known of it
  }
}

Term Leaves::ground_quantifier(Term formula, bool is_positive, const std::vector<Term>& values) {
  Pool& pool = world_.pool();
  const bool is_forall = formula->op == Op::kForall;
  std::vector<Substitution> tuples{{}};
  for (Term variable : formula->bound) {
    std::vector<Term> choices;
    if (is_forall == is_positive) {
      choices = values_of(variable->sort, values);
    } else {
      choices = {name_of(formula, variable)};
    }
    std::vector<Substitution> next;
    for (const Substitution& tuple : tuples) {
      for (Term choice : choices) {
        if (next.size() >= kMostTuples) break;
        next.push_back(tuple);
        next.back().emplace(variable, choice);
      }
    }
    tuples = std::move(next);
  }
  std::vector<Term> instances;
  instances.reserve(tuples.size());
  for (const Substitution& it : tuples) {
    instances.push_back(ground(pool.substitute(formula->args[0], it), is_positive, values));
  }
  return is_forall ? pool.and_(instances) : pool.or_(instances);
}

// Whatever makes a formula true that asks for some value: the same for the same formula.
Term Leaves::name_of(Term quantifier, Term variable) {
  const auto [found, is_new] = names_.emplace(std::pair(quantifier, variable), nullptr);
  if (is_new) found->second = world_.pool().fresh("some " + variable->name, variable->sort);
  return found->second;
}

bool Leaves::are_contradictory(const std::vector<Term>& formulas) {
  return holds({formulas, world_.pool().truth(false), {}});
}

bool Leaves::holds(const Sequent& sequent, const std::vector<Term>& shown) {
  witness_.reset();
  laws_.clear();
  if (sequent.right->op != Op::kAnd) return holds_one(sequent, shown);
  return std::all_of(sequent.right->args.begin(), sequent.right->args.end(), [&](Term it) {
    return holds_one({sequent.left, it, sequent.about}, shown);
  });
}

// A counterexample with few threads is easier to understand; with the numbers of a machine the next best.
void Leaves::find_witness(const std::vector<Term>& shown) {
  constexpr std::int64_t kTwoTo31 = std::int64_t{1} << 31;
  const auto take = [&] {
    witness_.emplace();
    for (Term it : shown) witness_->values.push_back(solver_->value(it));
  };
  take();
  for (const std::int64_t most : {std::int64_t{3}, kTwoTo31}) {
    solver_->push();
    for (const ThreadClass& it : configuration_.classes()) {
      solver_->add(world_.pool().le(it.count, world_.pool().number(most)));
    }
    const bool is_found = solver_->check() == smt::Answer::kSat;
    if (is_found) take();
    solver_->pop();
    if (is_found) return;
  }
}

// The parts of a conjunction that is known; what asks for some value on the outside gets it, which is a value to use the rest for.
void Leaves::take_apart(Term formula, std::vector<Term>& parts, std::vector<Term>& values) {
  Pool& pool = world_.pool();
  std::vector<Term> open{formula};
  while (!open.empty()) {
    const Term top = open.back();
    open.pop_back();
    const Term inner = top->op == Op::kNot ? top->args[0] : nullptr;
    if (top->op == Op::kAnd) {
      open.insert(open.end(), top->args.begin(), top->args.end());
    } else if (inner != nullptr && (inner->op == Op::kImplies || inner->op == Op::kOr)) {
      const bool implies = inner->op == Op::kImplies;
      for (std::size_t i = 0; i < inner->args.size(); ++i) {
        open.push_back(implies && i == 0 ? inner->args[i] : pool.not_(inner->args[i]));
      }
    } else if (top->op == Op::kExists || (inner != nullptr && inner->op == Op::kForall)) {
      const Term quantifier = inner != nullptr ? inner : top;
      Substitution names;
      for (Term variable : quantifier->bound) {
        const Term name = name_of(quantifier, variable);
        names.emplace(variable, name);
        add_value(name, values);
        for (Term it : configuration_.neighbours(name)) add_value(it, values);
      }
      const Term body = pool.substitute(quantifier->args[0], names);
      open.push_back(inner != nullptr ? pool.not_(body) : body);
    } else {
      parts.push_back(top);
    }
  }
}

bool Leaves::holds_one(const Sequent& sequent, const std::vector<Term>& shown) {
  if (control_.should_stop()) return false;
  Pool& pool = world_.pool();
  if (sequent.right == pool.truth(true)) return true;
  ++count_;
  names_.clear();
  std::vector<Term> values = sequent.about;
  std::vector<Term> parts;
  take_apart(pool.not_(sequent.right), parts, values);
  for (Term it : parts) {
    if (!it->has_quantifier) find_values(it, values);
  }
  for (Term it : sequent.left) take_apart(it, parts, values);
  std::vector<Term> plain;
  for (int round = 0; round < kRounds; ++round) {
    plain.clear();
    for (Term it : parts) plain.push_back(ground(it, true, values));
    const std::size_t before = values.size();
    for (const auto& [asked, name] : names_) add_value(name, values);
    if (values.size() == before) break;
  }
  const std::vector<Term> laws = sums_.laws(plain);
  plain.insert(plain.end(), laws.begin(), laws.end());
  if (!laws.empty()) laws_.insert({"SUM-EMPTY", "SUM-NEXT", "SUM-CHANGE", "SUM-REORDER"});
  const std::vector<Term> axioms = configuration_.axioms(plain);
  if (!axioms.empty()) laws_.insert({"PERMUTATION", "INTERPLAY"});
  plain.insert(plain.end(), axioms.begin(), axioms.end());
  solver_->push();
  for (Term it : plain) solver_->add(it);
  const smt::Answer answer = solver_->check();
  if (answer == smt::Answer::kSat && !shown.empty()) find_witness(shown);
  solver_->pop();
  return answer == smt::Answer::kUnsat;
}

}  // namespace concord::engine::dynamic
