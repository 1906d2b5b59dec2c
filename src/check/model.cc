#include "check/model.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

#include "engine/shape/model.h"

namespace concord::check {

CheckResult check_model(const base::SourceMap& sources, const engine::shape::System& system,
                        const std::vector<engine::shape::Given>& given, engine::shape::Join join, EngineChoice choice,
                        bool keeps_evidence, engine::Control& control) {
  const auto start = std::chrono::steady_clock::now();
  CheckResult out;
  out.engine = "shape";
  out.why = {"shape, since this is a model of TVLA's"};
  if (choice != EngineChoice::kAuto && choice != EngineChoice::kShape) {
    out.engine = name(choice);
    out.nothing_checked =
        fmt::format("the {} engine has no answer for a model of TVLA's; --engine shape has", name(choice));
    return out;
  }
  engine::EngineResult answer = engine::shape::check_model(sources, system, given, join, keeps_evidence, control);
  out.results = std::move(answer.results);
  out.assumptions = std::move(answer.assumptions);
  out.configurations = std::move(answer.configurations);
  out.statistics = std::move(answer.statistics);
  out.verdict = out.results.empty() ? engine::Verdict::kUnknown : engine::Verdict::kVerified;
  if (out.results.empty()) out.nothing_checked = "nothing to check: the model has no message";
  for (const engine::PropertyResult& it : out.results) out.verdict = engine::worst(out.verdict, it.verdict);
  out.interrupted = control.was_interrupted();
  out.time_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return out;
}

}  // namespace concord::check
