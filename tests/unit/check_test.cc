#include "check/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <new>

#include "base/check.h"
#include "check/waivers.h"
#include "plato/reader.h"
#include "plato/wellformed.h"

namespace concord::check {
namespace {

using engine::Verdict;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Checked {
  base::SourceMap sources;
  plato::Program program;
  CheckResult result;

  explicit Checked(const std::string& text, const CheckOptions& options = {}, bool interrupted = false) {
    sources.add("a.plato", text);
    diag::Sink sink;
    plato::read(sources, 0, program, sink);
    if (!sink.has_errors()) plato::check_well_formed(sources, program, sink);
    for (const diag::Diagnostic& error : sink.errors()) ADD_FAILURE() << diag::render(sources, error);
    if (sink.has_errors()) return;
    engine::Control control;
    control.interrupted = interrupted;
    result = check(sources, program, options, control);
  }

  Verdict verdict_of(const std::string& id) const {
    for (const engine::PropertyResult& one : result.results) {
      if (one.property.id == id) return one.verdict;
    }
    ADD_FAILURE() << "no property " << id;
    return Verdict::kUnknown;
  }
};

constexpr const char* kTwoProcedures = R"(var x: int = 0;
proc good() { assert x <= 1; }
proc bad() { x = 1; assert x == 2; }
thread good();
thread main = bad();
)";

TEST(Check, TheVerdictIsTheWorst) {
  const Checked run(kTwoProcedures);
  EXPECT_EQ(run.result.verdict, Verdict::kViolated);
  EXPECT_THAT(run.result.results, SizeIs(2));
  EXPECT_THAT(run.result.not_checked, ElementsAre(diag::Kind::kRace, diag::Kind::kDeadlock));
  EXPECT_THAT(run.result.engine, HasSubstr("modular, then explore"));
}

TEST(Check, NothingToCheckIsUnknown) {
  const Checked run("var x: int = 0;\nproc p() { x = 1; }\nthread p();\n");
  EXPECT_EQ(run.result.verdict, Verdict::kUnknown);
  EXPECT_EQ(run.result.nothing_checked,
            "nothing to check: there is no assertion, invariant or contract; --property race,deadlock checks more");
  EXPECT_EQ(Checked("").result.nothing_checked,
            "nothing to check: there is no thread, and no assertion, invariant or contract");
}

TEST(Check, RequestedKindsAreChecked) {
  CheckOptions options;
  options.requested = {diag::Kind::kDeadlock};
  const Checked run(kTwoProcedures, options);
  EXPECT_THAT(run.result.results, SizeIs(3));
  EXPECT_THAT(run.result.not_checked, ElementsAre(diag::Kind::kRace));
}

TEST(Check, OnlyLeavesTheOthersAsAssumptions) {
  CheckOptions options;
  options.settings.only = "good";
  const Checked run(kTwoProcedures, options);
  EXPECT_EQ(run.result.verdict, Verdict::kVerified);
  EXPECT_THAT(run.result.results, SizeIs(1));
  EXPECT_THAT(run.result.left_unchecked, ElementsAre(HasSubstr("left unchecked by --only good: assertion@a.plato:3:")));
}

TEST(Check, OnlyTakesTheNameOfAThread) {
  CheckOptions options;
  options.settings.only = "main";
  const Checked run(kTwoProcedures, options);
  EXPECT_EQ(run.result.verdict, Verdict::kViolated);
  EXPECT_THAT(run.result.results, SizeIs(1));
  EXPECT_THAT(only_candidates(run.program), ElementsAre("good", "bad", "main"));
}

TEST(Check, AnInterruptedRunVerifiesNothing) {
  const Checked run("var x: int = *;\nproc p() { assert x + x != 1; }\nthread p();\n", {}, true);
  EXPECT_TRUE(run.result.interrupted);
  EXPECT_EQ(run.result.verdict, Verdict::kUnknown);
}

// ------------------------------------------------------------------------------------------------------------- defects

class Broken : public engine::Engine {
 public:
  explicit Broken(std::function<engine::EngineResult(const engine::Task&)> answer) : answer_(std::move(answer)) {}
  std::string name() const override { return "broken"; }
  engine::EngineResult run(const engine::Task& task, engine::Control&) override { return answer_(task); }

