#include "diag/diagnostic.h"

#include <gtest/gtest.h>

namespace concord::diag {
namespace {

base::SourceRange range(std::uint32_t begin, std::uint32_t end) { return {0, begin, end}; }

std::string snippet_of(const std::string& text, std::uint32_t begin, std::uint32_t end) {
  base::SourceMap sources;
  sources.add("a.plato", text);
  return snippet(sources, range(begin, end));
}

TEST(Render, error_with_note_and_hint) {
  base::SourceMap sources;
  sources.add("dir/a.plato", "var x: int;\nvar y: int;\nvar x: bool;\n");
  Sink sink;
  Diagnostic& error = sink.error(range(28, 29), "`x` is declared twice", "rename one of the two");
  error.notes.push_back({range(4, 5), "the other declaration is here"});
  EXPECT_EQ(render(sources, sink.errors()[0]),
            "dir/a.plato:3:5: error: `x` is declared twice\n"
            "var x: bool;\n"
            "    ^\n"
            "dir/a.plato:1:5: note: the other declaration is here\n"
            "var x: int;\n"
            "    ^\n"
            "hint: rename one of the two\n");
}

TEST(Render, without_a_file) {
  const base::SourceMap none;
  EXPECT_EQ(render(none, {{}, "no input", "give a file", {}}), "error: no input\nhint: give a file\n");
}

TEST(Snippet, underlines_the_range) { EXPECT_EQ(snippet_of("a = foo + 1;\n", 4, 7), "a = foo + 1;\n    ^~~\n"); }

TEST(Snippet, stops_at_the_end_of_the_line) {
  EXPECT_EQ(snippet_of("while (x) {\n  skip;\n}\n", 0, 21), "while (x) {\n^~~~~~~~~~~\n");
}

TEST(Snippet, empty_range_gets_one_caret) { EXPECT_EQ(snippet_of("x = 1\n", 5, 5), "x = 1\n     ^\n"); }

TEST(Snippet, keeps_tabs) { EXPECT_EQ(snippet_of("\tx\t= 1;", 3, 4), "\tx\t= 1;\n\t \t^\n"); }

TEST(Snippet, counts_characters_not_bytes) { EXPECT_EQ(snippet_of("/* é€ */ x", 12, 13), "/* é€ */ x\n         ^\n"); }

TEST(Snippet, end_of_file) {
  EXPECT_EQ(snippet_of("", 0, 0), "\n^\n");
  EXPECT_EQ(snippet_of("x\n", 2, 2), "\n^\n");
  EXPECT_EQ(snippet_of("x\r\n", 1, 2), "x\n ^\n");
  EXPECT_EQ(snippet_of("x", 7, 9), "x\n ^\n");
  EXPECT_EQ(snippet_of("xyz", 2, 0), "xyz\n  ^\n");
}

TEST(Snippet, shows_no_control_characters) {
  EXPECT_EQ(snippet_of("a\x1B[31m\x7F b", 8, 9), "a?[31m? b\n        ^\n");
  EXPECT_EQ(snippet_of("a \xC2\x9B x", 5, 6), "a ? x\n    ^\n") << "C1 control";
  EXPECT_EQ(snippet_of("a \xE2\x80\xAE x", 6, 7), "a ? x\n    ^\n") << "right-to-left override";
  EXPECT_EQ(snippet_of("a \xFF x", 4, 5), "a ? x\n    ^\n") << "not UTF-8";
  EXPECT_EQ(snippet_of("a \xE2\x82", 2, 3), "a ??\n  ^\n") << "cut in the middle of a character";
}

TEST(Snippet, cuts_long_lines) {
  const std::string a(200, 'a');
  const std::string b(200, 'b');
  EXPECT_EQ(snippet_of(a + "XY" + b, 200, 202),
            "…" + std::string(55, 'a') + "XY" + std::string(53, 'b') + "…\n" + std::string(56, ' ') + "^~\n");
  EXPECT_EQ(snippet_of(a, 0, 1), std::string(110, 'a') + "…\n^\n");
  EXPECT_EQ(snippet_of(a, 200, 200), "…" + std::string(110, 'a') + "\n" + std::string(111, ' ') + "^\n");
  EXPECT_EQ(snippet_of(a, 0, 200), std::string(110, 'a') + "…\n^" + std::string(109, '~') + "\n");
}

TEST(Snippet, very_long_lines_of_wide_characters) {
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "é";
  std::string part;
  for (int i = 0; i < 55; ++i) part += "é";
  EXPECT_EQ(snippet_of(text, 2000, 2002), "…" + part + part + "…\n" + std::string(56, ' ') + "^\n");
}

TEST(Nearest, finds_misspellings) {
  const std::vector<std::string> words = {"assert", "assume", "return", "env_assumption"};
  EXPECT_EQ(nearest("asert", words), "assert");
  EXPECT_EQ(nearest("retrun", words), "return");
  EXPECT_EQ(nearest("env_asumptoin", words), "env_assumption");
  EXPECT_EQ(nearest("assert", words), "assert");
}

TEST(Nearest, does_not_guess_wildly) {
  EXPECT_EQ(nearest("banana", {"assert", "return"}), "");
  EXPECT_EQ(nearest("x", {"y", "zz"}), "") << "they share nothing";
  EXPECT_EQ(nearest("", {"y"}), "");
  EXPECT_EQ(nearest("x", {}), "");
  EXPECT_EQ(nearest(std::string(1000, 'x'), {std::string(1000, 'x')}), "") << "too long to bother";
}

TEST(Nearest, the_first_of_equals) { EXPECT_EQ(nearest("xs", {"xa", "xb"}), "xa"); }

TEST(Sink, is_full_at_the_limit) {
  Sink sink;
  EXPECT_FALSE(sink.has_errors());
  for (std::size_t i = 1; i < Sink::kMostErrors; ++i) sink.error({}, "e");
  EXPECT_TRUE(sink.has_errors());
  EXPECT_FALSE(sink.is_full());
  sink.error({}, "e");
  EXPECT_TRUE(sink.is_full());
}

}  // namespace
}  // namespace concord::diag
