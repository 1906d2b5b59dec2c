#include "infer/thread_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "base/overloaded.h"
#include "plato/classes.h"
#include "plato/flow.h"
#include "plato/liveness.h"
#include "plato/printer.h"
#include "plato/walk.h"

namespace concord::infer {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using formula::Op;
using formula::Pool;
using formula::Sort;
using formula::Term;

namespace {

constexpr std::size_t kMostNodes = 60;
constexpr std::size_t kMostFrames = 12;
constexpr std::size_t kMostFacts = 6;  // about local variables, at a node
constexpr int kMostSteps = 5000;       // that are followed

struct CannotFollow {};

struct Frame {
  int procedure = -1;
  int node = 0;
  std::vector<Term> locals;        // null: not set, or of no use any more
  const FlowEdge* call = nullptr;  // in the frame below
  Term result = nullptr;           // of a call before, that goes to no local variable
};

// In the middle of a step.
struct State {
  std::vector<Frame> frames;
  std::map<std::string, Term> written;
  std::vector<Term> path;    // holds where the step began
  std::vector<Term> claims;  // must hold there
  bool is_seen = false;      // it looks at something shared, or changes it
  int atomic = 0;
};

bool is_fixed(Term term) {
  switch (term->op) {
    case Op::kTrue:
    case Op::kFalse:
    case Op::kNumber:
    case Op::kEnumConst: return true;
    case Op::kConst: return term->name.starts_with('=');
    default: return false;
  }
}

bool is_only_about(Term term, char mark) {
  const std::vector<Term> all = formula::constants_of(term);
  return std::all_of(all.begin(), all.end(),
                     [&](Term it) { return it->name.front() == mark || it->name.front() == '='; });
}

bool mentions(Term term, Term constant) {
  const std::vector<Term> all = formula::constants_of(term);
  return std::find(all.begin(), all.end(), constant) != all.end();
}

bool mentions_unknown(Term term) {
  const std::vector<Term> all = formula::constants_of(term);
  return std::any_of(all.begin(), all.end(), [](Term it) { return it->name.starts_with('?'); });
}

// What is kept of local variables at a node: with little of it loops that count have few nodes.
enum class Kept { kRelations, kNumbers, kTruths };

class Walk {
 public:
  Walk(const Program& program, Kept kept) : program_(program), kept_(kept) {
    out_.pool = std::make_shared<Pool>();
    for (const Procedure& it : program.procedures) {
      flows_.push_back(make_flow(it));
      live_.push_back(live_locals(flows_.back()));
    }
  }

  Machine run(int procedure, const std::vector<ExprPtr>& arguments) {
    State start;
    std::vector<Term> values;
    for (const Local& it : program_.procedures[static_cast<std::size_t>(procedure)].parameters) {
      const bool is_given = values.size() < arguments.size() && is_literal(*arguments[values.size()]);
      values.push_back(is_given ? value(*arguments[values.size()], start) : unknown(it.type));
    }
    enter(start, procedure, std::move(values), nullptr);
    for (State& it : settled(std::move(start))) {
      const int node = node_of(it);
      if (node != 0) throw CannotFollow{};  // what it does first depends on something
    }
    for (std::size_t i = 0; i < states_.size(); ++i) leave(static_cast<int>(i));
    return std::move(out_);
  }

 private:
  Pool& pool() { return *out_.pool; }

  // ---- nodes

  void leave(int node) {
    const State from = states_[static_cast<std::size_t>(node)];
    if (from.frames.empty()) return;
    for (State& after : performed(from)) {
      for (State& it : settled(std::move(after))) {
        for (Term claim : it.claims) add_claim(node, claim);
        Machine::Edge edge{node, -1, {}, it.written};
        for (Term literal : it.path) {
          if (!mentions_unknown(literal)) edge.guard.insert(literal);
        }
        for (auto& [location, value] : edge.writes) {
          if (value != nullptr && mentions_unknown(value)) value = nullptr;
        }
        edge.to = node_of(it);
        const bool does_nothing = edge.from == edge.to && edge.writes.empty();
        const bool is_known = std::find(out_.edges.begin(), out_.edges.end(), edge) != out_.edges.end();
        if (!does_nothing && !is_known) out_.edges.push_back(std::move(edge));
      }
    }
  }

