// Laws of terms: equal terms are one, what is simplified keeps its meaning, substitution is simultaneous.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "formula/term.h"

namespace concord::formula {
namespace {

using testing::ElementsAre;

class FormulaTest : public testing::Test {
 protected:
  Pool pool_;
  Term x_ = pool_.constant("x", pool_.integer());
  Term y_ = pool_.constant("y", pool_.integer());
  Term a_ = pool_.constant("a", pool_.boolean());
  Term b_ = pool_.constant("b", pool_.boolean());
};

TEST_F(FormulaTest, EqualTermsAreOne) {
  EXPECT_EQ(pool_.add(x_, y_), pool_.add(x_, y_));
  EXPECT_NE(pool_.add(x_, y_), pool_.add(y_, x_));
  EXPECT_EQ(pool_.eq(x_, y_), pool_.eq(y_, x_));
  EXPECT_NE(pool_.fresh("x", pool_.integer()), pool_.fresh("x", pool_.integer()));
}

TEST_F(FormulaTest, ConnectivesAreSimplified) {
  const Term yes = pool_.truth(true);
  const Term no = pool_.truth(false);
  EXPECT_EQ(pool_.and_(a_, yes), a_);
  EXPECT_EQ(pool_.and_(a_, pool_.not_(a_)), no);
  EXPECT_EQ(pool_.or_(pool_.not_(a_), a_), yes);
  EXPECT_EQ(pool_.or_({}), no);
  EXPECT_EQ(pool_.and_({}), yes);
  EXPECT_EQ(pool_.implies(no, a_), yes);
  EXPECT_EQ(pool_.implies(a_, no), pool_.not_(a_));
  EXPECT_EQ(pool_.not_(pool_.not_(a_)), a_);
  EXPECT_EQ(pool_.ite(a_, x_, x_), x_);
  EXPECT_EQ(pool_.eq(pool_.number(1), pool_.number(2)), no);
  EXPECT_THAT(conjuncts(pool_.and_(pool_.and_(a_, b_), a_)), ElementsAre(a_, b_));
}

TEST_F(FormulaTest, NumbersAreFoldedUnlessTheyDoNotFit) {
  EXPECT_EQ(pool_.add(pool_.number(2), pool_.number(3)), pool_.number(5));
  EXPECT_EQ(pool_.add(pool_.number(INT64_MAX), pool_.number(1))->op, Op::kAdd);
  EXPECT_EQ(pool_.neg(pool_.number(INT64_MIN))->op, Op::kNeg);
  EXPECT_EQ(pool_.mul(pool_.number(INT64_MIN), pool_.number(-1))->op, Op::kMul);
}

TEST_F(FormulaTest, ReadsSeeWrites) {
  const Term m = pool_.constant("m", pool_.array(pool_.integer(), pool_.integer()));
  const Term one = pool_.number(1);
  const Term two = pool_.number(2);
  EXPECT_EQ(pool_.select(pool_.store(m, x_, y_), x_), y_);
  EXPECT_EQ(pool_.select(pool_.store(m, one, y_), two), pool_.select(m, two));
  EXPECT_EQ(pool_.select(pool_.store(m, x_, one), y_)->args[0]->op, Op::kStore);  // x may be y
  EXPECT_EQ(pool_.store(pool_.store(m, x_, one), x_, two), pool_.store(m, x_, two));
  EXPECT_EQ(pool_.select(pool_.const_array(m->sort, one), x_), one);
}

TEST_F(FormulaTest, SubstitutionIsSimultaneous) {
  const Term sum = pool_.sub(x_, y_);
  EXPECT_EQ(pool_.substitute(sum, {{x_, y_}, {y_, x_}}), pool_.sub(y_, x_));
  EXPECT_EQ(pool_.substitute(pool_.eq(x_, y_), {{x_, y_}}), pool_.truth(true));
}

TEST_F(FormulaTest, PatternsThatAreNoneAnyMoreGo) {
  const Term m = pool_.constant("m", pool_.array(pool_.integer(), pool_.integer()));
  const Term k = pool_.bound("k", pool_.integer());
  const Term read = pool_.select(m, k);
  const Term all = pool_.forall({k}, pool_.lt(read, x_), {{read}});
  const Term zeros = pool_.const_array(m->sort, pool_.number(0));
  EXPECT_EQ(pool_.substitute(all, {{x_, y_}})->patterns.size(), 1U);
  const Term mixed = pool_.substitute(all, {{m, pool_.ite(a_, m, zeros)}});
  EXPECT_TRUE(mixed->patterns.empty());
}

TEST_F(FormulaTest, DeepTermsAreSubstitutedWithoutRecursion) {
  Term deep = x_;
  for (int i = 0; i < 200'000; ++i) deep = pool_.add(deep, y_);
  const Term changed = pool_.substitute(deep, {{x_, y_}});
  EXPECT_THAT(constants_of(changed), ElementsAre(y_));
}

}  // namespace
}  // namespace concord::formula
