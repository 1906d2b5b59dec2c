// What earlier runs found out, by keys that name everything it depends on: one SQLite file, for all runs of a user.
//
// Whatever is wrong with the file or its folder (it cannot be made, read or written, the disk is full, another process holds
// it too long, its content is damaged), nothing is found, or nothing is kept, and nobody is told: the answer is worked out
// again. What is found is what was kept: each entry carries a hash of its key and value, so that a file that was damaged in
// whatever way gives no wrong answers. A process that is killed leaves what SQLite's journal makes whole again.
//
// Any number of threads may use one Store, any number of processes one file.
#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/sha256.h"

struct sqlite3;
struct sqlite3_stmt;

namespace concord::cache {

class Store {
 public:
  static constexpr std::int64_t kMostBytes = std::int64_t{256} << 20U;

  // Where it is by default: $CONCORD_PROOFS if that is a path, or in folder(). Empty: nowhere (CONCORD_PROOFS=none).
  static std::filesystem::path default_file();

  // `identity`: of whoever found out. It goes into every key. No file: what is kept is gone with the Store.
  Store(std::filesystem::path file, std::string identity, std::int64_t most_bytes = kMostBytes);
  ~Store();
  Store(const Store&) = delete;
  Store& operator=(const Store&) = delete;

  // To be completed by what the entry depends on; hex() is then its key. `kind`: what sort of entry it is.
  base::Sha256 begin_key(std::string_view kind) const;

  struct Entry {
    std::string value;
    bool is_own = false;  // this Store has kept it, no earlier one
  };
  std::optional<Entry> load(const std::string& key);
  // On the disk soon, and at the latest when the Store goes.
  void store(const std::string& key, std::string value);
  void flush();

 private:
  struct Close {
    void operator()(sqlite3* database) const;
    void operator()(sqlite3_stmt* statement) const;
  };
  using Statement = std::unique_ptr<sqlite3_stmt, Close>;

  bool open();
  bool run(const char* sql);
  Statement prepare(const char* sql);
  std::int64_t number(const char* sql);
  void write();
  bool write_waiting();
  void drop_oldest();
  void give_up(int code);

  const std::filesystem::path file_;
  const std::string identity_;
  const std::int64_t most_bytes_;
  std::mutex mutex_;  // of the rest
  std::unique_ptr<sqlite3, Close> database_;
  bool is_opened_ = false;  // or it was tried
  std::map<std::string, std::string> own_;
  std::map<std::string, std::string> waiting_;  // to be written
  std::chrono::steady_clock::time_point written_;
};

}  // namespace concord::cache
