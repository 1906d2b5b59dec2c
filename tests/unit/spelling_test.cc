// Names of a front end in the user's words.
#include "tool/spelling.h"

#include <gtest/gtest.h>

namespace concord::tool {
namespace {

TEST(Spelling, WholeWordsOnly) {
  const std::map<std::string, std::string> spelled = {{"A_x", "A.x"}, {"this_", "this"}, {"lock_2", "lock"}};
  EXPECT_EQ(in_users_words("`A_x` may be written: this_.next = A_x, lock_2", spelled),
            "`A.x` may be written: this.next = A.x, lock");
  EXPECT_EQ(in_users_words("A_xy lock_22 BA_x this__ $A_x", spelled), "A_xy lock_22 BA_x this__ $A_x");
  EXPECT_EQ(in_users_words("", spelled), "");
  EXPECT_EQ(in_users_words("A_x", {}), "A_x");
}

TEST(Spelling, EverythingThatIsSaidButTheNamesOfParts) {
  check::CheckResult result;
  engine::PropertyResult one;
  one.message = "`A_x` breaks";
  one.reason = "A_x";
  one.related.push_back({{}, "for instance, A_x = 1"});
  one.trace.initial = {{"A_x", "0"}};
  one.trace.steps.push_back({"t", {}, "A_x = 1", {{"A_x", "A_x"}}, ""});
  result.results.push_back(one);
  result.parts.push_back({"A_x", {}, 0});
  spell(result, {{"A_x", "A.x"}});
  const engine::PropertyResult& said = result.results.front();
  EXPECT_EQ(said.message, "`A.x` breaks");
  EXPECT_EQ(said.reason, "A.x");
  EXPECT_EQ(said.related.front().message, "for instance, A.x = 1");
  EXPECT_EQ(said.trace.initial.front().first, "A.x");
  EXPECT_EQ(said.trace.steps.front().changes.front().second, "A.x");
  EXPECT_EQ(said.trace.steps.front().text, "A_x = 1");  // as the user wrote it
  EXPECT_EQ(result.parts.front().name, "A_x");
}

}  // namespace
}  // namespace concord::tool
