#include "frontend/java/dispatch.h"

#include <utility>
#include <vector>

#include "plato/class_flow.h"
#include "plato/walk.h"

namespace concord::frontend::java {

using plato::If;
using plato::InstanceOf;
using plato::Stmt;

void drop_impossible(plato::Program& program, const std::set<Stmt*>& dispatches) {
  if (dispatches.empty()) return;
  const plato::ClassFlow flow(program);
  std::vector<Stmt*> impossible;
  for (std::size_t p = 0; p < program.procedures.size(); ++p) {
    plato::for_each_stmt(*program.procedures[p].body, [&](const Stmt& statement) {
      const auto found = dispatches.find(const_cast<Stmt*>(&statement));  // NOLINT: to find it; it is ours to change
      if (found == dispatches.end()) return;
      const auto& test = std::get<InstanceOf>(std::get<If>(statement.node).condition->node);
      if (!flow.may_be(static_cast<int>(p), *test.thread, test.class_index)) impossible.push_back(*found);
    });
  }
  std::vector<plato::StmtPtr> dropped;  // until the end: one may be inside another
  for (Stmt* it : impossible) {
    auto& choice = std::get<If>(it->node);
    dropped.push_back(std::move(choice.then));
    plato::StmtPtr rest = std::move(choice.otherwise);
    it->node = std::move(rest->node);
  }
}

}  // namespace concord::frontend::java
