// TVLA's files pass through a preprocessor like C's before they are read: #include "f", #define, #ifdef, #ifndef, #if, #else, #elseif
// (which acts as #else, as in TVLA) and #endif. Other directives are errors.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "diag/diagnostic.h"
#include "engine/shape/tvla/text.h"

namespace concord::engine::shape::tvla {

// The text of a file, or nothing if it cannot be read.
using FileReader = std::function<std::optional<std::string>(const std::string& path)>;

// The file and what it includes, looked up in its own folder and in that of the including file. A definition is NAME (which is then 1) or
// NAME=text.
Text preprocess(base::SourceMap& sources, const std::string& path, const FileReader& files,
                const std::vector<std::string>& definitions, diag::Sink& sink);

}  // namespace concord::engine::shape::tvla
