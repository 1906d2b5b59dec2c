// Threads that are started, as if they had been there from the beginning.
//
// What abstract threads may do together does not depend on when they begin: one that has not been started is one that has not
// moved yet. So a program that starts threads is followed by one that declares them, as many as may ever be started, and in
// which nobody does anything but these, once everything is initialised. The other threads, which have no abstract thread, must
// then not change what abstract threads and invariants speak of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "plato/syntax.h"

namespace concord::plato {

// The procedures at which threads without an abstract thread are entered, declared or started ones.
std::vector<int> concrete_entries(const Program& program);

// At most so many threads are ever started at the procedure; nothing: that is not known.
std::optional<std::int64_t> most_started(const Program& program, int procedure);

struct DeclaredThreads {
  Program program;      // threads without an abstract thread do nothing, but initialise
  std::string trouble;  // why it says nothing about the other one; empty: it does
  SourceRange at;
};

// Of a program whose specification says nothing about steps (bare.h).
DeclaredThreads declared_threads(const Program& program);

}  // namespace concord::plato
