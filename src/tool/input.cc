#include "tool/input.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "diag/diagnostic.h"
#include "frontend/java/dispatch.h"
#include "frontend/java/export.h"
#include "frontend/java/java.h"
#include "plato/reader.h"
#include "plato/wellformed.h"
#include "tool/status.h"

namespace concord::tool {

namespace fs = std::filesystem;

namespace {

constexpr const char* kPlato = ".plato";
constexpr const char* kJava = ".java";

bool is_source(const fs::path& path) { return path.extension() == kPlato || path.extension() == kJava; }

std::string error_line(const fs::path& path, const std::string& what) {
  return fmt::format("{}: error: {}\n", path.empty() ? "\"\"" : path.string(), what);
}

// The sources that the names stand for.
class SourceList {
 public:
  explicit SourceList(std::string& errors) : errors_(errors) {}

  void add(const fs::path& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) {
      const bool is_reason_known = error && error != std::errc::no_such_file_or_directory;
      errors_ += error_line(path, is_reason_known ? error.message() : "no such file or folder");
    } else if (fs::is_directory(status)) {
      add_folder(path);
    } else if (!is_source(path)) {
      errors_ +=
          error_line(path, fmt::format("not a {} or {} file, nor a model of TVLA's (.tvp or .tvm)", kJava, kPlato));
    } else {
      add_file(path, status);
    }
  }

  const std::vector<fs::path>& files() const { return files_; }

 private:
  // Only regular files: a pipe or a device may never end, or never begin.
  void add_file(const fs::path& path, const fs::file_status& status) {
    if (!fs::is_regular_file(status)) {
      errors_ += error_line(path, "not a regular file");
      return;
    }
    std::error_code error;
    const fs::path canonical = fs::weakly_canonical(path, error);
    if (seen_.insert(error ? path : canonical).second) files_.push_back(path);
  }

  void add_folder(const fs::path& folder) {
    std::vector<fs::path> found;
    if (find_in(folder, found) && found.empty()) {
      errors_ += error_line(folder, fmt::format("there is no {} or {} file in this folder or below", kPlato, kJava));
    }
    std::sort(found.begin(), found.end());
    for (const fs::path& path : found) add(path);
  }

  // The sources below a folder; links to folders are not followed. False if a folder cannot be read, and says which.
  bool find_in(const fs::path& folder, std::vector<fs::path>& found) {
    std::error_code error;
    std::vector<fs::path> below;
    for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
      std::error_code ignored;
      if (at->is_directory(ignored)) {
        if (!at->is_symlink(ignored)) below.push_back(at->path());
      } else if (is_source(at->path())) {
        found.push_back(at->path());
      }
    }
    if (error) errors_ += error_line(folder, "cannot be read: " + error.message());
    bool all_read = !error;
    std::sort(below.begin(), below.end());
    for (const fs::path& path : below) all_read = find_in(path, found) && all_read;
    return all_read;
  }

  std::string& errors_;
  std::vector<fs::path> files_;
  std::set<fs::path> seen_;
};

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

void read_file(const fs::path& path, base::SourceMap& sources, std::string& errors) {
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  std::string text;
  bool failed = !file;
  while (!failed && text.size() <= plato::kMostBytes) {
    constexpr std::size_t kChunk = 1U << 16U;
    const std::size_t before = text.size();
    text.resize(before + kChunk);
    const std::size_t got = std::fread(text.data() + before, 1, kChunk, file.get());
    text.resize(before + got);
    if (got < kChunk) {
      failed = std::ferror(file.get()) != 0;
      break;
    }
  }
  if (failed) {
    errors += error_line(path, "cannot be read: " + std::generic_category().message(errno));
  } else if (text.size() > plato::kMostBytes) {
    errors += error_line(path, fmt::format("larger than {} MB, the most that is read", plato::kMostBytes >> 20U));
  } else {
    sources.add(path.string(), std::move(text));
  }
}

namespace {

std::string render_all(const base::SourceMap& sources, const diag::Sink& sink) {
  std::vector<diag::Diagnostic> errors = sink.errors();
  std::stable_sort(errors.begin(), errors.end(), [](const auto& a, const auto& b) {
    return std::pair(a.range.file, a.range.begin) < std::pair(b.range.file, b.range.begin);
  });
  std::string text;
  for (const diag::Diagnostic& error : errors) text += diag::render(sources, error);
  const std::size_t count = sink.errors().size();
  return text +
         fmt::format("{} error{}{}\n", count, count == 1 ? "" : "s", sink.is_full() ? "; there may be more" : "");
}

}  // namespace

