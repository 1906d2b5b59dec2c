// What the checker of well-formedness accepts and refuses. The wording of each message with its caret is in
// tests/golden/errors; here are the rules that are easy to make too strict or too lax, and what is resolved.
#include "plato/wellformed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plato/reader.h"

namespace concord::plato {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Checked {
  base::SourceMap sources;
  Program program;
  std::vector<std::string> messages;

  explicit Checked(const std::string& text) {
    sources.add("t.plato", text);
    diag::Sink sink;
    read(sources, 0, program, sink);
    EXPECT_FALSE(sink.has_errors()) << diag::render(sources, sink.errors().front()) << text;
    if (!sink.has_errors()) check_well_formed(sources, program, sink);
    for (const diag::Diagnostic& error : sink.errors()) messages.push_back(error.message);
  }
};

void expect_accepted(const std::string& text) { EXPECT_THAT(Checked(text).messages, IsEmpty()) << text; }

void expect_refused(const std::string& text, const std::string& message) {
  EXPECT_THAT(Checked(text).messages, Contains(HasSubstr(message))) << text;
}

constexpr const char* kShared = R"(enum Phase { calm, busy }
class Node { var next: Node; var value: int; ghost var mark: int; }
var x: int = 0; var y: int = 0; var b: bool; var m: tid = none; var k: monitor; var f: map<int, int>; var a: int[];
var n: Node; var s: set<int>; ghost var g: int = 0; ghost var gm: map<int, int>; var phase: Phase;
)";

std::string body(const std::string& text) { return kShared + ("proc p() { " + text + " }\nthread p();\n"); }
std::string clause(const std::string& text) { return kShared + text + "\nproc p() { skip; }\nthread p();\n"; }

// ------------------------------------------------------------------------------------------------------------- accepted

TEST(WellFormed, LabelsAreNamesOfTheirOwn) {
  expect_accepted(body("label x: while (x > 0) { label y: { break y; } continue x; } label x: { break x; }"));
  expect_accepted(body("label l: atomic { label m: { break m; } }"));
  expect_refused(body("label l: { label l: { skip; } }"), "label `l` is around this statement already");
  expect_refused(body("label l: { skip; } while (x > 0) { break l; }"), "there is no label `l` around this statement");
  expect_refused(body("label l: { while (x > 0) { continue l; } }"), "`l` is no loop to go on with");
  expect_refused(body("label l: while (x > 0) { atomic { continue l; } }"), "`continue l` cannot leave `atomic`");
  expect_refused(body("label l: { x = 1; } set g = 1;"), "`set` must follow a statement that is one atomic operation");
}

TEST(WellFormed, AnExceptionIsDeclaredAndCaught) {
  const auto program = [](const std::string& text) {
    return clause("proc t(i: int): int throws Node { if (i == 0) { var e: Node = new Node(); throw e; } return i; }\n" +
                  text);
  };
  expect_accepted(program("proc q() { var e: Node; t(1) catch e; x = t(2) catch e; var r: int = t(3) catch e; }"));
  expect_accepted(program("proc q() { var e: Node; atomic { t(1) catch e; } start t(1); }\nthread t(1);"));
  expect_accepted(program("proc q() throws Node signals \\result.value == \\old(x); { throw n; }"));
  expect_refused(program("proc q() { t(1); }"), "`t` may throw, and nothing says where the exception goes");
  expect_refused(program("proc q() { var e: Node; q() catch e; }"), "`q` throws nothing");
  expect_refused(program("proc q() { t(1) catch n; }"), "there is no local variable `n`");
  expect_refused(program("proc q(e: Node) { t(1) catch e; }"), "parameter `e` cannot be assigned");
  expect_refused(program("proc q() { var e: int; t(1) catch e; }"), "`e` is int, but `t` throws Node");
  expect_refused(program("proc u(): Node throws Node { throw n; }\nproc q() { var e: Node; e = u() catch e; }"),
                 "the result and the exception go to the same variable");
  expect_refused(program("proc q() { throw n; }"), "`q` does not say that it throws");
  expect_refused(program("proc q() throws Node { throw x; }"), "the exception is int, but Node is needed");
  expect_refused(program("proc q() throws Node { atomic { throw n; } }"), "`throw` cannot stand in `atomic`");
  expect_refused(program("proc q() signals x == 0; { skip; }"), "`q` throws nothing, so `signals` says nothing");
  expect_refused(program("proc q(): int throws Node signals \\result > 0; { throw n; }"), "the operand of `>` is Node");
  expect_refused(program("proc q() throws int { skip; }"), "only objects of a class are thrown, not int");
  expect_refused(program("proc q() throws Node { throw n; set g = 1; }"), "`set` must follow");
}

