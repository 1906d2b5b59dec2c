// Bounded sums. The sum of b(k) for low <= k < high is a function of the two ends and of the largest parts of b that do not mention k;
// which function, says the rest of b. What is known of these functions is in laws(): each law is true of every sum.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "formula/term.h"

namespace concord::replay {

using formula::Pool;
using formula::Term;

// What a leaf may use besides its sequent (docs/proofs.md).
enum class Law { kPermutation, kInterplay, kSumEmpty, kSumNext, kSumChange, kSumReorder };
inline constexpr Law kAllLaws[] = {Law::kPermutation, Law::kInterplay, Law::kSumEmpty,
                                   Law::kSumNext,     Law::kSumChange, Law::kSumReorder};
const char* name(Law law);

// A permutation of the numbers from 0 up to `count`: the function `at` from places to threads.
struct Permutation {
  std::string at;
  std::string place;  // its inverse
  Term count = nullptr;
};

class Sums {
 public:
  explicit Sums(Pool& pool) : pool_(pool) {}

  void add(const Permutation& permutation) { permutations_.push_back(permutation); }
  const std::vector<Permutation>& permutations() const { return permutations_; }
  Term sum(Term bound, Term low, Term high, Term body);
  // The laws of the sums in these formulas, and of the sums in what they say.
  std::vector<Term> laws(const std::vector<Term>& formulas, const std::set<Law>& used);

 private:
  struct Family {
    Term bound = nullptr;
    std::vector<Term> parameters;
    Term body = nullptr;
    int reorders = -1;  // the number occurs in the body as the argument of this permutation only
  };

  const Family* family_of(Term sum) const;
  Term summand(Term sum, Term at) const;
  Term instance(const Family& family, Term sum, Term body) const;
  void one(Term sum, const std::set<Law>& used, std::vector<Term>& out);
  void two(Term first, Term second, const std::set<Law>& used, std::vector<Term>& out);
  void changed(Term first, Term second, Term at, std::vector<Term>& out);

  Pool& pool_;
  std::vector<Permutation> permutations_;
  std::vector<Family> families_;
  std::map<std::string, std::size_t> by_name_;
  std::map<Term, std::size_t> by_body_;
};

}  // namespace concord::replay
