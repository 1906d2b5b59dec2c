#include "engine/dynamic/step.h"

#include <utility>

#include "base/check.h"
#include "base/overloaded.h"
#include "plato/walk.h"
#include "simulation/encode.h"

namespace concord::engine::dynamic {

using base::Overloaded;
using diag::Kind;
using formula::Substitution;
using simulation::Encoder;
using simulation::Place;
using simulation::Scene;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

// Executes operations one after the other on terms over the state at the beginning.
class Execution {
 public:
  Execution(Configuration& configuration, World& world, const ThreadClass& of, Term index, Defect defect)
      : configuration_(configuration), world_(world), of_(of), index_(index), defect_(defect) {}

  Step run(const Way& way) {
    position_ = static_cast<std::size_t>(of_.positions.position[static_cast<std::size_t>(way.from)]);
    for (const CodeEdge* edge : way.edges) perform(*edge);
    return std::move(out_);
  }

  Update enter() {
    Scene where;
    where.tid = configuration_.identity(of_, index_);
    where.thread_index = index_;
    const Procedure& entered = procedure(0);
    for (std::size_t i = 0; i < of_.code.locals.size(); ++i) {
      Term value = world_.default_value(of_.code.locals[i].type);
      if (i < entered.parameters.size()) {
        Encoder encoder(world_, where);
        value = encoder.value_as(*of_.declaration->target.arguments[i], entered.parameters[i].type);
      }
      out_.update.values.emplace(of_.locals[i], value);
    }
    return out_.update;
  }

 private:
  Pool& pool() const { return world_.pool(); }
  const Procedure& procedure(int frame) const {
    return world_.program()
        .procedures[static_cast<std::size_t>(of_.code.frames[static_cast<std::size_t>(frame)].procedure)];
  }

  // ---- terms over the state of this moment become terms over that of the beginning

  Term now(Term term) const { return pool().substitute(term, out_.update.values); }

  Scene scene() {
    const auto first = of_.locals.begin() + of_.code.frames[static_cast<std::size_t>(frame_)].first_local;
    locals_.assign(first, first + std::ssize(procedure(frame_).locals));
    Scene out;
    out.tid = configuration_.identity(of_, index_);
    out.locals = &locals_;
    return out;
  }

  void assume(Term term) {
    if (term != pool().truth(true)) out_.assumptions.push_back(term);
  }

  void claim(Kind kind, SourceRange range, Term holds, bool is_assumed = true) {
    out_.claims.push_back({kind, range, holds, out_.assumptions.size()});
    if (is_assumed) assume(holds);
  }

  // What evaluating takes. Where elements may be looked at in any order nothing is known of them behind it.
  void evaluated(const Encoder& encoder) {
    for (Term it : encoder.facts) assume(now(it));
    for (const simulation::Check& it : encoder.checks) claim(it.kind, it.range, now(it.holds), !it.is_independent);
  }

  Place fixed(Place place) const {
    for (Term& key : place.keys) key = now(key);
    return place;
  }

  void write(const Place& place, Term value) {
    const auto local = static_cast<std::size_t>(place.index);
    const auto first = static_cast<std::size_t>(of_.code.frames[static_cast<std::size_t>(frame_)].first_local);
    const Term target = place.is_local ? of_.locals[first + local] : world_.part(place.index).now;
    assign(target, simulation::with_value(pool(), out_.update.of(target), place.keys, value));
    is_write_ = is_write_ || !place.is_local;
  }

  void assign(Term target, Term value) { out_.update.values.insert_or_assign(target, value); }

  Term any(const Type& type) {
    const Term out = pool().fresh("any", world_.sort(type));
    out_.chosen.push_back(out);
    if (type.kind == Type::Kind::kInt && type.values) assume(world_.is_within(out, *type.values));
    if (type.kind == Type::Kind::kInt && world_.ints() == engine::IntMode::kJava)
      assume(world_.is_within(out, {INT32_MIN, INT32_MAX}));
    return out;
  }

  // ---- operations

  void perform(const CodeEdge& edge) {
    frame_ = edge.frame;
    is_write_ = false;
    const Operation& operation = edge.operation;
    const SourceRange at = range_of(operation, procedure(frame_));
    switch (operation.kind) {
      case Operation::Kind::kSilent: return;
      case Operation::Kind::kCondition: condition(operation); break;
      case Operation::Kind::kStatement:
        statement(*operation.statement);
        sets(operation.statement->sets);
        break;
      case Operation::Kind::kCall: call(edge); break;
      case Operation::Kind::kReturn: returned(edge); break;
      case Operation::Kind::kAssignResult: {
        Encoder encoder(world_, scene());
        const Place target = encoder.target(*std::get<Assign>(operation.statement->node).target);
        evaluated(encoder);
        const int from = of_.code.registers.at({operation.statement, frame_});
        write(fixed(target), out_.update.of(of_.locals[static_cast<std::size_t>(from)]));
        break;
      }
      case Operation::Kind::kAtomicEnd: sets(operation.statement->sets); break;
      case Operation::Kind::kAtomicBegin:
      case Operation::Kind::kEnter:
      case Operation::Kind::kLeave: break;
      case Operation::Kind::kThrow: throw Refusal{at, "an exception"};
      case Operation::Kind::kWaitRelease:
      case Operation::Kind::kWaitAcquire: throw Refusal{at, "`wait`"};
    }
    if (is_write_ || out_.at == SourceRange{}) out_.at = at;
    // An atomic block is one operation.
    if (operation.kind == Operation::Kind::kAtomicBegin) is_atomic_ = true, has_written_ = false;
    if (is_write_ && !(is_atomic_ && has_written_)) ++out_.writes;
    has_written_ = has_written_ || is_write_;
    if (operation.kind == Operation::Kind::kAtomicEnd) is_atomic_ = false;
  }

