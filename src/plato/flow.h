// The control flow of a procedure: nodes, and edges that each carry one operation.
//
// This is where "which steps are there" is decided (docs/plato.md, section 5): a silent edge is no step; every other edge
// is one, except that the operations from kAtomicBegin to kAtomicEnd are one step together. A thread stands at a node; it
// may perform any operation that is reachable over silent edges. The graph points into the syntax tree and adds nothing
// to it.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "plato/syntax.h"

namespace concord::plato {

struct Operation {
  enum class Kind {
    kSilent,        // no step
    kCondition,     // `condition` evaluates to `wanted`; condition `*` is free
    kStatement,     // the statement itself, one operation
    kCall,          // arguments to a new frame; the callee's kReturn comes back to the edge's target
    kAssignResult,  // the result of the call before goes to a target that is no local variable
    kReturn,        // statement null: the end of the body
    kThrow,         // leaves the procedure as kReturn does, with an exception
    kWaitRelease,   // first half of wait
    kWaitAcquire,   // second half
    kAtomicBegin,
    kAtomicEnd,
    kEnter,  // an `exclusive` region
    kLeave,
  };
  Kind kind = Kind::kSilent;
  const Stmt* statement = nullptr;
  const Expr* condition = nullptr;
  bool wanted = true;
};

struct FlowEdge {
  Operation operation;
  int target = -1;
  int on_throw = -1;  // kCall of a procedure that throws: where its kThrow comes back to; no result is assigned there
};

struct FlowNode {
  std::vector<FlowEdge> edges;
  const LoopSpec* loop = nullptr;    // head of a loop: its invariants hold whenever an operation begins from here
  std::vector<const Stmt*> regions;  // the `exclusive` statements that a thread which stands here is inside
};

struct Flow {
  const Procedure* procedure = nullptr;
  std::vector<FlowNode> nodes;  // node 0 is the entry; kReturn and kThrow edges have target -1
};

Flow make_flow(const Procedure& procedure);
// The nodes of a loop: those that its head leads to and that lead back to it.
std::set<int> loop_nodes(const Flow& flow, int head);
// This node and those that silent edges lead to from it.
std::vector<int> nodes_at_once(const Flow& flow, int node);

// What a call, and a start, in this statement target; null if it is neither.
const CallTarget* called(const Stmt& statement);
bool starts_thread(const Stmt& statement);
// Some thread has one, if it is declared or ever started.
bool has_abstract_threads(const Program& program);
// The abstract thread of one that is declared there, or else (-1) started at the procedure.
const Abstracted& abstracted(const Program& program, int declaration, int entry);
// A statement that starts a thread, among these and in what they call; null: there is none.
const Stmt* find_start(const Program& program, std::vector<const Stmt*> statements);
// The procedures that these call, themselves included; `starts`: and start.
std::set<int> run_from(const Program& program, std::vector<int> roots, bool starts);
// The procedures at which these start threads.
std::set<int> started_in(const Program& program, const std::set<int>& procedures);
// The calls of the procedure lead back to it.
bool is_recursive(const Program& program, int procedure);
// The local slot that a call's result goes to directly, or -1.
int direct_result_slot(const Stmt& statement);
// Where the operation is in the source, and its text on one line.
SourceRange range_of(const Operation& operation, const Procedure& procedure);
std::string text_of(const Operation& operation);

// `concord show --cfg` and `--dot`.
std::string print_flow(const Program& program);
std::string print_flow_dot(const Program& program);

}  // namespace concord::plato
