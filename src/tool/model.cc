#include "tool/model.h"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <optional>

#include "check/model.h"
#include "diag/diagnostic.h"
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

ModelAnswer verify_model(const Options& options, engine::Control& control) {
  ModelAnswer out;
  std::vector<std::string> models, structures;
  for (const std::string& it : options.files) {
    const bool is_structures = has_extension(it, ".tvs");
    if (!is_structures && !has_extension(it, ".tvp") && !has_extension(it, ".tvm")) {
      out.errors = fmt::format("concord: {} cannot be checked together with a model of TVLA's\n", it);
      return out;
    }
    (is_structures ? structures : models).push_back(it);
  }
  if (models.size() != 1 || structures.empty()) {
    out.errors = "concord: a model is one .tvp or .tvm file, and a .tvs file with the structures that it begins with\n";
    return out;
  }
  diag::Sink sink;
  const auto system = engine::shape::tvla::read_model(out.sources, models.front(), text_of, options.definitions, sink);
  std::vector<Given> given;
  for (std::size_t i = 0; system && i < structures.size(); ++i) {
    for (Given& it :
         engine::shape::tvla::read_structures(out.sources, structures[i], text_of, options.definitions, *system, sink))
      given.push_back(std::move(it));
  }
  for (const diag::Diagnostic& it : sink.errors()) out.errors += diag::render(out.sources, it);
  if (sink.has_errors()) {
    out.errors += fmt::format("{} error{}\n", sink.errors().size(), sink.errors().size() == 1 ? "" : "s");
    return out;
  }
  out.result = check::check_model(out.sources, *system, given, options.join, options.check.engine, control);
  return out;
}

}  // namespace concord::tool
