// What comes of one configuration: where each thread in it may go, and what may go wrong on the way. Nothing is kept here, so that several
// are worked on at once.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/shape/source/search.h"

namespace concord::engine::shape::source {

class Expansion {
 public:
  explicit Expansion(const Search& search);
  virtual ~Expansion() = default;

  // The configurations that the program begins in.
  virtual void begin(const Task& task);
  virtual void expand(int state);

  struct Kept {
    Structure structure;  // blurred
    Search::Way way;
  };
  std::vector<Kept>& kept() { return kept_; }
  const std::vector<Search::Alarm>& alarms() const { return alarms_; }
  std::uint64_t work() const {
    return work_;
  }  // rows of the structures that steps were tried in, and that came of them

 protected:
  using Way = Search::Way;

  // The thread moves: one that stands for several is split.
  void schedule(const Structure& structure, int thread, int state);
  void advance(const Structure& structure, int label, const Way& way);
  // Whether all that the thread's next step deals with is its own; then what comes of it.
  struct Arrival {
    Structure structure;
    int label;
    Way way;
  };
  Successors tried(int edge, const Structure& structure);
  bool step_alone(const Structure& structure, int label, const Way& way, std::vector<Arrival>& out);
  // Nobody else knows the objects that the move touches.
  virtual bool is_own(const Structure& structure, int move) const;
  bool has_passed(int label, const Way& way) const;
  bool is_new_on_the_way(const Structure& structure, int label);
  void arrive(Structure structure, int label, const Way& way);
  virtual bool go_on_elsewhere(const Structure& structure, const Way& way);
  virtual void keep(Structure structure, const Way& way);
  // What is known of a configuration besides, after a step of a thread and at the beginning.
  virtual void settle(Structure&) const {}
  void check_claims(const Structure& structure, const Way& way, bool is_at_start);
  int label_of(const Structure& structure, int thread) const;
  void tell(int property, Kleene value, const Way& way, const std::string& text, base::SourceRange at);

  static constexpr std::size_t kLongestWay = 200;  // from one configuration that is kept to the next

  const Search& search_;
  const Lowered& lowered_;
  const System& system_;
  std::unordered_map<std::uint64_t, std::vector<std::pair<int, Structure>>> passed_;  // since a thread was chosen
  std::vector<bool> is_told_;                                                         // by property
  std::vector<Search::Alarm> alarms_;
  std::vector<Kept> kept_;
  std::uint64_t work_ = 0;
};

}  // namespace concord::engine::shape::source
