#include "engine/shape/closure.h"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/shape/build.h"
#include "engine/shape/evaluate.h"

namespace concord::engine::shape {

namespace {

using Rows = std::array<Row, Structure::kMostIndividuals>;

Bits bit(int individual) { return Bits{1} << static_cast<unsigned>(individual); }
std::size_t place(int individual) { return static_cast<std::size_t>(individual); }

Row& operator|=(Row& a, const Row& b) {
  a.may |= b.may, a.must |= b.must;
  return a;
}

// The individual itself, or those of the row.
Row or_itself(const Row& row, int individual, const Structure& structure) {
  const Bits itself = bit(individual);
  return {row.may | itself, row.must | (structure.is_summary(individual) ? 0 : itself)};
}

// All of the row, if the value is true; none, if it is false.
Row if_so(Kleene value, const Row& row) {
  return {value == Kleene::kFalse ? 0 : row.may, value == Kleene::kTrue ? row.must : 0};
}

Row without(const Row& row, const Row& removed) { return {row.may & ~removed.must, row.must & ~removed.may}; }

bool is_atom(const Formula& formula, std::size_t arguments) {
  return formula.kind == Formula::Kind::kAtom && formula.variables.size() == arguments;
}

}  // namespace

// -------------------------------------------------------------------------------------------------------- definitions

FormulaPtr closure_definition(int relation, const Variable& from, const Variable& to) {
  return make(Formula::Kind::kClosure, {from, to, "c'", "d'"}, {atom(relation, {"c'", "d'"})});
}

FormulaPtr reached_definition(int from, bool is_from_relation, int closure, const Variable& whom) {
  const FormulaPtr follows = disjunction({equal("a'", whom), atom(closure, {"a'", whom})});
  if (!is_from_relation) return exists({"a'"}, conjunction({atom(from, {"a'"}), follows}));
  return exists({"u'", "a'"}, conjunction({atom(from, {"u'", "a'"}), follows}));
}

FormulaPtr ordered_definition(int first, int second, int closure, const Variable& whose) {
  return exists({"u'", "v'"},
                conjunction({atom(first, {whose, "u'"}), atom(second, {whose, "v'"}), atom(closure, {"u'", "v'"})}));
}

std::optional<Closure> closure_of(const System& system, int predicate) {
  const Predicate& it = system.predicates[place(predicate)];
  if (!it.definition || it.definition->kind != Formula::Kind::kClosure || it.variables.size() != 2) return std::nullopt;
  const std::vector<Variable>& all = it.definition->variables;
  const Formula& step = *it.definition->parts.front();
  const bool is_plain = all[0] == it.variables[0] && all[1] == it.variables[1] && all[0] != all[1] &&
                        is_atom(step, 2) && step.variables[0] == all[2] && step.variables[1] == all[3] &&
                        all[2] != all[3];
  if (!is_plain || !system.predicates[place(step.predicate)].is_function) return std::nullopt;
  return Closure{predicate, step.predicate, it.is_antireflexive};
}

std::optional<Reached> reached_of(const System& system, int predicate) {
  const Predicate& it = system.predicates[place(predicate)];
  if (!it.definition || it.variables.size() != 1 || it.definition->kind != Formula::Kind::kExists) return std::nullopt;
  const std::vector<Variable>& bound = it.definition->variables;
  const Variable& whom = it.variables.front();
  const Formula& body = *it.definition->parts.front();
  if (bound.size() > 2 || (bound.size() == 2 && bound[0] == bound[1])) return std::nullopt;
  if (std::find(bound.begin(), bound.end(), whom) != bound.end()) return std::nullopt;
  if (body.kind != Formula::Kind::kAnd || body.parts.size() != 2) return std::nullopt;
  const Formula& from = *body.parts[0];
  const Formula& follows = *body.parts[1];
  if (!is_atom(from, bound.size()) || from.variables != bound) return std::nullopt;
  if (follows.kind != Formula::Kind::kOr || follows.parts.size() != 2) return std::nullopt;
  const std::vector<Variable> ends{bound.back(), whom};
  const Formula& same = *follows.parts[0];
  const Formula& path = *follows.parts[1];
  const bool fits = same.kind == Formula::Kind::kEqual && same.variables == ends && is_atom(path, 2) &&
                    path.variables == ends && closure_of(system, path.predicate);
  if (!fits) return std::nullopt;
  return Reached{predicate, from.predicate, bound.size() == 2, path.predicate};
}

std::optional<Ordered> ordered_of(const System& system, int predicate) {
  const Predicate& it = system.predicates[place(predicate)];
  if (!it.definition || it.variables.size() != 1 || it.definition->kind != Formula::Kind::kExists) return std::nullopt;
  const std::vector<Variable>& bound = it.definition->variables;
  const Variable& whose = it.variables.front();
  const Formula& body = *it.definition->parts.front();
  if (bound.size() != 2 || bound[0] == bound[1] || std::find(bound.begin(), bound.end(), whose) != bound.end())
    return std::nullopt;
  if (body.kind != Formula::Kind::kAnd || body.parts.size() != 3) return std::nullopt;
  const auto is = [&](std::size_t part, const Variable& from, const Variable& to) {
    return is_atom(*body.parts[part], 2) && body.parts[part]->variables == std::vector<Variable>{from, to};
  };
  if (!is(0, whose, bound[0]) || !is(1, whose, bound[1]) || !is(2, bound[0], bound[1])) return std::nullopt;
  const auto is_function = [&](int number) { return system.predicates[place(number)].is_function; };
  const Ordered out{predicate, body.parts[0]->predicate, body.parts[1]->predicate, body.parts[2]->predicate};
  if (!is_function(out.first) || !is_function(out.second) || !closure_of(system, out.closure)) return std::nullopt;
  return out;
}

// ------------------------------------------------------------------------------------------------------------- updates

namespace {

// By definition: those that one step or more leads to.
Row followed(const Structure& structure, int relation, int from) {
  Row out = structure.row(relation, from);
  Bits done = 0;
  while ((out.may & ~done) != 0) {
    const int next = __builtin_ctzll(out.may & ~done);
    done |= bit(next);
    out.may |= structure.row(relation, next).may;
  }
  done = 0;
  while ((out.must & ~done) != 0) {
    const int next = __builtin_ctzll(out.must & ~done);
    done |= bit(next);
    out.must |= structure.row(relation, next).must;
  }
  return out;
}

}  // namespace

Touched settle(const Closure& closure, const Touched& relation, const Structure& before, Structure& after) {
  const int size = before.size();
  Touched out;
  out.comes.assign(place(size), 0);
  out.goes.assign(place(size), 0);
  Bits sources = 0;
  for (int x = 0; x < size; ++x) {
    if ((relation.comes[place(x)] | relation.goes[place(x)]) != 0) sources |= bit(x);
  }
  if (sources == 0) return out;
  const int source = __builtin_ctzll(sources);
  const bool is_one = sources == bit(source) && !before.is_summary(source);
  const bool may_be_cut = is_one && before.get(closure.predicate, source, source) == Kleene::kFalse;
  const Row beyond = before.row(closure.predicate, source);  // what its old edge leads to
  // Without that edge.
  const auto cut = [&](int u) {
    if (u == source) return Row{};
    return without(before.row(closure.predicate, u), if_so(before.get(closure.predicate, u, source), beyond));
  };
  // What its new edge leads to.
  Row ahead;
  for_each_bit(may_be_cut ? after.row(closure.relation, source).may : 0,
               [&](int y) { ahead |= if_so(after.get(closure.relation, source, y), or_itself(cut(y), y, before)); });
  for (int u = 0; u < size; ++u) {
    const Row old = before.row(closure.predicate, u);
    if ((old.may & sources) == 0 && (sources & bit(u)) == 0) continue;  // it leads to no source
    Row& now = after.row(closure.predicate, u);
    if (!may_be_cut) {
      now = followed(after, closure.relation, u);
      out.comes[place(u)] = now.may & ~old.must;
      out.goes[place(u)] = old.may & ~now.must;
      continue;
    }
    const Kleene leads = u == source ? Kleene::kTrue : at(old, source);
    const Row added = if_so(leads, ahead);
    now = cut(u);
    now |= added;
    out.comes[place(u)] = added.may & ~old.must;
    out.goes[place(u)] = if_so(leads, beyond).may & old.may & ~added.must;
  }
  return out;
}

namespace {

// Calls visit(row) for each row of what it begins with: one of a property, one for each individual of a relation.
template <class Visit>
void for_each_row(const Reached& reached, const Structure& structure, Visit&& visit) {
  for (int u = 0; u < (reached.is_from_relation ? structure.size() : 1); ++u) visit(u, structure.row(reached.from, u));
}

// The individuals that it begins with.
Row beginnings(const Reached& reached, const Structure& structure) {
  Row out;
  for_each_row(reached, structure, [&](int, const Row& row) { out |= row; });
  return out;
}

// Those reached from these, by the definition.
Row reached_from(const Row& begin, int closure, const Structure& structure) {
  Row out;
  for_each_bit(begin.may,
               [&](int a) { out |= if_so(at(begin, a), or_itself(structure.row(closure, a), a, structure)); });
  return out;
}

}  // namespace

void settle(const Reached& reached, bool from_changes, const Touched* from, const Touched* closure,
            const Structure& before, Structure& after) {
  const Row then = beginnings(reached, before);
  const Row now = beginnings(reached, after);
  Row comes;  // the individuals that it may begin with, or not, otherwise than before
  Row goes;
  if (from_changes && from == nullptr) {
    comes.may = now.may & ~then.must;
    goes.may = then.may & ~now.must;
  }
  for (int u = 0; from != nullptr && u < before.size(); ++u) {
    comes.may |= from->comes[place(u)];
    goes.may |= from->goes[place(u)];
  }
  Bits coming = reached_from(comes, reached.closure, after).may;
  Bits going = reached_from(goes, reached.closure, before).may;
  for (int a = 0; closure != nullptr && a < before.size(); ++a) {
    if ((now.may & bit(a)) != 0) coming |= closure->comes[place(a)];
    if ((then.may & bit(a)) != 0) going |= closure->goes[place(a)];
  }
  const Row old = before.row(reached.predicate);
  const Row said = reached_from(now, reached.closure, after);
  const Bits stays = (old.must & ~going) | (~old.may & ~coming) | ~(coming | going);
  after.row(reached.predicate) = {(old.may & stays) | (said.may & ~stays), (old.must & stays) | (said.must & ~stays)};
}

namespace {

// By the definition.
Kleene is_ordered(const Ordered& ordered, int whose, const Structure& structure) {
  Kleene out = Kleene::kFalse;
  const Row& seconds = structure.row(ordered.second, whose);
  for_each_bit(structure.row(ordered.first, whose).may, [&](int u) {
    const Row& leads = structure.row(ordered.closure, u);
    if ((leads.may & seconds.may) == 0 || out == Kleene::kTrue) return;
    const bool is_sure = structure.get(ordered.first, whose, u) == Kleene::kTrue && (leads.must & seconds.must) != 0;
    out = is_sure ? Kleene::kTrue : Kleene::kUnknown;
  });
  return out;
}

bool is_touched(const Touched* touched, int first, Bits second = ~Bits{0}) {
  return touched != nullptr && ((touched->comes[place(first)] | touched->goes[place(first)]) & second) != 0;
}

}  // namespace

void settle(const Ordered& ordered, const Touched* first, const Touched* second, const Touched* closure,
            const Structure& before, Structure& after) {
  for (int w = 0; w < before.size(); ++w) {
    bool is_changed = is_touched(first, w) || is_touched(second, w);
    const Bits seconds = before.row(ordered.second, w).may;
    for_each_bit(before.row(ordered.first, w).may,
                 [&](int u) { is_changed = is_changed || is_touched(closure, u, seconds); });
    if (is_changed) after.set(ordered.predicate, w, is_ordered(ordered, w, after));
  }
}

// ---------------------------------------------------------------------------------------------------------- sharpening

namespace {

// What a closure t of a function f is besides transitive, in its rows and those of the function. Each rule holds of every function
// and its closure.
class Sharpening {
 public:
  Sharpening(const Closure& closure, Structure& structure)
      : structure_(structure),
        closure_(closure),
        size_(structure.size()),
        summaries_(structure.row(structure.layout().sm()).may) {
    for (int i = 0; i < size_; ++i) t_[place(i)] = structure.row(closure.predicate, i);
    for (int i = 0; i < size_; ++i) f_[place(i)] = structure.row(closure.relation, i);
  }

