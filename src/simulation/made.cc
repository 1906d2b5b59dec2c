#include "simulation/made.h"

#include <algorithm>
#include <set>

#include "plato/classes.h"
#include "plato/flow.h"
#include "plato/walk.h"

namespace concord::simulation {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

// The shared variable that the expression is, or -1.
int shared(const Expr& expr) {
  const auto* name = std::get_if<NameExpr>(&expr.node);
  return name != nullptr && name->ref.kind == Ref::Kind::kShared ? name->ref.index : -1;
}

// The local variables of a procedure that have one value, a new object, from their declaration on.
class NewLocals {
 public:
  explicit NewLocals(const Procedure& procedure) {
    for_each_stmt(*procedure.body, [&](const Stmt& it) { look_at(it); });
    for (const auto& [slot, times] : assigned_) {
      if (times > 1) made_.erase(slot);
    }
    if (is_unknown_) made_.clear();
  }

  // Of an expression that is never null.
  std::optional<Made> made(const Expr& value) const {
    if (const auto* unary = std::get_if<UnaryExpr>(&value.node); unary != nullptr && unary->op == UnaryOp::kNonNull) {
      const std::optional<Made> operand = made(*unary->operand);
      return operand ? operand : Made{};
    }
    const auto found = made_.find(local_slot(value));
    if (found == made_.end()) return {};
    return found->second;
  }

 private:
  void look_at(const Stmt& statement) {
    is_unknown_ = is_unknown_ || may_do_anything(statement);
    for_each_target(statement, [&](const Expr& target) { ++assigned_[local_slot(target)]; });
    if (const CallTarget* call = called(statement)) ++assigned_[call->catch_slot];
    const auto* declared = std::get_if<LocalDecl>(&statement.node);
    if (declared == nullptr) return;
    ++assigned_[declared->slot];
    if (!declared->init) return;
    if (std::holds_alternative<NewObject>(*declared->init)) made_[declared->slot] = {};
    if (const auto* array = std::get_if<NewArray>(&*declared->init)) {
      const auto* size = std::get_if<IntLit>(&array->size->node);
      made_[declared->slot] = {size == nullptr ? std::optional<std::int64_t>{} : size->value};
    }
  }

  std::map<int, int> assigned_;  // by slot: how many statements do
  std::map<int, Made> made_;
  bool is_unknown_ = false;  // some statement may do anything
};

void keep_common(Made& known, const Made& other) {
  if (known.length != other.length) known.length.reset();
}

class Finder {
 public:
  explicit Finder(const Program& program) : program_(program) {
    for (const Procedure& procedure : program.procedures) {
      const NewLocals locals(procedure);
      for_each_stmt(*procedure.body, [&](const Stmt& statement) {
        const Rhs* value = right_side(statement);
        if (value == nullptr) return;
        if (const auto* object = std::get_if<NewObject>(value)) look_at(*object, locals);
      });
    }
    for (const auto& it : not_made_) out_.fields.erase(it);
    if (program.initialiser >= 0) look_at_initialiser();
  }

  MadeValues take() { return std::move(out_); }

 private:
  void look_at(const NewObject& object, const NewLocals& locals) {
    std::map<int, const Expr*> given;  // by number of the field
    for (const NewObject::Init& it : object.inits) given[it.index] = it.value.get();
    for (int number = 0; number < field_count(program_, object.class_index); ++number) {
      const FieldHome home = field_home(program_, object.class_index, number);
      const std::pair<int, int> which{home.class_index, home.place};
      const auto value = given.find(number);
      const std::optional<Made> made = value == given.end() || !field_of(program_, object.class_index, number).is_final
                                           ? std::nullopt
                                           : locals.made(*value->second);
      if (!made) {
        not_made_.insert(which);
      } else if (const auto [found, is_first] = out_.fields.try_emplace(which, *made); !is_first) {
        keep_common(found->second, *made);
      }
    }
  }

  // What the initialiser assigns on its only way to `initialised`.
  void look_at_initialiser() {
    const Procedure& procedure = program_.procedures[static_cast<std::size_t>(program_.initialiser)];
    const std::optional<std::size_t> end = initialised_at(procedure);
    if (!end) return;
    const NewLocals locals(procedure);
    const std::vector<StmtPtr>& statements = std::get<Block>(procedure.body->node).statements;
    for (std::size_t i = 0; i < *end; ++i) {
      const auto* it = std::get_if<Assign>(&statements[i]->node);
      const auto* value = it == nullptr ? nullptr : std::get_if<ExprPtr>(&it->value);
      const int variable = it == nullptr ? -1 : shared(*it->target);
      if (value == nullptr || variable < 0) continue;
      if (!program_.variables[static_cast<std::size_t>(variable)].is_final || assignments(variable) != 1) continue;
      if (const std::optional<Made> made = locals.made(**value)) out_.variables.emplace(variable, *made);
    }
  }

  // In the whole program.
  int assignments(int variable) const {
    int out = 0;
    for (const Procedure& procedure : program_.procedures) {
      for_each_stmt(*procedure.body, [&](const Stmt& statement) {
        for_each_target(statement, [&](const Expr& target) { out += shared(target) == variable ? 1 : 0; });
      });
    }
    return out;
  }

  const Program& program_;
  MadeValues out_;
  std::set<std::pair<int, int>> not_made_;
};

}  // namespace

MadeValues made_values(const Program& program) {
  const auto begins_with_objects = [](const Variable& it) {
    return it.init && std::holds_alternative<Star>(it.init->node);
  };
  if (std::any_of(program.variables.begin(), program.variables.end(), begins_with_objects)) return {};
  return Finder(program).take();
}

}  // namespace concord::simulation