  void add_claim(int node, Term claim) {
    std::vector<Term>& claims = out_.nodes[static_cast<std::size_t>(node)].claims;
    const bool is_told = !mentions_unknown(claim) && claim != pool().truth(true);
    if (is_told && std::find(claims.begin(), claims.end(), claim) == claims.end()) claims.push_back(claim);
  }

  // Between two steps: what others may change meanwhile is forgotten. The facts that are left are about local variables.
  int node_of(State& state) {
    State out;
    out.frames = state.frames;
    const formula::Substitution by = forget(out.frames);
    for (Term literal : state.path) {
      const Term fact = pool().substitute(literal, by);
      if (is_only_about(fact, '!') && out.path.size() < kMostFacts) out.path.push_back(fact);
    }
    std::string key;
    for (Frame& frame : out.frames) {
      key += fmt::format("{}.{}.{}(", frame.procedure, frame.node, fmt::ptr(frame.call));
      for (Term& it : frame.locals) key += told(it = as_unknown(it)) + ",";
      key += told(frame.result = as_unknown(frame.result)) + ")";
    }
    std::set<std::string> facts;
    for (Term& it : out.path) facts.insert(told(it = as_unknown(it)));
    for (const std::string& it : facts) key += it + ";";
    const auto [found, is_new] = numbers_.emplace(key, static_cast<int>(states_.size()));
    if (!is_new) return found->second;
    if (states_.size() >= kMostNodes) throw CannotFollow{};
    out_.nodes.push_back({{}, place_of(out), out.frames.empty()});
    states_.push_back(std::move(out));
    return found->second;
  }

  static std::string told(Term value) { return value == nullptr ? "-" : formula::to_string(value); }

  // What is kept of a local variable has a name that begins with `!` meanwhile.
  Term as_unknown(Term value) {
    formula::Substitution by;
    if (value == nullptr) return value;
    for (Term it : formula::constants_of(value)) {
      if (it->name.starts_with('!')) by[it] = pool().constant("?" + it->name.substr(1), it->sort);
    }
    return pool().substitute(value, by);
  }

  // Of what local variables hold, all that is not fixed; returned: what it is called now. What is worked out from variables that
  // are there (a number and the one after it) may stay so.
  formula::Substitution forget(std::vector<Frame>& frames) {
    formula::Substitution by;
    for (const bool is_worked_out : {false, true}) {
      for (std::size_t f = 0; f < frames.size(); ++f) {
        const std::set<int> live = live_at(frames, f);
        for (std::size_t slot = 0; slot < frames[f].locals.size(); ++slot) {
          Term& local = frames[f].locals[slot];
          if (!live.contains(static_cast<int>(slot))) local = nullptr;
          forget(local, is_worked_out, fmt::format("!{}.{}", f, slot), by);
        }
        forget(frames[f].result, is_worked_out, fmt::format("!{}.result", f), by);
      }
    }
    return by;
  }

  void forget(Term& value, bool is_worked_out, const std::string& name, formula::Substitution& by) {
    if (value == nullptr || value->args.empty() == is_worked_out) return;
    const bool is_kept = is_fixed(value) && (kept_ != Kept::kTruths || value->op != Op::kNumber);
    if (is_kept) return;
    const Term from_others = pool().substitute(value, by);
    if (kept_ == Kept::kRelations && !is_fixed(value) && is_only_about(from_others, '!')) {
      value = from_others;
      return;
    }
    const Term symbol = pool().constant(name, value->sort);
    if (!is_fixed(value)) by.emplace(value, symbol);
    value = symbol;
  }

