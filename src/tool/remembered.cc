#include "tool/remembered.h"

#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "cache/identity.h"
#include "check/remembered.h"
#include "frontend/java/export.h"

namespace concord::tool {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kStubs = "specs/";

// Without what only the report depends on; of a page to look at, that there is to be one.
std::vector<std::string> asked(const std::vector<std::string>& arguments) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& it = arguments[i];
    if (it == "--report" || it.starts_with("--report=")) {
      out.emplace_back("--report");
      if (it == "--report") ++i;
    } else if (it == "--format" || it == "--color") {
      ++i;
    } else if (it != "-q" && it != "-v" && !it.starts_with("--format=") && !it.starts_with("--color=")) {
      out.push_back(it);
    }
  }
  return out;
}

// What the Java compiler will read. None: it cannot be told.
std::optional<std::string> java_key(const JavaInput& java, base::SourceMap& sources) {
  frontend::java::ExportOptions options;
  options.class_path = java.class_path;
  options.source_path = java.source_path;
  std::vector<std::uint32_t> files;
  for (std::uint32_t file = 0; file < sources.file_count(); ++file) files.push_back(file);
  return frontend::java::export_key(sources, files, options);
}

// Where a file is that is not among those given.
fs::path place_of(const std::string& shown) {
  if (!shown.starts_with(kStubs)) return shown;
  return frontend::java::ExportOptions::default_stubs() / shown.substr(kStubs.size());
}

std::optional<std::string> content(const fs::path& path) {
  base::SourceMap one;
  std::string errors;
  read_file(path, one, errors);
  if (!errors.empty()) return {};
  return std::string(one.file(0).text());
}

}  // namespace

std::unique_ptr<cache::Store> open_store(const Options& options) {
  const engine::Settings& settings = options.check.settings;
  if (!settings.dump_smt.empty()) return nullptr;
  const fs::path file = options.use_cache ? cache::Store::default_file() : fs::path();
  return std::make_unique<cache::Store>(file, cache::program_identity());
}

RememberedRun::RememberedRun(cache::Store* store, const Options& options, const Texts& texts)
    : store_(store), given_(texts.sources) {
  // Of cvc5 nobody knows what it is made of.
  if (store == nullptr || !texts.errors.empty() || options.check.settings.solver != engine::SolverChoice::kZ3) return;
  base::Sha256 hash = store->begin_key("run");
  for (const std::string& it : asked(options.arguments)) hash.add_part(it);
  hash.add_part(texts.is_java ? "java" : "plato");
  if (texts.is_java) {
    const std::optional<std::string> java = java_key(options.java, given_);
    if (!java) return;
    hash.add_part(*java);
  }
  if (texts.is_java || options.suggests) {  // paths may be relative, and those in a patch are
    std::error_code error;
    hash.add_part(fs::current_path(error).string());
    if (error) return;
  }
  for (std::uint32_t file = 0; file < given_.file_count(); ++file) {
    hash.add_part(given_.file(file).path());
    hash.add_part(given_.file(file).text());
  }
  key_ = hash.hex();
}

std::optional<RememberedAnswer> RememberedRun::take() const {
  if (key_.empty()) return {};
  const std::optional<cache::Store::Entry> found = store_->load(key_);
  if (!found) return {};
  std::istringstream in(found->value);
  RememberedAnswer out;
  out.sources = given_;
  for (std::string hash, path; std::getline(in, hash) && !hash.empty() && std::getline(in, path);) {
    std::optional<std::string> text = content(place_of(path));
    if (!text || base::sha256(*text) != hash) return {};
    out.sources.add(path, std::move(*text));
  }
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  std::optional<check::CheckResult> result = check::from_bytes(bytes);
  if (!result) return {};
  out.result = std::move(*result);
  return out;
}

void RememberedRun::keep(const check::CheckResult& result, const base::SourceMap& sources) const {
  if (key_.empty() || !check::may_be_kept(result)) return;
  std::string out;
  for (std::uint32_t file = 0; file < sources.file_count(); ++file) {
    const base::SourceFile& it = sources.file(file);
    const bool is_given = file < given_.file_count();
    // The Java compiler has read them for itself: what it has read is what is there now and was there before.
    const std::optional<std::string> now = content(is_given ? fs::path(it.path()) : place_of(it.path()));
    if (!now || *now != it.text() || it.path().find('\n') != std::string::npos) return;
    if (!is_given) out += base::sha256(it.text()) + "\n" + it.path() + "\n";
  }
  store_->store(key_, out + "\n" + check::to_bytes(result));
}

}  // namespace concord::tool
