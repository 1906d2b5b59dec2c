// The checker of saved proofs: each rule with a proof that follows it and one that does not, and proofs of an engine that is broken on purpose.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/sha256.h"
#include "engine/dynamic/dynamic.h"
#include "loaded.h"
#include "replay/leaf.h"
#include "replay/progress.h"
#include "replay/system.h"
#include "replayed.h"

namespace concord::replay {
namespace {

using engine::dynamic::Defect;
using engine::dynamic::Dynamic;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string proof_of(const std::string& program, Defect defect = Defect::kNone) {
  engine::Settings settings;
  settings.keeps_proof = true;
  engine::Loaded loaded(program, settings);
  loaded.task.properties =
      engine::collect_properties(loaded.sources, loaded.program, {diag::Kind::kTermination, diag::Kind::kFinalState});
  return loaded.by(Dynamic(defect)).proof;
}

// Up to the end of the line.
std::string without_rest(const std::string& text, const std::string& from, const std::string& is) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.substr(0, at) + is + text.substr(text.find('\n', at));
}

const std::string kCounts =
    "const n: int;\nvar x: int = 0;\nfinally x == n;\nproc p() { x = x + 1; }\nthread[n] p();\n";
const std::string kLocked =
    "const n: int;\nvar m: monitor;\nvar x: int = 0;\nfinally x == n;\ncheck termination;\n"
    "proc p() { acquire(m); var t: int = x; x = t + 1; release(m); }\nthread[n] p();\n";
const std::string kTwoStops =
    "const n: int;\nfinal var e: map<int, int> = *;\nvar x: int = 0;\nvar y: int = 0;\nfinally y == x;\n"
    "proc p(me: int) { x = x + e[me]; y = y + e[me]; }\nthread[n] p(index);\n";
const std::string kFacts =
    "const n: int;\nvar x: int = 0;\nfinally x == n;\n"
    "proc p(me: int) { var done: bool = false;\n while (!done) { var t: int = x; done = CAS(x, t, t + 1); } }\n"
    "thread[n] p(index);\n";

TEST(Replay, ProofsAreVerified) {
  for (const std::string& program : {kCounts, kLocked, kTwoStops, kFacts})
    EXPECT_EQ(said(proof_of(program)), "verified");
}

TEST(Replay, TheStatisticsAreCounted) {
  const Answer answer = replayed(proof_of(kCounts));
  EXPECT_EQ(answer.statistics.at("steps"), 1);
  EXPECT_GT(answer.statistics.at("leaves"), 2);
  EXPECT_THAT(answer.proved, ElementsAre(HasSubstr("final-state@"), HasSubstr("termination@")));
}

// ------------------------------------------------------------------------------- an engine that is broken does not get away

struct Broken {
  Defect defect;
  std::string name;
  std::string program;
  std::string why;
};

void PrintTo(const Broken& broken, std::ostream* out) { *out << broken.name; }  // NOLINT: the name is fixed

class Rejects : public testing::TestWithParam<Broken> {};

TEST_P(Rejects, WhatABrokenEngineProves) {
  const std::string proof = proof_of(GetParam().program, GetParam().defect);
  ASSERT_THAT(proof, Not(IsEmpty()));
  EXPECT_THAT(said(proof), HasSubstr(GetParam().why));
}

INSTANTIATE_TEST_SUITE_P(
    Defects, Rejects,
    testing::Values(
        // (a) the premise for a thread in the wrong branch
        Broken{Defect::kWrongBranch, "WrongBranch",
               "const n: int;\nfinal var b: map<int, bool> = *;\nvar x: int = 0;\nfinally x == n;\n"
               "proc p(me: int) { if (b[me]) { x = x + 1; } }\nthread[n] p(index);\n",
               "the premise for this step is missing"},
        // (b) progress: a deadlock is no end
        Broken{Defect::kDeadlockTerminates, "DeadlockTerminates",
               "const n: int;\nvar l: monitor;\nvar r: monitor;\n"
               "proc p() { acquire(l); acquire(r); release(r); release(l); }\n"
               "proc q() { acquire(r); acquire(l); release(l); release(r); }\nthread[n] p();\nthread[n] q();\n",
               "waits here for a lock while it holds one"},
        // (c) a lock has the identity of the thread, not its rank
        Broken{Defect::kRankIsIdentity, "RankIsIdentity",
               "var m: monitor;\nvar x: int = 0;\nfinally x == 0;\nproc p() { skip; }\n"
               "proc q() { atomic { acquire(m); if (m.holder == tid) { x = 1; } } }\nthread p();\nthread q();\n",
               "does not follow that conjunct"},
        // (d) the condition of the lock is one of those who take it
        Broken{Defect::kLockEverywhere, "LockEverywhere",
               "const n: int;\nvar m: monitor;\nvar x: int = 0;\nfinally x == 0;\nproc p() { acquire(m); }\n"
               "proc q() { if (m.holder != none && m.holder != tid) { x = 1; } }\nthread p();\nthread[n] q();\n",
               "does not follow"},
        Broken{Defect::kNoAtomicity, "NoAtomicity",
               "const n: int;\nvar x: int = 0;\nfinally x == n;\nproc p() { var t: int = x; x = t + 1; }\n"
               "thread[n] p();\n",
               "these operations are not one step"},
        Broken{Defect::kOthersKeepFacts, "OthersKeepFacts",
               "const n: int;\nvar x: int = 0;\nfinally x == n;\nproc p() { var t: int = x; x = t + 1; }\n"
               "thread[n] p();\n",
               "keeps fact"}),
    [](const auto& broken) { return broken.param.name; });

// ------------------------------------------------------------------------------------------------------------ the rules

TEST(Replay, TheProgramIsTheOneThatIsNamed) {
  EXPECT_THAT(said(with(proof_of(kCounts), "x = x + 1", "x = x + 2")), HasSubstr("is the hash of"));
  std::string other = with(proof_of(kCounts), "x = x + 1", "x = x + 2");
  other = with(other, base::sha256(kCounts), base::sha256(with(kCounts, "x = x + 1", "x = x + 2")));
  EXPECT_THAT(said(other), HasSubstr("does not follow"));
}

TEST(Replay, ConfNeedsTheStops) {
  EXPECT_THAT(said(with(proof_of(kTwoStops), "(stop 0 2) ", "")), HasSubstr("a.proof:"));
  EXPECT_THAT(said(with(proof_of(kCounts), "(stop 1 0)", "(stop 1 1)")), HasSubstr("at position 0"));
  EXPECT_THAT(said(with(proof_of(kCounts), "(stop 0 1)", "")), HasSubstr("node 0, is a stop"));
  EXPECT_THAT(said(with(proof_of(kLocked), "(x m)", "(m x)")), HasSubstr("touched without this lock"));
}

TEST(Replay, FirstNeedsEachConjunct) {
  EXPECT_THAT(said(without_rest(proof_of(kCounts), "(FIRST", "(FIRST)")), HasSubstr("the premise for conjunct"));
  EXPECT_THAT(said(with(proof_of(kCounts), "(FIRST", "(ALWAYS) (LAST")), HasSubstr("no premise of INVARIANT"));
  const std::string late = with(kCounts, "var x: int = 0", "var x: int = 1");
  EXPECT_THAT(said(with(with(proof_of(kCounts), kCounts, late), base::sha256(kCounts), base::sha256(late))),
              HasSubstr("does not follow that conjunct"));
}

TEST(Replay, StepNeedsEachConjunct) {
  EXPECT_THAT(said(without_rest(proof_of(kCounts), "(keeps", "(keeps)")), HasSubstr("the premise for conjunct"));
  EXPECT_THAT(said(with(proof_of(kCounts), "(rules STEP)", "(rules PASS)")), HasSubstr("the operations are STEP"));
  EXPECT_THAT(said(with(proof_of(kCounts), "(passes 0 1)", "(passes 0 0)")), HasSubstr("from position 0 to 1"));
  EXPECT_THAT(said(with(proof_of(kCounts), "(update (x (+ x 1))", "(update (x (+ x 2))")), HasSubstr("new value"));
  EXPECT_THAT(said(without_rest(proof_of(kCounts), "(update", "(update)")), HasSubstr("keeps its value"));
  EXPECT_THAT(said(with(proof_of(kCounts), "(path", "(path (< x 0)")), HasSubstr("on the path"));
}

TEST(Replay, LockAndUnlockAreRules) {
  EXPECT_THAT(proof_of(kLocked), HasSubstr("(rules LOCK STEP UNLOCK)"));
  EXPECT_THAT(said(with(proof_of(kLocked), "(rules LOCK STEP UNLOCK)", "(rules STEP)")), HasSubstr("LOCK STEP UNLOCK"));
}

TEST(Replay, FactsAreReachedAndKept) {
  const std::string proof = proof_of(kFacts);
  ASSERT_THAT(proof, HasSubstr("(facts\n"));
  EXPECT_THAT(said(without_rest(proof, "(reaches (", "(reaches)")), HasSubstr("the premise for fact"));
  EXPECT_THAT(said(without_rest(proof, "(others (", "(others)")), HasSubstr("the premise for fact"));
}

TEST(Replay, WhatIsConcludedIsShown) {
  EXPECT_THAT(said(without_rest(proof_of(kCounts), "  (EMPTY-PROGRAM", ")")), HasSubstr("nothing in the proof shows"));
  EXPECT_THAT(said(with(proof_of(kCounts), "(proves", "(proves \"deadlock@a\"")), HasSubstr("nothing that is called"));
  EXPECT_THAT(said(with(proof_of(kLocked), "(PROGRESS 0)", "(PROGRESS)")), HasSubstr("PROGRESS is missing"));
  const std::string false_claim = with(kCounts, "finally x == n", "finally x == 3");
  EXPECT_THAT(
      said(with(with(proof_of(kCounts), kCounts, false_claim), base::sha256(kCounts), base::sha256(false_claim))),
      HasSubstr("does not follow that final-state@"));
}

TEST(Replay, TextThatIsNoProofIsMalformed) {
  for (const char* text :
       {"", "hello", "(concord-proof 2)", "(concord-proof 1", "(concord-proof 1) (solver z3) )",
        "(concord-proof 1) (solver z3) (integers real)", "\"text", "(concord-proof 1) (solver \"z3\")"}) {
    EXPECT_THAT(said(text), HasSubstr("a.proof:1:")) << text;
  }
}

TEST(Replay, FormulasAreOfTheRightSort) {
  for (const char* formula : {"(+ x true)", "(and x)", "(select x 0)", "y", "(forall k true)", "(passed 0 7)",
                              "(at 1 0 x)", "(ite true x true)", "(any 0)", "(nothing x)", "\"x\"", "()"}) {
    EXPECT_THAT(said(with(proof_of(kCounts), "(path", std::string("(path ") + formula)), HasSubstr("error: "))
        << formula;
  }
}

// ------------------------------------------------------------------------------------------------------- laws of leaves

class Laws : public testing::Test {
 protected:
  Laws()
      : proof_(read_proof("a.proof", proof_of(kTwoStops))),
        system_(proof_),
        leaves_(system_.terms(), system_.classes()) {}

