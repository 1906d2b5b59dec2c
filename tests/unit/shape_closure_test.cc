// Reachability as a predicate: its updates and what sharpens it, on random functions with cycles and without.
#include <gtest/gtest.h>

#include <random>
#include <utility>
#include <vector>

#include "engine/shape/action.h"
#include "engine/shape/blur.h"
#include "engine/shape/build.h"
#include "engine/shape/closure.h"
#include "engine/shape/coerce.h"
#include "engine/shape/embed.h"
#include "engine/shape/evaluate.h"

namespace concord::engine::shape {
namespace {

constexpr int kX = 3, kY = 4, kP = 5, kN = 6, kClosure = 7, kFromX = 8, kFromN = 9, kQ = 12, kR = 13, kOrdered = 14;

// sm, is_new; x and y (unique), p, n (a function); whom n leads to, who is reached from x, and who is from targets of n; q and r (functions),
// and of whom q leads to r.
System list_system(bool is_acyclic) {
  System out;
  const auto add = [&](const std::string& name, int arity, bool is_abstraction) {
    Predicate made;
    made.name = name;
    made.arity = arity;
    made.is_abstraction = is_abstraction;
    out.predicates.push_back(made);
    return static_cast<int>(out.predicates.size() - 1);
  };
  const auto define = [&](const std::vector<Variable>& variables, const FormulaPtr& definition) {
    out.predicates.back().variables = variables;
    out.predicates.back().definition = definition;
  };
  out.sm = add("sm", 1, false);
  out.is_new = add("isNew", 1, false);
  out.instance = add("instance", 2, false);
  for (const char* it : {"x", "y"}) {
    add(it, 1, true);
    out.predicates.back().is_unique = true;
  }
  add("p", 1, true);
  add("n", 2, false);
  out.predicates.back().is_function = true;
  add("reach", 2, false);
  define({"u", "v"}, closure_definition(kN, "u", "v"));
  out.predicates.back().is_antireflexive = is_acyclic;
  add("rt[x]", 1, true);
  define({"v"}, reached_definition(kX, false, kClosure, "v"));
  add("rt[n]", 1, true);
  define({"v"}, reached_definition(kN, true, kClosure, "v"));
  add("has", 1, true);
  define({"u"}, exists({"w"}, atom(kN, {"u", "w"})));
  add("is", 1, false);
  define({"v"},
         exists({"a", "b"}, conjunction({negation(equal("a", "b")), atom(kN, {"a", "v"}), atom(kN, {"b", "v"})})));
  for (const char* it : {"q", "r"}) {
    add(it, 2, false);
    out.predicates.back().is_function = true;
  }
  add("ordered", 1, true);
  define({"w"}, ordered_definition(kQ, kR, kClosure, "w"));
  return out;
}

void fill(const System& system, Structure& structure) {
  for (std::size_t p = 0; p < system.predicates.size(); ++p) {
    const Predicate& it = system.predicates[p];
    if (!it.definition) continue;
    const Evaluation meaning(it.definition, it.variables);
    for (int a = 0; a < structure.size(); ++a) {
      if (it.arity == 1) structure.set(static_cast<int>(p), a, meaning.value(structure, {a}));
      for (int b = 0; it.arity == 2 && b < structure.size(); ++b)
        structure.set(static_cast<int>(p), a, b, meaning.value(structure, {a, b}));
    }
  }
}

Update change(int predicate, const FormulaPtr& adds, const FormulaPtr& removes) {
  Update out;
  out.predicate = predicate;
  const bool is_relation = predicate == kN || predicate == kQ || predicate == kR;
  out.variables = is_relation ? std::vector<Variable>{"u", "v"} : std::vector<Variable>{"v"};
  out.adds = adds;
  out.removes = removes;
  return out;
}

Action action_of(std::vector<Update> updates, std::vector<FormulaPtr> focus = {}) {
  Action out;
  out.updates = std::move(updates);
  out.focus = std::move(focus);
  return out;
}

// x->n = y; x->n = null; y = x->n; x = y; and many at once: of all p n goes, or comes to be x; a new one before x; x->q = y; of all p
// r is x while x->n = null; x->n = anything
std::vector<Action> actions(const System& system) {
  const FormulaPtr next = conjunction({atom(kX, {"a"}), atom(kN, {"a", "b"})});
  const FormulaPtr all = constant(Kleene::kTrue);
  std::vector<Action> out;
  out.push_back(action_of({change(kN, conjunction({atom(kX, {"u"}), atom(kY, {"v"})}), atom(kX, {"u"}))},
                          {next, atom(kY, {"b"})}));
  out.push_back(action_of({change(kN, nullptr, atom(kX, {"u"}))}, {next}));
  out.push_back(
      action_of({change(kY, exists({"a"}, conjunction({atom(kX, {"a"}), atom(kN, {"a", "v"})})), all)}, {next}));
  out.push_back(action_of({change(kX, atom(kY, {"v"}), all)}, {atom(kX, {"a"}), atom(kY, {"a"})}));
  out.push_back(action_of({change(kN, nullptr, atom(kP, {"u"}))}));
  out.push_back(action_of({change(kN, conjunction({atom(kP, {"u"}), atom(kX, {"v"})}), atom(kP, {"u"}))}));
  out.push_back(action_of({change(kN, conjunction({atom(system.is_new, {"u"}), atom(kX, {"v"})}), nullptr),
                           change(kX, atom(system.is_new, {"v"}), all)},
                          {atom(kX, {"a"})}));
  out.back().creates = true;
  out.push_back(
      action_of({change(kQ, conjunction({atom(kX, {"u"}), atom(kY, {"v"})}), atom(kX, {"u"}))}, {atom(kX, {"a"})}));
  out.push_back(action_of({change(kR, conjunction({atom(kP, {"u"}), atom(kX, {"v"})}), atom(kP, {"u"})),
                           change(kN, nullptr, atom(kX, {"u"}))}));
  out.push_back(action_of(
      {change(kN, conjunction({atom(kX, {"u"}), atom(kP, {"v"}), constant(Kleene::kUnknown)}), atom(kX, {"u"}))}));
  return out;
}

class Closures : public testing::Test {
 protected:
  explicit Closures(bool is_acyclic = false) : is_acyclic_(is_acyclic), system_(list_system(is_acyclic)) {}
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  // Half of them without cycles.
  Structure concrete() {
    Structure out(layout_, 1 + below(6));
    const bool is_acyclic = is_acyclic_ || below(2) == 0;
    for (const int it : {kX, kY}) {
      if (below(5) != 0) out.set(it, below(out.size()), Kleene::kTrue);
    }
    for (int a = 0; a < out.size(); ++a) {
      out.set(kP, a, below(3) == 0 ? Kleene::kTrue : Kleene::kFalse);
      const int first = is_acyclic ? a + 1 : 0;
      if (first < out.size() && below(6) != 0) out.set(kN, a, first + below(out.size() - first), Kleene::kTrue);
      if (below(3) != 0) out.set(kQ, a, below(out.size()), Kleene::kTrue);
      if (below(3) != 0) out.set(kR, a, below(out.size()), Kleene::kTrue);
    }
    fill(system_, out);
    return out;
  }

