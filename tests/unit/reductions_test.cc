// What the explorer leaves out makes no difference, and the tests would notice if it did: each way in which the reductions can
// be broken on purpose changes what is found in some program here.
#include <gtest/gtest.h>

#include <map>
#include <optional>
#include <set>
#include <string>

#include "explore/exploration.h"
#include "explore/table_search.h"
#include "plato/reader.h"
#include "plato/wellformed.h"

namespace concord::explore {
namespace {

struct Seen {
  std::set<std::string> found;
  std::set<std::string> final_stores;
  friend bool operator==(const Seen&, const Seen&) = default;
};

struct Loaded {
  base::SourceMap sources;
  plato::Program program;
  engine::Task task;

  explicit Loaded(const std::string& text) {
    sources.add("t.plato", text);
    diag::Sink sink;
    plato::read(sources, 0, program, sink);
    if (!sink.has_errors()) plato::check_well_formed(sources, program, sink);
    for (const diag::Diagnostic& error : sink.errors()) ADD_FAILURE() << diag::render(sources, error) << "in\n" << text;
    const std::set<diag::Kind> requested = {diag::Kind::kDeadlock, diag::Kind::kCyclicDeadlock,
                                            diag::Kind::kNestedMonitor, diag::Kind::kIgnoredNotify};
    task = {&sources, &program, engine::collect_properties(sources, program, requested), {}};
  }
};

Seen seen_by(Search& search) {
  EXPECT_EQ(search.run(), Outcome::kComplete);
  Seen out;
  for (const auto& [id, finding] : search.findings()) out.found.insert(id);
  out.final_stores = search.final_stores();
  return out;
}

Seen by_referee(const std::string& text) {
  const Loaded loaded(text);
  engine::Control control;
  Exploration search(loaded.task, control, 2);
  return seen_by(search);
}

// Nothing: it found something that cannot be shown.
std::optional<Seen> by_explorer(const std::string& text, Defect defect) {
  const Loaded loaded(text);
  engine::Control control;
  TableSearch search(loaded.task, control, 2, defect);
  try {
    return seen_by(search);
  } catch (const std::exception&) { return std::nullopt; }
}

const std::map<Defect, std::string>& programs() {
  static const std::map<Defect, std::string> kPrograms = {
      {Defect::kAlwaysAlike, R"(
        var m: tid = none;
        var x: int = 0;
        proc worker() { atomic { if (m == none) m = tid; } if (m == tid) x = x + 1; assert x <= 1; }
        thread[2] worker();
      )"},
      {Defect::kCallersDead, R"(
        class E {}
        var x: int = 0;
        proc fail(): int throws E { if (x == 1) { var e: E = new E(); throw e; } return 5; }
        proc caller() { var r: int = 1; var e: E; r = fail() catch e; assert r == 5 || r == 1; }
        proc other() { x = 1; }
        thread caller();
        thread other();
      )"},
      {Defect::kPastWrong, R"(
        var x: int = 0;
        proc first() { var t: int = 0; x = 1; assert t == 1; }
        proc second() { await x == 1; assert false; }
        thread first();
        thread second();
      )"},
      {Defect::kPastRounds, R"(
        var x: int = 0;
        proc spin() { var b: bool = false; x = 1; while (true) { b = !b; } }
        proc other() { await x == 1; assert false; }
        thread spin();
        thread other();
      )"},
      {Defect::kPastEnd, R"(
        var x: int = 0;
        proc worker() { x = x + 1; }
        proc main() { var a: tid; a = start worker(); join(a); assert x == 2; }
        thread main();
      )"},
      {Defect::kPastWatched, R"(
        var x: int = 0;
        proc p() { var t: int = 0; x = 1; t = 1; }
        abstract thread M without idle {
          initial node A;
                  node B;
          A -> A: <x == 0>_{};
          A -> B: <x' == 1>_{x};
        }
        thread p() abstracted by M;
      )"},
      {Defect::kIdlingUnchecked, R"(
        var x: int = 0;
        env_assumption x == 2 ==> x' != x;
        proc worker() { var t: int = 0; x = x + 1; t = 1; t = 2; }
        thread[2] worker();
      )"},
      {Defect::kSettledOnce, R"(
        var x: int = 0;
        proc p() { await x == 5; }
        proc q() { x = 1; }
        abstract thread M { initial node A: assert x == 0; }
        thread p() abstracted by M;
        thread q();
      )"},
      {Defect::kAloneForEver, R"(
        var x: int = 0;
        var y: int = 0;
        proc spin() { while (true) { x = 1 - x; } }
        proc other() { y = 1; assert y == 0; }
        thread spin();
        thread other();
      )"},
      {Defect::kAloneVisibly, R"(
        var x: int = 0;
        var y: int = 0;
        global_invariant x == 0 || y == 0;
        proc first() { x = 1; x = 0; }
        proc second() { y = 1; y = 0; }
        thread first();
        thread second();
      )"},
      {Defect::kAloneWhileFree, R"(
        var m: monitor;
        var x: int = 0;
        proc first() { x = 1; }
        proc second() { acquire(m); assert x == 1; release(m); }
        thread first();
        thread second();
      )"},
      {Defect::kAloneWrongly, R"(
        var x: int = 0;
        proc first() { assert false; }
        proc second() { x = 1; assert x == 0; }
        thread first();
        thread second();
      )"},
      {Defect::kAloneBesideAny, R"(
        class Lock {}
        var lock: Lock;
        var is_held: bool = false;
        var is_wanted: bool = false;
        var x: int = 0;
        proc holder() {
          var mine: Lock = new Lock();
          lock = mine;
          acquire(mine);
          is_held = true;
          await is_wanted;
          release(mine);
        }
        proc waiter() {
          await is_held;
          var mine: Lock = lock;
          is_wanted = true;
          acquire(mine);
          assert x == 1;
          release(mine);
        }
        proc writer() { x = 1; }
        thread writer();
        thread holder();
        thread waiter();
      )"},
      {Defect::kInsideUnseen, R"(
        var x: int = 0;
        var y: int = 0;
        proc first() { exclusive region { x = 1; return; } }
        proc second() { exclusive region { y = 1; return; } }
        thread first();
        thread second();
      )"},
      {Defect::kRenamedHalf, R"(
        var m: monitor;
        var x: int = 0;
        proc worker() { acquire(m); x = x + 1; release(m); }
        thread[2] worker();
      )"},
  };
  return kPrograms;
}

TEST(Reductions, MakeNoDifference) {
  for (const auto& [defect, text] : programs()) {
    EXPECT_EQ(by_explorer(text, Defect::kNone), by_referee(text)) << text;
  }
}

// The result of a call is new, so what the variable was before does not matter while the call lasts.
TEST(Reductions, WhatACallGivesANewValueIsDeadBeforeIt) {
  const std::string text = R"(
    var x: int = 0;
    proc take(): int { x = x + 1; return x; }
    proc worker() {
      var got: int = take();
      while (got < 3) got = take();
      assert x < 4;
    }
    thread[2] worker();
  )";
  EXPECT_EQ(by_explorer(text, Defect::kNone), by_referee(text));
}

// Threads that know their index do not begin alike: not every final state is one with their numbers exchanged.
TEST(Reductions, ThreadsThatKnowTheirIndex) {
  const std::string text = R"(
    var m: monitor;
    var x: int = 2;
    ghost var seen: tid;
    proc worker(i: int) { x = i; set seen = m.holder; acquire(m); x = x; release(m); }
    thread[2] worker(index);
  )";
  EXPECT_EQ(by_explorer(text, Defect::kNone), by_referee(text));
}

