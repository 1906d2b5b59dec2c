// Random small Plato programs: one to three threads over a few variables of small types, with contracts and clauses that are
// often right and often wrong. Nearly all are well-formed, and nearly all have a finite and small state space: integers grow
// only where a thread passes finitely often.
//
// The same seed and options give the same text. Every statement and clause is on a line of its own.
#pragma once

#include <cstdint>
#include <string>

namespace concord::agree {

// What may occur. Each program uses a random part of what is allowed.
struct GeneratorOptions {
  bool maps = true;
  bool sets = true;
  bool enums = true;
  bool objects = true;  // a class, its objects, their monitors and clauses
  bool arrays = true;
  bool monitors = true;  // wait and notify too
  bool regions = true;   // that exclude each other
  bool plain_locks = true;
  bool ghosts = true;
  bool calls = true;
  bool starts = true;  // start and join
  bool atomics = true;
  bool choices = true;  // choose and loop
  bool direct = true;
  bool cas = true;
  bool havoc = true;
  bool contracts = true;     // requires, ensures
  bool abstractions = true;  // modifies, actions
  bool machines = true;      // abstract threads
  bool clauses = true;       // invariants, relies, guarantees, lock orders
  bool quantifiers = true;
  bool modules = true;
  bool risky = true;          // null dereferences, array bounds, division
  bool identities = true;     // something by which threads can be told apart: numbers, locks, names
  bool all_machines = false;  // every thread has an abstract thread, and there is little else
  bool lists = false;         // objects that are linked, and claims about what is reached from where
  bool final_links = false;   // those links are final, and threads lock several objects, along them or not
  bool free_integers = true;  // now and then a havoc or an initial value that no bound limits
  int max_threads = 3;
  int max_statements = 6;  // per procedure, about
};

std::string generate(std::uint64_t seed, const GeneratorOptions& options = {});

}  // namespace concord::agree
