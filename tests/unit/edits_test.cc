// Text put into sources: where places are then, and the patch that puts it there.
#include "base/edits.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace concord::base {
namespace {

namespace fs = std::filesystem;

SourceMap sources(const std::string& text, const std::string& path = "a.txt") {
  SourceMap out;
  out.add("other.txt", "x\n");
  out.add(path, text);
  return out;
}

const char* const kText = "one\ntwo\nthree\n";

TEST(Edits, PlacesMoveAndComeBack) {
  const SourceMap before = sources(kText);
  const Edits edits({{1, 8, "  B\n"}, {1, 4, "A\n"}, {1, 4, "AA\n"}});
  const SourceMap now = edits.applied(before);
  EXPECT_EQ(now.file(1).text(), "one\nA\nAA\ntwo\n  B\nthree\n");
  EXPECT_EQ(now.file(0).text(), "x\n");
  for (std::uint32_t begin = 0; begin < 14; ++begin) {
    for (std::uint32_t end = begin + 1; end <= 14; ++end) {
      const SourceRange place{1, begin, end};
      const SourceRange moved = edits.now(place);
      EXPECT_EQ(now.file(1).text()[moved.begin], kText[begin]);
      EXPECT_EQ(now.file(1).text()[moved.end - 1], kText[end - 1]);
      EXPECT_EQ(edits.before(moved).begin, begin);
      EXPECT_FALSE(edits.is_inserted(moved));
    }
  }
  EXPECT_EQ(edits.now({0, 0, 1}), (SourceRange{0, 0, 1}));
}

TEST(Edits, WhatIsInsertedIsKnown) {
  const SourceMap before = sources(kText);
  const Edits edits({{1, 4, "A\n"}, {1, 4, "AA\n"}, {1, 8, "  B\n"}});
  const SourceMap now = edits.applied(before);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(now.text(edits.inserted(i)), edits.insertions()[i].text);
    EXPECT_EQ(edits.insertion_at(edits.inserted(i)), i);
    EXPECT_EQ(edits.before(edits.inserted(i)).begin, edits.insertions()[i].at);
  }
}

// A folder that `patch` is called in.
class EditsPatch : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = (fs::temp_directory_path() / "concord-test-XXXXXX").string();
    ASSERT_NE(mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { fs::remove_all(folder_); }

  // What `patch` makes of the file is what the edits make of it.
  void patch_agrees(const std::string& text, const Edits& edits, const std::string& path = "a.txt") {
    const SourceMap before = sources(text, path);
    const fs::path file = folder_ / path;
    fs::create_directories(file.parent_path());
    std::ofstream(file) << text;
    std::ofstream(folder_ / "patch") << unified_patch(before, edits, folder_);
    const std::string command = "cd " + folder_.string() + " && patch -p0 --silent --batch < patch";
    EXPECT_EQ(std::system(command.c_str()), 0) << path;
    std::ifstream in(file);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(in), {}), edits.applied(before).file(1).text());
  }

  fs::path folder_;
};

TEST_F(EditsPatch, AppliesCleanly) {
  std::string text;
  for (int i = 0; i < 40; ++i) text += "line " + std::to_string(i) + "\n";
  const auto at = [&](int line) {
    return static_cast<std::uint32_t>(text.find("line " + std::to_string(line) + "\n"));
  };
  patch_agrees(text, Edits({{1, 0, "first\n"}, {1, at(3), "a\n"}, {1, at(9), "b\n"}, {1, at(30), "c\n"}}));
  patch_agrees(text, Edits({{1, at(20), "a\n"}, {1, at(20), "b\n"}}));
  patch_agrees(text, Edits({{1, static_cast<std::uint32_t>(text.size()), "last\n"}}));
  patch_agrees(text + "no end of line", Edits({{1, at(39), "a\n"}}));
  patch_agrees(
      text, Edits({{1, at(12), "whole\n"}, {1, at(12) + 4, " within"}, {1, at(12) + 5, " and"}, {1, at(13), "b\n"}}));
}

TEST_F(EditsPatch, NamesFilesAsPatchReadsThem) {
  const Edits edits({{1, 4, "A\n"}});
  for (const char* const path :
       {"sub/a.txt", "./a.txt", "sub/../a.txt", "a file.txt", "a\\ \"file\"\t.txt", "é ü.txt"}) {
    patch_agrees(kText, edits, path);
  }
  patch_agrees(kText, edits, (folder_ / "sub/a.txt").string());
}

TEST_F(EditsPatch, LeavesOtherFoldersAsTheyAreNamed) {
  for (const char* const path : {"/elsewhere/a.txt", "../a.txt"}) {
    const std::string patch = unified_patch(sources(kText, path), Edits({{1, 4, "A\n"}}), folder_);
    EXPECT_TRUE(patch.starts_with(std::string("--- ") + path + "\n")) << patch;
  }
}

}  // namespace
}  // namespace concord::base
