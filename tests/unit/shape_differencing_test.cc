// Derived updates: on structures without unknown values they say what the definitions say afterwards; with unknown values they say
// nothing that is wrong.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "engine/shape/build.h"
#include "engine/shape/definitions.h"
#include "engine/shape/differencing.h"
#include "engine/shape/evaluate.h"
#include "engine/shape/structure.h"

namespace concord::engine::shape {
namespace {

constexpr int kP = 1, kR = 2, kQ = 3;

// sm; p, r (a function), q (a function); and predicates that are defined by these.
System defined_system() {
  System out;
  const auto add = [&](const std::string& name, int arity) {
    Predicate made;
    made.name = name;
    made.arity = arity;
    made.is_function = arity == 2;
    out.predicates.push_back(made);
  };
  const auto define = [&](const std::string& name, const FormulaPtr& definition) {
    add(name, 1);
    out.predicates.back().variables = {"v"};
    out.predicates.back().definition = definition;
  };
  add("sm", 1), add("p", 1), add("r", 2), add("q", 2);
  out.sm = 0;
  define("has", exists({"w"}, atom(kR, {"v", "w"})));
  define("r_by", exists({"w"}, atom(kR, {"w", "v"})));
  define("is",
         exists({"a", "b"}, conjunction({negation(equal("a", "b")), atom(kR, {"a", "v"}), atom(kR, {"b", "v"})})));
  define("mutual", exists({"w"}, conjunction({atom(kR, {"v", "w"}), atom(kQ, {"w", "v"})})));
  define("same", exists({"w"}, conjunction({atom(kR, {"v", "w"}), atom(kQ, {"v", "w"})})));
  define("marked", exists({"w"}, conjunction({atom(kR, {"v", "w"}), negation(atom(kP, {"w"}))})));
  define("all", forall({"w"}, disjunction({negation(atom(kR, {"v", "w"})), atom(kP, {"w"})})));
  const FormulaPtr path = make(Formula::Kind::kClosure, {"h", "v", "c", "d"}, {atom(kR, {"c", "d"})});
  define("reached", exists({"h"}, conjunction({atom(kP, {"h"}), disjunction({equal("h", "v"), path})})));
  return out;
}

class Derived : public testing::Test {
 protected:
  int below(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  Structure concrete(const Layout& layout, const System& system) {
    Structure out(layout, 1 + below(4));
    for (int a = 0; a < out.size(); ++a) {
      out.set(kP, a, below(2) == 0 ? Kleene::kTrue : Kleene::kFalse);
      for (const int relation : {kR, kQ}) {
        if (const int target = below(out.size() + 1); target < out.size()) out.set(relation, a, target, Kleene::kTrue);
      }
    }
    fill(system, out);
    return out;
  }

  static void fill(const System& system, Structure& structure) {
    for (std::size_t p = 0; p < system.predicates.size(); ++p) {
      const Predicate& it = system.predicates[p];
      if (it.definition) structure.row(static_cast<int>(p)) = Evaluation(it.definition, it.variables).row(structure);
    }
  }

  // Individuals that p or r tell something of, or none, or all.
  FormulaPtr some(const Variable& whom) {
    switch (below(5)) {
      case 0: return constant(Kleene::kTrue);
      case 1: return constant(Kleene::kFalse);
      case 2: return atom(kP, {whom});
      case 3: return negation(atom(kP, {whom}));
      default: return atom(below(2) == 0 ? kR : kQ, {whom, whom});
    }
  }

  Update change(int predicate) {
    Update out;
    out.predicate = predicate;
    out.variables = predicate == kP ? std::vector<Variable>{"v"} : std::vector<Variable>{"u", "v"};
    const FormulaPtr first = some(out.variables.front());
    // A relation stays a function: all of a first argument goes before something comes.
    out.removes = first;
    out.adds = predicate == kP ? conjunction({first, some("v")})
                               : conjunction({first, atom(predicate == kR ? kQ : kR, out.variables)});
    out.value = disjunction({conjunction({atom(predicate, out.variables), negation(out.removes)}), out.adds});
    return out;
  }

  static void apply(const Update& update, const Structure& before, Structure& after) {
    const Evaluation value(update.value, update.variables);
    if (update.predicate == kP) {
      after.row(kP) = value.row(before);
    } else {
      for (int a = 0; a < before.size(); ++a) after.row(update.predicate, a) = value.row(before, {a});
    }
  }

  // Some values are forgotten.
  Structure weaker(const Structure& structure, const System& system) {
    Structure out = structure;
    for (std::size_t p = 1; p < system.predicates.size(); ++p) {
      for (int a = 0; a < out.size(); ++a) {
        if (system.predicates[p].arity == 1 && below(3) == 0) out.set(static_cast<int>(p), a, Kleene::kUnknown);
        for (int b = 0; system.predicates[p].arity == 2 && b < out.size(); ++b) {
          if (below(3) == 0) out.set(static_cast<int>(p), a, b, Kleene::kUnknown);
        }
      }
    }
    return out;
  }

  std::mt19937 random_{7};
};

TEST_F(Derived, UpdatesAreWhatDefinitionsSay) {
  const System system = defined_system();
  const Layout layout(system);
  for (int round = 0; round < 2000; ++round) {
    const Structure before = concrete(layout, system);
    const std::vector<Update> updates{change(below(3) + 1)};
    Structure after = before;
    apply(updates.front(), before, after);
    Structure expected = after;
    fill(system, expected);
    for (const Update& it : Differencing(system, updates).derived())
      after.row(it.predicate) = Evaluation(it.value, it.variables).row(before);
    ASSERT_EQ(after, expected) << round;
  }
}

TEST_F(Derived, UpdatesOfUnknownValuesAreNotWrong) {
  const System system = defined_system();
  const Layout layout(system);
  for (int round = 0; round < 4000; ++round) {
    const Structure before = concrete(layout, system);
    const std::vector<Update> updates{change(below(3) + 1)};
    Structure after = before;
    apply(updates.front(), before, after);
    fill(system, after);
    const Structure weak = weaker(before, system);
    for (const Update& it : Differencing(system, updates).derived()) {
      const Row row = Evaluation(it.value, it.variables).row(weak);
      for (int a = 0; a < weak.size(); ++a) {
        const Kleene said = at(row, a);
        ASSERT_TRUE(said == Kleene::kUnknown || said == after.get(it.predicate, a))
            << round << ": " << system.predicates[static_cast<std::size_t>(it.predicate)].name;
      }
    }
  }
}

// The code for common definitions, against the definitions.
TEST_F(Derived, SettledValuesAreNotWrong) {
  const System system = defined_system();
  const Layout layout(system);
  for (int round = 0; round < 4000; ++round) {
    const Structure before = concrete(layout, system);
    const Update update = change(below(2) == 0 ? kR : kQ);
    Structure after = before;
    apply(update, before, after);
    Structure expected = after;
    fill(system, expected);
    const Structure weak = weaker(before, system);
    Structure weak_after = weak;
    apply(update, weak, weak_after);
    Touched touched;
    const Evaluation adds(update.adds, update.variables);
    const Evaluation removes(update.removes, update.variables);
    for (int a = 0; a < weak.size(); ++a) {
      touched.comes.push_back(adds.row(weak, {a}).may & ~weak.row(update.predicate, a).must);
      touched.goes.push_back(removes.row(weak, {a}).may & weak.row(update.predicate, a).may);
    }
    for (std::size_t p = 0; p < system.predicates.size(); ++p) {
      const auto common = common_definition(system, system.predicates[p]);
      if (!common) continue;
      settle(*common, static_cast<int>(p), common->relation == update.predicate ? &touched : nullptr,
             common->other == update.predicate ? &touched : nullptr, weak, weak_after);
      for (int a = 0; a < weak.size(); ++a) {
        const Kleene said = weak_after.get(static_cast<int>(p), a);
        ASSERT_TRUE(said == Kleene::kUnknown || said == expected.get(static_cast<int>(p), a))
            << round << ": " << system.predicates[p].name;
      }
    }
  }
}

}  // namespace
}  // namespace concord::engine::shape
