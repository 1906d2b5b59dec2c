// A 3-valued logical structure (definition 3.1 of the paper): individuals, some of which stand for several (`sm`), and the value of each
// predicate for them.
//
// A row is the values of a predicate for all individuals, as two sets of bits: for whom it may hold, and for whom it must. So the
// connectives are operations on words, of all individuals at once. A predicate of no or one argument has one row, one of two
// arguments a row for each first argument.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/shape/kleene.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

using Bits = std::uint64_t;

struct Row {
  Bits may = 0;
  Bits must = 0;  // a part of `may`
  friend bool operator==(const Row&, const Row&) = default;
};

inline Kleene at(const Row& row, int individual) {
  const Bits bit = Bits{1} << static_cast<unsigned>(individual);
  return (row.must & bit) != 0 ? Kleene::kTrue : (row.may & bit) != 0 ? Kleene::kUnknown : Kleene::kFalse;
}

// Where the rows of predicates are: the same for all structures of a system.
class Layout {
 public:
  explicit Layout(const System& system);
  int arity(int predicate) const { return arity_[static_cast<std::size_t>(predicate)]; }
  int predicates() const { return static_cast<int>(arity_.size()); }
  // The row of a predicate, for this first argument, in a structure of that size.
  std::size_t row(int predicate, int first, int size) const {
    const auto p = static_cast<std::size_t>(predicate);
    return arity_[p] < 2 ? place_[p]
                         : singles_ + place_[p] * static_cast<std::size_t>(size) + static_cast<std::size_t>(first);
  }
  std::size_t rows(int size) const { return singles_ + doubles_ * static_cast<std::size_t>(size); }
  int sm() const { return sm_; }

 private:
  std::vector<int> arity_;
  std::vector<std::size_t> place_;  // among those of one row, or of many
  std::size_t singles_ = 0;
  std::size_t doubles_ = 0;
  int sm_;
};

// Thrown if a structure would have more individuals than there are bits.
struct TooManyIndividuals {};

class Structure {
 public:
  static constexpr int kMostIndividuals = 64;

  Structure(const Layout& layout, int size);

  int size() const { return size_; }
  const Layout& layout() const { return *layout_; }
  Bits universe() const { return size_ == 64 ? ~Bits{0} : (Bits{1} << static_cast<unsigned>(size_)) - 1; }
  const Row& row(int predicate, int first = 0) const { return rows_[layout_->row(predicate, first, size_)]; }
  Row& row(int predicate, int first = 0) { return rows_[layout_->row(predicate, first, size_)]; }

  // Of a predicate with as many arguments as are given.
  Kleene get(int predicate) const { return at(row(predicate), 0); }
  Kleene get(int predicate, int a) const { return at(row(predicate), a); }
  Kleene get(int predicate, int a, int b) const { return at(row(predicate, a), b); }
  void set(int predicate, Kleene value) { set(row(predicate), 0, value); }
  void set(int predicate, int a, Kleene value) { set(row(predicate), a, value); }
  void set(int predicate, int a, int b, Kleene value) { set(row(predicate, a), b, value); }
  bool is_summary(int individual) const { return get(layout_->sm(), individual) != Kleene::kFalse; }

  // A new individual, of which nothing holds; its number.
  int add();
  // Another one like this, related to the same ones in the same ways; its number.
  int duplicate(int individual);
  // Without this one; those after it have the number before theirs.
  void remove(int individual);
  // The individual with the old number order[i] gets number i.
  Structure reordered(const std::vector<int>& order) const;

  // No value is unknown, and nobody stands for several.
  bool is_definite() const;

  std::uint64_t hash() const;
  friend bool operator==(const Structure& a, const Structure& b) { return a.size_ == b.size_ && a.rows_ == b.rows_; }

 private:
  static void set(Row& row, int individual, Kleene value);

  const Layout* layout_;
  int size_;
  std::vector<Row> rows_;
};

}  // namespace concord::engine::shape
