#include "base/source.h"

#include <algorithm>
#include <utility>

namespace concord::base {

SourceRange join(SourceRange first, SourceRange last) {
  return {first.file, first.begin, std::max(first.end, last.end)};
}

SourceFile::SourceFile(std::string path, std::string text) : path_(std::move(path)), text_(std::move(text)) {
  line_starts_.push_back(0);
  for (std::uint32_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n') line_starts_.push_back(i + 1);
  }
}

Position SourceFile::position(std::uint32_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  const auto line = static_cast<std::uint32_t>(after - line_starts_.begin());
  std::uint32_t column = 1;
  const std::uint32_t stop = std::min<std::uint32_t>(offset, static_cast<std::uint32_t>(text_.size()));
  for (std::uint32_t i = line_starts_[line - 1]; i < stop; ++i) {
    const bool continuation_byte = (static_cast<unsigned char>(text_[i]) & 0xC0U) == 0x80U;
    if (!continuation_byte) ++column;
  }
  return {line, column};
}

std::string_view SourceFile::line(std::uint32_t number) const {
  const std::uint32_t begin = line_starts_[number - 1];
  std::size_t end = number < line_starts_.size() ? line_starts_[number] : text_.size();
  while (end > begin && (text_[end - 1] == '\n' || text_[end - 1] == '\r')) --end;
  return std::string_view(text_).substr(begin, end - begin);
}

std::uint32_t SourceMap::add(std::string path, std::string text) {
  files_.emplace_back(std::move(path), std::move(text));
  return static_cast<std::uint32_t>(files_.size() - 1);
}

std::string SourceMap::place(SourceRange range) const {
  const Position at = position(range);
  return files_[range.file].path() + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
}

std::string_view SourceMap::text(SourceRange range) const {
  const std::string_view all = files_[range.file].text();
  return all.substr(range.begin, range.end - range.begin);
}

}  // namespace concord::base
