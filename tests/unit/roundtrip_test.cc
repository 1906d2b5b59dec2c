// What is printed reads back to the same program: print(read(print(p))) == print(p), and the first print loses nothing.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "plato/printer.h"
#include "plato/reader.h"

namespace concord::plato {
namespace {

std::string read_and_print(const std::string& text) {
  base::SourceMap sources;
  Program program;
  diag::Sink sink;
  read(sources, sources.add("t.plato", text), program, sink);
  for (const diag::Diagnostic& error : sink.errors()) ADD_FAILURE() << diag::render(sources, error);
  return print(program);
}

// `text` is as the printer would write it.
void expect_unchanged(const std::string& text) { EXPECT_EQ(read_and_print(text), text); }

void expect_stable(const std::string& text) {
  const std::string once = read_and_print(text);
  EXPECT_EQ(read_and_print(once), once);
}

TEST(RoundTrip, widths_and_bits) {
  expect_unchanged(R"(var x: int;
var s: set<int>;

proc p() {
  x = \wrap(x + 1, 32) * \uwrap(-x, 8);
  x = -\bitand(x + 1, \bitor(x, 2)) + \bitxor(x, 1 - x);
  x = \shl(\wrap(x, 64), 3) - \shr(x, 0);
  \bitand(size({1} + s), 1) == 0 ? <true>;
}
)");
}

TEST(RoundTrip, classes_that_extend_classes) {
  expect_unchanged(R"(class A {
  var f: int;
}

class B extends A {
  final var g: A;
}

final ghost var limit: int = *;
var a: A;
var as: int;

proc p() {
  as = (a as B).f + as;
  a = (a as B).g as B as A;
  assert a as B != null && a as B instanceof B;
}
)");
}

TEST(RoundTrip, mutex) {
  expect_unchanged(R"(module Mutex {
  var m: tid = none;
  env_assumption m == tid ==> m' == m;

  proc acquire()
    action also modifies m ensures m == none && m' == tid;
  {
    var t: tid = tid;
    while (t == tid) {
      CAS(m, none, t);
    }
  }

  proc release()
    requires m == tid;
    action also modifies m ensures m' == none;
  {
    m = none;
  }
}

module Top uses Mutex {
  var x: int = 0;
  global_invariant m == none ==> x >= 0;
  env_assumption m == tid ==> x' == x;

  proc t1() {
    acquire();
    x = x + 1;
    assert x > 0;
    release();
  }

  proc t2() {
    acquire();
    x = 0;
    release();
  }

  thread t1();
  thread t2();
}
)");
}

TEST(RoundTrip, abstract_threads) {
  expect_unchanged(R"(var g: int = *;
initially g > 0;

abstract thread A {
  initial node X1: assert g > 0;
  node X2;
  X1 -> X2: <g' > 0>_{g};
  X2 -> X1: g' == g + 1;
  X2 -> X2: <g > 0>;
}

abstract thread B without idle {
  initial node node;
  node -> node: <true>_{g};
}

proc a() {
  g = g + 1;
}

thread a() abstracted by A;
thread[3] worker(index, none) abstracted by B;
thread[n] worker(2 * index, tid);
thread[*] worker(0, main);
thread main = a();
)");
}

TEST(RoundTrip, declarations) {
  expect_unchanged(R"(enum Phase { idle, busy, done }

class Node {
  var next: Node;
  var value: int = 1;
  global_invariant value >= 0;
  env_assumption holder == tid ==> value' == value;
  guarantee <value' >= value>_{value};
  initially depth == 0;
  nowarn race "initialised before it is shared";
  var lazy: Node[] = null guarded_by this;
}

const capacity: int = 2;
const n: int;
var x: int = 0 guarded_by m;
var y: int unwritable_by_env_if m == tid writable_if m == tid || m == none;
var a: map<int, int> = map(0) elems_unwritable_by_env_if[i] lock[i] == tid;
var b: int[][] elems_unwritable_by_env_if[i] m == tid;
var s: set<Phase> = {idle, done};
var e: set<int> = {};
var c: map<tid, map<int, set<Node>>>;
var mon: monitor;
volatile var seq: int = 0;
ghost var owner: tid = none;
abstract var spec: int;
thread_local var scratch: int;
volatile abstract thread_local var odd: bool = true;
check deadlock, race, env-assumption;
lock_order x < mon;
lock_order fork[i] < fork[j + 1] when i < j;
env_assumption <true>_{x, a[i], o.f};
)");
}

