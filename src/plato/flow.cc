#include "plato/flow.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/check.h"
#include "base/overloaded.h"
#include "plato/printer.h"
#include "plato/walk.h"

namespace concord::plato {

using base::Overloaded;

namespace {

class Builder {
 public:
  explicit Builder(const Procedure& procedure) { flow_.procedure = &procedure; }

  Flow build() {
    const int entry = add_node();
    const int end = add(*flow_.procedure->body, entry);
    add_edge(end, {Operation::Kind::kReturn, nullptr, nullptr, true}, -1);
    return std::move(flow_);
  }

 private:
  struct LoopTargets {
    int on_continue = -1;
    int on_break = -1;
    std::size_t regions = 0;  // that are around it
  };
  struct LabelTargets {
    const Labeled* labeled = nullptr;
    int on_continue = -1;  // of a loop
    int on_break = -1;
    std::size_t regions = 0;
  };

  int add_node() {
    flow_.nodes.emplace_back();
    flow_.nodes.back().regions = regions_;
    return static_cast<int>(flow_.nodes.size() - 1);
  }
  void add_edge(int from, Operation operation, int target) { flow_.nodes[from].edges.push_back({operation, target}); }
  void add_silent(int from, int target) { add_edge(from, {}, target); }
  int add_operation(int from, Operation::Kind kind, const Stmt& statement) {
    const int target = add_node();
    add_edge(from, {kind, &statement, nullptr, true}, target);
    return target;
  }
  int add_condition(int from, const Stmt& statement, const Expr& condition, bool wanted) {
    const int target = add_node();
    add_edge(from, {Operation::Kind::kCondition, &statement, &condition, wanted}, target);
    return target;
  }

  // Adds the statement from node `from`; returns the node after it.
  int add(const Stmt& statement, int from) {
    return std::visit(Overloaded{
                          [&](const Block& it) {
                            const std::vector<const Stmt*> around = regions_;
                            for (const StmtPtr& inner : it.statements) from = add(*inner, from);
                            regions_ = around;
                            return from;
                          },
                          [&](const If& it) { return add_if(statement, it, from); },
                          [&](const While& it) { return add_while(statement, it, from); },
                          [&](const Choose& it) {
                            const int after = add_node();
                            for (const StmtPtr& branch : it.branches) {
                              const int start = add_node();
                              add_silent(from, start);
                              add_silent(add(*branch, start), after);
                            }
                            return after;
                          },
                          [&](const Loop& it) { return add_loop(it, from); },
                          [&](const Labeled& it) { return add_labeled(it, from); },
                          [&](const Break& it) {
                            const bool is_plain = it.label.empty();
                            return add_jump(from, is_plain ? loop_.on_break : labeled(it.label).on_break,
                                            is_plain ? loop_.regions : labeled(it.label).regions);
                          },
                          [&](const Continue& it) {
                            const bool is_plain = it.label.empty();
                            return add_jump(from, is_plain ? loop_.on_continue : labeled(it.label).on_continue,
                                            is_plain ? loop_.regions : labeled(it.label).regions);
                          },
                          [&](const Return&) {
                            add_edge(from, {Operation::Kind::kReturn, &statement, nullptr, true}, -1);
                            return add_node();
                          },
                          [&](const Throw&) {
                            add_edge(from, {Operation::Kind::kThrow, &statement, nullptr, true}, -1);
                            return add_node();
                          },
                          [&](const Wait&) {
                            const int waiting = add_operation(from, Operation::Kind::kWaitRelease, statement);
                            return add_operation(waiting, Operation::Kind::kWaitAcquire, statement);
                          },
                          [&](const Call&) { return add_call(statement, from); },
                          [&](const Atomic& it) {
                            const int start = add_operation(from, Operation::Kind::kAtomicBegin, statement);
                            return add_operation(add(*it.body, start), Operation::Kind::kAtomicEnd, statement);
                          },
                          [&](const Exclusive& it) { return add_exclusive(statement, it, from); },
                          [&](const LocalDecl& it) {
                            const bool calls = it.init && std::holds_alternative<CallExpr>(*it.init);
                            return calls ? add_call(statement, from) : add_simple(statement, from);
                          },
                          [&](const Assign& it) {
                            if (!std::holds_alternative<CallExpr>(it.value)) {
                              return add_operation(from, Operation::Kind::kStatement, statement);
                            }
                            const int after = add_call(statement, from);
                            if (direct_result_slot(statement) >= 0) return after;
                            const int end = add_operation(after, Operation::Kind::kAssignResult, statement);
                            FlowEdge& edge = flow_.nodes[from].edges.back();  // an exception passes by the assignment
                            if (edge.on_throw >= 0) edge.on_throw = end;
                            return end;
                          },
                          [&](const Assert&) { return add_simple(statement, from); },
                          [&](const Assume&) { return add_simple(statement, from); },
                          [&](const Havoc&) { return add_simple(statement, from); },
                          [&](const CasSwap&) { return add_simple(statement, from); },
                          [&](const Acquire&) { return add_simple(statement, from); },
                          [&](const Release&) { return add_simple(statement, from); },
                          [&](const Notify&) { return add_simple(statement, from); },
                          [&](const Start&) { return add_simple(statement, from); },
                          [&](const Join&) { return add_simple(statement, from); },
                          [&](const Skip&) { return add_simple(statement, from); },
                          [&](const Initialised&) { return add_simple(statement, from); },
                          [&](const Direct&) { return add_simple(statement, from); },
                          [&](const Unsupported&) { return add_unsupported(statement, from); },
                          [&](const SetStmt&) { return add_simple(statement, from); },
                      },
                      statement.node);
  }

