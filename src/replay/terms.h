// What a configuration consists of, as terms: values of shared variables and locks, how many threads have passed each position, in which
// order they pass it, and the local variables of a thread.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "replay/code.h"
#include "replay/sums.h"

namespace concord::replay {

using formula::Sort;

// The threads of one declaration, and what the proof says of where they stand.
struct ThreadClass {
  int number = 0;  // of the declaration
  const plato::Thread* declaration = nullptr;
  Code code;
  std::vector<int> stops;       // nodes; the first is the entry
  std::map<int, int> position;  // of each stop
  int positions = 0;            // that of the end
  Term count = nullptr;
  Term thread = nullptr;  // the one that is looked at, by its number
  std::vector<Term> passed;
  std::vector<Permutation> orders;
  std::vector<Term> locals;  // of the thread that is looked at

  const plato::Procedure& entered(const plato::Program& program) const { return code.procedure(program, 0); }
};

// Values, by variable. Monitors have two in place of one.
struct State {
  std::vector<Term> value, holder, depth;
};

enum class Half { kValue, kHolder, kDepth };

class Terms {
 public:
  Terms(const plato::Program& program, bool has_java_ints) : program_(program), has_java_ints_(has_java_ints) {}

  Pool& pool() { return pool_; }
  const plato::Program& program() const { return program_; }
  bool has_java_ints() const { return has_java_ints_; }
  Sums& sums() { return sums_; }

  // Throws NotKnown for types of which the checker has no values.
  Sort sort(const plato::Type& type, Half half = Half::kValue);
  static bool has_monitors(const plato::Type& type);
  Term default_value(const plato::Type& type, Half half = Half::kValue);
  Term none() { return pool_.constant("none", tid()); }
  Sort tid() { return pool_.uninterpreted("Thread"); }
  Term constant(int index);
  // The thread of that class with that number.
  Term identity(int thread_class, Term number) {
    return pool_.apply("identity " + std::to_string(thread_class), {number}, tid());
  }
  // What the type says of a value: its range.
  Term within(Term value, const plato::Type& type);
  Term in_range(Term number, plato::Range range) {
    return pool_.and_(pool_.le(pool_.number(range.low), number), pool_.le(number, pool_.number(range.high)));
  }

  // The state as constants; `when`: "", "@first" and the like. What the checker has no values of has none.
  State state(const std::string& when);

 private:
  const plato::Program& program_;
  const bool has_java_ints_;
  Pool pool_;
  Sums sums_{pool_};
};

inline constexpr plato::Range kJavaInts{INT32_MIN, INT32_MAX};

}  // namespace concord::replay
