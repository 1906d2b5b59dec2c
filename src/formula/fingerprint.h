// A hash of formulas that is the same in every run: equal if and only if the formulas are, up to the names of constants and of
// quantified variables. These count by where they come first; sorts and functions by their names.
//
// Terms are written as they come: each node once, in post-order, then its number. What is added after push() is forgotten by
// pop(), numbers included, so that the hash depends on what is there, not on what was.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/sha256.h"
#include "formula/term.h"

namespace concord::formula {

class Fingerprint {
 public:
  explicit Fingerprint(base::Sha256 begun) : hash_(begun) {}

  void add(Term term);
  void add(const std::vector<Term>& terms);
  void add_number(std::int64_t number);
  void add_text(std::string_view text) { hash_.add_part(text); }
  void push();
  void pop();
  // Of all that was added and not popped; more may be added afterwards.
  std::string hex() const {
    base::Sha256 hash = hash_;
    return hash.hex();
  }

 private:
  struct Mark {
    base::Sha256 hash;
    std::size_t terms;
    std::size_t sorts;
  };

  void write(Term node);
  std::int64_t number(Sort sort);

  base::Sha256 hash_;
  std::unordered_map<Term, std::int64_t> terms_;  // by number
  std::unordered_map<Sort, std::int64_t> sorts_;
  std::vector<Term> term_order_;
  std::vector<Sort> sort_order_;
  std::vector<Mark> marks_;
};

}  // namespace concord::formula
