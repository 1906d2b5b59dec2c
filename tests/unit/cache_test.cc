// What is kept for later runs: what is found is what was kept, whatever happens to the file.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "cache/identity.h"
#include "cache/store.h"

namespace concord::cache {
namespace {

namespace fs = std::filesystem;

class StoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "concord-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
    file_ = folder_ / "cache" / "proofs.sqlite";
  }
  void TearDown() override { fs::remove_all(folder_); }

  static std::string key(int number) { return "key " + std::to_string(number); }
  // Long enough that most entries do not fit on a page with others.
  static std::string value(int number) { return std::string(200 + number % 7 * 900, 'a') + std::to_string(number); }

  void fill(int count) const {
    Store store(file_, "me");
    for (int i = 0; i < count; ++i) store.store(key(i), value(i));
  }
  // How many are there; none is wrong.
  int found(int count) const {
    Store store(file_, "me");
    int out = 0;
    for (int i = 0; i < count; ++i) {
      const auto it = store.load(key(i));
      if (!it) continue;
      EXPECT_EQ(it->value, value(i));
      ++out;
    }
    return out;
  }

  fs::path folder_;
  fs::path file_;
};

TEST_F(StoreTest, FindsWhatWasKept) {
  fill(50);
  EXPECT_EQ(found(50), 50);
  Store store(file_, "me");
  EXPECT_FALSE(store.load("another key"));
  store.store(key(1), "new");
  EXPECT_EQ(store.load(key(1))->value, "new");
  EXPECT_TRUE(store.load(key(1))->is_own);
  EXPECT_FALSE(store.load(key(2))->is_own);
  store.flush();
  EXPECT_EQ(Store(file_, "me").load(key(1))->value, "new");
}

TEST_F(StoreTest, KeysHaveWhoFoundItOut) {
  Store one(file_, "one");
  Store other(file_, "other");
  const auto key_of = [](const Store& store, const char* kind, const char* what) {
    base::Sha256 hash = store.begin_key(kind);
    hash.add_part(what);
    return hash.hex();
  };
  EXPECT_EQ(key_of(one, "k", "w"), key_of(one, "k", "w"));
  EXPECT_NE(key_of(one, "k", "w"), key_of(other, "k", "w"));
  EXPECT_NE(key_of(one, "k", "w"), key_of(one, "kw", ""));
  EXPECT_NE(key_of(one, "k", "w"), key_of(one, "k", "v"));
}

TEST_F(StoreTest, NowhereIsNoPlace) {
  Store store("", "me");
  store.store("key", "value");
  EXPECT_EQ(store.load("key")->value, "value");
  EXPECT_FALSE(Store("", "me").load("key"));
}

TEST_F(StoreTest, AFolderThatCannotBeMadeIsNoTrouble) {
  std::ofstream(folder_ / "cache") << "a file";
  fill(5);
  EXPECT_EQ(found(5), 0);
}

TEST_F(StoreTest, AFileThatMayOnlyBeReadIsRead) {
  fill(20);
  if (geteuid() == 0) return;  // may write everything
  fs::permissions(file_, fs::perms::owner_read);
  fs::permissions(file_.parent_path(), fs::perms::owner_read | fs::perms::owner_exec);
  {
    Store store(file_, "me");
    store.store("new", "value");
  }
  EXPECT_EQ(found(20), 20);
  EXPECT_FALSE(Store(file_, "me").load("new"));
  fs::permissions(file_.parent_path(), fs::perms::owner_all);
}

