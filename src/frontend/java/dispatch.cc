#include "frontend/java/dispatch.h"

#include <utility>
#include <vector>

#include "plato/class_flow.h"
#include "plato/walk.h"

namespace concord::frontend::java {

using plato::Assume;
using plato::Block;
using plato::If;
using plato::InstanceOf;
using plato::Stmt;
using plato::StmtPtr;

namespace {

class Pruning {
 public:
  Pruning(plato::Program& program, const std::set<Stmt*>& dispatches)
      : program_(program), dispatches_(dispatches), flow_(program) {}

  void run() {
    for (std::size_t p = 0; p < program_.procedures.size(); ++p) {
      procedure_ = static_cast<int>(p);
      plato::for_each_stmt(*program_.procedures[p].body, [&](const Stmt& it) { look_at(it); });
    }
    for (Block* it : last_) {
      std::get<Assume>(it->statements.front()->node).condition->node = plato::BoolLit{false};
      for (std::size_t i = 1; i < it->statements.size(); ++i) dropped_.push_back(std::move(it->statements[i]));
      it->statements.resize(1);
    }
    for (Stmt* it : choices_) {
      auto& choice = std::get<If>(it->node);
      dropped_.push_back(std::move(choice.then));
      const StmtPtr rest = std::move(choice.otherwise);
      it->node = std::move(rest->node);
    }
  }

 private:
  void look_at(const Stmt& statement) {
    if (Stmt* it = find(statement); it != nullptr && std::holds_alternative<If>(it->node)) {
      if (is_impossible(*std::get<If>(it->node).condition)) choices_.push_back(it);
    }
    const auto* block = std::get_if<Block>(&statement.node);
    if (block == nullptr || block->statements.empty() || find(*block->statements.front()) == nullptr) return;
    const auto* last = std::get_if<Assume>(&block->statements.front()->node);
    if (last != nullptr && is_impossible(*last->condition))
      last_.push_back(const_cast<Block*>(block));  // NOLINT: of the program, which is ours to change
  }

  Stmt* find(const Stmt& statement) const {
    const auto found = dispatches_.find(const_cast<Stmt*>(&statement));  // NOLINT: only to compare
    return found == dispatches_.end() ? nullptr : *found;
  }

  bool is_impossible(const plato::Expr& test) const {
    const auto& it = std::get<InstanceOf>(test.node);
    return !flow_.may_be(procedure_, *it.thread, it.class_index);
  }

  plato::Program& program_;
  const std::set<Stmt*>& dispatches_;
  const plato::ClassFlow flow_;
  int procedure_ = -1;
  std::vector<Stmt*> choices_;
  std::vector<Block*> last_;
  std::vector<StmtPtr> dropped_;  // kept until the end: one may be inside another
};

}  // namespace

void drop_impossible(plato::Program& program, const std::set<Stmt*>& dispatches) {
  if (!dispatches.empty()) Pruning(program, dispatches).run();
}

}  // namespace concord::frontend::java
