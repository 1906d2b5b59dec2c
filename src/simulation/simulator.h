// Inside of simulation.cc, operations.cc, steps.cc, nodes.cc, loops.cc, races.cc, private.cc and calls.cc: the construction of one Simulation.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "plato/flow.h"
#include "plato/synchronising.h"
#include "simulation/counted.h"
#include "simulation/quantified.h"
#include "simulation/simulation.h"

namespace concord::simulation {

// What a first construction found out and a second one uses: constructing is cheap, and some things (which parts of the
// state there are, what an atomic block writes) are known only at its end.
struct BySortName {
  bool operator()(formula::Sort a, formula::Sort b) const { return a->name < b->name; }
};

// About one state; the facts are true of every state.
struct StateFormula {
  Term holds;
  Term facts;
};

struct Learned {
  struct Atomic {
    std::set<int> parts;  // that it looks at
    std::set<int> writes;
  };
  using AtomicKey = std::pair<int, const plato::Stmt*>;  // activation, and the block that the others are inside of
  std::map<AtomicKey, Atomic> atomic;
  std::set<formula::Sort, BySortName> private_sorts;  // of objects that may be private
  std::set<int> private_classes;                      // theirs, exactly
  std::map<formula::Sort, plato::Type, BySortName> private_arrays;
  std::set<int> cuts;  // blocks, if the program is long
  // By activation and head: what others act on inside the loop. A loop that is missing may touch everything.
  static constexpr int kEverything = -1;
  std::map<std::pair<int, int>, std::set<int>> touched;
  std::map<std::pair<int, int>, std::set<int>> given_up;  // by activation and head: holders of monitors waited for
  bool is_settled = true;                                 // nothing new was learned of loops and atomic blocks
  std::vector<StateFormula> atoms;                        // from contracts of what is called
  std::map<int, std::set<const plato::Expr*>> locks;      // by activation: which it takes
};

// An activation of a procedure whose body is used.
struct Activation {
  int number = 0;
  int procedure = -1;
  std::vector<Term> locals;
  std::vector<Term> entry;                 // the parts at entry, by number; only if a postcondition asks
  Term result = nullptr;                   // what it returns; null: nothing
  Term exception = nullptr;                // what it throws; null: nothing
  bool in_atomic = false;                  // called inside an atomic block
  Learned::AtomicKey atomic;               // this one
  int return_block = -1;                   // -1: the run ends
  int throw_block = -1;                    // where it comes back to with an exception; -1: the run ends
  std::vector<std::pair<int, int>> loops;  // those around the call, by activation and head
  std::set<int> needed;                    // which of the local variables may be looked at again
  const Activation* caller = nullptr;
};

// What an operation does: commands over the current state.
struct Effect {
  std::vector<sequential::Command> commands;
  std::set<int> writes;  // parts
  // Commands about something new: `from` to before `to`. They look at everything, but only to say that nothing knows it.
  struct Range {
    std::size_t from = 0;
    std::size_t to = 0;
  } allocation;
};

// Whether code may come by an object otherwise than by allocating it or reading it from somewhere.
bool picks_references(const plato::Program& program);

class Simulator {
 public:
  Simulator(World& world, const SimulationInput& input, Learned& learned);
  Simulation run();
  Simulation run_start();
  Simulation run_composition(const Guesses& guesses);

 private:
  using LoopKey = std::pair<int, int>;  // activation and head
  using Commands = std::vector<sequential::Command>;
  struct Started {
    Term happened;
    Term thread;
    int procedure;
    std::vector<Term> arguments;
    base::SourceRange at;
  };

  Pool& pool() const { return world_.pool(); }
  const plato::Program& program() const { return *input_.program; }
  const plato::Procedure& procedure(int index) const { return program().procedures[static_cast<std::size_t>(index)]; }
  const spec::Specification& specification() const;

  // ---- blocks (simulation.cc)
  int new_block();
  sequential::Block& block(int index) { return out_.program.blocks[static_cast<std::size_t>(index)]; }
  void emit(sequential::Command command) { block(at_).commands.push_back(command); }
  void assign(Term variable, Term term);
  void havoc(Term variable);
  void assume(Term term, int premise = -1);
  void assert_(Term term, int obligation);
  sequential::Command assertion(Term term, int obligation);
  void go_to(int target) { block(at_).successors.push_back(target); }
  Term variable(const std::string& name, formula::Sort sort);  // a new variable of the sequential program
  int premise(diag::Kind kind, base::SourceRange range);
  int obligation(Obligation it);
  void probe(base::SourceRange at, const std::string& message, bool is_for_all = false);
  void probe_initial_state();

