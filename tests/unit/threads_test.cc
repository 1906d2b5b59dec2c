// The threads engine, mostly by breaking it on purpose, as in modular_test.cc; and its proofs for every number of threads
// against the explorer for some.
#include "engine/threads/threads.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "explore/explorer.h"
#include "explore/referee.h"
#include "loaded.h"

namespace concord::engine::threads {
namespace {

using diag::Kind;
using simulation::Defect;
using testing::Contains;
using testing::Each;
using testing::Not;

struct Planted {
  Defect defect;
  std::string name;
  std::string program;  // has a run against its conformance
  std::string fixed;
};

void PrintTo(const Planted& planted, std::ostream* out) { *out << planted.name; }  // NOLINT: the name is fixed

class NoticedByThreads : public testing::TestWithParam<Planted> {};

TEST_P(NoticedByThreads, OnlyTheBrokenEngineVerifies) {
  const Loaded loaded(GetParam().program);
  EXPECT_THAT(loaded.by(explore::Referee()), results(Contains(is(Kind::kConformance, Verdict::kViolated))));
  EXPECT_THAT(loaded.by(Threads()), results(Not(Contains(is(Kind::kConformance, Verdict::kVerified)))));
  EXPECT_THAT(loaded.by(Threads(GetParam().defect)), results(Contains(is(Kind::kConformance, Verdict::kVerified))));
}

TEST_P(NoticedByThreads, TheFixedTwinIsVerified) {
  const Loaded loaded(GetParam().fixed);
  EXPECT_THAT(loaded.by(Threads()), results(Each(is(Verdict::kVerified))));
  EXPECT_THAT(loaded.by(explore::Referee()), results(Each(Not(is(Verdict::kViolated)))));
}

const std::vector<Planted>& all_planted() {
  static const std::string kOnce = R"(
abstract thread Once {
  initial node Before;
          node After;
  Before -> After: <x' == 1>_{x};
}
)";
  static const std::string kInOrder = R"(
abstract thread InOrder {
  initial node First;
          node Second;
          node Third;
  First -> Second: <y' == 1>_{y};
  Second -> Third: <x' == 1>_{x};
}
)";
  static const std::vector<Planted> all{
      {Defect::kStutterChangesAnything, "IdlingChangesAnything",
       "var x: int = 0; proc p() { x = 2; } thread p() abstracted by Once;" + kOnce,
       "var x: int = 0; proc p() { x = 1; } thread p() abstracted by Once;" + kOnce},
      {Defect::kWidenedPositions, "NodesUnitedWhereWaysMeet",
       "var x: int = 0; var y: int = 0; proc p() { if (*) { y = 1; } x = 1; } thread p() abstracted by InOrder;" +
           kInOrder,
       "var x: int = 0; var y: int = 0; proc p() { if (*) { y = 1; x = 1; } } thread p() abstracted by InOrder;" +
           kInOrder},
  };
  return all;
}

INSTANTIATE_TEST_SUITE_P(Conformance, NoticedByThreads, testing::ValuesIn(all_planted()),
                         [](const auto& it) { return it.param.name; });

// What is proved for every number of threads holds for each of some.
TEST(EveryNumberOfThreads, TheExplorerAgrees) {
  for (const char* file :
       {"examples/bluetooth/bluetooth.plato", "tests/golden/threads/counted-verified/program.plato"}) {
    std::ifstream in(file);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    EXPECT_THAT(Loaded(text).by(Threads()), results(Each(is(Verdict::kVerified)))) << file;
    for (int n = 1; n <= 6; ++n) {
      Settings settings;
      settings.threads = n;
      EXPECT_THAT(Loaded(text, settings).by(explore::Explorer()), results(Each(is(Verdict::kVerified)))) << file << n;
    }
  }
}

// A search that does not end says which variable, or what in the heap, keeps it.
TEST(Explorer, TellsWhichVariableGrows) {
  const std::pair<const char*, const char*> programs[] = {
      {"proc p() { var y: int = 0; while (true) { y = y + 1; assert y > 0; } } thread p();", "y of p"},
      {"class C { var n: int = 0; } var o: C; proc p() { o = new C(); while (true) { o.n = o.n + 1; assert o.n > 0; } }"
       "thread p();",
       "C.n"},
      {"proc p() { var a: int[] = new int[2]; while (true) { a[1] = a[1] + 1; assert a[1] > 0; } } thread p();",
       "elements of int[]"},
      {"var m: map<tid, int>; proc p() { while (true) { m[tid] = m[tid] + 1; assert m[tid] > 0; } } thread p();",
       "entries of m"},
      {"var s: set<int>; proc p() { while (true) { s = s + {size(s)}; assert size(s) > 0; } } thread p();",
       "elements of s"}};
  for (const auto& [text, variable] : programs) {
    const Loaded loaded(text);
    Control control;
    control.timeout = std::chrono::milliseconds(500);
    explore::Explorer explorer;
    const EngineResult answer = explorer.run(loaded.task, control);
    EXPECT_THAT(answer.results.front().reason, testing::HasSubstr(std::string(variable) + " taking ever more values"));
  }
}

}  // namespace
}  // namespace concord::engine::threads
