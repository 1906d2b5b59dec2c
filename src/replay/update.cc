#include "replay/update.h"

#include "base/check.h"
#include "base/overloaded.h"
#include "engine/property.h"

namespace concord::replay {

using base::Overloaded;
using diag::Kind;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

class Taking {
 public:
  Taking(Terms& terms, const ThreadClass& of, Term thread, const State& before, const std::vector<Term>& locals)
      : terms_(terms), of_(of), thread_(thread) {
    out_.state = before;
    out_.locals = locals;
  }

  Update run(const std::vector<const Edge*>& way) {
    for (const Edge* it : way) perform(*it);
    return std::move(out_);
  }

 private:
  Pool& pool() { return terms_.pool(); }
  Term self() { return terms_.identity(of_.number, thread_); }
  const Frame& frame(int which) const { return of_.code.frames[static_cast<std::size_t>(which)]; }
  Term& local(int which) { return out_.locals[static_cast<std::size_t>(which)]; }

  // Everything is evaluated in the state of this moment, whose values are terms over the state before.
  Meaning meaning() { return {terms_, {&out_.state, out_.locals.data() + frame(frame_).first_local, self(), nullptr}}; }

  void assume(Term term) {
    if (term != pool().truth(true)) out_.path.push_back(term);
  }

  // Behind what may be looked at in any order nothing is known of it.
  void evaluated(const Meaning& it) {
    for (Term fact : it.facts) assume(fact);
    for (const Condition& each : it.conditions) claim(each.kind, each.at, each.holds, !each.is_quantified);
  }

  void claim(Kind kind, SourceRange at, Term holds, bool is_assumed = true) {
    out_.claims.push_back({kind, at, holds, out_.path.size()});
    if (is_assumed) assume(holds);
  }

  void write(const Place& place, Term value) {
    const auto at = static_cast<std::size_t>(place.index);
    Term& whole = place.is_local                ? local(frame(frame_).first_local + place.index)
                  : place.half == Half::kHolder ? out_.state.holder[at]
                  : place.half == Half::kDepth  ? out_.state.depth[at]
                                                : out_.state.value[at];
    if (whole == nullptr) {
      const Variable& it = terms_.program().variables[at];
      throw NotKnown{it.type.range, "the type " + to_string(it.type)};
    }
    whole = with_entry(pool(), whole, place.keys, value);
  }

  Term any(const Type& type) {
    const Term out = pool().fresh("any", terms_.sort(type));
    out_.chosen.push_back(out);
    assume(terms_.within(out, type));
    return out;
  }

  // ---- operations

  void perform(const Edge& edge) {
    frame_ = edge.frame;
    const Operation& it = edge.operation;
    switch (it.kind) {
      case Operation::Kind::kSilent:
      case Operation::Kind::kAtomicBegin:
      case Operation::Kind::kEnter:
      case Operation::Kind::kLeave: return;
      case Operation::Kind::kCondition: return condition(it);
      case Operation::Kind::kStatement: statement(*it.statement); return sets(*it.statement);
      case Operation::Kind::kAtomicEnd: return sets(*it.statement);
      case Operation::Kind::kCall: return call(edge);
      case Operation::Kind::kReturn: return leave(edge);
      case Operation::Kind::kAssignResult: {
        Meaning m = meaning();
        const Place place = m.place(*std::get<Assign>(it.statement->node).target);
        evaluated(m);
        return write(place, local(of_.code.waiting.at({it.statement, frame_})));
      }
      case Operation::Kind::kThrow:
      case Operation::Kind::kWaitRelease:
      case Operation::Kind::kWaitAcquire: throw NotKnown{it.statement->range, "exceptions and `wait`"};
    }
  }

  void condition(const Operation& it) {
    if (std::holds_alternative<Star>(it.condition->node)) return;
    Meaning m = meaning();
    const Term holds = m.value(*it.condition);
    evaluated(m);
    assume(it.wanted ? holds : pool().not_(holds));
  }

