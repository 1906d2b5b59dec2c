#include "plato/annotation.h"

#include <string>
#include <utility>
#include <vector>

#include "plato/lexer.h"
#include "plato/parser.h"

namespace concord::plato {

AnnotationText Parser::annotation() {
  AnnotationText out;
  out.range = {file_, current().begin, tokens_.back().end};
  const Flag mode(in_annotation_);
  while (!at(TokenKind::kEnd) && !sink_.is_full()) {
    const std::size_t start = at_;
    try {
      annotation_clause(out);
    } catch (const Skipped&) {
      if (at_ == start) advance();
      while (!at(TokenKind::kEnd) && !begins_clause()) advance();
    }
  }
  for (Waiver& it : take_waivers()) out.waivers.push_back(std::move(it));
  return out;
}

// At a word that begins a clause.
bool Parser::begins_clause() const {
  if (!at(TokenKind::kWord)) return false;
  if (at_word("set") || at_word("may_block") || at_word("nowarn") || at_word("trusted") || at_word("exclusive") ||
      at_word("thread_local") || at_word("threads"))
    return true;
  if (at_word("abstracted_by") || at_word("abstracted")) return true;
  switch (current_role()) {
    case Role::kDeclaration:
      return at_word("ghost") || at_word("abstract") || at_word("check") || at_word("lock_order");
    case Role::kClause:
    case Role::kContract:
    case Role::kLoopClause:
    case Role::kFieldClause: return true;
    default: return false;
  }
}

void Parser::annotation_clause(AnnotationText& out) {
  if (accept(TokenKind::kSemicolon)) return;
  if (!at(TokenKind::kWord)) fail_expected("a clause");
  if (abstracted(out.abstracted)) return expect_semicolon();
  if ((at_word("ghost") || at_word("abstract")) && !word_ahead(1, "thread")) {
    out.variables.push_back(ghost_declaration());
    return;
  }
  if (accept_word("thread_local")) {
    out.is_thread_local = true;
    return expect_semicolon();
  }
  if (at_word("threads")) return threads(out);
  if (at_word("nowarn")) return read_waiver();
  if (accept_word("may_block")) {
    out.may_block = true;
    return expect_semicolon();
  }
  if (at_word("trusted")) {
    advance();
    expect_word("atomic");
    out.atomic = border(out);
    return expect_semicolon();
  }
  if (accept_word("exclusive")) {
    Name region = name("the name of a region");
    out.region = std::move(region.text);
    out.region_range = region.range;
    out.exclusive = border(out);
    return expect_semicolon();
  }
  if (at_word("set")) {
    if (ahead(1).kind == TokenKind::kEscaped && text(ahead(1)) == "\\witness") {
      advance(), advance();
      expect(TokenKind::kAssign);
      out.witness_range = range(current());
      out.witness = string_value();
      return expect_semicolon();
    }
    out.sets.push_back(ghost_set());
    return;
  }
  if (at_word("lock_order") || at_word("check") || at_word("abstract")) {
    Program scratch;
    scratch.modules.emplace_back();
    Parser inner(*this, scratch);
    if (at_word("check")) {
      inner.read_check();
    } else if (at_word("abstract")) {
      inner.read_abstract_thread();
    } else {
      inner.read_lock_order();
    }
    at_ = inner.at_;
    last_end_ = inner.last_end_;
    for (LockOrder& it : scratch.lock_orders) out.lock_orders.push_back(std::move(it));
    for (Check& it : scratch.checks) out.checks.push_back(std::move(it));
    for (AbstractThread& it : scratch.abstract_threads) out.abstract_threads.push_back(std::move(it));
    return;
  }
  switch (current_role()) {
    case Role::kClause: out.clauses.push_back(clause()); return;
    case Role::kContract: {
      const SourceRange begin = range(current());
      contract_clause(out.contract);
      out.contract_range = out.has_contract ? out.contract_range : begin;
      out.has_contract = true;
      return;
    }
    case Role::kLoopClause:
      loop_clause(out.loop);
      out.has_loop = true;
      return;
    case Role::kFieldClause: {
      Variable field;
      field_clause(field);
      expect_semicolon();
      for (FieldClause& it : field.clauses) out.field_clauses.push_back(std::move(it));
      return;
    }
    default: break;
  }
  std::vector<std::string> words = words_with({Role::kClause, Role::kContract, Role::kLoopClause, Role::kFieldClause});
  words.insert(words.end(), {"threads", "ghost", "abstract", "thread_local", "check", "nowarn", "lock_order"});
  fail_here("unknown clause " + found(), guess(words));
}

// threads n, threads 3, threads *
void Parser::threads(AnnotationText& out) {
  const std::uint32_t begin = current().begin;
  if (out.threads) fail_here("the number of threads is said twice");
  advance();
  Thread made;
  thread_number(made);
  made.range = range_since(begin);
  out.threads = std::move(made);
  expect_semicolon();
}

AnnotationText::Border Parser::border(const AnnotationText& out) {
  using Border = AnnotationText::Border;
  if (out.atomic != Border::kNo || out.exclusive != Border::kNo) fail_here("something begins or ends here already");
  if (!at_word("begin") && !at_word("end")) fail_expected("`begin` or `end`");
  const bool is_begin = at_word("begin");
  advance();
  return is_begin ? Border::kBegin : Border::kEnd;
}

// ghost T x = e, or as in Plato: ghost var x: T = e
Variable Parser::ghost_declaration() {
  if (word_ahead(1, "var")) return variable();
  Variable out;
  out.waivers = take_waivers();
  const std::uint32_t begin = current().begin;
  out.is_abstract = at_word("abstract");
  out.is_ghost = true;
  advance();
  out.type = type();
  Name own = name("the name of a variable");
  out.name = std::move(own.text);
  out.name_range = own.range;
  if (accept(TokenKind::kAssign)) out.init = expression_or_star();
  while (field_clause(out)) {}
  out.range = range_since(begin);
  expect_semicolon();
  return out;
}

ExprPtr Parser::whole_expression() {
  try {
    const Flag mode(in_annotation_);
    ExprPtr out = expression();
    if (!at(TokenKind::kEnd)) fail_expected("the end of the expression");
    return out;
  } catch (const Skipped&) { return nullptr; }
}

AnnotationText read_annotation(const base::SourceMap& sources, SourceRange inside, diag::Sink& sink) {
  Program scratch;
  scratch.modules.emplace_back();
  return Parser(sources, inside.file, lex(sources, inside, sink), scratch, sink).annotation();
}

ExprPtr read_expression(const base::SourceMap& sources, SourceRange inside, diag::Sink& sink) {
  Program scratch;
  scratch.modules.emplace_back();
  return Parser(sources, inside.file, lex(sources, inside, sink), scratch, sink).whole_expression();
}

}  // namespace concord::plato
