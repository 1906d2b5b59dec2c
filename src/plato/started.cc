#include "plato/started.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "plato/classes.h"
#include "plato/copy.h"
#include "plato/flow.h"
#include "plato/places.h"
#include "plato/walk.h"

namespace concord::plato {

namespace {

const Procedure& procedure_at(const Program& program, int index) {
  return program.procedures[static_cast<std::size_t>(index)];
}

std::set<int> started_procedures(const Program& program) {
  std::set<int> all;
  for (int p = 0; p < std::ssize(program.procedures); ++p) all.insert(p);
  return started_in(program, all);
}

// -------------------------------------------------------------------------------------------------------------- how many

// How often something may happen; nothing: there is no limit that we know.
using Times = std::optional<std::int64_t>;

constexpr std::int64_t kManyTimes = 1000;

Times limited(std::int64_t times) { return times > kManyTimes ? Times{} : Times{times}; }
Times sum(Times a, Times b) { return a && b ? limited(*a + *b) : Times{}; }
Times product(Times a, Times b) {
  if (a == Times{0} || b == Times{0}) return 0;
  return a && b ? limited(*a * *b) : Times{};
}
Times larger(Times a, Times b) { return a && b ? Times{std::max(*a, *b)} : Times{}; }

class Counter {
 public:
  explicit Counter(const Program& program) : program_(program) {}

  Times threads_at(int procedure) {
    return in_whole([procedure](const Stmt& it) { return starts_thread(it) && called(it)->index == procedure; });
  }

  Times objects_of(int class_index) {
    return in_whole([&](const Stmt& it) {
      const Rhs* value = right_side(it);
      const auto* made = value == nullptr ? nullptr : std::get_if<NewObject>(value);
      return made != nullptr && is_subclass(program_, made->class_index, class_index);
    });
  }

 private:
  // In all threads: those that are declared, and those that these start.
  template <class Is>
  Times in_whole(Is is) {
    in_procedure_.clear();
    Times out = 0;
    for (const Thread& it : program_.threads) {
      const Times threads =
          it.count == Thread::Count::kNumber ? limited(std::max<std::int64_t>(it.number, 0)) : Times{};
      out = sum(out, product(threads, in_procedure(it.target.index, is)));
    }
    return out;
  }

  // With what it calls and starts.
  template <class Is>
  Times in_procedure(int procedure, Is is) {
    if (const auto known = in_procedure_.find(procedure); known != in_procedure_.end()) return known->second;
    Times out = 0;
    if (comes_back(procedure)) {  // and so may go on for ever
      for (const int it : run_from(program_, {procedure}, true)) {
        for_each_stmt(*procedure_at(program_, it).body, [&](const Stmt& statement) {
          if (is(statement)) out = {};
        });
      }
    } else {
      out = in_statement(*procedure_at(program_, procedure).body, is);
    }
    in_procedure_[procedure] = out;
    return out;
  }

  // What it calls or starts leads to it again.
  bool comes_back(int procedure) const {
    std::vector<int> next;
    for_each_stmt(*procedure_at(program_, procedure).body, [&](const Stmt& it) {
      if (const CallTarget* target = called(it)) next.push_back(target->index);
    });
    return run_from(program_, std::move(next), true).contains(procedure);
  }

  template <class Is>
  Times in_statement(const Stmt& statement, Is is) {
    Times out = is(statement) ? 1 : 0;
    if (const CallTarget* target = called(statement)) out = sum(out, in_procedure(target->index, is));
    const auto* branch = std::get_if<If>(&statement.node);
    const auto* choice = std::get_if<Choose>(&statement.node);
    const bool is_loop = std::holds_alternative<While>(statement.node) || std::holds_alternative<Loop>(statement.node);
    Times parts = 0;
    for_each_part(
        statement, [](const Expr&) {},
        [&](const Stmt& part) {
          const Times one = in_statement(part, is);
          parts = branch != nullptr || choice != nullptr ? larger(parts, one) : sum(parts, one);
        },
        [](const CallTarget&) {});
    if (is_loop && parts != Times{0}) return {};
    return sum(out, parts);
  }

