// The modular engine, mostly by breaking it on purpose: each way of breaking it comes with a program that has a real run
// against a property, which only the broken engine verifies, and with a twin, one line different, that holds.
#include "engine/modular/modular.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "explore/referee.h"
#include "loaded.h"

namespace concord::engine::modular {
namespace {

using diag::Kind;
using simulation::Defect;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::Field;
using testing::HasSubstr;
using testing::Not;

EngineResult prove(const std::string& text, const Settings& settings = {}) {
  return Loaded(text, settings).by(Modular());
}

Settings impatient(std::chrono::milliseconds timeout) {
  Settings out;
  out.solver_timeout = timeout;
  return out;
}

// Which claims fail by themselves does not depend on how much somebody wants to know of them.
TEST(OneFailure, IsOfTheSameClaims) {
  const Loaded loaded(
      "var x: int = 0;\nvar y: int = 0;\nglobal_invariant x >= 0;\nglobal_invariant y >= x;\n"
      "proc down() { x = x - 1; }\nproc up() { x = x + 1; assert x != 1; }\nproc both() { y = y + 1; }\n"
      "thread[*] down();\nthread[*] up();\nthread[*] both();\n");
  const auto failing = [&](Modular::Failures wanted) {
    std::set<std::string> out;
    for (const PropertyResult& it : loaded.by(Modular(Defect::kNone, nullptr, wanted)).results) {
      if (it.verdict != Verdict::kVerified && it.depends_on.empty()) out.insert(it.property.id);
    }
    return out;
  };
  const std::set<std::string> all = failing(Modular::Failures::kAll);
  EXPECT_GE(all.size(), 2U);
  EXPECT_EQ(failing(Modular::Failures::kOne), all);
}

// -------------------------------------------------------------------------------------------------------- planted defects

struct Planted {
  Defect defect;
  std::string name;
  std::string program;  // has a run against a property of this kind
  std::string fixed;
  Kind kind;
  Settings settings = {};
};

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.name; }  // NOLINT: likewise

class Noticed : public testing::TestWithParam<Planted> {};

TEST_P(Noticed, OnlyTheBrokenEngineVerifies) {
  const Planted& planted = GetParam();
  const Loaded loaded(planted.program, planted.settings);
  const EngineResult truth = loaded.by(explore::Referee());
  const EngineResult sound = loaded.by(Modular());
  const EngineResult broken = loaded.by(Modular(planted.defect));
  int refuted = 0;
  for (std::size_t i = 0; i < loaded.task.properties.size(); ++i) {
    if (truth.results[i].verdict != Verdict::kViolated) continue;
    EXPECT_THAT(sound.results[i], Not(is(Verdict::kVerified)));
    if (truth.results[i].property.kind != planted.kind) continue;
    ++refuted;
    EXPECT_THAT(broken.results[i], is(Verdict::kVerified));
  }
  EXPECT_EQ(refuted, 1) << testing::PrintToString(truth);
}

TEST_P(Noticed, TheFixedTwinIsVerified) {
  const Planted& planted = GetParam();
  const Loaded loaded(planted.fixed, planted.settings);
  EXPECT_THAT(loaded.by(Modular()), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(loaded.by(explore::Referee()), results(Each(Not(is(Verdict::kViolated)))));
}

// `text` with its only `$` replaced.
std::string with(const std::string& text, const std::string& line) {
  std::string out = text;
  out.replace(out.find('$'), 1, line);
  return out;
}

Planted planted(Defect defect, const std::string& name, Kind kind, const std::string& text, const std::string& wrong,
                const std::string& right, const Settings& settings = {}) {
  return {defect, name, with(text, wrong), with(text, right), kind, settings};
}

// Two primes are easy to multiply and hard to find again. The referee tries the integers around them.
Settings between_primes() {
  Settings out = impatient(std::chrono::milliseconds(500));
  out.int_low = 2147483647;
  out.int_high = 2147483659;
  return out;
}

const std::string kWriter = R"(
global_invariant x >= 0;
proc writer() { x = 1; }
thread p();
thread writer();
)";

const std::vector<Planted>& all_planted() {
  static const std::vector<Planted> all{
      planted(Defect::kNoStepBeforeFirst, "NoStepBeforeFirst", Kind::kAssertion,
              R"(var x: int = 0;
proc p() requires x == 0; {
  $
}
)" + kWriter,
              "assert x == 0;", "assert x >= 0;"),
      planted(Defect::kNoStepBeforeReturn, "NoStepBeforeReturn", Kind::kPostcondition,
              R"(var x: int = 0;
proc p()
  $
{ x = 0; }
)" + kWriter,
              "ensures x == 0;", "ensures x >= 0;"),
      planted(Defect::kNoStepAtLoopHead, "NoStepAtLoopHead", Kind::kLoopInvariant,
              R"(var x: int = 0;
proc p() {
  x = 0;
  while (*)
    $
  { skip; }
}
)" + kWriter,
              "loop_invariant x == 0;", "loop_invariant x >= 0;"),
      planted(Defect::kWidenedPositions, "WidenedPositions", Kind::kAbstractionStep,
              R"(var m: tid;
var x: int = 0;
proc p()
  action also modifies m ensures m' == tid;
  action also modifies x ensures x' == 1;
{
  $
  x = 1;
}
thread p();
)",
              "if (*) { m = tid; }", "if (true) { m = tid; }"),
      planted(Defect::kLastActionUnchecked, "LastActionUnchecked", Kind::kAbstractionStep,
              R"(var x: int = 0;
proc p() action also modifies x ensures x' == 1; {
  $
}
thread p();
)",
              "skip;", "x = 1;"),
      planted(Defect::kStutterChangesAnything, "StutterChangesAnything", Kind::kAbstractionStep,
              R"(var x: int = 0;
var y: int = 0;
proc p() action also modifies x ensures x' == 1; {
  $
  x = 1;
}
thread p();
)",
              "y = 1;", "skip;"),
      planted(Defect::kRelyOfOthersUnchecked, "RelyOfOthersUnchecked", Kind::kEnvAssumption,
              R"(var x: int = 0;
rely x' >= x;
proc p() {
  $
}
thread[2] p();
)",
              "x--;", "x++;"),
      planted(Defect::kInvariantUnchecked, "InvariantUnchecked", Kind::kInvariant,
              R"(var x: int = 0;
global_invariant x >= 0;
proc p() {
  $
}
thread p();
)",
              "x--;", "x++;"),
      planted(Defect::kEveryRelyAssumed, "EveryRelyAssumed", Kind::kAssertion,
              R"(var x: int = 0;
rely x' >= x;
rely x' <= x + 1;
proc reader() {
  var t: int = x;
  $
}
proc writer() { x++; }
thread reader();
thread[2] writer();
)",
              "assert x <= t + 1;", "assert x >= t;"),
      planted(Defect::kPostponeParts, "PostponeParts", Kind::kAssertion,
              R"(var w: int = 0;
var v: int = 0;
rely w' >= w && (w' == w ==> v' == v);
proc reader() {
  var t: int = w;
  var a: int = v;
  var b: int = v;
  $
}
proc writer() { atomic { w++; v++; } }
thread reader();
thread writer();
)",
              "assert a == b;", "assert w == t ==> a == b;"),
      planted(Defect::kCalleeStutterOnce, "CalleeStutterOnce", Kind::kAbstractionStep,
              R"(var x: int = 0;
$
proc p() action also modifies x ensures true; { callee(); }
thread p();
)",
              "proc callee() modifies x; { x = 1; x = 2; }",
              "proc callee() action also modifies x ensures true; { x = 1; }"),
      planted(Defect::kEntryRequiresUnchecked, "DeclaredEntryRequiresUnchecked", Kind::kPrecondition,
              R"(var x: int = 0;
proc p()
  $
{ skip; }
thread p();
)",
              "requires x == 1;", "requires x == 0;"),
      planted(Defect::kEntryRequiresUnchecked, "StartedEntryRequiresUnchecked", Kind::kPrecondition,
              R"(proc child(a: int) requires a == 1; { skip; }
proc p() {
  $
}
thread p();
)",
              "start child(0);", "start child(1);"),
      planted(Defect::kOwnSpecificationOnly, "OwnSpecificationOnly", Kind::kInvariant,
              R"(module Below {
  var x: int = 0;
  proc below() {
    $
  }
  thread below();
}
module Above uses Below {
  global_invariant x >= 0;
  proc above() { assert x >= 0; }
  thread above();
}
)",
              "x = 0 - 1;", "x = 1;"),
      planted(Defect::kUnknownIsProved, "UnknownIsProved", Kind::kAssertion,
              R"(proc p() {
  var a: int;
  var b: int;
  havoc a, b;
  assume a > 1 && b > 1;
  $
}
thread p();
)",
              "assert a * b != 4611686039902224373;", "assert a + b != 1;", between_primes()),
      planted(Defect::kNoInitialCheck, "NoInitialCheck", Kind::kInvariant,
              R"($
global_invariant x == 1;
proc p() { assert x == 1; }
thread p();
)",
              "var x: int = 0;", "var x: int = 1;"),
      planted(Defect::kReadsMayRace, "ReadsMayRace", Kind::kRace,
              R"(
check race;
var m: tid;
env_assumption m == tid ==> m' == m;
var x: int = 0 unwritable_by_env_if m == tid;
proc p() {
  acquire(m);
  x = x + 1;
  release(m);
  $
}
thread[2] p();
)",
              "var t: int = x;", "skip;"),
      planted(Defect::kWritesMayRace, "WritesMayRace", Kind::kRace,
              R"(
check race;
var x: int = 0;
proc p() { $ }
thread[2] p();
)",
              "x = 0;", "var t: int = x;"),
      planted(Defect::kElementsMayRace, "ElementsMayRace", Kind::kRace,
              R"(
check race;
volatile var list: int[];
proc writer() { var a: int[] = new int[1]; $ }
proc reader() { var a: int[] = list; if (a != null && a.length > 0) { var t: int = a[0]; } }
thread writer();
thread reader();
)",
              "list = a; if (a.length > 0) { a[0] = 1; }", "if (a.length > 0) { a[0] = 1; } list = a;"),
      planted(Defect::kPrivateForEver, "PrivateForEver", Kind::kRace,
              R"(
check race;
class Node { var value: int; }
volatile var shared: Node;
proc maker() { var n: Node = new Node(); $ }
proc reader() { var n: Node = shared; if (n != null) { var t: int = n.value; } }
thread maker();
thread reader();
)",
              "shared = n; n.value = 1;", "n.value = 1; shared = n;"),
      planted(Defect::kLateObjectsKnown, "LateObjectsKnown", Kind::kAssertion,
              R"(
class Node { final var id: int; }
var count: int = 0;
volatile var first: Node;
volatile var second: Node;
global_invariant forall n: Node :: 0 <= n.id && n.id < count;
global_invariant forall n: Node, m: Node :: n.id == m.id ==> n == m;
global_invariant count >= 0;
env_assumption count' >= count;
proc maker() {
  atomic { var n: Node = new Node(id = count); count = count + 1; first = n; }
  atomic { var m: Node = new Node(id = count); count = count + 1; second = m; }
}
proc reader() {
  var a: Node = first;
  var c: int = count;
  assume a != null && c == 1;
  var b: Node = second;
  var i: int = 0;
  while (i < 2) { i = i + 1; }
  $
}
thread maker();
thread reader();
)",
              "assert b == null || b == a;", "assert c <= count;"),
      planted(Defect::kMakingUnchecked, "MakingUnchecked", Kind::kInvariant,
              R"(
class Base { final var value: int; }
class Node extends Base { var next: Node; }
global_invariant forall b: Base :: b.value > 0;
proc p() { var n: Node = new Node($); }
thread p();
thread p();
)",
              "", "value = 1"),
  };
  return all;
}

