// Statements. Whatever leaves a block early (an exception, return, break, continue) first does what the monitors and finally
// clauses between here and there ask for: contexts_ knows them, innermost last.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "base/overloaded.h"
#include "frontend/java/clauses.h"
#include "frontend/java/lowering.h"
#include "plato/walk.h"

namespace concord::frontend::java {

using plato::Type;

void Body::block(const std::vector<StmtPtr>& statements) {
  using Border = plato::AnnotationText::Border;
  std::size_t first = 0;
  const plato::AnnotationText* open = nullptr;
  for (const StmtPtr& it : statements) {
    for (const plato::AnnotationText* note : lowering_.annotations().of_statement(*it)) {
      if (note->atomic != Border::kBegin && note->exclusive != Border::kBegin) continue;
      first = out_->size();
      open = note;
      in_atomic_ = in_atomic_ || note->atomic == Border::kBegin;
      if (note->exclusive != Border::kBegin) continue;
      Context context;
      context.kind = Context::Kind::kRegion;
      context.region = note->region;
      contexts_.push_back(std::move(context));
    }
    statement(*it);
    for (const plato::AnnotationText* note : lowering_.annotations().of_statement(*it)) {
      if ((note->atomic != Border::kEnd && note->exclusive != Border::kEnd) || open == nullptr) continue;
      if (open->atomic == Border::kBegin) {
        in_atomic_ = false;
        emit(build::make(plato::Atomic{taken_since(first, it->range), true}, it->range));
      } else {
        contexts_.pop_back();
        plato::StmtPtr inside = taken_since(first, it->range);
        emit(build::make(plato::Exclusive{open->region, open->region_range, std::move(inside)}, open->range));
      }
      open = nullptr;
    }
  }
  if (open != nullptr && open->exclusive == Border::kBegin) contexts_.pop_back();  // which is an error
}

// What was emitted since `first` becomes a block of its own; variables declared in it are declared before it.
plato::StmtPtr Body::taken_since(std::size_t first, SourceRange range) {
  Statements inside;
  Statements before;
  for (std::size_t i = first; i < out_->size(); ++i) {
    plato::StmtPtr& it = (*out_)[i];
    auto* local = std::get_if<plato::LocalDecl>(&it->node);
    if (local == nullptr) {
      inside.push_back(std::move(it));
      continue;
    }
    before.push_back(build::local(local->name, local->type, std::nullopt, it->range));
    if (!local->init) continue;
    // The statement stays what it is otherwise: a `set` or a waiver may belong to it.
    it->node = plato::Assign{build::name(local->name, it->range), std::move(*local->init)};
    inside.push_back(std::move(it));
  }
  out_->resize(first);
  for (auto& it : before) emit(std::move(it));
  return build::block(std::move(inside), range);
}

void Body::statement(const Stmt& it) {
  const std::size_t first = out_->size();
  const std::size_t visible = visible_.size();
  plain_statement(it);
  annotate(it, first);
  if (!std::holds_alternative<LocalVar>(it.node)) visible_.resize(visible);
}

namespace {

bool is_shared_write(const plato::Stmt& statement) {
  const auto* assign = std::get_if<plato::Assign>(&statement.node);
  return assign != nullptr && !std::holds_alternative<plato::NameExpr>(assign->target->node);
}

bool is_call(const plato::Stmt& statement) {
  if (std::holds_alternative<plato::Call>(statement.node)) return true;
  const plato::Rhs* value = nullptr;
  if (const auto* it = std::get_if<plato::LocalDecl>(&statement.node); it != nullptr && it->init) value = &*it->init;
  if (const auto* it = std::get_if<plato::Assign>(&statement.node)) value = &it->value;
  return value != nullptr && std::holds_alternative<plato::CallExpr>(*value);
}

}  // namespace

// `may_block` is about what the statement waits for itself, not about what is acquired inside `synchronized`.
void Body::let_block(const Stmt& it, const std::vector<plato::Stmt*>& made, SourceRange range) {
  const bool is_simple = std::holds_alternative<ExprStmt>(it.node) || std::holds_alternative<Synchronized>(it.node);
  std::size_t waiting = 0;
  for (plato::Stmt* one : made) {
    if (!is_simple || (waiting > 0 && std::holds_alternative<Synchronized>(it.node))) break;
    plato::for_each_stmt(*one, [&](const plato::Stmt& inner) {
      if (!std::holds_alternative<plato::Acquire>(inner.node) && !std::holds_alternative<plato::Wait>(inner.node))
        return;
      const_cast<plato::Stmt&>(inner).may_block = true;  // NOLINT: the list is ours
      ++waiting;
    });
  }
  if (waiting > 0) return;
  lowering_.error(range, "`may_block` belongs before a statement that waits",
                  "that is `synchronized` or a call of `wait`; at calls of other methods it is not supported");
}

// `set` belongs to the one shared write of its statement, or to the last access if there is none; waivers to all of it. What
// monitors and finally clauses do on the way out is not of the statement.
void Body::annotate(const Stmt& it, std::size_t first) {
  for (plato::AnnotationText* note : lowering_.annotations().of_statement(it)) {
    // A waiver is listed also if there is nothing to be waived.
    if (!note->waivers.empty() && first == out_->size()) emit(build::make(plato::Skip{}, it.range));
    std::vector<plato::Stmt*> own;
    for (std::size_t i = first; i < out_->size(); ++i) {
      if (!of_leaving_.contains((*out_)[i].get())) own.push_back((*out_)[i].get());
    }
    for (plato::Stmt* made : own) {
      for (const plato::Waiver& waiver : note->waivers) {
        made->waivers.push_back(waiver);
        made->waivers.back().covers = it.range;
      }
    }
    if (note->may_block) let_block(it, own, note->range);
    if (note->sets.empty() && note->witness.empty()) continue;
    std::vector<plato::Stmt*> writes;
    bool has_call = false;
    plato::Stmt* last = nullptr;
    for (plato::Stmt* made : own) {
      plato::for_each_stmt(*made, [&](const plato::Stmt& inner) {
        if (of_leaving_.contains(&inner)) return;
        auto* statement = const_cast<plato::Stmt*>(&inner);  // NOLINT: the list is ours
        const auto* assign = std::get_if<plato::Assign>(&inner.node);
        const bool is_static = assign != nullptr && std::holds_alternative<plato::NameExpr>(assign->target->node) &&
                               !assigned_.contains(std::get<plato::NameExpr>(assign->target->node).name);
        if (is_shared_write(inner) || is_static) writes.push_back(statement);
        has_call = has_call || is_call(inner);
        const bool is_operation =
            std::holds_alternative<plato::Assign>(inner.node) || std::holds_alternative<plato::LocalDecl>(inner.node) ||
            std::holds_alternative<plato::Acquire>(inner.node) || std::holds_alternative<plato::Release>(inner.node) ||
            std::holds_alternative<plato::Notify>(inner.node);
        if (is_operation) last = statement;
      });
    }
    const bool is_unseen = !constructions_.empty() && writes.empty();
    plato::Stmt* target = writes.size() == 1 ? writes.front() : writes.empty() ? last : nullptr;
    if (target == nullptr || has_call) {
      lowering_.error(note->range,
                      is_unseen           ? "`set` in a constructor is not supported while only it has the object"
                      : has_call          ? "`set` cannot belong to a statement with a call"
                      : writes.size() > 1 ? "`set` belongs to one write, and this statement has several"
                                          : "`set` belongs to a step, and this statement has none",
                      is_unseen ? "say with `initially`, or the initial value of the ghost field, what holds at first"
                                : "split the statement, and put it to the part it belongs to");
      continue;
    }
    for (plato::GhostSet& set : note->sets) {
      plato::GhostSet made{build::copy(*set.target), build::copy(*set.value), set.range};
      clauses(note->range).translate(made);
      target->sets.push_back(std::move(made));
    }
    target->witness = note->witness;
    target->witness_range = note->witness_range;
  }
}

// For a clause at that place: variables declared behind it are not known.
Clauses Body::clauses(SourceRange at) {
  Place place;
  place.class_symbol = class_symbol_;
  place.self = this_;
  if (!closure_.empty() && closure_has_outer_) {
    place.self = closure_;
    place.through = "outer";
  }
  if (!constructions_.empty()) place.self.clear();  // it is still to be made
  place.has_this = !place.self.empty();
  place.local = [this, at](const std::string& name) -> std::optional<Place::Variable> {
    if (const auto found = variable_named(name, at)) return Place::Variable{found->first, found->second};
    for (const SymbolId it : captured_) {
      if (classes_.symbol(it).name != name) continue;
      return Place::Variable{lowering_.captured_field(it), classes_.symbol(it).type, closure_};
    }
    // Java may know the variable of a pattern behind its statement; whether it does is not found out.
    const bool is_pattern = std::any_of(at_start_symbols_.begin(), at_start_symbols_.end(), [&](SymbolId it) {
      return classes_.symbol(it).name == name && !in_switch_.contains(it);
    });
    if (is_pattern) return Place::Variable{name, -1, "", false};
    if (!closure_.empty() && has_local(classes_, method_around_, closure_range_, name)) {
      return Place::Variable{name, -1, "", false};
    }
    return std::nullopt;
  };
  return {lowering_, std::move(place)};
}

plato::LoopSpec Body::loop_spec(const Stmt* source) {
  plato::LoopSpec out;
  for (const plato::AnnotationText* note : lowering_.annotations().of_loop(*source)) {
    for (const Value& it : note->loop.invariants) out.invariants.push_back(build::copy(*it));
    if (!note->loop.modifies) continue;
    if (!out.modifies) out.modifies.emplace();
    for (const Value& it : *note->loop.modifies) out.modifies->push_back(build::copy(*it));
  }
  // The variable of a `for` loop is known, although it is declared behind its clauses.
  const Stmt* loop = source;
  while (const auto* it = std::get_if<Labeled>(&loop->node)) loop = it->body.get();
  SourceRange at = loop->range;
  if (const auto* it = std::get_if<For>(&loop->node)) at = it->body->range;
  if (const auto* it = std::get_if<ForEach>(&loop->node)) at = it->body->range;
  clauses(at).translate(out);
  return out;
}

void Body::plain_statement(const Stmt& it) {
  std::visit(
      base::Overloaded{
          [&](const Block& node) { block(node.statements); },
          [&](const LocalVar& node) { declare(node, it.range); },
          [&](const LocalClass&) {},
          [&](const ExprStmt& node) { effect(*node.expression); },
          [&](const If& node) { if_statement(node, it.range); },
          [&](const While& node) { loop(node.condition.get(), node.body.get(), nullptr, true, "", it); },
          [&](const DoWhile& node) { do_while(node, "", it); },
          [&](const For& node) {
            block(node.init);
            loop(node.condition.get(), node.body.get(), &node.update, true, "", it);
          },
          [&](const ForEach& node) { for_each(node, "", it); },
          [&](const Labeled& node) { labelled(node, it); },
          [&](const Switch& node) { switch_cases(*node.selector, node.cases, it.range); },
          [&](const Return& node) { return_statement(node, it.range); },
          [&](const Break& node) {
            for (std::size_t i = contexts_.size(); i-- > 0;) {
              const Context& context = contexts_[i];
              const bool can = context.kind == Context::Kind::kLoop || context.kind == Context::Kind::kBlock;
              if (can && (node.label.empty() ? !context.is_labelled_block : context.java_label == node.label)) {
                return jump_to(i, false, it.range);
              }
            }
            base::internal_error(__FILE__, __LINE__, "a break from nowhere");
          },
          [&](const Continue& node) {
            for (std::size_t i = contexts_.size(); i-- > 0;) {
              const Context& context = contexts_[i];
              if (context.kind == Context::Kind::kLoop && (node.label.empty() || context.java_label == node.label)) {
                return jump_to(i, true, it.range);
              }
            }
            base::internal_error(__FILE__, __LINE__, "a continue from nowhere");
          },
          [&](const Yield& node) {
            for (std::size_t i = contexts_.size(); i-- > 0;) {
              if (contexts_[i].kind != Context::Kind::kYield) continue;
              Value result = value_as(*node.value, contexts_[i].java_type);
              emit(build::assign(build::name(contexts_[i].result, it.range), std::move(result), it.range));
              return jump_to(i, false, it.range);
            }
          },
          [&](const Throw& node) { throw_now(value(*node.value), it.range); },
          [&](const Try& node) { try_statement(node, it.range); },
          [&](const Synchronized& node) { synchronized_block(node, it.range); },
          [&](const Assert& node) {
            plato::Assert out;
            out.condition = primitive_value(*node.condition);
            // A stub says what kind of finding it is.
            if (node.detail && node.detail->constant && lowering_.is_stub(it.range)) out.kind = *node.detail->constant;
            emit(build::make(std::move(out), it.range));
          },
          [](const Empty&) {},
          [&](const UnsupportedStmt& node) { unsupported(node.what, it.range); },
      },
      it.node);
}

// ------------------------------------------------------------------------------------------------------------------ locals

std::string Body::declare_local(SymbolId symbol, SourceRange range, std::optional<plato::Rhs> init) {
  const Symbol& it = classes_.symbol(symbol);
  const std::string name = names_.fresh(it.name.empty() ? "local" : it.name);
  locals_[symbol] = name;
  declared_.emplace_back(symbol, name);
  visible_.emplace_back(symbol, name);
  if (!classes_.is_fixed(symbol)) assigned_.insert(name);
  emit(build::local(name, lowering_.type_of(it.type), std::move(init), range));
  return name;
}

// For what Java knows beyond the block that it is declared in: variables of patterns, and of the cases of a switch.
std::string Body::declare_at_start(SymbolId symbol, SourceRange range) {
  Statements declared = into_new_list([&] { declare_local(symbol, range, std::nullopt); });
  at_start_.push_back(std::move(declared.front()));
  at_start_symbols_.insert(symbol);
  return locals_.at(symbol);
}

void Body::declare(const LocalVar& it, SourceRange range) {
  if (const auto known = locals_.find(it.symbol); known != locals_.end() && in_switch_.contains(it.symbol)) {
    if (it.init) {
      Value made = value_as(*it.init, classes_.symbol(it.symbol).type);
      emit(build::assign(build::name(known->second, range), std::move(made), range));
    }
    return;
  }
  if (lowering_.is_stamp_array(it.symbol)) {
    const std::string stamp = names_.fresh(classes_.symbol(it.symbol).name);
    locals_[it.symbol] = stamp;
    assigned_.insert(stamp);
    emit(build::local(stamp, lowering_.primitive_type(Prim::kInt), std::nullopt, range));
    return;
  }
  if (!it.init) {
    declare_local(it.symbol, range, std::nullopt);
    return;
  }
  Value made = value_as(*it.init, classes_.symbol(it.symbol).type);
  // `var t = o.f; var x = t` is one operation.
  const auto* name = std::get_if<plato::NameExpr>(&made->node);
  auto* last = out_->empty() ? nullptr : std::get_if<plato::LocalDecl>(&out_->back()->node);
  if (name != nullptr && last != nullptr && last->name == name->name && last->init &&
      temporaries_.contains(last->name)) {
    plato::Rhs init = std::move(*last->init);
    out_->pop_back();
    declare_local(it.symbol, range, std::move(init));
    return;
  }
  declare_local(it.symbol, range, std::move(made));
}

// ------------------------------------------------------------------------------------------------------------------- control

void Body::if_statement(const If& it, SourceRange range) {
  Value condition = primitive_value(*it.condition);
  Statements then = into_new_list([&] { statement(*it.then); });
  Statements otherwise = into_new_list([&] {
    if (it.otherwise) statement(*it.otherwise);
  });
  auto made = build::if_else(std::move(condition), std::move(then), std::move(otherwise), range);
  emit(std::move(made));
}

// A condition that takes several operations is evaluated inside: while (true) { …; if (!c) break; … }.
void Body::loop(const Expr* condition, const Stmt* body, const std::vector<StmtPtr>* update, bool test_first,
                const std::string& label, const Stmt& source) {
  const SourceRange range = source.range;
  plato::LoopSpec spec = loop_spec(&source);
  Context context;
  context.kind = Context::Kind::kLoop;
  context.java_label = label;
  context.break_label = names_.fresh(label.empty() ? "loop" : label);
  const bool steps_after_body = (update != nullptr && !update->empty()) || !test_first;
  if (steps_after_body) context.continue_label = names_.fresh("round");
  Value pure;
  Statements test;
  bool is_pure = false;
  if (condition != nullptr) {
    test = into_new_list([&] { pure = primitive_value(*condition); });
    is_pure = test.empty();
  } else {
    pure = build::truth(true, range);
    is_pure = true;
  }
  const SourceRange at = condition != nullptr ? condition->range : range;
  const auto add_test = [&](Statements& list) {
    for (auto& it : test) list.push_back(std::move(it));
    Statements leave;
    leave.push_back(build::leave("", at));
    list.push_back(build::if_else(build::negation(std::move(pure), at), std::move(leave), {}, at));
  };
  contexts_.push_back(std::move(context));
  Statements inner = into_new_list([&] { statement(*body); });
  Context done = std::move(contexts_.back());
  contexts_.pop_back();

  Statements round;
  const bool head_tests = test_first && is_pure;
  if (test_first && !is_pure) add_test(round);
  if (steps_after_body && done.continue_used) {
    round.push_back(build::labeled(done.continue_label, std::move(inner), range));
  } else {
    for (auto& it : inner) round.push_back(std::move(it));
  }
  if (update != nullptr) {
    Statements after = into_new_list([&] { block(*update); });
    for (auto& it : after) round.push_back(std::move(it));
  }
  if (!test_first) add_test(round);
  Value head = head_tests ? std::move(pure) : build::truth(true, at);
  plato::StmtPtr made = build::loop_while(std::move(head), std::move(round), at);
  std::get<plato::While>(made->node).spec = std::move(spec);
  if (done.break_used) made = build::labeled(done.break_label, std::move(made), range);
  emit(std::move(made));
}

// An invariant holds on entry and whenever the condition is about to be evaluated. So the first round stands before a loop
// that begins with its condition.
void Body::do_while(const DoWhile& it, const std::string& label, const Stmt& source) {
  plato::LoopSpec spec = loop_spec(&source);
  if (spec.invariants.empty()) return loop(it.condition.get(), it.body.get(), nullptr, false, label, source);
  for (Value& invariant : spec.invariants) {
    const SourceRange at = invariant->range;
    emit(build::make(plato::Assert{std::move(invariant), "loop-invariant", {}}, at));
  }
  Context context;
  context.kind = Context::Kind::kLoop;
  context.is_first_round = true;
  context.java_label = label;
  context.break_label = names_.fresh(label.empty() ? "loop" : label);
  context.continue_label = names_.fresh("round");
  contexts_.push_back(std::move(context));
  Statements first = into_new_list([&] { statement(*it.body); });
  const Context done = std::move(contexts_.back());
  contexts_.pop_back();
  Statements all = into_new_list([&] {
    const bool goes_on = done.continue_used || !ends_here(first);
    if (done.continue_used) {
      emit(build::labeled(done.continue_label, std::move(first), source.range));
    } else {
      for (auto& made : first) emit(std::move(made));
    }
    if (goes_on) loop(it.condition.get(), it.body.get(), nullptr, true, label, source);
  });
  if (done.break_used) {
    emit(build::labeled(done.break_label, std::move(all), source.range));
  } else {
    for (auto& made : all) emit(std::move(made));
  }
}

void Body::for_each(const ForEach& it, const std::string& label, const Stmt& source) {
  const SourceRange range = source.range;
  const JavaType& type = classes_.type(it.collection->type);
  if (type.kind != JavaType::Kind::kArray) return unsupported("for-each over " + type.text, range);
  const SourceRange at = it.collection->range;
  Value array = stable(value(*it.collection), lowering_.type_of(it.collection->type), at);
  const Type integer = build::simple(Type::Kind::kInt);
  const std::string index = temporary(integer, build::number(0, at), at, "i");
  assigned_.insert(index);
  plato::LoopSpec spec = loop_spec(&source);  // where the variable of the loop is not known yet
  Context context;
  context.kind = Context::Kind::kLoop;
  context.java_label = label;
  context.break_label = names_.fresh(label.empty() ? "loop" : label);
  context.continue_label = names_.fresh("round");
  contexts_.push_back(std::move(context));
  Statements inner = into_new_list([&] {
    Value element = build::element(build::copy(*array), build::name(index, at), at);
    const TypeId from = type.element;
    const TypeId to = classes_.symbol(it.variable).type;
    if (from == to) {
      declare_local(it.variable, at, std::move(element));
    } else {
      Value read_once = read(std::move(element), lowering_.type_of(from), at);
      declare_local(it.variable, at, convert(std::move(read_once), from, to, at));
    }
    statement(*it.body);
  });
  Context done = std::move(contexts_.back());
  contexts_.pop_back();
  Statements round;
  if (done.continue_used) {
    round.push_back(build::labeled(done.continue_label, std::move(inner), range));
  } else {
    round = std::move(inner);
  }
  round.push_back(build::assign(build::name(index, at),
                                build::binary(plato::BinaryOp::kAdd, build::name(index, at), build::number(1, at), at),
                                at));
  Value goes_on =
      build::binary(plato::BinaryOp::kLt, build::name(index, at), build::field(std::move(array), "length", at), at);
  plato::StmtPtr made = build::loop_while(std::move(goes_on), std::move(round), at);
  std::get<plato::While>(made->node).spec = std::move(spec);
  if (done.break_used) made = build::labeled(done.break_label, std::move(made), range);
  emit(std::move(made));
}

void Body::labelled(const Labeled& it, const Stmt& source) {
  const SourceRange range = source.range;
  const Stmt& body = *it.body;
  if (const auto* node = std::get_if<While>(&body.node)) {
    return loop(node->condition.get(), node->body.get(), nullptr, true, it.label, source);
  }
  if (const auto* node = std::get_if<DoWhile>(&body.node)) return do_while(*node, it.label, source);
  if (const auto* node = std::get_if<For>(&body.node)) {
    block(node->init);
    return loop(node->condition.get(), node->body.get(), &node->update, true, it.label, source);
  }
  if (const auto* node = std::get_if<ForEach>(&body.node)) return for_each(*node, it.label, source);
  Context context;
  context.kind = Context::Kind::kBlock;
  context.java_label = it.label;
  context.is_labelled_block = true;
  context.break_label = names_.fresh(it.label);
  contexts_.push_back(std::move(context));
  Statements inner = into_new_list([&] { statement(body); });
  const std::string label = contexts_.back().break_label;
  contexts_.pop_back();
  emit(build::labeled(label, std::move(inner), range));
}

// All contexts but the outermost `kept` are left, innermost first. An exception runs finally clauses later, as handlers.
void Body::leave_contexts(std::size_t kept, bool by_exception, SourceRange range) {
  for (std::size_t i = contexts_.size(); i-- > kept;) {
    if (contexts_[i].kind == Context::Kind::kMonitor) {
      const std::size_t before = out_->size();
      release(contexts_[i].lock, contexts_[i].lock_type, range);
      for (std::size_t k = before; k < out_->size(); ++k) of_leaving_.insert((*out_)[k].get());
    } else if (contexts_[i].kind == Context::Kind::kRegion) {
      emit(build::make(plato::Exclusive{contexts_[i].region, range, nullptr}, range));
      of_leaving_.insert(out_->back().get());
    } else if (contexts_[i].kind == Context::Kind::kFinally && !by_exception) {
      // Inside it, this context and those within are gone; so is the handler just outside that runs it after an exception.
      CONCORD_CHECK(i > 0 && contexts_[i - 1].kind == Context::Kind::kCatch, "a finally clause without its handler");
      std::vector<Context> rest;
      const auto first = contexts_.begin() + static_cast<std::ptrdiff_t>(i - 1);
      std::move(first, contexts_.end(), std::back_inserter(rest));
      contexts_.resize(i - 1);
      const bool in_loop = std::any_of(rest.begin(), rest.end(),
                                       [](const Context& context) { return context.kind == Context::Kind::kLoop; });
      const std::size_t outside = std::exchange(hidden_loop_, in_loop ? i - 1 : hidden_loop_);
      const std::size_t before = out_->size();
      rest[1].cleanup();
      for (std::size_t k = before; k < out_->size(); ++k) {
        plato::for_each_stmt(*(*out_)[k], [&](const plato::Stmt& made) { of_leaving_.insert(&made); });
      }
      hidden_loop_ = outside;
      std::move(rest.begin(), rest.end(), std::back_inserter(contexts_));
    }
  }
}

void Body::jump_to(std::size_t context, bool go_on, SourceRange range) {
  leave_contexts(context + 1, false, range);
  Context& to = contexts_[context];
  bool is_innermost = context >= hidden_loop_;  // of Plato's loops
  for (std::size_t i = context + 1; i < contexts_.size(); ++i) {
    is_innermost = is_innermost && contexts_[i].kind != Context::Kind::kLoop;
  }
  if (go_on && to.continue_label.empty()) {
    if (is_innermost) return emit(build::make(plato::Continue{"", range}, range));
    to.break_used = true;  // the label stands at the loop
    return emit(build::make(plato::Continue{to.break_label, range}, range));
  }
  if (go_on) {
    to.continue_used = true;
    return emit(build::leave(to.continue_label, range));
  }
  if (to.kind == Context::Kind::kLoop && is_innermost && !to.is_first_round) return emit(build::leave("", range));
  to.break_used = true;
  emit(build::leave(to.break_label, range));
}

void Body::return_statement(const Return& it, SourceRange range) {
  for (std::size_t i = contexts_.size(); i-- > 0;) {
    if (contexts_[i].kind == Context::Kind::kReturn) return jump_to(i, false, range);  // of a constructor unfolded here
  }
  plato::Return out;
  if (it.value) {
    out.value = value_as(*it.value, java_result_);
    // Monitors are released and finally clauses run after the value is known.
    const bool cleans = std::any_of(contexts_.begin(), contexts_.end(), [](const Context& context) {
      return context.kind == Context::Kind::kMonitor || context.kind == Context::Kind::kFinally ||
             context.kind == Context::Kind::kRegion;
    });
    if (cleans && (!is_stable(*out.value))) out.value = stable(std::move(out.value), result_, range);
  }
  leave_contexts(0, false, range);
  emit(build::make(std::move(out), range));
}

// ------------------------------------------------------------------------------------------------------------------ switch

namespace {

bool completes(const std::vector<StmtPtr>& body) {
  if (body.empty()) return true;
  const Stmt& last = *body.back();
  if (const auto* block = std::get_if<Block>(&last.node)) return completes(block->statements);
  return !std::holds_alternative<Break>(last.node) && !std::holds_alternative<Return>(last.node) &&
         !std::holds_alternative<Throw>(last.node) && !std::holds_alternative<Continue>(last.node) &&
         !std::holds_alternative<Yield>(last.node);
}

}  // namespace

// Literals differ in content where they differ as objects. Of another string the content is not known, nor then `unknown`.
void Body::needs_content(const std::string& text, const std::string& unknown, SourceRange range) {
  plato::Unsupported out;
  out.reason = "switch on a string that is no literal";
  out.reason_range = range;
  out.targets.push_back(build::name(unknown, range));
  Statements then;
  then.push_back(build::make(std::move(out), range));
  Value content = build::field(build::name(text, range), lowering_.content_field(), range);
  emit(build::if_else(build::binary(plato::BinaryOp::kEq, std::move(content), build::number(0, range), range),
                      std::move(then), {}, range));
}

void Body::switch_cases(const Expr& selector, const std::vector<SwitchCase>& cases, SourceRange range) {
  const JavaType& type = classes_.type(selector.type);
  const std::optional<Prim> inside = unboxed(selector.type);
  const bool is_text = type.kind == JavaType::Kind::kClass && classes_.is_class(type.symbol, "java.lang.String");
  Value chosen = value(selector);
  if (inside) chosen = unbox(std::move(chosen), selector.type, selector.range);
  if (!inside && type.kind == JavaType::Kind::kClass)
    chosen = build::unary(plato::UnaryOp::kNonNull, std::move(chosen), selector.range);
  const Type local = inside ? build::simple(Type::Kind::kInt) : lowering_.type_of(selector.type);
  const std::string subject = temporary(local, std::move(chosen), selector.range, "selected");

  const auto matches = [&](const SwitchCase& it) {
    std::vector<Value> any;
    for (const java::ExprPtr& label : it.labels) {
      any.push_back(
          build::binary(plato::BinaryOp::kEq, build::name(subject, label->range), value(*label), label->range));
    }
    return build::any_of(std::move(any), it.range);
  };
  // Which case is entered, as a number; the default where no other fits.
  std::size_t by_default = cases.size();
  for (std::size_t i = 0; i < cases.size(); ++i) {
    if (cases[i].is_default) by_default = i;
  }
  Value entry = build::number(static_cast<std::int64_t>(by_default), range);
  for (std::size_t i = cases.size(); i-- > 0;) {
    if (cases[i].labels.empty()) continue;
    entry = build::conditional(matches(cases[i]), build::number(static_cast<std::int64_t>(i), cases[i].range),
                               std::move(entry), cases[i].range);
  }
  const std::string at = temporary(build::simple(Type::Kind::kInt), std::move(entry), selector.range, "entry");
  if (is_text) {
    assigned_.insert(at);
    needs_content(subject, at, selector.range);
  }

  Context context;
  context.kind = Context::Kind::kBlock;
  context.break_label = names_.fresh("choice");
  contexts_.push_back(std::move(context));
  for (const SwitchCase& it : cases) {
    if (it.is_arrow) continue;
    for (const StmtPtr& statement : it.body) {
      const auto* declared = std::get_if<LocalVar>(&statement->node);
      if (declared == nullptr) continue;
      declare_at_start(declared->symbol, statement->range);
      in_switch_.insert(declared->symbol);
    }
  }
  Statements body = into_new_list([&] {
    // Cases that fall through are entered from the one before as well.
    std::size_t first = 0;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      const SwitchCase& it = cases[i];
      Statements inner = into_new_list([&] { block(it.body); });
      const auto number = [&](std::size_t k) { return build::number(static_cast<std::int64_t>(k), it.range); };
      Value enters =
          first == i
              ? build::binary(plato::BinaryOp::kEq, build::name(at, it.range), number(i), it.range)
              : build::binary(plato::BinaryOp::kAnd,
                              build::binary(plato::BinaryOp::kLe, number(first), build::name(at, it.range), it.range),
                              build::binary(plato::BinaryOp::kLe, build::name(at, it.range), number(i), it.range),
                              it.range);
      if (!inner.empty()) emit(build::if_else(std::move(enters), std::move(inner), {}, it.range));
      if (it.is_arrow || !completes(it.body)) first = i + 1;
    }
  });
  const bool used = contexts_.back().break_used;
  const std::string label = contexts_.back().break_label;
  contexts_.pop_back();
  if (used) {
    emit(build::labeled(label, std::move(body), range));
  } else {
    for (auto& it : body) emit(std::move(it));
  }
}

