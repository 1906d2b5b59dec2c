#include "plato/promela.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/overloaded.h"
#include "plato/flow.h"
#include "plato/printer.h"
#include "plato/walk.h"

namespace concord::plato {

namespace {

struct NotInPromela {
  SourceRange range;
  std::string what;
};

// A procedure that a thread runs, entered or called: where its variables are, and where it goes on when it returns.
struct Activation {
  const Flow* flow = nullptr;
  std::string prefix;  // of labels and variables
  const Activation* caller = nullptr;
  const Stmt* call = nullptr;  // in the caller
  std::string back;            // the label behind it
};

class Writer {
 public:
  Writer(const Program& program, std::int64_t thread_count) : program_(program), thread_count_(thread_count) {
    for (const Procedure& it : program.procedures) flows_.push_back(make_flow(it));
  }

  std::string run() {
    for (const Const& it : program_.consts) constant(it);
    for (const Variable& it : program_.variables) {
      out_ += declaration(it.type, variable_name(it.name), it.range, it.init.get()) + ";\n";
    }
    for (const Clause& it : program_.clauses) {
      if (it.kind == Clause::Kind::kMonitorInvariant) throw NotInPromela{it.range, "an invariant of a monitor"};
      if (it.kind == Clause::Kind::kInitially) throw NotInPromela{it.range, "`initially`"};
      if (it.kind == Clause::Kind::kFinally) throw NotInPromela{it.range, "`finally`"};
    }
    int first = 1;
    for (const Thread& it : program_.threads) thread(it, first);
    return std::move(out_);
  }

 private:
  // ---- declarations

  void constant(const Const& it) {
    const bool counts = std::any_of(program_.threads.begin(), program_.threads.end(), [&](const Thread& thread) {
      return thread.const_index >= 0 && &program_.consts[static_cast<std::size_t>(thread.const_index)] == &it;
    });
    if (!it.value && !counts) throw NotInPromela{it.range, "a constant without a value"};
    out_ += fmt::format("#define {} {}\n", variable_name(it.name),
                        it.value ? value(*it.value, nullptr) : fmt::to_string(thread_count_));
  }

  std::int64_t all_threads() const {
    std::int64_t out = 0;
    for (const Thread& it : program_.threads) out += count_of(it);
    return out;
  }

  std::int64_t count_of(const Thread& it) const {
    if (it.count == Thread::Count::kNumber) return it.number;
    if (it.count == Thread::Count::kUnbounded) return thread_count_;
    const Const& symbol = program_.consts[static_cast<std::size_t>(it.const_index)];
    const auto* literal = symbol.value ? std::get_if<IntLit>(&symbol.value->node) : nullptr;
    if (symbol.value && literal == nullptr) throw NotInPromela{it.range, "this number of threads"};
    return literal != nullptr ? literal->value : thread_count_;
  }

  std::int64_t values_of(const Type& type, SourceRange range) const {
    switch (type.kind) {
      case Type::Kind::kBool: return 2;
      case Type::Kind::kTid: return all_threads() + 1;
      case Type::Kind::kEnum: return std::ssize(program_.enums[static_cast<std::size_t>(type.decl)].constants);
      default: throw NotInPromela{range, "a map from " + to_string(type)};
    }
  }

  std::string type_name(const Type& type, SourceRange range) const {
    switch (type.kind) {
      case Type::Kind::kBool: return "bool";
      case Type::Kind::kInt: return "int";
      case Type::Kind::kTid:
      case Type::Kind::kEnum: return "byte";
      default: throw NotInPromela{range, "a value of type " + to_string(type)};
    }
  }

