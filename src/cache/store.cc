#include "cache/store.h"

#include <sqlite3.h>

#include <cstdlib>
#include <system_error>
#include <utility>

#include "cache/folder.h"

namespace concord::cache {

namespace fs = std::filesystem;

namespace {

constexpr int kPageBytes = 4096;
constexpr int kWaitForOthersMs = 2000;
constexpr std::chrono::milliseconds kWriteEvery{200};
constexpr std::int64_t kSecondsADay = 24 * 60 * 60;

std::int64_t today() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::seconds>(now).count() / kSecondsADay;
}

std::string seal(const std::string& key, const std::string& value) {
  base::Sha256 hash;
  hash.add_part("concord proof");
  hash.add_part(key);
  hash.add_part(value);
  return hash.hex();
}

void bind(sqlite3_stmt* statement, int index, const std::string& bytes) {
  sqlite3_bind_blob64(statement, index, bytes.data(), bytes.size(), SQLITE_STATIC);
}

std::string bytes_of(sqlite3_stmt* statement, int column) {
  const void* const bytes = sqlite3_column_blob(statement, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement, column));
  return bytes == nullptr ? std::string() : std::string(static_cast<const char*>(bytes), size);
}

}  // namespace

void Store::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }
void Store::Close::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

fs::path Store::default_file() {
  const char* const chosen = std::getenv("CONCORD_PROOFS");
  if (chosen != nullptr && *chosen == '/') return fs::path(chosen) / "proofs.sqlite";
  if (chosen != nullptr && std::string_view(chosen) == "none") return {};
  const fs::path home = folder();
  return home.empty() ? fs::path() : home / "proofs.sqlite";
}

Store::Store(fs::path file, std::string identity, std::int64_t most_bytes)
    : file_(std::move(file)),
      identity_(std::move(identity)),
      most_bytes_(most_bytes),
      written_(std::chrono::steady_clock::now()) {}

Store::~Store() { flush(); }

base::Sha256 Store::begin_key(std::string_view kind) const {
  base::Sha256 hash;
  hash.add_part(kind);
  hash.add_part(identity_);
  return hash;
}

// ------------------------------------------------------------------------------------------------------------ the file

// A journal beside the file, which is rolled back by whoever comes next, and no write-ahead log: that would be shared memory,
// and whoever cuts such a file off kills all who look at it. Nobody waits for the disk: if the machine fails, what is not
// whole is seen to be.
bool Store::open() {
  if (is_opened_) return database_ != nullptr;
  is_opened_ = true;
  std::error_code error;
  fs::create_directories(file_.parent_path(), error);
  sqlite3* opened = nullptr;
  int code = SQLITE_OK;
  for (const int flags : {SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, SQLITE_OPEN_READONLY}) {
    code = sqlite3_open_v2(file_.c_str(), &opened, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE, nullptr);
    database_.reset(std::exchange(opened, nullptr));
    if (code == SQLITE_OK) break;
  }
  if (code != SQLITE_OK) {
    database_.reset();
    return false;
  }
  sqlite3_busy_timeout(database_.get(), kWaitForOthersMs);
  sqlite3_db_config(database_.get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  const bool is_set = run("PRAGMA trusted_schema = OFF") && run("PRAGMA cell_size_check = ON") &&
                      run("PRAGMA mmap_size = 0") && run("PRAGMA synchronous = OFF") &&
                      run("PRAGMA journal_mode = TRUNCATE");
  if (is_set && number("SELECT count(*) FROM sqlite_master WHERE name = 'entries'") != 1 &&
      sqlite3_db_readonly(database_.get(), "main") == 0) {
    run("CREATE TABLE IF NOT EXISTS entries (key BLOB PRIMARY KEY, value BLOB NOT NULL, seal BLOB NOT NULL, "
        "used INTEGER NOT NULL)");
  }
  return database_ != nullptr;
}

// A file that is damaged is taken out of the way; the next run begins a new one. What else may be wrong is not in the file, and
// what is in it may still be read.
void Store::give_up(int code) {
  const int primary = code & 0xff;
  if (primary != SQLITE_CORRUPT && primary != SQLITE_NOTADB && primary != SQLITE_FORMAT) return;
  database_.reset();
  std::error_code ignored;
  fs::remove(file_.string() + "-journal", ignored);
  fs::remove(file_, ignored);
}

bool Store::run(const char* sql) {
  if (!database_) return false;
  const int code = sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) give_up(code);
  return code == SQLITE_OK;
}

