#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "engine/shape/tvla/lexer.h"
#include "engine/shape/tvla/reader.h"

namespace concord::engine::shape::tvla {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// Files in memory, and what is read from them.
struct Files {
  std::map<std::string, std::string> texts;
  std::vector<std::string> definitions;
  base::SourceMap sources;
  diag::Sink sink;

  FileReader reader() {
    return [this](const std::string& path) -> std::optional<std::string> {
      const auto found = texts.find(path);
      return found == texts.end() ? std::nullopt : std::optional(found->second);
    };
  }
  std::optional<System> model(const std::string& path) {
    return read_model(sources, path, reader(), definitions, sink);
  }
  std::vector<Given> structures(const std::string& path, const System& system) {
    return read_structures(sources, path, reader(), definitions, system, sink);
  }
  std::string errors() const {
    std::string all;
    for (const diag::Diagnostic& error : sink.errors()) all += diag::render(sources, error);
    return all;
  }
};

System system_of(const std::string& text, const std::string& path = "m.tvp",
                 const std::vector<std::string>& definitions = {}) {
  Files files{{{path, text}}, definitions, {}, {}};
  const std::optional<System> system = files.model(path);
  EXPECT_EQ(files.errors(), "");
  return system.value_or(System());
}

// What is said of a model that is wrong.
std::string errors_of(const std::string& text, const std::string& path = "m.tvp") {
  Files files{{{path, text}}, {}, {}, {}};
  EXPECT_FALSE(files.model(path));
  return files.errors();
}

// Only the first line of each message.
std::string messages_of(const std::string& text, const std::string& path = "m.tvp") {
  Files files{{{path, text}}, {}, {}, {}};
  EXPECT_FALSE(files.model(path));
  std::string all;
  for (const diag::Diagnostic& error : files.sink.errors()) {
    all += files.sources.place(error.range).substr(6) + " " + error.message + "\n";
  }
  return all;
}

std::string joined(const std::vector<std::string>& parts, const std::string& between) {
  std::string out;
  for (const std::string& it : parts) out += (out.empty() ? "" : between) + it;
  return out;
}

// The formula with all its brackets.
std::string tree(const System& system, const Formula& it) {
  std::vector<std::string> parts;
  for (const FormulaPtr& part : it.parts) parts.push_back(tree(system, *part));
  const std::vector<std::string>& vars = it.variables;
  switch (it.kind) {
    case Formula::Kind::kValue: return it.value == Kleene::kTrue ? "1" : it.value == Kleene::kFalse ? "0" : "1/2";
    case Formula::Kind::kAtom:
      return system.predicates.at(static_cast<std::size_t>(it.predicate)).name + "(" + joined(vars, ",") + ")";
    case Formula::Kind::kEqual: return "(" + vars[0] + "==" + vars[1] + ")";
    case Formula::Kind::kNot: return "!" + parts[0];
    case Formula::Kind::kAnd: return "(" + joined(parts, " & ") + ")";
    case Formula::Kind::kOr: return "(" + joined(parts, " | ") + ")";
    case Formula::Kind::kIf: return "(" + parts[0] + " ? " + parts[1] + " : " + parts[2] + ")";
    case Formula::Kind::kExists: return "(E(" + joined(vars, ",") + ") " + parts[0] + ")";
    case Formula::Kind::kForall: return "(A(" + joined(vars, ",") + ") " + parts[0] + ")";
    case Formula::Kind::kClosure:
      return "(TC(" + vars[0] + "," + vars[1] + ")(" + vars[2] + "," + vars[3] + ") " + parts[0] + ")";
  }
  return "?";
}

std::string tree(const System& system, const FormulaPtr& it) { return it ? tree(system, *it) : "none"; }

const Predicate& named(const System& system, const std::string& name) {
  for (const Predicate& it : system.predicates) {
    if (it.name == name) return it;
  }
  ADD_FAILURE() << "no predicate " << name;
  static const Predicate none;
  return none;
}

bool has(const System& system, const std::string& name) {
  for (const Predicate& it : system.predicates) {
    if (it.name == name) return true;
  }
  return false;
}

const std::string kDeclarations =
    "%s Empty {}\n%s Some { s, t }\n%p a()\n%p b()\n%p c()\n%p s(v)\n%p t(v)\n%p p(v)\n%p n(v, w)\n%p r[n,s](v, w)\n";

// How the formula is read, as a precondition.
std::string read_as(const std::string& formula) {
  const System system = system_of(kDeclarations + "%%\n%action go() {\n%p " + formula + "\n}\n%%\nx go() y\n");
  return system.actions.empty() ? "" : tree(system, system.actions[0].precondition);
}

std::string wrong_formula(const std::string& formula) {
  return messages_of(kDeclarations + "%%\n%action go() {\n%p " + formula + "\n}\n%%\nx go() y\n");
}

// ------------------------------------------------------------------------------------------------------------ preprocessor

// The characters that are left, without empty lines.
std::string preprocessed(Files& files, const std::string& path) {
  const std::string text(preprocess(files.sources, path, files.reader(), files.definitions, files.sink).view());
  std::string out;
  for (const char c : text) {
    if (c != '\n' || (!out.empty() && out.back() != '\n')) out += c;
  }
  return out;
}

std::string preprocessed(const std::string& text, const std::vector<std::string>& definitions = {}) {
  Files files{{{"m.tvp", text}}, definitions, {}, {}};
  std::string out = preprocessed(files, "m.tvp");
  EXPECT_EQ(files.errors(), "");
  return out;
}

std::string wrong_text(const std::string& text) {
  Files files{{{"m.tvp", text}}, {}, {}, {}};
  preprocessed(files, "m.tvp");
  return files.errors();
}

TEST(TvlaPreprocess, Macros) {
  EXPECT_EQ(preprocessed("#define X y\nX XX X.X\n"), "y XX y.y\n");
  EXPECT_EQ(preprocessed("#define F(a,b) b(a)\nF(x, g(y, z))\n"), "g(y, z)(x)\n");
  EXPECT_EQ(preprocessed("#define F(a) [a]\nF F(F(x))\n"), "F [[x]]\n");
  EXPECT_EQ(preprocessed("#define F(a) [a]\nF(\n x\n)\n"), "[x]\n");
  EXPECT_EQ(preprocessed("#define F() e\nF()F( )\n"), "ee\n");
  EXPECT_EQ(preprocessed("#define F(a) [a]\nF()\n"), "[]\n");
  EXPECT_EQ(preprocessed("#define P(a, b) a ## _ ## b a##1\nP(x, y)\n"), "x_y x1\n");
  EXPECT_EQ(preprocessed("#define X y\n#define P(a) a##X a\nP(X)\n"), "XX y\n");
  EXPECT_EQ(preprocessed("#define L one \\\n  two\nL\n"), "one   two\n");
  EXPECT_EQ(preprocessed("#define L one\\ \t\n two\nL\n"), "one two\n");
  EXPECT_EQ(preprocessed("#define X X y\nX\n"), "X y\n");
  EXPECT_EQ(preprocessed("#define X 1\n#define X 2\nX\n"), "2\n");
}

TEST(TvlaPreprocess, MacrosAreReplacedInStrings) {
  EXPECT_EQ(preprocessed("#define X y\n\"an X, so\"\n"), "\"an y, so\"\n");
  EXPECT_EQ(preprocessed("#define F(a) \"of a\"\nF(x)\n"), "\"of x\"\n");
  EXPECT_EQ(preprocessed("#define F(a) [a]\n\"F(x) F(\" F(\"a,)\")\n"), "\"[x] F(\" [\"a,)\"]\n");
}

TEST(TvlaPreprocess, Comments) {
  EXPECT_EQ(preprocessed("a // b\nc /* d\n e */ f \"// g /*\"\n"), "a \nc   f \"// g /*\"\n");
  EXPECT_EQ(preprocessed("#define X y // not this\nX;\n"), "y;\n");
  EXPECT_EQ(preprocessed("/*\n#include \"gone\"\n*/x\n"), " x\n");
  EXPECT_EQ(preprocessed("a\r\nb\r\n"), "a\nb\n");
  EXPECT_EQ(wrong_text("x /* y\n"),
            "m.tvp:1:3: error: this comment is never closed\nx /* y\n  ^~\nhint: close it with `*/`\n");
}

TEST(TvlaPreprocess, Conditions) {
  const std::string text = "#ifdef A\na\n#else\nb\n#endif\n#ifndef A\nc\n#endif\n";
  EXPECT_EQ(preprocessed(text), "b\nc\n");
  EXPECT_EQ(preprocessed(text, {"A"}), "a\n");
  EXPECT_EQ(preprocessed("#ifdef A\n#ifdef B\nx\n#else\ny\n#endif\n#endif\n", {"B"}), "");
  // As TVLA has it: `#elseif` is `#else`, whatever follows.
  EXPECT_EQ(preprocessed("#ifdef A\na\n#elseif B\nb\n#endif\n"), "b\n");
  EXPECT_EQ(preprocessed("#ifdef A\na\n#elseif B\nb\n#endif\n", {"A"}), "a\n");
}

TEST(TvlaPreprocess, NumbersInConditions) {
  const auto holds = [](const std::string& condition) {
    return preprocessed("#if " + condition + "\nyes\n#endif\n", {"N=3", "ON"}) == "yes\n";
  };
  EXPECT_TRUE(holds("N == 3"));
  EXPECT_TRUE(holds("N >= 3 && N < 4"));
  EXPECT_FALSE(holds("N != 3 || N > 3"));
  EXPECT_TRUE(holds("!(N <= 2)"));
  EXPECT_TRUE(holds("defined N && !defined(M)"));
  EXPECT_TRUE(holds("ON"));
  EXPECT_FALSE(holds("OTHER"));
}

TEST(TvlaPreprocess, WrongDirectives) {
  EXPECT_EQ(wrong_text("a\n #ifdef X\nb\n"), "m.tvp:2:2: error: this has no `#endif`\n #ifdef X\n ^~~~~~\n");
  EXPECT_EQ(wrong_text("#endif\n"), "m.tvp:1:1: error: `#endif` without an `#if` before it\n#endif\n^~~~~~\n");
  EXPECT_THAT(wrong_text("#ifdef X\n#else\n#else\n#endif\n"), StartsWith("m.tvp:3:1: error: a second `#else`\n"));
  EXPECT_EQ(wrong_text("#undef X\n"), "m.tvp:1:1: error: `#undef` is not supported\n#undef X\n^~~~~~\n");
  EXPECT_THAT(wrong_text("#if 1\n#elif 2\n#endif\n"), HasSubstr("hint: write an `#if` inside the `#else`"));
  EXPECT_EQ(wrong_text("#if 1 + 2\n#endif\n"), "m.tvp:1:7: error: this is no condition\n#if 1 + 2\n      ^\n");
  EXPECT_EQ(wrong_text("#if (1\n#endif\n"), "m.tvp:1:7: error: expected `)`\n#if (1\n      ^\n");
  EXPECT_EQ(wrong_text("#define 3\n"), "m.tvp:1:9: error: expected the name of a macro\n#define 3\n        ^\n");
  EXPECT_EQ(wrong_text("#define F(a\n"), "m.tvp:1:12: error: expected `,` or `)`\n#define F(a\n           ^\n");
  EXPECT_EQ(wrong_text("#define F(a) a\nF(1, 2)\n"),
            "m.tvp:2:1: error: this macro takes 1 argument, but is given 2\nF(1, 2)\n^\n");
  EXPECT_EQ(wrong_text("#define F(a) a\nx F(1\n"),
            "m.tvp:2:3: error: the arguments of the macro `F` are never closed\nx F(1\n  ^\n");
  EXPECT_EQ(wrong_text("#include <x>\n"),
            "m.tvp:1:10: error: expected the name of a file in quotes\n#include <x>\n         ^\n");
}

TEST(TvlaPreprocess, Includes) {
  Files files{{{"d/m.tvp", "#include \"x\"\n#include \"e/y\"\nm\n"},
               {"d/x", "x\n"},
               {"d/e/y", "#include \"x\"\n#include \"z\"\ny\n"},
               {"d/e/x", "not this\n"},
               {"d/e/z", "z\n"}},
              {},
              {},
              {}};
  EXPECT_EQ(preprocessed(files, "d/m.tvp"), "x\nx\nz\ny\nm\n");
  EXPECT_EQ(files.errors(), "");
}

TEST(TvlaPreprocess, WrongIncludes) {
  EXPECT_EQ(wrong_text("#include \"gone\"\n"),
            "m.tvp:1:10: error: the file `gone` cannot be read\n#include \"gone\"\n         ^~~~~~\n");
  Files loop{{{"m.tvp", "#include \"x\"\n"}, {"x", "\n#include \"m.tvp\"\n"}}, {}, {}, {}};
  preprocessed(loop, "m.tvp");
  EXPECT_EQ(loop.errors(), "x:2:10: error: this file includes itself\n#include \"m.tvp\"\n         ^~~~~~~\n");
  Files missing;
  EXPECT_FALSE(missing.model("m.tvp"));
  EXPECT_THAT(missing.errors(), StartsWith("m.tvp:1:1: error: this file cannot be read\n"));
}

TEST(TvlaPreprocess, ErrorsAreWhereTheTextWasWritten) {
  Files files{{{"m.tvp", "#include \"d\"\n#define ATOM(f) f(v)\n%i q(v) = ATOM(lost)\n%%\n%%\nx go() y\n"},
               {"d", "%p p(v)\n%i i(v) = w(v)\n"}},
              {},
              {},
              {}};
  EXPECT_FALSE(files.model("m.tvp"));
  EXPECT_EQ(files.errors(),
            "d:2:11: error: there is no predicate `w`\n%i i(v) = w(v)\n          ^\n"
            "m.tvp:3:16: error: there is no predicate `lost`\n%i q(v) = ATOM(lost)\n               ^~~~\n"
            "m.tvp:6:3: error: there is no action `go`\nx go() y\n  ^~\n");
}

TEST(TvlaPreprocess, Explosions) {
  std::string text = "#define X0 x x\n";
  for (int i = 1; i < 60; ++i) {
    const std::string last = "X" + std::to_string(i - 1);
    text += "#define X" + std::to_string(i) + " " + last + " " + last + "\n";
  }
  EXPECT_THAT(wrong_text(text + "X59\n"), HasSubstr("the macros used here expand to too much text"));
  std::string nested = "#define F(a) a\n";
  for (int i = 0; i < 1000; ++i) nested += "F(";
  EXPECT_THAT(wrong_text(nested + std::string(1000, ')') + "\n"), HasSubstr("macros are nested too deeply here"));
  Files twice{{{"m.tvp", "#include \"0\"\n"}}, {}, {}, {}};
  for (int i = 0; i < 40; ++i) {
    const std::string next = "#include \"" + std::to_string(i + 1) + "\"\n";
    twice.texts[std::to_string(i)] = next + next;
  }
  twice.texts["40"] = "x\n";
  preprocessed(twice, "m.tvp");
  EXPECT_THAT(twice.errors(), HasSubstr("too many files are included"));
  EXPECT_THAT(wrong_text("#if " + std::string(100000, '(') + "\n#endif\n"), HasSubstr("nested too deeply"));
  EXPECT_THAT(wrong_text(std::string(5000000, '\n')), HasSubstr("the files are larger than 4 MB together"));
}

// ------------------------------------------------------------------------------------------------------------------ tokens

TEST(TvlaLexer, Tokens) {
  Files files{{{"m.tvp", "1/2 1 / 2 1 0 -> - > <-> < - > a.b$c ==> %% %pred \"a b\" \x1a"}}, {}, {}, {}};
  const Text text = preprocess(files.sources, "m.tvp", files.reader(), {}, files.sink);
  std::vector<TokenKind> kinds;
  for (const Token& it : lex(text, files.sink)) kinds.push_back(it.kind);
  EXPECT_EQ(files.errors(), "");
  EXPECT_THAT(kinds, ElementsAre(TokenKind::kUnknown, TokenKind::kUnknown, TokenKind::kTrue, TokenKind::kFalse,
                                 TokenKind::kArrow, TokenKind::kArrow, TokenKind::kIff, TokenKind::kIff,
                                 TokenKind::kWord, TokenKind::kImplies, TokenKind::kSection, TokenKind::kDirective,
                                 TokenKind::kString, TokenKind::kEnd));
}

TEST(TvlaLexer, WhatIsNoToken) {
  EXPECT_EQ(messages_of("%p p(v)\n@@ %p q(v)\n%%\n%%\nx y() z\n"), "2:1 unexpected character `@`\n");
  EXPECT_EQ(messages_of("%p p(2)\n%%\n%%\nx y() z\n"), "1:6 the only numbers are 0, 1 and 1/2\n");
  EXPECT_EQ(messages_of("%%\n%action a() { %t \"x\n}\n%%\nx a() y"), "2:18 this string does not end on its line\n");
}

// ---------------------------------------------------------------------------------------------------------------- formulas

TEST(TvlaFormulas, Precedence) {
  EXPECT_EQ(read_as("a() & b() | c()"), "((a() & b()) | c())");
  EXPECT_EQ(read_as("a() | b() & c()"), "(a() | (b() & c()))");
  EXPECT_EQ(read_as("!a() & b()"), "(!a() & b())");
  EXPECT_EQ(read_as("a() & b() & c()"), "(a() & b() & c())");
  EXPECT_EQ(read_as("a() -> b()"), "(b() | !a())");
  EXPECT_EQ(read_as("a() -> b() -> c()"), "(c() | !(b() | !a()))");
  EXPECT_EQ(read_as("a() | b() -> c()"), "(c() | !(a() | b()))");
  EXPECT_EQ(read_as("a() <-> b() -> c()"), "(a() ? (c() | !b()) : !(c() | !b()))");
  EXPECT_EQ(read_as("a() <-> b() <-> c()"), "((a() ? b() : !b()) ? c() : !c())");
  EXPECT_EQ(read_as("a() & (b() | c())"), "(a() & (b() | c()))");
}

TEST(TvlaFormulas, QuantifiersReachFar) {
  EXPECT_EQ(read_as("a() & E(v) p(v) | b()"), "(a() & (E(v) (p(v) | b())))");
  EXPECT_EQ(read_as("!A(v) p(v) -> a()"), "!(A(v) (a() | !p(v)))");
  EXPECT_EQ(read_as("(E(v, w) n(v, w)) & a()"), "((E(v,w) n(v,w)) & a())");
  EXPECT_EQ(read_as("TC(x, y)(v, w) n(v, w) & p(z) | a()"), "(TC(x,y)(v,w) ((n(v,w) & p(z)) | a()))");
}

TEST(TvlaFormulas, Atoms) {
  EXPECT_EQ(read_as("1/2 | 0 | 1"), "(1/2 | 0 | 1)");
  EXPECT_EQ(read_as("x == y & x != y"), "((x==y) & !(x==y))");
  EXPECT_EQ(read_as("n+(x, y)"), "(TC(x,y)(from',to') n(from',to'))");
  EXPECT_EQ(read_as("n*(x, y)"), "((x==y) | (TC(x,y)(from',to') n(from',to')))");
  EXPECT_EQ(read_as("r[n,s](x, y)"), "r[n,s](x,y)");
  EXPECT_EQ(read_as("(a() ? b() : c())"), "(a() ? b() : c())");
  EXPECT_EQ(read_as("sm(x) & isNew(x) & instance(x, y)"), "(sm(x) & isNew(x) & instance(x,y))");
}

TEST(TvlaFormulas, EveryIndividualExists) {
  EXPECT_EQ(read_as("ac(x)"), "((x==x) ? 1 : 1)");
  EXPECT_EQ(read_as("inac(x)"), "((x==x) ? 1 : 1)");
}

TEST(TvlaFormulas, OverSets) {
  EXPECT_EQ(read_as("|/{ q(x) : q in Some }"), "(s(x) | t(x))");
  EXPECT_EQ(read_as("&/{ !q(x) : q in Some - {t} }"), "!s(x)");
  EXPECT_EQ(read_as("a() | |/{ q() : q in {b, c} }"), "(a() | (b() | c()))");
  EXPECT_EQ(read_as("|/{ |/{ r[q,z](x, y) : z in {s} } : q in {n} }"), "r[n,s](x,y)");
  EXPECT_EQ(read_as("|/{ a() : q in Empty }"), "0");
  EXPECT_EQ(read_as("&/{ a() : q in Empty }"), "1");
}

TEST(TvlaFormulas, WhatAPreconditionBindsOccursInIt) {
  EXPECT_EQ(read_as("&/{ q(x) : q in Empty }"), "(1 & ((x==x) ? 1 : 1))");
  EXPECT_EQ(read_as("|/{ q(x) : q in Empty }"), "(0 | !((x==x) ? 1 : 1))");
}

TEST(TvlaFormulas, Wrong) {
  EXPECT_EQ(wrong_formula("a() &"), "14:1 expected a formula, found `}`\n");
  EXPECT_EQ(wrong_formula("(a()"), "14:1 expected `)`, found `}`\n");
  EXPECT_EQ(wrong_formula("a"), "14:1 expected `(`, found `}`\n");
  EXPECT_EQ(wrong_formula("p()"), "13:4 `p` has 1 argument, but is given 0\n");
  EXPECT_EQ(wrong_formula("n(x, y, z)"), "13:4 `n` has 2 arguments, but is given 3\n");
  EXPECT_EQ(wrong_formula("p*(x, y)"), "13:4 `p` has 1 argument, but is given 2\n");
  EXPECT_EQ(wrong_formula("n*(x)"), "13:4 `n` has 2 arguments, but is given 1\n");
  EXPECT_EQ(wrong_formula("|/{ q(x) : q in Sum }"), "13:20 there is no set `Sum`\n");
  EXPECT_EQ(wrong_formula("|/{ q(x) : q of Some }"), "13:17 expected `in`, found `of`\n");
  EXPECT_EQ(wrong_formula("p(x) & E(x) p(x)"),
            "13:13 the variable `x` is bound here, and free elsewhere in the formula\n");
  EXPECT_EQ(wrong_formula("TC(x, y)(v) n(x, v)"), "13:4 `TC` is written TC(from, to)(a, b) with two variables each\n");
  EXPECT_EQ(wrong_formula("TC(x, y)(v, v) p(v)"), "13:16 the two variables of a step must be different\n");
  EXPECT_EQ(wrong_formula("E() a()"), "13:4 a quantifier needs a variable\n");
  EXPECT_EQ(wrong_formula("r[n,s] == x"), "13:4 only variables can be compared\n");
}

TEST(TvlaFormulas, Depth) {
  const std::string deep = "the nesting here is deeper than 400 levels, which is the limit\n";
  EXPECT_THAT(wrong_formula(std::string(100000, '(')), HasSubstr(deep));
  EXPECT_THAT(wrong_formula(std::string(100000, '!')), HasSubstr(deep));
  std::string arrows = "a()";
  for (int i = 0; i < 10000; ++i) arrows += " -> a()";
  EXPECT_THAT(wrong_formula(arrows), HasSubstr(deep));
  std::string names = "a";
  for (int i = 0; i < 10000; ++i) names += "[a";
  EXPECT_THAT(wrong_formula(names), HasSubstr(deep));
  std::string chain = "a()";
  for (int i = 0; i < 10000; ++i) chain += " & a()";
  EXPECT_THAT(read_as(chain), StartsWith("(a() & a() & "));
}

// ------------------------------------------------------------------------------------------------------------ declarations

System declared(const std::string& text, const std::string& path = "m.tvp") {
  const std::string program = path == "m.tvp" ? "x go() y\n" : "%thread T { x go() \"y z\" }\n%%\n";
  return system_of(text + "%%\n%action go() {}\n%%\n" + program, path);
}

TEST(TvlaDeclarations, Properties) {
  const System system = declared(
      "%p u(v) unique pointer box {1,1/2}\n%p f(a, b) function invfunction acyclic\n"
      "%p o(a, b) transitive antireflexive antisymmetric {}\n%p e(a, b) symmetric reflexive\n%p m(v) nonabs\n%p z() "
      "abs\n");
  EXPECT_TRUE(named(system, "u").is_unique && named(system, "u").is_pointer && named(system, "u").is_abstraction);
  const Predicate& f = named(system, "f");
  EXPECT_TRUE(f.is_function && f.is_inverse_function && f.is_acyclic && !f.is_abstraction && f.arity == 2);
  const Predicate& o = named(system, "o");
  EXPECT_TRUE(o.is_transitive && o.is_antireflexive && o.is_antisymmetric);
  EXPECT_TRUE(named(system, "e").is_symmetric && named(system, "e").is_reflexive);
  EXPECT_FALSE(named(system, "m").is_abstraction);
  EXPECT_TRUE(named(system, "z").is_abstraction && named(system, "z").arity == 0);
}

TEST(TvlaDeclarations, Predefined) {
  const System system = declared("");
  EXPECT_EQ(system.predicates.size(), 3U);
  EXPECT_EQ(system.predicates.at(static_cast<std::size_t>(system.sm)).name, "sm");
  EXPECT_EQ(system.predicates.at(static_cast<std::size_t>(system.is_new)).name, "isNew");
  EXPECT_EQ(system.predicates.at(static_cast<std::size_t>(system.instance)).arity, 2);
  EXPECT_FALSE(system.has_threads);
  EXPECT_TRUE(system.at.empty());
}

TEST(TvlaDeclarations, PredefinedWithThreads) {
  const System system = declared("foreach (l in Labels) { %p been[l]() }\n", "m.tvm");
  EXPECT_TRUE(system.has_threads);
  EXPECT_THAT(system.labels, ElementsAre("x", "y z"));
  EXPECT_EQ(system.predicates.at(static_cast<std::size_t>(system.at.at(1))).name, "at[y z]");
  EXPECT_TRUE(named(system, "at[x]").is_abstraction && named(system, "ready").is_abstraction);
  EXPECT_TRUE(named(system, "runnable").is_unique && !named(system, "runnable").is_abstraction);
  EXPECT_TRUE(has(system, "been[x]") && has(system, "been[y z]"));
}

TEST(TvlaDeclarations, Sets) {
  const System system = declared(
      "%s A { x, y }\n%s A { y, z }\n%s B A - { x } + { w }\n%s C A & (B - {z}) \n%s D { q[d], r[d,d] : d in C }\n"
      "foreach (a in A) { %p a() }\n"
      "foreach (b in B - A) { %p of[b](v) }\n"
      "foreach (d in D) { %p d() }\n"
      "foreach (a in A) { foreach (c in C) { %i both[a,c]() = a() & c() } }\n");
  std::vector<std::string> names;
  for (const Predicate& it : system.predicates) names.push_back(it.name);
  EXPECT_THAT(names, ElementsAre("sm", "isNew", "instance", "x", "y", "z", "of[w]", "q[y]", "r[y,y]", "both[x,y]",
                                 "both[y,y]", "both[z,y]"));
  EXPECT_EQ(tree(system, named(system, "both[z,y]").definition), "(z() & y())");
}

TEST(TvlaDeclarations, NestedParameters) {
  const System system =
      declared("%p n[x](a, b)\n%p y(v)\n%s S { n[x] }\nforeach (f in S) { %i r[f,y](v) = E(w) (y(w) & f*(w, v)) }\n");
  const Predicate& it = named(system, "r[n[x],y]");
  EXPECT_THAT(it.variables, ElementsAre("v"));
  EXPECT_EQ(tree(system, it.definition), "(E(w) (y(w) & ((w==v) | (TC(w,v)(from',to') n[x](from',to')))))");
}

TEST(TvlaDeclarations, VariablesAreNotReplaced) {
  const System system = declared("%s S { p, q }\nforeach (v in S) { %p v(v) %i i[v](v) = v(v) }\n");
  EXPECT_EQ(tree(system, named(system, "i[q]").definition), "q(v)");
}

TEST(TvlaDeclarations, Rules) {
  const System system = declared(
      "%p p(v)\n%p n(a, b)\n%r p(x) & n(x, y) ==> !p(y)\n%r n(x, y) & n(x, z) ==> y == z\n"
      "%r p(x) & n(x, x) ==> 0\n%r p(x) & p(y) ==> x != y\n");
  ASSERT_EQ(system.rules.size(), 4U);
  EXPECT_EQ(tree(system, system.rules[0].body), "(p(x) & n(x,y))");
  EXPECT_EQ(tree(system, system.rules[0].head), "!p(y)");
  EXPECT_EQ(tree(system, system.rules[3].head), "!(x==y)");
}

std::string wrong_declaration(const std::string& text, const std::string& path = "m.tvp") {
  const std::string program = path == "m.tvp" ? "x go() y\n" : "%thread T { x go() y }\n%%\n";
  return messages_of(text + "%%\n%action go() {}\n%%\n" + program, path);
}

TEST(TvlaDeclarations, Wrong) {
  EXPECT_EQ(wrong_declaration("%p p(v) uniqe\n"), "1:9 there is no property `uniqe`\n");
  EXPECT_EQ(wrong_declaration("%p p(v) function\n"), "1:9 `function` is a property of predicates of two arguments\n");
  EXPECT_EQ(wrong_declaration("%p n(a, b) abs\n"),
            "1:12 a predicate of two arguments cannot be an abstraction predicate\n");
  EXPECT_EQ(wrong_declaration("%p t(a, b, c)\n"), "1:12 predicates of more than two arguments are not supported\n");
  EXPECT_EQ(wrong_declaration("%p n(a, a)\n"), "1:9 a second argument `a`\n");
  EXPECT_EQ(wrong_declaration("%p p(v)\n%p p(v)\n"), "2:4 the predicate `p` is declared already\n");
  EXPECT_EQ(wrong_declaration("%p sm(v)\n"), "1:4 the predicate `sm` is predefined\n");
  EXPECT_EQ(wrong_declaration("%p ac(v)\n"), "1:4 the predicate `ac` is predefined\n");
  EXPECT_EQ(wrong_declaration("%p at[x](v)\n", "m.tvm"), "1:4 the predicate `at[x]` is predefined\n");
  EXPECT_EQ(wrong_declaration("%p E(v)\n"), "1:4 `E` is a reserved word; it cannot be a name\n");
  EXPECT_EQ(wrong_declaration("%p p(v)\n%i q(v) = p(w)\n"),
            "2:13 the variable `w` is not bound and is no argument of `q`\n");
  EXPECT_EQ(wrong_declaration("%p p(v)\n%i q(v) = E(v) p(v)\n"),
            "2:13 the variable `v` is bound here, but is an argument\n");
  EXPECT_EQ(wrong_declaration("%p p()\n%r p() ==> p() | p()\n"),
            "2:12 after `==>` there must be 0, a predicate or an equation, or the negation of one of the latter\n");
  EXPECT_EQ(wrong_declaration("foreach (x in None) { %p x() }\n"), "1:15 there is no set `None`\n");
  EXPECT_EQ(wrong_declaration("%p p() uniquePerCC(q)\n"), "1:8 `uniquePerCC` is not supported\n");
  EXPECT_EQ(wrong_declaration("%p n(a, b) [a] -> b\n"),
            "1:12 a functional dependency written with [ ] is not supported\n");
  for (const std::string it : {"%pset", "%dname", "%closecycle"}) {
    EXPECT_EQ(wrong_declaration(it + " x\n"), "1:1 `" + it + "` is not supported\n");
  }
  EXPECT_EQ(wrong_declaration("%x p(v)\n%p p(v) 1\n%p q(v)\n"),
            "1:1 expected a declaration: %s, %p, %i, %r or foreach, found `%x`\n"
            "2:9 expected a declaration: %s, %p, %i, %r or foreach, found `1`\n");
}

TEST(TvlaDeclarations, Hints) {
  EXPECT_EQ(errors_of("%p count(v)\n%i q(v) = cuont(v)\n%%\n%action go() {}\n%%\nx go() y\n"),
            "m.tvp:2:11: error: there is no predicate `cuont`\n%i q(v) = cuont(v)\n          ^~~~~\n"
            "hint: did you mean `count`?\n");
  EXPECT_EQ(errors_of("%i q(v) = later(v)\n%p later(v)\n%%\n%action go() {}\n%%\nx go() y\n"),
            "m.tvp:1:11: error: there is no predicate `later`\n%i q(v) = later(v)\n          ^~~~~\n"
            "hint: predicates are declared before they are used\n");
  EXPECT_EQ(errors_of("%p p(v)\n %p p(w)\n%%\n%action go() {}\n%%\nx go() y\n"),
            "m.tvp:2:5: error: the predicate `p` is declared already\n %p p(w)\n    ^\n"
            "m.tvp:1:4: note: here\n%p p(v)\n   ^\n");
}

TEST(TvlaDeclarations, Explosions) {
  const std::string large = "the model is too large, once its sets and the parameters of its actions are expanded\n";
  std::string loops = "%s S { a, b, c, d, e, f, g, h, i, j }\n";
  for (int i = 0; i < 12; ++i) loops += "foreach (x" + std::to_string(i) + " in S) {\n";
  EXPECT_EQ(declared(loops + std::string(12, '}')).predicates.size(), 3U);
  EXPECT_THAT(wrong_declaration(loops + "%p p[x0,x1,x2,x3,x4,x5,x6,x7,x8,x9,x10,x11]()" + std::string(12, '}')),
              HasSubstr(large));
  std::string names = "%s S0 { a }\n";
  for (int i = 1; i < 40; ++i) {
    names += "%s S" + std::to_string(i) + " { r[x,x] : x in S" + std::to_string(i - 1) + " }\n";
  }
  EXPECT_THAT(wrong_declaration(names), HasSubstr("is longer than 500 letters"));
  std::string equal = "a()";
  for (int i = 0; i < 30; ++i) equal = "a() <-> (" + equal + ")";
  EXPECT_THAT(wrong_declaration("%p a()\n%i b() = " + equal + "\n"), HasSubstr(large));
}

// ----------------------------------------------------------------------------------------------------------------- actions

System with_action(const std::string& action, const std::string& use = "go()") {
  return system_of(kDeclarations + "%%\n" + action + "\n%%\nx " + use + " y\n");
}

TEST(TvlaActions, Clauses) {
  const System system =
      system_of(kDeclarations +
                    "%%\n%action go(q) {\n%t \"go \" + q + \"!\"\n%f { q(v), a() }\n%p q(u) & n(u, w)\n"
                    "%message p(u) -> \"bad \" + q\n%message (E(v) p(v)) -> \"worse\"\n%new q(z) & n(z, u)\n"
                    "%halt a()\n{\nq(v) = q(v) & v != u\n(a()) = 1/2\n}\n%retain z != u\n}\n%%\n"
                    "%thread T { x go(s) y }\n%%\n",
                "m.tvm");
  ASSERT_EQ(system.actions.size(), 1U);
  const Action& it = system.actions[0];
  EXPECT_EQ(it.title, "go s!");
  ASSERT_EQ(it.focus.size(), 2U);
  EXPECT_EQ(tree(system, it.focus[0]), "s(v)");
  EXPECT_EQ(tree(system, it.precondition), "(s(u) & n(u,w))");
  ASSERT_EQ(it.messages.size(), 2U);
  EXPECT_EQ(it.messages[0].text, "bad s");
  EXPECT_EQ(tree(system, it.messages[1].condition), "(E(v) p(v))");
  EXPECT_TRUE(it.creates);
  EXPECT_EQ(tree(system, it.created_for), "(s(z) & n(z,u))");
  EXPECT_EQ(tree(system, it.halts), "a()");
  ASSERT_EQ(it.updates.size(), 2U);
  EXPECT_EQ(system.predicates.at(static_cast<std::size_t>(it.updates[0].predicate)).name, "s");
  EXPECT_THAT(it.updates[0].variables, ElementsAre("v"));
  EXPECT_EQ(tree(system, it.updates[0].value), "(s(v) & !(v==u))");
  EXPECT_EQ(tree(system, it.updates[1].value), "1/2");
  EXPECT_EQ(tree(system, it.retained), "!(z==u)");
}

TEST(TvlaActions, Nothing) {
  const System system = with_action("%action go() {}");
  const Action& it = system.actions.at(0);
  EXPECT_EQ(it.title, "go()");
  EXPECT_EQ(tree(system, it.precondition), "none");
  EXPECT_FALSE(it.creates);
  EXPECT_TRUE(it.focus.empty() && it.messages.empty() && it.updates.empty() && !it.retained && !it.halts);
}

TEST(TvlaActions, NewWithoutFormula) {
  const System system = with_action("%action go() { %new { p(v) = isNew(v) } }");
  EXPECT_TRUE(system.actions.at(0).creates);
  EXPECT_FALSE(system.actions.at(0).created_for);
}

TEST(TvlaActions, Foreach) {
  const System system = with_action(
      "%action go(k) { %f { a(), foreach (q in Some) { q(v), b() } } { foreach (q in Some - {k}) { q(v) = k(v) } } }",
      "go(s)");
  const Action& it = system.actions.at(0);
  std::vector<std::string> focus;
  for (const FormulaPtr& formula : it.focus) focus.push_back(tree(system, formula));
  EXPECT_THAT(focus, ElementsAre("a()", "s(v)", "t(v)", "b()", "b()"));
  ASSERT_EQ(it.updates.size(), 1U);
  EXPECT_EQ(tree(system, it.updates[0].value), "s(v)");
}

TEST(TvlaActions, OfEveryAction) {
  const System system = system_of(
      kDeclarations + "%f { a() }\n%message b() -> \"b holds\"\n%%\n%action go() { %f { c() } }\n%%\nx go() y\n");
  ASSERT_EQ(system.actions.at(0).focus.size(), 2U);
  EXPECT_EQ(tree(system, system.actions[0].focus[1]), "a()");
  EXPECT_EQ(system.actions[0].messages.at(0).text, "b holds");
}

TEST(TvlaActions, OnePerArguments) {
  const System system =
      system_of(kDeclarations +
                "%%\n%action set(q) { { q(v) = 1 } }\n%action over(S) { { foreach (q in S) { q(v) = 0 } } }\n%%\n"
                "x set(s) y\ny set(t) z\nz set(s) x\nx over(Some) x\n");
  ASSERT_EQ(system.actions.size(), 3U);
  EXPECT_EQ(system.actions[0].title, "set(s)");
  EXPECT_EQ(system.actions[1].title, "set(t)");
  EXPECT_EQ(system.edges.at(0).action, system.edges.at(2).action);
  EXPECT_EQ(system.actions[2].updates.size(), 2U);
}

std::string wrong_action(const std::string& action, const std::string& use = "go()") {
  return messages_of(kDeclarations + "%%\n" + action + "\n%%\nx " + use + " y\n");
}

TEST(TvlaActions, Order) {
  EXPECT_EQ(wrong_action("%action go() { %p a() %f { a() } }"), "12:23 `%f` must come before `%p`\n");
  EXPECT_EQ(wrong_action("%action go() { { a() = 1 } %p a() }"), "12:28 `%p` must come before `{`\n");
  EXPECT_EQ(wrong_action("%action go() { %p a() %p b() }"), "12:23 a second `%p` in this action\n");
  EXPECT_EQ(wrong_action("%action go() { { a() = 1 } %message a() -> \"x\" }"),
            "12:28 a `%message` after `{` is not supported\n");
}

TEST(TvlaActions, Unsupported) {
  for (const std::string it : {"%param", "%frame_pre", "%compose", "%frame", "%clone", "%start", "%wait", "%stop",
                               "%newthread", "%explicitat", "%decompose"}) {
    EXPECT_EQ(wrong_action("%action go() { " + it + " p(v) }"), "12:16 `" + it + "` is not supported\n");
  }
  EXPECT_EQ(wrong_action("%action go() { %halt }"), "12:16 `%halt` is for models with threads (.tvm)\n");
}

// What is written is not looked at: `any` comes to hold with p, of whomever the precondition has found.
TEST(TvlaActions, FoundUpdates) {
  const std::string text = kDeclarations +
                           "%i any() = E(v) p(v)\n%i far(v) = E(w) (any() & n(w, v))\n%%\n"
                           "%action go() { %p s(v) { p(w) = p(w) | w == v any() = 0 auto far(u) = 0 auto } }\n"
                           "%action same() { { s(v) = 0 any() = 1 auto } }\n"
                           "%action made() { %new { p(v) = isNew(v) any() = 0 auto far(v) = 0 auto } }\n%%\n";
  const System system = system_of(text + "x go() y\ny same() z\nz made() u\n");
  ASSERT_EQ(system.actions.size(), 3U);
  std::vector<std::string> updated;
  for (const Update& it : system.actions[0].updates) {
    updated.push_back(system.predicates.at(static_cast<std::size_t>(it.predicate)).name);
    EXPECT_EQ(it.is_derived, updated.back() != "p");
  }
  EXPECT_THAT(updated, ElementsAre("p", "any", "far"));
  EXPECT_EQ(system.actions[1].updates.size(), 1U);
  ASSERT_EQ(system.actions[2].updates.size(), 3U);
  EXPECT_THAT(tree(system, system.actions[2].updates[1].value), HasSubstr("isNew"));
}

TEST(TvlaActions, UpdatesThatCannotBeFound) {
  EXPECT_EQ(wrong_action("%action go() { { a() = 1 auto } }"),
            "12:18 `a` has no definition that its update could be found from\n");
  const std::string defined = kDeclarations + "%i any() = E(v) p(v)\n%%\n%action go() {";
  EXPECT_EQ(messages_of(defined + " { p(v) = 0 any() = 0 auto } %retain s(v) }\n%%\nx go() y\n"),
            "13:27 an update cannot be found where `%retain` removes individuals\n");
  EXPECT_EQ(messages_of(defined + " { any() = 0 auto } }\n%%\n%thread T { x go() y }\n%%\n", "m.tvm"),
            "13:28 `auto` is for models without threads (.tvp)\n");
  std::string chain = kDeclarations + "%i q0() = E(v) p(v)\n";
  std::string updates = "p(v) = 0 q0() = 0 auto";
  for (int i = 1; i < 12; ++i) {
    const std::string before = "q" + std::to_string(i - 1) + "()";
    chain += "%i q" + std::to_string(i) + "() = " + before + " & !" + before + " | " + before + " & a()\n";
    updates += " q" + std::to_string(i) + "() = 0 auto";
  }
  EXPECT_THAT(messages_of(chain + "%%\n%action go() { { " + updates + " } }\n%%\nx go() y\n"),
              HasSubstr("what comes of this definition is too large"));
}

TEST(TvlaActions, Wrong) {
  EXPECT_EQ(wrong_action("%action go() { %message p(v) -> \"x\" }"),
            "12:27 the variable `v` is not bound and does not occur in the precondition\n");
  EXPECT_EQ(wrong_action("%action go() { %message a() -> b }"), "12:34 expected `(`, found `}`\n");
  EXPECT_EQ(wrong_action("%action go() { { p(v) = n(v, w) } }"),
            "12:30 the variable `w` is not bound and is no argument of `p` nor in the precondition\n");
  EXPECT_EQ(wrong_action("%action go() { %p p(v) { p(v) = 1 } }"),
            "12:28 the argument `v` has the name of a variable of the precondition\n");
  EXPECT_EQ(wrong_action("%action go() { { a() = 1 a() = 0 } }"), "12:26 a second update of `a`\n");
  EXPECT_EQ(wrong_action("%action go() { { n(v) = 1 } }"), "12:18 `n` has 2 arguments, but is given 1\n");
  EXPECT_EQ(wrong_action("%action go() { { sm(v) = 1 } }"), "12:18 `sm` changes by itself; it cannot be updated\n");
  EXPECT_EQ(
      wrong_action("%action go() { %new a() }"),
      "12:21 the formula of `%new` must have one free variable that does not occur in the precondition, but has 0\n");
  EXPECT_EQ(wrong_action("%action go() { %p p(v) %retain n(v, w) & n(w, x) }"),
            "12:32 the formula of `%retain` must have one free variable that does not occur in the precondition, but "
            "has 2\n");
  EXPECT_EQ(wrong_action("%action go(x, x) {}", "go(s, t)"), "12:15 a second parameter `x`\n");
  EXPECT_EQ(wrong_action("%action go() {}\n%action go() {}"), "13:9 a second action `go`\n");
  EXPECT_EQ(wrong_action("%action go(x) {}"), "14:3 `go` has 1 parameter, but is given 0\n");
  EXPECT_EQ(wrong_action("%action go() { \"%p\" a() }"),
            "12:16 expected a clause of an action or `}`, found a string\n");
  EXPECT_EQ(wrong_action("action go() {}"), "12:1 expected `%action`, found `action`\n");
}

TEST(TvlaActions, AMistakeIsToldOnceWithOneUse) {
  EXPECT_EQ(errors_of(kDeclarations + "%%\n%action set(q) { { q(v) = lost() } }\n%%\nx set(s) y\ny set(t) x\n"),
            "m.tvp:12:27: error: there is no predicate `lost`\n%action set(q) { { q(v) = lost() } }\n"
            "                          ^~~~\n"
            "m.tvp:14:3: note: for `set(s)`, used here\nx set(s) y\n  ^~~~~~\n");
}

// ----------------------------------------------------------------------------------------------------------------- program

TEST(TvlaProgram, Sequential) {
  const System system =
      system_of("%%\n%action go() {}\n%%\n\"the start\" go() b\nb go() b\nb go() \"the end\"\n%%\nb, \"the end\"\n");
  EXPECT_THAT(system.labels, ElementsAre("the start", "b", "the end"));
  EXPECT_EQ(system.entry, 0);
  ASSERT_EQ(system.edges.size(), 3U);
  EXPECT_EQ(system.edges[2].from, 1);
  EXPECT_EQ(system.edges[2].to, 2);
  EXPECT_EQ(system.edges[2].action, 0);
}

TEST(TvlaProgram, Threads) {
  const System system = system_of(
      "%%\n%action go() {}\n%action look() { %p E(v) at[c](v) }\n%%\n"
      "%thread A { a go() b atomic { b go() c c go() d d go() b } }\n%thread B { e %assert(!at[a](tr)) a }\n%%\n"
      "look()\n%%\n%include E(v) at[a](v)\n%exclude 1\n",
      "m.tvm");
  ASSERT_EQ(system.thread_types.size(), 2U);
  EXPECT_EQ(system.thread_types[1].name, "B");
  EXPECT_EQ(system.labels.at(static_cast<std::size_t>(system.thread_types[1].entry)), "e");
  std::vector<bool> goes_on;
  for (const Edge& it : system.edges) goes_on.push_back(it.goes_on);
  EXPECT_THAT(goes_on, ElementsAre(false, true, true, true, false));
  ASSERT_EQ(system.claims.size(), 1U);
  EXPECT_EQ(tree(system, system.actions.at(static_cast<std::size_t>(system.claims[0])).precondition),
            "(E(v) at[c](v))");
  const Action& assertion = system.actions.at(static_cast<std::size_t>(system.edges[4].action));
  EXPECT_EQ(tree(system, assertion.halts), "!!at[a](tr)");
  EXPECT_EQ(assertion.messages.at(0).text, "the assertion may not hold");
}

TEST(TvlaProgram, AtomicBlocksEnd) {
  const System system = system_of(
      "%%\n%action go() {}\n%%\n%thread A { atomic { a go() b b go() c } atomic { c go() a } atomic go() a }\n%%\n",
      "m.tvm");
  std::vector<bool> goes_on;
  for (const Edge& it : system.edges) goes_on.push_back(it.goes_on);
  EXPECT_THAT(goes_on, ElementsAre(true, false, false, false));
  EXPECT_EQ(system.labels.back(), "atomic");
}

TEST(TvlaProgram, TheThreadThatMoves) {
  const std::string update =
      "%p owns(v)\n%%\n%action take() { %message !owns(tr) -> \"x\" { owns(v) = v == tr } }\n%%\n";
  const System system = system_of(update + "%thread A { a take() b }\n%%\n", "m.tvm");
  EXPECT_EQ(tree(system, system.actions.at(0).updates.at(0).value), "(v==tr)");
  // A claim is made by nobody.
  EXPECT_EQ(messages_of(update + "%thread A { a take() b }\n%%\ntake()\n", "m.tvm"),
            "3:33 the variable `tr` is not bound and does not occur in the precondition\n"
            "3:61 the variable `tr` is not bound and is no argument of `owns` nor in the precondition\n");
  EXPECT_EQ(messages_of("%p o(v)\n%%\n%action go() { { o(tr) = 1 } }\n%%\n%thread A { a go() b }\n%%\n", "m.tvm"),
            "3:20 `tr` is the thread that moves; an argument needs another name\n");
}

TEST(TvlaProgram, Wrong) {
  EXPECT_EQ(messages_of("%%\n%%\n"), "3:1 expected a label, found the end of the file\n");
  EXPECT_EQ(messages_of("%p p()\n"), "2:1 expected `%%`, found the end of the file\n");
  EXPECT_EQ(messages_of("%%\n%action go() {}\n%%\nx go y\n"), "4:6 expected `(`, found `y`\n");
  EXPECT_EQ(messages_of("%%\n%action go() {}\n%%\nx gone() y\n"), "4:3 there is no action `gone`\n");
  EXPECT_EQ(messages_of("%%\n%action go() {}\n%%\nx %assert(1) y\n"),
            "4:3 `%assert` is for models with threads (.tvm)\n");
  const std::string actions = "%%\n%action go() { %p E(v) at[b](v) }\n%%\n";
  EXPECT_EQ(messages_of(actions + "%thread A { a go() c }\n%%\n", "m.tvm"), "2:24 there is no label `b`\n");
  EXPECT_EQ(messages_of(actions + "%thread A { a go() b }\n", "m.tvm"),
            "5:1 expected `%%`, found the end of the file\n");
  EXPECT_EQ(messages_of(actions + "%thread A { a go() b }\n%thread A { b go() b }\n%%\n", "m.tvm"),
            "5:9 a second thread `A`\n");
  EXPECT_EQ(messages_of(actions + "%method A { a go() b }\n%%\n", "m.tvm"), "4:1 `%method` is not supported\n");
  EXPECT_EQ(messages_of(actions + "%%\n", "m.tvm"), "4:1 expected `%thread`, found `%%`\n");
  EXPECT_EQ(messages_of(actions + "%thread A { }\n%%\n", "m.tvm"), "4:13 expected a label, found `}`\n");
  EXPECT_EQ(messages_of(actions + "%thread A { a go() b }\n%%\n%assert(1)\n", "m.tvm"),
            "6:1 an assertion is made at a label, not as a claim\n");
  EXPECT_EQ(messages_of("", "m.buc"), "1:1 models are files that end in .tvp or .tvm\n");
}

// -------------------------------------------------------------------------------------------------------------- structures

const std::string kSequential = kDeclarations + "%%\n%action go() {}\n%%\nx go() y\n";
const std::string kThreads = "%p p(v)\n%%\n%action go() {}\n%%\n%thread W { idle go() crit crit go() idle }\n%%\n";

std::string text_of(const System& system, const Given& given) {
  std::string out = joined(given.nodes, " ") + ":";
  for (const Given::Value& it : given.values) {
    std::vector<std::string> tuple;
    for (const int node : it.tuple) tuple.push_back(given.nodes.at(static_cast<std::size_t>(node)));
    const char* const value = it.value == Kleene::kTrue ? "1" : it.value == Kleene::kFalse ? "0" : "1/2";
    out += " " + system.predicates.at(static_cast<std::size_t>(it.predicate)).name + "(" + joined(tuple, ",") +
           ")=" + value;
  }
  return out;
}

std::vector<std::string> structures_of(const std::string& model, const std::string& path, const std::string& text,
                                       const std::vector<std::string>& definitions = {}) {
  Files files{{{path, model}, {"s.tvs", text}}, definitions, {}, {}};
  const std::optional<System> system = files.model(path);
  std::vector<std::string> out;
  if (system) {
    for (const Given& it : files.structures("s.tvs", *system)) out.push_back(text_of(*system, it));
  }
  EXPECT_EQ(files.errors(), "");
  return out;
}

std::string wrong_structure(const std::string& model, const std::string& path, const std::string& text) {
  Files files{{{path, model}, {"s.tvs", text}}, {}, {}, {}};
  const std::optional<System> system = files.model(path);
  EXPECT_TRUE(system && files.structures("s.tvs", *system).empty());
  return files.errors();
}

TEST(TvlaStructures, Values) {
  EXPECT_THAT(
      structures_of(kSequential, "m.tvp",
                    "%n = {a, b}\n%p = {\nsm = {b:1/2}\np = {a, b:0}\nn = {a->b:1/2, (b,b)}\nr[n, s] = {}\na = 1/2 b=1 "
                    "ac = {a}}\n"
                    "%message \"m\" %message \"n\" %n = {} %p = {}, %n = {[a,b], a.1} %p = {s = {[a, b]}}\n"),
      ElementsAre("a b: sm(b)=1/2 p(a)=1 p(b)=0 n(a,b)=1/2 n(b,b)=1 a()=1/2 b()=1", ":", "[a,b] a.1: s([a,b])=1"));
  EXPECT_THAT(structures_of(kSequential, "m.tvp", ""), IsEmpty());
}

TEST(TvlaStructures, Threads) {
  EXPECT_THAT(
      structures_of(kThreads, "m.tvm",
                    "%t = {w(W), c(W, crit), z(W)}\n%n = {k, c}\n%p = { ready = {w, c:1/2} p = {k} }\n"
                    "%t = {w(W)} %n = {} %p = { at[idle] = {w} isthread = {w} ready = {w} runnable = {w:1/2} }"),
      ElementsAre("w c z k: ready(w)=1 ready(c)=1/2 p(k)=1 isthread(w)=1 at[idle](w)=1 isthread(c)=1 at[crit](c)=1"
                  " isthread(z)=1 at[idle](z)=1 runnable(w)=1/2 runnable(c)=1/2",
                  "w: at[idle](w)=1 isthread(w)=1 ready(w)=1 runnable(w)=1/2"));
}

TEST(TvlaStructures, Wrong) {
  const auto wrong = [](const std::string& text) { return wrong_structure(kSequential, "m.tvp", text); };
  EXPECT_EQ(wrong("%n = {node}\n%p = { p = {nod} }\n"),
            "s.tvs:2:13: error: there is no node `nod` in this structure\n%p = { p = {nod} }\n            ^~~\n"
            "hint: did you mean `node`?\n");
  EXPECT_EQ(
      wrong("%n = {a}\n%p = { lost = 1 p = {b} q = {a} }\n"),
      "s.tvs:2:8: error: there is no predicate `lost`\n%p = { lost = 1 p = {b} q = {a} }\n       ^~~~\n"
      "s.tvs:2:22: error: there is no node `b` in this structure\n%p = { lost = 1 p = {b} q = {a} }\n"
      "                     ^\n"
      "s.tvs:2:25: error: there is no predicate `q`\n%p = { lost = 1 p = {b} q = {a} }\n                        ^\n");
  EXPECT_EQ(wrong("%n = {a}\n%p = { p = {a, a:1/2} }\n"),
            "s.tvs:2:16: error: this value is given already\n%p = { p = {a, a:1/2} }\n               ^\n"
            "s.tvs:2:13: note: here\n%p = { p = {a, a:1/2} }\n            ^\n");
  EXPECT_THAT(wrong("%n = {a}\n%p = { n = {a} }\n"), HasSubstr(":2:13: error: `n` has 2 arguments, but is given 1\n"));
  EXPECT_THAT(wrong("%n = {a}\n%p = { p = 1 }\n"),
              HasSubstr(":2:12: error: `p` has arguments: for which nodes does it hold?\n"));
  EXPECT_THAT(wrong("%n = {a, a}\n%p = {}\n"), HasSubstr(":1:10: error: the node `a` is listed already\n"));
  EXPECT_THAT(wrong("%n = {a}\n%p = { sm = {a} }\n"), HasSubstr(":2:14: error: `sm` is 0 or 1/2"));
  EXPECT_THAT(wrong("%n = {a}\n%p = { ac = {a:1/2} }\n"),
              HasSubstr(":2:14: error: nodes that may not exist are not supported"));
  EXPECT_THAT(wrong("%t = {a(W)}\n%n = {}\n%p = {}\n"), HasSubstr(":1:1: error: this model has no threads"));
  EXPECT_THAT(wrong("%n = {a}\n"), HasSubstr(":2:1: error: expected `%p`, found the end of the file\n"));
  EXPECT_THAT(wrong("%location x = { }\n"), HasSubstr(":1:1: error: `%location` is not supported\n"));
  EXPECT_THAT(wrong("%n = {} %p = {} %a = init\n"), HasSubstr(":1:17: error: `%a` is not supported\n"));
  EXPECT_THAT(wrong("%n = {" + std::string(100000, '[')), HasSubstr("deeper than 400 levels"));
}

TEST(TvlaStructures, WrongThreads) {
  const auto wrong = [](const std::string& text) { return wrong_structure(kThreads, "m.tvm", text); };
  EXPECT_THAT(wrong("%t = {w(V)}\n%n = {}\n%p = {}\n"), HasSubstr(":1:9: error: there is no thread `V`\n"));
  EXPECT_THAT(wrong("%t = {w(W, crti)}\n%n = {}\n%p = {}\n"),
              AllOf(HasSubstr(":1:12: error: there is no label `crti`\n"), HasSubstr("did you mean `crit`?")));
  EXPECT_THAT(wrong("%t = {w(W), w(W)}\n%n = {}\n%p = {}\n"),
              HasSubstr(":1:13: error: the node `w` is listed already\n"));
  EXPECT_EQ(wrong("%t = {w(W)}\n%n = {}\n%p = {at[crit] = {w}}\n"),
            "s.tvs:3:19: error: the thread `w` is at `idle`\n%p = {at[crit] = {w}}\n                  ^\n"
            "s.tvs:1:7: note: here\n%t = {w(W)}\n      ^\nhint: write `w(W, crit)` in %t\n");
  EXPECT_EQ(wrong("%t = {w(W)}\n%n = {}\n%p = {isthread = {w:1/2}}\n"),
            "s.tvs:3:19: error: `isthread` is 1 here, since this is a thread\n%p = {isthread = {w:1/2}}\n"
            "                  ^\ns.tvs:1:7: note: here\n%t = {w(W)}\n      ^\n");
  EXPECT_THAT(wrong("%t = {w(W)}\n%n = {}\n%p = {ready = {w} runnable = {w}}\n"),
              HasSubstr(":3:31: error: `runnable` is 1/2 here, since the thread is ready\n"));
}

// ------------------------------------------------------------------------------------------------------------ whole models

const char* const kTraverse = R"(// Walk a singly linked list:  y = x; while (y != null) y = y->n;
// Pointer variables x and y, link field n.
%s Ptr { x, y }

foreach (p in Ptr) {
  %p p(v) unique pointer
}
%p n(a, b) function

// v lies on a cycle of n-links
%i onCycle(v) = n+(v, v)
// two different cells link to v
%i shared(v) = E(a, b) (n(a, v) & n(b, v) & a != b)
// v is reached from variable p by zero or more n-links
foreach (p in Ptr) {
  %i reach[p](v) = E(h) (p(h) & n*(h, v))
}

%%

%action skip() {
  %t "skip"
}

%action isNull(p) {
  %t p + " == null"
  %f { p(v) }
  %p !(E(v) p(v))
}

%action notNull(p) {
  %t p + " != null"
  %f { p(v) }
  %p E(v) p(v)
}

%action copy(l, r) {
  %t l + " = " + r
  %f { r(v) }
  {
    l(v) = r(v)
    reach[l](v) = reach[r](v)
  }
}

// p = p->n.  The cell left behind stays reachable from p only on a cycle.
%action step(p) {
  %t p + " = " + p + "->n"
  %f { E(h) (p(h) & n(h, v)) }
  %message !(E(v) p(v)) -> "null dereference of " + p
  {
    p(v) = E(h) (p(h) & n(h, v))
    reach[p](v) = reach[p](v) & (!p(v) | onCycle(v))
  }
}

%action checkWhole(p) {
  %t "every cell is reached from " + p
  %message (E(v) !reach[p](v)) -> "a cell is lost"
  %message (E(v) shared(v)) -> "a cell is shared"
}

%%

begin copy(y, x)     test
test  isNull(y)      done
test  notNull(y)     body
body  step(y)        test
done  checkWhole(x)  end
)";