  std::string declaration(const Type& type, const std::string& name, SourceRange range, const Expr* init) {
    const bool is_map = type.kind == Type::Kind::kMap;
    const Expr* first = init;
    if (is_map && init != nullptr) {
      const auto* all = std::get_if<MapConst>(&init->node);
      if (all == nullptr) throw NotInPromela{init->range, "this initial value of a map"};
      first = all->value.get();
    }
    if (first != nullptr && std::holds_alternative<Star>(first->node)) throw NotInPromela{range, "any initial value"};
    std::string out = type_name(is_map ? *type.second : type, range) + " " + name;
    if (is_map) out += fmt::format("[{}]", values_of(*type.first, range));
    return first == nullptr ? out : out + " = " + value(*first, nullptr);
  }

  static std::string variable_name(const std::string& name) { return "v_" + name; }
  static std::string local_name(const Activation& at, int slot) {
    return fmt::format("{}{}", at.prefix, at.flow->procedure->locals[static_cast<std::size_t>(slot)].name);
  }

  // ---- threads

  void thread(const Thread& it, int& first) {
    const std::int64_t count = count_of(it);
    const Flow& flow = flows_[static_cast<std::size_t>(it.target.index)];
    const bool is_indexed =
        std::any_of(it.target.arguments.begin(), it.target.arguments.end(), [](const ExprPtr& argument) {
          bool out = false;
          for_each_expr(*argument,
                        [&](const Expr& part) { out = out || std::holds_alternative<ThreadIndex>(part.node); });
          return out;
        });
    const std::int64_t classes = is_indexed ? count : 1;
    for (std::int64_t i = 0; i < classes; ++i) {
      index_ = i;
      locals_.clear();
      blocks_.clear();
      done_.clear();
      const Activation root{&flow, "l_", nullptr, nullptr, "end_done"};
      const std::string start = label(root, 0);
      std::vector<std::string> begin;
      for (const ExprPtr& argument : it.target.arguments) begin.push_back(value(*argument, nullptr));
      locals_of(root, &begin);
      activation(root);
      out_ += fmt::format("\nactive [{}] proctype {}() {{\n", is_indexed ? 1 : count,
                          fmt::format("p{}_{}", first, flow.procedure->name));
      for (const std::string& local : locals_) out_ += "  " + local + ";\n";
      out_ += fmt::format("  goto {};\n", start);
      for (const std::string& block : blocks_) out_ += block;
      out_ += "end_done: false\n}\n";
      first += static_cast<int>(is_indexed ? 1 : count);
    }
  }

  void locals_of(const Activation& at, const std::vector<std::string>* initial) {
    const std::vector<Local>& locals = at.flow->procedure->locals;
    for (std::size_t slot = 0; slot < locals.size(); ++slot) {
      std::string text =
          type_name(locals[slot].type, locals[slot].range) + " " + local_name(at, static_cast<int>(slot));
      if (initial != nullptr && slot < initial->size()) text += " = " + (*initial)[slot];
      locals_.push_back(std::move(text));
    }
  }

  // Where waiting is meant to be possible, it is a valid end.
  static std::string label(const Activation& at, int node) {
    std::vector<const FlowEdge*> edges;
    collect(*at.flow, node, edges);
    const bool may_wait = !edges.empty() && std::all_of(edges.begin(), edges.end(), [](const FlowEdge* it) {
      return it->operation.statement != nullptr && it->operation.statement->may_block;
    });
    return fmt::format("{}{}n{}", may_wait ? "end_" : "", at.prefix, node);
  }

  // A label for each node that the thread may stand at.
  void activation(const Activation& at) {
    std::set<int> stands{0};
    std::vector<int> todo{0};
    while (!todo.empty()) {
      const int node = todo.back();
      todo.pop_back();
      std::vector<const FlowEdge*> edges;
      collect(*at.flow, node, edges);
      std::string block = label(at, node) + ":\n  if\n";
      for (const FlowEdge* edge : edges) {
        block += "  :: " + step(at, *edge) + "\n";
        const bool is_atomic = edge->operation.kind == Operation::Kind::kAtomicBegin;
        std::set<int> next;
        if (is_atomic) next = ends_of_atomic(*at.flow, edge->target);
        if (!is_atomic && edge->target >= 0) next.insert(edge->target);
        for (const int it : next) {
          if (stands.insert(it).second) todo.push_back(it);
        }
      }
      blocks_.push_back(block + "  fi;\n");
      if (edges.empty()) throw NotInPromela{at.flow->procedure->range, "a place without an operation"};
    }
  }

