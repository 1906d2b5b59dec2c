// Locations that order the accesses of threads without being declared `volatile`: those that some `acquire`, `release` or
// `CAS` works on. Accesses to them never race.
#pragma once

#include <set>

#include "plato/syntax.h"

namespace concord::plato {

struct Synchronising {
  std::set<const Variable*> variables;  // and fields
  std::set<const Variable*> elements;   // of the arrays that these refer to
};

Synchronising synchronising_locations(const Program& program);

}  // namespace concord::plato