const char* const kInsertFront = R"(// Build a list by inserting at the front:
//   while (?) { t = new Cell; t->n = x; x = t; t = null; }
%s Ptr { x, t }

foreach (p in Ptr) {
  %p p(v) unique pointer
}
%p n(a, b) function acyclic

%i shared(v) = E(a, b) (n(a, v) & n(b, v) & a != b)
foreach (p in Ptr) {
  %i reach[p](v) = E(h) (p(h) & n*(h, v))
}

%%

%action skip() {
  %t "skip"
}

%action alloc(p) {
  %t p + " = new Cell"
  %new
  {
    p(v) = isNew(v)
    reach[p](v) = isNew(v)
  }
}

// p->n = q, where p->n is null and q does not reach p
%action link(p, q) {
  %t p + "->n = " + q
  %f { p(v), q(v) }
  %message !(E(v) p(v)) -> "null dereference of " + p
  %message (E(a, b) (p(a) & n(a, b))) -> "a link of " + p + " is overwritten"
  %message (E(v) (p(v) & reach[q](v))) -> "a cycle is closed"
  {
    n(a, b) = n(a, b) | p(a) & q(b)
    reach[p](v) = reach[p](v) | reach[q](v)
    shared(v) = shared(v) | q(v) & E(a) n(a, v)
  }
}

