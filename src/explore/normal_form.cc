#include "explore/normal_form.h"

#include <algorithm>
#include <numeric>

namespace concord::explore {

std::uint32_t NormalForm::number_of(std::string bytes) {
  return numbers_.emplace(std::move(bytes), static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
}

// What its place depends on: first what the thread contains, then what the shared part says of it.
std::uint64_t NormalForm::known_key(const Row& row, std::size_t column) const {
  const Number thread = row[column];
  const std::uint32_t* shown = shown_.find(row[0], static_cast<std::uint32_t>(column));
  if (shown == nullptr || thread >= contents_.size() || contents_[thread] == 0) return kUnknown;
  return std::uint64_t{contents_[thread]} << 32U | *shown;
}

std::uint64_t NormalForm::key(const Row& row, std::size_t column, bool may_compute) {
  const std::uint64_t known = known_key(row, column);
  if (known != kUnknown || !may_compute) return known;
  const Number thread = row[column];
  const auto self = static_cast<Scalar>(column);
  const State& outside = parts_.outside(row[0]);
  if (thread >= contents_.size()) contents_.resize(thread + 1);
  contents_[thread] = number_of(seen_by(program_, parts_.thread(thread), self, std::ssize(outside.threads)));
  if (shown_.find(row[0], static_cast<std::uint32_t>(column)) == nullptr)
    shown_.add(row[0], static_cast<std::uint32_t>(column), number_of(seen_by(program_, outside, self)));
  return known_key(row, column);
}

bool NormalForm::does_the_same(const Row& row, std::size_t column) const {
  if (!tells_all_ || column < 2 || !may_exchange(row, column - 1, column)) return false;
  const std::uint64_t mine = known_key(row, column);
  return mine != kUnknown && mine == known_key(row, column - 1);
}

bool NormalForm::may_exchange(const Row& row, std::size_t a, std::size_t b) const {
  const int declaration = parts_.thread(row[a]).declaration;
  return declaration == parts_.thread(row[b]).declaration && begin_alike_[declaration];
}

// By place, from 0: the column from which a thread comes there. Empty: all stay.
bool NormalForm::place(const Row& row, bool may_compute, std::vector<std::uint32_t>& from) {
  std::vector<std::uint64_t> keys;
  for (std::size_t column = 1; column < row.size() && row[column] != 0; ++column) {
    keys.push_back(key(row, column, may_compute));
    if (keys.back() == kUnknown) return false;
  }
  bool is_sorted = true;
  for (std::size_t i = 1; i < keys.size(); ++i) {
    is_sorted = is_sorted && (keys[i - 1] <= keys[i] || !may_exchange(row, i, i + 1));
  }
  from.clear();
  if (is_sorted) return true;
  from.resize(keys.size());
  std::iota(from.begin(), from.end(), std::uint32_t{0});
  for (std::size_t begin = 0, end = 0; begin < keys.size(); begin = end) {
    end = begin + 1;
    while (end < keys.size() && may_exchange(row, begin + 1, end + 1)) ++end;
    std::stable_sort(from.begin() + static_cast<std::ptrdiff_t>(begin), from.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](std::uint32_t a, std::uint32_t b) { return keys[a] < keys[b]; });
  }
  return true;
}

Renaming NormalForm::to_renaming(const std::vector<std::uint32_t>& from) {
  Renaming out(from.size() + 1, 0);
  for (std::size_t i = 0; i < from.size(); ++i) out[from[i] + 1U] = static_cast<Scalar>(i + 1);
  return out;
}

Renaming NormalForm::renaming(const Row& row) {
  std::vector<std::uint32_t> from;
  (void)place(row, true, from);
  return from.empty() ? Renaming() : to_renaming(from);
}

bool NormalForm::bring(Row& row, bool may_compute) {
  std::vector<std::uint32_t> from;
  if (!place(row, may_compute, from)) return false;
  if (from.empty()) return true;
  const auto found = orders_.find(from);
  if (found == orders_.end() && !may_compute) return false;
  const std::uint32_t order = found != orders_.end()
                                  ? found->second
                                  : orders_.emplace(from, static_cast<std::uint32_t>(orders_.size() + 1)).first->second;
  Row out = row;
  const Number* shared = shared_.find(row[0], order);
  if (shared == nullptr) {
    if (!may_compute) return false;
    shared_.add(row[0], order, parts_.shared(renamed(program_, parts_.outside(row[0]), to_renaming(from))));
    shared = shared_.find(row[0], order);
  }
  if (defect_ != Defect::kRenamedHalf) out[0] = *shared;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const Number thread = row[from[i] + 1U];
    const Number* to = threads_.find(thread, order);
    if (to == nullptr) {
      if (!may_compute) return false;
      const ThreadState there = renamed(program_, parts_.thread(thread), to_renaming(from));
      threads_.add(thread, order, parts_.thread(there, static_cast<Scalar>(i + 1)));
      to = threads_.find(thread, order);
    }
    out[i + 1] = *to;
  }
  row = std::move(out);
  if (may_compute) (void)place(row, true, from);  // so that their places are known from now on
  return true;
}

}  // namespace concord::explore
