#include "explore/judge.h"

#include <fmt/core.h>

#include <algorithm>

#include "plato/walk.h"

namespace concord::explore {

using diag::Kind;
using engine::PropertyResult;
using engine::Verdict;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

// The thread count where the program leaves it open and the user did not say: the first of these that `initially` allows.
constexpr std::int64_t kChosenThreads[] = {2, 3, 4, 1};

// If there is no time for this, there is none for the exploration either, so any number will do.
std::int64_t choose_count(const engine::Task& task, const engine::Control& control) {
  if (task.settings.threads) return *task.settings.threads;
  Patience patience(control);
  try {
    for (const std::int64_t count : kChosenThreads) {
      if (!Machine(*task.program, task.settings, patience).initial_states(count).empty()) return count;
    }
  } catch (const Stopped&) { return kChosenThreads[0]; }
  return kChosenThreads[0];
}

bool has_open_count(const Program& program) {
  return std::any_of(program.threads.begin(), program.threads.end(), [&](const Thread& it) {
    if (it.count == Thread::Count::kUnbounded) return true;
    return it.count == Thread::Count::kSymbol && !program.consts[it.const_index].value;
  });
}

std::string counted_threads(const Program& program, std::int64_t count) {
  std::string out;
  for (const Thread& it : program.threads) {
    const bool open = it.count == Thread::Count::kUnbounded ||
                      (it.count == Thread::Count::kSymbol && !program.consts[it.const_index].value);
    if (!open) continue;
    out += (out.empty() ? "" : ", ") + fmt::format("{} {} of {}", count, count == 1 ? "thread" : "threads",
                                                   program.procedures[it.target.index].name);
  }
  return out;
}

// The procedures that some thread may run.
std::vector<bool> reachable_procedures(const Program& program) {
  std::vector<bool> out(program.procedures.size(), false);
  std::vector<int> todo;
  const auto visit = [&](int procedure) {
    if (procedure < 0 || out[procedure]) return;
    out[procedure] = true;
    todo.push_back(procedure);
  };
  for (const Thread& thread : program.threads) visit(thread.target.index);
  while (!todo.empty()) {
    const Procedure& procedure = program.procedures[todo.back()];
    todo.pop_back();
    for_each_stmt(*procedure.body, [&](const Stmt& statement) {
      if (const CallTarget* target = called(statement)) visit(target->index);
    });
  }
  return out;
}

class Judge {
 public:
  Judge(const engine::Task& task, engine::Control& control, const MakeSearch& make)
      : task_(task), control_(control), make_(make) {}

  engine::EngineResult run() {
    const Program& program = *task_.program;
    const bool open = has_open_count(program);
    const std::int64_t count = open ? choose_count(task_, control_) : 0;
    if (open && task_.settings.threads) result_.assumptions.push_back(counted_threads(program, count));
    const std::unique_ptr<Search> made = make_(task_, control_, count);
    Search& search = *made;
    outcome_ = search.run();
    bounds_ = search.bounds();
    for (const Stmt* it : search.unsupported()) {
      const std::string reason = std::get<Unsupported>(it->node).reason;
      unsupported_ += fmt::format("{}not supported: {} ({})", unsupported_.empty() ? "" : "; ", reason,
                                  task_.sources->place(it->range));
    }
    result_.assumptions.push_back(meaning_of_integers());
    if (open && !task_.settings.threads) bounds_.insert(counted_threads(program, count) + " (--threads N chooses)");
    reachable_ = reachable_procedures(program);
    for (const engine::Property& property : task_.properties) judge(property, search);
    add_unlisted(search);
    const bool is_exhaustive = search.bounds().empty() && unsupported_.empty();
    if (outcome_ == Outcome::kComplete && is_exhaustive) add_vacuity(search);
    note_wrong_runs(search);
    result_.statistics["states"] = static_cast<std::int64_t>(search.state_count());
    result_.statistics["transitions"] = static_cast<std::int64_t>(search.transition_count());
    if (const auto bytes = search.state_bytes()) result_.statistics["state_bytes"] = static_cast<std::int64_t>(*bytes);
    result_.statistics["final_stores"] = std::ssize(search.final_stores());
    return std::move(result_);
  }