  // Some values are forgotten.
  Structure weaker(const Structure& structure) {
    Structure out = structure;
    for (int p = kP; p < layout_.predicates(); ++p) {
      for (int a = 0; a < out.size(); ++a) {
        if (layout_.arity(p) == 1 && below(4) == 0) out.set(p, a, Kleene::kUnknown);
        for (int b = 0; layout_.arity(p) == 2 && b < out.size(); ++b) {
          if (below(4) == 0) out.set(p, a, b, Kleene::kUnknown);
        }
      }
    }
    return out;
  }

  // What `x->n = anything` may have come to.
  Structure one_of(const Structure& structure) {
    Structure out = structure;
    for (int a = 0; a < out.size(); ++a) {
      Row& row = out.row(kN, a);
      if (row.may == row.must) continue;
      const int chosen = below(out.size() + 1);
      row = chosen < out.size() && at(row, chosen) == Kleene::kUnknown ? Row{Bits{1} << chosen, Bits{1} << chosen}
                                                                       : Row();
    }
    fill(system_, out);
    return out;
  }

  // How many were sharpened of structures that say less than a real one.
  int sharpened(int rounds) {
    int sharper = 0;
    for (int round = 0; round < rounds; ++round) {
      const Structure real = concrete();
      Structure same = real;
      EXPECT_FALSE(constraints_.coerce(same));
      EXPECT_EQ(same, real);
      const Structure weak = weaker(below(2) == 0 ? blur_.apply(real) : real);
      Structure sharp = weak;
      EXPECT_FALSE(constraints_.coerce(sharp)) << round;
      EXPECT_TRUE(is_embedded(real, sharp)) << round;
      sharper += sharp == weak ? 0 : 1;
    }
    return sharper;
  }

