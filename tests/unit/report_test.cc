// The text of reports is tested behaviour: whole outputs are compared. The JSON report is held against its own schema.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "report/columns.h"
#include "report/interleaving.h"
#include "report/json.h"
#include "report/text.h"

namespace concord::report {
namespace {

using engine::Verdict;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

// ------------------------------------------------------------------------------------------------------------ columns

TEST(Columns, WidthCountsCharacters) {
  EXPECT_EQ(width("über"), 4);
  EXPECT_EQ(pad("über", 6), "über  ");
  EXPECT_EQ(pad_left("µ", 3), "  µ");
  EXPECT_EQ(pad("long", 2), "long");
}

TEST(Columns, WrapBreaksAtSpacesWhereItCan) {
  EXPECT_THAT(wrap("x = x + 1;", 20), ElementsAre("x = x + 1;"));
  EXPECT_THAT(wrap("x = x + 1;", 7), ElementsAre("x = x +", "  1;"));
  EXPECT_THAT(wrap("abcdefgh", 5), ElementsAre("abcde", "  fgh"));
  EXPECT_THAT(wrap("ää öö üü", 5), ElementsAre("ää öö", "  üü"));
  EXPECT_THAT(wrap("", 5), ElementsAre(""));
}

TEST(Columns, WrapTearsWordsApartWhereTheyHaveAJoint) {
  EXPECT_THAT(wrap("queue.take(first,second)", 12), ElementsAre("queue.take(", "  first,", "  second)"));
  EXPECT_THAT(wrap("other.start()", 10), ElementsAre("other", "  .start()"));
  EXPECT_THAT(wrap("a.bcdefghijkl", 8), ElementsAre("a.bcdefg", "  hijkl"));  // too early
}

TEST(Columns, FittedFillsParagraphsAndItemsAndLeavesPrograms) {
  const std::string text =
      "one two three four\nfive\n\n- six seven eight\n  nine\n\n    var x: int = 0; // program\n"
      "  --ten  eleven twelve\n         thirteen\n";
  EXPECT_EQ(fitted(text, 40), text);
  EXPECT_EQ(fitted(text, 17),
            "one two three\nfour five\n\n- six seven eight\n  nine\n\n    var x: int = 0; // program\n"
            "  --ten eleven\n    twelve\n    thirteen\n");
}

TEST(Columns, FitGivesNarrowColumnsWhatTheyWant) {
  EXPECT_THAT(fit({10, 20}, 40, 14), ElementsAre(10, 20));
  EXPECT_THAT(fit({5, 40, 40}, 45, 14), ElementsAre(5, 20, 20));
  EXPECT_THAT(fit({40, 40, 40}, 40, 14), IsEmpty());
  EXPECT_THAT(fit({40}, -3, 14), IsEmpty());
}

// ------------------------------------------------------------------------------------------------------- an example

constexpr const char* kText = R"(var x: int = 0;
proc add() {
  var t: int = x;
  x = t + 1;
}
proc check() { assert x != 1; }
thread[2] add();
thread check();
)";

struct Example {
  base::SourceMap sources;
  check::CheckResult result;

  Example() { sources.add("a.plato", kText); }

  base::SourceRange find(const std::string& part) const {
    const auto at = static_cast<std::uint32_t>(std::string(kText).find(part));
    return {0, at, at + static_cast<std::uint32_t>(part.size())};
  }

  engine::TraceStep step(const std::string& thread, const std::string& part, engine::Changes changes,
                         std::string note = "") const {
    return {thread, find(part), part, std::move(changes), std::move(note)};
  }

  engine::PropertyResult property(diag::Kind kind, const std::string& part, Verdict verdict) const {
    engine::PropertyResult one;
    one.property.kind = kind;
    one.property.claim = find(part);
    one.property.text = part;
    one.property.id = std::string(diag::name(kind)) + "@" + sources.place(one.property.claim);
    one.verdict = verdict;
    one.engine = "explore";
    one.location = one.property.claim;
    return one;
  }

