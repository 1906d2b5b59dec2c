// Abstract threads that are found: each thread is given the machine that its code is (machine.h), and the threads engine says whether
// the threads conform and what the machines prove together, for every number of them. Then machines are made smaller, as long as no
// less is proved.
#pragma once

#include <string>
#include <vector>

#include "base/edits.h"
#include "engine/engine.h"
#include "infer/infer.h"
#include "infer/machine.h"

namespace concord::infer {

// A machine for some threads, and the places in the source where that is said.
struct Proposal {
  std::string name;
  Machine machine;
  base::Insertion declaration;           // its text says how it is indented
  std::vector<base::Insertion> clauses;  // `abstracted by NAME`, of each thread
};

// For all threads without an abstract thread whose steps can be followed.
std::vector<Proposal> propose(const Subject& subject);

base::Edits edits(const Subject& subject, const std::vector<Proposal>& proposals);
// As they are told: "abstract thread Unload (6 nodes, 7 edges)".
std::vector<Candidate> told(const std::vector<Proposal>& proposals);

// Those that can be read, if the threads engine proves more of what is `open` with them than without; else none.
std::vector<Proposal> conforming(const Subject& subject, std::vector<Proposal> proposals, const Places& open,
                                 const Read& read, engine::Control& control);
// Smaller ones with which as much is proved.
std::vector<Proposal> coarsened(const Subject& subject, std::vector<Proposal> proposals, const Read& read,
                                engine::Control& control);

}  // namespace concord::infer
