// States of a run, as the second interpreter sees them (interpreter.h): plain values, copied freely, compared by what they
// print. Nothing here is shared with src/: only the syntax tree is.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "plato/syntax.h"

namespace concord::agree {

using plato::Expr;
using plato::Program;
using plato::Stmt;
using plato::Type;

// A value of any type; the type says which members count.
struct Value {
  std::int64_t number = 0;    // bool, int, enum constant, thread (0: none), object or array (0: null); monitor: holder
  std::int64_t depth = 0;     // monitor
  std::vector<Value> keys;    // set: its elements, sorted; map: the keys that differ from the rest, sorted
  std::vector<Value> values;  // map: values[i] belongs to keys[i]; the last one to every other key

  friend std::strong_ordering operator<=>(const Value& a, const Value& b);
  friend bool operator==(const Value& a, const Value& b) { return (a <=> b) == std::strong_ordering::equal; }
};

inline Value number(std::int64_t it) { return Value{it, 0, {}, {}}; }
Value default_value(const Type& type);
Value look_up(const Value& map, const Value& key);
Value with_entry(Value map, const Value& key, const Value& value);
// Maps over bool and enums are equal if they agree on every key, however they were built; this makes them identical.
Value normalised(Value value, const Type& type, const Program& program);
struct Store;
void normalise(Store& store, const Program& program);

struct Object {
  int class_index = -1;           // -1: an array
  const Type* element = nullptr;  // array: the type of its elements
  std::vector<Value> slots;       // fields or elements
  Value monitor;
};

// Everything clauses can speak of.
struct Store {
  std::vector<Value> consts;
  std::vector<Value> variables;
  std::vector<Object> heap;  // object k is heap[k - 1]
  std::vector<int> entered;  // thread k entered at procedure entered[k - 1]
};

// A place that holds a value. Entries of maps are below a variable, field, element or local.
struct Location {
  enum class Root { kVariable, kSlot, kObjectMonitor, kLocal } root = Root::kVariable;
  std::int64_t object = 0;  // kSlot, kObjectMonitor
  std::size_t index = 0;    // variable, field or element, slot of the frame
  std::vector<Value> keys;

  friend bool operator==(const Location&, const Location&) = default;
};

using Locals = std::vector<Value>;
Value read(const Store& store, const Locals& locals, const Location& at);
void write(Store& store, Locals& locals, const Location& at, Value value);

// One entry of a continuation: a statement and how far it is.
//   Block: the next statement of it      While, Loop: 0, and not on top if its body is running
//   call: 1 while the callee runs, 2 when the result waits to be assigned
//   Wait: 1 in the wait set              Atomic: 1 while its body runs        Labeled: likewise
//   Exclusive: 1 while a thread is inside, 2 when it has left it early
//   others: 0
struct Task {
  const Stmt* statement = nullptr;
  std::size_t progress = 0;

  friend auto operator<=>(const Task&, const Task&) = default;
};

struct Activation {
  int procedure = -1;
  Locals locals;
  std::vector<Task> tasks;             // the last one is next
  Value pending;                       // the result that waits to be assigned
  std::shared_ptr<const Store> entry;  // the store at entry, if an `ensures` looks back
  // The positions of the abstraction that explain the run so far, for each value that the procedure may return (one
  // entry if no action mentions \result). Empty: there is no abstraction, or it is broken already.
  std::map<Value, std::set<int>> positions;
  std::size_t old_objects = 0;  // how many there were at entry; the abstraction says nothing of later ones
};

struct ThreadState {
  std::vector<Activation> stack;      // empty: finished
  std::optional<Location> waits_for;  // in the wait set of this monitor, or taken out of it
  std::int64_t levels = 0;            // to take back after the wait
  bool notified = false;
  int declaration = -1;  // in Program::threads; -1: started by a statement
  std::set<int> nodes;   // possible nodes of its abstract thread; empty: none, or not watched

  bool finished() const { return stack.empty(); }
};

struct State {
  Store store;
  std::vector<ThreadState> threads;  // thread k is threads[k - 1]
  // Who was the first to access a thread_local variable (object 0) or field: object and number.
  std::map<std::pair<std::int64_t, std::size_t>, std::int64_t> owners;
  bool is_initialised = true;  // false: one thread runs alone, and clauses do not hold yet
};

std::string print(const Value& value);
std::string print(const Store& store);
std::string print(const State& state);

}  // namespace concord::agree
