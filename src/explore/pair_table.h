// What is known of pairs of numbers, such as a thread's part and the shared part: a flat table, for the innermost loop.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace concord::explore {

template <class Known>
class PairTable {
 public:
  PairTable() : places_(kFirst), mask_(kFirst - 1) {}

  // Null: nothing yet. Neither number of a pair is 0.
  const Known* find(std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t key = std::uint64_t{a} << 32U | b;
    for (std::uint64_t at = hash(key) & mask_; places_[at].key != 0; at = (at + 1) & mask_) {
      if (places_[at].key == key) return &places_[at].known;
    }
    return nullptr;
  }

  // Of a pair that is not there.
  void add(std::uint32_t a, std::uint32_t b, Known known) {
    if (2 * ++size_ > places_.size()) grow();
    put({std::uint64_t{a} << 32U | b, std::move(known)});
  }

  void clear() { *this = PairTable(); }

 private:
  struct Place {
    std::uint64_t key = 0;  // 0: free
    Known known{};
  };
  static constexpr std::size_t kFirst = 1024;

  static std::uint64_t hash(std::uint64_t key) {
    key *= 0x9E3779B97F4A7C15U;
    return key ^ key >> 32U;
  }

  void put(Place place) {
    std::uint64_t at = hash(place.key) & mask_;
    while (places_[at].key != 0) at = (at + 1) & mask_;
    places_[at] = std::move(place);
  }

  void grow() {
    std::vector<Place> old(places_.size() * 2);
    old.swap(places_);
    mask_ = places_.size() - 1;
    for (Place& it : old) {
      if (it.key != 0) put(std::move(it));
    }
  }

  std::vector<Place> places_;
  std::uint64_t mask_;
  std::size_t size_ = 0;
};

}  // namespace concord::explore