Value Body::switch_expression(const SwitchExpr& it, const Expr& expr) {
  Context context;
  context.kind = Context::Kind::kYield;
  context.break_label = names_.fresh("choice");
  context.result = names_.fresh("chosen");
  context.java_type = expr.type;
  assigned_.insert(context.result);
  const std::string result = context.result;
  const std::string label = context.break_label;
  emit(build::local(result, lowering_.type_of(expr.type), std::nullopt, expr.range));
  contexts_.push_back(std::move(context));
  const std::size_t visible = visible_.size();
  Statements inner = into_new_list([&] { switch_cases(*it.selector, it.cases, expr.range); });
  visible_.resize(visible);
  contexts_.pop_back();
  emit(build::labeled(label, std::move(inner), expr.range));
  return build::name(result, expr.range);
}

// ------------------------------------------------------------------------------------------------- monitors and exceptions

// Whether it was freed is looked at in a step before: if it is freed in between, another run has the step after that.
void Body::release(const Value& lock, SymbolId type, SourceRange range) {
  if (type >= 0) check_not_freed(*lock, type, false, range);
  emit(build::make(plato::Release{build::copy(*lock)}, range));
}

// `type`: of the lock; -1: it is the monitor of a class.
void Body::with_monitor(Value lock, SymbolId type, SourceRange range, SourceRange end,
                        const std::function<void()>& body) {
  if (type >= 0) check_not_freed(*lock, type, false, range);
  emit(build::make(plato::Acquire{build::copy(*lock)}, range));
  Context context;
  context.kind = Context::Kind::kMonitor;
  context.lock = build::copy(*lock);
  context.lock_type = type;
  contexts_.push_back(std::move(context));
  body();
  contexts_.pop_back();
  if (!ends_here(*out_)) release(lock, type, end);
}