TEST(WellFormed, WhatIsNotSupportedIsLimitedToLocals) {
  expect_accepted(body("var t: int; var o: Node; unsupported \"r\" havoc t, o; atomic { unsupported \"r\"; }"));
  expect_refused(body("unsupported \"r\" havoc x;"), "what is not supported can be limited to local variables only");
  expect_refused(body("var o: Node = n; unsupported \"r\" havoc o.value;"), "can be limited to local variables only");
  expect_refused(body("var t: set<int>; unsupported \"r\" havoc t;"), "havoc of set<int> is not supported");
  expect_refused(clause("proc q(i: int) { unsupported \"r\" havoc i; }"), "parameter `i` cannot be assigned");
  expect_refused(body("unsupported \"r\"; set g = 1;"), "`set` must follow");
}

TEST(WellFormed, NamesNeedOnlyDifferWhereBothAreSeen) {
  expect_accepted("class A { var f: int; }\nclass B { var f: bool; }\n");
  expect_accepted("proc p(a: int) { var t: int = a; }\nproc q(a: bool) { var t: bool = a; }\n");
  expect_accepted(body("if (x == 0) { var t: int = 1; } else { var t: bool = true; } var t: tid = tid;"));
  expect_accepted(
      clause("global_invariant (forall i: int :: 0 <= i && i < 1 ==> f[i] == 0) && "
             "(exists i: int :: 0 <= i && i < 1 && f[i] == 0);"));
}

TEST(WellFormed, WordsWithAMeaningOnlyInTheirPlacesAreNames) {
  expect_accepted(
      "var index: int; var node: int; var idle: int; var when: int; var uses: int; var initial: int;\n"
      "proc p() { index = node + idle + when + uses + initial; }\nthread p();\n");
  expect_accepted(
      "var m: tid = none;\nproc acquire() { acquire(m); }\nproc join(a: int, b: int) { skip; }\n"
      "proc p() { acquire(); join(1, 2); }\nthread p();\n");
}

TEST(WellFormed, ModulesMayUseEachOther) {
  expect_accepted(
      "module A uses B { var x: int; proc p() { y = 1; } }\nmodule B uses A { var y: int; proc q() { x = 1; } }\n");
}

TEST(WellFormed, WhatCannotChangeNeedsNoMark) {
  expect_accepted(clause("rely <x == 1>_{y};"));
  expect_accepted(clause("rely <b>_{};"));
  expect_accepted(clause("rely m == tid ==> x' == x;"));
  expect_accepted(kShared +
                  std::string("proc p(): int action ensures \\result == x; { return x; }\nproc q() { x = p(); }\n"));
  expect_accepted(body("<x == 1>; <x == 1>_{y};"));
  expect_accepted(body("var t: int; <t' == x>_{t};"));
}

TEST(WellFormed, SpecificationsMayReadGhosts) {
  expect_accepted(body("assert g == 0; skip; set g = g + 1; set gm[g] = 2;"));
  expect_accepted(body("g == 0 ? <x' == 1>_{x};"));
  expect_accepted(clause("global_invariant g == 0;\nrely g' == g;\ninitially g == 0;"));
  expect_accepted(body("n = new Node(mark = g); set n.mark = 1;"));
  expect_accepted(body("while (b) loop_invariant g == 0; { skip; }"));
}

TEST(WellFormed, SetFollowsWhatIsOneOperation) {
  for (const char* before :
       {"x = 1;", "var t: int = 1;", "acquire(m);", "notify(k);", "b = CAS(x, 0, 1);", "CAS(x, 0, y);",
        "<x' == 1>_{x};", "havoc b;", "assume b;", "start q();", "atomic { x = 1; }", "skip;"}) {
    expect_accepted(kShared + ("proc q() { skip; }\nproc p() { " + std::string(before) +
                               " set g = 1; set g = 2; }\nthread p();\n"));
  }
  expect_accepted(body("atomic { set g = 1; x = 1; if (b) { set g = 2; } }"));
}