  int add_exclusive(const Stmt& statement, const Exclusive& it, int from) {
    if (!it.body) return add_leave(statement, it, from);
    regions_.push_back(&statement);
    const int end = add(*it.body, add_operation(from, Operation::Kind::kEnter, statement));
    regions_.pop_back();
    return add_operation(end, Operation::Kind::kLeave, statement);
  }

  // What follows in the block is outside, up to the jump out of it.
  int add_leave(const Stmt& statement, const Exclusive& it, int from) {
    CONCORD_CHECK(!regions_.empty() && std::get<Exclusive>(regions_.back()->node).region == it.region,
                  "a region is left that is not the innermost");
    regions_.pop_back();
    return add_operation(from, Operation::Kind::kLeave, statement);
  }

  // Regions are left on the way, down to so many.
  int add_jump(int from, int target, std::size_t regions) {
    const std::vector<const Stmt*> around = regions_;
    while (regions_.size() > regions) {
      const Stmt& inner = *regions_.back();
      regions_.pop_back();
      from = add_operation(from, Operation::Kind::kLeave, inner);
    }
    regions_ = around;
    add_silent(from, target);
    return add_node();
  }

  int add_simple(const Stmt& statement, int from) {
    return add_operation(from, Operation::Kind::kStatement, statement);
  }

  int add_call(const Stmt& statement, int from) {
    const int after = add_operation(from, Operation::Kind::kCall, statement);
    if (!called(statement)->catches.empty()) flow_.nodes[from].edges.back().on_throw = after;
    return after;
  }

  // Of what may do anything it is not known either where it goes on.
  int add_unsupported(const Stmt& statement, int from) {
    const int after = add_simple(statement, from);
    if (!may_do_anything(statement)) return after;
    std::set<int> targets{loop_.on_break, loop_.on_continue};
    for (const LabelTargets& it : labels_) targets.insert({it.on_break, it.on_continue});
    for (const int target : targets) {
      if (target >= 0) add_silent(after, target);
    }
    return after;
  }