bool Body::ends_here(const Statements& list) const {
  if (list.empty()) return false;
  const plato::Stmt::Node& last = list.back()->node;
  return std::holds_alternative<plato::Return>(last) || std::holds_alternative<plato::Throw>(last) ||
         std::holds_alternative<plato::Break>(last) || std::holds_alternative<plato::Continue>(last);
}

// Whether two boxes, or two results of a lambda expression, have one monitor is not known.
void Body::refuse_monitor(const Expr& lock, const Value& value) {
  const SourceRange range = lock.range;
  SymbolId variable = -1;
  if (const auto* it = std::get_if<Name>(&lock.node)) variable = it->symbol;
  if (const auto* it = std::get_if<Select>(&lock.node)) variable = it->symbol;
  if (std::holds_alternative<New>(lock.node) || std::holds_alternative<This>(lock.node)) return;
  if (variable >= 0 && classes_.is_always_new(variable)) return;
  const auto refuse = [&](Value when, const char* what) {
    Statements then = into_new_list([&] { unsupported(what, range); });
    emit(build::if_else(std::move(when), std::move(then), {}, range));
  };
  if (may_be_box(lock.type)) {
    refuse(lowering_.is_any_box(build::copy(*value), range), "the monitor of a boxed value");
  }
  if (may_be_closure(lock.type)) {
    refuse(lowering_.is_any_closure(build::copy(*value), classes_.type(lock.type).symbol, range),
           "the monitor of a lambda expression");
  }
}

