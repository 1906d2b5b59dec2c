// A structure as a drawing (DOT), as in the figures of the paper: threads are hexagons, individuals that stand for several have a
// double border, values that are unknown are dashed.
#pragma once

#include <string>

#include "engine/shape/structure.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

std::string draw(const System& system, const Structure& structure, const std::string& title);

}  // namespace concord::engine::shape