  engine::PropertyResult violated() const {
    engine::PropertyResult one = property(diag::Kind::kAssertion, "assert x != 1;", Verdict::kViolated);
    one.message = "the assertion can fail";
    one.trace.initial = {{"x", "0"}};
    one.trace.threads = {"add#1", "add#2", "check"};
    one.trace.steps = {step("add#1", "var t: int = x;", {}), step("add#1", "x = t + 1;", {{"x", "1"}}),
                       step("check", "assert x != 1;", {}, "goes wrong here")};
    return one;
  }
};

// ------------------------------------------------------------------------------------------------------ interleavings

TEST(Interleaving, OneColumnPerThreadThatTakesAStep) {
  const Example example;
  EXPECT_EQ(interleaving(example.sources, example.violated().trace, 100),
            "  initially x = 0\n"
            "  step  line  add#1            check           changes\n"
            "     1     3  var t: int = x;\n"
            "     2     4  x = t + 1;                       x = 1\n"
            "     3     6                   assert x != 1;  goes wrong here\n"
            "  no step of add#2\n");
}

TEST(Interleaving, LinesBetweenColumnsTakeNoMoreRoom) {
  const Example example;
  EXPECT_EQ(interleaving(example.sources, example.violated().trace, 60, true),
            "  initially x = 0\n"
            "  step  line│ add#1         │ check         │ changes\n"
            "  ──────────┼───────────────┼───────────────┼───────────────\n"
            "     1     3│ var t: int =  │               │\n"
            "            │   x;          │               │\n"
            "     2     4│ x = t + 1;    │               │ x = 1\n"
            "     3     6│               │ assert x != 1;│ goes wrong\n"
            "            │               │               │   here\n"
            "  no step of add#2\n");
}

TEST(Columns, AsciiHasALikenessOrAQuestionMark) {
  EXPECT_EQ(ascii("für alle … x"), "f?r alle ... x");
  EXPECT_EQ(ascii("plain"), "plain");
}

TEST(Interleaving, NarrowColumnsAreWrapped) {
  const Example example;
  EXPECT_EQ(interleaving(example.sources, example.violated().trace, 60),
            "  initially x = 0\n"
            "  step  line  add#1           check           changes\n"
            "     1     3  var t: int =\n"
            "                x;\n"
            "     2     4  x = t + 1;                      x = 1\n"
            "     3     6                  assert x != 1;  goes wrong\n"
            "                                                here\n"
            "  no step of add#2\n");
}

TEST(Interleaving, TooNarrowForColumnsThereIsOneLinePerStep) {
  const Example example;
  EXPECT_EQ(interleaving(example.sources, example.violated().trace, 50),
            "  initially x = 0\n"
            "     1  add#1     3  var t: int = x;\n"
            "     2  add#1     4  x = t + 1;  // x = 1\n"
            "     3  check     6  assert x != 1;\n"
            "                       // goes wrong here\n"
            "  no step of add#2\n");
}

TEST(Interleaving, TooManyThreadsForColumnsToo) {
  const Example example;
  engine::Trace trace;
  for (int i = 1; i <= 8; ++i) trace.steps.push_back(example.step("w" + std::to_string(i), "var t: int = x;", {}));
  EXPECT_THAT(interleaving(example.sources, trace, 100), HasSubstr("     8  w8     3  var t: int = x;\n"));
}

TEST(Interleaving, NoLineIsWiderThanTheTerminal) {
  const Example example;
  engine::Trace trace = example.violated().trace;
  trace.steps[1].changes = {{"eine_sehr_lange_variable_mit_ä", "{worker#1, worker#2, worker#3}"}, {"x", "1"}};
  for (int columns = 45; columns <= 120; ++columns) {
    std::istringstream lines(interleaving(example.sources, trace, columns));
    for (std::string line; std::getline(lines, line);) EXPECT_LE(width(line), columns) << line;
  }
}

TEST(Interleaving, SeveralFilesAreNamed) {
  Example example;
  const std::uint32_t other = example.sources.add("lib/b.plato", "skip;\n");
  engine::Trace trace = example.violated().trace;
  trace.steps.push_back({"check", {other, 0, 5}, "skip;", {}, ""});
  const std::string text = interleaving(example.sources, trace, 100);
  EXPECT_THAT(text, HasSubstr("a.plato:3  var t: int = x;"));
  EXPECT_THAT(text, HasSubstr("b.plato:1"));
}

TEST(Interleaving, EndsWithWhoWaitsForWhat) {
  const Example example;
  engine::Trace trace = example.violated().trace;
  trace.ending = {{"add#1", "acquire(m)", " for m, which check holds", {}},
                  {"check", "assume x == 0", "", {}},
                  {"check", "acquire(n)", "", {}}};
  EXPECT_THAT(interleaving(example.sources, trace, 100),
              testing::EndsWith("  add#1 waits at `acquire(m)` for m, which check holds\n"
                                "  check waits at `assume x == 0`, or `acquire(n)`\n"));
}

// --------------------------------------------------------------------------------------------------------------- text

TEST(Text, AFindingAndTheSummary) {
  Example example;
  example.result.results = {example.violated(), example.property(diag::Kind::kInvariant, "x != 1", Verdict::kVerified)};
  example.result.verdict = Verdict::kViolated;
  example.result.engine = "explore (the referee)";
  example.result.assumptions = {"integers are unbounded"};
  example.result.not_checked = {diag::Kind::kRace, diag::Kind::kDeadlock};
  example.result.statistics = {{"states", 12}};
  example.result.time_ms = 1234;
  EXPECT_EQ(text(example.sources, example.result, {}),
            "a.plato:6:16: violated: the assertion can fail [assertion]\n"
            "proc check() { assert x != 1; }\n"
            "               ^~~~~~~~~~~~~~\n"
            "  initially x = 0\n"
            "  step  line  add#1            check           changes\n"
            "     1     3  var t: int = x;\n"
            "     2     4  x = t + 1;                       x = 1\n"
            "     3     6                   assert x != 1;  goes wrong here\n"
            "  no step of add#2\n"
            "\n"
            "`concord explain assertion` tells more\n"
            "violated: 1 verified, 1 violated, 0 unproved, 0 unknown, in 1.23 s, 12 states\n"
            "engine: explore (the referee)\n"
            "assuming: integers are unbounded\n"
            "race: not checked (--property race)\n"
            "deadlock: not checked (--property deadlock)\n");
}

TEST(Text, QuietIsTheSummaryLineOnly) {
  Example example;
  example.result.results = {example.violated()};
  example.result.verdict = Verdict::kViolated;
  TextOptions options;
  options.quiet = true;
  EXPECT_EQ(text(example.sources, example.result, options),
            "violated: 0 verified, 1 violated, 0 unproved, 0 unknown, in 0.00 s\n");
}

TEST(Text, VerboseListsVerifiedProperties) {
  Example example;
  example.result.results = {example.property(diag::Kind::kAssertion, "assert x != 1;", Verdict::kVerified)};
  example.result.verdict = Verdict::kVerified;
  EXPECT_THAT(text(example.sources, example.result, {}), testing::StartsWith("verified: 1 verified"));
  TextOptions options;
  options.verbose = true;
  EXPECT_THAT(text(example.sources, example.result, options),
              testing::StartsWith("a.plato:6:16: verified: the assertion holds whenever it is reached [assertion]\n"));
}

TEST(Text, OneReasonForManyUnknownsIsSaidOnce) {
  Example example;
  for (const char* part : {"x = t + 1;", "var t: int = x;", "assert x != 1;", "x != 1"}) {
    example.result.results.push_back(example.property(diag::Kind::kAssertion, part, Verdict::kUnknown));
    example.result.results.back().reason = "time limit of 5 s";
  }
  EXPECT_EQ(text(example.sources, example.result, {}),
            "unknown: 0 verified, 0 violated, 0 unproved, 4 unknown, in 0.00 s\n"
            "unknown because time limit of 5 s (4 properties; -v lists them)\n");
}

TEST(Text, TheClaimIsNotedWhereItIsElsewhere) {
  Example example;
  engine::PropertyResult one = example.violated();
  one.property.claim = example.find("var x: int = 0;");
  example.result.results = {one};
  EXPECT_THAT(text(example.sources, example.result, {}),
              HasSubstr("a.plato:1:1: note: this is what does not hold\nvar x: int = 0;\n^~~~~~~~~~~~~~~\n"));
  example.result.results.front().related = {{one.property.claim, "the other access"}};
  EXPECT_THAT(text(example.sources, example.result, {}), HasSubstr("a.plato:1:1: note: the other access\n"));
  EXPECT_THAT(text(example.sources, example.result, {}), testing::Not(HasSubstr("this is what does not hold")));
}

TEST(Text, NothingToCheck) {
  Example example;
  example.result.nothing_checked = "nothing to check";
  EXPECT_EQ(text(example.sources, example.result, {}), "unknown: nothing to check\n");
}

TEST(Text, AnInterruptionIsSaid) {
  Example example;
  example.result.interrupted = true;
  example.result.results = {example.violated()};
  example.result.verdict = Verdict::kViolated;
  EXPECT_THAT(text(example.sources, example.result, {}), HasSubstr("violated (interrupted): 0 verified, 1 violated"));
}

TEST(Text, ColoursOnlyWhenAsked) {
  Example example;
  example.result.results = {example.violated()};
  EXPECT_THAT(text(example.sources, example.result, {}), testing::Not(HasSubstr("\033")));
  TextOptions options;
  options.color = true;
  EXPECT_THAT(text(example.sources, example.result, options), HasSubstr("\033[1;31mviolated\033[0m: the assertion"));
}

TEST(Text, LongListsOfAssumptionsAreCut) {
  Example example;
  example.result.assumptions = std::vector<std::string>(25, "something");
  EXPECT_THAT(text(example.sources, example.result, {}), HasSubstr("assuming: 15 more (-v lists them)\n"));
}

// --------------------------------------------------------------------------------------------------------------- JSON

using Json = nlohmann::json;

// As much of JSON Schema as our schema uses; anything else in it fails.
class SchemaCheck {
 public:
  explicit SchemaCheck(Json schema) : root_(std::move(schema)) {}

