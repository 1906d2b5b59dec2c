#include "engine/threads/composition.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "explore/explorer.h"
#include "plato/abstract_program.h"

namespace concord::engine::threads {

bool Composition::is_verified() const {
  return trouble.empty() && std::all_of(results.begin(), results.end(),
                                        [](const auto& it) { return it.second.verdict == Verdict::kVerified; });
}

namespace {

// A run of abstract threads as the user wrote them: each step an edge, or an assertion.
void in_users_words(const base::SourceMap& sources, const plato::Program& program, Trace& trace) {
  for (TraceStep& step : trace.steps) {
    step.text = std::string(sources.text(step.location));
    for (auto& [location, value] : step.changes) {
      for (const plato::AbstractThread& machine : program.abstract_threads) {
        const bool is_node = value.starts_with(machine.name + "_");
        const std::string name = is_node ? value.substr(machine.name.size() + 1) : "";
        if (std::any_of(machine.nodes.begin(), machine.nodes.end(), [&](const auto& it) { return it.name == name; }))
          value = name;
      }
    }
  }
}

}  // namespace

Composition explore_composition(const plato::Program& program, const Task& task, Control& control) {
  Composition out;
  const plato::AbstractProgram abstract = plato::abstract_program(program);
  if (!abstract.trouble.empty()) {
    out.trouble = fmt::format("not supported at {}: {}", task.sources->place(abstract.at), abstract.trouble);
    return out;
  }
  Task composed{task.sources, &abstract.program, collect_properties(*task.sources, abstract.program, {}),
                task.settings};
  std::erase_if(composed.properties, [](const Property& it) { return it.kind == diag::Kind::kDeadlock; });
  composed.settings.only.clear();
  explore::Explorer explorer;
  EngineResult answer = explorer.run(composed, control);
  for (PropertyResult& it : answer.results) in_users_words(*task.sources, program, it.trace);
  for (PropertyResult& it : answer.results) out.results.emplace(it.property.id, std::move(it));
  out.assumptions = std::move(answer.assumptions);
  out.statistics = std::move(answer.statistics);
  return out;
}

}  // namespace concord::engine::threads
