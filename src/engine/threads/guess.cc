#include "engine/threads/guess.h"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <deque>
#include <map>
#include <numeric>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "explore/machine.h"
#include "plato/abstract_program.h"
#include "plato/copy.h"
#include "plato/printer.h"
#include "plato/walk.h"

namespace concord::engine::threads {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using simulation::Equation;
using simulation::Guesses;
using simulation::Literal;
using simulation::NodeId;
using simulation::StateAtom;

namespace {

constexpr std::size_t kMostSamples = 150;  // for each number of threads
constexpr std::int64_t kMostThreads = 3;
constexpr int kWalks = 10;
constexpr std::size_t kFewNodes = 18;  // of all machines; it takes more walks to come to more
constexpr int kLongestWalk = 50;
constexpr std::size_t kMostAtoms = 120;

// A state, or a thread in it.
struct Sample {
  std::vector<bool> exprs;           // by expression
  NodeId place;                      // of the thread
  std::vector<std::int64_t> values;  // by place
  std::map<NodeId, std::int64_t> at;
};

}  // namespace

class Samples::Sampler {
 public:
  Sampler(const Program& program, const Settings& settings, Control& control)
      : program_(program),
        settings_(settings),
        control_(control),
        has_identities_(simulation::has_identities(program)) {
    collect_places();
    collect_exprs();
    AbstractProgram abstract = abstract_program(program_);
    if (!abstract.trouble.empty()) return;
    for (std::int64_t count = 1; count <= kMostThreads; ++count) visit(abstract.program, count);
  }

  Guesses guess() {
    if (samples_.empty()) return {};
    make_atoms();
    make_clauses();
    make_equations();
    return std::move(out_);
  }

 private:
  // ---- what to look at

  // The variables, and fields of objects that nobody exchanges, if a machine speaks of them.
  void collect_places() {
    for (std::size_t v = 0; v < program_.variables.size(); ++v) {
      auto out = std::make_unique<Expr>();
      NameExpr name;
      name.name = program_.variables[v].name;
      name.ref = {Ref::Kind::kShared, static_cast<int>(v)};
      out->node = std::move(name);
      out->type = program_.variables[v].type;
      places_.push_back(std::move(out));
    }
    std::set<std::string> known;
    const auto look = [&](const Expr& expr) {
      for_each_expr(expr, [&](const Expr& part) {
        const auto* field = std::get_if<FieldExpr>(&part.node);
        const auto* object = field == nullptr ? nullptr : std::get_if<NameExpr>(&field->object->node);
        const bool is_fixed = object != nullptr && object->ref.kind == Ref::Kind::kShared &&
                              program_.variables[static_cast<std::size_t>(object->ref.index)].is_final;
        if (!is_fixed || field->kind != FieldExpr::Kind::kField) return;
        ExprPtr place = copy(part);
        std::get<FieldExpr>(place->node).primed = false;
        if (known.insert(print(*place)).second) places_.push_back(std::move(place));
      });
    };
    for (const AbstractThread& machine : program_.abstract_threads) {
      for (const AbstractThread::Node& it : machine.nodes) {
        if (it.assertion) look(*it.assertion);
      }
      for (const AbstractThread::Edge& it : machine.edges) look(*it.step.predicate);
    }
  }

  void add_expr(ExprPtr expr, std::size_t place) {
    made_.push_back(std::move(expr));
    exprs_.push_back(made_.back().get());
    about_[exprs_.back()] = place;
  }

  void add_comparison(BinaryOp op, std::size_t place, Expr::Node right) {
    ExprPtr left = copy(*places_[place]);
    auto literal = std::make_unique<Expr>();
    literal->node = std::move(right);
    literal->type = left->type;
    auto out = std::make_unique<Expr>();
    out->node = BinaryExpr{op, std::move(left), std::move(literal)};
    out->type = type_of_kind(Type::Kind::kBool);
    add_expr(std::move(out), place);
  }