 private:
  std::string stop_reason(const Search& search) const {
    const std::uint64_t count = search.state_count();
    std::string states = fmt::format("{} state{}", count, count == 1 ? "" : "s");
    const std::string variable = outcome_ == Outcome::kComplete ? "" : search.growing_variable();
    if (!variable.empty()) states += fmt::format(", {} taking ever more values", variable);
    switch (outcome_) {
      case Outcome::kComplete: return "";
      case Outcome::kTimeOut:
        return fmt::format("time limit of {} s reached after {}",
                           static_cast<double>(control_.exceeded()->count()) / 1000.0, states);
      case Outcome::kFound: return fmt::format("what was sought was found after {}", states);
      case Outcome::kInterrupted: return fmt::format("interrupted after {}", states);
      case Outcome::kOutOfMemory:
        return fmt::format("memory limit of {} MB reached after {}", control_.memory_limit_bytes >> 20U, states);
    }
    return "";
  }

  std::string meaning_of_integers() const {
    if (task_.settings.ints == engine::IntMode::kJava) return "integers have 32 bits and wrap around";
    if (!bounds_.contains(kBeyond64Bits)) return "integers are unbounded";
    return "integers are unbounded (runs that leave 64 bits are cut off)";
  }

  std::string joined_bounds() const {
    std::string out;
    for (const std::string& bound : bounds_) out += (out.empty() ? "" : "; ") + bound;
    return out;
  }

  void judge(const engine::Property& property, Search& search) {
    PropertyResult out;
    out.property = property;
    out.engine = "explore";
    out.location = property.claim;
    const auto found = search.findings().find(property.id);
    if (found != search.findings().end()) {
      violated(out, found->second, search);
    } else if (outcome_ != Outcome::kComplete) {
      out.reason = stop_reason(search);
    } else if (!search.has_initial_state() && search.bounds().empty()) {
      out.verdict = Verdict::kUnproved;
      out.reason = "there is no initial state, so nothing ever runs";
    } else if (property.procedure >= 0 && !reachable_[property.procedure]) {
      out.reason = "no thread runs `" + task_.program->procedures[property.procedure].name + "`";
    } else if (!search.monitor().is_active(property.module)) {
      const std::string& module = task_.program->modules[property.module].name;
      out.reason = module.empty() ? "no thread runs" : "no thread runs in module `" + module + "`";
    } else if (property.kind == Kind::kTermination && may_go_round()) {
      out.reason = "a loop, or a procedure that calls itself, may go on for ever";
    } else if (property.kind == Kind::kFinalState && search.final_stores().empty()) {
      out.verdict = Verdict::kUnproved;
      out.reason = "no run ends with all threads finished";
    } else if (!bounds_.empty() || !unsupported_.empty()) {
      out.reason = unsupported_;
      if (!bounds_.empty()) out.reason += (unsupported_.empty() ? "bounded: " : "; bounded: ") + joined_bounds();
    } else {
      out.verdict = Verdict::kVerified;
    }
    if (out.message.empty()) out.message = diag::page(property.kind).holds;
    result_.results.push_back(std::move(out));
  }

  bool may_go_round() const {
    for (std::size_t p = 0; p < reachable_.size(); ++p) {
      if (!reachable_[p]) continue;
      if (is_recursive(*task_.program, static_cast<int>(p))) return true;
      const Flow flow = make_flow(task_.program->procedures[p]);
      if (std::any_of(flow.nodes.begin(), flow.nodes.end(), [](const FlowNode& it) { return it.loop != nullptr; }))
        return true;
    }
    return false;
  }

  void violated(PropertyResult& out, const Finding& finding, Search& search) {
    out.verdict = Verdict::kViolated;
    out.message = finding.breach.message;
    out.location = finding.location;
    if (!(finding.location == out.property.claim))
      out.related.push_back({out.property.claim, claim_note(out.property.kind)});
    out.trace = search.trace(finding);
  }

