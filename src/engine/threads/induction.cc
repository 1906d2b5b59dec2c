#include "engine/threads/induction.h"

#include <algorithm>
#include <optional>
#include <set>
#include <string>

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
      kept_.push_back(static_cast<int>(i));
      is_assumed_.push_back(pool_.fresh("assumed", pool_.boolean()));
      is_broken_.push_back(pool_.fresh("broken", pool_.boolean()));
    }
  }

  Inductive run(const std::vector<int>& claims, bool needs_claims) {
    int most = kMostBeginnings;
    keep_initial(0, Way{}, {}, most);
    std::vector<Way> ways;
    for (const int b : block(head_).successors) {
      ways.emplace_back();
      execute(head_, ways.back());
      execute(b, ways.back());
    }
    const auto has_claims = [&] {
      return std::all_of(claims.begin(), claims.end(),
                         [&](int it) { return std::binary_search(kept_.begin(), kept_.end(), it); });
    };
    const auto is_of_all = [](Term it) { return it->op == formula::Op::kForall; };
    bool speaks_of_all = std::any_of(guesses_.begin(), guesses_.end(), is_of_all);
    for (const Way& it : ways)
      speaks_of_all = speaks_of_all || std::any_of(it.facts.begin(), it.facts.end(), is_of_all);
    std::optional<Watched> for_all;
    if (!speaks_of_all) for_all.emplace(settings_, "steps");
    bool changed = true;
    while (changed && !is_over_) {
      changed = false;
      if (for_all) {
        (*for_all)->push();
        assume_guesses(*for_all, {});
      }
      for (const Way& it : ways) {
        if (needs_claims && !has_claims()) return {{}, false};
        changed = (for_all ? keep_by(*for_all, it) : keep_by_anew(it)) || changed;
      }
      if (for_all) (*for_all)->pop();
    }
    if (is_over_) return {{}, false};
    return {without_redundant(), has_claims()};
  }

 private:
  struct Way {
    std::vector<Term> facts;
    formula::Substitution values;
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
    std::set<Term> out;
    std::vector<Term> all = way.facts;
    all.insert(all.end(), guesses_.begin(), guesses_.end());
    for (Term root : all) {
      for (Term it : formula::constants_of(root)) out.insert(it);
      if (root->op == formula::Op::kForall && root->bound.size() == 1) out.insert(someone(root->bound.front()->sort));
    }
    for (const auto& [variable, value] : way.values) {
      if (value->sort->kind != formula::SortNode::Kind::kArray) out.insert(value);
    }
    return {out.begin(), out.end()};
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
    const std::vector<Term> about = spoken_of(way);
    for (Term it : program_.axioms) solver->add(of_known(it, about));
    for (Term it : way.facts) solver->add(of_known(it, about));
    drop_broken(solver, way, false);
  }

  void assume_guesses(const Watched& solver, const std::vector<Term>& about) {
    for (Term it : program_.axioms) solver->add(of_known(it, about));
    for (const int it : kept_) solver->add(of_known(guess(it), about));
  }

  // The solver assumes the guesses. True if one was dropped.
  bool keep_by(const Watched& solver, const Way& way) {
    solver->push();
    for (Term it : way.facts) solver->add(it);
    const bool out = drop_broken(solver, way, true);
    solver->pop();
    return out;
  }

  // What is said of all is said of other things for every way: one solver for all ways would have too much to think of.
  bool keep_by_anew(const Way& way) {
    const Watched solver(settings_, "step");
    const std::vector<Term> about = spoken_of(way);
    assume_guesses(solver, about);
    for (Term it : way.facts) solver->add(of_known(it, about));
    return drop_broken(solver, way, true);
  }

  // Those that are dropped meanwhile are assumed until the next round, which is the last one only if nothing is dropped in it. Each
  // that may be broken has a name, so that the solver is told only once what that means.
  bool drop_broken(const Watched& solver, const Way& way, bool assumes) {
    bool changed = false;
    struct Breach {
      int guess;
      Term after;
      Term is_broken;
    };
    std::vector<Breach> breaches;
    for (const int it : kept_) {
      const Term after = pool_.substitute(of_anyone(guess(it)), way.values);
      if (assumes && after == guess(it)) continue;
      const Term is_broken = is_broken_[static_cast<std::size_t>(it)];
      solver->add(pool_.implies(is_broken, pool_.not_(after)));
      breaches.push_back({it, after, is_broken});
    }
    while (!is_over_) {
      if (settings_.should_stop && settings_.should_stop()) is_over_ = true;
      if (is_over_ || breaches.empty()) return changed;
      std::vector<Term> broken;
      for (const Breach& it : breaches) broken.push_back(it.is_broken);
      solver->push();
      solver->add(pool_.or_(broken));
      const smt::Answer answer = solver->check({});
      const std::size_t before = breaches.size();
      if (answer == smt::Answer::kSat)
        std::erase_if(breaches, [&](const Breach& it) { return !solver->is_true(it.after) && drop(it.guess); });
      solver->pop();
      if (answer == smt::Answer::kUnsat) return changed;
      if (answer == smt::Answer::kUnknown || breaches.size() == before) is_over_ = true;
      changed = true;
    }
    return changed;
  }

  bool drop(int guess) { return std::erase(kept_, guess) > 0; }

  // From the last one on: what the others imply is left out.
  std::vector<int> without_redundant() {
    const Watched solver(settings_, "redundant");
    for (Term it : program_.axioms) solver->add(it);
    for (const int it : kept_) solver->add(pool_.implies(is_assumed_[static_cast<std::size_t>(it)], guess(it)));
    std::vector<int> out = kept_;
    for (std::size_t i = out.size(); i-- > 0;) {
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
  std::vector<int> kept_;
  bool is_over_ = false;
};

}  // namespace

Inductive inductive(formula::Pool& pool, const sequential::Program& program, int head, const std::vector<int>& claims,
                    bool needs_claims, const sequential::Settings& settings) {
  return Induction(pool, program, head, settings).run(claims, needs_claims);
}

}  // namespace concord::engine::threads
