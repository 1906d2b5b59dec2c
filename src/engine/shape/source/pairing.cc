#include "engine/shape/source/pairing.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace concord::engine::shape::source {

namespace {

Bits bit(int individual) { return Bits{1} << static_cast<unsigned>(individual); }

// What both say; nothing if they contradict each other.
std::optional<Kleene> met(Kleene a, Kleene b) {
  if (a == Kleene::kUnknown) return b;
  if (b == Kleene::kUnknown || a == b) return a;
  return std::nullopt;
}

// What is exactly said of one, and what is said of all others there.
std::optional<Kleene> met_with_others(Kleene exactly, Kleene others) {
  if (others != Kleene::kFalse) return exactly;
  return exactly == Kleene::kTrue ? std::nullopt : std::optional(Kleene::kFalse);
}

constexpr std::size_t kMostChoices = 4000;

}  // namespace

// An individual of the pair: which it is in either view, or -1.
struct Pairing::Individual {
  int a = -1;
  int b = -1;
};

struct Pairing::Choice {
  const View& a;
  const View& b;
  const Visit& visit;
  std::vector<Bits> partners = {};  // by number among the known of `a`: individuals of `b`
  std::vector<bool> may_be_alone = {};
  std::vector<Individual> pairs = {};
  std::size_t count = 0;
};

Pairing::Pairing(const Lowered& lowered, const Views& views)
    : lowered_(lowered),
      vocabulary_(*lowered.vocabulary),
      system_(vocabulary_.system()),
      views_(views),
      sorts_(system_.predicates.size(), Sort::kObject),
      sources_(system_.predicates.size()),
      to_thread_(system_.predicates.size(), false),
      from_thread_(system_.predicates.size(), false) {
  const auto place = [](int predicate) { return static_cast<std::size_t>(predicate); };
  for (const int it : system_.at) sorts_[place(it)] = Sort::kThread;
  const auto [deep, deeper] = vocabulary_.wait_levels();
  for (const int it : {system_.is_thread, system_.ready, deep, deeper}) sorts_[place(it)] = Sort::kThread;
  for (const int it : {system_.sm, system_.is_new, system_.runnable, vocabulary_.fresh()})
    sorts_[place(it)] = Sort::kNone;
  for (const int it : lowered.named_threads) sorts_[place(it)] = Sort::kToThread;
  for (std::size_t p = 0; p < system_.predicates.size(); ++p) {
    if (vocabulary_.is_local(static_cast<int>(p))) {
      sorts_[p] = Sort::kThread;
      from_thread_[p] = system_.predicates[p].arity == 2;
    }
  }
  for (const Reference& it : vocabulary_.references()) {
    const bool is_local = vocabulary_.is_local(it.relation);
    if (it.arity == 1) continue;
    to_thread_[place(it.relation)] = !is_local;
    for (const int derived : {it.r_by, it.is}) {
      sorts_[place(derived)] = is_local ? Sort::kByLocal : Sort::kBySource;
      sources_[place(derived)] = {derived, it.relation, derived == it.is ? it.r_by : -1, is_local};
    }
  }
  for (const Reached& it : vocabulary_.reached()) {
    if (!it.is_from_relation) continue;
    sorts_[place(it.predicate)] = Sort::kBySource;
    sources_[place(it.predicate)] = {it.predicate, it.from, -1, false, true};
  }
  for (const Place& it : vocabulary_.monitors()) {
    if (it.taken >= 0) to_thread_[place(it.predicate)] = true;
    if (it.taken < 0) sorts_[place(it.predicate)] = Sort::kToThread;
  }
  if (vocabulary_.holds_else() >= 0) sorts_[place(vocabulary_.holds_else())] = Sort::kThread;
  for (std::size_t p = 0; p < system_.predicates.size(); ++p) {
    if (system_.predicates[p].arity == 2 && !from_thread_[p] && static_cast<int>(p) != system_.instance)
      between_objects_.push_back(static_cast<int>(p));
  }
  // Of whom monitors are held.
  for (std::size_t p = 0; p < system_.predicates.size(); ++p) {
    const auto common = common_definition(system_, system_.predicates[p]);
    if (!common || common->kind != CommonDefinition::Kind::kIsTarget) continue;
    for (const Place& it : vocabulary_.monitors()) {
      if (it.taken >= 0 && common->relation == it.predicate) sorts_[p] = Sort::kThread;
    }
  }
}