  std::set<int> live_at(const std::vector<Frame>& frames, std::size_t f) const {
    const std::vector<std::set<int>>& live = live_[static_cast<std::size_t>(frames[f].procedure)];
    if (f + 1 == frames.size()) return live[static_cast<std::size_t>(frames[f].node)];
    return live_after(live, *frames[f + 1].call);
  }

  base::SourceRange place_of(const State& state) const {
    if (state.frames.empty()) return {};
    const Frame& frame = state.frames.back();
    const Flow& flow = flow_of(frame);
    for (const int node : nodes_at_once(flow, frame.node)) {
      for (const FlowEdge& edge : flow.nodes[static_cast<std::size_t>(node)].edges) {
        if (edge.operation.kind != Operation::Kind::kSilent) return range_of(edge.operation, *flow.procedure);
      }
    }
    return {};
  }

  // ---- steps

  const Flow& flow_of(const Frame& frame) const { return flows_[static_cast<std::size_t>(frame.procedure)]; }

  // What the thread may do next, one operation or atomic block.
  std::vector<State> performed(const State& from) {
    if (++performed_ > kMostSteps) throw CannotFollow{};
    std::vector<State> out;
    const Flow& flow = flow_of(from.frames.back());
    for (const int node : nodes_at_once(flow, from.frames.back().node)) {
      for (const FlowEdge& edge : flow.nodes[static_cast<std::size_t>(node)].edges) {
        if (edge.operation.kind == Operation::Kind::kSilent) continue;
        for (State& it : perform(from, edge)) {
          if (it.atomic == 0) {
            out.push_back(std::move(it));
          } else {
            if (it.frames.empty()) throw CannotFollow{};
            for (State& inner : performed(it)) out.push_back(std::move(inner));
          }
        }
      }
    }
    return out;
  }

  // Goes on as long as that concerns nobody else.
  std::vector<State> settled(State from) {
    std::vector<State> out;
    std::vector<State> todo{std::move(from)};
    while (!todo.empty()) {
      State top = std::move(todo.back());
      todo.pop_back();
      if (top.frames.empty()) {
        out.push_back(std::move(top));
        continue;
      }
      State quiet = top;
      quiet.is_seen = false;
      std::vector<State> next = performed(quiet);
      const bool is_local = std::none_of(next.begin(), next.end(), [](const State& it) { return it.is_seen; });
      if (!is_local || next.empty()) {
        for (State& it : with_known_booleans(std::move(top))) out.push_back(std::move(it));
        continue;
      }
      for (State& it : next) todo.push_back(std::move(it));
    }
    return out;
  }

  // A local variable that is true or false is one or the other at a node.
  std::vector<State> with_known_booleans(State state) {
    for (std::size_t f = 0; f < state.frames.size(); ++f) {
      const std::set<int> live = live_at(state.frames, f);
      for (const int slot : live) {
        const Term local = state.frames[f].locals[static_cast<std::size_t>(slot)];
        if (local == nullptr || local->sort != pool().boolean() || is_fixed(local)) continue;
        std::vector<State> out;
        for (const bool wanted : {true, false}) {
          State one = state;
          one.frames[f].locals[static_cast<std::size_t>(slot)] = pool().truth(wanted);
          if (!take(one, wanted ? local : pool().not_(local))) continue;
          for (State& it : with_known_booleans(std::move(one))) out.push_back(std::move(it));
        }
        return out;
      }
    }
    return {std::move(state)};
  }

