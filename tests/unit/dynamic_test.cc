// The dynamic engine, mostly by breaking it on purpose: where the paper is loose, a program that the paper's version would verify, and a twin
// that really holds. Every final condition that is proved is looked for by the explorer, for some numbers of threads.
#include "engine/dynamic/dynamic.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explore/explorer.h"
#include "explore/referee.h"
#include "loaded.h"

namespace concord::engine::dynamic {
namespace {

using diag::Kind;
using testing::Contains;
using testing::Each;
using testing::Not;

Settings threads(std::int64_t count) {
  Settings out;
  out.threads = count;
  out.int_low = -1;
  out.int_high = 1;
  return out;
}

// Of the findings of a kind only.
EngineResult only(Kind kind, EngineResult answer) {
  std::erase_if(answer.results, [&](const PropertyResult& it) { return it.property.kind != kind; });
  return answer;
}

struct Planted {
  Defect defect;
  std::string name;
  Kind kind;
  std::string program;  // has a run against its claim
  std::string fixed;
};

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.name; }  // NOLINT: the name is fixed

class NoticedByDynamic : public testing::TestWithParam<Planted> {};

Loaded loaded(const std::string& text, Kind kind, const Settings& settings = {}) {
  Loaded out(text, settings);
  out.task.properties = collect_properties(out.sources, out.program, {kind});
  return out;
}

TEST_P(NoticedByDynamic, OnlyTheBrokenEngineVerifies) {
  const Kind kind = GetParam().kind;
  const Loaded program = loaded(GetParam().program, kind);
  EXPECT_THAT(only(kind, program.by(Dynamic())), results(Each(Not(is(Verdict::kVerified)))));
  EXPECT_THAT(only(kind, program.by(Dynamic(GetParam().defect))), results(Each(is(Verdict::kVerified))));
  const Loaded some = loaded(GetParam().program, kind, threads(2));
  EXPECT_THAT(only(kind, some.by(explore::Referee())), results(Contains(is(kind, Verdict::kViolated))));
}

TEST_P(NoticedByDynamic, TheFixedTwinIsVerified) {
  const Kind kind = GetParam().kind;
  EXPECT_THAT(only(kind, loaded(GetParam().fixed, kind).by(Dynamic())), results(Each(is(Verdict::kVerified))));
  for (const int count : {1, 2, 3}) {
    const Loaded some = loaded(GetParam().fixed, kind, threads(count));
    EXPECT_THAT(only(kind, some.by(explore::Referee())), results(Each(Not(is(Verdict::kViolated)))));
  }
}

const std::vector<Planted>& all_planted() {
  static const std::string kTwoClasses = R"(
const n: int;
var m: monitor;
var x: int = 0;
)";
  static const std::vector<Planted> kAll = {
      {Defect::kWrongBranch, "WrongBranch", Kind::kFinalState,
       "const n: int;\nfinal var b: map<int, bool> = *;\nvar x: int = 0;\nfinally x == n;\n"
       "proc p(me: int) { if (b[me]) { x = x + 1; } }\nthread[n] p(index);\n",
       "const n: int;\nfinal var b: map<int, bool> = *;\nvar x: int = 0;\n"
       "finally x == (\\sum int k; 0 <= k && k < n; b[k] ? 1 : 0);\n"
       "proc p(me: int) { if (b[me]) { x = x + 1; } }\nthread[n] p(index);\n"},
      {Defect::kDeadlockTerminates, "DeadlockTerminates", Kind::kTermination,
       "const n: int;\nvar l: monitor;\nvar r: monitor;\nproc p() { acquire(l); acquire(r); release(r); release(l); }\n"
       "proc q() { acquire(r); acquire(l); release(l); release(r); }\nthread[n] p();\nthread[n] q();\n",
       "const n: int;\nvar l: monitor;\nvar r: monitor;\nproc p() { acquire(l); release(l); acquire(r); release(r); }\n"
       "proc q() { acquire(r); release(r); acquire(l); release(l); }\nthread[n] p();\nthread[n] q();\n"},
      // Whoever takes the lock holds it. By rank it would be somebody of the first class.
      {Defect::kRankIsIdentity, "RankIsIdentity", Kind::kFinalState,
       kTwoClasses + "finally x == 0;\nproc p() { skip; }\n"
                     "proc q() { atomic { acquire(m); if (m.holder == tid) { x = 1; } } }\nthread p();\nthread q();\n",
       kTwoClasses + "finally x == 0;\nproc p() { skip; }\n"
                     "proc q() { atomic { acquire(m); if (m.holder != tid) { x = 1; } } }\nthread p();\nthread q();\n"},
      // Who does not want the lock goes on while somebody else has it.
      {Defect::kLockEverywhere, "LockEverywhere", Kind::kFinalState,
       kTwoClasses + "finally x == 0;\nproc p() { acquire(m); }\n"
                     "proc q() { if (m.holder != none && m.holder != tid) { x = 1; } }\nthread p();\nthread[n] q();\n",
       kTwoClasses +
           "finally x == n;\nproc p() { acquire(m); }\nproc q() { x = x + 1; }\nthread p();\nthread[n] q();\n"},
      {Defect::kNoAtomicity, "NoAtomicity", Kind::kFinalState,
       "const n: int;\nvar x: int = 0;\nfinally x == n;\nproc p() { var t: int = x; x = t + 1; }\nthread[n] p();\n",
       "const n: int;\nvar m: monitor;\nvar x: int = 0;\nfinally x == n;\n"
       "proc p() { acquire(m); var t: int = x; x = t + 1; release(m); }\nthread[n] p();\n"},
      {Defect::kOthersKeepFacts, "OthersKeepFacts", Kind::kFinalState,
       "const n: int;\nvar x: int = 0;\nfinally x == n;\nproc p() { var t: int = x; x = t + 1; }\nthread[n] p();\n",
       "const n: int;\nvar m: tid;\nvar x: int = 0;\nfinally x == n;\n"
       "proc p() { acquire(m); var t: int = x; x = t + 1; m = none; }\nthread[n] p();\n"},
  };
  return kAll;
}