Store::Statement Store::prepare(const char* sql) {
  if (!database_) return nullptr;
  sqlite3_stmt* made = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql, -1, &made, nullptr);
  Statement out(made);
  if (code != SQLITE_OK) {
    out.reset();
    give_up(code);
  }
  return out;
}

// The only number that it answers; -1 if there is none.
std::int64_t Store::number(const char* sql) {
  std::int64_t out = -1;
  const Statement statement = prepare(sql);
  if (!statement) return out;
  const int code = sqlite3_step(statement.get());
  if (code == SQLITE_ROW) {
    out = sqlite3_column_int64(statement.get(), 0);
  } else if (code != SQLITE_DONE) {
    give_up(code);
  }
  return out;
}

// ------------------------------------------------------------------------------------------------------------- entries

std::optional<Store::Entry> Store::load(const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (const auto found = own_.find(key); found != own_.end()) return Entry{found->second, true};
  if (file_.empty() || !open()) return {};
  std::string value;
  std::int64_t used = 0;
  {
    const Statement statement = prepare("SELECT value, seal, used FROM entries WHERE key = ?");
    if (!statement) return {};
    bind(statement.get(), 1, key);
    const int code = sqlite3_step(statement.get());
    if (code != SQLITE_ROW) {
      if (code != SQLITE_DONE) give_up(code);
      return {};
    }
    value = bytes_of(statement.get(), 0);
    used = sqlite3_column_int64(statement.get(), 2);
    if (bytes_of(statement.get(), 1) != seal(key, value)) return {};  // it is replaced when it is worked out again
  }
  if (used != today()) waiting_.emplace(key, value);  // to be seen to be in use
  return Entry{std::move(value), false};
}

void Store::store(const std::string& key, std::string value) {
  const std::lock_guard lock(mutex_);
  own_.insert_or_assign(key, value);
  if (file_.empty()) return;
  waiting_.insert_or_assign(key, std::move(value));
  if (std::chrono::steady_clock::now() - written_ > kWriteEvery) write();
}

void Store::flush() {
  const std::lock_guard lock(mutex_);
  write();
}

void Store::write() {
  if (!waiting_.empty() && open() && run("BEGIN IMMEDIATE")) {
    if (write_waiting() && run("COMMIT")) {
      drop_oldest();
    } else if (database_) {
      sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    }
  }
  waiting_.clear();
  written_ = std::chrono::steady_clock::now();
}

bool Store::write_waiting() {
  const Statement statement = prepare("INSERT OR REPLACE INTO entries (key, value, seal, used) VALUES (?, ?, ?, ?)");
  if (!statement) return false;
  for (const auto& [key, value] : waiting_) {
    const std::string sealed = seal(key, value);
    bind(statement.get(), 1, key);
    bind(statement.get(), 2, value);
    bind(statement.get(), 3, sealed);
    sqlite3_bind_int64(statement.get(), 4, today());
    const int code = sqlite3_step(statement.get());
    sqlite3_reset(statement.get());
    if (code == SQLITE_DONE) continue;
    give_up(code);
    return false;
  }
  return true;
}

// What was not used for longest goes, a quarter of all, as long as there is too much.
void Store::drop_oldest() {
  constexpr int kMostRounds = 16;
  for (int round = 0; round < kMostRounds && database_; ++round) {
    const std::int64_t pages = number("PRAGMA page_count") - number("PRAGMA freelist_count");
    if (pages * kPageBytes <= most_bytes_) return;
    if (!run("DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries ORDER BY used, rowid "
             "LIMIT (SELECT count(*) / 4 + 1 FROM entries))")) {
      return;
    }
  }
}

}  // namespace concord::cache
