// The 3-valued core: values against a naive evaluation, and the laws of abstraction on random structures.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <vector>

#include "engine/shape/action.h"
#include "engine/shape/blur.h"
#include "engine/shape/build.h"
#include "engine/shape/coerce.h"
#include "engine/shape/embed.h"
#include "engine/shape/evaluate.h"
#include "engine/shape/focus.h"
#include "engine/shape/instances.h"
#include "engine/shape/normal.h"
#include "engine/shape/structure.h"

namespace concord::engine::shape {
namespace {

// sm, is_new; a flag, x (unique), p, n (a function), what follows: shared, reached; and below, an order.
System small_system() {
  System out;
  const auto add = [&](const std::string& name, int arity, bool is_abstraction) {
    Predicate made;
    made.name = name;
    made.arity = arity;
    made.is_abstraction = is_abstraction;
    out.predicates.push_back(made);
    return static_cast<int>(out.predicates.size() - 1);
  };
  out.sm = add("sm", 1, false);
  out.is_new = add("isNew", 1, false);
  out.instance = add("instance", 2, false);
  add("flag", 0, true);
  const int x = add("x", 1, true);
  out.predicates.back().is_unique = true;
  add("p", 1, true);
  const int n = add("n", 2, false);
  out.predicates.back().is_function = true;
  add("shared", 1, false);
  out.predicates.back().variables = {"v"};
  out.predicates.back().definition =
      exists({"a", "b"}, conjunction({atom(n, {"a", "v"}), atom(n, {"b", "v"}), negation(equal("a", "b"))}));
  add("reached", 1, true);
  out.predicates.back().variables = {"v"};
  const FormulaPtr path = make(Formula::Kind::kClosure, {"h", "v", "c", "d"}, {atom(n, {"c", "d"})});
  out.predicates.back().definition = exists({"h"}, conjunction({atom(x, {"h"}), disjunction({equal("h", "v"), path})}));
  add("below", 2, false);
  out.predicates.back().is_acyclic = true;
  out.predicates.back().is_antisymmetric = true;
  out.predicates.back().is_transitive = true;
  return out;
}

constexpr int kFlag = 3, kX = 4, kP = 5, kN = 6, kShared = 7, kReached = 8, kBelow = 9;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int limit) { return static_cast<int>(engine_() % static_cast<unsigned>(limit)); }
  Kleene value() { return static_cast<Kleene>(below(3)); }

  FormulaPtr formula(int depth, std::vector<Variable> scope) {
    const auto variable = [&] { return scope[static_cast<std::size_t>(below(static_cast<int>(scope.size())))]; };
    const int choice = below(depth == 0 ? 5 : 11);
    if (choice == 0) return constant(value());
    if (choice == 1 || scope.empty()) return atom(kFlag, {});
    if (choice == 2) return atom(below(2) == 0 ? kX : kP, {variable()});
    if (choice == 3) return atom(kN, {variable(), variable()});
    if (choice == 4) return equal(variable(), variable());
    if (choice == 5) return negation(formula(depth - 1, scope));
    if (choice == 6) return conjunction({formula(depth - 1, scope), formula(depth - 1, scope)});
    if (choice == 7)
      return disjunction({formula(depth - 1, scope), formula(depth - 1, scope), formula(depth - 1, scope)});
    if (choice == 8)
      return make(Formula::Kind::kIf, {},
                  {formula(depth - 1, scope), formula(depth - 1, scope), formula(depth - 1, scope)});
    const Variable fresh = "v" + std::to_string(scope.size());
    const Variable other = "w" + std::to_string(scope.size());
    const std::vector<Variable> outer = scope;
    scope.push_back(fresh);
    if (choice == 9) {
      return make(below(2) == 0 ? Formula::Kind::kExists : Formula::Kind::kForall, {fresh},
                  {formula(depth - 1, scope)});
    }
    scope.push_back(other);
    const Variable from = outer[static_cast<std::size_t>(below(static_cast<int>(outer.size())))];
    const Variable to = outer[static_cast<std::size_t>(below(static_cast<int>(outer.size())))];
    return make(Formula::Kind::kClosure, {from, to, fresh, other}, {formula(depth - 1, scope)});
  }

 private:
  std::mt19937 engine_;
};

