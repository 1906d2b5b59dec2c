// Evidence: why a verdict is what it is. A trace is a real run, one entry per atomic operation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/source.h"

namespace concord::engine {

using Changes = std::vector<std::pair<std::string, std::string>>;  // location in the user's words, value

struct TraceStep {
  std::string thread;  // "t1", "worker#2"
  base::SourceRange location;
  std::string text;  // the operation as the user wrote it, one line
  Changes changes;   // shared and local locations that got another value
  std::string note;  // e.g. "spurious wake-up", "goes wrong here"; may be empty
};

// Of a deadlock: where a thread waits. One that could go on in several ways has several of them.
struct StuckThread {
  std::string thread;
  std::string text;    // the operation, as in TraceStep
  std::string detail;  // ", held by t2"; may be empty
  base::SourceRange location;
};

struct Trace {
  Changes initial;                   // what the initial state chose or fixed
  std::vector<std::string> threads;  // columns, in order of creation
  std::vector<TraceStep> steps;
  std::vector<StuckThread> ending;
  bool empty() const { return steps.empty() && initial.empty(); }
};

struct Related {
  base::SourceRange location;
  std::string message;
};

}  // namespace concord::engine
