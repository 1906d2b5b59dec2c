// The variables that stand for fields of objects, their monitors, and arrays.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "engine/dynamic/flat.h"
#include "engine/dynamic/targets.h"

namespace concord::engine::dynamic {

// Where the elements of an array are.
struct Home {
  std::string elements;
  std::string length;  // a variable; empty: it is always the same
  std::int64_t fixed_length = 0;
};

// A variable, or a field of an object, that refers to something.
struct Holder {
  Target object = 0;  // 0: a variable
  int number = 0;     // of the field, or of the variable
  friend auto operator<=>(const Holder&, const Holder&) = default;
};

class FlatVariables {
 public:
  FlatVariables(const plato::Program& program, const explore::Store& store, const Targets& targets);

  const Targets& targets() const { return targets_; }
  const plato::Program& program() const { return program_; }
  const explore::Store& store() const { return store_; }
  std::string field(Target object, int number);
  std::string monitor(Target object);
  // Of an array that was there before.
  Home array(Target array);
  // Of the arrays that are in it, one after the other. Throws Refusal: they are elsewhere too.
  Home growing(const Holder& holder, base::SourceRange at);

  // Declarations that something else is known by, too: another reference is put there.
  void note_reference(const Holder& holder) { references_.insert(holder); }
  // What code reads and nothing is made of: no operation touches it.
  void note_left_out(const Holder& holder) { left_out_.insert(holder); }

  // Declarations of all that was asked for, with their first values.
  void declare(Flat& out) const;

 private:
  void find_names();
  const std::string& name_of(Target object) const { return names_[static_cast<std::size_t>(object - 1)]; }
  const explore::Object& object(Target it) const { return store_.objects[static_cast<std::size_t>(it - 1)]; }
  std::string name_of(const Holder& holder) const;
  std::set<Target> contents(const Holder& holder) const;
  std::vector<std::pair<Holder, std::set<Target>>> holders() const;
  void declare_elements(Flat& out, const Home& home, Target first) const;
  const plato::Variable& declared(const Holder& holder) const;
  void list_shared(Flat& out) const;

  const plato::Program& program_;
  const explore::Store& store_;
  const Targets& targets_;
  std::vector<std::string> names_;  // of objects, by number
  // What was asked for.
  std::set<std::pair<Target, int>> fields_;
  std::set<Target> monitors_;
  std::map<Target, Home> arrays_;
  struct Grown {
    Home home;
    Target first = 0;
    base::SourceRange at;
  };
  std::map<Holder, Grown> growing_;
  std::set<Holder> references_;
  std::set<Holder> left_out_;
};

}  // namespace concord::engine::dynamic