  int add_if(const Stmt& statement, const If& it, int from) {
    const int then = add_condition(from, statement, *it.condition, true);
    const int otherwise = add_condition(from, statement, *it.condition, false);
    const int after = add_node();
    add_silent(add(*it.then, then), after);
    add_silent(it.otherwise ? add(*it.otherwise, otherwise) : otherwise, after);
    return after;
  }

  int add_while(const Stmt& statement, const While& it, int from) {
    const int head = add_node();
    add_silent(from, head);
    flow_.nodes[head].loop = &it.spec;
    const int body = add_condition(head, statement, *it.condition, true);
    const int after = add_condition(head, statement, *it.condition, false);
    add_loop_body(*it.body, body, head, after);
    return after;
  }

  int add_loop(const Loop& it, int from) {
    const int head = add_node();
    const int after = add_node();
    add_silent(from, head);
    add_silent(head, after);
    flow_.nodes[head].loop = &it.spec;
    const int body = add_node();
    add_silent(head, body);
    add_loop_body(*it.body, body, head, after);
    return after;
  }

  int add_labeled(const Labeled& it, int from) {
    const int after = add_node();
    labels_.push_back({&it, -1, after, regions_.size()});
    const int end = add(*it.body, from);
    labels_.pop_back();
    add_silent(end, after);
    return after;
  }

  const LabelTargets& labeled(const std::string& label) const {
    const auto found =
        std::find_if(labels_.rbegin(), labels_.rend(), [&](const auto& it) { return it.labeled->label == label; });
    CONCORD_CHECK(found != labels_.rend(), "a jump to no label");
    return *found;
  }

  void add_loop_body(const Stmt& body, int start, int head, int after) {
    // The label of this very loop: its `continue` comes here.
    if (!labels_.empty() && &body == body_of_loop(*labels_.back().labeled->body)) labels_.back().on_continue = head;
    const LoopTargets outer = loop_;
    loop_ = {head, after, regions_.size()};
    add_silent(add(body, start), head);
    loop_ = outer;
  }

  static const Stmt* body_of_loop(const Stmt& statement) {
    if (const auto* it = std::get_if<While>(&statement.node)) return it->body.get();
    if (const auto* it = std::get_if<Loop>(&statement.node)) return it->body.get();
    return nullptr;
  }

