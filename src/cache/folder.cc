#include "cache/folder.h"

#include <cstdlib>

namespace concord::cache {

namespace fs = std::filesystem;

fs::path folder() {
  // A relative XDG_CACHE_HOME is to be ignored, says the specification of base directories.
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
    return fs::path(cache) / "concord";
  }
  const char* home = std::getenv("HOME");
  return home == nullptr || *home != '/' ? fs::path() : fs::path(home) / ".cache" / "concord";
}

}  // namespace concord::cache
