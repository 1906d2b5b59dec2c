#include "engine/shape/embed.h"

#include <vector>

namespace concord::engine::shape {

namespace {

bool covers(Kleene more, Kleene less) { return more == Kleene::kUnknown || more == less; }

class Search {
 public:
  Search(const Structure& structure, const Structure& by)
      : structure_(structure), by_(by), to_(static_cast<std::size_t>(structure.size()), -1) {}

  bool run() {
    for (int p = 0; p < layout().predicates(); ++p) {
      if (layout().arity(p) == 0 && !covers(by_.get(p), structure_.get(p))) return false;
    }
    return extend(0);
  }

 private:
  const Layout& layout() const { return structure_.layout(); }

  bool extend(int next) {
    if (next == structure_.size()) return is_onto();
    for (int image = 0; image < by_.size(); ++image) {
      to_[static_cast<std::size_t>(next)] = image;
      if (fits(next) && extend(next + 1)) return true;
    }
    to_[static_cast<std::size_t>(next)] = -1;
    return false;
  }

  bool fits(int individual) const {
    const int image = to_[static_cast<std::size_t>(individual)];
    for (int other = 0; other < individual; ++other) {
      if (to_[static_cast<std::size_t>(other)] == image && !by_.is_summary(image)) return false;
    }
    for (int p = 0; p < layout().predicates(); ++p) {
      if (layout().arity(p) == 1 && p != layout().sm() && !covers(by_.get(p, image), structure_.get(p, individual)))
        return false;
      if (layout().arity(p) != 2) continue;
      for (int other = 0; other <= individual; ++other) {
        const int there = to_[static_cast<std::size_t>(other)];
        if (!covers(by_.get(p, image, there), structure_.get(p, individual, other)) ||
            !covers(by_.get(p, there, image), structure_.get(p, other, individual)))
          return false;
      }
    }
    return !structure_.is_summary(individual) || by_.is_summary(image);
  }

  bool is_onto() const {
    Bits reached = 0;
    for (const int it : to_) reached |= Bits{1} << static_cast<unsigned>(it);
    return reached == by_.universe();
  }

  const Structure& structure_;
  const Structure& by_;
  std::vector<int> to_;
};

}  // namespace

bool is_embedded(const Structure& structure, const Structure& by) { return Search(structure, by).run(); }

}  // namespace concord::engine::shape
