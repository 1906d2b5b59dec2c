// A state machine that a thread may follow, guessed from its code: nodes are the places between its steps that others can see, edges
// what a step looks at and what it writes there. What others may have changed since is forgotten; what local variables hold is part
// of the node.
//
// Nothing here needs to be right: the machine becomes an abstract thread, and the threads engine checks that the thread conforms to
// it (Lahiri, Malkis and Qadeer, Abstract Threads).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "base/source.h"
#include "formula/term.h"
#include "plato/syntax.h"

namespace concord::infer {

// Terms speak of shared locations by their names, of what they are after the step with a prime. What is not known of a step, the
// value of a local variable say, has a name that begins with `?`; fixed things have one that begins with `=`.
struct Machine {
  struct Node {
    std::vector<formula::Term> claims;  // of its assertion
    base::SourceRange at;               // what the thread does next
    bool is_end = false;
  };
  struct ByAge {
    bool operator()(formula::Term a, formula::Term b) const { return a->id < b->id; }
  };
  using Guard = std::set<formula::Term, ByAge>;
  struct Edge {
    int from = -1, to = -1;
    Guard guard;                                  // all of it holds
    std::map<std::string, formula::Term> writes;  // location, and value; null: any
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::shared_ptr<formula::Pool> pool;
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  int initial = 0;
};

// Of threads that begin there with these arguments, if they do only what can be followed: no locks, no objects that are made, no
// maps and arrays that are written. Without an edge where nothing happens, and nodes that nobody could tell apart are one.
std::optional<Machine> machine_of(const plato::Program& program, int procedure,
                                  const std::vector<plato::ExprPtr>& arguments);

// The same with these two nodes as one.
Machine merged(const Machine& machine, int node, int into);
// The same without edges on which nothing is looked at and nothing happens: their ends are one node, with the assertions of both.
Machine contracted(Machine machine);
// The same without any mention of a location that is only looked at.
Machine without_looking_at(const Machine& machine, const std::string& location);
// What guards look at.
std::set<std::string> looked_at(const Machine& machine);

// `abstract thread NAME { … }`, each line indented so; `name_of`: how locations are spelled.
std::string print(const Machine& machine, const std::string& name, const base::SourceMap& sources,
                  const std::map<std::string, std::string>& spelled, const std::string& indentation);

}  // namespace concord::infer