  Sharpened run() {
    Sharpened out;
    while (is_changed_) {
      is_changed_ = false;
      follow_steps();
      transit();
      follow_function();
      order();
      part_from_cycles();
      come_by_only_way();
      for (int i = 0; i < size_; ++i) {
        const bool is_broken =
            (t_[place(i)].must & ~t_[place(i)].may) != 0 || (f_[place(i)].must & ~f_[place(i)].may) != 0;
        if (is_broken) return {true, false, false};
      }
    }
    for (int i = 0; i < size_; ++i) {
      Row& t = structure_.row(closure_.predicate, i);
      Row& f = structure_.row(closure_.relation, i);
      out.closure = out.closure || !(t == t_[place(i)]);
      out.relation = out.relation || !(f == f_[place(i)]);
      t = t_[place(i)];
      f = f_[place(i)];
    }
    return out;
  }

 private:
  void hold(Row& row, Bits which) {
    is_changed_ = is_changed_ || (which & ~row.must) != 0;
    row.must |= which;
  }
  void keep(Row& row, Bits which) {
    is_changed_ = is_changed_ || (row.may & ~which) != 0;
    row.may &= which;
  }
  Bits into(const Rows& rows, int target) const {
    Bits out = 0;
    for (int i = 0; i < size_; ++i) {
      if ((rows[place(i)].may & bit(target)) != 0) out |= bit(i);
    }
    return out;
  }
  bool is_single(int individual) const { return (summaries_ & bit(individual)) == 0; }