TEST(RoundTrip, contracts) {
  expect_unchanged(R"(proc p(a: int, b: tid): int
  inline;
  requires a > 0;
  requires b != none;
  modifies x, o.f, m[k];
  action ensures true;
  action "take" also modifies m, n ensures m == none && m' == tid;
  ensures \result == \old(x) + a;
{
  return a;
}

proc throwing(throws: int, catch: C): int throws C
  ensures \result == throws;
  signals \result == catch && x == \old(x);
{
  var v: C;
  throwing(1, null) catch v;
  x = throwing(throws, catch) catch v;
  var t: int = throwing(1, v) catch v;
  throw catch;
}

proc q()
  modifies;
{
}
)");
}

TEST(RoundTrip, statements) {
  expect_unchanged(R"(proc p() {
  var t: int;
  var u: int = *;
  var v: Node = new Node(next = null, value = 1);
  var w: bool = CAS(m, none, tid);
  x = e;
  o.f = new Node();
  m[k] = new set<int>[n + 1];
  a = p(1, 2);
  t = start p(1);
  start p();
  p(tid);
  assert x > 0;
  assume x > 0;
  may_block await x > 0;
  may_block acquire(l);
  may_block wait(l);
  may_block join(t);
  may_block <x > 0>;
  release(l);
  notify(o.l);
  notifyall(l);
  havoc x, o.f, m[k];
  havoc x in lo .. hi + 1;
  unsupported "a \"lambda\" \\";
  unsupported "" havoc t, u;
  skip;
  CAS(m, none, t);
  m == tid ? <m' == none && x' > x>_{m, x};
  <x' == x + 1>_{x};
  (a ? b : c) ? <true>;
  x = 1; set g = x; set h[tid] = g;
  atomic {
    x = 1;
    set g = x;
    if (x > 0) {
      set g = 0;
    }
  } set g = 2;
  trusted atomic {
    skip;
  }
  if (*) {
    x = 1;
  } else if (x > 0) {
    x = 2;
  } else {
    nowarn race "benign";
    if (x > 1) {
      x = 3;
    }
  }
  while (*)
    loop_invariant x > 0;
    loop_invariant y > 0;
    loop_modifies x, y;
  {
    break;
  }
  while (x > 0) {
    continue;
  }
  label outer: while (x > 0) {
    label inner: {
      if (*) {
        break inner;
      }
      continue outer;
    }
    label waived:
    nowarn race "benign";
    x = 1;
  }
  label idle: loop
    loop_modifies x;
  {
    break idle;
  }
  loop
    loop_modifies;
  {
    x = 1;
  }
  choose {
    x = 1;
  } or {
    x = 2;
  } or {
  }
  {
    {
      x = 1;
    }
  }
  return x;
}
)");
}

TEST(RoundTrip, aliases) {
  expect_stable(R"(
    rely x' == x;
    proc p(t: tid) assignable x; assignable; action: ensures x' == 0; action "b": also modifies y ensures y' == 0;
      performs action "c" (x, y) { \old(x) == y } performs action "d" () { true };
    { while (x > 0) maintaining x > 0; assigns x; assigns y; x -= 1; await \tid == \main; }
    thread p(none) abstracted_by A;
    global_invariant (\forall int i; 0 <= i; (\exists tid t; t != none));
  )");
}

