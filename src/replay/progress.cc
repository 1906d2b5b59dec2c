#include "replay/progress.h"

#include <utility>
#include <vector>

#include "replay/rounds.h"

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
    while (!open_.empty() && !trouble_) {
      const auto [at, blocks] = std::move(open_.back());
      open_.pop_back();
      if (done_.insert(at).second) visit(at, blocks);
    }
    return std::move(trouble_);
  }

 private:
  // `blocks`: how many atomic blocks it is in.
  void visit(const Standing& at, int blocks) {
    const auto& edges = code_.nodes[static_cast<std::size_t>(at.first)];
    const base::SourceRange here = edges.empty() ? base::SourceRange{} : place_of(program_, code_, edges.front());
    if (done_.size() > kMostPlaces) return fail(here, "there is too much code");
    if (at.first == Code::kEnd && !at.second.empty()) fail(here, "a thread may end with a lock");
    for (const Edge& edge : edges) {
      const bool begins = edge.operation.kind == Operation::Kind::kAtomicBegin;
      const bool ends = edge.operation.kind == Operation::Kind::kAtomicEnd;
      if (const std::optional<Held> after = perform(at.second, edge, blocks))
        open_.push_back({{edge.target, *after}, blocks + (begins ? 1 : ends ? -1 : 0)});
    }
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
  std::vector<std::pair<Standing, int>> open_{{{Code::kEntry, {}}, 0}};
  std::set<Standing> done_;
  std::optional<NotKnown> trouble_;
};

}  // namespace

std::optional<NotKnown> may_get_stuck(const plato::Program& program, const Code& code, const Atomicity& atomicity,
                                      bool has_java_ints) {
  if (const auto round = goes_round(program, code, atomicity, has_java_ints))
    return NotKnown{*round, "a loop may go on for ever"};
  return Search(program, code, atomicity).run();
}

}  // namespace concord::replay
