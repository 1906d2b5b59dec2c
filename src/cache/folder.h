// Where what can be made again is kept: $XDG_CACHE_HOME/concord, or ~/.cache/concord.
#pragma once

#include <filesystem>

namespace concord::cache {

// Empty: there is no home. It need not exist yet.
std::filesystem::path folder();

}  // namespace concord::cache
