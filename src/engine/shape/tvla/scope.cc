#include "engine/shape/tvla/scope.h"

#include <utility>

namespace concord::engine::shape::tvla {

namespace {

class Walk {
 public:
  void formula(const Form& it) {
    const bool is_quantifier = it.kind == Form::Kind::kExists || it.kind == Form::Kind::kForall;
    const bool is_closure = it.kind == Form::Kind::kClosure;
    const std::size_t free = is_quantifier ? 0 : is_closure ? 2 : it.variables.size();
    for (std::size_t i = 0; i < free; ++i) use(it.variables[i]);
    for (std::size_t i = free; i < it.variables.size(); ++i) bind(it.variables[i]);
    for (const FormPtr& part : it.parts) formula(*part);
    for (std::size_t i = free; i < it.variables.size(); ++i) --binders_[it.variables[i].text];
  }

  Occurrences take() { return std::move(out_); }

 private:
  void use(const Word& variable) {
    const auto found = binders_.find(variable.text);
    const bool is_free = found == binders_.end() || found->second == 0;
    if (is_free) out_.free.add(variable);
  }

  void bind(const Word& variable) {
    ++binders_[variable.text];
    out_.bound.add(variable);
  }

  std::unordered_map<std::string, int> binders_;  // around the place where we are
  Occurrences out_;
};

}  // namespace

Occurrences occurrences(const Form& formula) {
  Walk walk;
  walk.formula(formula);
  return walk.take();
}

Variables::Variables(const std::vector<Word>& words) {
  for (const Word& it : words) add(it);
}

void Variables::add(const Word& word) {
  if (places_.emplace(word.text, words_.size()).second) words_.push_back(word);
}

const Word* Variables::find(const std::string& text) const {
  const auto found = places_.find(text);
  return found == places_.end() ? nullptr : &words_[found->second];
}

}  // namespace concord::engine::shape::tvla
