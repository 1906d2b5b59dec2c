#include "tool/machine.h"

#include <gtest/gtest.h>

#include <csignal>

#include "tool/status.h"

namespace concord::tool {
namespace {

class Signals : public testing::TestWithParam<int> {};

TEST_P(Signals, TheFirstInterrupts) {
  engine::Control control;
  const Interruptible interruptible(control);
  EXPECT_FALSE(control.should_stop());
  std::raise(GetParam());
  EXPECT_TRUE(control.should_stop());
}

TEST_P(Signals, TheSecondEndsWithStatus130) {
  const auto raise_twice = [](int signal) {
    engine::Control control;
    const Interruptible interruptible(control);
    std::raise(signal);
    std::raise(signal);
  };
  EXPECT_EXIT(raise_twice(GetParam()), testing::ExitedWithCode(kInterrupted), "");
}

INSTANTIATE_TEST_SUITE_P(All, Signals, testing::Values(SIGINT, SIGTERM, SIGHUP));

TEST(Interruptible, RespectsNohup) {
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    engine::Control control;
    const Interruptible interruptible(control);
    std::raise(SIGHUP);
    EXPECT_FALSE(control.should_stop());
  }
  std::signal(SIGHUP, before);
}

}  // namespace
}  // namespace concord::tool
