#include "embedding.h"

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <utility>

#include "engine/shape/embed.h"
#include "engine/shape/evaluate.h"
#include "engine/shape/source/lower.h"
#include "engine/shape/source/search.h"
#include "engine/shape/source/view_search.h"
#include "explore/machine.h"
#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::agree {

namespace {

using engine::shape::Evaluation;
using engine::shape::Kleene;
using engine::shape::Predicate;
using engine::shape::Structure;
using engine::shape::System;
using engine::shape::source::Label;
using engine::shape::source::LocalName;
using engine::shape::source::Lowered;
using engine::shape::source::Move;
using engine::shape::source::Place;
using engine::shape::source::Search;
using engine::shape::source::Views;
using engine::shape::source::ViewSearch;
using engine::shape::source::Vocabulary;
using explore::Frame;
using explore::Scalar;
using explore::State;
using explore::ThreadState;
using explore::Value;
using plato::Operation;
using plato::Type;

constexpr std::size_t kMostStates = 1500;
constexpr std::size_t kMostConfigurations = 3000;

// The labels of the code, by where the frames of a thread are.
class Places {
 public:
  Places(const Lowered& lowered, explore::Machine& machine) : lowered_(lowered), machine_(machine) {
    const auto& code = lowered.code;
    back_.assign(code.labels.size(), -1);
    // From where a procedure is left back to all that leads there; what a call leads to is another procedure.
    for (bool goes_on = true; goes_on;) {
      goes_on = false;
      for (const Move& it : code.moves) {
        int found = -1;
        if (it.operation.kind == Operation::Kind::kReturn)
          found = it.to;
        else if (it.operation.kind == Operation::Kind::kCall)
          found = after_call(it);
        else if (it.operation.kind != Operation::Kind::kThrow)
          found = back_[place(it.to)];
        if (found < 0 || back_[place(it.from)] >= 0) continue;
        back_[place(it.from)] = found;
        goes_on = true;
      }
    }
  }

  // Where the thread may be: several, if it never returns from where it is.
  std::vector<int> of(const ThreadState& thread) const {
    if (thread.finished) return {lowered_.code.done};
    std::vector<int> out;
    for (std::size_t l = 0; l < lowered_.code.labels.size(); ++l) {
      if (fits(static_cast<int>(l), thread, thread.frames.size())) out.push_back(static_cast<int>(l));
    }
    return out;
  }

 private:
  static std::size_t place(int number) { return static_cast<std::size_t>(number); }
  int after_call(const Move& call) const {
    const int back = back_[place(call.to)];
    return back < 0 ? -1 : back_[place(back)];
  }
  bool fits(int label, const ThreadState& thread, std::size_t depth) const {
    if (depth == 0) return label == lowered_.code.done;
    const Frame& frame = thread.frames[depth - 1];
    const Label& it = lowered_.code.labels[place(label)];
    if (it.is_inside || it.procedure != frame.procedure || it.node != skipped(frame.procedure, frame.node))
      return false;
    return back_[place(label)] < 0 || fits(back_[place(label)], thread, depth - 1);
  }
  int skipped(int procedure, int node) const {
    const plato::Flow& flow = machine_.flow(procedure);
    for (std::size_t i = 0; i < flow.nodes.size(); ++i) {
      const std::vector<plato::FlowEdge>& edges = flow.nodes[place(node)].edges;
      if (edges.size() != 1 || edges.front().operation.kind != Operation::Kind::kSilent) break;
      node = edges.front().target;
    }
    return node;
  }

  const Lowered& lowered_;
  explore::Machine& machine_;
  std::vector<int> back_;  // by label: where the procedure returns to; -1: nowhere
};

// A state as a structure without unknown values.
class Depiction {
 public:
  Depiction(const Lowered& lowered, const plato::Program& program, const engine::shape::Layout& layout)
      : program_(program),
        vocabulary_(*lowered.vocabulary),
        system_(vocabulary_.system()),
        lowered_(lowered),
        layout_(layout) {
    for (std::size_t p = 0; p < system_.predicates.size(); ++p) {
      const Predicate& it = system_.predicates[p];
      if (it.definition) definitions_.emplace_back(static_cast<int>(p), Evaluation(it.definition, it.variables));
    }
  }