  std::vector<State> perform(const State& from, const FlowEdge& edge) {
    State state = from;
    const Operation& operation = edge.operation;
    Frame& frame = state.frames.back();
    frame.node = edge.target;
    switch (operation.kind) {
      case Operation::Kind::kSilent: return {state};
      case Operation::Kind::kCondition: return condition(std::move(state), *operation.condition, operation.wanted);
      case Operation::Kind::kStatement: return statement(std::move(state), *operation.statement);
      case Operation::Kind::kCall: {
        const CallTarget& target = *called(*operation.statement);
        if (target.is_within_requires || state.frames.size() >= kMostFrames) throw CannotFollow{};
        std::vector<Term> values;
        for (const ExprPtr& it : target.arguments) values.push_back(value(*it, state));
        enter(state, target.index, std::move(values), &edge);
        return {state};
      }
      case Operation::Kind::kAssignResult: {
        const Term result = std::exchange(frame.result, nullptr);
        assign(state, *std::get<Assign>(operation.statement->node).target, result);
        set_ghosts(state, *operation.statement);
        return {state};
      }
      case Operation::Kind::kReturn:
      case Operation::Kind::kThrow: return left(std::move(state), operation);
      case Operation::Kind::kAtomicBegin: ++state.atomic; return {state};
      case Operation::Kind::kAtomicEnd:
        --state.atomic;
        set_ghosts(state, *operation.statement);
        return {state};
      case Operation::Kind::kWaitRelease:
      case Operation::Kind::kWaitAcquire:
      case Operation::Kind::kEnter:
      case Operation::Kind::kLeave: throw CannotFollow{};
    }
    throw CannotFollow{};
  }

  void enter(State& state, int procedure, std::vector<Term> values, const FlowEdge* call) {
    Frame frame;
    frame.procedure = procedure;
    frame.locals = std::move(values);
    frame.locals.resize(program_.procedures[static_cast<std::size_t>(procedure)].locals.size(), nullptr);
    frame.call = call;
    state.frames.push_back(std::move(frame));
  }

  std::vector<State> left(State state, const Operation& operation) {
    Term result = nullptr;
    const bool throws = operation.kind == Operation::Kind::kThrow;
    if (operation.statement != nullptr) {
      const ExprPtr& it =
          throws ? std::get<Throw>(operation.statement->node).value : std::get<Return>(operation.statement->node).value;
      if (it) result = value(*it, state);
      set_ghosts(state, *operation.statement);
    }
    const FlowEdge* call = state.frames.back().call;
    state.frames.pop_back();
    if (state.frames.empty()) return {state};
    Frame& frame = state.frames.back();
    const Stmt& caller = *call->operation.statement;
    const CallTarget& target = *called(caller);
    if (throws && call->on_throw < 0) throw CannotFollow{};
    frame.node = throws ? call->on_throw : call->target;
    if (target.catch_slot >= 0) {
      frame.locals[static_cast<std::size_t>(target.catch_slot)] = throws ? result : fixed("null", object());
    }
    if (!throws && result != nullptr) {
      const int slot = direct_result_slot(caller);
      (slot >= 0 ? frame.locals[static_cast<std::size_t>(slot)] : frame.result) = result;
    }
    if (!throws) set_ghosts(state, caller);
    return {state};
  }

  std::vector<State> condition(State state, const Expr& expr, bool wanted) {
    if (std::holds_alternative<Star>(expr.node)) return {state};
    const Term holds = value(expr, state);
    if (!take(state, wanted ? holds : pool().not_(holds))) return {};
    return {state};
  }

  std::vector<State> statement(State state, const Stmt& it) {
    std::vector<State> out;
    if (const auto* swap = std::get_if<CasSwap>(&it.node)) {
      out = swapped(std::move(state), nullptr, *swap->location, *swap->expected, *swap->value);
    } else if (const auto* declared = std::get_if<LocalDecl>(&it.node)) {
      NameExpr name;
      name.ref = {Ref::Kind::kLocal, declared->slot};
      Expr target;
      target.node = name;
      target.type = declared->type;
      if (declared->init) {
        out = assigned(std::move(state), target, *declared->init);
      } else {
        assign(state, target, default_of(declared->type));
        out = {std::move(state)};
      }
    } else if (const auto* assigns = std::get_if<Assign>(&it.node)) {
      out = assigned(std::move(state), *assigns->target, assigns->value);
    } else if (simple(state, it)) {
      out = {std::move(state)};
    }
    for (State& each : out) set_ghosts(each, it);
    return out;
  }