  void comes_to_unknown_code(const Activation& activation, const plato::Stmt& statement);
  void lose_what_is_behind();
  Activation begin_body();
  void finish_body();
  void enter();
  void assume_final_values();
  void assume_initial_state();
  void become_initialised(base::SourceRange at);
  Simulation finished();
  void translate(Activation& activation, int start, bool in_atomic);
  void translate_edge(Activation& activation, const plato::Flow& flow, int node, const plato::FlowEdge& edge,
                      bool in_atomic, const std::vector<int>& block_of);
  void go_on(Activation& activation, const plato::Flow& flow, int from, int node, bool in_atomic,
             const std::vector<int>& block_of);
  void arrive(Activation& activation, const plato::Flow& flow, int from, int node, bool in_atomic);
  void begin_loop(Activation& activation, const plato::Flow& flow, int node, bool in_atomic);
  struct Candidate {
    sequential::Invariant invariant;
    std::string text;  // as in Suggestion
  };
  std::vector<Candidate> counts(const Activation& activation, const plato::Flow& flow, int node);
  std::vector<Candidate> candidates(const Activation& activation, const plato::FlowNode* head,
                                    const std::vector<Term>* since, const LoopKey* loop, bool in_atomic);
  void cut(const Activation& activation, const std::vector<Term>& since);
  std::vector<Candidate> returned_or_thrown(const Activation& activation);
  void assume_more_exists(const std::vector<Term>& since);
  std::vector<Term> changeable_in(Term term) const;
  void suggest(int candidate, const std::string& text, base::SourceRange loop);

  // ---- steps (steps.cc)
  void find_components();
  int component(int part) const;
  std::set<int> components_of(const std::set<int>& parts) const;
  std::set<int> all_components() const;
  void touch(const std::set<int>& parts);
  std::set<int> touched(const LoopKey& loop) const;
  bool is_given_up(Term protection, const LoopKey& loop) const;
  void learn_touched();
  void let_act(const std::set<int>& parts);
  void look_in_atomic(std::set<int> parts, const std::set<int>& writes);
  void let_act_before_atomic(const Activation& activation, const plato::Stmt& atomic);
  void environment(const std::set<int>& components);  // what other threads do to these parts
  std::set<int> existence_with(const std::set<int>& components) const;
  std::set<int> existence_in(formula::Sort sort) const;
  Term existed(int component, int part);
  bool is_about_rigid(const Formula& formula) const;
  formula::Substitution when_acted(const Formula& formula, Term Part::*at);
  void catch_up(const std::set<int>& components, const std::set<int>& changed);
  void catch_up();
  void assume_caught_up(const std::set<int>& components);
  std::set<int> parts_of_every_step(int module) const;  // those that even a step that writes nothing is checked about
  void add_parts_of_step(int module, const std::set<int>& writes, std::set<int>& parts);
  // `looks`: others have acted on what the step has to do with.
  void begin_step(bool looks = false);
  void end_step(const std::set<int>& writes, int module, base::SourceRange at, const Activation* activation,
                const spec::Specification* known = nullptr);
  void enter_started(const std::vector<Started>& started, const Activation* activation);
  void check_step(const std::set<int>& writes, int module, base::SourceRange at, const Activation* activation,
                  const spec::Specification* known);
  void show_written(const Formula& claim, std::vector<Obligation::Shown>& shown) const;
  void move_positions(const std::set<int>& writes, base::SourceRange at, const Activation* activation);
  bool moves_positions(const std::set<int>& writes) const;
  void add_parts(Term term, std::set<int>& out) const;
  void add_parts(const std::vector<FrameItem>& frame, std::set<int>& out) const;
  std::set<int> position_parts();
  std::set<int> parts_of_contract(int index, const std::vector<Term>& locals);
  // What every step of the callee satisfies.
  void assume_step_of(const spec::Specification& callee, const std::set<int>& components);
  void assume_invariants();
  Term holds_none(const Part& part) const;
  // Of each step of other threads, perhaps also of all steps since some moment.
  struct OfOthers {
    Term holds;
    int part = -1;         // it is about this one alone; -1: it is a rely
    int class_index = -1;  // a rely of this class
  };
  std::vector<OfOthers> true_of_others(const std::set<int>& components);
  bool looks_at(Term term, const std::vector<FrameItem>& frame, Term Part::*when) const;
  std::vector<Term> since_call(const std::set<int>& components, const std::vector<FrameItem>& frame);
  std::set<int> accessed(const Commands& commands) const;
  std::set<int> accessed(const Effect& effect) const;
  std::vector<Obligation::Shown> shown_for(Term claim, const Activation* activation) const;
  void init_positions();
  Term action_formula(const plato::Procedure& it, std::size_t action, const std::vector<Term>& locals, Term result);
  std::optional<Term> result_equation(const plato::Procedure& it, std::size_t action);
  std::vector<FrameItem> modifies_frame(const plato::Procedure& it, const std::vector<Term>& locals);
  std::vector<FrameItem> action_frame(const plato::Procedure& it, std::size_t action, const std::vector<Term>& locals);

