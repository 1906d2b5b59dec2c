#include "plato/abstract_program.h"

#include <algorithm>
#include <set>
#include <utility>

#include "plato/copy.h"
#include "plato/flow.h"
#include "plato/started.h"
#include "plato/walk.h"

namespace concord::plato {

namespace {

struct NotAProcedure {
  SourceRange at;
  std::string why;
};

class Builder {
 public:
  explicit Builder(const Program& program) : out_(copy(program)) {
    for (const Enum& it : out_.enums) {
      names_.insert(it.name);
      for (const Enum::Constant& constant : it.constants) names_.insert(constant.name);
    }
    for (const Class& it : out_.classes) names_.insert(it.name);
    for (const Const& it : out_.consts) names_.insert(it.name);
    for (const Variable& it : out_.variables) names_.insert(it.name);
    for (const int it : still_run()) names_.insert(out_.procedures[static_cast<std::size_t>(it)].name);
    for (const Procedure& procedure : out_.procedures) {
      for (const Local& it : procedure.parameters) parameters_.insert(it.name);
    }
    const auto unused = [&](std::string name) {
      while (parameters_.contains(name) || !names_.insert(name).second) name += "_";
      return name;
    };
    node_name_ = unused("node");
    first_name_ = unused("first");
    for (const Thread& it : out_.threads) names_.insert(it.name);
    for (const Procedure& it : out_.procedures) {
      for_each_stmt(*it.body, [&](const Stmt& statement) {
        are_joined_ = are_joined_ || std::holds_alternative<Join>(statement.node);
      });
    }
  }

  Program build() {
    refuse_entries();
    const std::vector<AbstractThread> machines = std::move(out_.abstract_threads);
    out_.abstract_threads.clear();
    for (Module& it : out_.modules) {
      std::erase_if(it.items, [](const Item& item) { return item.kind == Item::Kind::kAbstractThread; });
    }
    for (Thread& thread : out_.threads) {
      if (thread.abstracted.index < 0) continue;
      const AbstractThread& machine = machines[static_cast<std::size_t>(thread.abstracted.index)];
      if (thread.target.index == out_.initialiser)
        throw NotAProcedure{thread.abstracted.range, "an abstract thread for the one that initialises"};
      replace(thread, machine);
    }
    for (int p = 0; p < std::ssize(out_.procedures); ++p) {
      const int machine = out_.procedures[static_cast<std::size_t>(p)].abstracted.index;
      if (machine >= 0) replace_started(p, machines[static_cast<std::size_t>(machine)]);
    }
    leave_out_rest();
    return std::move(out_);
  }

 private:
  std::string fresh(std::string name) {
    while (!names_.insert(name).second) name += "_";
    return name;
  }

  void add_item(int module, Item::Kind kind, std::size_t index) {
    std::vector<Item>& items = out_.modules[static_cast<std::size_t>(module)].items;
    const Item made{kind, static_cast<int>(index)};
    // Before the threads, so that what is printed is declared before it is used.
    items.insert(
        std::find_if(items.begin(), items.end(), [](const Item& it) { return it.kind == Item::Kind::kThread; }), made);
  }

  // Of threads that are started there; whoever calls it comes to the procedure as it is.
  void replace_started(int procedure, const AbstractThread& machine) {
    Procedure& started = out_.procedures[static_cast<std::size_t>(procedure)];
    begin(machine, started.module);
    Procedure made;
    made.name = name_for(started, machine);
    made.parameters = made.locals = started.parameters;
    slot_ = static_cast<int>(made.locals.size());
    made.locals.push_back({node_name_, nodes_, machine.name_range});
    made.contract.requires_ = copy(started.contract.requires_);
    made.range = made.name_range = made.end_range = machine.name_range;
    made.module = started.module;
    made.body = body(node(start()));
    started.abstracted = {};
    const std::size_t index = out_.procedures.size();
    for (Procedure& it : out_.procedures) redirect(*it.body, procedure, static_cast<int>(index), made.name);
    add_item(made.module, Item::Kind::kProcedure, index);
    out_.procedures.push_back(std::move(made));
  }

