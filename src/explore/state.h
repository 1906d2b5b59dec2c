// A state of a running program: the shared store, and every thread with its frames and what is monitored about it.
//
// States are plain values, copied freely: the referee is meant to be obvious, not fast. Two states are the same exactly if
// their bytes are (to_bytes).
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "explore/value.h"
#include "plato/flow.h"
#include "plato/syntax.h"

namespace concord::explore {

// A place that can be read and written: where it is rooted, and the keys of the maps on the way.
struct Place {
  enum class Kind { kLocal, kVariable, kField, kElement } kind = Kind::kVariable;
  Scalar object = 0;
  int index = 0;
  bool after = false;  // read in the after-state
  struct Key {
    Scalar key;
    const plato::Type* map;
  };
  std::vector<Key> keys;
};

// A lock: a plain lock or monitor at a place, or the monitor of an object.
struct Lock {
  Scalar object = 0;  // not 0: the monitor of this object
  Place place;        // else
  bool is_monitor = true;
};

// A place in the shared store, for races and access disciplines. Entries of a map are distinguished by their first key.
struct Location {
  enum class Kind { kVariable, kField, kElement, kMonitor } kind = Kind::kVariable;
  Scalar object = 0;     // kField, kElement: the reference
  int index = 0;         // variable or field number; kElement: the element's index
  bool has_key = false;  // one entry of a map, not the whole
  Scalar key = 0;
  friend auto operator<=>(const Location&, const Location&) = default;
};
bool overlap(const Location& a, const Location& b);

struct Object {
  int class_index = -1;                  // -1: an array
  std::vector<Value> fields;             // of an array: its elements
  base::SourceRange site;                // where it was created; not part of the state
  const plato::Type* element = nullptr;  // of an array; not part of the state, since whoever refers to it knows
  Value monitor;                         // of kind kMonitor
};

struct Store {
  std::vector<Value> variables;
  std::vector<Object> objects;  // reference r is objects[r - 1]
};
void append_to(std::string& bytes, const Store& store);
void append_to(std::string& bytes, const Lock& lock);

// A place F of an active abstraction: the next action to perform (0-based; n: all done). Where an action mentions \result,
// it fixes the value that the procedure must return; what cannot be decided before the result is known is kept.
struct AbstractPlace {
  int next = 0;
  std::optional<Scalar> result;
  struct Pending {
    int action = 0;
    std::shared_ptr<const Store> before, after;
    Scalar threads_before = 0, threads_after = 0;  // how many existed
  };
  std::vector<Pending> pending;
};

struct Frame {
  // Where the caller wants the result: a local slot, its result register, or nowhere.
  static constexpr int kToRegister = -1;
  static constexpr int kNowhere = -2;

  int procedure = 0;
  int node = 0;  // in the procedure's flow
  std::vector<Value> locals;
  Value result;                              // of the call just finished, until it is assigned
  const plato::Type* result_type = nullptr;  // not part of the state, since the node says which call it was
  int return_slot = kNowhere;
  // Where the caller wants an exception, and where it then goes on; not part of the state, like result_type.
  int catch_slot = kNowhere;
  int throw_node = -1;
  std::shared_ptr<const Store> entry;  // only if an `ensures` uses \old
  Scalar entry_threads = 0;            // with `entry`: how many threads existed
  std::vector<AbstractPlace> places;   // only if the procedure has an abstraction; F
  Scalar entry_objects = 0;            // with `places`: how many objects existed
};

struct ThreadState {
  int declaration = -1;  // Program::threads, or -1: started by a `start`
  int entry = 0;         // the procedure it entered
  int index = 0;         // number in its class
  bool finished = false;
  Scalar saved_depth = 0;  // in `wait`: the levels to take back
  Lock waiting;            // in `wait`: the monitor, evaluated once
  std::vector<Frame> frames;
  std::vector<bool> nodes;  // abstract thread: the possible nodes; empty: not monitored (any more)
};

struct State {
  std::vector<Value> consts;
  Store store;
  std::vector<ThreadState> threads;   // thread t is threads[t - 1]
  std::map<Location, Scalar> owners;  // thread_local locations: who accessed them first
  int atomic_depth = 0;               // only inside a step
  bool is_initialised = true;         // false: only the thread that initialises runs, and the claims do not hold yet
};

void append_to(std::string& bytes, const ThreadState& thread);
std::string to_bytes(const State& state);
void append_to(std::string& bytes, const AbstractPlace::Pending& pending);

}  // namespace concord::explore
