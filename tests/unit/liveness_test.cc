// Which local variables may be looked at again.
#include "plato/liveness.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "plato/reader.h"
#include "plato/wellformed.h"

namespace concord::plato {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// The names of those that are live at the head of the first loop of the first procedure.
std::set<std::string> live_at_loop(const std::string& text) {
  base::SourceMap sources;
  sources.add("t.plato", text);
  Program program;
  diag::Sink sink;
  read(sources, 0, program, sink);
  if (!sink.has_errors()) check_well_formed(sources, program, sink);
  EXPECT_FALSE(sink.has_errors()) << diag::render(sources, sink.errors().front());
  const Flow flow = make_flow(program.procedures.front());
  const std::vector<std::set<int>> live = live_locals(flow);
  std::set<std::string> out;
  for (std::size_t n = 0; n < flow.nodes.size(); ++n) {
    if (flow.nodes[n].loop == nullptr) continue;
    for (const int slot : live[n]) out.insert(program.procedures.front().locals[static_cast<std::size_t>(slot)].name);
    return out;
  }
  return out;
}

TEST(Liveness, WhatIsReadBeforeItIsAssigned) {
  EXPECT_THAT(live_at_loop(R"(
    var x: int = 0;
    proc p(a: int, b: int) {
      var i: int = 0;
      var t: int = 0;
      while (i < a) {
        t = i;
        x = t;
        i = i + 1;
      }
      t = b;
    }
    thread p(1, 2);
  )"),
              ElementsAre("a", "b", "i"));
}

TEST(Liveness, WhatAnInvariantAndThePostconditionSpeakOf) {
  EXPECT_THAT(live_at_loop(R"(
    var x: int = 0;
    proc p(a: int, b: int, c: int) ensures x >= b; {
      while (x < 3) loop_invariant x >= c; {
        x = x + 1;
      }
    }
    thread p(1, 0, 0);
  )"),
              ElementsAre("b", "c"));
}

TEST(Liveness, TheResultOfACallThatThrowsIsTheOldOne) {
  EXPECT_THAT(live_at_loop(R"(
    class E {}
    var x: int = 0;
    proc p() {
      var r: int = 0;
      var e: E;
      while (x < 3) {
        r = q(x) catch e;
        x = r;
      }
    }
    proc q(n: int): int throws E { return n + 1; }
    thread p();
  )"),
              ElementsAre("r"));
}

TEST(Liveness, TheResultOfACallIsNew) {
  EXPECT_THAT(live_at_loop(R"(
    var x: int = 0;
    proc p() {
      var r: int = 0;
      while (x < 3) {
        r = q(x);
        x = r;
      }
    }
    proc q(n: int): int { return n + 1; }
    thread p();
  )"),
              IsEmpty());
}

}  // namespace
}  // namespace concord::plato
