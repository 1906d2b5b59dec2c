// A long program in pieces. A window begins at a loop head, or where the program begins, and has the claims of which that is
// the nearest head that every run to them passes; and what is known on the ways from there to them. What was known before the
// head is forgotten, but for what concerns values that still matter, or never change: the invariants of the head stand for it. So a proof in a
// window is a proof, and one that fails there may still be found in the whole.
#pragma once

#include <cstddef>
#include <set>
#include <vector>

#include "sequential/passive.h"

namespace concord::sequential {

struct Window {
  std::vector<Term> background;    // formulas
  std::vector<std::size_t> items;  // of the passive program, in its order
  std::set<int> loops;             // blocks: the heads of these are in it
  int head = -1;                   // the block where it begins; -1: the beginning, or it is the whole
  std::set<int> blocks;
};

Window whole(const Passive& passive);
// For these claims, by place among the items; `further` landmarks beyond the nearest one.
std::vector<Window> windows(formula::Pool& pool, const Passive& passive, const std::vector<std::size_t>& claims,
                            int further = 0);

}  // namespace concord::sequential
