// Whoever has an opinion about a program: the second interpreter, the referee, the engines.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "program.h"

namespace concord::agree {

struct Judgement {
  std::map<std::string, engine::Verdict> verdicts;  // by property id
  bool complete = false;                            // no `unknown` among them
  std::string why_incomplete;
  std::size_t states = 0;
  std::optional<std::size_t> final_stores;  // how many, if it knows
  std::string error;                        // it broke down
};

class Judge {
 public:
  virtual ~Judge() = default;
  virtual std::string name() const = 0;
  // Decides whatever it completes: what it does not refute holds.
  virtual bool is_exact() const = 0;
  virtual Judgement run(const Loaded& program) = 0;
};

std::unique_ptr<Judge> make_interpreter_judge();
std::unique_ptr<Judge> make_engine_judge(std::unique_ptr<engine::Engine> engine, bool is_exact);
// The judges to compare with the interpreter; a new engine is added here.
std::vector<std::unique_ptr<Judge>> make_judges();
// The engine for abstract threads alone.
std::vector<std::unique_ptr<Judge>> make_threads_judges();
std::vector<std::unique_ptr<Judge>> make_shape_judges();

// The referee, and the explorer with all reductions, with each alone and with none: they must say the same of everything.
std::unique_ptr<Judge> make_referee_judge();
std::vector<std::unique_ptr<Judge>> make_explorer_judges();

// What two say that is not the same; empty if nothing is.
std::string difference(const Judgement& truth, const Judgement& judgement);
// What `judge` says that contradicts what `truth` says; empty if nothing does.
std::string contradiction(const Judgement& truth, const Judgement& judgement, bool is_exact);

}  // namespace concord::agree
