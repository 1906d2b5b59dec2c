// Configurations (sections 2.0.7 and 3.2): how many threads stand at each position, and in which order they pass it.
//
// Threads of a class are numbered from 0, as `index` does. For each position there is a permutation of these numbers: its k-th value is the
// thread that is the k-th to pass the position in the run at hand. It is the same in all states of the run (CONF), so a configuration
// is just, for each position, how many threads have passed it. The next one to pass it is the one that follows in its permutation.
//
// Threads whose run stops for good before a position come last in its permutation, in any order.
#pragma once

#include <deque>
#include <string>
#include <vector>

#include "engine/dynamic/positions.h"
#include "engine/dynamic/sums.h"
#include "engine/engine.h"
#include "simulation/world.h"

namespace concord::engine::dynamic {

using simulation::World;

// The threads of one declaration.
struct ThreadClass {
  const plato::Thread* declaration = nullptr;
  std::size_t number = 0;
  Code code;
  Positions positions;
  Term count = nullptr;      // how many there are
  std::deque<Order> orders;  // by position; addresses stay valid
  std::vector<Term> passed;  // by position: how many threads have passed it, in the current state
  std::vector<Term> locals;  // in the current state, of the thread that is looked at
};

class Configuration {
 public:
  // `fixed`: what --threads says.
  Configuration(World& world, std::vector<ThreadClass>& classes, std::optional<std::int64_t> fixed);

  std::vector<ThreadClass>& classes() const { return classes_; }
  // The identity of thread `index` of the class.
  Term identity(const ThreadClass& of, Term index) const;
  Term place(const Order& order, Term thread) const { return pool().apply(order.inverse, {thread}, pool().integer()); }
  Term at_place(const Order& order, Term place) const { return pool().apply(order.name, {place}, pool().integer()); }
  Term has_passed(const ThreadClass& of, std::size_t position, Term thread) const;

  // The numbers of threads are not negative, and nobody passes a position without having passed those before.
  std::vector<Term> counts() const;
  // What stands at position `at`, namely the thread: position choice, and the interplay of the orders there.
  std::vector<Term> stands(const ThreadClass& of, int at, Term thread) const;
  // It is the next one to pass the positions that it passes on its way there.
  std::vector<Term> passes(const ThreadClass& of, int from, int to, Term thread) const;
  // The permutation axioms and the interplay axiom, of what these formulas say; and that identities differ.
  std::vector<Term> axioms(const std::vector<Term>& formulas) const;
  // As a thread: its places; as a place: who is there.
  std::vector<Term> neighbours(Term number) const;
  // How many have passed each position after such a step; and in the first and the last configuration.
  formula::Substitution after(const ThreadClass& of, int from, int to) const;
  formula::Substitution first() const;
  formula::Substitution last() const;

  std::vector<std::string> assumptions;  // what --threads fixed

 private:
  Pool& pool() const { return world_.pool(); }
  void about(Term application, std::vector<Term>& out) const;

  World& world_;
  std::vector<ThreadClass>& classes_;
  std::vector<Term> given_;
};

}  // namespace concord::engine::dynamic
