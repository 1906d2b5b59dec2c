// What a thread does, as one graph of operations: those of plato/flow.h, with each call replaced by what it calls.
//
// Nodes, and the local variables of all activations together, are numbered as docs/proofs.md says: 0 is where a thread has
// finished, 1 where it enters; then those of the procedure that it enters, as `show --cfg` has them, then those of the procedures that are
// called, in the order in which the calls come.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "plato/flow.h"
#include "plato/syntax.h"

namespace concord::replay {

// A part of the language that the checker does not know, and where it is used.
struct NotKnown {
  base::SourceRange at;
  std::string what;
};

struct Edge {
  plato::Operation operation;
  int frame = 0;    // whose operation it is
  int callee = -1;  // of a call: the frame that is entered
  int target = 0;
};

struct Frame {
  int procedure = 0;
  int first_local = 0;
  int result = -1;  // the local variable that gets its result, or -1
};

struct Code {
  static constexpr int kEnd = 0;
  static constexpr int kEntry = 1;

  std::vector<std::vector<Edge>> nodes;
  std::vector<Frame> frames;
  std::vector<plato::Local> locals;
  // Where the result of a call waits until an operation of its own assigns it: by the statement and the frame.
  std::map<std::pair<const plato::Stmt*, int>, int> waiting;

  const plato::Procedure& procedure(const plato::Program& program, int frame) const {
    return program.procedures[static_cast<std::size_t>(frames[static_cast<std::size_t>(frame)].procedure)];
  }
};

// Throws NotKnown.
Code code_of(const plato::Program& program, int procedure);

}  // namespace concord::replay