  // A step is on the way; where no steps lead there is no way.
  void follow_steps() {
    for (int u = 0; u < size_; ++u) {
      Bits led = f_[place(u)].may;
      Bits done = 0;
      while ((led & ~done) != 0) {
        const int next = __builtin_ctzll(led & ~done);
        done |= bit(next);
        led |= f_[place(next)].may;
      }
      keep(t_[place(u)], led);
      hold(t_[place(u)], f_[place(u)].must);
      keep(f_[place(u)], t_[place(u)].may);
    }
  }

  // t(a, b) & t(b, c) ==> t(a, c)
  void transit() {
    for (int a = 0; a < size_; ++a) {
      for_each_bit(t_[place(a)].must, [&](int b) {
        hold(t_[place(a)], t_[place(b)].must);
        keep(t_[place(b)], t_[place(a)].may);
      });
      for_each_bit(t_[place(a)].may, [&](int b) {
        if ((t_[place(b)].must & ~t_[place(a)].may) != 0) keep(t_[place(a)], ~bit(b));
      });
    }
  }

  // f(u, w) ==> (t(u, v) <==> v == w | t(w, v)); w is single. A way begins with some step.
  void follow_function() {
    for (int u = 0; u < size_; ++u) {
      Row& from_u = t_[place(u)];
      for_each_bit(f_[place(u)].must, [&](int w) {
        Row& from_w = t_[place(w)];
        const Bits itself = bit(w);
        hold(from_u, from_w.must | itself);
        keep(from_u, from_w.may | itself);
        hold(from_w, from_u.must & ~itself);
        keep(from_w, from_u.may | itself);
      });
      Bits begun = 0;
      for_each_bit(f_[place(u)].may, [&](int w) { begun |= bit(w) | t_[place(w)].may; });
      keep(from_u, begun);
    }
  }