  void check(const Json& value) const { check(value, root_, "report"); }

 private:
  void check(const Json& value, const Json& schema, const std::string& where) const {
    SCOPED_TRACE(where);
    for (const auto& [word, argument] : schema.items()) {
      if (word == "$ref") {
        check(value, root_.at(Json::json_pointer(argument.get<std::string>().substr(1))), where);
      } else if (word == "type") {
        EXPECT_TRUE(has_type(value, argument)) << argument << ", but it is " << value;
      } else if (word == "enum") {
        EXPECT_NE(std::find(argument.begin(), argument.end(), value), argument.end()) << value;
      } else if (word == "minimum") {
        EXPECT_GE(value, argument);
      } else if (word == "required") {
        for (const Json& name : argument) EXPECT_TRUE(value.contains(name.get<std::string>())) << name;
      } else if (word == "items") {
        for (const Json& item : value) check(item, argument, where + "[]");
      } else if (word == "additionalProperties") {
        check_others(value, schema, argument, where);
      } else if (word == "properties") {
        for (const auto& [name, inner] : argument.items()) {
          if (value.contains(name)) check(value.at(name), inner, where + "." + name);
        }
      } else {
        EXPECT_THAT((std::vector<std::string>{"$schema", "$id", "$defs", "title", "description"}),
                    testing::Contains(word));
      }
    }
  }

