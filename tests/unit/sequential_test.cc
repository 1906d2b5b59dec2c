// Sequential programs: what is proved, what fails with which values, how long the formulas get.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

#include "sequential/passive.h"
#include "sequential/verify.h"
#include "sequential/windows.h"

namespace concord::sequential {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

class SequentialTest : public testing::Test {
 protected:
  SequentialTest() { program_.blocks.emplace_back(); }

  int block() {
    program_.blocks.emplace_back();
    return static_cast<int>(program_.blocks.size()) - 1;
  }
  Term variable(const char* name) {
    program_.variables.push_back(pool_.constant(name, pool_.integer()));
    return program_.variables.back();
  }
  void add(int at, Command command) { program_.blocks[static_cast<std::size_t>(at)].commands.push_back(command); }
  void go(int from, int to) { program_.blocks[static_cast<std::size_t>(from)].successors.push_back(to); }
  void assign(int at, Term target, Term value) { add(at, {Command::Kind::kAssign, target, value, -1, -1}); }
  void assume(int at, Term formula, int premise = -1) {
    add(at, {Command::Kind::kAssume, nullptr, formula, premise, -1});
  }
  int obligation(std::vector<Term> shown = {}) {
    program_.shown.push_back(std::move(shown));
    return program_.obligations++;
  }
  int claim(int at, Term formula, std::vector<Term> shown = {}) {
    const int tag = obligation(std::move(shown));
    add(at, {Command::Kind::kAssert, nullptr, formula, tag, -1});
    return tag;
  }
  Verification run(int probes = 0) {
    Settings settings;
    settings.probes = probes;
    Verification out = verify(pool_, program_, settings);
    // In windows the answers are the same.
    Program pieces = program_;
    for (Block& it : pieces.blocks) it.is_landmark = it.is_loop_head;
    settings.most_at_once = 0;
    const Verification again = verify(pool_, pieces, settings);
    for (int tag = 0; tag < program_.obligations; ++tag) EXPECT_EQ(status(again, tag), status(out, tag)) << tag;
    EXPECT_EQ(again.unreachable, out.unreachable);
    return out;
  }
  Outcome::Status status(const Verification& result, int tag) const {
    return result.obligations[static_cast<std::size_t>(tag)].status;
  }
  Term number(int value) { return pool_.number(value); }

