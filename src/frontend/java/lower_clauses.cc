// What the annotations of classes, fields and methods become: ghost fields, clauses, contracts.
#include <utility>

#include "frontend/java/clauses.h"
#include "frontend/java/lowering.h"
#include "plato/annotation.h"

namespace concord::frontend::java {

using plato::Type;

const Type* Lowering::ghost_field(SymbolId class_symbol, const std::string& name) {
  for (const plato::AnnotationText* note : annotations_.of_class(class_symbol)) {
    for (const plato::Variable& it : note->variables) {
      if (it.name == name) return &it.type;
    }
  }
  return nullptr;
}

// A ghost must not be mistaken for anything else that its class has.
void Lowering::refuse_name(const plato::Variable& ghost, SymbolId class_symbol) {
  if (ghost.name == "holder" || ghost.name == "depth" || ghost.name == "main") {
    error(ghost.name_range, "`" + ghost.name + "` is a word of annotations; it cannot be a ghost", "");
  }
  for (const SymbolId member : classes_.symbol(class_symbol).members) {
    const Symbol& it = classes_.symbol(member);
    if (it.kind != Symbol::Kind::kField || it.name != ghost.name) continue;
    error(ghost.name_range, "field `" + ghost.name + "` is declared twice", "a ghost has a name of its own");
  }
}

void Lowering::add_ghosts(plato::Class& out, SymbolId class_symbol) {
  Place place;
  place.class_symbol = class_symbol;
  place.has_this = true;
  Clauses clauses(*this, place);
  for (plato::AnnotationText* note : annotations_.of_class(class_symbol)) {
    for (plato::Variable& it : note->variables) {
      refuse_name(it, class_symbol);
      plato::Variable ghost;
      ghost.name = it.name;
      ghost.type = clauses.translate(it.type);
      if (it.init) {
        ghost.init = build::copy(*it.init);
        clauses.translate_initial(ghost.init, it.type);
      }
      ghost.is_ghost = true;
      ghost.is_abstract = it.is_abstract;
      ghost.range = it.range;
      ghost.name_range = it.name_range;
      for (plato::FieldClause& clause : it.clauses) {
        clauses.translate(clause);
        ghost.clauses.push_back(std::move(clause));
      }
      out.fields.push_back(std::move(ghost));
    }
  }
}

// An invariant that says nothing of `this` is due whenever the monitor of the class is free.
void Lowering::add_monitor_of(SymbolId class_symbol, plato::Clause& invariant) {
  Value& predicate = invariant.predicate.predicate;
  const SourceRange range = predicate->range;
  Value holder = build::field(build::name(class_monitor(class_symbol), range), "holder", range);
  Value is_held = build::binary(plato::BinaryOp::kNe, std::move(holder), build::none(range), range);
  predicate = build::binary(plato::BinaryOp::kOr, std::move(is_held), std::move(predicate), range);
  invariant.kind = plato::Clause::Kind::kGlobalInvariant;
}

// A clause that says nothing of `this` holds also while there is no object; the others belong to the class. `out`: null if
// there never is one.
void Lowering::add_clauses(plato::Class* out, SymbolId class_symbol) {
  if (!has_clauses_.insert(class_symbol).second) return;
  Place place;
  place.class_symbol = class_symbol;
  place.has_this = true;
  for (plato::AnnotationText* note : annotations_.of_class(class_symbol)) {
    if (classes_.symbol(class_symbol).is_interface && !note->variables.empty()) {
      error(note->variables.front().range, "ghost fields of an interface are not supported",
            "put them to the classes that implement it");
    }
    for (plato::Clause& it : note->clauses) {
      Clauses clauses(*this, place);
      clauses.translate(it.predicate);
      const bool is_of_objects = clauses.uses_this();
      if (!is_of_objects && it.kind == plato::Clause::Kind::kMonitorInvariant) add_monitor_of(class_symbol, it);
      if (is_of_objects && out == nullptr) {
        if (classes_.symbol(class_symbol).is_interface) {
          error(it.range, "a clause about the objects of an interface is not supported",
                "put it to the classes that implement it");
        }
        continue;
      }
      if (is_of_objects) {
        out->clauses.push_back(static_cast<int>(program_.clauses.size()));
      } else {
        add_item(plato::Item::Kind::kClause, program_.clauses.size());
      }
      program_.clauses.push_back(std::move(it));
    }
    Clauses clauses(*this, place);
    for (plato::LockOrder& it : note->lock_orders) {
      clauses.translate(it);
      add_item(plato::Item::Kind::kLockOrder, program_.lock_orders.size());
      program_.lock_orders.push_back(std::move(it));
    }
    for (plato::AbstractThread& it : note->abstract_threads) add_machine(it, class_symbol);
    for (plato::Check& it : note->checks) {
      add_item(plato::Item::Kind::kCheck, program_.checks.size());
      program_.checks.push_back(std::move(it));
    }
  }
}

// Abstract threads speak of what all threads share.
void Lowering::add_machine(plato::AbstractThread& machine, SymbolId class_symbol) {
  Place place;
  place.class_symbol = class_symbol;
  Clauses clauses(*this, place);
  for (plato::AbstractThread::Node& it : machine.nodes) {
    if (it.assertion) clauses.translate(it.assertion);
  }
  for (plato::AbstractThread::Edge& it : machine.edges) clauses.translate(it.step);
  add_item(plato::Item::Kind::kAbstractThread, program_.abstract_threads.size());
  plato::AbstractThread added;
  added.name = machine.name;
  std::swap(added, machine);  // whoever looks for it knows it by its name
  added.name = name_of_machine(class_symbol, machine.name);
  program_.abstract_threads.push_back(std::move(added));
}

std::string Lowering::name_of_machine(SymbolId class_symbol, const std::string& name) {
  std::string& made = machine_names_[{class_symbol, name}];
  if (made.empty()) made = names_.fresh(name);
  return made;
}

// The one that is meant in a class: its own, one of the classes around it, or the only one of that name.
plato::Abstracted Lowering::abstraction(const plato::Abstracted& written, SymbolId class_symbol) {
  plato::Abstracted out = written;
  const auto has = [&](SymbolId it) {
    for (const plato::AnnotationText* note : annotations_.of_class(it)) {
      for (const plato::AbstractThread& machine : note->abstract_threads) {
        if (machine.name == written.by) return true;
      }
    }
    return false;
  };
  for (SymbolId at = class_symbol; at >= 0; at = classes_.symbol(at).outer) {
    if (!has(at)) continue;
    out.by = name_of_machine(at, written.by);
    return out;
  }
  std::vector<SymbolId> all;
  for (const ClassDecl* it : classes_.all()) {
    if (has(it->symbol)) all.push_back(it->symbol);
  }
  if (all.size() == 1) {
    out.by = name_of_machine(all.front(), written.by);
    return out;
  }
  error(written.name_range,
        all.empty() ? "there is no abstract thread `" + written.by + "`"
                    : "several classes have an abstract thread `" + written.by + "`",
        all.empty() ? "declare it in a class: `/*@ abstract thread " + written.by + " { initial node A; … } */`"
                    : "give each a name of its own");
  return {};
}

// What is written before the field, and @GuardedBy.
void Lowering::add_field_clauses(plato::Variable& out, SymbolId field) {
  const Symbol& symbol = classes_.symbol(field);
  Place place;
  place.class_symbol = symbol.owner;
  place.has_this = !symbol.is_static;
  Clauses clauses(*this, place);
  for (plato::AnnotationText* note : annotations_.of_field(field)) {
    for (const plato::FieldClause& it : note->field_clauses) {
      plato::FieldClause own{it.kind, it.bound, build::copy(*it.expr), it.range};
      clauses.translate(own);
      out.clauses.push_back(std::move(own));
    }
    out.is_thread_local = out.is_thread_local || note->is_thread_local;
    for (const plato::Waiver& it : note->waivers) out.waivers.push_back(it);
  }
  for (const Annotation& it : annotations_.java_annotations(field)) {
    if (it.name == "ThreadConfined") out.is_thread_local = true;
    if (it.name != "GuardedBy") continue;
    plato::FieldClause clause{plato::FieldClause::Kind::kGuardedBy, "", nullptr, it.range};
    const std::string self = ".this";
    if (!annotations_.has_lock(it)) continue;
    if (it.argument.ends_with(self)) {
      const std::string owner = it.argument.substr(0, it.argument.size() - self.size());
      const SymbolId around = clauses.class_named(owner, it.argument_range);
      if (around >= 0 && place.has_this) clause.expr = clauses.instance_around(around, it.argument_range);
      if (!clause.expr) error(it.argument_range, "there is no instance of " + owner + " around this field", "");
    } else if (it.argument == "itself") {
      clause.expr = build::name(out.name, it.argument_range);
    } else {
      const std::string suffix = ".class";
      const std::string owner =
          it.argument.ends_with(suffix) ? it.argument.substr(0, it.argument.size() - suffix.size()) : "";
      if (!owner.empty()) {
        const SymbolId named = clauses.class_named(owner, it.argument_range);
        if (named < 0) error(it.argument_range, "there is no class " + owner, "");
        if (named >= 0) clause.expr = build::name(class_monitor(named), it.argument_range);
      } else {
        clause.expr = plato::read_expression(sources_, it.argument_range, sink_);
        if (clause.expr) clauses.translate(clause.expr);
      }
    }
    if (clause.expr) out.clauses.push_back(std::move(clause));
  }
}

void Lowering::add_contract(plato::Procedure& out, SymbolId method, const Body& body) {
  const Symbol& symbol = classes_.symbol(method);
  Place place;
  place.class_symbol = symbol.owner;
  place.has_this = !symbol.is_static;
  place.self = symbol.is_static ? "" : "this_";
  place.result = symbol.type;
  place.local = [&](const std::string& name) -> std::optional<Place::Variable> {
    const auto found = body.parameter_named(name);
    if (!found) return std::nullopt;
    return Place::Variable{found->first, found->second};
  };
  Clauses clauses(*this, place);
  for (plato::AnnotationText* note : annotations_.of_method(method)) {
    for (const plato::Waiver& it : note->waivers) out.waivers.push_back(it);
    if (!note->has_contract) continue;
    plato::Contract from = build::copy(note->contract);  // whoever starts or calls it needs it too
    clauses.translate(from);
    const auto append = [](auto& to, auto& list) {
      for (auto& it : list) to.push_back(std::move(it));
    };
    append(out.contract.requires_, from.requires_);
    append(out.contract.ensures, from.ensures);
    append(out.contract.signals, from.signals);
    append(out.contract.actions, from.actions);
    if (from.modifies) {
      if (!out.contract.modifies) out.contract.modifies.emplace();
      append(*out.contract.modifies, *from.modifies);
    }
    out.contract.is_inline = out.contract.is_inline || from.is_inline;
  }
  // Whoever calls an instance method has an instance.
  if (out.contract.has_abstraction() && !symbol.is_static) {
    Value self = build::name("this_", symbol.range);
    out.contract.requires_.insert(
        out.contract.requires_.begin(),
        build::binary(plato::BinaryOp::kNe, std::move(self), build::null(symbol.range), symbol.range));
  }
}

}  // namespace concord::frontend::java
