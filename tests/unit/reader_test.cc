#include "plato/reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>

#include "plato/printer.h"

namespace concord::plato {
namespace {

// A text and what was read from it.
struct Read {
  base::SourceMap sources;
  Program program;
  diag::Sink sink;

  explicit Read(const std::string& text) { read(sources, sources.add("t.plato", text), program, sink); }

  std::string errors() const {
    std::string all;
    for (const diag::Diagnostic& error : sink.errors()) all += diag::render(sources, error);
    return all;
  }
  std::string text(SourceRange range) const { return std::string(sources.text(range)); }
};

std::string errors(const std::string& text) { return Read(text).errors(); }

// Only the first line of each message.
std::string messages(const std::string& text) {
  const Read result(text);
  std::string all;
  for (const diag::Diagnostic& error : result.sink.errors()) {
    all += result.sources.place(error.range).substr(8) + " " + error.message + "\n";
  }
  return all;
}

std::vector<StmtPtr>& statements(Program& program) {
  return std::get<Block>(program.procedures.at(0).body->node).statements;
}

// The tree of an expression with all its parentheses.
std::string tree(const Expr& expr) {
  if (const auto* e = std::get_if<BinaryExpr>(&expr.node)) {
    const auto op = static_cast<int>(e->op);
    static const char* const names[] = {"<==>", "==>", "||", "&&", "==", "!=", "<", "<=", ">",
                                        ">=",   "in",  "+",  "-",  "*",  "/",  "%", "&"};
    return "(" + tree(*e->left) + " " + names[op] + " " + tree(*e->right) + ")";
  }
  if (const auto* e = std::get_if<UnaryExpr>(&expr.node))
    return (e->op == UnaryOp::kNot ? "!" : "-") + tree(*e->operand);
  if (const auto* e = std::get_if<ConditionalExpr>(&expr.node)) {
    return "(" + tree(*e->condition) + " ? " + tree(*e->then) + " : " + tree(*e->otherwise) + ")";
  }
  return print(expr);
}

std::string tree(const std::string& text) {
  const Read result("global_invariant " + text + ";");
  EXPECT_EQ(result.errors(), "");
  return result.program.clauses.empty() ? "" : tree(*result.program.clauses[0].predicate.predicate);
}

// --------------------------------------------------------------------------------------------------------- expressions

TEST(ReadExpr, precedence) {
  EXPECT_EQ(tree("a <==> b ==> c || d && e == f < g + h * -i"),
            "(a <==> (b ==> (c || (d && (e == (f < (g + (h * -i))))))))");
  EXPECT_EQ(tree("a * b + c < d == e && f || g ==> h <==> i"),
            "((((((((a * b) + c) < d) == e) && f) || g) ==> h) <==> i)");
  EXPECT_EQ(tree("a & b + c - d % e / f"), "(((a & b) + c) - ((d % e) / f))");
  EXPECT_EQ(tree("x in s && !y instanceof p"), "((x in s) && !y instanceof p)");
}

TEST(ReadExpr, associativity) {
  EXPECT_EQ(tree("a - b - c"), "((a - b) - c)");
  EXPECT_EQ(tree("a ==> b ==> c"), "(a ==> (b ==> c))");
  EXPECT_EQ(tree("a <==> b <==> c"), "((a <==> b) <==> c)");
  EXPECT_EQ(tree("a ? b : c ? d : e"), "(a ? b : (c ? d : e))");
  EXPECT_EQ(tree("a ? b ? c : d : e"), "(a ? (b ? c : d) : e)");
}

TEST(ReadExpr, primes_belong_to_the_path_before_them) {
  const Read result("rely o.f' == m[k]' + o'.f + x';");
  ASSERT_EQ(result.errors(), "");
  const auto& sum = std::get<BinaryExpr>(result.program.clauses[0].predicate.predicate->node);
  EXPECT_TRUE(std::get<FieldExpr>(sum.left->node).primed);
  EXPECT_FALSE(std::get<NameExpr>(std::get<FieldExpr>(sum.left->node).object->node).primed);
  const auto& right = std::get<BinaryExpr>(sum.right->node);
  EXPECT_TRUE(std::get<NameExpr>(right.right->node).primed);
  const auto& inner = std::get<BinaryExpr>(right.left->node);
  EXPECT_TRUE(std::get<IndexExpr>(inner.left->node).primed);
  EXPECT_FALSE(std::get<FieldExpr>(inner.right->node).primed);
  EXPECT_TRUE(std::get<NameExpr>(std::get<FieldExpr>(inner.right->node).object->node).primed);
}

TEST(ReadExpr, least_and_greatest_number) {
  const Read result("const a: int = 9223372036854775807; const b: int = -9223372036854775808;");
  ASSERT_EQ(result.errors(), "");
  EXPECT_EQ(std::get<IntLit>(result.program.consts[0].value->node).value, INT64_MAX);
  EXPECT_EQ(std::get<IntLit>(result.program.consts[1].value->node).value, INT64_MIN);
}

TEST(ReadExpr, jml_quantifier_with_range) {
  EXPECT_EQ(tree("(\\forall int i; a; b)"), "forall i: int :: a ==> b");
  EXPECT_EQ(tree("(\\exists int i, j; a; b)"), "exists i: int, j: int :: a && b");
}

TEST(ReadExpr, index_only_in_thread_arguments) {
  const Read result("var index: int = index; thread[2] p(index + 1);");
  ASSERT_EQ(result.errors(), "");
  EXPECT_TRUE(std::holds_alternative<NameExpr>(result.program.variables[0].init->node));
  const Expr& argument = *result.program.threads[0].target.arguments[0];
  EXPECT_TRUE(std::holds_alternative<ThreadIndex>(std::get<BinaryExpr>(argument.node).left->node));
}

TEST(ReadTwoState, where_the_bracket_closes) {
  const auto frame_and_tree = [](const std::string& text) {
    const Read result("rely " + text + ";");
    EXPECT_EQ(result.errors(), "");
    const TwoState& step = result.program.clauses.at(0).predicate;
    return tree(*step.predicate) + " / " + (step.frame ? std::to_string(step.frame->size()) : "none");
  };
  EXPECT_EQ(frame_and_tree("<g' > 0>_{g}"), "(g' > 0) / 1");
  EXPECT_EQ(frame_and_tree("<g'>0>_{g,h}"), "(g' > 0) / 2");
  EXPECT_EQ(frame_and_tree("< g' > 0 > _ { g }"), "(g' > 0) / 1");
  EXPECT_EQ(frame_and_tree("<a > b>"), "(a > b) / 0");
  EXPECT_EQ(frame_and_tree("<(a > b) > c>_{}"), "((a > b) > c) / 0");
  EXPECT_EQ(frame_and_tree("<a > _>_{_}"), "(a > _) / 1");
  EXPECT_EQ(frame_and_tree("a > b"), "(a > b) / none");
}

// ---------------------------------------------------------------------------------------------------------- statements

TEST(ReadStmt, direct_form_and_conditional) {
  const Read result("proc p() { a == b ? <x' > 0>_{x}; x = a ? b : c; <x>; }");
  ASSERT_EQ(result.errors(), "");
  const auto& list = std::get<Block>(result.program.procedures[0].body->node).statements;
  EXPECT_EQ(tree(*std::get<Direct>(list[0]->node).wrong_unless), "(a == b)");
  EXPECT_EQ(tree(*std::get<ExprPtr>(std::get<Assign>(list[1]->node).value)), "(a ? b : c)");
  EXPECT_EQ(std::get<Direct>(list[2]->node).wrong_unless, nullptr);
}

TEST(ReadStmt, compound_assignment) {
  Read result("proc p() { m[i + 1] += 2; x--; }");
  ASSERT_EQ(result.errors(), "");
  const auto& first = std::get<Assign>(statements(result.program)[0]->node);
  EXPECT_EQ(print(*first.target), "m[i + 1]");
  EXPECT_EQ(tree(*std::get<ExprPtr>(first.value)), "(m[i + 1] + 2)");
  EXPECT_EQ(result.text(std::get<ExprPtr>(first.value)->range), "m[i + 1] += 2");
  const auto& second = std::get<Assign>(statements(result.program)[1]->node);
  EXPECT_EQ(tree(*std::get<ExprPtr>(second.value)), "(x - 1)");
}

TEST(ReadStmt, sets_join_the_statement_before_them) {
  Read result("proc p() { x = 1; set g = 1; set h = 2; atomic { y = 1; set g = 3; { set g = 4; } } set g = 5; }");
  ASSERT_EQ(result.errors(), "");
  auto& list = statements(result.program);
  ASSERT_EQ(list.size(), 2U);
  EXPECT_EQ(list[0]->sets.size(), 2U);
  EXPECT_EQ(result.text(list[0]->sets[1].range), "set h = 2");
  EXPECT_EQ(list[1]->sets.size(), 1U);
  const auto& inside = std::get<Block>(std::get<Atomic>(list[1]->node).body->node).statements;
  ASSERT_EQ(inside.size(), 3U);
  EXPECT_TRUE(std::holds_alternative<SetStmt>(inside[1]->node));
}

TEST(ReadStmt, lock_words_are_procedures_unless_they_have_one_argument) {
  Read result("proc acquire() { acquire(m); acquire(); wait(a, b); start release(); join(t); x = join(); }");
  ASSERT_EQ(result.errors(), "");
  auto& list = statements(result.program);
  EXPECT_TRUE(std::holds_alternative<Acquire>(list[0]->node));
  EXPECT_TRUE(std::holds_alternative<Call>(list[1]->node));
  EXPECT_TRUE(std::holds_alternative<Call>(list[2]->node));
  EXPECT_TRUE(std::holds_alternative<Join>(list[4]->node));
}

TEST(ReadStmt, else_belongs_to_the_nearest_if) {
  Read result("proc p() { if (a) if (b) skip; else skip; }");
  ASSERT_EQ(result.errors(), "");
  const auto& outer = std::get<If>(statements(result.program)[0]->node);
  EXPECT_EQ(outer.otherwise, nullptr);
  EXPECT_NE(std::get<If>(outer.then->node).otherwise, nullptr);
}

TEST(ReadStmt, waivers_belong_to_the_next_statement) {
  Read result(
      "proc p() { nowarn race \"a\"; nowarn null-dereference \"b\\\"\"; x = 1; if (c) nowarn race \"c\"; y = 1; }");
  ASSERT_EQ(result.errors(), "");
  auto& list = statements(result.program);
  ASSERT_EQ(list[0]->waivers.size(), 2U);
  EXPECT_EQ(list[0]->waivers[1].kind, "null-dereference");
  EXPECT_EQ(list[0]->waivers[1].reason, "b\"");
  EXPECT_EQ(list[1]->waivers.size(), 0U);
  EXPECT_EQ(std::get<If>(list[1]->node).then->waivers.size(), 1U);
}

// -------------------------------------------------------------------------------------------------------------- ranges

TEST(Ranges, statements_end_before_their_semicolon) {
  Read result("proc p() { x = 1 ; may_block await y; if (a) x = 2; while (b) { skip; } }");
  ASSERT_EQ(result.errors(), "");
  auto& list = statements(result.program);
  EXPECT_EQ(result.text(list[0]->range), "x = 1 ");
  EXPECT_EQ(result.text(list[1]->range), "await y");
  EXPECT_EQ(result.text(list[2]->range), "if (a) x = 2");
  EXPECT_EQ(result.text(list[3]->range), "while (b) { skip; }");
  EXPECT_EQ(result.text(result.program.procedures[0].end_range), "}");
  EXPECT_EQ(result.text(result.program.procedures[0].name_range), "p");
}

TEST(Ranges, expressions) {
  const Read result("rely ( a.b' + m[ k ]' ) * -c == size( s );");
  ASSERT_EQ(result.errors(), "");
  const Clause& clause = result.program.clauses[0];
  EXPECT_EQ(result.text(clause.range), "rely ( a.b' + m[ k ]' ) * -c == size( s )");
  EXPECT_EQ(result.text(clause.predicate.range), "( a.b' + m[ k ]' ) * -c == size( s )");
  const auto& equal = std::get<BinaryExpr>(clause.predicate.predicate->node);
  EXPECT_EQ(result.text(equal.left->range), "( a.b' + m[ k ]' ) * -c");
  EXPECT_EQ(result.text(equal.right->range), "size( s )");
  const auto& product = std::get<BinaryExpr>(equal.left->node);
  EXPECT_EQ(result.text(product.left->range), "( a.b' + m[ k ]' )");
  EXPECT_EQ(result.text(product.right->range), "-c");
  const auto& sum = std::get<BinaryExpr>(product.left->node);
  EXPECT_EQ(result.text(sum.left->range), "a.b'");
  EXPECT_EQ(result.text(std::get<FieldExpr>(sum.left->node).field_range), "b");
  EXPECT_EQ(result.text(std::get<FieldExpr>(sum.left->node).object->range), "a");
  EXPECT_EQ(result.text(sum.right->range), "m[ k ]'");
}

TEST(Ranges, declarations) {
  const Read result(
      "module M uses N { volatile var x: map<int, int[]> = map(0) guarded_by m writable_if a == b ; }\n"
      "proc p(a: tid) requires a ; action \"n\" ensures b ; performs action \"k\" (v) { c } { }\n"
      "thread[n] p(tid) abstracted by  A ; check race, env-assumption;\n"
      "abstract thread A { initial node X : assert g ; X -> Y : <h>_{ x } ; }");
  ASSERT_EQ(result.errors(), "");
  const Program& program = result.program;
  EXPECT_EQ(result.text(program.modules[1].uses_ranges[0]), "N");
  const Variable& x = program.variables[0];
  EXPECT_EQ(result.text(x.range), "volatile var x: map<int, int[]> = map(0) guarded_by m writable_if a == b");
  EXPECT_EQ(result.text(x.name_range), "x");
  EXPECT_EQ(result.text(x.type.range), "map<int, int[]>");
  EXPECT_EQ(result.text(x.type.second->range), "int[]");
  EXPECT_EQ(result.text(x.clauses[1].range), "writable_if a == b");
  const Procedure& p = program.procedures[0];
  EXPECT_EQ(result.text(p.parameters[0].range), "a");
  EXPECT_EQ(result.text(p.contract.actions[0].range), "action \"n\" ensures b");
  EXPECT_EQ(result.text(p.contract.actions[1].range), "performs action \"k\" (v) { c }");
  EXPECT_EQ(result.text(program.threads[0].range), "thread[n] p(tid) abstracted by  A");
  EXPECT_EQ(result.text(program.threads[0].abstracted.range), "abstracted by  A");
  EXPECT_EQ(result.text(program.checks[0].kind_ranges[1]), "env-assumption");
  const AbstractThread& machine = program.abstract_threads[0];
  EXPECT_EQ(result.text(machine.nodes[0].range), "initial node X : assert g");
  EXPECT_EQ(result.text(machine.edges[0].range), "X -> Y : <h>_{ x }");
  EXPECT_EQ(result.text(machine.edges[0].step.range), "<h>_{ x }");
}

// ------------------------------------------------------------------------------------------------------------- modules

TEST(ReadModule, the_unnamed_module_comes_first) {
  const Read result("module A { var x: int; } var y: int; class C { var f: int; invariant f > 0; }");
  ASSERT_EQ(result.errors(), "");
  const Program& program = result.program;
  ASSERT_EQ(program.modules.size(), 2U);
  EXPECT_EQ(program.modules[0].name, "");
  EXPECT_EQ(program.modules[1].name, "A");
  EXPECT_EQ(program.variables[0].module, 1);
  EXPECT_EQ(program.variables[1].module, 0);
  EXPECT_EQ(program.modules[0].items.size(), 2U) << "the clause is an item of the class, not of the module";
  EXPECT_EQ(program.classes[0].clauses, std::vector<int>{0});
  EXPECT_EQ(Read("").program.modules.size(), 1U);
}

// -------------------------------------------------------------------------------------------------- errors, whole text

TEST(ReadError, missing_semicolon) {
  EXPECT_EQ(errors("proc p() {\n  x = 1\n  y = 2;\n}\n"),
            "t.plato:2:8: error: expected `;`\n"
            "  x = 1\n"
            "       ^\n");
}

TEST(ReadError, missing_brace) {
  EXPECT_EQ(errors("proc p() {\n  if (x) {\n    y = 1;\n\nproc q() { }\n"),
            "t.plato:5:1: error: expected `}`, found `proc`\n"
            "proc q() { }\n"
            "^~~~\n"
            "t.plato:2:10: note: to close this `{`\n"
            "  if (x) {\n"
            "         ^\n");
}

TEST(ReadError, misspelt_clause) {
  EXPECT_EQ(errors("env_asumption x' == x;\nvar x: int;\n"),
            "t.plato:1:1: error: expected a declaration, found `env_asumption`\n"
            "env_asumption x' == x;\n"
            "^~~~~~~~~~~~~\n"
            "hint: did you mean `env_assumption`?\n");
}

TEST(ReadError, misspelt_statement) {
  EXPECT_EQ(errors("proc p() { asert x > 0; }"),
            "t.plato:1:12: error: `asert` is not a statement\n"
            "proc p() { asert x > 0; }\n"
            "           ^~~~~\n"
            "hint: did you mean `assert`?\n");
}

TEST(ReadError, catch_belongs_to_calls) {
  EXPECT_EQ(errors("proc p() { start p() catch v; }"),
            "t.plato:1:22: error: `start` has no `catch`\n"
            "proc p() { start p() catch v; }\n"
            "                     ^~~~~\n"
            "hint: an exception that leaves the procedure of a thread ends that thread\n");
  EXPECT_EQ(messages("proc p() { acquire(m) catch v; }"), "1:29 `acquire` throws nothing\n");
  EXPECT_EQ(messages("proc p() { x = 1 catch v; }"), "1:18 expected `;`, found `catch`\n");
}

TEST(ReadError, invariant_in_a_module) {
  EXPECT_EQ(errors("module M {\n  invariant x > 0;\n}\n"),
            "t.plato:2:3: error: `invariant` belongs in a class\n"
            "  invariant x > 0;\n"
            "  ^~~~~~~~~\n"
            "hint: `global_invariant` states what holds in every state\n");
}

TEST(ReadError, set_with_nothing_before_it) {
  EXPECT_EQ(
      errors("proc p() { set g = 1; }"),
      "t.plato:1:12: error: there is no statement before this `set` in its block\n"
      "proc p() { set g = 1; }\n"
      "           ^~~\n"
      "hint: a `set` happens in the same operation as the statement before it; `skip; set g = e;` is an operation of "
      "its own\n");
}

TEST(ReadError, number_too_large) {
  EXPECT_EQ(errors("const n: int = 9223372036854775808;"),
            "t.plato:1:16: error: this number is too large\n"
            "const n: int = 9223372036854775808;\n"
            "               ^~~~~~~~~~~~~~~~~~~\n"
            "hint: literals go up to 9223372036854775807\n");
}

TEST(ReadError, unterminated_comment) {
  EXPECT_EQ(errors("proc p() {\n  /* x = 1;\n}\n"),
            "t.plato:2:3: error: this comment is never closed\n"
            "  /* x = 1;\n"
            "  ^~\n"
            "hint: close it with `*/`\n");
}

TEST(ReadError, unterminated_string) {
  EXPECT_EQ(errors("nowarn race \"because;\r\nvar x: int;\n"),
            "t.plato:1:13: error: this string does not end on its line\n"
            "nowarn race \"because;\n"
            "            ^~~~~~~~~\n");
}

TEST(ReadError, binary_file) {
  EXPECT_EQ(errors(std::string("\x7F"
                               "ELF\2\0\0\0\1",
                               9)),
            "t.plato:1:6: error: this looks like a binary file: it has a NUL byte\n"
            "?ELF?????\n"
            "     ^\n");
}

TEST(ReadError, encoding_once) {
  EXPECT_EQ(errors("// caf\xE9\n// t\xEA"
                   "te\nvar x: int;"),
            "t.plato:1:7: error: this byte is not UTF-8\n"
            "// caf?\n"
            "      ^\n"
            "hint: save the file in the encoding UTF-8\n");
}

TEST(ReadError, nesting) {
  const std::string deep = "proc p() { x = " + std::string(2000, '(') + "1" + std::string(2000, ')') + "; }";
  EXPECT_EQ(errors(deep),
            "t.plato:1:1014: error: the nesting here is deeper than 1000 levels, which is the limit\n"
            "…" +
                std::string(110, '(') + "…\n" + std::string(56, ' ') + "^\n" +
                "hint: long chains of operators and of `else if` count as nesting\n");
}

// ----------------------------------------------------------------------------------------------- errors, messages only

TEST(ReadError, several_in_one_run_without_cascades) {
  EXPECT_EQ(messages("module M {\n"
                     "  var x: int guarded m;\n"
                     "  requires x > 0;\n"
                     "  proc p() requires x > ; ensurse y; { x = ; y = 2 z; if (x = 1) { retrun; } else { z := 3; } }\n"
                     "  proc q(a int) { w = {1, }; }\n"
                     "  const check: int;\n"
                     "  class C { var f: int; foo; proc m() { x = 1; } }\n"
                     "}\n"),
            "2:14 unknown clause `guarded`\n"
            "3:3 `requires` belongs between the head of a procedure and its body\n"
            "4:25 expected an expression, found `;`\n"
            "4:27 expected a clause or the body of the procedure, found `ensurse`\n"
            "4:44 expected an expression, found `;`\n"
            "4:52 expected `;`, found `z`\n"
            "4:61 expected `)`, found `=`\n"
            "4:68 `retrun` is not a statement\n"
            "4:87 expected `=`, found `:=`\n"
            "5:12 expected `:` after the name of the parameter, found `int`\n"
            "5:27 expected an expression, found `}`\n"
            "6:9 `check` is a reserved word; it cannot be a name\n"
            "7:25 expected a field or a clause, found `foo`\n"
            "7:30 `proc` belongs in a module\n");
}

TEST(ReadError, clauses_say_where_they_belong) {
  EXPECT_EQ(messages("assert x; acquire(m); loop_invariant x; guarded_by m; ensures x;"),
            "1:1 `assert` belongs in the body of a procedure\n"  // and so does what follows it
            "1:23 `loop_invariant` belongs between the head of a loop and its body\n"
            "1:41 `guarded_by` belongs after a variable or field, before the `;`\n"
            "1:55 `ensures` belongs between the head of a procedure and its body\n");
  EXPECT_EQ(
      messages("proc p() { requires x; rely x; module M { } ghost var x: int; loop_modifies x; else x = 1; or { } }"),
      "1:12 `requires` belongs between the head of a procedure and its body\n"
      "1:24 `rely` belongs in a module or class\n"
      "1:32 `module` belongs in a module\n"
      "1:45 `ghost` belongs in a module\n"
      "1:63 `loop_modifies` belongs between the head of a loop and its body\n"
      "1:80 `else` without an `if` before it\n"
      "1:92 `or` without a `choose` before it\n");
  EXPECT_EQ(messages("class C { lock_order a < b; action ensures x; check race; }"),
            "1:11 `lock_order` belongs in a module\n"
            "1:29 `action` belongs between the head of a procedure and its body\n"
            "1:47 `check` belongs in a module\n");
  EXPECT_EQ(messages("module A { module B { } }"), "1:12 modules do not nest\n");
  EXPECT_EQ(messages("initially <x>;"), "1:11 `initially` speaks of states: it takes no `<…>`\n");
}

TEST(ReadError, expressions) {
  EXPECT_EQ(messages("proc p() { x = 1 + p(2); y = p(1) + 2; return p(); z = *; w = new; v = 1 + new C(); }"),
            "1:20 a call cannot be part of an expression\n"
            "1:35 a call cannot be part of an expression\n"
            "1:47 a call cannot be part of an expression\n"
            "1:56 `*` is not a value\n"
            "1:66 expected a type, found `;`\n"
            "1:76 `new` cannot be part of an expression\n");
  EXPECT_EQ(messages("rely (x + y)' == x'' && \\odl(x) && * && \\forall int i; \\nothing;"),
            "1:13 a prime belongs to a variable, a field or an entry\n"
            "1:56 expected a declaration, found `\\nothing`\n");
  EXPECT_EQ(messages("rely x''; rely \\odl(x); rely * && x; rely \\forall int i; rely \\nothing;"),
            "1:8 one prime is enough: there is one state after the step\n"
            "1:16 unknown word `\\odl`\n"
            "1:30 `*` stands only alone: as the condition of `if` and `while`, and as an initial value\n"
            "1:43 `\\forall` stands directly behind `(`\n"
            "1:63 Plato has no `\\nothing`\n");
}

TEST(ReadError, statements) {
  EXPECT_EQ(
      messages("proc p() { x + 1; x + 1 = 2; x = y++; ++x; acquire; may_block x = 1; havoc x, y in 1 .. 2; x = #; }"),
      "1:12 an expression is not a statement\n"
      "1:19 only a variable, a field or an entry can be assigned\n"
      "1:35 expected `;`, found `++`\n"
      "1:39 expected an expression, found `++`\n"
      "1:44 `acquire` needs its lock or thread in parentheses\n"
      "1:53 `may_block` belongs before a statement that waits\n"
      "1:81 `havoc … in lo .. hi` takes one variable\n"
      "1:96 unexpected character `#`\n");
  EXPECT_EQ(messages("proc p() { if (c) set g = 1; nowarn race \"r\"; }"),
            "1:19 a `set` belongs behind the statement in whose operation it happens\n"
            "1:30 this `nowarn` waives nothing before the end of a block\n");
}

TEST(ReadError, names_of_procedures) {
  EXPECT_EQ(messages("proc acquire(l: tid) { } proc size() { } proc while() { }"),
            "1:6 a procedure with the name `acquire` cannot have exactly one parameter\n"
            "1:31 a procedure cannot have the name `size`\n"
            "1:47 `while` is a reserved word; it cannot be a name\n");
}

TEST(ReadError, threads) {
  EXPECT_EQ(messages("thread[3] a = p(); thread p() abstracted A; thread[-1] p(); abstract thread A { foo; x -> y; }"),
            "1:11 only a single thread can have a name\n"
            "1:42 expected `by`, found `A`\n"
            "1:52 expected a number, a constant or `*`, found `-`\n"
            "1:81 expected a node or an edge, found `foo`\n"
            "1:92 expected `:`, found `;`\n");
}

TEST(ReadError, gives_up_after_many) {
  std::string text = "proc p() {";
  for (int i = 0; i < 1000; ++i) text += " x = ;\n";
  EXPECT_EQ(Read(text + "}").sink.errors().size(), diag::Sink::kMostErrors);
}

TEST(ReadError, end_of_file_anywhere) {
  const std::string text =
      "module M uses N { class C { var x: map<int, int[]> = map(0) guarded_by m; } const c: int = 1;\n"
      "proc p(a: int): int requires x > 0; action \"n\" also modifies x ensures x' == 1;\n"
      "{ if (a) { x = {1}; } else while (*) loop_invariant x; { t = start p(1); set g = 2; } <x' > 0>_{x}; }\n"
      "thread[3] p(index) abstracted by A; abstract thread A { initial node X: assert g; X -> X: <true>; } }";
  for (std::size_t length = 0; length < text.size(); ++length) {
    const Read result(text.substr(0, length));
    EXPECT_LE(result.sink.errors().size(), 2U) << text.substr(0, length) << "\n" << result.errors();
  }
  EXPECT_EQ(errors(text), "");
}

// Any token left out, doubled or spoilt: no crash, no hang, and few messages (more for a brace).
TEST(ReadError, one_wrong_token_gives_few_errors) {
  const std::string text =
      "module M { var x : int = 0 guarded_by m ; enum E { a , b }\n"
      "proc p ( a : int ) requires x > 0 ; { if ( a ) { x = { 1 } ; } else { y [ 1 ] = p ( 1 , 2 ) ; } assert x ; }\n"
      "rely < x' > 0 > _ { x } ; thread p ( ) ; }\n";
  std::vector<std::string> tokens;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find(' ', at), text.size() - 1);
    tokens.push_back(text.substr(at, end - at + 1));
    at = end + 1;
  }
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    for (const std::string& replacement : {std::string(), tokens[i] + tokens[i], std::string("@ ")}) {
      std::string changed;
      for (std::size_t j = 0; j < tokens.size(); ++j) changed += j == i ? replacement : tokens[j];
      const std::size_t most = tokens[i].find_first_of("{}") == std::string::npos ? 3 : 5;
      EXPECT_LE(Read(changed).sink.errors().size(), most) << changed << "\n" << errors(changed);
    }
  }
}

