// Whose monitors a program uses. If it locks objects of two classes that have nothing to do with each other, their monitors
// are different parts of the state.
#pragma once

#include <vector>

#include "plato/syntax.h"

namespace concord::simulation {

// By class: the topmost of it and those that it extends, of which an expression for an object whose monitor is used may be.
// -1: nobody uses the monitors of such objects, so they are free.
std::vector<int> monitor_classes(const plato::Program& program);

}  // namespace concord::simulation
