// Exports of earlier runs, by a key that names everything they depend on. A file per export, in $XDG_CACHE_HOME/concord/java or
// ~/.cache/concord/java; written beside and moved into place, so that nobody reads half of one; whatever is wrong with the folder or a
// file in it, the export is simply made again. When the folder has grown too large, what was not used for longest goes.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace concord::frontend::java {

class Cache {
 public:
  static constexpr std::uintmax_t kMostBytes = std::uintmax_t{256} << 20U;

  // None: there is no home, or the folder cannot be made.
  static std::optional<Cache> open();
  explicit Cache(std::filesystem::path folder) : folder_(std::move(folder)) {}

  const std::filesystem::path& folder() const { return folder_; }
  // What was stored under this key; none if nothing was, or it is damaged.
  std::optional<std::string> load(const std::string& key) const;
  void store(const std::string& key, std::string_view content, std::uintmax_t most_bytes = kMostBytes) const;

 private:
  void drop_oldest(std::uintmax_t most_bytes) const;

  std::filesystem::path folder_;
};

}  // namespace concord::frontend::java
