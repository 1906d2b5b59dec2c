#include "check/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <utility>

#include "base/check.h"
#include "check/choose.h"
#include "check/waivers.h"
#include "engine/names.h"
#include "engine/threads/imagined.h"
#include "plato/printer.h"

namespace concord::check {

using engine::EngineResult;
using engine::PropertyResult;
using engine::Verdict;

const std::vector<std::string>& engine_names() {
  static const std::vector<std::string> kNames = {"auto",    "modular", "threads", "explore",
                                                  "referee", "shape",   "dynamic"};
  return kNames;
}

std::string_view name(EngineChoice choice) { return engine_names()[static_cast<std::size_t>(choice)]; }

namespace {

// The procedure that --only names, directly or by the thread that runs it.
int only_procedure(const plato::Program& program, const std::string& only) {
  for (std::size_t i = 0; i < program.procedures.size(); ++i) {
    if (program.procedures[i].name == only) return static_cast<int>(i);
  }
  for (const plato::Thread& thread : program.threads) {
    if (thread.name == only) return thread.target.index;
  }
  base::internal_error(__FILE__, __LINE__, "--only names no procedure: " + only);
}

// Leaves the properties that --only asks for; the others are assumptions.
void apply_only(const plato::Program& program, const std::string& only, std::vector<engine::Property>& properties,
                std::vector<std::string>& assumptions) {
  if (only.empty()) return;
  const int procedure = only_procedure(program, only);
  std::vector<engine::Property> kept;
  for (engine::Property& property : properties) {
    if (property.procedure == procedure) {
      kept.push_back(std::move(property));
    } else {
      assumptions.push_back(fmt::format("left unchecked by --only {}: {}", only, property.id));
    }
  }
  properties = std::move(kept);
}

// Only vacuity and findings may come besides what was asked.
bool may_be_added(const PropertyResult& result) {
  return result.property.kind == diag::Kind::kVacuity || result.verdict == Verdict::kViolated;
}

void check_protocol(const engine::Task& task, const EngineResult& answer) {
  CONCORD_CHECK(answer.results.size() >= task.properties.size(), "the engine left out a property");
  for (std::size_t i = 0; i < answer.results.size(); ++i) {
    const PropertyResult& result = answer.results[i];
    const bool added = i >= task.properties.size();
    CONCORD_CHECK(added ? may_be_added(result) : result.property.id == task.properties[i].id,
                  "the engine answered what it was not asked: " + result.property.id);
    CONCORD_CHECK(result.verdict != Verdict::kUnknown || !result.reason.empty(), "unknown without a reason");
  }
}

std::string nothing_checked(const plato::Program& program, const CheckOptions& options, const CheckResult& result) {
  if (!result.waived.empty()) return "nothing to check: every finding is waived and there is no other property";
  if (!options.settings.only.empty()) return "nothing to check in " + options.settings.only;
  if (program.threads.empty()) return "nothing to check: there is no thread, and no assertion, invariant or contract";
  std::vector<std::string_view> others;
  for (const diag::Kind kind : result.not_checked) others.push_back(diag::name(kind));
  const std::string hint = others.empty() ? "" : fmt::format("; --property {} checks more", fmt::join(others, ","));
  return "nothing to check: there is no assertion, invariant or contract" + hint;
}

// A program with a race may do what no interleaving explains. While one is not excluded, nothing else is proved.
void limit_by_races(std::vector<PropertyResult>& results) {
  const auto race = std::find_if(results.begin(), results.end(), [](const PropertyResult& it) {
    return it.property.kind == diag::Kind::kRace && it.verdict != Verdict::kVerified;
  });
  if (race == results.end()) return;
  const std::string id = race->property.id;
  for (PropertyResult& it : results) {
    if (it.verdict != Verdict::kVerified || it.property.id == id) continue;
    it.verdict = Verdict::kUnproved;
    it.depends_on = id;
    it.message = "holds in every interleaving, but the program may have a race";
  }
}

bool is_shared(const std::string& location, const plato::Program& program) {
  const std::string name = location.substr(0, location.find('['));
  return std::any_of(program.variables.begin(), program.variables.end(),
                     [&](const plato::Variable& it) { return it.name == name; });
}

// What changed, in the user's terms. A local variable that the front end made shows what was read or computed, if there is
// nothing else to tell; the rest of what it keeps for itself is left out.
engine::Changes users_changes(const engine::Changes& changes, const plato::Program& program,
                              const std::set<std::string>& names) {
  engine::Changes out;
  engine::Changes computed;
  for (const auto& [location, value] : changes) {
    if (engine::is_made(location, names)) {
      const bool is_receiver = location.starts_with("this_") || location.starts_with("self");
      if (!is_receiver && !is_shared(location, program)) computed = {{"value", value}};
      continue;
    }
    if (location.ends_with(".identity") || location.ends_with(".shared")) continue;
    out.emplace_back(location, value);
  }
  return out.empty() ? computed : out;
}

// A thread is named after its class.
void name_threads(std::string& text) {
  constexpr std::string_view kEntry = "_thread#";
  for (std::size_t at = 0; (at = text.find(kEntry, at)) != std::string::npos;) text.replace(at, kEntry.size(), "#");
}

void name_threads(engine::Changes& changes) {
  for (auto& [location, value] : changes) name_threads(value);
}

// What is the case, in the user's terms.
void show_situation(engine::Situation& it, const std::set<std::string>& names) {
  const auto is_made = [&](const auto& location) { return engine::is_made(location.first, names); };
  std::erase_if(it.shared, is_made);
  name_threads(it.shared);
  for (engine::Situation::Object& object : it.heap) {
    std::erase_if(object.fields,
                  [](const auto& field) { return field.first == "identity" || field.first == "shared"; });
    name_threads(object.fields);
  }
  for (engine::Situation::Local& local : it.locals) {
    std::erase_if(local.values, is_made);
    name_threads(local.thread);
    name_threads(local.values);
  }
  for (auto& [lock, thread] : it.held) name_threads(thread);
  for (engine::Situation::Follower& follower : it.followers) name_threads(follower.thread);
}

// The text of the range, as far as it is on one line; of an empty one the line that it is on. A synchronized method takes its
// monitor at its brace, which says little.
std::string source_text(const base::SourceMap& sources, const base::SourceRange& range) {
  constexpr std::size_t kMostCharacters = 60;
  const std::string_view whole = sources.file(range.file).text();
  std::size_t begin = range.begin;
  std::size_t end = std::min(whole.find('\n', begin), whole.size());
  if (range.begin < range.end) {
    end = std::min<std::size_t>(end, range.end);
  } else {
    begin = begin == 0 ? 0 : whole.rfind('\n', begin - 1) + 1;
  }
  std::string text(whole.substr(begin, end - begin));
  text.erase(0, text.find_first_not_of(" \t"));
  text.erase(text.find_last_not_of(" \r") + 1);
  if (text == "{") return "synchronized {";
  return text.size() > kMostCharacters ? text.substr(0, kMostCharacters) + "…" : text;
}

// Steps as the user wrote them.
void show_source(const base::SourceMap& sources, const plato::Program& program, const CheckOptions& options,
                 std::vector<PropertyResult>& results) {
  for (PropertyResult& result : results) {
    name_threads(result.message);
    std::erase_if(result.trace.initial,
                  [&](const auto& it) { return engine::is_made(it.first, options.settings.names); });
    for (std::string& thread : result.trace.threads) name_threads(thread);
    show_situation(result.trace.before, options.settings.names);
    for (engine::StuckThread& stuck : result.trace.ending) {
      name_threads(stuck.thread);
      name_threads(stuck.detail);
      const bool is_in_library = options.library_files.contains(stuck.location.file);
      stuck.text = is_in_library ? sources.place(stuck.location) : source_text(sources, stuck.location);
    }
    // Where nothing goes wrong at it, Java has nothing of the kind to show.
    std::vector<engine::TraceStep>& steps = result.trace.steps;
    const auto is_initialised = [](const engine::TraceStep& step) { return step.text == "initialised;"; };
    if (!steps.empty()) steps.erase(std::remove_if(steps.begin(), steps.end() - 1, is_initialised), steps.end() - 1);
    for (engine::TraceStep& step : steps) {
      name_threads(step.thread);
      name_threads(step.note);
      step.changes = users_changes(step.changes, program, options.settings.names);
      name_threads(step.changes);
      name_threads(step.preempted);
      show_situation(step.after, options.settings.names);
      if (step.text != engine::threads::kSomething) step.text = source_text(sources, step.location);
    }
    // What Java does not say, or says in the library, is left out if there is nothing to be seen; so is what has no place.
    std::erase_if(steps, [&](const engine::TraceStep& step) {
      if (step.location.end == 0) return true;
      const bool is_said = step.location.begin < step.location.end;
      return step.changes.empty() && step.note.empty() &&
             (!is_said || options.library_files.contains(step.location.file));
    });
  }
}

std::vector<engine::StateMachine> state_machines(const plato::Program& program) {
  std::vector<engine::StateMachine> out;
  for (const plato::AbstractThread& machine : program.abstract_threads) {
    engine::StateMachine& made = out.emplace_back();
    made.name = machine.name;
    for (const plato::AbstractThread::Node& it : machine.nodes) {
      made.nodes.push_back({it.name, it.assertion ? plato::print(*it.assertion) : "", it.initial, it.range});
    }
    for (const plato::AbstractThread::Edge& it : machine.edges)
      made.edges.push_back({it.from_index, it.to_index, plato::print(it.step), it.range});
  }
  return out;
}

}  // namespace

EngineResult all_unknown(const engine::Task& task, const std::string& engine_name, const std::string& reason,
                         bool internal_error) {
  EngineResult answer;
  for (const engine::Property& property : task.properties) {
    PropertyResult result;
    result.property = property;
    result.engine = engine_name;
    result.reason = reason;
    result.location = property.claim;
    result.internal_error = internal_error;
    answer.results.push_back(std::move(result));
  }
  return answer;
}

EngineResult run_engine(engine::Engine& chosen, const engine::Task& task, engine::Control& control) {
  try {
    EngineResult answer = chosen.run(task, control);
    check_protocol(task, answer);
    return answer;
  } catch (const std::bad_alloc&) {
    return all_unknown(task, chosen.name(), "memory ran out");
  } catch (const std::exception& defect) {
    return all_unknown(task, chosen.name(), fmt::format("internal error: {}", defect.what()), true);
  }
}

std::vector<std::string> only_candidates(const plato::Program& program) {
  std::vector<std::string> names;
  for (const plato::Procedure& procedure : program.procedures) names.push_back(procedure.name);
  for (const plato::Thread& thread : program.threads) {
    if (!thread.name.empty()) names.push_back(thread.name);
  }
  return names;
}

CheckResult check(const base::SourceMap& sources, const plato::Program& program, const CheckOptions& options,
                  engine::Control& control) {
  const auto start = std::chrono::steady_clock::now();
  CheckResult result;
  engine::Task task{&sources, &program, engine::collect_properties(sources, program, options.requested),
                    options.settings};
  task.settings.race_limits = options.is_race_limiting;
  result.only = options.settings.only;
  apply_only(program, options.settings.only, task.properties, result.left_unchecked);

  if (!task.properties.empty()) {
    EngineResult answer = run_choice(options, task, control, {result.engine, result.why, result.is_cut_short});
    result.results = std::move(answer.results);
    result.assumptions = std::move(answer.assumptions);
    result.notes = std::move(answer.notes);
    result.inferred = std::move(answer.inferred);
    result.superfluous = std::move(answer.superfluous);
    result.statistics = std::move(answer.statistics);
    result.parts = std::move(answer.parts);
    result.proof = std::move(answer.proof);
    result.questions = std::move(answer.questions);
    result.configurations = std::move(answer.configurations);
  }
  if (options.settings.keeps_evidence) result.machines = state_machines(program);
  if (options.is_race_limiting) limit_by_races(result.results);
  if (options.shows_source) show_source(sources, program, options, result.results);
  if (!options.integers.empty()) {
    const std::string unbounded = "integers are unbounded";
    for (std::string& it : result.assumptions) {
      if (it.starts_with(unbounded)) it.replace(0, unbounded.size(), options.integers);
    }
  }
  result.assumptions.insert(result.assumptions.end(), options.assumptions.begin(), options.assumptions.end());
  apply_waivers(sources, program, result);

  result.not_checked = engine::kinds_not_checked(program, options.requested);
  if (result.results.empty()) {
    result.nothing_checked = nothing_checked(program, options, result);
  } else {
    result.verdict = Verdict::kVerified;
  }
  for (const PropertyResult& one : result.results) {
    result.verdict = engine::worst(result.verdict, one.verdict);
    result.internal_error |= one.internal_error;
  }
  result.interrupted = control.interrupted.load();
  result.time_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return result;
}

}  // namespace concord::check
