// What each operation does to a state (the table in docs/plato.md, section 5).
//
// A perform_ function appends one Transition per outcome; none means that the operation blocks. An expression without a
// value throws Failure, which Machine::perform turns into a run that goes wrong.
#include <algorithm>

#include "base/check.h"
#include "base/overloaded.h"
#include "explore/machine.h"
#include "plato/classes.h"

namespace concord::explore {

using base::Overloaded;
using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::size_t kMostFrames = 64;
constexpr std::uint64_t kMostChoices = 10'000;

Frame& top(Transition& step, Scalar self) { return step.after.threads[self - 1].frames.back(); }

Value monitor_value(Scalar holder, Scalar depth, std::set<Scalar> waiters) {
  Composite monitor;
  monitor.kind = Composite::Kind::kMonitor;
  monitor.holder = holder;
  monitor.depth = depth;
  monitor.elements = std::move(waiters);
  return Value(std::move(monitor));
}

}  // namespace

// ------------------------------------------------------------------------------------------------------------- helpers

Scene Machine::code_scene(Transition& step, Scalar self) {
  Scene out = scene(step.after, self);
  out.log = &step.accesses;
  return out;
}

void Machine::log_write(Transition& step, const Place& place) {
  if (place.kind != Place::Kind::kLocal) step.accesses.push_back({location_of(place), true});
}

void Machine::assign(Transition& step, Scalar self, const Place& place, Value value) {
  log_write(step, place);
  write(program_, step.after.store, top(step, self).locals, place, std::move(value));
}

Value Machine::read_lock(const State& state, const Lock& lock) const {
  if (lock.object != 0) return state.store.objects[lock.object - 1].monitor;
  Scene where;
  where.before = &state.store;
  return Evaluator(where).read(lock.place);
}

void Machine::write_lock(Transition& step, Scalar self, const Lock& lock, Value value) {
  if (lock.object == 0) return assign(step, self, lock.place, std::move(value));
  step.after.store.objects[lock.object - 1].monitor = std::move(value);
  step.accesses.push_back({{Location::Kind::kMonitor, lock.object, 0, false, 0}, true});
}

Scalar Machine::allocate(Transition& step, Object object) {
  if (std::ssize(step.after.store.objects) >= settings_.max_objects) {
    throw Limit{"objects allocated: " + std::to_string(settings_.max_objects) + " at most (--objects)"};
  }
  object.monitor = monitor_value(0, 0, {});
  step.after.store.objects.push_back(std::move(object));
  return std::ssize(step.after.store.objects);
}

constexpr std::size_t kMostMaps = 100'000;

// Maps from integers: what each thread is given, by its number in its class. Other entries keep their default.
std::vector<Value> Machine::map_domain(const State& state, const Type& type, const char* what) {
  if (type.first->kind != Type::Kind::kInt)
    throw Limit{std::string(what) + " of type " + to_string(type) + " cannot be tried one by one"};
  const std::vector<Value> entries = domain(state, *type.second, what);
  std::vector<Value> out{default_value(type)};
  for (Scalar key = 0; key < std::ssize(state.threads); ++key) {
    std::vector<Value> next;
    for (const Value& map : out) {
      for (const Value& entry : entries) {
        patience_.poll();
        next.push_back(with_entry(map, key, entry, type, program_));
      }
    }
    if (next.size() > kMostMaps) throw Limit{std::string(what) + " of type " + to_string(type) + ": too many"};
    out = std::move(next);
  }
  bounds_.insert(std::string(what) + " of type " + to_string(type) + ": entries 0 to " +
                 std::to_string(state.threads.size()) + " - 1 only");
  return out;
}