INSTANTIATE_TEST_SUITE_P(Defects, NoticedByDynamic, testing::ValuesIn(all_planted()),
                         [](const auto& planted) { return planted.param.name; });

// ---------------------------------------------------------------------------------------------------------- single rules

TEST(Dynamic, AGoodFinalStateIsProvedAndAWrongOneIsNot) {
  const std::string code = "proc p() { x = x + 2; }\nthread[n] p();\n";
  const std::string head = "const n: int;\nvar x: int = 0;\n";
  EXPECT_THAT(Loaded(head + "finally x == 2 * n;\n" + code).by(Dynamic()), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(Loaded(head + "finally x == n;\n" + code).by(Dynamic()), results(Each(is(Verdict::kUnproved))));
}

TEST(Dynamic, WithoutAFirstStateNothingIsProved) {
  EXPECT_THAT(
      Loaded("const n: int;\nvar x: int = 0;\ninitially x == 1;\nfinally x == 7;\nproc p() { skip; }\nthread[n] p();\n")
          .by(Dynamic()),
      results(Each(is(Verdict::kUnproved))));
}

TEST(Dynamic, WithoutALastStateNothingIsProved) {
  EXPECT_THAT(Loaded("const n: int;\ninitially n > 0;\nfinally false;\nproc p() { assume false; }\nthread[n] p();\n")
                  .by(Dynamic()),
              results(Each(Not(is(Verdict::kVerified)))));
}

// One property: that all threads finish.
std::string with_loop(const std::string& body) {
  return "const n: int;\nconst k: int32;\nvar x: int = 0;\ncheck termination;\nproc p() { " + body +
         " }\nthread[n] p();\n";
}

TEST(Dynamic, LoopsThatCountComeToAnEnd) {
  for (const char* body : {"var i: int = 0; while (i < n) { x = x + 1; i = i + 1; }",
                           "var i: int = n; while (!(i <= 0 || x == 9)) { i = i - 2; }",
                           "var i: int = 0; while (i < 3) { var j: int = 0; while (j < i) { j = j + 1; } i = i + 1; }",
                           "var i: int32 = 0; while (i < k) { i = \\wrap(i + 1, 32); }",
                           "var i: int32 = 9; while (true) { i = \\wrap(i - 1, 32); if (!(i >= 0)) { break; } }"}) {
    EXPECT_THAT(Loaded(with_loop(body)).by(Dynamic()), results(Each(is(Verdict::kVerified)))) << body;
  }
}

TEST(Dynamic, LoopsThatDoNotCountMayGoOn) {
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
    EXPECT_THAT(Loaded(with_loop(body)).by(Dynamic()), results(Each(is(Verdict::kUnproved)))) << body;
  }
}

TEST(Dynamic, WhatItDoesNotKnowIsUnknown) {
  const Loaded objects(
      "class C { var f: int; }\nvar c: C;\nfinally c.f == 1;\nproc p() { c = new C(f = 1); }\nthread p();\n");
  EXPECT_THAT(objects.by(Dynamic()), results(Each(is(Verdict::kUnknown))));
  const Loaded starts("var x: int = 0;\nfinally x == 0;\nproc q() { skip; }\nproc p() { start q(); }\nthread p();\n");
  EXPECT_THAT(starts.by(Dynamic()), results(Each(is(Verdict::kUnknown))));
}