  void collect_exprs() {
    std::set<std::int64_t> numbers{0, 1};
    const auto look = [&](const Expr& expr) {
      for_each_expr(expr, [&](const Expr& part) {
        if (const auto* it = std::get_if<IntLit>(&part.node); it != nullptr && std::abs(it->value) < 100)
          numbers.insert(it->value);
      });
    };
    for (const AbstractThread& machine : program_.abstract_threads) {
      for (const AbstractThread::Node& it : machine.nodes) {
        if (it.assertion) look(*it.assertion);
      }
      for (const AbstractThread::Edge& it : machine.edges) look(*it.step.predicate);
    }
    for (const Variable& it : program_.variables) {
      if (it.init) look(*it.init);
    }
    for (std::size_t v = 0; v < places_.size(); ++v) {
      const Type& type = places_[v]->type;
      if (type.kind == Type::Kind::kBool) add_expr(copy(*places_[v]), v);
      if (type.kind == Type::Kind::kInt) {
        for (const std::int64_t number : numbers) {
          add_comparison(BinaryOp::kEq, v, IntLit{number});
          add_comparison(BinaryOp::kGt, v, IntLit{number});
        }
        add_comparison(BinaryOp::kGe, v, IntLit{0});
      }
      if (type.kind == Type::Kind::kTid && has_identities_) {
        add_comparison(BinaryOp::kEq, v, NoneLit{});
        add_comparison(BinaryOp::kEq, v, TidExpr{});
        of_thread_.insert(exprs_.back());
      }
      if (type.kind != Type::Kind::kEnum) continue;
      const Enum& values = program_.enums[static_cast<std::size_t>(type.decl)];
      for (std::size_t c = 0; c < values.constants.size(); ++c) {
        NameExpr constant;
        constant.name = values.constants[c].name;
        constant.ref = {Ref::Kind::kEnumConst, static_cast<int>(c)};
        add_comparison(BinaryOp::kEq, v, std::move(constant));
      }
    }
  }

  // ---- states

  void visit(const Program& abstract, std::int64_t count) {
    explore::Patience patience(control_);
    explore::Machine machine(abstract, settings_, patience);
    std::deque<explore::State> todo;
    std::unordered_set<std::string> seen;
    steps_.clear();
    const auto is_new = [&](const explore::State& state) {
      return seen.insert(has_identities_ ? to_bytes(state) : without_identities(state)).second;
    };
    const auto add = [&](explore::State state) {
      if (seen.size() >= kMostSamples || !is_new(state)) return;
      look_at(machine, state);
      todo.push_back(std::move(state));
    };
    try {
      std::vector<explore::State> initial = machine.initial_states(count);
      for (const explore::State& it : initial) add(it);
      while (!todo.empty()) {
        const explore::State state = std::move(todo.front());
        todo.pop_front();
        for (const Next& it : next_of(machine, state)) add(taken(state, it));
      }
      if (seen.size() < kMostSamples || initial.empty()) return;
      // These are near the beginning. So some from far away.
      const std::size_t nodes = samples_.empty() ? 0 : samples_.front().at.size();
      const int walks = nodes > kFewNodes ? 2 * static_cast<int>(nodes) : kWalks;
      for (int walk = 0; walk < walks; ++walk) {
        explore::State at = initial[random_() % initial.size()];
        for (int step = 0; step < kLongestWalk; ++step) {
          const std::vector<Next> next = next_of(machine, at);
          if (next.empty()) break;
          at = taken(at, next[random_() % next.size()]);
          if (is_new(at)) look_at(machine, at);
        }
      }
    } catch (const explore::Limit&) { return; } catch (const explore::Failure&) {
      return;
    } catch (const explore::Stopped&) { return; }
  }