  bool holds(const std::vector<Term>& left, Term right, const std::set<Law>& used) {
    const auto solver = smt::make_solver({});
    for (Term it : leaves_.ground({left, right, {}}, used)) solver->add(it);
    return solver->check() == smt::Answer::kUnsat;
  }
  Pool& pool() { return system_.terms().pool(); }
  Term number(const char* name) { return pool().constant(name, pool().integer()); }
  Term map(const char* name) { return pool().constant(name, pool().array(pool().integer(), pool().integer())); }
  Term sum(Term of, Term low, Term high) {
    const Term k = pool().bound("k", pool().integer());
    return system_.terms().sums().sum(k, low, high, pool().select(of, k));
  }
  Term zero() { return pool().number(0); }

  Proof proof_;
  System system_;
  Leaves leaves_;
};

TEST_F(Laws, TheEmptySumIsZero) {
  const Term goal = pool().eq(sum(map("a"), number("i"), number("j")), zero());
  EXPECT_TRUE(holds({pool().le(number("j"), number("i"))}, goal, {Law::kSumEmpty}));
  EXPECT_FALSE(holds({pool().le(number("j"), number("i"))}, goal, {}));
  EXPECT_FALSE(holds({pool().lt(number("i"), number("j"))}, goal, {Law::kSumEmpty}));
}

TEST_F(Laws, TheSumOfZerosIsZero) {
  const Term all = pool().const_array(pool().array(pool().integer(), pool().integer()), number("c"));
  const Term goal = pool().eq(sum(all, number("i"), number("j")), zero());
  EXPECT_TRUE(holds({pool().eq(number("c"), zero())}, goal, {Law::kSumEmpty}));
  EXPECT_FALSE(holds({}, goal, {Law::kSumEmpty}));
  const Term rest = pool().store(all, number("i"), pool().number(1));
  EXPECT_FALSE(holds({pool().eq(number("c"), zero())}, pool().eq(sum(rest, number("i"), number("j")), zero()),
                     {Law::kSumEmpty, Law::kSumChange}));
}

TEST_F(Laws, OneMoreSummandIsAdded) {
  const Term next = pool().add(number("j"), pool().number(1));
  const Term goal = pool().eq(sum(map("a"), zero(), next),
                              pool().add(sum(map("a"), zero(), number("j")), pool().select(map("a"), number("j"))));
  EXPECT_TRUE(holds({pool().le(zero(), number("j"))}, goal, {Law::kSumNext}));
  EXPECT_FALSE(holds({}, goal, {Law::kSumNext}));  // below 0 both are empty
  EXPECT_FALSE(holds({pool().le(zero(), number("j"))}, goal, {Law::kSumEmpty}));
}

TEST_F(Laws, OneChangedSummandCounts) {
  const Term changed = pool().store(map("a"), number("i"), number("v"));
  const Term difference = pool().sub(number("v"), pool().select(map("a"), number("i")));
  const Term goal =
      pool().eq(sum(changed, zero(), number("n")), pool().add(sum(map("a"), zero(), number("n")), difference));
  const std::vector<Term> inside{pool().le(zero(), number("i")), pool().lt(number("i"), number("n"))};
  EXPECT_TRUE(holds(inside, goal, {Law::kSumChange}));
  EXPECT_FALSE(holds({inside.front()}, goal, {Law::kSumChange}));
  EXPECT_FALSE(holds(inside, goal, {Law::kSumNext}));
}

TEST_F(Laws, TheOrderDoesNotMatterForAllThreads) {
  const ThreadClass& of = system_.classes().front();
  const Term k = pool().bound("k", pool().integer());
  const Term there = pool().apply(of.orders.front().at, {k}, pool().integer());
  const auto in_order = [&](Term high) {
    return system_.terms().sums().sum(k, zero(), high, pool().select(map("a"), there));
  };
  EXPECT_TRUE(holds({}, pool().eq(in_order(of.count), sum(map("a"), zero(), of.count)), {Law::kSumReorder}));
  const Term some = number("i");  // of some the first in order are others than the first
  EXPECT_FALSE(holds({}, pool().eq(in_order(some), sum(map("a"), zero(), some)), {Law::kSumReorder, Law::kSumChange}));
}

TEST_F(Laws, WhoIsAtAPlaceHasThatPlace) {
  const ThreadClass& of = system_.classes().front();
  const Term there = pool().apply(of.orders[0].at, {number("i")}, pool().integer());
  const Term goal = pool().eq(pool().apply(of.orders[0].place, {there}, pool().integer()), number("i"));
  const std::vector<Term> inside{pool().le(zero(), number("i")), pool().lt(number("i"), of.count)};
  EXPECT_TRUE(holds(inside, goal, {Law::kPermutation}));
  EXPECT_FALSE(holds({inside.front()}, goal, {Law::kPermutation}));
  EXPECT_FALSE(holds(inside, goal, {Law::kInterplay}));
}

TEST_F(Laws, WhoHasPassedHasPassedWhatComesBefore) {
  const ThreadClass& of = system_.classes().front();
  ASSERT_GE(of.orders.size(), 2U);
  const auto passed = [&](std::size_t p) {
    return pool().lt(pool().apply(of.orders[p].place, {number("i")}, pool().integer()), of.passed[p]);
  };
  const std::vector<Term> left{pool().le(zero(), number("i")), pool().lt(number("i"), of.count), passed(1)};
  EXPECT_TRUE(holds(left, passed(0), {Law::kInterplay}));
  EXPECT_FALSE(holds(left, passed(0), {Law::kPermutation}));
  EXPECT_FALSE(holds({left[0], left[1], passed(0)}, passed(1), {Law::kInterplay, Law::kPermutation}));
}

TEST_F(Laws, QuantifiersAreUsedAndNamed) {
  const Term k = pool().bound("k", pool().integer());
  const Term entry = pool().select(map("a"), k);
  const Term all = pool().forall({k}, pool().lt(zero(), entry));
  const Term some = pool().exists({k}, pool().lt(zero(), entry));
  EXPECT_TRUE(holds({all}, pool().lt(zero(), pool().select(map("a"), number("i"))), {}));
  EXPECT_FALSE(holds({some}, pool().lt(zero(), pool().select(map("a"), number("i"))), {}));
  EXPECT_TRUE(holds({pool().or_(all, pool().eq(number("i"), zero())), pool().ne(number("i"), zero())}, all, {}));
  EXPECT_FALSE(holds({some}, all, {}));
}

// ---------------------------------------------------------------------------------------------- steps, and progress

std::string trouble_of(const std::string& body, const std::string& of_other = "y = y + 1;") {
  const engine::Loaded loaded(
      "const n: int;\nconst k: int32;\ncheck termination;\nvar m: monitor;\nvar r: monitor;\nvar p: tid;\nvar taken: "
      "tid = *;\nghost var g: int = 0;\n"
      "var x: int = 0;\nvar y: int = 0;\nproc f() { atomic { skip; } }\nproc q(me: int) { " +
      body + " }\nthread[3] q(index);\nthread other();\nproc other() { " + of_other + " }\n");
  const Code code = code_of(loaded.program, loaded.program.threads[0].target.index);
  const Code other = code_of(loaded.program, loaded.program.threads[1].target.index);
  const Atomicity atomicity(loaded.program, {&code, &other});
  Way way;
  std::string out;
  const std::function<void(int)> walk = [&](int node) {
    if (node == Code::kEnd) out += atomicity.look(0, way).trouble.value_or("");
    for (const Edge& edge : code.nodes[static_cast<std::size_t>(node)]) {
      way.nodes.push_back(node), way.edges.push_back(&edge);
      walk(edge.target);
      way.nodes.pop_back(), way.edges.pop_back();
    }
  };
  walk(Code::kEntry);
  return out;
}

TEST(ReplaySteps, AreNotInterrupted) {
  for (const char* body :
       {"var t: int = me; t = t + 1;", "x = x + 1;", "acquire(m); var t: int = x; x = t + 1; release(m);",
        "acquire(r); acquire(m); x = x + 1; x = 2; release(m); release(r);",
        "acquire(m); acquire(m); x = 1; x = 2; release(m); release(m);", "atomic { x = x + 1; y = y + 1; }",
        "acquire(p); x = 1; x = 2; release(p);", "var t: int = me; if (t == 0) { x = 1; } else { y = 1; }"}) {
    EXPECT_EQ(trouble_of(body), "") << body;
  }
}

TEST(ReplaySteps, OthersComeInBetween) {
  for (const char* body : {"var t: int = x; x = t + 1;", "acquire(m); y = y + 1; y = y + 1; release(m);",
                           "acquire(m); x = 1; release(m); x = 2;", "x = 1; p = tid; p = none;"}) {
    EXPECT_THAT(trouble_of(body), HasSubstr("others may come between")) << body;
  }
  for (const char* body :
       {"y = 1; assert me == 0;", "y = 1; assume me == 0;", "y = 1; release(r);", "y = 1; var t: int = 1 / me;",
        "y = 1; acquire(m);", "acquire(m); x = 1; release(m); acquire(m); x = 2; release(m);"}) {
    EXPECT_THAT(trouble_of(body), HasSubstr("behind what others can see")) << body;
  }
}

TEST(ReplaySteps, AtomicBlocksAreOperationsLikeAnyOther) {
  EXPECT_THAT(trouble_of("atomic { x = x + 1; } atomic { y = y + 1; }"), HasSubstr("others may come between"));
  EXPECT_THAT(trouble_of("y = 1; atomic { assert me == 0; }"), HasSubstr("behind what others can see"));
}

TEST(ReplaySteps, ABlockGoesOnBehindTheBlockOfAProcedureThatItCalls) {
  EXPECT_EQ(trouble_of("f(); atomic { f(); x = x + 1; f(); }"), "");
  EXPECT_THAT(trouble_of("var t: int; atomic { f(); t = x; } atomic { f(); x = t + 1; }"),
              HasSubstr("others may come between"));
  EXPECT_THAT(trouble_of("y = 1; atomic { f(); assert me == 0; }"), HasSubstr("behind what others can see"));
}

TEST(ReplaySteps, ProtectedIsWhatIsOnlyTouchedUnderOneLock) {
  const std::string locked = "acquire(m); x = 1; x = 2; release(m);";
  EXPECT_EQ(trouble_of(locked, "acquire(m); x = 3; release(m);"), "");
  for (const char* other :
       {"x = 3;", "acquire(r); x = 3; release(r);", "var t: int = x;", "acquire(m); release(m); x = 3;"})
    EXPECT_THAT(trouble_of(locked, other), HasSubstr("others may come between")) << other;
  EXPECT_THAT(trouble_of("if (me == 0) { acquire(m); } x = 1; x = 2; if (me == 0) { release(m); }"),
              HasSubstr("others may come between"));
  EXPECT_THAT(
      trouble_of("if (me == 0) { acquire(m); } else { skip; skip; } x = 1; x = 2; if (me == 0) { release(m); }"),
      HasSubstr("others may come between"));
}

TEST(ReplaySteps, LocksAreFreeAtFirstAndNeverLookedAt) {
  const std::string locked = "acquire(m); x = 1; x = 2; release(m);";
  EXPECT_THAT(trouble_of(locked, "if (m.holder == none) { y = 1; }"), HasSubstr("others can see"));
  EXPECT_THAT(trouble_of("acquire(p); x = 1; x = 2; release(p);", "p = none;"), HasSubstr("others can see"));
  EXPECT_THAT(trouble_of("acquire(taken); x = 1; x = 2; release(taken);"), HasSubstr("others can see"));
  // Who has it waits for itself.
  EXPECT_THAT(trouble_of("acquire(p); y = 1; acquire(p); release(p); release(p);"), HasSubstr("others can see"));
}

TEST(ReplaySteps, WhoTakesALockMayDoMoreThanThat) {
  const std::string both = "acquire(m); set g = 1; acquire(r); set g = 2; release(r); release(m);";
  EXPECT_EQ(trouble_of(both), "");
  EXPECT_THAT(trouble_of(both, "y = 1; set g = 3;"), HasSubstr("others can see"));
}

std::string stuck(const std::string& body, bool has_java_ints = false) {
  const engine::Loaded loaded(
      "const n: int;\nconst k: int32;\ncheck termination;\nvar m: monitor;\nvar r: monitor;\nvar p: tid;\nvar x: int = "
      "0;\nproc q() { " +
      body + " }\nthread[3] q();\n");
  const Code code = code_of(loaded.program, loaded.program.threads[0].target.index);
  const auto trouble = may_get_stuck(loaded.program, code, Atomicity(loaded.program, {&code}), has_java_ints);
  return trouble ? trouble->what : "";
}

TEST(ReplayProgress, EveryRunEnds) {
  for (const char* body :
       {"x = 1;", "acquire(m); x = 1; release(m);", "acquire(m); acquire(m); release(m); release(m);",
        "acquire(m); release(m); acquire(r); release(r);", "if (x == 0) { acquire(p); release(p); }"}) {
    EXPECT_EQ(stuck(body), "") << body;
  }
}

TEST(ReplayProgress, SomeRunDoesNot) {
  EXPECT_THAT(stuck("while (x == 0) { skip; }"), HasSubstr("a loop"));
  EXPECT_THAT(stuck("acquire(m); acquire(r); release(r); release(m);"), HasSubstr("while it holds one"));
  EXPECT_THAT(stuck("acquire(p); acquire(p); release(p); release(p);"), HasSubstr("while it holds one"));
  EXPECT_THAT(stuck("acquire(m);"), HasSubstr("end with a lock"));
  EXPECT_THAT(stuck("await x == 1;"), HasSubstr("wait here for ever"));
  EXPECT_THAT(stuck("atomic { acquire(m); } release(m);"), HasSubstr("wait here for ever"));
  EXPECT_THAT(stuck("acquire(m); acquire(m); release(m);"), HasSubstr("end with a lock"));
}

TEST(ReplayProgress, LoopsThatCountComeToAnEnd) {
  for (const char* body :
       {"var i: int = 0; while (i < n) { x = x + 1; i = i + 1; }",
        "var i: int = n; while (!(i <= 0 || x == 9)) { i = i - 2; }",
        "var i: int = 0; while (i < 3) { var j: int = 0; while (j < i) { j = j + 1; } i = i + 1; }",
        "var i: int32 = 0; while (i < k) { acquire(m); x = x + 1; release(m); i = \\wrap(i + 1, 32); }",
        "var i: int32 = 9; while (true) { i = \\wrap(i - 1, 32); if (!(i >= 0)) { break; } }"}) {
    EXPECT_EQ(stuck(body), "") << body;
  }
}

TEST(ReplayProgress, LoopsThatDoNotCountMayGoOn) {
  for (const char* body :
       {"var i: int = 0; while (i < n) { if (*) { i = i + 1; } }", "var i: int = 0; while (i < n) { i = i - 1; }",
        "var i: int = 0; while (i < x) { i = i + 1; x = x + 1; }",
        "var i: int = 0; while (i < 3) { i = i + 1; havoc i; }",
        "var i: int = 0; var b: int = 4; while (i < b) { i = i + 1; b = b + 1; }",
        "var i: int32 = 0; while (i <= k) { i = \\wrap(i + 1, 32); }",
        "var i: int32 = 0; while (i < k) { i = \\wrap(i + 2, 32); }",
        "var i: int = 0; while (i < n) { i = \\wrap(i + 1, 32); }",
        "var i: int = 0; while (i < n || x == 0) { i = i + 1; }",
        "var i: int = 0; while (i < 3) { while (i > 0) { i = i - 1; } i = i + 1; }",
        "var i: int32 = 0; while (i < k) { loop { i = \\wrap(i + 1, 32); } }"}) {
    EXPECT_THAT(stuck(body), HasSubstr("a loop")) << body;
  }
  EXPECT_EQ(stuck("var i: int = 0; while (i <= n) { i = i + 1; }"), "");
  EXPECT_THAT(stuck("var i: int = 0; while (i <= n) { i = i + 1; }", true), HasSubstr("a loop"));
  EXPECT_THAT(stuck("var i: int = 0; while (i < 3) { acquire(m); i = i + 1; }"), HasSubstr("end with a lock"));
}

}  // namespace
}  // namespace concord::replay
