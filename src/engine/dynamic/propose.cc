#include "engine/dynamic/propose.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <unordered_set>
#include <utility>

#include "plato/printer.h"
#include "plato/walk.h"

namespace concord::engine::dynamic {

using formula::Op;
using formula::SortNode;
using formula::Substitution;
using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::size_t kMostChoices = 64;
constexpr std::size_t kMostFacts = 120;

void add_new(std::vector<Term>& list, Term term) {
  if (std::find(list.begin(), list.end(), term) == list.end()) list.push_back(term);
}

std::vector<std::pair<Term, Term>> in_order(const Substitution& changes) {
  std::vector<std::pair<Term, Term>> out(changes.begin(), changes.end());
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.first->id < b.first->id; });
  return out;
}

class Proposer {
 public:
  explicit Proposer(System& system) : system_(system) {}

  std::vector<Proposal> run() {
    for (const Clause& clause : system_.program().clauses) {
      const bool is_final = clause.kind == Clause::Kind::kFinally;
      if (clause.kind != Clause::Kind::kGlobalInvariant && !is_final) continue;
      std::vector<const Expr*> conjuncts;
      collect_conjuncts(*clause.predicate.predicate, conjuncts);
      for (const Expr* it : conjuncts) {
        try {
          const Claim claim = system_.claim(*it);
          if (is_final) {
            generalise(*it, claim, clause);
          } else {
            out_.push_back({claim, print(*it), &clause});
          }
        } catch (const simulation::Unsupported&) { continue; }
      }
    }
    accumulate();
    append();
    return std::move(out_);
  }

 private:
  Pool& pool() { return system_.pool(); }
  const Configuration& configuration() const { return system_.configuration(); }

  void add(Claim claim, std::string text, const Clause* clause = nullptr) {
    const bool is_known =
        std::any_of(out_.begin(), out_.end(), [&](const Proposal& it) { return it.claim.holds == claim.holds; });
    if (!is_known) out_.push_back({claim, std::move(text), clause});
  }

  // ---- the final condition

  using Choice = std::vector<int>;  // by class: the position, or -1: the class is not spoken of

  void generalise(const Expr& expr, const Claim& claim, const Clause& clause) {
    add(claim, print(expr), &clause);
    std::vector<Choice> choices{{}};
    for (const ThreadClass& of : system_.classes()) {
      const bool is_counted = mentions(claim.holds, of.count) && of.positions.count > 0;
      std::vector<Choice> next;
      for (const Choice& it : choices) {
        for (int p = is_counted ? 0 : -1; p < (is_counted ? of.positions.count : 0); ++p) {
          next.push_back(it);
          next.back().push_back(p);
        }
      }
      choices = std::move(next);
      if (choices.size() > kMostChoices) choices.resize(kMostChoices);
    }
    for (const Choice& choice : choices) {
      std::string where;
      for (std::size_t c = 0; c < choice.size(); ++c) {
        if (choice[c] < 0) continue;
        where +=
            (where.empty() ? "" : ", ") + system_.place_of(system_.classes()[c], static_cast<std::size_t>(choice[c]));
      }
      if (where.empty()) continue;
      for (const bool by_thread : {true, false}) {
        add({transformed(claim.holds, choice, by_thread), claim.facts},
            fmt::format("{}, of the threads that have passed {} instead of all{}", print(expr), where,
                        by_thread ? "" : " (in order)"),
            &clause);
      }
    }
  }

  static bool mentions(Term term, Term part) {
    std::unordered_set<Term> seen;
    std::vector<Term> open{term};
    while (!open.empty()) {
      const Term top = open.back();
      open.pop_back();
      if (!seen.insert(top).second) continue;
      if (top == part) return true;
      open.insert(open.end(), top->args.begin(), top->args.end());
    }
    return false;
  }