  std::vector<State> assigned(State state, const Expr& target, const Rhs& from) {
    if (const auto* cas = std::get_if<CasExpr>(&from)) {
      return swapped(std::move(state), &target, *cas->location, *cas->expected, *cas->value);
    }
    const auto* expr = std::get_if<ExprPtr>(&from);
    if (expr == nullptr) throw CannotFollow{};
    const bool is_any = std::holds_alternative<Star>((*expr)->node);
    assign(state, target, is_any ? unknown(target.type) : value(**expr, state));
    return {std::move(state)};
  }

  // `done`: where it goes whether it succeeded; null: the value and what was there change places.
  std::vector<State> swapped(State state, const Expr* done, const Expr& location, const Expr& expected,
                             const Expr& new_value) {
    const Term before = value(location, state);
    const Term equal = pool().eq(before, value(expected, state));
    const Term next = value(new_value, state);
    std::vector<State> out;
    for (const bool succeeds : {true, false}) {
      State one = state;
      if (succeeds) assign(one, location, next);
      if (succeeds && done == nullptr) assign(one, new_value, before);
      if (done != nullptr) assign(one, *done, pool().truth(succeeds));
      if (take(one, succeeds ? equal : pool().not_(equal))) out.push_back(std::move(one));
    }
    return out;
  }

  // Those without branches; false: it cannot happen.
  bool simple(State& state, const Stmt& it) {
    if (std::holds_alternative<Skip>(it.node) || std::holds_alternative<Initialised>(it.node)) return true;
    if (const auto* assertion = std::get_if<Assert>(&it.node)) {
      const Term holds = value(*assertion->condition, state);
      std::vector<Term> when;
      for (Term literal : state.path) {
        if (!mentions_unknown(literal)) when.push_back(literal);
      }
      state.claims.push_back(pool().implies(pool().and_(when), holds));
      return true;
    }
    if (const auto* assumed = std::get_if<Assume>(&it.node)) return take(state, value(*assumed->condition, state));
    if (const auto* any = std::get_if<Havoc>(&it.node)) {
      for (const ExprPtr& target : any->targets) {
        const Term chosen = unknown(target->type);
        assign(state, *target, chosen);
      }
      return true;
    }
    if (const auto* direct = std::get_if<Direct>(&it.node)) return takes_action(state, *direct);
    if (const auto* ghost = std::get_if<SetStmt>(&it.node)) {
      assign(state, *ghost->set.target, value(*ghost->set.value, state));
      return true;
    }
    throw CannotFollow{};
  }

  // A direct operation: equations between new values and old ones are solved for the new ones.
  bool takes_action(State& state, const Direct& direct) {
    if (!direct.action.frame) throw CannotFollow{};
    if (direct.wrong_unless) state.claims.push_back(value(*direct.wrong_unless, state));
    std::map<std::string, Term> after;
    for (const ExprPtr& it : *direct.action.frame) after[print(*it)] = unknown(it->type);
    after_ = &after;
    std::vector<Term> open = formula::conjuncts(value(*direct.action.predicate, state));
    after_ = nullptr;
    formula::Substitution by;
    for (Term& part : open) {
      part = pool().substitute(part, by);
      for (const auto& [location, symbol] : after) {
        const Term found = solved(part, symbol);
        if (found == nullptr || by.contains(symbol)) continue;
        for (auto& [other, it] : by) it = pool().substitute(it, {{symbol, found}});
        by[symbol] = found;
        part = pool().truth(true);
        break;
      }
    }
    for (const ExprPtr& it : *direct.action.frame) {
      const Term symbol = after[print(*it)];
      const auto found = by.find(symbol);
      assign(state, *it, found == by.end() ? symbol : found->second);
    }
    return std::all_of(open.begin(), open.end(), [&](Term it) { return take(state, pool().substitute(it, by)); });
  }

  Term solved(Term equation, Term symbol) {
    if (equation == symbol) return pool().truth(true);
    if (equation == pool().not_(symbol)) return pool().truth(false);
    if (equation->op != Op::kEq) return nullptr;
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      if (equation->args[side] == symbol && !mentions(equation->args[1 - side], symbol))
        return equation->args[1 - side];
    }
    return nullptr;
  }

