#include "engine/shape/source/collect.h"

namespace concord::engine::shape::source {

Collector::Collector(const Lowered& lowered) : lowered_(lowered) {
  const System& system = lowered.vocabulary->system();
  const auto define = [&](int predicate) {
    if (predicate < 0) return;
    const Predicate& it = system.predicates[static_cast<std::size_t>(predicate)];
    definitions_.emplace(predicate, Evaluation(it.definition, it.variables));
  };
  for (const Reference& it : lowered.vocabulary->references()) define(it.r_by), define(it.is);
  for (const Reached& it : lowered.vocabulary->reached()) define(it.predicate);
}

bool Collector::is_garbage(const Structure& structure, int individual) const {
  const Vocabulary& vocabulary = *lowered_.vocabulary;
  const System& system = vocabulary.system();
  const Bits bit = Bits{1} << static_cast<unsigned>(individual);
  const bool is_number = vocabulary.is_number() >= 0 && (structure.row(vocabulary.is_number()).must & bit) != 0;
  if (is_number && (structure.row(vocabulary.zero()).may & bit) != 0) return false;
  if (!is_number && !lowered_.may_collect) return false;
  if (vocabulary.others() >= 0 && (structure.row(vocabulary.others()).may & bit) != 0) return false;
  for (const int it : lowered_.watched) {
    if ((structure.row(it).may & bit) != 0) return false;
  }
  if ((structure.row(system.is_thread).may & bit) != 0) {
    const int done = system.at[static_cast<std::size_t>(lowered_.code.done)];
    if ((structure.row(done).must & bit) == 0) return false;
  }
  for (const int it : lowered_.named_threads) {
    if ((structure.row(it).may & bit) != 0) return false;
  }
  for (const Reference& it : vocabulary.references()) {
    for (int a = 0; a < (it.arity == 2 ? structure.size() : 1); ++a) {
      const bool is_own = it.arity == 2 && a == individual;  // what only it itself knows
      if (!is_own && (structure.row(it.relation, a).may & bit) != 0) return false;
    }
  }
  // Somebody holds its monitor, or it holds one.
  for (const Place& it : vocabulary.monitors()) {
    const bool is_of_object = it.taken >= 0;
    if (is_of_object && structure.row(it.predicate, individual).may != 0) return false;
    for (int a = 0; a < (is_of_object ? structure.size() : 1); ++a) {
      if ((structure.row(it.predicate, a).may & bit) != 0) return false;
    }
  }
  return true;
}

// Of those that it referred to, it is settled anew whether others do: what held may have ceased to.
void Collector::forget(Structure& structure, int individual) const {
  const Bits below = (Bits{1} << static_cast<unsigned>(individual)) - 1;
  const auto without = [&](Bits bits) { return (bits & below) | ((bits >> 1U) & ~below); };
  std::map<int, Bits> concerned;  // by predicate
  for (const Reference& it : lowered_.vocabulary->references()) {
    if (it.arity != 2) continue;
    const Bits targets = without(structure.row(it.relation, individual).may);
    if (targets == 0) continue;
    concerned[it.r_by] |= targets;
    concerned[it.is] |= targets;
  }
  for (const Reached& it : lowered_.vocabulary->reached()) {
    if (!it.is_from_relation) continue;
    const Bits begins = structure.row(it.from, individual).may;
    Bits& whom = concerned[it.predicate];
    whom |= without(begins);
    for_each_bit(begins, [&](int a) { whom |= without(structure.row(it.closure, a).may); });
  }
  structure.remove(individual);
  for (const auto& [predicate, whom] : concerned) {
    Row& row = structure.row(predicate);
    const Row now = definitions_.at(predicate).row(structure);
    row.may &= now.may | ~whom;
    row.must &= now.must | ~whom;
  }
}

void Collector::collect(Structure& structure) const {
  for (int i = structure.size(); i-- > 0;) {
    if (!is_garbage(structure, i)) continue;
    forget(structure, i);
    i = structure.size();
  }
}

}  // namespace concord::engine::shape::source
