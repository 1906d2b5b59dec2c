#include "sequential/passive.h"

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/check.h"

namespace concord::sequential {

namespace {

using formula::Pool;
using formula::Substitution;
using Variables = std::unordered_set<Term>;

class Passifier {
 public:
  Passifier(Pool& pool, const Program& program)
      : pool_(pool),
        program_(program),
        all_(program.variables.begin(), program.variables.end()),
        out_{{}, {}, {}, Points(pool.truth(true)), {}, {}, {}, {}, {}} {}

  Passive make() {
    for (int i = 0; i < program_.premises; ++i) out_.premises.push_back(literal("premise"));
    for (Term axiom : program_.axioms) add_formula(pool_.truth(true), axiom);
    find_order();
    computed_ = live(true);
    live_ = live(false);
    find_changed();
    arrivals_.resize(program_.blocks.size());
    for (const int block : order_) pass(block);
    check_passive();
    return std::move(out_);
  }

 private:
  // One way into a block: the values there, and what is true when the run comes that way.
  struct Arrival {
    Term here;
    Substitution values;
  };

  // ---- the graph

  const Block& block(int index) const { return program_.blocks[static_cast<std::size_t>(index)]; }

  // Reverse postorder without the edges that close a loop. Of several successors the one with the longest way still to go
  // comes last, so that most of the time all that is left is behind one point.
  void find_order() {
    successors_.clear();
    for (const Block& it : program_.blocks) successors_.push_back(it.successors);
    search();
    std::vector<int> length(program_.blocks.size(), 0);
    for (std::size_t n = order_.size(); n-- > 0;) {
      const int at = order_[n];
      for (const int next : block(at).successors) {
        if (closes(at, next)) continue;
        length[static_cast<std::size_t>(at)] =
            std::max(length[static_cast<std::size_t>(at)], length[static_cast<std::size_t>(next)] + 1);
      }
    }
    for (std::vector<int>& it : successors_) {
      std::stable_sort(it.begin(), it.end(), [&](int a, int b) {
        return length[static_cast<std::size_t>(a)] > length[static_cast<std::size_t>(b)];
      });
    }
    search();
  }

  void search() {
    order_.clear();
    closing_.clear();
    const std::size_t count = program_.blocks.size();
    std::vector<int> state(count, 0);  // 0 new, 1 open, 2 done
    std::vector<std::pair<int, std::size_t>> stack{{0, 0}};
    state[0] = 1;
    while (!stack.empty()) {
      auto& [at, next] = stack.back();
      const std::vector<int>& successors = successors_[static_cast<std::size_t>(at)];
      if (next == successors.size()) {
        state[static_cast<std::size_t>(at)] = 2;
        order_.push_back(at);
        stack.pop_back();
        continue;
      }
      const int target = successors[next++];
      const int seen = state[static_cast<std::size_t>(target)];
      if (seen == 1) {
        CONCORD_CHECK(block(target).is_loop_head, "a cycle without a loop head");
        closing_.emplace(at, target);
      } else if (seen == 0) {
        state[static_cast<std::size_t>(target)] = 1;
        stack.emplace_back(target, 0);
      }
    }
    std::reverse(order_.begin(), order_.end());
  }

  bool closes(int from, int to) const {
    const auto [begin, end] = closing_.equal_range(from);
    return std::any_of(begin, end, [&](const auto& it) { return it.second == to; });
  }

  void add_uses(Term term, Variables& live) const {
    for (Term it : formula::constants_of(term)) {
      if (all_.contains(it)) live.insert(it);
    }
  }

