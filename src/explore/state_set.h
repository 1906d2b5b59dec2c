// The states that were seen: rows of numbers, each kept once, in the order they came.
//
// A row is packed: the first number in as many bytes as the largest takes, the others likewise in as many as theirs. When larger
// numbers are to come, all rows are packed anew; that happens four times at most. A table of places finds a row by its hash. Each
// place has 32 bits of the hash beside the row's number, so that a row is looked at only if it is most likely the right one, and
// the table grows without looking at rows. States are not freed.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "explore/parts.h"

namespace concord::explore {

class StateSet {
 public:
  explicit StateSet(std::size_t columns);

  static std::uint64_t hash(const Number* row, std::size_t columns);
  // From now on the numbers in rows are at most these.
  void make_room(Number first, Number others);
  // Soon this hash will be looked for.
  void prefetch(std::uint64_t hash) const { __builtin_prefetch(&places_[place_of(hash)]); }
  // The row's place in the order, and whether it is new.
  std::pair<std::uint32_t, bool> insert(const Number* row, std::uint64_t hash);
  void get(std::uint32_t number, Number* row) const { unpack(packed(number), row); }
  std::uint32_t size() const { return size_; }
  // All that the set takes.
  std::size_t bytes() const;

 private:
  struct Place {
    std::uint32_t tag;
    std::uint32_t number;  // from 1; 0: free
  };
  static constexpr std::size_t kRowsInChunk = std::size_t{1} << 14U;

  // The upper half of the hash alone decides, since that is what a place remembers.
  std::uint64_t place_of(std::uint64_t hash) const { return (hash >> 32U) * 0x9E3779B97F4A7C15U >> shift_; }
  std::size_t width() const { return first_bytes_ + (columns_ - 1) * other_bytes_; }
  void grow();
  void pack(const Number* row, std::uint8_t* out) const;
  void unpack(const std::uint8_t* packed, Number* row) const;
  const std::uint8_t* packed(std::uint32_t number) const {
    return &chunks_[number / kRowsInChunk][number % kRowsInChunk * width()];
  }
  std::uint8_t* add_packed();

  const std::size_t columns_;
  std::size_t first_bytes_ = 1;
  std::size_t other_bytes_ = 1;
  std::uint32_t size_ = 0;
  std::vector<std::unique_ptr<std::uint8_t[]>> chunks_;
  std::vector<Place> places_;
  unsigned shift_ = 0;  // 64 minus the logarithm of how many places there are
  std::vector<std::uint8_t> scratch_;
};

}  // namespace concord::explore