TEST(RoundTrip, several_files_make_one_program) {
  base::SourceMap sources;
  Program program;
  diag::Sink sink;
  read(sources, sources.add("a.plato", "var x: int; module A { var y: int; }"), program, sink);
  read(sources, sources.add("b.plato", "module B uses A { var z: int; } var w: int;"), program, sink);
  ASSERT_FALSE(sink.has_errors());
  EXPECT_EQ(print(program),
            "module A {\n  var y: int;\n}\n\nmodule B uses A {\n  var z: int;\n}\n\nvar x: int;\nvar w: int;\n");
}

// All pairs of operators in both groupings: parentheses must be exactly where they are needed.
TEST(RoundTrip, every_pair_of_operators) {
  const std::vector<std::string> operators = {"<==>", "==>", "||", "&&", "==", "!=", "<", "<=", ">",
                                              ">=",   "in",  "+",  "-",  "*",  "/",  "%", "&"};
  for (const std::string& first : operators) {
    for (const std::string& second : operators) {
      const std::string left = "(a " + first + " b) " + second + " c";
      const std::string right = "a " + first + " (b " + second + " c)";
      const std::string printed_left = read_and_print("global_invariant " + left + ";");
      const std::string printed_right = read_and_print("global_invariant " + right + ";");
      EXPECT_NE(printed_left, printed_right) << first << " " << second;
      EXPECT_EQ(read_and_print(printed_left), printed_left);
      EXPECT_EQ(read_and_print(printed_right), printed_right);
      const auto parentheses = [](const std::string& text) { return text.find('(') != std::string::npos; };
      EXPECT_TRUE(parentheses(printed_left) != parentheses(printed_right)) << "one of the two is how it is read anyway";
    }
  }
}

// Trees that nobody would write, made at random (the same ones each time): what is read back has the same shape.
class RandomTrees {
 public:
  ExprPtr expr(int depth) {
    auto out = std::make_unique<Expr>();
    out->node = depth == 0 ? leaf() : inner(depth - 1);
    return out;
  }

 private:
  unsigned below(unsigned bound) {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return static_cast<unsigned>(state_ >> 33U) % bound;
  }

  Expr::Node leaf() {
    switch (below(8)) {
      case 0: return IntLit{static_cast<std::int64_t>(below(5)) - 2};
      case 1: return BoolLit{below(2) == 0};
      case 2: return NullLit{};
      case 3: return SetLit{};
      case 4: return ResultExpr{};
      case 5: return TidExpr{};
      default: return NameExpr{below(2) == 0 ? "x" : "_", below(3) == 0, {}};
    }
  }

  Expr::Node inner(int depth) {
    switch (below(17)) {
      case 16: return SumExpr{variables().front(), expr(depth), expr(depth)};
      case 0: return FieldExpr{expr(depth), "f", below(2) == 0, {}, {}, -1};
      case 1: return IndexExpr{expr(depth), expr(depth), below(2) == 0};
      case 2: return MapUpdate{expr(depth), expr(depth), expr(depth)};
      case 3:
      case 4: return UnaryExpr{below(2) == 0 ? UnaryOp::kNot : UnaryOp::kMinus, expr(depth)};
      case 5: return ConditionalExpr{expr(depth), expr(depth), expr(depth)};
      case 6: return QuantifierExpr{below(2) == 0, variables(), expr(depth)};
      case 7: return InstanceOf{expr(depth), "p", {}, -1};
      case 8: return SizeExpr{expr(depth)};
      case 9: {
        SetLit set;
        for (unsigned i = below(3); i > 0; --i) set.elements.push_back(expr(depth));
        return set;
      }
      default: return BinaryExpr{static_cast<BinaryOp>(below(17)), expr(depth), expr(depth)};
    }
  }

  static std::vector<BoundVariable> variables() {
    Type integer;
    integer.kind = Type::Kind::kInt;
    std::vector<BoundVariable> out;
    out.push_back({"i", integer, {}});
    return out;
  }

  std::uint64_t state_ = 1;
};