  Term transformed(Term term, const Choice& choice, bool by_thread) {
    Substitution by;
    std::vector<Term> open{term};
    std::unordered_set<Term> seen;
    for (std::size_t c = 0; c < choice.size(); ++c) {
      const ThreadClass& of = system_.classes()[c];
      if (choice[c] >= 0 && of.count->op == Op::kConst)
        by.emplace(of.count, of.passed[static_cast<std::size_t>(choice[c])]);
    }
    while (!open.empty()) {
      const Term top = open.back();
      open.pop_back();
      if (!seen.insert(top).second || by.contains(top)) continue;
      if (top != term && (top->op == Op::kForall || top->op == Op::kExists)) {
        by.emplace(top, quantified(top, choice, by_thread));
        continue;
      }
      if (Sums::is_sum(top)) {
        if (const Term sum = summed(top, choice); sum != nullptr) by.emplace(top, sum);
        continue;
      }
      open.insert(open.end(), top->args.begin(), top->args.end());
    }
    if (term->op == Op::kForall || term->op == Op::kExists) return quantified(term, choice, by_thread);
    return pool().substitute(term, by);
  }

  // Over all threads: over those that have passed, in the order in which they did.
  Term summed(Term sum, const Choice& choice) {
    for (std::size_t c = 0; c < choice.size(); ++c) {
      const ThreadClass& of = system_.classes()[c];
      if (choice[c] < 0 || sum->args[1] != pool().number(0) || sum->args[2] != of.count) continue;
      const auto p = static_cast<std::size_t>(choice[c]);
      return system_.sums().reordered(sum, of.orders[p], of.passed[p]);
    }
    return nullptr;
  }

  Term quantified(Term term, const Choice& choice, bool by_thread) {
    const bool is_forall = term->op == Op::kForall;
    Term body = term->args[0];
    std::vector<Term> guards;  // of forall: what the rest is implied by; of exists: its parts
    if (is_forall) {
      while (body->op == Op::kImplies) {
        for (Term it : formula::conjuncts(body->args[0])) guards.push_back(it);
        body = body->args[1];
      }
    } else {
      guards = formula::conjuncts(body);
      body = pool().truth(true);
    }
    std::vector<Term> out;
    for (Term guard : guards) {
      const Term passed = by_thread ? passed_by(guard, *term, choice) : nullptr;
      if (passed != nullptr) {
        out.push_back(guard), out.push_back(passed);
      } else {
        out.push_back(transformed(guard, choice, by_thread));
      }
    }
    body = transformed(body, choice, by_thread);
    const std::vector<Term> bound = term->bound;
    if (is_forall) return pool().forall(bound, pool().implies(pool().and_(out), body), {});
    return pool().exists(bound, pool().and_(out), {});
  }

  // The guard k < n says that k is a thread: then it is one that has passed.
  Term passed_by(Term guard, const formula::Node& quantifier, const Choice& choice) {
    if (guard->op != Op::kLt) return nullptr;
    const Term k = guard->args[0];
    if (std::find(quantifier.bound.begin(), quantifier.bound.end(), k) == quantifier.bound.end()) return nullptr;
    for (std::size_t c = 0; c < choice.size(); ++c) {
      const ThreadClass& of = system_.classes()[c];
      if (choice[c] >= 0 && guard->args[1] == of.count)
        return configuration().has_passed(of, static_cast<std::size_t>(choice[c]), k);
    }
    return nullptr;
  }

  // ---- accumulation and counting

  // It depends on the thread alone.
  bool is_rigid(Term term) {
    const std::vector<Term> constants = formula::constants_of(term);
    return std::all_of(constants.begin(), constants.end(), [&](Term it) {
      const int part = system_.world().part_of(it);
      if (part >= 0) return system_.is_constant(system_.world().part(part));
      return !it->name.starts_with("local ") && !it->name.starts_with("passed ") && !it->name.starts_with("any!");
    });
  }

  // What is added to `start`, or nothing. Terms share their parts, so what is known of one is kept.
  std::optional<Term> added(Term value, Term start) {
    if (value == start) return pool().number(0);
    const auto known = added_.find({value, start});
    if (known != added_.end()) return known->second;
    const std::optional<Term> out = work_out_added(value, start);
    added_.emplace(std::pair{value, start}, out);
    return out;
  }

  std::optional<Term> work_out_added(Term value, Term start) {
    if (value->op == Op::kAdd || value->op == Op::kSub) {
      const bool is_sum = value->op == Op::kAdd;
      const bool is_left = !mentions(value->args[1], start);
      if (!is_left && (!is_sum || mentions(value->args[0], start))) return std::nullopt;
      const auto rest = added(value->args[is_left ? 0 : 1], start);
      if (!rest) return std::nullopt;
      if (!is_left) return pool().add(value->args[0], *rest);
      return is_sum ? pool().add(*rest, value->args[1]) : pool().sub(*rest, value->args[1]);
    }
    if (value->op == Op::kIte && !mentions(value->args[0], start)) {
      const auto then = added(value->args[1], start);
      const auto otherwise = added(value->args[2], start);
      if (then && otherwise) return pool().ite(value->args[0], *then, *otherwise);
    }
    return std::nullopt;
  }

