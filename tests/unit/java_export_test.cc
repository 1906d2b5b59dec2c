#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "base/overloaded.h"
#include "frontend/java/cache.h"
#include "frontend/java/export.h"
#include "frontend/java/import.h"

namespace concord::frontend::java {
namespace {

namespace fs = std::filesystem;
using base::Overloaded;
using testing::ElementsAre;
using testing::HasSubstr;

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

// A folder for sources, and another for the cache.
class JavaExport : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "concord-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    setenv("XDG_CACHE_HOME", (folder_ / "cache").c_str(), 1);
    options_.use_cache = false;
  }
  void TearDown() override { fs::remove_all(folder_); }

  Exported run(const std::vector<std::pair<std::string, std::string>>& files) {
    std::vector<std::uint32_t> indices;
    for (const auto& [name, text] : files) {
      const fs::path path = folder_ / name;
      fs::create_directories(path.parent_path());
      std::ofstream(path, std::ios::binary) << text;
      indices.push_back(sources_.add(path.string(), text));
    }
    return export_java(sources_, indices, options_, sink_);
  }

  std::string messages() const {
    std::string all;
    for (const diag::Diagnostic& error : sink_.errors()) all += diag::render(sources_, error);
    const std::string prefix = folder_.string() + "/";
    for (std::size_t at = all.find(prefix); at != std::string::npos; at = all.find(prefix))
      all.erase(at, prefix.size());
    return all;
  }

  fs::path folder_;
  base::SourceMap sources_;
  diag::Sink sink_;
  ExportOptions options_;
};

// ------------------------------------------------------------------------------------------------------------ every kind

// Counts the nodes of every kind, and looks at each on the way.
class Walk {
 public:
  Walk(const base::SourceMap& sources, const Unit& unit) : sources_(sources), unit_(unit) {}
  std::map<std::size_t, int> exprs;
  std::map<std::size_t, int> stmts;
  std::vector<std::string> calls;  // "text -> method"

  void walk(const ClassDecl& decl) {
    EXPECT_EQ(unit_.symbols.at(static_cast<std::size_t>(decl.symbol)).kind, Symbol::Kind::kClass);
    for (const Member& member : decl.members) {
      std::visit(Overloaded{[&](const FieldDecl& field) { walk(field.init); },
                            [&](const MethodDecl& m) { walk(m.body); }, [&](const Initialiser& i) { walk(i.body); },
                            [&](const std::shared_ptr<ClassDecl>& inner) { walk(*inner); }},
                 member);
    }
  }

