// Reads what the exporter wrote (docs/java-export.md) into a Unit.
//
// The exporter is ours, so text that is not as documented is a defect of ours: CONCORD_CHECK, wherever it is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/edits.h"
#include "frontend/java/tree.h"

namespace concord::frontend::java {

struct ImportError {
  std::optional<SourceRange> range;  // none: about no place in particular
  std::string message;
};

struct Import {
  std::vector<ImportError> errors;  // the compiler's; if there are any, the unit is empty
  Unit unit;
};

// Called once for each file that the export lists, in order: its path and how many bytes of it the compiler read. Returns its
// index in the SourceMap, by which ranges refer to it.
using FileOf = std::function<std::uint32_t(std::size_t number, const std::string& path, std::size_t size)>;

// Changed whenever older exports cannot be read any more.
inline constexpr int kExportFormat = 1;
// The deepest tree that the exporter writes; the importer relies on it for its stack.
inline constexpr int kMostNesting = 1000;

// Places are where the text is after the edits.
Import import_json(std::string_view json, const FileOf& file_of, const base::Edits& edits = {});

}  // namespace concord::frontend::java
