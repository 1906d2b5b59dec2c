// A property: one claim of the program that can hold or fail. The list is the same for every engine.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "base/source.h"
#include "diag/kinds.h"
#include "plato/syntax.h"

namespace concord::engine {

struct Property {
  std::string id;  // "KIND@file:line:column", the place of the claim
  diag::Kind kind = diag::Kind::kAssertion;
  base::SourceRange claim;  // the clause; the expression for implicit checks; the declaration for race; …
  std::string text;         // the claim in the user's own words
  int procedure = -1;       // the procedure whose body or contract it belongs to, or -1
  int module = 0;           // the module that states it
};

// Whether races of the variable or field, or of the elements of an array that it refers to, are a property.
bool may_race(const plato::Variable& variable);

// Of the finding when it fails.
diag::Kind kind_of(const plato::Assert& assertion);

std::string property_id(const base::SourceMap& sources, diag::Kind kind, base::SourceRange claim);

// Every property of the program, in source order; those on request only if in `requested` (or asked for by `check`).
std::vector<Property> collect_properties(const base::SourceMap& sources, const plato::Program& program,
                                         const std::set<diag::Kind>& requested);
// The kinds on request that neither the program nor the user asked for: "not checked".
std::vector<diag::Kind> kinds_not_checked(const plato::Program& program, const std::set<diag::Kind>& requested);

}  // namespace concord::engine
