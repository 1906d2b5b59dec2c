// The Java front end: attributed trees (tree.h) to a Plato program.
//
// Every read and every write of shared memory becomes an operation of its own, in Java's order of evaluation; what happens on
// locals only stays one expression. What cannot be translated becomes `unsupported` at its place, and the rest goes on.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/source.h"
#include "diag/diagnostic.h"
#include "frontend/java/tree.h"
#include "plato/syntax.h"

namespace concord::frontend::java {

struct LowerOptions {
  bool unbounded_ints = false;  // --int math: int and long never overflow
  std::string main_class;       // --main; empty: the only class with a main method
  bool client = false;          // --client: a most general client even if there is a main
};

struct Lowered {
  plato::Program program;
  std::vector<std::string> assumptions;        // "the classes given are all there are"
  std::set<std::string> names;                 // of the variables that are the user's own; others are made by lowering
  std::map<std::string, std::string> spelled;  // names in the program that are spelled otherwise in Java
  std::set<plato::Stmt*> dispatches;  // statements of the program that choose what a virtual call runs (dispatch.h)
};

Lowered lower(const base::SourceMap& sources, const Unit& unit, const LowerOptions& options, diag::Sink& sink);

}  // namespace concord::frontend::java