void Body::synchronized_block(const Synchronized& it, SourceRange range) {
  SourceRange end = it.body->range;
  if (const auto* body = std::get_if<Block>(&it.body->node)) end = body->end;
  if (const auto* literal = std::get_if<ClassLiteral>(&it.lock->node)) {
    const JavaType& of = classes_.type(literal->of);
    if (of.kind == JavaType::Kind::kClass) {
      return with_monitor(build::name(lowering_.class_monitor(of.symbol), it.lock->range), -1, it.lock->range, end,
                          [&] { statement(*it.body); });
    }
  }
  if (classes_.type(it.lock->type).kind != JavaType::Kind::kClass) {
    return unsupported("the monitor of an array", range);
  }
  if (lowering_.is_lock(classes_.type(it.lock->type).symbol)) return unsupported("the monitor of a Lock", range);
  if (unboxed(it.lock->type)) return unsupported("the monitor of a boxed value", range);
  Value lock = stable(value(*it.lock), lowering_.type_of(it.lock->type), it.lock->range);
  refuse_locks(*lock, it.lock.get(), it.lock->range);
  refuse_monitor(*it.lock, lock);
  const SourceRange head{range.file, range.begin, it.lock->range.end + 1};  // synchronized (lock)
  with_monitor(std::move(lock), classes_.type(it.lock->type).symbol, head, end, [&] { statement(*it.body); });
}

