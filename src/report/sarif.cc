#include "report/sarif.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <sstream>

#include "diag/kinds.h"
#include "report/interleaving.h"
#include "report/values.h"
#include "report/wording.h"

namespace concord::report {

using engine::PropertyResult;
using engine::TraceStep;
using engine::Verdict;

namespace {

// A path as a reference in the sense of RFC 3986.
std::string uri(const std::string& path) {
  constexpr std::string_view kPlain = "-._~/!$&'()*+,;=@";
  std::string out = path.starts_with('/') ? "file://" : "";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    out += is_letter || kPlain.find(c) != std::string_view::npos ? std::string(1, c) : fmt::format("%{:02X}", byte);
  }
  return out;
}

Json text(std::string_view words) { return {{"text", words}}; }

const char* language(const std::string& path) {
  const std::string suffix = std::filesystem::path(path).extension().string();
  return suffix == ".java" ? "java" : suffix == ".plato" ? "plato" : "tvla";
}

Json rule(const diag::KindPage& page) {
  return {{"id", page.name},
          {"shortDescription", text(page.may_fail)},
          {"fullDescription", text(fmt::format("What is checked: {}.", page.holds))},
          {"help", {{"text", fmt::format("{}\n\n{}", page.explanation, page.fix)}, {"markdown", diag::markdown(page)}}},
          {"defaultConfiguration", {{"level", "error"}}}};
}

class Log {
 public:
  explicit Log(const base::SourceMap& sources) : sources_(sources) {}

  std::string write(const Invocation& invocation, bool is_successful, Json results, Json properties) const {
    Json invoked = {{"executionSuccessful", is_successful},
                    {"exitCode", invocation.status},
                    {"arguments", invocation.arguments},
                    {"toolExecutionNotifications", notifications_}};
    Json rules = Json::array();
    for (const diag::Kind it : rules_) rules.push_back(rule(diag::page(it)));
    const Json driver = {{"name", "Concord"}, {"semanticVersion", invocation.version}, {"rules", rules}};
    Json run = {{"tool", {{"driver", driver}}},
                {"invocations", Json::array({invoked})},
                {"artifacts", artifacts()},
                {"columnKind", "unicodeCodePoints"},
                {"results", std::move(results)}};
    if (!properties.empty()) run["properties"] = std::move(properties);
    const Json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({run})}};
    return dump(log, 2) + "\n";
  }

  void notify(const char* level, const std::string& message, Json locations = Json::array()) {
    Json out = {{"level", level}, {"message", text(message)}};
    if (!locations.empty()) out["locations"] = std::move(locations);
    notifications_.push_back(std::move(out));
  }

  Json result(const PropertyResult& it) {
    Json out = {{"ruleId", diag::name(it.property.kind)}, {"ruleIndex", rule_of(it.property.kind)}};
    out.update(judgement(it));
    out["message"] = text(message(it));
    out["locations"] = Json::array({place(it.location)});
    if (Json related = related_places(it); !related.empty()) out["relatedLocations"] = std::move(related);
    if (!it.trace.steps.empty()) out["codeFlows"] = Json::array({code_flow(it)});
    if (!it.waiver.empty()) {
      out["suppressions"] = Json::array({{{"kind", "inSource"}, {"status", "accepted"}, {"justification", it.waiver}}});
    }
    Json more = {{"id", it.property.id}, {"verdict", engine::name(it.verdict)}, {"engine", it.engine}};
    if (!it.depends_on.empty()) more["depends_on"] = it.depends_on;
    out["properties"] = std::move(more);
    return out;
  }

  Json place(base::SourceRange range) const {
    const base::SourceFile& file = sources_.file(range.file);
    const base::Position begin = file.position(range.begin);
    const base::Position end = file.position(std::max(range.begin, range.end));
    return {{"physicalLocation",
             {{"artifactLocation", {{"uri", uri(file.path())}, {"index", range.file}}},
              {"region",
               {{"startLine", begin.line},
                {"startColumn", begin.column},
                {"endLine", end.line},
                {"endColumn", end.column}}}}}};
  }

 private:
  // Its number among those that are used.
  std::ptrdiff_t rule_of(diag::Kind kind) {
    const auto found = std::find(rules_.begin(), rules_.end(), kind);
    if (found != rules_.end()) return found - rules_.begin();
    rules_.push_back(kind);
    return std::ssize(rules_) - 1;
  }

  Json artifacts() const {
    Json out = Json::array();
    for (std::uint32_t file = 0; file < sources_.file_count(); ++file) {
      const std::string& path = sources_.file(file).path();
      out.push_back({{"location", {{"uri", uri(path)}}}, {"sourceLanguage", language(path)}});
    }
    return out;
  }

  static Json judgement(const PropertyResult& it) {
    switch (it.verdict) {
      case Verdict::kVerified: return {{"kind", "pass"}, {"level", "none"}};
      case Verdict::kUnknown: return {{"kind", "open"}, {"level", "none"}};
      case Verdict::kUnproved: return {{"kind", "fail"}, {"level", it.depends_on.empty() ? "warning" : "note"}};
      case Verdict::kViolated: break;
    }
    return {{"kind", "fail"}, {"level", "error"}};
  }

  Json related_places(const PropertyResult& it) const {
    Json out = Json::array();
    const auto add = [&](base::SourceRange range, const std::string& message) {
      Json one = place(range);
      one["id"] = out.size();
      one["message"] = text(message);
      out.push_back(std::move(one));
    };
    const auto is_claim = [&](const engine::Related& related) { return related.location == it.property.claim; };
    if (!(it.location == it.property.claim) && std::none_of(it.related.begin(), it.related.end(), is_claim))
      add(it.property.claim, "the claim");
    for (const engine::Related& one : it.related) add(one.location, one.message);
    for (const engine::StuckThread& one : it.trace.ending) add(one.location, to_text({one}).front());
    return out;
  }

  static Json values(const engine::Changes& changes) {
    Json out = Json::object();
    for (const auto& [name, value] : changes) out[name] = text(value);
    return out;
  }

  Json step(const TraceStep& it, std::size_t number, bool is_last) const {
    Json where = place(it.location);
    where["message"] = text(it.note.empty() ? it.text : it.text + "  // " + it.note);
    Json out = {{"location", std::move(where)},
                {"executionOrder", number},
                {"importance", is_last ? "essential" : "important"}};
    if (!it.changes.empty()) out["state"] = values(it.changes);
    return out;
  }

  Json code_flow(const PropertyResult& it) const {
    const std::vector<TraceStep>& steps = it.trace.steps;
    std::vector<std::string> threads = it.trace.threads;
    std::map<std::string, Json> flows;
    for (std::size_t i = 0; i < steps.size(); ++i) {
      if (std::find(threads.begin(), threads.end(), steps[i].thread) == threads.end())
        threads.push_back(steps[i].thread);
      Json& flow = flows[steps[i].thread];
      flow.push_back(step(steps[i], i + 1, i + 1 == steps.size()));
    }
    Json out = Json::array();
    for (const std::string& thread : threads) {
      if (!flows.contains(thread)) continue;  // it takes no step
      Json flow = {{"id", thread}, {"message", text(thread)}};
      if (!it.trace.initial.empty()) flow["initialState"] = values(it.trace.initial);
      flow["locations"] = std::move(flows[thread]);
      out.push_back(std::move(flow));
    }
    const char* what = it.verdict == Verdict::kViolated ? "a run that breaks it" : "how it may come to that";
    return {{"message", text(what)}, {"threadFlows", std::move(out)}};
  }

  const base::SourceMap& sources_;
  std::vector<diag::Kind> rules_;
  Json notifications_ = Json::array();
};