  // Over silent edges.
  static void collect(const Flow& flow, int node, std::vector<const FlowEdge*>& out) {
    for (const int at : nodes_at_once(flow, node)) {
      for (const FlowEdge& edge : flow.nodes[static_cast<std::size_t>(at)].edges) {
        if (edge.operation.kind != Operation::Kind::kSilent) out.push_back(&edge);
      }
    }
  }

  static std::set<int> ends_of_atomic(const Flow& flow, int node) {
    std::set<int> out;
    std::set<int> seen;
    std::vector<int> todo{node};
    while (!todo.empty()) {
      const int at = todo.back();
      todo.pop_back();
      if (!seen.insert(at).second) continue;
      for (const FlowEdge& edge : flow.nodes[static_cast<std::size_t>(at)].edges) {
        if (edge.operation.kind == Operation::Kind::kAtomicEnd) {
          out.insert(edge.target);
        } else if (edge.target >= 0) {
          todo.push_back(edge.target);
        }
      }
    }
    return out;
  }

  // ---- steps

  struct Effect {
    std::string guard;  // waits for it; empty: nothing
    std::vector<std::string> commands;
  };

  std::string step(const Activation& at, const FlowEdge& edge) {
    if (edge.operation.kind == Operation::Kind::kAtomicBegin) return atomic(at, edge);
    std::string target = edge.target >= 0 ? label(at, edge.target) : "";
    Effect effect = effect_of(at, edge, target);
    return fmt::format("atomic {{ {}{}goto {} }}", text(effect, true), checks(), target);
  }

  // What begins a step or a way says what it waits for, or `true`.
  static std::string text(const Effect& effect, bool is_first) {
    std::string out = !effect.guard.empty() ? effect.guard + " -> " : is_first ? "true -> " : "";
    for (const std::string& it : effect.commands) out += it + "; ";
    return out;
  }

  std::string checks() const {
    std::string out;
    for (const Clause& it : program_.clauses) {
      if (it.kind != Clause::Kind::kGlobalInvariant) continue;
      out += fmt::format("assert({}); ", value(*it.predicate.predicate, nullptr));
    }
    return out;
  }

  // The operations inside, with labels of their own: a step that blocks in the middle is not taken, so only the first may wait.
  std::string atomic(const Activation& at, const FlowEdge& edge) {
    return "atomic { " + sequence(at, edge.target, true, edge.operation.statement->range) + " }";
  }

  std::string sequence(const Activation& at, int node, bool is_first, SourceRange range) {
    std::vector<const FlowEdge*> edges;
    collect(*at.flow, node, edges);
    std::vector<std::string> ways;
    for (const FlowEdge* edge : edges) {
      const Operation& operation = edge->operation;
      if (operation.kind == Operation::Kind::kAtomicEnd) {
        ways.push_back(std::string(is_first ? "true -> " : "") + checks() + "goto " + label(at, edge->target));
        continue;
      }
      if (operation.kind != Operation::Kind::kStatement && operation.kind != Operation::Kind::kCondition) {
        throw NotInPromela{range, "a call, a return or another `atomic` inside `atomic`"};
      }
      if (at.flow->nodes[static_cast<std::size_t>(edge->target)].loop != nullptr) {
        throw NotInPromela{range, "a loop inside `atomic`"};
      }
      std::string target;
      const Effect effect = effect_of(at, *edge, target);
      const bool may_wait = operation.kind == Operation::Kind::kStatement && !effect.guard.empty();
      if (may_wait && !is_first) throw NotInPromela{range, "waiting in the middle of `atomic`"};
      ways.push_back(text(effect, is_first) + sequence(at, edge->target, false, range));
    }
    if (ways.size() == 1) return ways.front();
    std::string out = "if";
    for (const std::string& it : ways) out += " :: " + it;
    return out + " fi";
  }

