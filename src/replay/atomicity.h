// Which sequences of operations may be looked at as one step (docs/proofs.md, "Steps"): locks first, then one operation of any kind, then
// locks given back; what concerns nobody else, or is only ever touched under one and the same lock, anywhere in between.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "replay/code.h"

namespace concord::replay {

// What an operation has to do with others.
struct Touch {
  std::set<int> reads;   // shared variables
  std::set<int> writes;  // otherwise than by taking or giving back the lock that the variable is
  int takes = -1;
  int gives = -1;
  bool uses_lock = false;  // any
  bool may_block = false;
  bool may_fail = false;

  bool changes() const { return !writes.empty() || takes >= 0 || gives >= 0; }
};

Touch touch(const plato::Operation& operation);

// A way from one place to another, through the edges.
struct Way {
  int from = 0;  // nodes
  std::vector<const Edge*> edges;
  std::vector<int> nodes;  // where each edge begins

  int to() const { return edges.back()->target; }
};

// What a way does, as far as others see it.
struct Seen {
  std::optional<std::string> trouble;  // why it is not one step
  int writes = 0;                      // operations that change something shared
  bool may_end_behind_write = false;
  std::vector<std::string> rules;  // LOCK, UNLOCK and STEP, in order; PASS if there are none
};

class Atomicity {
 public:
  Atomicity(const plato::Program& program, std::vector<const Code*> codes);

  Seen look(std::size_t code, const Way& way) const;
  bool is_written(int variable) const { return written_.contains(variable); }
  // A variable that is only ever taken and given back, and free at first.
  bool is_lock(int variable) const { return locks_.contains(variable); }
  // A lock that is held wherever the variable is touched.
  const std::map<int, int>& protected_by() const { return protected_; }

 private:
  using Held = std::map<int, int>;  // locks that are surely held, and how often

  enum class Mover { kBoth, kRight, kLeft, kNone };
  struct Kind {
    Mover mover = Mover::kBoth;
    bool may_end = false;  // the thread may wait or go wrong there
  };

  void find_locks();
  void find_held();
  void find_protected();
  Held after(const Held& held, const Edge& edge) const;
  Kind kind(std::size_t code, int node, const Edge& edge) const;
  Kind plain(std::size_t code, int node, const Edge& edge) const;

  const plato::Program& program_;
  const std::vector<const Code*> codes_;
  std::set<int> written_;
  std::set<int> locks_;
  std::vector<std::vector<std::optional<Held>>> held_;
  std::map<int, int> protected_;
};

// Whatever a thread does from the node, it takes one of these ways, which begin there. Where it does not: how it goes on.
std::vector<Way> not_among(const Code& code, int node, const std::vector<const Way*>& ways);

}  // namespace concord::replay