 private:
  void walk(const std::vector<ExprPtr>& list) {
    for (const ExprPtr& each : list) walk(each);
  }
  void walk(const std::vector<StmtPtr>& list) {
    for (const StmtPtr& each : list) walk(each);
  }
  void walk(const std::vector<SwitchCase>& cases) {
    for (const SwitchCase& each : cases) {
      walk(each.labels);
      walk(each.body);
    }
  }
  void walk(const ExprPtr& expr) {
    if (!expr) return;
    ++exprs[expr->node.index()];
    EXPECT_GE(expr->type, 0) << sources_.text(expr->range);
    std::visit(Overloaded{[](const Literal&) {},
                          [](const Name& n) { EXPECT_GE(n.symbol, 0); },
                          [](const This& n) { EXPECT_GE(n.class_symbol, 0); },
                          [&](const Select& n) { walk(n.object); },
                          [](const ClassLiteral& n) { EXPECT_GE(n.of, 0); },
                          [&](const Index& n) { walk(n.array), walk(n.index); },
                          [&](const Unary& n) { walk(n.operand); },
                          [&](const Binary& n) { walk(n.left), walk(n.right); },
                          [&](const Assign& n) { walk(n.target), walk(n.value); },
                          [&](const CompoundAssign& n) { walk(n.target), walk(n.value); },
                          [&](const Conditional& n) { walk(n.condition), walk(n.then), walk(n.otherwise); },
                          [&](const Call& n) {
                            calls.push_back(std::string(sources_.text(expr->range)) + " -> " +
                                            unit_.symbols.at(static_cast<std::size_t>(n.method)).name);
                            walk(n.receiver), walk(n.arguments);
                          },
                          [&](const New& n) {
                            EXPECT_GE(n.constructor, 0);
                            walk(n.outer), walk(n.arguments);
                            if (n.body) walk(*n.body);
                          },
                          [&](const NewArray& n) {
                            walk(n.dimensions);
                            if (n.initialisers) walk(*n.initialisers);
                          },
                          [&](const Cast& n) { walk(n.operand); },
                          [&](const InstanceOf& n) { walk(n.operand); },
                          [&](const Lambda& n) {
                            EXPECT_GE(n.method, 0);
                            walk(n.expression), walk(n.block);
                          },
                          [&](const MethodRef& n) { walk(n.receiver); },
                          [&](const SwitchExpr& n) { walk(n.selector), walk(n.cases); },
                          [](const UnsupportedExpr&) {}},
               expr->node);
  }
  void walk(const StmtPtr& stmt) {
    if (!stmt) return;
    ++stmts[stmt->node.index()];
    std::visit(Overloaded{[&](const Block& n) { walk(n.statements); },
                          [&](const LocalVar& n) { walk(n.init); },
                          [&](const LocalClass& n) { walk(*n.declaration); },
                          [&](const ExprStmt& n) { walk(n.expression); },
                          [&](const If& n) { walk(n.condition), walk(n.then), walk(n.otherwise); },
                          [&](const While& n) { walk(n.condition), walk(n.body); },
                          [&](const DoWhile& n) { walk(n.body), walk(n.condition); },
                          [&](const For& n) { walk(n.init), walk(n.condition), walk(n.update), walk(n.body); },
                          [&](const ForEach& n) { walk(n.collection), walk(n.body); },
                          [&](const Labeled& n) { walk(n.body); },
                          [&](const Switch& n) { walk(n.selector), walk(n.cases); },
                          [&](const Return& n) { walk(n.value); },
                          [](const Break&) {},
                          [](const Continue&) {},
                          [&](const Yield& n) { walk(n.value); },
                          [&](const Throw& n) { walk(n.value); },
                          [&](const Try& n) {
                            walk(n.resources), walk(n.body), walk(n.finally);
                            for (const Catch& each : n.catches) walk(each.body);
                          },
                          [&](const Synchronized& n) { walk(n.lock), walk(n.body); },
                          [&](const Assert& n) { walk(n.condition), walk(n.detail); },
                          [](const Empty&) {},
                          [](const UnsupportedStmt&) {}},
               stmt->node);
  }

  const base::SourceMap& sources_;
  const Unit& unit_;
};

const Symbol* find(const Unit& unit, const std::string& name, Symbol::Kind kind) {
  for (const Symbol& symbol : unit.symbols) {
    if (symbol.kind == kind && (kind == Symbol::Kind::kClass ? symbol.qualified : symbol.name) == name) return &symbol;
  }
  ADD_FAILURE() << "no symbol " << name;
  static const Symbol none;
  return &none;
}

TEST_F(JavaExport, HasEveryKindOfNode) {
  const Exported exported = run({{"Kinds.java", read("tests/unit/java/Kinds.java")}});
  ASSERT_EQ(exported.status, ExportStatus::kDone) << messages() << exported.message;
  Walk walk(sources_, exported.unit);
  for (const auto& decl : exported.unit.classes) walk.walk(*decl);
  for (std::size_t kind = 0; kind + 1 < std::variant_size_v<Expr::Node>; ++kind) {
    EXPECT_GT(walk.exprs[kind], 0) << "expression " << kind;
  }
  for (std::size_t kind = 0; kind + 1 < std::variant_size_v<Stmt::Node>; ++kind) {
    EXPECT_GT(walk.stmts[kind], 0) << "statement " << kind;
  }
  EXPECT_EQ(walk.exprs[std::variant_size_v<Expr::Node> - 1], 0);
  EXPECT_EQ(walk.stmts[std::variant_size_v<Stmt::Node> - 1], 0);
  EXPECT_THAT(walk.calls, testing::Contains("names.get(0) -> get"));
  EXPECT_THAT(walk.calls, testing::Contains("Greeter.super.greet() -> greet"));
  EXPECT_EQ(exported.unit.unchecked.size(), 1U);
  EXPECT_EQ(exported.unit.stub_files.size(), 3U);  // Concord, Thread, AtomicInteger
  ASSERT_FALSE(exported.unit.comments.empty());
  EXPECT_THAT(std::string(sources_.text(exported.unit.comments[0].range)), testing::StartsWith("// Every kind"));
}