  Effect effect_of(const Activation& at, const FlowEdge& edge, std::string& target) {
    const Operation& operation = edge.operation;
    Effect out;
    switch (operation.kind) {
      case Operation::Kind::kCondition: {
        if (std::holds_alternative<Star>(operation.condition->node)) return out;
        const std::string condition = value(*operation.condition, &at);
        out.guard = operation.wanted ? condition : "(!" + condition + ")";
        return out;
      }
      case Operation::Kind::kStatement: statement(at, *operation.statement, out); return out;
      case Operation::Kind::kCall: call(at, edge, out, target); return out;
      case Operation::Kind::kReturn: leave(at, operation, out, target); return out;
      case Operation::Kind::kAssignResult: {
        const auto& it = std::get<Assign>(operation.statement->node);
        assign(*it.target, result_name(at), at, out);
        out.commands.push_back(result_name(at) + " = 0");
        return out;
      }
      default: throw NotInPromela{range_of(operation, *at.flow->procedure), text_of(operation)};
    }
  }

  static std::string result_name(const Activation& at) { return at.prefix + "result"; }

  void call(const Activation& at, const FlowEdge& edge, Effect& out, std::string& target) {
    const Stmt& statement = *edge.operation.statement;
    const CallTarget& called_here = *called(statement);
    if (called_here.catch_slot >= 0) throw NotInPromela{statement.range, "an exception"};
    const Flow& flow = flows_[static_cast<std::size_t>(called_here.index)];
    for (const Activation* it = &at; it != nullptr; it = it->caller) {
      if (it->flow == &flow) throw NotInPromela{statement.range, "recursion"};
    }
    const std::string back = label(at, edge.target);
    const std::string prefix = fmt::format("{}c{}_", at.prefix, edge.target);
    const Activation callee{&flow, prefix, &at, &statement, back};
    for (std::size_t slot = 0; slot < called_here.arguments.size(); ++slot) {
      out.commands.push_back(local_name(callee, static_cast<int>(slot)) + " = " +
                             value(*called_here.arguments[slot], &at));
    }
    target = label(callee, 0);
    if (!done_.insert(prefix).second) return;
    locals_of(callee, nullptr);
    if (direct_result_slot(statement) < 0 && !std::holds_alternative<Call>(statement.node)) {
      locals_.push_back(type_name(flow.procedure->result, statement.range) + " " + result_name(at));
    }
    activation(callee);
  }

  void leave(const Activation& at, const Operation& operation, Effect& out, std::string& target) {
    const auto* returned = operation.statement == nullptr ? nullptr : &std::get<Return>(operation.statement->node);
    if (at.caller != nullptr && !std::holds_alternative<Call>(at.call->node)) {
      const int slot = direct_result_slot(*at.call);
      const std::string into = slot >= 0 ? local_name(*at.caller, slot) : result_name(*at.caller);
      out.commands.push_back(into + " = " +
                             (returned != nullptr && returned->value ? value(*returned->value, &at) : "0"));
    }
    for (int slot = 0; slot < std::ssize(at.flow->procedure->locals); ++slot) {
      out.commands.push_back(local_name(at, slot) + " = 0");
    }
    target = at.back;
  }

