#include "judge.h"

#include <exception>

#include "embedding.h"
#include "engine/modular/modular.h"
#include "engine/shape/shape.h"
#include "engine/threads/threads.h"
#include "explore/explorer.h"
#include "explore/referee.h"
#include "interpreter.h"

namespace concord::agree {

namespace {

using engine::Verdict;

// On request, and cheap enough to be asked always.
const std::set<diag::Kind> kRequested = {diag::Kind::kDeadlock, diag::Kind::kCyclicDeadlock, diag::Kind::kNestedMonitor,
                                         diag::Kind::kIgnoredNotify};
const std::set<diag::Kind> kRequestedOfExplorers = {diag::Kind::kDeadlock, diag::Kind::kCyclicDeadlock,
                                                    diag::Kind::kNestedMonitor, diag::Kind::kIgnoredNotify,
                                                    diag::Kind::kRace};

class InterpreterJudge final : public Judge {
 public:
  std::string name() const override { return "interpreter"; }
  bool is_exact() const override { return true; }

  Judgement run(const Loaded& loaded) override {
    const Answer answer = interpret(loaded.sources, loaded.program, Limits{});
    Judgement judgement;
    judgement.complete = answer.complete;
    judgement.why_incomplete = answer.why_incomplete;
    judgement.states = answer.states;
    judgement.final_stores = answer.final_stores.size();
    for (const engine::Property& it : engine::collect_properties(loaded.sources, loaded.program, kRequested)) {
      if (it.kind == diag::Kind::kRace) continue;  // not watched
      const bool violated = answer.violated.contains(it.id);
      judgement.verdicts[it.id] = violated          ? Verdict::kViolated
                                  : answer.complete ? Verdict::kVerified
                                                    : Verdict::kUnknown;
    }
    for (const std::string& id : answer.violated) {
      if (!judgement.verdicts.contains(id)) judgement.error += id + " is violated and in no list of properties\n";
    }
    return judgement;
  }
};

class EngineJudge final : public Judge {
 public:
  EngineJudge(std::string name, std::unique_ptr<engine::Engine> engine, bool is_exact,
              std::set<diag::Kind> requested = kRequested, engine::Reductions reductions = {})
      : name_(std::move(name)),
        engine_(std::move(engine)),
        is_exact_(is_exact),
        requested_(std::move(requested)),
        reductions_(reductions) {}
  std::string name() const override { return name_; }
  bool is_exact() const override { return is_exact_; }

  Judgement run(const Loaded& loaded) override {
    engine::Task task;
    task.sources = &loaded.sources;
    task.program = &loaded.program;
    task.properties = engine::collect_properties(loaded.sources, loaded.program, requested_);
    task.settings.reductions = reductions_;
    task.settings.solver_timeout = std::chrono::milliseconds(300);
    engine::Control control;
    control.timeout = std::chrono::seconds(20);
    Judgement judgement;
    try {
      const engine::EngineResult result = engine_->run(task, control);
      judgement.complete = true;
      for (const engine::PropertyResult& it : result.results) {
        if (it.property.kind == diag::Kind::kVacuity) continue;
        judgement.verdicts[it.property.id] = it.verdict;
        // Code that nobody runs says nothing about how complete the search was.
        if (it.verdict == Verdict::kUnknown && !it.reason.starts_with("no thread runs")) {
          judgement.complete = false;
          judgement.why_incomplete = it.reason;
        }
        if (it.internal_error) judgement.error += it.property.id + ": internal error: " + it.reason + "\n";
      }
      if (result.results.size() < task.properties.size()) judgement.error += "a property without a result\n";
      if (const auto found = result.statistics.find("states"); found != result.statistics.end()) {
        judgement.states = static_cast<std::size_t>(found->second);
      }
      if (const auto found = result.statistics.find("final_stores"); found != result.statistics.end()) {
        judgement.final_stores = static_cast<std::size_t>(found->second);
      }
    } catch (const std::exception& error) { judgement.error = error.what(); }
    return judgement;
  }

