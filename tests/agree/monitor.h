// Watches a run against the specification: what each step, and each state, says about the clauses.
#pragma once

#include "base/source.h"
#include "step.h"

namespace concord::agree {

class Monitor {
 public:
  Monitor(const base::SourceMap& sources, const Program& program, Stepper& stepper)
      : sources_(sources), program_(program), stepper_(stepper), concerned_(concerned_modules(program)) {}

  // The run starts in `state`.
  Findings start(State& state) const;
  // `thread` performed `step`: adds to its findings and advances what is remembered in step.after.
  void observe(const State& before, std::size_t thread, Step& step) const;

 private:
  void watch_new_thread(std::size_t thread, State& state, Findings& findings) const;
  void watch_invariants(const Store& store, Findings& findings) const;
  void watch_environment(const State& before, std::size_t thread, Step& step) const;
  void watch_variable(const plato::Variable& variable, const Location& at, std::int64_t self, const State& before,
                      std::size_t thread, Step& step) const;
  void watch_guarantees(const State& before, std::size_t thread, Step& step) const;
  void watch_abstractions(const State& before, std::size_t thread, Step& step) const;
  const plato::Abstracted& claim_about(const State& state, std::size_t thread) const;
  void watch_machine(const State& before, std::size_t thread, Step& step) const;
  void watch_nodes(State& state, Findings& findings) const;

  std::vector<std::int64_t> objects(int class_index, const Store& store) const;
  void breach(Step& step, diag::Kind kind, base::SourceRange range) const {
    step.findings.insert(stepper_.id(kind, range));
  }

  const base::SourceMap& sources_;
  const Program& program_;
  Stepper& stepper_;
  const std::vector<bool> concerned_;
};

}  // namespace concord::agree