TEST_F(JavaExport, DescribesSymbols) {
  const Exported exported = run({{"Kinds.java", read("tests/unit/java/Kinds.java")}});
  ASSERT_EQ(exported.status, ExportStatus::kDone) << messages();
  const Unit& unit = exported.unit;
  const Symbol* kinds = find(unit, "Kinds", Symbol::Kind::kClass);
  EXPECT_EQ(sources_.text(kinds->range), "Kinds");
  EXPECT_TRUE(kinds->is_from_source && kinds->is_public && !kinds->is_interface);
  EXPECT_EQ(unit.symbols[static_cast<std::size_t>(kinds->superclass)].name, "Base");
  // Base.greet knows nothing of Greeter.greet but is what Kinds has for it.
  ASSERT_EQ(kinds->inherits.size(), 1U);
  EXPECT_EQ(unit.symbols[static_cast<std::size_t>(kinds->inherits[0].first)].name, "greet");
  const Symbol* inner = find(unit, "Kinds.Inner", Symbol::Kind::kClass);
  EXPECT_TRUE(inner->has_outer_instance);
  EXPECT_TRUE(find(unit, "Kinds$1Local", Symbol::Kind::kClass)->outer_method >= 0);
  EXPECT_EQ(find(unit, "BIG", Symbol::Kind::kField)->constant, "1099511627776");
  EXPECT_TRUE(find(unit, "number", Symbol::Kind::kField)->is_volatile);
  EXPECT_TRUE(find(unit, "expressions", Symbol::Kind::kMethod)->is_varargs);
  EXPECT_TRUE(find(unit, "expressions", Symbol::Kind::kMethod)->is_synchronized);
  EXPECT_TRUE(find(unit, "values", Symbol::Kind::kMethod)->is_generated);
  EXPECT_FALSE(find(unit, "toString", Symbol::Kind::kMethod)->overrides.empty());
  EXPECT_TRUE(find(unit, "weight", Symbol::Kind::kLocal)->is_effectively_final);
  EXPECT_FALSE(find(unit, "i", Symbol::Kind::kLocal)->is_effectively_final);
  // The stub's own method is the one that the program calls: one symbol, from source.
  EXPECT_TRUE(find(unit, "incrementAndGet", Symbol::Kind::kMethod)->is_from_source);
  EXPECT_TRUE(find(unit, "java.util.concurrent.atomic.AtomicInteger", Symbol::Kind::kClass)->is_from_source);
}

// ----------------------------------------------------------------------------------------------------------------- places

TEST_F(JavaExport, CountsBytes) {
  const std::string text = "class A {\r\n\t/* é€𝄞 */ String s = \"é𝄞\"; int \\u0061b = 1; // ü\r\n}";
  const Exported exported = run({{"A.java", text}});
  ASSERT_EQ(exported.status, ExportStatus::kDone) << messages();
  const auto& members = exported.unit.classes.at(0)->members;
  ASSERT_EQ(members.size(), 3U);  // with the constructor
  const auto& field = std::get<FieldDecl>(members[1]);
  EXPECT_EQ(sources_.text(field.init->range), "\"é𝄞\"");
  EXPECT_EQ(std::get<Literal>(field.init->node).value, "é𝄞");
  const auto& other = std::get<FieldDecl>(members[2]);
  EXPECT_EQ(sources_.text(exported.unit.symbols[static_cast<std::size_t>(other.symbol)].range), "\\u0061b");
  EXPECT_EQ(exported.unit.symbols[static_cast<std::size_t>(other.symbol)].name, "ab");
  ASSERT_EQ(exported.unit.comments.size(), 2U);
  EXPECT_EQ(sources_.text(exported.unit.comments[0].range), "/* é€𝄞 */");
  EXPECT_EQ(sources_.text(exported.unit.comments[1].range), "// ü");
}

TEST_F(JavaExport, TellsTheCompilersErrorsAsOurs) {
  const Exported exported =
      run({{"A.java", "class A {\n  void f() {\n    int x = \"é\" + y;\n    int z;\n    z++;\n  }\n}\n"}});
  EXPECT_EQ(exported.status, ExportStatus::kRejected);
  EXPECT_EQ(messages(),
            "A.java:3:19: error: cannot find symbol; symbol: variable y; location: class A\n"
            "    int x = \"é\" + y;\n"
            "                  ^\n");
}

TEST_F(JavaExport, RejectsWhatFlowAnalysisRejects) {
  EXPECT_EQ(run({{"A.java", "class A {\n  int f() {\n    int z;\n    return z;\n  }\n}\n"}}).status,
            ExportStatus::kRejected);
  EXPECT_THAT(messages(), HasSubstr("A.java:4:12: error: variable z might not have been initialized"));
}

