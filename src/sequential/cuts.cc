#include "sequential/cuts.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

namespace concord::sequential {

namespace {

// A program with fewer blocks is not long.
constexpr std::size_t kLongProgram = 800;
// So many blocks between a head and a place where ways meet are much.
constexpr std::size_t kMuch = 40;

class Cutter {
 public:
  explicit Cutter(const Program& program) : program_(program) {}

  std::set<int> find() {
    const std::size_t count = program_.blocks.size();
    find_order();
    before_.resize(count);
    above_.assign(count, -1);
    std::vector<int> head(count, -1);
    for (const int at : order_) {
      for (const int next : block(at).successors) {
        if (place_[static_cast<std::size_t>(next)] > place_[static_cast<std::size_t>(at)]) {
          before_[static_cast<std::size_t>(next)].push_back(at);
        }
      }
    }
    for (const int at : order_) {
      const auto n = static_cast<std::size_t>(at);
      for (const int it : before_[n]) above_[n] = above_[n] < 0 ? it : common(above_[n], it);
      const bool begins = above_[n] < 0 || block(at).is_landmark;
      const int nearest = begins ? at : head[static_cast<std::size_t>(above_[n])];
      const bool is_cut = !begins && !block(at).is_loop_head && before_[n].size() > 1 && is_far(at, nearest);
      if (is_cut) out_.insert(at);
      head[n] = is_cut ? at : nearest;
    }
    return out_;
  }

 private:
  const Block& block(int index) const { return program_.blocks[static_cast<std::size_t>(index)]; }

  // Every block after those that lead to it, but for edges that close a loop.
  void find_order() {
    std::vector<int> state(program_.blocks.size(), 0);  // 0 new, 1 seen
    std::vector<std::pair<int, std::size_t>> stack{{0, 0}};
    state[0] = 1;
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      if (next == block(at).successors.size()) {
        order_.push_back(at);
        stack.pop_back();
        continue;
      }
      const int target = block(at).successors[next++];
      if (state[static_cast<std::size_t>(target)] != 0) continue;
      state[static_cast<std::size_t>(target)] = 1;
      stack.emplace_back(target, 0);
    }
    std::reverse(order_.begin(), order_.end());
    place_.assign(program_.blocks.size(), -1);
    for (std::size_t i = 0; i < order_.size(); ++i) place_[static_cast<std::size_t>(order_[i])] = static_cast<int>(i);
  }

  // The last block that every run to either passes.
  int common(int one, int other) const {
    while (one != other) {
      int& later = place_[static_cast<std::size_t>(one)] < place_[static_cast<std::size_t>(other)] ? other : one;
      later = above_[static_cast<std::size_t>(later)];
    }
    return one;
  }

  // Whether much lies between the head and the block.
  bool is_far(int at, int head) const {
    std::unordered_set<int> seen{head};
    std::vector<int> open{at};
    while (!open.empty()) {
      const int top = open.back();
      open.pop_back();
      if (!seen.insert(top).second) continue;
      if (seen.size() > kMuch) return true;
      for (const int it : before_[static_cast<std::size_t>(top)]) open.push_back(it);
    }
    return false;
  }

  const Program& program_;
  std::vector<int> order_;
  std::vector<int> place_;                // by block: in the order; -1: nobody comes there
  std::vector<std::vector<int>> before_;  // by block
  std::vector<int> above_;                // by block: the last one that every run to it passes
  std::set<int> out_;
};

}  // namespace

std::set<int> cuts(const Program& program) {
  return program.blocks.size() > kLongProgram ? Cutter(program).find() : std::set<int>{};
}

}  // namespace concord::sequential
