#include "engine/dynamic/safety.h"

#include <algorithm>

namespace concord::engine::dynamic {

bool is_without_race(const Flat& flat, const System& system, const Property& property) {
  const auto is_here = [&](base::SourceRange it) { return it == property.claim; };
  if (std::any_of(flat.not_followed.begin(), flat.not_followed.end(), is_here)) return false;
  const std::vector<plato::Variable>& variables = flat.program.variables;
  const Atomicity& atomicity = system.atomicity();
  const auto is_safe = [&](const Shared& it) {
    const auto found = std::find_if(variables.begin(), variables.end(),
                                    [&](const plato::Variable& each) { return each.name == it.variable; });
    const auto number = static_cast<int>(found - variables.begin());
    const bool is_protected = atomicity.protected_by().contains(number) && !it.is_left_out;
    return it.is_volatile || !atomicity.is_written(number) || is_protected;
  };
  return std::all_of(flat.shared.begin(), flat.shared.end(),
                     [&](const Shared& it) { return !is_here(it.declared) || is_safe(it); });
}

}  // namespace concord::engine::dynamic