  // What a thread does depends on itself and on what is shared: it is worked out once.
  struct Effect {
    explore::State after;
    explore::ThreadState thread;  // whoever it is
  };
  struct Next {
    std::size_t thread = 0;
    const Effect* effect = nullptr;
  };
  std::vector<Next> next_of(explore::Machine& machine, const explore::State& state) {
    std::vector<Next> out;
    std::string shared(1, state.is_initialised ? '1' : '0');
    for (const explore::Value& it : state.consts) explore::append_to(shared, it);
    explore::append_to(shared, state.store);
    if (!state.is_initialised) steps_.clear();  // who ends that lets the others begin
    // Whoever has not begun does so first, one after the other: that concerns nobody else.
    std::size_t begin = 0;
    while (begin < state.threads.size() && has_begun(machine, state.threads[begin])) ++begin;
    const bool have_begun = begin == state.threads.size() || !state.is_initialised;
    const std::size_t end = have_begun ? state.threads.size() : begin + 1;
    for (std::size_t t = have_begun ? 0 : begin; t < end; ++t) {
      std::string key = shared;
      if (has_identities_ || !state.is_initialised) explore::append_to(key, static_cast<explore::Scalar>(t));
      explore::append_to(key, has_identities_ ? state.threads[t] : anyone(state.threads[t]));
      const auto [known, is_new] = steps_.emplace(std::move(key), std::vector<Effect>());
      if (is_new) {
        for (explore::Transition& step : machine.steps(state, static_cast<explore::Scalar>(t + 1))) {
          if (step.failure || step.cut) continue;
          explore::ThreadState after = step.after.threads[t];
          known->second.push_back({std::move(step.after), std::move(after)});
        }
      }
      for (const Effect& it : known->second) out.push_back({t, &it});
    }
    return out;
  }

  // The node that a thread is at: none if it has no machine, or has not begun or has ended.
  std::optional<NodeId> place_of(const explore::Machine& machine, const explore::ThreadState& thread) const {
    const int which = program_.threads[static_cast<std::size_t>(thread.declaration)].abstracted.index;
    if (which < 0 || thread.frames.empty() || thread.frames.back().node == 0) return std::nullopt;
    const explore::Frame& frame = thread.frames.back();
    const auto slot = machine.program().procedures[static_cast<std::size_t>(frame.procedure)].parameters.size();
    const NodeId id{which, static_cast<int>(frame.locals[slot].scalar)};
    const auto& nodes = program_.abstract_threads[static_cast<std::size_t>(which)].nodes;
    return id.node >= 0 && id.node < std::ssize(nodes) ? std::optional(id) : std::nullopt;
  }
  bool has_begun(const explore::Machine& machine, const explore::ThreadState& thread) const {
    const int which = program_.threads[static_cast<std::size_t>(thread.declaration)].abstracted.index;
    return which < 0 || thread.frames.empty() || place_of(machine, thread).has_value();
  }

  static explore::State taken(const explore::State& state, const Next& next) {
    if (!state.is_initialised) return next.effect->after;
    explore::State out = state;
    out.store = next.effect->after.store;
    out.owners = next.effect->after.owners;
    const int index = out.threads[next.thread].index;
    out.threads[next.thread] = next.effect->thread;
    out.threads[next.thread].index = index;
    return out;
  }

  static explore::ThreadState anyone(explore::ThreadState thread) {
    thread.index = 0;
    return thread;
  }

  // Threads of one declaration may change places.
  static std::string without_identities(const explore::State& state) {
    std::vector<std::string> threads;
    for (const explore::ThreadState& it : state.threads) {
      threads.emplace_back();
      append_to(threads.back(), anyone(it));
    }
    std::sort(threads.begin(), threads.end());
    std::string out;
    append_to(out, state.store);
    for (const std::string& it : threads) out += it;
    return out;
  }

  // Those that threads have.
  std::set<int> machines() const {
    std::set<int> out;
    for (const Thread& it : program_.threads) {
      if (it.abstracted.index >= 0) out.insert(it.abstracted.index);
    }
    return out;
  }

  void look_at(explore::Machine& machine, const explore::State& state) {
    Sample sample;
    for (const int m : machines()) {
      const AbstractThread& it = program_.abstract_threads[static_cast<std::size_t>(m)];
      for (int n = 0; n < std::ssize(it.nodes); ++n) sample.at[{m, n}] = 0;
    }
    if (!state.is_initialised) return;
    std::vector<NodeId> places;  // by thread
    for (const explore::ThreadState& thread : state.threads) {
      const int which = program_.threads[static_cast<std::size_t>(thread.declaration)].abstracted.index;
      places.emplace_back();
      if (which < 0) continue;
      const std::optional<NodeId> id = place_of(machine, thread);
      if (!id) return;
      places.back() = *id;
      ++sample.at[*id];
    }
    if (state.threads.empty()) return;
    const explore::Scene anyone = machine.scene(state, 1);
    for (const ExprPtr& it : places_) {
      const Type::Kind kind = it->type.kind;
      const bool is_number = kind == Type::Kind::kInt || kind == Type::Kind::kBool;
      sample.values.push_back(is_number ? explore::Evaluator(anyone).scalar(*it) : 0);
    }
    for (std::size_t t = 0; t < (has_identities_ ? state.threads.size() : 1); ++t) {
      const explore::Scene scene = machine.scene(state, static_cast<explore::Scalar>(t + 1));
      Sample of_thread = sample;
      of_thread.place = places[t];
      for (const Expr* it : exprs_) of_thread.exprs.push_back(explore::Evaluator(scene).holds(*it));
      samples_.push_back(std::move(of_thread));
    }
  }