 private:
  std::function<engine::EngineResult(const engine::Task&)> answer_;
};

engine::PropertyResult run_broken(std::function<engine::EngineResult(const engine::Task&)> answer) {
  const Checked checked(kTwoProcedures);
  const engine::Task task{&checked.sources, &checked.program, {checked.result.results.front().property}, {}};
  Broken broken(std::move(answer));
  engine::Control control;
  const engine::EngineResult result = run_engine(broken, task, control);
  EXPECT_THAT(result.results, SizeIs(1));
  EXPECT_EQ(result.results.front().verdict, Verdict::kUnknown);
  return result.results.front();
}

TEST(Defects, AFailedCheckIsAnInternalError) {
  const auto one =
      run_broken([](const engine::Task&) -> engine::EngineResult { throw base::InternalError("a.cc:1: oops"); });
  EXPECT_TRUE(one.internal_error);
  EXPECT_EQ(one.reason, "internal error: a.cc:1: oops");
}

TEST(Defects, AnAnswerThatLeavesOutAPropertyIsAnInternalError) {
  const auto one = run_broken([](const engine::Task&) { return engine::EngineResult{}; });
  EXPECT_TRUE(one.internal_error);
  EXPECT_THAT(one.reason, HasSubstr("the engine left out a property"));
}

TEST(Defects, AnUnknownWithoutAReasonIsAnInternalError) {
  const auto one = run_broken([](const engine::Task& task) {
    engine::EngineResult answer;
    answer.results.emplace_back();
    answer.results.front().property = task.properties.front();
    return answer;
  });
  EXPECT_THAT(one.reason, HasSubstr("unknown without a reason"));
}

TEST(Defects, RunningOutOfMemoryIsNone) {
  const auto one = run_broken([](const engine::Task&) -> engine::EngineResult { throw std::bad_alloc(); });
  EXPECT_FALSE(one.internal_error);
  EXPECT_EQ(one.reason, "memory ran out");
}

// ------------------------------------------------------------------------------------------------------------- waivers

TEST(Waivers, AWaivedFindingIsAnAssumption) {
  const Checked run(R"(var x: int = 0;
proc p() {
  assert x >= 0;
  nowarn assertion "known";
  assert x == 1;
}
thread p();
)");
  EXPECT_EQ(run.result.verdict, Verdict::kVerified);
  ASSERT_THAT(run.result.results, SizeIs(1));
  EXPECT_THAT(run.result.results.front().reason, HasSubstr("depends on what is waived: assertion@a.plato:5:"));
  EXPECT_THAT(run.result.waived, SizeIs(1));
  EXPECT_THAT(run.result.assumptions,
              Contains(testing::AllOf(HasSubstr("waived: assertion@a.plato:5:"), HasSubstr("known"))));
}

TEST(Waivers, AnotherKindIsNotWaived) {
  const Checked run("var x: int = 0;\nproc p() { nowarn race \"no\"; assert x == 1; }\nthread p();\n");
  EXPECT_EQ(run.result.verdict, Verdict::kViolated);
  EXPECT_THAT(run.result.assumptions, Contains(HasSubstr("nowarn race at a.plato:2:")));
}

TEST(Waivers, WaivingEverythingIsNoProof) {
  const Checked run("var x: int = 0;\nproc p() { nowarn assertion \"no\"; assert x == 1; }\nthread p();\n");
  EXPECT_EQ(run.result.verdict, Verdict::kUnknown);
  EXPECT_THAT(run.result.results, IsEmpty());
  EXPECT_THAT(run.result.nothing_checked, HasSubstr("nothing to check"));
}

// The engine stops at the first break, so waiving one place says nothing about the others.
TEST(Waivers, ABreakInAWaivedPlaceLeavesTheClaimOpen) {
  const Checked run(R"(var x: int = 0;
global_invariant x == 0;
proc p() {
  nowarn invariant "temporarily";
  x = 1;
}
thread p();
)");
  EXPECT_EQ(run.verdict_of("invariant@a.plato:2:1"), Verdict::kUnknown);
  EXPECT_THAT(run.result.results.front().reason, HasSubstr("a.plato:5:3"));
  EXPECT_EQ(run.result.verdict, Verdict::kUnknown);
}

TEST(Waivers, TrustedBlocksAreListed) {
  const Checked run("var x: int = 0;\nproc p() { trusted atomic { x = 1; x = 2; } assert x == 2; }\nthread p();\n");
  EXPECT_THAT(run.result.assumptions, Contains("trusted atomic at a.plato:2:12"));
}

}  // namespace
}  // namespace concord::check