  // ---- nodes of an abstract thread (nodes.cc)
  const plato::AbstractThread* machine() const;  // that the thread is to conform to; null: that is not the question
  Claim conformance() const;
  void init_nodes();
  Formula node_assertion(const plato::AbstractThread::Node& node);
  Formula edge_formula(const plato::AbstractThread::Edge& edge, const std::set<int>& writes);
  std::set<int> node_parts();
  void assume_nodes();
  bool moves_nodes(const std::set<int>& writes) const;
  void move_nodes(const std::set<int>& writes, base::SourceRange at, const Activation* activation);
  std::vector<Candidate> about_nodes(const Activation& activation);

  // ---- threads that are counted (counted.cc)
  struct Counts;
  Counts count_threads();
  void place_threads(Counts& counts);
  void assume_counted(const Counts& counts);
  Term is_thread(Term it);
  Term of_every_thread(Term holds, const Counts& counts);
  Term counted(const StateAtom& atom, const Counts& counts, Term thread);
  std::vector<Term> about_fixed_objects();
  Term value_of(const plato::Expr& place);
  Term counted(const Equation& equation, const Counts& counts);
  void check_state(const Counts& counts, std::vector<Term>& claims);
  void take_edge(NodeId from, const plato::AbstractThread::Edge& edge, const Counts& counts);

  // ---- operations (operations.cc)
  Scene scene(const Activation& activation) const;
  Effect effect_of(Activation& activation, const plato::Operation& operation, bool in_atomic);
  void statement(Activation& activation, const plato::Stmt& statement, Effect& effect);
  void assignment(Activation& activation, const plato::Expr* target, int slot, const plato::Type& type,
                  const plato::Rhs& rhs, const plato::Stmt& statement, Effect& effect);
  void write(Activation& activation, const Place& place, Term value, Effect& effect);
  Place fixed(Place place, Effect& effect);
  void checks(const Encoder& encoder, const Activation& activation, Effect& effect);
  void claim_checks(const std::vector<Check>& checks, const Activation& activation, Effect& effect);
  void guarded(const Encoder& encoder, const Activation& activation, base::SourceRange at, Effect& effect);
  void guarded_access(const Access& access, const Activation& activation, base::SourceRange at, Effect& effect);
  void sets(Activation& activation, const std::vector<plato::GhostSet>& sets, Effect& effect);
  void direct(Activation& activation, const plato::Direct& it, const plato::Stmt& statement, Effect& effect);
  void acquire(Activation& activation, const plato::Expr& lock, base::SourceRange at, Effect& effect);
  void release(Activation& activation, const plato::Expr& lock, base::SourceRange at, Effect& effect);
  void wait(Activation& activation, const plato::Stmt& statement, bool wakes, Effect& effect);
  void lock_orders(Activation& activation, const Place& taken, bool is_monitor, base::SourceRange at, Effect& effect);
  Term start(Activation& activation, const plato::CallTarget& target, base::SourceRange at, Effect& effect);
  Term fresh_object(Activation& activation, const plato::NewObject& it, Encoder& encoder, Effect& effect);
  Term fresh_array(Activation& activation, const plato::NewArray& it, const plato::Type& type,
                   const plato::Stmt& statement, Encoder& encoder, Effect& effect);
  void nothing_else_knows(Term fresh, formula::Sort sort, const Activation& activation, Effect& effect);
  void add_assert(Effect& effect, Term term, diag::Kind kind, base::SourceRange claim, base::SourceRange at,
                  const std::string& message, const Activation* activation);
  void add_assume(Effect& effect, Term term, int premise = -1);
  void havoc_value(Term value, const plato::Type& type, Effect& effect);