TEST(Dynamic, StepsAreCountedInAnyOrderOfTheirThreads) {
  const Loaded two(
      "const n: int;\nfinal var e: map<int, int> = *;\nvar x: int = 0;\nvar y: int = 0;\n"
      "finally x == (\\sum int k; 0 <= k && k < n; e[k]);\nfinally y == x;\n"
      "proc p(me: int) { x = x + e[me]; y = y + e[me]; }\nthread[n] p(index);\n");
  EXPECT_THAT(two.by(Dynamic()), results(Each(is(Verdict::kVerified))));
}

// ---------------------------------------------------------------------------------------------------------- atomicity

struct Steps {
  std::string name;
  std::string body;
  std::int64_t count;  // of steps, all ways together
};

void PrintTo(const Steps& steps, std::ostream* out) { *out << steps.name; }  // NOLINT: the name is fixed

class Unfolds : public testing::TestWithParam<Steps> {};

TEST_P(Unfolds, IntoSteps) {
  const Loaded program(
      "const n: int;\nvar m: monitor;\nvar l: monitor;\nvar x: int = 0;\nvar y: int = 0;\nvar free: int = 0;\n"
      "finally true || x == y;\nproc q() { free = free + 1; }\nproc p(me: int) { " +
      GetParam().body + " }\nthread[n] p(index);\n");
  EXPECT_EQ(program.by(Dynamic()).statistics.at("steps"), GetParam().count);
}

INSTANTIATE_TEST_SUITE_P(
    Bodies, Unfolds,
    testing::Values(Steps{"LocalOnly", "var t: int = me; t = t + 1;", 1}, Steps{"OneAccess", "x = x + 1;", 1},
                    Steps{"TwoAccesses", "var t: int = x; x = t + 1;", 2},
                    Steps{"UnderALock", "acquire(m); var t: int = x; x = t + 1; release(m);", 1},
                    Steps{"OneLockInAnother", "acquire(l); acquire(m); x = x + 1; y = x; release(m); release(l);", 1},
                    Steps{"TwiceUnderALock", "acquire(m); x = x + 1; release(m); acquire(m); x = x + 1; release(m);",
                          2},
                    Steps{"TakenTwice", "acquire(m); acquire(m); x = x + 1; release(m); release(m);", 1},
                    // What is behind the lock is not protected by it, so neither is what is under it.
                    Steps{"AlsoOutside", "acquire(m); x = x + 1; x = x + 1; release(m); x = x + 1;", 3},
                    Steps{"TwoBranches", "if (me == 0) { x = x + 1; } else { y = y + 1; }", 2},
                    Steps{"Call", "q(); q();", 2}, Steps{"AtomicBlock", "atomic { x = x + 1; y = y + 1; }", 1},
                    Steps{"WaitsInTheMiddle", "x = x + 1; await x > 1; y = 1;", 3}),
    [](const auto& steps) { return steps.param.name; });

// Those that have paid are not the first ones.
TEST(Dynamic, TheSumOfSomeIsNotThatOfTheFirst) {
  const std::string text =
      "const n: int;\nfinal var e: map<int, int> = *;\nvar x: int = 0;\nvar y: int = 0;\n"
      "global_invariant y == (\\sum int k; 0 <= k && k < x; e[k]);\nfinally y == (\\sum int k; 0 <= k && k < x; "
      "e[k]);\n"
      "proc p(me: int) { atomic { x = x + 1; y = y + e[me]; } }\nthread[n] p(index);\n";
  const EngineResult proved = Loaded(text).by(Dynamic());
  EXPECT_THAT(only(Kind::kInvariant, proved), results(Each(is(Verdict::kUnproved))));
  EXPECT_THAT(only(Kind::kFinalState, proved), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(only(Kind::kInvariant, Loaded(text, threads(2)).by(explore::Referee())),
              results(Each(is(Verdict::kViolated))));
}

TEST(Dynamic, BoundsOfSumsAreTaken) {
  const std::string code = "proc p(me: int) { x = x + a[me]; }\nthread[n] p(index);\n";
  const std::string head = "const n: int;\nfinal var a: map<int, int> = *;\nvar x: int = 0;\n";
  for (const char* range : {"0 <= k && k < n", "-1 < k && k <= n - 1", "k < n && k >= 0"}) {
    const Loaded good(head + "finally (\\sum int k; " + range + "; a[k]) == x;\n" + code);
    EXPECT_THAT(good.by(Dynamic()), results(Each(is(Verdict::kVerified)))) << range;
  }
  const Loaded less(head + "finally (\\sum int k; 0 < k && k < n; a[k]) == x;\n" + code, threads(2));
  EXPECT_THAT(less.by(explore::Explorer()), results(Contains(is(Verdict::kViolated))));
  EXPECT_THAT(less.by(Dynamic()), results(Each(Not(is(Verdict::kVerified)))));
}

}  // namespace
}  // namespace concord::engine::dynamic