 private:
  const std::string name_;
  std::unique_ptr<engine::Engine> engine_;
  const bool is_exact_;
  const std::set<diag::Kind> requested_;
  const engine::Reductions reductions_;
};

}  // namespace

std::unique_ptr<Judge> make_interpreter_judge() { return std::make_unique<InterpreterJudge>(); }

std::unique_ptr<Judge> make_engine_judge(std::unique_ptr<engine::Engine> engine, bool is_exact) {
  std::string name = engine->name();
  return std::make_unique<EngineJudge>(std::move(name), std::move(engine), is_exact);
}

std::unique_ptr<Judge> make_referee_judge() {
  return std::make_unique<EngineJudge>("referee", std::make_unique<explore::Referee>(), true, kRequestedOfExplorers);
}

std::vector<std::unique_ptr<Judge>> make_explorer_judges() {
  const std::vector<std::pair<std::string, engine::Reductions>> all = {
      {"explorer", {}},
      {"explorer, no reductions", {false, false, false, false}},
      {"explorer, symmetry", {true, false, false, false}},
      {"explorer, locals", {false, true, false, false}},
      {"explorer, steps", {false, false, true, false}},
      {"explorer, order", {false, false, false, true}}};
  std::vector<std::unique_ptr<Judge>> judges;
  for (const auto& [name, reductions] : all) {
    judges.push_back(std::make_unique<EngineJudge>(name, std::make_unique<explore::Explorer>(), true,
                                                   kRequestedOfExplorers, reductions));
  }
  return judges;
}

std::vector<std::unique_ptr<Judge>> make_judges() {
  std::vector<std::unique_ptr<Judge>> judges;
  judges.push_back(make_engine_judge(std::make_unique<explore::Referee>(), true));
  judges.push_back(make_engine_judge(std::make_unique<engine::modular::Modular>(), false));
  judges.push_back(make_engine_judge(std::make_unique<engine::threads::Threads>(), false));
  return judges;
}

std::vector<std::unique_ptr<Judge>> make_threads_judges() {
  std::vector<std::unique_ptr<Judge>> judges;
  judges.push_back(make_engine_judge(std::make_unique<engine::threads::Threads>(), false));
  return judges;
}

std::vector<std::unique_ptr<Judge>> make_shape_judges() {
  std::vector<std::unique_ptr<Judge>> judges;
  judges.push_back(
      std::make_unique<EngineJudge>("shape", std::make_unique<engine::shape::Shape>(), false, kRequestedOfExplorers));
  judges.push_back(std::make_unique<EngineJudge>(
      "views", std::make_unique<engine::shape::Shape>(engine::shape::Shape::Look::kEachThread), false,
      kRequestedOfExplorers));
  judges.push_back(make_embedding_judge());
  return judges;
}

std::string difference(const Judgement& truth, const Judgement& judgement) {
  std::string text = truth.error + judgement.error;
  for (const auto& [id, verdict] : truth.verdicts) {
    const auto found = judgement.verdicts.find(id);
    if (found != judgement.verdicts.end() && found->second == verdict) continue;
    const std::string other = found == judgement.verdicts.end() ? "not mentioned" : std::string(name(found->second));
    text += id + ": " + other + ", but " + std::string(name(verdict)) + "\n";
  }
  for (const auto& [id, verdict] : judgement.verdicts) {
    if (!truth.verdicts.contains(id)) text += id + ": " + std::string(name(verdict)) + ", but not mentioned\n";
  }
  if (truth.final_stores != judgement.final_stores) {
    text += std::to_string(judgement.final_stores.value_or(0)) + " final stores, but " +
            std::to_string(truth.final_stores.value_or(0)) + "\n";
  }
  return text;
}

std::string contradiction(const Judgement& truth, const Judgement& judgement, bool is_exact) {
  if (!truth.error.empty() || !judgement.error.empty()) return truth.error + judgement.error;
  std::string text;
  for (const auto& [id, verdict] : judgement.verdicts) {
    const auto found = truth.verdicts.find(id);
    if (found == truth.verdicts.end()) continue;
    const bool refuted = found->second == Verdict::kViolated;
    const bool too_good = refuted && verdict == Verdict::kVerified;
    const bool too_bad = found->second == Verdict::kVerified && verdict == Verdict::kViolated;
    const bool missed = is_exact && judgement.complete && truth.complete && refuted && verdict != Verdict::kViolated;
    if (too_good || too_bad || missed) {
      text += id + ": " + std::string(name(verdict)) + ", but " + std::string(name(found->second)) + "\n";
    }
  }
  return text;
}

}  // namespace concord::agree
