#include "frontend/java/annotations.h"

#include <algorithm>
#include <set>
#include <utility>

#include "frontend/java/build.h"
#include "frontend/java/walk.h"

namespace concord::frontend::java {

namespace {

bool contains(const SourceRange& outer, const SourceRange& inner) {
  return outer.file == inner.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

// Something of the annotation belongs to a field, a method, or a statement.
bool is_for_field(const plato::AnnotationText& it) { return !it.field_clauses.empty() || it.is_thread_local; }
bool is_for_statement(const plato::AnnotationText& it) {
  return it.has_loop || !it.sets.empty() || !it.witness.empty() || it.may_block ||
         it.atomic != plato::AnnotationText::Atomic::kNo;
}
bool requires_only(const plato::Contract& it) {
  return it.ensures.empty() && it.signals.empty() && !it.has_abstraction();
}
bool is_for_class(const plato::AnnotationText& it) {
  return !it.variables.empty() || !it.clauses.empty() || !it.lock_orders.empty() || !it.checks.empty();
}

const Stmt* without_labels(const Stmt* statement) {
  while (const auto* labeled = std::get_if<Labeled>(&statement->node)) statement = labeled->body.get();
  return statement;
}
bool is_loop(const Stmt& statement) {
  return std::holds_alternative<While>(statement.node) || std::holds_alternative<DoWhile>(statement.node) ||
         std::holds_alternative<For>(statement.node) || std::holds_alternative<ForEach>(statement.node);
}

}  // namespace

Annotations::Annotations(const base::SourceMap& sources, const Classes& classes, diag::Sink& sink)
    : sources_(sources), classes_(classes), sink_(sink) {
  for (const ClassDecl* declaration : classes.all()) {
    refuse(declaration->annotations, {"Immutable", "ThreadConfined", "GuardedBy"});
    for (const Member& member : declaration->members) {
      if (const auto* field = std::get_if<FieldDecl>(&member)) {
        java_annotations_[field->symbol] = field->annotations;
        refuse(field->annotations, {"Immutable"});
      }
      if (const auto* method = std::get_if<MethodDecl>(&member)) {
        refuse(method->annotations, {"Immutable", "ThreadConfined"});
        for (const Annotation& it : method->annotations) {
          if (it.name == "GuardedBy") require_lock(*method, it);
        }
      }
    }
  }
  refuse(classes.unit().local_annotations, {"GuardedBy"});
  for (const Comment& comment : classes.unit().comments) attach(comment);
}

// What is understood elsewhere but not here must not be passed over.
void Annotations::refuse(const std::vector<Annotation>& list, const std::vector<std::string>& names) {
  for (const Annotation& it : list) {
    if (std::find(names.begin(), names.end(), it.name) == names.end()) continue;
    sink_.error(it.range, "`@" + it.name + "` is not supported here");
  }
}

bool Annotations::has_lock(const Annotation& guarded_by) {
  const bool is_written =
      !guarded_by.argument.empty() && sources_.text(guarded_by.argument_range) == guarded_by.argument;
  if (!is_written) sink_.error(guarded_by.range, "the lock of `@GuardedBy` must be written here, as one string");
  return is_written;
}

// @GuardedBy at a method: whoever calls it holds the lock.
void Annotations::require_lock(const MethodDecl& method, const Annotation& guarded_by) {
  if (!has_lock(guarded_by)) return;
  const std::string& lock = guarded_by.argument;
  const SourceRange range = guarded_by.argument_range;
  const std::string first = lock.substr(0, lock.find('.'));
  const bool is_hidden =  // by a parameter, which is not what is meant
      std::any_of(method.parameters.begin(), method.parameters.end(),
                  [&](const Parameter& it) { return classes_.symbol(it.symbol).name == first; });
  if (is_hidden || lock == "itself" || lock.ends_with(".this")) {
    sink_.error(guarded_by.range, "this lock is not supported at a method",
                "write `//@ requires lock.holder == tid` with the lock that is meant");
    return;
  }
  const std::string of_class = ".class";
  plato::ExprPtr expr;
  if (lock.ends_with(of_class)) {
    expr = build::field(build::name(lock.substr(0, lock.size() - of_class.size()), range), "class", range);
  } else {
    expr = plato::read_expression(sources_, range, sink_);
  }
  if (!expr) return;
  plato::AnnotationText& made = all_.emplace_back();
  made.contract.requires_.push_back(build::binary(plato::BinaryOp::kEq, build::field(std::move(expr), "holder", range),
                                                  build::tid(range), guarded_by.range));
  made.has_contract = true;
  made.contract_range = guarded_by.range;
  made.range = guarded_by.range;
  attach_to_method(all_.size() - 1, method);
}

void Annotations::attach(const Comment& comment) {
  const std::string_view text = sources_.text(comment.range);
  if (text.size() < 3) return;
  if (text[2] != '@') {
    if (!is_misspelt(comment)) return;
    sink_.error(comment.range, "this comment looks like an annotation, but is none",
                "an annotation begins with `//@` or `/*@`, without anything between");
    return;
  }
  const std::uint32_t end = comment.is_line || !text.ends_with("*/") ? comment.range.end : comment.range.end - 2;
  // `//@Override` and the like is code that was commented out, not an annotation.
  for (const std::string_view name : {"Override", "SuppressWarnings", "Deprecated", "FunctionalInterface", "Test"}) {
    if (text.substr(3).starts_with(name)) return;
  }
  all_.push_back(plato::read_annotation(sources_, {comment.range.file, comment.range.begin + 3, end}, sink_));
  all_.back().range = comment.range;
  const std::size_t index = all_.size() - 1;

  const ClassDecl* innermost = nullptr;
  for (const ClassDecl* it : classes_.all()) {
    if (!contains(it->range, comment.range)) continue;
    if (innermost == nullptr || contains(innermost->range, it->range)) innermost = it;
  }
  if (innermost == nullptr) {
    sink_.error(comment.range, "an annotation belongs into a class",
                "move it to the class, field, method or statement it speaks of");
    return;
  }
  attach_in_class(index, *innermost);
}

// A comment between two things of one line belongs to the one behind it.
bool Annotations::begins_on_line_of(const SourceRange& next, const SourceRange& comment) const {
  return next.begin >= comment.end && line_of(next.file, next.begin) == line_of(comment.file, comment.end);
}

// `// @ requires`, `/* @ requires` and `/**@ requires` are no annotations, but meant to be.
bool Annotations::is_misspelt(const Comment& comment) {
  std::string_view text = sources_.text(comment.range);
  const bool is_documentation = text.starts_with("/**");
  text.remove_prefix(is_documentation ? 3 : 2);
  const auto skip_blanks = [&] {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  };
  if (!is_documentation) skip_blanks();  // `/** @requires` is Javadoc
  if (!text.starts_with('@')) return false;
  text.remove_prefix(1);
  skip_blanks();
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  const auto end = std::find_if_not(text.begin(), text.end(), is_letter);
  const std::string word(text.begin(), end);
  static const std::set<std::string> kFirstWords = {"requires",
                                                    "ensures",
                                                    "modifies",
                                                    "assignable",
                                                    "action",
                                                    "performs",
                                                    "signals",
                                                    "ghost",
                                                    "abstract",
                                                    "thread_local",
                                                    "check",
                                                    "nowarn",
                                                    "invariant",
                                                    "global_invariant",
                                                    "initially",
                                                    "rely",
                                                    "env_assumption",
                                                    "guarantee",
                                                    "lock_order",
                                                    "assigns",
                                                    "loop_invariant",
                                                    "maintaining",
                                                    "set",
                                                    "loop_modifies",
                                                    "guarded_by",
                                                    "writable_if",
                                                    "trusted",
                                                    "may_block",
                                                    "unwritable_by_env_if",
                                                    "elems_unwritable_by_env_if"};
  return kFirstWords.contains(word);
}

void Annotations::attach_in_class(std::size_t index, const ClassDecl& declaration) {
  plato::AnnotationText& it = all_[index];
  // In a body?
  const Stmt* body = nullptr;
  for (const Member& member : declaration.members) {
    const Stmt* candidate = nullptr;
    if (const auto* method = std::get_if<MethodDecl>(&member)) candidate = method->body.get();
    if (const auto* block = std::get_if<Initialiser>(&member)) candidate = block->body.get();
    if (candidate != nullptr && contains(candidate->range, it.range)) body = candidate;
    const auto* field = std::get_if<FieldDecl>(&member);
    if (field == nullptr || !field->init || !contains(field->init->range, it.range)) continue;
    walk(
        *field->init,
        [&](const Expr& expr) {
          const auto* lambda = std::get_if<Lambda>(&expr.node);
          const bool is_inside = lambda != nullptr && lambda->block && contains(lambda->block->range, it.range);
          if (is_inside) body = lambda->block.get();
        },
        [](const Stmt&) {}, [](const ClassDecl&) {});
  }
  if (is_for_class(it)) by_class_[declaration.symbol].push_back(index);
  if (body != nullptr) return attach_in_body(index, *body);
  if (is_for_statement(it)) {
    sink_.error(it.range, "this annotation belongs to a statement",
                "put it into the body of a method, before the statement");
    return;
  }
  if (!is_for_field(it) && !it.has_contract && it.waivers.empty()) return;

  // The member that follows, or the field that ends on this line.
  const Member* next = nullptr;
  const Member* same_line = nullptr;
  std::uint32_t nearest = UINT32_MAX;
  const auto range_of = [](const Member& member) {
    if (const auto* field = std::get_if<FieldDecl>(&member)) return field->range;
    if (const auto* method = std::get_if<MethodDecl>(&member)) return method->range;
    return SourceRange{};
  };
  const auto body_of = [](const Member& member) -> const Stmt* {
    const auto* method = std::get_if<MethodDecl>(&member);
    return method == nullptr ? nullptr : method->body.get();
  };
  for (const Member& member : declaration.members) {
    const SourceRange range = range_of(member);
    if (range.end == 0 || range.file != it.range.file) continue;
    const Stmt* code = body_of(member);
    const std::uint32_t head_end = code != nullptr ? code->range.begin : range.end;
    if (head_end >= it.range.end && head_end < nearest) {
      nearest = head_end;
      next = &member;
    }
    const bool ends_here = range.end <= it.range.begin && std::holds_alternative<FieldDecl>(member) &&
                           line_of(range.file, range.end - 1) == line_of(it.range.file, it.range.begin);
    if (ends_here) same_line = &member;
  }
  if (next != nullptr && begins_on_line_of(range_of(*next), it.range)) same_line = nullptr;
  const Member* wanted = is_for_field(it) && same_line != nullptr ? same_line : next;
  if (const auto* field = wanted == nullptr ? nullptr : std::get_if<FieldDecl>(wanted);
      field != nullptr && !it.has_contract) {
    // `int x, y;` declares several.
    const std::size_t end = sources_.file(field->range.file).text().find(';', field->range.begin);
    for (const Member& member : declaration.members) {
      const auto* other = std::get_if<FieldDecl>(&member);
      if (other == nullptr || other->range.file != field->range.file) continue;
      const std::uint32_t name = classes_.symbol(other->symbol).range.begin;
      const bool is_same = other == field || (name > field->range.begin && name < end);
      if (is_same) by_field_[other->symbol].push_back(index);
    }
  } else if (const auto* method = wanted == nullptr ? nullptr : std::get_if<MethodDecl>(wanted);
             method != nullptr && !is_for_field(it)) {
    attach_to_method(index, *method);
  } else {
    sink_.error(it.range,
                is_for_field(it) ? "this annotation belongs to a field" : "this annotation belongs to a method",
                is_for_field(it) ? "put it before the field" : "put it before the method");
  }
}

void Annotations::attach_to_method(std::size_t index, const MethodDecl& method) {
  const plato::AnnotationText& it = all_[index];
  const Symbol& symbol = classes_.symbol(method.symbol);
  if (it.has_contract && ((symbol.name == "<init>" && !requires_only(it.contract)) || !method.body)) {
    sink_.error(it.contract_range,
                symbol.name == "<init>" ? "of a constructor only `requires` is supported"
                                        : "contracts of methods without a body are not supported",
                symbol.name == "<init>" ? "" : "put it to the methods that implement it");
  }
  for (const SymbolId other : it.has_contract ? classes_.reachable_from(method.symbol) : std::vector<SymbolId>{}) {
    if (other == method.symbol) continue;
    sink_.error(classes_.symbol(other).range, "a method that overrides one with a contract is not supported",
                "the contract is in " + sources_.place(it.contract_range));
  }
  by_method_[method.symbol].push_back(index);
}

void Annotations::attach_in_body(std::size_t index, const Stmt& body) {
  plato::AnnotationText& it = all_[index];
  if (is_for_field(it)) {
    sink_.error(it.range, "this annotation belongs to a field", "put it before the field");
    return;
  }
  if (it.has_contract) {
    sink_.error(it.contract_range, "this annotation belongs to a method", "put it before the method");
    return;
  }
  if (!is_for_statement(it) && it.waivers.empty()) return;
  // The outermost statement that begins next; behind a statement on its line: that one.
  const Stmt* next = nullptr;
  const Stmt* same_line = nullptr;
  walk(
      body, [](const Expr&) {},
      [&](const Stmt& statement) {
        if (&statement == &body || std::holds_alternative<Block>(statement.node)) return;
        if (statement.range.begin >= it.range.end && (next == nullptr || statement.range.begin < next->range.begin))
          next = &statement;
        const bool ends_here =
            statement.range.end <= it.range.begin &&
            line_of(it.range.file, statement.range.end - 1) == line_of(it.range.file, it.range.begin);
        if (ends_here && (same_line == nullptr || statement.range.end > same_line->range.end)) same_line = &statement;
      },
      [](const ClassDecl&) {});
  if (next != nullptr && begins_on_line_of(next->range, it.range)) same_line = nullptr;
  const bool may_follow = !it.has_loop && it.atomic == plato::AnnotationText::Atomic::kNo;
  const Stmt* wanted = may_follow && same_line != nullptr ? same_line : next;
  if (it.atomic == plato::AnnotationText::Atomic::kEnd) {
    // The last statement before it.
    wanted = nullptr;
    walk(
        body, [](const Expr&) {},
        [&](const Stmt& statement) {
          if (&statement == &body || std::holds_alternative<Block>(statement.node)) return;
          if (statement.range.end > it.range.begin) return;
          if (wanted == nullptr || statement.range.end > wanted->range.end) wanted = &statement;
        },
        [](const ClassDecl&) {});
  }
  if (wanted == nullptr) {
    sink_.error(it.range, "no statement follows this annotation");
    return;
  }
  if (it.has_loop) {
    const Stmt* loop = without_labels(wanted);
    if (!is_loop(*loop)) {
      sink_.error(it.range, "this annotation belongs to a loop", "put it directly before the loop");
      return;
    }
    by_loop_[loop].push_back(index);
  }
  // A label is part of the statement it stands before.
  walk(
      body, [](const Expr&) {},
      [&](const Stmt& statement) {
        const auto* labeled = std::get_if<Labeled>(&statement.node);
        if (labeled != nullptr && without_labels(&statement) == without_labels(wanted) &&
            statement.range.begin < wanted->range.begin) {
          wanted = &statement;
        }
      },
      [](const ClassDecl&) {});
  by_statement_[wanted].push_back(index);
}

namespace {

template <class Key>
std::vector<plato::AnnotationText*> look_up(std::map<Key, std::vector<std::size_t>>& map, const Key& key,
                                            std::vector<plato::AnnotationText>& all) {
  std::vector<plato::AnnotationText*> out;
  const auto found = map.find(key);
  if (found == map.end()) return out;
  for (std::size_t index : found->second) out.push_back(&all[index]);
  return out;
}

}  // namespace

std::vector<plato::AnnotationText*> Annotations::of_class(SymbolId symbol) { return look_up(by_class_, symbol, all_); }
std::vector<plato::AnnotationText*> Annotations::of_field(SymbolId symbol) { return look_up(by_field_, symbol, all_); }
std::vector<plato::AnnotationText*> Annotations::of_method(SymbolId symbol) {
  return look_up(by_method_, symbol, all_);
}
std::vector<plato::AnnotationText*> Annotations::of_statement(const Stmt& statement) {
  return look_up(by_statement_, &statement, all_);
}

std::vector<plato::AnnotationText*> Annotations::of_loop(const Stmt& loop) {
  return look_up(by_loop_, without_labels(&loop), all_);
}

const std::vector<Annotation>& Annotations::java_annotations(SymbolId field) const {
  static const std::vector<Annotation> kNone;
  const auto found = java_annotations_.find(field);
  return found == java_annotations_.end() ? kNone : found->second;
}

}  // namespace concord::frontend::java
