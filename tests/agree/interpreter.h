// The second interpreter of Plato: checks the referee (src/explore), which checks everything else.
//
// Written from docs/plato.md alone, without a look at src/explore, and as plainly as possible: small steps on the syntax tree
// with a stack of statements per procedure (step.h), expressions evaluated by recursion (evaluate.h), every clause watched
// on every step (monitor.h), states compared by the text they print (state.h), breadth first over all interleavings. No
// flow graph, no reduction, no packed states. Where the reference leaves room, DECISIONS.md says what is done here.
//
// Not watched: races.
#pragma once

#include <string>

#include "base/source.h"
#include "plato/syntax.h"
#include "step.h"

namespace concord::agree {

struct Answer {
  Findings violated;     // property ids
  bool complete = true;  // every state was visited, and no domain was cut off
  std::string why_incomplete;
  std::size_t states = 0;
  std::set<std::string> final_stores;  // of the states in which all threads have finished
};

// The program must be well-formed.
Answer interpret(const base::SourceMap& sources, const plato::Program& program, const Limits& limits);

}  // namespace concord::agree