void Body::throw_now(Value exception, SourceRange range) {
  if (std::holds_alternative<plato::NullLit>(exception->node)) {
    const Type type = build::named(lowering_.throwable_class());
    exception = build::name(temporary(type, std::move(exception), range), range);
  }
  exception = build::unary(plato::UnaryOp::kNonNull, std::move(exception), range);
  handle_exception(std::move(exception), range);
}

// The exception goes to the innermost handler, or out of the procedure.
void Body::handle_exception(Value exception, SourceRange range) {
  std::size_t handler = contexts_.size();
  for (std::size_t i = contexts_.size(); i-- > 0;) {
    if (contexts_[i].kind != Context::Kind::kCatch) continue;
    handler = i;
    break;
  }
  const Type type = build::named(lowering_.throwable_class());
  exception = stable(std::move(exception), type, range);
  if (handler == contexts_.size()) {
    leave_contexts(0, true, range);
    throws_ = true;
    emit(build::make(plato::Throw{std::move(exception)}, range));
    return;
  }
  leave_contexts(handler + 1, true, range);
  contexts_[handler].catch_used = true;
  emit(build::assign(build::name(contexts_[handler].exception, range), std::move(exception), range));
  emit(build::leave(contexts_[handler].break_label, range));
}

// What is thrown in `body` and not caught there is in `exception` afterwards. Whether anything may be thrown.
bool Body::guarded(const std::function<void()>& body, std::string& exception, SourceRange range) {
  Context context;
  context.kind = Context::Kind::kCatch;
  context.break_label = names_.fresh("attempt");
  context.exception = names_.fresh("thrown");
  exception = context.exception;
  assigned_.insert(exception);
  const std::string label = context.break_label;
  const Type throwable = build::named(lowering_.throwable_class());
  emit(build::local(exception, throwable, plato::Rhs(build::null(range)), range));
  contexts_.push_back(std::move(context));
  Statements inner = into_new_list(body);
  const bool used = contexts_.back().catch_used;
  contexts_.pop_back();
  if (used) {
    emit(build::labeled(label, std::move(inner), range));
  } else {
    // Nothing is thrown: the declaration is not needed either.
    out_->pop_back();
    for (auto& statement : inner) emit(std::move(statement));
  }
  return used;
}

