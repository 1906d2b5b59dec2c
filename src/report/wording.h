// The words that the text report and the JSON report share.
#pragma once

#include <string>

#include "engine/engine.h"

namespace concord::report {

// What happened to the property, with the reason if there is one: "the assertion can fail", "time limit of 5 s
// reached".
std::string message(const engine::PropertyResult& result);

}  // namespace concord::report
