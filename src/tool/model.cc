#include "tool/model.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "check/model.h"
#include "diag/diagnostic.h"
#include "engine/shape/model.h"
#include "engine/shape/tvla/reader.h"

namespace concord::tool {

namespace {

using engine::shape::Given;

bool has_extension(const std::string& file, const char* extension) {
  return std::filesystem::path(file).extension() == extension;
}

std::optional<std::string> text_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file || std::filesystem::is_directory(path)) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

}  // namespace

bool is_model(const std::vector<std::string>& files) {
  for (const std::string& it : files) {
    if (has_extension(it, ".tvp") || has_extension(it, ".tvm") || has_extension(it, ".tvs")) return true;
  }
  return false;
}

namespace {

struct Read {
  std::optional<engine::shape::System> system;
  std::vector<Given> given;
  std::vector<diag::Diagnostic> diagnostics;
};

Read read(const Options& options, base::SourceMap& sources, std::string& errors) {
  Read out;
  std::vector<std::string> models, structures;
  for (const std::string& it : options.files) {
    const bool is_structures = has_extension(it, ".tvs");
    if (!is_structures && !has_extension(it, ".tvp") && !has_extension(it, ".tvm")) {
      errors = fmt::format("concord: {} cannot be checked together with a model of TVLA's\n", it);
      return out;
    }
    (is_structures ? structures : models).push_back(it);
  }
  if (models.size() != 1 || structures.empty()) {
    errors = "concord: a model is one .tvp or .tvm file, and a .tvs file with the structures that it begins with\n";
    return out;
  }
  diag::Sink sink;
  out.system = engine::shape::tvla::read_model(sources, models.front(), text_of, options.definitions, sink);
  for (std::size_t i = 0; out.system && i < structures.size(); ++i) {
    for (Given& it :
         engine::shape::tvla::read_structures(sources, structures[i], text_of, options.definitions, *out.system, sink))
      out.given.push_back(std::move(it));
  }
  out.diagnostics = sink.errors();
  for (const diag::Diagnostic& it : out.diagnostics) errors += diag::render(sources, it);
  if (sink.has_errors())
    errors += fmt::format("{} error{}\n", sink.errors().size(), sink.errors().size() == 1 ? "" : "s");
  return out;
}

}  // namespace

ModelAnswer verify_model(const Options& options, engine::Control& control) {
  ModelAnswer out;
  Read model = read(options, out.sources, out.errors);
  out.diagnostics = std::move(model.diagnostics);
  if (!out.errors.empty()) return out;
  out.result = check::check_model(out.sources, *model.system, model.given, options.join, options.check.engine,
                                  options.check.settings.keeps_evidence, control);
  return out;
}

ModelDrawing draw_model(const Options& options, engine::Control& control) {
  ModelDrawing out;
  base::SourceMap sources;
  const Read model = read(options, sources, out.errors);
  if (!out.errors.empty()) return out;
  engine::shape::Drawings drawn = engine::shape::draw_model(*model.system, model.given, options.join, control);
  out.text = std::move(drawn.text);
  if (!drawn.why_not.empty()) out.why_not = "concord: " + drawn.why_not + "\n";
  return out;
}

}  // namespace concord::tool