std::vector<Value> Machine::domain(const State& state, const Type& type, const char* what) {
  std::vector<Value> out;
  const auto up_to = [&](Scalar low, Scalar high) {
    for (Scalar v = low; v <= high; ++v) out.emplace_back(v);
  };
  const std::string name = type.kind == Type::Kind::kFloat ? to_string(type) : "int";
  const auto try_int = [&](Scalar v) {
    if (type.kind == Type::Kind::kFloat) {
      out.emplace_back(compute(type.decl == 32 ? FloatOp::kToFloat32 : FloatOp::kToFloat64, 0, v));
    } else if (!type.values || (type.values->low <= v && v <= type.values->high)) {
      out.emplace_back(v);
    }
  };
  switch (type.kind) {
    case Type::Kind::kBool: up_to(0, 1); break;
    case Type::Kind::kEnum: up_to(0, std::ssize(program_.enums[type.decl].constants) - 1); break;
    case Type::Kind::kTid: up_to(0, std::ssize(state.threads)); break;
    case Type::Kind::kClass:
      out.emplace_back(0);
      for (std::size_t r = 0; r < state.store.objects.size(); ++r) {
        const int own = state.store.objects[r].class_index;  // of an array: -1
        if (own >= 0 && is_subclass(program_, own, type.decl)) out.emplace_back(static_cast<Scalar>(r + 1));
      }
      break;
    case Type::Kind::kInt:
    case Type::Kind::kFloat: {
      // A proof knows too little of numbers with floating point for a good suggestion.
      static const std::vector<std::int64_t> kNone;
      const auto& also = type.kind == Type::Kind::kFloat ? kNone : settings_.also_ints;
      if (static_cast<std::uint64_t>(settings_.int_high) - static_cast<std::uint64_t>(settings_.int_low) > kMostTried) {
        throw Limit{std::string(what) + " of type " + name + ": --ints has more than a million values"};
      }
      bounds_.insert(std::string(what) + " of type " + name + " tried from " + std::to_string(settings_.int_low) +
                     " to " + std::to_string(settings_.int_high) + " (--ints)" +
                     (also.empty() ? "" : ", and those that a failed proof suggests"));
      for (Scalar v = settings_.int_low; v <= settings_.int_high; ++v) try_int(v);
      for (const std::int64_t value : also) try_int(value);
      break;
    }
    case Type::Kind::kMap: return map_domain(state, type, what);
    default: throw Limit{std::string(what) + " of type " + to_string(type) + " cannot be tried one by one"};
  }
  return out;
}

// --------------------------------------------------------------------------------------------------------- operations

void Machine::perform_operation(Transition step, Scalar self, const FlowEdge& edge, std::vector<Transition>& out) {
  const Operation& operation = edge.operation;
  if (edge.target >= 0) top(step, self).node = edge.target;
  std::vector<Transition> results;
  switch (operation.kind) {
    case Operation::Kind::kSilent: base::internal_error(__FILE__, __LINE__, "a silent edge was performed");
    case Operation::Kind::kCondition: perform_condition(std::move(step), self, operation, out); return;
    case Operation::Kind::kCall: perform_call(std::move(step), self, edge, out); return;
    case Operation::Kind::kReturn: perform_return(std::move(step), self, operation, out); return;
    case Operation::Kind::kThrow: perform_throw(std::move(step), self, *operation.statement, out); return;
    case Operation::Kind::kWaitRelease: perform_wait_release(std::move(step), self, *operation.statement, out); return;
    case Operation::Kind::kWaitAcquire: perform_wait_acquire(std::move(step), self, out); return;
    case Operation::Kind::kAtomicBegin:
      ++step.after.atomic_depth;
      out.push_back(std::move(step));
      return;
    case Operation::Kind::kEnter:
    case Operation::Kind::kLeave: out.push_back(std::move(step)); return;
    case Operation::Kind::kAssignResult: {
      const Scene where = code_scene(step, self);
      const Place target = Evaluator(where).place(*std::get<Assign>(operation.statement->node).target);
      assign(step, self, target, std::exchange(top(step, self).result, Value()));
      top(step, self).result_type = nullptr;
      out.push_back(std::move(step));
      return;
    }
    case Operation::Kind::kAtomicEnd:
      --step.after.atomic_depth;
      results.push_back(std::move(step));
      break;
    case Operation::Kind::kStatement: perform_statement(std::move(step), self, *operation.statement, results); break;
  }
  for (Transition& it : results) {
    if (!it.failure) perform_sets(it, self, operation.statement->sets);
    out.push_back(std::move(it));
  }
}

