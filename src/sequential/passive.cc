#include "sequential/passive.h"

#include <algorithm>
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
        out_{{}, {}, {}, Points(pool.truth(true))} {}

  Passive make() {
    for (int i = 0; i < program_.premises; ++i) out_.premises.push_back(literal("premise"));
    for (Term axiom : program_.axioms) add_formula(axiom);
    find_order();
    find_live();
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

  // Which variables are still read after the beginning of each block.
  void find_live() {
    live_.resize(program_.blocks.size());
    bool changed = true;
    while (changed) {
      changed = false;
      for (std::size_t n = order_.size(); n-- > 0;) {
        const int at = order_[n];
        Variables live;
        for (const int next : block(at).successors) {
          live.insert(live_[static_cast<std::size_t>(next)].begin(), live_[static_cast<std::size_t>(next)].end());
        }
        for (std::size_t c = block(at).commands.size(); c-- > 0;) {
          const Command& command = block(at).commands[c];
          if (command.variable != nullptr) live.erase(command.variable);
          if (command.term != nullptr) add_uses(command.term, live);
          if (command.kind == Command::Kind::kAssert) {
            for (Term shown : program_.shown[static_cast<std::size_t>(command.tag)]) add_uses(shown, live);
          }
        }
        for (const Invariant& invariant : block(at).invariants) {
          add_uses(invariant.term, live);
          if (invariant.obligation < 0) continue;
          for (Term shown : program_.shown[static_cast<std::size_t>(invariant.obligation)]) add_uses(shown, live);
        }
        Variables& known = live_[static_cast<std::size_t>(at)];
        if (live.size() == known.size()) continue;
        known = std::move(live);
        changed = true;
      }
    }
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

  void add_formula(Term formula) {
    if (formula == pool_.truth(true)) return;
    Item item;
    item.formula = formula;
    out_.items.push_back(std::move(item));
  }

  void add_claim(Claim claim) {
    Item item;
    item.kind = Item::Kind::kClaim;
    item.claim = std::move(claim);
    out_.items.push_back(std::move(item));
  }

  Term literal(const char* name) { return pool_.fresh(name, pool_.boolean()); }
  Term value(Term term, const Substitution& values) { return pool_.substitute(term, values); }

  // A point that is reached only from another one.
  Term point(const char* name, Term above) {
    const Term out = literal(name);
    add_formula(pool_.implies(out, above));
    out_.points.add(out, above);
    return out;
  }

  // Arrays get names, so that the patterns of quantifiers mention names and not how an array came about.
  Term named(Term variable, Term value) {
    if (value->op == formula::Op::kConst || value->sort->kind != formula::SortNode::Kind::kArray) return value;
    const Term name = pool_.fresh(variable->name, variable->sort);
    add_formula(pool_.eq(name, value));
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

  // The invariants of a head, claimed on one way to it.
  void claim_invariants(int head, const Arrival& arrival) {
    const std::vector<Invariant>& invariants = block(head).invariants;
    for (std::size_t i = 0; i < invariants.size(); ++i) {
      if (invariants[i].obligation >= 0) {
        claim_obligation(arrival.here, invariants[i].term, invariants[i].obligation, arrival.values);
        continue;
      }
      Claim claim;
      claim.kind = Claim::Kind::kCandidate;
      claim.here = arrival.here;
      claim.claim = value(invariants[i].term, arrival.values);
      claim.candidate = candidate_of(head, static_cast<int>(i));
      add_claim(std::move(claim));
    }
  }

  int candidate_of(int head, int index) {
    for (std::size_t i = 0; i < out_.candidates.size(); ++i) {
      if (out_.candidates[i].block == head && out_.candidates[i].index == index) return static_cast<int>(i);
    }
    out_.candidates.push_back({head, index, literal("believed")});
    return static_cast<int>(out_.candidates.size()) - 1;
  }

  // Where several ways meet: one set of values for all.
  Arrival joined(int at, const std::vector<Arrival>& ways) {
    if (ways.size() == 1) return ways.front();
    Arrival out;
    out.here = literal("at");
    Term above = ways.front().here;
    for (const Arrival& way : ways) above = out_.points.common(above, way.here);
    out_.points.add(out.here, above);
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
      const Term merged = pool_.fresh(variable->name, variable->sort);
      out.values[variable] = merged;
      for (std::size_t i = 0; i < ways.size(); ++i) {
        facts[i].push_back(pool_.eq(merged, value(variable, ways[i].values)));
      }
    }
    for (std::size_t i = 0; i < ways.size(); ++i) {
      const Term way = literal("way");
      facts[i].push_back(ways[i].here);
      add_formula(pool_.implies(way, pool_.and_(facts[i])));
      any.push_back(way);
    }
    add_formula(pool_.implies(out.here, pool_.or_(any)));
    return out;
  }

  static std::vector<Term> sorted(const Variables& variables) {
    std::vector<Term> out(variables.begin(), variables.end());
    std::sort(out.begin(), out.end(), [](Term a, Term b) { return a->id < b->id; });
    return out;
  }

  void enter_loop(int head, Arrival& at) {
    for (Term variable : sorted(changed_[head])) at.values[variable] = pool_.fresh(variable->name, variable->sort);
    const std::vector<Invariant>& invariants = block(head).invariants;
    const Term before = at.here;
    at.here = point("head", before);
    for (std::size_t i = 0; i < invariants.size(); ++i) {
      const Invariant& it = invariants[i];
      const Term when =
          it.obligation < 0
              ? out_.candidates[static_cast<std::size_t>(candidate_of(head, static_cast<int>(i)))].selector
          : it.premise >= 0 ? out_.premises[static_cast<std::size_t>(it.premise)]
                            : pool_.truth(true);
      add_formula(pool_.implies(pool_.and_(at.here, when), value(it.term, at.values)));
    }
  }

  void pass(int index) {
    const std::vector<Arrival> ways = std::move(arrivals_[static_cast<std::size_t>(index)]);
    Arrival at;
    if (index == 0) {
      at.here = pool_.truth(true);
      for (Term variable : program_.variables) at.values[variable] = pool_.fresh(variable->name, variable->sort);
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
        at.values[command.variable] = named(command.variable, value(command.term, at.values));
        return;
      case Command::Kind::kHavoc:
        at.values[command.variable] = pool_.fresh(command.variable->name, command.variable->sort);
        return;
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
    add_formula(pool_.implies(pool_.and_(at.here, when), formula));
  }

  Pool& pool_;
  const Program& program_;
  const Variables all_;
  Passive out_;
  std::vector<std::vector<int>> successors_;  // by block, in the order of the search
  std::vector<int> order_;
  std::unordered_multimap<int, int> closing_;
  std::vector<Variables> live_;
  std::unordered_map<int, Variables> changed_;
  std::vector<std::vector<Arrival>> arrivals_;
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
