#include "lock_free.h"

#include <utility>
#include <vector>

#include "vocabulary.h"

namespace concord::agree {

namespace {

class LockFree {
 public:
  explicit LockFree(std::uint64_t seed) : random_(seed) {}

  std::string run() {
    is_queue_ = random_.chance(50);
    frees_ = random_.chance(60);
    reuses_ = frees_ && random_.chance(60);
    mistakes_ = random_.chance(25) ? 0 : random_.between(1, 2);
    line("class Node {");
    line(std::string(random_.chance(90) ? "  volatile" : " ") + " var next: Node;");
    line(std::string(random_.chance(60) ? "  volatile" : " ") + " var value: bool;");
    if (frees_) line("  volatile var freed: bool;");
    line("}");
    line("volatile var top: Node = null;");
    if (is_queue_) line("volatile var tail: Node = null;");
    clauses();
    const int count = random_.between(1, 2);
    const std::vector<std::string> kinds = {"add", "add", "remove", "remove", "both", "look"};
    std::vector<std::string> made;
    for (int i = 0; i < count; ++i) {
      made.push_back("work" + std::to_string(i));
      procedure(made.back(), random_.pick(kinds));
    }
    start(made);
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }

  // Whether this line is to be left out or changed.
  bool mistake() {
    if (mistakes_ == 0 || !random_.chance(25)) return false;
    --mistakes_;
    return true;
  }

  void clauses() {
    const auto maybe = [&](const std::string& claim) {
      if (random_.chance(50)) line("global_invariant " + claim + ";");
    };
    maybe("\\list(top, next)");
    if (is_queue_) {
      maybe("\\reach(top, next, tail)");
      maybe("tail == null ==> top == null");
      maybe("tail != null ==> tail.next == null || tail.next.next == null");
    }
    if (frees_) maybe("forall n: Node :: \\reach(top, next, n) && n != null ==> !n.freed");
    maybe("forall n: Node :: n.next != null ==> n.next != n");
  }

  // The check that a front end makes of a use.
  void use(const std::string& node, bool writes) {
    if (!frees_ || (reuses_ && !writes)) return;
    line("assert \"use-after-free\" !" + node + ".freed;");
  }

  // b = CAS(place, expected, value), of a field of a node with the check that it is not freed.
  void swap(const std::string& node, const std::string& place, const std::string& expected, const std::string& value) {
    if (node.empty() || !frees_) return line("done = CAS(" + place + ", " + expected + ", " + value + ");");
    line("atomic {");
    line("if (" + place + " == " + expected + ") {");
    use(node, true);
    line(place + " = " + value + "; done = true;");
    line("} else { done = false; }");
    line("}");
  }

  void allocate() {
    line("n = null;");
    if (reuses_) {
      line("atomic { havoc n; assume n == null || n.freed; if (n != null) { n.freed = false; } }");
      line("if (n == null) { n = new Node(); }");
    } else {
      line("n = new Node();");
    }
    if (random_.chance(30)) {
      use("n", true);
      line("n.value = true;");
    }
  }

  void push() {
    allocate();
    line("done = false;");
    line("while (!done) {");
    line("a = top;");
    if (!mistake()) {
      use("n", true);
      line("n.next = a;");
    }
    swap("", "top", "a", mistake() ? "a" : "n");
    if (mistake()) line("done = true;");
    line("}");
  }

  void give_back(const std::string& node) {
    if (!frees_ || random_.chance(15)) return;
    line("atomic { assert \"use-after-free\" !" + node + ".freed; " + node + ".freed = true; }");
  }

  void pop() {
    line("done = false;");
    line("while (!done) {");
    line("a = top;");
    if (!mistake()) line("if (a == null) { break; }");
    use("a", false);
    line("b = a.next;");
    swap("", "top", "a", "b");
    if (mistake()) line("done = true;");
    line("}");
    line("if (done && a != null) {");
    if (random_.chance(40)) {
      use("a", true);
      line("a.value = " + std::string(random_.chance(50) ? "true;" : "!a.value;"));
    }
    give_back("a");
    line("}");
  }

  void put() {
    allocate();
    use("n", true);
    line("n.next = null;");
    line("done = false;");
    line("while (!done) {");
    line("a = tail;");
    use("a", false);
    line("b = a.next;");
    line(mistake() ? "if (b != null) {" : "if (b == null) {");
    swap("a", "a.next", mistake() ? "b" : "null", "n");
    line("if (done) { " + std::string(mistake() ? "tail = n;" : "help = CAS(tail, a, n);") + " } } else {");
    line("help = CAS(tail, a, b);");
    line("}");
    line("}");
  }

  void take() {
    line("done = false;");
    line("while (!done) {");
    const bool swapped = mistake();
    line(swapped ? "c = tail;" : "a = top;");
    line(swapped ? "a = top;" : "c = tail;");
    use("a", false);
    line("b = a.next;");
    line(mistake() ? "{" : "if (a == top) {");
    line("if (a == c) {");
    line("if (b == null) { break; }");
    line("help = CAS(tail, c, b);");
    line("} else {");
    if (random_.chance(40)) {
      use("b", false);
      line("seen = b.value;");
    }
    swap("", "top", "a", "b");
    line("} } }");
    line("if (done) {");
    give_back("a");
    line("}");
  }

  void look() {
    line("a = top;");
    line("if (a != null) {");
    use("a", false);
    line("b = a.next;");
    line(random_.chance(50) ? "assert b != a;" : "assert b == null || top != null;");
    if (random_.chance(30)) {
      use("a", true);
      line("a.value = true;");
    }
    line("}");
  }

  void procedure(const std::string& name, const std::string& kind) {
    line("proc " + name + "() {");
    line("var a: Node; var b: Node; var c: Node; var n: Node; var done: bool; var help: bool; var seen: bool;");
    const int rounds = random_.chance(8) ? 2 : 1;
    for (int i = 0; i < rounds; ++i) {
      if (kind == "add" || kind == "both") is_queue_ ? put() : push();
      if (kind == "remove" || kind == "both") is_queue_ ? take() : pop();
      if (kind == "look") look();
    }
    line("}");
  }

  // One thread makes the list, then starts the others; now and then without end.
  void start(const std::vector<std::string>& made) {
    line("proc boss() {");
    line("var a: Node = new Node(); var b: Node;");
    if (is_queue_ || random_.chance(70)) {
      line("atomic { top = a;" + std::string(is_queue_ ? " tail = a;" : "") + " }");
      if (random_.chance(40)) {
        line("b = new Node();");
        line(is_queue_ ? "a.next = b; tail = b;" : "b.next = a; top = b;");
      }
    }
    const bool is_endless = random_.chance(8);
    if (is_endless) line("while (true) {");
    const int count = random_.between(1, 2);
    for (int i = 0; i < count; ++i) line("start " + made[static_cast<std::size_t>(i) % made.size()] + "();");
    if (is_endless) line("}");
    line("}");
    line("thread boss();");
    line("check deadlock;");
  }

  Random random_;
  std::string text_;
  bool is_queue_ = false, frees_ = false, reuses_ = false;
  int mistakes_ = 0;  // that may still be made
};

}  // namespace

std::string generate_lock_free(std::uint64_t seed) { return LockFree(seed).run(); }

}  // namespace concord::agree