  void statement(const Activation& at, const Stmt& statement, Effect& out) {
    const auto rhs = [&](const Rhs& it, const std::function<void(const std::string&)>& into) {
      if (const auto* plain = std::get_if<ExprPtr>(&it)) { return into(value(**plain, &at)); }
      if (const auto* cas = std::get_if<CasExpr>(&it)) {
        const std::string place = value(*cas->location, &at);
        const std::string equal = fmt::format("({} == {})", place, value(*cas->expected, &at));
        const std::string kept = at.prefix + "cas";
        if (std::find(locals_.begin(), locals_.end(), "bool " + kept) == locals_.end())
          locals_.push_back("bool " + kept);
        out.commands.push_back(kept + " = " + equal);
        out.commands.push_back(fmt::format("if :: {} -> {} = {} :: else fi", kept, place, value(*cas->value, &at)));
        into(kept);
        return out.commands.push_back(kept + " = 0");
      }
      throw NotInPromela{statement.range, print_head(statement)};
    };
    std::visit(
        base::Overloaded{
            [&](const LocalDecl& it) {
              const std::string name = local_name(at, it.slot);
              if (!it.init) return out.commands.push_back(name + " = 0");
              rhs(*it.init, [&](const std::string& text) { out.commands.push_back(name + " = " + text); });
            },
            [&](const Assign& it) {
              rhs(it.value, [&](const std::string& text) { assign(*it.target, text, at, out); });
            },
            [&](const Assert& it) { out.commands.push_back(fmt::format("assert({})", value(*it.condition, &at))); },
            [&](const Assume& it) { out.guard = value(*it.condition, &at); },
            [&](const Skip&) {},
            [&](const CasSwap& it) {
              const std::string place = value(*it.location, &at);
              const std::string other = value(*it.value, &at);
              const std::string kept = at.prefix + "swap";
              const std::string declared = type_name(it.value->type, statement.range) + " " + kept;
              if (std::find(locals_.begin(), locals_.end(), declared) == locals_.end()) locals_.push_back(declared);
              out.commands.push_back(
                  fmt::format("if :: ({0} == {1}) -> {2} = {0}; {0} = {3}; {3} = {2}; {2} = 0 :: else fi", place,
                              value(*it.expected, &at), kept, other));
            },
            [&](const Acquire& it) {
              const std::string lock = plain_lock(*it.lock, at);
              out.guard = fmt::format("({} == 0)", lock);
              out.commands.push_back(lock + " = (_pid + 1)");
            },
            [&](const Release& it) {
              const std::string lock = plain_lock(*it.lock, at);
              out.commands.push_back(fmt::format("assert({} == (_pid + 1))", lock));
              out.commands.push_back(lock + " = 0");
            },
            [&](const Direct& it) { direct(it, at, statement, out); },
            [&](const auto&) {
              throw NotInPromela{statement.range, print_head(statement)};
            },
        },
        statement.node);
    for (const GhostSet& it : statement.sets) assign(*it.target, value(*it.value, &at), at, out);
  }

  void assign(const Expr& target, const std::string& text, const Activation& at, Effect& out) {
    out.commands.push_back(value(target, &at) + " = " + text);
  }

  std::string plain_lock(const Expr& lock, const Activation& at) {
    if (lock.type.kind != Type::Kind::kTid) throw NotInPromela{lock.range, "a monitor"};
    return value(lock, &at);
  }

  // An equation for each location of the frame, and conditions on the state before and on what the equations give.
  void direct(const Direct& it, const Activation& at, const Stmt& statement, Effect& out) {
    if (it.action.uses_old) throw NotInPromela{statement.range, "a direct operation with \\old"};
    std::vector<const Expr*> conjuncts;
    collect_conjuncts(*it.action.predicate, conjuncts);
    std::vector<std::pair<std::string, std::string>> writes;
    new_values_.clear();
    for (bool has_more = true; has_more;) {
      has_more = false;
      for (const Expr*& each : conjuncts) {
        const auto equation = each == nullptr ? std::nullopt : new_value(*each, at);
        if (!equation || !new_values_.insert(*equation).second) continue;
        writes.push_back(*equation);
        each = nullptr;
        has_more = true;
      }
    }
    std::string guard;
    for (const Expr* each : conjuncts) {
      if (each != nullptr) guard += (guard.empty() ? "" : " && ") + value(*each, &at);
    }
    new_values_.clear();
    if (writes.size() != (it.action.frame ? it.action.frame->size() : 0)) {
      throw NotInPromela{statement.range, "a direct operation that leaves a value open"};
    }
    out.guard = guard.empty() ? "" : "(" + guard + ")";
    if (it.wrong_unless) {
      const std::string condition = value(*it.wrong_unless, &at);
      if (!guard.empty()) out.guard = fmt::format("(!{} || {})", condition, out.guard);
      out.commands.push_back(fmt::format("assert({})", condition));
    }
    write_at_once(writes, at, out);
  }