  void check_others(const Json& value, const Json& schema, const Json& rule, const std::string& where) const {
    for (const auto& [name, inner] : value.items()) {
      if (schema.contains("properties") && schema.at("properties").contains(name)) continue;
      if (rule.is_boolean()) {
        EXPECT_TRUE(rule.get<bool>()) << "unexpected " << name;
      } else {
        check(inner, rule, where + "." + name);
      }
    }
  }

  static bool has_type(const Json& value, const std::string& type) {
    if (type == "object") return value.is_object();
    if (type == "array") return value.is_array();
    if (type == "string") return value.is_string();
    if (type == "integer") return value.is_number_integer();
    if (type == "boolean") return value.is_boolean();
    return type == "number" && value.is_number();
  }

  Json root_;
};

Json parsed(const Example& example) { return Json::parse(json(example.sources, example.result, "1.2.3")); }

TEST(JsonReport, HasTheFieldsOfTheContract) {
  Example example;
  example.result.results = {example.violated()};
  example.result.results.front().related = {{example.find("var x: int = 0;"), "declared here"}};
  example.result.results.front().trace.ending = {{"check", "x = 1", "", {}}};
  example.result.verdict = Verdict::kViolated;
  example.result.assumptions = {"integers are unbounded"};
  example.result.not_checked = {diag::Kind::kDeadlock};
  example.result.parts = {{"check", example.find("var x: int = 0;"), 0.5}};
  example.result.statistics = {{"states", 12}, {"transitions", 30}};
  example.result.time_ms = 1.5;
  EXPECT_EQ(parsed(example), Json::parse(R"({
    "concord": "1.2.3", "verdict": "violated", "interrupted": false,
    "assumptions": ["integers are unbounded"], "notes": [], "inferred": [], "not_checked": ["deadlock"],
    "properties": [{
      "id": "assertion@a.plato:6:16", "kind": "assertion", "engine": "explore", "verdict": "violated",
      "message": "the assertion can fail", "location": {"file": "a.plato", "line": 6, "column": 16},
      "related": [
        {"message": "declared here", "location": {"file": "a.plato", "line": 1, "column": 1}},
        {"message": "initially x = 0", "location": {"file": "a.plato", "line": 6, "column": 16}},
        {"message": "check waits at `x = 1`", "location": {
    "file" : "a.plato", "line" : 6, "column" : 16}
}],
      "trace": [
        {"thread": "add#1", "location": {"file": "a.plato", "line": 3, "column": 3}, "text": "var t: int = x;",
         "changes": {}},
        {"thread": "add#1", "location": {"file": "a.plato", "line": 4, "column": 3}, "text": "x = t + 1;",
         "changes": {"x": "1"}},
        {"thread": "check", "location": {"file": "a.plato", "line": 6, "column": 16},
         "text": "assert x != 1;  // goes wrong here", "changes": {}}],
      "time_ms": 0.0
}],
    "parts": [{"name": "check", "location": {"file": "a.plato", "line": 1, "column": 1}, "time_ms": 0.5}],
    "statistics": {"time_ms": 1.5, "obligations": 0, "states": 12, "transitions": 30}
})"));
  SchemaCheck(Json::parse(json_schema())).check(parsed(example));
}

TEST(JsonReport, NothingToCheckFitsTheSchemaToo) {
  Example example;
  example.result.nothing_checked = "nothing to check";
  EXPECT_EQ(parsed(example).at("verdict"), "unknown");
  EXPECT_TRUE(parsed(example).at("properties").empty());
  SchemaCheck(Json::parse(json_schema())).check(parsed(example));
}

TEST(JsonReport, TheReasonOfUnknownIsInTheMessage) {
  Example example;
  example.result.results = {example.property(diag::Kind::kAssertion, "assert x != 1;", Verdict::kUnknown)};
  example.result.results.front().reason = "time limit of 5 s";
  EXPECT_EQ(parsed(example).at("properties").at(0).at("message"), "time limit of 5 s");
}

TEST(JsonReport, BytesThatAreNoTextDoNoHarm) {
  Example example;
  example.result.assumptions = {"file \xff"};
  EXPECT_NO_THROW(parsed(example));
}

}  // namespace
}  // namespace concord::report
