// One row for all the states that differ only in the numbers of threads which are known by number: as holders of locks, or as `tid`.
//
// Threads of a declaration are put in an order by what they contain and by what the shared part says of them, and take the numbers of their
// new places (renaming.h). Threads that cannot be told apart by that keep their order: then there may be several rows, which
// is a waste but no mistake.
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "explore/pair_table.h"
#include "explore/parts.h"
#include "explore/renaming.h"

namespace concord::explore {

class NormalForm {
 public:
  NormalForm(const plato::Program& program, Parts& parts, Defect defect)
      : program_(program), parts_(parts), defect_(defect), tells_all_(tells_all_that_is_seen(program)) {
    for (int d = 0; d < std::ssize(program.threads); ++d) begin_alike_.push_back(begin_alike(program, d));
  }

  // Brings the row into its form. False: something is not known yet, `may_compute` is false, and nothing was done.
  bool bring(Row& row, bool may_compute);
  // What the thread in that column does is, but for its number, what the one in the column before does.
  bool does_the_same(const Row& row, std::size_t column) const;
  // The numbers that threads of the row would get; empty: they keep theirs.
  Renaming renaming(const Row& row);

 private:
  static constexpr std::uint64_t kUnknown = ~std::uint64_t{0};

  std::uint64_t known_key(const Row& row, std::size_t column) const;
  std::uint64_t key(const Row& row, std::size_t column, bool may_compute);
  std::uint32_t number_of(std::string bytes);
  bool place(const Row& row, bool may_compute, std::vector<std::uint32_t>& from);
  bool may_exchange(const Row& row, std::size_t a, std::size_t b) const;
  static Renaming to_renaming(const std::vector<std::uint32_t>& from);

  const plato::Program& program_;
  Parts& parts_;
  const Defect defect_;
  const bool tells_all_;
  std::vector<bool> begin_alike_;                               // by thread declaration
  std::unordered_map<std::string, std::uint32_t> numbers_;      // of what is seen, from 1
  std::vector<std::uint32_t> contents_;                         // by thread part; 0: not known yet
  PairTable<std::uint32_t> shown_;                              // by shared part and thread
  std::map<std::vector<std::uint32_t>, std::uint32_t> orders_;  // from 1
  PairTable<Number> shared_;                                    // by shared part and order
  PairTable<Number> threads_;                                   // by thread part and order
};

}  // namespace concord::explore