  // t(u, v) & t(u, w) & v != w ==> t(v, w) | t(w, v)
  void order() {
    for (int u = 0; u < size_; ++u) {
      for_each_bit(t_[place(u)].must, [&](int v) {
        const Bits others = t_[place(u)].must & ~bit(v);
        for_each_bit(others & ~t_[place(v)].may, [&](int w) { hold(t_[place(w)], bit(v)); });
        keep(t_[place(u)], t_[place(v)].may | bit(v) | into(t_, v));
      });
    }
  }

  // Whoever is on a cycle leads to those on it only. So it is on none if it leads to one that does not lead to itself.
  void part_from_cycles() {
    Bits not_to_itself = 0;
    for (int v = 0; v < size_; ++v) {
      if ((t_[place(v)].may & bit(v)) == 0) not_to_itself |= bit(v);
    }
    for (int u = 0; u < size_; ++u) {
      const bool is_on_none = closure_.is_acyclic || ((t_[place(u)].must | bit(u)) & not_to_itself) != 0;
      if (!is_on_none) continue;
      if (is_single(u)) keep(t_[place(u)], ~bit(u));
      for_each_bit(t_[place(u)].must & ~bit(u), [&](int v) { keep(t_[place(v)], ~bit(u)); });
      for (int v = 0; v < size_; ++v) {
        if (v != u && (t_[place(v)].must & bit(u)) != 0) keep(t_[place(u)], ~bit(v));
      }
    }
  }