%action copy(l, r) {
  %t l + " = " + r
  %f { r(v) }
  {
    l(v) = r(v)
    reach[l](v) = reach[r](v)
  }
}

%action setNull(p) {
  %t p + " = null"
  {
    p(v) = 0
    reach[p](v) = 0
  }
}

%action checkWhole(p) {
  %t "every cell is reached from " + p
  %message (E(v) !reach[p](v)) -> "a cell is lost"
  %message (E(v) shared(v)) -> "a cell is shared"
}

%%

top    alloc(t)      made
made   link(t, x)    linked
linked copy(x, t)    moved
moved  setNull(t)    top
top    checkWhole(x) end
)";

const char* const kPanel = R"(// Sets, foreach, formulas over sets, the preprocessor and nullary predicates.
// A panel of lamps (nullary flags) and a few marks on an unbounded set of cells.
#define SOME(p) (E(v) p(v))
#define NONE(p) (!SOME(p))

%s Lamp { red, green }
#ifdef THIRD
%s Lamp { blue }
#endif
%s Mark { here, there }
%s Quiet { there }

foreach (c in Lamp) {
  %p lit[c]()
}
foreach (m in Mark) {
  %p m(v) unique pointer
}
%p cell(v)

%i anyLit() = |/{ lit[c]() : c in Lamp }
%i allLit() = &/{ lit[c]() : c in Lamp }
%i marked(v) = |/{ m(v) : m in Mark }
%i bothMarks(v) = &/{ m(v) : m in Mark }
foreach (m in Mark - Quiet) {
  %i loud[m](v) = m(v) & cell(v)
}