  void call(const Edge& edge) {
    const CallTarget& target = *called(*edge.operation.statement);
    const Procedure& callee = of_.code.procedure(terms_.program(), edge.callee);
    std::vector<Term> values;
    for (std::size_t i = 0; i < target.arguments.size(); ++i) {
      Meaning m = meaning();
      values.push_back(m.value_as(*target.arguments[i], callee.parameters[i].type));
      evaluated(m);
    }
    for (std::size_t i = 0; i < callee.locals.size(); ++i) {
      local(frame(edge.callee).first_local + static_cast<int>(i)) =
          i < values.size() ? values[i] : terms_.default_value(callee.locals[i].type);
    }
  }

  void leave(const Edge& edge) {
    const Procedure& it = of_.code.procedure(terms_.program(), edge.frame);
    if (it.result.kind == Type::Kind::kNone) return;
    Term result = terms_.default_value(it.result);
    const Stmt* statement = edge.operation.statement;
    if (statement != nullptr && std::get<Return>(statement->node).value) {
      Meaning m = meaning();
      result = m.value_as(*std::get<Return>(statement->node).value, it.result);
      evaluated(m);
    }
    if (const int to = frame(edge.frame).result; to >= 0) local(to) = result;
  }

  void sets(const Stmt& statement) {
    for (const GhostSet& it : statement.sets) set(it);
  }

  void set(const GhostSet& it) {
    Meaning m = meaning();
    const Place place = m.place(*it.target);
    const Term value = m.value_as(*it.value, it.target->type);
    evaluated(m);
    write(place, value);
  }