  // ---- objects that nobody else can reach (private.cc)
  bool refers(formula::Sort sort) const;
  Term private_of(formula::Sort sort);
  Term is_private(Term object);
  void make_private(Term object, const plato::Type& type, Effect& effect);
  bool may_be_private(const plato::Type& type);
  void publish(Term unless, Effect& effect);  // everything
  void publish_stored(const Place& place, Term value, Effect& effect);
  void begin_private();
  std::set<formula::Sort, BySortName> referred_from(formula::Sort sort) const;
  void assume_private_unchanged(int part);
  void assume_private_unknown(const std::vector<int>& changed);
  void assume_private_unknown();

  // ---- races (races.cc)
  // A variable or field of an array type.
  struct Owner {
    const plato::Variable* variable;
    int class_index;  // -1: a variable
    int index;        // of the variable, or as in classes.h
  };
  // What there is to say about the elements of the arrays of one type.
  struct ElementsOf {
    const plato::Type* type = nullptr;
    std::vector<Owner> owners;
    std::vector<Claim> claims;
    bool has_ghosts = false;  // ghosts may refer to such arrays
  };
  void find_races();
  void find_copied_on_write();
  bool may_race(const plato::Variable& variable);
  Term may_access(const plato::Variable& variable, int owner, Term object, Term key, bool of_elements, Term thread,
                  std::vector<Term>& facts);
  Term variable_allows(const Access& access, std::vector<Term>& facts);
  Term owners_allow(const ElementsOf& elements, const Access& access, std::vector<Term>& facts);
  Term is_unreachable(Term object, const plato::Type& type);
  void race_free(const Encoder& encoder, const Activation& activation, base::SourceRange at, Effect& effect);
  void race_free(const Access& access, const Activation& activation, base::SourceRange at, Effect& effect);
  void race_free_read(Access access, const Activation& activation, const std::vector<Term>& locals_before,
                      base::SourceRange at, Effect& effect);
  void claims_of_reading(const plato::Variable& variable, base::SourceRange at, std::vector<Claim>& needed,
                         std::optional<Unsupported>& unraced);
  void decided_by(Term term, base::SourceRange at, Obligation& made);
  void steers_atomic(const Encoder& encoder);
  void finish_races();
  static void writes_elements(Encoder& encoder);  // whatever works on a lock writes it
  void begin_alone();
  void not_alone(Effect& effect);

  // ---- calls (calls.cc)
  void call(Activation& activation, const plato::Operation& operation, int target_block, int throw_block,
            bool in_atomic);
  void call_by_abstraction(const Activation& entered, Activation& caller, const plato::Operation& operation);
  void end_abstraction(const Activation& entered, const Activation& caller, bool throws, base::SourceRange at);
  void take_over(const Activation& entered, Activation& caller, const plato::Operation& operation);
  Scene return_scene(const Activation& activation, bool throws) const;
  Effect returned_value(const Activation& activation, const plato::Operation& operation);
  Effect thrown_value(const Activation& activation, const plato::Operation& operation);
  void leave(Activation& activation, const plato::Operation& operation, bool in_atomic);
  void learn_atoms(const plato::Procedure& callee, const std::vector<Term>& arguments);
  void check_requires(const plato::CallTarget& target, const std::vector<Term>& locals, Term tid, base::SourceRange at,
                      Effect& effect, const Activation* activation);
  void check_invariants_first(const std::string& message);
  void check_declared_threads(bool initialising);  // that one, or the others; all are initialising if nobody is
  void check_ensures(const Activation& activation, bool throws, base::SourceRange at);
  void check_all_performed(const Activation& activation, bool throws, base::SourceRange at);
  void havoc_frame(const std::vector<FrameItem>& frame, std::set<int>& writes);
  void grow(int callee, std::set<int>& writes);
  // What a callee may do to the objects that it made itself, until its first action: their values, and what existed before.
  using OwnParts = std::vector<std::pair<int, Term>>;
  OwnParts own_parts(int callee);
  void change_own(const OwnParts& own, std::set<int>& writes);
  bool abstract_stutter(int callee, const std::vector<Term>& locals, const std::set<int>& parts, const OwnParts& own,
                        base::SourceRange at);
  Term returned_by(const Activation& activation, const plato::Stmt& call, formula::Sort sort);
  void snapshot(std::vector<Term>& into, const std::string& name);

