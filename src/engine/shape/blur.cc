#include "engine/shape/blur.h"

#include <map>

namespace concord::engine::shape {

Blur::Blur(const System& system) : defect_(system.defect) {
  for (std::size_t p = 0; p < system.predicates.size(); ++p) {
    const Predicate& it = system.predicates[p];
    if (it.is_abstraction && it.arity == 1) unary_.push_back(static_cast<int>(p));
    if (it.is_abstraction && it.arity == 0) nullary_.push_back(static_cast<int>(p));
  }
}

std::vector<Kleene> Blur::name(const Structure& structure, int individual) const {
  std::vector<Kleene> out;
  out.reserve(unary_.size());
  for (const int it : unary_) out.push_back(structure.get(it, individual));
  return out;
}

namespace {

Row joined(const Row& a, const Row& b) { return {a.may | b.may, a.must & b.must}; }

}  // namespace

Structure Blur::apply(const Structure& structure) const {
  std::map<std::vector<Kleene>, Bits> by_name;
  for (int i = 0; i < structure.size(); ++i) by_name[name(structure, i)] |= Bits{1} << static_cast<unsigned>(i);
  Structure out(structure.layout(), static_cast<int>(by_name.size()));
  std::vector<Bits> members;
  members.reserve(by_name.size());
  for (const auto& [name, set] : by_name) members.push_back(set);
  const auto merged = [&](const Row& from) {
    Row to;
    for (std::size_t i = 0; i < members.size(); ++i) {
      to.may |= Bits{(from.may & members[i]) != 0} << i;
      const bool must =
          defect_ == Defect::kBlurKeepsValue ? (from.must & members[i]) != 0 : (from.must & members[i]) == members[i];
      to.must |= Bits{must} << i;
    }
    return to;
  };
  const Layout& layout = structure.layout();
  for (int p = 0; p < layout.predicates(); ++p) {
    if (layout.arity(p) == 0) out.row(p) = structure.row(p);
    if (layout.arity(p) == 1) out.row(p) = merged(structure.row(p));
    if (layout.arity(p) != 2) continue;
    for (std::size_t i = 0; i < members.size(); ++i) {
      Row all{~Bits{0}, ~Bits{0}};
      bool is_first = true;
      for (int a = 0; a < structure.size(); ++a) {
        if ((members[i] >> static_cast<unsigned>(a) & 1U) == 0) continue;
        const Row& row = structure.row(p, a);
        all = is_first                             ? row
              : defect_ == Defect::kBlurKeepsValue ? Row{all.may | row.may, all.must | row.must}
                                                   : joined(all, row);
        is_first = false;
      }
      out.row(p, static_cast<int>(i)) = merged(all);
    }
  }
  for (std::size_t i = 0; i < members.size(); ++i) {
    if ((members[i] & (members[i] - 1)) != 0) out.set(layout.sm(), static_cast<int>(i), Kleene::kUnknown);
  }
  return out;
}

std::vector<Kleene> Blur::names(const Structure& blurred) const {
  std::vector<Kleene> out;
  for (const int it : nullary_) out.push_back(blurred.get(it));
  for (int i = 0; i < blurred.size(); ++i) {
    for (const int it : unary_) out.push_back(blurred.get(it, i));
  }
  return out;
}

Structure joined(const Structure& a, const Structure& b) {
  Structure out = a;
  const Layout& layout = a.layout();
  for (int p = 0; p < layout.predicates(); ++p) {
    const int firsts = layout.arity(p) < 2 ? 1 : a.size();
    for (int first = 0; first < firsts; ++first) {
      Row& row = out.row(p, first);
      row = {row.may | b.row(p, first).may, row.must & b.row(p, first).must};
    }
  }
  return out;
}

}  // namespace concord::engine::shape
