// The catalogue of kinds is complete, its examples do what they say, and docs/ is generated from it.
#include "diag/kinds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "check/check.h"
#include "plato/reader.h"
#include "plato/wellformed.h"
#include "report/json.h"

namespace concord {
namespace {

std::string contents(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> lines;
  std::istringstream stream{std::string(text)};
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::ptrdiff_t lines_only_in(std::string_view text, std::string_view other) {
  const std::vector<std::string> known = lines_of(other);
  const std::vector<std::string> lines = lines_of(text);
  return std::ranges::count_if(lines, [&](const std::string& line) { return std::ranges::count(known, line) == 0; });
}

TEST(Kinds, EveryKindHasItsPageInTheOrderOfTheEnumeration) {
  ASSERT_EQ(diag::catalogue().size(), static_cast<std::size_t>(diag::Kind::kVacuity) + 1);
  for (std::size_t i = 0; i < diag::catalogue().size(); ++i) {
    const diag::KindPage& page = diag::catalogue()[i];
    EXPECT_EQ(page.kind, static_cast<diag::Kind>(i));
    EXPECT_EQ(diag::kind_named(page.name), page.kind);
    EXPECT_EQ(diag::name(page.kind), page.name);
  }
  EXPECT_EQ(diag::kind_named("asertion"), std::nullopt);
}

TEST(Kinds, EveryPageIsComplete) {
  for (const diag::KindPage& page : diag::catalogue()) {
    SCOPED_TRACE(page.name);
    EXPECT_FALSE(page.holds.empty());
    EXPECT_FALSE(page.may_fail.empty());
    EXPECT_FALSE(page.explanation.empty());
    EXPECT_FALSE(page.fix.empty());
    ASSERT_FALSE(page.example.empty());
    EXPECT_EQ(page.example.back(), '\n');
    EXPECT_LE(std::count(page.example.begin(), page.example.end(), '\n'), 20);
    ASSERT_FALSE(page.fixed.empty());
    EXPECT_EQ(page.fixed.back(), '\n');
    EXPECT_LE(lines_only_in(page.fixed, page.example), 5) << "the fixed program should be nearly the same";
  }
}

TEST(Kinds, DocsAreGenerated) {
  const std::string folder = "docs/messages/";
  EXPECT_EQ(contents(folder + "README.md"), diag::markdown_index()) << "run scripts/generate-docs";
  std::set<std::string> expected = {"README.md"};
  for (const diag::KindPage& page : diag::catalogue()) {
    const std::string file = std::string(page.name) + ".md";
    expected.insert(file);
    EXPECT_EQ(contents(folder + file), diag::markdown(page)) << "run scripts/generate-docs";
  }
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    EXPECT_TRUE(expected.contains(entry.path().filename().string())) << entry.path() << " is no page of the catalogue";
  }
  EXPECT_EQ(contents("docs/report.schema.json"), report::json_schema()) << "run scripts/generate-docs";
}

class KindExample : public testing::TestWithParam<diag::Kind> {};

check::CheckResult checked(std::string_view text) {
  base::SourceMap sources;
  sources.add("example.plato", std::string(text));
  plato::Program program;
  diag::Sink sink;
  plato::read(sources, 0, program, sink);
  if (!sink.has_errors()) plato::check_well_formed(sources, program, sink);
  for (const diag::Diagnostic& error : sink.errors()) ADD_FAILURE() << diag::render(sources, error);
  if (sink.has_errors()) return {};
  engine::Control control;
  return check::check(sources, program, {}, control);
}

TEST_P(KindExample, HasExactlyThisFinding) {
  const diag::KindPage& page = diag::page(GetParam());
  const check::CheckResult result = checked(page.example);
  const bool vacuous = page.kind == diag::Kind::kVacuity;
  std::set<std::string> found;
  for (const engine::PropertyResult& one : result.results) {
    if (one.verdict == engine::Verdict::kViolated || one.property.kind == diag::Kind::kVacuity) {
      found.insert(one.property.id.substr(0, one.property.id.find('@')));
    } else if (!vacuous) {
      EXPECT_EQ(one.verdict, engine::Verdict::kVerified) << one.property.id << ": " << one.reason;
    } else {
      EXPECT_NE(one.verdict, engine::Verdict::kVerified) << one.property.id;
    }
  }
  EXPECT_EQ(found, std::set<std::string>{std::string(page.name)});
  EXPECT_EQ(result.verdict, vacuous ? engine::Verdict::kUnproved : engine::Verdict::kViolated);
}

// What was wrong is still claimed, or the fixed program would say nothing; `vacuity` claims something of other claims.
TEST_P(KindExample, IsVerifiedWhenFixed) {
  const diag::KindPage& page = diag::page(GetParam());
  const check::CheckResult result = checked(page.fixed);
  bool claims_it = page.kind == diag::Kind::kVacuity;
  for (const engine::PropertyResult& one : result.results) {
    EXPECT_EQ(one.verdict, engine::Verdict::kVerified) << one.property.id << ": " << one.reason;
    if (one.property.kind == page.kind) claims_it = true;
  }
  EXPECT_TRUE(claims_it) << "nothing of this kind is claimed any more";
  EXPECT_TRUE(result.waived.empty());
  EXPECT_EQ(result.verdict, engine::Verdict::kVerified);
}

std::vector<diag::Kind> all_kinds() {
  std::vector<diag::Kind> kinds;
  for (const diag::KindPage& page : diag::catalogue()) kinds.push_back(page.kind);
  return kinds;
}

std::string test_name(const testing::TestParamInfo<diag::Kind>& info) {
  std::string name(diag::name(info.param));
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Catalogue, KindExample, testing::ValuesIn(all_kinds()), test_name);

}  // namespace
}  // namespace concord