INSTANTIATE_TEST_SUITE_P(Planted, Noticed, testing::ValuesIn(all_planted()),
                         [](const auto& instance) { return instance.param.name; });

TEST(Planted, EveryDefectIsNoticed) {
  std::set<Defect> noticed;
  for (const Planted& it : all_planted()) noticed.insert(it.defect);
  EXPECT_FALSE(noticed.contains(Defect::kNone));
  EXPECT_EQ(noticed.size(), static_cast<std::size_t>(Defect::kMakingUnchecked));  // the last one
}

// ------------------------------------------------------------------------------------------------------------------ races

// What decides about an access races itself: the referee may find the access only in the state after that.
TEST(Races, AProofDependsOnWhatDecidesAboutTheAccess) {
  const std::string text = R"(
check race;
var m: tid;
env_assumption m == tid ==> m' == m;
var go: bool = false;
var x: int = 0 unwritable_by_env_if m == tid;
proc p() { acquire(m); atomic { x = 1; $ } release(m); }
proc q() { acquire(m); atomic { await go; x = 2; } release(m); }
thread p();
thread q();
)";
  EXPECT_THAT(prove(with(text, "skip;")), results(Each(is(Verdict::kVerified))));
  const EngineResult racy = prove(with(text, "go = true;"));
  for (const PropertyResult& it : racy.results) {
    const bool is_race = it.property.kind == Kind::kRace && it.property.text != "m";
    if (is_race) { EXPECT_THAT(it, is(Verdict::kUnproved)); }
  }
}

