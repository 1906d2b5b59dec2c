#include "sequential/windows.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <unordered_set>

namespace concord::sequential {

namespace {

// With fewer formulas and claims than this a window is not worth dividing.
constexpr std::size_t kMostItems = 600;

class Divider {
 public:
  Divider(formula::Pool& pool, const Passive& passive, const std::vector<std::size_t>& claims, int further)
      : pool_(pool), passive_(passive), root_(pool.truth(true)), of_item_(passive.items.size()) {
    for (std::size_t i = 0; i < passive_.items.size(); ++i) {
      const Item& item = passive_.items[i];
      items_at_[item.point].push_back(i);
      of_item_[i] = values_in(item.kind == Item::Kind::kClaim ? item.claim.claim : item.formula);
    }
    std::vector<Term> order;
    std::unordered_map<Term, std::vector<std::size_t>> behind;
    for (const std::size_t it : claims) {
      Term head = nearest_head(passive_.items[it].point);
      for (int i = 0; i < further && head != root_; ++i) head = nearest_head(passive_.points.above(head));
      if (behind[head].empty()) order.push_back(head);
      behind[head].push_back(it);
    }
    for (Term head : order) divide(head, head, behind.at(head));
  }

  std::vector<Window> take() { return std::move(out_); }

 private:
  Term nearest_head(Term point) {
    std::vector<Term> way;
    while (point != root_ && !passive_.landmarks.contains(point) && !nearest_.contains(point)) {
      way.push_back(point);
      point = passive_.points.above(point);
    }
    const auto known = nearest_.find(point);
    const Term out = known == nearest_.end() ? point : known->second;
    for (Term it : way) nearest_[it] = out;
    return out;
  }

  // The values of variables that a formula mentions, arrays left out.
  std::vector<Term> values_in(Term formula) const {
    std::vector<Term> out;
    for (Term it : formula::constants_of(formula)) {
      if (passive_.values.contains(it)) out.push_back(it);
    }
    return out;
  }

  bool is_quantified(Term term) {
    std::vector<Term> open{term};
    std::unordered_set<Term> seen;
    while (!open.empty()) {
      const Term top = open.back();
      open.pop_back();
      if (top->op == formula::Op::kForall) return true;
      if (!seen.insert(top).second) continue;
      open.insert(open.end(), top->args.begin(), top->args.end());
    }
    return false;
  }

  // It is about nothing that changed since the beginning.
  bool is_for_ever(Term formula) const {
    const std::vector<Term> constants = formula::constants_of(formula);
    return std::none_of(constants.begin(), constants.end(), [&](Term it) { return passive_.later.contains(it); });
  }

  // A window for the claims, which lie at the point or below it; if that is long, one for each way on from where ways part.
  void divide(Term head, Term point, const std::vector<std::size_t>& claims) {
    Window made = window(head, claims);
    if (made.items.size() <= kMostItems) return out_.push_back(std::move(made));
    std::vector<std::size_t> before;  // claims where ways have not parted yet
    std::vector<std::size_t> below = claims;
    std::map<Term, std::vector<std::size_t>> ways;
    std::vector<Term> order;
    while (ways.size() < 2 && !below.empty()) {
      ways.clear();
      order.clear();
      for (const std::size_t it : below) {
        Term way = passive_.items[it].point;
        if (way == point) {
          before.push_back(it);
          continue;
        }
        while (passive_.points.above(way) != point) way = passive_.points.above(way);
        if (ways[way].empty()) order.push_back(way);
        ways[way].push_back(it);
      }
      below.clear();
      if (ways.size() == 1) {
        point = order.front();
        below = std::move(ways.at(point));
      }
    }
    if (ways.size() < 2) return out_.push_back(std::move(made));
    if (!before.empty()) out_.push_back(window(head, before));
    for (Term way : order) divide(head, way, ways.at(way));
  }

  Window window(Term head, const std::vector<std::size_t>& claims) {
    Window out;
    std::unordered_set<Term> seen{head};
    std::vector<Term> open;
    const auto reach = [&](Term point) {
      if (seen.insert(point).second) open.push_back(point);
    };
    for (const std::size_t it : claims) reach(passive_.items[it].point);
    while (!open.empty()) {
      const Term top = open.back();
      open.pop_back();
      for (Term it : passive_.points.from(top)) reach(it);
    }
    out.items = claims;
    if (const auto found = passive_.heads.find(head); found != passive_.heads.end()) out.head = found->second;
    for (Term point : seen) {
      if (const auto in = passive_.block_of.find(point); in != passive_.block_of.end()) out.blocks.insert(in->second);
      if (const auto found = passive_.heads.find(point); found != passive_.heads.end()) out.loops.insert(found->second);
      if (point == root_) continue;
      for (const std::size_t it : items_at_[point]) {
        if (passive_.items[it].kind == Item::Kind::kFormula) out.items.push_back(it);
      }
    }
    for (const std::size_t it : items_at_[root_]) {
      if (passive_.items[it].kind == Item::Kind::kFormula) out.items.push_back(it);
    }
    std::sort(out.items.begin(), out.items.end());
    out.items.erase(std::unique(out.items.begin(), out.items.end()), out.items.end());
    remember(head, out);
    return out;
  }

  // What is known at the head about values that matter in the window.
  void remember(Term head, Window& out) {
    if (head == root_) return;
    std::unordered_set<Term> values;
    for (const std::size_t it : out.items) values.insert(of_item_[it].begin(), of_item_[it].end());
    std::vector<std::size_t> known;  // backwards
    for (Term point = passive_.points.above(head); point != root_; point = passive_.points.above(point)) {
      const std::vector<std::size_t>& items = items_at_[point];
      for (std::size_t i = items.size(); i-- > 0;) {
        const Item& item = passive_.items[items[i]];
        if (item.kind == Item::Kind::kFormula && !is_quantified(item.formula)) known.push_back(items[i]);
      }
    }
    std::vector<bool> is_kept(known.size(), false);
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t i = 0; i < known.size(); ++i) {
        const std::vector<Term>& mentioned = of_item_[known[i]];
        if (is_kept[i] ||
            (!is_for_ever(passive_.items[known[i]].formula) &&
             std::none_of(mentioned.begin(), mentioned.end(), [&](Term it) { return values.contains(it); })))
          continue;
        is_kept[i] = changed = true;
        values.insert(mentioned.begin(), mentioned.end());
      }
    }
    for (std::size_t i = known.size(); i-- > 0;) {
      if (!is_kept[i]) continue;
      const Item& item = passive_.items[known[i]];
      out.background.push_back(pool_.implies(head, item.point));
      out.background.push_back(item.formula);
    }
  }

  formula::Pool& pool_;
  const Passive& passive_;
  const Term root_;
  std::vector<std::vector<Term>> of_item_;  // the values that it mentions
  std::unordered_map<Term, std::vector<std::size_t>> items_at_;
  std::unordered_map<Term, Term> nearest_;
  std::vector<Window> out_;
};

}  // namespace

Window whole(const Passive& passive) {
  Window out;
  for (std::size_t i = 0; i < passive.items.size(); ++i) out.items.push_back(i);
  for (const auto& [point, block] : passive.heads) out.loops.insert(block);
  return out;
}

std::vector<Window> windows(formula::Pool& pool, const Passive& passive, const std::vector<std::size_t>& claims,
                            int further) {
  return Divider(pool, passive, claims, further).take();
}

}  // namespace concord::sequential
