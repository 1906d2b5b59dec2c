// The solver facade: every solver behind it must behave alike. cvc5 must be installed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
#include <z3++.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>

#include "base/check.h"
#include "formula/term.h"
#include "smt/both_solver.h"
#include "smt/smtlib.h"
#include "smt/solver.h"

namespace concord::smt {
namespace {

using formula::Pool;
using formula::Sort;
using formula::Term;
using std::chrono::milliseconds;
using testing::AnyOf;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsSupersetOf;
using testing::StartsWith;

std::string name_of(Which which) {
  switch (which) {
    case Which::kZ3: return "Z3";
    case Which::kCvc5: return "Cvc5";
    case Which::kBoth: return "Both";
  }
  return "";
}

double seconds_of(const std::function<void()>& action) {
  const auto begin = std::chrono::steady_clock::now();
  action();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

// A folder that is gone after the test.
class Folder {
 public:
  Folder() {
    std::string name = (std::filesystem::temp_directory_path() / "concord-smt-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed");
    path_ = name;
  }
  ~Folder() { std::filesystem::remove_all(path_); }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& it : std::filesystem::directory_iterator(path_)) names.push_back(it.path().filename().string());
    return names;
  }

 private:
  std::filesystem::path path_;
};

std::string contents(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

// What Z3's own reader makes of a script.
Answer ask_z3(const std::filesystem::path& path) {
  z3::context context;
  z3::solver solver(context, z3::solver::simple());
  solver.from_file(path.c_str());
  const z3::check_result result = solver.check();
  return result == z3::sat ? Answer::kSat : result == z3::unsat ? Answer::kUnsat : Answer::kUnknown;
}

std::string ask_cvc5(const std::filesystem::path& path) {
  const auto output = path.string() + ".out";
  const std::string command = "cvc5 --lang=smt2 '" + path.string() + "' >'" + output + "' 2>&1";
  const int status = std::system(command.c_str());
  return contents(output) + (status == 0 ? "" : "failed\n");
}

// With the constants that the tests share.
class Vocabulary {
 protected:
  Term integer(const std::string& name) { return pool_.constant(name, pool_.integer()); }
  Term boolean(const std::string& name) { return pool_.constant(name, pool_.boolean()); }
  Term number(std::int64_t value) { return pool_.number(value); }

  // x³ + y³ = z³ with positive numbers: nobody finds out.
  std::vector<Term> hard() {
    const auto cube = [&](Term it) { return pool_.mul(it, pool_.mul(it, it)); };
    std::vector<Term> parts{pool_.eq(pool_.add(cube(x_), cube(y_)), cube(z_))};
    for (Term it : {x_, y_, z_}) parts.push_back(pool_.lt(number(0), it));
    return parts;
  }

  Term deep_formula(int half_depth) {
    Term formula = a_;
    for (int i = 0; i < half_depth; ++i) {
      const auto atom = [&](int which) { return boolean("p" + std::to_string(which % 10)); };
      formula = pool_.and_(pool_.or_(formula, atom(i + 1)), pool_.not_(atom(i + 6)));
    }
    return formula;
  }

  Pool pool_;
  Term x_ = integer("x");
  Term y_ = integer("y");
  Term z_ = integer("z");
  Term a_ = boolean("a");
  Term b_ = boolean("b");
  Term c_ = boolean("c");
};

class SmtTest : public testing::TestWithParam<Which>, protected Vocabulary {
 protected:
  std::unique_ptr<Solver> solver(milliseconds timeout = milliseconds(20000)) {
    Options options;
    options.which = GetParam();
    options.timeout = timeout;
    return make_solver(options);
  }

  // That the formulas have a model, and that it is one of them all.
  void expect_model(Solver& solver, const std::vector<Term>& formulas) {
    for (Term it : formulas) solver.add(it);
    ASSERT_EQ(solver.check(), Answer::kSat) << solver.reason();
    for (Term it : formulas) EXPECT_TRUE(solver.is_true(it)) << to_string(it);
  }
};

INSTANTIATE_TEST_SUITE_P(Solvers, SmtTest, testing::Values(Which::kZ3, Which::kCvc5, Which::kBoth),
                         [](const auto& instance) { return name_of(instance.param); });

// ------------------------------------------------------------------------------------------------------------------ basics

TEST_P(SmtTest, AnswersAndModels) {
  const auto s = solver();
  EXPECT_EQ(s->check(), Answer::kSat);
  s->add(pool_.eq(x_, number(-3)));
  s->add(pool_.not_(a_));
  s->add(b_);
  ASSERT_EQ(s->check(), Answer::kSat);
  EXPECT_EQ(s->value(x_), "-3");
  EXPECT_EQ(s->value(pool_.mul(x_, x_)), "9");
  EXPECT_EQ(s->value(a_), "false");
  EXPECT_TRUE(s->is_true(b_));
  EXPECT_TRUE(s->is_true(pool_.truth(true)));
  s->add(pool_.lt(number(0), x_));
  EXPECT_EQ(s->check(), Answer::kUnsat);
}

TEST_P(SmtTest, NumbersOf64Bits) {
  const auto s = solver();
  s->add(pool_.eq(x_, number(INT64_MIN)));
  s->add(pool_.eq(y_, number(INT64_MAX)));
  s->add(pool_.eq(z_, pool_.sub(pool_.sub(x_, y_), number(1))));  // no wrapping around
  ASSERT_EQ(s->check(), Answer::kSat);
  EXPECT_EQ(s->value(x_), "-9223372036854775808");
  EXPECT_EQ(s->value(z_), "-18446744073709551616");
}

TEST_P(SmtTest, DivisionHasRemaindersThatAreNotNegative) {
  const auto s = solver();
  s->add(pool_.eq(x_, number(-7)));
  s->add(pool_.eq(y_, number(-2)));
  ASSERT_EQ(s->check(), Answer::kSat);
  EXPECT_EQ(s->value(pool_.div(x_, y_)), "4");
  EXPECT_EQ(s->value(pool_.mod(x_, y_)), "1");
  EXPECT_EQ(s->value(pool_.div(x_, number(2))), "-4");
}

TEST_P(SmtTest, ValuesOfWhatTheSolverHasNotSeen) {
  const auto s = solver();
  s->add(pool_.eq(x_, number(1)));
  ASSERT_EQ(s->check(), Answer::kSat);
  const Term new_one = integer("new");
  const Term twice = pool_.mul(pool_.add(new_one, x_), pool_.add(new_one, x_));
  const std::int64_t value = std::stoll(s->value(new_one));
  EXPECT_EQ(s->value(twice), std::to_string((value + 1) * (value + 1)));
  EXPECT_EQ(s->value(pool_.add(x_, number(1))), "2");
}

TEST_P(SmtTest, PushAndPop) {
  const auto s = solver();
  s->add(pool_.lt(number(0), x_));
  s->push();
  const Term inner = integer("inner");  // first seen on a level that goes away
  s->add(pool_.lt(pool_.add(x_, inner), number(0)));
  s->add(pool_.eq(inner, number(0)));
  EXPECT_EQ(s->check(), Answer::kUnsat);
  s->push();
  s->pop();
  EXPECT_EQ(s->check(), Answer::kUnsat);
  s->pop();
  EXPECT_EQ(s->check(), Answer::kSat);
  s->add(pool_.lt(pool_.add(x_, inner), number(0)));
  ASSERT_EQ(s->check(), Answer::kSat);
  EXPECT_EQ(s->value(inner)[0], '-');
  EXPECT_THROW(s->pop(), base::InternalError);
}

TEST_P(SmtTest, Cores) {
  const auto s = solver();
  s->add(pool_.implies(a_, pool_.lt(x_, number(0))));
  s->add(pool_.implies(b_, pool_.lt(number(0), x_)));
  s->add(pool_.implies(c_, pool_.lt(number(0), y_)));
  EXPECT_EQ(s->check({a_, c_}), Answer::kSat);
  EXPECT_EQ(s->check({c_, a_, b_}), Answer::kUnsat);
  EXPECT_THAT(s->core(), IsSupersetOf({a_, b_}));
  EXPECT_EQ(s->check(s->core()), Answer::kUnsat);
  EXPECT_EQ(s->check({b_, pool_.not_(a_), c_}), Answer::kSat);  // assumptions hold for one check only
  EXPECT_EQ(s->check(), Answer::kSat);

  s->add(pool_.or_(pool_.not_(a_), b_));
  s->add(pool_.or_(a_, b_));
  EXPECT_EQ(s->check({c_, pool_.not_(b_)}), Answer::kUnsat);
  EXPECT_THAT(s->core(), Contains(pool_.not_(b_)));
  EXPECT_EQ(s->check({pool_.truth(true), pool_.truth(false)}), Answer::kUnsat);
  EXPECT_THAT(s->core(), Contains(pool_.truth(false)));

  s->add(pool_.truth(false));
  EXPECT_EQ(s->check({a_}), Answer::kUnsat);
  EXPECT_THAT(s->core(), ElementsAre());
  EXPECT_THROW(s->check({pool_.and_(a_, b_)}), base::InternalError);
}

// ------------------------------------------------------------------------------------------------------------------- sorts

TEST_P(SmtTest, Arrays) {
  const auto s = solver();
  const Sort sort = pool_.array(pool_.integer(), pool_.integer());
  const Term m = pool_.constant("m", sort);
  expect_model(*s, {pool_.eq(m, pool_.store(pool_.const_array(sort, number(7)), x_, number(8))),
                    pool_.eq(pool_.select(m, y_), number(7)), pool_.lt(y_, x_)});
  EXPECT_EQ(s->value(pool_.select(m, x_)), "8");
  s->add(pool_.eq(pool_.select(m, pool_.add(x_, number(1))), number(9)));
  EXPECT_EQ(s->check(), Answer::kUnsat);
}

TEST_P(SmtTest, ArraysOfArraysOfEnumerations) {
  const auto s = solver();
  const Sort color = pool_.enumeration("Color", {"red", "green"});
  const Sort row = pool_.array(pool_.boolean(), color);
  const Term grid = pool_.constant("grid", pool_.array(color, row));
  const Term cell = pool_.select(pool_.select(grid, pool_.enum_const(color, 1)), a_);
  expect_model(*s, {pool_.eq(cell, pool_.enum_const(color, 1)), a_});
}

TEST_P(SmtTest, ArraysWithTheSameElementsAreEqual) {
  const auto s = solver();
  const Sort row = pool_.array(pool_.integer(), pool_.integer());
  const Term a = pool_.constant("some array", row);
  const Term i = pool_.constant("i", pool_.integer());
  const Term j = pool_.constant("j", pool_.integer());
  const Term one = pool_.store(pool_.store(a, i, pool_.number(1)), j, pool_.number(2));
  const Term other = pool_.store(pool_.store(a, j, pool_.number(2)), i, pool_.number(1));
  s->add(pool_.ne(one, other));
  EXPECT_EQ(s->check(), Answer::kSat);  // i is j
  s->push();
  s->add(pool_.ne(i, j));
  EXPECT_EQ(s->check(), Answer::kUnsat);
  s->pop();
  const Sort grid = pool_.array(pool_.integer(), row);
  const Term rows = pool_.constant("rows", grid);
  s->add(pool_.ne(i, j));
  s->push();
  s->add(pool_.not_(pool_.implies(a_, pool_.eq(pool_.store(rows, i, one), pool_.store(rows, i, other)))));
  EXPECT_EQ(s->check(), Answer::kUnsat);
}

TEST_P(SmtTest, ArraysOfOneElementEverywhere) {
  const auto s = solver();
  const Sort thing = pool_.uninterpreted("Thing");
  const Term none = pool_.constant("none", thing);
  const Term x = pool_.constant("x", pool_.array(pool_.integer(), thing));
  for (int round = 0; round < 2; ++round) {
    s->push();
    s->add(pool_.eq(x, pool_.const_array(x->sort, none)));
    s->add(pool_.ne(pool_.select(x, pool_.number(round)), none));
    EXPECT_EQ(s->check(), Answer::kUnsat);
    s->pop();
  }
  s->add(pool_.ne(pool_.select(x, pool_.number(3)), none));
  EXPECT_EQ(s->check(), Answer::kSat);
}

// That it is contradictory takes extensionality where no equation says so: Z3 may miss that, but must not claim a model.
TEST_P(SmtTest, ArgumentsThatAreArrays) {
  const auto s = solver();
  const Sort set = pool_.array(pool_.integer(), pool_.boolean());
  const Term a = pool_.constant("some set", set);
  const Term again = pool_.store(a, pool_.number(3), pool_.select(a, pool_.number(3)));
  const auto size = [&](Term it) { return pool_.apply("size of", {it}, pool_.integer()); };
  s->push();
  s->add(pool_.ne(size(a), size(again)));
  EXPECT_NE(s->check(), Answer::kSat);
  s->pop();
  s->add(pool_.eq(size(a), pool_.number(3)));
  const Answer answer = s->check();
  EXPECT_TRUE(answer == Answer::kSat || (answer == Answer::kUnknown && s->has_candidate()));
  EXPECT_EQ(s->value(size(a)), "3");
}

TEST_P(SmtTest, EnumerationsHaveTheirConstantsOnly) {
  const auto s = solver();
  const Sort color = pool_.enumeration("Color", {"red", "green blue", "select"});
  const Sort other = pool_.enumeration("Other", {"red"});
  const Term k = pool_.constant("k", color);
  const Term one = pool_.constant("one", other);
  s->add(pool_.ne(k, pool_.enum_const(color, 0)));
  s->add(pool_.ne(k, pool_.enum_const(color, 2)));
  ASSERT_EQ(s->check(), Answer::kSat);
  EXPECT_EQ(s->value(k), "green blue");
  EXPECT_EQ(s->value(pool_.enum_const(color, 2)), "select");
  EXPECT_EQ(s->value(one), "red");
  s->add(pool_.ne(k, pool_.enum_const(color, 1)));
  EXPECT_EQ(s->check(), Answer::kUnsat);
}

TEST_P(SmtTest, ElementsHaveNames) {
  const auto s = solver();
  const Sort node = pool_.uninterpreted("Node");
  const Term n = pool_.constant("n", node);
  const Term next = pool_.apply("next", {n}, node);
  const Term same = pool_.constant("same", node);
  expect_model(*s,
               {pool_.ne(n, next), pool_.eq(same, next), pool_.lt(pool_.apply("next", {n, x_}, pool_.integer()), x_)});
  EXPECT_NE(s->value(n), s->value(next));
  EXPECT_EQ(s->value(same), s->value(next));
  EXPECT_THAT(s->value(n), Not(HasSubstr(" ")));
}

TEST_P(SmtTest, NamesThatMeanSomethingElse) {
  const auto s = solver();
  const std::vector<std::string> names{"select", "let",    "true",    "and", "a b", "5",   "x|y", "x\\y",
                                       "x_y",    "",       "!",       "é",   "pi",  "sep", "is",  "check-sat",
                                       "@x",     ".x",     "bvadd",   "t12", "x!1", "x!",  "Int", "a\nb",
                                       "nil",    "insert", "str.len", "_",   "=>",  "-1"};
  std::vector<Term> formulas;
  std::int64_t i = 0;
  for (const std::string& name : names) {
    ++i;
    formulas.push_back(pool_.eq(integer(name), number(i)));
    formulas.push_back(pool_.eq(boolean(name), pool_.truth(i % 2 == 0)));
    formulas.push_back(pool_.eq(pool_.apply(name, {integer(name)}, pool_.integer()), number(-i)));
  }
  const Term list = pool_.constant("x", pool_.uninterpreted("List"));
  formulas.push_back(pool_.ne(list, pool_.constant("y", pool_.uninterpreted("List"))));
  formulas.push_back(
      pool_.ne(pool_.constant("u", pool_.uninterpreted("Bool")), pool_.constant("v", pool_.uninterpreted("Bool"))));
  formulas.push_back(
      pool_.ne(pool_.constant("u", pool_.uninterpreted("a b")), pool_.constant("v", pool_.uninterpreted("a b"))));
  expect_model(*s, formulas);
  EXPECT_EQ(s->value(integer("x|y")), "7");
}

// ------------------------------------------------------------------------------------------------------------- quantifiers

TEST_P(SmtTest, QuantifiersWithPatterns) {
  const auto s = solver();
  const Sort sort = pool_.array(pool_.integer(), pool_.integer());
  const Term m = pool_.constant("m", sort);
  const Term i = pool_.bound("i", pool_.integer());
  const Term j = pool_.bound("j", pool_.integer());
  const auto f = [&](Term of) { return pool_.apply("f", {of}, pool_.integer()); };
  s->add(pool_.forall({i}, pool_.lt(pool_.select(m, i), f(i)), {{pool_.select(m, i)}, {f(i)}}));
  s->add(pool_.forall({i, j}, pool_.implies(pool_.le(i, j), pool_.le(f(i), f(j))), {{f(i), f(j)}}));
  s->push();
  s->add(pool_.le(x_, y_));
  s->add(pool_.lt(f(y_), pool_.select(m, x_)));
  EXPECT_EQ(s->check(), Answer::kUnsat) << s->reason();
  s->pop();
}

// A constant that is called like the variable.
TEST_P(SmtTest, NothingIsCaptured) {
  const auto s = solver();
  const Term i = pool_.bound("i", pool_.integer());
  const Term twin = integer(i->name);
  s->add(pool_.forall({i}, pool_.or_(pool_.le(twin, i), pool_.lt(i, twin))));
  s->add(pool_.not_(pool_.exists({i}, pool_.lt(i, twin))));
  EXPECT_NE(s->check(), Answer::kSat);  // there is nothing to instantiate with: unknown will do
}

// Shared parts inside quantifiers, below other quantifiers, and outside of them.
TEST_P(SmtTest, SharedPartsInsideQuantifiers) {
  const auto s = solver();
  const Term i = pool_.bound("i", pool_.integer());
  const Term j = pool_.bound("j", pool_.integer());
  const auto f = [&](Term of) { return pool_.apply("f", {of}, pool_.integer()); };
  const Term ground = pool_.mul(pool_.add(x_, y_), pool_.add(x_, y_));
  const Term outer = pool_.add(f(i), ground);
  const Term inner = pool_.sub(f(j), pool_.add(outer, outer));
  const Term body = pool_.exists({j}, pool_.and_(pool_.eq(inner, ground), pool_.le(pool_.neg(inner), outer)));
  s->add(pool_.forall({i}, pool_.implies(pool_.le(number(0), outer), body), {{f(i)}}));
  s->add(pool_.forall({i}, pool_.lt(f(i), ground), {{f(i)}}));
  s->add(pool_.eq(f(number(0)), number(5)));
  EXPECT_EQ(s->check(), Answer::kUnsat) << s->reason();
}

TEST(Z3Test, RefusedFormulasAreNoAnswer) {
  Pool pool;
  const auto s = make_solver({});
  const Term i = pool.bound("i", pool.integer());
  const Term j = pool.bound("j", pool.integer());
  s->push();
  s->add(pool.forall({i, j}, pool.lt(i, j), {{pool.apply("f", {i}, pool.integer())}}));
  EXPECT_EQ(s->check(), Answer::kUnknown);
  EXPECT_THAT(s->reason(), StartsWith("Z3: "));
  s->pop();
  EXPECT_EQ(s->check(), Answer::kSat);
}

// ------------------------------------------------------------------------------------------------------------------ limits

TEST_P(SmtTest, TimeLimit) {
  const auto s = solver(milliseconds(300));
  s->push();
  for (Term it : hard()) s->add(it);
  const double elapsed = seconds_of([&] { EXPECT_EQ(s->check(), Answer::kUnknown); });
  EXPECT_EQ(s->reason(), "time limit of 0.3 s");
  EXPECT_LT(elapsed, 1.3);
  s->set_timeout(milliseconds(2000));
  s->pop();
  s->add(pool_.lt(x_, y_));
  EXPECT_EQ(s->check(), Answer::kSat) << s->reason();
}

TEST_P(SmtTest, InterruptEndsARunningCheck) {
  const auto s = solver(milliseconds(0));
  for (int round = 0; round < 3; ++round) {
    s->push();
    for (Term it : hard()) s->add(it);
    std::chrono::steady_clock::time_point begin;
    {
      const std::jthread other([&] {
        std::this_thread::sleep_for(milliseconds(100 * round));
        begin = std::chrono::steady_clock::now();
        s->interrupt();
      });
      EXPECT_EQ(s->check(), Answer::kUnknown);
    }
    EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(1));
    EXPECT_EQ(s->reason(), "interrupted");
    s->pop();
    s->push();
    s->add(pool_.eq(x_, number(round)));
    EXPECT_EQ(s->check(), Answer::kSat) << s->reason();
    EXPECT_EQ(s->value(x_), std::to_string(round));
    s->pop();
  }
}

TEST_P(SmtTest, InterruptBeforeACheckEndsThatOneOnly) {
  const auto s = solver();
  s->interrupt();
  s->interrupt();
  EXPECT_EQ(s->check(), Answer::kUnknown);
  EXPECT_EQ(s->reason(), "interrupted");
  EXPECT_EQ(s->check(), Answer::kSat);
  EXPECT_THROW(SCOPED_TRACE((s->interrupt(), s->check(), s->value(x_))), base::InternalError);
}

TEST_P(SmtTest, DeepTerms) {
  const auto s = solver();
  Term sum = x_;
  for (int i = 0; i < 50'000; ++i) sum = pool_.neg(pool_.add(sum, number(1)));
  s->push();
  s->add(pool_.eq(sum, number(7)));
  ASSERT_EQ(s->check(), Answer::kSat) << s->reason();
  EXPECT_EQ(s->value(x_), "7");
}

// Solvers recurse where one does not expect it.
TEST_P(SmtTest, DeepFormulasOnAShallowStack) {
  const std::function<void()> body = [&] {
    const auto s = solver();
    s->add(deep_formula(8'000));
    s->push();
    s->add(boolean("q"));
    EXPECT_EQ(s->check(), Answer::kSat) << s->reason();
  };
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 1U << 20U);
  pthread_t thread{};
  const auto run = [](void* argument) -> void* {
    (*static_cast<const std::function<void()>*>(argument))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, run, const_cast<std::function<void()>*>(&body)), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

// Z3 must not be confused by it afterwards.
TEST_P(SmtTest, InterruptWhileAFormulaIsPrepared) {
  const auto s = solver();
  s->push();
  s->add(deep_formula(18'000));
  {
    const std::jthread other([&] {
      std::this_thread::sleep_for(milliseconds(300));
      s->interrupt();
    });
    EXPECT_EQ(s->check(), Answer::kUnknown);
  }
  EXPECT_EQ(s->reason(), "interrupted");
  s->push();
  s->pop();
  s->pop();
  s->push();
  EXPECT_EQ(s->check({a_}), Answer::kSat) << s->reason();
}

// A tree of 2^200 leaves.
TEST_P(SmtTest, SharedTerms) {
  const auto s = solver();
  Term sum = x_;
  for (int i = 0; i < 200; ++i) sum = pool_.sub(pool_.add(sum, sum), sum);
  s->add(pool_.eq(pool_.ite(a_, sum, pool_.neg(sum)), number(7)));
  s->add(pool_.not_(a_));
  ASSERT_EQ(s->check(), Answer::kSat) << s->reason();
  EXPECT_EQ(s->value(x_), "-7");
  EXPECT_EQ(s->value(sum), "-7");
}

// ------------------------------------------------------------------------------------------------------------------- dumps

TEST_P(SmtTest, DumpsAreCompleteScripts) {
  const Folder folder;
  Options options;
  options.which = GetParam();
  options.dump_folder = (folder.path() / "new").string();
  options.name = "get/put";
  const auto s = make_solver(options);
  const Sort color = pool_.enumeration("Color", {"red", "green"});
  const Sort node = pool_.uninterpreted("Node");
  const Sort map = pool_.array(node, color);
  const Term m = pool_.constant("the map", map);
  const Term n = pool_.bound("n", node);
  s->add(pool_.forall({n}, pool_.eq(pool_.select(m, n), pool_.enum_const(color, 0)), {{pool_.select(m, n)}}));
  s->push();
  const Term key = pool_.apply("pick", {x_, x_}, node);
  s->add(pool_.ne(pool_.store(m, key, pool_.enum_const(color, 1)), pool_.const_array(map, pool_.enum_const(color, 1))));
  s->add(pool_.implies(a_, pool_.eq(pool_.select(m, key), pool_.enum_const(color, 1))));
  s->add(pool_.implies(a_, pool_.ne(key, pool_.constant("other", node))));
  EXPECT_EQ(s->check({a_, pool_.not_(b_)}), Answer::kUnsat) << s->reason();
  s->pop();
  s->add(pool_.eq(x_, number(-1)));
  s->check({b_});

  const auto first = folder.path() / "new" / "get_put-0001.smt2";
  EXPECT_THAT(contents(first), HasSubstr("\n(check-sat)\n; unsat after 0."));
  EXPECT_EQ(ask_z3(first), Answer::kUnsat);
  EXPECT_EQ(ask_cvc5(first), "unsat\n");
  const auto second = folder.path() / "new" / "get_put-0002.smt2";
  EXPECT_THAT(contents(second), AnyOf(HasSubstr("\n; sat after"), HasSubstr("incomplete")));
  EXPECT_EQ(ask_z3(second), Answer::kSat);
  EXPECT_THAT(ask_cvc5(second), AnyOf("sat\n", "unknown\n"));
}

TEST(SmtLibTest, Text) {
  Pool pool;
  const Term x = pool.constant("x", pool.integer());
  const Term i = pool.bound("i", pool.integer());
  const Term f = pool.apply("f", {i, x}, pool.integer());
  const Term twice = pool.mul(pool.add(f, x), pool.add(f, x));
  const Term ground = pool.sub(x, pool.number(-5));
  const Term formula = pool.forall({i}, pool.le(pool.mul(ground, ground), twice), {{f}});
  const std::string sum = "t" + std::to_string(pool.add(f, x)->id);
  const std::string difference = "t" + std::to_string(ground->id);
  EXPECT_EQ(script({formula}, {pool.constant("a b", pool.boolean())}),
            "(set-logic ALL)\n"
            "(declare-fun x! () Int)\n"
            "(declare-fun f! (Int Int) Int)\n"
            "(declare-fun |a b!| () Bool)\n"
            "(assert (let ((" +
                difference + " (- x! (- 5)))) (forall ((i!0 Int)) (! (let ((" + sum + " (+ (f! i!0 x!) x!))) (<= (* " +
                difference + " " + difference + ") (* " + sum + " " + sum +
                "))) :pattern ((f! i!0 x!))))))\n"
                "; assumptions\n"
                "(assert |a b!|)\n"
                "(check-sat)\n");
}

// Every assertion repeats the history so far: the text must not.
TEST(SmtLibTest, DefinitionsServeLaterAssertions) {
  Pool pool;
  const Sort sort = pool.array(pool.integer(), pool.integer());
  Term heap = pool.constant("heap", sort);
  SmtLib smtlib(Sharing::kDefine);
  std::size_t size = 0;
  for (int i = 0; i < 1000; ++i) {
    heap = pool.store(heap, pool.constant("k" + std::to_string(i), pool.integer()), pool.number(i));
    const Term formula = pool.lt(pool.select(heap, pool.constant("x", pool.integer())), pool.number(i));
    size += smtlib.declare(formula).size() + smtlib.add(formula).size();
  }
  EXPECT_LT(size, 300'000U);
}

// -------------------------------------------------------------------------------------------------------- two in agreement

class FixedSolver : public Solver {
 public:
  FixedSolver(Answer answer, milliseconds delay) : answer_(answer), delay_(delay) {}
  void push() override {}
  void pop() override {}
  void add(Term) override {}
  Answer check(const std::vector<Term>&) override {
    for (const auto end = std::chrono::steady_clock::now() + delay_; std::chrono::steady_clock::now() < end;) {
      std::this_thread::sleep_for(milliseconds(1));
      if (interrupted_.exchange(false)) return Answer::kUnknown;
    }
    return answer_;
  }
  const std::vector<Term>& core() const override { return core_; }
  const std::string& reason() const override { return reason_; }
  std::string value(Term) override { return "fixed"; }
  void set_timeout(milliseconds) override {}
  void set_steps(unsigned) override {}
  void interrupt() override { interrupted_ = true; }

 private:
  Answer answer_;
  milliseconds delay_;
  std::atomic<bool> interrupted_ = false;
  std::vector<Term> core_;
  std::string reason_ = "interrupted";
};

class BothTest : public testing::Test, protected Vocabulary {
 protected:
  static std::unique_ptr<Solver> both(Answer answer, milliseconds delay = milliseconds(0),
                                      const Options& options = {}) {
    return make_both({"Z3", make_solver({})}, {"fixed", std::make_unique<FixedSolver>(answer, delay)}, options);
  }
};

TEST_F(BothTest, AContradictionIsSavedAndThrown) {
  const Folder folder;
  Options options;
  options.dump_folder = folder.path().string();
  const auto s = both(Answer::kUnsat, milliseconds(300), options);
  s->add(pool_.lt(x_, y_));
  std::string message;
  try {
    s->check({a_});
  } catch (const base::InternalError& e) { message = e.what(); }
  const std::string claim = "Z3 says sat, fixed says unsat";
  ASSERT_THAT(message, StartsWith(claim + ": see " + folder.path().string() + "/"));
  ASSERT_EQ(folder.files().size(), 1U);
  const auto file = folder.path() / folder.files()[0];
  EXPECT_THAT(message, HasSubstr(file.string()));
  EXPECT_THAT(contents(file), StartsWith("; " + claim + "\n(set-logic ALL)\n"));
  EXPECT_EQ(ask_z3(file), Answer::kSat);
}

TEST_F(BothTest, UnknownContradictsNobody) {
  const auto s = both(Answer::kUnknown);
  s->add(pool_.eq(x_, number(3)));
  ASSERT_EQ(s->check(), Answer::kSat);
  EXPECT_EQ(s->value(x_), "3");
}

TEST_F(BothTest, TheOtherIsGivenSomeTimeToContradict) {
  const auto s = both(Answer::kUnsat, milliseconds(600'000));
  const double elapsed = seconds_of([&] { EXPECT_EQ(s->check(), Answer::kSat); });
  EXPECT_GE(elapsed, 1.0);
  EXPECT_LT(elapsed, 2.0);
}

TEST_F(BothTest, OneMayKnowWhatTheOtherDoesNot) {
  Options options;
  options.timeout = milliseconds(300);
  const auto s = make_both({"Z3", make_solver(options)},
                           {"fixed", std::make_unique<FixedSolver>(Answer::kSat, milliseconds(0))}, options);
  for (Term it : hard()) s->add(it);
  EXPECT_EQ(s->check(), Answer::kSat);
  EXPECT_EQ(s->value(x_), "fixed");
}

// Both solvers, and our two translations, on small random formulas; models are checked by the solver that has them.
TEST_F(BothTest, AgreeOnRandomFormulas) {
  std::mt19937 random(1);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const Sort node = pool_.uninterpreted("Node");
  const Sort color = pool_.enumeration("Color", {"red", "green", "blue"});
  const Sort map = pool_.array(node, pool_.integer());
  Options options;
  options.which = Which::kBoth;
  options.timeout = milliseconds(500);
  const auto s = make_solver(options);
  int sat = 0;
  int unsat = 0;
  for (int round = 0; round < 150; ++round) {
    std::vector<Term> ints{x_, y_, number(0), number(-1), number(3)};
    std::vector<Term> bools{a_, b_};
    std::vector<Term> nodes{pool_.constant("m", node), pool_.constant("n", node)};
    std::vector<Term> colors{pool_.constant("c", color), pool_.enum_const(color, 0), pool_.enum_const(color, 1)};
    std::vector<Term> maps{pool_.constant("h", map), pool_.const_array(map, number(1))};
    const auto any = [&](const std::vector<Term>& from) { return from[below(from.size())]; };
    for (int i = 0; i < 60; ++i) {
      switch (below(16)) {
        case 0: ints.push_back(pool_.add(any(ints), any(ints))); break;
        case 1: ints.push_back(pool_.sub(any(ints), any(ints))); break;
        case 2: ints.push_back(pool_.neg(any(ints))); break;
        case 3: ints.push_back(pool_.div(any(ints), number(2 - static_cast<int>(below(2)) * 5))); break;
        case 4: ints.push_back(pool_.mod(any(ints), number(3))); break;
        case 5: ints.push_back(pool_.ite(any(bools), any(ints), any(ints))); break;
        case 6: ints.push_back(pool_.select(any(maps), any(nodes))); break;
        case 7: maps.push_back(pool_.store(any(maps), any(nodes), any(ints))); break;
        case 8: nodes.push_back(pool_.apply("f", {any(nodes), any(colors)}, node)); break;
        case 9: colors.push_back(pool_.apply("g", {any(ints)}, color)); break;
        case 10: bools.push_back(pool_.lt(any(ints), any(ints))); break;
        case 11: bools.push_back(pool_.eq(any(nodes), any(nodes))); break;
        case 12: bools.push_back(pool_.eq(any(colors), any(colors))); break;
        case 13: bools.push_back(pool_.eq(any(maps), any(maps))); break;
        case 14: bools.push_back(pool_.not_(any(bools))); break;
        default: bools.push_back(pool_.or_(pool_.and_(any(bools), any(bools)), pool_.implies(any(bools), any(bools))));
      }
    }
    s->push();
    std::vector<Term> formulas(bools.end() - std::min<std::ptrdiff_t>(5, std::ssize(bools)), bools.end());
    for (Term it : formulas) s->add(it);
    const Answer answer = s->check();
    if (answer == Answer::kSat) {
      for (Term it : formulas) EXPECT_TRUE(s->is_true(it)) << to_string(it);
    }
    sat += answer == Answer::kSat ? 1 : 0;
    unsat += answer == Answer::kUnsat ? 1 : 0;
    s->pop();
  }
  EXPECT_GT(sat, 30);
  EXPECT_GT(unsat, 30);
}

// ------------------------------------------------------------------------------------------------------- the child process

// Puts a program of the test's own before all others.
class FakeProgram {
 public:
  explicit FakeProgram(const std::string& script) : old_path_(std::getenv("PATH")) {
    const auto file = folder_.path() / "cvc5";
    std::ofstream(file) << "#!/bin/sh\n" << script;
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    setenv("PATH", (folder_.path().string() + ":" + old_path_).c_str(), 1);
  }
  ~FakeProgram() { setenv("PATH", old_path_.c_str(), 1); }
  FakeProgram(const FakeProgram&) = delete;
  FakeProgram& operator=(const FakeProgram&) = delete;

 private:
  Folder folder_;
  std::string old_path_;
};

class ChildTest : public testing::Test, protected Vocabulary {
 protected:
  // How a check ends with such a program in the place of cvc5.
  std::string reason_with(const std::string& script, int formulas = 20'000) {
    const FakeProgram fake(script);
    Options options;
    options.which = Which::kCvc5;
    options.timeout = milliseconds(300);
    const auto s = make_solver(options);
    for (int i = 0; i < formulas; ++i) s->add(pool_.lt(number(i), integer("n" + std::to_string(i))));
    EXPECT_EQ(s->check(), Answer::kUnknown);
    const std::string reason = s->reason();
    EXPECT_EQ(s->check(), Answer::kUnknown);
    EXPECT_EQ(s->reason(), reason);
    return reason;
  }
};

TEST_F(ChildTest, Failures) {
  EXPECT_EQ(reason_with("exit 3"), "cvc5 ended with exit status 3");
  EXPECT_EQ(reason_with("echo out of luck >&2; kill -SEGV $$"), "cvc5 ended with signal 11: out of luck");
  EXPECT_EQ(reason_with("head -c 100 >/dev/null; echo '(error \"Parse Error\")'; exit 1"),
            "cvc5 ended with exit status 1: (error \"Parse Error\")");
  EXPECT_EQ(reason_with("exec sleep 60"), "time limit of 0.3 s");
}

TEST_F(ChildTest, NoAnswerIsMadeUp) {
  const std::string end = "while read -r line; do case $line in *echo*) echo '\"concord: done\"';; esac; done";
  EXPECT_EQ(reason_with("echo satisfied; " + end, 1), "cvc5: satisfied\n");
  EXPECT_THAT(reason_with("echo unsat; echo '(error \"late\")'; " + end, 1), HasSubstr("(error \"late\")"));
}

TEST_F(ChildTest, Missing) {
  const std::string path = std::getenv("PATH");
  setenv("PATH", "/nowhere", 1);
  for (const Which which : {Which::kCvc5, Which::kBoth}) {
    Options options;
    options.which = which;
    EXPECT_THROW(make_solver(options), CannotRun);
  }
  setenv("PATH", path.c_str(), 1);
}

TEST_F(ChildTest, NothingIsLeftBehind) {
  const auto descriptors = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/fd"), std::filesystem::directory_iterator());
  };
  const auto before = descriptors();
  for (int i = 0; i < 3; ++i) {
    Options options;
    options.which = Which::kCvc5;
    const auto s = make_solver(options);
    EXPECT_EQ(s->check(), Answer::kSat);
    for (Term it : hard()) s->add(it);
    const std::jthread other([&] { s->interrupt(); });
    EXPECT_EQ(s->check(), Answer::kUnknown);
    s->set_timeout(milliseconds(20));
    s->check();
  }
  EXPECT_EQ(descriptors(), before);
  EXPECT_EQ(waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace concord::smt