// The shape of a tree in prefix form, independent of the printer.
std::string shape(const Expr& expr) {
  std::string out = std::to_string(expr.node.index());
  const auto add = [&](const ExprPtr& child) { out += " " + shape(*child); };
  if (const auto* e = std::get_if<IntLit>(&expr.node)) {
    // A negative literal reads back as a minus and a literal.
    const std::string digits = std::to_string(e->value < 0 ? -e->value : e->value);
    return e->value < 0 ? "(12 1 (0 " + digits + "))" : "(0 " + digits + ")";
  }
  if (const auto* e = std::get_if<BoolLit>(&expr.node)) out += e->value ? " true" : " false";
  if (const auto* e = std::get_if<NameExpr>(&expr.node)) out += " " + e->name + (e->primed ? "'" : "");
  if (const auto* e = std::get_if<FieldExpr>(&expr.node)) out += e->primed ? "'" : "", add(e->object);
  if (const auto* e = std::get_if<IndexExpr>(&expr.node)) out += e->primed ? "'" : "", add(e->base), add(e->index);
  if (const auto* e = std::get_if<MapUpdate>(&expr.node)) add(e->map), add(e->key), add(e->value);
  if (const auto* e = std::get_if<UnaryExpr>(&expr.node)) out += e->op == UnaryOp::kNot ? " 0" : " 1", add(e->operand);
  if (const auto* e = std::get_if<ConditionalExpr>(&expr.node)) add(e->condition), add(e->then), add(e->otherwise);
  if (const auto* e = std::get_if<QuantifierExpr>(&expr.node)) out += e->is_forall ? " all" : " some", add(e->body);
  if (const auto* e = std::get_if<SumExpr>(&expr.node)) add(e->range), add(e->body);
  if (const auto* e = std::get_if<InstanceOf>(&expr.node)) add(e->thread);
  if (const auto* e = std::get_if<SizeExpr>(&expr.node)) add(e->set);
  if (const auto* e = std::get_if<SetLit>(&expr.node)) {
    for (const ExprPtr& element : e->elements) add(element);
  }
  if (const auto* e = std::get_if<BinaryExpr>(&expr.node)) {
    out += " " + std::to_string(static_cast<int>(e->op));
    add(e->left), add(e->right);
  }
  return "(" + out + ")";
}

TEST(RoundTrip, random_trees) {
  RandomTrees random;
  for (int i = 0; i < 3000; ++i) {
    const ExprPtr expr = random.expr(1 + i % 5);
    const std::string text = print(*expr);
    // As a plain predicate, in angle brackets, and in front of a direct operation: the places with rules of their own.
    for (const std::string& program : {"rely " + text + ";", "rely <" + text + ">_{x};"}) {
      base::SourceMap sources;
      Program read_back;
      diag::Sink sink;
      read(sources, sources.add("t.plato", program), read_back, sink);
      ASSERT_FALSE(sink.has_errors()) << diag::render(sources, sink.errors()[0]);
      EXPECT_EQ(shape(*read_back.clauses.at(0).predicate.predicate), shape(*expr)) << text;
    }
    auto statement = std::make_unique<Stmt>();
    Direct direct;
    direct.wrong_unless = random.expr(1 + i % 3);
    direct.action.predicate = random.expr(i % 3);
    direct.action.frame.emplace();
    const std::string guard = shape(*direct.wrong_unless);
    statement->node = std::move(direct);
    base::SourceMap sources;
    Program read_back;
    diag::Sink sink;
    read(sources, sources.add("t.plato", "proc p() { " + print_head(*statement) + " }"), read_back, sink);
    ASSERT_FALSE(sink.has_errors()) << diag::render(sources, sink.errors()[0]);
    const Stmt& again = *std::get<Block>(read_back.procedures.at(0).body->node).statements.at(0);
    EXPECT_EQ(shape(*std::get<Direct>(again.node).wrong_unless), guard) << print_head(*statement);
  }
}

}  // namespace
}  // namespace concord::plato