void Machine::perform_sets(Transition& step, Scalar self, const std::vector<GhostSet>& sets) {
  for (const GhostSet& set : sets) {
    const Scene where = scene(step.after, self);
    const Place target = Evaluator(where).place(*set.target);
    Value value = Evaluator(where).value(*set.value);
    write(program_, step.after.store, top(step, self).locals, target, std::move(value));
  }
}

void Machine::perform_statement(Transition step, Scalar self, const Stmt& statement, std::vector<Transition>& out) {
  const auto impossible = [] { base::internal_error(__FILE__, __LINE__, "a statement that is no operation"); };
  std::visit(Overloaded{
                 [&](const LocalDecl& it) {
                   const Place target{Place::Kind::kLocal, 0, it.slot, false, {}};
                   if (it.init) return perform_assignment(std::move(step), self, target, *it.init, statement, out);
                   assign(step, self, target, default_value(it.type));
                   out.push_back(std::move(step));
                 },
                 [&](const Assign& it) {
                   const Scene where = code_scene(step, self);
                   const Place target = Evaluator(where).place(*it.target);
                   perform_assignment(std::move(step), self, target, it.value, statement, out);
                 },
                 [&](const Assert& it) {
                   const Scene where = scene(step.after, self);
                   if (!Evaluator(where).holds(*it.condition)) {
                     const Kind kind = engine::kind_of(it);
                     const bool is_precondition = kind == Kind::kPrecondition;
                     const std::string message = is_precondition               ? "the precondition does not hold"
                                                 : kind == Kind::kUseAfterFree ? "the object was freed"
                                                                               : "the assertion fails";
                     // A waived one is still a finding, but the run goes on: what comes after it must be looked at.
                     if (!statement.is_assertion_waived) throw Failure{kind, statement.range, message};
                     step.breaches.push_back({kind, statement.range, message});
                   }
                   out.push_back(std::move(step));
                 },
                 [&](const Assume& it) {
                   const Scene where = code_scene(step, self);
                   if (Evaluator(where).holds(*it.condition)) out.push_back(std::move(step));
                 },
                 [&](const Havoc& it) { perform_havoc(std::move(step), self, it, 0, out); },
                 [&](const CasSwap& it) { perform_cas_swap(std::move(step), self, it, out); },
                 [&](const Acquire& it) { perform_acquire(std::move(step), self, *it.lock, out); },
                 [&](const Release& it) { perform_release(std::move(step), self, statement, *it.lock, out); },
                 [&](const Notify&) { perform_notify(std::move(step), self, statement, out); },
                 [&](const Start& it) {
                   start_thread(step, self, it.target);
                   out.push_back(std::move(step));
                 },
                 [&](const Join&) { perform_join(std::move(step), self, statement, out); },
                 [&](const Skip&) { out.push_back(std::move(step)); },
                 [&](const Initialised&) {
                   step.after.is_initialised = true;
                   enter_declared(step, self);
                   out.push_back(std::move(step));
                 },
                 [&](const Direct& it) { perform_direct(std::move(step), self, it, out); },
                 [&](const SetStmt& it) {
                   const Scene where = scene(step.after, self);
                   const Place target = Evaluator(where).place(*it.set.target);
                   Value value = Evaluator(where).value(*it.set.value);
                   write(program_, step.after.store, top(step, self).locals, target, std::move(value));
                   out.push_back(std::move(step));
                 },
                 [&](const Unsupported&) { throw NotSupported(); },
                 [&](const Block&) { impossible(); },
                 [&](const If&) { impossible(); },
                 [&](const While&) { impossible(); },
                 [&](const Choose&) { impossible(); },
                 [&](const Loop&) { impossible(); },
                 [&](const Labeled&) { impossible(); },
                 [&](const Break&) { impossible(); },
                 [&](const Continue&) { impossible(); },
                 [&](const Return&) { impossible(); },
                 [&](const Throw&) { impossible(); },
                 [&](const Wait&) { impossible(); },
                 [&](const Call&) { impossible(); },
                 [&](const Atomic&) { impossible(); },
                 [&](const Exclusive&) { impossible(); },
             },
             statement.node);
}