// ------------------------------------------------------------------------------------------------------------ odd sources

struct Odd {
  const char* name;
  std::string text;
  ExportStatus status;
  const char* message;
  friend void PrintTo(const Odd& odd, std::ostream* out) { *out << odd.name; }
};

std::string nested(int depth) {
  return "class A { int f(int x) { return " + std::string(static_cast<std::size_t>(depth), '(') + "x" + [&] {
    std::string end;
    for (int i = 0; i < depth; ++i) end += " + 1)";
    return end;
  }() + "; } }";
}

std::vector<Odd> odd_sources() {
  return {
      {"Empty.java", "", ExportStatus::kDone, ""},
      {"Comment.java", "// only this", ExportStatus::kDone, ""},
      {"package-info.java", "/** Text. */\npackage p;\n", ExportStatus::kDone, ""},
      {"module-info.java", "module m {}\n", ExportStatus::kDone, ""},
      {"Garbage.java", std::string("\x01\x7f\0\xfe\xff\x00{{", 8), ExportStatus::kRejected,
       "Garbage.java:1:1: error: "},
      {"Latin1.java", "class A { String s = \"\xe9\"; }", ExportStatus::kRejected, "unmappable character"},
      {"Twice.java", "class A {}\nclass A {}\n", ExportStatus::kRejected, "Twice.java:2:1: error: duplicate class: A"},
      {"Import.java", "import no.such.Thing;\n", ExportStatus::kRejected, "package no.such does not exist"},
      {"String.java", "class A { String s = \"" + std::string(70000, 'x') + "\"; }", ExportStatus::kDone, ""},
      {"Deep.java", nested(2000), ExportStatus::kRejected, "error: nested too deeply"},
      {"Deepest.java", nested(100000), ExportStatus::kRejected, "nested too deeply"},
      {"Level.java", nested(900), ExportStatus::kDone, ""},
  };
}

// One test each: a virtual machine for every one of them takes its time.
class OddSource : public JavaExport, public testing::WithParamInterface<Odd> {};

TEST_P(OddSource, IsTakenOrRefused) {
  const Odd& odd = GetParam();
  EXPECT_EQ(run({{odd.name, odd.text}}).status, odd.status) << messages().substr(0, 500);
  EXPECT_THAT(messages().substr(0, 2000), HasSubstr(odd.message));
}

INSTANTIATE_TEST_SUITE_P(JavaExport, OddSource, testing::ValuesIn(odd_sources()), [](const auto& each) {
  std::string name = fs::path(each.param.name).stem().string();
  std::erase(name, '-');
  return name;
});

TEST_F(JavaExport, FindsClassesOnTheSourcePath) {
  fs::create_directories(folder_ / "lib" / "p");
  std::ofstream(folder_ / "lib" / "p" / "B.java") << "package p; public class B { public int f; }";
  options_.source_path = (folder_ / "lib").string();
  const Exported exported = run({{"A.java", "class A { int g(p.B b) { return b.f; } }"}});
  ASSERT_EQ(exported.status, ExportStatus::kDone) << messages();
  EXPECT_EQ(exported.unit.classes.size(), 2U);
  EXPECT_THAT(exported.unit.stub_files, ElementsAre());
  EXPECT_EQ(sources_.file_count(), 2U);
}

// ----------------------------------------------------------------------------------------------------------- environment

TEST_F(JavaExport, SaysWhatToInstall) {
  const std::string path = std::getenv("PATH");
  const char* home = std::getenv("JAVA_HOME");
  const std::string old_home = home == nullptr ? "" : home;
  unsetenv("JAVA_HOME");
  setenv("PATH", folder_.c_str(), 1);
  const Exported exported = run({{"A.java", "class A {}"}});
  setenv("PATH", path.c_str(), 1);
  if (home != nullptr) setenv("JAVA_HOME", old_home.c_str(), 1);
  EXPECT_EQ(exported.status, ExportStatus::kMissing);
  EXPECT_THAT(exported.message, HasSubstr("openjdk-17-jdk-headless"));
}

TEST_F(JavaExport, DoesNotDependOnTheLocaleNorOnOptionsFromOutside) {
  setenv("LC_ALL", "C", 1);
  setenv("JAVA_TOOL_OPTIONS", "-XX:NoSuchOption", 1);
  const ExportStatus status = run({{"é/A.java", "class A {}"}}).status;
  unsetenv("LC_ALL");
  unsetenv("JAVA_TOOL_OPTIONS");
  EXPECT_EQ(status, ExportStatus::kDone) << messages();
}