%%

%action skip() {
  %t "skip"
}

// look at one lamp
%action isLit(c) {
  %t c + " is lit"
  %f { lit[c]() }
  %p lit[c]()
}

%action isDark(c) {
  %t c + " is dark"
  %f { lit[c]() }
  %p !lit[c]()
}

%action light(c) {
  %t "light " + c
  {
    lit[c]() = 1
    anyLit() = 1
    allLit() = &/{ lit[d]() : d in Lamp - {c} }
  }
}

%action darken() {
  %t "all dark"
  {
    foreach (c in Lamp) {
      lit[c]() = 0
    }
    anyLit() = 0
    allLit() = 0
  }
}

// put mark m on some cell that has none of the other marks
%action put(m) {
  %t "put " + m
  %f { m(v), &/{ !d(w) : d in Mark - {m} } }
  %p cell(u) & &/{ !d(u) : d in Mark - {m} }
  {
    m(v) = v == u
    marked(v) = v == u | |/{ d(v) : d in Mark - {m} }
    bothMarks(v) = 0
    foreach (q in {m} - Quiet) {
      loud[q](v) = v == u
    }
  }
}

%action has(m) {
  %t m + " is placed"
  %f { m(v) }
  %p SOME(m)
}

%action hasNot(m) {
  %t m + " is not placed"
  %f { m(v) }
  %p NONE(m)
}

