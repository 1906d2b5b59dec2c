// What is remembered of proofs: nothing that depends on an ingredient that has changed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <set>
#include <string>

#include "cache/store.h"
#include "check/remembered.h"
#include "formula/fingerprint.h"
#include "sequential/verify.h"
#include "smt/solver.h"

namespace concord {
namespace {

using formula::Fingerprint;
using formula::Pool;
using formula::Sort;
using formula::Term;
using smt::Answer;

namespace fs = std::filesystem;

std::string hash_of(const std::function<void(Pool&, Fingerprint&)>& make) {
  Pool pool;
  Fingerprint out{base::Sha256()};
  make(pool, out);
  return out.hex();
}

TEST(Fingerprint, NamesOfConstantsDoNotCount) {
  const auto ordered = [](const char* x, const char* y) {
    return hash_of([&](Pool& pool, Fingerprint& to) {
      const Term a = pool.constant(x, pool.integer());
      const Term b = pool.constant(y, pool.integer());
      to.add(pool.and_(pool.lt(a, b), pool.le(b, pool.number(3))));
    });
  };
  EXPECT_EQ(ordered("x", "y"), ordered("x", "y"));
  EXPECT_EQ(ordered("x", "y"), ordered("y", "x"));
  EXPECT_NE(ordered("x", "y"), ordered("x", "x"));
}

TEST(Fingerprint, EverythingElseCounts) {
  const auto of = [](const std::function<Term(Pool&, Term, Term)>& make) {
    return hash_of([&](Pool& pool, Fingerprint& to) {
      to.add(make(pool, pool.constant("a", pool.integer()), pool.constant("b", pool.integer())));
    });
  };
  const std::vector<std::string> all{
      of([](Pool& p, Term a, Term b) { return p.lt(a, b); }),
      of([](Pool& p, Term a, Term b) { return p.le(a, b); }),
      of([](Pool& p, Term a, Term b) { return p.not_(p.le(a, b)); }),
      of([](Pool& p, Term a, Term) { return p.le(a, p.number(1)); }),
      of([](Pool& p, Term a, Term) { return p.le(a, p.number(2)); }),
      of([](Pool& p, Term a, Term) { return p.le(p.number(1), a); }),
      of([](Pool& p, Term a, Term) { return p.apply("f", {a}, p.boolean()); }),
      of([](Pool& p, Term a, Term) { return p.apply("g", {a}, p.boolean()); }),
      of([](Pool& p, Term, Term) { return p.constant("a", p.boolean()); }),
      of([](Pool& p, Term, Term) { return p.constant("a", p.uninterpreted("S")); }),
      of([](Pool& p, Term, Term) { return p.constant("a", p.uninterpreted("T")); }),
      of([](Pool& p, Term, Term) {
        return p.enum_const(p.enumeration("E", {"A", "B"}), 0);
      }),
      of([](Pool& p, Term, Term) {
        return p.enum_const(p.enumeration("E", {"A", "B"}), 1);
      }),
      of([](Pool& p, Term, Term) {
        return p.enum_const(p.enumeration("E", {"A", "B", "C"}), 1);
      }),
      of([](Pool& p, Term, Term) {
        const Term x = p.bound("x", p.integer());
        const Term y = p.bound("y", p.integer());
        return p.forall({x}, p.exists({y}, p.lt(x, y)));
      }),
      of([](Pool& p, Term, Term) {
        const Term x = p.bound("x", p.integer());
        const Term y = p.bound("y", p.integer());
        return p.forall({x}, p.exists({y}, p.lt(y, x)));
      }),
      of([](Pool& p, Term, Term) {
        const Term x = p.bound("x", p.integer());
        const Term y = p.bound("y", p.integer());
        return p.exists({x}, p.forall({y}, p.lt(x, y)));
      }),
  };
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
}

TEST(Fingerprint, BoundVariablesOfAnotherPoolCountTheSame) {
  const auto of = [](int before) {
    return hash_of([&](Pool& pool, Fingerprint& to) {
      for (int i = 0; i < before; ++i) pool.bound("other", pool.integer());
      const Term x = pool.bound("x", pool.integer());
      to.add(pool.forall({x}, pool.apply("p", {x, pool.fresh("c", pool.integer())}, pool.boolean())));
    });
  };
  EXPECT_EQ(of(0), of(5));
}

TEST(Fingerprint, WhatIsPoppedWasNeverThere) {
  const auto of = [](bool visits) {
    return hash_of([&](Pool& pool, Fingerprint& to) {
      const Term a = pool.constant("a", pool.integer());
      const Term b = pool.constant("b", pool.integer());
      to.add(pool.lt(a, pool.number(1)));
      if (visits) {
        to.push();
        to.add(pool.lt(b, a));
        to.push();
        to.add(pool.constant("s", pool.uninterpreted("S")));
        to.pop();
        to.pop();
      }
      to.push();
      to.add(pool.lt(pool.constant("c", pool.integer()), b));
    });
  };
  EXPECT_EQ(of(false), of(true));
}

class Remembering : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "concord-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  fs::path file() const { return folder_ / "proofs.sqlite"; }

