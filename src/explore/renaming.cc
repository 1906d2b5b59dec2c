#include "explore/renaming.h"

#include <algorithm>
#include <map>
#include <utility>

#include "plato/classes.h"
#include "plato/flow.h"
#include "plato/walk.h"

namespace concord::explore {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

bool has_threads(const Type& type) {
  return type.kind == Type::Kind::kTid || type.kind == Type::Kind::kMonitor ||
         (type.first && has_threads(*type.first)) || (type.second && has_threads(*type.second));
}

// Threads by threads.
bool relates_threads(const Type& type) {
  if (type.kind == Type::Kind::kMap && has_threads(*type.first) && has_threads(*type.second)) return true;
  return (type.first && relates_threads(*type.first)) || (type.second && relates_threads(*type.second));
}

// It has a value whatever the values of its variables are, and we can compute it: no number that gets too large, nothing that must be tried
// for all numbers.
bool is_total(const Expr& expr) {
  bool out = true;
  for_each_expr(expr, [&](const Expr& it) {
    const auto* binary = std::get_if<BinaryExpr>(&it.node);
    const auto* unary = std::get_if<UnaryExpr>(&it.node);
    const auto* index = std::get_if<IndexExpr>(&it.node);
    const auto* quantifier = std::get_if<QuantifierExpr>(&it.node);
    const bool is_number = it.type.kind == Type::Kind::kInt || it.type.kind == Type::Kind::kFloat;
    const bool computes =
        is_number && (binary != nullptr || (unary != nullptr && unary->op == UnaryOp::kMinus) ||
                      std::holds_alternative<WrapExpr>(it.node) || std::holds_alternative<FloatExpr>(it.node) ||
                      std::holds_alternative<SizeExpr>(it.node) || std::holds_alternative<SumExpr>(it.node));
    const bool needs_object = std::holds_alternative<FieldExpr>(it.node) ||
                              std::holds_alternative<HoldsExpr>(it.node) || std::holds_alternative<CastExpr>(it.node) ||
                              std::holds_alternative<ShapeExpr>(it.node) ||
                              (unary != nullptr && unary->op == UnaryOp::kNonNull) ||
                              (index != nullptr && index->base->type.kind == Type::Kind::kArray);
    const bool tries_numbers =
        quantifier != nullptr &&
        std::any_of(quantifier->variables.begin(), quantifier->variables.end(), [](const auto& each) {
          return each.type.kind != Type::Kind::kBool && each.type.kind != Type::Kind::kEnum &&
                 each.type.kind != Type::Kind::kTid;
        });
    out = out && !computes && !needs_object && !tries_numbers;
  });
  return out;
}

// Threads are tried one after the other for what gets a new value; if several of them go wrong, the first one is told.
bool tries_threads_in_order(const Stmt& statement) {
  const auto is_thread = [](const ExprPtr& it) { return has_threads(it->type); };
  if (const auto* it = std::get_if<Havoc>(&statement.node)) {
    return it->targets.size() > 1 && std::any_of(it->targets.begin(), it->targets.end(), is_thread) &&
           !std::all_of(it->targets.begin(), it->targets.end(), [](const ExprPtr& each) { return is_total(*each); });
  }
  const auto* it = std::get_if<Direct>(&statement.node);
  if (it == nullptr || !it->action.frame) return it != nullptr;
  const bool is_about_threads = std::any_of(it->action.frame->begin(), it->action.frame->end(), is_thread);
  return is_about_threads && !is_total(*it->action.predicate);
}

// A quantifier over threads stops where it is decided: which entries of a map it has looked at then, and whether some instance has no
// value, depends on the order.
bool looks_at_threads_in_order(const Program& program) {
  bool out = false;
  const auto look = [&](const Expr& whole, bool is_code) {
    for_each_expr(whole, [&](const Expr& it) {
      const auto* quantifier = std::get_if<QuantifierExpr>(&it.node);
      if (quantifier == nullptr) return;
      const bool is_over_threads =
          std::any_of(quantifier->variables.begin(), quantifier->variables.end(),
                      [](const BoundVariable& variable) { return has_threads(variable.type); });
      out = out || (is_over_threads && (is_code || !is_total(*quantifier->body)));
    });
  };
  for_each_whole_expr(program, [&](const Expr& it, int) { look(it, false); });
  for (const Procedure& procedure : program.procedures) {
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      out = out || tries_threads_in_order(statement);
      for_each_part(
          statement, [&](const Expr& it) { look(it, true); }, [](const Stmt&) {}, [](const CallTarget&) {});
    });
  }
  for (const AbstractThread& machine : program.abstract_threads) {
    for (const AbstractThread::Node& it : machine.nodes) {
      if (it.assertion) look(*it.assertion, false);
    }
    for (const AbstractThread::Edge& it : machine.edges) {
      look(*it.step.predicate, false);
      for (std::size_t i = 0; it.step.frame && i < it.step.frame->size(); ++i) look(*(*it.step.frame)[i], false);
    }
  }
  return out;
}

}  // namespace

