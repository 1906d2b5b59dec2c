#include "replay/progress.h"

#include <utility>

namespace concord::replay {

using plato::Operation;

namespace {

constexpr std::size_t kMostPlaces = 20000;

using Held = std::map<int, int>;  // locks, how often
using Standing = std::pair<int, Held>;

base::SourceRange place_of(const plato::Program& program, const Code& code, const Edge& edge) {
  return plato::range_of(edge.operation, code.procedure(program, edge.frame));
}

class Search {
 public:
  Search(const plato::Program& program, const Code& code, const Atomicity& atomicity)
      : program_(program), code_(code), atomicity_(atomicity) {}

  std::optional<NotKnown> run() {
    visit({Code::kEntry, {}}, 0);
    return std::move(trouble_);
  }

 private:
  // `blocks`: how many atomic blocks it is in.
  void visit(const Standing& at, int blocks) {
    if (trouble_ || done_.contains(at)) return;
    const auto& edges = code_.nodes[static_cast<std::size_t>(at.first)];
    const base::SourceRange here = edges.empty() ? base::SourceRange{} : place_of(program_, code_, edges.front());
    if (done_.size() > kMostPlaces) return fail(here, "there is too much code");
    if (!on_way_.insert(at.first).second) return fail(here, "a loop may go on for ever");
    if (at.first == Code::kEnd && !at.second.empty()) fail(here, "a thread may end with a lock");
    for (const Edge& edge : edges) {
      const bool begins = edge.operation.kind == Operation::Kind::kAtomicBegin;
      const bool ends = edge.operation.kind == Operation::Kind::kAtomicEnd;
      if (const std::optional<Held> after = perform(at.second, edge, blocks))
        visit({edge.target, *after}, blocks + (begins ? 1 : ends ? -1 : 0));
    }
    on_way_.erase(at.first);
    done_.insert(at);
  }

  // What is held behind the edge.
  std::optional<Held> perform(const Held& held, const Edge& edge, int blocks) {
    const Touch it = touch(edge.operation);
    const base::SourceRange here = place_of(program_, code_, edge);
    Held after = held;
    if (it.may_block && !atomicity_.is_lock(it.takes)) fail(here, "a thread may wait here for ever");
    if (atomicity_.is_lock(it.takes)) {
      const bool is_monitor =
          program_.variables[static_cast<std::size_t>(it.takes)].type.kind == plato::Type::Kind::kMonitor;
      // Of a block in which a thread waits the other parts may keep it from going on.
      if (blocks > 0) fail(here, "a thread may wait here for ever");
      if (!held.empty() && !(is_monitor && held.contains(it.takes)))
        fail(here, "a thread waits here for a lock while it holds one");
      ++after[it.takes];
    }
    if (atomicity_.is_lock(it.gives) && --after[it.gives] <= 0) after.erase(it.gives);
    return trouble_ ? std::nullopt : std::optional(after);
  }

  void fail(base::SourceRange at, std::string what) {
    if (!trouble_) trouble_ = NotKnown{at, std::move(what)};
  }

  const plato::Program& program_;
  const Code& code_;
  const Atomicity& atomicity_;
  std::set<int> on_way_;  // nodes
  std::set<Standing> done_;
  std::optional<NotKnown> trouble_;
};

}  // namespace

std::optional<NotKnown> may_get_stuck(const plato::Program& program, const Code& code, const Atomicity& atomicity) {
  return Search(program, code, atomicity).run();
}

}  // namespace concord::replay