TEST_F(JavaExport, StopsInTime) {
  options_.deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(50);
  EXPECT_EQ(run({{"A.java", "class A {}"}}).status, ExportStatus::kTime);
  options_.deadline.reset();
  options_.is_interrupted = [] { return true; };
  EXPECT_EQ(run({{"A.java", "class A {}"}}).status, ExportStatus::kInterrupted);
}

// Who copies a file may copy the time of its last write as well.
TEST_F(JavaExport, KeepsNothingOfSourcesThatHaveChanged) {
  options_.use_cache = true;
  const auto write = [](const fs::path& file, const std::string& value) {
    std::ofstream(file) << "class B { static final int F = " << value << "; }";
  };
  fs::create_directories(folder_ / "elsewhere");
  fs::create_directories(folder_ / "lib");
  fs::create_directory_symlink(folder_ / "elsewhere", folder_ / "lib" / "p");
  for (const fs::path& file : {folder_ / "lib" / "B.java", folder_ / "elsewhere" / "B.java"}) {
    options_.source_path = file.parent_path() == folder_ / "lib" ? file.parent_path() : folder_ / "lib" / "p";
    const auto is_cached = [&] {
      sources_ = {};
      const Exported out = run({{"A.java", "class A { int g() { return B.F; } }"}});
      EXPECT_EQ(out.status, ExportStatus::kDone) << messages();
      return out.is_cached;
    };
    write(file, "1");
    const auto time = fs::last_write_time(file);
    EXPECT_FALSE(is_cached());
    EXPECT_TRUE(is_cached());
    write(file, "2");
    fs::last_write_time(file, time);
    EXPECT_FALSE(is_cached());
  }
  options_.source_path = folder_ / "lib";  // what is behind the link belongs to it
  const auto of_p = [&](const std::string& value) {
    sources_ = {};
    std::ofstream(folder_ / "elsewhere" / "B.java")
        << "package p; public class B { public static final int F = " << value << "; }";
    const Exported out = run({{"A.java", "class A { int g() { return p.B.F; } }"}});
    EXPECT_EQ(out.status, ExportStatus::kDone) << messages();
    return out.is_cached;
  };
  EXPECT_FALSE(of_p("1"));
  EXPECT_FALSE(of_p("100"));
}

TEST_F(JavaExport, KeepsExports) {
  options_.use_cache = true;
  EXPECT_FALSE(run({{"A.java", "class A { B b; }"}, {"B.java", "class B {}"}}).is_cached);
  sources_ = {};
  Exported again = run({{"A.java", "class A { B b; }"}, {"B.java", "class B {}"}});
  EXPECT_TRUE(again.is_cached);
  EXPECT_EQ(again.unit.classes.size(), 2U);
  sources_ = {};
  EXPECT_FALSE(run({{"A.java", "class A { B c; }"}, {"B.java", "class B {}"}}).is_cached);
  // Damaged files are passed over and written anew.
  for (const auto& entry : fs::directory_iterator(folder_ / "cache" / "concord" / "java")) {
    std::ofstream(entry.path(), std::ios::binary | std::ios::app) << "x";
  }
  sources_ = {};
  EXPECT_FALSE(run({{"A.java", "class A { B b; }"}, {"B.java", "class B {}"}}).is_cached);
  sources_ = {};
  EXPECT_TRUE(run({{"A.java", "class A { B b; }"}, {"B.java", "class B {}"}}).is_cached);
}

TEST_F(JavaExport, DropsTheOldestWhenTheCacheIsFull) {
  fs::create_directories(folder_ / "c");
  const Cache cache(folder_ / "c");
  const std::string content(1000, 'x');
  for (const char* key : {"a", "b", "c"}) {
    cache.store(key, content, 2500);
    const auto age = std::chrono::seconds(key[0] == 'a' ? 20 : 10);
    fs::last_write_time(folder_ / "c" / (std::string(key) + ".export"), fs::file_time_type::clock::now() - age);
  }
  EXPECT_FALSE(cache.load("a"));
  EXPECT_EQ(cache.load("b"), content);
  EXPECT_EQ(cache.load("c"), content);
}

}  // namespace
}  // namespace concord::frontend::java
