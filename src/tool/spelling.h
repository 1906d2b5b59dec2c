// Answers in the user's words: names that a front end gave become those of the source again.
#pragma once

#include <map>
#include <string>

#include "check/check.h"

namespace concord::tool {

// The text with every word that is in `spelled` replaced.
std::string in_users_words(const std::string& text, const std::map<std::string, std::string>& spelled);
// In messages, reasons and runs. Names of parts stay: --only asks for them.
void spell(check::CheckResult& result, const std::map<std::string, std::string>& spelled);

}  // namespace concord::tool
