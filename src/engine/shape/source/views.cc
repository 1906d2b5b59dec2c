#include "engine/shape/source/views.h"

#include <algorithm>

namespace concord::engine::shape::source {

namespace {

Bits bit(int individual) { return Bits{1} << static_cast<unsigned>(individual); }

}  // namespace

Views::Views(const Lowered& lowered, const Collector& collector)
    : lowered_(lowered), vocabulary_(*lowered.vocabulary), system_(vocabulary_.system()), collector_(collector) {
  for (const Reference& it : vocabulary_.references()) to_threads_.push_back(it.relation);
  for (const Place& it : vocabulary_.monitors()) to_threads_.push_back(it.predicate);
  for (std::size_t p = 0; p < system_.predicates.size(); ++p) {
    const Predicate& it = system_.predicates[p];
    if (it.definition != nullptr && it.arity == 1)
      definitions_.emplace(static_cast<int>(p), Evaluation(it.definition, it.variables));
  }
}

Bits Views::numbers(const Structure& structure) const {
  return vocabulary_.is_number() < 0 ? 0 : structure.row(vocabulary_.is_number()).may;
}

Bits Views::shared(const Structure& structure) const {
  Bits out = 0;
  for (const Reference& it : vocabulary_.references()) {
    if (it.arity == 1) out |= structure.row(it.relation).may;
  }
  for (const int it : lowered_.watched) out |= structure.row(it).may;
  return out & ~threads(structure) & ~others(structure);
}

Bits Views::reached_from(const Structure& structure, Bits begin) const {
  const Bits no_object = threads(structure) | others(structure);
  Bits out = begin;
  Bits todo = begin;
  while (todo != 0) {
    const int at = __builtin_ctzll(todo);
    todo &= todo - 1;
    Bits next = 0;
    for (const Reference& it : vocabulary_.references()) {
      if (it.arity == 2) next |= structure.row(it.relation, at).may;
    }
    next &= ~out & ~no_object;
    out |= next;
    todo |= next;
  }
  return out;
}

Bits Views::surely_reached_from(const Structure& structure, Bits begin) const {
  const Bits no_object = threads(structure) | others(structure);
  Bits out = begin;
  Bits todo = begin;
  while (todo != 0) {
    const int at = __builtin_ctzll(todo);
    todo &= todo - 1;
    Bits next = 0;
    for (const Reference& it : vocabulary_.references()) {
      if (it.arity == 2) next |= structure.row(it.relation, at).must;
    }
    for (const Reached& it : vocabulary_.reached()) {
      if (it.is_from_relation) next |= structure.row(it.closure, at).must;
    }
    next &= ~out & ~no_object;
    out |= next;
    todo |= next;
    if (todo != 0) continue;
    // Wherever it begins is reached.
    for (const Reached& it : vocabulary_.reached()) {
      Bits begins = 0;
      for (int a = 0; it.is_from_relation && a < structure.size(); ++a)
        begins |= structure.row(it.from, a).may != 0 ? bit(a) : 0;
      if (it.is_from_relation && (begins & ~out) == 0) todo |= structure.row(it.predicate).must & ~out & ~no_object;
    }
    out |= todo;
  }
  return out;
}

// What every thread knows.
Bits Views::surely_shared(const Structure& structure) const {
  Bits begin = 0;
  for (const Reference& it : vocabulary_.references()) {
    if (it.arity == 1) begin |= structure.row(it.relation).must;
  }
  for (const int it : lowered_.watched) begin |= structure.row(it).must;
  for (const Reached& it : vocabulary_.reached()) {
    if (!it.is_from_relation) begin |= structure.row(it.predicate).must;
  }
  return surely_reached_from(structure, begin & ~threads(structure) & ~others(structure));
}

void Views::escape(Structure& structure) const {
  Row& escaped = structure.row(vocabulary_.escaped());
  const Bits known =
      reached_from(structure, (escaped.may | shared(structure)) & structure.universe()) & ~numbers(structure);
  escaped = {known, known};
}

void Views::share(Structure& structure) const {
  Bits once = 0;
  Bits twice = 0;
  for_each_bit(threads(structure), [&](int thread) {
    const Bits known = reached_from(structure, bit(thread)) & ~bit(thread);
    twice |= once & known;
    once |= known;
  });
  structure.row(vocabulary_.escaped()).may |= twice;
  structure.row(vocabulary_.escaped()).must |= twice;
  escape(structure);
}

// What refers to the thread, or is locked by it, has to do with one of the others.
void Views::merge_thread(Structure& structure, int thread, int others) const {
  for (const int predicate : to_threads_) {
    const int firsts = structure.layout().arity(predicate) == 2 ? structure.size() : 1;
    for (int first = 0; first < firsts; ++first) {
      Row& row = structure.row(predicate, first);
      if ((row.may & bit(thread)) != 0) row.may |= bit(others);
    }
  }
  collector_.forget(structure, thread);
}

void Views::add_others(Structure& structure) const {
  const int others = structure.add();
  structure.set(vocabulary_.others(), others, Kleene::kTrue);
  structure.set(system_.sm, others, Kleene::kUnknown);
  settle_others(structure, others);
}

// What follows from relations for them; and any of them may be a certain one, or have ended.
void Views::settle_others(Structure& structure, int others) const {
  structure.set(system_.at[static_cast<std::size_t>(lowered_.code.done)], others, Kleene::kUnknown);
  for (const int it : lowered_.named_threads) structure.set(it, others, Kleene::kUnknown);
  for (const auto& [predicate, definition] : definitions_) {
    if (definition.free().size() == 1) structure.set(predicate, others, definition.value(structure, {others}));
  }
}

Structure Views::of(const Structure& structure, int thread) const {
  Structure out = structure;
  out.row(system_.runnable) = {};
  out.row(vocabulary_.fresh()) = {};
  out.set(system_.sm, thread, Kleene::kFalse);
  int others = __builtin_ctzll(this->others(out));
  const auto drop = [&](int individual) {
    thread -= individual < thread ? 1 : 0;
    others -= individual < others ? 1 : 0;
  };
  const auto rest = [&] { return (threads(out) | this->others(out)) & ~bit(thread) & ~bit(others); };
  while (rest() != 0) {
    const int other = __builtin_ctzll(rest());
    merge_thread(out, other, others);
    drop(other);
  }
  Bits begin = shared(out) | bit(thread) | bit(others);
  if (vocabulary_.zero() >= 0) begin |= out.row(vocabulary_.zero()).may;
  for (const Place& it : vocabulary_.monitors()) {
    for (int o = 0; it.taken >= 0 && o < out.size(); ++o) {
      if ((out.row(it.predicate, o).may & bit(thread)) != 0) begin |= bit(o);
    }
  }
  const Bits kept = reached_from(out, begin);
  for (int i = out.size(); i-- > 0;) {
    if ((kept & bit(i)) != 0) continue;
    collector_.forget(out, i);
    drop(i);
  }
  out.set(system_.sm, others, Kleene::kUnknown);
  settle_others(out, others);
  return out;
}

Structure Views::without_locals(const Structure& view, int thread, const std::set<LocalName>& kept) const {
  Structure out = view;
  std::set<int> cleared;
  for (const auto& [name, place] : vocabulary_.locals()) {
    if (kept.contains(name)) continue;
    const bool refers = place.kind == Place::Kind::kRelation || place.kind == Place::Kind::kNumber;
    if (refers) {
      out.row(place.predicate, thread) = {};
      out.set(place.has, thread, Kleene::kFalse);
      cleared.insert(place.predicate);
    }
    if (place.kind == Place::Kind::kBool) out.set(place.predicate, thread, Kleene::kFalse);
    for (const int it : place.constants) out.set(it, thread, Kleene::kFalse);
  }
  for (const Reference& it : vocabulary_.references()) {
    if (it.arity == 2 && cleared.contains(it.relation)) out.row(it.r_by) = {}, out.row(it.is) = {};
  }
  // What follows from them.
  for (const auto& [predicate, definition] : definitions_) {
    const std::vector<int>& read = definition.predicates();
    const bool is_concerned = std::any_of(read.begin(), read.end(), [&](int it) { return cleared.contains(it); });
    if (is_concerned) out.set(predicate, thread, definition.value(out, {thread}));
  }
  if (vocabulary_.holds_else() >= 0) out.set(vocabulary_.holds_else(), thread, Kleene::kUnknown);
  return out;
}

}  // namespace concord::engine::shape::source