// The definition, one value at a time.
Kleene naive(const Formula& formula, const Structure& structure, std::map<Variable, int>& at) {
  const auto part = [&](std::size_t i) { return naive(*formula.parts[i], structure, at); };
  switch (formula.kind) {
    case Formula::Kind::kValue: return formula.value;
    case Formula::Kind::kAtom:
      if (formula.variables.empty()) return structure.get(formula.predicate);
      if (formula.variables.size() == 1) return structure.get(formula.predicate, at[formula.variables[0]]);
      return structure.get(formula.predicate, at[formula.variables[0]], at[formula.variables[1]]);
    case Formula::Kind::kEqual: {
      const int a = at[formula.variables[0]];
      if (a != at[formula.variables[1]]) return Kleene::kFalse;
      return structure.is_summary(a) ? Kleene::kUnknown : Kleene::kTrue;
    }
    case Formula::Kind::kNot: return !part(0);
    case Formula::Kind::kAnd:
    case Formula::Kind::kOr: {
      Kleene out = part(0);
      for (std::size_t i = 1; i < formula.parts.size(); ++i)
        out = formula.kind == Formula::Kind::kAnd ? both(out, part(i)) : either(out, part(i));
      return out;
    }
    case Formula::Kind::kIf: {
      const Kleene test = part(0);
      return test == Kleene::kTrue ? part(1) : test == Kleene::kFalse ? part(2) : join(part(1), part(2));
    }
    case Formula::Kind::kExists:
    case Formula::Kind::kForall: {
      const bool is_exists = formula.kind == Formula::Kind::kExists;
      Kleene out = is_exists ? Kleene::kFalse : Kleene::kTrue;
      for (int i = 0; i < structure.size(); ++i) {
        at[formula.variables[0]] = i;
        out = is_exists ? either(out, part(0)) : both(out, part(0));
      }
      return out;
    }
    case Formula::Kind::kClosure: {
      const int from = at[formula.variables[0]];
      const int to = at[formula.variables[1]];
      std::vector<Kleene> best(static_cast<std::size_t>(structure.size()), Kleene::kFalse);
      const auto step = [&](int a, int b) {
        at[formula.variables[2]] = a, at[formula.variables[3]] = b;
        return part(0);
      };
      for (int b = 0; b < structure.size(); ++b) best[static_cast<std::size_t>(b)] = step(from, b);
      for (int round = 0; round < structure.size(); ++round) {
        for (int a = 0; a < structure.size(); ++a) {
          for (int b = 0; b < structure.size(); ++b) {
            Kleene& it = best[static_cast<std::size_t>(b)];
            it = either(it, both(best[static_cast<std::size_t>(a)], step(a, b)));
          }
        }
      }
      return best[static_cast<std::size_t>(to)];
    }
  }
  return Kleene::kFalse;
}

Structure any_structure(const Layout& layout, Random& random) {
  Structure out(layout, 1 + random.below(4));
  out.set(kFlag, random.value());
  for (int a = 0; a < out.size(); ++a) {
    if (random.below(3) == 0) out.set(layout.sm(), a, Kleene::kUnknown);
    out.set(kX, a, random.value());
    out.set(kP, a, random.value());
    for (int b = 0; b < out.size(); ++b) out.set(kN, a, b, random.value());
  }
  return out;
}

// One that exists: two values, the properties hold, and what is defined is as defined.
Structure concrete_structure(const System& system, const Layout& layout, Random& random) {
  Structure out(layout, 1 + random.below(4));
  out.set(kFlag, random.below(2) == 0 ? Kleene::kFalse : Kleene::kTrue);
  if (random.below(4) != 0) out.set(kX, random.below(out.size()), Kleene::kTrue);
  for (int a = 0; a < out.size(); ++a) {
    out.set(kP, a, random.below(2) == 0 ? Kleene::kFalse : Kleene::kTrue);
    if (random.below(4) != 0) out.set(kN, a, random.below(out.size()), Kleene::kTrue);
  }
  const int levels = 1 + random.below(out.size());
  for (int a = 0; a < out.size(); ++a) {
    for (int b = 0; b < out.size(); ++b)
      out.set(kBelow, a, b, a % levels < b % levels ? Kleene::kTrue : Kleene::kFalse);
  }
  for (const int p : {kShared, kReached}) {
    const Predicate& it = system.predicates[static_cast<std::size_t>(p)];
    const Evaluation meaning(it.definition, it.variables);
    for (int a = 0; a < out.size(); ++a) out.set(p, a, meaning.value(out, {a}));
  }
  return out;
}

TEST(Shape, ValuesAreThoseOfTheDefinition) {
  const System system = small_system();
  const Layout layout(system);
  Random random(1);
  for (int round = 0; round < 3000; ++round) {
    const FormulaPtr formula = random.formula(4, {"a", "b"});
    const Structure structure = any_structure(layout, random);
    const Evaluation evaluation(formula, {"a", "b"});
    const Evaluation normal(with_inner_negations(formula), {"a", "b"});
    for (int a = 0; a < structure.size(); ++a) {
      for (int b = 0; b < structure.size(); ++b) {
        std::map<Variable, int> at{{"a", a}, {"b", b}};
        const Kleene expected = naive(*formula, structure, at);
        ASSERT_EQ(evaluation.value(structure, {a, b}), expected) << round;
      }
    }
  }
}

