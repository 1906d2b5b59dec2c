// One run of Concord on one well-formed program: which properties, which engine, and what the answers mean together.
//
// check() collects the properties, chooses the engine, runs it once, takes out what the user waived, and forms the
// verdict of the run. It neither prints nor exits. A defect in an engine (base::InternalError) makes the properties of
// that run `unknown`, never anything else.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "diag/kinds.h"
#include "engine/engine.h"
#include "plato/syntax.h"

namespace concord::cache {
class Store;
}

namespace concord::check {

enum class EngineChoice { kAuto, kModular, kThreads, kExplore, kReferee, kShape, kDynamic };

const std::vector<std::string>& engine_names();  // in the order of EngineChoice: "auto", "modular", …
std::string_view name(EngineChoice choice);

struct CheckOptions {
  EngineChoice engine = EngineChoice::kAuto;
  std::set<diag::Kind> requested;  // --property
  engine::Settings settings;       // settings.only, if not empty, is one of only_candidates()
  // A program of another language:
  std::vector<std::string> assumptions;  // of its front end
  std::string integers;       // what is assumed about integers, in place of the engines' own words; may be empty
  bool shows_source = false;  // steps are shown as the text at their place, not as Plato
  std::set<std::uint32_t> library_files;  // shows_source: of these only steps that change something are shown
  cache::Store* proofs = nullptr;         // where what is proved is looked up and kept; may be null
  // That break what is not proved, where exploring can verify nothing. False: for a search that may have no end there is little time.
  bool looks_for_runs = true;
  bool is_race_limiting = false;  // verdicts hold for sequentially consistent runs only: no race, or no proof
};

struct CheckResult {
  engine::Verdict verdict = engine::Verdict::kUnknown;  // the worst of `results`
  std::string nothing_checked;                          // why there is nothing to report, or empty
  std::string engine;                                   // which one: "modular, then explore for what is left"
  std::vector<std::string> why;                         // it was that one, and the others came after it
  std::vector<engine::PropertyResult> results;
  std::vector<engine::PropertyResult> waived;  // findings the user waived: no longer in `results`
  std::vector<std::string> assumptions;
  std::string only;                         // --only, or empty
  std::vector<std::string> left_unchecked;  // assumptions too: one for each property that --only leaves out
  std::vector<std::string> notes;           // what the user should know about the specification
  std::vector<std::string> inferred;        // annotations that were found, as the user could write them
  std::vector<std::string> superfluous;     // --uses: clauses, by id, that no other proof rests on
  std::string patch;                        // of these, those that belong into the sources, with --suggest
  std::string proof;  // what the dynamic engine proved, as text, if that is to be kept or looked at
  std::vector<diag::Kind> not_checked;
  std::map<std::string, std::int64_t> statistics;
  std::vector<engine::Part> parts;
  // Only if Settings::keeps_evidence:
  std::vector<engine::Question> questions;
  std::vector<engine::Drawing> configurations;
  std::vector<engine::StateMachine> machines;
  double time_ms = 0;
  bool is_remembered = false;  // of an earlier run with the same input
  bool is_cut_short = false;   // exploring ended because nobody looks for runs (CheckOptions)
  bool interrupted = false;
  bool internal_error = false;
};

CheckResult check(const base::SourceMap& sources, const plato::Program& program, const CheckOptions& options,
                  engine::Control& control);

// One engine on one task. A defect in it, and an answer that breaks the protocol of engine.h, make every property of
// the task `unknown` with the reason "internal error: …"; running out of memory makes them `unknown` too.
engine::EngineResult run_engine(engine::Engine& chosen, const engine::Task& task, engine::Control& control);

// Every property of the task unanswered, for this reason.
engine::EngineResult all_unknown(const engine::Task& task, const std::string& engine_name, const std::string& reason,
                                 bool internal_error = false);

// A program that the options ask for and this machine does not have, or empty.
std::string missing_program(const CheckOptions& options);

// What --only may name: the procedures, and the threads that have a name (they stand for the procedure they run).
std::vector<std::string> only_candidates(const plato::Program& program);

}  // namespace concord::check