TEST(Races, WhatIsUnracedExcludesNothing) {
  const std::string text = R"(
check race;
var m: tid;
env_assumption m == tid ==> m' == m;
$ var go: bool = false;
var x: int = 0 unwritable_by_env_if m == tid;
proc p() { acquire(m); atomic { if (go) { x = 1; } } release(m); }
thread[2] p();
)";
  EXPECT_THAT(prove(with(text, "volatile")), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(prove(with(text, "unraced")), results(Contains(is(Kind::kRace, Verdict::kUnknown))));
}

// In the whole program, not only behind it.
TEST(Races, CodeThatMayDoAnythingMayRace) {
  const std::string text = R"(
check race;
class Node { var value: int; }
proc p() { var a: int[] = new int[1]; var n: Node = new Node(); if (a.length == 1) { a[0] = 1; } n.value = 1; }
proc q() { $ }
thread p();
thread q();
)";
  EXPECT_THAT(prove(with(text, "skip;")), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(prove(with(text, "unsupported \"any\";")), results(Not(Contains(is(Kind::kRace, Verdict::kVerified)))));
}

// Quantifiers in code look at objects that only their maker has a reference to.
TEST(Races, CodeThatLooksAtAllObjectsReadsThoseOfOthers) {
  const std::string text = R"(
check race;
class Node { var value: int; }
proc maker() { var n: Node = new Node(); n.value = 1; }
proc looker() { $ }
thread maker();
thread looker();
)";
  const Loaded racy(with(text, "await forall n: Node :: n.value >= 0;"));
  EXPECT_THAT(racy.by(explore::Referee()), results(Contains(is(Kind::kRace, Verdict::kViolated))));
  EXPECT_THAT(racy.by(Modular()), results(Contains(is(Kind::kRace, Verdict::kUnproved))));
  EXPECT_THAT(prove(with(text, "assert forall n: Node :: n.value >= 0;")),
              results(Contains(is(Kind::kRace, Verdict::kVerified))));
}