  // By position: what a thread adds to the part when it leaves it; nothing: that is not known.
  std::optional<std::vector<Term>> additions(const ThreadClass& of, Term part) {
    std::vector<Term> out(of.orders.size(), nullptr);
    for (const Transition& it : system_.transitions()) {
      if (it.of != &of) continue;
      const auto found = it.after.find(part);
      const auto change = added(found == it.after.end() ? part : found->second, part);
      if (!change || !is_rigid(*change)) return std::nullopt;
      if (it.from == it.to) {
        if (*change != pool().number(0)) return std::nullopt;
        continue;
      }
      Term& known = out[static_cast<std::size_t>(it.from)];
      if (known == nullptr) {
        known = *change;
      } else if (known != *change) {
        std::vector<Term> conditions;
        std::copy_if(it.step.assumptions.begin(), it.step.assumptions.end(), std::back_inserter(conditions),
                     [&](Term each) { return is_rigid(each); });
        known = pool().ite(pool().and_(conditions), *change, known);
      }
    }
    for (Term& it : out) {
      if (it == nullptr) it = pool().number(0);
    }
    return out;
  }

  // What all have added that have passed.
  Term total(const ThreadClass& of, const std::vector<Term>& additions, Term total, Term thread) {
    for (std::size_t p = 0; p < additions.size(); ++p) {
      const Term each = additions[p];
      if (each == pool().number(0)) continue;
      if (each->op == Op::kNumber) {
        total = pool().add(total, pool().mul(each, of.passed[p]));
        continue;
      }
      const Term k = pool().bound("k", pool().integer());
      const Term body = pool().substitute(each, {{thread, k}});
      const Term whole = system_.sums().sum(k, pool().number(0), of.count, body);
      total = pool().add(total, system_.sums().reordered(whole, of.orders[p], of.passed[p]));
    }
    return total;
  }

  void accumulate() {
    for (std::size_t p = 0; p < system_.world().parts().size(); ++p) {
      const simulation::Part part = system_.world().part(static_cast<int>(p));
      const bool is_number = part.now->sort->kind == SortNode::Kind::kInt;
      if (!is_number || part.kind != simulation::Part::Kind::kVariable || system_.is_constant(part)) continue;
      Term value = system_.first_value(part);
      bool is_known = true;
      for (const ThreadClass& of : system_.classes()) {
        const Term thread = pool().constant("thread of " + std::to_string(of.number), pool().integer());
        const auto changes = additions(of, part.now);
        is_known = is_known && changes.has_value();
        if (is_known) value = total(of, *changes, value, thread);
      }
      if (!is_known) continue;
      add({pool().eq(part.now, value), pool().truth(true)},
          fmt::format("{} is what it was at first and what the threads have added that have passed", part.name));
      counters_.push_back(part);
    }
  }

  // ---- appending

  void append() {
    for (const Transition& it : system_.transitions()) {
      if (it.to != it.from + 1) continue;
      for (const simulation::Part& counter : counters_) {
        const auto counted = it.after.find(counter.now);
        if (counted == it.after.end() || added(counted->second, counter.now) != pool().number(1)) continue;
        for (const auto& [target, value] : in_order(it.after)) {
          if (value->op != Op::kStore || value->args[0] != target || value->args[1] != counter.now) continue;
          if (!is_rigid(value->args[2]) || system_.world().part_of(target) < 0) continue;
          appended(it, counter, target, value->args[2]);
        }
      }
    }
  }

  void appended(const Transition& it, const simulation::Part& counter, Term map, Term entry) {
    const Term k = pool().bound("k", pool().integer());
    const Term first = system_.first_value(counter);
    const Order& order = it.of->orders[static_cast<std::size_t>(it.from)];
    const Term who = configuration().at_place(order, pool().sub(k, first));
    const Term filled = pool().and_(pool().le(first, k), pool().lt(k, counter.now));
    const Term holds = pool().forall(
        {k}, pool().implies(filled, pool().eq(pool().select(map, k), pool().substitute(entry, {{it.thread, who}}))));
    const std::string& name = system_.world().part(system_.world().part_of(map)).name;
    add({holds, pool().truth(true)},
        fmt::format("{} has what the threads have put there, in the order in which they passed {}", name,
                    system_.place_of(*it.of, static_cast<std::size_t>(it.from))));
  }

