#include "engine/threads/composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/threads/guess.h"
#include "engine/threads/induction.h"
#include "explore/explorer.h"
#include "plato/abstract_program.h"
#include "sequential/verify.h"
#include "simulation/counted.h"
#include "simulation/message.h"
#include "smt/solver.h"

namespace concord::engine::threads {

bool Composition::is_verified() const {
  return trouble.empty() && std::all_of(results.begin(), results.end(),
                                        [](const auto& it) { return it.second.verdict == Verdict::kVerified; });
}

namespace {

// A run of abstract threads as the user wrote them: each step an edge, or an assertion.
void in_users_words(const base::SourceMap& sources, const plato::Program& program, Trace& trace) {
  std::erase_if(trace.steps, [&](const TraceStep& step) {  // where a thread comes to its first node
    return std::any_of(program.abstract_threads.begin(), program.abstract_threads.end(),
                       [&](const plato::AbstractThread& it) { return it.name_range == step.location; });
  });
  for (TraceStep& step : trace.steps) {
    step.text = std::string(sources.text(step.location));
    for (auto& [location, value] : step.changes) {
      for (const plato::AbstractThread& machine : program.abstract_threads) {
        const bool is_node = value.starts_with(machine.name + "_");
        const std::string name = is_node ? value.substr(machine.name.size() + 1) : "";
        if (std::any_of(machine.nodes.begin(), machine.nodes.end(), [&](const auto& it) { return it.name == name; }))
          value = name;
      }
    }
  }
}

// The guesses that the claims need.
simulation::Guesses needed_of(const simulation::Guesses& guesses, const simulation::SimulationInput& input,
                              const sequential::Settings& settings) {
  formula::Pool pool;
  const simulation::Simulation simulation = simulation::simulate_composition(pool, input, guesses);
  const std::vector<int> kept = inductive(pool, simulation.program, simulation.head, simulation.claims, settings);
  simulation::Guesses out;
  out.atoms = guesses.atoms;
  std::size_t number = 0;  // equations first, then clauses: those are the ones that have a text
  for (const simulation::Suggestion& it : simulation.suggestions) {
    if (it.text.empty()) continue;
    const bool is_kept = std::find(kept.begin(), kept.end(), it.candidate) != kept.end();
    const std::size_t clause = number - std::min(number, guesses.equations.size());
    if (is_kept && number < guesses.equations.size()) {
      out.equations.push_back(guesses.equations[number]);
    } else if (is_kept) {
      out.clauses.push_back(guesses.clauses[clause]);
    }
    ++number;
  }
  return out;
}

void prove(const plato::Program& program, const spec::Derived& derived, const Task& task,
           const simulation::Guesses& guesses, const sequential::Settings& given, Composition& out) {
  simulation::SimulationInput input;
  input.program = &program;
  input.derived = &derived;
  input.ints = task.settings.ints;
  formula::Pool pool;
  const simulation::Simulation simulation =
      simulation::simulate_composition(pool, input, needed_of(guesses, input, given));
  sequential::Settings settings = given;
  settings.probes = static_cast<int>(simulation.probes.size());
  const sequential::Verification proved = sequential::verify(pool, simulation.program, settings);
  out.statistics["guesses"] = std::ssize(guesses.clauses) + std::ssize(guesses.equations);
  for (std::size_t i = 0; i < simulation.probes.size(); ++i) {
    if (!proved.unreachable[i]) continue;
    out.vacuous.push_back(simulation.probes[i]);
    out.trouble = simulation.probes[i].message;
  }
  for (const simulation::Lost& it : simulation.lost) {
    out.trouble = fmt::format("not supported at {}: {}", task.sources->place(it.why.range), it.why.what);
  }
  bool is_proved = out.trouble.empty();
  for (std::size_t i = 0; i < simulation.obligations.size(); ++i) {
    const simulation::Obligation& obligation = simulation.obligations[i];
    const sequential::Outcome& outcome = proved.obligations[i];
    for (const simulation::Claim& claim : obligation.claims) {
      PropertyResult& result = out.results[property_id(*task.sources, claim.kind, claim.range)];
      result.property.id = property_id(*task.sources, claim.kind, claim.range);
      result.property.kind = claim.kind;
      result.property.claim = claim.range;
      const bool is_first = result.message.empty();
      if (is_first && result.verdict == Verdict::kUnknown && result.reason.empty()) result.verdict = Verdict::kVerified;
      if (outcome.status == sequential::Outcome::Status::kProved) continue;
      is_proved = false;
      result.verdict = Verdict::kUnproved;
      if (!is_first) continue;
      result.message = obligation.message;
      result.location = obligation.at;
      if (outcome.status == sequential::Outcome::Status::kFailed)
        simulation::explain(obligation, outcome, claim, task.settings.names, result);
    }
  }
  if (task.settings.keeps_evidence)
    out.questions =
        simulation::questions(*task.sources, "all abstract threads", simulation, proved, task.settings.solver);
  out.assumptions.push_back(task.settings.ints == IntMode::kJava ? "integers have 32 bits and wrap around"
                                                                 : "integers are unbounded");
  if (!is_proved) return;
  for (const simulation::Suggestion& it : simulation.suggestions) {
    if (!it.text.empty()) out.inferred.push_back(it.text);
  }
}

}  // namespace

Composition prove_composition(const plato::Program& program, const spec::Derived& derived, const Task& task,
                              Control& control, const sequential::Settings& settings) {
  Composition out;
  try {
    const Samples samples(program, task.settings, control);
    prove(program, derived, task, samples.guess(), settings, out);
  } catch (const smt::CannotRun& reason) { out.trouble = reason.what(); } catch (const simulation::Unsupported& it) {
    out.trouble = fmt::format("not supported at {}: {}", task.sources->place(it.range), it.what);
  } catch (const std::exception& defect) {
    out.trouble = fmt::format("internal error: {}", defect.what());
    out.internal_error = true;
  }
  return out;
}

Composition explore_composition(const plato::Program& program, const Task& task, Control& control) {
  Composition out;
  const plato::AbstractProgram abstract = plato::abstract_program(program);
  if (!abstract.trouble.empty()) {
    out.trouble = fmt::format("not supported at {}: {}", task.sources->place(abstract.at), abstract.trouble);
    return out;
  }
  Task composed{task.sources, &abstract.program, collect_properties(*task.sources, abstract.program, {}),
                task.settings};
  std::erase_if(composed.properties, [](const Property& it) {
    return it.kind == diag::Kind::kDeadlock || it.kind == diag::Kind::kCyclicDeadlock ||
           it.kind == diag::Kind::kNestedMonitor;
  });
  composed.settings.only.clear();
  explore::Explorer explorer;
  EngineResult answer = explorer.run(composed, control);
  for (PropertyResult& it : answer.results) in_users_words(*task.sources, program, it.trace);
  for (PropertyResult& it : answer.results) out.results.emplace(it.property.id, std::move(it));
  out.assumptions = std::move(answer.assumptions);
  out.statistics = std::move(answer.statistics);
  return out;
}

}  // namespace concord::engine::threads