TEST(Races, WithoutAskingForThemNothingIsSaid) {
  EXPECT_THAT(prove("var x: int = 0; global_invariant x >= 0; proc p() { x = 1; } thread[2] p();"),
              results(Each(is(Kind::kInvariant, Verdict::kVerified))));
}

// ------------------------------------------------------------------------------------------------------ environment steps

// What others do to v is known only together with what they do to w.
TEST(Postponing, ASeqlockIsReadConsistently) {
  const std::string text = R"(var w: int = 0;
var v: int = 0;
rely (w' >= w) && (w' == w ==> v' == v);
proc reader() {
  var a: int;
  var b: int;
  var t: int = w;
  a = v;
  b = v;
  $
}
proc writer() { atomic { w++; v++; } atomic { w++; v++; } }
thread reader();
thread writer();
)";
  EXPECT_THAT(prove(with(text, "if (w == t) { assert a == b; }")), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(prove(with(text, "if (w == t + 1) { assert a == b; }")),
              results(Contains(is(Kind::kAssertion, Verdict::kUnproved))));
}

TEST(Postponing, NotPastAStepWhoseActionMentionsIt) {
  const std::string text = R"(var w: int = 0;
var v: int = 0;
$
proc p()
  modifies w;
  action also modifies v ensures w == 0 && v' == 1;
{
  w = 0;
  v = 1;
}
proc other() { skip; }
thread p();
thread other();
)";
  EXPECT_THAT(prove(with(text, "")), results(Contains(is(Kind::kAbstractionStep, Verdict::kUnproved))));
  EXPECT_THAT(prove(with(text, "rely w != 0 ==> w' == w;")),
              results(Contains(is(Kind::kAbstractionStep, Verdict::kUnproved))));
  EXPECT_THAT(prove(with(text, "rely w == 0 ==> w' == 0;")), results(Each(is(Verdict::kVerified))));
}

// ------------------------------------------------------------------------------------------------------------ positions

