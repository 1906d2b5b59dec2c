// Bounded sums, and what is known of them.
//
// The sum of a(k) for low <= k < high is a function of an array and the two ends. The summands are an array of the state where
// they are its entries, and otherwise a function of what occurs in them, each of whose entries is known. Nothing is said of
// sums in general; of those in a sequent these laws are added:
//
//     the sum of zeros, or of nothing, is 0;  one more summand;  one summand changed;  two sums are the same, or some summand differs;
//     the permutation lemma: the sum of a(p(k)) over 0 <= k < n is that of a(k), if p is a permutation of these numbers
#pragma once

#include <map>
#include <string>
#include <vector>

#include "formula/term.h"
#include "simulation/encode.h"

namespace concord::engine::dynamic {

using formula::Pool;
using formula::Term;

// The order in which the threads of a class pass a position: a permutation of 0, …, count - 1.
struct Order {
  std::string name;      // of the function from places in the order to threads
  std::string inverse;   // of that from threads to places
  Term count = nullptr;  // of the threads
};

class Sums final : public simulation::Summing {
 public:
  explicit Sums(Pool& pool) : pool_(pool) {}

  Term sum(Term bound, Term low, Term high, Term body) override;
  // The sum of a(p(k)) for 0 <= k < high, where `sum` is that of a(k).
  Term reordered(Term sum, const Order& order, Term high);
  static bool is_sum(Term term) { return term->op == formula::Op::kApply && term->name == kName; }
  // The laws, of the sums in these formulas.
  std::vector<Term> laws(const std::vector<Term>& formulas);
  // What such an array has at the index.
  Term entry(Term array, Term index);

 private:
  static constexpr const char* kName = "sum";
  // Summands that are a term in the number `k` and some others.
  struct Family {
    std::string name;
    Term body = nullptr;
    Term number = nullptr;
    std::vector<Term> others;
    const Order* order = nullptr;  // if it is another one, reordered
    Term of = nullptr;             // that one, in `others`
  };

  Term array_of(Term bound, Term body);
  const Family* family_of(Term array) const;
  Term make(Term array, Term low, Term high);
  void about(Term sum, std::vector<Term>& out);
  void about(Term one, Term other, std::vector<Term>& out);

  Pool& pool_;
  std::map<Term, std::size_t> by_body_;
  std::vector<Family> families_;
};

}  // namespace concord::engine::dynamic
