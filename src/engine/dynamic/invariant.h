// INVARIANT (section 5): what holds in every configuration, and so in the last one.
//
//     it holds at first;  it follows that the final condition holds where all threads have passed everything;
//     for every step of any thread that stands anywhere: if it holds before, it holds after
//
// The steps of a thread whose way leads past something are steps like any others (positions.h), so no statement is thought to be executed
// by a thread that is in the wrong branch. Beside the invariant, which speaks of the state and of how many have passed, there may be facts
// about the local variables of a thread that stands somewhere. Its own steps make them true; and every step of another thread keeps them.
//
// Of what is proposed the largest part is found that every step keeps (propose.h); only that is used.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/dynamic/propose.h"

namespace concord::engine::dynamic {

struct Candidate {
  Proposal proposal;
  bool is_kept = true;
  std::string lost;  // why it is not kept, with values; empty if there is nothing to tell
  base::SourceRange lost_at;
};

class Invariant {
 public:
  explicit Invariant(System& system, Control& control);

  // Drops what steps do not keep. False: time ran out.
  bool find();

  const std::vector<Candidate>& candidates() const { return candidates_; }
  bool has_first_state() const { return has_first_; }
  // It may be that all threads finish.
  bool has_last_state();
  // Wherever the step's operation is performed, the claim holds.
  bool holds(const Transition& step, const OnTheWay& claim, std::string& why);
  // The last premise.
  bool holds_finally(const Claim& claim, std::string& why);
  // What is known of a thread that stands there.
  const std::vector<Term>& facts(const ThreadClass& of, int stop) const { return facts_at(of, stop); }
  // The laws that a premise was shown with, by its name: one of these, or the id of a claim.
  std::set<std::string> laws(const std::string& premise) const;
  // The last sequent was a leaf of this premise.
  void note_laws(const std::string& premise);
  static std::string at_first(std::size_t candidate);
  static std::string after(std::size_t step, std::size_t candidate);
  static std::string reached(std::size_t step);
  static std::string elsewhere(std::size_t step, std::size_t thread_class, std::size_t stop);
  int branches() const { return branches_; }  // sequents other than those that were dropped

 private:
  std::vector<Term> known() const;
  std::vector<Term> before(const Transition& step, std::size_t assumptions) const;
  std::vector<Term>& facts_at(const ThreadClass& of, int stop);
  const std::vector<Term>& facts_at(const ThreadClass& of, int stop) const;
  void check_first();
  bool check_step(const Transition& step);
  bool check_others(const Transition& step);
  void drop(Candidate& candidate, const std::string& words, base::SourceRange at);
  std::vector<Term> shown() const;
  std::string told() const;

  System& system_;
  Control& control_;
  std::vector<Candidate> candidates_;
  Facts facts_;
  std::vector<Term> first_;
  std::map<std::string, std::set<std::string>> laws_;
  bool has_first_ = true;
  int branches_ = 0;
};

}  // namespace concord::engine::dynamic