  const Program& program_;
  std::map<int, Times> in_procedure_;  // what is known so far
};

// Whatever it may write: also a lock that is nothing but a variable.
template <class Visit>
void for_each_write(const Stmt& statement, Visit&& visit) {
  for_each_target(statement, visit);
  if (const auto* it = std::get_if<Acquire>(&statement.node)) visit(std::as_const(*it->lock));
  if (const auto* it = std::get_if<Release>(&statement.node)) visit(std::as_const(*it->lock));
  if (const auto* it = std::get_if<Wait>(&statement.node)) visit(std::as_const(*it->lock));
}

// ------------------------------------------------------------------------------------------------- an object starts once

bool is_same_local(const Expr& a, const Expr& b) { return local_slot(a) >= 0 && local_slot(a) == local_slot(b); }

// atomic { assert o.f == none; var t: tid = start p(o); o.f = t; }, where o may be cast: o, and the place of f.
struct Marked {
  const Stmt* assignment = nullptr;
  std::string place;
};

std::optional<Marked> marks_object(const Program& program, const Stmt& statement, int procedure) {
  const auto* atomic = std::get_if<Atomic>(&statement.node);
  const auto* block = atomic == nullptr ? nullptr : std::get_if<Block>(&atomic->body->node);
  if (block == nullptr || block->statements.size() != 3) return {};
  const auto* check = std::get_if<Assert>(&block->statements[0]->node);
  const Rhs* value = right_side(*block->statements[1]);
  const auto* declared = std::get_if<LocalDecl>(&block->statements[1]->node);
  const auto* mark = std::get_if<Assign>(&block->statements[2]->node);
  const auto* start = value == nullptr ? nullptr : std::get_if<StartExpr>(value);
  if (check == nullptr || start == nullptr || declared == nullptr || mark == nullptr) return {};
  if (block->statements[0]->is_assertion_waived) return {};
  if (start->target.index != procedure || start->target.arguments.empty()) return {};
  const auto* equation = std::get_if<BinaryExpr>(&check->condition->node);
  const auto* before = equation == nullptr ? nullptr : std::get_if<FieldExpr>(&equation->left->node);
  const auto* after = std::get_if<FieldExpr>(&mark->target->node);
  if (before == nullptr || after == nullptr || equation->op != BinaryOp::kEq) return {};
  if (!std::holds_alternative<NoneLit>(equation->right->node)) return {};
  const auto* marked_with = std::get_if<ExprPtr>(&mark->value);
  if (marked_with == nullptr || local_slot(**marked_with) != declared->slot) return {};
  const Expr* argument = start->target.arguments.front().get();
  if (const auto* cast = std::get_if<CastExpr>(&argument->node)) argument = cast->operand.get();
  if (!is_same_local(*before->object, *argument) || !is_same_local(*after->object, *argument)) return {};
  const std::string place = place_of(program, *mark->target);
  if (place.empty() || place != place_of(program, *equation->left)) return {};
  return Marked{block->statements[2].get(), place};
}

// No object is the first argument of two threads that are started at the procedure.
bool objects_start_once(const Program& program, int procedure) {
  std::set<const Stmt*> marks;
  std::set<std::string> places;
  std::size_t starts = 0;
  for (const Procedure& it : program.procedures) {
    for_each_stmt(*it.body, [&](const Stmt& statement) {
      if (starts_thread(statement) && called(statement)->index == procedure) ++starts;
    });
  }
  std::size_t marked = 0;
  // Whoever starts another thread with the object marks it, too.
  for (const int other : started_procedures(program)) {
    for (const Procedure& it : program.procedures) {
      for_each_stmt(*it.body, [&](const Stmt& statement) {
        const auto found = marks_object(program, statement, other);
        if (!found) return;
        marks.insert(found->assignment);
        if (other != procedure) return;
        ++marked;
        places.insert(found->place);
      });
    }
  }
  if (marked != starts || places.size() != 1) return false;
  // And the mark stays what it is.
  bool stays = true;
  for (const Procedure& it : program.procedures) {
    for_each_stmt(*it.body, [&](const Stmt& statement) {
      if (marks.contains(&statement)) return;
      for_each_write(statement,
                     [&](const Expr& target) { stays = stays && !places.contains(place_of(program, target)); });
      stays = stays && !may_do_anything(statement);
      const Rhs* value = right_side(statement);
      const auto* made = value == nullptr ? nullptr : std::get_if<NewObject>(value);
      if (made == nullptr) return;
      for (const NewObject::Init& init : made->inits) {
        const FieldHome home = field_home(program, made->class_index, init.index);
        const std::string owner = program.classes[static_cast<std::size_t>(home.class_index)].name;
        stays = stays && !places.contains(owner + "." + init.field);
      }
    });
  }
  for (const Class& it : program.classes) {
    for (const Variable& field : it.fields)
      stays = stays && !(field.init && places.contains(it.name + "." + field.name));
  }
  return stays;
}

// ------------------------------------------------------------------------------------------------ what others leave alone

struct Trouble {
  SourceRange at;
  std::string what;
};

constexpr const char* kMonitors = "monitors";

class Bystanders {
 public:
  explicit Bystanders(const Program& program) : program_(program) {
    for (const AbstractThread& machine : program.abstract_threads) {
      for (const AbstractThread::Node& it : machine.nodes) {
        if (it.assertion) speaks_of(*it.assertion, -1);
      }
      for (const AbstractThread::Edge& it : machine.edges) {
        speaks_of(it.step, -1);
        if (may_refer_anew(it.step)) whatever_exists_ = it.range;
      }
    }
    for (const Clause& it : program.clauses) {
      speaks_of(it.predicate, it.class_index);
      if (it.kind == Clause::Kind::kMonitorInvariant) places_.emplace(kMonitors, it.range);
      if (it.class_index >= 0) whatever_exists_ = it.range;
    }
  }