TEST(Positions, AreNotUnitedWhereWaysMeet) {
  const std::string text = R"(var m: tid;
var x: int = 0;
proc p()
  action also modifies m ensures m' == tid;
  action also modifies x ensures x' == 1;
{
  $
  x = 1;
}
thread[2] p();
)";
  EXPECT_THAT(prove(with(text, "if (*) { m = tid; }")),
              results(Contains(is(Kind::kAbstractionStep, Verdict::kUnproved))));
  EXPECT_THAT(prove(with(text, "if (*) { m = tid; } else { m = tid; }")), results(Each(is(Verdict::kVerified))));
}

const std::string kCounter = R"(var x: int = 0;
proc next(): int
  action also modifies x ensures x' == x + 1 && \result == x;
{
  var t: int;
  $
  return t;
}
thread[2] p();
proc p() { var got: int; got = next(); }
)";

TEST(Results, AnActionMayTellWhatWillBeReturned) {
  EXPECT_THAT(prove(with(kCounter, "atomic { t = x; x++; }")), results(Each(is(Verdict::kVerified))));
}

TEST(Results, AnActionThatTellsSomethingElseIsBroken) {
  EXPECT_THAT(prove(with(kCounter, "atomic { x++; t = x; }")),
              results(Contains(is(Kind::kAbstractionStep, Verdict::kUnproved))));
  EXPECT_THAT(prove(with(kCounter, "t = x; x++;")), results(Contains(is(Kind::kAbstractionStep, Verdict::kUnproved))));
}

TEST(Results, AStepThatIsMatchedForNoResultIsBrokenAtOnce) {
  const std::string loop = " while (true) { skip; }";
  EXPECT_THAT(prove(with(kCounter, "x++;" + loop)), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(prove(with(kCounter, "x = x + 2;" + loop)),
              results(Contains(is(Kind::kAbstractionStep, Verdict::kUnproved))));
}

// Each step is matched for some result, but not for the same one.
TEST(Results, StepsAreMatchedForOneAndTheSameResult) {
  const std::string text = R"(var x: int = 0;
var y: int = 0;
proc next(): int
  action also modifies x ensures x' == x + 1 && \result == x;
  action also modifies y ensures y' == \result;
{
  var t: int;
  atomic { t = x; x++; }
  $
  while (true) { skip; }
}
thread[2] p();
proc p() { var got: int; got = next(); }
)";
  EXPECT_THAT(prove(with(text, "y = t;")), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(prove(with(text, "y = t + 1;")), results(Contains(is(Kind::kAbstractionStep, Verdict::kUnproved))));
}

// ------------------------------------------------------------------------------------------------------------- recursion

const std::string kRecursive = R"(var x: int = 0;
global_invariant x >= 0;
proc down(n: int)
  $
{
  x++;
  if (n > 0) { down(n - 1); }
}
thread p();
proc p() { down(3); }
)";

TEST(Recursion, WithoutAnAbstractionIsUnknown) {
  const EngineResult answer = prove(with(kRecursive, ""));
  EXPECT_THAT(answer.results, Each(is(Verdict::kUnknown)));
  EXPECT_THAT(answer.results.front().reason,
              AllOf(HasSubstr("a.plato:7:16"), HasSubstr("recursion through `down`, which has no abstraction")));
}

TEST(Recursion, ThroughAnAbstractionIsProved) {
  EXPECT_THAT(prove(with(kRecursive, "modifies x;")), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(prove(with(kRecursive, "modifies;")), results(Contains(is(Kind::kAbstractionStep, Verdict::kUnproved))));
}

// ----------------------------------------------------------------------------------------------------- what is no proof

TEST(NoProof, ASolverThatGivesUp) {
  const EngineResult answer = prove(R"(proc p() {
  var a: int;
  var b: int;
  havoc a, b;
  assume a > 1 && b > 1;
  assert a * b != 4611686039902224373;
}
)",
                                    impatient(std::chrono::milliseconds(1)));
  ASSERT_THAT(answer.results, testing::SizeIs(1));
  EXPECT_EQ(answer.results.front().verdict, Verdict::kUnknown);
  EXPECT_THAT(answer.results.front().reason, HasSubstr("the solver gave up at a.plato:6:3"));
}