namespace {

void read_plato(Input& input, diag::Sink& sink) {
  for (std::uint32_t file = 0; file < input.sources.file_count(); ++file) {
    plato::read(input.sources, file, input.program, sink);
  }
}

// Not done: `errors` and `status` say why.
void read_java(Input& input, const JavaInput& java, const engine::Control& control, std::set<plato::Stmt*>& dispatches,
               const base::Edits& edits, diag::Sink& sink) {
  using frontend::java::ExportStatus;
  frontend::java::ExportOptions options;
  options.class_path = java.class_path;
  options.source_path = java.source_path;
  options.use_cache = java.use_cache;
  options.edits = edits;
  if (control.timeout) options.deadline = std::chrono::steady_clock::now() + *control.timeout;
  options.is_interrupted = [&] { return control.interrupted.load(); };
  std::vector<std::uint32_t> files;
  for (std::uint32_t file = 0; file < input.sources.file_count(); ++file) files.push_back(file);
  frontend::java::Exported exported = frontend::java::export_java(input.sources, files, options, sink);
  switch (exported.status) {
    case ExportStatus::kDone: break;
    case ExportStatus::kRejected: return;
    case ExportStatus::kMissing:
      input.errors = fmt::format("concord: {}\n", exported.message);
      input.status = kMissing;
      return;
    case ExportStatus::kTime:
      input.errors = "concord: the time ran out while the Java sources were read\n";
      input.status = kSomethingUnknown;
      return;
    case ExportStatus::kMemory:
      input.errors = "concord: memory ran out while the Java sources were read\n";
      input.status = kSomethingUnknown;
      return;
    case ExportStatus::kInterrupted:
      input.errors = "concord: interrupted\n";
      input.status = kInterrupted;
      return;
  }
  if (!edits.empty()) input.sources = edits.applied(input.sources);
  frontend::java::LowerOptions lowering;
  lowering.unbounded_ints = java.unbounded_ints;
  lowering.main_class = java.main_class;
  lowering.client = java.client;
  frontend::java::Lowered lowered = frontend::java::lower(input.sources, exported.unit, lowering, sink);
  input.program = std::move(lowered.program);
  input.assumptions = std::move(lowered.assumptions);
  input.names = std::move(lowered.names);
  input.spelled = std::move(lowered.spelled);
  dispatches = std::move(lowered.dispatches);
  input.library_files.insert(exported.unit.stub_files.begin(), exported.unit.stub_files.end());
}

}  // namespace

Texts read_texts(const std::vector<std::string>& names) {
  Texts out;
  SourceList list(out.errors);
  for (const std::string& name : names) list.add(name);
  for (const fs::path& path : list.files()) read_file(path, out.sources, out.errors);
  if (!out.errors.empty()) return out;
  const auto is_java = [](const fs::path& path) { return path.extension() == kJava; };
  out.is_java = std::any_of(list.files().begin(), list.files().end(), is_java);
  const auto other = std::find_if_not(list.files().begin(), list.files().end(), is_java);
  if (out.is_java && other != list.files().end()) {
    const auto java = std::find_if(list.files().begin(), list.files().end(), is_java);
    out.errors =
        fmt::format("concord: a program is Java or Plato, not both: {}, {}\n", java->string(), other->string());
  }
  return out;
}

Input load(Texts texts, const JavaInput& java, const engine::Control& control, const base::Edits& edits) {
  Input input;
  input.status = kBadInput;
  input.sources = std::move(texts.sources);
  input.is_java = texts.is_java;
  input.errors = std::move(texts.errors);
  if (!input.errors.empty()) return input;
  diag::Sink sink;
  std::set<plato::Stmt*> dispatches;
  if (input.is_java) {
    read_java(input, java, control, dispatches, edits, sink);
  } else {
    if (!edits.empty()) input.sources = edits.applied(input.sources);
    read_plato(input, sink);
  }
  if (!input.errors.empty()) return input;
  if (!sink.has_errors()) plato::check_well_formed(input.sources, input.program, sink);
  if (!sink.has_errors()) frontend::java::drop_impossible(input.program, dispatches);
  if (sink.has_errors()) input.errors = render_all(input.sources, sink);
  input.diagnostics = sink.errors();
  return input;
}

}  // namespace concord::tool
