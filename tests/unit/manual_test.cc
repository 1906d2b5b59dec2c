// The manual page and the completion are of the options that the help of each verb tells, all of them.
#include "tool/manual.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "tool/options.h"

namespace concord::tool {
namespace {

using testing::HasSubstr;

std::string printed(const std::vector<std::string>& words) { return parse(words, "1.2.3").output; }

// "--save-proof" of each line of the help that begins an option.
std::vector<std::string> options_told(const std::string& help) {
  std::vector<std::string> names;
  std::istringstream lines(help);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("  -")) continue;
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word.ends_with(",")) words >> word;
    names.push_back(word);
  }
  return names;
}

std::string with_hyphens(std::string text) {
  for (std::size_t at = text.find("\\-"); at != std::string::npos; at = text.find("\\-")) text.erase(at, 1);
  return text;
}

TEST(Manual, EveryOptionOfEveryVerbIsInThePageAndCompleted) {
  const std::string page = with_hyphens(printed({"--man"}));
  const std::string completion = printed({"--completion"});
  for (const char* verb : {"verify", "explore", "show", "replay", "explain"}) {
    const std::size_t section = page.find(std::string(".SS concord ") + verb);
    ASSERT_NE(section, std::string::npos) << verb;
    const std::string own = page.substr(section, page.find("\n.S", section + 1) - section);
    const std::size_t at = completion.find(std::string("    '") + verb + " -'*)");
    ASSERT_NE(at, std::string::npos) << verb;
    const std::string words = completion.substr(at, completion.find(";;", at) - at);
    const std::vector<std::string> names = options_told(printed({verb, "--help"}));
    EXPECT_FALSE(names.empty());
    for (const std::string& name : names) {
      EXPECT_THAT(own, HasSubstr(name)) << verb;
      EXPECT_THAT(words + " ", HasSubstr(" " + name + " ")) << verb;
    }
  }
}

TEST(Manual, NoTextIsTakenForACommandOfTroff) {
  const Manual manual = {
      {{"verb", "FILE", "sums up", ".starts with a dot\n'and a quote, \\ and \"…\"", {}}}, {}, {}, "", ""};
  const std::string page = man_page(manual, "1.2.3");
  EXPECT_THAT(page, HasSubstr("\n\\&.starts with a dot\n\\&'and a quote, \\e and \"...\"\n"));
  std::istringstream lines(page);
  for (std::string line; std::getline(lines, line);) {
    const bool is_command = line.starts_with(".TH ") || line.starts_with(".SH ") || line.starts_with(".SS ") ||
                            line.starts_with(".B ") || line == ".PP" || line == ".TP" || line == ".br";
    EXPECT_TRUE(is_command || (line[0] != '.' && line[0] != '\'')) << line;
  }
}

}  // namespace
}  // namespace concord::tool