  // By block: the variables that are still read after its beginning; to compute, or also for messages and candidates.
  std::vector<Variables> live(bool to_compute) const {
    std::vector<Variables> out(program_.blocks.size());
    const auto add_shown = [&](int obligation, Variables& into) {
      if (to_compute) return;
      for (Term shown : program_.shown[static_cast<std::size_t>(obligation)]) add_uses(shown, into);
    };
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t n = order_.size(); n-- > 0;) {
        const int at = order_[n];
        Variables now;
        for (const int next : block(at).successors) {
          now.insert(out[static_cast<std::size_t>(next)].begin(), out[static_cast<std::size_t>(next)].end());
        }
        for (std::size_t c = block(at).commands.size(); c-- > 0;) {
          const Command& command = block(at).commands[c];
          if (command.variable != nullptr) now.erase(command.variable);
          if (command.term != nullptr && !(to_compute && command.is_aside)) add_uses(command.term, now);
          if (command.kind == Command::Kind::kAssert) add_shown(command.tag, now);
        }
        for (const Invariant& invariant : block(at).invariants) {
          if (invariant.obligation >= 0) add_shown(invariant.obligation, now);
          if (invariant.obligation >= 0 || (!to_compute && is_of_use(at, invariant))) add_uses(invariant.term, now);
        }
        Variables& known = out[static_cast<std::size_t>(at)];
        if (now.size() == known.size()) continue;
        known = std::move(now);
        changed = true;
      }
    }
    return out;
  }

  // Which variables each loop changes: those changed in blocks from which its head can be reached again.
  void find_changed() {
    std::vector<std::vector<int>> predecessors(program_.blocks.size());
    for (const int at : order_) {
      for (const int next : block(at).successors) predecessors[static_cast<std::size_t>(next)].push_back(at);
    }
    for (const auto& [source, head] : closing_) {
      std::unordered_set<int> inside{head};
      std::vector<int> open{source};
      while (!open.empty()) {
        const int at = open.back();
        open.pop_back();
        if (!inside.insert(at).second) continue;
        const auto& before = predecessors[static_cast<std::size_t>(at)];
        open.insert(open.end(), before.begin(), before.end());
      }
      for (const int at : inside) {
        for (const Command& command : block(at).commands) {
          if (command.variable != nullptr) changed_[head].insert(command.variable);
        }
      }
    }
  }

  // Every variable has been replaced by a value.
  void check_passive() const {
    std::unordered_set<Term> seen;
    std::vector<Term> open;
    for (const Item& item : out_.items) {
      for (Term root : {item.formula, item.claim.here, item.claim.claim}) {
        if (root != nullptr) open.push_back(root);
      }
      open.insert(open.end(), item.claim.shown.begin(), item.claim.shown.end());
      while (!open.empty()) {
        const Term top = open.back();
        open.pop_back();
        if (!seen.insert(top).second) continue;
        CONCORD_CHECK(!all_.contains(top), "a variable in passive form: " + top->name);
        open.insert(open.end(), top->args.begin(), top->args.end());
      }
    }
  }

  // ---- the formulas

  void add_formula(Term point, Term formula) {
    if (formula == pool_.truth(true)) return;
    Item item;
    item.point = point;
    item.formula = formula;
    out_.items.push_back(std::move(item));
  }

  void add_claim(Claim claim) {
    Item item;
    item.kind = Item::Kind::kClaim;
    item.point = claim.here;
    item.claim = std::move(claim);
    out_.items.push_back(std::move(item));
  }

  Term literal(const char* name) { return pool_.fresh(name, pool_.boolean()); }
  Term value(Term term, const Substitution& values) { return pool_.substitute(term, values); }

  Term any_value(Term variable) {
    const Term out = pool_.fresh(variable->name, variable->sort);
    const bool is_array = variable->sort->kind == formula::SortNode::Kind::kArray;
    if (!is_array && !program_.fleeting.contains(variable)) out_.values.insert(out);
    if (started_) out_.later.insert(out);
    return out;
  }

  // A point that is reached only from another one.
  Term point(const char* name, Term above) {
    const Term out = literal(name);
    add_formula(out, pool_.implies(out, above));
    out_.points.add(out, above, {above});
    out_.block_of[out] = at_;
    return out;
  }

