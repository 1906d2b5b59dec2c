#include "engine/shape/draw.h"

#include <fmt/format.h>

#include <set>

namespace concord::engine::shape {

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

// What the drawing says in another way, or what is over after each step.
std::set<int> hidden_in(const System& system) {
  return {system.sm, system.is_new, system.instance, system.is_thread, system.ready, system.runnable};
}

bool is_unknown_somewhere(const Structure& structure, int predicate) {
  const int rows = structure.layout().arity(predicate) < 2 ? 1 : structure.size();
  for (int i = 0; i < rows; ++i) {
    const Row& row = structure.row(predicate, i);
    if (row.may != row.must) return true;
  }
  return false;
}

class Drawing {
 public:
  Drawing(const System& system, const Structure& structure)
      : system_(system), structure_(structure), hidden_(hidden_in(system)) {}

  std::string run(const std::string& title) {
    out_ = fmt::format("digraph {} {{\n  label={};\n", quoted(title), quoted(title + facts()));
    for (int i = 0; i < structure_.size(); ++i) draw_individual(i);
    for (std::size_t p = 0; p < system_.predicates.size(); ++p) {
      if (system_.predicates[p].arity == 2 && !hidden_.contains(static_cast<int>(p)))
        draw_relation(static_cast<int>(p));
      if (is_pointer(static_cast<int>(p))) draw_pointer(static_cast<int>(p));
    }
    return out_ + "}\n";
  }

 private:
  bool is_pointer(int predicate) const {
    const Predicate& it = system_.predicates[static_cast<std::size_t>(predicate)];
    return it.arity == 1 && it.is_pointer;
  }

  const std::string& name(int predicate) const { return system_.predicates[static_cast<std::size_t>(predicate)].name; }

  // Without arguments: in the title.
  std::string facts() const {
    std::string out;
    for (std::size_t p = 0; p < system_.predicates.size(); ++p) {
      if (system_.predicates[p].arity != 0) continue;
      const Kleene value = structure_.get(static_cast<int>(p));
      if (value != Kleene::kFalse) out += fmt::format("  {}{}", name(static_cast<int>(p)), suffix(value));
    }
    return out;
  }

  static const char* suffix(Kleene value) { return value == Kleene::kUnknown ? "=1/2" : ""; }

  void draw_individual(int individual) {
    std::string label;
    for (std::size_t p = 0; p < system_.predicates.size(); ++p) {
      const int predicate = static_cast<int>(p);
      if (system_.predicates[p].arity != 1 || hidden_.contains(predicate) || is_pointer(predicate)) continue;
      const Kleene value = structure_.get(predicate, individual);
      if (value == Kleene::kFalse) continue;
      label += (label.empty() ? "" : "\\n") + name(predicate) + suffix(value);
    }
    const bool is_thread = system_.is_thread >= 0 && structure_.get(system_.is_thread, individual) != Kleene::kFalse;
    // The label has line ends of its own: it is quoted by hand.
    out_ += fmt::format("  {} [shape={}, peripheries={}, label=\"{}\"];\n", individual,
                        is_thread ? "hexagon" : "ellipse", structure_.is_summary(individual) ? 2 : 1, label);
  }

  static const char* style(Kleene value) { return value == Kleene::kUnknown ? "dashed" : "solid"; }

  void draw_relation(int predicate) {
    for (int a = 0; a < structure_.size(); ++a) {
      for (int b = 0; b < structure_.size(); ++b) {
        const Kleene value = structure_.get(predicate, a, b);
        if (value == Kleene::kFalse) continue;
        out_ += fmt::format("  {} -> {} [label={}, style={}];\n", a, b, quoted(name(predicate)), style(value));
      }
    }
  }

  void draw_pointer(int predicate) {
    if (structure_.row(predicate).may == 0) return;
    out_ += fmt::format("  {} [shape=plaintext];\n", quoted(name(predicate)));
    for (int i = 0; i < structure_.size(); ++i) {
      const Kleene value = structure_.get(predicate, i);
      if (value != Kleene::kFalse)
        out_ += fmt::format("  {} -> {} [style={}];\n", quoted(name(predicate)), i, style(value));
    }
  }

  const System& system_;
  const Structure& structure_;
  const std::set<int> hidden_;
  std::string out_;
};

}  // namespace

std::string draw(const System& system, const Structure& structure, const std::string& title) {
  return Drawing(system, structure).run(title);
}

std::vector<std::string> newly_unknown(const System& system, const Structure& before, const Structure& after) {
  const std::set<int> hidden = hidden_in(system);
  std::vector<std::string> out;
  for (int p = 0; p < std::ssize(system.predicates); ++p) {
    if (!hidden.contains(p) && is_unknown_somewhere(after, p) && !is_unknown_somewhere(before, p))
      out.push_back(system.predicates[static_cast<std::size_t>(p)].name);
  }
  return out;
}

}  // namespace concord::engine::shape
