#include "explore/state_set.h"

#include <algorithm>
#include <cstring>

namespace concord::explore {

namespace {

constexpr unsigned kFirstLogarithm = 10;

std::size_t bytes_for(Number number) { return number < (1U << 8U) ? 1 : number < (1U << 16U) ? 2 : 4; }

template <class Short>
void narrow(const Number* row, std::size_t count, std::uint8_t* out) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto number = static_cast<Short>(row[i]);
    std::memcpy(out + i * sizeof(Short), &number, sizeof(Short));
  }
}

template <class Short>
void widen(const std::uint8_t* packed, std::size_t count, Number* row) {
  for (std::size_t i = 0; i < count; ++i) {
    Short number = 0;
    std::memcpy(&number, packed + i * sizeof(Short), sizeof(Short));
    row[i] = number;
  }
}

void pack_all(const Number* row, std::size_t count, std::size_t bytes, std::uint8_t* out) {
  if (bytes == 1) return narrow<std::uint8_t>(row, count, out);
  if (bytes == 2) return narrow<std::uint16_t>(row, count, out);
  narrow<std::uint32_t>(row, count, out);
}

void unpack_all(const std::uint8_t* packed, std::size_t count, std::size_t bytes, Number* row) {
  if (bytes == 1) return widen<std::uint8_t>(packed, count, row);
  if (bytes == 2) return widen<std::uint16_t>(packed, count, row);
  widen<std::uint32_t>(packed, count, row);
}

}  // namespace

StateSet::StateSet(std::size_t columns)
    : columns_(columns),
      places_(std::size_t{1} << kFirstLogarithm),
      shift_(64 - kFirstLogarithm),
      scratch_(columns * sizeof(Number)) {}

std::uint64_t StateSet::hash(const Number* row, std::size_t columns) {
  std::uint64_t out = 0x9E3779B97F4A7C15U;
  const auto mix = [&](std::uint64_t it) {
    out = (out ^ it) * 0xD6E8FEB86659FD93U;
    out ^= out >> 32U;
  };
  std::size_t i = 0;
  for (; i + 1 < columns; i += 2) mix(std::uint64_t{row[i]} << 32U | row[i + 1]);
  if (i < columns) mix(row[i]);
  mix(columns);
  return out;
}

void StateSet::make_room(Number first, Number others) {
  const std::size_t first_bytes = std::max(first_bytes_, bytes_for(first));
  const std::size_t other_bytes = std::max(other_bytes_, bytes_for(others));
  if (first_bytes == first_bytes_ && other_bytes == other_bytes_) return;
  StateSet old(columns_);
  old.first_bytes_ = std::exchange(first_bytes_, first_bytes);
  old.other_bytes_ = std::exchange(other_bytes_, other_bytes);
  old.chunks_.swap(chunks_);
  const std::uint32_t count = std::exchange(size_, 0);
  Row row(columns_);
  for (std::uint32_t i = 0; i < count; ++i) {
    old.get(i, row.data());
    pack(row.data(), add_packed());
    if ((i + 1) % kRowsInChunk == 0) old.chunks_[i / kRowsInChunk].reset();
  }
}

void StateSet::grow() {
  std::vector<Place> old(places_.size() * 2);
  old.swap(places_);
  --shift_;
  for (const Place& place : old) {
    if (place.number == 0) continue;
    std::uint64_t at = place_of(std::uint64_t{place.tag} << 32U);
    while (places_[at].number != 0) at = (at + 1) & (places_.size() - 1);
    places_[at] = place;
  }
}

std::pair<std::uint32_t, bool> StateSet::insert(const Number* row, std::uint64_t hash) {
  if (size_ >= places_.size() - places_.size() / 4) grow();
  pack(row, scratch_.data());
  const auto tag = static_cast<std::uint32_t>(hash >> 32U);
  std::uint64_t at = place_of(hash);
  for (; places_[at].number != 0; at = (at + 1) & (places_.size() - 1)) {
    if (places_[at].tag != tag) continue;
    const std::uint32_t number = places_[at].number - 1;
    if (std::memcmp(packed(number), scratch_.data(), width()) == 0) return {number, false};
  }
  std::memcpy(add_packed(), scratch_.data(), width());
  places_[at] = {tag, size_};
  return {size_ - 1, true};
}

std::uint8_t* StateSet::add_packed() {
  if (size_ % kRowsInChunk == 0)
    chunks_.push_back(std::make_unique_for_overwrite<std::uint8_t[]>(kRowsInChunk * width()));
  return &chunks_.back()[size_++ % kRowsInChunk * width()];
}

void StateSet::pack(const Number* row, std::uint8_t* out) const {
  pack_all(row, 1, first_bytes_, out);
  pack_all(row + 1, columns_ - 1, other_bytes_, out + first_bytes_);
}

void StateSet::unpack(const std::uint8_t* packed, Number* row) const {
  unpack_all(packed, 1, first_bytes_, row);
  unpack_all(packed + first_bytes_, columns_ - 1, other_bytes_, row + 1);
}

std::size_t StateSet::bytes() const { return size_ * width() + places_.size() * sizeof(Place); }

}  // namespace concord::explore
