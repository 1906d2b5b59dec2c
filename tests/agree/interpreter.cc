#include "interpreter.h"

#include <chrono>
#include <deque>
#include <unordered_set>
#include <utility>

#include "monitor.h"

namespace concord::agree {

using namespace plato;

namespace {

const Locals kNoLocals;

class Interpreter {
 public:
  Interpreter(const base::SourceMap& sources, const Program& program, const Limits& limits, Results& results)
      : program_(program),
        limits_(limits),
        stepper_(sources, program, limits, results),
        monitor_(sources, program, stepper_) {}

  Answer run() {
    const auto start = std::chrono::steady_clock::now();
    for (State& state : initial_states()) {
      const Findings findings = monitor_.start(state);
      answer_.violated.insert(findings.begin(), findings.end());
      add(std::move(state));
    }
    while (!todo_.empty()) {
      const State state = std::move(todo_.front());
      todo_.pop_front();
      visit(state);
      const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
      if (seen_.size() > limits_.max_states || elapsed.count() > limits_.max_seconds)
        return incomplete("too many states");
    }
    return stepper_.bounded() ? incomplete("bounded domains") : finished();
  }

 private:
  std::vector<State> initial_states() {
    std::vector<Store> stores{Store{}};
    const auto extend = [&](std::vector<Value> Store::*member, const Type& type, const Expr* init, bool any) {
      std::vector<Store> next;
      for (const Store& store : stores) {
        std::vector<Value> values;
        if (any) {
          values = stepper_.domain(type, counted_);
        } else if (init == nullptr) {
          values = {default_value(type)};
        } else {
          values = {normalised(evaluate(*init, one_state(program_, store, kNoLocals, 0)), type, program_)};
        }
        for (const Value& value : values) {
          next.push_back(store);
          (next.back().*member).push_back(value);
        }
      }
      stores = std::move(next);
    };
    for (const Const& it : program_.consts) extend(&Store::consts, it.type, it.value.get(), !it.value);
    std::vector<State> states;
    for (const Store& with_consts : std::exchange(stores, {})) {
      counted_ = with_threads(with_consts).store;
      stores = {with_consts};
      for (const Variable& it : program_.variables) {
        extend(&Store::variables, it.type, it.init.get(), it.init && std::holds_alternative<Star>(it.init->node));
      }
      for (const Store& store : stores) {
        State state = with_threads(store);
        if (may_start(state)) states.push_back(std::move(state));
      }
    }
    return states;
  }

  State with_threads(const Store& store) {
    State state{store, {}, {}, program_.initialiser < 0};
    for (std::size_t d = 0; d < program_.threads.size(); ++d) {
      const Thread& declared = program_.threads[d];
      const std::int64_t count = declared.count == Thread::Count::kNumber ? declared.number
                                 : declared.count == Thread::Count::kSymbol
                                     ? store.consts[static_cast<std::size_t>(declared.const_index)].number
                                     : 2;
      if (declared.count == Thread::Count::kUnbounded) answer_.complete = false;
      for (std::int64_t i = 0; i < count; ++i) {
        Scene scene = one_state(program_, store, kNoLocals, 0);
        scene.thread_index = i;
        std::vector<Value> arguments;
        for (const ExprPtr& argument : declared.target.arguments) arguments.push_back(evaluate(*argument, scene));
        ThreadState thread;
        thread.declaration = static_cast<int>(d);
        thread.stack.push_back(stepper_.activation(declared.target.index, arguments, state.store));
        thread.nodes = stepper_.initial_nodes(declared.abstracted);
        state.threads.push_back(std::move(thread));
        state.store.entered.push_back(declared.target.index);
      }
    }
    return state;
  }

  bool may_start(const State& state) const {
    const std::vector<bool> concerned = concerned_modules(program_);
    for (const Clause& clause : program_.clauses) {
      if (clause.kind != Clause::Kind::kInitially || !concerned[static_cast<std::size_t>(clause.module)]) continue;
      if (clause.class_index >= 0) continue;  // there are no objects yet
      if (!holds(*clause.predicate.predicate, one_state(program_, state.store, kNoLocals, 0))) return false;
    }
    return true;
  }

  void add(State state) {
    if (seen_.insert(print(state)).second) todo_.push_back(std::move(state));
  }

