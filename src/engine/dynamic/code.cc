#include "engine/dynamic/code.h"

namespace concord::engine::dynamic {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::size_t kMostNodes = 2000;

class Unfolding {
 public:
  explicit Unfolding(const Program& program) : program_(program) {}

  Code run(int procedure) {
    code_.nodes.resize(2);
    code_.end = 0;
    code_.entry = 1;  // nothing leads back to it
    const int first = first_node_[static_cast<std::size_t>(enter(procedure, -1, code_.end))];
    node(code_.entry).edges.push_back({Operation{}, 0, -1, first});
    node(code_.entry).at = node(first).at;
    return std::move(code_);
  }

 private:
  // Puts the operations of an activation there, which comes back to the node `after`; its number.
  int enter(int procedure, int result, int after) {
    const Procedure& it = program_.procedures[static_cast<std::size_t>(procedure)];
    if (is_recursive(program_, procedure)) throw Refusal{it.name_range, "a procedure that calls itself"};
    const Flow flow = make_flow(it);
    const int frame = static_cast<int>(code_.frames.size());
    const int first = static_cast<int>(code_.nodes.size());
    code_.frames.push_back({procedure, static_cast<int>(code_.locals.size()), result});
    code_.locals.insert(code_.locals.end(), it.locals.begin(), it.locals.end());
    code_.nodes.resize(code_.nodes.size() + flow.nodes.size());
    first_node_.push_back(first);
    if (code_.nodes.size() > kMostNodes) throw Refusal{it.name_range, "code this long, with calls put in place"};
    for (int n = 0; n < std::ssize(flow.nodes); ++n) {
      for (const FlowEdge& edge : flow.nodes[static_cast<std::size_t>(n)].edges) {
        const SourceRange at = range_of(edge.operation, it);
        if (node(first + n).edges.empty()) node(first + n).at = at;
        if (edge.operation.kind == Operation::Kind::kThrow) throw Refusal{at, "an exception"};
        CodeEdge made{edge.operation, frame, -1, edge.target < 0 ? after : first + edge.target};
        if (edge.operation.kind == Operation::Kind::kCall) call(made, at);
        node(first + n).edges.push_back(made);
      }
    }
    return frame;
  }

  void call(CodeEdge& made, SourceRange at) {
    const Stmt& statement = *made.operation.statement;
    const CallTarget& target = *called(statement);
    if (!target.catches.empty()) throw Refusal{at, "an exception"};
    if (target.is_within_requires) throw Refusal{at, "`within requires`"};
    int result = -1;
    if (const int slot = direct_result_slot(statement); slot >= 0) {
      result = code_.frames[static_cast<std::size_t>(made.frame)].first_local + slot;
    } else if (!std::holds_alternative<Call>(statement.node)) {
      result = static_cast<int>(code_.locals.size());
      const Type& type = program_.procedures[static_cast<std::size_t>(target.index)].result;
      code_.locals.push_back({"result", type, statement.range});
      code_.registers.emplace(std::pair(&statement, made.frame), result);
    }
    made.callee = enter(target.index, result, made.target);
    made.target = first_node_[static_cast<std::size_t>(made.callee)];
  }

  CodeNode& node(int index) { return code_.nodes[static_cast<std::size_t>(index)]; }

  const Program& program_;
  Code code_;
  std::vector<int> first_node_;  // by frame
};

}  // namespace

Code unfold(const Program& program, int procedure) { return Unfolding(program).run(procedure); }

}  // namespace concord::engine::dynamic