TEST_F(StoreTest, WhateverIsWrittenOverTheFileNothingWrongIsFound) {
  std::mt19937 random(1);
  for (int round = 0; round < 60; ++round) {
    fs::remove(file_);
    fill(20);
    std::ifstream in(file_, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    for (int i = 0; i < 1 + round * 4; ++i) bytes[random() % bytes.size()] = static_cast<char>(random());
    std::ofstream(file_, std::ios::binary) << bytes;
    found(20);
    found(20);  // perhaps it was taken out of the way
    fill(20);
    fill(20);
    found(20);
  }
}

TEST_F(StoreTest, WhereverTheFileIsCutOffNothingWrongIsFound) {
  for (int part = 0; part < 20; ++part) {
    fs::remove(file_);
    fill(20);
    fs::resize_file(file_, fs::file_size(file_) * static_cast<std::uintmax_t>(part) / 20);
    found(20);
  }
}

TEST_F(StoreTest, WhatIsNoDatabaseIsReplaced) {
  fs::create_directories(file_.parent_path());
  std::ofstream(file_) << std::string(10'000, 'x');
  EXPECT_EQ(found(3), 0);
  fill(3);
  EXPECT_EQ(found(3), 3);
}

TEST_F(StoreTest, AFullDiskIsNoTrouble) {
  fill(10);
  const pid_t child = fork();
  if (child == 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{fs::file_size(file_) + 5000, RLIM_INFINITY};  // no file may become larger
    setrlimit(RLIMIT_FSIZE, &limit);
    {
      Store store(file_, "me");
      for (int i = 10; i < 200; ++i) store.store(key(i), value(i));
      store.flush();
      if (const auto it = store.load(key(5)); !it || it->value != value(5)) _exit(1);
      store.store(key(300), "small");
    }
    _exit(0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_GE(found(200), 10);
}

TEST_F(StoreTest, WhatWasNotUsedForLongestGoes) {
  constexpr std::int64_t kMost = 300'000;
  Store store(file_, "me", kMost);
  for (int i = 0; i < 400; ++i) {
    store.store(key(i), value(i));
    if (i % 20 == 0) store.flush();
  }
  store.flush();
  EXPECT_LT(static_cast<std::int64_t>(fs::file_size(file_)), 2 * kMost);
  Store again(file_, "me", kMost);
  EXPECT_TRUE(again.load(key(399)));
  EXPECT_FALSE(again.load(key(0)));
}

TEST_F(StoreTest, TwoMayWriteAtOnce) {
  const auto write = [&](int first) {
    Store store(file_, "me");
    for (int i = first; i < first + 100; ++i) {
      store.store(key(i), value(i));
      if (i % 5 == 0) store.flush();
    }
  };
  std::vector<pid_t> children;
  for (const int first : {0, 100, 200}) {
    const pid_t child = fork();
    if (child == 0) {
      write(first);
      _exit(0);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  EXPECT_EQ(found(300), 300);
}

// A hundred times in the middle of a write, which leaves a journal: what the killed process said it had kept is there, and nothing
// wrong.
TEST_F(StoreTest, AProcessThatIsKilledLosesNothingThatItHasKept) {
  constexpr int kEntries = 300;
  constexpr int kTogether = 30;
  std::mt19937 random(1);
  int kept = 0;
  int in_the_middle = 0;
  for (int round = 0; in_the_middle < 100; ++round) {
    ASSERT_LT(round, 3000) << in_the_middle;
    int pipe_ends[2];
    ASSERT_EQ(pipe(pipe_ends), 0);
    const pid_t child = fork();
    if (child == 0) {
      Store store(file_, "me");
      for (int i = kept;; ++i) {
        store.store(key(i % kEntries), value(i % kEntries));
        if (i % kTogether != 0) continue;
        store.flush();
        if (write(pipe_ends[1], &i, sizeof i) != sizeof i) _exit(1);
      }
    }
    close(pipe_ends[1]);
    int last = 0;
    if (read(pipe_ends[0], &last, sizeof last) == sizeof last) kept = last + 1;
    usleep(static_cast<useconds_t>(random() % 2'000));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    while (read(pipe_ends[0], &last, sizeof last) == sizeof last) kept = last + 1;
    close(pipe_ends[0]);
    std::error_code none;
    const std::uintmax_t journal = fs::file_size(file_.string() + "-journal", none);
    if (none || journal == 0) continue;
    ++in_the_middle;
    ASSERT_GE(found(kEntries), std::min(kept, kEntries)) << round;
  }
}

TEST(Identity, IsTheSameAgainAndNamesFiles) {
  EXPECT_EQ(program_identity(), program_identity());
  EXPECT_EQ(file_identity("/proc/self/exe"), file_identity("/proc/self/exe"));
  EXPECT_NE(file_identity("/proc/self/exe"), file_identity("/bin/sh"));
  EXPECT_NE(file_identity("/nowhere"), file_identity("/nobody"));
}

}  // namespace
}  // namespace concord::cache
