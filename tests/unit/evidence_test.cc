// What engines keep for a person to look at, if they are asked to: and only then.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "check/check.h"
#include "check/remembered.h"
#include "engine/dynamic/dynamic.h"
#include "engine/modular/modular.h"
#include "engine/shape/shape.h"
#include "explore/explorer.h"
#include "loaded.h"

namespace concord::engine {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::Pair;

constexpr const char* kLocked = R"(var m: tid = none;
var x: int = 0;
proc add() {
  acquire(m);
  var t: int = x;
  x = t + 1;
  release(m);
  assert x == 1;
}
thread[2] add();
)";

Settings keeping() {
  Settings settings;
  settings.keeps_evidence = true;
  return settings;
}

Trace trace_of(const std::string& text, const Settings& settings) {
  const Loaded loaded(text, settings);
  for (const PropertyResult& it : loaded.by(explore::Explorer()).results) {
    if (it.verdict == Verdict::kViolated) return it.trace;
  }
  ADD_FAILURE() << "nothing is violated";
  return {};
}

TEST(Evidence, OfARunIsWhatIsTheCaseAfterEachStep) {
  const Trace trace = trace_of(kLocked, keeping());
  ASSERT_THAT(trace.steps, Not(IsEmpty()));
  EXPECT_THAT(trace.before.shared, ElementsAre(Pair("m", "none"), Pair("x", "0")));
  EXPECT_THAT(trace.before.held, IsEmpty());
  EXPECT_EQ(trace.steps[0].text, "acquire(m);");
  EXPECT_THAT(trace.steps[0].after.held, ElementsAre(Pair("m", trace.steps[0].thread)));
  // The shortest run to the assertion: the other thread has counted too, and still holds the lock.
  const Situation& last = trace.steps.back().after;
  EXPECT_THAT(last.held, ElementsAre(Pair("m", Not(trace.steps.back().thread))));
  EXPECT_THAT(last.shared, ElementsAre(last.held[0], Pair("x", "2")));
}

TEST(Evidence, WhoCouldHaveGoneOnIsPreempted) {
  const Trace trace = trace_of(kLocked, keeping());
  int preemptions = 0;
  for (std::size_t i = 1; i < trace.steps.size(); ++i) {
    if (trace.steps[i].preempted.empty()) continue;
    ++preemptions;
    EXPECT_EQ(trace.steps[i].preempted, trace.steps[i - 1].thread);
    EXPECT_NE(trace.steps[i].thread, trace.steps[i - 1].thread);
  }
  EXPECT_GE(preemptions, 1);
}

TEST(Evidence, ObjectsAndLocksInThemAreNamed) {
  const Trace trace = trace_of(R"(class Cell { var value: int; }
var cell: Cell = null;
proc work() {
  cell = new Cell();
  acquire(cell);
  cell.value = 7;
  assert cell.value == 8;
}
thread work();
)",
                               keeping());
  const Situation& last = trace.steps[trace.steps.size() - 2].after;
  ASSERT_EQ(last.heap.size(), 1U);
  EXPECT_EQ(last.heap[0].name, "Cell@1");
  EXPECT_THAT(last.heap[0].fields, ElementsAre(Pair("value", "7")));
  EXPECT_THAT(last.held, ElementsAre(Pair("Cell@1's monitor", "work")));
}

TEST(Evidence, IsNotKeptIfNobodyAsks) {
  const Trace trace = trace_of(kLocked, {});
  EXPECT_THAT(trace.before.shared, IsEmpty());
  for (const TraceStep& it : trace.steps) {
    EXPECT_THAT(it.after.shared, IsEmpty());
    EXPECT_THAT(it.preempted, IsEmpty());
  }
}

TEST(Evidence, OfAProofIsEveryQuestionAndOfAFailedOneValues) {
  const Loaded loaded("var x: int = 0;\nproc work() { x = x + 1; assert x >= 0; }\nthread[*] work();\n", keeping());
  const EngineResult answer = loaded.by(modular::Modular());
  ASSERT_THAT(answer.questions, Not(IsEmpty()));
  EXPECT_EQ(answer.questions[0].part, "work");
  EXPECT_EQ(answer.questions[0].status, Question::Status::kFailed);
  EXPECT_THAT(answer.questions[0].properties, ElementsAre(answer.results[0].property.id));
  EXPECT_FALSE(answer.results[0].counterexample.empty());
}

TEST(Evidence, OfTheShapeEngineIsDrawn) {
  const Loaded loaded(
      "class Node { var next: Node; }\nvar head: Node = null;\nvar m: tid = none;\n"
      "proc push() { var it: Node = new Node(); acquire(m); it.next = head; head = it; release(m); "
      "assert head == null; }\nthread[*] push();\n",
      keeping());
  const EngineResult answer = loaded.by(shape::Shape());
  ASSERT_THAT(answer.configurations, Not(IsEmpty()));
  EXPECT_THAT(answer.configurations[0].dot, HasSubstr("digraph"));
}

TEST(Evidence, OfTheDynamicEngineIsTheProof) {
  const std::string program =
      "const n: int;\nvar x: int = 0;\nfinally x == n;\nproc p() { x = x + 1; }\nthread[n] p();\n";
  EXPECT_THAT(Loaded(program, keeping()).by(dynamic::Dynamic()).proof, HasSubstr("(EMPTY-PROGRAM"));
  EXPECT_THAT(Loaded(program).by(dynamic::Dynamic()).proof, IsEmpty());
}

TEST(Evidence, IsRememberedWithTheAnswer) {
  Loaded loaded(kLocked, keeping());
  check::CheckOptions options;
  options.settings = keeping();
  Control control;
  const check::CheckResult result = check::check(loaded.sources, loaded.program, options, control);
  const auto again = check::from_bytes(check::to_bytes(result));
  ASSERT_TRUE(again);
  const Trace& before = result.results[0].trace;
  const Trace& after = again->results[0].trace;
  ASSERT_EQ(before.steps.size(), after.steps.size());
  for (std::size_t i = 0; i < before.steps.size(); ++i) {
    EXPECT_EQ(before.steps[i].after.shared, after.steps[i].after.shared);
    EXPECT_EQ(before.steps[i].after.held, after.steps[i].after.held);
    EXPECT_EQ(before.steps[i].preempted, after.steps[i].preempted);
  }
  EXPECT_EQ(result.why, again->why);
  EXPECT_EQ(result.questions.size(), again->questions.size());
}

}  // namespace
}  // namespace concord::engine
