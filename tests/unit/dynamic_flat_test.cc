// Programs with objects in the dynamic engine: what it proves of them, and (never) of their broken twins, which the referee refutes.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/dynamic/dynamic.h"
#include "explore/referee.h"
#include "loaded.h"

namespace concord::engine::dynamic {
namespace {

using diag::Kind;
using testing::Contains;
using testing::Each;
using testing::Not;

constexpr const char* kObjects = R"(
class Object {}
class Box extends Object { var a: int[]; var x: int = 0; }
class Trouble extends Object {}
final var box: Box;
final var cells: int[];
const n: int;
proc boot() {
  var first: int[] = new int[2];
  first[1] = 5;
  box = new Box(a = first, x = 1);
  cells = new int[3];
  initialised;
}
thread main = boot();
thread[n] work();
)";

struct Twins {
  std::string name;
  std::string good, broken;  // `finally`, and what threads do
};

void PrintTo(const Twins& twins, std::ostream* out) { *out << twins.name; }  // NOLINT: the name is fixed

class OfObjects : public testing::TestWithParam<Twins> {};

EngineResult final_state(const std::string& text, Engine&& engine, std::optional<std::int64_t> count) {
  Settings settings;
  settings.threads = count;
  Loaded loaded(kObjects + text, settings);
  EngineResult out = loaded.by(std::move(engine));
  std::erase_if(out.results, [](const PropertyResult& it) { return it.property.kind != Kind::kFinalState; });
  return out;
}

TEST_P(OfObjects, TheGoodOneIsVerified) {
  EXPECT_THAT(final_state(GetParam().good, Dynamic(), {}), results(Each(is(Verdict::kVerified))));
  for (const int count : {1, 2})
    EXPECT_THAT(final_state(GetParam().good, explore::Referee(), count), results(Each(is(Verdict::kVerified))));
}

TEST(Objects, WhatInitialisersDoWasDoneWithoutFailure) {
  const Loaded loaded(std::string(kObjects) + "finally cells[0] == 0;\nproc work() { skip; }\n");
  EXPECT_THAT(loaded.by(Dynamic()).results, Contains(is(Kind::kNegativeArraySize, Verdict::kVerified)));
  std::string worse(kObjects);
  worse.replace(worse.find("new int[3]"), 10, "new int[0-3]");
  const Loaded broken(worse + "finally cells[0] == 0;\nproc work() { skip; }\n");
  EXPECT_THAT(broken.by(Dynamic()).results, Each(Not(is(Verdict::kVerified))));
}

TEST_P(OfObjects, TheBrokenOneIsNot) {
  EXPECT_THAT(final_state(GetParam().broken, Dynamic(), {}), results(Each(Not(is(Verdict::kVerified)))));
  EXPECT_THAT(final_state(GetParam().broken, explore::Referee(), 2),
              results(Contains(is(Kind::kFinalState, Verdict::kViolated))));
}

const std::vector<Twins>& all_twins() {
  static const std::vector<Twins> kAll = {
      {"FieldUnderMonitor",
       "finally box.x == n + 1;\n"
       "proc work() { acquire(box); var t: int = box.x; box.x = t + 1; release(box); }\n",
       "finally box.x == n + 1;\n"
       "proc work() { acquire(box); var t: int = box.x; release(box); box.x = t + 1; }\n"},
      {"ElementsOfAFinalArray", "finally cells[2] == n && cells[0] == 0;\nproc work() { cells[2] = cells[2] + 1; }\n",
       "finally cells[2] == n && cells[0] == 1;\nproc work() { cells[2] = cells[2] + 1; }\n"},
      {"WhatInitialisersLeave", "finally box.a[1] == 5 && box.a[0] == 0 && box.a.length == 2;\nproc work() { skip; }\n",
       "finally box.a[1] == 0;\nproc work() { skip; }\n"},
      {"OutOfBoundsHasNoValue", "finally n < 0 || box.a[1] == 5;\nproc work() { skip; }\n",
       "finally n < 0 || box.a[2] == box.a[2];\nproc work() { skip; }\n"},
      {"TotalOfZeros",
       "finally (\\sum int k; 0 <= k && k < 3; cells[k]) == 0;\n"
       "proc work() { acquire(box); cells[0] = cells[0] + 1; cells[2] = cells[2] - 1; release(box); }\n",
       "finally (\\sum int k; 0 <= k && k < 3; cells[k]) == 0;\n"
       "proc work() { acquire(box); cells[0] = cells[0] + 1; cells[2] = cells[2] - 2; release(box); }\n"},
      {"ArrayThatGrows",
       "finally box.a.length == n + 2;\ninitially n < 1000;\n"
       "proc work() { acquire(box); var b: int[] = new int[box.a.length + 1]; box.a = b; release(box); }\n",
       "finally box.a.length == n + 2;\ninitially n < 1000;\n"
       "proc work() { acquire(box); var b: int[] = new int[box.a.length + 1]; release(box); box.a = b; }\n"},
      {"AliasOfTheOldArray",
       "finally n == 0 || box.a[0] == 1;\n"
       "proc work() { acquire(box); var b: int[] = new int[3]; box.a = b; b[0] = 1; release(box); }\n",
       "finally n == 0 || box.a[0] == 1;\n"
       "proc work() { acquire(box); var old: int[] = box.a; var b: int[] = new int[3]; box.a = b; old[0] = 1; "
       "release(box); }\n"},
      {"AliasBehindARelease",
       "finally n == 0 || box.a[0] == 1;\n"
       "proc work() { acquire(box); var b: int[] = new int[3]; box.a = b; var now: int[] = box.a; now[0] = 1; "
       "release(box); }\n",
       "finally n == 0 || box.a[0] == 1;\n"
       "proc work() { acquire(box); var now: int[] = box.a; release(box);\n"
       "  acquire(box); var b: int[] = new int[3]; box.a = b; now[0] = 1; release(box); }\n"},
      {"ExceptionThatIsNotThrown",
       "finally box.x == n + 1;\n"
       "proc risky() throws Trouble { if (box.x < 0) { var t: Trouble = new Trouble(); throw t; } box.x = box.x + 1; "
       "}\n"
       "global_invariant box.x >= 0;\n"
       "proc work() { var thrown: Trouble = null; acquire(box); risky() catch thrown; release(box); }\n",
       "finally box.x == n + 1;\n"
       "proc risky() throws Trouble { if (box.x > 1) { var t: Trouble = new Trouble(); throw t; } box.x = box.x + 1; "
       "}\n"
       "proc work() { var thrown: Trouble = null; acquire(box); risky() catch thrown; release(box); }\n"},
      {"CopyOfAllElements",
       "finally box.a[1] == 5;\n"
       "proc work() { acquire(box); var b: int[] = new int[3]; var i: int = 0; var old: int[] = box.a;\n"
       "  while (i < 2) { var t: int = old[i]; b[i] = t; i = i + 1; } box.a = b; release(box); }\n",
       "finally box.a[1] == 5;\n"
       "proc work() { acquire(box); var b: int[] = new int[3]; var i: int = 0; var old: int[] = box.a;\n"
       "  while (i < 1) { var t: int = old[i]; b[i] = t; i = i + 1; } box.a = b; release(box); }\n"},
      {"AliasFromBeforeARelease",
       "finally n == 0 || box.x == 7;\n"
       "proc work() { acquire(box); release(box); acquire(box); var now: int[] = box.a; now[0] = 7; box.x = box.a[0]; "
       "var b: int[] = new int[3]; box.a = b; release(box); }\n",
       "finally n == 0 || box.x == 7;\n"
       "proc work() { acquire(box); var now: int[] = box.a; release(box); acquire(box); now[0] = 7; box.x = box.a[0]; "
       "var b: int[] = new int[3]; box.a = b; release(box); }\n"},
      {"AliasFromBeforeACallThatStores",
       "finally n == 0 || box.x == 7;\n"
       "proc grow() { var b: int[] = new int[3]; box.a = b; }\n"
       "proc work() { acquire(box); grow(); var now: int[] = box.a; now[0] = 7; box.x = box.a[0]; release(box); }\n",
       "finally n == 0 || box.x == 7;\n"
       "proc grow() { var b: int[] = new int[3]; box.a = b; }\n"
       "proc work() { acquire(box); var now: int[] = box.a; grow(); now[0] = 7; box.x = box.a[0]; release(box); }\n"},
      {"AliasFromBeforeACallThatReleases",
       "finally n == 0 || box.x == 7;\n"
       "proc pause() { release(box); acquire(box); }\n"
       "proc work() { acquire(box); pause(); var now: int[] = box.a; now[0] = 7; box.x = box.a[0]; var b: int[] = new "
       "int[3]; box.a = b; release(box); }\n",
       "finally n == 0 || box.x == 7;\n"
       "proc pause() { release(box); acquire(box); }\n"
       "proc work() { acquire(box); var now: int[] = box.a; pause(); now[0] = 7; box.x = box.a[0]; var b: int[] = new "
       "int[3]; box.a = b; release(box); }\n"},
      {"AliasFromBeforeAStore",
       "finally n == 0 || box.x == 7;\n"
       "proc work() { acquire(box); var b: int[] = new int[3]; box.a = b; var now: int[] = box.a; now[0] = 7; box.x = "
       "box.a[0]; release(box); }\n",
       "finally n == 0 || box.x == 7;\n"
       "proc work() { acquire(box); var now: int[] = box.a; var b: int[] = new int[3]; box.a = b; now[0] = 7; box.x = "
       "box.a[0]; release(box); }\n"},
      {"AliasThatNoLockProtects",
       "finally n == 0 || box.x == 7;\n"
       "proc work() { acquire(box); var now: int[] = box.a; atomic { now[0] = 7; box.x = box.a[0]; var b: int[] = new "
       "int[3]; box.a = b; } release(box); }\n",
       "finally n == 0 || box.x == 7;\n"
       "proc work() { var now: int[] = box.a; atomic { now[0] = 7; box.x = box.a[0]; var b: int[] = new int[3]; box.a "
       "= b; } }\n"},
      {"CopyUpToALimit",
       "finally n == 0 || box.a[1] == 0;\n"
       "proc work() { acquire(box); var b: int[] = new int[3]; var i: int = 0; var old: int[] = box.a;\n"
       "  while (i < 1) { var t: int = old[i]; b[i] = t; i = i + 1; } box.a = b; release(box); }\n",
       "finally n == 0 || box.a[1] == 0;\n"
       "proc work() { acquire(box); var b: int[] = new int[3]; var i: int = 0; var old: int[] = box.a;\n"
       "  while (i <= 1) { var t: int = old[i]; b[i] = t; i = i + 1; } box.a = b; release(box); }\n"},
      {"CopyOntoItself",
       "finally n == 0 || box.a[2] == 0;\n"
       "proc work() { acquire(box); var b: int[] = new int[3]; b[0] = 5; box.a = b; release(box); }\n",
       "finally n == 0 || box.a[2] == 0;\n"
       "proc work() { acquire(box); var b: int[] = new int[3]; b[0] = 5; var i: int = 0;\n"
       "  while (i < 2) { var t: int = b[i]; b[1 + i] = t; i = i + 1; } box.a = b; release(box); }\n"},
  };
  return kAll;
}

INSTANTIATE_TEST_SUITE_P(Objects, OfObjects, testing::ValuesIn(all_twins()),
                         [](const auto& twin) { return twin.param.name; });

}  // namespace
}  // namespace concord::engine::dynamic