// What is set together with an `atomic` belongs to that step.
TEST(Reductions, GhostsThatAreSetAfterAnAtomic) {
  const std::string text = R"(
    ghost var seen: int = 1;
    var x: int = 0;
    proc first() { x = 1; set seen = 0; }
    proc second() { atomic { } set seen = 2; }
    thread first();
    thread second();
  )";
  const Seen seen = by_referee(text);
  EXPECT_EQ(seen.final_stores.size(), 2U);
  EXPECT_EQ(by_explorer(text, Defect::kNone), seen);
}

// Threads that are known by their numbers: who is where in the end, and a run that is told although numbers were exchanged.
TEST(Reductions, ThreadsThatAreKnownByNumber) {
  const std::string text = R"(
    var m: monitor;
    var last: tid = none;
    var rounds: map<tid, int>;
    var next: map<tid, tid>;
    proc worker() {
      acquire(m);
      next[tid] = last;
      last = tid;
      rounds[tid] = rounds[tid] + 1;
      notify(m);
      wait(m);
      assert last == tid;
      release(m);
    }
    thread[3] worker();
    thread worker();
  )";
  EXPECT_EQ(by_explorer(text, Defect::kNone), by_referee(text));
}

// A reference that is not looked at any more counts for who knows an object.
TEST(Reductions, DeadReferencesTellWhoKnowsAnObject) {
  const std::string text = R"(
    class Box { var v: int = 0 guarded_by this; }
    var shared: Box;
    proc first() {
      var b: Box = new Box();
      shared = b;
      await shared == null;
      b.v = 1;
    }
    proc second() {
      await shared != null;
      var mine: Box = shared;
      shared = null;
      await false;
    }
    thread first();
    thread second();
  )";
  const Seen seen = by_referee(text);
  EXPECT_FALSE(seen.found.empty());
  EXPECT_EQ(by_explorer(text, Defect::kNone), seen);
}

TEST(Reductions, BrokenOnPurposeAreNoticed) {
  EXPECT_EQ(programs().size(), static_cast<std::size_t>(Defect::kRenamedHalf));  // all of them, but kNone
  for (const auto& [defect, text] : programs()) {
    EXPECT_NE(by_explorer(text, defect), by_referee(text)) << static_cast<int>(defect) << " is not noticed in" << text;
  }
}

}  // namespace
}  // namespace concord::explore