// The resources from number `from` on, then the body; each is closed unless it is null, whatever happens. An exception of
// close() is lost if there is one already.
void Body::with_resources(const Try& it, std::size_t from, SourceRange range) {
  if (from == it.resources.size()) return statement(*it.body);
  const Stmt& resource = *it.resources[from];
  const SourceRange at = resource.range;
  TypeId java = -1;
  Value object;
  if (const auto* local = std::get_if<LocalVar>(&resource.node)) {
    declare(*local, at);
    java = classes_.symbol(local->symbol).type;
    object = local_variable(local->symbol, at);
  } else {
    const Expr& expr = *std::get<ExprStmt>(resource.node).expression;
    java = expr.type;
    object = stable(value(expr), lowering_.type_of(java), at);
  }
  const SymbolId type = classes_.type(java).symbol;
  const SymbolId close = classes_.close_method(type);
  if (close < 0) return unsupported("a resource of the library", at);
  const auto close_it = [&] {
    Statements closing = into_new_list([&] { call_virtual(close, build::copy(*object), type, true, {}, at); });
    Value is_there = build::negation(build::is_null(build::copy(*object), at), at);
    emit(build::if_else(std::move(is_there), std::move(closing), {}, at));
  };
  std::string exception;
  const bool used = guarded(
      [&] {
        Context context;
        context.kind = Context::Kind::kFinally;
        context.cleanup = close_it;
        contexts_.push_back(std::move(context));
        with_resources(it, from + 1, range);
        contexts_.pop_back();
      },
      exception, range);
  if (!used) {
    if (!ends_here(*out_)) close_it();
    return;
  }
  Statements again = into_new_list([&] {
    std::string lost;
    guarded(close_it, lost, at);
    handle_exception(build::name(exception, range), range);
  });
  Value is_thrown = build::negation(build::is_null(build::name(exception, range), range), range);
  emit(build::if_else(std::move(is_thrown), std::move(again), into_new_list(close_it), range));
}

