// A system of first-order transitions: predicates, actions, and where actions may be taken. Programs are lowered to it, and TVLA's
// models are read into it.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "base/source.h"
#include "engine/shape/formula.h"

namespace concord::engine::shape {

struct Predicate {
  std::string name;  // "n", "at[crit]", "reach[x]"
  int arity = 0;
  bool is_abstraction = false;  // nodes (or structures) that differ in it are not merged
  // What all its values satisfy.
  bool is_unique = false;    // of one argument: holds of one individual at most
  bool is_function = false;  // of two: the first determines the second
  bool is_inverse_function = false;
  bool is_symmetric = false;
  bool is_antisymmetric = false;
  bool is_reflexive = false;
  bool is_antireflexive = false;
  bool is_transitive = false;
  bool is_acyclic = false;
  bool is_pointer = false;  // drawn as a name with an arrow
  // Of an instrumentation predicate: what it means; null: a core predicate.
  FormulaPtr definition;
  std::vector<Variable> variables;  // its arguments in there
  base::SourceRange range;
};

// Wherever `body` holds `head` does: false, an atom, an equation, or the negation of one.
struct Rule {
  FormulaPtr body;
  FormulaPtr head;
  base::SourceRange range;
};

struct Message {
  FormulaPtr condition;
  std::string text;
  base::SourceRange range;
  int property = -1;  // of a program: which of its properties is broken
};

// predicate(variables…) = value, all at once with the others.
struct Update {
  int predicate = -1;
  std::vector<Variable> variables;
  FormulaPtr value;
  base::SourceRange range;
  // If they are there, the value is: it held and is not removed, or it is added.
  FormulaPtr adds = nullptr;
  FormulaPtr removes = nullptr;
  bool is_derived = false;  // found from the definition, and so right
};

struct Action {
  std::string title;  // "acquire"
  std::vector<FormulaPtr> focus;
  FormulaPtr precondition;  // null: none. Its free variables are bound wherever it holds, `tr` is the thread that moves
  std::vector<Message> messages;
  FormulaPtr
      goes_on;  // null: always. Else nothing comes of it where this does not hold; messages are raised all the same
  bool creates = false;    // %new: one new individual
  FormulaPtr created_for;  // %new F(v): one for each individual v with this; null: just one
  std::vector<Update> updates;
  FormulaPtr retained;  // %retain: what is not, is gone; null: all stays
  FormulaPtr halts;     // %halt: nothing is explored beyond; null: never
  base::SourceRange range;
};

struct Edge {
  int from = -1;
  int to = -1;
  int action = -1;
  bool goes_on = false;  // inside `atomic`, and `to` is in there too: the same thread goes on at once
  base::SourceRange range;
};

struct ThreadType {
  std::string name;
  int entry = -1;  // the label where it begins
};

// How the engine is broken on purpose, one way at a time, to see that the tests notice. kNone outside tests.
enum class Defect {
  kNone,
  kFocusLosesCase,     // an individual that stands for several is never one of them beside the rest
  kUpdateForgotten,    // whom a variable leads to is as it was before the action
  kBlurKeepsValue,     // what is known of one of those that become one is taken to hold of all
  kSummaryMovesWhole,  // threads that look alike take their steps together
};

struct System {
  Defect defect = Defect::kNone;
  std::vector<Predicate> predicates;
  std::vector<Rule> rules;  // the user's; those that follow from predicates are derived
  std::vector<Action> actions;
  std::vector<std::string> labels;
  std::vector<Edge> edges;
  // With threads: individuals that are somewhere; the label is a predicate. Else one location, and structures there.
  bool has_threads = false;
  int entry = -1;  // without threads
  std::vector<ThreadType> thread_types;
  std::vector<int> claims;  // actions that are tried in every state, with threads

  // Predefined, by number: summary individuals, those that are new, and with threads which individuals are threads, ready and chosen
  // to move, and where they are (by label).
  int sm = -1;
  int is_new = -1;
  int instance = -1;
  int is_thread = -1;
  int ready = -1;
  int runnable = -1;
  std::vector<int> at;
};

// A structure as it is written: what is not said is false.
struct Given {
  std::vector<std::string> nodes;
  struct Value {
    int predicate = -1;
    std::vector<int> tuple;  // of nodes
    Kleene value = Kleene::kTrue;
    base::SourceRange range;
  };
  std::vector<Value> values;
  base::SourceRange range;
};

}  // namespace concord::engine::shape
