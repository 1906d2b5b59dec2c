// The formulas that hold now, by levels: for those who have to tell them again.
#pragma once

#include <vector>

#include "base/check.h"
#include "formula/term.h"

namespace concord::smt {

class Stack {
 public:
  void push() { begins_.push_back(formulas_.size()); }
  void pop() {
    CONCORD_CHECK(!begins_.empty(), "pop without push");
    formulas_.resize(begins_.back());
    begins_.pop_back();
  }
  void add(formula::Term formula) { formulas_.push_back(formula); }

  const std::vector<formula::Term>& formulas() const { return formulas_; }
  // For every level but the outermost, where it begins in formulas().
  const std::vector<std::size_t>& begins() const { return begins_; }

 private:
  std::vector<formula::Term> formulas_;
  std::vector<std::size_t> begins_;
};

}  // namespace concord::smt
