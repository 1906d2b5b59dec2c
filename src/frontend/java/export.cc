#include "frontend/java/export.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/check.h"
#include "base/sha256.h"
#include "cache/identity.h"
#include "frontend/java/cache.h"
#include "frontend/java/import.h"
#include "frontend/java/jdk.h"
#include "frontend/java/process.h"

namespace concord::frontend::java {

namespace fs = std::filesystem;

namespace {

constexpr int kNotEnoughMemory = 3;                // exit status of the exporter
constexpr std::size_t kMostFilesLookedAt = 20000;  // on class and source paths; with more, nothing is cached

std::optional<std::string> read(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::ostringstream text;
  text << file.rdbuf();
  if (file.bad()) return {};
  return std::move(text).str();
}

// Beside the executable, or one folder up, where that of the tests finds what belongs to the program.
fs::path beside_program(const char* name) {
  std::error_code error;
  const fs::path program = fs::read_symlink("/proc/self/exe", error);
  for (const fs::path& folder : {program.parent_path(), program.parent_path().parent_path()}) {
    if (!error && fs::exists(folder / name, error)) return folder / name;
  }
  return {};
}

// A folder that goes with everything in it.
class TmpFolder {
 public:
  TmpFolder() {
    std::string name = (fs::temp_directory_path() / "concord-XXXXXX").string();
    CONCORD_CHECK(mkdtemp(name.data()) != nullptr, "no temporary folder can be made");
    path_ = name;
  }
  ~TmpFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TmpFolder(const TmpFolder&) = delete;
  TmpFolder& operator=(const TmpFolder&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

// ------------------------------------------------------------------------------------------------------------------- key

// What an export depends on besides the files given. Files behind a path count by what their folder says of them: there may be
// many, and most are never opened. The time of the last write alone would not do: who copies a file may copy that too.
class Key {
 public:
  void add(std::string_view part) { hash_.add_part(part); }

  // False if there are too many files.
  bool add_path(const std::string& path) {
    std::istringstream entries(path);
    for (std::string entry; std::getline(entries, entry, ':');) {
      add(entry);
      std::error_code error;
      if (!fs::is_directory(entry, error)) {
        add(cache::file_identity(entry));
      } else if (!add_folder(entry)) {
        return false;
      }
    }
    return true;
  }

  std::string hex() { return hash_.hex(); }

 private:
  // Links to folders are followed, as the compiler does; where they lead in a circle there are too many files.
  bool add_folder(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code error;
    for (fs::directory_iterator at(folder, error); !error && at != fs::directory_iterator(); at.increment(error)) {
      if (++looked_at_ > kMostFilesLookedAt) return false;
      found.push_back(at->path());
    }
    if (error) return false;
    std::sort(found.begin(), found.end());
    for (const fs::path& it : found) {
      const fs::path ending = it.extension();
      std::error_code ignored;
      if (fs::is_directory(it, ignored)) {
        if (!add_folder(it)) return false;
      } else if (ending == ".java" || ending == ".class" || ending == ".jar") {
        add(cache::file_identity(it));
      }
    }
    return true;
  }

  base::Sha256 hash_;
  std::size_t looked_at_ = 0;
};

// ---------------------------------------------------------------------------------------------------------------- export

class Exporter {
 public:
  Exporter(base::SourceMap& sources, const std::vector<std::uint32_t>& files, const ExportOptions& options,
           diag::Sink& sink)
      : sources_(sources), files_(files), options_(options), sink_(sink) {}

  Exported run() {
    if (const std::string problem = find_compiler(); !problem.empty()) return failed(ExportStatus::kMissing, problem);
    if (options_.use_cache) cache_ = Cache::open();
    const std::optional<std::string> key = cache_ ? this->key() : std::nullopt;
    if (key) {
      if (std::optional<Exported> cached = take_cached(*key)) return std::move(*cached);
    }
    return make(key);
  }

  std::optional<std::string> key_only() { return find_compiler().empty() ? key() : std::nullopt; }

 private:
  // What is missing, or "".
  std::string find_compiler() {
    JdkSearch search = find_jdk();
    if (!search.found) return search.problem;
    jdk_ = *search.found;
    jar_ = beside_program("concord-exporter.jar");
    const std::optional<std::string> jar = read(jar_);
    CONCORD_CHECK(!jar_.empty() && jar, "concord-exporter.jar is not beside the program");
    jar_hash_ = base::sha256(*jar);
    return "";
  }

  static Exported failed(ExportStatus status, std::string message = "") {
    Exported result;
    result.status = status;
    result.message = std::move(message);
    return result;
  }

  // None: not to be cached.
  std::optional<std::string> key() const {
    Key key;
    key.add(fmt::format("format {}, nesting {}", kExportFormat, kMostNesting));
    key.add(jar_hash_);
    key.add(jdk_.java.string());
    key.add(jdk_.release);
    for (const std::uint32_t file : files_) {
      key.add(sources_.file(file).path());
      key.add(sources_.file(file).text());
    }
    for (const std::string& path : {options_.class_path, options_.source_path, options_.stubs.string()}) {
      key.add("path");
      if (!key.add_path(path)) return {};
    }
    return key.hex();
  }

  std::optional<Exported> take_cached(const std::string& key) {
    const std::optional<std::string> json = cache_->load(key);
    if (!json) return {};
    try {
      Exported result = take(*json);
      result.is_cached = true;
      return result;
    } catch (const base::InternalError&) {
      return {};  // damaged in a way that its hash does not show: made again
    }
  }

  // ------------------------------------------------------------------------------------------------------------- running

  std::vector<std::string> command(const fs::path& out, const std::string& archive_flag) const {
    std::vector<std::string> words{jdk_.java.string(),        "-Xlog:disable",    "-Xlog:all=error:stderr",
                                   "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData"};
    if (!archive_flag.empty()) words.push_back(archive_flag);
    if (options_.memory_bytes != 0) {
      constexpr std::uint64_t kLeast = 64;  // megabytes: below, not even the compiler itself fits
      words.push_back(fmt::format("-Xmx{}m", std::max(options_.memory_bytes >> 20U, kLeast)));
    }
    words.insert(words.end(), {"-jar", jar_.string(), "--watch-stdin", "--out", out.string(), "--nesting",
                               std::to_string(kMostNesting)});
    const auto add = [&](const char* name, const std::string& value) {
      if (!value.empty()) words.insert(words.end(), {name, value});
    };
    add("--classpath", options_.class_path);
    add("--source-path", options_.source_path);
    add("--stubs", options_.stubs.string());
    for (const std::uint32_t file : files_) {
      const std::string& path = sources_.file(file).path();
      words.push_back(path.starts_with('-') ? "./" + path : path);
    }
    return words;
  }

  // The archive of loaded classes made with the program, if this JDK made it; else one in the cache, made now if need be.
  struct Archive {
    std::string flag;
    fs::path made;  // where this run writes one
    fs::path kept;  // where it then belongs
  };
  Archive archive(const fs::path& tmp) const {
    fs::path built = jar_;
    built.replace_extension(".jsa");
    if (!jdk_.release.empty() && read(built.string() + ".release") == jdk_.release && fs::exists(built)) {
      return {"-XX:SharedArchiveFile=" + built.string(), {}, {}};
    }
    if (!cache_) return {};
    const std::string name = base::sha256(jdk_.java.string() + jdk_.release + jar_.string() + jar_hash_);
    const fs::path kept = cache_->folder() / (name + ".jsa");
    std::error_code error;
    if (fs::exists(kept, error)) {
      fs::last_write_time(kept, fs::file_time_type::clock::now(), error);
      return {"-XX:SharedArchiveFile=" + kept.string(), {}, {}};
    }
    const fs::path made = tmp / "classes.jsa";
    return {"-XX:ArchiveClassesAtExit=" + made.string(), made, kept};
  }

  Exported make(const std::optional<std::string>& key) {
    const TmpFolder tmp;
    const fs::path out = tmp.path() / "export.json";
    const Archive archive = this->archive(tmp.path());
    const ProcessEnd end = run_process(command(out, archive.flag), {options_.deadline, options_.is_interrupted});
    switch (end.how) {
      case ProcessEnd::How::kLate: return failed(ExportStatus::kTime);
      case ProcessEnd::How::kInterrupted: return failed(ExportStatus::kInterrupted);
      case ProcessEnd::How::kNotStarted:
        return failed(ExportStatus::kMissing,
                      fmt::format("{} cannot be run; {}", jdk_.java.string(), how_to_install()));
      case ProcessEnd::How::kKilled: break;
      case ProcessEnd::How::kExited:
        if (end.code == kNotEnoughMemory) return failed(ExportStatus::kMemory);
        if (end.code == 0) {
          keep_archive(archive);
          return take_made(out, key);
        }
    }
    return explain(end);
  }

  static void keep_archive(const Archive& archive) {
    std::error_code error;
    if (archive.made.empty() || !fs::exists(archive.made, error)) return;
    // The folders may be on different disks, and only a rename is seen at once.
    fs::path beside = archive.kept;
    beside += fmt::format(".{}.tmp", getpid());
    if (fs::copy_file(archive.made, beside, error)) fs::rename(beside, archive.kept, error);
    if (error) fs::remove(beside, error);
  }

  Exported take_made(const fs::path& out, const std::optional<std::string>& key) {
    const std::optional<std::string> json = read(out);
    CONCORD_CHECK(json.has_value(), "the Java exporter wrote nothing");
    for (const std::uint32_t file : files_) {  // the compiler has read them for itself
      if (read(sources_.file(file).path()) != sources_.file(file).text()) tell_changed(file);
    }
    Exported result = take(*json);
    if (key && !has_changed_ && this->key() == key) cache_->store(*key, *json);
    return result;
  }

  // The JDK's file `release` may not have told the whole truth.
  Exported explain(const ProcessEnd& end) const {
    const auto says = [&](const char* words) { return end.output.find(words) != std::string::npos; };
    if (says("UnsupportedClassVersionError") || says("com/sun/tools/javac") || says("jdk.compiler")) {
      return failed(ExportStatus::kMissing,
                    fmt::format("the Java exporter does not run on {}; {}", jdk_.java.string(), how_to_install()));
    }
    if (says("OutOfMemoryError") || says("Could not reserve enough space")) return failed(ExportStatus::kMemory);
    base::internal_error(__FILE__, __LINE__,
                         fmt::format("the Java exporter failed ({} {}): {}",
                                     end.how == ProcessEnd::How::kExited ? "exit status" : "signal", end.code,
                                     end.output.substr(0, 2000)));
  }

  // ------------------------------------------------------------------------------------------------------------- reading

  Exported take(const std::string& json) {
    Import import = import_json(
        json,
        [this](std::size_t number, const std::string& path, std::size_t size) { return file(number, path, size); },
        options_.edits);
    if (has_changed_) return failed(ExportStatus::kRejected);
    Exported result;
    result.unit = std::move(import.unit);
    if (!import.errors.empty()) {
      report(std::move(import.errors));
      result.status = ExportStatus::kRejected;
    }
    add_comments(result.unit);
    return result;
  }

  // Those that were put into the sources.
  void add_comments(Unit& unit) const {
    const std::vector<base::Insertion>& insertions = options_.edits.insertions();
    if (insertions.empty()) return;
    for (std::size_t i = 0; i < insertions.size(); ++i) {
      SourceRange at = options_.edits.inserted(i);
      const std::string& text = insertions[i].text;
      const std::size_t line = text.find("//@");
      const std::size_t block = text.find("/*@");
      at.begin += static_cast<std::uint32_t>(std::min(line, block));
      at.end -= text.ends_with('\n') ? 1 : 0;
      unit.comments.push_back({at, line < block});
    }
    std::stable_sort(unit.comments.begin(), unit.comments.end(), [](const Comment& a, const Comment& b) {
      return std::pair(a.range.file, a.range.begin) < std::pair(b.range.file, b.range.begin);
    });
  }

  // A stub is named by where it is among the stubs: specs/java/lang/Thread.java.
  std::string shown(const std::string& path) const {
    const std::string folder = options_.stubs.string() + "/";
    return folder.size() > 1 && path.starts_with(folder) ? "specs/" + path.substr(folder.size()) : path;
  }

  // The first files are those given; what follows is new, but for a second attempt at the same export.
  std::uint32_t file(std::size_t number, const std::string& path, std::size_t size) {
    std::uint32_t index = 0;
    if (number < files_.size()) {
      index = files_[number];
    } else if (const auto known = added_.find(path); known != added_.end()) {
      index = known->second;
    } else {
      index = sources_.add(shown(path), read(path).value_or(""));
      added_.emplace(path, index);
    }
    if (sources_.file(index).text().size() != size) tell_changed(index);
    return index;
  }

  void tell_changed(std::uint32_t file) {
    if (!has_changed_) sink_.error({file, 0, 0}, "this file changed while it was read", "run again");
    has_changed_ = true;
  }

  void report(std::vector<ImportError> errors) {
    std::stable_sort(errors.begin(), errors.end(), [](const ImportError& a, const ImportError& b) {
      const auto place = [](const ImportError& e) {
        return e.range ? std::pair(e.range->file, e.range->begin) : std::pair(0U, 0U);
      };
      return place(a) < place(b);
    });
    for (ImportError& error : errors) {
      if (sink_.is_full()) return;
      sink_.error(error.range.value_or(SourceRange{files_.front(), 0, 0}), std::move(error.message));
    }
  }

  base::SourceMap& sources_;
  const std::vector<std::uint32_t>& files_;
  const ExportOptions& options_;
  diag::Sink& sink_;
  Jdk jdk_;
  fs::path jar_;
  std::string jar_hash_;
  std::optional<Cache> cache_;
  std::map<std::string, std::uint32_t> added_;
  bool has_changed_ = false;
};

}  // namespace

fs::path ExportOptions::default_stubs() { return beside_program("concord-specs"); }

std::optional<std::string> export_key(base::SourceMap& sources, const std::vector<std::uint32_t>& files,
                                      const ExportOptions& options) {
  diag::Sink sink;
  return Exporter(sources, files, options, sink).key_only();
}

Exported export_java(base::SourceMap& sources, const std::vector<std::uint32_t>& files, const ExportOptions& options,
                     diag::Sink& sink) {
  CONCORD_CHECK(!files.empty(), "no Java file to read");
  return Exporter(sources, files, options, sink).run();
}

}  // namespace concord::frontend::java