TEST(NoProof, APreconditionThatNothingSatisfies) {
  const EngineResult answer = prove("proc p(a: int) requires a < 0 && a > 0; { assert a == 1; }\n");
  EXPECT_THAT(answer.results, AllOf(Contains(is(Kind::kVacuity, Verdict::kUnproved)),
                                    Contains(is(Kind::kAssertion, Verdict::kUnproved))));
}

TEST(NoProof, InitialStatesThatContradictEachOther) {
  const EngineResult answer = prove(R"(var x: int = 0;
initially x == 1;
global_invariant x == 2;
proc p() { assert x == 2; }
thread p();
)");
  EXPECT_THAT(answer.results, AllOf(Contains(is(Kind::kVacuity, Verdict::kUnproved)),
                                    Contains(is(Kind::kInvariant, Verdict::kUnproved))));
}

// ------------------------------------------------------------------------------------------------------------ exceptions

const std::string kThrower = R"(class E { var f: int; }
var x: int = 0;
proc next(): int throws E
  action also modifies x ensures x' == x + 1 && \result == x;
{
  var t: int;
  var e: E = new E();
  $
}
thread[2] p();
proc p() { var got: int; var e: E; got = next() catch e; }
)";

TEST(Exceptions, AllActionsHaveHappened) {
  const std::string step = "atomic { t = x; x++; } ";
  EXPECT_THAT(prove(with(kThrower, step + "if (*) { throw e; } return t;")), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(prove(with(kThrower, step + "throw e;")), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(prove(with(kThrower, "if (*) { throw e; } " + step + "return t;")),
              results(Contains(is(Kind::kAbstractionStep, Verdict::kUnproved))));
  EXPECT_THAT(prove(with(kThrower, step + "if (*) { throw e; } return t + 1;")),
              results(Contains(is(Kind::kAbstractionStep, Verdict::kUnproved))));
  EXPECT_THAT(prove(with(kThrower, step + "e = null; throw e;")),
              results(Contains(is(Kind::kNullDereference, Verdict::kUnproved))));
}

// By abstraction (`modifies;`) and in place, into a local variable and into a shared one.
TEST(Exceptions, TheResultStaysAsItWas) {
  for (const std::string contract : {"modifies;", ""}) {
    const std::string text = R"(class E { var f: int; }
var shared: int = 5 unwritable_by_env_if true;
proc t(a: bool): int throws E
  )" + contract + R"( ensures a && \result == 1; signals !a && \result != null;
{
  var e: E = new E();
  if (a) { return 1; }
  throw e;
}
proc p(a: bool) { var got: int = 5; var e: E = new E(); $ }
thread p(true);
thread p(false);
)";
    for (const std::string target : {"got", "shared"}) {
      const auto call = [&](const std::string& argument, const std::string& claim) {
        return prove(with(text, target + " = t(" + argument + ") catch e; assert " + claim + ";"));
      };
      const auto assertion = [](Verdict verdict) { return results(Contains(is(Kind::kAssertion, verdict))); };
      const std::string both = "(e == null ==> " + target + " == 1) && (e != null ==> " + target + " == 5)";
      if (target == "got") {
        EXPECT_THAT(call("a", both), assertion(Verdict::kVerified));
        EXPECT_THAT(call("true", "e == null && got == 1"), assertion(Verdict::kVerified));
        EXPECT_THAT(call("false", "e != null && got == 5"), assertion(Verdict::kVerified));
      }
      EXPECT_THAT(call("a", "e == null"), assertion(Verdict::kUnproved));
      EXPECT_THAT(call("a", "e != null"), assertion(Verdict::kUnproved));
      EXPECT_THAT(call("a", target + " == 1"), assertion(Verdict::kUnproved));
      EXPECT_THAT(call("a", target + " == 5"), assertion(Verdict::kUnproved));
    }
  }
}

TEST(Exceptions, SignalsIsCheckedAndThenKnown) {
  const std::string text = R"(class E { var f: int; }
var x: int = 0;
proc t() throws E
  modifies; signals $;
{
  var e: E = new E(f = 1);
  throw e;
}
proc p() { var e: E; t() catch e; assert e != null ==> e.f == 1; }
thread p();
)";
  EXPECT_THAT(prove(with(text, "\\result.f == 1")), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(prove(with(text, "\\result.f > 1")), results(AllOf(Contains(is(Kind::kPostcondition, Verdict::kUnproved)),
                                                                 Contains(is(Kind::kAssertion, Verdict::kUnproved)))));
  EXPECT_THAT(prove(with(text, "true")), results(Contains(is(Kind::kAssertion, Verdict::kUnproved))));
}

// ------------------------------------------------------------------------------------------- what could not be translated

TEST(Unsupported, LeavesOpenWhatAStepMustSatisfy) {
  const std::string text = R"(class C { var f: int; }
var x: int = 0;
module M { var y: int = 0; global_invariant y == 0; rely y' == y; proc idle() { skip; } }
guarantee x' == x;
lock_order a < b;
var a: tid = none;
var b: tid = none;
proc p()
  modifies; ensures true;
{
  $
}
proc q(k: int) requires k == 1; { assert k == 1; assert k == k; }
proc r() { q(1); }
proc m() { p(); }
thread m();
thread r();
)";
  const std::vector<Kind> open{Kind::kInvariant,     Kind::kEnvAssumption,   Kind::kGuarantee,   Kind::kLockOrder,
                               Kind::kPostcondition, Kind::kAbstractionStep, Kind::kPrecondition};
  EXPECT_THAT(prove(with(text, "skip;")), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(prove(with(text, "var t: int; unsupported \"why\" havoc t;")), results(Each(is(Verdict::kVerified))));
  const EngineResult answer = prove(with(text, "unsupported \"why\";"));
  for (const Kind kind : open) {
    EXPECT_THAT(answer, results(Contains(is(kind, Verdict::kUnknown)))) << diag::name(kind);
    EXPECT_THAT(answer, results(Not(Contains(is(kind, Verdict::kVerified))))) << diag::name(kind);
  }
  // Whoever enters q need not satisfy what it requires.
  EXPECT_THAT(answer, results(AllOf(Contains(is(Kind::kAssertion, Verdict::kVerified)),
                                    Contains(is(Kind::kAssertion, Verdict::kUnproved)))));
}

// Whatever there is may be made, and started, where nothing is known.
TEST(Unsupported, MayAllocateAndStart) {
  const std::string objects = R"(class C { var f: int; }
proc p() { if (!(exists c: C :: true)) { assert !(exists c: C :: true); } }
proc q() { $ }
thread p();
thread q();
)";
  EXPECT_THAT(prove(with(objects, "skip;")), results(Contains(is(Kind::kAssertion, Verdict::kVerified))));
  EXPECT_THAT(prove(with(objects, "unsupported \"why\";")),
              results(Not(Contains(is(Kind::kAssertion, Verdict::kVerified)))));
  const std::string alone = R"(var x: int = 0;
proc p() { x = 1; assert x == 1; $ }
thread p();
)";
  EXPECT_THAT(prove(with(alone, "skip;")), results(Contains(is(Kind::kAssertion, Verdict::kVerified))));
  EXPECT_THAT(prove(with(alone, "unsupported \"why\";")),
              results(Not(Contains(is(Kind::kAssertion, Verdict::kVerified)))));
}

