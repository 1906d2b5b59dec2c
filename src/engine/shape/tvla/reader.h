// Reads the files of TVLA: models (.tvp without threads, .tvm with threads) and the structures that runs begin with (.tvs).
//
// Sets, `foreach` and the parameters of actions are expanded. What we cannot do is an error that names it; nothing that could change an
// answer is passed over. Only lists of what TVLA is to print or draw are.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "diag/diagnostic.h"
#include "engine/shape/system.h"
#include "engine/shape/tvla/preprocess.h"

namespace concord::engine::shape::tvla {

// Nothing if there are errors, which are in the sink then.
std::optional<System> read_model(base::SourceMap& sources, const std::string& path, const FileReader& files,
                                 const std::vector<std::string>& definitions, diag::Sink& sink);

// Structures for this system; none if there are errors.
std::vector<Given> read_structures(base::SourceMap& sources, const std::string& path, const FileReader& files,
                                   const std::vector<std::string>& definitions, const System& system, diag::Sink& sink);

}  // namespace concord::engine::shape::tvla
