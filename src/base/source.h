// Source files and places in them.
//
// A SourceRange is a file index and two byte offsets; it is cheap to copy and everything the user wrote carries one.
// Lines and columns are computed only when a person is told, 1-based, in characters (UTF-8 code points).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace concord::base {

struct SourceRange {
  std::uint32_t file = 0;
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  friend bool operator==(const SourceRange&, const SourceRange&) = default;
};

// The range from the start of `first` to the end of `last`; both are in the same file.
SourceRange join(SourceRange first, SourceRange last);

struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  friend bool operator==(const Position&, const Position&) = default;
};

class SourceFile {
 public:
  SourceFile(std::string path, std::string text);

  const std::string& path() const { return path_; }
  std::string_view text() const { return text_; }
  Position position(std::uint32_t offset) const;
  // The text of a 1-based line, without its line end.
  std::string_view line(std::uint32_t number) const;
  std::uint32_t line_count() const { return static_cast<std::uint32_t>(line_starts_.size()); }

 private:
  std::string path_;
  std::string text_;
  std::vector<std::uint32_t> line_starts_;
};

// The files of one run. Ranges refer to them by index.
class SourceMap {
 public:
  std::uint32_t add(std::string path, std::string text);
  const SourceFile& file(std::uint32_t index) const { return files_[index]; }
  std::uint32_t file_count() const { return static_cast<std::uint32_t>(files_.size()); }
  Position position(SourceRange range) const { return files_[range.file].position(range.begin); }
  // "path:line:column"
  std::string place(SourceRange range) const;
  std::string_view text(SourceRange range) const;

 private:
  std::vector<SourceFile> files_;
};

}  // namespace concord::base
