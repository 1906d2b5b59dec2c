// Text put into source files, and where places are then.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace concord::base {

struct Insertion {
  std::uint32_t file = 0;
  std::uint32_t at = 0;  // offset into the file as it was
  std::string text;
};

class Edits {
 public:
  Edits() = default;
  // Those at one place stay in their order.
  explicit Edits(std::vector<Insertion> insertions);

  bool empty() const { return insertions_.empty(); }
  const std::vector<Insertion>& insertions() const { return insertions_; }  // by place
  SourceMap applied(const SourceMap& sources) const;
  // What stood there before stands there now. What is inserted where it begins comes before it, where it ends behind it.
  SourceRange now(SourceRange before) const;
  // And back; what is in inserted text stands where that was put.
  SourceRange before(SourceRange now) const;
  // Where the text of an insertion is, by its place in insertions().
  SourceRange inserted(std::size_t which) const;
  // In the text of which insertion a place is that stands there now; none: it stood there before.
  std::optional<std::size_t> insertion_at(SourceRange now) const;
  bool is_inserted(SourceRange now) const { return insertion_at(now).has_value(); }

 private:
  std::uint32_t offset_before(std::uint32_t file, std::uint32_t now) const;

  std::vector<Insertion> insertions_;
};

// As `patch -p0` takes it in that folder: the lines that change, with three lines around them. Insertions are of whole lines, or
// within a line. `patch` refuses files that are not below the folder.
std::string unified_patch(const SourceMap& sources, const Edits& edits, const std::filesystem::path& folder);

}  // namespace concord::base
