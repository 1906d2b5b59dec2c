#include "tool/version.h"

#include <fmt/format.h>

#include "frontend/java/jdk.h"
#include "smt/solver.h"

namespace concord::tool {

namespace {

std::string jdk_version() {
  const frontend::java::JdkSearch search = frontend::java::find_jdk();
  if (!search.found) return "not found";
  return search.found->version.empty() ? "of unknown version" : search.found->version;
}

}  // namespace

std::string version_text(std::string_view version) {
  return fmt::format("concord {}\n{}JDK {}\n", version, smt::versions(), jdk_version());
}

}  // namespace concord::tool