  // Arrays get names, so that the patterns of quantifiers mention names and not how an array came about.
  Term named(Term here, Term variable, Term value) {
    if (value->op == formula::Op::kConst || value->sort->kind != formula::SortNode::Kind::kArray) return value;
    const Term name = pool_.fresh(variable->name, variable->sort);
    out_.later.insert(name);
    add_formula(here, pool_.eq(name, value));
    return name;
  }

  void claim_obligation(Term here, Term term, int tag, const Substitution& values) {
    Claim claim;
    claim.here = here;
    claim.claim = value(term, values);
    claim.tag = tag;
    for (Term shown : program_.shown[static_cast<std::size_t>(tag)]) claim.shown.push_back(value(shown, values));
    add_claim(std::move(claim));
  }

  bool is_of_use(int head, const Invariant& it) const {
    return it.about == nullptr || computed_[static_cast<std::size_t>(head)].contains(it.about);
  }

  // The invariants of a head, claimed on one way to it.
  void claim_invariants(int head, const Arrival& arrival) {
    const std::vector<Invariant>& invariants = block(head).invariants;
    for (std::size_t i = 0; i < invariants.size(); ++i) {
      if (invariants[i].obligation >= 0) {
        claim_obligation(arrival.here, invariants[i].term, invariants[i].obligation, arrival.values);
        continue;
      }
      if (!is_of_use(head, invariants[i])) continue;
      Claim claim;
      claim.kind = Claim::Kind::kCandidate;
      claim.here = arrival.here;
      claim.claim = value(invariants[i].term, arrival.values);
      claim.candidate = candidate_of(head, static_cast<int>(i));
      add_claim(std::move(claim));
    }
  }

  int candidate_of(int head, int index) {
    const auto [found, is_new] = numbers_.emplace(std::pair(head, index), static_cast<int>(out_.candidates.size()));
    if (is_new) {
      out_.candidates.push_back(
          {head, index, literal("believed"), &block(head).invariants[static_cast<std::size_t>(index)]});
    }
    return found->second;
  }

