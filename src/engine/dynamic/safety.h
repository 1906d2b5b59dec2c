// What a program with objects cannot do wrong, if it can be followed at all (flat.h): races, where each variable is touched under one lock
// or never written; null, which no reference is; and indices, which are claims of the steps.
#pragma once

#include "engine/dynamic/flat.h"
#include "engine/dynamic/system.h"
#include "engine/property.h"

namespace concord::engine::dynamic {

// No two threads touch what is declared there, one of them writing it, without an order between them.
bool is_without_race(const Flat& flat, const System& system, const Property& property);

}  // namespace concord::engine::dynamic