%action report() {
  %t "report"
  %message allLit() -> "all lamps are lit"
  %message anyLit() & !allLit() -> "some lamp is lit and some is dark"
  %message !anyLit() -> "no lamp is lit"
  %message (E(v) bothMarks(v)) -> "two marks on one cell"
}

%%

start isLit(red)     a
start isDark(red)    b
b     light(green)   a
a     hasNot(here)   c
c     put(here)      d
c     skip()         d
d     put(there)     e
d     hasNot(there)  e
e     report()       f
f     darken()       g
g     report()       h
h     light(green)   a
)";

const char* const kTwoThreads = R"(// Two named threads, one lock.  Each thread repeats: acquire; critical; release.
// Acquire is a test and a store made into one step by an atomic block.
%p isLock(v) unique
%p first(v) unique
%p second(v) unique
%p heldBy(k, t) function

%i taken(k) = E(t) heldBy(k, t)
%i owns(t) = E(k) heldBy(k, t)

%%

%action work() {
  %t "work"
}

// first half of acquire: wait until the lock is free
%action look() {
  %t "lock is free"
  %p isLock(k) & !taken(k)
}

// second half: take it, without a test of its own
%action take() {
  %t "take"
  %p isLock(k)
  {
    heldBy(a, b) = heldBy(a, b) | a == k & b == tr
    taken(a) = taken(a) | a == k
    owns(b) = owns(b) | b == tr
  }
}