  // Where several ways meet: one set of values for all.
  Arrival joined(int at, const std::vector<Arrival>& ways) {
    if (ways.size() == 1) return ways.front();
    Arrival out;
    out.here = literal("at");
    Term above = ways.front().here;
    std::vector<Term> from;
    for (const Arrival& way : ways) {
      above = out_.points.common(above, way.here);
      from.push_back(way.here);
    }
    out_.points.add(out.here, above, std::move(from));
    out_.block_of[out.here] = at_;
    std::vector<Term> any;
    std::vector<std::vector<Term>> facts(ways.size());
    for (Term variable : sorted(live_[static_cast<std::size_t>(at)])) {
      const Term first = value(variable, ways.front().values);
      const bool differs = std::any_of(ways.begin(), ways.end(),
                                       [&](const Arrival& way) { return value(variable, way.values) != first; });
      if (!differs) {
        out.values[variable] = first;
        continue;
      }
      const Term merged = any_value(variable);
      out.values[variable] = merged;
      for (std::size_t i = 0; i < ways.size(); ++i) {
        facts[i].push_back(pool_.eq(merged, value(variable, ways[i].values)));
      }
    }
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Term way = literal("way");
      facts[i].push_back(ways[i].here);
      add_formula(out.here, pool_.implies(way, pool_.and_(facts[i])));
      any.push_back(way);
    }
    add_formula(out.here, pool_.implies(out.here, pool_.or_(any)));
    return out;
  }

  static std::vector<Term> sorted(const Variables& variables) {
    std::vector<Term> out(variables.begin(), variables.end());
    std::sort(out.begin(), out.end(), [](Term a, Term b) { return a->id < b->id; });
    return out;
  }

  void enter_loop(int head, Arrival& at) {
    for (Term variable : sorted(changed_[head])) at.values[variable] = any_value(variable);
    const std::vector<Invariant>& invariants = block(head).invariants;
    const Term before = at.here;
    at.here = point("head", before);
    out_.heads.emplace(at.here, head);
    if (block(head).is_landmark) out_.landmarks.insert(at.here);
    for (std::size_t i = 0; i < invariants.size(); ++i) {
      const Invariant& it = invariants[i];
      if (!is_of_use(head, it)) continue;
      const Term when =
          it.obligation < 0
              ? out_.candidates[static_cast<std::size_t>(candidate_of(head, static_cast<int>(i)))].selector
          : it.premise >= 0 ? out_.premises[static_cast<std::size_t>(it.premise)]
                            : pool_.truth(true);
      add_formula(at.here, pool_.implies(pool_.and_(at.here, when), value(it.term, at.values)));
    }
  }

  void pass(int index) {
    at_ = index;
    const std::vector<Arrival> ways = std::move(arrivals_[static_cast<std::size_t>(index)]);
    Arrival at;
    if (index == 0) {
      at.here = pool_.truth(true);
      for (Term variable : program_.variables) at.values[variable] = any_value(variable);
      started_ = true;
    } else {
      CONCORD_CHECK(!ways.empty(), "a block nobody comes to");
      if (block(index).is_loop_head) {
        for (const Arrival& way : ways) claim_invariants(index, way);
      }
      at = joined(index, ways);
    }
    if (block(index).is_loop_head) enter_loop(index, at);
    bool open = false;
    for (const Command& command : block(index).commands) perform(command, at, open);
    for (const int next : block(index).successors) {
      if (closes(index, next)) {
        claim_invariants(next, at);
      } else {
        arrivals_[static_cast<std::size_t>(next)].push_back(at);
      }
    }
  }

  // `open`: the stretch began in this block and nothing was claimed in it yet, so it may still be told more.
  void perform(const Command& command, Arrival& at, bool& open) {
    switch (command.kind) {
      case Command::Kind::kAssign:
        at.values[command.variable] = named(at.here, command.variable, value(command.term, at.values));
        return;
      case Command::Kind::kHavoc:
      case Command::Kind::kChange: at.values[command.variable] = any_value(command.variable); return;
      case Command::Kind::kProbe: {
        Claim claim;
        claim.kind = Claim::Kind::kProbe;
        claim.here = at.here;
        claim.claim = pool_.truth(false);
        claim.tag = command.tag;
        add_claim(std::move(claim));
        open = false;
        return;
      }
      case Command::Kind::kAssert:
        claim_obligation(at.here, command.term, command.tag, at.values);
        open = false;
        break;
      case Command::Kind::kAssume: break;
    }
    const Term formula = value(command.term, at.values);
    if (formula == pool_.truth(true)) return;
    if (!open) at.here = point("at", at.here);
    open = true;
    const int premise = command.kind == Command::Kind::kAssume ? command.tag : command.premise;
    const Term when = premise >= 0 ? out_.premises[static_cast<std::size_t>(premise)] : pool_.truth(true);
    add_formula(at.here, pool_.implies(pool_.and_(at.here, when), formula));
  }

  Pool& pool_;
  const Program& program_;
  const Variables all_;
  bool started_ = false;  // the values of the beginning are there
  Passive out_;
  std::vector<std::vector<int>> successors_;  // by block, in the order of the search
  std::vector<int> order_;
  int at_ = 0;  // the block that is passed
  std::unordered_multimap<int, int> closing_;
  std::vector<Variables> computed_;  // by block: what is still read to compute
  std::vector<Variables> live_;      // by block: what is still read
  std::unordered_map<int, Variables> changed_;
  std::vector<std::vector<Arrival>> arrivals_;
  std::map<std::pair<int, int>, int> numbers_;  // of candidates, by head and index
};

}  // namespace

Term Points::common(Term one, Term other) const {
  while (one != other) {
    Term& lower = depth(one) < depth(other) ? other : one;
    lower = above_.at(lower).point;
  }
  return one;
}

Passive make_passive(Pool& pool, const Program& program) { return Passifier(pool, program).make(); }

}  // namespace concord::sequential
