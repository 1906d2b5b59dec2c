#include "engine/shape/structure.h"

#include <algorithm>

namespace concord::engine::shape {

Layout::Layout(const System& system) : sm_(system.sm) {
  for (const Predicate& it : system.predicates) {
    arity_.push_back(it.arity);
    place_.push_back(it.arity < 2 ? singles_++ : doubles_++);
  }
}

Structure::Structure(const Layout& layout, int size) : layout_(&layout), size_(size), rows_(layout.rows(size)) {
  if (size > kMostIndividuals) throw TooManyIndividuals{};
}

void Structure::set(Row& row, int individual, Kleene value) {
  const Bits bit = Bits{1} << static_cast<unsigned>(individual);
  row.may = value == Kleene::kFalse ? row.may & ~bit : row.may | bit;
  row.must = value == Kleene::kTrue ? row.must | bit : row.must & ~bit;
}

int Structure::add() {
  Structure larger(*layout_, size_ + 1);
  for (int p = 0; p < layout_->predicates(); ++p) {
    const int firsts = layout_->arity(p) < 2 ? 1 : size_;
    for (int a = 0; a < firsts; ++a) larger.row(p, a) = row(p, a);
  }
  *this = std::move(larger);
  return size_ - 1;
}

int Structure::duplicate(int individual) {
  const int added = add();
  for (int p = 0; p < layout_->predicates(); ++p) {
    if (layout_->arity(p) == 1) set(p, added, get(p, individual));
    if (layout_->arity(p) != 2) continue;
    for (int a = 0; a < added; ++a) set(p, a, added, get(p, a, individual));
    row(p, added) = row(p, individual);  // with the value for `added` itself, which is the one for `individual`
  }
  return added;
}

Structure Structure::reordered(const std::vector<int>& order) const {
  Structure out(*layout_, static_cast<int>(order.size()));
  const auto moved = [&](const Row& from) {
    Row to;
    for (std::size_t i = 0; i < order.size(); ++i) {
      to.may |= (from.may >> static_cast<unsigned>(order[i]) & 1U) << i;
      to.must |= (from.must >> static_cast<unsigned>(order[i]) & 1U) << i;
    }
    return to;
  };
  for (int p = 0; p < layout_->predicates(); ++p) {
    if (layout_->arity(p) == 0) out.row(p) = row(p);
    if (layout_->arity(p) == 1) out.row(p) = moved(row(p));
    if (layout_->arity(p) != 2) continue;
    for (std::size_t i = 0; i < order.size(); ++i) out.row(p, static_cast<int>(i)) = moved(row(p, order[i]));
  }
  return out;
}

void Structure::remove(int individual) {
  std::vector<int> order;
  for (int i = 0; i < size_; ++i) {
    if (i != individual) order.push_back(i);
  }
  *this = reordered(order);
}

bool Structure::is_definite() const {
  return std::all_of(rows_.begin(), rows_.end(), [](const Row& it) { return it.may == it.must; });
}

std::uint64_t Structure::hash() const {
  std::uint64_t out = static_cast<std::uint64_t>(size_);
  const auto mix = [&](Bits word) {
    out = (out ^ word) * 0x9E3779B97F4A7C15U;
    out ^= out >> 29U;
  };
  for (const Row& it : rows_) mix(it.may), mix(it.must);
  return out;
}

}  // namespace concord::engine::shape
