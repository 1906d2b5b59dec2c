#include "engine/threads/induction.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>

#include "engine/threads/valuation.h"
#include "smt/solver.h"

namespace concord::engine::threads {

using formula::Term;
using sequential::Watched;

namespace {

constexpr int kMostBeginnings = 16;

class Induction {
 public:
  Induction(formula::Pool& pool, const sequential::Program& program, int head, const sequential::Settings& settings)
      : pool_(pool), program_(program), settings_(settings), head_(head) {
    for (const sequential::Invariant& it : block(head_).invariants) guesses_.push_back(it.term);
    for (std::size_t i = 0; i < guesses_.size(); ++i) {
      kept_.insert(static_cast<int>(i));
      is_assumed_.push_back(pool_.fresh("assumed", pool_.boolean()));
      by_assumption_[is_assumed_.back()] = static_cast<int>(i);
      is_broken_.push_back(pool_.fresh("broken", pool_.boolean()));
    }
  }

  std::vector<int> run(const std::vector<int>& claims) {
    int most = kMostBeginnings;
    keep_initial(0, Way{}, {}, most);
    std::vector<Way> ways;
    for (const int b : block(head_).successors) {
      ways.emplace_back();
      execute(head_, ways.back());
      execute(b, ways.back());
      ways.back().about = spoken_of(ways.back());
    }
    std::copy_if(claims.begin(), claims.end(), std::inserter(needed_, needed_.end()),
                 [&](int it) { return kept_.contains(it); });
    sequential::Settings settings = settings_;
    settings.solver.is_first = true;  // which guesses are found to be needed depends on models
    const Watched solver(settings, "steps");
    bool changed = true;
    while (changed && !is_over_) {
      changed = false;
      for (Way& it : ways) changed = support(solver, it) || changed;
      for (Way& it : ways) changed = forget_if_dropped(it) || changed;
    }
    return is_over_ ? std::vector<int>{} : without_redundant(claims);
  }

 private:
  struct Way {
    std::vector<Term> facts;
    formula::Substitution values;
    std::vector<Term> about;  // what is spoken of
    std::set<int> keeps;      // of what is needed
    std::set<int> because;    // these hold before
  };

  // What is said of all of a sort, of those that are spoken of and of `someone` else: so that there are models.
  Term of_known(Term term, const std::vector<Term>& about) {
    if (term->op != formula::Op::kForall || term->bound.size() != 1) return term;
    std::vector<Term> out;
    for (Term it : about) {
      if (it->sort == term->bound.front()->sort)
        out.push_back(pool_.substitute(term->args.front(), {{term->bound.front(), it}}));
    }
    return pool_.and_(out);
  }

  Term someone(formula::Sort sort) { return pool_.constant("someone " + formula::to_string(sort), sort); }

  // What must hold: of anyone.
  Term of_anyone(Term term) {
    if (term->op != formula::Op::kForall || term->bound.size() != 1) return term;
    return pool_.substitute(term->args.front(), {{term->bound.front(), someone(term->bound.front()->sort)}});
  }

  std::vector<Term> spoken_of(const Way& way) {
    std::set<Term> found;
    std::vector<Term> all = way.facts;
    all.insert(all.end(), guesses_.begin(), guesses_.end());
    for (Term root : all) {
      for (Term it : formula::constants_of(root)) found.insert(it);
      if (root->op == formula::Op::kForall && root->bound.size() == 1) found.insert(someone(root->bound.front()->sort));
    }
    for (const auto& [variable, value] : way.values) {
      if (value->sort->kind != formula::SortNode::Kind::kArray) found.insert(value);
    }
    std::vector<Term> out(found.begin(), found.end());
    std::sort(out.begin(), out.end(), [](Term a, Term b) { return a->id < b->id; });  // the same in every run
    return out;
  }

  const sequential::Block& block(int index) const { return program_.blocks[static_cast<std::size_t>(index)]; }
  Term guess(int which) const { return guesses_[static_cast<std::size_t>(which)]; }

