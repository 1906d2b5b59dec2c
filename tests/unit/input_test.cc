#include "tool/input.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace concord::tool {
namespace {

namespace fs = std::filesystem;

class Folder : public testing::Test {
 protected:
  Folder() {
    std::string name = fs::temp_directory_path() / "concord-input-XXXXXX";
    path_ = mkdtemp(name.data());
    fs::permissions(path_, fs::perms::all);
  }
  ~Folder() override {
    std::error_code ignored;
    fs::permissions(path_ / "locked", fs::perms::all, ignored);
    fs::remove_all(path_, ignored);
  }

  fs::path path_;
};

constexpr uid_t kNobody = 65534;
const engine::Control control;  // nobody interrupts

// As somebody who is not root: root may read everything.
[[noreturn]] void load_as_nobody(const fs::path& path) {
  if (geteuid() == 0 && seteuid(kNobody) != 0) std::_Exit(1);
  std::fputs(load(read_texts({path}), {}, control).errors.c_str(), stderr);
  std::_Exit(0);
}

TEST_F(Folder, NamesTheSubfolderThatCannotBeRead) {
  std::ofstream(path_ / "a.plato") << "var x: int;\n";
  fs::create_directory(path_ / "locked");
  fs::permissions(path_ / "locked", fs::perms::none);
  EXPECT_EXIT(load_as_nobody(path_), testing::ExitedWithCode(0),
              "^[^\n]*/locked: error: cannot be read: Permission denied\n$");
}

TEST_F(Folder, ReadsSourcesOfSubfoldersInOrder) {
  fs::create_directories(path_ / "z" / "deep");
  std::ofstream(path_ / "z" / "deep" / "a.plato") << "var x: int;\n";
  std::ofstream(path_ / "b.plato") << "var y: int;\n";
  std::ofstream(path_ / "notes.txt") << "no source\n";
  const Input input = load(read_texts({path_}), {}, control);
  EXPECT_EQ(input.errors, "");
  ASSERT_EQ(input.sources.file_count(), 2U);
  EXPECT_EQ(input.sources.file(0).path(), (path_ / "b.plato").string());
  EXPECT_EQ(input.sources.file(1).path(), (path_ / "z" / "deep" / "a.plato").string());
}

TEST_F(Folder, RefusesDevices) {
  fs::create_symlink("/dev/zero", path_ / "x.plato");
  EXPECT_EQ(load(read_texts({path_}), {}, control).errors,
            (path_ / "x.plato").string() + ": error: not a regular file\n");
}

}  // namespace
}  // namespace concord::tool
