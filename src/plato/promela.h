// A program as Promela, for SPIN: the same steps, so that without reductions SPIN visits the same states.
//
// Each thread is a process, calls are inlined, and each operation is one `atomic`. Nodes of the control flow are labels, so that
// where a process is says as much as where a thread is; what a call leaves behind is reset when it returns. A thread that has
// finished stays at `end_done`, since a process that ends and disappears would make further states. Data are what Promela has:
// booleans, integers of 32 bits, enumerations, threads (their numbers), and maps from the finite ones of these. What is not,
// is named in `sink`: recursion, heaps, sets, monitors, `start`, predicates that do not say what the new values are.
// Invariants are asserted after each step; other clauses are left out.
#pragma once

#include <cstdint>
#include <string>

#include "diag/diagnostic.h"
#include "plato/syntax.h"

namespace concord::plato {

// `thread_count` is the value of symbolic and unbounded thread counts.
std::string print_promela(const Program& program, std::int64_t thread_count, diag::Sink& sink);

}  // namespace concord::plato
