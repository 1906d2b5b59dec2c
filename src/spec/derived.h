// What follows from the annotations: which invariants and relies a procedure is checked against (I and Ê of the paper,
// sections 4 and 6.3), and who calls whom.
//
// A procedure knows the clauses of the modules that its own module sees, so a callee never has to prove anything about its
// clients' variables. Theorem 1 speaks of one root that calls everything: an entry of a thread is checked against the
// clauses of an implicit root, which are those of all modules that concern the program. Whoever calls a procedure knows at
// least the clauses that it knows.
#pragma once

#include <vector>

#include "base/source.h"
#include "plato/syntax.h"

namespace concord::spec {

// A conjunct of the environment assumption.
struct Rely {
  enum class Kind {
    kClause,      // env_assumption
    kUnwritable,  // unwritable_by_env_if on `variable`
    kElements,    // elems_unwritable_by_env_if
    kWritable,    // writable_if: constrains the writer
    kGuarded,     // guarded_by: while I hold the lock others do not write
  };
  Kind kind = Kind::kClause;
  const plato::Clause* clause = nullptr;             // kClause
  const plato::FieldClause* field_clause = nullptr;  // the others
  const plato::Variable* variable = nullptr;         // the others: a shared variable or a field
  int class_index = -1;                              // the class whose `this` it speaks of, or -1
  int index = -1;                                    // of the variable in the program, of the field in its class
  base::SourceRange claim;
};

struct Specification {
  std::vector<bool> modules;
  std::vector<const plato::Clause*> invariants;  // global_invariant, and `invariant` of classes
  std::vector<Rely> relies;
  std::vector<const plato::LockOrder*> lock_orders;
};

class Derived {
 public:
  // `root_calls_entries` is false only to break an engine on purpose: entries then know no more than their own modules.
  explicit Derived(const plato::Program& program, bool root_calls_entries = true);

  const Specification& root() const { return root_; }
  const Specification& of(int procedure) const { return specifications_[static_cast<std::size_t>(procedure)]; }
  // Declared in a `thread`, or started.
  bool is_entry(int procedure) const { return entry_[static_cast<std::size_t>(procedure)]; }
  bool is_called(int procedure) const { return called_[static_cast<std::size_t>(procedure)]; }
  // May create threads, or objects: itself or through calls.
  bool may_start(int procedure) const { return starts_[static_cast<std::size_t>(procedure)]; }
  // May take a lock.
  bool may_acquire(int procedure) const { return acquires_[static_cast<std::size_t>(procedure)]; }
  bool may_allocate(int procedure) const { return allocates_[static_cast<std::size_t>(procedure)]; }
  // Somewhere the program may do anything: enter every procedure, too.
  bool has_unknown_code() const { return unknown_code_; }
  // The program has one thread, and it starts no other.
  bool is_sequential() const;

 private:
  Specification specification(const std::vector<bool>& modules) const;
  void find_calls();

  const plato::Program& program_;
  Specification root_;
  std::vector<Specification> specifications_;
  std::vector<bool> entry_, called_, starts_, allocates_, acquires_;
  std::vector<std::vector<int>> callees_;
  bool unknown_code_ = false;
};

}  // namespace concord::spec
