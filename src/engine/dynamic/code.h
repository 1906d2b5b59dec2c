// Unfolding (Beckert and Klebanov, section 3.3): what a thread does, as one graph of operations.
//
// The operations are those of plato/flow.h, with calls replaced by the bodies of what they call. Each call has local variables of its
// own, so the graph has one list of them; those of the procedure that the thread enters come first.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "plato/flow.h"
#include "plato/syntax.h"

namespace concord::engine::dynamic {

// What cannot be dealt with, and where.
struct Refusal {
  base::SourceRange at;
  std::string what;
};

struct CodeEdge {
  plato::Operation operation;
  int frame = 0;    // whose operation it is
  int callee = -1;  // kCall: the frame that is entered
  int target = -1;
};

struct CodeNode {
  std::vector<CodeEdge> edges;
  base::SourceRange at;  // of the first operation
};

// One activation of a procedure.
struct Frame {
  int procedure = -1;
  int first_local = 0;  // its locals are numbered from here
  int result = -1;      // where its result goes, as a number of a local variable, or -1
};

struct Code {
  std::vector<CodeNode> nodes;
  std::vector<Frame> frames;
  std::vector<plato::Local> locals;
  // Results that an operation of its own assigns: the local variable that they wait in, by the call and its frame.
  std::map<std::pair<const plato::Stmt*, int>, int> registers;
  int entry = 0;
  int end = 0;  // where a thread has finished
};

// Throws Refusal.
Code unfold(const plato::Program& program, int procedure);

}  // namespace concord::engine::dynamic