  formula::Pool pool_;
  Program program_;
};

TEST_F(SequentialTest, WhatIsAssumedLaterDoesNotHelp) {
  const Term x = variable("x");
  const int early = claim(0, pool_.lt(number(0), x), {x});
  assume(0, pool_.lt(number(5), x));
  const int late = claim(0, pool_.lt(number(3), x));
  const Verification result = run();
  EXPECT_EQ(status(result, early), Outcome::Status::kFailed);
  EXPECT_EQ(status(result, late), Outcome::Status::kProved);
  EXPECT_LE(std::stoi(result.obligations[static_cast<std::size_t>(early)].values.at(0)), 0);
}

TEST_F(SequentialTest, WaysThatMeetKeepTheirValues) {
  const Term x = variable("x");
  const Term y = variable("y");
  const int left = block();
  const int right = block();
  const int after = block();
  go(0, left), go(0, right), go(left, after), go(right, after);
  assign(left, x, number(1)), assign(left, y, number(1));
  assign(right, x, number(2)), assign(right, y, number(2));
  const int equal = claim(after, pool_.eq(x, y));
  const int one = claim(after, pool_.eq(x, number(1)), {x});
  const Verification result = run();
  EXPECT_EQ(status(result, equal), Outcome::Status::kProved);
  EXPECT_EQ(status(result, one), Outcome::Status::kFailed);
  EXPECT_THAT(result.obligations[static_cast<std::size_t>(one)].values, ElementsAre("2"));
}

TEST_F(SequentialTest, CandidatesThatAreNotInvariantGo) {
  const Term x = variable("x");
  const Term y = variable("y");
  assign(0, x, number(0)), assign(0, y, number(0));
  const int head = block();
  const int body = block();
  const int after = block();
  go(0, head), go(head, body), go(head, after), go(body, head);
  program_.blocks[static_cast<std::size_t>(head)].is_loop_head = true;
  program_.blocks[static_cast<std::size_t>(head)].invariants = {
      {pool_.le(number(0), x), -1, -1}, {pool_.eq(x, number(0)), -1, -1}, {pool_.eq(x, y), -1, -1}};
  assign(body, x, pool_.add(x, number(1)));
  assign(body, y, pool_.add(y, number(1)));
  const int equal = claim(after, pool_.eq(x, y));
  const int zero = claim(after, pool_.eq(x, number(0)));
  const Verification result = run();
  EXPECT_THAT(result.kept[static_cast<std::size_t>(head)], ElementsAre(0, 2));
  EXPECT_EQ(status(result, equal), Outcome::Status::kProved);
  EXPECT_EQ(status(result, zero), Outcome::Status::kFailed);
}

// Two loops, one behind the other, and what was known before them; a window begins at each head.
TEST_F(SequentialTest, AClaimMayNeedWhatIsBeforeItsWindow) {
  const Term x = variable("x");
  const Term k = variable("k");
  const Term n = variable("n");
  assume(0, pool_.lt(number(3), k));
  assume(0, pool_.eq(n, pool_.add(k, number(1))));
  assign(0, x, number(0));
  std::vector<int> heads;
  int at = 0;
  for (int loop = 0; loop < 2; ++loop) {
    const int head = block();
    const int body = block();
    const int after = block();
    go(at, head), go(head, body), go(head, after), go(body, head);
    program_.blocks[static_cast<std::size_t>(head)].is_loop_head = true;
    program_.blocks[static_cast<std::size_t>(head)].invariants = {{pool_.le(number(0), x), -1, -1},
                                                                  {pool_.le(x, number(0)), -1, -1}};
    assign(body, x, pool_.add(x, number(1)));
    heads.push_back(head);
    at = after;
  }
  const int before = claim(at, pool_.lt(number(4), n));
  const int counted = claim(at, pool_.le(number(0), x));
  const int wrong = claim(at, pool_.lt(n, x));
  add(at, {Command::Kind::kProbe, nullptr, nullptr, 0, -1});
  assume(at, pool_.lt(k, number(0)));
  add(at, {Command::Kind::kProbe, nullptr, nullptr, 1, -1});
  const Verification result = run(2);
  EXPECT_EQ(status(result, before), Outcome::Status::kProved);
  EXPECT_EQ(status(result, counted), Outcome::Status::kProved);
  EXPECT_EQ(status(result, wrong), Outcome::Status::kFailed);
  for (const int head : heads) EXPECT_THAT(result.kept[static_cast<std::size_t>(head)], ElementsAre(0));
  EXPECT_THAT(result.unreachable, ElementsAre(false, true));
}

TEST_F(SequentialTest, GivenInvariantsAreProvedOnEveryWay) {
  const Term x = variable("x");
  assign(0, x, number(0));
  const int head = block();
  const int body = block();
  go(0, head), go(head, body), go(body, head);
  const int grows = obligation();
  const int stays = obligation();
  program_.premises = 2;
  program_.blocks[static_cast<std::size_t>(head)].is_loop_head = true;
  program_.blocks[static_cast<std::size_t>(head)].invariants = {{pool_.le(number(0), x), grows, 0},
                                                                {pool_.eq(x, number(0)), stays, 1}};
  assign(body, x, pool_.add(x, number(1)));
  const Verification result = run();
  EXPECT_EQ(status(result, grows), Outcome::Status::kProved);
  EXPECT_EQ(status(result, stays), Outcome::Status::kFailed);
}

TEST_F(SequentialTest, AProofNamesItsPremises) {
  const Term x = variable("x");
  program_.premises = 3;
  assume(0, pool_.lt(number(0), x), 0);
  assume(0, pool_.lt(x, number(100)), 1);
  const int used = claim(0, pool_.lt(number(-5), x));
  const int free = claim(0, pool_.eq(x, x));
  Verification result = run();
  doubt(pool_, program_, {}, {true, true, false}, result);
  EXPECT_THAT(result.obligations[static_cast<std::size_t>(used)].premises, ElementsAre(0));
  EXPECT_THAT(result.obligations[static_cast<std::size_t>(free)].premises, IsEmpty());
}

TEST_F(SequentialTest, WithoutTimeAProofMayRestOnAnything) {
  const Term x = variable("x");
  program_.premises = 2;
  assume(0, pool_.lt(number(0), x), 0);
  const int tag = claim(0, pool_.lt(number(-5), x));
  Verification result = run();
  Settings settings;
  settings.should_stop = [] { return true; };
  doubt(pool_, program_, settings, {true, true}, result);
  EXPECT_EQ(status(result, tag), Outcome::Status::kProved);
  EXPECT_THAT(result.obligations[static_cast<std::size_t>(tag)].premises, ElementsAre(0, 1));
}

TEST_F(SequentialTest, WithoutTimeNothingIsKnown) {
  const Term x = variable("x");
  const int tag = claim(0, pool_.eq(x, x));
  Settings settings;
  settings.probes = 1;
  settings.should_stop = [] { return true; };
  const Verification result = verify(pool_, program_, settings);
  EXPECT_EQ(status(result, tag), Outcome::Status::kUnknown);
  EXPECT_FALSE(result.unreachable[0]);
}

// What one branch knows is not known after it, nor in the other one.
TEST_F(SequentialTest, APointIsTakenAsReachedOnlyIfTheRestIsBehindIt) {
  const Term x = variable("x");
  const int left = block();
  const int right = block();
  const int after = block();
  go(0, left), go(0, right), go(left, after), go(right, after);
  assume(left, pool_.lt(number(0), x));
  assume(right, pool_.lt(x, number(0)));
  const int in_left = claim(left, pool_.lt(x, number(0)));
  const int in_right = claim(right, pool_.lt(number(0), x));
  const int at_end = claim(after, pool_.eq(x, number(7)));
  const int known = claim(left, pool_.lt(number(-1), x));
  const Verification result = run();
  EXPECT_EQ(status(result, in_left), Outcome::Status::kFailed);
  EXPECT_EQ(status(result, in_right), Outcome::Status::kFailed);
  EXPECT_EQ(status(result, known), Outcome::Status::kProved);
  EXPECT_EQ(status(result, at_end), Outcome::Status::kProved);  // both went wrong before
}

TEST_F(SequentialTest, AVariableIsNoPremise) {
  std::vector<Term> variables;
  for (int i = 0; i < 10; ++i) variables.push_back(pool_.fresh("premise", pool_.boolean()));
  program_.variables = variables;
  program_.premises = 10;
  assume(0, pool_.lt(variable("x"), number(0)), 9);
  std::vector<int> tags;
  for (Term it : variables) tags.push_back(claim(0, it));
  const Verification result = run();
  for (const int tag : tags) EXPECT_EQ(status(result, tag), Outcome::Status::kFailed);
}

TEST_F(SequentialTest, AContradictionIsSeenByAProbe) {
  const Term x = variable("x");
  add(0, {Command::Kind::kProbe, nullptr, nullptr, 0, -1});
  assume(0, pool_.lt(x, x));
  assume(0, pool_.and_(pool_.lt(x, number(0)), pool_.lt(number(0), x)));
  add(0, {Command::Kind::kProbe, nullptr, nullptr, 1, -1});
  EXPECT_THAT(run(2).unreachable, ElementsAre(false, true));
}

// A chain of n conditionals has 2^n ways; its formulas grow with n.
std::size_t terms_of_chain(int count) {
  formula::Pool pool;
  Program program;
  const Term x = pool.constant("x", pool.integer());
  program.variables = {x};
  program.blocks.resize(static_cast<std::size_t>(3 * count + 1));
  for (int i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(3 * i);
    program.blocks[at].successors = {3 * i + 1, 3 * i + 2};
    for (const int branch : {1, 2}) {
      Block& it = program.blocks[at + static_cast<std::size_t>(branch)];
      it.commands.push_back({Command::Kind::kAssign, x, pool.add(x, pool.number(branch)), -1, -1});
      it.successors = {3 * i + 3};
    }
  }
  program.obligations = 1;
  program.shown.emplace_back();
  program.blocks.back().commands.push_back({Command::Kind::kAssert, nullptr, pool.le(x, pool.number(9)), 0, -1});
  make_passive(pool, program);
  return pool.size();
}

TEST_F(SequentialTest, TheSizeIsLinear) {
  const std::size_t once = terms_of_chain(100);
  const std::size_t twice = terms_of_chain(200);
  EXPECT_LT(twice, 2 * once + 100);
}

// By place among the items.
std::vector<std::size_t> claims_in(const Passive& passive, const std::vector<std::size_t>& items) {
  std::vector<std::size_t> out;
  for (const std::size_t it : items) {
    if (passive.items[it].kind == Item::Kind::kClaim) out.push_back(it);
  }
  return out;
}

// The tags of the claims in each window.
std::vector<std::vector<int>> divided(formula::Pool& pool, const Passive& passive) {
  std::vector<std::vector<int>> out;
  for (const Window& window : windows(pool, passive, claims_in(passive, whole(passive).items))) {
    std::vector<int>& tags = out.emplace_back();
    for (const std::size_t it : claims_in(passive, window.items)) tags.push_back(passive.items[it].claim.tag);
  }
  return out;
}

TEST_F(SequentialTest, ALongProgramIsDividedWhereWaysPart) {
  const Term x = variable("x");
  const int left = block();
  const int right = block();
  const int after = block();
  go(0, left), go(0, right), go(left, after), go(right, after);
  std::map<int, std::vector<int>> tags;  // by block
  for (const int at : {0, left, right, after}) {
    assume(at, pool_.lt(number(-at), x));  // a point of its own
    for (int i = 0; i < 500; ++i) tags[at].push_back(claim(at, pool_.lt(number(i), x)));
  }
  EXPECT_THAT(divided(pool_, make_passive(pool_, program_)),
              UnorderedElementsAre(tags[0], tags[left], tags[right], tags[after]));
}

// The length is such that a search for the place where ways part, anew from each claim, would not end.
TEST_F(SequentialTest, AStraightProgramIsOneWindowHoweverLong) {
  const Term x = variable("x");
  std::vector<int> tags;
  for (int i = 0; i < 20'000; ++i) tags.push_back(claim(0, pool_.lt(number(i), x)));
  EXPECT_THAT(divided(pool_, make_passive(pool_, program_)), ElementsAre(tags));
}

}  // namespace
}  // namespace concord::sequential