TEST(Shape, BlurAndFocusAndCoerceKeepWhatIsRepresented) {
  const System system = small_system();
  const Layout layout(system);
  const Blur blur(system);
  const Constraints constraints(system);
  const std::vector<FormulaPtr> formulas = {
      atom(kFlag, {}), atom(kX, {"v"}), atom(kP, {"v"}), conjunction({atom(kX, {"h"}), atom(kN, {"h", "v"})}),
      exists({"h"}, conjunction({atom(kX, {"h"}), atom(kN, {"v", "h"}), negation(atom(kP, {"v"}))}))};
  Random random(2);
  int sharper = 0;
  for (int round = 0; round < 2000; ++round) {
    const Structure concrete = concrete_structure(system, layout, random);
    Structure consistent = concrete;
    ASSERT_FALSE(constraints.coerce(consistent)) << round;
    ASSERT_EQ(consistent, concrete);
    const Structure abstract = blur.apply(concrete);
    ASSERT_TRUE(is_embedded(concrete, abstract)) << round;
    ASSERT_EQ(blur.apply(abstract), abstract) << round;
    const FormulaPtr& formula = formulas[static_cast<std::size_t>(round) % formulas.size()];
    bool is_covered = false;
    for (Structure& it : Focus(system, formula).apply(abstract)) {
      const Structure before = it;
      if (constraints.coerce(it)) {
        EXPECT_FALSE(is_embedded(concrete, before)) << round;
        continue;
      }
      sharper += before == it ? 0 : 1;
      is_covered = is_covered || is_embedded(concrete, it);
    }
    EXPECT_TRUE(is_covered) << round;
  }
  EXPECT_GT(sharper, 10);
}

// The same up to the numbers of individuals.
bool are_isomorphic(const Structure& a, const Structure& b) {
  return a.size() == b.size() && is_embedded(a, b) && is_embedded(b, a);
}

TEST(Shape, InstancesAreWhatIsRepresented) {
  const System system = small_system();
  const Layout layout(system);
  const Blur blur(system);
  const Constraints constraints(system);
  const Instances instances(system, constraints);
  Random random(7);
  int compared = 0;
  for (int round = 0; round < 60; ++round) {
    const Structure concrete = concrete_structure(system, layout, random);
    const Structure abstract = blur.apply(concrete);
    const std::vector<Structure> all = instances.of(abstract, concrete.size() - abstract.size(), 3000);
    for (const Structure& it : all) {
      Structure consistent = it;
      ASSERT_TRUE(it.is_definite()) << round;
      ASSERT_TRUE(is_embedded(it, abstract)) << round;
      ASSERT_FALSE(constraints.coerce(consistent)) << round;
    }
    if (all.size() == 3000) continue;  // not all of them
    ++compared;
    EXPECT_TRUE(std::any_of(all.begin(), all.end(), [&](const Structure& it) { return are_isomorphic(it, concrete); }))
        << round;
  }
  EXPECT_GT(compared, 40);
}

TEST(Shape, UpdatesCoverWhatHappens) {
  System system = small_system();
  Action action;  // x = x->n; a new one becomes p
  action.focus = {conjunction({atom(kX, {"h"}), atom(kN, {"h", "v"})})};
  action.creates = true;
  action.updates.push_back({kX, {"v"}, exists({"h"}, conjunction({atom(kX, {"h"}), atom(kN, {"h", "v"})})), {}});
  action.updates.push_back({kP, {"v"}, disjunction({atom(kP, {"v"}), atom(system.is_new, {"v"})}), {}});
  const Predicate& reached = system.predicates[kReached];
  const FormulaPtr path = make(Formula::Kind::kClosure, {"g", "v", "c", "d"}, {atom(kN, {"c", "d"})});
  action.updates.push_back(
      {kReached,
       {"v"},
       exists({"h", "g"}, conjunction({atom(kX, {"h"}), atom(kN, {"h", "g"}), disjunction({equal("g", "v"), path})})),
       {}});
  ASSERT_TRUE(reached.definition);
  const Layout layout(system);
  const Blur blur(system);
  const Constraints constraints(system);
  const Step step(system, constraints, action, nullptr);
  Random random(3);
  for (int round = 0; round < 2000; ++round) {
    const Structure concrete = concrete_structure(system, layout, random);
    const Successors after = step.apply(concrete);
    ASSERT_EQ(after.after.size(), 1U);
    ASSERT_TRUE(after.breaches.empty()) << round;
    const Structure abstract = blur.apply(concrete);
    bool is_covered = false;
    for (const Structure& it : step.apply(abstract).after)
      is_covered = is_covered || is_embedded(after.after.front(), blur.apply(it));
    EXPECT_TRUE(is_covered) << round;
  }
}

}  // namespace
}  // namespace concord::engine::shape