  void statement(const Stmt& it) {
    const auto refuse = [&](const char* what) { throw NotKnown{it.range, what}; };
    const auto impossible = [] { base::internal_error(__FILE__, __LINE__, "a statement that is no operation"); };
    std::visit(Overloaded{
                   [&](const LocalDecl& each) {
                     const Place place{true, each.slot, Half::kValue, {}};
                     if (each.init) return assign(place, each.type, *each.init);
                     write(place, terms_.default_value(each.type));
                   },
                   [&](const Assign& each) {
                     Meaning m = meaning();
                     const Place place = m.place(*each.target);
                     evaluated(m);
                     assign(place, each.target->type, each.value);
                   },
                   [&](const Assert& each) {
                     Meaning m = meaning();
                     const Term holds = m.value(*each.condition);
                     evaluated(m);
                     claim(engine::kind_of(each), it.range, holds, !it.is_assertion_waived);
                   },
                   [&](const Assume& each) {
                     Meaning m = meaning();
                     const Term holds = m.value(*each.condition);
                     evaluated(m);
                     assume(holds);
                   },
                   [&](const Havoc& each) { havoc(each); },
                   [&](const CasSwap& each) { swap(each); },
                   [&](const Acquire& each) { lock(*each.lock); },
                   [&](const Release& each) { unlock(*each.lock, it.range); },
                   [&](const SetStmt& each) { set(each.set); },
                   [&](const Skip&) {},
                   [&](const plato::Unsupported& each) {
                     if (each.targets.empty()) refuse("something that was not translated");
                     for (const ExprPtr& target : each.targets) write(meaning().place(*target), any(target->type));
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
               it.node);
  }

  void assign(const Place& place, const Type& type, const Rhs& from) {
    Meaning m = meaning();
    if (const auto* it = std::get_if<ExprPtr>(&from)) {
      const Term value = m.value_as(**it, type);
      evaluated(m);
      return write(place, value);
    }
    const auto* it = std::get_if<CasExpr>(&from);
    if (it == nullptr) throw NotKnown{type.range, "what is assigned to a " + to_string(type)};
    const Place location = m.place(*it->location);
    const Term there = m.read(location);
    const Term is_equal = pool().eq(there, m.value_as(*it->expected, it->location->type));
    const Term value = m.value_as(*it->value, it->location->type);
    evaluated(m);
    write(location, pool().ite(is_equal, value, there));
    write(place, is_equal);
  }

  void swap(const CasSwap& it) {
    Meaning m = meaning();
    const Place location = m.place(*it.location);
    const Term there = m.read(location);
    const Term is_equal = pool().eq(there, m.value_as(*it.expected, it.location->type));
    const Place other = m.place(*it.value);
    const Term mine = m.read(other);
    evaluated(m);
    write(location, pool().ite(is_equal, mine, there));
    write(other, pool().ite(is_equal, there, mine));
  }

  void havoc(const Havoc& it) {
    for (const ExprPtr& target : it.targets) {
      Meaning m = meaning();
      const Place place = m.place(*target);
      const Term low = it.low ? m.value(*it.low) : nullptr;
      const Term high = it.high ? m.value(*it.high) : nullptr;
      evaluated(m);
      const Term value = any(target->type);
      if (low != nullptr) assume(pool().and_(pool().le(low, value), pool().le(value, high)));
      write(place, value);
    }
  }

  // ---- locks: what is kept is the identity of the thread, never its rank at a position

  void lock(const Expr& it) {
    Meaning m = meaning();
    const Place holder = m.lock(it, Half::kHolder);
    const Term is_free = pool().eq(m.read(holder), terms_.none());
    if (holder.half == Half::kValue) {
      evaluated(m);
      assume(is_free);
      return write(holder, self());
    }
    const Place depth = m.lock(it, Half::kDepth);
    const Term levels = m.read(depth);
    evaluated(m);
    about_levels(is_free, levels);
    assume(pool().or_(is_free, pool().eq(m.read(holder), self())));
    write(holder, self());
    write(depth, pool().add(levels, pool().number(1)));
  }

  // A monitor is free if and only if it is taken no times.
  void about_levels(Term is_free, Term levels) {
    const Term zero = pool().number(0);
    assume(pool().le(zero, levels));
    assume(pool().eq(is_free, pool().eq(levels, zero)));
  }

  void unlock(const Expr& it, SourceRange at) {
    Meaning m = meaning();
    const Place holder = m.lock(it, Half::kHolder);
    const Term who = m.read(holder);
    evaluated(m);
    if (holder.half == Half::kValue) {
      claim(Kind::kMonitorState, at, pool().eq(who, self()));
      return write(holder, terms_.none());
    }
    const Place depth = m.lock(it, Half::kDepth);
    const Term levels = m.read(depth);
    about_levels(pool().eq(who, terms_.none()), levels);
    claim(Kind::kMonitorState, at, pool().eq(who, self()));
    const Term left = pool().sub(levels, pool().number(1));
    write(holder, pool().ite(pool().eq(left, pool().number(0)), terms_.none(), self()));
    write(depth, left);
  }

  Terms& terms_;
  const ThreadClass& of_;
  const Term thread_;
  Update out_;
  int frame_ = 0;
};

}  // namespace

Update take(Terms& terms, const ThreadClass& of, Term thread, const State& before, const std::vector<Term>& locals,
            const std::vector<const Edge*>& way) {
  return Taking(terms, of, thread, before, locals).run(way);
}

std::vector<Term> entered_locals(Terms& terms, const ThreadClass& of, Term thread, const State& first) {
  const Procedure& entered = of.entered(terms.program());
  std::vector<Term> out;
  for (std::size_t i = 0; i < of.code.locals.size(); ++i) {
    const Type& type = of.code.locals[i].type;
    if (i < entered.parameters.size()) {
      Meaning m(terms, {&first, nullptr, terms.identity(of.number, thread), thread});
      out.push_back(m.value_as(*of.declaration->target.arguments[i], type));
    } else {
      out.push_back(terms.default_value(type));
    }
  }
  return out;
}

}  // namespace concord::replay
