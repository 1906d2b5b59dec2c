// Views: what single threads know, and pairs of them. Each program here is verified for any number of threads, and its neighbour, which
// differs in one line, is not. That every real state is in some view is looked at by tests/agree (`--heaps`).
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "engine/shape/shape.h"
#include "engine/shape/source/lower.h"
#include "engine/shape/source/view_search.h"
#include "plato/reader.h"
#include "plato/wellformed.h"

namespace concord::engine::shape::source {
namespace {

struct Answer {
  std::string refused;
  std::set<std::string> alarms;  // kinds
  std::set<std::string> undecided;
  std::size_t views = 0;
  bool is_whole = false;
};

// With at most so many.
Answer views_of(const std::string& text, std::size_t most = 5000) {
  base::SourceMap sources;
  sources.add("t.plato", text);
  plato::Program program;
  diag::Sink sink;
  plato::read(sources, 0, program, sink);
  if (!sink.has_errors()) plato::check_well_formed(sources, program, sink);
  for (const diag::Diagnostic& error : sink.errors()) ADD_FAILURE() << diag::render(sources, error) << "in\n" << text;
  Task task{&sources, &program, collect_properties(sources, program, {diag::Kind::kRace, diag::Kind::kDeadlock}), {}};
  const Lowered lowered = lower(task, true);
  Answer out;
  out.refused = lowered.refused;
  if (!lowered.refused.empty()) return out;
  for (std::size_t p = 0; p < task.properties.size(); ++p) {
    if (!lowered.is_decided[p]) out.undecided.insert(std::string(diag::page(task.properties[p].kind).name));
  }
  ViewSearch search(lowered, task, most);
  Control control;
  search.run(task, control);
  out.is_whole = !search.is_given_up();
  out.views = search.states().size();
  for (const Search::Alarm& it : search.alarms()) {
    if (it.property >= std::ssize(task.properties)) continue;  // an order of locks
    out.alarms.insert(std::string(diag::page(task.properties[static_cast<std::size_t>(it.property)].kind).name));
  }
  return out;
}

// Of the engine, which looks at each thread by itself only: the kinds that it verifies.
std::set<std::string> verified_by_views(const std::string& text) {
  base::SourceMap sources;
  sources.add("t.plato", text);
  plato::Program program;
  diag::Sink sink;
  plato::read(sources, 0, program, sink);
  if (!sink.has_errors()) plato::check_well_formed(sources, program, sink);
  for (const diag::Diagnostic& error : sink.errors()) ADD_FAILURE() << diag::render(sources, error) << "in\n" << text;
  Task task{&sources, &program, {}, {}};
  task.properties = collect_properties(sources, program, {diag::Kind::kDeadlock, diag::Kind::kCyclicDeadlock});
  Control control;
  std::set<std::string> out;
  for (const PropertyResult& it : Shape(Shape::Look::kEachThread).run(task, control).results) {
    if (it.verdict == Verdict::kVerified) out.insert(std::string(diag::page(it.property.kind).name));
  }
  return out;
}

// Whoever pushes goes on until nobody was faster.
std::string stack(const std::string& link, const std::string& publish, const std::string& take) {
  return "class Node { var next: Node; }\n"
         "volatile var top: Node;\n"
         "global_invariant \\list(top, next);\n"
         "proc push() {\n"
         "  var n: Node = new Node();\n"
         "  var done: bool = false;\n"
         "  while (!done) {\n"
         "    var old: Node = top;\n"
         "    " +
         link +
         "\n"
         "    " +
         publish +
         "\n"
         "  }\n"
         "}\n"
         "proc pop() {\n"
         "  var old: Node = top;\n"
         "  if (old != null) {\n"
         "    var after: Node = old.next;\n"
         "    " +
         take +
         "\n"
         "  }\n"
         "}\n"
         "thread[*] push();\n"
         "thread[*] pop();\n";
}

const std::string kLink = "n.next = old;";
const std::string kPublish = "done = CAS(top, old, n);";
const std::string kTake = "CAS(top, old, after);";

TEST(Views, AStackWithoutLocksForAnyNumberOfThreads) {
  const Answer right = views_of(stack(kLink, kPublish, kTake));
  EXPECT_EQ(right.refused, "");
  EXPECT_TRUE(right.is_whole);
  EXPECT_EQ(right.alarms, std::set<std::string>());
  EXPECT_EQ(right.views, 251U);  // fewer would be views that are missed
  // Where all threads are at the same time is more than one of them knows.
  EXPECT_EQ(right.undecided, (std::set<std::string>{"deadlock"}));
}

// A node that others know may be behind another one by then: the list runs into itself.
TEST(Views, WhatIsPublishedIsNotOnesOwn) {
  const Answer wrong = views_of(stack(kPublish, kLink, kTake), 500);
  EXPECT_TRUE(wrong.alarms.contains("race"));
  EXPECT_TRUE(wrong.alarms.contains("invariant"));
}

std::string locked(const std::string& before, const std::string& after) {
  return "var x: int = 0;\n"
         "var flag: bool = false;\n"
         "var m: tid = none;\n"
         "global_invariant m == none ==> !flag;\n"
         "proc work() {\n"
         "  " +
         before +
         "\n"
         "  flag = true;\n"
         "  assert flag;\n"
         "  flag = false;\n"
         "  " +
         after +
         "\n"
         "}\n"
         "thread[*] work();\n";
}

// That another thread holds the lock is known, though not which.
TEST(Views, LocksThatOthersHold) {
  const Answer right = views_of(locked("acquire(m);", "release(m);"));
  EXPECT_TRUE(right.is_whole);
  EXPECT_EQ(right.alarms, std::set<std::string>());
  const Answer wrong = views_of(locked("", ""));
  EXPECT_EQ(wrong.alarms, (std::set<std::string>{"assertion", "invariant", "race"}));
}

// The keeper has locked what the watcher has never heard of, and the setter sets the flag only meanwhile.
TEST(Views, LocksOfObjectsThatOneDoesNotKnow) {
  const std::string program =
      "class Thing { volatile var on: bool; }\n"
      "volatile var flag: bool = false;\n"
      "proc keeper(it: Thing) { acquire(it); it.on = true; % }\n"
      "proc setter(it: Thing) { var on: bool = it.on; if (on) { flag = true; it.on = true; } }\n"
      "proc watcher() { assert !flag; }\n"
      "proc boss() { start watcher(); while (true) { var it: Thing = new Thing(); start keeper(it); start setter(it); "
      "} }\n"
      "thread boss();\n";
  const auto with = [&](const std::string& end) { return std::string(program).replace(program.find('%'), 1, end); };
  EXPECT_EQ(views_of(with("")).alarms, (std::set<std::string>{"assertion"}));
  EXPECT_EQ(views_of(with("it.on = false; release(it);")).alarms, (std::set<std::string>{"assertion"}));
  EXPECT_EQ(views_of(std::string(program).replace(program.find("it.on = true; %"), 15, "")).alarms,
            std::set<std::string>());
}

// A step that starts a thread is a step of others if it does more than that.
TEST(Views, WhatElseStartingDoes) {
  const std::string program =
      "volatile var nobody: tid;\n"
      "volatile var seen: tid;\n"
      "proc nothing() {}\n"
      "proc forget() { atomic { start nothing(); % } }\n"
      "proc remember() { seen = tid; assert seen != none; }\n"
      "thread forget();\n"
      "thread remember();\n";
  const auto with = [&](const std::string& also) { return std::string(program).replace(program.find('%'), 1, also); };
  EXPECT_EQ(views_of(with("seen = nobody;")).alarms, (std::set<std::string>{"assertion"}));
  EXPECT_EQ(views_of(with("")).alarms, std::set<std::string>());
}

// Whom a thread waits for it does not know, but what it holds then.
TEST(Views, OrdersOfLocks) {
  const std::string program =
      "class Link { final var next: Link; }\n"
      "volatile var enough: bool = false;\n"
      "proc user(first: Link, second: Link) {\n"
      "  acquire(first); acquire(second); release(second); release(first);\n"
      "}\n"
      "proc bell() { enough = true; }\n"
      "proc maker() {\n"
      "  var chain: Link = new Link();\n"
      "  while (!enough) { chain = new Link(next = chain); % }\n"
      "}\n"
      "thread maker();\n"
      "thread bell();\n";
  const auto with = [&](const std::string& start) { return std::string(program).replace(program.find('%'), 1, start); };
  const std::string right = "start user(chain, chain.next);";
  const std::string wrong = "start user(chain.next, chain);";
  const std::set<std::string> both{"deadlock", "cyclic-deadlock"};
  const auto decided = [&](const std::string& text) {
    std::set<std::string> out;
    for (const std::string& it : verified_by_views(text)) {
      if (both.contains(it)) out.insert(it);
    }
    return out;
  };
  EXPECT_EQ(decided(with(right)), both);
  EXPECT_EQ(decided(with(right + wrong)), std::set<std::string>());
  // Waiting for something else, and a monitor that somebody keeps.
  EXPECT_EQ(decided(with(right) + "var m: tid;\nproc p() { acquire(m); }\nthread p();\n"), std::set<std::string>());
  EXPECT_EQ(decided(with(right) + "proc p() { await enough; }\nthread p();\n"),
            std::set<std::string>{"cyclic-deadlock"});
  std::string kept = with(right);
  kept.replace(kept.find(" release(first);"), 16, " if (!enough) { release(first); }");
  EXPECT_EQ(decided(kept), std::set<std::string>{"cyclic-deadlock"});
}

// An invariant of all objects speaks of some that only others know.
TEST(Views, InvariantsOfObjectsThatNobodyMayKnow) {
  const std::string program =
      "class Node { var mark: bool; var next: Node; }\n"
      "volatile var top: Node;\n"
      "global_invariant forall n: Node :: %;\n"
      "proc push() { var n: Node = new Node(); n.next = top; top = n; }\n"
      "thread[*] push();\n";
  const auto with = [&](const std::string& claim) { return std::string(program).replace(program.find('%'), 1, claim); };
  EXPECT_TRUE(views_of(with("!n.mark")).undecided.contains("invariant"));
  EXPECT_FALSE(views_of(with("\\reach(top, next, n) ==> !n.mark")).undecided.contains("invariant"));
}

}  // namespace
}  // namespace concord::engine::shape::source
