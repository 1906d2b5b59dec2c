// What is missing where a proof fails: a single precondition of the procedure with which it would go through. That would narrow who
// may call it, so it is for the user to say; here it is only told.
#pragma once

#include <string>
#include <vector>

#include "engine/engine.h"
#include "infer/infer.h"

namespace concord::infer {

// "Program.java:7:9: array-bounds would be proved with `requires 0 <= index;` of the procedure at Program.java:5"
std::vector<std::string> missing(const Subject& subject, const std::vector<Candidate>& found,
                                 const std::vector<engine::PropertyResult>& results, const Read& read,
                                 engine::Control& control);

}  // namespace concord::infer