  // ---- guesses

  void make_atoms() {
    const auto add = [&](StateAtom atom, std::vector<bool> values) {
      const bool is_fixed = std::all_of(values.begin(), values.end(), [&](bool it) { return it == values.front(); });
      if (out_.atoms.size() >= kMostAtoms) return;
      if (is_fixed) {
        out_.clauses.push_back({{out_.atoms.size(), values.front()}});
      } else if (!seen_.insert(values).second) {
        return;  // as good as another one
      }
      out_.atoms.push_back(atom);
      values_.push_back(is_fixed ? std::vector<bool>{} : std::move(values));
    };
    for (std::size_t e = 0; e < exprs_.size(); ++e) {
      std::vector<bool> values;
      for (const Sample& it : samples_) values.push_back(it.exprs[e]);
      add({exprs_[e], {}, 0, of_thread_.contains(exprs_[e])}, std::move(values));
    }
    for (const auto& [id, count] : samples_.front().at) {
      for (const int at_least : {1, 2}) {
        std::vector<bool> values;
        for (const Sample& it : samples_) values.push_back(it.at.at(id) >= at_least);
        add({nullptr, id, at_least, false}, std::move(values));
      }
      if (!has_identities_) continue;
      std::vector<bool> values;
      for (const Sample& it : samples_) values.push_back(it.place == id);
      add({nullptr, id, 0, true}, std::move(values));
    }
  }

  // What one tells of the other is no news.
  bool are_about_same(std::size_t a, std::size_t b) const {
    const StateAtom& one = out_.atoms[a];
    const StateAtom& other = out_.atoms[b];
    const bool are_places = one.expr == nullptr && other.expr == nullptr && one.is_of_thread && other.is_of_thread;
    if (one.expr == nullptr || other.expr == nullptr)
      return are_places || (one.expr == other.expr && one.node == other.node && one.is_of_thread == other.is_of_thread);
    return about_.at(one.expr) == about_.at(other.expr);
  }

  // Of two literals, one of which held in every sample.
  void make_clauses() {
    const std::size_t count = values_.size();
    for (std::size_t a = 0; a < count && !control_.should_stop(); ++a) {
      for (std::size_t b = a + 1; b < count; ++b) {
        if (values_[a].empty() || values_[b].empty() || are_about_same(a, b)) continue;
        for (const bool wanted_a : {false, true}) {
          for (const bool wanted_b : {false, true}) {
            bool holds = true;
            for (std::size_t s = 0; s < samples_.size() && holds; ++s)
              holds = values_[a][s] == wanted_a || values_[b][s] == wanted_b;
            if (holds) out_.clauses.push_back({{a, wanted_a}, {b, wanted_b}});
          }
        }
      }
    }
  }

  // ---- equations: what is orthogonal to all samples

  struct Fraction {
    std::int64_t over = 0;
    std::int64_t under = 1;
    bool is_zero() const { return over == 0; }
  };
  struct TooLarge {};

  static Fraction fraction(std::int64_t over, std::int64_t under) {
    if (under < 0) over = -over, under = -under;
    std::int64_t a = over < 0 ? -over : over;
    std::int64_t b = under;
    while (b != 0) std::swap(a %= b, b);
    if (a > 1) over /= a, under /= a;
    constexpr std::int64_t kMost = 1 << 30;  // so that products fit
    if (over > kMost || over < -kMost || under > kMost) throw TooLarge{};
    return {over, under};
  }
  static Fraction times(Fraction a, Fraction b) { return fraction(a.over * b.over, a.under * b.under); }
  static Fraction minus(Fraction a, Fraction b) {
    return fraction(a.over * b.under - b.over * a.under, a.under * b.under);
  }
  using Row = std::vector<Fraction>;