  void set_ghosts(State& state, const Stmt& statement) {
    for (const GhostSet& it : statement.sets) assign(state, *it.target, value(*it.value, state));
  }

  // ---- what is known

  // False: that cannot be.
  bool take(State& state, Term condition) {
    for (Term literal : formula::conjuncts(condition)) {
      if (literal == pool().truth(true)) continue;
      const Term other = pool().not_(literal);
      if (literal == pool().truth(false) || std::find(state.path.begin(), state.path.end(), other) != state.path.end())
        return false;
      if (std::find(state.path.begin(), state.path.end(), literal) != state.path.end()) continue;
      state.path.push_back(literal);
      for (const auto& [symbol, found] : consequences(literal)) replace(state, symbol, found);
    }
    return std::find(state.path.begin(), state.path.end(), pool().truth(false)) == state.path.end();
  }

  // What a local variable must have been, if that is said.
  std::vector<std::pair<Term, Term>> consequences(Term literal) {
    const auto is_unknown = [](Term it) { return it->op == Op::kConst && it->name.starts_with('?'); };
    if (is_unknown(literal)) return {{literal, pool().truth(true)}};
    if (literal->op == Op::kNot && is_unknown(literal->args[0])) return {{literal->args[0], pool().truth(false)}};
    if (literal->op != Op::kEq) return {};
    for (const std::size_t side : {std::size_t{0}, std::size_t{1}}) {
      const Term it = literal->args[side];
      if (is_unknown(it) && !mentions(literal->args[1 - side], it)) return {{it, literal->args[1 - side]}};
    }
    return {};
  }

  void replace(State& state, Term symbol, Term by) {
    const auto in = [&](Term& it) {
      if (it != nullptr) it = pool().substitute(it, {{symbol, by}});
    };
    for (Frame& frame : state.frames) {
      for (Term& it : frame.locals) in(it);
      in(frame.result);
    }
    for (auto& [location, it] : state.written) in(it);
    for (Term& it : state.path) in(it);
    for (Term& it : state.claims) in(it);
    std::erase(state.path, pool().truth(true));
  }

  // ---- values

  Sort object() { return pool().uninterpreted("object"); }
  Term fixed(const std::string& name, Sort sort) { return pool().constant("=" + name, sort); }

  Sort sort_of(const Type& type) {
    switch (type.kind) {
      case Type::Kind::kBool: return pool().boolean();
      case Type::Kind::kInt: return pool().integer();
      case Type::Kind::kEnum: {
        const Enum& it = program_.enums[static_cast<std::size_t>(type.decl)];
        std::vector<std::string> names;
        for (const Enum::Constant& each : it.constants) names.push_back(each.name);
        return pool().enumeration(it.name, names);
      }
      default: return object();
    }
  }

  Term unknown(const Type& type) { return pool().fresh("?", sort_of(type)); }

  Term default_of(const Type& type) {
    switch (type.kind) {
      case Type::Kind::kBool: return pool().truth(false);
      case Type::Kind::kInt: return pool().number(0);
      case Type::Kind::kTid: return fixed("none", object());
      case Type::Kind::kClass:
      case Type::Kind::kArray: return fixed("null", object());
      default: return unknown(type);
    }
  }

  static bool is_literal(const Expr& expr) {
    return std::holds_alternative<IntLit>(expr.node) || std::holds_alternative<BoolLit>(expr.node);
  }

  // The name of the shared variable or field; empty: it cannot be told which.
  std::string location_of(const Expr& expr, State& state) {
    if (const auto* name = std::get_if<NameExpr>(&expr.node)) return name->name;
    const auto* field = std::get_if<FieldExpr>(&expr.node);
    if (field == nullptr || field->kind != FieldExpr::Kind::kField) return "";
    const Term in = value(*field->object, state);
    const bool is_known = in->op == Op::kConst && in->name.starts_with('=') && in->name != "=null";
    return is_known ? in->name.substr(1) + "." + field->field : "";
  }

