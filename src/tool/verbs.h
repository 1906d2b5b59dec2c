// One function per verb: does the job, prints, and gives the exit status.
#pragma once

#include <string>
#include <string_view>

#include "tool/options.h"

namespace concord::tool {

int verify(const Options& options, std::string_view version);  // explore too
int show(const Options& options);
int replay_proof(const Options& options);
int explain(const Options& options);

// Prose for stdout: on a terminal it fits the width, and has only characters that the locale has.
std::string as_shown(const std::string& prose);

// Prints on stdout; `status`, unless the text cannot be written.
int print(const std::string& text, int status);

// What a user is asked to report about a defect of concord itself.
std::string defect_report(const std::string& what, std::string_view version);

}  // namespace concord::tool
