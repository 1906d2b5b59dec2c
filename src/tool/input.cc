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
#include "plato/reader.h"
#include "plato/wellformed.h"

namespace concord::tool {

namespace fs = std::filesystem;

namespace {

constexpr const char* kEnding = ".plato";

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
      errors_ += error_line(path, error ? error.message() : "no such file or folder");
    } else if (fs::is_directory(status)) {
      add_folder(path);
    } else if (path.extension() != kEnding) {
      errors_ += error_line(path, fmt::format("this version reads {} files only", kEnding));
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
      errors_ += error_line(folder, fmt::format("there is no {} file in this folder or below", kEnding));
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
      } else if (at->path().extension() == kEnding) {
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

// Appends the file to `sources`; says in `errors` if that is not possible.
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

Input load(const std::vector<std::string>& names) {
  Input input;
  SourceList list(input.errors);
  for (const std::string& name : names) list.add(name);
  for (const fs::path& path : list.files()) read_file(path, input.sources, input.errors);
  if (!input.errors.empty()) return input;

  diag::Sink sink;
  for (std::uint32_t file = 0; file < input.sources.file_count(); ++file) {
    plato::read(input.sources, file, input.program, sink);
  }
  if (!sink.has_errors()) plato::check_well_formed(input.sources, input.program, sink);
  if (sink.has_errors()) input.errors = render_all(input.sources, sink);
  return input;
}

}  // namespace concord::tool
