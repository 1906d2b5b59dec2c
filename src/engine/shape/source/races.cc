#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/overloaded.h"
#include "engine/shape/source/lowering.h"
#include "plato/classes.h"
#include "plato/walk.h"

namespace concord::engine::shape::source {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

bool Lowering::may_race(const Terms::Access& access) const {
  if (access.is_element) return true;
  return access.variable != nullptr && engine::may_race(*access.variable) && !access.variable->is_volatile &&
         !synchronising_.variables.contains(access.variable);
}

void Lowering::find_accesses() {
  for (const Move& move : out_.code.moves) {
    const Label& label = out_.code.labels[static_cast<std::size_t>(move.from)];
    if (label.is_alone) continue;
    Terms terms(vocabulary(), kOther, move.procedure, move.from);
    collect(terms, move);
    for (const Terms::Access& it : terms.accesses) {
      if (!may_race(it)) continue;
      if (!label.is_inside) {
        standing_.push_back({move.from, it});
        continue;
      }
      // In the middle of a step: whoever stands at its beginning may be about to do it. To which object is known if a local variable says
      // it that has the same value until then.
      for (const int begin : beginnings(move.from)) {
        Terms::Access later = it;
        later.has_object = it.has_object && it.is_local && keeps_locals(begin, move);
        standing_.push_back({begin, later});
      }
    }
  }
  if (std::any_of(standing_.begin(), standing_.end(), [](const Standing& it) { return it.access.is_element; })) {
    // Which variable a race of elements belongs to is not looked at.
    for (std::size_t p = 0; p < task_.properties.size(); ++p) {
      if (task_.properties[p].kind == diag::Kind::kRace && is_about_elements(task_.properties[p]))
        out_.is_decided[p] = false;
    }
  }
}

bool Lowering::is_about_elements(const Property& property) const {
  bool is_other = false;  // of a variable that is no array
  const auto look = [&](const plato::Variable& it) {
    const bool is_it = it.name_range.file == property.claim.file && it.name_range.begin == property.claim.begin;
    is_other = is_other || (is_it && it.type.kind != Type::Kind::kArray);
  };
  for (const plato::Variable& it : program_.variables) look(it);
  for (const Class& it : program_.classes) {
    for (const plato::Variable& field : it.fields) look(field);
  }
  return !is_other;
}

// The labels from which a step comes to this one, in its middle.
std::set<int> Lowering::beginnings(int inside) const {
  std::set<int> seen{inside};
  std::set<int> out;
  std::vector<int> todo{inside};
  while (!todo.empty()) {
    const int at = todo.back();
    todo.pop_back();
    for (const Move& it : out_.code.moves) {
      if (it.to != at || !seen.insert(it.from).second) continue;
      out_.code.labels[static_cast<std::size_t>(it.from)].is_inside ? todo.push_back(it.from)
                                                                    : static_cast<void>(out.insert(it.from));
    }
  }
  return out;
}

// The local variables that this move of a step looks at have the values that they have where the step begins.
bool Lowering::keeps_locals(int begin, const Move& move) const {
  const LocalUse use = local_use(program_, move);
  for (const int first : out_.code.labels[static_cast<std::size_t>(begin)].moves) {
    for (const int it : moves_inside(first)) {
      const Move& there = out_.code.moves[static_cast<std::size_t>(it)];
      std::set<LocalName> set = local_use(program_, there).set;
      const auto add = [&](const Expr& target) {
        if (const int slot = local_slot(target); slot >= 0) set.emplace(there.procedure, slot);
      };
      if (there.set != nullptr) add(*there.set->target);
      if (const Stmt* statement = there.operation.statement; statement != nullptr) {
        if (may_do_anything(*statement)) return false;
        for_each_target(*statement, add);
      }
      const bool is_set = std::any_of(use.looked_at.begin(), use.looked_at.end(),
                                      [&](const LocalName& name) { return set.contains(name); });
      if (is_set) return false;
    }
  }
  return true;
}

// What others may be about to do to what this thread accesses now.
void Lowering::say_races(ActionBuilder& builder, const Terms& terms, const Move& move, base::SourceRange at) {
  if (out_.code.labels[static_cast<std::size_t>(move.from)].is_alone) return;
  // The other thread accesses what its way leads to after this step.
  const bool changes_ways = out_.code.labels[static_cast<std::size_t>(move.from)].is_inside ||
                            std::any_of(terms.accesses.begin(), terms.accesses.end(), [](const Terms::Access& it) {
                              return it.is_write && (it.variable == nullptr || refers_to_objects(it.variable->type) ||
                                                     it.variable->type.kind == Type::Kind::kTid);
                            });
  const auto theirs = [](const Terms::Access& access, bool is_unsure) -> FormulaPtr {
    if (!access.has_object) return maybe();
    return is_unsure && !access.is_local ? disjunction({access.object.is("o"), maybe()}) : access.object.is("o");
  };
  std::map<int, std::vector<FormulaPtr>> by_property;
  for (const Terms::Access& mine : terms.accesses) {
    if (!may_race(mine) || mine.is_element) continue;
    const int property = find(diag::Kind::kRace, mine.variable->name_range);
    if (property < 0) continue;
    for (const Standing& it : standing_) {
      if (it.access.variable != mine.variable || (!it.access.is_write && !mine.is_write)) continue;
      std::vector<FormulaPtr> all{negation(equal(kOther, kThread)),
                                  atom(system().at[static_cast<std::size_t>(it.label)], {kOther})};
      if (mine.has_object)
        all.push_back(exists({"o"}, conjunction({mine.object.is("o"), theirs(it.access, changes_ways)})));
      by_property[property].push_back(exists({kOther}, conjunction(all)));
    }
  }
  for (auto& [property, any] : by_property) builder.say(disjunction(any), property, "", at);
}

}  // namespace concord::engine::shape::source