  const bool is_acyclic_;
  const System system_;
  const Layout layout_{system_};
  const Constraints constraints_{system_};
  const Blur blur_{system_};
  std::mt19937 random_{11};
};

TEST_F(Closures, AreFoundByTheirDefinitions) {
  ASSERT_TRUE(closure_of(system_, kClosure));
  EXPECT_EQ(closure_of(system_, kClosure)->relation, kN);
  ASSERT_TRUE(reached_of(system_, kFromX));
  EXPECT_FALSE(reached_of(system_, kFromX)->is_from_relation);
  ASSERT_TRUE(reached_of(system_, kFromN));
  EXPECT_TRUE(reached_of(system_, kFromN)->is_from_relation);
  EXPECT_FALSE(closure_of(system_, kFromX));
  EXPECT_FALSE(reached_of(system_, kClosure));
  ASSERT_TRUE(ordered_of(system_, kOrdered));
  EXPECT_EQ(ordered_of(system_, kOrdered)->first, kQ);
  EXPECT_EQ(ordered_of(system_, kOrdered)->second, kR);
  EXPECT_FALSE(ordered_of(system_, kFromN));
}

// Without unknown values updates say what the definitions say; with them, or of several individuals at once, nothing that is wrong.
TEST_F(Closures, UpdatesCoverWhatHappens) {
  for (const Action& action : actions(system_)) {
    const Step step(system_, constraints_, action, nullptr, true);
    for (int round = 0; round < 1500; ++round) {
      const Structure before = concrete();
      const Successors real = step.apply(before);
      ASSERT_TRUE(real.breaches.empty()) << constraints_.name(real.breaches.front().constraint);
      ASSERT_EQ(real.after.size(), 1U);
      const Structure expected = one_of(real.after.front());
      ASSERT_TRUE(is_embedded(expected, real.after.front())) << round;
      Structure abstract = blur_.apply(below(2) == 0 ? before : weaker(before));
      ASSERT_FALSE(constraints_.coerce(abstract)) << round;
      ASSERT_TRUE(is_embedded(before, abstract)) << round;
      bool is_covered = false;
      for (const Structure& it : step.apply(abstract).after) is_covered = is_covered || is_embedded(expected, it);
      ASSERT_TRUE(is_covered) << round;
    }
  }
}

TEST_F(Closures, SharpeningKeepsWhatIsRepresented) { EXPECT_GT(sharpened(20000), 10000); }

class ClosuresWithoutCycles : public Closures {
 protected:
  ClosuresWithoutCycles() : Closures(true) {}
};

TEST_F(ClosuresWithoutCycles, SharpeningKeepsWhatIsRepresented) { EXPECT_GT(sharpened(20000), 10000); }

// A list from x of any length: from one end to the other, one step after the other is taken away, and put back.
TEST_F(Closures, AListOfAnyLengthIsKnownToBeOne) {
  Structure list(layout_, 5);
  list.set(kX, 0, Kleene::kTrue);
  for (int a = 0; a < 4; ++a) list.set(kN, a, a + 1, Kleene::kTrue);
  fill(system_, list);
  Structure abstract = blur_.apply(list);
  ASSERT_EQ(abstract.size(), 3);  // the first, the last, and those between
  ASSERT_FALSE(constraints_.coerce(abstract));
  const std::vector<Action> all = actions(system_);
  const FormulaPtr ends =
      exists({"a", "b"}, conjunction({atom(kY, {"a"}), atom(kFromX, {"a"}), atom(kClosure, {"a", "b"}),
                                      negation(exists({"c"}, atom(kN, {"b", "c"})))}));
  const Step advance(system_, constraints_, all[2], nullptr, true);
  const Step take(system_, constraints_, all[1], nullptr, true);
  const Step link(system_, constraints_, all[0], nullptr, true);
  int lists = 0;
  for (const Structure& first : advance.apply(abstract).after) {
    for (const Structure& cut : take.apply(first).after) {
      EXPECT_EQ(Evaluation(ends, {}).value(cut), Kleene::kFalse);
      for (const Structure& again : link.apply(cut).after) {
        EXPECT_EQ(Evaluation(ends, {}).value(again), Kleene::kTrue);
        ++lists;
      }
    }
  }
  EXPECT_EQ(lists, 2);  // with several between, and with one
}

}  // namespace
}  // namespace concord::engine::shape
