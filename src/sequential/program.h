// Sequential programs: what a proof engine makes of one thread in its environment. Blocks of assignments, assumptions and
// assertions over variables, with loops cut at heads that carry invariants.
//
// A variable is a constant of the Pool (Op::kConst) listed in Program::variables; every other constant is rigid. Commands
// read the current values of the variables. If no assertion can fail, the program is correct.
#pragma once

#include <optional>
#include <string>
#include <unordered_set>
#include <vector>

#include "formula/term.h"

namespace concord::sequential {

using formula::Term;

struct Command {
  enum class Kind {
    kAssign,  // variable := term
    kHavoc,   // variable gets any value
    kChange,  // the same; others do it, who do not know of this thread
    kAssume,  // `tag` is the premise that justifies it, or -1: the program itself
    kAssert,  // `tag` is the obligation; afterwards it is assumed, which counts as the premise `premise`
    kProbe,   // can this point be reached? `tag` is the caller's number for the question
  };
  Kind kind = Kind::kAssume;
  Term variable = nullptr;
  Term term = nullptr;
  int tag = -1;
  int premise = -1;
  bool is_aside = false;  // kAssume: not what its variables are kept for
};

// What holds whenever control is at the head of the loop.
struct Invariant {
  Term term = nullptr;
  int obligation =
      -1;            // given by the user: proved on every way to the head; -1: a candidate, kept only if it is proved
  int premise = -1;  // what the assumption of a given invariant counts as
  Term about = nullptr;  // a candidate about this variable is of no use where that is not read any more
  // If not empty: a candidate that does not hold at one landmark holds at the next only if one of these is changed, by other
  // than kChange, in between.
  std::vector<Term> over = {};
};

struct Block {
  std::vector<Command> commands;
  std::vector<int> successors;
  bool is_loop_head = false;
  bool is_landmark = false;  // a loop head, or one without a loop, whose invariants may be all that is known there
  std::vector<Invariant> invariants;  // of a loop head
};

struct Program {
  std::vector<Block> blocks;  // block 0 is the entry; a block without successors ends the run
  std::vector<Term> variables;
  std::unordered_set<Term> fleeting;  // variables of which nobody wants to know what they were once
  std::vector<Term> axioms;           // about rigid constants and functions
  int obligations = 0;                // tags of assertions are 0 … obligations - 1
  int premises = 0;                   // tags of assumptions are 0 … premises - 1
  // What to tell about an obligation that fails: values of these terms at its assertion.
  std::vector<std::vector<Term>> shown;
};

}  // namespace concord::sequential
