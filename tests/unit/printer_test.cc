#include "plato/printer.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>

#include "plato/reader.h"

namespace concord::plato {
namespace {

Program read_text(const std::string& text) {
  base::SourceMap sources;
  Program program;
  diag::Sink sink;
  read(sources, sources.add("t.plato", text), program, sink);
  for (const diag::Diagnostic& error : sink.errors()) ADD_FAILURE() << diag::render(sources, error);
  return program;
}

std::string printed(const std::string& text) { return print(read_text(text)); }

// The printed form of a single expression.
std::string expr(const std::string& text) {
  const Program program = read_text("global_invariant " + text + ";");
  return program.clauses.empty() ? "" : print(*program.clauses[0].predicate.predicate);
}

std::string head(const std::string& text) {
  const Program program = read_text("proc p() { " + text + " }");
  if (program.procedures.empty()) return "";
  return print_head(*std::get<Block>(program.procedures[0].body->node).statements.at(0));
}

TEST(PrintExpr, only_parentheses_that_are_needed) {
  EXPECT_EQ(expr("((a) + (b * c))"), "a + b * c");
  EXPECT_EQ(expr("(a + b) * c"), "(a + b) * c");
  EXPECT_EQ(expr("a - (b - c)"), "a - (b - c)");
  EXPECT_EQ(expr("(a - b) - c"), "a - b - c");
  EXPECT_EQ(expr("(a ==> b) ==> c"), "(a ==> b) ==> c");
  EXPECT_EQ(expr("a ==> (b ==> c)"), "a ==> b ==> c");
  EXPECT_EQ(expr("a <==> (b <==> c)"), "a <==> (b <==> c)");
  EXPECT_EQ(expr("(a && b) || (c && d)"), "a && b || c && d");
  EXPECT_EQ(expr("(a || b) && c"), "(a || b) && c");
  EXPECT_EQ(expr("(a == b) == (c < d)"), "a == b == c < d");
  EXPECT_EQ(expr("!(a && b)"), "!(a && b)");
  EXPECT_EQ(expr("(!a) && b"), "!a && b");
  EXPECT_EQ(expr("(a & b) + c"), "a & b + c");
  EXPECT_EQ(expr("(x in s) && (t instanceof p)"), "x in s && t instanceof p");
}

TEST(PrintExpr, conditional) {
  EXPECT_EQ(expr("a ? b : (c ? d : e)"), "a ? b : c ? d : e");
  EXPECT_EQ(expr("(a ? b : c) ? d : e"), "(a ? b : c) ? d : e");
  EXPECT_EQ(expr("a ? b ? c : d : e"), "a ? (b ? c : d) : e");
  EXPECT_EQ(expr("(a ? b : c) == d"), "(a ? b : c) == d");
}

TEST(PrintExpr, minus_signs_never_meet) {
  EXPECT_EQ(expr("- - x == 0"), "-(-x) == 0");
  EXPECT_EQ(expr("a - -b == 0"), "a - -b == 0");
  EXPECT_EQ(expr("!!a"), "!!a");
  Expr least;
  least.node = IntLit{std::numeric_limits<std::int64_t>::min()};
  EXPECT_EQ(print(least), "-9223372036854775808");
  EXPECT_EQ(expr("x == -9223372036854775808"), "x == -9223372036854775808");
}

TEST(PrintExpr, quantifiers) {
  EXPECT_EQ(expr("forall i: int, t: tid :: i > 0 ==> (exists j: int :: j == i)"),
            "forall i: int, t: tid :: i > 0 ==> (exists j: int :: j == i)");
  EXPECT_EQ(expr("a && forall i: int :: b"), "a && (forall i: int :: b)");
  EXPECT_EQ(expr("(\\forall int i, j; i < j; m[i] <= m[j])"), "forall i: int, j: int :: i < j ==> m[i] <= m[j]");
  EXPECT_EQ(expr("(\\exists Node[] n; n != null; n.length > 0)"), "exists n: Node[] :: n != null && n.length > 0");
  EXPECT_EQ(expr("(\\forall int i; a) ==> b"), "(forall i: int :: a) ==> b");
}

TEST(PrintExpr, atoms_and_paths) {
  EXPECT_EQ(expr("o.f' == m[k]' && x' == (c ? o : p).f"), "o.f' == m[k]' && x' == (c ? o : p).f");
  EXPECT_EQ(expr("m[k := v][j := w] == map({1, 2})"), "m[k := v][j := w] == map({1, 2})");
  EXPECT_EQ(expr("\\tid == tid && \\main == none && {} == s"), "tid == tid && main == none && {} == s");
  EXPECT_EQ(expr("\\reach(x, f, y) && \\acyclic(x, f) && \\list(x, f)"),
            "\\reach(x, f, y) && \\acyclic(x, f) && \\list(x, f)");
  EXPECT_EQ(expr("\\old(x) == \\result && \\holds(l) && size(s) > 0"),
            "\\old(x) == \\result && \\holds(l) && size(s) > 0");
}

TEST(PrintHead, one_line_without_bodies) {
  EXPECT_EQ(head("while (x > 0) loop_invariant x > 1; { skip; }"), "while (x > 0)");
  EXPECT_EQ(head("if (*) skip; else skip;"), "if (*)");
  EXPECT_EQ(head("x++;"), "x = x + 1;");
  EXPECT_EQ(head("m[k] -= a - b;"), "m[k] = m[k] - (a - b);");
  EXPECT_EQ(head("m = none; set owner = none; set n = 1;"), "m = none; set owner = none; set n = 1;");
  EXPECT_EQ(head("m == tid ? <m' == none>_{m};"), "m == tid ? <m' == none>_{m};");
  EXPECT_EQ(head("trusted atomic { skip; }"), "trusted atomic");
  EXPECT_EQ(head("choose { skip; } or { skip; }"), "choose");
  EXPECT_EQ(head("b = CAS(m, none, tid);"), "b = CAS(m, none, tid);");
  EXPECT_EQ(head("havoc x in 0..n - 1;"), "havoc x in 0 .. n - 1;");
  EXPECT_EQ(head("var t: tid = start p(1, 2);"), "var t: tid = start p(1, 2);");
  EXPECT_EQ(head("a = new int[][n];"), "a = new int[][n];");
  EXPECT_EQ(head("return;"), "return;");
}

TEST(PrintTwoState, frames) {
  const Program program = read_text("rely <x' > 0>_{x, o.f}; rely <true>; rely <a>_{}; rely x' == x;");
  ASSERT_EQ(program.clauses.size(), 4U);
  EXPECT_EQ(print(program.clauses[0].predicate), "<x' > 0>_{x, o.f}");
  EXPECT_EQ(print(program.clauses[1].predicate), "<true>");
  EXPECT_EQ(print(program.clauses[2].predicate), "<a>");
  EXPECT_EQ(print(program.clauses[3].predicate), "x' == x");
}

TEST(PrintProgram, layout) {
  EXPECT_EQ(printed("module A{var x:int=0 guarded_by m;proc p()requires x>0;{if(x>0)x=1;else if(x<0){}else x=2;}"
                    "proc q(){}thread p();thread[2]q();}module B uses A{var y:int;}const n:int;"),
            R"(module A {
  var x: int = 0 guarded_by m;

  proc p()
    requires x > 0;
  {
    if (x > 0) {
      x = 1;
    } else if (x < 0) {
    } else {
      x = 2;
    }
  }

  proc q() {
  }

  thread p();
  thread[2] q();
}

module B uses A {
  var y: int;
}

const n: int;
)");
}

TEST(PrintProgram, waivers_come_before_their_item) {
  EXPECT_EQ(
      printed(
          "nowarn race \"a \\\"b\\\" \\\\\"; var x: int; proc p() { nowarn deadlock \"c\"; may_block await x > 0; }"),
      "nowarn race \"a \\\"b\\\" \\\\\";\n"
      "var x: int;\n"
      "\n"
      "proc p() {\n"
      "  nowarn deadlock \"c\";\n"
      "  may_block await x > 0;\n"
      "}\n");
}

TEST(PrintProgram, long_lines_are_broken) {
  const std::string a(30, 'a'), b(30, 'b'), c(30, 'c'), d(30, 'd');
  EXPECT_EQ(printed("global_invariant " + a + " && " + b + " && " + c + " || " + d + ";"),
            "global_invariant " + a + " && " + b + " && " + c + "\n    || " + d + ";\n");
  EXPECT_EQ(printed("global_invariant forall i: int :: " + a + " ==> " + b + " && i == 0;"),
            "global_invariant forall i: int ::\n    " + a + " ==> " + b + " && i == 0;\n");
  EXPECT_EQ(
      printed("global_invariant forall i: int :: " + a + " ==> " + b + " && " + c + " && " + d + ";"),
      "global_invariant forall i: int ::\n    " + a + " ==>\n    " + b + "\n    && " + c + "\n    && " + d + ";\n");
  EXPECT_EQ(printed("proc p() { x = " + a + "; set " + b + " = " + c + "; set " + d + " = 1; }"),
            "proc p() {\n  x = " + a + ";\n  set " + b + " = " + c + ";\n  set " + d + " = 1;\n}\n");
  const std::string var = "var x: map<int, int> = map(0)";
  EXPECT_EQ(printed(var + " guarded_by " + a + " writable_if " + b + " == " + c + ";"),
            var + "\n    guarded_by " + a + "\n    writable_if " + b + " == " + c + ";\n");
}

TEST(PrintProgram, fields_and_clauses_of_a_class_stay_in_order) {
  const std::string text =
      "class C {\n"
      "  var a: int;\n"
      "  invariant a > 0;\n"
      "  volatile var b: C;\n"
      "  global_invariant b != this;\n"
      "  invariant holder == none;\n"
      "}\n";
  EXPECT_EQ(printed(text), text);
}

// Programs that front ends build without places have no order of their own.
TEST(PrintProgram, class_without_places) {
  Program program = read_text("class C { invariant true; var a: int; }");
  program.classes[0].fields[0].range = {};
  program.clauses[0].range = {};
  EXPECT_EQ(print(program), "class C {\n  var a: int;\n  invariant true;\n}\n");
}

TEST(PrintProgram, a_set_at_the_start_of_a_direct_operation_is_no_block) {
  EXPECT_EQ(printed("proc p() { ({x} <= s) ? <true>; ({1}) == t && b ? <true>; }"),
            "proc p() {\n  ({x} <= s) ? <true>;\n  ({1} == t && b) ? <true>;\n}\n");
}

TEST(PrintProgram, nothing) {
  EXPECT_EQ(print(Program{}), "");
  EXPECT_EQ(printed(""), "");
}

}  // namespace
}  // namespace concord::plato