// try { B } catch (E x) { C } finally { F }: an exception in B leaves the block with the exception kept; then the handlers are
// tried. A finally clause is itself a handler of everything, that goes on with the exception when it is done; a jump across it runs a
// copy of it first.
void Body::try_statement(const Try& it, SourceRange range) {
  const auto resources_and_body = [&] { with_resources(it, 0, range); };
  const auto with_handlers = [&] {
    if (it.catches.empty()) return resources_and_body();
    std::string exception;
    if (!guarded(resources_and_body, exception, range)) return;
    Statements rest;  // innermost else: nobody catches it
    rest = into_new_list([&] { handle_exception(build::name(exception, range), range); });
    for (std::size_t i = it.catches.size(); i-- > 0;) {
      const Catch& handler = it.catches[i];
      std::vector<Value> any;
      for (TypeId type : handler.types) {
        any.push_back(
            lowering_.tests_class(build::name(exception, handler.range), classes_.type(type).symbol, handler.range));
      }
      Statements caught = into_new_list([&] {
        const TypeId type = classes_.symbol(handler.variable).type;
        Value cast = build::name(exception, handler.range);
        const std::string class_name = lowering_.class_name(classes_.type(type).symbol);
        if (class_name != lowering_.throwable_class()) cast = build::cast(std::move(cast), class_name, handler.range);
        declare_local(handler.variable, handler.range, std::move(cast));
        statement(*handler.body);
      });
      Statements next;
      next.push_back(build::if_else(build::any_of(std::move(any), handler.range), std::move(caught), std::move(rest),
                                    handler.range));
      rest = std::move(next);
    }
    emit(build::if_else(build::negation(build::is_null(build::name(exception, range), range), range), std::move(rest),
                        {}, range));
  };
  if (!it.finally) return with_handlers();

  std::string exception;
  const Stmt* const clause = it.finally.get();
  const bool used = guarded(
      [&] {
        Context context;
        context.kind = Context::Kind::kFinally;
        context.cleanup = [this, clause] { statement(*clause); };
        contexts_.push_back(std::move(context));
        with_handlers();
        contexts_.pop_back();
      },
      exception, range);
  if (!ends_here(*out_)) statement(*clause);
  if (!used) return;
  Statements again = into_new_list([&] { handle_exception(build::name(exception, range), range); });
  emit(build::if_else(build::negation(build::is_null(build::name(exception, range), range), range), std::move(again),
                      {}, range));
}

void Body::lower_body(const Stmt& body, bool synchronized_on_this, const std::string& class_monitor) {
  const auto* block_node = std::get_if<Block>(&body.node);
  const SourceRange end = block_node != nullptr ? block_node->end : body.range;
  if (synchronized_on_this && lowering_.is_lock(class_symbol_)) unsupported("the monitor of a Lock", body.range);
  if (synchronized_on_this) {
    with_monitor(build::name(this_, body.range), class_symbol_, body.range, end, [&] { statement(body); });
  } else if (!class_monitor.empty()) {
    with_monitor(build::name(class_monitor, body.range), -1, body.range, end, [&] { statement(body); });
  } else {
    statement(body);
  }
}

}  // namespace concord::frontend::java