  struct Asked {
    Answer answer;
    bool is_remembered;
  };
  // Is 0 < a < b, b < `below` contradictory, if `assumed`?
  Asked ask(const std::string& identity, std::int64_t below, bool assumed, unsigned seed = 0) const {
    cache::Store store(file(), identity);
    Pool pool;
    smt::Options options;
    options.seed = seed;
    options.proofs = &store;
    const auto solver = smt::make_solver(options);
    const Term a = pool.constant("a", pool.integer());
    const Term b = pool.constant("b", pool.integer());
    const Term on = pool.constant("on", pool.boolean());
    solver->add(pool.lt(pool.number(0), a));
    solver->push();
    solver->add(pool.lt(a, b));
    solver->add(pool.implies(on, pool.lt(b, pool.number(below))));
    const Answer answer = assumed ? solver->check({on}) : solver->check({});
    if (answer == Answer::kUnsat) { EXPECT_THAT(solver->core(), testing::ElementsAre(on)); }
    return {answer, answer == Answer::kUnsat && solver->is_remembered()};
  }

  fs::path folder_;
};

TEST_F(Remembering, OnlyTheSameQuestionIsAnswered) {
  EXPECT_FALSE(ask("me", 2, true).is_remembered);
  EXPECT_TRUE(ask("me", 2, true).is_remembered);
  EXPECT_EQ(ask("me", 3, true).answer, Answer::kSat);   // another axiom
  EXPECT_EQ(ask("me", 2, false).answer, Answer::kSat);  // another assumption
  EXPECT_FALSE(ask("me", 2, true, 1).is_remembered);    // another option
  EXPECT_FALSE(ask("another", 2, true).is_remembered);  // another program, or solver
  EXPECT_TRUE(ask("me", 2, true).is_remembered);
  EXPECT_EQ(ask("me", 3, true).answer, Answer::kSat);  // and a model is no proof
}

TEST_F(Remembering, TheSolverIsAskedInBetween) {
  for (const bool again : {false, true}) {
    cache::Store store(file(), "me");
    Pool pool;
    smt::Options options;
    options.proofs = &store;
    const auto solver = smt::make_solver(options);
    const Term x = pool.constant("x", pool.integer());
    solver->add(pool.lt(pool.number(0), x));
    solver->push();
    solver->add(pool.lt(x, pool.number(0)));
    EXPECT_EQ(solver->check(), Answer::kUnsat);
    EXPECT_EQ(solver->is_remembered(), again);
    solver->pop();
    solver->push();
    solver->add(pool.lt(x, pool.number(2)));
    ASSERT_EQ(solver->check(), Answer::kSat);
    EXPECT_EQ(solver->value(x), "1");
    solver->push();
    solver->add(pool.lt(x, pool.number(1)));
    EXPECT_EQ(solver->check(), Answer::kUnsat);
    EXPECT_EQ(solver->is_remembered(), again);
    solver->pop();
    solver->pop();
    ASSERT_EQ(solver->check(), Answer::kSat);
  }
}

TEST_F(Remembering, AnInterruptBeforeTheFirstCheckCounts) {
  cache::Store store(file(), "me");
  Pool pool;
  smt::Options options;
  options.proofs = &store;
  const auto solver = smt::make_solver(options);
  solver->interrupt();
  EXPECT_EQ(solver->check(), Answer::kUnknown);
  EXPECT_EQ(solver->check(), Answer::kSat);
}

// x := 0; while (x < limit) x := x + step; assert x == 10, knowing `axiom`.
struct Counting {
  std::int64_t limit = 10;
  std::int64_t step = 1;
  bool has_candidate = true;
  bool has_axiom = true;
};

sequential::Verification verify(const Counting& it, cache::Store* store) {
  Pool pool;
  sequential::Program program;
  const Term x = pool.constant("x", pool.integer());
  const Term limit = pool.constant("limit", pool.integer());
  program.variables = {x};
  if (it.has_axiom) program.axioms = {pool.eq(limit, pool.number(it.limit))};
  program.blocks.resize(4);
  using sequential::Command;
  program.blocks[0].commands = {{Command::Kind::kAssign, x, pool.number(0), -1, -1}};
  program.blocks[0].successors = {1};
  program.blocks[1].is_loop_head = true;
  program.blocks[1].successors = {2, 3};
  if (it.has_candidate) program.blocks[1].invariants = {{pool.le(x, limit), -1, -1, nullptr, {}}};
  program.blocks[2].commands = {{Command::Kind::kAssume, nullptr, pool.lt(x, limit), -1, -1},
                                {Command::Kind::kAssign, x, pool.add(x, pool.number(it.step)), -1, -1}};
  program.blocks[2].successors = {1};
  program.blocks[3].commands = {{Command::Kind::kAssume, nullptr, pool.le(limit, x), -1, -1},
                                {Command::Kind::kAssert, nullptr, pool.eq(x, pool.number(10)), 0, -1}};
  program.obligations = 1;
  program.shown.resize(1);
  sequential::Settings settings;
  settings.solver.proofs = store;
  return sequential::verify(pool, program, settings);
}

TEST_F(Remembering, AProgramIsProvedOnceAndEachVariantForItself) {
  using Status = sequential::Outcome::Status;
  for (const bool again : {false, true}) {
    cache::Store store(file(), "me");
    const sequential::Verification good = verify({}, &store);
    EXPECT_EQ(good.obligations[0].status, Status::kProved);
    EXPECT_EQ(good.remembered, again ? 1 : 0);
    EXPECT_EQ(good.checks == 0, again);
    EXPECT_THAT(good.kept[1], testing::ElementsAre(0));
    EXPECT_EQ(verify({9, 1, true, true}, &store).obligations[0].status, Status::kFailed);
    EXPECT_EQ(verify({10, 3, true, true}, &store).obligations[0].status, Status::kFailed);
    EXPECT_EQ(verify({10, 1, false, true}, &store).obligations[0].status, Status::kFailed);
    EXPECT_EQ(verify({10, 1, true, false}, &store).obligations[0].status, Status::kFailed);
  }
  cache::Store other(file(), "another");
  EXPECT_EQ(verify({}, &other).remembered, 0);
}

check::CheckResult answer() {
  check::CheckResult out;
  out.verdict = engine::Verdict::kViolated;
  out.engine = "explore";
  out.assumptions = {"one", "two"};
  out.statistics = {{"states", 7}, {"obligations", 3}};
  engine::PropertyResult it;
  it.property = {"assertion@a:1:2", diag::Kind::kAssertion, {0, 3, 5}, "x", 1, 2};
  it.verdict = engine::Verdict::kViolated;
  it.location = {0, 3, 9};
  it.related = {{{0, 1, 2}, "see there"}};
  it.trace.threads = {"main"};
  it.trace.steps = {{"main", {0, 3, 5}, "x = 1;", {{"x", "1"}}, "note"}};
  it.trace.ending = {{"main", "text", "detail", {0, 1, 1}}};
  it.time_ms = 5;
  out.results = {it};
  return out;
}

TEST(RememberedAnswer, ComesBackAsItWas) {
  const check::CheckResult before = answer();
  const auto after = check::from_bytes(check::to_bytes(before));
  ASSERT_TRUE(after);
  EXPECT_EQ(after->verdict, before.verdict);
  EXPECT_EQ(after->assumptions, before.assumptions);
  EXPECT_EQ(after->statistics.at("states"), 7);
  EXPECT_EQ(after->statistics.at("obligations_remembered"), 3);
  EXPECT_TRUE(after->is_remembered);
  ASSERT_EQ(after->results.size(), 1U);
  EXPECT_EQ(after->results[0].property.id, "assertion@a:1:2");
  EXPECT_EQ(after->results[0].location, before.results[0].location);
  EXPECT_EQ(after->results[0].trace.steps[0].changes, before.results[0].trace.steps[0].changes);
  EXPECT_EQ(after->results[0].trace.ending[0].detail, "detail");
  EXPECT_EQ(after->results[0].time_ms, 0);
}

TEST(RememberedAnswer, OtherBytesAreNoAnswer) {
  const std::string bytes = check::to_bytes(answer());
  for (std::size_t size = 0; size < bytes.size(); ++size) EXPECT_FALSE(check::from_bytes(bytes.substr(0, size)));
  EXPECT_FALSE(check::from_bytes(bytes + "x"));
}

TEST(RememberedAnswer, OnlyWhatIsFinalMayBeKept) {
  EXPECT_TRUE(check::may_be_kept(answer()));
  for (const engine::Verdict verdict : {engine::Verdict::kUnknown, engine::Verdict::kUnproved}) {
    check::CheckResult open = answer();
    open.results[0].verdict = verdict;
    EXPECT_FALSE(check::may_be_kept(open));
  }
  check::CheckResult interrupted = answer();
  interrupted.interrupted = true;
  EXPECT_FALSE(check::may_be_kept(interrupted));
  check::CheckResult broken = answer();
  broken.internal_error = true;
  EXPECT_FALSE(check::may_be_kept(broken));
  check::CheckResult nothing = answer();
  nothing.results.clear();
  EXPECT_FALSE(check::may_be_kept(nothing));
}

}  // namespace
}  // namespace concord