  Term looked_up(const Expr& expr, bool primed, State& state) {
    state.is_seen = true;
    const std::string location = location_of(expr, state);
    if (location.empty()) return unknown(expr.type);
    if (primed && after_ != nullptr) {
      const auto found = after_->find(location);
      if (found != after_->end()) return found->second;
    }
    const auto found = state.written.find(location);
    return found != state.written.end() ? found->second : pool().constant(location, sort_of(expr.type));
  }

  void assign(State& state, const Expr& target, Term value) {
    const auto* name = std::get_if<NameExpr>(&target.node);
    if (name != nullptr && name->ref.kind == Ref::Kind::kLocal) {
      state.frames.back().locals[static_cast<std::size_t>(name->ref.index)] = value;
      return;
    }
    const bool is_variable = name != nullptr && name->ref.kind == Ref::Kind::kShared;
    const std::string location =
        is_variable || std::holds_alternative<FieldExpr>(target.node) ? location_of(target, state) : std::string();
    if (location.empty()) throw CannotFollow{};
    state.is_seen = true;
    state.written[location] = value != nullptr ? value : unknown(target.type);
  }

  Term value(const Expr& expr, State& state) {
    const auto sub = [&](const ExprPtr& it) { return value(*it, state); };
    return std::visit(
        base::Overloaded{
            [&](const IntLit& it) { return pool().number(it.value); },
            [&](const BoolLit& it) { return pool().truth(it.value); },
            [&](const NullLit&) { return fixed("null", object()); },
            [&](const NoneLit&) { return fixed("none", object()); },
            [&](const TidExpr&) { return fixed("tid", object()); },
            [&](const NameExpr& it) { return named(expr, it, state); },
            [&](const FieldExpr& it) { return looked_up(expr, it.primed, state); },
            [&](const UnaryExpr& it) {
              const Term inner = sub(it.operand);
              if (it.op == UnaryOp::kNonNull) return inner;
              return it.op == UnaryOp::kNot ? pool().not_(inner) : sum(pool().number(0), inner, true);
            },
            [&](const BinaryExpr& it) { return binary(expr, it, state); },
            [&](const ConditionalExpr& it) { return pool().ite(sub(it.condition), sub(it.then), sub(it.otherwise)); },
            [&](const WrapExpr& it) {
              const Term inner = sub(it.operand);
              if (inner->op == Op::kNumber) return inner;
              return pool().apply(fmt::format("{}{}", it.is_signed ? "wrap" : "uwrap", it.bits), {inner},
                                  pool().integer());
            },
            [&](const CastExpr& it) { return sub(it.operand); },
            [&](const IndexExpr& it) {
              sub(it.base), sub(it.index);
              state.is_seen = true;
              return unknown(expr.type);
            },
            [&](const OldExpr&) -> Term { throw CannotFollow{}; },
            [&](const QuantifierExpr&) -> Term { throw CannotFollow{}; },
            [&](const auto&) -> Term {
              state.is_seen = true;
              for_each_child(expr, [&](const Expr& child) { value(child, state); });
              return unknown(expr.type);
            },
        },
        expr.node);
  }

  Term named(const Expr& expr, const NameExpr& it, State& state) {
    const auto index = static_cast<std::size_t>(it.ref.index);
    switch (it.ref.kind) {
      case Ref::Kind::kShared: {
        const Variable& variable = program_.variables[index];
        const bool is_object = variable.type.kind == Type::Kind::kClass || variable.type.kind == Type::Kind::kArray;
        if (variable.is_final && is_object) return fixed(it.name, object());
        return looked_up(expr, it.primed, state);
      }
      case Ref::Kind::kConst: {
        const Const& constant = program_.consts[index];
        return constant.value ? value(*constant.value, state) : fixed(it.name, sort_of(expr.type));
      }
      case Ref::Kind::kEnumConst: return pool().enum_const(sort_of(expr.type), it.ref.index);
      case Ref::Kind::kThread: return fixed(it.name, object());
      case Ref::Kind::kLocal: {
        if (it.primed && after_ != nullptr) {
          const auto found = after_->find(it.name);
          if (found != after_->end()) return found->second;
        }
        const Term local = state.frames.back().locals[index];
        return local != nullptr ? local : unknown(expr.type);
      }
      default: throw CannotFollow{};
    }
  }