  void condition(const Operation& operation) {
    if (std::holds_alternative<Star>(operation.condition->node)) return;
    Encoder encoder(world_, scene());
    const Term holds = encoder.holds(*operation.condition);
    evaluated(encoder);
    assume(now(operation.wanted ? holds : pool().not_(holds)));
  }

  void call(const CodeEdge& edge) {
    const CallTarget& target = *called(*edge.operation.statement);
    const Frame& callee = of_.code.frames[static_cast<std::size_t>(edge.callee)];
    const Procedure& it = procedure(edge.callee);
    std::vector<Term> values;
    for (std::size_t i = 0; i < target.arguments.size(); ++i) {
      Encoder encoder(world_, scene());
      values.push_back(encoder.value_as(*target.arguments[i], it.parameters[i].type));
      evaluated(encoder);
      values.back() = now(values.back());
    }
    for (std::size_t i = 0; i < it.locals.size(); ++i) {
      const Term value = i < values.size() ? values[i] : world_.default_value(it.locals[i].type);
      assign(of_.locals[static_cast<std::size_t>(callee.first_local) + i], value);
    }
  }

  void returned(const CodeEdge& edge) {
    const Frame& frame = of_.code.frames[static_cast<std::size_t>(edge.frame)];
    const Procedure& it = procedure(edge.frame);
    const Stmt* statement = edge.operation.statement;
    const ExprPtr* value = statement != nullptr ? &std::get<Return>(statement->node).value : nullptr;
    Term result = it.result.kind == Type::Kind::kNone ? nullptr : world_.default_value(it.result);
    if (value != nullptr && *value) {
      Encoder encoder(world_, scene());
      result = encoder.value_as(**value, it.result);
      evaluated(encoder);
      result = now(result);
    }
    if (frame.result >= 0) assign(of_.locals[static_cast<std::size_t>(frame.result)], result);
  }

  void sets(const std::vector<GhostSet>& list) {
    for (const GhostSet& it : list) set(it);
  }

  void set(const GhostSet& it) {
    Encoder encoder(world_, scene());
    const Place target = encoder.place(*it.target);
    const Term value = encoder.value_as(*it.value, it.target->type);
    evaluated(encoder);
    write(fixed(target), now(value));
  }

