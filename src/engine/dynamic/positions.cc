#include "engine/dynamic/positions.h"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

namespace concord::engine::dynamic {

using plato::Operation;

namespace {

constexpr std::size_t kMostWays = 2000;
constexpr std::size_t kLongestWay = 2000;

class Finder {
 public:
  Finder(const Code& code, std::size_t number, const Atomicity& atomicity)
      : code_(code), number_(number), atomicity_(atomicity) {}

  Positions run() {
    stop_at(code_.entry);
    stop_at(code_.end);
    for (std::size_t i = 0; i < out_.stops.size(); ++i) {
      if (static_cast<int>(i) == Positions::kEnd) continue;
      from_ = static_cast<int>(i);
      walk(out_.stops[i], false, 0);
    }
    number_positions();
    return std::move(out_);
  }

 private:
  int stop_at(int node) {
    const auto [found, is_new] = stop_of_.emplace(node, static_cast<int>(out_.stops.size()));
    if (is_new) out_.stops.push_back(node);
    return found->second;
  }

  const std::vector<CodeEdge>& edges(int node) const { return code_.nodes[static_cast<std::size_t>(node)].edges; }

  // Behind an operation of any kind (`is_past`) nothing comes that others may have to do with, and nothing at which the way may end.
  bool must_stop(int node, bool is_past) const {
    return is_past && std::any_of(edges(node).begin(), edges(node).end(), [&](const CodeEdge& it) {
             if (it.operation.kind == Operation::Kind::kSilent) return false;
             const Moves moves = atomicity_.of(number_, node, it);
             return moves.may_end() || moves.mover == Mover::kRight || moves.mover == Mover::kNone;
           });
  }

  void walk(int node, bool is_past, int in_atomic) {
    const bool was_here = std::find(nodes_.begin(), nodes_.end(), node) != nodes_.end();
    if (was_here && in_atomic > 0)
      throw Refusal{code_.nodes[static_cast<std::size_t>(node)].at, "a loop in an atomic block"};
    const bool is_over = node == code_.end || was_here || (in_atomic == 0 && must_stop(node, is_past));
    if (!way_.empty() && is_over) {
      if (out_.ways.size() >= kMostWays)
        throw Refusal{code_.nodes[static_cast<std::size_t>(node)].at, "code with this many ways through it"};
      const int to = stop_at(node);
      out_.ways.push_back({from_, to, way_, may_end_behind_write()});
      return;
    }
    if (way_.size() >= kLongestWay) throw Refusal{code_.nodes[static_cast<std::size_t>(node)].at, "code this long"};
    nodes_.push_back(node);
    for (const CodeEdge& edge : edges(node)) {
      const Operation::Kind kind = edge.operation.kind;
      bool past = is_past;
      if (in_atomic == 0 && kind != Operation::Kind::kSilent) {
        const Mover mover = atomicity_.of(number_, node, edge).mover;
        past = past || mover == Mover::kNone || mover == Mover::kLeft;
      }
      const int deeper = kind == Operation::Kind::kAtomicBegin ? 1 : kind == Operation::Kind::kAtomicEnd ? -1 : 0;
      way_.push_back(&edge);
      walk(edge.target, past, in_atomic + deeper);
      way_.pop_back();
    }
    nodes_.pop_back();
  }

  // An atomic block is one operation.
  bool may_end_behind_write() const {
    bool has_written = false;
    bool writes_here = false;
    int in_atomic = 0;
    for (std::size_t i = 0; i < way_.size(); ++i) {
      const Operation::Kind kind = way_[i]->operation.kind;
      if (kind == Operation::Kind::kSilent) continue;
      if (in_atomic == 0 && has_written && atomicity_.of(number_, node_on_way(i), *way_[i]).may_end()) return true;
      in_atomic += kind == Operation::Kind::kAtomicBegin ? 1 : kind == Operation::Kind::kAtomicEnd ? -1 : 0;
      writes_here = writes_here || touched(way_[i]->operation).changes_something();
      if (in_atomic == 0) has_written = has_written || std::exchange(writes_here, false);
    }
    return false;
  }

  // Where the edge of the way begins.
  int node_on_way(std::size_t edge) const {
    return edge == 0 ? out_.stops[static_cast<std::size_t>(from_)] : way_[edge - 1]->target;
  }

  // Strongly connected stops have one number; Tarjan finds those that others lead to first.
  void number_positions() {
    const std::size_t count = out_.stops.size();
    std::vector<std::vector<int>> next(count);
    for (const Way& it : out_.ways) next[static_cast<std::size_t>(it.from)].push_back(it.to);
    std::vector<int> index(count, -1), low(count, 0), group(count, -1);
    std::vector<int> stack;
    int indices = 0, groups = 0;
    const std::function<void(int)> visit = [&](int at) {
      const auto a = static_cast<std::size_t>(at);
      index[a] = low[a] = indices++;
      stack.push_back(at);
      for (const int it : next[a]) {
        const auto i = static_cast<std::size_t>(it);
        if (index[i] < 0) visit(it);
        if (group[i] < 0) low[a] = std::min(low[a], low[i]);
      }
      if (low[a] != index[a]) return;
      for (int member = -1; member != at;) {
        member = stack.back();
        stack.pop_back();
        group[static_cast<std::size_t>(member)] = groups;
      }
      ++groups;
    };
    visit(Positions::kEnd);  // first, so it has the lowest number
    for (int i = 0; i < static_cast<int>(count); ++i) {
      if (index[static_cast<std::size_t>(i)] < 0) visit(i);
    }
    for (const int it : group) out_.position.push_back(groups - 1 - it);
    out_.count = groups - 1;
    for (const Way& it : out_.ways) {
      out_.has_loop =
          out_.has_loop || group[static_cast<std::size_t>(it.from)] == group[static_cast<std::size_t>(it.to)];
    }
  }

  const Code& code_;
  const std::size_t number_;
  const Atomicity& atomicity_;
  Positions out_;
  std::map<int, int> stop_of_;
  int from_ = 0;
  std::vector<const CodeEdge*> way_;
  std::vector<int> nodes_;  // on the way
};

}  // namespace

Positions find_positions(const Code& code, std::size_t number, const Atomicity& atomicity) {
  return Finder(code, number, atomicity).run();
}

}  // namespace concord::engine::dynamic
