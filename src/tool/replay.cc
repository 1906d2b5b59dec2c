#include <fmt/format.h>

#include <chrono>
#include <string>
#include <utility>

#include "replay/checker.h"
#include "smt/solver.h"
#include "tool/machine.h"
#include "tool/status.h"
#include "tool/verbs.h"

namespace concord::tool {

namespace {

int status_of(const replay::Answer& answer) {
  switch (answer.verdict) {
    case engine::Verdict::kVerified: return kAllVerified;
    case engine::Verdict::kUnproved: return kSomethingUnproved;
    default: return kSomethingUnknown;
  }
}

std::string count(std::int64_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

// "3 steps, 12 branches, 20 leaves (cvc5)"
std::string summary(const replay::Answer& answer, double seconds) {
  const auto statistic = [&](const char* name) {
    const auto found = answer.statistics.find(name);
    return found == answer.statistics.end() ? 0 : found->second;
  };
  return fmt::format("{}: {}, {}, {} (re-checked with {}, {} trusted), in {:.2f} s\n", engine::name(answer.verdict),
                     count(statistic("steps"), "step", "steps"), count(statistic("branches"), "branch", "branches"),
                     count(statistic("leaves"), "leaf", "leaves"), answer.solver, answer.trusted.size(), seconds);
}

std::string report(const replay::Proof& proof, const replay::Answer& answer, const Options& options, double seconds) {
  std::string out;
  const std::string verdict(engine::name(answer.verdict));
  if (!options.quiet) {
    for (const std::string& it : answer.proved) out += fmt::format("verified: {}\n", it);
    for (const replay::Finding& it : answer.findings)
      out += fmt::format("{}: {}: {}\n", proof.sources.place(it.at), verdict, it.what);
  }
  out += summary(answer, seconds);
  if (options.quiet) return out;
  for (std::size_t i = 0; i < proof.hashes.size(); ++i) {
    out += fmt::format("program: {}, sha256 {}\n", proof.sources.file(static_cast<std::uint32_t>(i + 1)).path(),
                       proof.hashes[i]);
  }
  for (const std::string& it : answer.assumptions) out += fmt::format("assuming: {}\n", it);
  for (const replay::Finding& it : answer.trusted)
    out += fmt::format("trusted: {} alone shows at {} {}\n", proof.solver, proof.sources.place(it.at), it.what);
  for (const std::string& it : answer.left) out += fmt::format("not in this proof: {}\n", it);
  return out;
}

}  // namespace

int replay_proof(const Options& options) {
  engine::Control control;
  control.timeout = options.timeout;
  const Interruptible interruptible(control);
  base::SourceMap file;
  std::string errors;
  read_file(options.files.front(), file, errors);
  if (!errors.empty()) {
    write_error(errors);
    return kBadInput;
  }
  const replay::Proof proof = replay::read_proof(file.file(0).path(), std::string(file.file(0).text()));
  if (!proof.errors.empty()) {
    write_error(proof.errors);
    return kBadInput;
  }
  if (options.prints_proof) return print(replay::print_items(proof.items, options.fold), kAllVerified);
  const smt::Which which = proof.solver == "cvc5" ? smt::Which::kZ3 : smt::Which::kCvc5;
  if (const std::string missing = smt::missing_program(which); !missing.empty()) {
    write_error(
        fmt::format("concord: replay re-checks with {0}, which is not installed; install the package {0}\n", missing));
    return kMissing;
  }
  const replay::Answer answer = replay::check(proof, {options.trusts, options.check.settings.solver_timeout}, control);
  if (!answer.malformed.empty()) {
    write_error(answer.malformed);
    return kBadInput;
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - control.start).count();
  const int status = control.was_interrupted() ? int{kInterrupted} : status_of(answer);
  return print(report(proof, answer, options, seconds), status);
}

}  // namespace concord::tool
