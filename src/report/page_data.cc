#include "report/page_data.h"

#include <algorithm>
#include <set>

#include "diag/kinds.h"
#include "report/wording.h"

namespace concord::report {

namespace {

// Parts of the data, by what they describe.
class PageData {
 public:
  explicit PageData(const base::SourceMap& sources) : sources_(sources) {}

  // [file, line, column, line after, column after], in characters from 1.
  Json range(base::SourceRange range) const {
    const base::SourceFile& file = sources_.file(range.file);
    const base::Position begin = file.position(range.begin);
    const base::Position end = file.position(std::max(range.begin, range.end));
    return {range.file, begin.line, begin.column, end.line, end.column};
  }

  Json files() const {
    Json out = Json::array();
    for (std::uint32_t i = 0; i < sources_.file_count(); ++i)
      out.push_back({{"path", sources_.file(i).path()}, {"text", sources_.file(i).text()}});
    return out;
  }

  Json finding(const engine::PropertyResult& it) const {
    Json related = Json::array();
    for (const engine::Related& one : it.related)
      related.push_back({{"message", one.message}, {"at", range(one.location)}});
    return {{"id", it.property.id},
            {"kind", diag::name(it.property.kind)},
            {"verdict", engine::name(it.verdict)},
            {"engine", it.engine},
            {"message", message(it)},
            {"dependsOn", it.depends_on},
            {"waiver", it.waiver},
            {"text", it.property.text},
            {"claim", range(it.property.claim)},
            {"at", range(it.location)},
            {"related", related},
            {"trace", trace(it.trace)},
            {"counterexample", {{"before", it.counterexample.before}, {"after", it.counterexample.after}}},
            {"ms", milliseconds(it.time_ms)}};
  }

  Json question(const engine::Question& it) const {
    constexpr const char* kNames[] = {"proved", "failed", "unknown"};
    return {{"part", it.part},
            {"properties", it.properties},
            {"at", range(it.at)},
            {"mayFail", it.may_fail},
            {"status", kNames[static_cast<int>(it.status)]},
            {"solver", it.solver},
            {"core", it.core},
            {"ms", milliseconds(it.time_ms)}};
  }

  Json machine(const engine::StateMachine& it) const {
    Json nodes = Json::array();
    for (const auto& node : it.nodes) {
      nodes.push_back(
          {{"name", node.name}, {"assertion", node.assertion}, {"isInitial", node.is_initial}, {"at", range(node.at)}});
    }
    Json edges = Json::array();
    for (const auto& edge : it.edges)
      edges.push_back({{"from", edge.from}, {"to", edge.to}, {"text", edge.text}, {"at", range(edge.at)}});
    return {{"name", it.name}, {"nodes", nodes}, {"edges", edges}};
  }

 private:
  static Json situation(const engine::Situation& it) {
    Json heap = Json::array();
    for (const auto& object : it.heap) heap.push_back({{"name", object.name}, {"fields", object.fields}});
    Json locals = Json::array();
    for (const auto& local : it.locals)
      locals.push_back({{"thread", local.thread}, {"procedure", local.procedure}, {"values", local.values}});
    Json followers = Json::array();
    for (const auto& one : it.followers)
      followers.push_back({{"thread", one.thread}, {"machine", one.machine}, {"nodes", one.nodes}});
    return {{"shared", it.shared}, {"heap", heap}, {"locals", locals}, {"held", it.held}, {"followers", followers}};
  }

  Json trace(const engine::Trace& it) const {
    Json steps = Json::array();
    for (const engine::TraceStep& step : it.steps) {
      steps.push_back({{"thread", step.thread},
                       {"at", range(step.location)},
                       {"text", step.text},
                       {"changes", step.changes},
                       {"note", step.note},
                       {"preempted", step.preempted},
                       {"after", situation(step.after)},
                       {"drawing", step.drawing},
                       {"lost", step.lost}});
    }
    Json ending = Json::array();
    for (const engine::StuckThread& one : it.ending) {
      ending.push_back(
          {{"thread", one.thread}, {"text", one.text}, {"detail", one.detail}, {"at", range(one.location)}});
    }
    return {{"initial", it.initial}, {"threads", it.threads}, {"before", situation(it.before)},
            {"drawing", it.drawing}, {"steps", steps},        {"ending", ending}};
  }

  const base::SourceMap& sources_;
};

Json kinds(const check::CheckResult& result) {
  std::set<diag::Kind> used;
  for (const auto* list : {&result.results, &result.waived}) {
    for (const engine::PropertyResult& it : *list) used.insert(it.property.kind);
  }
  Json out = Json::object();
  for (const diag::Kind it : used) {
    const diag::KindPage& page = diag::page(it);
    out[std::string(page.name)] = {
        {"holds", page.holds},     {"mayFail", page.may_fail}, {"explanation", page.explanation},
        {"example", page.example}, {"fixed", page.fixed},      {"fix", page.fix}};
  }
  return out;
}

template <class List, class Describe>
Json each(const List& list, Describe describe) {
  Json out = Json::array();
  for (const auto& it : list) out.push_back(describe(it));
  return out;
}

}  // namespace

Json page_data(const base::SourceMap& sources, const check::CheckResult& result, std::string_view version,
               const std::vector<std::string>& arguments) {
  const PageData data(sources);
  const auto finding = [&](const engine::PropertyResult& it) { return data.finding(it); };
  const auto part = [&](const engine::Part& it) -> Json {
    return {{"name", it.name}, {"at", data.range(it.at)}, {"ms", milliseconds(it.time_ms)}};
  };
  const auto drawing = [](const engine::Drawing& it) -> Json { return {{"title", it.title}, {"dot", it.dot}}; };
  Json assumptions = result.assumptions;
  for (const std::string& it : result.left_unchecked) assumptions.push_back(it);
  return {{"version", version},
          {"arguments", arguments},
          {"verdict", engine::name(result.verdict)},
          {"nothingChecked", result.nothing_checked},
          {"interrupted", result.interrupted},
          {"engine", result.engine},
          {"why", result.why},
          {"remembered", result.is_remembered},
          {"ms", milliseconds(result.time_ms)},
          {"statistics", result.statistics},
          {"assumptions", assumptions},
          {"notes", result.notes},
          {"inferred", result.inferred},
          {"patch", result.patch},
          {"notChecked", each(result.not_checked, [](diag::Kind it) { return diag::name(it); })},
          {"files", data.files()},
          {"findings", each(result.results, finding)},
          {"waived", each(result.waived, finding)},
          {"parts", each(result.parts, part)},
          {"questions", each(result.questions, [&](const auto& it) { return data.question(it); })},
          {"proof", result.proof},
          {"machines", each(result.machines, [&](const auto& it) { return data.machine(it); })},
          {"configurations", each(result.configurations, drawing)},
          {"kinds", kinds(result)}};
}

}  // namespace concord::report
