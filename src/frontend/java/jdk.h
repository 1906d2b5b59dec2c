// The JDK that runs the exporter: any from 17 on that has the compiler. It is looked at, not run: starting a virtual machine to
// ask for its version would cost more than everything else that happens when the export is cached.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace concord::frontend::java {

struct Jdk {
  std::filesystem::path java;  // the program, links followed
  std::string release;         // what tells this JDK from others: its file `release`
  std::string version;         // as it says there, or empty
};

struct JdkSearch {
  std::optional<Jdk> found;
  std::string problem;  // if none was found: why, and what to install
};

// First $JAVA_HOME, then the folders of $PATH; those that are too old or have no compiler are passed over.
JdkSearch find_jdk();

inline constexpr int kOldestJava = 17;

// "…; install …"
std::string how_to_install();

}  // namespace concord::frontend::java