  // Throws Trouble if a thread without an abstract thread changes any of that.
  void check() {
    for (const int entry : concrete_entries(program_)) {
      std::vector<const Stmt*> todo;
      std::set<int> seen;
      const Procedure& entered = procedure_at(program_, entry);
      if (const auto begin = entry == program_.initialiser ? initialised_at(entered) : std::nullopt) {
        const auto& all = std::get<Block>(entered.body->node).statements;
        for (std::size_t i = *begin + 1; i < all.size(); ++i) todo.push_back(all[i].get());
      } else {
        todo.push_back(entered.body.get());
      }
      while (!todo.empty()) {
        const Stmt& next = *todo.back();
        todo.pop_back();
        for_each_stmt(next, [&](const Stmt& statement) {
          check(statement);
          const CallTarget* target = called(statement);
          const bool calls = target != nullptr && !starts_thread(statement);
          if (calls && seen.insert(target->index).second)
            todo.push_back(procedure_at(program_, target->index).body.get());
        });
      }
    }
  }

 private:
  // It may make something refer to any object that there is.
  static bool may_refer_anew(const TwoState& step) {
    return !step.frame || std::any_of(step.frame->begin(), step.frame->end(),
                                      [](const ExprPtr& it) { return refers_to_objects(it->type); });
  }

  void speaks_of(const TwoState& predicate, int owner) {
    speaks_of(*predicate.predicate, owner);
    if (!predicate.frame) return;
    for (const ExprPtr& it : *predicate.frame) speaks_of(*it, owner);
  }

  void speaks_of(const Expr& expr, int owner) {
    for_each_expr(expr, [&](const Expr& part) {
      const auto* field = std::get_if<FieldExpr>(&part.node);
      const auto* name = std::get_if<NameExpr>(&part.node);
      places_.emplace(place_of(program_, part), part.range);
      if (name != nullptr && name->ref.kind == Ref::Kind::kField) {
        const FieldHome home = field_home(program_, owner, name->ref.index);
        places_.emplace(program_.classes[static_cast<std::size_t>(home.class_index)].name + "." + name->name,
                        part.range);
      }
      const bool is_monitor =
          std::holds_alternative<HoldsExpr>(part.node) ||
          (name != nullptr &&
           (name->ref.kind == Ref::Kind::kMonitorHolder || name->ref.kind == Ref::Kind::kMonitorDepth)) ||
          (field != nullptr && (field->kind == FieldExpr::Kind::kHolder || field->kind == FieldExpr::Kind::kDepth));
      if (is_monitor || part.type.kind == Type::Kind::kMonitor) places_.emplace(kMonitors, part.range);
      if (std::holds_alternative<ShapeExpr>(part.node)) whatever_exists_ = whatever_changes_ = part.range;
      if (const auto* it = std::get_if<QuantifierExpr>(&part.node)) {
        for (const BoundVariable& variable : it->variables) {
          const Type::Kind kind = variable.type.kind;
          const bool is_counted = kind == Type::Kind::kBool || kind == Type::Kind::kInt || kind == Type::Kind::kEnum;
          if (!is_counted) whatever_exists_ = part.range;
        }
      }
    });
  }

