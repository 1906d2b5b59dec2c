// Walking Java trees without writing a visitor.
#pragma once

#include <utility>

#include "base/overloaded.h"
#include "frontend/java/tree.h"

namespace concord::frontend::java {

// Calls on_expr(const Expr&) and on_stmt(const Stmt&) for each direct part of an expression or statement, in source order;
// on_class(const ClassDecl&) for a class declared in it.
template <class OnExpr, class OnStmt, class OnClass>
struct Parts {
  OnExpr on_expr;
  OnStmt on_stmt;
  OnClass on_class;

  void one(const ExprPtr& it) {
    if (it) on_expr(std::as_const(*it));
  }
  void one(const StmtPtr& it) {
    if (it) on_stmt(std::as_const(*it));
  }
  template <class T>
  void each(const std::vector<T>& list) {
    for (const T& it : list) one(it);
  }
  void each(const std::vector<SwitchCase>& cases) {
    for (const SwitchCase& it : cases) each(it.labels), each(it.body);
  }
  void one(const std::shared_ptr<ClassDecl>& it) {
    if (it) on_class(std::as_const(*it));
  }

  void of(const Expr& expr) {
    std::visit(base::Overloaded{
                   [](const Literal&) {},
                   [](const Name&) {},
                   [](const This&) {},
                   [&](const Select& it) { one(it.object); },
                   [](const ClassLiteral&) {},
                   [&](const Index& it) { one(it.array), one(it.index); },
                   [&](const Unary& it) { one(it.operand); },
                   [&](const Binary& it) { one(it.left), one(it.right); },
                   [&](const Assign& it) { one(it.target), one(it.value); },
                   [&](const CompoundAssign& it) { one(it.target), one(it.value); },
                   [&](const Conditional& it) { one(it.condition), one(it.then), one(it.otherwise); },
                   [&](const Call& it) { one(it.receiver), each(it.arguments); },
                   [&](const New& it) { one(it.outer), each(it.arguments), one(it.body); },
                   [&](const NewArray& it) {
                     each(it.dimensions);
                     if (it.initialisers) each(*it.initialisers);
                   },
                   [&](const Cast& it) { one(it.operand); },
                   [&](const InstanceOf& it) { one(it.operand); },
                   [&](const Lambda& it) { one(it.expression), one(it.block); },
                   [&](const MethodRef& it) { one(it.receiver); },
                   [&](const SwitchExpr& it) { one(it.selector), each(it.cases); },
                   [](const UnsupportedExpr&) {},
               },
               expr.node);
  }

  void of(const Stmt& statement) {
    std::visit(base::Overloaded{
                   [&](const Block& it) { each(it.statements); },
                   [&](const LocalVar& it) { one(it.init); },
                   [&](const LocalClass& it) { one(it.declaration); },
                   [&](const ExprStmt& it) { one(it.expression); },
                   [&](const If& it) { one(it.condition), one(it.then), one(it.otherwise); },
                   [&](const While& it) { one(it.condition), one(it.body); },
                   [&](const DoWhile& it) { one(it.body), one(it.condition); },
                   [&](const For& it) { each(it.init), one(it.condition), each(it.update), one(it.body); },
                   [&](const ForEach& it) { one(it.collection), one(it.body); },
                   [&](const Labeled& it) { one(it.body); },
                   [&](const Switch& it) { one(it.selector), each(it.cases); },
                   [&](const Return& it) { one(it.value); },
                   [](const Break&) {},
                   [](const Continue&) {},
                   [&](const Yield& it) { one(it.value); },
                   [&](const Throw& it) { one(it.value); },
                   [&](const Try& it) {
                     each(it.resources), one(it.body);
                     for (const Catch& handler : it.catches) one(handler.body);
                     one(it.finally);
                   },
                   [&](const Synchronized& it) { one(it.lock), one(it.body); },
                   [&](const Assert& it) { one(it.condition), one(it.detail); },
                   [](const Empty&) {},
                   [](const UnsupportedStmt&) {},
               },
               statement.node);
  }

  void of(const ClassDecl& declaration) {
    for (const Member& member : declaration.members) {
      std::visit(base::Overloaded{
                     [&](const FieldDecl& it) { one(it.init); },
                     [&](const MethodDecl& it) { one(it.body); },
                     [&](const Initialiser& it) { one(it.body); },
                     [&](const std::shared_ptr<ClassDecl>& it) { one(it); },
                 },
                 member);
    }
  }
};
template <class OnExpr, class OnStmt, class OnClass>
Parts(OnExpr, OnStmt, OnClass) -> Parts<OnExpr, OnStmt, OnClass>;

// Calls visit for the root and everything below it, parents first: expressions, statements, classes declared inside.
template <class Root, class OnExpr, class OnStmt, class OnClass>
void walk(const Root& root, OnExpr&& on_expr, OnStmt&& on_stmt, OnClass&& on_class) {
  if constexpr (std::is_same_v<Root, Expr>) on_expr(root);
  if constexpr (std::is_same_v<Root, Stmt>) on_stmt(root);
  if constexpr (std::is_same_v<Root, ClassDecl>) on_class(root);
  const auto again = [&](const auto& part) { walk(part, on_expr, on_stmt, on_class); };
  Parts{again, again, again}.of(root);
}

}  // namespace concord::frontend::java