  void execute(int index, Way& way) {
    for (const sequential::Command& it : block(index).commands) {
      using Kind = sequential::Command::Kind;
      const Term term = it.term == nullptr ? nullptr : pool_.substitute(it.term, way.values);
      switch (it.kind) {
        case Kind::kAssign: way.values[it.variable] = term; break;
        case Kind::kHavoc:
        case Kind::kChange: way.values[it.variable] = pool_.fresh("any", it.variable->sort); break;
        case Kind::kAssert:  // a run that goes wrong ends
        case Kind::kAssume: way.facts.push_back(term); break;
        case Kind::kProbe: break;
      }
    }
  }

  // Along every way from the block to the head, but not twice through one block. What is overlooked the proof does not overlook.
  void keep_initial(int at, Way way, std::set<int> seen, int& most) {
    if (at != head_) {
      execute(at, way);
      seen.insert(at);
      for (const int next : block(at).successors) {
        if (!seen.contains(next) && most > 0) keep_initial(next, way, seen, most);
      }
      return;
    }
    --most;
    const Watched solver(settings_, "initial");
    way.about = spoken_of(way);
    add_facts(solver, way);
    keep_holding(solver, way);
  }

  void add_facts(const Watched& solver, const Way& way) {
    for (Term it : program_.axioms) solver->add(of_known(it, way.about));
    for (Term it : way.facts) solver->add(of_known(it, way.about));
  }

  // ---- what is broken: each guess has a name for it, so that the solver is told only once what that means

  Term after(const Way& way, int which) { return pool_.substitute(of_anyone(guess(which)), way.values); }

  void name_breach(const Watched& solver, const Way& way, int which) {
    solver->add(pool_.implies(is_broken_[static_cast<std::size_t>(which)], pool_.not_(after(way, which))));
  }

  smt::Answer find_breach(const Watched& solver, const std::set<int>& some, const std::vector<Term>& assumptions) {
    if (settings_.should_stop && settings_.should_stop()) return smt::Answer::kUnknown;
    std::vector<Term> broken;
    broken.reserve(some.size());
    for (const int it : some) broken.push_back(is_broken_[static_cast<std::size_t>(it)]);
    solver->add(pool_.or_(broken));
    return solver->check(assumptions);
  }

  // Of some, those that the model breaks: at least one.
  void drop_broken(const Watched& solver, const Way& way, const std::set<int>& some) {
    Valuation model(*solver);
    std::vector<int> broken;
    std::copy_if(some.begin(), some.end(), std::back_inserter(broken),
                 [&](int it) { return !model.holds(after(way, it)); });
    if (broken.empty()) is_over_ = true;
    for (const int it : broken) {
      kept_.erase(it);
      needed_.erase(it);
    }
  }

  // Drops what does not hold in the beginning.
  void keep_holding(const Watched& solver, const Way& way) {
    for (const int it : kept_) name_breach(solver, way, it);
    smt::Answer answer = smt::Answer::kSat;
    while (answer == smt::Answer::kSat && !kept_.empty() && !is_over_) {
      solver->push();
      answer = find_breach(solver, kept_, {});
      if (answer == smt::Answer::kSat) drop_broken(solver, way, kept_);
      solver->pop();
    }
    if (answer == smt::Answer::kUnknown) is_over_ = true;
  }

  // ---- what is needed

