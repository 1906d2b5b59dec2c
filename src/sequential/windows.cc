#include "sequential/windows.h"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

namespace concord::sequential {

namespace {

// With fewer formulas and claims than this a window is not worth dividing.
constexpr std::size_t kMostItems = 600;

// The points that runs pass between a head and some claims, as a tree, in the order of the claims. Each is gone to once,
// however many claims lie below it: looked for from every claim anew, the places where ways part would take a long program
// without branches the cube of its length.
class Ways {
 public:
  Ways(const Passive& passive, Term head, const std::vector<std::size_t>& claims) {
    std::unordered_set<Term> seen{head};
    for (const std::size_t it : claims) {
      Term point = passive.items[it].point;
      claims_[point].push_back(it);
      while (seen.insert(point).second) {
        const Term above = passive.points.above(point);
        next_[above].push_back(point);
        point = above;
      }
    }
  }

  // The points right below it.
  const std::vector<Term>& next(Term point) const { return of(next_, point); }
  const std::vector<std::size_t>& claims_at(Term point) const { return of(claims_, point); }

  // At the point and below it.
  std::vector<std::size_t> claims_from(Term point) const {
    std::vector<std::size_t> out;
    std::vector<Term> open{point};
    while (!open.empty()) {
      const Term top = open.back();
      open.pop_back();
      out.insert(out.end(), claims_at(top).begin(), claims_at(top).end());
      open.insert(open.end(), next(top).begin(), next(top).end());
    }
    return out;
  }

 private:
  template <typename T>
  static const std::vector<T>& of(const std::unordered_map<Term, std::vector<T>>& map, Term point) {
    static const std::vector<T> kNone;
    const auto found = map.find(point);
    return found == map.end() ? kNone : found->second;
  }

  std::unordered_map<Term, std::vector<Term>> next_;
  std::unordered_map<Term, std::vector<std::size_t>> claims_;
};

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
    for (Term head : order) divide(head, head, Ways(passive_, head, behind.at(head)));
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

  // A window for the claims at the point and below it; if that is long, one for each way on from where ways part.
  void divide(Term head, Term point, const Ways& ways) {
    Window made = window(head, ways.claims_from(point));
    if (made.items.size() <= kMostItems) return out_.push_back(std::move(made));
    std::vector<std::size_t> before = ways.claims_at(point);  // where ways have not parted yet
    while (ways.next(point).size() == 1) {
      point = ways.next(point).front();
      before.insert(before.end(), ways.claims_at(point).begin(), ways.claims_at(point).end());
    }
    if (ways.next(point).empty()) return out_.push_back(std::move(made));
    if (!before.empty()) out_.push_back(window(head, before));
    for (Term way : ways.next(point)) divide(head, way, ways);
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
