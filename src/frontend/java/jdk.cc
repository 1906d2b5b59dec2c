#include "frontend/java/jdk.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

namespace concord::frontend::java {

namespace fs = std::filesystem;

namespace {

std::vector<fs::path> candidates() {
  std::vector<fs::path> found;
  if (const char* home = std::getenv("JAVA_HOME"); home != nullptr && *home != '\0') {
    found.push_back(fs::path(home) / "bin" / "java");
  }
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    found.push_back(fs::path(folder.empty() ? "." : folder) / "java");
  }
  return found;
}

// The value of NAME="…" in a file `release`, or "".
std::string value_of(const std::string& release, const std::string& name) {
  const std::string start = name + "=\"";
  const std::size_t begin = release.starts_with(start) ? 0 : release.find("\n" + start);
  if (begin == std::string::npos) return "";
  const std::size_t value = release.find('"', begin) + 1;
  return release.substr(value, release.find('"', value) - value);
}

// What is wrong with it, or "". Where the JDK does not say, running it will tell.
std::string problem_of(const fs::path& java, const std::string& release) {
  const std::string version = value_of(release, "JAVA_VERSION");
  if (!version.empty() && std::atoi(version.c_str()) < kOldestJava) {
    return fmt::format("{} is Java {}", java.string(), version);
  }
  const std::string modules = " " + value_of(release, "MODULES") + " ";
  if (modules != "  " && modules.find(" jdk.compiler ") == std::string::npos) {
    return fmt::format("{} has no compiler (module jdk.compiler)", java.string());
  }
  return "";
}

std::string read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}

}  // namespace

std::string how_to_install() {
  return fmt::format("install a JDK, {} or later (Debian: apt-get install openjdk-17-jdk-headless)", kOldestJava);
}

JdkSearch find_jdk() {
  JdkSearch search;
  for (const fs::path& candidate : candidates()) {
    if (access(candidate.c_str(), X_OK) != 0 || fs::is_directory(candidate)) continue;
    std::error_code error;
    const fs::path java = fs::canonical(candidate, error);
    if (error) continue;
    const std::string release = read(java.parent_path().parent_path() / "release");
    const std::string problem = problem_of(candidate, release);
    if (problem.empty()) {
      search.found = Jdk{java, release, value_of(release, "JAVA_VERSION")};
      return search;
    }
    if (search.problem.empty()) search.problem = problem;
  }
  search.problem = fmt::format("reading Java needs the compiler of a JDK, and {}; {}",
                               search.problem.empty() ? "there is no java in $JAVA_HOME or $PATH" : search.problem,
                               how_to_install());
  return search;
}

}  // namespace concord::frontend::java
