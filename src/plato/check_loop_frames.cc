// `loop_modifies`: what a loop changes of the shared state, in its body and in what that calls, is among what is listed.
#include <map>
#include <set>

#include "plato/checker.h"
#include "plato/flow.h"
#include "plato/places.h"
#include "plato/walk.h"

namespace concord::plato {

void Checker::check_loop_frames() {
  std::map<int, std::set<std::string>> changes;  // by procedure, with what it calls
  for (bool changed = true; changed;) {
    changed = false;
    for (int p = 0; p < std::ssize(program_.procedures); ++p) {
      std::set<std::string>& own = changes[p];
      const std::size_t before = own.size();
      for_each_stmt(*program_.procedures[static_cast<std::size_t>(p)].body, [&](const Stmt& statement) {
        for_each_target(statement, [&](const Expr& target) { own.insert(place_of(program_, target)); });
        const CallTarget* target = called(statement);
        if (target == nullptr || starts_thread(statement)) return;
        const std::set<std::string> theirs = changes[target->index];
        own.insert(theirs.begin(), theirs.end());
      });
      changed = changed || own.size() > before;
    }
  }
  const auto check_loop = [&](const LoopSpec& spec, const Stmt& body) {
    if (!spec.modifies) return;
    std::set<std::string> listed{""};
    for (const ExprPtr& item : *spec.modifies) listed.insert(place_of(program_, *item));
    const auto check = [&](const std::string& what, const Stmt& statement) {
      if (listed.contains(what)) return;
      sink_.error(statement.range, "`loop_modifies` of the loop does not list what this changes",
                  "add it there, or leave the clause out");
    };
    for_each_stmt(body, [&](const Stmt& statement) {
      for_each_target(statement, [&](const Expr& target) { check(place_of(program_, target), statement); });
      const CallTarget* target = called(statement);
      if (target == nullptr || starts_thread(statement)) return;
      for (const std::string& what : changes[target->index]) check(what, statement);
    });
  };
  for (const Procedure& procedure : program_.procedures) {
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      if (const auto* it = std::get_if<While>(&statement.node)) check_loop(it->spec, *it->body);
      if (const auto* it = std::get_if<Loop>(&statement.node)) check_loop(it->spec, *it->body);
    });
  }
}

}  // namespace concord::plato
