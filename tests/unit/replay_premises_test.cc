// Each premise of the rules of saved proofs: proofs written by hand that are right but for it, most of them of something false. What is
// said of them is said in full, so nothing else is wrong with them; and beside each is one that is right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/sha256.h"
#include "replayed.h"

namespace concord::replay {
namespace {

using testing::EndsWith;
using testing::HasSubstr;

// A proof about the program. `LEAF` stands for a leaf that uses every law of orders.
std::string written(const std::string& program, const std::string& parts) {
  std::string out = "(concord-proof 1)\n(solver z3)\n(integers math)\n(source \"a.plato\" " + base::sha256(program) +
                    "\n\"" + program + "\")\n" + parts;
  for (std::size_t at = 0; (at = out.find(" LEAF", at)) != std::string::npos; at += 2)
    out.replace(at, 5, " (LEAF z3 PERMUTATION INTERPLAY)");
  return out;
}

struct Parts {
  std::string update{}, keeps{}, reaches{}, others{}, claims{};
};

// `head`: the class, the way, what it passes, and the rules.
std::string step(const std::string& head, const Parts& parts) {
  return "(STEP " + head + " (path) (update " + parts.update + ") (keeps " + parts.keeps + ") (reaches " +
         parts.reaches + ") (others " + parts.others + ") (claims " + parts.claims + "))\n";
}

// --------------------------------------------------------------------------------------------------------- reaches, others

// A thread that writes what a fact says of its local variable.
std::string reaching(int value) {
  const std::string program =
      "var x: int = 0;\nvar y: int = 0;\nfinally x == 1;\nproc p() { var t: int = " + std::to_string(value) +
      "; y = 1; x = t; }\nthread p();\n";
  return written(
      program,
      "(proves \"final-state@a.plato:3:1\")\n(CONF (class 0 (stop 1 0) (stop 4 1) (stop 0 2)))\n(protected)\n"
      "(invariant (1 \"\" (=> (= (passed 0 1) 1) (= x 1))))\n(facts (0 0 4 (= 0.t 1)))\n"
      "(INVARIANT (FIRST (1 LEAF))\n" +
          step("0 (way 1.0 2.0 3.0) (passes 0 1) (rules STEP)",
               {.update = "(y 1)", .keeps = "(1 same)", .reaches = "(0 LEAF)", .others = "(0 same)"}) +
          step("0 (way 4.0 5.0) (passes 1 2) (rules STEP)",
               {.update = "(x 0.t)", .keeps = "(1 LEAF)", .others = "(0 same)"}) +
          "(EMPTY-PROGRAM (\"final-state@a.plato:3:1\" LEAF)))\n(PROGRESS)\n");
}

TEST(ReplayPremises, FactsHoldWhereAStepLeads) {
  EXPECT_EQ(said(reaching(1)), "verified");
  EXPECT_EQ(said(reaching(2)), "as far as can be seen it does not follow that fact 0 holds where the step leads to\n");
  EXPECT_EQ(said(with(reaching(2), "(reaches (0 (LEAF z3 PERMUTATION INTERPLAY)))", "(reaches)")),
            "the premise for fact 0 is missing\n");
  EXPECT_THAT(said(with(reaching(2), "(reaches (0 (LEAF z3 PERMUTATION INTERPLAY)))", "(reaches (0 same))")),
              HasSubstr("(LEAF SOLVER LAW…) is expected here"));
}

// One thread has seen that x is 0, and another one writes it.
std::string disturbed(int value, const std::string& others) {
  const std::string x = std::to_string(value);
  return written(
      "var x: int = 0;\nvar y: int = 0;\nfinally y == 0;\nproc p() { assume x == 0; y = x; }\nproc q() { x = " + x +
          "; }\nthread p();\nthread q();\n",
      "(proves \"final-state@a.plato:3:1\")\n"
      "(CONF (class 0 (stop 1 0) (stop 3 1) (stop 0 2)) (class 1 (stop 1 0) (stop 0 1)))\n(protected)\n"
      "(invariant (1 \"\" (= y 0)))\n(facts (0 0 3 (= x 0)))\n(INVARIANT (FIRST (1 LEAF))\n" +
          step("0 (way 1.0 2.0) (passes 0 1) (rules PASS)",
               {.keeps = "(1 same)", .reaches = "(0 LEAF)", .others = "(0 same)"}) +
          step("0 (way 3.0 4.0) (passes 1 2) (rules STEP)",
               {.update = "(y x)", .keeps = "(1 LEAF)", .others = "(0 same)"}) +
          step("1 (way 1.0 2.0 3.0) (passes 0 1) (rules STEP)",
               {.update = "(x " + x + ")", .keeps = "(1 same)", .others = others}) +
          "(EMPTY-PROGRAM (\"final-state@a.plato:3:1\" LEAF)))\n(PROGRESS)\n");
}

TEST(ReplayPremises, FactsOfOtherClassesAreKept) {
  EXPECT_EQ(said(disturbed(0, "(0 LEAF)")), "verified");
  EXPECT_EQ(said(disturbed(1, "(0 LEAF)")),
            "as far as can be seen it does not follow that the step of another thread keeps fact 0\n");
  EXPECT_EQ(said(disturbed(1, "(0 same)")), "the step changes what this speaks of\n");
  EXPECT_EQ(said(disturbed(1, "")), "the premise for fact 0 is missing\n");
}

// Threads of one class that have all seen that x is 0.
std::string crowded(const std::string& count, const std::string& others) {
  return written(
      "var x: int = 0;\nfinally x <= 1;\nproc p() { assume x == 0; x = x + 1; }\nthread[" + count + "] p();\n",
      "(proves \"final-state@a.plato:2:1\")\n(CONF (class 0 (stop 1 0) (stop 3 1) (stop 0 2)))\n(protected)\n"
      "(invariant (1 \"\" (<= x 1)))\n(facts (0 0 3 (= x 0)))\n(INVARIANT (FIRST (1 LEAF))\n" +
          step("0 (way 1.0 2.0) (passes 0 1) (rules PASS)",
               {.keeps = "(1 same)", .reaches = "(0 LEAF)", .others = "(0 same)"}) +
          step("0 (way 3.0 4.0) (passes 1 2) (rules STEP)",
               {.update = "(x (+ x 1))", .keeps = "(1 LEAF)", .others = others}) +
          "(EMPTY-PROGRAM (\"final-state@a.plato:2:1\" LEAF)))\n(PROGRESS)\n");
}

TEST(ReplayPremises, FactsOfOtherThreadsOfTheClassAreKept) {
  EXPECT_EQ(said(crowded("1", "(0 LEAF)")), "verified");
  EXPECT_EQ(said(crowded("2", "(0 LEAF)")),
            "as far as can be seen it does not follow that the step of another thread keeps fact 0\n");
  EXPECT_EQ(said(crowded("2", "(0 same)")), "the step changes what this speaks of\n");
}

// -------------------------------------------------------------------------------------------------------------------- keeps

// One class, one step of one operation.
std::string single(const std::string& program, const std::string& conjunct, const std::string& rules,
                   const Parts& parts, const std::string& claimed = "final-state@a.plato:2:1") {
  return written(program, "(proves \"" + claimed +
                              "\")\n(CONF (class 0 (stop 1 0) (stop 0 1)))\n(protected)\n(invariant (1 \"\" " +
                              conjunct + "))\n(facts)\n(INVARIANT (FIRST (1 LEAF))\n" +
                              step("0 (way 1.0 2.0 3.0) (passes 0 1) (rules " + rules + ")", parts) +
                              "(EMPTY-PROGRAM (\"final-state@a.plato:2:1\" LEAF)))\n(PROGRESS)\n");
}

TEST(ReplayPremises, TheStepKeepsTheInvariant) {
  const auto writes = [](const std::string& value, const std::string& leaf) {
    return single("var x: int = 0;\nfinally x == 0;\nproc p() { x = " + value + "; }\nthread p();\n", "(= x 0)", "STEP",
                  {.update = "(x " + value + ")", .keeps = "(1 " + leaf + ")"});
  };
  EXPECT_EQ(said(writes("0", "LEAF")), "verified");
  EXPECT_EQ(said(writes("1", "LEAF")),
            "as far as can be seen it does not follow that conjunct 1 holds after the step\n");
  EXPECT_EQ(said(writes("1", "same")), "the step changes what this speaks of\n");
  EXPECT_THAT(said(writes("1", "true")), HasSubstr("`same` or a leaf is expected here"));
}

TEST(ReplayPremises, WhoPassesChangesHowManyHavePassed) {
  const std::string program = "var x: int = *;\nfinally x == 1;\nproc p() { skip; }\nthread p();\n";
  const std::string conjunct = "(=> (= (passed 0 0) 1) (= x 1))";
  EXPECT_EQ(said(single(program, conjunct, "PASS", {.keeps = "(1 same)"})), "the step changes what this speaks of\n");
  EXPECT_EQ(said(single(program, conjunct, "PASS", {.keeps = "(1 LEAF)"})),
            "as far as can be seen it does not follow that conjunct 1 holds after the step\n");
}

// -------------------------------------------------------------------------------------------------------------------- steps

// Both read before either writes.
TEST(ReplayPremises, OthersDoNotComeIntoAStep) {
  const std::string head = "0 (way 1.0 2.0 3.0 4.0) (passes 0 1) (rules STEP)";
  const auto adds = [&](const std::string& count) {
    return written("var x: int = 0;\nfinally x == " + count + ";\nproc p() { var t: int = x; x = t + 1; }\nthread[" +
                       count + "] p();\n",
                   "(proves \"final-state@a.plato:2:1\")\n(CONF (class 0 (stop 1 0) (stop 0 1)))\n(protected)\n"
                   "(invariant (1 \"\" (= x (passed 0 0))))\n(facts)\n(INVARIANT (FIRST (1 LEAF))\n" +
                       step(head, {.update = "(x (+ x 1))", .keeps = "(1 LEAF)"}) +
                       "(EMPTY-PROGRAM (\"final-state@a.plato:2:1\" LEAF)))\n(PROGRESS)\n");
  };
  EXPECT_EQ(said(adds("2")), "these operations are not one step: others may come between its operations\n");
}

// The threads of an atomic block that is cut in two, or not.
std::string cut(const std::string& stops, const std::string& steps) {
  return written("var x: int = 0;\nfinally x == 0;\nproc p() { atomic { x = x + 1; x = x - 1; } }\nthread[2] p();\n",
                 "(proves \"final-state@a.plato:2:1\")\n(CONF (class 0 (stop 1 0) " + stops + "))\n(protected)\n" +
                     "(invariant (1 \"\" true))\n(facts)\n(INVARIANT (FIRST (1 LEAF))\n" + steps + ")\n(PROGRESS)\n");
}

TEST(ReplayPremises, AnAtomicBlockIsNotCut) {
  const std::string said_of_it = said(
      cut("(stop 4 1) (stop 0 2)",
          step("0 (way 1.0 2.0 3.0) (passes 0 1) (rules STEP)", {.update = "(x (+ x 1))", .keeps = "(1 same)"}) +
              step("0 (way 4.0 5.0 6.0) (passes 1 2) (rules STEP)", {.update = "(x (- x 1))", .keeps = "(1 same)"})));
  EXPECT_EQ(said_of_it,
            "these operations are not one step: it ends in an atomic block\n"
            "these operations are not one step: it ends in an atomic block\n"
            "nothing in the proof shows final-state@a.plato:2:1\n");
}

// Who adds, and who passes by.
std::string passing(const std::string& other_step) {
  return written(
      "const n: int;\nfinally x == n;\nvar x: int = 0;\nproc p() { if (*) { x = x + 1; } }\nthread[n] p();\n",
      "(proves \"final-state@a.plato:2:1\")\n(CONF (class 0 (stop 1 0) (stop 0 1)))\n(protected)\n"
      "(invariant (1 \"\" (= x (passed 0 0))))\n(facts)\n(INVARIANT (FIRST (1 LEAF))\n" +
          step("0 (way 1.0 2.0 3.0 6.0 5.0) (passes 0 1) (rules STEP)",
               {.update = "(x (+ x 1))", .keeps = "(1 LEAF)"}) +
          other_step + "(EMPTY-PROGRAM (\"final-state@a.plato:2:1\" LEAF)))\n(PROGRESS)\n");
}

TEST(ReplayPremises, WhoPassesByPasses) {
  const std::string head = "0 (way 1.0 2.1 4.0 5.0) (passes 0 1) (rules PASS)";
  EXPECT_EQ(said(passing("")), "the premise for this step is missing: (STEP 0 (way 1.0 2.1 …) …)\n");
  EXPECT_EQ(said(passing(step(head, {.keeps = "(1 LEAF)"}))),
            "as far as can be seen it does not follow that conjunct 1 holds after the step\n");
  EXPECT_EQ(said(passing(step(head, {.keeps = "(1 same)"}))), "the step changes what this speaks of\n");
  EXPECT_THAT(said(passing(step(with(head, "PASS", "STEP"), {.keeps = "(1 LEAF)"}))),
              testing::StartsWith("the operations are PASS\n"));
  EXPECT_THAT(said(passing(step(with(head, "0 1)", "0 0)"), {.keeps = "(1 same)"}))),
              testing::StartsWith("the step leads from position 0 to 1\n"));
}

TEST(ReplayPremises, ThePositionsOfAThreadGrow) {
  const std::string proof = written("var x: int = 0;\nfinally x == 0;\nproc p() { while (*) { skip; } }\nthread p();\n",
                                    "(proves \"final-state@a.plato:2:1\")\n(CONF (class 0 (stop 1 0) (stop 3 2) (stop "
                                    "4 1) (stop 0 3)))\n(protected)\n"
                                    "(invariant (1 \"\" (= x 0)))\n(facts)\n(INVARIANT (FIRST (1 LEAF))\n" +
                                        step("0 (way 1.0 2.0) (passes 0 2) (rules PASS)", {.keeps = "(1 same)"}) +
                                        step("0 (way 3.0) (passes 2 1) (rules PASS)", {.keeps = "(1 same)"}) +
                                        step("0 (way 3.1 5.0) (passes 2 3) (rules PASS)", {.keeps = "(1 same)"}) +
                                        step("0 (way 4.0 6.0) (passes 1 2) (rules PASS)", {.keeps = "(1 same)"}) +
                                        "(EMPTY-PROGRAM (\"final-state@a.plato:2:1\" LEAF)))\n(PROGRESS)\n");
  EXPECT_EQ(said(proof), "the step leads back to a position that was passed\n");
}

// Nothing leads there, and nothing is known of it.
TEST(ReplayPremises, AStopMayBeWhereNobodyComes) {
  const std::string proof =
      written("var x: int = 0;\nfinally x == 1;\nproc p() { x = 1; return; x = 2; }\nthread p();\n",
              "(proves \"final-state@a.plato:2:1\")\n(CONF (class 0 (stop 1 0) (stop 4 1) (stop 0 2)))\n(protected)\n"
              "(invariant (1 \"\" (= x (passed 0 0))))\n(facts)\n(INVARIANT (FIRST (1 LEAF))\n" +
                  step("0 (way 1.0 2.0 3.0) (passes 0 2) (rules STEP)", {.update = "(x 1)", .keeps = "(1 LEAF)"}) +
                  step("0 (way 4.0 5.0) (passes 1 2) (rules STEP)", {.update = "(x 2)", .keeps = "(1 LEAF)"}) +
                  "(EMPTY-PROGRAM (\"final-state@a.plato:2:1\" LEAF)))\n(PROGRESS)\n");
  EXPECT_EQ(said(proof), "as far as can be seen it does not follow that conjunct 1 holds after the step\n");
}

// --------------------------------------------------------------------------------------------------------------- strangers

constexpr const char* kStranger = "this speaks of a thread that is not there\n";

// One thread writes z, and each of the others shows only for itself that z is 0.
TEST(ReplayPremises, AConjunctSpeaksOfNoThread) {
  const std::string proof = written(
      "var x: int = 0;\nvar z: int = 0;\nfinally x == 0;\n"
      "proc p(me: int) { if (me == 1) { z = 1; } else { x = z; } }\nthread[3] p(index);\n",
      "(proves \"final-state@a.plato:3:1\")\n(CONF (class 0 (stop 1 0) (stop 0 1)))\n(protected)\n"
      "(invariant (1 \"\" (= x 0)) (2 \"\" (or (= z 0) (= (thread 0) 1))))\n(facts)\n"
      "(INVARIANT (FIRST (1 LEAF) (2 LEAF))\n" +
          step("0 (way 1.0 2.0 3.0 6.0 5.0) (passes 0 1) (rules STEP)",
               {.update = "(z 1)", .keeps = "(1 same) (2 LEAF)"}) +
          step("0 (way 1.0 2.1 4.0 7.0 5.0) (passes 0 1) (rules STEP)",
               {.update = "(x z)", .keeps = "(1 LEAF) (2 same)"}) +
          "(EMPTY-PROGRAM (\"final-state@a.plato:3:1\" LEAF)))\n(PROGRESS)\n");
  EXPECT_THAT(said(proof), HasSubstr(kStranger));
}

TEST(ReplayPremises, AConjunctSpeaksOfNoLocalVariable) {
  const std::string proof = written(
      "var x: int = 0;\nvar z: int = 0;\nfinally x == 0;\n"
      "proc p() { var t: int; havoc t; if (t == 1) { z = 1; } else { x = z; } }\nthread[2] p();\n",
      "(proves \"final-state@a.plato:3:1\")\n(CONF (class 0 (stop 1 0) (stop 4 1) (stop 0 2)))\n(protected)\n"
      "(invariant (1 \"\" (= x 0)) (2 \"\" (or (= z 0) (= 0.t 1))))\n(facts)\n"
      "(INVARIANT (FIRST (1 LEAF) (2 LEAF))\n" +
          step("0 (way 1.0 2.0 3.0) (passes 0 1) (rules PASS)", {.keeps = "(1 same) (2 same)"}) +
          step("0 (way 4.0 5.0 8.0 7.0) (passes 1 2) (rules STEP)", {.update = "(z 1)", .keeps = "(1 same) (2 LEAF)"}) +
          step("0 (way 4.1 6.0 9.0 7.0) (passes 1 2) (rules STEP)", {.update = "(x z)", .keeps = "(1 LEAF) (2 same)"}) +
          "(EMPTY-PROGRAM (\"final-state@a.plato:3:1\" LEAF)))\n(PROGRESS)\n");
  EXPECT_THAT(said(proof), HasSubstr(kStranger));
}

// What a fact of p says of the thread of q that takes a step, of another thread it does not.
std::string meddling(const std::string& stranger) {
  return written(
      "var w: int = 0;\nvar x: int = 0;\nvar z: int = 0;\nfinally x == 0;\n"
      "proc p() { assume w == 0 && z == 0; x = w; }\n"
      "proc q(me: int) { if (me == 1) { z = 1; } else { w = z; } }\nthread p();\nthread[3] q(index);\n",
      "(proves \"final-state@a.plato:4:1\")\n"
      "(CONF (class 0 (stop 1 0) (stop 3 1) (stop 0 2)) (class 1 (stop 1 0) (stop 0 1)))\n(protected)\n"
      "(invariant (1 \"\" (= x 0)))\n(facts (0 0 3 (and (= w 0) (or (= z 0) (= " +
          stranger + " 1)))))\n(INVARIANT (FIRST (1 LEAF))\n" +
          step("0 (way 1.0 2.0) (passes 0 1) (rules PASS)",
               {.keeps = "(1 same)", .reaches = "(0 LEAF)", .others = "(0 same)"}) +
          step("0 (way 3.0 4.0) (passes 1 2) (rules STEP)",
               {.update = "(x w)", .keeps = "(1 LEAF)", .others = "(0 same)"}) +
          step("1 (way 1.0 2.0 3.0 6.0 5.0) (passes 0 1) (rules STEP)",
               {.update = "(z 1)", .keeps = "(1 same)", .others = "(0 LEAF)"}) +
          step("1 (way 1.0 2.1 4.0 7.0 5.0) (passes 0 1) (rules STEP)",
               {.update = "(w z)", .keeps = "(1 same)", .others = "(0 LEAF)"}) +
          "(EMPTY-PROGRAM (\"final-state@a.plato:4:1\" LEAF)))\n(PROGRESS)\n");
}

TEST(ReplayPremises, AFactSpeaksOfNoThreadOfAnotherClass) {
  EXPECT_THAT(said(meddling("(thread 1)")), HasSubstr(kStranger));
  EXPECT_THAT(said(meddling("1.me")), HasSubstr(kStranger));
  EXPECT_THAT(said(meddling("(thread 0)")), HasSubstr("does not follow that the step of another thread keeps fact 0"));
}

// ------------------------------------------------------------------------------------------------------------------- facts

// Nothing leads to where threads enter, so nobody shows what is said of them there.
TEST(ReplayPremises, FactsAreNotAboutEntriesAndEnds) {
  for (const char* node : {"1", "0"}) {
    const std::string proof =
        written("var x: int = 0;\nfinally x == 0;\nproc p() { x = 1; }\nthread p();\n",
                "(proves \"final-state@a.plato:2:1\")\n(CONF (class 0 (stop 1 0) (stop 0 1)))\n(protected)\n"
                "(invariant (1 \"\" (= x 0)))\n(facts (0 0 " +
                    std::string(node) + " false))\n(INVARIANT (FIRST (1 LEAF))\n" +
                    step("0 (way 1.0 2.0 3.0) (passes 0 1) (rules STEP)",
                         {.update = "(x 1)",
                          .keeps = "(1 LEAF)",
                          .reaches = std::string(node) == "0" ? "(0 LEAF)" : "",
                          .others = "(0 same)"}) +
                    "(EMPTY-PROGRAM (\"final-state@a.plato:2:1\" LEAF)))\n(PROGRESS)\n");
    EXPECT_THAT(said(proof), HasSubstr("facts are about threads that stand between their entry and their end"));
  }
}

// A fact of p is none of q, at the node of the same number.
TEST(ReplayPremises, FactsAreOfOneClass) {
  const std::string proof = written(
      "var x: int = 0;\nvar y: int = 0;\nfinally y == 0;\nproc p() { assume x == 1; skip; }\nproc q() { skip; y = 1; "
      "}\n"
      "thread p();\nthread q();\n",
      "(proves \"final-state@a.plato:3:1\")\n"
      "(CONF (class 0 (stop 1 0) (stop 3 1) (stop 0 2)) (class 1 (stop 1 0) (stop 3 1) (stop 0 2)))\n(protected)\n"
      "(invariant (1 \"\" (= y 0)))\n(facts (0 0 3 false))\n(INVARIANT (FIRST (1 LEAF))\n" +
          step("0 (way 1.0 2.0) (passes 0 1) (rules PASS)",
               {.keeps = "(1 same)", .reaches = "(0 LEAF)", .others = "(0 same)"}) +
          step("0 (way 3.0 4.0) (passes 1 2) (rules PASS)", {.keeps = "(1 same)", .others = "(0 same)"}) +
          step("1 (way 1.0 2.0) (passes 0 1) (rules PASS)", {.keeps = "(1 same)", .others = "(0 same)"}) +
          step("1 (way 3.0 4.0) (passes 1 2) (rules STEP)",
               {.update = "(y 1)", .keeps = "(1 LEAF)", .others = "(0 same)"}) +
          "(EMPTY-PROGRAM (\"final-state@a.plato:3:1\" LEAF)))\n(PROGRESS)\n");
  EXPECT_THAT(said(proof), HasSubstr("does not follow that conjunct 1 holds after the step"));
}

// ------------------------------------------------------------------------------------------------------------------- claims

// One assertion in a procedure that is called twice.
std::string asserting(const std::string& second, const std::string& claims) {
  return written(
      "proc a(v: int) { assert v == 0; }\nproc p() { a(0); a(" + second + "); }\nthread p();\n",
      "(proves \"assertion@a.plato:1:18\")\n(CONF (class 0 (stop 1 0) (stop 0 1)))\n(protected)\n(invariant)\n"
      "(facts)\n(INVARIANT (FIRST)\n" +
          step("0 (way 1.0 2.0 5.0 6.0 3.0 7.0 8.0 4.0) (passes 0 1) (rules PASS)", {.claims = claims}) +
          "(EMPTY-PROGRAM))\n(PROGRESS)\n");
}

TEST(ReplayPremises, ClaimsOnTheWayHoldEachTime) {
  const std::string claims = "(\"assertion@a.plato:1:18\" LEAF)";
  EXPECT_EQ(said(asserting("0", claims)), "verified");
  EXPECT_EQ(said(asserting("1", claims)),
            "as far as can be seen it does not follow that assertion@a.plato:1:18 holds here\n");
  EXPECT_EQ(said(asserting("1", "")), "the premise for assertion@a.plato:1:18 is missing\n");
}

// Neither what is found out behind the claim shows it, nor the claim itself.
TEST(ReplayPremises, ClaimsFollowFromWhatComesBefore) {
  const auto block = [](const std::string& first, const std::string& second, int column) {
    const std::string id = "assertion@a.plato:2:" + std::to_string(column);
    return said(written(
        "var x: int = *;\nproc q() { atomic { " + first + " " + second + " } }\nthread q();\n",
        "(proves \"" + id + "\")\n(CONF (class 0 (stop 1 0) (stop 0 1)))\n(protected)\n(invariant)\n" +
            "(facts)\n(INVARIANT (FIRST)\n" +
            step("0 (way 1.0 2.0 3.0 4.0 5.0 6.0) (passes 0 1) (rules PASS)", {.claims = "(\"" + id + "\" LEAF)"}) +
            "(EMPTY-PROGRAM))\n(PROGRESS)\n"));
  };
  EXPECT_EQ(block("assume x == 1;", "assert x == 1;", 36), "verified");
  EXPECT_EQ(block("assert x == 1;", "assume x == 1;", 21),
            "as far as can be seen it does not follow that assertion@a.plato:2:21 holds here\n");
  EXPECT_EQ(block("assert x == 1;", "skip;", 21),
            "as far as can be seen it does not follow that assertion@a.plato:2:21 holds here\n");
}

// -------------------------------------------------------------------------------------------------- what is concluded

std::string always(const std::string& program, const std::string& conjuncts, const std::string& conf,
                   const std::string& steps) {
  return written(program, "(proves \"invariant@a.plato:1:1\")\n(CONF (class 0 (stop 1 0) " + conf +
                              "))\n(protected)\n" + conjuncts + "\n(facts)\n(INVARIANT (FIRST (1 LEAF))\n" + steps +
                              "(EMPTY-PROGRAM)\n(ALWAYS (\"invariant@a.plato:1:1\" LEAF)))\n(PROGRESS)\n");
}

constexpr const char* kWithin = "others may see the states within this step, and of these nothing is known\n";

// In between they are not equal.
TEST(ReplayPremises, AlwaysNeedsStepsOfOneWriter) {
  const auto both = [](const std::string& body, const std::string& way, const std::string& rules) {
    return said(always("global_invariant x == y;\nvar m: monitor;\nvar x: int = 0;\nvar y: int = 0;\nproc p() { " +
                           body + " }\nthread p();\n",
                       "(invariant (1 \"\" (= x y)))", "(stop 0 1)",
                       step("0 (way " + way + ") (passes 0 1) (rules " + rules + ")",
                            {.update = "(x 1) (y 1) (m.holder m.holder) (m.depth m.depth)", .keeps = "(1 LEAF)"})));
  };
  EXPECT_EQ(both("atomic { x = 1; y = 1; }", "1.0 2.0 3.0 4.0 5.0 6.0", "STEP STEP"), "verified");
  EXPECT_THAT(both("acquire(m); x = 1; y = 1; release(m);", "1.0 2.0 3.0 4.0 5.0 6.0", "LOCK STEP STEP UNLOCK"),
              EndsWith(std::string(kWithin) + "nothing in the proof shows invariant@a.plato:1:1\n"));
}

// Who holds the lock waits for ever with x == 1.
TEST(ReplayPremises, AlwaysNeedsStepsThatGoOnBehindTheirWrite) {
  const std::string locked = "(update (m.holder (identity 0 (thread 0))) (m.depth (+ m.depth 1)))";
  const auto waits = [&](const std::string& wait) {
    return said(always(
        "global_invariant x == 0;\nvar m: monitor;\nvar x: int = 0;\nvar y: int = 0;\nproc p() { acquire(m); x = 1; " +
            wait + " release(m); }\nthread p();\n",
        "(invariant (1 \"\" (= x 0)))", "(stop 3 1) (stop 5 2) (stop 0 3)",
        with(step("0 (way 1.0 2.0) (passes 0 1) (rules LOCK)", {.keeps = "(1 same)"}), "(update )", locked) +
            step("0 (way 3.0 4.0) (passes 1 2) (rules STEP)", {.update = "(x 1)", .keeps = "(1 LEAF)"}) +
            step("0 (way 5.0 6.0) (passes 2 3) (rules UNLOCK)",
                 {.update = "(m.holder (ite (= 1 m.depth) none (identity 0 (thread 0)))) (m.depth (- m.depth 1))",
                  .keeps = "(1 same)"})));
  };
  EXPECT_EQ(waits("assume y == 1;"), std::string(kWithin) + "nothing in the proof shows invariant@a.plato:1:1\n");
  EXPECT_EQ(waits("skip;"), "as far as can be seen it does not follow that conjunct 1 holds after the step\n");
}

TEST(ReplayPremises, AlwaysFollowsFromTheInvariant) {
  const auto grows = [](const std::string& conjunct) {
    return said(
        always("global_invariant 0 <= x;\nvar x: int = 0;\nproc p() { x = x - 1; }\nthread p();\n",
               "(invariant (1 \"\" " + conjunct + "))", "(stop 0 1)",
               step("0 (way 1.0 2.0 3.0) (passes 0 1) (rules STEP)", {.update = "(x (- x 1))", .keeps = "(1 LEAF)"})));
  };
  EXPECT_EQ(grows("(<= x 0)"), "as far as can be seen it does not follow that invariant@a.plato:1:1 holds\n");
  EXPECT_EQ(grows("(<= 0 x)"), "as far as can be seen it does not follow that conjunct 1 holds after the step\n");
}

TEST(ReplayPremises, ThereIsAFirstAndALastState) {
  EXPECT_EQ(said(single("initially x == 1; var x: int = 0;\nfinally x == 5;\nproc p() { x = 2; }\nthread p();\n",
                        "(= x 5)", "STEP", {.update = "(x 2)", .keeps = "(1 LEAF)"})),
            "there is no first state, so nothing ever runs\n"
            "there is no last configuration: no run ends with all threads finished\n");
  EXPECT_EQ(said(single("var x: int = 0;\nfinally x == 5;\nproc p() { assume x == 1; }\nthread p();\n",
                        "(= (passed 0 0) 0)", "PASS", {.keeps = "(1 LEAF)"})),
            "there is no last configuration: no run ends with all threads finished\n");
}

// x never is 1.
TEST(ReplayPremises, TheInvariantHoldsAtFirst) {
  const std::string proof = single("var x: int = 0;\nfinally x == 1;\nproc p() { x = x; }\nthread p();\n", "(= x 1)",
                                   "STEP", {.keeps = "(1 same)"});
  const std::string first = "(FIRST (1 (LEAF z3 PERMUTATION INTERPLAY)))";
  EXPECT_EQ(said(proof), "as far as can be seen it does not follow that conjunct 1 holds at first\n");
  EXPECT_EQ(said(with(proof, first, "")), "the premise FIRST is missing: that the invariant holds at first\n");
  EXPECT_EQ(said(with(proof, first, "(FIRST)")), "the premise for conjunct 1 is missing\n");
}

TEST(ReplayPremises, NothingIsThereTwiceOrForNothing) {
  const auto keeping = [](const std::string& keeps) {
    return single("var x: int = 0;\nfinally x == 0;\nproc p() { x = 0; }\nthread p();\n", "(= x 0)", "STEP",
                  {.update = "(x 0)", .keeps = keeps});
  };
  EXPECT_THAT(said(keeping("(1 LEAF) (2 LEAF)")), HasSubstr("the rule has no such premise"));
  EXPECT_THAT(said(keeping("(1 LEAF) (1 LEAF)")), HasSubstr("this premise is there twice"));
  const std::string proof = keeping("(1 LEAF)");
  const std::size_t at = proof.find("(STEP");
  const std::string only = proof.substr(at, proof.find("(EMPTY-PROGRAM") - at);
  EXPECT_THAT(said(with(proof, only, only + only)), HasSubstr("this step is there twice"));
  EXPECT_THAT(said(with(proof, "(stop 0 1)", "(stop 2 2) (stop 0 1)")), HasSubstr("is a stop, at the last position"));
  EXPECT_THAT(said(with(proof, "(stop 0 1)", "(stop 2 1) (stop 0 1)")),
              HasSubstr("only the end is at the last position"));
}

// -------------------------------------------------------------------------------------------------------------- two classes

std::string adding(const std::string& claim, const std::string& steps, const std::string& progress = "0 1") {
  return written(
      "var x: int = 0;\nfinally " + claim +
          ";\ncheck termination;\nproc p() { x = x + 1; }\nproc q() { x = x + 2; }\nthread[2] p();\nthread q();\n",
      "(proves \"final-state@a.plato:2:1\" \"termination@a.plato:6:1\")\n"
      "(CONF (class 0 (stop 1 0) (stop 0 1)) (class 1 (stop 1 0) (stop 0 1)))\n(protected)\n"
      "(invariant (1 \"\" (= x (+ (passed 0 0) (* 2 (passed 1 0))))))\n(facts)\n(INVARIANT (FIRST (1 LEAF))\n" +
          steps + "(EMPTY-PROGRAM (\"final-state@a.plato:2:1\" LEAF)))\n(PROGRESS " + progress + ")\n");
}

TEST(ReplayPremises, EachClassHasItsSteps) {
  const std::string first =
      step("0 (way 1.0 2.0 3.0) (passes 0 1) (rules STEP)", {.update = "(x (+ x 1))", .keeps = "(1 LEAF)"});
  const std::string second =
      step("1 (way 1.0 2.0 3.0) (passes 0 1) (rules STEP)", {.update = "(x (+ x 2))", .keeps = "(1 LEAF)"});
  EXPECT_EQ(said(adding("x == 4", first + second)), "verified");
  EXPECT_EQ(said(adding("x == 2", first + second)),
            "as far as can be seen it does not follow that final-state@a.plato:2:1 holds\n");
  EXPECT_EQ(said(adding("x == 4", first)), "the premise for this step is missing: (STEP 1 (way 1.0 …) …)\n");
  EXPECT_EQ(said(adding("x == 4", second)), "the premise for this step is missing: (STEP 0 (way 1.0 …) …)\n");
  EXPECT_THAT(said(adding("x == 4", first + second, "0")), HasSubstr("PROGRESS is missing for some class of threads"));
  EXPECT_THAT(said(with(adding("x == 4", first + second), "(class 1 (stop 1 0) (stop 0 1))", "")),
              HasSubstr("the program has 2 thread declarations"));
}

}  // namespace
}  // namespace concord::replay
