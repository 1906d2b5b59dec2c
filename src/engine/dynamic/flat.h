// Programs with objects and arrays, as programs without.
//
// The calculus is about variables. A program whose objects are known one by one is about variables too: a field of an object that was
// there before the threads began is a variable, its monitor another one, and the elements of an array are a map, provided that every
// reference in the code can mean only that one (targets.h). An array that grows is the value of the field that has it: the code
// makes a longer one, fills it, and stores it there; so the field is a map and a length (flat_code.h). What the initialisers leave
// behind is the first state (heap.h). The operations are those of the program, or several of them that touch nothing that others may have to do
// with, so what holds of all runs of one program holds of those of the other.
//
// Where this is not so the answer is unknown, and names what cannot be followed.
#pragma once

#include <string>
#include <vector>

#include "engine/dynamic/code.h"
#include "engine/engine.h"

namespace concord::engine::dynamic {

// An assertion that stands where something is not followed: it must never fail.
struct Limit {
  base::SourceRange at;
  std::string what;
};

// An array in a variable that changes: its length and its elements must be touched only under one lock.
struct Growing {
  std::string length, elements;
  base::SourceRange at;
};

// A variable that stands for (part of) what is declared there.
struct Shared {
  base::SourceRange declared;  // the name; of elements of an array all that have it, and where it was made
  std::string variable;
  bool is_volatile = false;
  bool is_left_out = false;  // code reads it where no operation says so
};

struct Flat {
  plato::Program program;
  std::vector<Shared> shared;
  std::vector<base::SourceRange> not_followed;  // declarations about whose accesses nothing is known
  std::vector<Limit> limits;
  std::vector<Growing> growing;
};

// It has anything that the calculus is not about.
bool has_objects(const plato::Program& program);
// Throws Refusal.
Flat flatten(const Task& task, Control& control);

}  // namespace concord::engine::dynamic
