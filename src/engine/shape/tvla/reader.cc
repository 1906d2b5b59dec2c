#include "engine/shape/tvla/reader.h"

#include "engine/shape/tvla/lexer.h"
#include "engine/shape/tvla/parser.h"
#include "engine/shape/tvla/resolver.h"
#include "engine/shape/tvla/structures.h"

namespace concord::engine::shape::tvla {

std::optional<System> read_model(base::SourceMap& sources, const std::string& path, const FileReader& files,
                                 const std::vector<std::string>& definitions, diag::Sink& sink) {
  const bool has_threads = path.ends_with(".tvm");
  if (!has_threads && !path.ends_with(".tvp")) {
    sink.error({sources.add(path, ""), 0, 0}, "models are files that end in .tvp or .tvm");
    return std::nullopt;
  }
  const std::size_t errors = sink.errors().size();
  if (sink.is_full()) return std::nullopt;
  const Text text = preprocess(sources, path, files, definitions, sink);
  if (sink.errors().size() > errors) return std::nullopt;
  const Model model = Parser(lex(text, sink), has_threads, sink).model();
  if (sink.errors().size() > errors) return std::nullopt;
  System out = Resolver(model, sink).system();
  if (sink.errors().size() > errors) return std::nullopt;
  return out;
}

std::vector<Given> read_structures(base::SourceMap& sources, const std::string& path, const FileReader& files,
                                   const std::vector<std::string>& definitions, const System& system,
                                   diag::Sink& sink) {
  const std::size_t errors = sink.errors().size();
  if (sink.is_full()) return {};
  const Text text = preprocess(sources, path, files, definitions, sink);
  if (sink.errors().size() > errors) return {};
  std::vector<Given> out = StructureParser(lex(text, sink), system, sink).structures();
  if (sink.errors().size() > errors) return {};
  return out;
}

}  // namespace concord::engine::shape::tvla
