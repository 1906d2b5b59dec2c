// The abstract program (Lahiri, Malkis and Qadeer, Abstract Threads, section 2): each thread replaced by its abstract thread.
//
// A machine becomes a procedure with a variable that says at which node it is: again and again it takes one of the edges that
// leave this node, or looks whether the node's assertion holds. Threads without an abstract thread stay as they are.
#pragma once

#include <string>

#include "plato/syntax.h"

namespace concord::plato {

struct AbstractProgram {
  Program program;
  // Why some abstract thread has no such procedure, and where; empty: all have.
  std::string trouble;
  SourceRange at;
};

// Of a program whose specification says nothing about steps (bare.h).
AbstractProgram abstract_program(const Program& program);

}  // namespace concord::plato
