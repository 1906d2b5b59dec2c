// What comes of one view: by its thread, and by another one.
#pragma once

#include <vector>

#include "engine/shape/source/expansion.h"
#include "engine/shape/source/view_search.h"

namespace concord::engine::shape::source {

class ViewExpansion : public Expansion {
 public:
  explicit ViewExpansion(const ViewSearch& search) : Expansion(search), search_(search) {}

  void begin(const Task& task) override;
  // Another thread, which this is about, takes its step.
  void interfere(int state, const ViewSearch::Pattern& pattern);
  bool has_too_many_choices() const { return has_too_many_choices_; }

 private:
  bool is_own(const Structure& structure, int move) const override;
  bool go_on_elsewhere(const Structure&, const Way&) override { return false; }
  void keep(Structure structure, const Way& way) override;
  void settle(Structure& structure) const override;
  void step(const Structure& pair, int label, bool has_changed, const Way& way);
  int thread_alone(const Structure& structure) const;

  const ViewSearch& search_;
  std::vector<Kept> alone_;  // while one thread runs before all others
  std::vector<Structure> were_alone_;
  bool has_too_many_choices_ = false;
};

}  // namespace concord::engine::shape::source