  static void redirect(Stmt& body, int from, int to, const std::string& name) {
    for_each_stmt(body, [&](const Stmt& it) {
      if (!starts_thread(it) || called(it)->index != from) return;
      auto& target = const_cast<CallTarget&>(*called(it));  // NOLINT: the walker is for readers, and this copy is ours
      target.index = to;
      target.procedure = name;
    });
  }

  std::string name_for(const Procedure& entered, const AbstractThread& machine) {
    return names_.contains(entered.name) ? fresh(entered.name + "_" + machine.name) : fresh(entered.name);
  }

  void begin(const AbstractThread& machine, int module) {
    machine_ = &machine;
    starts_anywhere_ = std::count_if(machine.nodes.begin(), machine.nodes.end(),
                                     [](const AbstractThread::Node& it) { return it.initial; }) != 1;
    make_nodes(module);
  }

  void replace(Thread& thread, const AbstractThread& machine) {
    begin(machine, thread.module);
    const Procedure& entered = out_.procedures[static_cast<std::size_t>(thread.target.index)];
    Procedure made;
    made.name = name_for(entered, machine);
    made.parameters = entered.parameters;
    made.parameters.push_back({first_name_, nodes_, machine.name_range});
    made.locals = made.parameters;
    made.locals.push_back({node_name_, nodes_, machine.name_range});
    slot_ = static_cast<int>(made.parameters.size());
    made.contract.requires_ = copy(entered.contract.requires_);
    made.range = made.name_range = made.end_range = machine.name_range;
    made.module = thread.module;
    NameExpr first;
    first.name = first_name_;
    first.ref = {Ref::Kind::kLocal, slot_ - 1};
    made.body = body(expr(std::move(first), nodes_, machine.name_range));
    const std::size_t index = out_.procedures.size();
    thread.target.procedure = made.name;
    thread.target.index = static_cast<int>(index);
    thread.target.arguments.push_back(node(start()));
    thread.abstracted.by.clear();
    thread.abstracted.index = -1;
    out_.procedures.push_back(std::move(made));
    add_item(thread.module, Item::Kind::kProcedure, index);
  }

  // Which procedure a thread entered at is another one now.
  void refuse_entries() const {
    const auto refuse = [](const Expr& expr) {
      for_each_expr(expr, [](const Expr& part) {
        const auto* it = std::get_if<InstanceOf>(&part.node);
        if (it != nullptr && it->index >= 0)
          throw NotAProcedure{part.range, "abstract threads in a program that asks where a thread was entered"};
      });
    };
    for_each_whole_expr(out_, [&](const Expr& it, int) { refuse(it); });
    for (const AbstractThread& machine : out_.abstract_threads) {
      for (const AbstractThread::Node& it : machine.nodes) {
        if (it.assertion) refuse(*it.assertion);
      }
      for (const AbstractThread::Edge& it : machine.edges) {
        refuse(*it.step.predicate);
        if (!it.step.frame) continue;
        for (const ExprPtr& item : *it.step.frame) refuse(*item);
      }
    }
  }

  // The procedures that threads without an abstract thread run.
  std::set<int> still_run() const { return run_from(out_, concrete_entries(out_), false); }

  // Procedures that no thread runs any more are nothing but a number.
  void leave_out_rest() {
    const std::set<int> run = still_run();  // no thread has an abstract thread any more
    for (int p = 0; p < std::ssize(out_.procedures); ++p) {
      if (run.contains(p)) continue;
      Procedure& it = out_.procedures[static_cast<std::size_t>(p)];
      it.contract = {};
      it.body = statement(Block{}, it.range);
    }
    for (Module& module : out_.modules) {
      std::erase_if(module.items,
                    [&](const Item& it) { return it.kind == Item::Kind::kProcedure && !run.contains(it.index); });
    }
  }