TEST(Unsupported, AValueThatIsNotKnownMayBeAnything) {
  const std::string text = R"(class C { var f: int; }
var shared: C = null;
proc p() {
  var c: C = new C(f = 1);
  var d: C = c;
  unsupported "why" havoc $;
  if (d != null) { d.f = 2; }
  assert c.f == 1;
}
thread p();
)";
  EXPECT_THAT(prove(with(text, "d")), results(Contains(is(Kind::kAssertion, Verdict::kUnproved))));
}

// ------------------------------------------------------------------------------------------------- what was verified once

// Programs that the engine got wrong: nothing that a real run breaks is verified.
struct Refuted {
  std::string name;
  std::string program;
};

void PrintTo(const Refuted& refuted, std::ostream* out) { *out << refuted.name; }  // NOLINT: likewise

class NotVerified : public testing::TestWithParam<Refuted> {};

TEST_P(NotVerified, WhatARealRunBreaks) {
  const Loaded loaded(GetParam().program);
  const EngineResult truth = loaded.by(explore::Referee());
  const EngineResult answer = loaded.by(Modular());
  EXPECT_THAT(truth, results(Contains(is(Verdict::kViolated))));
  for (std::size_t i = 0; i < loaded.task.properties.size(); ++i) {
    if (truth.results[i].verdict != Verdict::kViolated) continue;
    EXPECT_THAT(answer.results[i], Not(is(Verdict::kVerified)));
  }
}