TEST(WellFormed, LoopsInsideAtomicMayBeLeft) {
  expect_accepted(body("atomic { while (b) { if (x == 0) break; continue; } }"));
  expect_accepted(body("while (b) { atomic { while (b) break; } break; }"));
}

TEST(WellFormed, EveryTypeHasItsDefaultsAndLiterals) {
  expect_accepted(
      "enum E { one, two }\nclass C { }\nconst c: int = 2;\nconst d: int = c + 1;\nvar a: set<E> = {one, two};\n"
      "var e: map<tid, set<int>> = map({1, d});\nvar h: map<C, map<bool, int>> = map(map(c));\nvar i: C[] = null;\n"
      "var j: int[][]; var k: map<int, monitor>; var l: E = two; var o: bool = *; var q: tid = *;\n");
}

TEST(WellFormed, LocksOfEveryForm) {
  expect_accepted(
      "class C { var m: monitor; var l: tid; }\nvar o: C; var w: map<int, tid>; var v: map<int, monitor>;\n"
      "proc p(c: C) { acquire(o); acquire(c); acquire(o.m); acquire(c.l); acquire(w[1]); acquire(v[2]); wait(v[2]); "
      "notify(o.m); notifyall(c); }\n");
}

// -------------------------------------------------------------------------------------------------------------- refused

TEST(WellFormed, CodeReadsNoGhostAnywhere) {
  for (const char* text :
       {"x = g;", "if (g == 0) skip;", "while (g == 0) skip;", "assume g == 0;", "havoc x in 0 .. g;",
        "b = CAS(x, g, 1);", "CAS(x, g, y);", "q(g);", "start q(g);", "a = new int[g];", "n = new Node(value = g);",
        "var t: int = g;", "<x' == g>_{x};", "x = n.mark;", "x = gm[1];", "b = forall i: int :: i == g;"}) {
    expect_refused(kShared + ("proc q(v: int) { skip; }\nproc p() { " + std::string(text) + " }\nthread p();\n"),
                   "program code cannot read the ghost variable");
  }
}

TEST(WellFormed, CodeAssignsNoGhostAnywhere) {
  for (const char* text :
       {"g = 1;", "g++;", "havoc g;", "gm[1] = 1;", "n.mark = 1;", "CAS(g, 0, y);", "<g' == 1>_{g};"}) {
    expect_refused(body(text), "is a ghost; program code cannot assign it");
  }
}

TEST(WellFormed, SetMustAlwaysHaveAValue) { expect_refused(body("skip; set g = x + 4 / 2;"), "cannot divide"); }

TEST(WellFormed, APredicateAboutAStepMustBeMarked) {
  const std::string message = "must say whether it means before or after the step";
  expect_refused(clause("rely x == 0;"), message);
  expect_refused(clause("rely <x == 0>_{x};"), message);
  expect_refused(clause("rely <x == 0>_{y, x};"), message);
  expect_refused(clause("rely n != null ==> n.value == 0;"), message);
  expect_refused(clause("rely <f[0] == 1>_{f[1]};"), message);
  expect_refused(clause("guarantee x == 0;"), message);
  expect_refused(kShared + std::string("proc p() modifies x; action ensures x == 0; { skip; }\n"), message);
  expect_refused(kShared + std::string("abstract thread A { initial node one; one -> one: x == 0; }\n"), message);
}

TEST(WellFormed, OneStatePredicatesHaveNoMarks) {
  const std::string message = "a prime makes sense only in a predicate about a step";
  for (const char* text : {"assert x' == 0;", "assume x' == 0;", "x = x';", "if (x' == 0) skip;", "skip; set g = x';",
                           "while (b) loop_invariant x' == 0; { skip; }", "x' == 0 ? <x' == 1>_{x};"}) {
    expect_refused(body(text), message);
  }
  for (const char* text :
       {"global_invariant x' == 0;", "initially x' == 0;", "var z: int writable_if x' == 0;",
        "abstract thread A { initial node one: assert x' == 0; }", "lock_order m < k when x' == 0;"}) {
    expect_refused(clause(text), message);
  }
}

