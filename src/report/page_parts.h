// What the build makes of page/: the file that defines these is generated (scripts/page). All empty: there was no npm to bundle it.
#pragma once

#include <string_view>

namespace concord::report {

extern const std::string_view kPageScript;
extern const std::string_view kPageStyle;
extern const std::string_view kGraphScript;  // draws graphs; only pages that have some need it

}  // namespace concord::report
