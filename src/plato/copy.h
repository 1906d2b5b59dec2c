// Copies of the tree, resolved or not.
#pragma once

#include <vector>

#include "plato/syntax.h"

namespace concord::plato {

ExprPtr copy(const Expr& expr);
std::vector<ExprPtr> copy(const std::vector<ExprPtr>& list);
TwoState copy(const TwoState& predicate);
StmtPtr copy(const Stmt& statement);
Contract copy(const Contract& contract);
Program copy(const Program& program);

}  // namespace concord::plato
