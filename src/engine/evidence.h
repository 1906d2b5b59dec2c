// Evidence: why a verdict is what it is. A trace is a real run, one entry per atomic operation.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/source.h"

namespace concord::engine {

using Changes = std::vector<std::pair<std::string, std::string>>;  // location in the user's words, value

// What is the case between two steps of a run; only if Settings::keeps_evidence.
struct Situation {
  struct Object {
    std::string name;  // "Node@1"
    Changes fields;    // of an array: elements
  };
  struct Local {
    std::string thread;
    std::string procedure;  // the innermost one that it is in
    Changes values;
  };
  struct Follower {
    std::string thread;
    std::string machine;             // its abstract thread
    std::vector<std::string> nodes;  // where that may be
  };
  Changes shared;
  std::vector<Object> heap;
  std::vector<Local> locals;
  Changes held;  // a lock, the thread that holds it
  std::vector<Follower> followers;
};

struct TraceStep {
  std::string thread;  // "t1", "worker#2"
  base::SourceRange location;
  std::string text;  // the operation as the user wrote it, one line
  Changes changes;   // shared and local locations that got another value
  std::string note;  // e.g. "spurious wake-up", "goes wrong here"; may be empty
  // Only if Settings::keeps_evidence:
  std::string preempted = {};  // who could have gone on, and did not
  Situation after = {};
  std::string drawing = {};            // the configuration that it leads to, as DOT; empty: none is kept
  std::vector<std::string> lost = {};  // predicates that are unknown somewhere there, and were not before
};

// Of a deadlock: where a thread waits. One that could go on in several ways has several of them.
struct StuckThread {
  std::string thread;
  std::string text;    // the operation, as in TraceStep
  std::string detail;  // " for m, which t2 holds"; may be empty
  base::SourceRange location;
};

struct Trace {
  Changes initial;                   // what the initial state chose or fixed
  std::vector<std::string> threads;  // columns, in order of creation
  std::vector<TraceStep> steps;
  std::vector<StuckThread> ending;
  Situation before = {};     // the first step; only if Settings::keeps_evidence
  std::string drawing = {};  // the configuration that it begins in
  bool empty() const { return steps.empty() && initial.empty(); }
};

// Values for which a proof of one step fails: what any other threads may have left, and what the step makes of it.
struct Counterexample {
  Changes before;
  Changes after;
  bool empty() const { return before.empty() && after.empty(); }
};

// What a solver was asked, and what came of it.
struct Question {
  enum class Status { kProved, kFailed, kUnknown };
  std::string part;                     // the procedure or thread whose check it belongs to
  std::vector<std::string> properties;  // the ids that it counts for
  base::SourceRange at;
  std::string may_fail;  // what is wrong if it cannot be proved
  Status status = Status::kProved;
  std::string solver;
  double time_ms = 0;
  std::vector<std::string> core;  // the ids of the clauses that the proof is known to need
};

// An abstract thread, for drawing it.
struct StateMachine {
  struct Node {
    std::string name;
    std::string assertion;  // empty: none
    bool is_initial = false;
    base::SourceRange at;
  };
  struct Edge {
    int from = 0;
    int to = 0;
    std::string text;
    base::SourceRange at;
  };
  std::string name;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
};

// A configuration of the shape engine, as DOT.
struct Drawing {
  std::string title;
  std::string dot;
};

struct Related {
  base::SourceRange location;
  std::string message;
};

}  // namespace concord::engine
