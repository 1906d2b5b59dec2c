// Parts before the whole, on an explicit stack: terms are as deep as programs are long.
#pragma once

#include <vector>

#include "formula/term.h"

namespace concord::smt {

// Visits the parts of a term (arguments, bound variables, patterns), then the term, unless done(part) says that this has
// happened; after visit(part) it must say so.
template <typename Done, typename Visit>
void postorder(formula::Term term, Done done, Visit visit) {
  std::vector<formula::Term> open{term};
  while (!open.empty()) {
    const formula::Term top = open.back();
    const std::size_t before = open.size();
    const auto need = [&](const std::vector<formula::Term>& parts) {
      for (formula::Term it : parts) {
        if (!done(it)) open.push_back(it);
      }
    };
    if (!done(top)) {
      need(top->args);
      need(top->bound);
      for (const auto& pattern : top->patterns) need(pattern);
      if (open.size() > before) continue;
      visit(top);
    }
    open.pop_back();
  }
}

}  // namespace concord::smt
