// What a person might write of a program, guessed from its declarations: who may access a field or variable when, what is never
// null, which numbers have which signs and order, what only grows, what is set once, and all that as long as a lock is free.
//
// Nothing here needs to be true: infer.h finds out which of them are. A candidate is a line of the source language, so what is
// left at the end can be shown to the user, and read again as if it were his own.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/edits.h"
#include "base/source.h"
#include "plato/syntax.h"

namespace concord::infer {

struct Candidate {
  std::string clause;                   // "global_invariant 0 <= count;"
  base::Insertion insertion;            // with the marks of a comment, as a line of its own
  int scope = -1;                       // the class it is in; -1: none
  std::vector<std::string> implied_by;  // clauses of the same scope beside which it says nothing new
};

struct Subject {
  const base::SourceMap* sources = nullptr;
  const plato::Program* program = nullptr;  // well-formed
  bool is_java = false;
  std::map<std::string, std::string> spelled;  // Java: names that are spelled otherwise
  std::set<std::uint32_t> library_files;       // Java: stubs
};

// In the order of their places.
std::vector<Candidate> candidates(const Subject& subject);

// That others leave a field or variable alone, which is seldom so, and tells what matters where a proof fails.
struct Frame {
  Candidate candidate;
  const plato::Variable* variable = nullptr;
};
std::vector<Frame> frames(const Subject& subject);

}  // namespace concord::infer
