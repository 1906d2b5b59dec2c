#include "engine/shape/definitions.h"

#include <algorithm>
#include <array>
#include <vector>

#include "engine/shape/evaluate.h"

namespace concord::engine::shape {

std::optional<CommonDefinition> common_definition(const System& system, const Predicate& predicate) {
  using Kind = CommonDefinition::Kind;
  if (!predicate.definition || predicate.variables.size() != 1) return std::nullopt;
  const Formula& it = *predicate.definition;
  if (it.kind != Formula::Kind::kExists) return std::nullopt;
  const Variable& whom = predicate.variables.front();
  const Formula& body = *it.parts.front();
  const auto is_atom = [](const Formula& formula, const Variable& from, const Variable& to) {
    return formula.kind == Formula::Kind::kAtom && formula.variables == std::vector<Variable>{from, to};
  };
  if (it.variables.size() == 1 && it.variables.front() != whom) {
    const Variable& other = it.variables.front();
    if (is_atom(body, whom, other)) return CommonDefinition{Kind::kHasTarget, body.predicate, -1};
    if (is_atom(body, other, whom)) return CommonDefinition{Kind::kIsTarget, body.predicate, -1};
    const bool is_mutual = body.kind == Formula::Kind::kAnd && body.parts.size() == 2 &&
                           is_atom(*body.parts[0], whom, other) && is_atom(*body.parts[1], other, whom);
    if (is_mutual && system.predicates[static_cast<std::size_t>(body.parts[0]->predicate)].is_function)
      return CommonDefinition{Kind::kIsMutual, body.parts[0]->predicate, body.parts[1]->predicate};
    const bool is_same = body.kind == Formula::Kind::kAnd && body.parts.size() == 2 &&
                         is_atom(*body.parts[0], whom, other) && is_atom(*body.parts[1], whom, other);
    if (is_same && system.predicates[static_cast<std::size_t>(body.parts[0]->predicate)].is_function &&
        system.predicates[static_cast<std::size_t>(body.parts[1]->predicate)].is_function)
      return CommonDefinition{Kind::kIsSame, body.parts[0]->predicate, body.parts[1]->predicate};
  }
  if (it.variables.size() != 2 || body.kind != Formula::Kind::kAnd || body.parts.size() != 3) return std::nullopt;
  const Variable& u = it.variables[0];
  const Variable& w = it.variables[1];
  if (u == whom || w == whom || u == w) return std::nullopt;
  const Formula& differ = *body.parts[0];
  const bool is_shared = differ.kind == Formula::Kind::kNot && differ.parts[0]->kind == Formula::Kind::kEqual &&
                         differ.parts[0]->variables == std::vector<Variable>{u, w} &&
                         is_atom(*body.parts[1], u, whom) && is_atom(*body.parts[2], w, whom) &&
                         body.parts[1]->predicate == body.parts[2]->predicate;
  if (!is_shared) return std::nullopt;
  return CommonDefinition{Kind::kIsShared, body.parts[1]->predicate, -1};
}

void lines(const Structure& structure, const CommonDefinition& definition, Row* out) {
  using Kind = CommonDefinition::Kind;
  const int size = structure.size();
  if (definition.kind == Kind::kHasTarget || definition.kind == Kind::kIsSame) {
    for (int a = 0; a < size; ++a) out[a] = structure.row(definition.relation, a);
    for (int a = 0; a < size && definition.kind == Kind::kIsSame; ++a) {
      out[a].may &= structure.row(definition.other, a).may;
      out[a].must &= structure.row(definition.other, a).must;
    }
    return;
  }
  const int relation = definition.kind == Kind::kIsMutual ? definition.other : definition.relation;
  std::fill_n(out, size, Row());
  for (int a = 0; a < size; ++a) {
    const Row& row = structure.row(relation, a);
    const Bits bit = Bits{1} << static_cast<unsigned>(a);
    for_each_bit(row.may, [&](int b) { out[b].may |= bit; });
    for_each_bit(row.must, [&](int b) { out[b].must |= bit; });
  }
  if (definition.kind != Kind::kIsMutual) return;
  for (int a = 0; a < size; ++a) {
    const Row& row = structure.row(definition.relation, a);
    out[a].may &= row.may;
    out[a].must &= row.must;
  }
}

namespace {

// By individual: those in its line that may have changed.
using Changes = std::array<Bits, Structure::kMostIndividuals>;

void add_changes(const std::vector<Bits>& touched, bool is_forward, Changes& out) {
  for (std::size_t a = 0; a < touched.size(); ++a) {
    if (is_forward) {
      out[a] |= touched[a];
    } else {
      for_each_bit(touched[a], [&](int b) { out[static_cast<std::size_t>(b)] |= Bits{1} << a; });
    }
  }
}

}  // namespace

void settle(const CommonDefinition& definition, int predicate, const Touched* relation, const Touched* other,
            const Structure& before, Structure& after) {
  using Kind = CommonDefinition::Kind;
  Changes comes{};
  Changes goes{};
  const bool is_forward = definition.kind != Kind::kIsTarget && definition.kind != Kind::kIsShared;
  if (relation != nullptr) {
    add_changes(relation->comes, is_forward, comes);
    add_changes(relation->goes, is_forward, goes);
  }
  if (other != nullptr) {
    add_changes(other->comes, definition.kind == Kind::kIsSame, comes);
    add_changes(other->goes, definition.kind == Kind::kIsSame, goes);
  }
  std::array<Row, Structure::kMostIndividuals> then;
  std::array<Row, Structure::kMostIndividuals> now;
  lines(before, definition, then.data());
  lines(after, definition, now.data());
  const Bits summaries = after.row(after.layout().sm()).may;
  for (int i = 0; i < after.size(); ++i) {
    const auto place = static_cast<std::size_t>(i);
    goes[place] &= then[place].may;
    comes[place] &= now[place].may;
    if (comes[place] == 0 && goes[place] == 0) continue;
    Kleene value = said_by(definition.kind, now[place], summaries);
    const Kleene known = before.get(predicate, i);
    const bool stays = (goes[place] == 0 && known == Kleene::kTrue) || (comes[place] == 0 && known == Kleene::kFalse);
    if (value == Kleene::kUnknown && stays) value = known;
    after.set(predicate, i, value);
  }
}

}  // namespace concord::engine::shape