  // The last step of a way comes from one on the way, or where it begins; if only one may be that, it is.
  void come_by_only_way() {
    for (int v = 0; v < size_; ++v) {
      const Bits before = into(f_, v);
      for (int u = 0; u < size_; ++u) {
        if ((t_[place(u)].may & bit(v)) == 0) continue;
        const Bits last = before & (t_[place(u)].may | bit(u));
        if (last == 0) keep(t_[place(u)], ~bit(v));
        if ((t_[place(u)].must & bit(v)) == 0 || last == 0 || (last & (last - 1)) != 0) continue;
        const int only = __builtin_ctzll(last);
        if (only != u) hold(t_[place(u)], is_single(only) ? last : 0);
        if (is_single(only) && is_single(v)) hold(f_[place(only)], bit(v));
      }
    }
  }

  Structure& structure_;
  const Closure closure_;
  const int size_;
  const Bits summaries_;
  Rows t_;
  Rows f_;
  bool is_changed_ = true;
};

}  // namespace

Sharpened sharpen(const Closure& closure, Structure& structure) { return Sharpening(closure, structure).run(); }

SharpenedReached sharpen(const Reached& reached, Structure& structure) {
  SharpenedReached out;
  const Row begin = beginnings(reached, structure);
  const Row said = reached_from(begin, reached.closure, structure);
  Row& known = structure.row(reached.predicate);
  if ((said.must & ~known.may) != 0 || (known.must & ~said.may) != 0) return {true, false, false};
  const Row sharper{known.may & said.may, known.must | said.must};
  out.reached = !(sharper == known);
  known = sharper;
  const Bits summaries = structure.row(structure.layout().sm()).may;
  const auto set = [&](int from, int to, Kleene value) {
    if (structure.get(reached.closure, from, to) != Kleene::kUnknown) return;
    structure.set(reached.closure, from, to, value);
    out.closure = true;
  };
  for (int v = 0; v < structure.size(); ++v) {
    if ((known.may & bit(v)) == 0) {
      for_each_bit(begin.must, [&](int a) { set(a, v, Kleene::kFalse); });
    } else if ((known.must & bit(v)) != 0) {
      Bits ways = 0;
      for_each_bit(begin.may, [&](int a) {
        if (a == v || structure.get(reached.closure, a, v) != Kleene::kFalse) ways |= bit(a);
      });
      const bool is_only_way = ways != 0 && (ways & (ways - 1)) == 0 && (ways & summaries) == 0 && ways != bit(v);
      if (is_only_way) set(__builtin_ctzll(ways), v, Kleene::kTrue);
    }
  }
  return out;
}

SharpenedOrdered sharpen(const Ordered& ordered, Structure& structure) {
  SharpenedOrdered out;
  for (int w = 0; w < structure.size(); ++w) {
    const Kleene said = is_ordered(ordered, w, structure);
    const Kleene known = structure.get(ordered.predicate, w);
    if (said != Kleene::kUnknown && known != Kleene::kUnknown && said != known) return {true, false, false, false};
    if (said != Kleene::kUnknown && known == Kleene::kUnknown) {
      structure.set(ordered.predicate, w, said);
      out.ordered = true;
    }
    if (known == Kleene::kUnknown) continue;
    const Row firsts = structure.row(ordered.first, w);
    const Row seconds = structure.row(ordered.second, w);
    for_each_bit(firsts.must, [&](int u) {
      for_each_bit(seconds.must, [&](int v) {
        if (structure.get(ordered.closure, u, v) != Kleene::kUnknown) return;
        structure.set(ordered.closure, u, v, known);
        out.closure = true;
      });
    });
    if (known == Kleene::kFalse) continue;
    // Whoever leads to none that may be the second is not the first; whoever is led to by none is not the second.
    Bits led = 0;
    for_each_bit(firsts.may, [&](int u) {
      const Bits leads = structure.row(ordered.closure, u).may;
      led |= leads;
      if ((leads & seconds.may) != 0 || at(firsts, u) != Kleene::kUnknown) return;
      structure.set(ordered.first, w, u, Kleene::kFalse);
      out.ends = true;
    });
    for_each_bit(seconds.may & ~led & ~seconds.must, [&](int v) {
      structure.set(ordered.second, w, v, Kleene::kFalse);
      out.ends = true;
    });
  }
  return out;
}

}  // namespace concord::engine::shape