  void make_equations() {
    using Kind = Equation::Summand::Kind;
    // In this order what comes later is expressed by what comes first.
    std::vector<Equation::Summand> columns;
    for (std::size_t v = 0; v < places_.size(); ++v) {
      const Type::Kind kind = places_[v]->type.kind;
      if (kind == Type::Kind::kInt || kind == Type::Kind::kBool)
        columns.push_back({1, Kind::kPlace, static_cast<int>(v), places_[v].get(), {}});
    }
    for (const auto& [id, count] : samples_.front().at) columns.push_back({1, Kind::kNode, -1, nullptr, id});
    columns.push_back({1, Kind::kOne, -1, nullptr, {}});
    for (const int machine : machines()) {  // how many there are, wherever they are
      Equation everybody;
      for (const auto& [id, count] : samples_.front().at) {
        if (id.machine == machine) everybody.summands.push_back({1, Kind::kNode, -1, nullptr, id});
      }
      std::optional<std::int64_t> all = 0;
      for (const Thread& it : program_.threads) {
        if (it.abstracted.index != machine) continue;
        const bool is_number = it.count == Thread::Count::kNumber;
        all = all && is_number ? std::optional(*all + it.number) : std::nullopt;
      }
      if (all) {
        everybody.summands.push_back({-*all, Kind::kOne, -1, nullptr, {}});
      } else {
        everybody.summands.push_back({-1, Kind::kThreads, machine, nullptr, {}});
      }
      out_.equations.push_back(std::move(everybody));
    }
    // By sample, from the last column on: so that variables and nodes are what the rest does not determine.
    std::vector<std::vector<std::int64_t>> numbers;
    for (const Sample& sample : samples_) {
      numbers.emplace_back();
      for (std::size_t c = columns.size(); c-- > 0;) numbers.back().push_back(value(sample, columns[c]));
    }
    std::set<std::vector<std::pair<std::size_t, std::int64_t>>> known;
    const auto find = [&](const std::optional<Literal>& where) {
      if (control_.should_stop()) return;
      try {
        find_equations(columns, numbers, where, known);
      } catch (const TooLarge&) { return; }
    };
    find({});
    make_exclusions(columns);
    for (std::size_t a = 0; a < values_.size(); ++a) {
      if (values_[a].empty() || out_.atoms[a].is_of_thread) continue;
      find(Literal{a, true});
      find(Literal{a, false});
    }
  }

  std::int64_t value(const Sample& sample, const Equation::Summand& column) const {
    switch (column.kind) {
      case Equation::Summand::Kind::kOne: return 1;
      case Equation::Summand::Kind::kThreads: break;
      case Equation::Summand::Kind::kPlace: return sample.values[static_cast<std::size_t>(column.index)];
      case Equation::Summand::Kind::kNode: return sample.at.at(column.node);
    }
    return 0;
  }

  // ---- exclusions: groups of which at most one is 1, and the others are 0

  struct Few {
    Equation::Summand column;
    std::vector<bool> is_one;  // by sample; otherwise it is 0
  };
  using Group = std::vector<std::size_t>;

  void make_exclusions(const std::vector<Equation::Summand>& columns) {
    std::vector<Few> all;
    for (const auto kind : {Equation::Summand::Kind::kNode, Equation::Summand::Kind::kPlace}) {
      for (const Equation::Summand& it : columns) {
        if (it.kind == kind && (it.place == nullptr || it.place->type.kind == Type::Kind::kInt)) add_if_few(it, all);
      }
    }
    const std::set<Group> groups = exclusive_groups(all);
    for (const Group& it : groups) {
      Equation at_most = sum_of(all, it, true);
      at_most.is_at_most = true;
      out_.equations.push_back(std::move(at_most));
    }
    for (const Group& it : groups) make_sums(all, it);
  }

