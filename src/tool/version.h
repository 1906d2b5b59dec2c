// What `concord --version` prints.
#pragma once

#include <string>
#include <string_view>

namespace concord::tool {

// The first line is `concord VERSION`, which scripts read; the others tell what answers may depend on: the solvers and the JDK.
std::string version_text(std::string_view version);

}  // namespace concord::tool
