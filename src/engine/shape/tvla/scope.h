// Which variables of a formula are free, and which are bound in it.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "engine/shape/tvla/syntax.h"

namespace concord::engine::shape::tvla {

// Variables in order, each once: where it was first.
class Variables {
 public:
  Variables() = default;
  explicit Variables(const std::vector<Word>& words);
  void add(const Word& word);
  const Word* find(const std::string& text) const;  // null: not there
  auto begin() const { return words_.begin(); }
  auto end() const { return words_.end(); }

 private:
  std::vector<Word> words_;
  std::unordered_map<std::string, std::size_t> places_;
};

// One may be in both.
struct Occurrences {
  Variables free;
  Variables bound;
};

Occurrences occurrences(const Form& formula);

}  // namespace concord::engine::shape::tvla