// -------------------------------------------------------------------------------------------------------------- limits

TEST(Limits, deep_input_is_refused_and_the_edge_is_read) {
  const auto repeat = [](const std::string& part, int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += part;
    return all;
  };
  const auto program = [&](const std::string& open, const std::string& middle, const std::string& close, int count) {
    return "proc p() { " + repeat(open, count) + middle + repeat(close, count) + " }";
  };
  const std::vector<std::array<std::string, 3>> shapes = {
      {"{ ", "skip;", "} "},   {"if (a) { } else ", "skip;", ""}, {"while (a) ", "skip;", ""},
      {"choose { ", "", "} "}, {"atomic { ", "", "} "},           {"loop { ", "", "} "},
  };
  for (const auto& [open, middle, close] : shapes) {
    EXPECT_EQ(errors(program(open, middle, close, 450)), "") << open;
    EXPECT_EQ(Read(program(open, middle, close, 5000)).sink.errors().size(), 1U) << open;
  }
  const std::vector<std::array<std::string, 3>> expressions = {
      {"(", "1", ")"},
      {"a + ", "1", ""},
      {"a ==> ", "1", ""},
      {"!", "a", ""},
      {"- ", "a", ""},
      {"a[", "1", "]"},
      {"", "a", ".f"},
      {"a ? b : ", "1", ""},
      {"{", "1", "}"},
      {"\\old(", "1", ")"},
      {"", "a", "[1]"},
      {"", "a", "[1 := 2]"},
      {"forall i: int :: ", "1", ""},
      {"map(", "1", ")"},
      {"(\\forall int i; 1; ", "1", ")"},
  };
  for (const auto& [open, middle, close] : expressions) {
    const auto assignment = [&](int count) {
      return "proc p() { x = " + repeat(open, count) + middle + repeat(close, count) + "; }";
    };
    EXPECT_EQ(errors(assignment(450)), "") << open << close;
    EXPECT_EQ(Read(assignment(5000)).sink.errors().size(), 1U) << open << close;
  }
  EXPECT_EQ(Read("var x: int" + repeat("[]", 5000) + ";").sink.errors().size(), 1U);
  EXPECT_EQ(Read("var x: " + repeat("set<", 5000) + "int" + repeat(">", 5000) + ";").sink.errors().size(), 1U);
}

TEST(ReservedWords, are_known) {
  const std::vector<std::string>& words = reserved_words();
  for (const char* word : {"env_assumption", "acquire", "tid", "loop_invariant", "guarded_by"}) {
    EXPECT_NE(std::find(words.begin(), words.end(), word), words.end()) << word;
  }
}

}  // namespace
}  // namespace concord::plato