  void check(const Stmt& statement) const {
    const auto refuse = [&](const std::string& what) { throw Trouble{statement.range, what}; };
    for_each_write(statement, [&](const Expr& target) {
      const std::string place = place_of(program_, target);
      if (!place.empty() && (whatever_changes_ || places_.contains(place)))
        refuse("a thread without an abstract thread that changes " + place +
               ", of which abstract threads or invariants "
               "speak");
    });
    const auto* direct = std::get_if<Direct>(&statement.node);
    if (may_do_anything(statement) || (direct != nullptr && !direct->action.frame))
      refuse("a thread without an abstract thread that may change anything");
    const bool uses_monitor = std::holds_alternative<Acquire>(statement.node) ||
                              std::holds_alternative<Release>(statement.node) ||
                              std::holds_alternative<Wait>(statement.node);
    if (uses_monitor && places_.contains(kMonitors))
      refuse("a thread without an abstract thread that uses monitors, of which abstract threads or invariants speak");
    const Rhs* value = right_side(statement);
    const bool makes =
        value != nullptr && (std::holds_alternative<NewObject>(*value) || std::holds_alternative<NewArray>(*value));
    if ((makes || starts_thread(statement)) && whatever_exists_)
      refuse(
          "a thread without an abstract thread that makes objects or starts threads, while clauses speak of all there "
          "are");
  }

  const Program& program_;
  std::map<std::string, SourceRange> places_;
  std::optional<SourceRange> whatever_exists_, whatever_changes_;
};

// In place of the procedure, for a thread.
Procedure does_nothing(const Procedure& instead_of) {
  Procedure out;
  out.name = instead_of.name;
  out.body = std::make_unique<Stmt>();
  out.body->node = Block{};
  out.range = out.name_range = out.end_range = instead_of.name_range;
  out.module = instead_of.module;
  return out;
}

}  // namespace

std::vector<int> concrete_entries(const Program& program) {
  std::set<int> out;
  for (const Thread& it : program.threads) {
    if (it.abstracted.index < 0) out.insert(it.target.index);
  }
  for (const int it : started_procedures(program)) {
    if (procedure_at(program, it).abstracted.index < 0) out.insert(it);
  }
  return {out.begin(), out.end()};
}

std::optional<std::int64_t> most_started(const Program& program, int procedure) {
  Counter counter(program);
  const Times threads = counter.threads_at(procedure);
  const std::vector<Local>& parameters = procedure_at(program, procedure).parameters;
  const bool has_object = !parameters.empty() && parameters.front().type.kind == Type::Kind::kClass;
  if (threads || !has_object || !objects_start_once(program, procedure)) return threads;
  return counter.objects_of(parameters.front().type.decl);
}

DeclaredThreads declared_threads(const Program& program) {
  DeclaredThreads out{copy(program), "", {}};
  try {
    Bystanders(program).check();
  } catch (const Trouble& trouble) {
    out.trouble = trouble.what;
    out.at = trouble.at;
    return out;
  }
  for (Thread& it : out.program.threads) {
    if (it.abstracted.index >= 0) continue;
    Procedure& entered = out.program.procedures[static_cast<std::size_t>(it.target.index)];
    if (it.target.index == program.initialiser) {
      std::get<Block>(entered.body->node).statements.resize(*initialised_at(entered) + 1);
      continue;
    }
    Procedure stands_for = does_nothing(entered);
    stands_for.parameters = stands_for.locals = entered.parameters;
    stands_for.contract.requires_ = copy(entered.contract.requires_);
    it.target.index = static_cast<int>(out.program.procedures.size());
    out.program.procedures.push_back(std::move(stands_for));
  }
  for (int p = 0; p < std::ssize(program.procedures); ++p) {
    const Procedure& started = procedure_at(program, p);
    if (started.abstracted.index < 0) continue;
    const std::optional<std::int64_t> most = most_started(program, p);
    if (most == 0) continue;
    Thread thread;
    thread.count = most ? Thread::Count::kNumber : Thread::Count::kUnbounded;
    thread.number = most.value_or(0);
    thread.has_brackets = true;
    thread.target.procedure = started.name;
    thread.target.index = static_cast<int>(out.program.procedures.size());
    thread.abstracted = started.abstracted;
    thread.range = started.abstracted.range;
    thread.module = started.module;
    out.program.procedures.push_back(does_nothing(started));
    out.program.threads.push_back(std::move(thread));
  }
  return out;
}

}  // namespace concord::plato
