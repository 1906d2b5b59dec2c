// A structure as a drawing (DOT), as in the figures of the paper: threads are hexagons, individuals that stand for several have a
// double border, values that are unknown are dashed.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "engine/shape/structure.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

// More are not kept: nobody looks at so many.
inline constexpr std::size_t kMostDrawings = 100;

std::string draw(const System& system, const Structure& structure, const std::string& title);

// Of what is drawn, the predicates that are unknown somewhere after a step, and nowhere before: there precision was lost.
std::vector<std::string> newly_unknown(const System& system, const Structure& before, const Structure& after);

}  // namespace concord::engine::shape
