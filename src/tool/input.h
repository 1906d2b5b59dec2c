// From the names on the command line to a well-formed program.
#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/edits.h"
#include "base/source.h"
#include "diag/diagnostic.h"
#include "engine/engine.h"
#include "plato/syntax.h"

namespace concord::tool {

struct Input {
  base::SourceMap sources;
  plato::Program program;                     // well-formed if `errors` is empty
  std::string errors;                         // for stderr: what is unreadable or malformed
  std::vector<diag::Diagnostic> diagnostics;  // of `errors`, what has a place in the sources
  int status = 0;                             // with `errors`: how to leave
  bool is_java = false;
  std::vector<std::string> assumptions;        // of the front end
  std::set<std::string> names;                 // of the user's own variables
  std::map<std::string, std::string> spelled;  // names that are spelled otherwise in the source
  std::set<std::uint32_t> library_files;       // stubs
};

// What Java sources need besides their names.
struct JavaInput {
  std::string class_path;
  std::string source_path;
  std::string main_class;
  bool client = false;
  bool unbounded_ints = false;
  bool use_cache = true;
};

// The sources as text.
struct Texts {
  base::SourceMap sources;
  bool is_java = false;
  std::string errors;  // for stderr: what is unreadable
};

// A folder stands for all sources below it, in the order of their names. A file named twice is read once. The sources are
// all Plato or all Java.
Texts read_texts(const std::vector<std::string>& names);
// With `edits` as if they had been made; the sources are then as edited.
Input load(Texts texts, const JavaInput& java, const engine::Control& control, const base::Edits& edits = {});
// A text file, appended to the sources; says in `errors` if that is not possible.
void read_file(const std::filesystem::path& path, base::SourceMap& sources, std::string& errors);

}  // namespace concord::tool
