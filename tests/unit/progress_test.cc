#include "tool/progress.h"

#include <gtest/gtest.h>

namespace concord::tool {
namespace {

using std::chrono::seconds;

TEST(ProgressLine, TellsHowLongItWillTakeIfItGoesOnAsItDid) {
  EXPECT_EQ(progress_text({"proving procedures", 10, 40}, seconds(12), seconds(10)),
            "proving procedures: 10/40, 12.0 s, about 30 s left");
}

TEST(ProgressLine, DoesNotGuess) {
  EXPECT_EQ(progress_text({"proving procedures", 1, 40}, seconds(5), seconds(1)), "proving procedures: 1/40, 5.0 s");
  EXPECT_EQ(progress_text({"proving procedures", 0, 40}, seconds(5), seconds(5)), "proving procedures: 0/40, 5.0 s");
  EXPECT_EQ(progress_text({"exploring", 1, {}}, seconds(5), seconds(5)), "exploring: 1 state, 5.0 s");
}

}  // namespace
}  // namespace concord::tool