  System& system_;
  std::map<std::pair<Term, Term>, std::optional<Term>> added_;  // by value and start
  std::vector<Proposal> out_;
  std::vector<simulation::Part> counters_;
};

// The constant means after the step what it meant before.
bool stays(System& system, const Transition& step, Term constant) {
  if (constant->name.starts_with("any!") || constant->name.starts_with("passed ")) return false;
  const bool is_state = system.world().part_of(constant) >= 0 || constant->name.starts_with("local ");
  if (!is_state) return true;
  const auto found = step.after.find(constant);
  return found == step.after.end() || found->second == constant;
}

// In terms of the state after the step, if it can be said.
std::optional<Term> told_afterwards(System& system, const Transition& step, Term formula) {
  const std::vector<Term> constants = formula::constants_of(formula);
  const bool is_kept =
      std::all_of(constants.begin(), constants.end(), [&](Term it) { return stays(system, step, it); });
  return is_kept ? std::optional(formula) : std::nullopt;
}

}  // namespace

std::vector<Proposal> propose(System& system) { return Proposer(system).run(); }

Facts propose_facts(System& system) {
  Facts out;
  for (const ThreadClass& it : system.classes()) out.emplace_back(it.positions.stops.size());
  const auto stop = [&](const Transition& it, int which) -> std::vector<Term>& {
    return out[it.of->number][static_cast<std::size_t>(which)];
  };
  for (const Transition& it : system.transitions()) {
    if (it.way->to == Positions::kEnd) continue;
    std::vector<Term>& facts = stop(it, it.way->to);
    // Its local variables first: those of the thread alone, then what they and the state were given.
    const std::vector<std::pair<Term, Term>> changes = in_order(it.after);
    for (const auto& [target, value] : changes) {
      const bool is_local = target->name.starts_with("local ");
      const bool is_part = system.world().part_of(target) >= 0;
      if (!is_local && !is_part) continue;
      const auto told = told_afterwards(system, it, value);
      if (told && facts.size() < kMostFacts) add_new(facts, system.pool().eq(target, *told));
      for (const auto& [other, same] : changes) {  // what was read is what is there
        if (is_local && other != target && same == value && facts.size() < kMostFacts && other->sort == target->sort)
          add_new(facts, system.pool().eq(target, other));
      }
    }
    // A condition on what was read is one on the local variable that it went to.
    Substitution went_to;
    for (const auto& [target, value] : changes) {
      const bool is_plain = value->op == Op::kNumber || value->op == Op::kTrue || value->op == Op::kFalse;
      if (target->name.starts_with("local ") && !is_plain) went_to.emplace(value, target);
    }
    for (Term condition : it.step.assumptions) {
      const Term said = system.pool().substitute(condition, went_to);
      const auto is_new = [&](Term constant) {  // it is what the step gave it
        return std::any_of(went_to.begin(), went_to.end(), [&](const auto& each) { return each.second == constant; });
      };
      const std::vector<Term> constants = formula::constants_of(said);
      const bool is_told = std::all_of(constants.begin(), constants.end(),
                                       [&](Term constant) { return is_new(constant) || stays(system, it, constant); });
      if (is_told && facts.size() < kMostFacts) add_new(facts, said);
      const auto told = told_afterwards(system, it, condition);
      if (told && facts.size() < kMostFacts) add_new(facts, *told);
    }
  }
  for (int round = 0; round < 4; ++round) {
    for (const Transition& it : system.transitions()) {
      if (it.way->to == Positions::kEnd || it.way->from == Positions::kEntry) continue;
      std::vector<Term>& facts = stop(it, it.way->to);
      const std::vector<Term> before = stop(it, it.way->from);
      for (Term fact : before) {
        const auto told = told_afterwards(system, it, fact);
        if (told && facts.size() < kMostFacts) add_new(facts, *told);
      }
    }
  }
  return out;
}

}  // namespace concord::engine::dynamic
