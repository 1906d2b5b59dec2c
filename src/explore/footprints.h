// What steps look at and change, as sets of places: enough to see that two of them have nothing to do with each other.
//
// A place is a variable, a field of all objects, the elements of all arrays, the monitors of all objects, which objects there
// are, or which threads there are and have finished. What a thread may still do is found in the flow of its procedures, whatever
// the values; but while another thread holds a lock, it comes no further than to where it takes that lock.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "explore/machine.h"
#include "explore/parts.h"

namespace concord::explore {

// Of places; where there are more than bits, some share one.
struct Footprint {
  std::uint64_t reads = 0;
  std::uint64_t writes = 0;

  Footprint& operator|=(const Footprint& other) {
    reads |= other.reads, writes |= other.writes;
    return *this;
  }
  friend bool operator==(const Footprint&, const Footprint&) = default;
};
// The order of two such steps matters.
inline bool meet(const Footprint& a, const Footprint& b) {
  return ((a.writes & (b.reads | b.writes)) | (a.reads & b.writes)) != 0;
}

// Some of the variables that are locks and nothing else.
using Locks = std::uint64_t;

class Footprints {
 public:
  Footprints(const Machine& machine, bool are_joined, Defect defect);

  // Of the step that the thread takes next, whichever it is. Nothing: the thread is watched, or inside a region, or at the head of a
  // loop, so that it must not go on alone for ever, or what it does there concerns other threads as such.
  std::optional<Footprint> next(const ThreadState& thread) const;
  // Of all that it may do from here on, and those that it starts, while another thread holds these locks.
  Footprint later(const ThreadState& thread, Locks held);
  Locks held(const State& state, Scalar self) const;
  // The local variable with the object whose monitor it has to take next, and nothing else to do; -1: it is not so.
  int wanted(const ThreadState& thread) const;
  Footprint of_monitors() const;

 private:
  // What may be done from a node on, and whether the procedure may be left.
  struct Rest {
    Footprint footprint;
    bool may_leave = false;
    friend bool operator==(const Rest&, const Rest&) = default;
  };
  using Rests = std::vector<std::vector<Rest>>;  // by procedure and node

  std::uint64_t bit(const std::string& place);
  std::uint64_t place(const plato::Expr& target, int owner);
  std::uint64_t written(const plato::Expr& target);
  bool has_arrays(int class_index) const;
  std::uint64_t places(const plato::Expr& expr, int owner);
  std::uint64_t places(const std::vector<plato::ExprPtr>& list, int owner);
  void watch_clauses();
  void find_locks();
  Footprint of(const plato::Flow& flow, const plato::FlowNode& node, const plato::FlowEdge& edge);
  Footprint of(const plato::Expr& expr);
  Footprint of(const plato::Stmt& statement);
  std::optional<Footprint> next_at(int procedure, int node);
  bool add_next(int procedure, const plato::FlowEdge& edge, Footprint& out);
  bool add_atomic(int procedure, int begin, Footprint& out);
  Locks locked_by(const plato::FlowEdge& edge) const;
  const Rests& rests(Locks held);

  const Machine& machine_;
  const plato::Program& program_;
  const bool are_joined_;
  const Defect defect_;
  std::map<std::string, int> places_;
  std::map<std::string, std::uint64_t> asked_;              // by place: what its clauses speak of
  std::uint64_t watched_ = 0;                               // what claims about all states or all steps speak of
  std::vector<int> locks_;                                  // the variables
  std::vector<std::vector<std::vector<Footprint>>> edges_;  // by procedure, node and edge
  std::map<Locks, Rests> rests_;
  std::vector<std::vector<std::optional<Footprint>>> next_;  // by procedure and node
};

}  // namespace concord::explore