Json properties(const check::CheckResult& result) {
  Json not_checked = Json::array();
  for (const diag::Kind kind : result.not_checked) not_checked.push_back(diag::name(kind));
  std::vector<std::string> assumptions = result.assumptions;
  assumptions.insert(assumptions.end(), result.left_unchecked.begin(), result.left_unchecked.end());
  Json statistics = {{"time_ms", milliseconds(result.time_ms)}};
  for (const auto& [name, value] : result.statistics) statistics[name] = value;
  return {{"verdict", engine::name(result.verdict)},
          {"engine", result.engine},
          {"assumptions", assumptions},
          {"not_checked", not_checked},
          {"statistics", statistics}};
}

}  // namespace

std::string sarif(const base::SourceMap& sources, const check::CheckResult& result, const Invocation& invocation,
                  bool verbose) {
  Log log(sources);
  Json results = Json::array();
  for (const PropertyResult& it : result.results) {
    if (it.verdict != Verdict::kVerified || verbose) results.push_back(log.result(it));
    if (it.internal_error) log.notify("error", it.reason, Json::array({log.place(it.location)}));
  }
  for (const PropertyResult& it : result.waived) results.push_back(log.result(it));
  if (!result.nothing_checked.empty()) log.notify("warning", result.nothing_checked);
  if (result.interrupted) log.notify("warning", "interrupted; the verdicts are those reached so far");
  for (const std::string& it : result.notes) log.notify("note", it);
  const bool is_successful = !result.interrupted && !result.internal_error;
  return log.write(invocation, is_successful, std::move(results), properties(result));
}

std::string sarif(const base::SourceMap& sources, const std::vector<diag::Diagnostic>& diagnostics,
                  const std::string& errors, const Invocation& invocation) {
  Log log(sources);
  for (const diag::Diagnostic& it : diagnostics) {
    log.notify("error", it.hint.empty() ? it.message : it.message + "; " + it.hint, Json::array({log.place(it.range)}));
  }
  std::istringstream lines(diagnostics.empty() ? errors : "");
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty()) log.notify("error", line);
  }
  return log.write(invocation, false, Json::array(), Json::object());
}

}  // namespace concord::report
