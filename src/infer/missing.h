// What is missing where a proof fails: what else, if it were so, would let it go through. First a single precondition of the procedure;
// it would narrow who may call it, so it is for the user to say. Then, of what may well be true and is not proved, as few clauses as
// are enough. Then what others would have to leave alone, and which of their steps do not.
//
// Nothing of that is used, it is only told.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"
#include "infer/infer.h"

namespace concord::infer {

// "Program.java:7:9: array-bounds would be proved with `requires 0 <= index;` of the procedure at Program.java:5"
std::vector<std::string> missing(const Subject& subject, const std::vector<Candidate>& found,
                                 const std::vector<Candidate>& plausible,
                                 const std::vector<engine::PropertyResult>& results, const Read& read,
                                 engine::Control& control);

}  // namespace concord::infer
