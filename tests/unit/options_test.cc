#include "tool/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/status.h"

namespace concord::tool {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

Parsed parse_words(std::vector<std::string> words) { return parse(words, "1.2.3"); }

Options options_of(std::vector<std::string> words) {
  const Parsed parsed = parse_words(std::move(words));
  EXPECT_TRUE(parsed.options) << parsed.error;
  return parsed.options.value_or(Options{});
}

std::string usage_error_of(std::vector<std::string> words) {
  const Parsed parsed = parse_words(std::move(words));
  EXPECT_FALSE(parsed.options);
  EXPECT_EQ(parsed.status, kBadUsage);
  EXPECT_EQ(parsed.output, "");
  return parsed.error;
}

TEST(Options, Defaults) {
  const Options options = options_of({"verify", "a.plato", "b"});
  EXPECT_EQ(options.verb, Verb::kVerify);
  EXPECT_EQ(options.files, (std::vector<std::string>{"a.plato", "b"}));
  EXPECT_EQ(options.check.engine, check::EngineChoice::kAuto);
  EXPECT_TRUE(options.check.requested.empty());
  EXPECT_EQ(options.check.settings.threads, std::nullopt);
  EXPECT_EQ(options.check.settings.ints, engine::IntMode::kMath);
  EXPECT_EQ(options.check.settings.int_low, -2);
  EXPECT_EQ(options.check.settings.int_high, 3);
  EXPECT_EQ(options.check.settings.max_objects, 8);
  EXPECT_EQ(options.check.settings.max_started, 8);
  EXPECT_EQ(options.format, Format::kText);
  EXPECT_EQ(options.color, Color::kAuto);
  EXPECT_EQ(options.timeout, std::nullopt);
  EXPECT_EQ(options.memory_bytes, std::nullopt);
  EXPECT_EQ(options_of({"explore", "a.plato"}).check.engine, check::EngineChoice::kExplore);
}

TEST(Options, Values) {
  const Options options = options_of({"verify",    "--engine", "modular",   "--property=race,deadlock",
                                      "--threads", "3",        "--int",     "java",
                                      "--ints",    "-5..-1",   "--objects", "2",
                                      "--started", "0",        "--timeout", "1.5",
                                      "--memory",  "2",        "--format",  "json",
                                      "--color",   "never",    "-v",        "-j",
                                      "4",         "--only",   "main",      "a.plato"});
  EXPECT_EQ(options.check.engine, check::EngineChoice::kModular);
  EXPECT_EQ(options.check.requested, (std::set<diag::Kind>{diag::Kind::kRace, diag::Kind::kDeadlock}));
  EXPECT_EQ(options.check.settings.threads, 3);
  EXPECT_EQ(options.check.settings.ints, engine::IntMode::kJava);
  EXPECT_EQ(options.check.settings.int_low, -5);
  EXPECT_EQ(options.check.settings.int_high, -1);
  EXPECT_EQ(options.check.settings.max_objects, 2);
  EXPECT_EQ(options.check.settings.max_started, 0);
  EXPECT_EQ(options.check.settings.only, "main");
  EXPECT_EQ(options.timeout, std::chrono::milliseconds(1500));
  EXPECT_EQ(options.memory_bytes, std::uint64_t{2} << 20U);
  EXPECT_EQ(options.format, Format::kJson);
  EXPECT_EQ(options.color, Color::kNever);
  EXPECT_TRUE(options.verbose);
}

TEST(Options, PropertyIsRepeatableAndKnowsAll) {
  const Options twice = options_of({"verify", "--property", "race", "--property", "deadlock", "a.plato"});
  EXPECT_EQ(twice.check.requested.size(), 2U);
  EXPECT_EQ(options_of({"verify", "--property", "all", "a.plato"}).check.requested.size(), diag::catalogue().size());
}

TEST(Options, ThreadsMayBeUnbounded) {
  EXPECT_EQ(options_of({"explore", "--threads", "unbounded", "a.plato"}).check.settings.threads, std::nullopt);
}

TEST(Options, AfterTwoDashesEverythingIsAFile) {
  EXPECT_EQ(options_of({"verify", "--", "-q.plato"}).files, std::vector<std::string>{"-q.plato"});
}

struct BadUsage {
  std::vector<std::string> words;
  std::string message;
};

TEST(Options, BadUsageSaysWhatIsWrong) {
  const std::vector<BadUsage> cases = {
      {{"verfy", "a.plato"}, "concord: there is no verb `verfy`; did you mean `verify`?\n"},
      {{"frobnicate"}, "concord: there is no verb `frobnicate`; `concord --help` lists the verbs\n"},
      {{"a.plato"}, "concord: `a.plato` is no verb; did you mean `concord verify a.plato`?\n"},
      {{"--versoin"}, "concord: there is no option `--versoin`; did you mean `--version`?\n"},
      {{"verify"}, "concord: verify wants at least one FILE\n"},
      {{"verify", "--engin", "explore", "a.plato"},
       "concord: verify has no option `--engin`; did you mean `--engine`?\n"},
      {{"verify", "--suggest", "--engine", "shape", "a.plato"},
       "concord: --suggest is for --engine auto, modular and threads\n"},
      {{"verify", "--suggest", "--only", "p", "a.plato"}, "concord: --suggest and --only exclude each other\n"},
      {{"verify", "--watch", "a.plato"},
       "concord: verify has no option `--watch`; `concord verify --help` lists the options\n"},
      {{"explore", "--engine", "explore", "a.plato"},
       "concord: explore has no option `--engine`; `concord explore --help` lists the options\n"},
      {{"verify", "--engine", "explor", "a.plato"}, "concord: --engine cannot be `explor`; did you mean `explore`?\n"},
      {{"verify", "--property", "race,dedlock", "a.plato"},
       "concord: --property cannot be `dedlock`; did you mean `deadlock`?\n"},
      {{"verify", "--int", "c", "a.plato"}, "concord: --int cannot be `c`; it is one of math, java\n"},
      {{"verify", "--threads", "many", "a.plato"},
       "concord: --threads wants a whole number from 1 to 1000 or `unbounded`, not `many`\n"},
      {{"verify", "--threads", "0", "a.plato"},
       "concord: --threads wants a whole number from 1 to 1000 or `unbounded`, not `0`\n"},
      {{"verify", "--ints", "3..1", "a.plato"},
       "concord: --ints wants two numbers LO..HI with LO at most HI, such as -2..3, not `3..1`\n"},
      {{"verify", "--int", "java", "--ints", "0..2147483648", "a.plato"},
       "concord: --ints: with --int java the numbers have 32 bits\n"},
      {{"verify", "--timeout", "-1", "a.plato"},
       "concord: --timeout wants a number of seconds greater than 0, not `-1`\n"},
      {{"verify", "a.plato", "--timeout"}, "concord: --timeout wants one value\n"},
      {{"verify", "--format", "json", "--format", "text", "a.plato"}, "concord: --format wants one value\n"},
      {{"verify", "-q", "-v", "a.plato"}, "concord: -q and -v exclude each other\n"},
      {{"show", "--spec", "a.plato"},
       "concord: show has no option `--spec`; `concord show --help` lists the options\n"},
      {{"explain", "asertion"}, "concord: there is no kind `asertion`; did you mean `assertion`?\n"},
      {{"explain", "race", "deadlock"}, "concord: `deadlock` is one argument too many\n"},
  };
  for (const BadUsage& one : cases) {
    SCOPED_TRACE(testing::PrintToString(one.words));
    EXPECT_EQ(usage_error_of(one.words), one.message);
  }
}

TEST(Options, WithoutArgumentsThereIsAShortHelp) { EXPECT_THAT(usage_error_of({}), HasSubstr("concord verify")); }

TEST(Options, HelpVersionAndSchemaArePrinted) {
  EXPECT_THAT(parse_words({"--version"}).output, StartsWith("concord 1.2.3\nZ3 4."));
  EXPECT_THAT(parse_words({"--json-schema"}).output, HasSubstr("\"$schema\""));
  for (const std::vector<std::string>& words :
       std::vector<std::vector<std::string>>{{"--help"}, {"verify", "--help"}}) {
    const Parsed parsed = parse_words(words);
    EXPECT_EQ(parsed.status, 0);
    EXPECT_EQ(parsed.error, "");
    EXPECT_THAT(parsed.output, HasSubstr("Exit status"));
  }
}

TEST(Options, HelpNamesEveryOptionWithItsDefault) {
  const std::string help = parse_words({"verify", "-h"}).output;
  for (const char* option : {"--engine", "--property", "--only", "--threads", "--int ", "--ints", "--objects",
                             "--started", "--timeout", "--memory", "-j", "--format", "--color"}) {
    const std::size_t at = help.find(option);
    ASSERT_NE(at, std::string::npos) << option;
    const std::size_t next = help.find("\n  -", at);
    EXPECT_NE(help.substr(at, next - at).find("(default: "), std::string::npos) << option;
  }
  EXPECT_EQ(parse_words({"explain", "-h"}).output.find("--markdown"), std::string::npos);
}

}  // namespace
}  // namespace concord::tool
