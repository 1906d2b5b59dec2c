#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <utility>

#include "report/columns.h"
#include "report/json.h"
#include "report/page.h"
#include "report/sarif.h"
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
bool can_write_into(const char* option, const std::string& folder) {
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (!error && access(folder.c_str(), W_OK) == 0) return true;
  const std::string why = error ? error.message() : "no permission to write there";
  write_error(fmt::format("concord: {}: cannot use the folder {}: {}\n", option, folder, why));
  return false;
}

// How the answers of one run are delivered.
class Delivery {
 public:
  Delivery(const Options& options, std::string_view version) : options_(options), version_(version) {}

  int result(const base::SourceMap& sources, const check::CheckResult& result) const {
    say_what_json_cannot(result);
    int status = print(report_of(sources, result), status_of(result));
    if (!options_.save_proof.empty()) status = save_proof(result, status);
    return options_.report_folder.empty() ? status : write_page(sources, result, status);
  }

  // There is no result, because the input is wrong.
  int errors(const base::SourceMap& sources, const std::vector<diag::Diagnostic>& diagnostics,
             const std::string& errors, int status) const {
    write_error(errors);
    if (options_.format != Format::kSarif) return status;
    return print(report::sarif(sources, diagnostics, errors, {version_, options_.arguments, status}), status);
  }

 private:
  // Says on stderr why there is nothing to save.
  int save_proof(const check::CheckResult& result, int status) const {
    if (result.proof.empty()) {
      write_error("concord: --save-proof: there is no proof by the dynamic engine, so nothing is saved\n");
      return status;
    }
    std::ofstream file(options_.save_proof, std::ios::binary);
    file << result.proof << std::flush;
    if (file) return status;
    write_error(fmt::format("concord: --save-proof: cannot write {}\n", options_.save_proof));
    return kBadUsage;
  }

  int write_page(const base::SourceMap& sources, const check::CheckResult& result, int status) const {
    const std::filesystem::path file = std::filesystem::path(options_.report_folder) / "index.html";
    std::ofstream out(file, std::ios::binary);
    out << report::page(sources, result, version_, options_.arguments) << std::flush;
    if (out) return status;
    write_error(fmt::format("concord: --report: cannot write {}\n", file.string()));
    return kMissing;
  }

  std::string report_of(const base::SourceMap& sources, const check::CheckResult& result) const {
    switch (options_.format) {
      case Format::kJson: return report::json(sources, result, version_);
      case Format::kSarif:
        return report::sarif(sources, result, {version_, options_.arguments, status_of(result)}, options_.verbose);
      case Format::kText: break;
    }
    report::TextOptions text;
    text.width = output_width();
    text.color = options_.color == Color::kAlways || (options_.color == Color::kAuto && output_takes_color());
    text.quiet = options_.quiet;
    text.verbose = options_.verbose;
    const Characters characters = output_characters();
    text.lines = characters == Characters::kUnicodeTerminal;
    const std::string out = report::text(sources, result, text);
    return characters == Characters::kAsciiTerminal ? report::ascii(out) : out;
  }

  // What the report itself has no room for goes to stderr.
  void say_what_json_cannot(const check::CheckResult& result) const {
    if (options_.format == Format::kText) return;
    if (!result.nothing_checked.empty()) write_error(fmt::format("concord: {}\n", result.nothing_checked));
    if (result.interrupted) write_error("concord: interrupted; the verdicts are those reached so far\n");
  }

  const Options& options_;
  const std::string_view version_;
};

}  // namespace

int verify(const Options& options, std::string_view version) {
  engine::Control control;
  control.timeout = options.timeout;
  control.memory_limit_bytes = options.memory_bytes.value_or(default_memory_bytes());
  const Interruptible interruptible(control);
  const Delivery deliver(options, version);
  if (!options.report_folder.empty()) {
    if (const std::string why = report::why_no_page(); !why.empty()) {
      write_error(fmt::format("concord: --report: {}\n", why));
      return kMissing;
    }
    if (!can_write_into("--report", options.report_folder)) return kBadUsage;
  }

  if (is_model(options.files)) {
    const ModelAnswer answer = verify_model(options, control);
    if (!answer.errors.empty()) return deliver.errors(answer.sources, answer.diagnostics, answer.errors, kBadInput);
    return deliver.result(answer.sources, answer.result);
  }
  const Texts texts = read_texts(options.files);
  const std::unique_ptr<cache::Store> proofs = open_store(options);
  RememberedRun remembered(proofs.get(), options, texts);
  if (std::optional<RememberedAnswer> known = remembered.take()) {
    known->result.time_ms = milliseconds_since(control.start);
    return deliver.result(known->sources, known->result);
  }
  const Input input = load(texts, options.java, control);
  if (!input.errors.empty()) return deliver.errors(input.sources, input.diagnostics, input.errors, input.status);
  if (!only_is_known(options, input.program)) return kBadUsage;
  if (input.is_java && !options.save_proof.empty()) {
    write_error("concord: --save-proof is for Plato only: a proof carries the program as its reader reads it\n");
    return kBadUsage;
  }
  if (const std::string missing = check::missing_program(options.check); !missing.empty()) {
    write_error(fmt::format(
        "concord: --solver needs {0}, which is not installed; install the package {0}, or use --solver z3\n", missing));
    return kMissing;
  }
  if (!options.check.settings.dump_smt.empty() && !can_write_into("--dump-smt", options.check.settings.dump_smt))
    return kBadUsage;

  ProgressLine progress(errors_go_to_terminal() && !options.quiet);
  control.on_progress = [&](const engine::Progress& now) { progress.show(now); };
  check::CheckResult result = check_or_infer(options, texts, input, proofs.get(), control);
  progress.clear();
  remembered.keep(result, input.sources);

  const int status = deliver.result(input.sources, result);
  for (const engine::PropertyResult& one : result.results) {
    if (!one.internal_error) continue;
    write_error(defect_report(one.reason, version));
    break;
  }
  return status;
}

}  // namespace concord::tool