  // If it is 0 in some samples and 1 in all others.
  void add_if_few(const Equation::Summand& column, std::vector<Few>& out) const {
    Few few{column, {}};
    for (const Sample& it : samples_) {
      const std::int64_t number = value(it, column);
      if (number != 0 && number != 1) return;
      few.is_one.push_back(number == 1);
    }
    if (std::find(few.is_one.begin(), few.is_one.end(), true) != few.is_one.end()) out.push_back(std::move(few));
  }

  bool exclude_each_other(const Few& a, const Few& b) const {
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      if (a.is_one[s] && b.is_one[s]) return false;
    }
    return true;
  }

  // Every two that exclude each other are in one of them, and nothing can be added to any.
  std::set<Group> exclusive_groups(const std::vector<Few>& all) const {
    std::vector<std::vector<bool>> excludes(all.size(), std::vector<bool>(all.size()));
    for (std::size_t a = 0; a < all.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) excludes[a][b] = excludes[b][a] = exclude_each_other(all[a], all[b]);
    }
    std::set<Group> out;
    std::vector<std::vector<bool>> is_open = excludes;
    for (std::size_t a = 0; a < all.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        if (!is_open[a][b]) continue;
        Group group{a, b};
        for (std::size_t c = 0; c < all.size(); ++c) {
          if (std::all_of(group.begin(), group.end(), [&](std::size_t it) { return excludes[c][it]; }))
            group.push_back(c);
        }
        for (const std::size_t one : group) {
          for (const std::size_t other : group) is_open[one][other] = false;
        }
        std::sort(group.begin(), group.end());
        out.insert(std::move(group));
      }
    }
    return out;
  }

  static Equation sum_of(const std::vector<Few>& all, const Group& group, bool minus_one) {
    Equation out;
    for (const std::size_t it : group) out.summands.push_back(all[it].column);
    if (minus_one) out.summands.push_back({-1, Equation::Summand::Kind::kOne, -1, nullptr, {}});
    return out;
  }

  // Wherever a literal holds, none is 1, or one is.
  void make_sums(const std::vector<Few>& all, const Group& group) {
    std::vector<bool> has_one(samples_.size());
    for (const std::size_t it : group) {
      for (std::size_t s = 0; s < samples_.size(); ++s) has_one[s] = has_one[s] || all[it].is_one[s];
    }
    for (std::size_t a = 0; a < values_.size(); ++a) {
      if (values_[a].empty() || out_.atoms[a].is_of_thread) continue;
      for (const bool wanted : {false, true}) {
        bool always = true;
        bool never = true;
        for (std::size_t s = 0; s < samples_.size(); ++s) {
          if (values_[a][s] == wanted) (has_one[s] ? never : always) = false;
        }
        if (!always && !never) continue;
        Equation sum = sum_of(all, group, always);
        sum.where = Literal{a, wanted};
        out_.equations.push_back(std::move(sum));
      }
    }
  }

  // Rows of which none is a sum of multiples of others, as far as a prime tells: so few are looked at with care.
  class Independent {
   public:
    explicit Independent(std::size_t width) : width_(width) {}
    bool add(const std::vector<std::int64_t>& row) {
      std::vector<std::uint64_t> left(width_);
      for (std::size_t c = 0; c < width_; ++c)
        left[c] = static_cast<std::uint64_t>((row[c] % kPrime + kPrime) % kPrime);
      for (std::size_t r = 0; r < rows_.size(); ++r) {
        const std::uint64_t factor = left[pivots_[r]];
        if (factor == 0) continue;
        for (std::size_t c = pivots_[r]; c < width_; ++c)
          left[c] = (left[c] + (kPrime - factor) * rows_[r][c]) % kPrime;
      }
      const auto first = std::find_if(left.begin(), left.end(), [](std::uint64_t it) { return it != 0; });
      if (first == left.end()) return false;
      const std::uint64_t inverse = power(*first, kPrime - 2);
      for (std::uint64_t& it : left) it = it * inverse % kPrime;
      pivots_.push_back(static_cast<std::size_t>(first - left.begin()));
      rows_.push_back(std::move(left));
      return true;
    }

   private:
    static constexpr std::int64_t kPrime = 2'147'483'647;
    static std::uint64_t power(std::uint64_t base, std::uint64_t exponent) {
      std::uint64_t out = 1;
      for (; exponent > 0; exponent /= 2, base = base * base % kPrime) {
        if (exponent % 2 == 1) out = out * base % kPrime;
      }
      return out;
    }
    std::size_t width_;
    std::vector<std::vector<std::uint64_t>> rows_;
    std::vector<std::size_t> pivots_;
  };

  // Gauss: the rows of the samples, reduced; each column without a pivot gives one equation.
  void find_equations(const std::vector<Equation::Summand>& columns,
                      const std::vector<std::vector<std::int64_t>>& numbers, const std::optional<Literal>& where,
                      std::set<std::vector<std::pair<std::size_t, std::int64_t>>>& known) {
    const std::size_t width = columns.size();
    std::vector<Row> rows;
    std::vector<std::size_t> pivots;
    Independent independent(width);
    for (std::size_t s = 0; s < samples_.size(); ++s) {
      if (where && values_[where->atom][s] != where->wanted) continue;
      if (!independent.add(numbers[s])) continue;
      Row row(width);
      for (std::size_t c = 0; c < width; ++c) row[c] = {numbers[s][c], 1};
      for (std::size_t r = 0; r < rows.size(); ++r) {
        const Fraction factor = row[pivots[r]];
        if (factor.is_zero()) continue;
        for (std::size_t c = 0; c < width; ++c) row[c] = minus(row[c], times(factor, rows[r][c]));
      }
      const auto first = std::find_if(row.begin(), row.end(), [](const Fraction& it) { return !it.is_zero(); });
      if (first == row.end()) continue;
      const auto pivot = static_cast<std::size_t>(first - row.begin());
      const Fraction inverse = fraction(row[pivot].under, row[pivot].over);
      for (Fraction& it : row) it = times(it, inverse);
      for (Row& other : rows) {
        const Fraction factor = other[pivot];
        if (factor.is_zero()) continue;
        for (std::size_t c = 0; c < width; ++c) other[c] = minus(other[c], times(factor, row[c]));
      }
      rows.push_back(std::move(row));
      pivots.push_back(pivot);
    }
    for (std::size_t free = 0; free < width; ++free) {
      if (std::find(pivots.begin(), pivots.end(), free) != pivots.end()) continue;
      std::int64_t under = 1;
      for (const Row& row : rows) under = std::lcm(under, row[free].under);
      Equation out;
      out.where = where;
      std::vector<std::pair<std::size_t, std::int64_t>> key;
      const auto add = [&](std::size_t column, std::int64_t factor) {
        if (factor == 0) return;
        key.emplace_back(column, factor);
        out.summands.push_back(columns[width - 1 - column]);
        out.summands.back().factor = factor;
      };
      add(free, under);
      for (std::size_t r = 0; r < rows.size(); ++r) add(pivots[r], -rows[r][free].over * (under / rows[r][free].under));
      // Under a condition only numbers are worth an equation; clauses say the rest.
      const bool has_number = std::any_of(out.summands.begin(), out.summands.end(), [&](const Equation::Summand& it) {
        return it.kind == Equation::Summand::Kind::kPlace && it.place->type.kind == Type::Kind::kInt;
      });
      const bool is_news = !known.contains(key) && out.summands.size() > 1 && has_number;
      if (!where) known.insert(key);
      if (is_news || !where) out_.equations.push_back(std::move(out));
    }
  }

  const Program& program_;
  const Settings& settings_;
  Control& control_;
  const bool has_identities_;
  std::unordered_map<std::string, std::vector<Effect>> steps_;  // by what is shared and thread
  std::mt19937 random_;                                         // always the same numbers
  std::set<const Expr*> of_thread_;
  std::vector<ExprPtr> places_;  // what has a value of its own
  std::vector<ExprPtr> made_;
  std::map<const Expr*, std::size_t> about_;  // by expression: the place
  Guesses out_;
  std::vector<const Expr*> exprs_;
  std::vector<Sample> samples_;
  std::set<std::vector<bool>> seen_;
  std::vector<std::vector<bool>> values_;  // by atom and sample; empty: always the same
};

Samples::Samples(const Program& program, const Settings& settings, Control& control)
    : sampler_(std::make_unique<Sampler>(program, settings, control)) {}

Samples::~Samples() = default;

Guesses Samples::guess() const { return sampler_->guess(); }

}  // namespace concord::engine::threads