  static std::vector<const Stmt*> regions_of(const ThreadState& thread) {
    std::vector<const Stmt*> out;
    for (const Activation& activation : thread.stack) {
      for (const Task& it : activation.tasks) {
        if (std::holds_alternative<Exclusive>(it.statement->node) && it.progress == 1) out.push_back(it.statement);
      }
    }
    return out;
  }

  void look_for_two_inside(const State& state) {
    for (const ThreadState& one : state.threads) {
      for (const ThreadState& other : state.threads) {
        if (&one == &other || !state.is_initialised) continue;
        for (const Stmt* mine : regions_of(one)) {
          for (const Stmt* theirs : regions_of(other)) {
            if (std::get<Exclusive>(mine->node).region == std::get<Exclusive>(theirs->node).region)
              answer_.violated.insert(stepper_.id(diag::Kind::kMutualExclusion, mine->range));
          }
        }
      }
    }
  }

  // What thread t, from 1, waits for.
  struct Waiting {
    std::int64_t holder = 0;
    std::int64_t joined = 0;
    bool is_in_wait_set = false;
    bool is_intended = false;
  };

  void look_at_waiting(const std::vector<Waiting>& all) {
    const auto next = [&](std::size_t thread) { return std::max(all[thread - 1].holder, all[thread - 1].joined); };
    const base::SourceRange claim = program_.threads.front().range;
    for (std::size_t thread = 1; thread <= all.size(); ++thread) {
      const auto holder = static_cast<std::size_t>(all[thread - 1].holder);
      if (holder != 0 && all[holder - 1].is_in_wait_set &&
          !(all[holder - 1].is_intended && all[thread - 1].is_intended))
        answer_.violated.insert(stepper_.id(diag::Kind::kNestedMonitor, claim));
      auto at = static_cast<std::size_t>(next(thread));
      bool is_intended = all[thread - 1].is_intended;
      for (std::size_t i = 0; i < all.size() && at != 0 && at != thread; ++i) {
        is_intended = is_intended && all[at - 1].is_intended;
        at = static_cast<std::size_t>(next(at));
      }
      if (at == thread && !is_intended) answer_.violated.insert(stepper_.id(diag::Kind::kCyclicDeadlock, claim));
    }
  }

  void visit(const State& state) {
    look_for_two_inside(state);
    std::vector<Waiting> waiting;
    bool somebody_moves = false;
    bool somebody_is_stuck = false;
    bool all_finished = true;
    for (std::size_t thread = 0; thread < state.threads.size(); ++thread) {
      const bool waits = !state.is_initialised && state.store.entered[thread] != program_.initialiser;
      Moves moves = waits ? Moves{} : stepper_.moves(state, thread);
      somebody_moves = somebody_moves || moves.can_move;
      all_finished = all_finished && state.threads[thread].finished();
      if (!state.threads[thread].finished() && !moves.waits_as_intended) somebody_is_stuck = true;
      waiting.push_back({moves.holder, moves.joined, moves.is_in_wait_set, moves.waits_as_intended});
      for (Step& step : moves.steps) {
        monitor_.observe(state, thread, step);
        answer_.violated.insert(step.findings.begin(), step.findings.end());
        if (!step.wrong) add(std::move(step.after));
      }
    }
    if (state.is_initialised) look_at_waiting(waiting);
    if (all_finished) answer_.final_stores.insert(print(state.store));
    if (!somebody_moves && somebody_is_stuck) {
      answer_.violated.insert(stepper_.id(diag::Kind::kDeadlock, program_.threads.front().range));
    }
  }

  Answer finished() {
    answer_.states = seen_.size();
    return std::move(answer_);
  }

  Answer incomplete(const char* why) {
    answer_.complete = false;
    answer_.why_incomplete = why;
    return finished();
  }

  const Program& program_;
  const Limits limits_;
  Stepper stepper_;
  Monitor monitor_;
  Store counted_;  // knows how many threads there will be, for variables that start with any tid
  Answer answer_;
  std::unordered_set<std::string> seen_;
  std::deque<State> todo_;
};

}  // namespace

Answer interpret(const base::SourceMap& sources, const Program& program, const Limits& limits) {
  Results results;
  while (true) {
    const Results tried = results;
    Answer answer = Interpreter(sources, program, limits, results).run();
    if (results == tried) return answer;
  }
}

}  // namespace concord::agree