TEST(WellFormed, ThreadsAreNotKnownInInvariants) {
  for (const char* text :
       {"global_invariant m == tid;", "initially m == tid;", "class C { invariant holder == tid; }"}) {
    expect_refused(clause(text), "cannot mention `tid`");
  }
  expect_accepted(clause("class C { rely holder == tid ==> holder' == tid; }"));
}

TEST(WellFormed, MonitorsAreNoValues) {
  expect_refused(body("k = k;"), "a monitor cannot be assigned");
  expect_refused(body("assert k == k;"), "monitors cannot be compared");
  expect_refused(body("havoc k;"), "a monitor cannot be assigned");
  expect_refused(clause("proc q(v: monitor) { skip; }"), "a monitor cannot be passed");
  expect_refused(clause("proc q(): monitor { skip; }"), "a monitor cannot be returned");
  expect_refused(body("var t: monitor;"), "cannot be local");
  expect_refused(body("x = k.depth; k.depth = 1;"), "cannot be assigned");
}

TEST(WellFormed, AtomicReachesNoWait) {
  const std::string waits = "var k: monitor;\nproc sleep() { wait(k); }\nproc on() { sleep(); }\n";
  expect_refused(waits + "proc p() { atomic { on(); } }\n", "which has a `wait`");
  expect_accepted(waits + "proc p() { atomic { start on(); } on(); }\n");
}

TEST(WellFormed, AfterManyErrorsItGivesUp) {
  std::string text = "proc p() {\n";
  for (int i = 0; i < 80; ++i) text += "  unknown" + std::to_string(i) + " = 1;\n";
  EXPECT_THAT(Checked(text + "}\n").messages, SizeIs(diag::Sink::kMostErrors));
}

TEST(WellFormed, OneMistakeIsOneError) {
  for (const char* text : {"x = zz + 1;", "zz.f.h = 1;", "f[zz] = 1;", "x = n.zz + n.zz;", "q(zz);",
                           "if (zz && b) skip;", "var t: Zz = null; t.f = 1;", "assert forall i: Zz :: i == null;"}) {
    const std::size_t mistakes = std::string(text).find("n.zz + n.zz") == std::string::npos ? 1 : 2;
    EXPECT_THAT(Checked(kShared + ("proc q(v: int) { skip; }\nproc p() { " + std::string(text) + " }\n")).messages,
                SizeIs(mistakes))
        << text;
  }
}

// ------------------------------------------------------------------------------------------------------------- resolved

TEST(WellFormed, ModulesSeeThroughOthers) {
  const Checked it("module A { }\nmodule B uses A { }\nmodule C uses B { }\nmodule D { }\n");
  ASSERT_THAT(it.program.modules, SizeIs(5));
  const std::vector<bool> unnamed = {true, true, true, true, true};
  const std::vector<bool> c = {false, true, true, true, false};
  const std::vector<bool> d = {false, false, false, false, true};
  EXPECT_EQ(it.program.modules[0].sees, unnamed);
  EXPECT_EQ(it.program.modules[3].sees, c);
  EXPECT_EQ(it.program.modules[4].sees, d);
}

TEST(WellFormed, TheStyleOfAPredicateIsResolved) {
  const Checked it("var x: int;\nrely x' >= x;\nrely x >= \\old(x);\n");
  ASSERT_THAT(it.program.clauses, SizeIs(2));
  EXPECT_FALSE(it.program.clauses[0].predicate.uses_old);
  EXPECT_TRUE(it.program.clauses[1].predicate.uses_old);
}

TEST(WellFormed, EveryExpressionGetsItsType) {
  const Checked it("var f: map<int, set<tid>>;\nglobal_invariant size(f[1]) == 0;\n");
  ASSERT_THAT(it.program.clauses, SizeIs(1));
  const auto& equal = std::get<BinaryExpr>(it.program.clauses[0].predicate.predicate->node);
  EXPECT_EQ(to_string(equal.left->type), "int");
  EXPECT_EQ(to_string(std::get<SizeExpr>(equal.left->node).set->type), "set<tid>");
}

}  // namespace
}  // namespace concord::plato
