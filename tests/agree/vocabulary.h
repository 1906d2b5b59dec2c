// Random expressions over the variables of a program that is being made up (generator.h).
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace concord::agree {

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  // From 0 to count - 1. The same on every machine.
  int below(int count) { return static_cast<int>(engine_() % static_cast<std::uint64_t>(count)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }
  template <class T>
  const T& pick(const std::vector<T>& list) {
    return list[static_cast<std::size_t>(below(static_cast<int>(list.size())))];
  }

 private:
  std::mt19937_64 engine_;
};

enum class Sort { kBool, kInt, kTid, kEnum, kClass };

struct Name {
  enum class Shape { kPlain, kMap, kSet, kArray, kMonitor } shape = Shape::kPlain;
  std::string name;
  Sort sort = Sort::kInt;  // of the value, the entries, the elements
  Sort key = Sort::kInt;   // maps
  bool shared = true;
  bool ghost = false;
  bool assignable = true;
  bool is_lock = false;  // a tid that is used with acquire and release
};

// What an expression may contain.
struct Where {
  bool spec = false;  // ghosts
  bool tid = true;
  bool locals = true;
  bool risky = false;  // o.f, a[i] and division, which may have no value
  enum class Style { kPlain, kPrimes, kOld } style = Style::kPlain;
  std::string self;  // not empty: only the fields of this class, by their bare names
};

class Vocabulary {
 public:
  explicit Vocabulary(Random& random) : random_(random) {}

  std::vector<Name> shared;
  std::vector<Name> locals;             // in scope
  std::vector<Name> fields;             // of the class
  std::vector<std::string> constants;   // of the enum; empty: there is no enum
  std::vector<std::string> procedures;  // for instanceof
  std::string named_thread;             // empty: none
  bool has_class = false;
  bool has_subclass = false;   // Tip, which extends Node
  Sort identity = Sort::kTid;  // kInt: threads are not to be told apart
  bool quantifiers = true;
  bool wild_quantifiers = false;  // over int too
  bool lists = false;             // much is said of what is reached

  std::string expr(Sort sort, int depth, const Where& where);
  std::string literal(Sort sort, bool tid_allowed);
  // A predicate about a step, with at least one mark of its style.
  std::string step(int depth, const Where& where);
  std::string fresh(const std::string& prefix) { return prefix + std::to_string(++count_); }
  static std::string type(Sort sort);
  static std::string type(const Name& name);

  // All names, or only those that `wanted` accepts.
  template <class Wanted>
  std::vector<Name> names(const Where& where, Wanted wanted) const {
    std::vector<Name> list;
    for (const Name& it : shared) {
      if (where.self.empty() && (where.spec || !it.ghost) && wanted(it)) list.push_back(it);
    }
    for (const Name& it : locals) {
      if (where.locals && where.self.empty() && wanted(it)) list.push_back(it);
    }
    for (const Name& it : fields) {
      if (!where.self.empty() && wanted(it)) list.push_back(it);
    }
    for (const Name& it : bound_) {
      if (wanted(it)) list.push_back(it);
    }
    return list;
  }
  bool marked() const { return marked_; }

 private:
  std::string leaf(Sort sort, const Where& where);
  std::string read(const Name& name, const Where& where);
  std::string mark(const std::string& text, const Name& name, const Where& where);
  std::string boolean(int depth, const Where& where);
  std::string list(const Where& where);  // a claim about one
  std::string comparison(int depth, const Where& where);
  std::string quantifier(int depth, const Where& where);
  std::string integer(int depth, const Where& where);
  std::string bits(int depth, const Where& where);
  std::string of_subclass(const Where& where);
  std::string set(Sort sort, const Where& where);
  std::string object(const Where& where);

  Random& random_;
  std::vector<Name> bound_;
  bool marked_ = false;
  int count_ = 0;
};

}  // namespace concord::agree
