#include "few_know.h"

#include <algorithm>
#include <vector>

#include "vocabulary.h"

namespace concord::agree {

namespace {

class FewKnow {
 public:
  explicit FewKnow(std::uint64_t seed) : random_(seed) {}

  std::string run() {
    line("class Thing {");
    line("final var next: Thing;");
    line(std::string(random_.chance(80) ? "volatile " : "") + "var on: bool;");
    is_linked_ = random_.chance(40);
    if (is_linked_) line("volatile var other: Thing;");
    line("}");
    line("volatile var flag: bool = false;");
    line("volatile var sign: bool = false;");
    is_shared_ = random_.chance(30);
    if (is_shared_) line("volatile var shared: Thing = null;");
    if (random_.chance(20)) line("global_invariant sign ==> flag;");
    const int count = random_.between(2, 3);
    depth_ = count == 2 ? 2 : 1;
    std::vector<int> parameters;
    for (int i = 0; i < count; ++i) {
      parameters.push_back(random_.between(0, 2));
      procedure("work" + std::to_string(i), parameters.back());
    }
    boss(parameters);
    return std::move(text_);
  }

 private:
  void line(const std::string& text) { text_ += text + "\n"; }
  std::string truth() { return random_.chance(75) ? "true" : "false"; }
  std::string signal() { return random_.chance(70) ? "flag" : "sign"; }
  bool has_locals() const { return !locals_.empty(); }

  void procedure(const std::string& name, int parameters) {
    const std::vector<std::string> names = {"p", "q"};
    locals_.assign(names.begin(), names.begin() + parameters);
    std::string declared;
    for (const std::string& it : locals_) declared += (declared.empty() ? "given_" : ", given_") + it + ": Thing";
    line("proc " + name + "(" + declared + ") {");
    for (const std::string& it : locals_) line("var " + it + ": Thing = given_" + it + ";");
    line("var seen: bool;");
    locked_.clear();
    body();
    line("}");
  }

  // Often one of those that have to do with each other: who announces what is locked, who tells all of it, who looks at that.
  void body() {
    const int kind = random_.between(0, 4);
    if (kind == 0 && has_locals()) return announce();
    if (kind == 1 && has_locals()) return tell();
    if (kind == 2) return claim();
    block(depth_, random_.between(1, 2));
  }

  void block(int depth, int count) {
    for (int i = 0; i < count; ++i) statement(depth);
  }

  void statement(int depth) {
    switch (random_.between(0, has_locals() ? 12 : 4)) {
      case 0:
      case 1: return line(signal() + " = " + truth() + ";");
      case 2: return claim();
      case 3:
      case 4: return depth == 0 ? claim() : branch(depth, signal());
      case 5:
      case 6: return depth == 0 ? claim() : branch(depth, random_.pick(locals_) + ".on");
      case 7: return line(random_.pick(locals_) + ".on = " + truth() + ";");
      case 8:
      case 9:
      case 10: return depth == 0 ? claim() : lock(depth);
      case 11: return announce();
      default: return hand_on();
    }
  }

  void claim() {
    if (has_locals() && random_.chance(50))
      return line("assert " + random_.pick(locals_) + ".on ==> " + signal() + ";");
    line(random_.chance(60) ? "assert !" + signal() + ";" : "assert sign ==> flag;");
  }

  void branch(int depth, const std::string& condition) {
    line("seen = " + condition + ";");
    line(random_.chance(75) ? "if (seen) {" : "if (!seen) {");
    block(depth - 1, random_.between(1, 2));
    line("}");
  }

  void lock(int depth) {
    const std::string& whom = random_.pick(locals_);
    locked_.push_back(whom);
    line("acquire(" + whom + ");");
    block(depth - 1, random_.between(1, 2));
    locked_.pop_back();
    if (random_.chance(93)) line("release(" + whom + ");");
  }

  void tell() {
    const std::string& whom = random_.pick(locals_);
    line("seen = " + whom + ".on;");
    line("if (seen) { " + signal() + " = true;" + (random_.chance(70) ? " " + whom + ".on = true;" : "") + " }");
  }

  // Others see that it is locked.
  void announce() {
    const std::string& whom = random_.pick(locals_);
    line("acquire(" + whom + "); " + whom + ".on = true;");
    if (random_.chance(30)) return;
    line(whom + ".on = false; release(" + whom + ");");
  }

  // What is locked keeps its name.
  void hand_on() {
    const std::string& whom = random_.pick(locals_);
    const bool is_free = std::find(locked_.begin(), locked_.end(), whom) == locked_.end();
    if (is_shared_ && random_.chance(50)) return line("shared = " + whom + ";");
    if (is_shared_ && is_free && random_.chance(50))
      return line("if (shared != null) { " + whom + " = shared; if (" + whom + " == null) { return; } }");
    if (is_linked_ && random_.chance(60)) return line(whom + ".other = " + random_.pick(locals_) + ";");
    if (!is_free) return line(whom + ".on = " + truth() + ";");
    const std::string field = is_linked_ && random_.chance(50) ? ".other" : ".next";
    line("if (" + whom + field + " != null) { " + whom + " = " + whom + field + "; if (" + whom +
         " == null) { return; } }");
  }

  void boss(const std::vector<int>& parameters) {
    line("proc boss() {");
    const std::vector<std::string> names = {"a", "b", "c"};
    const int things = random_.between(1, 3);
    for (int i = 0; i < things; ++i) {
      const bool is_next = i > 0 && random_.chance(50);
      line("var " + names[static_cast<std::size_t>(i)] + ": Thing = new Thing(" +
           (is_next ? "next = " + names[static_cast<std::size_t>(i - 1)] : "") + ");");
    }
    const bool is_endless = random_.chance(5);
    if (is_endless) line("while (true) {");
    const std::size_t count = parameters.size() + (random_.chance(15) ? 1 : 0);
    for (std::size_t i = 0; i < count; ++i) {
      const std::size_t which = i % parameters.size();
      std::string arguments;
      for (int p = 0; p < parameters[which]; ++p)
        arguments += (p == 0 ? "" : ", ") + names[static_cast<std::size_t>(random_.between(0, things - 1))];
      line("start work" + std::to_string(which) + "(" + arguments + ");");
    }
    if (is_endless) line("}");
    line("}");
    line("thread boss();");
    line("check deadlock;");
  }

  Random random_;
  std::string text_;
  std::vector<std::string> locals_;  // of the procedure
  std::vector<std::string> locked_;
  int depth_ = 1;  // of statements in each other
  bool is_linked_ = false, is_shared_ = false;
};

}  // namespace

std::string generate_few_know(std::uint64_t seed) { return FewKnow(seed).run(); }

}  // namespace concord::agree