  World& world_;
  const SimulationInput& input_;
  Learned& learned_;
  Clauses clauses_;
  Simulation out_;
  std::vector<std::pair<int, Unsupported>>
      unknown_code_;                    // blocks where code that may do anything stands or ends, and why
  int at_ = -1;                         // the block that is being written
  std::unordered_set<Term> variables_;  // of the sequential program, other than parts
  int activations_ = 0;

  Term tid_ = nullptr;
  Term other_ = nullptr;   // any other thread
  Term result_ = nullptr;  // the value the procedure will return, fixed at entry

  // Formulas of the specification, in its order; nullopt: unsupported.
  std::vector<std::optional<Formula>> invariants_;
  std::vector<std::optional<Formula>> relies_;        // as this thread assumes them
  std::vector<std::optional<Formula>> relies_other_;  // as the other thread does
  std::vector<std::pair<const plato::Clause*, std::optional<Formula>>> guarantees_;
  std::vector<int> component_;                   // by part
  std::map<int, std::set<int>> existence_of_;    // by component: what its formulas and values ask to exist
  std::map<int, Term> existed_first_;            // by part: when the procedure was entered
  std::map<std::pair<int, int>, Term> existed_;  // by component and part: see steps.cc
  std::map<int, Claim> copied_on_write_;         // elements, with the claim that says so

  std::map<formula::Sort, Term, BySortName> private_;  // by sort: which of its objects are
  const bool picks_references_;
  const Quantified quantified_;
  bool initialised_;  // false: other threads wait, and only what the code itself claims is to be shown

  plato::Synchronising synchronising_;
  std::map<formula::Sort, ElementsOf, BySortName> elements_of_;  // by sort of the array
  bool objects_are_private_ = true;                              // until somebody refers to them
  Term alone_ = nullptr;                                         // there is no other thread; null: that is not followed
  std::vector<int> atomic_races_;                                // obligations
  std::vector<Claim> atomic_reads_;
  std::optional<Unsupported> atomic_unraced_;

  // F, and for actions that mention \result what is known without knowing it: see steps.cc.
  std::vector<Term> positions_;
  std::vector<Term> unbound_;
  std::vector<Term> bound_;
  Term witness_ = nullptr;
  std::vector<Term> locals_;  // parameters of the procedure under check

  // In the current step.
  Learned::AtomicKey atomic_;                                  // inside which the operation is
  std::vector<std::pair<int, Term>> written_;                  // fields, and whose, for messages
  std::vector<Started> started_;                               // threads that enter when the step ends
  std::map<Term, std::string> parameters_;                     // of callees, for messages
  std::vector<Started> atomic_started_;                        // when the atomic block does
  std::vector<std::pair<int, std::ptrdiff_t>> atomic_begins_;  // block, and number of the command
  bool in_atomic_ = false;
  std::map<std::pair<int, const plato::Stmt*>, Term> returned_;  // by calls
  std::map<int, const plato::Stmt*> after_call_;  // by block where a call goes on, whether it returned or threw
  std::map<std::pair<int, const plato::Stmt*>, Term> saved_depth_;  // of `wait`
  std::map<std::pair<int, const plato::Stmt*>, std::vector<Term>> waited_keys_;
  std::vector<LoopKey> loops_;                   // around the current operation
  std::map<LoopKey, std::set<int>> touching_;    // as Learned::touched, in this run
  std::map<int, std::vector<Term>> loop_entry_;  // by activation and head: the parts when the loop was entered
  std::map<std::tuple<int, int, int>, Term> counted_from_;  // by activation, head and slot: of a counter that shrinks
};

}  // namespace concord::simulation
