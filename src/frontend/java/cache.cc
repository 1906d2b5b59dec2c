#include "frontend/java/cache.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <sstream>
#include <system_error>
#include <vector>

#include "base/sha256.h"
#include "cache/folder.h"

namespace concord::frontend::java {

namespace fs = std::filesystem;

namespace {

constexpr const char* kEnding = ".export";

// What stands before the content: if it does not fit, the file is not whole.
std::string head(std::string_view content) { return fmt::format("concord export {}\n", base::sha256(content)); }

}  // namespace

std::optional<Cache> Cache::open() {
  const fs::path home = cache::folder();
  if (home.empty()) return {};
  std::error_code error;
  fs::create_directories(home / "java", error);
  if (error) return {};
  return Cache(home / "java");
}

std::optional<std::string> Cache::load(const std::string& key) const {
  const fs::path path = folder_ / (key + kEnding);
  std::ifstream file(path, std::ios::binary);
  if (!file) return {};
  std::ostringstream all;
  all << file.rdbuf();
  std::string text = std::move(all).str();
  const std::size_t line = text.find('\n');
  if (line == std::string::npos) return {};
  std::string content = text.substr(line + 1);
  if (text.compare(0, line + 1, head(content)) != 0) return {};
  std::error_code ignored;
  fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
  return content;
}

void Cache::store(const std::string& key, std::string_view content, std::uintmax_t most_bytes) const {
  const fs::path path = folder_ / (key + kEnding);
  const fs::path tmp = folder_ / fmt::format("{}.{}.tmp", key, getpid());
  std::error_code error;
  {
    std::ofstream file(tmp, std::ios::binary);
    file << head(content) << content;
    file.close();
    if (!file) {
      fs::remove(tmp, error);
      return;
    }
  }
  fs::rename(tmp, path, error);
  if (error) fs::remove(tmp, error);
  drop_oldest(most_bytes);
}

void Cache::drop_oldest(std::uintmax_t most_bytes) const {
  struct Entry {
    fs::file_time_type used;
    std::uintmax_t size;
    fs::path path;
  };
  std::vector<Entry> entries;
  std::uintmax_t total = 0;
  std::error_code error;
  for (fs::directory_iterator at(folder_, error); !error && at != fs::directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (!at->is_regular_file(ignored)) continue;
    entries.push_back({at->last_write_time(ignored), at->file_size(ignored), at->path()});
    total += entries.back().size;
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
  for (const Entry& entry : entries) {
    if (total <= most_bytes) return;
    std::error_code ignored;
    if (fs::remove(entry.path, ignored)) total -= entry.size;
  }
}

}  // namespace concord::frontend::java
