// Where objects of which class may get to.
#include "plato/class_flow.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "plato/reader.h"
#include "plato/walk.h"
#include "plato/wellformed.h"

namespace concord::plato {
namespace {

constexpr const char* kClasses = R"(
  class Base { var next: Base; }
  class Left extends Base {}
  class Right extends Base {}
)";

// The classes of which what procedure `main` asserts to be null may be, as in "L", "LR", or "BLR" for any.
std::string at_assertion(const std::string& text) {
  base::SourceMap sources;
  sources.add("t.plato", kClasses + text);
  Program program;
  diag::Sink sink;
  read(sources, 0, program, sink);
  if (!sink.has_errors()) check_well_formed(sources, program, sink);
  EXPECT_FALSE(sink.has_errors()) << diag::render(sources, sink.errors().front());
  if (sink.has_errors()) return "";
  const ClassFlow flow(program);
  std::string out;
  for (std::size_t p = 0; p < program.procedures.size(); ++p) {
    if (program.procedures[p].name != "main") continue;
    for_each_stmt(*program.procedures[p].body, [&](const Stmt& statement) {
      const auto* it = std::get_if<Assert>(&statement.node);
      if (it == nullptr) return;
      const Expr& object = *std::get<BinaryExpr>(it->condition->node).left;
      const bool is_left = flow.may_be(static_cast<int>(p), object, 1);
      const bool is_right = flow.may_be(static_cast<int>(p), object, 2);
      EXPECT_EQ(flow.may_be(static_cast<int>(p), object, 0), is_left || is_right);
      out += std::string(is_left ? "L" : "") + (is_right ? "R" : "") + ";";
    });
  }
  return out;
}

TEST(ClassFlow, WhatIsMadeGoesWhereItIsAssigned) {
  EXPECT_EQ(at_assertion(R"(
    var x: Base;
    var y: Base;
    proc main() {
      var l: Left = new Left();
      var r: Base = new Right();
      x = l;
      y = x;
      assert y == null;
      assert r == null;
      r = y;
      assert r == null;
      assert null == null;
    }
    thread main();
  )"),
            "L;LR;LR;;");
}

TEST(ClassFlow, ThroughFieldsArraysMapsAndConditions) {
  EXPECT_EQ(at_assertion(R"(
    var m: map<int, Base>;
    var a: Base[];
    proc main() {
      var l: Base = new Left();
      var r: Base = new Right(next = l);
      assert r.next == null;
      a = new Base[2];
      a[0] = r;
      assert a[1] == null;
      m[3] = l;
      assert m[4] == null;
      assert (true ? m[0] : a[0]) == null;
      assert \nonnull(l) == null;
      assert (r as Right) == null;
    }
    thread main();
  )"),
            "L;R;L;LR;L;R;");
}

TEST(ClassFlow, ThroughCallsResultsExceptionsAndThreads) {
  EXPECT_EQ(at_assertion(R"(
    var kept: Base;
    var given: Base;
    proc pass(it: Base): Base throws Base {
      var thrown: Base = new_right();
      if (it == null) { throw thrown; }
      return it;
    }
    proc new_right(): Base {
      var r: Right = new Right();
      return r;
    }
    proc worker(it: Base) { kept = it; }
    proc main() {
      var thrown: Base;
      var l: Base = new Left();
      var out: Base;
      out = pass(l) catch thrown;
      assert out == null;
      assert thrown == null;
      start worker(out);
      assert kept == null;
      var ok: bool = CAS(given, null, thrown);
      assert given == null;
    }
    thread main();
  )"),
            "L;R;L;R;");
}

TEST(ClassFlow, SwappedBothWays) {
  EXPECT_EQ(at_assertion(R"(
    var l: Base;
    proc main() {
      var r: Base = new Right();
      l = new Left();
      CAS(l, null, r);
      assert l == null;
      assert r == null;
    }
    thread main();
  )"),
            "LR;LR;");
}

TEST(ClassFlow, WhatIsNotSaidMayBeAnything) {
  EXPECT_EQ(at_assertion(R"(
    var any: Base;
    var nobody: Base;
    proc main() {
      havoc any;
      assert any == null;
      assert nobody == null;
    }
    thread main();
  )"),
            "LR;;");
  EXPECT_EQ(at_assertion(R"(
    var nobody: Base;
    proc other() { unsupported "something"; }
    proc main() { assert nobody == null; }
    thread main();
  )"),
            "LR;");
}

}  // namespace
}  // namespace concord::plato
