// Orders in which threads may take the monitors of objects. Nobody declares them: a final field whose value is of its own class leads from
// each object to older ones, since it has its value when the object is made. So it leads in no circle, and neither do threads wait
// for each other in one if each waits for monitors only that come, in this order, behind all those that it holds (or, for each, before them).
//
// What is kept for that: of two local variables that are locked, and of two final fields, whether one leads to the other; and whether
// a thread holds anything that none of its local variables refers to.
#include <fmt/format.h>

#include <algorithm>

#include "engine/shape/build.h"
#include "engine/shape/source/vocabulary.h"
#include "plato/classes.h"

namespace concord::engine::shape::source {

using plato::Type;

void Vocabulary::add_precedences() {
  const Pairs pairs = pairs_alive([&](const LocalName& a, const LocalName& b) {
    return locked_.contains(b) && a < b && local(a).kind == Place::Kind::kRelation &&
           local(b).kind == Place::Kind::kRelation;
  });
  if (pairs.empty()) return;
  const auto name = [&](int predicate) { return system_.predicates[static_cast<std::size_t>(predicate)].name; };
  const auto order = [&](int a, int b, int closure) {
    define(fmt::format("ordered[{},{}]", name(a), name(b)), {"t"}, ordered_definition(a, b, closure, "t"), true);
  };
  for (std::size_t c = 0; c < program_.classes.size(); ++c) {
    const plato::Class& owner = program_.classes[c];
    for (std::size_t f = 0; f < owner.fields.size(); ++f) {
      const plato::Variable& field = owner.fields[f];
      Type own;
      own.kind = Type::Kind::kClass;
      own.decl = static_cast<int>(c);
      const bool leads_on = field.is_final && !field.init && are_related(field.type, own) &&
                            fields_.at({static_cast<int>(c), static_cast<int>(f)}).kind == Place::Kind::kRelation;
      const auto concerns = [&](const std::pair<LocalName, LocalName>& it) {
        return are_related(type_of(it.first), field.type) && are_related(type_of(it.second), field.type);
      };
      if (!leads_on || std::none_of(pairs.begin(), pairs.end(), concerns)) continue;
      const int closure = follow(fields_.at({static_cast<int>(c), static_cast<int>(f)}));
      system_.predicates[static_cast<std::size_t>(closure)].is_antireflexive = true;
      precedences_.push_back({closure, owner.name + "." + field.name});
      for (const auto& it : pairs) {
        if (!concerns(it)) continue;
        order(locals_.at(it.first).predicate, locals_.at(it.second).predicate, closure);
        order(locals_.at(it.second).predicate, locals_.at(it.first).predicate, closure);
      }
      for (std::size_t k = 0; k < program_.classes.size(); ++k) order_fields(static_cast<int>(k), closure, field.type);
    }
  }
  if (precedences_.empty()) return;
  std::vector<FormulaPtr> all{atom(object_monitor_.predicate, {"o", "t"})};
  for (const LocalName& it : locked_) {
    const Place& place = local(it);
    if (place.kind == Place::Kind::kRelation) all.push_back(negation(atom(place.predicate, {"t", "o"})));
  }
  holds_else_ = define("holds_else", {"t"}, exists({"o"}, conjunction(all)), true);
  know_copies();
}

// Of every two final fields of a class that refer to such objects.
void Vocabulary::order_fields(int class_index, int closure, const Type& type) {
  const plato::Class& owner = program_.classes[static_cast<std::size_t>(class_index)];
  const auto fits = [&](std::size_t f) {
    return owner.fields[f].is_final && are_related(owner.fields[f].type, type) &&
           fields_.at({class_index, static_cast<int>(f)}).kind == Place::Kind::kRelation;
  };
  const auto predicate = [&](std::size_t f) { return fields_.at({class_index, static_cast<int>(f)}).predicate; };
  for (std::size_t a = 0; a < owner.fields.size(); ++a) {
    for (std::size_t b = 0; b < owner.fields.size(); ++b) {
      if (a == b || !fits(a) || !fits(b)) continue;
      const std::string both = fmt::format("[{0}.{1},{0}.{2}]", owner.name, owner.fields[a].name, owner.fields[b].name);
      define("ordered" + both, {"o"}, ordered_definition(predicate(a), predicate(b), closure, "o"), true);
      if (a > b || precedences_.size() > 1) continue;
      const FormulaPtr same = conjunction({atom(predicate(a), {"o", "v"}), atom(predicate(b), {"o", "v"})});
      define("same" + both, {"o"}, exists({"v"}, same), true);
    }
  }
}

// A local variable that is a copy of a final field of a parameter.
void Vocabulary::know_copies() {
  for (const auto& [path, slot] : code_.copies) {
    const LocalName copy{path.first, slot};
    if (!locked_.contains(copy)) continue;
    const std::size_t dot = path.second.find('.');
    const std::size_t colon = path.second.find(':');
    if (path.second.find('.', dot + 1) != std::string::npos) continue;
    const LocalName parameter{path.first, std::stoi(path.second.substr(0, dot))};
    const std::pair<int, int> field{std::stoi(path.second.substr(dot + 1, colon - dot - 1)),
                                    std::stoi(path.second.substr(colon + 1))};
    std::vector<FormulaPtr> where;
    for (std::size_t l = 0; l < code_.labels.size(); ++l) {
      const std::set<LocalName>& live = code_.labels[l].live;
      if (live.contains(copy) && live.contains(parameter)) where.push_back(atom(system_.at[l], {"t"}));
    }
    const bool are_kept = local(copy).kind == Place::Kind::kRelation &&
                          local(parameter).kind == Place::Kind::kRelation &&
                          fields_.at(field).kind == Place::Kind::kRelation;
    if (where.empty() || !are_kept) continue;
    const FormulaPtr body = conjunction(
        {disjunction(where), atom(local(parameter).predicate, {"t", "o"}), atom(local(copy).predicate, {"t", "v"})});
    system_.rules.push_back({body, atom(fields_.at(field).predicate, {"o", "v"}), {}});
  }
}

}  // namespace concord::engine::shape::source
