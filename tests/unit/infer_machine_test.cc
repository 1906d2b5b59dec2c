// The machine that the code of a thread is: what becomes a node, an edge, an assertion.
#include <gtest/gtest.h>

#include <string>

#include "infer/machine.h"
#include "loaded.h"

namespace concord::infer {
namespace {

// Of the procedure `p`, as an abstract thread; empty: none.
std::string machine_in(const std::string& text) {
  const engine::Loaded it(text + "\nproc other() { assert true; }\nthread p();\n");
  for (int p = 0; p < std::ssize(it.program.procedures); ++p) {
    if (it.program.procedures[static_cast<std::size_t>(p)].name != "p") continue;
    const std::optional<Machine> machine = machine_of(it.program, p, {});
    return machine ? print(*machine, "P", it.sources, {}, "") : "";
  }
  return "there is no p";
}

TEST(InferredMachine, WhatConcernsNobodyElseIsPartOfTheStepBefore) {
  EXPECT_EQ(machine_in("var x: int;\nproc p() {\n  var t: int = 3;\n  x = t;\n  t = t + 1;\n  x = t;\n}"),
            "abstract thread P {\n"
            "  initial node Line4;\n"
            "          node Line6;\n"
            "          node End;\n"
            "  Line4 -> Line6: <x' == 3>_{x};\n"
            "  Line6 -> End: <x' == 4>_{x};\n"
            "}");
}

TEST(InferredMachine, WhatIsReadDecidesWhereItGoes) {
  EXPECT_EQ(machine_in("var x: int;\nvar b: bool;\nproc p() {\n  if (b)\n    x = x + 1;\n}"),
            "abstract thread P {\n"
            "  initial node Line4;\n"
            "          node Line5;\n"
            "          node End;\n"
            "  Line4 -> Line5: <b>_{};\n"
            "  Line4 -> End: <!b>_{};\n"
            "  Line5 -> End: <x' == x + 1>_{x};\n"
            "}");
}

TEST(InferredMachine, AssertionsStandWhereTheyAreLookedAt) {
  EXPECT_EQ(machine_in("var x: int;\nproc p() {\n  x = 1;\n  atomic { assert x > 0; x = x - 1; }\n}"),
            "abstract thread P {\n"
            "  initial node Line3;\n"
            "          node Line4: assert x > 0;\n"
            "          node End;\n"
            "  Line3 -> Line4: <x' == 1>_{x};\n"
            "  Line4 -> End: <x' == x - 1>_{x};\n"
            "}");
}

// The old value is a local variable: the swap tells what it was.
TEST(InferredMachine, ASwapThatSucceedsTellsWhatWasRead) {
  EXPECT_EQ(machine_in("var x: int;\nproc p() {\n  var t: int;\n  var done: bool;\n  while (!done) {\n    t = x;\n"
                       "    if (t > 0)\n      done = CAS(x, t, t - 1);\n  }\n}"),
            "abstract thread P {\n"
            "  initial node Line6;\n"
            "          node Line8;\n"
            "          node End;\n"
            "  Line6 -> Line8: <x > 0>_{};\n"
            "  Line8 -> End: <x > 0 && x' == x - 1>_{x};\n"
            "  Line8 -> Line6: <true>_{};\n"
            "}");
}

// The new value is worked out before the swap, as where a method gets both.
TEST(InferredMachine, WhatIsWorkedOutFromAnotherLocalVariableIsKept) {
  EXPECT_EQ(machine_in("var x: int;\nproc swap(before: int, after: int): bool {\n  var done: bool;\n"
                       "  atomic { if (x == before) { x = after; done = true; } }\n  return done;\n}\n"
                       "proc p() {\n  var t: int = x;\n  var done: bool;\n  done = swap(t, t - 1);\n}"),
            "abstract thread P {\n"
            "  initial node Line8;\n"
            "          node Line4;\n"
            "          node End;\n"
            "  Line8 -> Line4: <true>_{};\n"
            "  Line4 -> End: <x' == x - 1>_{x};\n"
            "  Line4 -> End: <true>_{};\n"
            "}");
}

// Said of a step with no other word about after, it could mean either.
TEST(InferredMachine, WhatIsLookedAtBeforeAnUnknownValueIsWrittenIsOld) {
  EXPECT_EQ(machine_in("var x: int;\nproc p() {\n  atomic { assume x > 0; havoc x; }\n}"),
            "abstract thread P {\n"
            "  initial node Line3;\n"
            "          node End;\n"
            "  Line3 -> End: <\\old(x > 0)>_{x};\n"
            "}");
}

TEST(InferredMachine, ContractedItHasNoStepsWithoutEffect) {
  const auto contracted_in = [](const std::string& text) {
    const engine::Loaded it(text);
    return print(contracted(*machine_of(it.program, 0, {})), "P", it.sources, {}, "");
  };
  EXPECT_EQ(
      contracted_in("var x: int;\nvar b: bool;\nproc p() {\n  x = 1;\n  assert x > 0;\n  x = 2;\n}\nthread p();\n"),
      "abstract thread P {\n"
      "  initial node Line4;\n"
      "          node Line5: assert x > 0;\n"
      "          node End;\n"
      "  Line4 -> Line5: <x' == 1>_{x};\n"
      "  Line5 -> End: <x' == 2>_{x};\n"
      "}");
}

TEST(InferredMachine, WhatCannotBeFollowedHasNone) {
  EXPECT_EQ(machine_in("var m: monitor;\nproc p() {\n  acquire(m);\n  release(m);\n}"), "");
  EXPECT_EQ(machine_in("var x: map<int, int>;\nproc p() {\n  x[1] = 2;\n}"), "");
}

}  // namespace
}  // namespace concord::infer