  // Finds what must hold before a step along the way, so that it keeps what is needed: that is needed, too. If all guesses are not
  // enough, something is dropped. False if there was nothing to do.
  bool support(const Watched& solver, Way& way) {
    std::set<int> open;
    std::set_difference(needed_.begin(), needed_.end(), way.keeps.begin(), way.keeps.end(),
                        std::inserter(open, open.end()));
    if (open.empty()) return false;
    tell(solver);
    solver->push();
    add_facts(solver, way);
    for (const int it : needed_) {
      if (!told_.contains(it)) assume(solver, way, it);
    }
    for (const int it : open) name_breach(solver, way, it);
    while (!open.empty() && !is_over_) {
      std::vector<Term> assumptions;
      for (const int it : needed_) assumptions.push_back(is_assumed_[static_cast<std::size_t>(it)]);
      solver->push();
      const smt::Answer answer = find_breach(solver, open, assumptions);
      const int missing = answer == smt::Answer::kSat ? first_missing(solver, way) : -1;
      if (answer == smt::Answer::kSat && missing < 0) drop_broken(solver, way, open);
      solver->pop();
      if (answer == smt::Answer::kUnknown) is_over_ = true;
      if (answer == smt::Answer::kUnsat) {
        for (Term it : solver->core()) way.because.insert(by_assumption_.at(it));
        way.keeps.merge(open);
        break;
      }
      std::erase_if(open, [&](int it) { return !kept_.contains(it); });
      if (missing < 0) continue;
      assume(solver, way, missing);
      name_breach(solver, way, missing);
      needed_.insert(missing);
      open.insert(missing);
    }
    solver->pop();
    return true;
  }

  // Once for all ways, as far as it is the same on all of them.
  void tell(const Watched& solver) {
    for (const int it : needed_) {
      if (guess(it)->op != formula::Op::kForall && told_.insert(it).second) assume(solver, {}, it);
    }
  }

  void assume(const Watched& solver, const Way& way, int which) {
    solver->add(pool_.implies(is_assumed_[static_cast<std::size_t>(which)], of_known(guess(which), way.about)));
  }

  // A guess that does not hold in the model before the step: the first one, since guesses that say much come first. -1: none.
  int first_missing(const Watched& solver, const Way& way) {
    Valuation model(*solver);
    const auto found = std::find_if(kept_.begin(), kept_.end(), [&](int it) {
      return !needed_.contains(it) && !model.holds(of_known(guess(it), way.about));
    });
    return found == kept_.end() ? -1 : *found;
  }

  // What was kept because of something that is not kept is open again.
  bool forget_if_dropped(Way& way) {
    if (std::includes(kept_.begin(), kept_.end(), way.because.begin(), way.because.end())) return false;
    way.keeps.clear();
    way.because.clear();
    return true;
  }

  // From the last one on: what the others imply is left out.
  std::vector<int> without_redundant(const std::vector<int>& claims) {
    const Watched solver(settings_, "redundant");
    for (Term it : program_.axioms) solver->add(it);
    for (const int it : needed_) solver->add(pool_.implies(is_assumed_[static_cast<std::size_t>(it)], guess(it)));
    std::vector<int> out(needed_.begin(), needed_.end());
    for (std::size_t i = out.size(); i-- > 0;) {
      if (std::find(claims.begin(), claims.end(), out[i]) != claims.end()) continue;
      std::vector<Term> others;
      for (std::size_t j = 0; j < out.size(); ++j) {
        if (j != i) others.push_back(is_assumed_[static_cast<std::size_t>(out[j])]);
      }
      solver->push();
      solver->add(pool_.not_(guess(out[i])));
      const bool is_implied = solver->check(others) == smt::Answer::kUnsat;
      solver->pop();
      if (is_implied) out.erase(out.begin() + static_cast<std::ptrdiff_t>(i));
    }
    return out;
  }

  formula::Pool& pool_;
  const sequential::Program& program_;
  const sequential::Settings& settings_;
  const int head_;
  std::vector<Term> guesses_;
  std::vector<Term> is_assumed_;
  std::vector<Term> is_broken_;
  std::map<Term, int> by_assumption_;
  std::set<int> kept_;    // not dropped yet
  std::set<int> needed_;  // of those: the claims, and what they need
  std::set<int> told_;    // of those: what the solver knows of wherever it is
  bool is_over_ = false;
};

}  // namespace

std::vector<int> inductive(formula::Pool& pool, const sequential::Program& program, int head,
                           const std::vector<int>& claims, const sequential::Settings& settings) {
  return Induction(pool, program, head, settings).run(claims);
}

}  // namespace concord::engine::threads