void Machine::perform_condition(Transition step, Scalar self, const Operation& operation,
                                std::vector<Transition>& out) {
  const bool free = std::holds_alternative<Star>(operation.condition->node);
  const Scene where = code_scene(step, self);
  if (free || Evaluator(where).holds(*operation.condition) == operation.wanted) out.push_back(std::move(step));
}

// --------------------------------------------------------------------------------------------------------- assignments

void Machine::perform_assignment(Transition step, Scalar self, const Place& target, const Rhs& rhs,
                                 const Stmt& statement, std::vector<Transition>& out) {
  const auto finish = [&](Value value) {
    assign(step, self, target, std::move(value));
    out.push_back(std::move(step));
  };
  const Scene where = code_scene(step, self);
  std::visit(
      Overloaded{
          [&](const ExprPtr& it) { finish(Evaluator(where).value(*it)); },
          [&](const NewObject& it) {
            Object object;
            object.class_index = it.class_index;
            for (int f = 0; f < field_count(program_, it.class_index); ++f) {
              const Variable& field = field_of(program_, it.class_index, f);
              object.fields.push_back(field.init ? Evaluator(where).value(*field.init) : default_value(field.type));
            }
            for (const NewObject::Init& init : it.inits) {
              object.fields[init.index] = Evaluator(where).value(*init.value);
            }
            finish(allocate(step, std::move(object)));
          },
          [&](const NewArray& it) {
            const Scalar size = Evaluator(where).scalar(*it.size);
            if (size < 0) {
              throw Failure{Kind::kNegativeArraySize, statement.range, "an array of size " + std::to_string(size)};
            }
            if (size > 10'000) throw Limit{"an array of more than 10000 elements"};
            Object object;
            object.site = statement.range;
            object.element = &it.element;
            object.fields.assign(static_cast<std::size_t>(size), default_value(it.element));
            finish(allocate(step, std::move(object)));
          },
          [&](const CasExpr& it) {
            const Place location = Evaluator(where).place(*it.location);
            const Value expected = Evaluator(where).value(*it.expected);
            Value value = Evaluator(where).value(*it.value);
            const bool equal = Evaluator(where).read(location) == expected;
            log_write(step, location);
            if (equal) assign(step, self, location, std::move(value));
            finish(Scalar{equal});
          },
          [&](const CallExpr&) { base::internal_error(__FILE__, __LINE__, "a call is no assignment"); },
          [&](const StartExpr& it) { finish(start_thread(step, self, it.target)); },
      },
      rhs);
}

void Machine::perform_havoc(Transition step, Scalar self, const Havoc& havoc, std::size_t target,
                            std::vector<Transition>& out) {
  if (target == havoc.targets.size()) {
    out.push_back(std::move(step));
    return;
  }
  const Scene where = code_scene(step, self);
  const Place place = Evaluator(where).place(*havoc.targets[target]);
  std::vector<Value> values;
  if (havoc.low) {
    const Scalar low = Evaluator(where).scalar(*havoc.low);
    const Scalar high = Evaluator(where).scalar(*havoc.high);
    if (high > low && static_cast<std::uint64_t>(high) - static_cast<std::uint64_t>(low) > kMostChoices) {
      throw Limit{"havoc over more than " + std::to_string(kMostChoices) + " values"};
    }
    for (Scalar v = low; v <= high; ++v) values.emplace_back(v);
  } else {
    values = domain(step.after, havoc.targets[target]->type, "havoc");
  }
  for (Value& value : values) {
    patience_.poll();
    Transition copy = step;
    assign(copy, self, place, std::move(value));
    perform_havoc(std::move(copy), self, havoc, target + 1, out);
  }
}

void Machine::perform_cas_swap(Transition step, Scalar self, const CasSwap& cas, std::vector<Transition>& out) {
  const Scene where = code_scene(step, self);
  Evaluator evaluator(where);
  const Place location = evaluator.place(*cas.location);
  const Value expected = evaluator.value(*cas.expected);
  const Place other = evaluator.place(*cas.value);
  Value current = evaluator.read(location);
  log_write(step, location);
  if (current == expected) {
    Value swapped = evaluator.read(other);
    assign(step, self, location, std::move(swapped));
    assign(step, self, other, std::move(current));
  }
  out.push_back(std::move(step));
}

void Machine::perform_direct(Transition step, Scalar self, const Direct& direct, std::vector<Transition>& out) {
  const std::size_t accesses_before = step.accesses.size();
  const Scene where = code_scene(step, self);
  const Scene unlogged = scene(step.after, self);  // like an assertion, its reads are no accesses
  if (direct.wrong_unless && !Evaluator(unlogged).holds(*direct.wrong_unless)) {
    throw Failure{Kind::kAssertion, direct.wrong_unless->range, "the condition of the operation does not hold"};
  }
  std::vector<Unknown> unknowns;
  std::vector<std::vector<Value>> domains;
  if (direct.action.frame) {
    for (const ExprPtr& item : *direct.action.frame) {
      Place place = Evaluator(where).place(*item);
      place.after = false;
      const bool repeated =
          std::any_of(unknowns.begin(), unknowns.end(), [&](const Unknown& it) { return same_place(it.place, place); });
      if (repeated) continue;
      unknowns.push_back({place, &item->type});
      const std::set<std::string> bounds = bounds_;
      const bool composite = item->type.kind == Type::Kind::kSet || item->type.kind == Type::Kind::kMap ||
                             item->type.kind == Type::Kind::kArray;
      domains.push_back(composite ? std::vector<Value>{} : domain(step.after, item->type, "direct operations"));
      bounds_ = bounds;  // whether the range mattered is known only after solving
    }
  }
  const Solutions solutions = solve(direct.action, unknowns, where, domains);
  const std::string tried = "direct operations tried integers from " + std::to_string(settings_.int_low) + " to " +
                            std::to_string(settings_.int_high) + " (--ints)";
  // Perhaps another integer would do: not known to block.
  if (solutions.bounded && solutions.all.empty() && !solutions.failure) throw Limit{tried};
  if (solutions.bounded) bounds_.insert(tried);
  if (solutions.failure) {
    Transition wrong = step;
    wrong.failure = solutions.failure;
    wrong.accesses.resize(accesses_before);
    out.push_back(std::move(wrong));
  }
  for (const Solution& solution : solutions.all) {
    patience_.poll();
    Transition copy = step;
    for (std::size_t u = 0; u < unknowns.size(); ++u) assign(copy, self, unknowns[u].place, solution[u]);
    out.push_back(std::move(copy));
  }
}

// --------------------------------------------------------------------------------------------------------------- locks

void Machine::perform_acquire(Transition step, Scalar self, const Expr& expr, std::vector<Transition>& out) {
  const Scene where = code_scene(step, self);
  const Lock lock = Evaluator(where).lock(expr);
  const Value value = read_lock(step.after, lock);
  if (!lock.is_monitor) {
    if (value.scalar != 0) return;
    write_lock(step, self, lock, self);
  } else {
    const Composite& monitor = *value.composite;
    if (monitor.holder != 0 && monitor.holder != self) return;
    write_lock(step, self, lock, monitor_value(self, monitor.depth + 1, monitor.elements));
  }
  step.acquired.push_back(lock);
  out.push_back(std::move(step));
}

void Machine::perform_release(Transition step, Scalar self, const Stmt& statement, const Expr& expr,
                              std::vector<Transition>& out) {
  const Scene where = code_scene(step, self);
  const Lock lock = Evaluator(where).lock(expr);
  const Value value = read_lock(step.after, lock);
  const Scalar holder = lock.is_monitor ? value.composite->holder : value.scalar;
  if (holder != self) {
    throw Failure{Kind::kMonitorState, statement.range,
                  holder == 0 ? "the lock is released while nobody holds it"
                              : "the lock is released while " + thread_name(step.after, holder) + " holds it"};
  }
  if (!lock.is_monitor) {
    write_lock(step, self, lock, 0);
  } else {
    const Composite& monitor = *value.composite;
    const bool last = monitor.depth == 1;
    write_lock(step, self, lock, monitor_value(last ? 0 : self, monitor.depth - 1, monitor.elements));
  }
  out.push_back(std::move(step));
}

void Machine::perform_wait_release(Transition step, Scalar self, const Stmt& statement, std::vector<Transition>& out) {
  const Scene where = code_scene(step, self);
  const Lock lock = Evaluator(where).lock(*std::get<Wait>(statement.node).lock);
  const Value value = read_lock(step.after, lock);
  const Composite& monitor = *value.composite;
  if (monitor.holder != self) {
    throw Failure{Kind::kMonitorState, statement.range, "`wait` without holding the monitor"};
  }
  std::set<Scalar> waiters = monitor.elements;
  waiters.insert(self);
  ThreadState& thread = step.after.threads[self - 1];
  thread.saved_depth = monitor.depth;
  thread.waiting = lock;
  write_lock(step, self, lock, monitor_value(0, 0, std::move(waiters)));
  out.push_back(std::move(step));
}

void Machine::perform_wait_acquire(Transition step, Scalar self, std::vector<Transition>& out) {
  ThreadState& thread = step.after.threads[self - 1];
  const Lock lock = thread.waiting;
  const Value value = read_lock(step.after, lock);
  const Composite& monitor = *value.composite;
  if (monitor.holder != 0) return;
  std::set<Scalar> waiters = monitor.elements;
  step.spurious = waiters.erase(self) > 0;
  const Scalar depth = thread.saved_depth;
  thread.saved_depth = 0;
  thread.waiting = Lock();
  write_lock(step, self, lock, monitor_value(self, depth, std::move(waiters)));
  step.acquired.push_back(lock);
  out.push_back(std::move(step));
}

void Machine::perform_notify(Transition step, Scalar self, const Stmt& statement, std::vector<Transition>& out) {
  const Notify& notify = std::get<Notify>(statement.node);
  const Scene where = code_scene(step, self);
  const Lock lock = Evaluator(where).lock(*notify.lock);
  const Value value = read_lock(step.after, lock);
  const Composite& monitor = *value.composite;
  if (monitor.holder != self) {
    throw Failure{Kind::kMonitorState, statement.range,
                  std::string(notify.all ? "`notifyall`" : "`notify`") + " without holding the monitor"};
  }
  if (monitor.elements.empty()) {
    step.breaches.push_back({Kind::kIgnoredNotify, statement.range,
                             std::string(notify.all ? "`notifyall`" : "`notify`") + " while nobody waits"});
  }
  if (notify.all || monitor.elements.empty()) {
    write_lock(step, self, lock, monitor_value(self, monitor.depth, {}));
    out.push_back(std::move(step));
    return;
  }
  for (const Scalar waiter : monitor.elements) {
    Transition copy = step;
    std::set<Scalar> waiters = monitor.elements;
    waiters.erase(waiter);
    write_lock(copy, self, lock, monitor_value(self, monitor.depth, std::move(waiters)));
    out.push_back(std::move(copy));
  }
}

// ------------------------------------------------------------------------------------------------------ calls, threads

void Machine::perform_call(Transition step, Scalar self, const FlowEdge& edge, std::vector<Transition>& out) {
  const Operation& operation = edge.operation;
  const CallTarget& target = *called(*operation.statement);
  std::vector<Frame>& frames = step.after.threads[self - 1].frames;
  if (frames.size() >= kMostFrames) throw Limit{"calls nested deeper than " + std::to_string(kMostFrames)};
  const Scene where = code_scene(step, self);
  std::vector<Value> arguments;
  for (const ExprPtr& argument : target.arguments) arguments.push_back(Evaluator(where).value(*argument));
  const int slot = direct_result_slot(*operation.statement);
  const bool wants_result = !std::holds_alternative<Call>(operation.statement->node);
  const int return_slot = slot >= 0 ? slot : wants_result ? Frame::kToRegister : Frame::kNowhere;
  Frame frame = make_frame(step.after, target.index, std::move(arguments), return_slot);
  if (target.catch_slot >= 0) {
    frame.catch_slot = target.catch_slot;
    frame.throw_node = edge.on_throw;
  }
  std::vector<Breach> broken;
  check_requires(step.after, self, frame, broken);
  if (target.is_within_requires && !broken.empty()) return;  // it waits
  step.breaches.insert(step.breaches.end(), broken.begin(), broken.end());
  frames.push_back(std::move(frame));
  out.push_back(std::move(step));
}

void Machine::perform_return(Transition step, Scalar self, const Operation& operation, std::vector<Transition>& out) {
  Value result = default_value(program_.procedures[top(step, self).procedure].result);
  if (operation.statement != nullptr) {
    const Return& it = std::get<Return>(operation.statement->node);
    const Scene where = code_scene(step, self);
    if (it.value) result = Evaluator(where).value(*it.value);
  }
  ThreadState& thread = step.after.threads[self - 1];
  const Frame frame = std::move(thread.frames.back());
  thread.frames.pop_back();
  step.thrown = false;
  check_return(step, self, frame, result);
  step.returned = result;
  // No exception: null. The result goes to another variable.
  if (!thread.frames.empty() && frame.catch_slot >= 0) thread.frames.back().locals[frame.catch_slot] = Scalar{0};
  if (thread.frames.empty()) {
    thread.finished = true;
  } else if (frame.return_slot >= 0) {
    thread.frames.back().locals[frame.return_slot] = std::move(result);
  } else if (frame.return_slot == Frame::kToRegister) {
    thread.frames.back().result = std::move(result);
    thread.frames.back().result_type = &program_.procedures[frame.procedure].result;
  }
  out.push_back(std::move(step));
}

// The caller goes on behind the call, without a result. An exception that leaves a thread's entry ends the thread.
void Machine::perform_throw(Transition step, Scalar self, const Stmt& statement, std::vector<Transition>& out) {
  const Scene where = code_scene(step, self);
  Value exception = Evaluator(where).value(*std::get<Throw>(statement.node).value);
  if (exception.scalar == 0) { throw Failure{Kind::kNullDereference, statement.range, "what is thrown is null"}; }
  ThreadState& thread = step.after.threads[self - 1];
  const Frame frame = std::move(thread.frames.back());
  thread.frames.pop_back();
  step.thrown = true;
  check_return(step, self, frame, exception);
  step.returned = exception;
  if (thread.frames.empty()) {
    thread.finished = true;
  } else {
    thread.frames.back().node = frame.throw_node;
    thread.frames.back().locals[frame.catch_slot] = std::move(exception);
  }
  out.push_back(std::move(step));
}

Scalar Machine::start_thread(Transition& step, Scalar self, const CallTarget& target) {
  const auto started = std::count_if(step.after.threads.begin(), step.after.threads.end(),
                                     [](const ThreadState& it) { return it.declaration < 0; });
  if (started >= settings_.max_started) {
    throw Limit{"threads started: " + std::to_string(settings_.max_started) + " at most (--started)"};
  }
  const Scene where = code_scene(step, self);
  std::vector<Value> arguments;
  for (const ExprPtr& argument : target.arguments) arguments.push_back(Evaluator(where).value(*argument));
  ThreadState thread;
  thread.entry = target.index;
  thread.frames.push_back(make_frame(step.after, target.index, std::move(arguments), Frame::kNowhere));
  thread.nodes = initial_nodes(program_.procedures[target.index].abstracted);
  step.after.threads.push_back(thread);
  const Scalar made = std::ssize(step.after.threads);
  step.started.insert(made);
  return made;
}

void Machine::perform_join(Transition step, Scalar self, const Stmt& statement, std::vector<Transition>& out) {
  const Scene where = code_scene(step, self);
  const Scalar thread = Evaluator(where).scalar(*std::get<Join>(statement.node).thread);
  if (thread == 0) throw Failure{Kind::kThreadState, statement.range, "`join` of none"};
  if (!step.after.threads[thread - 1].finished) return;
  step.joined.insert(thread);
  out.push_back(std::move(step));
}

}  // namespace concord::explore