View Pairing::ready(const Structure& view) const {
  View out{view, __builtin_ctzll(views_.threads(view)), __builtin_ctzll(views_.others(view)), {}, {}, 0, {}};
  const Bits numbers = views_.numbers(view);
  const Bits escaped = view.row(vocabulary_.escaped()).may;
  for (int i = 0; i < view.size(); ++i) {
    if (i == out.thread || i == out.others) continue;
    ((escaped | numbers) & bit(i)) != 0 ? out.known.push_back(i) : out.own.push_back(i);
  }
  out.surely_shared = views_.surely_shared(view);
  if (vocabulary_.zero() >= 0) out.surely_shared |= view.row(vocabulary_.zero()).must;
  out.loose.assign(sources_.size(), 0);
  for (std::size_t p = 0; p < sources_.size(); ++p) {
    const Source& it = sources_[p];
    if (it.predicate < 0 || it.is_local) continue;
    for (int o = 0; o < view.size(); ++o) {
      if ((out.surely_shared & bit(o)) == 0 && o != out.thread && o != out.others)
        out.loose[p] |= view.row(it.relation, o).may;
    }
    if (it.is_path && out.loose[p] != 0) out.loose[p] = ~Bits{0};
  }
  return out;
}

bool Pairing::is_compatible(const View& a, int in_a, const View& b, int in_b) const {
  for (std::size_t p = 0; p < sorts_.size(); ++p) {
    if (system_.predicates[p].arity != 1) continue;
    if (sorts_[p] != Sort::kObject && sorts_[p] != Sort::kBySource) continue;
    const int predicate = static_cast<int>(p);
    const Kleene by_a = a.structure.get(predicate, in_a);
    const Kleene by_b = b.structure.get(predicate, in_b);
    if (met(by_a, by_b)) continue;
    const Bits loose = by_a == Kleene::kTrue ? a.loose[p] & bit(in_a) : b.loose[p] & bit(in_b);
    if (loose == 0) return false;
  }
  return true;
}

// Of two individuals that `a` has: what both views say of how the first refers or leads to the second.
bool Pairing::may_refer(const Choice& choice, const Individual& from, const Individual& to) const {
  for (const int p : between_objects_) {
    const Kleene by_a = choice.a.structure.get(p, from.a, to.a);
    if (from.b >= 0 && to.b >= 0) {
      if (!met(by_a, choice.b.structure.get(p, from.b, to.b))) return false;
    } else if (from.b >= 0 && p != vocabulary_.le() && by_a == Kleene::kTrue) {
      return false;  // what an object that both know leads to both know
    }
  }
  return true;
}

// The pairs from this number on do not contradict those before, nor each other.
bool Pairing::is_consistent(const Choice& choice, std::size_t begin) const {
  const std::vector<Individual>& pairs = choice.pairs;
  for (std::size_t i = begin; i < pairs.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      if (!may_refer(choice, pairs[i], pairs[j]) || !may_refer(choice, pairs[j], pairs[i])) return false;
    }
  }
  return true;
}

bool Pairing::pair(const View& a, const View& b, const Visit& visit) const {
  Choice choice{a, b, visit};
  for (const int in_a : a.known) {
    Bits partners = 0;
    for (const int in_b : b.known) {
      if (is_compatible(a, in_a, b, in_b)) partners |= bit(in_b);
    }
    choice.partners.push_back(partners);
    choice.may_be_alone.push_back((a.surely_shared & bit(in_a)) == 0);
    if (partners == 0 && !choice.may_be_alone.back()) return true;
  }
  return choose(choice, 0);
}

