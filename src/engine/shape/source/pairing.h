// Two threads in one configuration: what it may be if one thread knows it as one view and another as the other (the meet of two structures:
// Arnold, Manevich, Sagiv and Shaham, Combining Shape Analyses by Intersecting Abstractions).
//
// An object that both know is an individual of either; one that has not escaped its thread is an individual of one. Which individuals have
// objects in common is not said by the views, so every choice is tried that does not contradict what both say: an individual that
// stands for one object has one counterpart, each that shared variables surely lead to has some. What is known in either is known then.
#pragma once

#include <functional>
#include <vector>

#include "engine/shape/source/views.h"
#include "engine/shape/structure.h"

namespace concord::engine::shape::source {

// A view, made ready.
struct View {
  Structure structure;
  int thread = -1;
  int others = -1;
  std::vector<int> known;  // objects and numbers that another thread may know
  std::vector<int> own;
  Bits surely_shared = 0;
  // By predicate that says what other objects refer or lead to an object: for whom that may be because of one that the other view perhaps
  // does not have.
  std::vector<Bits> loose;
};

class Pairing {
 public:
  Pairing(const Lowered& lowered, const Views& views);

  View ready(const Structure& view) const;
  // It speaks of threads and their local variables only.
  bool is_about_thread(int predicate) const {
    const Sort sort = sorts_[static_cast<std::size_t>(predicate)];
    return sort == Sort::kThread || sort == Sort::kByLocal || sort == Sort::kNone;
  }

  // Calls visit(structure) for each, with the thread of `a` as individual 0 and that of `b` as 1, not coerced, until that says false. False
  // then, and if there are more choices than are looked at.
  using Visit = std::function<bool(Structure)>;
  bool pair(const View& a, const View& b, const Visit& visit) const;

 private:
  // What a predicate of one argument speaks of.
  enum class Sort {
    kObject,    // the same in all views
    kThread,    // of threads
    kByLocal,   // an object that a local variable refers to
    kBySource,  // an object that some other object refers to, or leads to
    kToThread,  // a shared variable that refers to a thread, or is locked by it
    kNone,      // of a single step
  };
  struct Source {
    int predicate = -1;
    int relation = -1;
    int r_by = -1;  // if it says that there are two
    bool is_local = false;
    bool is_path = false;  // what it refers to leads there
  };
  struct Individual;
  struct Choice;

  bool is_compatible(const View& a, int in_a, const View& b, int in_b) const;
  bool may_refer(const Choice& choice, const Individual& from, const Individual& to) const;
  bool is_consistent(const Choice& choice, std::size_t begin) const;
  bool choose(Choice& choice, std::size_t next) const;
  bool build(const Choice& choice) const;

  const Lowered& lowered_;
  const Vocabulary& vocabulary_;
  const System& system_;
  const Views& views_;
  std::vector<Sort> sorts_;           // by predicate
  std::vector<Source> sources_;       // kByLocal and kBySource
  std::vector<bool> to_thread_;       // by predicate of two arguments: a target may be a thread
  std::vector<bool> from_thread_;     // the source is one
  std::vector<int> between_objects_;  // predicates of two objects, neither of which is a thread
};

}  // namespace concord::engine::shape::source
