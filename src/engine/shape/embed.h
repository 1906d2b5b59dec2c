// Embedding (definition 3.4 of the paper): one structure represents another if the individuals of the other can be mapped onto
// its own such that every value is the same or unknown here, and where several are mapped to one, that is a summary.
#pragma once

#include "engine/shape/structure.h"

namespace concord::engine::shape {

// `by` represents `structure`. Both are of one system.
bool is_embedded(const Structure& structure, const Structure& by);

}  // namespace concord::engine::shape