const Refuted kOnceVerified[] = {
    {"TheKeyOfAFrameIsRead", R"(var a: map<int, int>;
var i: int = 0;
proc p() requires i == 0; modifies a[i]; { a[0] = 1; }
proc q() { i = 1; }
thread p();
thread q();
)"},
    {"TheKeyOfTheFrameOfAnActionIsRead", R"(var a: map<int, int>;
var i: int = 0;
proc p() modifies i; action also modifies a[i] ensures a[0]' == 1; { i = 0; a[0] = 1; }
proc q() { i = 1; }
thread p();
thread q();
)"},
    {"OldIsTheStateAtTheCall", R"(var x: int = 0;
proc p() ensures \old(x) == 0; { skip; }
proc r() { x = 0; p(); }
proc q() { x = 1; }
thread r();
thread q();
)"},
    {"RequiresOfAStartedThreadIsRead", R"(var x: int = 0;
proc child() requires x == 0; { skip; }
proc r() { x = 0; start child(); }
proc q() { x = 1; }
thread r();
thread q();
)"},
    {"ThePlaceOfCasIsFoundFirst", R"(var x: int = 0;
var flag: map<int, bool>;
proc p() { atomic { x = 0; flag = map(false); flag[x] = CAS(x, 0, 1); assert flag[1]; } }
thread p();
)"},
    {"ThePlacesOfASwapAreFoundFirst", R"(var i: int = 0;
var a: map<int, int>;
proc p() { atomic { i = 0; a = map(1); CAS(i, 0, a[i]); assert a[1] == 0; } }
thread p();
)"},
    {"ALockStolenForAMomentGuardsNothing", R"(var m: tid unwritable_by_env_if m == tid;
var x: int = 0 guarded_by m;
proc a() { acquire(m); x = 0; assert x == 0; release(m); }
proc b() { var s: tid; atomic { s = m; m = tid; x = 1; m = s; } }
thread a();
thread b();
)"},
    {"AtomicInsideAtomicIsOneStep", R"(var x: int = 0;
proc c() { atomic { x++; } }
proc p()
  action also modifies x ensures x' == x + 1;
  action also modifies x ensures x' == x + 1;
{ atomic { c(); } }
thread p();
)"},
    {"AThreadStartedInsideAtomicEntersAtItsEnd", R"(var x: int = 0;
proc child() requires x == 0; { skip; }
proc c() { atomic { start child(); } }
proc p() { atomic { x = 0; c(); x = 1; } }
thread p();
)"},
    {"CalleesDoNothingAgainstTheRely", R"(module Below {
  var m: tid unwritable_by_env_if m == tid;
  var done: bool = false unwritable_by_env_if m == tid;
  var x: int = 0;
  global_invariant done ==> m != none;
  proc c() requires m == tid && !done;
    action also modifies done ensures done';
    action also modifies done, x ensures !done' && x' > x;
    ensures m == tid && !done;
  { done = true; skip; atomic { done = false; x++; } }
}
module Above uses Below {
  rely done ==> x' > x;
  proc a() { acquire(m); c(); await false; }
  proc b() { acquire(m); await false; }
  thread a();
  thread b();
}
)"},
    {"AFrameIsAPremise", R"(var m: tid unwritable_by_env_if m == tid;
var x: int = 0 unwritable_by_env_if m == tid;
proc c() requires m == tid; modifies; { x = 1; }
proc r() { acquire(m); x = 0; c(); assert x == 0; }
thread r();
)"},
    {"AnInvariantBehindTheClosureIsAPremise", R"(var x: int = 0;
global_invariant x >= 0 && x <= 1;
rely x' == x || x' == x + 1;
proc reader() { var t: int = x; assert x <= t + 1; }
proc writer() { x++; x++; }
thread reader();
thread writer();
)"},
};

// Each was verified once.
INSTANTIATE_TEST_SUITE_P(Open, NotVerified, testing::ValuesIn(kOnceVerified),
                         [](const auto& instance) { return instance.param.name; });

TEST(Jobs, DoNotChangeTheAnswers) {
  for (const Planted& it : all_planted()) {
    if (it.defect == Defect::kUnknownIsProved) continue;  // a matter of time
    Settings settings = it.settings;
    const std::string one = testing::PrintToString(prove(it.program, settings));
    settings.jobs = 4;
    EXPECT_EQ(testing::PrintToString(prove(it.program, settings)), one) << it.name;
  }
}

}  // namespace
}  // namespace concord::engine::modular
