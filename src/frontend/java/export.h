// Java sources as a Unit: finds a JDK, runs the exporter on it, or takes what an earlier run left in the cache.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/edits.h"
#include "base/source.h"
#include "diag/diagnostic.h"
#include "frontend/java/tree.h"

namespace concord::frontend::java {

struct ExportOptions {
  std::string class_path;   // as javac's; empty: none
  std::string source_path;  // where classes that the files refer to may be found as source; empty: nowhere
  std::filesystem::path stubs = default_stubs();  // sources that stand for library classes; empty: none
  bool use_cache = true;
  // Annotations put into the sources, as `//@ …` on lines of their own: what is exported is what was there before, and the unit is
  // told as if they were there.
  base::Edits edits = {};
  std::optional<std::chrono::steady_clock::time_point> deadline;
  std::uint64_t memory_bytes = 0;        // of the compiler's heap; 0: what the virtual machine takes by itself
  std::function<bool()> is_interrupted;  // asked every few milliseconds; may be empty

  // The folder that comes with the program; empty if it is not there.
  static std::filesystem::path default_stubs();
};

enum class ExportStatus {
  kDone,
  kRejected,  // the compiler's errors, or ours, are in the sink
  kMissing,   // no JDK: `message` says what to install
  kTime,      // the deadline has passed
  kMemory,    // the compiler has not enough
  kInterrupted,
};

struct Exported {
  ExportStatus status = ExportStatus::kDone;
  Unit unit;            // kDone
  std::string message;  // kMissing
  bool is_cached = false;
};

// A name for everything that the export depends on; none if it is not to be kept.
std::optional<std::string> export_key(base::SourceMap& sources, const std::vector<std::uint32_t>& files,
                                      const ExportOptions& options);

// `files`: which of the sources to read; they are on disk under their paths. Files that the compiler or the stubs add are
// appended to `sources`. A compiler that fails in a way that no program should cause is an InternalError.
Exported export_java(base::SourceMap& sources, const std::vector<std::uint32_t>& files, const ExportOptions& options,
                     diag::Sink& sink);

}  // namespace concord::frontend::java
