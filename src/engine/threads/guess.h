// What may be true of the abstract threads whenever they run together: whatever was true in a small number of states that
// some few of them came to. A guess is worth nothing until it is proved.
#pragma once

#include <memory>

#include "engine/engine.h"
#include "simulation/counted.h"

namespace concord::engine::threads {

class Samples {
 public:
  // Of a program each of whose threads has an abstract thread.
  Samples(const plato::Program& program, const Settings& settings, Control& control);
  ~Samples();
  Samples(const Samples&) = delete;
  Samples& operator=(const Samples&) = delete;
  // Points into the program and into this.
  simulation::Guesses guess() const;

 private:
  class Sampler;
  std::unique_ptr<Sampler> sampler_;
};

}  // namespace concord::engine::threads
