#include "engine/threads/conformance.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "plato/flow.h"
#include "plato/started.h"
#include "simulation/closure.h"
#include "smt/solver.h"

namespace concord::engine::threads {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout
using simulation::SimulationInput;

bool Conformance::is_proved() const {
  return failure.empty() && !simulation.obstacle && simulation.lost.empty() &&
         std::none_of(verification.unreachable.begin(), verification.unreachable.end(), [](bool it) { return it; }) &&
         std::all_of(verification.obligations.begin(), verification.obligations.end(),
                     [](const sequential::Outcome& it) { return it.status == sequential::Outcome::Status::kProved; });
}

namespace {

void refuse(const Program& program, const spec::Derived& derived, const Conformance& job) {
  const std::string what = derived.may_start(job.entry)       ? "that starts others"
                           : derived.may_allocate(job.entry)  ? "that makes objects"
                           : job.entry == program.initialiser ? "that initialises"
                                                              : "";
  if (!what.empty()) throw simulation::Unsupported{job.claim->range, "an abstract thread for one " + what};
}

void check(const Program& program, const spec::Derived& derived, IntMode ints, simulation::Defect defect,
           sequential::Settings settings, Conformance& job) {
  SimulationInput input;
  input.program = &program;
  input.derived = &derived;
  input.ints = ints;
  input.procedure = job.entry;
  input.conforms = job.claim;
  input.defect = defect;
  if (job.claim != nullptr) {
    refuse(program, derived, job);
    const AbstractThread& machine = program.abstract_threads[static_cast<std::size_t>(job.claim->index)];
    input.edge_may_stutter = simulation::stuttering_edges(program, derived.of(job.entry), ints, machine, settings);
    settings.most_at_once = SIZE_MAX;  // others may do anything before each step, so nothing is gained by forgetting
  }
  job.simulation = simulation::simulate(*job.pool, input);
  settings.probes = static_cast<int>(job.simulation.probes.size());
  job.verification = sequential::verify(*job.pool, job.simulation.program, settings);
}

void add_job(const Program& program, const Abstracted* claim, int entry, std::deque<Conformance>& out) {
  out.emplace_back();
  out.back().claim = claim;
  out.back().entry = entry;
  out.back().bodies = run_from(program, {entry}, false);
}

void work(const std::string& what, const Program& program, const spec::Derived& derived, IntMode ints,
          simulation::Defect defect, simulation::Team& team, const std::function<void(std::size_t)>& meanwhile,
          std::deque<Conformance>& jobs) {
  const std::size_t others = meanwhile ? 1 : 0;  // which begin first
  team.work(what, others + jobs.size(), [&](std::size_t number, std::size_t worker) {
    if (number < others) return meanwhile(worker);
    Conformance& job = jobs[number - others];
    const std::string& name =
        job.claim != nullptr ? job.claim->by : program.procedures[static_cast<std::size_t>(job.entry)].name;
    const auto begin = std::chrono::steady_clock::now();
    try {
      check(program, derived, ints, defect, team.settings(name, worker), job);
    } catch (const smt::CannotRun& reason) { job.failure = reason.what(); } catch (const simulation::Unsupported& it) {
      job.simulation.obstacle = it;
    } catch (const std::exception& trouble) {
      job.failure = fmt::format("internal error: {}", trouble.what());
      job.internal_error = true;
    }
    job.time_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count();
  });
}

}  // namespace

std::deque<Conformance> check_conformance(const Program& program, const spec::Derived& derived, IntMode ints,
                                          simulation::Defect defect, simulation::Team& team,
                                          const std::function<void(std::size_t)>& meanwhile) {
  std::deque<Conformance> out;
  for (const Thread& it : program.threads) {
    if (it.abstracted.index >= 0) add_job(program, &it.abstracted, it.target.index, out);
  }
  for (int p = 0; p < std::ssize(program.procedures); ++p) {
    const Abstracted& claim = program.procedures[static_cast<std::size_t>(p)].abstracted;
    if (claim.index >= 0) add_job(program, &claim, p, out);
  }
  work("checking threads against their abstract threads", program, derived, ints, defect, team, meanwhile, out);
  return out;
}

std::deque<Conformance> check_bystanders(const Program& program, const spec::Derived& derived, IntMode ints,
                                         simulation::Defect defect, simulation::Team& team) {
  std::deque<Conformance> out;
  for (const int entry : concrete_entries(program)) add_job(program, nullptr, entry, out);
  work("checking threads without an abstract thread", program, derived, ints, defect, team, {}, out);
  return out;
}

}  // namespace concord::engine::threads