%action release() {
  %t "release"
  %p isLock(k)
  %message !heldBy(k, tr) -> "release of a lock not owned"
  {
    heldBy(a, b) = heldBy(a, b) & !(a == k & b == tr)
    taken(a) = taken(a) & !(a == k & heldBy(k, tr))
    owns(b) = owns(b) & b != tr
  }
}

%action exclusive() {
  %t "mutual exclusion"
  %p E(a, b) (at[crit](a) & at[crit](b) & a != b)
  %message 1 -> "mutual exclusion may fail"
}

%%

%thread Worker {
  idle   work()    want
  atomic {
    want look()    got
    got  take()    crit
  }
  crit   work()    leave
  leave  release() idle
}

%%

exclusive()
)";

const char* const kSpawn = R"(// A main thread creates workers in a loop; each worker takes the lock once,
// gives it back and stops.
%p isLock(v) unique
%p heldBy(k, t) function

%i taken(k) = E(t) heldBy(k, t)
%i owns(t) = E(k) heldBy(k, t)

%%

%action work() {
  %t "work"
}

// the new cell is a ready thread standing at the workers' entry
%action spawn() {
  %t "spawn Worker"
  %new
  {
    isthread(v) = isthread(v) | isNew(v)
    ready(v) = ready(v) | isNew(v)
    at[born](v) = at[born](v) | isNew(v)
  }
}

