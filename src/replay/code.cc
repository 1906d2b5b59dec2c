#include "replay/code.h"

namespace concord::replay {

using plato::Operation;

namespace {

constexpr std::size_t kMostNodes = 5000;

class Maker {
 public:
  explicit Maker(const plato::Program& program) : program_(program) {}

  Code run(int procedure) {
    out_.nodes.resize(2);
    const int first = activate(procedure, -1, Code::kEnd);
    out_.nodes[Code::kEntry] = {{Operation{}, 0, -1, first}};
    return std::move(out_);
  }

 private:
  // Adds an activation whose return comes back to `back`; its first node.
  int activate(int procedure, int result, int back) {
    const plato::Procedure& it = program_.procedures[static_cast<std::size_t>(procedure)];
    if (plato::is_recursive(program_, procedure)) throw NotKnown{it.name_range, "a procedure that calls itself"};
    const plato::Flow flow = plato::make_flow(it);
    const auto first = static_cast<int>(out_.nodes.size());
    const auto frame = static_cast<int>(out_.frames.size());
    if (out_.nodes.size() + flow.nodes.size() > kMostNodes) throw NotKnown{it.name_range, "code this long"};
    out_.nodes.resize(out_.nodes.size() + flow.nodes.size());
    out_.frames.push_back({procedure, static_cast<int>(out_.locals.size()), result});
    out_.locals.insert(out_.locals.end(), it.locals.begin(), it.locals.end());
    int node = first;
    for (const plato::FlowNode& from : flow.nodes) {
      for (const plato::FlowEdge& edge : from.edges) {
        const int target = edge.target < 0 ? back : first + edge.target;
        Edge made{edge.operation, frame, -1, target};
        if (edge.operation.kind == Operation::Kind::kThrow)
          throw NotKnown{range_of(edge.operation, it), "an exception"};
        if (edge.operation.kind == Operation::Kind::kCall) enter(made);
        out_.nodes[static_cast<std::size_t>(node)].push_back(made);
      }
      ++node;
    }
    return first;
  }

  void enter(Edge& call) {
    const plato::Stmt& statement = *call.operation.statement;
    const plato::CallTarget& target = *plato::called(statement);
    if (!target.catches.empty()) throw NotKnown{statement.range, "an exception"};
    if (target.is_within_requires) throw NotKnown{statement.range, "`within requires`"};
    int result = -1;
    if (const int slot = plato::direct_result_slot(statement); slot >= 0) {
      result = out_.frames[static_cast<std::size_t>(call.frame)].first_local + slot;
    } else if (!std::holds_alternative<plato::Call>(statement.node)) {
      result = static_cast<int>(out_.locals.size());
      out_.locals.push_back(
          {"result", program_.procedures[static_cast<std::size_t>(target.index)].result, statement.range});
      out_.waiting.emplace(std::pair(&statement, call.frame), result);
    }
    call.callee = static_cast<int>(out_.frames.size());
    call.target = activate(target.index, result, call.target);
  }

  const plato::Program& program_;
  Code out_;
};

}  // namespace

Code code_of(const plato::Program& program, int procedure) { return Maker(program).run(procedure); }

}  // namespace concord::replay