  // One more if the machine may begin at several: where it stands before it has chosen.
  void make_nodes(int module) {
    Enum made;
    made.name = fresh(machine_->name + "_node");
    for (const AbstractThread::Node& it : machine_->nodes)
      made.constants.push_back({fresh(machine_->name + "_" + it.name), it.range});
    if (starts_anywhere_) made.constants.push_back({fresh(machine_->name + "_begin"), machine_->name_range});
    made.range = made.name_range = machine_->name_range;
    made.module = module;
    nodes_ = type_of_kind(Type::Kind::kEnum);
    nodes_.name = made.name;
    nodes_.decl = static_cast<int>(out_.enums.size());
    out_.enums.push_back(std::move(made));
    add_item(module, Item::Kind::kEnum, out_.enums.size() - 1);
  }

  int start() const {
    if (starts_anywhere_) return static_cast<int>(machine_->nodes.size());
    const auto is_initial = [](const AbstractThread::Node& it) { return it.initial; };
    return static_cast<int>(std::find_if(machine_->nodes.begin(), machine_->nodes.end(), is_initial) -
                            machine_->nodes.begin());
  }

  // ---- expressions and statements

  ExprPtr expr(Expr::Node node, Type type, SourceRange range) const {
    auto out = std::make_unique<Expr>();
    out->node = std::move(node);
    out->type = std::move(type);
    out->range = range;
    return out;
  }

  ExprPtr node(int index) const {
    NameExpr out;
    out.name = out_.enums[static_cast<std::size_t>(nodes_.decl)].constants[static_cast<std::size_t>(index)].name;
    out.ref = {Ref::Kind::kEnumConst, index};
    return expr(std::move(out), nodes_, machine_->name_range);
  }

  ExprPtr at_node(bool primed) const {
    NameExpr out;
    out.name = node_name_;
    out.primed = primed;
    out.ref = {Ref::Kind::kLocal, slot_};
    return expr(std::move(out), nodes_, machine_->name_range);
  }

  ExprPtr binary(BinaryOp op, ExprPtr left, ExprPtr right) const {
    const SourceRange range = right->range;
    return expr(BinaryExpr{op, std::move(left), std::move(right)}, type_of_kind(Type::Kind::kBool), range);
  }

  // Abstract threads wait wherever they like: that they do not go on means nothing.
  static StmtPtr waiting(Stmt::Node node, SourceRange range) {
    StmtPtr out = statement(std::move(node), range);
    out->may_block = true;
    return out;
  }

  static StmtPtr statement(Stmt::Node node, SourceRange range) {
    auto out = std::make_unique<Stmt>();
    out->node = std::move(node);
    out->range = range;
    return out;
  }

  StmtPtr body(ExprPtr first) {
    Choose choose;
    for (std::size_t i = 0; i < machine_->nodes.size(); ++i) {
      const AbstractThread::Node& it = machine_->nodes[i];
      if (it.assertion) choose.branches.push_back(check(static_cast<int>(i)));
      if (starts_anywhere_ && it.initial) choose.branches.push_back(choose_first(static_cast<int>(i)));
    }
    for (const AbstractThread::Edge& it : machine_->edges) choose.branches.push_back(step(it));
    Loop loop;
    loop.body = statement(std::move(choose), machine_->name_range);
    Block out;
    LocalDecl node;
    node.name = node_name_;
    node.name_range = machine_->name_range;
    node.type = nodes_;
    node.slot = slot_;
    node.init = std::move(first);
    out.statements.push_back(statement(std::move(node), machine_->name_range));
    out.statements.push_back(statement(std::move(loop), machine_->name_range));
    if (!are_joined_) {  // then nobody sees an end; otherwise it may come at any time
      Assume never;
      never.condition = expr(BoolLit{false}, type_of_kind(Type::Kind::kBool), machine_->name_range);
      out.statements.push_back(waiting(std::move(never), machine_->name_range));
    }
    return statement(std::move(out), machine_->name_range);
  }