%action acquire() {
  %t "acquire"
  %p isLock(k) & !taken(k)
  {
    heldBy(a, b) = heldBy(a, b) | a == k & b == tr
    taken(a) = taken(a) | a == k
    owns(b) = owns(b) | b == tr
  }
}

%action release() {
  %t "release"
  %p isLock(k)
  %message !heldBy(k, tr) -> "release of a lock not owned"
  {
    heldBy(a, b) = heldBy(a, b) & !(a == k & b == tr)
    taken(a) = taken(a) & !(a == k & heldBy(k, tr))
    owns(b) = owns(b) & b != tr
  }
}

%action exclusive() {
  %t "mutual exclusion"
  %p E(a, b) (at[crit](a) & at[crit](b) & a != b)
  %message 1 -> "mutual exclusion may fail"
}

%%

%thread Main {
  more  spawn()   more
  more  work()    fin
}

%thread Worker {
  born   acquire() crit
  crit   release() gone
}

%%

exclusive()
)";

const char* const kGrab = R"(// Any number of threads, one lock whose test is missing: acquire overwrites
// the owner without looking whether there is one.
%p isLock(v) unique
%p heldBy(k, t) function

%i taken(k) = E(t) heldBy(k, t)
%i owns(t) = E(k) heldBy(k, t)