  Flow flow_;
  LoopTargets loop_;
  std::vector<LabelTargets> labels_;  // around the statement at hand, innermost last
  std::vector<const Stmt*> regions_;  // likewise
};

}  // namespace

Flow make_flow(const Procedure& procedure) { return Builder(procedure).build(); }

std::set<int> loop_nodes(const Flow& flow, int head) {
  std::map<int, std::set<int>> sources;
  for (int n = 0; n < std::ssize(flow.nodes); ++n) {
    for (const FlowEdge& edge : flow.nodes[static_cast<std::size_t>(n)].edges) {
      for (const int target : {edge.target, edge.on_throw}) {
        if (target >= 0) sources[target].insert(n);
      }
    }
  }
  std::set<int> out{head};
  std::vector<int> open;
  const auto reach = [&](int node) {
    if (node > head && out.insert(node).second) open.push_back(node);  // the nodes of the body come after the head
  };
  for (const int it : sources[head]) reach(it);
  while (!open.empty()) {
    const int top = open.back();
    open.pop_back();
    for (const int it : sources[top]) reach(it);
  }
  return out;
}

std::vector<int> nodes_at_once(const Flow& flow, int node) {
  std::vector<int> out;
  std::vector<int> todo{node};
  while (!todo.empty()) {
    const int at = todo.back();
    todo.pop_back();
    if (std::find(out.begin(), out.end(), at) != out.end()) continue;
    out.push_back(at);
    for (const FlowEdge& edge : flow.nodes[static_cast<std::size_t>(at)].edges) {
      if (edge.operation.kind == Operation::Kind::kSilent) todo.push_back(edge.target);
    }
  }
  return out;
}

const CallTarget* called(const Stmt& statement) {
  if (const auto* it = std::get_if<Call>(&statement.node)) return &it->target;
  if (const auto* it = std::get_if<Start>(&statement.node)) return &it->target;
  const Rhs* rhs = nullptr;
  if (const auto* it = std::get_if<Assign>(&statement.node)) rhs = &it->value;
  if (const auto* it = std::get_if<LocalDecl>(&statement.node)) rhs = it->init ? &*it->init : nullptr;
  if (rhs == nullptr) return nullptr;
  if (const auto* it = std::get_if<CallExpr>(rhs)) return &it->target;
  if (const auto* it = std::get_if<StartExpr>(rhs)) return &it->target;
  return nullptr;
}

bool starts_thread(const Stmt& statement) {
  if (std::holds_alternative<Start>(statement.node)) return true;
  const auto starts = [](const Rhs& rhs) { return std::holds_alternative<StartExpr>(rhs); };
  if (const auto* it = std::get_if<Assign>(&statement.node)) return starts(it->value);
  if (const auto* it = std::get_if<LocalDecl>(&statement.node)) return it->init && starts(*it->init);
  return false;
}

bool has_abstract_threads(const Program& program) {
  const auto has = [](const auto& it) { return it.abstracted.index >= 0; };
  return std::any_of(program.threads.begin(), program.threads.end(), has) ||
         std::any_of(program.procedures.begin(), program.procedures.end(), has);
}

const Abstracted& abstracted(const Program& program, int declaration, int entry) {
  return declaration >= 0 ? program.threads[static_cast<std::size_t>(declaration)].abstracted
                          : program.procedures[static_cast<std::size_t>(entry)].abstracted;
}

const Stmt* find_start(const Program& program, std::vector<const Stmt*> statements) {
  const Stmt* out = nullptr;
  std::set<std::string> seen;
  while (!statements.empty() && out == nullptr) {
    const Stmt& top = *statements.back();
    statements.pop_back();
    for_each_stmt(top, [&](const Stmt& statement) {
      if (starts_thread(statement)) out = &statement;
      const CallTarget* target = called(statement);
      if (target == nullptr || !seen.insert(target->procedure).second) return;
      for (const Procedure& it : program.procedures) {
        if (it.name == target->procedure) statements.push_back(it.body.get());
      }
    });
  }
  return out;
}

namespace {

std::vector<int> calls_in(const Procedure& procedure, bool starts) {
  std::vector<int> out;
  for_each_stmt(*procedure.body, [&](const Stmt& statement) {
    const CallTarget* target = called(statement);
    if (target != nullptr && (starts || !starts_thread(statement))) out.push_back(target->index);
  });
  return out;
}

}  // namespace

std::set<int> run_from(const Program& program, std::vector<int> roots, bool starts) {
  std::set<int> out;
  while (!roots.empty()) {
    const int at = roots.back();
    roots.pop_back();
    if (!out.insert(at).second) continue;
    for (const int it : calls_in(program.procedures[static_cast<std::size_t>(at)], starts)) roots.push_back(it);
  }
  return out;
}

std::set<int> started_in(const Program& program, const std::set<int>& procedures) {
  std::set<int> out;
  for (const int it : procedures) {
    for_each_stmt(*program.procedures[static_cast<std::size_t>(it)].body, [&](const Stmt& statement) {
      if (starts_thread(statement)) out.insert(called(statement)->index);
    });
  }
  return out;
}

bool is_recursive(const Program& program, int procedure) {
  const std::vector<int> calls = calls_in(program.procedures[static_cast<std::size_t>(procedure)], false);
  return run_from(program, calls, false).contains(procedure);
}

int direct_result_slot(const Stmt& statement) {
  if (const auto* it = std::get_if<LocalDecl>(&statement.node)) return it->slot;
  if (const auto* it = std::get_if<Assign>(&statement.node)) {
    const auto* name = std::get_if<NameExpr>(&it->target->node);
    if (name != nullptr && name->ref.kind == Ref::Kind::kLocal) return name->ref.index;
  }
  return -1;
}

SourceRange range_of(const Operation& operation, const Procedure& procedure) {
  if (operation.kind == Operation::Kind::kCondition) return operation.condition->range;
  return operation.statement != nullptr ? operation.statement->range : procedure.end_range;
}

std::string text_of(const Operation& operation) {
  switch (operation.kind) {
    case Operation::Kind::kSilent: return "";
    case Operation::Kind::kCondition: {
      const std::string condition = print(*operation.condition);
      if (std::holds_alternative<Star>(operation.condition->node)) return operation.wanted ? "[*]" : "[not *]";
      const auto* negated = std::get_if<UnaryExpr>(&operation.condition->node);
      if (operation.wanted) return "[" + condition + "]";
      if (negated != nullptr && negated->op == UnaryOp::kNot) return "[" + print(*negated->operand) + "]";
      return "[!(" + condition + ")]";
    }
    case Operation::Kind::kCall: return print_head(*operation.statement);
    case Operation::Kind::kAssignResult: return print_head(*operation.statement) + " // result";
    case Operation::Kind::kReturn: return operation.statement != nullptr ? print_head(*operation.statement) : "return;";
    case Operation::Kind::kWaitAcquire: return print_head(*operation.statement) + " // wakes up";
    case Operation::Kind::kAtomicEnd: return "} // atomic";
    case Operation::Kind::kLeave: {
      const bool is_end = std::get<Exclusive>(operation.statement->node).body != nullptr;
      return (is_end ? "} // " : "") + print_head(*operation.statement);
    }
    case Operation::Kind::kStatement:
    case Operation::Kind::kThrow:
    case Operation::Kind::kWaitRelease:
    case Operation::Kind::kEnter:
    case Operation::Kind::kAtomicBegin: return print_head(*operation.statement);
  }
  return "";
}

std::string print_flow(const Program& program) {
  std::string out;
  for (const Procedure& procedure : program.procedures) {
    const Flow flow = make_flow(procedure);
    out += fmt::format("proc {}\n", procedure.name);
    for (std::size_t node = 0; node < flow.nodes.size(); ++node) {
      for (const FlowEdge& edge : flow.nodes[node].edges) {
        const std::string target = edge.target < 0 ? "exit" : std::to_string(edge.target);
        const std::string text = text_of(edge.operation);
        out += text.empty() ? fmt::format("  {} -> {}\n", node, target)
                            : fmt::format("  {} -> {}: {}\n", node, target, text);
        if (edge.on_throw >= 0 && edge.on_throw != edge.target) {
          out += fmt::format("  {} -> {}: {} // exception\n", node, edge.on_throw, text);
        }
      }
    }
  }
  return out;
}

namespace {

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace

std::string print_flow_dot(const Program& program) {
  std::string out = "digraph program {\n  node [shape=circle, label=\"\", width=0.2];\n";
  for (const Procedure& procedure : program.procedures) {
    const Flow flow = make_flow(procedure);
    const std::string& name = procedure.name;
    out += fmt::format("  subgraph cluster_{0} {{\n    label={1};\n    {0}_exit [shape=doublecircle];\n", name,
                       quoted(name));
    for (std::size_t node = 0; node < flow.nodes.size(); ++node) {
      for (const FlowEdge& edge : flow.nodes[node].edges) {
        const std::string target = edge.target < 0 ? "exit" : std::to_string(edge.target);
        out +=
            fmt::format("    {0}_{1} -> {0}_{2} [label={3}];\n", name, node, target, quoted(text_of(edge.operation)));
        if (edge.on_throw >= 0 && edge.on_throw != edge.target) {
          out += fmt::format("    {0}_{1} -> {0}_{2} [label={3}];\n", name, node, edge.on_throw,
                             quoted(text_of(edge.operation) + " // exception"));
        }
      }
    }
    out += "  }\n";
  }
  return out + "}\n";
}

}  // namespace concord::plato