  Structure of(const State& state, const std::vector<int>& labels) {
    threads_ = static_cast<int>(state.threads.size());
    Structure out(layout_, threads_ + static_cast<int>(state.store.objects.size()));
    for (int t = 0; t < threads_; ++t) add_thread(state, t, labels[static_cast<std::size_t>(t)], out);
    for (std::size_t v = 0; v < program_.variables.size(); ++v)
      set(out, vocabulary_.shared(static_cast<int>(v)), program_.variables[v].type, -1, state.store.variables[v]);
    for (std::size_t o = 0; o < state.store.objects.size(); ++o)
      add_object(state.store.objects[o], threads_ + static_cast<int>(o), out);
    for (const auto& [predicate, meaning] : definitions_) {
      const int arity = layout_.arity(predicate);
      if (arity == 0) out.set(predicate, meaning.value(out));
      for (int a = 0; arity > 0 && a < out.size(); ++a) {
        if (arity == 1) out.set(predicate, a, meaning.value(out, {a}));
        for (int b = 0; arity == 2 && b < out.size(); ++b) out.set(predicate, a, b, meaning.value(out, {a, b}));
      }
    }
    return out;
  }

 private:
  static void hold(Structure& structure, int predicate, int whose) {
    whose < 0 ? structure.set(predicate, Kleene::kTrue) : structure.set(predicate, whose, Kleene::kTrue);
  }
  static void hold(Structure& structure, int predicate, int whose, int target) {
    whose < 0 ? structure.set(predicate, target, Kleene::kTrue)
              : structure.set(predicate, whose, target, Kleene::kTrue);
  }

  void add_thread(const State& state, int number, int label, Structure& out) const {
    const ThreadState& thread = state.threads[static_cast<std::size_t>(number)];
    hold(out, system_.is_thread, number);
    hold(out, system_.at[static_cast<std::size_t>(label)], number);
    if (thread.declaration >= 0 && vocabulary_.named_thread(thread.declaration) >= 0)
      hold(out, vocabulary_.named_thread(thread.declaration), number);
    const std::set<LocalName>& live = lowered_.code.labels[static_cast<std::size_t>(label)].live;
    for (const LocalName& it : live) {
      const Place& place = vocabulary_.local(it);
      if (it.second == engine::shape::source::kWaitSlot) {
        hold(out, place.predicate, number, threads_ + static_cast<int>(thread.waiting.object) - 1);
      } else if (it.second == engine::shape::source::kResultSlot) {
        set(out, place, program_.procedures[static_cast<std::size_t>(it.first)].result, number,
            thread.frames.back().result);
      } else {
        const auto frame = std::find_if(thread.frames.rbegin(), thread.frames.rend(),
                                        [&](const Frame& each) { return each.procedure == it.first; });
        const Type& type =
            program_.procedures[static_cast<std::size_t>(it.first)].locals[static_cast<std::size_t>(it.second)].type;
        if (frame != thread.frames.rend())
          set(out, place, type, number, frame->locals[static_cast<std::size_t>(it.second)]);
      }
    }
    const bool waits = std::any_of(live.begin(), live.end(),
                                   [](const LocalName& it) { return it.second == engine::shape::source::kWaitSlot; });
    if (!waits) return;
    const auto [deep, deeper] = vocabulary_.wait_levels();
    if (thread.saved_depth > 1) hold(out, deep, number);
    if (thread.saved_depth > 2) hold(out, deeper, number);
    const Value& monitor = state.store.objects[static_cast<std::size_t>(thread.waiting.object - 1)].monitor;
    if (vocabulary_.waiting() >= 0 && monitor.composite->elements.contains(number + 1))
      hold(out, vocabulary_.waiting(), number);
  }

  void add_object(const explore::Object& object, int number, Structure& out) const {
    hold(out, object.class_index < 0 ? vocabulary_.array() : vocabulary_.class_predicate(object.class_index), number);
    set_monitor(out, vocabulary_.object_monitor(), number, object.monitor);
    for (int f = 0; object.class_index >= 0 && f < plato::field_count(program_, object.class_index); ++f) {
      set(out, vocabulary_.field(object.class_index, f), plato::field_of(program_, object.class_index, f).type, number,
          object.fields[static_cast<std::size_t>(f)]);
    }
  }

  void set_monitor(Structure& out, const Place& place, int whose, const Value& value) const {
    if (value.composite == nullptr || value.composite->holder == 0) return;
    hold(out, place.predicate, whose, static_cast<int>(value.composite->holder) - 1);
    if (value.composite->depth > 1) hold(out, place.deep, whose);
    if (value.composite->depth > 2) hold(out, place.deeper, whose);
  }

  void set(Structure& out, const Place& place, const Type& type, int whose, const Value& value) const {
    switch (place.kind) {
      case Place::Kind::kBool:
        if (value.scalar != 0) hold(out, place.predicate, whose);
        return;
      case Place::Kind::kEnum: return hold(out, place.constants[static_cast<std::size_t>(value.scalar)], whose);
      case Place::Kind::kRelation: {
        if (value.scalar == 0) return;
        const int target = static_cast<int>(value.scalar) - 1;
        return hold(out, place.predicate, whose, type.kind == Type::Kind::kTid ? target : threads_ + target);
      }
      case Place::Kind::kMonitor: return set_monitor(out, place, whose, value);
      case Place::Kind::kNumber:
      case Place::Kind::kUnknown: return;
    }
  }

