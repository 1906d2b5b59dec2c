#include "shrink.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "plato/printer.h"
#include "plato/walk.h"
#include "program.h"

namespace concord::agree {

using namespace plato;

namespace {

using Lines = std::vector<std::string>;

Lines split(const std::string& text) {
  Lines lines;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (end > at) lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::string join(const Lines& lines) {
  std::string text;
  for (const std::string& it : lines) text += it + "\n";
  return text;
}

int balance(const std::string& line) {
  return static_cast<int>(std::count(line.begin(), line.end(), '{') - std::count(line.begin(), line.end(), '}'));
}

// Every expression that stands in the program, whole expressions first.
std::vector<const Expr*> all_expressions(const Program& program) {
  std::vector<const Expr*> list;
  const auto add = [&](const ExprPtr& it) {
    if (it) for_each_expr(*it, [&](const Expr& part) { list.push_back(&part); });
  };
  const auto add_all = [&](const std::vector<ExprPtr>& exprs) { std::for_each(exprs.begin(), exprs.end(), add); };
  for (const Clause& it : program.clauses) add(it.predicate.predicate);
  for (const Variable& it : program.variables) {
    for (const FieldClause& clause : it.clauses) add(clause.expr);
  }
  for (const AbstractThread& machine : program.abstract_threads) {
    for (const AbstractThread::Node& node : machine.nodes) add(node.assertion);
    for (const AbstractThread::Edge& edge : machine.edges) add(edge.step.predicate);
  }
  for (const Procedure& it : program.procedures) {
    add_all(it.contract.requires_);
    add_all(it.contract.ensures);
    for (const Action& action : it.contract.actions) add(action.ensures);
    for_each_stmt(*it.body, [&](const Stmt& statement) {
      for_each_part(
          statement, [&](const Expr& whole) { for_each_expr(whole, [&](const Expr& part) { list.push_back(&part); }); },
          [](const Stmt&) {}, [](const CallTarget&) {});
      if (const auto* loop = std::get_if<While>(&statement.node)) add_all(loop->spec.invariants);
      if (const auto* loop = std::get_if<Loop>(&statement.node)) add_all(loop->spec.invariants);
    });
  }
  return list;
}

class Shrinker {
 public:
  Shrinker(std::string text, const std::function<bool(const std::string&)>& still_fails)
      : text_(std::move(text)), still_fails_(still_fails) {}

  std::string run() {
    tidy();
    bool smaller = true;
    while (smaller && !late()) {
      smaller = delete_lines();
      smaller = unwrap() || smaller;
      smaller = simplify() || smaller;
    }
    tidy();
    return text_;
  }

 private:
  bool late() const { return std::chrono::steady_clock::now() - start_ > std::chrono::seconds(120); }

  bool accept(const std::string& attempt) {
    if (late() || attempt == text_ || !still_fails_(attempt)) return false;
    text_ = attempt;
    return true;
  }

  // The printer's layout: one statement per line.
  void tidy() {
    const auto loaded = load(text_);
    if (loaded->error.empty()) accept(print(loaded->program));
  }

  bool delete_lines() {
    bool progress = false;
    for (std::size_t size = split(text_).size() / 2; size >= 1; size /= 2) {
      for (std::size_t at = 0; at + size <= split(text_).size();) {
        Lines lines = split(text_);
        const auto first = lines.begin() + static_cast<std::ptrdiff_t>(at);
        lines.erase(first, first + static_cast<std::ptrdiff_t>(size));
        const bool done = accept(join(lines));
        progress = progress || done;
        if (!done) ++at;
      }
    }
    return delete_blocks() || progress;
  }

  // A head with its braces and all that is between.
  bool delete_blocks() {
    bool progress = false;
    for (std::size_t at = 0; at < split(text_).size(); ++at) {
      const Lines lines = split(text_);
      const std::size_t end = block_end(lines, at);
      if (end == at) continue;
      Lines rest(lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(at));
      rest.insert(rest.end(), lines.begin() + static_cast<std::ptrdiff_t>(end) + 1, lines.end());
      progress = accept(join(rest)) || progress;
    }
    return progress;
  }

  // Only the head and the closing brace.
  bool unwrap() {
    bool progress = false;
    for (std::size_t at = 0; at < split(text_).size(); ++at) {
      Lines lines = split(text_);
      const std::size_t end = block_end(lines, at);
      if (end == at) continue;
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(end));
      lines.erase(lines.begin() + static_cast<std::ptrdiff_t>(at));
      progress = accept(join(lines)) || progress;
    }
    return progress;
  }

  static std::size_t block_end(const Lines& lines, std::size_t at) {
    int open = balance(lines[at]);
    if (open <= 0) return at;
    for (std::size_t end = at + 1; end < lines.size(); ++end) {
      open += balance(lines[end]);
      if (open <= 0) return end;
    }
    return at;
  }

  bool simplify() {
    bool progress = false;
    for (std::size_t number = 0; !late(); ++number) {
      const auto loaded = load(text_);
      const std::vector<const Expr*> all = all_expressions(loaded->program);
      if (number >= all.size()) break;
      progress = simplify_one(*loaded, *all[number]) || progress;
    }
    return progress;
  }

  bool simplify_one(const Loaded& loaded, const Expr& expr) {
    std::vector<std::string> candidates;
    if (expr.type.kind == Type::Kind::kBool) candidates = {"true", "false"};
    if (expr.type.kind == Type::Kind::kInt) candidates = {"0", "1"};
    for_each_child(expr, [&](const Expr& child) {
      if (child.type == expr.type) candidates.push_back("(" + std::string(loaded.sources.text(child.range)) + ")");
    });
    const std::string text = text_;
    for (const std::string& it : candidates) {
      if (it.size() >= expr.range.end - expr.range.begin) continue;
      if (accept(text.substr(0, expr.range.begin) + it + text.substr(expr.range.end))) return true;
    }
    return false;
  }

  std::string text_;
  const std::function<bool(const std::string&)>& still_fails_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace

std::string shrink(std::string text, const std::function<bool(const std::string&)>& still_fails) {
  return Shrinker(std::move(text), still_fails).run();
}

}  // namespace concord::agree
