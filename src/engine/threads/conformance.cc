#include "engine/threads/conformance.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdint>

#include "plato/flow.h"
#include "simulation/closure.h"
#include "smt/solver.h"

namespace concord::engine::threads {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using simulation::SimulationInput;

namespace {

void check(const Program& program, const spec::Derived& derived, IntMode ints, simulation::Defect defect,
           sequential::Settings settings, Conformance& job) {
  const int entered = job.declaration->target.index;
  const std::string what = derived.may_start(entered)       ? "that starts others"
                           : derived.may_allocate(entered)  ? "that makes objects"
                           : entered == program.initialiser ? "that initialises"
                                                            : "";
  if (!what.empty())
    throw simulation::Unsupported{job.declaration->abstracted_range, "an abstract thread for one " + what};
  SimulationInput input;
  input.program = &program;
  input.derived = &derived;
  input.ints = ints;
  input.procedure = entered;
  input.conforms = job.declaration;
  input.defect = defect;
  const AbstractThread& machine = program.abstract_threads[static_cast<std::size_t>(job.declaration->abstract_index)];
  input.edge_may_stutter = simulation::stuttering_edges(program, derived.of(entered), ints, machine, settings);
  job.simulation = simulation::simulate(*job.pool, input);
  settings.probes = static_cast<int>(job.simulation.probes.size());
  settings.most_at_once = SIZE_MAX;  // others may do anything before each step, so nothing is gained by forgetting
  job.verification = sequential::verify(*job.pool, job.simulation.program, settings);
}

}  // namespace

std::deque<Conformance> check_conformance(const Program& program, const spec::Derived& derived, IntMode ints,
                                          simulation::Defect defect, simulation::Team& team) {
  std::deque<Conformance> out;
  for (const Thread& it : program.threads) {
    if (it.abstract_index < 0) continue;
    out.emplace_back();
    out.back().declaration = &it;
    out.back().bodies = run_from(program, {it.target.index}, false);
  }
  team.work("checking threads against their abstract threads", out.size(), [&](std::size_t number, std::size_t worker) {
    Conformance& job = out[number];
    const auto begin = std::chrono::steady_clock::now();
    try {
      check(program, derived, ints, defect, team.settings(job.declaration->abstracted_by, worker), job);
    } catch (const smt::CannotRun& reason) { job.failure = reason.what(); } catch (const simulation::Unsupported& it) {
      job.simulation.obstacle = it;
    } catch (const std::exception& trouble) {
      job.failure = fmt::format("internal error: {}", trouble.what());
      job.internal_error = true;
    }
    job.time_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  });
  return out;
}

}  // namespace concord::engine::threads