  const plato::Program& program_;
  const Vocabulary& vocabulary_;
  const System& system_;
  const Lowered& lowered_;
  const engine::shape::Layout& layout_;
  std::vector<std::pair<int, Evaluation>> definitions_;
  int threads_ = 0;
};

class Embedding final : public Judge {
 public:
  std::string name() const override { return "embedding"; }
  bool is_exact() const override { return false; }

  Judgement run(const Loaded& loaded) override {
    Judgement out;
    out.complete = true;
    try {
      out.error = missing(loaded, out.states);
      if (out.error.empty()) out.error = missing_view(loaded, out.states);
    } catch (const explore::Stopped&) {  // it takes too long
    } catch (const engine::shape::TooManyIndividuals&) {
    } catch (const engine::shape::TooManyVariables&) {
    } catch (const std::exception& error) { out.error = error.what(); }
    return out;
  }

 private:
  static engine::Task task_of(const Loaded& loaded) {
    engine::Task task;
    task.sources = &loaded.sources;
    task.program = &loaded.program;
    task.properties = engine::collect_properties(loaded.sources, loaded.program, {});
    task.settings.reductions = {false, false, false, false};
    task.settings.threads = 2;
    return task;
  }

  static bool is_complete(const Search& search, const engine::Control& control) {
    return !search.is_given_up() && !search.is_out_of_memory() && !control.should_stop() &&
           std::none_of(search.alarms().begin(), search.alarms().end(),
                        [](const Search::Alarm& it) { return it.property == engine::shape::source::kUnsupported; });
  }

  // A state that no configuration represents, in words; empty: there is none, or the program is not followed.
  static std::string missing(const Loaded& loaded, std::size_t& count) {
    const engine::Task task = task_of(loaded);
    engine::Control control;
    control.timeout = std::chrono::seconds(5);
    const Lowered lowered = engine::shape::source::lower(task);
    if (!lowered.refused.empty() || lowered.vocabulary->is_number() >= 0) return "";
    Search search(lowered, engine::shape::Join::kRelational, kMostConfigurations, kMostConfigurations);
    search.run(task, control);
    if (!is_complete(search, control)) return "";
    explore::Patience patience(control);
    explore::Machine machine(loaded.program, task.settings, patience);
    const Places places(lowered, machine);
    Depiction depiction(lowered, loaded.program, search.layout());
    std::deque<State> todo;
    std::set<std::string> seen;
    const auto add = [&](State state) {
      if (seen.size() < kMostStates && seen.insert(to_bytes(state)).second) todo.push_back(std::move(state));
    };
    for (State& it : machine.initial_states(*task.settings.threads)) add(std::move(it));
    while (!todo.empty()) {
      const State state = std::move(todo.front());
      todo.pop_front();
      ++count;
      if (state.is_initialised && !is_represented(state, places, depiction, search))
        return "a state that no configuration represents: " + text_of(state, places, lowered) + "\n";
      for (Scalar self = 1; self <= std::ssize(state.threads); ++self) {
        for (explore::Transition& it : machine.steps(state, self)) {
          if (!it.failure && !it.cut) add(std::move(it.after));
        }
      }
    }
    return "";
  }

  // A state, and which of its objects were made by moves that happen once.
  struct Known {
    State state;
    std::vector<int> made;  // by object: the move, or -1
  };

  // What a thread knows in some state, and no view represents; likewise.
  static std::string missing_view(const Loaded& loaded, std::size_t& count) {
    const engine::Task task = task_of(loaded);
    engine::Control control;
    control.timeout = std::chrono::seconds(10);
    const Lowered lowered = engine::shape::source::lower(task, true);
    if (!lowered.refused.empty() || lowered.vocabulary->is_number() >= 0) return "";
    ViewSearch search(lowered, task, kMostConfigurations);
    search.run(task, control);
    if (!is_complete(search, control)) return "";
    explore::Patience patience(control);
    explore::Machine machine(loaded.program, task.settings, patience);
    const Places places(lowered, machine);
    Depiction depiction(lowered, loaded.program, search.layout());
    const engine::shape::source::Collector collector(lowered);
    const Views views(lowered, collector);
    std::deque<Known> todo;
    std::set<std::string> seen;
    const auto add = [&](Known known) {
      std::string key = to_bytes(known.state);
      for (const int it : known.made) key += "," + std::to_string(it);
      if (seen.size() < kMostStates && seen.insert(std::move(key)).second) todo.push_back(std::move(known));
    };
    for (State& it : machine.initial_states(*task.settings.threads)) add({std::move(it), {}});
    while (!todo.empty()) {
      const Known known = std::move(todo.front());
      todo.pop_front();
      ++count;
      for (std::size_t t = 0; known.state.is_initialised && t < known.state.threads.size(); ++t) {
        if (!known.state.threads[t].finished &&
            !is_viewed(known, static_cast<int>(t), places, depiction, views, lowered, search))
          return "thread " + std::to_string(t) +
                 " knows what no view represents: " + text_of(known.state, places, lowered) + "\n";
      }
      for (Scalar self = 1; self <= std::ssize(known.state.threads); ++self) {
        for (explore::Transition& it : machine.steps(known.state, self)) {
          if (it.failure || it.cut) continue;
          const int made = made_by(it, lowered);
          const std::size_t objects = it.after.store.objects.size();
          if (objects > known.made.size() && made == kUnsure) return "";
          Known next{std::move(it.after), known.made};
          next.made.resize(objects, made);
          add(std::move(next));
        }
      }
    }
    return "";
  }