// Who the counterparts of the next individual are.
bool Pairing::choose(Choice& choice, std::size_t next) const {
  const View& a = choice.a;
  const View& b = choice.b;
  const auto count_of = [&](int in_b) {
    return std::count_if(choice.pairs.begin(), choice.pairs.end(), [&](const Individual& it) { return it.b == in_b; });
  };
  if (next < a.known.size()) {
    const int in_a = a.known[next];
    const bool is_one = !a.structure.is_summary(in_a);
    std::vector<int> possible;
    for_each_bit(choice.partners[next], [&](int in_b) {
      if (b.structure.is_summary(in_b) || count_of(in_b) == 0) possible.push_back(in_b);
    });
    if (choice.may_be_alone[next]) possible.push_back(-1);
    if (possible.size() > 12) return false;
    for (unsigned set = 1; set < 1U << possible.size(); ++set) {
      if (is_one && (set & (set - 1)) != 0) continue;
      const std::size_t before = choice.pairs.size();
      for (std::size_t i = 0; i < possible.size(); ++i) {
        if ((set >> i & 1U) != 0) choice.pairs.push_back({in_a, possible[i]});
      }
      if (is_consistent(choice, before) && !choose(choice, next + 1)) return false;
      choice.pairs.resize(before);
    }
    return true;
  }
  // Those of `b` that have none, or also stand for objects that have none.
  std::vector<int> perhaps;
  const std::size_t before = choice.pairs.size();
  for (const int in_b : b.known) {
    const bool is_found = count_of(in_b) > 0;
    const bool may_be_alone = (b.surely_shared & bit(in_b)) == 0;
    if (!is_found && !may_be_alone) {
      choice.pairs.resize(before);
      return true;
    }
    if (!is_found) choice.pairs.push_back({-1, in_b});
    if (is_found && may_be_alone && b.structure.is_summary(in_b)) perhaps.push_back(in_b);
  }
  if (perhaps.size() > 8) return false;
  const std::size_t some = choice.pairs.size();
  for (unsigned set = 0; set < 1U << perhaps.size(); ++set) {
    if (++choice.count > kMostChoices) return false;
    for (std::size_t i = 0; i < perhaps.size(); ++i) {
      if ((set >> i & 1U) != 0) choice.pairs.push_back({-1, perhaps[i]});
    }
    if (!build(choice)) return false;
    choice.pairs.resize(some);
  }
  choice.pairs.resize(before);
  return true;
}

