#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "report/json.h"
#include "report/text.h"
#include "tool/annotate.h"
#include "tool/input.h"
#include "tool/machine.h"
#include "tool/model.h"
#include "tool/progress.h"
#include "tool/remembered.h"
#include "tool/status.h"
#include "tool/verbs.h"

namespace concord::tool {

namespace {

int status_of(const check::CheckResult& result) {
  if (result.internal_error) return kDefect;
  if (result.interrupted) return kInterrupted;
  switch (result.verdict) {
    case engine::Verdict::kVerified: return kAllVerified;
    case engine::Verdict::kViolated: return kSomethingViolated;
    case engine::Verdict::kUnproved: return kSomethingUnproved;
    case engine::Verdict::kUnknown: return kSomethingUnknown;
  }
  return kDefect;
}

double milliseconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

bool only_is_known(const Options& options, const plato::Program& program) {
  const std::string& only = options.check.settings.only;
  const std::vector<std::string> candidates = check::only_candidates(program);
  if (only.empty() || std::find(candidates.begin(), candidates.end(), only) != candidates.end()) return true;
  write_error(fmt::format("concord: --only: the program has no procedure `{}`; {}\n", only,
                          did_you_mean(only, candidates, fmt::format("it has {}", fmt::join(candidates, ", ")))));
  return false;
}

// Makes the folder, if need be.
bool can_write_into(const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && access(folder.c_str(), W_OK) == 0) return true;
  const std::string why = error ? error.message() : "no permission to write there";
  write_error(fmt::format("concord: --dump-smt: cannot use the folder {}: {}\n", folder, why));
  return false;
}

std::string report_of(const Options& options, const base::SourceMap& sources, const check::CheckResult& result,
                      std::string_view version) {
  if (options.format == Format::kJson) return report::json(sources, result, version);
  report::TextOptions text;
  text.width = output_width();
  text.color = options.color == Color::kAlways || (options.color == Color::kAuto && output_takes_color());
  text.quiet = options.quiet;
  text.verbose = options.verbose;
  return report::text(sources, result, text);
}

// What the report itself has no room for goes to stderr.
void say_what_json_cannot(const Options& options, const check::CheckResult& result) {
  if (options.format != Format::kJson) return;
  if (!result.nothing_checked.empty()) write_error(fmt::format("concord: {}\n", result.nothing_checked));
  if (result.interrupted) write_error("concord: interrupted; the verdicts are those reached so far\n");
}

}  // namespace

int verify(const Options& options, std::string_view version) {
  engine::Control control;
  control.timeout = options.timeout;
  control.memory_limit_bytes = options.memory_bytes.value_or(default_memory_bytes());
  const Interruptible interruptible(control);

  if (is_model(options.files)) {
    const ModelAnswer answer = verify_model(options, control);
    if (!answer.errors.empty()) {
      write_error(answer.errors);
      return kBadInput;
    }
    say_what_json_cannot(options, answer.result);
    return print(report_of(options, answer.sources, answer.result, version), status_of(answer.result));
  }
  const Texts texts = read_texts(options.files);
  const std::unique_ptr<cache::Store> proofs = open_store(options);
  RememberedRun remembered(proofs.get(), options, texts);
  if (std::optional<RememberedAnswer> known = remembered.take()) {
    known->result.time_ms = milliseconds_since(control.start);
    say_what_json_cannot(options, known->result);
    return print(report_of(options, known->sources, known->result, version), status_of(known->result));
  }
  const Input input = load(texts, options.java, control);
  if (!input.errors.empty()) {
    write_error(input.errors);
    return input.status;
  }
  if (!only_is_known(options, input.program)) return kBadUsage;
  if (const std::string missing = check::missing_program(options.check); !missing.empty()) {
    write_error(fmt::format(
        "concord: --solver needs {0}, which is not installed; install the package {0}, or use --solver z3\n", missing));
    return kMissing;
  }
  if (!options.check.settings.dump_smt.empty() && !can_write_into(options.check.settings.dump_smt)) return kBadUsage;

  ProgressLine progress(errors_go_to_terminal() && !options.quiet);
  control.on_progress = [&](const engine::Progress& now) { progress.show(now); };
  check::CheckResult result = check_or_infer(options, texts, input, proofs.get(), control);
  progress.clear();
  remembered.keep(result, input.sources);

  say_what_json_cannot(options, result);
  const int status = print(report_of(options, input.sources, result, version), status_of(result));
  for (const engine::PropertyResult& one : result.results) {
    if (!one.internal_error) continue;
    write_error(defect_report(one.reason, version));
    break;
  }
  return status;
}

}  // namespace concord::tool