  void statement(const Stmt& statement) {
    const auto refuse = [&](const char* what) { throw Refusal{statement.range, what}; };
    const auto impossible = [] { base::internal_error(__FILE__, __LINE__, "a statement that is no operation"); };
    std::visit(Overloaded{
                   [&](const LocalDecl& it) {
                     const Place target{true, it.slot, {}};
                     if (it.init) return assignment(nullptr, target, it.type, *it.init);
                     write(target, world_.default_value(it.type));
                   },
                   [&](const Assign& it) { assignment(it.target.get(), {}, it.target->type, it.value); },
                   [&](const Assert& it) {
                     Encoder encoder(world_, scene());
                     const Term holds = encoder.holds(*it.condition);
                     evaluated(encoder);
                     claim(engine::kind_of(it), statement.range, now(holds), !statement.is_assertion_waived);
                   },
                   [&](const Assume& it) {
                     Encoder encoder(world_, scene());
                     const Term holds = encoder.holds(*it.condition);
                     evaluated(encoder);
                     assume(now(holds));
                   },
                   [&](const Havoc& it) { havoc(it); },
                   [&](const CasSwap& it) {
                     Encoder encoder(world_, scene());
                     const Place location = encoder.target(*it.location);
                     const Term expected = encoder.value_as(*it.expected, it.location->type);
                     const Place other = encoder.target(*it.value);
                     const Term current = now(encoder.read(location, true));
                     const Term mine = now(encoder.read(other, true));
                     const Term equal = pool().eq(current, now(expected));
                     evaluated(encoder);
                     const Place first = fixed(location);
                     const Place second = fixed(other);
                     write(first, pool().ite(equal, mine, current));
                     write(second, pool().ite(equal, current, mine));
                   },
                   [&](const Acquire& it) { lock(*it.lock); },
                   [&](const Release& it) { unlock(*it.lock, statement.range); },
                   [&](const SetStmt& it) { set(it.set); },
                   [&](const Skip&) {},
                   [&](const plato::Unsupported& it) {
                     if (it.targets.empty()) throw Refusal{statement.range, it.reason};
                     for (const ExprPtr& target : it.targets)
                       write(Encoder(world_, scene()).place(*target), any(target->type));
                   },
                   [&](const Notify&) { refuse("`notify`"); },
                   [&](const Start&) { refuse("`start`"); },
                   [&](const Join&) { refuse("`join`"); },
                   [&](const Initialised&) { refuse("`initialised`"); },
                   [&](const Direct&) { refuse("a direct operation"); },
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

  // The place is found first, then the value. `target` null: it is `place`.
  void assignment(const Expr* target, Place place, const Type& type, const Rhs& rhs) {
    Encoder encoder(world_, scene());
    if (target != nullptr) place = encoder.target(*target);
    if (const auto* it = std::get_if<ExprPtr>(&rhs)) {
      const Term value = encoder.value_as(**it, type);
      evaluated(encoder);
      write(fixed(place), now(value));
      return;
    }
    const auto* it = std::get_if<CasExpr>(&rhs);
    if (it == nullptr) throw Refusal{target != nullptr ? target->range : type.range, "a new object or thread"};
    const Place location = encoder.target(*it->location);
    const Term expected = encoder.value_as(*it->expected, it->location->type);
    const Term value = now(encoder.value_as(*it->value, it->location->type));
    const Term current = now(encoder.read(location, true));
    const Term equal = pool().eq(current, now(expected));
    evaluated(encoder);
    const Place result = fixed(place);
    write(fixed(location), pool().ite(equal, value, current));
    write(result, equal);
  }

  void havoc(const Havoc& it) {
    for (const ExprPtr& target : it.targets) {
      Encoder encoder(world_, scene());
      const Place place = encoder.target(*target);
      const Term low = it.low ? now(encoder.value(*it.low)) : nullptr;
      const Term high = it.high ? now(encoder.value(*it.high)) : nullptr;
      evaluated(encoder);
      const Term value = any(target->type);
      if (low != nullptr) assume(pool().and_(pool().le(low, value), pool().le(value, high)));
      write(fixed(place), value);
    }
  }

  // ---- LOCK and UNLOCK

  // What a lock stores. Ranks differ between positions and say nothing of the class: only the identity will do.
  Term whoever_holds() const {
    if (defect_ != Defect::kRankIsIdentity) return configuration_.identity(of_, index_);
    return configuration_.identity(configuration_.classes().front(), of_.passed[position_]);
  }

  void lock(const Expr& it) {
    Encoder encoder(world_, scene());
    bool is_monitor = false;
    const Place holder = encoder.lock_part(it, World::Half::kHolder, is_monitor);
    const Term who = now(encoder.read(holder, true));
    const Term self = whoever_holds();
    evaluated(encoder);
    const Term is_free = pool().eq(who, world_.none());
    if (!is_monitor) {
      assume(is_free);
      return write(fixed(holder), self);
    }
    const Place depth = encoder.lock_part(it, World::Half::kDepth, is_monitor);
    const Term levels = now(encoder.read(depth, true));
    assume(pool().le(pool().number(0), levels));
    assume(pool().eq(is_free, pool().eq(levels, pool().number(0))));
    assume(pool().or_(is_free, pool().eq(who, self)));
    const Place taken = fixed(holder);
    const Place counted = fixed(depth);
    write(taken, self);
    write(counted, pool().add(levels, pool().number(1)));
  }

  void unlock(const Expr& it, SourceRange at) {
    Encoder encoder(world_, scene());
    bool is_monitor = false;
    const Place holder = encoder.lock_part(it, World::Half::kHolder, is_monitor);
    const Term who = now(encoder.read(holder, true));
    const Term self = whoever_holds();
    evaluated(encoder);
    claim(Kind::kMonitorState, at, pool().eq(who, self));
    if (!is_monitor) return write(fixed(holder), world_.none());
    const Place depth = encoder.lock_part(it, World::Half::kDepth, is_monitor);
    const Term levels = now(encoder.read(depth, true));
    assume(pool().le(pool().number(1), levels));
    const Term left = pool().sub(levels, pool().number(1));
    const Place freed = fixed(holder);
    const Place counted = fixed(depth);
    write(freed, pool().ite(pool().eq(left, pool().number(0)), world_.none(), self));
    write(counted, left);
  }

  Configuration& configuration_;
  World& world_;
  const ThreadClass& of_;
  const Term index_;
  const Defect defect_;
  std::size_t position_ = 0;  // where it stands
  Step out_;
  int frame_ = 0;
  bool is_write_ = false;  // the operation at hand changes something shared
  bool is_atomic_ = false;
  bool has_written_ = false;  // in the atomic block
  std::vector<Term> locals_;
};

}  // namespace

Step take(Configuration& configuration, World& world, const ThreadClass& of, const Way& way, Term index,
          Defect defect) {
  return Execution(configuration, world, of, index, defect).run(way);
}

Update enter(Configuration& configuration, World& world, const ThreadClass& of, Term index) {
  return Execution(configuration, world, of, index, Defect::kNone).enter();
}

}  // namespace concord::engine::dynamic