  // If a value depends on what is written before it, all are computed first; in between they are kept in variables that are 0 at all
  // other times.
  void write_at_once(const std::vector<std::pair<std::string, std::string>>& writes, const Activation& at,
                     Effect& out) {
    bool depends = false;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j)
        depends = depends || writes[i].second.find(writes[j].first) != std::string::npos;
    }
    if (!depends) {
      for (const auto& [place, text] : writes) out.commands.push_back(place + " = " + text);
      return;
    }
    const auto kept = [&](std::size_t i) { return fmt::format("{}new{}", at.prefix, i); };
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const std::string declared = "int " + kept(i);
      if (std::find(locals_.begin(), locals_.end(), declared) == locals_.end()) locals_.push_back(declared);
      out.commands.push_back(kept(i) + " = " + writes[i].second);
    }
    for (std::size_t i = 0; i < writes.size(); ++i) {
      out.commands.push_back(writes[i].first + " = " + kept(i));
      out.commands.push_back(kept(i) + " = 0");
    }
  }

  // `x' == e`, `x'`, `!x'`: the place and its new value, if it depends on known values only.
  std::optional<std::pair<std::string, std::string>> new_value(const Expr& conjunct, const Activation& at) const {
    const auto* equation = std::get_if<BinaryExpr>(&conjunct.node);
    const auto* negation = std::get_if<UnaryExpr>(&conjunct.node);
    const bool is_equation = equation != nullptr && equation->op == BinaryOp::kEq;
    const bool is_false = negation != nullptr && negation->op == UnaryOp::kNot;
    const Expr& target = is_equation ? *equation->left : is_false ? *negation->operand : conjunct;
    const auto* name = std::get_if<NameExpr>(&target.node);
    if (name == nullptr || !name->primed || (is_equation && !is_known(*equation->right, at))) return std::nullopt;
    return std::pair(place(*name, target, at), is_equation ? value(*equation->right, &at)
                                               : is_false  ? "false"
                                                           : "true");
  }

  bool is_known(const Expr& expr, const Activation& at) const {
    bool out = true;
    for_each_expr(expr, [&](const Expr& part) {
      const auto* name = std::get_if<NameExpr>(&part.node);
      const auto* index = std::get_if<IndexExpr>(&part.node);
      out = out && (index == nullptr || !index->primed) &&
            (name == nullptr || !name->primed || new_values_.contains(place(*name, part, at)));
    });
    return out;
  }

  // ---- expressions

  static std::string place(const NameExpr& name, const Expr& expr) {
    if (name.ref.kind != Ref::Kind::kShared && name.ref.kind != Ref::Kind::kConst)
      throw NotInPromela{expr.range, "`" + print(expr) + "`"};
    return variable_name(name.name);
  }
  static std::string place(const NameExpr& name, const Expr& expr, const Activation& at) {
    return name.ref.kind == Ref::Kind::kLocal ? local_name(at, name.ref.index) : place(name, expr);
  }

  std::string value(const Expr& expr, const Activation* at) const {
    return std::visit(
        base::Overloaded{
            [&](const IntLit& it) { return it.value < 0 ? fmt::format("({})", it.value) : fmt::to_string(it.value); },
            [&](const BoolLit& it) { return std::string(it.value ? "true" : "false"); },
            [&](const NoneLit&) { return std::string("0"); },
            [&](const TidExpr&) { return std::string("(_pid + 1)"); },
            [&](const ThreadIndex&) { return fmt::to_string(index_); },
            [&](const NameExpr& it) -> std::string {
              if (it.ref.kind == Ref::Kind::kEnumConst) return fmt::to_string(it.ref.index);
              if (!it.primed) return it.ref.kind == Ref::Kind::kLocal ? local_name(*at, it.ref.index) : place(it, expr);
              const auto found = new_values_.find(place(it, expr, *at));
              if (found == new_values_.end())
                throw NotInPromela{expr.range, "a predicate that does not say what the new value is"};
              return "(" + found->second + ")";
            },
            [&](const IndexExpr& it) -> std::string {
              if (it.primed) throw NotInPromela{expr.range, "a predicate that does not say what the new value is"};
              if (it.base->type.kind != Type::Kind::kMap || !std::holds_alternative<NameExpr>(it.base->node)) {
                throw NotInPromela{expr.range, "`" + print(expr) + "`"};
              }
              return fmt::format("{}[{}]", value(*it.base, at), value(*it.index, at));
            },
            [&](const UnaryExpr& it) -> std::string {
              if (it.op == UnaryOp::kNonNull) throw NotInPromela{expr.range, "`" + print(expr) + "`"};
              return fmt::format("({}{})", it.op == UnaryOp::kNot ? "!" : "-", value(*it.operand, at));
            },
            [&](const BinaryExpr& it) { return binary(expr, it, at); },
            [&](const ConditionalExpr& it) {
              return fmt::format("({} -> {} : {})", value(*it.condition, at), value(*it.then, at),
                                 value(*it.otherwise, at));
            },
            [&](const auto&) -> std::string {
              throw NotInPromela{expr.range, "`" + print(expr) + "`"};
            },
        },
        expr.node);
  }

  std::string binary(const Expr& expr, const BinaryExpr& it, const Activation* at) const {
    static const std::map<BinaryOp, std::string> kNames = {
        {BinaryOp::kIff, "=="}, {BinaryOp::kOr, "||"}, {BinaryOp::kAnd, "&&"}, {BinaryOp::kEq, "=="},
        {BinaryOp::kNe, "!="},  {BinaryOp::kLt, "<"},  {BinaryOp::kLe, "<="},  {BinaryOp::kGt, ">"},
        {BinaryOp::kGe, ">="},  {BinaryOp::kAdd, "+"}, {BinaryOp::kSub, "-"},  {BinaryOp::kMul, "*"},
        {BinaryOp::kDiv, "/"},  {BinaryOp::kMod, "%"}};
    const std::string left = value(*it.left, at);
    const std::string right = value(*it.right, at);
    if (it.op == BinaryOp::kImplies) return fmt::format("(!{} || {})", left, right);
    const bool divides = it.op == BinaryOp::kDiv || it.op == BinaryOp::kMod;
    if (divides && !std::holds_alternative<IntLit>(it.right->node))
      throw NotInPromela{expr.range, "division by a variable"};
    const auto found = kNames.find(it.op);
    const bool is_known = it.left->type.kind != Type::Kind::kSet && it.left->type.kind != Type::Kind::kMap;
    if (found == kNames.end() || !is_known) throw NotInPromela{expr.range, "`" + print(expr) + "`"};
    return fmt::format("({} {} {})", left, found->second, right);
  }

  const Program& program_;
  const std::int64_t thread_count_;
  std::vector<Flow> flows_;
  std::string out_;
  std::int64_t index_ = 0;  // of the thread that is being written
  std::vector<std::string> locals_;
  std::vector<std::string> blocks_;
  std::set<std::string> done_;                     // calls, by prefix
  std::map<std::string, std::string> new_values_;  // by place, while a direct operation is written
};

}  // namespace

std::string print_promela(const Program& program, std::int64_t thread_count, diag::Sink& sink) {
  try {
    return Writer(program, thread_count).run();
  } catch (const NotInPromela& it) {
    sink.error(it.range, "Promela has no place for " + it.what);
    return "";
  }
}

}  // namespace concord::plato