  StmtPtr check(int index) const {
    const Expr& assertion = *machine_->nodes[static_cast<std::size_t>(index)].assertion;
    Block inside;
    Assume here;
    here.condition = binary(BinaryOp::kEq, at_node(false), node(index));
    inside.statements.push_back(statement(std::move(here), assertion.range));
    Assert holds;
    holds.condition = copy(assertion);
    inside.statements.push_back(statement(std::move(holds), assertion.range));
    Atomic out;
    out.body = statement(std::move(inside), assertion.range);
    return waiting(std::move(out), assertion.range);
  }

  StmtPtr choose_first(int index) const {
    Direct out;
    out.action.predicate = binary(BinaryOp::kAnd, binary(BinaryOp::kEq, at_node(false), node(start())),
                                  binary(BinaryOp::kEq, at_node(true), node(index)));
    out.action.frame.emplace();
    out.action.frame->push_back(at_node(false));
    return waiting(std::move(out), machine_->nodes[static_cast<std::size_t>(index)].range);
  }

  StmtPtr step(const AbstractThread::Edge& edge) const {
    if (edge.step.uses_old) throw NotAProcedure{edge.range, "an edge with \\old (write primes)"};
    Direct out;
    out.action.predicate = binary(BinaryOp::kAnd,
                                  binary(BinaryOp::kAnd, binary(BinaryOp::kEq, at_node(false), node(edge.from_index)),
                                         copy(*edge.step.predicate)),
                                  binary(BinaryOp::kEq, at_node(true), node(edge.to_index)));
    out.action.range = edge.range;
    out.action.frame.emplace();
    if (edge.step.frame) {
      out.action.frame = copy(*edge.step.frame);
    } else {
      add_everything(*out.action.frame, edge.range);
    }
    for (const ExprPtr& item : *out.action.frame) check_place(*item);
    out.action.frame->push_back(at_node(false));
    return waiting(std::move(out), edge.range);
  }

  void add_everything(std::vector<ExprPtr>& frame, SourceRange at) const {
    const bool has_arrays = std::any_of(out_.procedures.begin(), out_.procedures.end(), [](const Procedure& procedure) {
      return std::any_of(procedure.locals.begin(), procedure.locals.end(),
                         [](const Local& it) { return refers_to_objects(it.type); });
    });
    if (has_arrays || !out_.classes.empty())
      throw NotAProcedure{at, "an edge without a frame in a program with objects"};
    for (std::size_t i = 0; i < out_.variables.size(); ++i) {
      if (refers_to_objects(out_.variables[i].type))
        throw NotAProcedure{at, "an edge without a frame in a program with objects"};
      if (out_.variables[i].is_final) continue;
      NameExpr name;
      name.name = out_.variables[i].name;
      name.ref = {Ref::Kind::kShared, static_cast<int>(i)};
      frame.push_back(expr(std::move(name), out_.variables[i].type, at));
    }
  }

  // What a direct operation can change.
  static void check_place(const Expr& item) {
    const auto* field = std::get_if<FieldExpr>(&item.node);
    const bool is_monitor =
        item.type.kind == Type::Kind::kMonitor || (field != nullptr && field->kind == FieldExpr::Kind::kHolder);
    if (is_monitor) throw NotAProcedure{item.range, "an edge that changes a monitor"};
    if (item.type.kind == Type::Kind::kInt && item.type.values)
      throw NotAProcedure{item.range, "an edge that changes an integer of type " + to_string(item.type)};
  }

  Program out_;
  std::set<std::string> names_;
  std::set<std::string> parameters_;
  const AbstractThread* machine_ = nullptr;
  bool starts_anywhere_ = false;
  bool are_joined_ = false;
  Type nodes_;
  std::string first_name_;  // of the parameter: where it begins
  std::string node_name_;   // of the variable: where it is
  int slot_ = -1;
};

}  // namespace

AbstractProgram abstract_program(const Program& program) {
  try {
    return {Builder(program).build(), "", {}};
  } catch (const NotAProcedure& trouble) { return {copy(program), trouble.why, trouble.at}; }
}

}  // namespace concord::plato