bool may_rename_threads(const Program& program) {
  bool out = !looks_at_threads_in_order(program);
  for (const Thread& it : program.threads) out = out && it.name.empty();
  for (const Variable& it : program.variables) out = out && !it.is_thread_local;
  for (const Class& owner : program.classes) {
    for (const Variable& it : owner.fields) out = out && !it.is_thread_local;
  }
  for (const Procedure& procedure : program.procedures) {
    for_each_stmt(*procedure.body,
                  [&](const Stmt& it) { out = out && !starts_thread(it) && !std::holds_alternative<Join>(it.node); });
  }
  return out;
}

bool begin_alike(const Program& program, int declaration) {
  bool out = true;
  for (const ExprPtr& argument : program.threads[declaration].target.arguments) {
    for_each_expr(*argument, [&](const Expr& it) { out = out && !std::holds_alternative<ThreadIndex>(it.node); });
  }
  return out;
}

bool tells_all_that_is_seen(const Program& program) {
  bool out = true;
  for (const Const& it : program.consts) out = out && !has_threads(it.type);
  for (const Variable& it : program.variables) out = out && !relates_threads(it.type);
  for (const Class& owner : program.classes) {
    for (const Variable& it : owner.fields) out = out && !relates_threads(it.type);
  }
  for (const Procedure& procedure : program.procedures) {
    const Contract& contract = procedure.contract;
    out = out && !contract.has_abstraction() && contract.ensures.empty() && contract.signals.empty() &&
          !has_threads(procedure.result);
    for (const Local& it : procedure.locals) out = out && !has_threads(it.type);
  }
  return out;
}

namespace {

// What is no thread keeps its number.
Scalar at(const Renaming& renaming, Scalar thread) {
  return thread >= 0 && thread < std::ssize(renaming) ? renaming[static_cast<std::size_t>(thread)] : thread;
}

Scalar renamed(Scalar scalar, const Type& type, const Renaming& renaming) {
  return type.kind == Type::Kind::kTid ? at(renaming, scalar) : scalar;
}

Value renamed(const Value& value, const Type& type, const Renaming& renaming) {
  if (!value.composite) return renamed(value.scalar, type, renaming);
  if (!has_threads(type)) return value;
  const Composite& from = *value.composite;
  Composite to;
  to.kind = from.kind;
  to.depth = from.depth;
  to.holder = at(renaming, from.holder);
  const bool is_monitor = from.kind == Composite::Kind::kMonitor;
  for (const Scalar it : from.elements)
    to.elements.insert(is_monitor ? at(renaming, it) : renamed(it, *type.first, renaming));
  if (from.kind == Composite::Kind::kMap) {
    to.rest = renamed(from.rest, *type.second, renaming);
    for (const auto& [key, entry] : from.entries) {
      to.entries.emplace(renamed(key, *type.first, renaming), renamed(entry, *type.second, renaming));
    }
  }
  return Value(std::move(to));
}

const Type& monitor_type() {
  static const Type kType = [] {
    Type out;
    out.kind = Type::Kind::kMonitor;
    return out;
  }();
  return kType;
}

void rename(const Program& program, Frame& frame, const Renaming& renaming) {
  const Procedure& procedure = program.procedures[frame.procedure];
  for (std::size_t slot = 0; slot < frame.locals.size(); ++slot) {
    frame.locals[slot] = renamed(frame.locals[slot], procedure.locals[slot].type, renaming);
  }
  if (frame.result_type != nullptr) frame.result = renamed(frame.result, *frame.result_type, renaming);
  const auto store = [&](std::shared_ptr<const Store>& it) {
    if (it) it = std::make_shared<const Store>(renamed(program, *it, renaming));
  };
  store(frame.entry);
  for (AbstractPlace& place : frame.places) {
    if (place.result) place.result = renamed(*place.result, procedure.result, renaming);
    for (AbstractPlace::Pending& it : place.pending) store(it.before), store(it.after);
  }
}

// `self` is -1, the others are -2.
Renaming from_inside(Scalar self, Scalar thread_count) {
  Renaming out(static_cast<std::size_t>(thread_count) + 1, -2);
  out[0] = 0;
  out[static_cast<std::size_t>(self)] = -1;
  return out;
}

// Entries for other threads would fall on each other if they were renamed: here their values are in order of their bytes.
void append_seen(std::string& bytes, const Value& value, const Type& type, const Renaming& inside) {
  const bool is_by_thread = value.composite && type.kind == Type::Kind::kMap && type.first->kind == Type::Kind::kTid;
  if (!is_by_thread) return append_to(bytes, renamed(value, type, inside));
  std::vector<std::pair<Scalar, std::string>> entries;
  for (const auto& [key, entry] : value.composite->entries) {
    entries.emplace_back(at(inside, key), "");
    append_seen(entries.back().second, entry, *type.second, inside);
  }
  std::sort(entries.begin(), entries.end());
  for (const auto& [key, entry] : entries) {
    append_to(bytes, key);
    bytes += entry;
  }
  append_seen(bytes, value.composite->rest, *type.second, inside);
}

}  // namespace

