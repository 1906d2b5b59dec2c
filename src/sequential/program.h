// Sequential programs: what a proof engine makes of one thread in its environment. Blocks of assignments, assumptions and
// assertions over variables, with loops cut at heads that carry invariants.
//
// A variable is a constant of the Pool (Op::kConst) listed in Program::variables; every other constant is rigid. Commands
// read the current values of the variables. If no assertion can fail, the program is correct.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "formula/term.h"

namespace concord::sequential {

using formula::Term;

struct Command {
  enum class Kind {
    kAssign,  // variable := term
    kHavoc,   // variable gets any value
    kAssume,  // `tag` is the premise that justifies it, or -1: the program itself
    kAssert,  // `tag` is the obligation; afterwards it is assumed, which counts as the premise `premise`
    kProbe,   // can this point be reached? `tag` is the caller's number for the question
  };
  Kind kind = Kind::kAssume;
  Term variable = nullptr;
  Term term = nullptr;
  int tag = -1;
  int premise = -1;
};

// What holds whenever control is at the head of the loop.
struct Invariant {
  Term term = nullptr;
  int obligation =
      -1;            // given by the user: proved on every way to the head; -1: a candidate, kept only if it is proved
  int premise = -1;  // what the assumption of a given invariant counts as
};

struct Block {
  std::vector<Command> commands;
  std::vector<int> successors;
  bool is_loop_head = false;
  std::vector<Invariant> invariants;  // of a loop head
};

struct Program {
  std::vector<Block> blocks;  // block 0 is the entry; a block without successors ends the run
  std::vector<Term> variables;
  std::vector<Term> axioms;  // about rigid constants and functions
  int obligations = 0;       // tags of assertions are 0 … obligations - 1
  int premises = 0;          // tags of assumptions are 0 … premises - 1
  // What to tell about an obligation that fails: values of these terms at its assertion.
  std::vector<std::vector<Term>> shown;
};

}  // namespace concord::sequential
