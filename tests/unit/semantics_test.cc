// Laws of the semantics (docs/plato.md): programs that must have the same final shared stores, or verdicts that must agree.
//
// A law is tested on programs with the same shared variables, so that their final stores can be compared as bytes. Most laws
// are about one thread `p` beside another one that disturbs it: without that, many wrong semantics would satisfy them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>

#include "engine/property.h"
#include "explore/exploration.h"
#include "explore/referee.h"
#include "explore/table_search.h"
#include "plato/reader.h"
#include "plato/wellformed.h"

namespace concord::explore {
namespace {

using engine::Verdict;
using testing::IsEmpty;

using Stores = std::set<std::string>;

// A program that is read, checked and ready to run.
struct Loaded {
  base::SourceMap sources;
  plato::Program program;
  engine::Task task;
  bool good = false;

  explicit Loaded(const std::string& text, const engine::Settings& settings = {},
                  const std::set<diag::Kind>& requested = {}) {
    sources.add("t.plato", text);
    diag::Sink sink;
    plato::read(sources, 0, program, sink);
    if (!sink.has_errors()) plato::check_well_formed(sources, program, sink);
    for (const diag::Diagnostic& error : sink.errors()) ADD_FAILURE() << diag::render(sources, error) << "in\n" << text;
    good = !sink.has_errors();
    if (good) task = {&sources, &program, engine::collect_properties(sources, program, requested), settings};
  }
};

struct Explored {
  Stores stores;
  std::uint64_t states = 0;
  std::size_t findings = 0;
};

Explored explore(const std::string& text, const engine::Settings& settings = {}) {
  Explored out;
  Loaded loaded(text, settings);
  if (!loaded.good) return out;
  engine::Control control;
  Exploration exploration(loaded.task, control, settings.threads.value_or(2));
  EXPECT_EQ(exploration.run(), Outcome::kComplete);
  EXPECT_THAT(exploration.bounds(), IsEmpty()) << text;
  out.stores = exploration.final_stores();
  out.states = exploration.state_count();
  out.findings = exploration.findings().size();
  TableSearch search(loaded.task, control, settings.threads.value_or(2));
  EXPECT_EQ(search.run(), Outcome::kComplete);
  EXPECT_EQ(search.final_stores(), out.stores) << text;
  EXPECT_EQ(search.findings().size(), out.findings) << text;
  EXPECT_LE(search.state_count(), out.states) << text;
  return out;
}

// The final stores of a program; it is an error in the test if there are none.
Stores finals(const std::string& text) {
  const Explored out = explore(text);
  EXPECT_THAT(out.stores, Not(IsEmpty())) << text;
  EXPECT_EQ(out.findings, 0U) << text;
  return out.stores;
}

bool includes(const Stores& large, const Stores& small) {
  return std::includes(large.begin(), large.end(), small.begin(), small.end());
}

// The worst verdict of each kind.
std::map<std::string, Verdict> verdicts(const std::string& text, const std::set<diag::Kind>& requested = {}) {
  std::map<std::string, Verdict> out;
  Loaded loaded(text, {}, requested);
  if (!loaded.good) return out;
  engine::Control control;
  for (const engine::PropertyResult& it : Referee().run(loaded.task, control).results) {
    const auto [at, is_new] = out.emplace(diag::name(it.property.kind), it.verdict);
    if (!is_new) at->second = engine::worst(at->second, it.verdict);
  }
  return out;
}

Verdict verdict(const std::string& text, diag::Kind kind) {
  const auto all = verdicts(text, {kind});
  const auto found = all.find(std::string(diag::name(kind)));
  if (found != all.end()) return found->second;
  ADD_FAILURE() << "no property of kind " << diag::name(kind) << " in\n" << text;
  return Verdict::kUnknown;
}

constexpr const char* kShared =
    "var x: int = 0; var y: int = 0; var b: bool = false; var m: tid = none; var k: monitor;\n";
// Changes x and y in several steps, so that every gap in the operations of `p` shows.
constexpr const char* kOther = "proc other() { x = x + 10; y = y + x; }\n";

std::string beside(const std::string& body, const std::string& other = kOther, const std::string& more = "") {
  return kShared + more + "proc p() {\n" + body + "\n}\n" + other + "thread p();\nthread other();\n";
}

std::string alone(const std::string& body) { return beside(body, "proc other() { skip; }\n"); }

// Two bodies that nobody can tell apart in the end, alone or disturbed.
void expect_same(const std::string& a, const std::string& b, const std::string& more = "") {
  EXPECT_EQ(finals(beside(a, kOther, more)), finals(beside(b, kOther, more))) << a << "\nagainst\n" << b;
  EXPECT_EQ(finals(beside(a, "proc other() { skip; }\n", more)), finals(beside(b, "proc other() { skip; }\n", more)))
      << a << "\nagainst\n"
      << b;
}

void expect_different(const std::string& a, const std::string& b) {
  EXPECT_NE(finals(beside(a)), finals(beside(b))) << a << "\nagainst\n" << b;
}

// Bodies of every kind, for the laws that hold of any statement.
const std::vector<std::string>& bodies() {
  static const std::vector<std::string> all = {
      "x = 1;",
      "x = x + 1;",
      "var t: int = x; y = 5; x = t + 1;",
      "if (x > 0) y = 1; else y = 2;",
      "while (x < 3) x++;",
      "choose { x = 1; } or { y = 1; }",
      "loop { assume y < 2; y++; }",
      "atomic { x = x + 1; y = x; }",
      "acquire(m); x = 7; release(m);",
      "acquire(k); acquire(k); y = 3; release(k); x = k.depth; release(k);",
      "<x' == y && y' == x>_{x, y};",
      "CAS(x, 0, y);",
      "b = CAS(x, 10, 4);",
      "havoc x in 2 .. 4;",
      "if (*) { await x == 10; y = y * 2; }",
  };
  return all;
}

// ------------------------------------------------------------------------------------------------------- this test itself

TEST(Semantics, TheComparisonSeesDifferences) {
  expect_different("x = 1;", "x = 2;");
  expect_different("x = x + 1;", "var t: int = x; x = t + 1;");
  expect_different("atomic { x = 1; y = x; }", "x = 1; y = x;");
  EXPECT_FALSE(includes(finals(beside("x = x + 1;")), finals(beside("var t: int = x; x = t + 1;"))));
}

// ------------------------------------------------------------------------------------------------------------- atomicity

std::string workers(int count, const std::string& body) {
  return "var x: int = 0;\nproc p() { " + body + " }\nthread[" + std::to_string(count) + "] p();\n";
}

std::string any_of(int low, int high) {
  return "var x: int = 0;\nproc p() { havoc x in " + std::to_string(low) + " .. " + std::to_string(high) +
         "; }\nthread p();\n";
}

TEST(Semantics, AtomicIncrementsAddUp) {
  EXPECT_EQ(finals(workers(2, "x = x + 1;")), finals(any_of(2, 2)));
  EXPECT_EQ(finals(workers(3, "x++;")), finals(any_of(3, 3)));
  EXPECT_EQ(finals(workers(2, "x++; x++;")), finals(any_of(4, 4)));
}

TEST(Semantics, UnfoldedIncrementsGetLost) {
  EXPECT_EQ(finals(workers(2, "var t: int = x; x = t + 1;")), finals(any_of(1, 2)));
  EXPECT_EQ(finals(workers(3, "var t: int = x; x = t + 1;")), finals(any_of(1, 3)));
  // The classic: two threads that add one twice can end with 2, but not with 1.
  EXPECT_EQ(finals(workers(2, "var t: int = x; x = t + 1; t = x; x = t + 1;")), finals(any_of(2, 4)));
}

TEST(Semantics, ALockMakesUnfoldedIncrementsAddUp) {
  const std::string lock = "var x: int = 0; var m: tid = none;\n";
  EXPECT_EQ(finals(lock + "proc p() { acquire(m); var t: int = x; x = t + 1; release(m); }\nthread[3] p();\n"),
            finals(lock + "proc p() { x = 3; }\nthread p();\n"));
}

TEST(Semantics, AtomicAllowsNoMore) {
  for (const std::string& body : bodies()) {
    if (body.starts_with("atomic")) continue;
    EXPECT_TRUE(includes(finals(beside(body)), finals(beside("atomic { " + body + " }")))) << body;
  }
}

TEST(Semantics, AtomicIsNothingWithoutOthers) {
  for (const std::string& body : bodies()) {
    if (body.starts_with("atomic")) continue;
    EXPECT_EQ(finals(alone(body)), finals(alone("atomic { " + body + " }"))) << body;
  }
}

TEST(Semantics, AtomicOfOneOperationIsTheOperation) {
  for (const char* body : {"x = x + 1;", "CAS(x, 0, y);", "havoc x in 2 .. 4;", "assume x == 10;", "acquire(m);"}) {
    EXPECT_EQ(finals(beside(body)), finals(beside(std::string("atomic { ") + body + " }"))) << body;
  }
}

// ------------------------------------------------------------------------------------------------------------ statements

TEST(Semantics, SkipDoesNothing) {
  for (const std::string& body : bodies()) {
    EXPECT_EQ(finals(beside("skip; " + body)), finals(beside(body))) << body;
    EXPECT_EQ(finals(beside(body + " skip;")), finals(beside(body))) << body;
  }
}

TEST(Semantics, WhatAlwaysHoldsIsSkip) {
  for (const std::string& body : bodies()) {
    for (const char* nothing : {"assume true; ", "await true; ", "assert true; ", "<true>; ", "true ? <true>_{}; "}) {
      EXPECT_EQ(finals(beside(nothing + body)), finals(beside(body))) << nothing << body;
    }
  }
}

TEST(Semantics, BlocksAreOnlyBrackets) {
  for (const std::string& body : bodies()) {
    EXPECT_EQ(finals(beside("{ { " + body + " } }")), finals(beside(body))) << body;
  }
}

TEST(Semantics, AssumeFalseNeverEnds) {
  EXPECT_THAT(explore(beside("assume false;")).stores, IsEmpty());
  EXPECT_THAT(explore(beside("<false>;")).stores, IsEmpty());
  EXPECT_THAT(explore(beside("havoc x in 1 .. 0;")).stores, IsEmpty());
  EXPECT_THAT(explore(beside("atomic { x = 1; assume false; }")).stores, IsEmpty());
  EXPECT_THAT(explore(beside("acquire(m); acquire(m);")).stores, IsEmpty());
}

TEST(Semantics, AssumeIsADirectOperation) { expect_same("if (*) await x == 10; y = 5;", "if (*) <x == 10>; y = 5;"); }

TEST(Semantics, AssignmentIsADirectOperation) {
  expect_same("x = y + 1;", "<x' == y + 1>_{x};");
  expect_same("x = y + 1;", "<x == \\old(y) + 1>_{x};");
  expect_same("x += 2; y -= x; x++; y--;", "x = x + 2; y = y - x; x = x + 1; y = y - 1;");
}

TEST(Semantics, HavocIsAnyValue) {
  expect_same("havoc x in 1 .. 3;", "<1 <= x' && x' <= 3>_{x};");
  expect_same("havoc x in 1 .. 3;", "choose { x = 1; } or { x = 2; } or { x = 3; }");
  expect_same("havoc b;", "choose { b = true; } or { b = false; }");
  expect_same("havoc b;", "<true>_{b};");
}

TEST(Semantics, IndependentAssignmentsCommuteAlone) {
  EXPECT_EQ(finals(alone("x = 1; y = 2;")), finals(alone("y = 2; x = 1;")));
  EXPECT_NE(finals(beside("x = 1; y = 2;")), finals(beside("y = 2; x = 1;")));
}

TEST(Semantics, AnOverwrittenValueMayHaveBeenSeen) {
  EXPECT_EQ(finals(alone("x = 1; x = 2;")), finals(alone("x = 2;")));
  const Stores once = finals(beside("x = 2;"));
  const Stores twice = finals(beside("x = 1; x = 2;"));
  EXPECT_TRUE(includes(twice, once));
  EXPECT_NE(twice, once);
}

// ------------------------------------------------------------------------------------------------------ choice and loops

TEST(Semantics, ChooseIsCommutativeAssociativeIdempotent) {
  for (const std::string& body : bodies()) {
    expect_same("choose { " + body + " } or { y = 9; }", "choose { y = 9; } or { " + body + " }");
    expect_same("choose { " + body + " } or { choose { y = 9; } or { x = 9; } }",
                "choose { choose { " + body + " } or { y = 9; } } or { x = 9; }");
    expect_same("choose { " + body + " } or { " + body + " }", body);
  }
}

TEST(Semantics, ChooseUnites) {
  for (const std::string& body : bodies()) {
    Stores both = finals(beside(body));
    both.merge(finals(beside("y = 9;")));
    EXPECT_EQ(finals(beside("choose { " + body + " } or { y = 9; }")), both) << body;
  }
}

TEST(Semantics, IfStarIsChooseUpToDeadlock) {
  for (const std::string& body : bodies()) {
    expect_same("if (*) { " + body + " } else { y = 9; }", "choose { " + body + " } or { y = 9; }");
  }
}

TEST(Semantics, OnlyChooseAvoidsABlockedBranch) {
  using diag::Kind;
  const std::string chosen = beside("choose { await b; } or { await !b; }");
  const std::string decided = beside("if (*) await b; else await !b;");
  EXPECT_EQ(finals(chosen), finals(decided));
  EXPECT_EQ(verdict(chosen, Kind::kDeadlock), Verdict::kVerified);
  EXPECT_EQ(verdict(decided, Kind::kDeadlock), Verdict::kViolated);
}

TEST(Semantics, IfIsAGuardedChoice) {
  for (const std::string& body : bodies()) {
    expect_same("if (x > 0) { " + body + " } else { y = 9; }",
                "choose { assume x > 0; " + body + " } or { assume !(x > 0); y = 9; }");
    expect_same("if (x > 0) { " + body + " }", "choose { assume x > 0; " + body + " } or { assume !(x > 0); }");
  }
}

TEST(Semantics, WhileIsAGuardedLoop) {
  for (const char* body : {"x++;", "x++; y = x;", "var t: int = x; x = t + 2;", "if (y > 3) break; x++;",
                           "x++; if (x == 2) continue; y++;"}) {
    const std::string text = body;
    expect_same("while (x < 4) { " + text + " }", "while (true) { if (!(x < 4)) break; " + text + " }");
    if (text.find("break") != std::string::npos) continue;
    expect_same("while (x < 4) { " + text + " }", "loop { assume x < 4; " + text + " } assume !(x < 4);");
  }
}

TEST(Semantics, WhileStarIsLoopUpToDeadlock) {
  expect_same("while (*) { assume x < 3; x++; }", "loop { assume x < 3; x++; }");
}

TEST(Semantics, LoopsUnfold) {
  expect_same("while (x < 4) { x++; }", "if (x < 4) { x++; while (x < 4) { x++; } }");
  expect_same("loop { assume x < 3; x++; }", "choose { } or { assume x < 3; x++; loop { assume x < 3; x++; } }");
}

// ------------------------------------------------------------------------------------------------------- locks, monitors

TEST(Semantics, LocksAreDirectOperations) {
  const std::string other = "proc other() { acquire(m); x = x + 10; y = y + x; release(m); }\n";
  EXPECT_EQ(finals(beside("acquire(m); x = 1; y = x; release(m);", other)),
            finals(beside("<m == none && m' == tid>_{m}; x = 1; y = x; m == tid ? <m' == none>_{m};", other)));
}

TEST(Semantics, InnerLevelsOfAMonitorAreNothing) {
  const std::string other = "proc other() { acquire(k); x = x + 10; y = y + x; release(k); }\n";
  EXPECT_EQ(finals(beside("acquire(k); acquire(k); x = 1; release(k); y = x; release(k);", other)),
            finals(beside("acquire(k); x = 1; y = x; release(k);", other)));
}

TEST(Semantics, WaitingInALoopIsAwaiting) {
  const std::string notifier = "proc other() { acquire(k); x = x + 10; b = true; notifyall(k); release(k); }\n";
  const std::string setter = "proc other() { acquire(k); x = x + 10; b = true; release(k); }\n";
  EXPECT_EQ(finals(beside("acquire(k); while (!b) wait(k); x = x * 2; release(k);", notifier)),
            finals(beside("atomic { await b; acquire(k); } x = x * 2; release(k);", setter)));
}

TEST(Semantics, WaitingOnceMayEndEarly) {
  const std::string notifier = "proc other() { acquire(k); x = x + 10; b = true; notifyall(k); release(k); }\n";
  const Stores loop = finals(beside("acquire(k); while (!b) wait(k); y = x; release(k);", notifier));
  const Stores once = finals(beside("acquire(k); if (!b) wait(k); y = x; release(k);", notifier));
  EXPECT_TRUE(includes(once, loop));
  EXPECT_NE(once, loop);
}

TEST(Semantics, CompareAndSwapIsItsFormula) {
  expect_same("b = CAS(x, 10, 4);", "<(x == 10 && x' == 4 && b') || (x != 10 && x' == x && !b')>_{x, b};");
  expect_same("CAS(x, 0, y);", "<(x == 0 && x' == y && y' == x) || (x != 0 && x' == x && y' == y)>_{x, y};");
  expect_same("b = CAS(x, 10, 4);", "atomic { if (x == 10) { x = 4; b = true; } else { b = false; } }");
}

// -------------------------------------------------------------------------------------------------------- calls, threads

TEST(Semantics, ACallIsItsBody) {
  for (const std::string& body : bodies()) { expect_same("callee();", body, "proc callee() { " + body + " }\n"); }
  expect_same("callee(x);", "var v: int = x; y = v;", "proc callee(v: int) { y = v; }\n");
  expect_same("x = callee();", "var r: int = y + 1; x = r;", "proc callee(): int { return y + 1; }\n");
  expect_same("var r: int; r = callee(); x = r;", "x = callee();", "proc callee(): int { return y + 1; }\n");
}

TEST(Semantics, StartAndJoinIsACall) {
  for (const std::string& body : bodies()) {
    const std::string callee = "proc callee() { " + body + " }\n";
    expect_same("var t: tid; t = start callee(); join(t);", "callee();", callee);
  }
}

TEST(Semantics, TheOrderOfThreadsDoesNotMatter) {
  for (const std::string& body : bodies()) {
    const std::string both = std::string(kShared) + "proc p() {\n" + body + "\n}\n" + kOther;
    EXPECT_EQ(finals(both + "thread p();\nthread other();\n"), finals(both + "thread other();\nthread p();\n")) << body;
  }
}

TEST(Semantics, AThreadThatDoesNothingChangesNothing) {
  for (const std::string& body : bodies()) {
    EXPECT_EQ(finals(beside(body)), finals(beside(body) + "proc idle() { skip; skip; }\nthread[2] idle();\n")) << body;
  }
}

TEST(Semantics, AThreadThatMayDoNothingRemovesNothing) {
  for (const std::string& body : bodies()) {
    const Stores more = finals(beside(body) + "proc third() { if (*) { x = 20; y = 30; } }\nthread third();\n");
    EXPECT_TRUE(includes(more, finals(beside(body)))) << body;
  }
}

TEST(Semantics, AClassOfThreadsIsItsThreads) {
  const std::string worker = "var x: int = 0;\nproc p(i: int) { var t: int = x; x = t + i; }\n";
  EXPECT_EQ(finals(worker + "thread[3] p(index);\n"), finals(worker + "thread p(0);\nthread p(1);\nthread p(2);\n"));
  engine::Settings three;
  three.threads = 3;
  EXPECT_EQ(finals(worker + "thread[3] p(2);\n"), explore(worker + "thread[*] p(2);\n", three).stores);
  EXPECT_EQ(finals(worker + "thread[3] p(2);\n"), explore(worker + "const n: int;\nthread[n] p(2);\n", three).stores);
}

// -------------------------------------------------------------------------------------------------------------- integers

TEST(Semantics, SmallIntegersAreTheSameEitherWay) {
  engine::Settings java;
  java.ints = engine::IntMode::kJava;
  for (const std::string& body : bodies()) {
    EXPECT_EQ(finals(beside(body)), explore(beside(body), java).stores) << body;
  }
}

TEST(Semantics, QuotientAndRemainderFitTogether) {
  EXPECT_EQ(verdict("var a: int; var d: int;\n"
                    "proc p() { havoc a in -7 .. 7; havoc d in -3 .. 3; if (d == 0) d = 4;\n"
                    "  assert a == (a / d) * d + a % d && (a % d < 0 ==> a < 0) && (a % d > 0 ==> a > 0);\n"
                    "  assert -3 <= a % d && a % d <= 3; }\nthread p();\n",
                    diag::Kind::kAssertion),
            Verdict::kVerified);
}

// ---------------------------------------------------------------------------------------------------- counting and judging

// Threads that do not meet: the states are the product. Each is before its k operations, between them, at its return, done.
TEST(Semantics, IndependentThreadsMultiply) {
  const auto states = [](int threads, const std::string& body) {
    return explore("var f: map<int, int>;\nproc p(i: int) { " + body + " }\nthread[" + std::to_string(threads) +
                   "] p(index);\n")
        .states;
  };
  EXPECT_EQ(states(1, "f[i] = 1;"), 3U);
  EXPECT_EQ(states(2, "f[i] = 1;"), 9U);
  EXPECT_EQ(states(3, "f[i] = 1;"), 27U);
  EXPECT_EQ(states(2, "f[i] = 1; f[i] = 2;"), 16U);
  EXPECT_EQ(states(2, "atomic { f[i] = 1; f[i] = 2; }"), 9U);
  EXPECT_EQ(states(2, "if (f[i] == 0) skip;"), 16U);
  EXPECT_EQ(states(2, "{ skip; }"), 9U);
}

TEST(Semantics, WhatHoldsAtTheEndHoldsInEveryFinalStore) {
  const std::string program =
      "var x: int = 0;\nproc w() { var t: int = x; x = t + 1; }\n"
      "proc boot() { var a: tid; var c: tid; a = start w(); c = start w(); join(a); join(c); assert ";
  const std::string end = "; }\nthread main = boot();\n";
  EXPECT_EQ(verdict(program + "x == 1 || x == 2" + end, diag::Kind::kAssertion), Verdict::kVerified);
  EXPECT_EQ(verdict(program + "x == 2" + end, diag::Kind::kAssertion), Verdict::kViolated);
  EXPECT_EQ(verdict(program + "x == 1" + end, diag::Kind::kAssertion), Verdict::kViolated);
}

TEST(Semantics, AnInvariantIsAnAssertionEverywhere) {
  for (const std::string& body : bodies()) {
    for (const char* claim : {"x <= 10", "x >= 0", "y != 5", "x + y < 12"}) {
      const std::string watched = beside(body) + "proc watch() { assert " + claim + "; }\nthread watch();\n";
      const std::string invariant = beside(body) + "global_invariant " + claim + ";\n";
      EXPECT_EQ(verdict(watched, diag::Kind::kAssertion), verdict(invariant, diag::Kind::kInvariant)) << body << claim;
    }
  }
}

// Where no claim is broken by a schedule, every thread's claims hold with fewer schedules too.
// A label adds no operation, and a jump to the innermost loop may name it or not.
TEST(Semantics, LabelsOnlyNamePlaces) {
  expect_same("while (x < 4) { x++; if (y > 3) break; y = x; }",
              "label l: while (x < 4) { x++; if (y > 3) break l; y = x; }");
  expect_same("while (x < 4) { x++; if (y > 3) { skip; } else { y = x; } }",
              "label l: while (x < 4) { x++; if (y > 3) { skip; continue l; } y = x; }");
  expect_same("if (y > 0) { x = 1; } else { x = 2; y = 3; }",
              "label l: { if (y > 0) { x = 1; break l; } x = 2; y = 3; }");
  // Out of two loops at once, and on with the outer one.
  expect_same("while (x < 3) { x++; if (y > x) { x = 9; } }",
              "label l: while (x < 3) { x++; loop { if (y > x) { x = 9; } continue l; } assume false; }");
}

TEST(Semantics, AtomicBreaksNoMore) {
  for (const std::string& body : bodies()) {
    if (body.starts_with("atomic")) continue;
    const std::string invariant = "global_invariant x + y < 20;\n";
    const Verdict loose = verdict(beside(body) + invariant, diag::Kind::kInvariant);
    const Verdict atomic = verdict(beside("atomic { " + body + " }") + invariant, diag::Kind::kInvariant);
    EXPECT_TRUE(loose != Verdict::kVerified || atomic == Verdict::kVerified) << body;
  }
}

TEST(Semantics, ALockThatBothTakeExcludesRaces) {
  const auto with = [](const std::string& enter, const std::string& leave) {
    return "var x: int = 0; var m: tid = none; var n: tid = none; var k: monitor;\n"
           "proc a() { acquire(m); x = 1; release(m); }\nproc b() { " +
           enter + " x = 2; " + leave + " }\nthread a();\nthread b();\n";
  };
  EXPECT_EQ(verdict(with("acquire(m);", "release(m);"), diag::Kind::kRace), Verdict::kVerified);
  EXPECT_EQ(verdict(with("acquire(n);", "release(n);"), diag::Kind::kRace), Verdict::kViolated);
  EXPECT_EQ(verdict(with("acquire(k);", "release(k);"), diag::Kind::kRace), Verdict::kViolated);
  EXPECT_EQ(verdict(with("await m == none;", "skip;"), diag::Kind::kRace), Verdict::kViolated);
}

// With one thread it may hold its own number, with two of either: that of the second one is not forgotten.
TEST(Semantics, FinalStoresAreThoseOfEachNumberOfThreads) {
  const std::string code = "var m: tid;\nproc p() { havoc m; }\n";
  EXPECT_EQ(
      explore("const limit: bool;\nconst few: int = limit ? 2 : 1;\n" + code + "thread[few] p();\n").stores.size(), 3U);
  EXPECT_EQ(explore(code + "thread[1] p();\n").stores.size(), 2U);
}

TEST(Semantics, OnlyWhatCanWaitForEverHasADeadlock) {
  for (const std::string& body : bodies()) {
    const bool waits = body.find("await") != std::string::npos;
    EXPECT_EQ(verdict(alone(body), diag::Kind::kDeadlock), waits ? Verdict::kViolated : Verdict::kVerified) << body;
  }
}

}  // namespace
}  // namespace concord::explore