  Term binary(const Expr& expr, const BinaryExpr& it, State& state) {
    const Term left = value(*it.left, state);
    const Term right = value(*it.right, state);
    const bool are_numbers = left->sort == pool().integer() && right->sort == pool().integer();
    const auto of_numbers = [&](Term term) { return are_numbers ? term : unknown(expr.type); };
    const auto equal = [&] { return left->sort == right->sort ? pool().eq(left, right) : unknown(expr.type); };
    switch (it.op) {
      case BinaryOp::kIff:
      case BinaryOp::kEq: return equal();
      case BinaryOp::kNe: return pool().not_(equal());
      case BinaryOp::kImplies: return pool().implies(left, right);
      case BinaryOp::kOr: return pool().or_(left, right);
      case BinaryOp::kAnd: return pool().and_(left, right);
      case BinaryOp::kLt: return are_numbers ? pool().lt(left, right) : unknown(expr.type);
      case BinaryOp::kGt: return are_numbers ? pool().lt(right, left) : unknown(expr.type);
      case BinaryOp::kLe: return are_numbers ? pool().not_(pool().lt(right, left)) : unknown(expr.type);
      case BinaryOp::kGe: return are_numbers ? pool().not_(pool().lt(left, right)) : unknown(expr.type);
      case BinaryOp::kAdd: return are_numbers ? sum(left, right, false) : unknown(expr.type);
      case BinaryOp::kSub: return are_numbers ? sum(left, right, true) : unknown(expr.type);
      case BinaryOp::kMul: return of_numbers(are_numbers ? pool().mul(left, right) : left);
      default: return unknown(expr.type);
    }
  }

  // Sums are kept sorted, so that equal ones are the same term.
  Term sum(Term left, Term right, bool minus) {
    std::map<std::uint32_t, std::pair<Term, std::int64_t>> parts;
    std::int64_t number = 0;
    const auto add = [&](auto&& self, Term it, std::int64_t times) -> void {
      if (it->op == Op::kNumber) {
        number += times * it->number;
      } else if (it->op == Op::kAdd) {
        for (Term part : it->args) self(self, part, times);
      } else if (it->op == Op::kMul && it->args[0]->op == Op::kNumber) {
        self(self, it->args[1], times * it->args[0]->number);
      } else {
        auto& [term, count] = parts[it->id];
        term = it;
        count += times;
      }
    };
    add(add, left, 1);
    add(add, right, minus ? -1 : 1);
    Term out = nullptr;
    for (const auto& [id, part] : parts) {
      if (part.second == 0) continue;
      const Term it = pool().mul(pool().number(part.second), part.first);
      out = out == nullptr ? it : pool().add(out, it);
    }
    return out == nullptr ? pool().number(number) : pool().add(out, pool().number(number));
  }

  const Program& program_;
  const Kept kept_;
  std::vector<Flow> flows_;
  std::vector<std::vector<std::set<int>>> live_;
  Machine out_;
  std::vector<State> states_;  // by node
  std::map<std::string, int> numbers_;
  const std::map<std::string, Term>* after_ = nullptr;  // in a direct operation: by location
  int performed_ = 0;
};

}  // namespace

std::optional<Machine> steps_of(const Program& program, int procedure, const std::vector<ExprPtr>& arguments) {
  for (const Kept kept : {Kept::kRelations, Kept::kNumbers, Kept::kTruths}) {
    try {
      return Walk(program, kept).run(procedure, arguments);
    } catch (const CannotFollow&) {}
  }
  return {};
}

}  // namespace concord::infer