  static std::string claim_note(Kind kind) {
    switch (kind) {
      case Kind::kInvariant: return "the invariant";
      case Kind::kEnvAssumption: return "the associated declaration";
      case Kind::kGuarantee: return "the guarantee";
      case Kind::kAbstractionStep: return "what the abstraction asks for";
      case Kind::kPrecondition: return "the precondition";
      case Kind::kPostcondition: return "the postcondition";
      case Kind::kLoopInvariant: return "the loop invariant";
      case Kind::kConformance: return "the abstract thread it should follow";
      case Kind::kLockOrder: return "the declared order";
      case Kind::kGuardedBy:
      case Kind::kConfinement:
      case Kind::kRace: return "declared here";
      case Kind::kMutualExclusion: return "the region";
      case Kind::kFinalState: return "the final condition";
      case Kind::kTermination:
      case Kind::kDeadlock:
      case Kind::kCyclicDeadlock:
      case Kind::kNestedMonitor: return "the first thread";
      default: return "the claim";
    }
  }

  // Whatever was found is said, even if nobody listed it as a property. (With --only the others are left out on purpose.)
  void add_unlisted(Search& search) {
    if (!task_.settings.only.empty()) return;
    for (const auto& [id, finding] : search.findings()) {
      const bool listed = std::any_of(task_.properties.begin(), task_.properties.end(),
                                      [&, name = id](const engine::Property& it) { return it.id == name; });
      if (listed) continue;
      PropertyResult out;
      out.property = {id, finding.breach.kind, finding.breach.claim, "", -1, 0};
      out.engine = "explore";
      violated(out, finding, search);
      result_.results.push_back(std::move(out));
    }
  }

  void add_vacuity(const Search& search) {
    const Program& program = *task_.program;
    const auto add = [&](base::SourceRange where, std::string message) {
      PropertyResult out;
      out.property = {engine::property_id(*task_.sources, Kind::kVacuity, where), Kind::kVacuity, where, "", -1, 0};
      out.engine = "explore";
      out.verdict = Verdict::kUnproved;
      out.message = std::move(message);
      out.location = where;
      result_.results.push_back(std::move(out));
    };
    if (!search.has_initial_state()) {
      for (const Clause& clause : program.clauses) {
        if (clause.kind != Clause::Kind::kInitially) continue;
        add(clause.range, "no initial state satisfies the `initially` clauses, so nothing ever runs");
        break;
      }
      return;
    }
    for (int d = 0; d < std::ssize(program.threads); ++d) {
      const Thread& thread = program.threads[d];
      if (search.ever_moved(d)) continue;
      const bool none = thread.count == Thread::Count::kNumber && thread.number == 0;
      if (!none && thread.count != Thread::Count::kNumber && task_.settings.threads == 0) continue;
      add(thread.range, none ? "this declares no thread at all" : "this thread can never take a step");
    }
  }

  void note_wrong_runs(const Search& search) {
    for (const auto& [id, finding] : search.findings()) {
      if (!finding.goes_wrong) continue;
      result_.assumptions.push_back("runs are not followed beyond the point where they go wrong (" + id + ")");
      return;
    }
  }

  const engine::Task& task_;
  engine::Control& control_;
  const MakeSearch& make_;
  engine::EngineResult result_;
  Outcome outcome_ = Outcome::kComplete;
  std::set<std::string> bounds_;
  std::string unsupported_;  // what runs came to and were not followed beyond, with places; empty: nothing
  std::vector<bool> reachable_;
};

}  // namespace

std::optional<std::int64_t> chosen_threads(const engine::Task& task, const engine::Control& control) {
  if (task.settings.threads || !has_open_count(*task.program)) return std::nullopt;
  try {
    return choose_count(task, control);
  } catch (const Limit&) { return std::nullopt; }
}

engine::EngineResult judge(const engine::Task& task, engine::Control& control, const MakeSearch& make) {
  try {
    return Judge(task, control, make).run();
  } catch (const Limit& limit) {  // already the initial states were too much
    engine::EngineResult out;
    for (const engine::Property& property : task.properties) {
      PropertyResult result;
      result.property = property;
      result.engine = "explore";
      result.reason = limit.reason;
      result.message = diag::page(property.kind).holds;
      result.location = property.claim;
      out.results.push_back(std::move(result));
    }
    return out;
  }
}

}  // namespace concord::explore