bool Pairing::build(const Choice& choice) const {
  const View& a = choice.a;
  const View& b = choice.b;
  const Structure& in_a = a.structure;
  const Structure& in_b = b.structure;
  std::vector<Individual> all{{a.thread, b.others}, {a.others, b.thread}, {a.others, b.others}};
  all.insert(all.end(), choice.pairs.begin(), choice.pairs.end());
  for (const int it : a.own) all.push_back({it, -1});
  for (const int it : b.own) all.push_back({-1, it});
  const int size = static_cast<int>(all.size());
  Structure out(in_a.layout(), size);
  constexpr int kOthers = 2;
  const auto is_thread = [](int i) { return i <= kOthers; };
  bool is_consistent = true;
  const auto take = [&](std::optional<Kleene> value) {
    is_consistent = is_consistent && value.has_value();
    return value.value_or(Kleene::kUnknown);
  };
  // Of a thread: what is said of it, by the view that knows it.
  const auto of_thread = [&](int i, Kleene by_a, Kleene by_b) {
    if (i == 0) return take(met_with_others(by_a, by_b));
    if (i == 1) return take(met_with_others(by_b, by_a));
    if (by_a == Kleene::kFalse || by_b == Kleene::kFalse) return Kleene::kFalse;
    return Kleene::kUnknown;
  };
  for (std::size_t at = 0; at < system_.predicates.size(); ++at) {
    const int p = static_cast<int>(at);
    if (system_.predicates[at].arity == 0) {
      out.set(p, take(met(in_a.get(p), in_b.get(p))));
      continue;
    }
    if (system_.predicates[at].arity == 1) {
      for (int i = 0; i < size; ++i) {
        const auto [x, y] = all[static_cast<std::size_t>(i)];
        const Kleene by_a = x < 0 ? Kleene::kFalse : in_a.get(p, x);
        const Kleene by_b = y < 0 ? Kleene::kFalse : in_b.get(p, y);
        const Kleene one = x < 0 ? by_b : by_a;
        const bool is_in_both = x >= 0 && y >= 0;
        switch (sorts_[at]) {
          case Sort::kNone: break;
          case Sort::kThread:
            // What others hold may be an object that only one of the views has.
            out.set(p, i, i == 1 ? by_b : i == 0 ? by_a : both(either(by_a, by_b), Kleene::kUnknown));
            break;
          case Sort::kToThread: out.set(p, i, is_thread(i) ? of_thread(i, by_a, by_b) : one); break;
          case Sort::kObject:
            out.set(p, i, is_thread(i) ? (i == 1 ? by_b : by_a) : is_in_both ? take(met(by_a, by_b)) : one);
            break;
          case Sort::kByLocal:
          case Sort::kBySource: {
            if (is_thread(i)) {
              out.set(p, i, Kleene::kUnknown);
              break;
            }
            if (!is_in_both) {
              out.set(p, i, one);
              break;
            }
            // What only one of the threads knows may make it hold.
            const bool is_by_a = sorts_[at] == Sort::kByLocal || (a.loose[at] & bit(x)) != 0;
            const bool is_by_b = sorts_[at] == Sort::kByLocal || (b.loose[at] & bit(y)) != 0;
            Kleene value = either(by_a, by_b);
            if (!is_by_a && !is_by_b) value = take(met(by_a, by_b));
            // One in either view may be two, or the same.
            const int r_by = sources_[at].r_by;
            const bool may_be_two = r_by >= 0 && is_by_a && is_by_b && value != Kleene::kTrue &&
                                    in_a.get(r_by, x) != Kleene::kFalse && in_b.get(r_by, y) != Kleene::kFalse;
            if (may_be_two) value = Kleene::kUnknown;
            out.set(p, i, value);
          }
        }
      }
      continue;
    }
    if (p == system_.instance) continue;
    const bool is_order = p == vocabulary_.le();
    for (int i = 0; i < size; ++i) {
      const auto [from_a, from_b] = all[static_cast<std::size_t>(i)];
      if (from_thread_[at] && (!is_thread(i) || i == kOthers)) continue;
      for (int j = 0; j < size; ++j) {
        const auto [to_a, to_b] = all[static_cast<std::size_t>(j)];
        const bool is_in_a = from_a >= 0 && to_a >= 0;
        const bool is_in_b = from_b >= 0 && to_b >= 0;
        const Kleene by_a = is_in_a ? in_a.get(p, from_a, to_a) : Kleene::kFalse;
        const Kleene by_b = is_in_b ? in_b.get(p, from_b, to_b) : Kleene::kFalse;
        if (from_thread_[at]) {  // one of the others, or itself
          const Kleene value = i == 0 ? by_a : by_b;
          const bool is_of_several = is_thread(j) && j != i;
          out.set(p, i, j, value != Kleene::kFalse && is_of_several ? Kleene::kUnknown : value);
          continue;
        }
        if (is_thread(i)) continue;
        if (is_thread(j)) {
          if (!to_thread_[at]) continue;
          const Kleene one = from_a < 0 ? by_b : by_a;
          const bool is_exact = from_a < 0 ? j == 1 : j == 0;
          if (from_a >= 0 && from_b >= 0) {
            out.set(p, i, j, of_thread(j, by_a, by_b));
          } else {
            out.set(p, i, j, is_exact || one == Kleene::kFalse ? one : Kleene::kUnknown);
          }
          continue;
        }
        if (is_in_a && is_in_b) {
          out.set(p, i, j, take(met(by_a, by_b)));
        } else if (is_order) {
          out.set(p, i, j, is_in_a ? by_a : is_in_b ? by_b : Kleene::kUnknown);
        } else if (from_a >= 0 && from_b >= 0) {
          // What an object that both know leads to both know.
          take(either(by_a, by_b) == Kleene::kTrue ? std::nullopt : std::optional(Kleene::kFalse));
        } else {
          out.set(p, i, j, is_in_a ? by_a : by_b);
        }
        if (!is_consistent) return true;
      }
    }
    if (!is_consistent) return true;
  }
  if (!is_consistent) return true;
  for (int i = 0; i < size; ++i) {
    const auto [x, y] = all[static_cast<std::size_t>(i)];
    const bool is_single =
        is_thread(i) ? i != kOthers : (x >= 0 && !in_a.is_summary(x)) || (y >= 0 && !in_b.is_summary(y));
    if (!is_single) out.set(system_.sm, i, Kleene::kUnknown);
  }
  out.set(system_.runnable, 1, Kleene::kTrue);
  return choice.visit(std::move(out));
}

}  // namespace concord::engine::shape::source
