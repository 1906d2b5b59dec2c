#include "frontend/java/annotations.h"

#include <algorithm>
#include <set>
#include <utility>

#include "base/overloaded.h"
#include "frontend/java/build.h"
#include "frontend/java/walk.h"

namespace concord::frontend::java {

namespace {

bool contains(const SourceRange& outer, const SourceRange& inner) {
  return outer.file == inner.file && outer.begin <= inner.begin && inner.end <= outer.end;
}

// Something of the annotation belongs to a field, a method, or a statement.
bool is_for_field(const plato::AnnotationText& it) { return !it.field_clauses.empty() || it.is_thread_local; }
// Where a part of a block begins or ends.
plato::AnnotationText::Border border(const plato::AnnotationText& it) {
  return it.atomic != plato::AnnotationText::Border::kNo ? it.atomic : it.exclusive;
}
bool is_border(const plato::AnnotationText& it) { return border(it) != plato::AnnotationText::Border::kNo; }
bool is_for_statement(const plato::AnnotationText& it) {
  return it.has_loop || !it.sets.empty() || !it.witness.empty() || it.may_block || is_border(it);
}
bool requires_only(const plato::Contract& it) {
  return it.ensures.empty() && it.signals.empty() && !it.has_abstraction();
}
bool is_for_class(const plato::AnnotationText& it) {
  return !it.variables.empty() || !it.clauses.empty() || !it.lock_orders.empty() || !it.checks.empty() ||
         !it.abstract_threads.empty();
}
bool is_for_method(const plato::AnnotationText& it) {
  return it.has_contract || !it.abstracted.by.empty() || it.threads;
}

const Stmt* without_labels(const Stmt* statement) {
  while (const auto* labeled = std::get_if<Labeled>(&statement->node)) statement = labeled->body.get();
  return statement;
}
SourceRange range_of(const Member& member) {
  return std::visit(base::Overloaded{
                        [](const FieldDecl& it) { return it.range; },
                        [](const MethodDecl& it) { return it.range; },
                        [](const Initialiser& it) { return it.body->range; },
                        [](const std::shared_ptr<ClassDecl>& it) { return it->range; },
                    },
                    member);
}
bool is_in_method(const SourceRange& range, const ClassDecl& declaration) {
  return std::any_of(declaration.members.begin(), declaration.members.end(), [&](const Member& it) {
    return std::holds_alternative<MethodDecl>(it) && contains(range_of(it), range);
  });
}
bool is_loop(const Stmt& statement) {
  return std::holds_alternative<While>(statement.node) || std::holds_alternative<DoWhile>(statement.node) ||
         std::holds_alternative<For>(statement.node) || std::holds_alternative<ForEach>(statement.node);
}

// `//@Override` and the like, with nothing behind it but arguments, is code that was commented out.
bool is_commented_out(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r\n";
  text = text.substr(0, text.find_last_not_of(kBlank) + 1);
  for (const std::string_view name : {"Override", "SuppressWarnings", "Deprecated", "FunctionalInterface", "Test"}) {
    if (!text.starts_with(name)) continue;
    const std::string_view rest = text.substr(name.size());
    if (rest.empty() || (rest.starts_with('(') && rest.find(')') == rest.size() - 1)) return true;
  }
  return false;
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
  for (const Comment& it : classes.unit().comments) comments_[{it.range.file, it.range.begin}] = it.range.end;
  for (const Comment& comment : classes.unit().comments) attach(comment);
  match_borders();
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
  if (is_commented_out(text.substr(3, end - comment.range.begin - 3))) return;
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

// Where the code goes on: behind blanks and comments.
std::uint32_t Annotations::next_code(std::uint32_t file, std::uint32_t at) const {
  const std::string_view text = sources_.file(file).text();
  while (at < text.size()) {
    if (const auto comment = comments_.find({file, at}); comment != comments_.end()) {
      at = comment->second;
    } else if (std::string_view(" \t\r\n\f").find(text[at]) != std::string_view::npos) {
      ++at;
    } else {
      break;
    }
  }
  return at;
}

// No code is between them.
bool Annotations::touch(const SourceRange& first, const SourceRange& second) const {
  return first.file == second.file && first.end <= second.begin && next_code(first.file, first.end) >= second.begin;
}

// `int x, y;` declares several.
bool Annotations::are_of_one_declaration(const SourceRange& first, const SourceRange& second) const {
  if (first.file != second.file || first.end > second.begin) return false;
  const std::uint32_t comma = next_code(first.file, first.end);
  return comma < second.begin && sources_.file(first.file).text()[comma] == ',' &&
         next_code(first.file, comma + 1) == second.begin;
}

// `// @ requires`, `/* @ requires` and `/**@ requires` are no annotations, but meant to be.
bool Annotations::is_misspelt(const Comment& comment) {
  std::string_view text = sources_.text(comment.range);
  const bool is_documentation = text.starts_with("/**");
  text.remove_prefix(is_documentation ? 3 : 2);
  const auto skip_blanks = [&] {
    while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  };
  if (!is_documentation) {  // `/** @requires` is Javadoc
    skip_blanks();
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);  // `//+@` of JML
  }
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
                                                    "inline",
                                                    "signals",
                                                    "ghost",
                                                    "abstract",
                                                    "abstracted",
                                                    "abstracted_by",
                                                    "thread_local",
                                                    "check",
                                                    "nowarn",
                                                    "invariant",
                                                    "global_invariant",
                                                    "initially",
                                                    "finally",
                                                    "threads",
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
                                                    "exclusive",
                                                    "monotonic",
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
  if (is_for_class(it) && (body != nullptr || is_in_method(it.range, declaration))) {
    const bool is_for_loop = std::any_of(it.clauses.begin(), it.clauses.end(), [](const plato::Clause& clause) {
      return clause.kind == plato::Clause::Kind::kMonitorInvariant;
    });
    sink_.error(it.range, "this annotation belongs to a class",
                is_for_loop ? "put it into the class, outside its methods; that of a loop is `loop_invariant`"
                            : "put it into the class, outside its methods");
    return;
  }
  if (is_for_class(it)) by_class_[declaration.symbol].push_back(index);
  if (body != nullptr) return attach_in_body(index, *body);
  if (is_for_statement(it)) {
    sink_.error(it.range, "this annotation belongs to a statement",
                "put it into the body of a method, before the statement");
    return;
  }
  if (!is_for_field(it) && !is_for_method(it) && it.waivers.empty()) return;
  const Member* wanted = member_at(it, declaration);
  if (const auto* field = wanted == nullptr ? nullptr : std::get_if<FieldDecl>(wanted);
      field != nullptr && !is_for_method(it)) {
    for (const SymbolId one : declared_with(*field, declaration)) by_field_[one].push_back(index);
  } else if (const auto* method = wanted == nullptr ? nullptr : std::get_if<MethodDecl>(wanted);
             method != nullptr && !is_for_field(it)) {
    attach_to_method(index, *method);
  } else {
    const char* what = is_for_field(it) ? "field" : is_for_method(it) ? "method" : "field or method";
    sink_.error(it.range, std::string("this annotation belongs to a ") + what,
                std::string("put it directly before the ") + what);
  }
}

// The member that it stands in or directly before, or the field before it on its line.
const Member* Annotations::member_at(const plato::AnnotationText& it, const ClassDecl& declaration) const {
  const Member* next = nullptr;
  const Member* behind = nullptr;  // it stands behind this one, on its last line
  bool is_on_line_of_next = false;
  for (const Member& member : declaration.members) {
    const SourceRange range = range_of(member);
    if (contains(range, it.range)) return &member;
    if (next == nullptr && touch(it.range, range)) {
      next = &member;
      is_on_line_of_next = begins_on_line_of(range, it.range);
    }
    const bool ends_here =
        touch(range, it.range) && line_of(range.file, range.end - 1) == line_of(it.range.file, it.range.begin);
    if (ends_here) behind = &member;
  }
  if (behind == nullptr || is_on_line_of_next) return next;
  return std::holds_alternative<FieldDecl>(*behind) ? behind : nullptr;
}

std::vector<SymbolId> Annotations::declared_with(const FieldDecl& field, const ClassDecl& declaration) const {
  std::vector<SymbolId> out;
  const FieldDecl* last = nullptr;
  bool is_reached = false;
  for (const Member& member : declaration.members) {
    const auto* it = std::get_if<FieldDecl>(&member);
    if (it == nullptr) continue;
    const bool goes_on = last != nullptr && !classes_.symbol(it->symbol).is_enum_constant &&
                         are_of_one_declaration(last->range, it->range);
    if (!goes_on && is_reached) break;
    if (!goes_on) out.clear();
    out.push_back(it->symbol);
    is_reached = is_reached || it == &field;
    last = it;
  }
  return out;
}

void Annotations::attach_to_method(std::size_t index, const MethodDecl& method) {
  const plato::AnnotationText& it = all_[index];
  const Symbol& symbol = classes_.symbol(method.symbol);
  const bool is_native = !method.body && !symbol.is_abstract;
  if (it.has_contract && ((symbol.name == "<init>" && !requires_only(it.contract)) || is_native)) {
    sink_.error(it.contract_range,
                symbol.name == "<init>" ? "of a constructor only `requires` is supported"
                                        : "contracts of native methods are not supported",
                "");
  }
  if (!it.abstracted.by.empty() && !runs_thread(method)) {
    sink_.error(it.abstracted.range, "only `run` of a class that extends Thread has an abstract thread",
                "let the class extend Thread, and start its objects");
  }
  if (!it.waivers.empty() && (symbol.name == "<init>" || !method.body)) {
    sink_.error(it.range, "`nowarn` is not supported at a constructor, nor at a method without a body",
                "put it before the statement that it speaks of");
  }
  if (it.threads) check_threads(*it.threads, method);
  by_method_[method.symbol].push_back(index);
}

// What a thread is given is a value of its own, and it has no object.
void Annotations::check_threads(const plato::Thread& threads, const MethodDecl& method) {
  const Symbol& symbol = classes_.symbol(method.symbol);
  if (!symbol.is_static || !method.body) {
    sink_.error(threads.range, "`threads` belongs to a static method",
                "write one that does what each thread does, and give it what they share in static variables");
  }
  for (const Parameter& it : method.parameters) {
    const JavaType& type = classes_.type(classes_.symbol(it.symbol).type);
    const bool is_float = type.primitive == Prim::kFloat || type.primitive == Prim::kDouble;
    if (type.kind == JavaType::Kind::kPrimitive && !is_float) continue;
    diag::Diagnostic& error =
        sink_.error(it.range, "what each of the threads is given is an integer or a truth value", "");
    error.notes.push_back({threads.range, "the threads"});
  }
  for (const plato::AnnotationText* other : of_method(method.symbol)) {
    if (other->threads) sink_.error(threads.range, "the number of threads is said twice");
  }
}

bool Annotations::runs_thread(const MethodDecl& method) const {
  const Symbol& symbol = classes_.symbol(method.symbol);
  if (symbol.name != "run" || !method.parameters.empty() || !method.body) return false;
  for (SymbolId at = symbol.owner; at >= 0; at = classes_.symbol(at).superclass) {
    if (classes_.is_class(at, "java.lang.Thread")) return true;
  }
  return false;
}

void Annotations::attach_in_body(std::size_t index, const Stmt& body) {
  plato::AnnotationText& it = all_[index];
  if (is_for_field(it)) {
    sink_.error(it.range, "this annotation belongs to a field", "put it before the field");
    return;
  }
  if (is_for_method(it)) {
    sink_.error(it.has_contract ? it.contract_range
                : it.threads    ? it.threads->range
                                : it.abstracted.range,
                "this annotation belongs to a method", "put it before the method");
    return;
  }
  if (!is_for_statement(it) && it.waivers.empty()) return;
  // The outermost statements directly behind it and directly before it.
  const Stmt* next = nullptr;
  const Stmt* before = nullptr;
  walk(
      body, [](const Expr&) {},
      [&](const Stmt& statement) {
        if (&statement == &body) return;
        if (next == nullptr && touch(it.range, statement.range)) next = &statement;
        if (before == nullptr && touch(statement.range, it.range)) before = &statement;
      },
      [](const ClassDecl&) {});
  const bool is_at_end = before != nullptr &&  // of the line of a statement
                         line_of(it.range.file, before->range.end - 1) == line_of(it.range.file, it.range.begin) &&
                         !(next != nullptr && begins_on_line_of(next->range, it.range));
  const bool is_behind_loop = is_at_end && it.has_loop && is_loop(*without_labels(before));
  const bool may_follow = !it.has_loop && !is_border(it);
  const Stmt* wanted = may_follow && is_at_end ? before : next;
  if (border(it) == plato::AnnotationText::Border::kEnd) wanted = before;
  if (wanted == nullptr) {
    sink_.error(it.range, "no statement stands directly at this annotation",
                "put it before the statement that it speaks of, or behind that on its line");
    return;
  }
  if (it.has_loop) {
    const Stmt* loop = without_labels(wanted);
    if (!is_loop(*loop) || is_behind_loop) {
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
  if (is_border(it)) {
    by_statement_[wanted].push_back(index);
    return;
  }
  const std::vector<const Stmt*> all = declared_with(*wanted, body);
  if (all.size() > 1 && (!it.sets.empty() || !it.witness.empty())) {
    sink_.error(it.range, "`set` belongs to one step, and here several variables are declared",
                "split the declaration, and put it to the part it belongs to");
    return;
  }
  for (const Stmt* one : all) by_statement_[one].push_back(index);
}

// The statement, or all of `int x = 1, y = 2;`, of which each is one.
std::vector<const Stmt*> Annotations::declared_with(const Stmt& statement, const Stmt& body) const {
  if (!std::holds_alternative<LocalVar>(statement.node)) return {&statement};
  std::vector<const Stmt*> out;
  bool is_reached = false;
  bool is_done = false;
  walk(
      body, [](const Expr&) {},
      [&](const Stmt& it) {
        if (is_done || !std::holds_alternative<LocalVar>(it.node)) return;
        const bool goes_on = !out.empty() && are_of_one_declaration(out.back()->range, it.range);
        is_done = !goes_on && is_reached;
        if (is_done) return;
        if (!goes_on) out.clear();
        out.push_back(&it);
        is_reached = is_reached || &it == &statement;
      },
      [](const ClassDecl&) {});
  return out;
}

// `trusted atomic begin` and `end`, or those of a region, stand in one list of statements, in turns.
void Annotations::match_borders() {
  using Border = plato::AnnotationText::Border;
  std::set<std::size_t> matched;
  const auto match = [&](const std::vector<StmtPtr>& list) {
    const std::size_t* open = nullptr;
    for (const StmtPtr& it : list) {
      const auto found = by_statement_.find(it.get());
      if (found == by_statement_.end()) continue;
      for (const std::size_t& index : found->second) {
        if (border(all_[index]) == Border::kBegin && open == nullptr) open = &index;
      }
      for (const std::size_t index : found->second) {
        if (border(all_[index]) != Border::kEnd || open == nullptr) continue;
        const plato::AnnotationText& begin = all_[*open];
        const bool are_alike = (begin.atomic == Border::kNo) == (all_[index].atomic == Border::kNo);
        if (!are_alike || begin.region != all_[index].region) continue;
        matched.insert({*open, index});
        open = nullptr;
      }
    }
  };
  const auto match_cases = [&](const std::vector<SwitchCase>& cases) {
    for (const SwitchCase& it : cases) match(it.body);
  };
  for (const auto& declaration : classes_.unit().classes) {
    walk(
        *declaration,
        [&](const Expr& expr) {
          if (const auto* it = std::get_if<SwitchExpr>(&expr.node)) match_cases(it->cases);
        },
        [&](const Stmt& statement) {
          if (const auto* it = std::get_if<Block>(&statement.node)) match(it->statements);
          if (const auto* it = std::get_if<Switch>(&statement.node)) match_cases(it->cases);
        },
        [](const ClassDecl&) {});
  }
  std::set<std::size_t> attached;  // in the order of the source
  for (const auto& [statement, list] : by_statement_) attached.insert(list.begin(), list.end());
  for (const std::size_t index : attached) {
    const plato::AnnotationText& it = all_[index];
    if (!is_border(it) || matched.contains(index)) continue;
    const std::string what = it.atomic != Border::kNo ? "trusted atomic" : "exclusive " + it.region;
    const bool is_begin = border(it) == Border::kBegin;
    sink_.error(
        it.range,
        "this `" + what + (is_begin ? " begin` has no `" : " end` has no `") + what + (is_begin ? " end`" : " begin`"),
        "both belong into one block, and such blocks are not nested");
  }
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
std::vector<plato::AnnotationText*> Annotations::of_field(SymbolId field) { return look_up(by_field_, field, all_); }
std::vector<plato::AnnotationText*> Annotations::of_method(SymbolId method) {
  return look_up(by_method_, method, all_);
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
