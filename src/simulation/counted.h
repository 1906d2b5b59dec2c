// Abstract threads together, any number of them, as one sequential program: a loop that lets some thread take some edge.
//
// Threads of one machine differ only in the node they are at. So a state is the shared variables and, for each node, how many
// threads are there; where somebody asks who a thread is, also at which node each thread is. What is true in every state is
// found among candidates, which somebody else thinks of.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "simulation/simulation.h"

namespace concord::simulation {

// A node of a machine of the program.
struct NodeId {
  int machine = -1;
  int node = -1;
  friend auto operator<=>(const NodeId&, const NodeId&) = default;
};

// Something that is true or false of a state, or of a thread in it.
struct StateAtom {
  const plato::Expr* expr = nullptr;  // about shared variables, and the thread if it says `tid`; null: about a node
  NodeId node;
  int at_least = 0;  // so many threads are there; 0: the thread is there
  bool is_of_thread = false;
};

struct Literal {
  std::size_t atom = 0;
  bool wanted = true;
};

// A sum of multiples that is 0, or not more than that, in every state, or wherever a literal holds.
struct Equation {
  std::optional<Literal> where;
  bool is_at_most = false;
  struct Summand {
    std::int64_t factor = 0;
    enum class Kind { kOne, kThreads, kPlace, kNode } kind = Kind::kOne;
    int index = -1;                      // the machine whose threads are counted; of a place, whatever its owner likes
    const plato::Expr* place = nullptr;  // an integer, or a truth value as 0 or 1
    NodeId node;                         // whose threads are counted
  };
  std::vector<Summand> summands;
};

struct Guesses {
  std::vector<StateAtom> atoms;
  std::vector<std::vector<Literal>> clauses;  // of each, one literal holds, whichever thread is meant
  std::vector<Equation> equations;
};

// In the words of the program.
std::string to_string(const plato::Program& program, const StateAtom& atom, bool wanted);
std::string to_string(const plato::Program& program, const Guesses& guesses, const std::vector<Literal>& clause);
std::string to_string(const plato::Program& program, const Guesses& guesses, const Equation& equation);

// Somebody asks who a thread is.
bool has_identities(const plato::Program& program);

// Claims: the assertions of nodes, invariants, and what entries require. Suggestions: the guesses. Every thread has an abstract
// thread. Throws Unsupported.
Simulation simulate_composition(Pool& pool, const SimulationInput& input, const Guesses& guesses);

}  // namespace concord::simulation
