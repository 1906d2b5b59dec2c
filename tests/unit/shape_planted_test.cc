// The shape engine broken on purpose: for each defect a program that goes wrong and that only the broken engine verifies, and a twin that
// really holds.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/shape/shape.h"
#include "explore/referee.h"
#include "loaded.h"

namespace concord::engine::shape {
namespace {

using diag::Kind;
using testing::Contains;
using testing::Each;
using testing::Not;

struct Planted {
  Defect defect;
  std::string name;
  std::string program;  // an assertion fails; it has one `$`
  std::string wrong;
  std::string right;
};

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.name; }  // NOLINT: the name is fixed

class NoticedByShape : public testing::TestWithParam<Planted> {};

Loaded loaded(const Planted& planted, const std::string& line, std::int64_t threads) {
  std::string text = planted.program;
  text.replace(text.find('$'), 1, line);
  Settings settings;
  settings.threads = threads;
  return Loaded(text, settings);
}

EngineResult assertions(EngineResult answer) {
  std::erase_if(answer.results, [](const PropertyResult& it) { return it.property.kind != Kind::kAssertion; });
  return answer;
}

TEST_P(NoticedByShape, OnlyTheBrokenEngineVerifies) {
  const Loaded program = loaded(GetParam(), GetParam().wrong, 2);
  EXPECT_THAT(assertions(program.by(explore::Referee())), results(Contains(is(Verdict::kViolated))));
  EXPECT_THAT(assertions(program.by(Shape())), results(Contains(is(Verdict::kUnproved))));
  EXPECT_THAT(assertions(program.by(Shape(Shape::Look::kAsNeeded, GetParam().defect))),
              results(Each(is(Verdict::kVerified))));
}

TEST_P(NoticedByShape, TheFixedTwinIsVerified) {
  EXPECT_THAT(assertions(loaded(GetParam(), GetParam().right, 2).by(Shape())), results(Each(is(Verdict::kVerified))));
  for (const int count : {1, 2, 3}) {
    EXPECT_THAT(assertions(loaded(GetParam(), GetParam().right, count).by(explore::Referee())),
                results(Each(Not(is(Verdict::kViolated)))));
  }
}

const std::vector<Planted>& all_planted() {
  static const std::vector<Planted> kAll = {
      // The fourth node is one of several between the first and the last.
      {Defect::kFocusLosesCase, "FocusLosesCase",
       "class Node { var next: Node; }\n"
       "proc p() {\n"
       "  var top: Node = null;\n"
       "  while (*) { var n: Node = new Node(); n.next = top; top = n; }\n"
       "  if (top != null) { top = top.next; }\n"
       "  if (top != null) { top = top.next; }\n"
       "  if (top != null) { top = top.next; }\n"
       "  $\n"
       "  assert top == null;\n"
       "}\n"
       "thread p();\n",
       "skip;", "while (top != null) { top = top.next; }"},
      {Defect::kUpdateForgotten, "UpdateForgotten",
       "class Node { var next: Node; }\n"
       "var head: Node = null;\n"
       "proc p() {\n"
       "  var n: Node = new Node();\n"
       "  $\n"
       "  assert !\\reach(head, next, n);\n"
       "}\n"
       "volatile var never: bool = false;\n"
       "proc idle() { assume never; }\n"
       "thread p();\nthread[2] idle();\n",
       "head = n;", "skip;"},
      // Both wait at the same place, with different objects.
      {Defect::kBlurKeepsValue, "BlurKeepsValue",
       "class Node { }\n"
       "volatile var a: Node = null;\nvolatile var b: Node = null;\n"
       "volatile var one: bool = false;\nvolatile var other: bool = false;\nvolatile var go: bool = false;\n"
       "proc setup() { a = new Node(); b = new Node(); assume one && other; go = true; }\n"
       "proc work() {\n"
       "  assume b != null;\n"
       "  var x: Node = a;\n"
       "  if (*) { x = b; one = true; } else { other = true; }\n"
       "  assume go;\n"
       "  assert $;\n"
       "}\n"
       "thread setup();\nthread[*] work();\n",
       "x == a", "x == a || x == b"},
      {Defect::kSummaryMovesWhole, "SummaryMovesWhole",
       "volatile var seen: bool = false;\n"
       "proc p() { assert !seen; $ }\n"
       "thread[*] p();\n",
       "seen = true;", "seen = false;"},
  };
  return kAll;
}

INSTANTIATE_TEST_SUITE_P(Defects, NoticedByShape, testing::ValuesIn(all_planted()),
                         [](const auto& planted) { return planted.param.name; });

}  // namespace
}  // namespace concord::engine::shape
