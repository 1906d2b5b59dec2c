// Array copies as quantified updates (section 3.1): a loop that copies elements one by one into an array that nobody else knows yet, from one that
// nobody changes meanwhile, does all of it at once.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/dynamic/flat_variables.h"
#include "plato/syntax.h"

namespace concord::engine::dynamic {

// while (i < end) { t = from[from_first + i]; to[to_first + i] = t; i = i + 1; }
struct CopyLoop {
  const plato::Expr* index = nullptr;  // a local variable
  const plato::Expr* end = nullptr;
  const plato::Expr* from = nullptr;
  const plato::Expr* to = nullptr;
  const plato::Expr* from_first = nullptr;  // null: 0
  const plato::Expr* to_first = nullptr;
};

// Nothing: the statement is no such loop.
std::optional<CopyLoop> copy_loop(const plato::Stmt& statement);

// `value`: what an expression is in the program that is made.
std::vector<plato::StmtPtr> copy_at_once(const CopyLoop& loop, const Home& from, const Home& to,
                                         const std::function<plato::ExprPtr(const plato::Expr&)>& value,
                                         base::SourceRange at);

// The copies of a body get any value before it is said what they are. No program can say that of a map, so it comes when all is resolved.
void choose_copies(const plato::Stmt& body);

}  // namespace concord::engine::dynamic
