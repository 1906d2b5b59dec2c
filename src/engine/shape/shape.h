// The shape engine: a program's threads, locks and heap as 3-valued structures, for any number of threads and objects.
//
// What it finds no configuration against is verified. What may go wrong in some configuration is unproved: that configuration may
// stand for no real one.
#pragma once

#include <string>

#include "engine/engine.h"
#include "engine/shape/system.h"

namespace concord::engine::shape {

class Shape : public Engine {
 public:
  // Where all threads together are too much to be looked at, each is looked at by itself; on request only that is done.
  enum class Look { kAsNeeded, kEachThread };
  explicit Shape(Look look = Look::kAsNeeded, Defect defect = Defect::kNone) : look_(look), defect_(defect) {}

  std::string name() const override { return "shape"; }
  EngineResult run(const Task& task, Control& control) override;

  // The engine judges properties of this kind.
  static bool decides(const Property& property);

 private:
  Look look_;
  const Defect defect_;
};

}  // namespace concord::engine::shape
