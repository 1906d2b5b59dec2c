#include "engine/dynamic/invariant.h"

#include <fmt/format.h>

#include <algorithm>

#include "plato/walk.h"

namespace concord::engine::dynamic {

using formula::Op;
using formula::SortNode;
using formula::Substitution;

namespace {

constexpr const char* kLargest = "2147483647";

bool wraps_around(const plato::Program& program) {
  bool out = false;
  plato::for_each_whole_expr(program, [&](const plato::Expr& whole, int) {
    plato::for_each_expr(whole, [&](const plato::Expr& part) {
      const auto* it = std::get_if<plato::WrapExpr>(&part.node);
      out = out || (it != nullptr && it->bits == 32 && it->is_signed);
    });
  });
  return out;
}

}  // namespace

Invariant::Invariant(System& system, Control& control) : system_(system), control_(control) {
  for (Proposal& it : propose(system_)) candidates_.push_back({std::move(it), true, "", {}});
  facts_ = propose_facts(system_);
  first_ = system_.about_first();
  const std::vector<Term> counts = system_.configuration().counts();
  first_.insert(first_.end(), counts.begin(), counts.end());
}

std::vector<Term>& Invariant::facts_at(const ThreadClass& of, int stop) {
  return facts_[of.number][static_cast<std::size_t>(stop)];
}
const std::vector<Term>& Invariant::facts_at(const ThreadClass& of, int stop) const {
  return facts_[of.number][static_cast<std::size_t>(stop)];
}

std::string Invariant::at_first(std::size_t candidate) { return fmt::format("first {}", candidate); }
std::string Invariant::after(std::size_t step, std::size_t candidate) {
  return fmt::format("after {} {}", step, candidate);
}
std::string Invariant::reached(std::size_t step) { return fmt::format("reached {}", step); }
std::string Invariant::elsewhere(std::size_t step, std::size_t thread_class, std::size_t stop) {
  return fmt::format("elsewhere {} {} {}", step, thread_class, stop);
}

std::set<std::string> Invariant::laws(const std::string& premise) const {
  const auto found = laws_.find(premise);
  return found == laws_.end() ? std::set<std::string>{} : found->second;
}

void Invariant::note_laws(const std::string& premise) {
  const std::set<std::string>& more = system_.leaves().laws();
  laws_[premise].insert(more.begin(), more.end());
}

// What holds in every state that is looked at, as far as it is believed.
std::vector<Term> Invariant::known() const {
  std::vector<Term> out = first_;
  for (const Candidate& it : candidates_) {
    if (!it.is_kept) continue;
    out.push_back(it.proposal.claim.facts);
    out.push_back(it.proposal.claim.holds);
  }
  return out;
}

// Before a step, and so many of the assumptions on its way.
std::vector<Term> Invariant::before(const Transition& step, std::size_t assumptions) const {
  const Configuration& configuration = system_.configuration();
  std::vector<Term> out = known();
  const auto add = [&](const std::vector<Term>& more) { out.insert(out.end(), more.begin(), more.end()); };
  add(configuration.stands(*step.of, step.from, step.thread));
  add(configuration.passes(*step.of, step.from, step.to, step.thread));
  const Substitution given = system_.parameters(*step.of, step.thread);
  for (Term it : facts_at(*step.of, step.way->from)) out.push_back(system_.pool().substitute(it, given));
  out.insert(out.end(), step.step.assumptions.begin(),
             step.step.assumptions.begin() + static_cast<std::ptrdiff_t>(assumptions));
  return out;
}

// What to tell of a counterexample: numbers of threads, and the integers and truth values of the state.
std::vector<Term> Invariant::shown() const {
  std::vector<Term> out;
  for (const ThreadClass& it : system_.classes()) {
    if (it.count->op == Op::kConst) out.push_back(it.count);
  }
  for (const simulation::Part& it : system_.world().parts()) {
    const auto kind = it.now->sort->kind;
    const bool is_plain = kind == SortNode::Kind::kInt || kind == SortNode::Kind::kBool;
    if (is_plain && it.kind == simulation::Part::Kind::kVariable) out.push_back(it.now);
  }
  return out;
}

std::string Invariant::told() const {
  const auto& witness = system_.leaves().witness();
  if (!witness) return "";
  std::string out;
  const std::vector<Term> terms = shown();
  std::vector<Term> seen;
  for (std::size_t i = 0; i < terms.size(); ++i) {
    if (std::find(seen.begin(), seen.end(), terms[i]) != seen.end()) continue;
    seen.push_back(terms[i]);
    std::string name = terms[i]->name;
    for (const char* prefix : {"const ", "var "}) {
      if (name.starts_with(prefix)) name = name.substr(std::string(prefix).size());
    }
    out += (out.empty() ? "" : ", ") + fmt::format("{} = {}", name, witness->values[i]);
  }
  // Why so large numbers.
  const auto& values = witness->values;
  if (std::find(values.begin(), values.end(), kLargest) != values.end() && wraps_around(system_.program()))
    out += fmt::format("; {} is the largest number of 32 bits, and one more is -2147483648", kLargest);
  return out;
}

void Invariant::drop(Candidate& candidate, const std::string& words, base::SourceRange at) {
  candidate.is_kept = false;
  const std::string values = told();
  candidate.lost = values.empty() ? words : fmt::format("{}, as with {}", words, values);
  candidate.lost_at = at;
}

void Invariant::check_first() {
  Leaves& leaves = system_.leaves();
  has_first_ = !leaves.are_contradictory(first_);
  Substitution at_first = system_.first_values();
  for (const auto& [passed, none] : system_.configuration().first()) at_first.emplace(passed, none);
  std::vector<Term> left = first_;
  for (Term& it : left) it = system_.pool().substitute(it, at_first);
  for (Candidate& it : candidates_) {
    std::vector<Term> here = left;
    here.push_back(system_.pool().substitute(it.proposal.claim.facts, at_first));
    if (!leaves.holds({here, system_.pool().substitute(it.proposal.claim.holds, at_first), {}})) {
      drop(it, "it may not hold at first", {});
      it.lost.clear();
    }
    note_laws(Invariant::at_first(static_cast<std::size_t>(&it - candidates_.data())));
  }
}

// True if nothing was dropped.
bool Invariant::check_step(const Transition& step) {
  Pool& pool = system_.pool();
  const std::vector<Term> left = before(step, step.step.assumptions.size());
  const auto afterwards = [&](Term term) { return pool.substitute(term, step.after); };
  const Substitution given = system_.parameters(*step.of, step.thread);
  std::vector<Term> goals;
  std::vector<Term> facts_after;
  for (const Candidate& it : candidates_) {
    if (!it.is_kept) continue;
    goals.push_back(afterwards(it.proposal.claim.holds));
    facts_after.push_back(afterwards(it.proposal.claim.facts));
  }
  std::vector<Term> none;
  std::vector<Term>& facts = step.way->to == Positions::kEnd ? none : facts_at(*step.of, step.way->to);
  const auto fact_after = [&](Term fact) { return pool.substitute(afterwards(fact), given); };
  std::vector<Term> about{step.thread};
  about.insert(about.end(), step.of->passed.begin(), step.of->passed.end());
  // Facts are small: all at once first.
  std::vector<Term> all;
  all.reserve(facts.size());
  for (Term it : facts) all.push_back(fact_after(it));
  bool is_all_kept = true;
  Leaves& leaves = system_.leaves();
  std::vector<Term> here = left;
  here.insert(here.end(), facts_after.begin(), facts_after.end());
  if (!all.empty() && !leaves.holds({here, pool.and_(all), about})) {
    const std::size_t had = facts.size();
    std::erase_if(facts, [&](Term it) { return !leaves.holds({here, fact_after(it), about}); });
    is_all_kept = facts.size() == had;
  }
  if (!all.empty()) note_laws(reached(step.number));
  std::size_t next = 0;
  for (Candidate& it : candidates_) {
    if (!it.is_kept) continue;
    const Term goal = goals[next++];
    if (goal == it.proposal.claim.holds) continue;  // nothing that it speaks of changes
    if (leaves.holds({here, goal, about}, shown())) {
      note_laws(after(step.number, static_cast<std::size_t>(&it - candidates_.data())));
      ++branches_;
      continue;
    }
    drop(it, "this step may break it", step.step.at);
    is_all_kept = false;
  }
  return is_all_kept;
}

// What is known of others where they stand.
bool Invariant::check_others(const Transition& step) {
  if (system_.defect() == Defect::kOthersKeepFacts) return true;
  Pool& pool = system_.pool();
  const Configuration& configuration = system_.configuration();
  bool is_all_kept = true;
  for (const ThreadClass& other : system_.classes()) {
    const Term thread = pool.constant(fmt::format("other of {}", other.number), pool.integer());
    Substitution as_other = system_.parameters(other, thread);
    for (Term local : other.locals) as_other.emplace(local, pool.constant("other " + local->name, local->sort));
    as_other.emplace(pool.constant(fmt::format("thread of {}", other.number), pool.integer()), thread);
    for (std::size_t s = 0; s < other.positions.stops.size(); ++s) {
      std::vector<Term>& facts = facts_at(other, static_cast<int>(s));
      if (facts.empty()) continue;
      std::vector<Term> left;  // made when it is needed
      const std::size_t had = facts.size();
      std::vector<Term> theirs;
      theirs.reserve(had);
      for (Term it : facts) theirs.push_back(pool.substitute(it, as_other));
      std::size_t next = 0;
      std::erase_if(facts, [&](Term) {
        const Term now = theirs[next++];
        // The step changes local variables of its own thread only: those of the other have other names.
        const Term after = pool.substitute(now, step.after);
        if (after == now) return false;
        if (left.empty()) {
          left = before(step, step.step.assumptions.size());
          const std::vector<Term> stands = configuration.stands(other, other.positions.position[s], thread);
          left.insert(left.end(), stands.begin(), stands.end());
          left.insert(left.end(), theirs.begin(), theirs.end());
          if (&other == step.of) left.push_back(pool.ne(thread, step.thread));
        }
        const bool is_kept = system_.leaves().holds({left, after, {step.thread, thread}});
        note_laws(elsewhere(step.number, other.number, s));
        return !is_kept;
      });
      is_all_kept = is_all_kept && facts.size() == had;
    }
  }
  return is_all_kept;
}

bool Invariant::find() {
  system_.leaves().expect_little(true);
  check_first();
  for (bool is_settled = false; !is_settled;) {
    is_settled = true;
    branches_ = 0;
    for (const Transition& it : system_.transitions()) {
      if (control_.should_stop()) return false;
      is_settled = check_step(it) && is_settled;
      is_settled = check_others(it) && is_settled;
    }
  }
  system_.leaves().expect_little(false);
  return !control_.should_stop();
}

bool Invariant::holds(const Transition& step, const OnTheWay& claim, std::string& why) {
  if (system_.leaves().holds({before(step, claim.assumed), claim.holds, {step.thread}}, shown())) return true;
  why = told();
  return false;
}

bool Invariant::has_last_state() {
  std::vector<Term> left = known();
  const Substitution last = system_.configuration().last();
  for (Term& it : left) it = system_.pool().substitute(it, last);
  return !system_.leaves().are_contradictory(left);
}

bool Invariant::holds_finally(const Claim& claim, std::string& why) {
  std::vector<Term> left = known();
  left.push_back(claim.facts);
  const Substitution last = system_.configuration().last();
  for (Term& it : left) it = system_.pool().substitute(it, last);
  std::vector<Term> about;
  for (const ThreadClass& it : system_.classes()) about.push_back(it.count);
  if (system_.leaves().holds({left, system_.pool().substitute(claim.holds, last), about}, shown())) return true;
  why = told();
  return false;
}

}  // namespace concord::engine::dynamic
