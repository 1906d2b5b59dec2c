#include "report/values.h"

#include <cmath>

#include "diag/kinds.h"
#include "report/interleaving.h"
#include "report/wording.h"

namespace concord::report {

double milliseconds(double time) { return std::round(time * 1000.0) / 1000.0; }

Json location(const base::SourceMap& sources, base::SourceRange range) {
  const base::Position at = sources.position(range);
  return {{"file", sources.file(range.file).path()}, {"line", at.line}, {"column", at.column}};
}

std::string dump(const Json& json, int indent) { return json.dump(indent, ' ', false, Json::error_handler_t::replace); }

namespace {

// What the initial state chose and who waits at the end have no step of their own: they are told as related messages.
Json related(const base::SourceMap& sources, const engine::PropertyResult& result) {
  Json all = Json::array();
  for (const engine::Related& one : result.related) {
    all.push_back({{"message", one.message}, {"location", location(sources, one.location)}});
  }
  if (!result.trace.initial.empty()) {
    all.push_back({{"message", "initially " + to_text(result.trace.initial)},
                   {"location", location(sources, result.property.claim)}});
  }
  for (const std::string& line : to_text(result.trace.ending)) {
    all.push_back({{"message", line}, {"location", location(sources, result.location)}});
  }
  return all;
}

Json trace(const base::SourceMap& sources, const engine::Trace& trace) {
  Json all = Json::array();
  for (const engine::TraceStep& step : trace.steps) {
    Json changes = Json::object();
    for (const auto& [name, value] : step.changes) changes[name] = value;
    all.push_back({{"thread", step.thread},
                   {"location", location(sources, step.location)},
                   {"text", step.note.empty() ? step.text : step.text + "  // " + step.note},
                   {"changes", changes}});
  }
  return all;
}

Json property(const base::SourceMap& sources, const engine::PropertyResult& result) {
  Json out = {{"id", result.property.id},
              {"kind", diag::name(result.property.kind)},
              {"engine", result.engine},
              {"verdict", engine::name(result.verdict)},
              {"message", message(result)},
              {"location", location(sources, result.location)},
              {"related", related(sources, result)},
              {"trace", trace(sources, result.trace)},
              {"time_ms", milliseconds(result.time_ms)}};
  if (!result.depends_on.empty()) out["depends_on"] = result.depends_on;
  if (!result.uses.empty()) out["uses"] = result.uses;
  return out;
}

}  // namespace

Json report(const base::SourceMap& sources, const check::CheckResult& result, std::string_view version) {
  Json not_checked = Json::array();
  for (const diag::Kind kind : result.not_checked) not_checked.push_back(diag::name(kind));
  Json assumptions = result.assumptions;
  for (const std::string& one : result.left_unchecked) assumptions.push_back(one);
  Json properties = Json::array();
  for (const engine::PropertyResult& one : result.results) properties.push_back(property(sources, one));
  Json parts = Json::array();
  for (const engine::Part& one : result.parts) {
    parts.push_back(
        {{"name", one.name}, {"location", location(sources, one.at)}, {"time_ms", milliseconds(one.time_ms)}});
  }
  Json statistics = {{"time_ms", milliseconds(result.time_ms)}, {"obligations", 0}, {"states", 0}};
  for (const auto& [name, value] : result.statistics) statistics[name] = value;

  Json out = {{"concord", version},
              {"verdict", engine::name(result.verdict)},
              {"interrupted", result.interrupted},
              {"assumptions", assumptions},
              {"notes", result.notes},
              {"inferred", result.inferred},
              {"not_checked", not_checked},
              {"properties", properties},
              {"parts", parts},
              {"statistics", statistics}};
  if (!result.patch.empty()) out["patch"] = result.patch;
  if (!result.superfluous.empty()) out["superfluous"] = result.superfluous;
  return out;
}

}  // namespace concord::report