Store renamed(const Program& program, const Store& store, const Renaming& renaming) {
  Store out = store;
  for (std::size_t v = 0; v < out.variables.size(); ++v) {
    out.variables[v] = renamed(store.variables[v], program.variables[v].type, renaming);
  }
  for (Object& object : out.objects) {
    object.monitor = renamed(object.monitor, monitor_type(), renaming);
    for (std::size_t f = 0; f < object.fields.size(); ++f) {
      const Type& type =
          object.class_index < 0 ? *object.element : field_of(program, object.class_index, static_cast<int>(f)).type;
      object.fields[f] = renamed(object.fields[f], type, renaming);
    }
  }
  return out;
}

ThreadState renamed(const Program& program, const ThreadState& thread, const Renaming& renaming) {
  ThreadState out = thread;
  for (Place::Key& it : out.waiting.place.keys) it.key = renamed(it.key, *it.map->first, renaming);
  for (Frame& frame : out.frames) rename(program, frame, renaming);
  return out;
}

State renamed(const Program& program, const State& state, const Renaming& renaming) {
  State out = state;
  for (std::size_t c = 0; c < out.consts.size(); ++c) {
    out.consts[c] = renamed(state.consts[c], program.consts[c].type, renaming);
  }
  out.store = renamed(program, state.store, renaming);
  for (std::size_t t = 0; t < state.threads.size(); ++t) {
    ThreadState& to = out.threads[static_cast<std::size_t>(renaming[t + 1]) - 1];
    const int index = to.index;  // only a name
    to = renamed(program, state.threads[t], renaming);
    to.index = index;
  }
  return out;
}

std::string seen_by(const Program& program, const State& outside, Scalar self) {
  const Renaming inside = from_inside(self, std::ssize(outside.threads));
  std::string out;
  for (std::size_t v = 0; v < outside.store.variables.size(); ++v) {
    if (has_threads(program.variables[v].type))
      append_seen(out, outside.store.variables[v], program.variables[v].type, inside);
  }
  for (const Object& object : outside.store.objects) {
    append_seen(out, object.monitor, monitor_type(), inside);
    for (std::size_t f = 0; f < object.fields.size(); ++f) {
      const Type& type =
          object.class_index < 0 ? *object.element : field_of(program, object.class_index, static_cast<int>(f)).type;
      if (has_threads(type)) append_seen(out, object.fields[f], type, inside);
    }
  }
  return out;
}

std::string seen_by(const Program& program, const ThreadState& thread, Scalar self, Scalar thread_count) {
  std::string out;
  append_to(out, renamed(program, thread, from_inside(self, thread_count)));
  return out;
}

}  // namespace concord::explore
