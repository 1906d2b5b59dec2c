// All views that the threads of a program come to (views.h), each thread by itself.
//
// A view goes on by the steps of its own thread, and by those of another: of any thread whose view may be one of the same configuration
// (pairing.h). What another thread is about to do is a pattern: its view with nothing but what that step looks at, so that there are few.
// Every pattern meets every view. Races are looked at in pairs too; what speaks of more threads at once is not decided here.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/shape/source/expansion.h"
#include "engine/shape/source/pairing.h"
#include "engine/shape/source/search.h"
#include "engine/shape/source/views.h"

namespace concord::engine::shape::source {

class ViewSearch : public Search {
 public:
  // Of a program that is lowered by views.
  ViewSearch(const Lowered& lowered, const Task& task, std::size_t most);

 private:
  friend class ViewExpansion;
  struct Pattern {
    View view;
    int label = -1;
    bool changes = false;    // something that others may know
    bool is_current = true;  // not joined with another since
  };
  // The step that begins at a label, over labels inside it.
  struct Block {
    std::vector<int> edges;
    std::set<LocalName> looked_at;
    bool changes = false;      // something that other threads may know
    std::set<int> races_with;  // labels
  };

  void begin(const Task& task) override;
  std::uint64_t expand(const std::vector<int>& states, std::size_t jobs) override;
  bool is_race(const Message& message) const {
    return message.property >= 0 && message.property < std::ssize(is_race_) &&
           is_race_[static_cast<std::size_t>(message.property)];
  }
  Block block_of(int label) const;
  bool may_change(const Structure& moving, int label) const;
  void add_pattern(int state);

  const Views views_;
  const Pairing pairing_;
  std::vector<bool> is_race_;               // by property of the task
  std::vector<bool> changes_;               // by edge: something that others may know
  std::vector<Block> blocks_;               // by label
  std::vector<std::optional<View>> ready_;  // by state
  std::vector<int> expanded_;               // states
  std::vector<Pattern> patterns_;
  std::map<std::pair<int, std::string>, int> pattern_by_names_;
};

}  // namespace concord::engine::shape::source
