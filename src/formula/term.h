// Terms and formulas of many-sorted first-order logic, hash-consed: equal terms are the same pointer, so a formula is a
// DAG whose size is the number of its different parts, and comparing or substituting costs no more than that.
//
// A Pool owns its sorts and terms and makes them; it is not shared between threads. Its constructors simplify what needs
// no thought (`and` with true, a select from the store just made), never what could change the meaning.
//
// Quantified variables are terms of their own (Op::kBound), different for every quantifier, so nothing is ever captured.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace concord::formula {

struct SortNode {
  enum class Kind { kBool, kInt, kUninterpreted, kEnum, kArray };
  Kind kind = Kind::kBool;
  std::string name;                    // kUninterpreted, kEnum
  std::vector<std::string> constants;  // kEnum: its values, all different, and nothing else
  const SortNode* key = nullptr;       // kArray
  const SortNode* value = nullptr;     // kArray
};
using Sort = const SortNode*;

enum class Op {
  kTrue,
  kFalse,
  kNumber,     // `number`
  kEnumConst,  // `number`: which constant of the sort
  kConst,      // a free constant, `name`
  kBound,      // a quantified variable, `name`
  kApply,      // an uninterpreted function `name` of the arguments
  kNot,
  kAnd,  // two or more
  kOr,   // two or more
  kImplies,
  kIte,
  kEq,   // of any sort; of Booleans: if and only if
  kAdd,  // two or more
  kSub,
  kMul,
  kNeg,
  kDiv,  // as in SMT-LIB: the remainder is never negative
  kMod,
  kLe,
  kLt,
  kSelect,      // array, key
  kStore,       // array, key, value
  kConstArray,  // the array that has the argument everywhere; `sort` says which
  kForall,      // `bound`, `patterns`; the argument is the body
  kExists,
};

struct Node;
using Term = const Node*;

struct Node {
  Op op;
  Sort sort;
  std::vector<Term> args;
  std::int64_t number = 0;
  std::string name;
  std::vector<Term> bound;                  // quantifiers: kBound terms
  std::vector<std::vector<Term>> patterns;  // quantifiers: alternatives, each of one or more terms
  std::uint32_t id = 0;                     // in order of creation
  bool has_quantifier = false;
  bool has_bound = false;  // a kBound occurs in it, bound or not
};

using Substitution = std::unordered_map<Term, Term>;

class Pool {
 public:
  Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  // ---- sorts
  Sort boolean() const { return bool_; }
  Sort integer() const { return int_; }
  Sort uninterpreted(const std::string& name);
  Sort enumeration(const std::string& name, const std::vector<std::string>& constants);
  Sort array(Sort key, Sort value);

  // ---- atoms
  Term truth(bool value) const { return value ? true_ : false_; }
  Term number(std::int64_t value);
  Term enum_const(Sort sort, std::int64_t which);
  Term constant(const std::string& name, Sort sort);  // the same name gives the same term
  Term fresh(const std::string& name, Sort sort);     // a constant that did not exist: name!7
  Term bound(const std::string& name, Sort sort);     // a new quantified variable
  Term apply(const std::string& function, const std::vector<Term>& args, Sort result);

  // ---- formulas
  Term not_(Term a);
  Term and_(const std::vector<Term>& parts);
  Term or_(const std::vector<Term>& parts);
  Term and_(Term a, Term b) { return and_(std::vector<Term>{a, b}); }
  Term or_(Term a, Term b) { return or_(std::vector<Term>{a, b}); }
  Term implies(Term a, Term b);
  Term ite(Term condition, Term then, Term otherwise);
  Term eq(Term a, Term b);
  Term ne(Term a, Term b) { return not_(eq(a, b)); }
  Term forall(std::vector<Term> bound, Term body, std::vector<std::vector<Term>> patterns = {});
  Term exists(std::vector<Term> bound, Term body, std::vector<std::vector<Term>> patterns = {});

  // ---- integers and arrays
  Term add(Term a, Term b);
  Term sub(Term a, Term b);
  Term mul(Term a, Term b);
  Term neg(Term a);
  Term div(Term a, Term b);
  Term mod(Term a, Term b);
  Term le(Term a, Term b);
  Term lt(Term a, Term b);
  Term select(Term array, Term key);
  Term store(Term array, Term key, Term value);
  Term const_array(Sort sort, Term value);

  // Every occurrence of a key of the map replaced by its value, at once.
  Term substitute(Term term, const Substitution& by);

  std::size_t size() const { return nodes_.size(); }

 private:
  struct Hash {
    std::size_t operator()(const Node* node) const;
  };
  struct Equal {
    bool operator()(const Node* a, const Node* b) const;
  };

  Term make(Node node);
  Term make(Op op, Sort sort, std::vector<Term> args);
  Term rebuild(Term term, const std::vector<Term>& args, const Substitution& by);
  Term quantifier(Op op, std::vector<Term> bound, Term body, std::vector<std::vector<Term>> patterns);
  Term junction(Op op, const std::vector<Term>& parts);

  std::vector<std::unique_ptr<SortNode>> sorts_;
  std::map<std::string, Sort> named_sorts_;
  std::map<std::pair<Sort, Sort>, Sort> array_sorts_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::unordered_set<const Node*, Hash, Equal> table_;
  std::uint32_t next_name_ = 0;
  Sort bool_;
  Sort int_;
  Term true_;
  Term false_;
};

// The constants (Op::kConst) of a term.
std::vector<Term> constants_of(Term term);
// The parts of a conjunction; the term itself if it is none.
std::vector<Term> conjuncts(Term term);

// On one line, SMT-LIB style: for people and tests.
std::string to_string(Sort sort);
std::string to_string(Term term);

}  // namespace concord::formula
