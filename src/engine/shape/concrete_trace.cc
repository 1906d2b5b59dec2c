#include "engine/shape/concrete_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "engine/shape/draw.h"

namespace concord::engine::shape {

namespace {

std::string name(int individual) { return fmt::format("u{}", individual + 1); }

class Teller {
 public:
  explicit Teller(const System& system) : system_(system) {}

  // "{u1, u2->u3}"; "1" and "0" of a predicate without arguments.
  std::string value(const Structure& structure, int predicate) const {
    const int arity = structure.layout().arity(predicate);
    if (arity == 0) return structure.get(predicate) == Kleene::kTrue ? "1" : "0";
    std::vector<std::string> out;
    for (int a = 0; a < structure.size(); ++a) {
      if (arity == 1 && structure.get(predicate, a) == Kleene::kTrue) out.push_back(name(a));
      for (int b = 0; arity == 2 && b < structure.size(); ++b) {
        if (structure.get(predicate, a, b) == Kleene::kTrue) out.push_back(name(a) + "->" + name(b));
      }
    }
    return fmt::format("{{{}}}", fmt::join(out, ", "));
  }

  // What is not as before; `before` null: what is not empty.
  Changes changes(const Structure* before, const Structure& after) const {
    Changes out;
    for (std::size_t p = 0; p < system_.predicates.size(); ++p) {
      const int number = static_cast<int>(p);
      if (number == system_.sm || number == system_.runnable || number == system_.is_new || number == system_.instance)
        continue;
      const std::string is = value(after, number);
      const std::string was = before != nullptr                   ? value(*before, number)
                              : after.layout().arity(number) == 0 ? "0"
                                                                  : "{}";
      if (is != was) out.emplace_back(system_.predicates[p].name, is);
    }
    return out;
  }

  // The thread that went along the edge, if that can be told.
  std::string mover(const Structure& before, const Structure& after, const Edge& edge) const {
    if (!system_.has_threads) return "program";
    const Bits left = before.row(system_.at[static_cast<std::size_t>(edge.from)]).must &
                      ~after.row(system_.at[static_cast<std::size_t>(edge.from)]).must;
    return left != 0 && (left & (left - 1)) == 0 ? name(__builtin_ctzll(left)) : "threads";
  }

 private:
  const System& system_;
};

}  // namespace

Trace trace_of(const System& system, const Concrete& concrete, const Concrete::Find& find, bool draws) {
  const auto state = [&](int number) -> const Concrete::State& {
    return concrete.states()[static_cast<std::size_t>(number)];
  };
  const Teller teller(system);
  std::vector<int> way{find.state};
  while (state(way.back()).parent >= 0) way.push_back(state(way.back()).parent);
  std::reverse(way.begin(), way.end());
  Trace out;
  out.initial = teller.changes(nullptr, state(way.front()).structure);
  if (draws) out.drawing = draw(system, state(way.front()).structure, "initially");
  const auto add = [&](TraceStep step) {
    if (std::find(out.threads.begin(), out.threads.end(), step.thread) == out.threads.end())
      out.threads.push_back(step.thread);
    out.steps.push_back(std::move(step));
  };
  for (std::size_t i = 1; i < way.size(); ++i) {
    const Structure& before = state(way[i - 1]).structure;
    const Structure& after = state(way[i]).structure;
    const Edge& edge = system.edges[static_cast<std::size_t>(state(way[i]).edge)];
    TraceStep step;
    step.thread = teller.mover(before, after, edge);
    step.location = edge.range;
    step.text = fmt::format("{}: {}", system.labels[static_cast<std::size_t>(edge.from)],
                            system.actions[static_cast<std::size_t>(edge.action)].title);
    step.changes = teller.changes(&before, after);
    if (draws) step.drawing = draw(system, after, fmt::format("after step {}", i));
    add(std::move(step));
  }
  const Action& last = system.actions[static_cast<std::size_t>(find.action)];
  TraceStep step;
  step.thread = find.thread >= 0 ? name(find.thread) : system.has_threads ? "threads" : "program";
  step.location = last.range;
  step.text = last.title;
  step.note = find.message >= 0 ? "the message is raised" : "goes wrong here";
  add(std::move(step));
  return out;
}

}  // namespace concord::engine::shape