%%

%action work() {
  %t "work"
}

// the old owner, if any, loses the lock
%action grab() {
  %t "owner = self"
  %p isLock(k)
  {
    heldBy(a, b) = (a == k ? b == tr : heldBy(a, b))
    taken(a) = taken(a) | a == k
    owns(b) = b == tr | E(j) (j != k & heldBy(j, b))
  }
}

%action release() {
  %t "release"
  %f { E(k) (isLock(k) & heldBy(k, tr)) }
  %p isLock(k)
  %message !heldBy(k, tr) -> "release of a lock not owned"
  {
    heldBy(a, b) = heldBy(a, b) & !(a == k & b == tr)
    taken(a) = taken(a) & !(a == k & heldBy(k, tr))
    owns(b) = owns(b) & b != tr
  }
}

%action exclusive() {
  %t "mutual exclusion"
  %p E(a, b) (at[crit](a) & at[crit](b) & a != b)
  %message 1 -> "mutual exclusion may fail"
}

%%

%thread Worker {
  idle   work()    want
  want   grab()    crit
  crit   work()    leave
  leave  release() idle
}

%%

exclusive()
)";

const char* const kLists = R"(// x is null and there are no cells
%n = {}
%p = {}

// one cell
%n = {c}
%p = {
  x = {c}
  reach[x] = {c}
}

// two or more cells, no cycle: head h, the rest t
%n = {h, t}
%p = {
  sm = {t:1/2}
  x = {h}
  n = {h->t:1/2, t->t:1/2}
  reach[x] = {h, t}
}
)";

const char* const kPanelStructure = R"(// one or more cells; the lamps may be in any state
%n = { s }
%p = {
  sm = {s:1/2}
  cell = {s}
  lit[red] = 1/2
  lit[green] = 1/2
  anyLit = 1/2
  allLit = 1/2
#ifdef THIRD
  lit[blue] = 1/2
#endif
}
)";

const char* const kTwo = R"(%t = { p(Worker), q(Worker) }
%n = { k }
%p = {
  ready = {p, q}
  first = {p}
  second = {q}
  isLock = {k}
}
)";

const char* const kLate = R"(// main has finished and left one or more workers behind
%t = { m(Main, fin), w(Worker) }
%n = { k }
%p = {
  sm = {w:1/2}
  ready = {m, w}
  isLock = {k}
}
)";

struct Sizes {
  std::size_t predicates, actions, edges, labels;
  friend bool operator==(const Sizes&, const Sizes&) = default;
};

Sizes sizes_of(const char* text, const std::string& path, const std::vector<std::string>& definitions = {}) {
  const System system = system_of(text, path, definitions);
  return {system.predicates.size(), system.actions.size(), system.edges.size(), system.labels.size()};
}

TEST(TvlaModels, AreRead) {
  EXPECT_EQ(sizes_of(kTraverse, "m.tvp"), (Sizes{10, 5, 5, 5}));
  EXPECT_EQ(sizes_of(kInsertFront, "m.tvp"), (Sizes{9, 5, 5, 5}));
  EXPECT_EQ(sizes_of(kPanel, "m.tvp"), (Sizes{13, 10, 12, 9}));
  EXPECT_EQ(sizes_of(kPanel, "m.tvp", {"THIRD"}), (Sizes{14, 10, 12, 9}));
  EXPECT_EQ(sizes_of(kTwoThreads, "m.tvm"), (Sizes{17, 5, 5, 5}));
  EXPECT_EQ(sizes_of(kSpawn, "m.tvm"), (Sizes{15, 5, 4, 5}));
  EXPECT_EQ(sizes_of(kGrab, "m.tvm"), (Sizes{14, 4, 4, 4}));
}

TEST(TvlaModels, Panel) {
  const System system = system_of(kPanel, "m.tvp", {"THIRD"});
  EXPECT_EQ(tree(system, named(system, "anyLit").definition), "(lit[red]() | lit[green]() | lit[blue]())");
  EXPECT_TRUE(has(system, "loud[here]"));
  EXPECT_FALSE(has(system, "loud[there]"));
  const Action& put = system.actions.at(static_cast<std::size_t>(system.edges.at(6).action));
  EXPECT_EQ(put.title, "put there");
  EXPECT_EQ(tree(system, put.precondition), "(cell(u) & !here(u))");
  ASSERT_EQ(put.updates.size(), 3U);
  EXPECT_EQ(tree(system, put.updates[1].value), "((v==u) | here(v))");
  const Action& has_not = system.actions.at(static_cast<std::size_t>(system.edges.at(3).action));
  EXPECT_EQ(tree(system, has_not.precondition), "!(E(v) here(v))");
  EXPECT_THAT(
      structures_of(kPanel, "m.tvp", kPanelStructure, {"THIRD"}),
      ElementsAre("s: sm(s)=1/2 cell(s)=1 lit[red]()=1/2 lit[green]()=1/2 anyLit()=1/2 allLit()=1/2 lit[blue]()=1/2"));
}

TEST(TvlaModels, Lists) {
  EXPECT_THAT(structures_of(kTraverse, "m.tvp", kLists),
              ElementsAre(":", "c: x(c)=1 reach[x](c)=1",
                          "h t: sm(t)=1/2 x(h)=1 n(h,t)=1/2 n(t,t)=1/2 reach[x](h)=1 reach[x](t)=1"));
}

TEST(TvlaModels, Threads) {
  EXPECT_THAT(structures_of(kTwoThreads, "m.tvm", kTwo),
              ElementsAre("p q k: ready(p)=1 ready(q)=1 first(p)=1 second(q)=1 isLock(k)=1 isthread(p)=1 at[idle](p)=1"
                          " isthread(q)=1 at[idle](q)=1 runnable(p)=1/2 runnable(q)=1/2"));
  EXPECT_THAT(structures_of(kSpawn, "m.tvm", kLate),
              ElementsAre("m w k: sm(w)=1/2 ready(m)=1 ready(w)=1 isLock(k)=1 isthread(m)=1 at[fin](m)=1 isthread(w)=1"
                          " at[born](w)=1 runnable(m)=1/2 runnable(w)=1/2"));
  const System system = system_of(kGrab, "m.tvm");
  EXPECT_EQ(tree(system, system.actions.at(1).updates.at(0).value), "((a==k) ? (b==tr) : heldBy(a,b))");
}

// Removes, repeats or overwrites a piece of the text, at random.
std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t limit) { return static_cast<std::size_t>(random()) % limit; };
  static const std::vector<std::string> pieces = {
      "(",         ")",          "{",   "}",   "[",     "]",         ",",    ":",  "%%",     "%p ",
      "%t ",       "&",          "|/{", "->",  "E(v) ", "foreach (", " in ", "\"", "\n#if ", "\n#define p(v) p(v) p\n",
      "\n#else\n", "\n#endif\n", "##",  "1/2", "*",     "=",         "\\\n", "/*", "x"};
  for (std::size_t count = 1 + below(3); count > 0 && !text.empty(); --count) {
    const std::size_t at = below(text.size());
    const std::size_t size = below(12);
    switch (below(4)) {
      case 0: text.erase(at, size); break;
      case 1: text.insert(below(text.size()), text.substr(at, size * 4)); break;
      case 2: text[at] = static_cast<char>(below(256)); break;
      default: text.insert(at, pieces[below(pieces.size())]);
    }
  }
  return text;
}

TEST(TvlaMutations, NeverCrash) {
  const std::vector<std::pair<std::string, std::string>> models = {
      {"m.tvp", kPanel}, {"m.tvp", kTraverse}, {"m.tvm", kTwoThreads}, {"m.tvm", kGrab}};
  std::mt19937 random(1);
  int read = 0;
  int refused = 0;
  for (int i = 0; i < 4000; ++i) {
    const auto& [path, text] = models[static_cast<std::size_t>(i) % models.size()];
    Files files{{{path, mutated(text, random)}}, {}, {}, {}};
    const bool ok = files.model(path).has_value();
    EXPECT_EQ(ok, !files.sink.has_errors());
    files.errors();
    ++(ok ? read : refused);
  }
  EXPECT_GT(read, 100);
  EXPECT_GT(refused, 1000);
}

TEST(TvlaMutations, NeverCrashOnStructures) {
  const System system = system_of(kSpawn, "m.tvm");
  std::mt19937 random(2);
  int refused = 0;
  for (int i = 0; i < 2000; ++i) {
    Files files{{{"s.tvs", mutated(kLate, random)}}, {}, {}, {}};
    files.structures("s.tvs", system);
    refused += files.errors().empty() ? 0 : 1;
  }
  EXPECT_GT(refused, 500);
}

}  // namespace
}  // namespace concord::engine::shape::tvla