  static constexpr int kUnsure = -2;

  // Which move the object was made by, if that happens once; -1: by another one.
  static int made_by(const explore::Transition& step, const Lowered& lowered) {
    const plato::Stmt* statement = step.operation == nullptr ? nullptr : step.operation->statement;
    const plato::Rhs* value = statement == nullptr ? nullptr : plato::right_side(*statement);
    if (value == nullptr || !std::holds_alternative<plato::NewObject>(*value)) return kUnsure;
    int out = -1;
    std::size_t copies = 0;
    for (std::size_t m = 0; m < lowered.code.moves.size(); ++m) {
      if (lowered.code.moves[m].operation.statement != statement) continue;
      ++copies;
      if (lowered.vocabulary->made_at(static_cast<int>(m)) >= 0) out = static_cast<int>(m);
    }
    return copies > 1 && out >= 0 ? kUnsure : out;
  }

  static bool is_viewed(const Known& known, int thread, const Places& places, Depiction& depiction, const Views& views,
                        const Lowered& lowered, const Search& search) {
    const Vocabulary& vocabulary = *lowered.vocabulary;
    const int threads = static_cast<int>(known.state.threads.size());
    return any_way(known.state, places, [&](const std::vector<int>& labels) {
      Structure real = depiction.of(known.state, labels);
      engine::shape::Bits begins = 0;
      for (int t = 0; t < threads; ++t) begins |= t == thread ? 0 : engine::shape::Bits{1} << static_cast<unsigned>(t);
      for (std::size_t o = 0; o < known.made.size(); ++o) {
        if (known.made[o] >= 0)
          real.set(vocabulary.made_at(known.made[o]), threads + static_cast<int>(o), Kleene::kTrue);
      }
      views.add_others(real);
      const engine::shape::Bits others = views.reached_from(real, begins | views.shared(real)) & ~begins;
      real.row(vocabulary.escaped()) = {others, others};
      real = views.of(real, thread);
      if (search.constraints().coerce(real)) return false;
      return std::any_of(search.states().begin(), search.states().end(), [&](Search::State it) {
        it.structure.row(vocabulary.escaped()).must = 0;  // those that only may be known to others
        return is_embedded(real, it.structure);
      });
    });
  }

  static bool is_represented(const State& state, const Places& places, Depiction& depiction, const Search& search) {
    return any_way(state, places, [&](const std::vector<int>& labels) {
      const Structure real = depiction.of(state, labels);
      return std::any_of(search.states().begin(), search.states().end(),
                         [&](const Search::State& it) { return is_embedded(real, it.structure); });
    });
  }

  // Where the threads may be.
  template <class Fits>
  static bool any_way(const State& state, const Places& places, Fits&& fits) {
    std::vector<std::vector<int>> ways{{}};
    for (const ThreadState& thread : state.threads) {
      std::vector<std::vector<int>> next;
      for (const std::vector<int>& it : ways) {
        for (const int label : places.of(thread)) {
          next.push_back(it);
          next.back().push_back(label);
        }
      }
      ways = std::move(next);
    }
    return std::any_of(ways.begin(), ways.end(), fits);
  }

  static std::string text_of(const State& state, const Places& places, const Lowered& lowered) {
    std::string out;
    for (const ThreadState& thread : state.threads) {
      out += out.empty() ? "" : ", ";
      for (const int label : places.of(thread))
        out += " " + lowered.vocabulary->system().labels[static_cast<std::size_t>(label)];
    }
    return out + "; objects: " + std::to_string(state.store.objects.size());
  }
};

}  // namespace

std::unique_ptr<Judge> make_embedding_judge() { return std::make_unique<Embedding>(); }

}  // namespace concord::agree
