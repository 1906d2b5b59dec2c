// The parser behind reader.h; nobody else includes this. One class, told in four files: reader.cc (tokens, errors,
// files), reader_expr.cc (Pratt parser), reader_stmt.cc and reader_decl.cc.
//
// Errors. fail() reports and throws Skipped; the list of statements, clauses or declarations around it catches that,
// skips to the next sensible point and goes on. The exception never leaves the parser; it keeps a hundred functions free
// of checks that only an erroneous program needs. No two errors are reported at one token, and none at a kBad token, so
// that one mistake does not make a cascade.
//
// Depth. Level counts how deep we are, `height` how high a finished expression is (a chain a+a+a… grows upwards without
// recursion). Their sum is bounded at every node, hence so are the tree and our own stack.
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/source.h"
#include "diag/diagnostic.h"
#include "plato/annotation.h"
#include "plato/lexer.h"
#include "plato/reader.h"
#include "plato/syntax.h"

namespace concord::plato {

// Where a word may stand. One word has one role; words that mean something only at one place, and are ordinary names
// elsewhere, are kContextual.
enum class Role {
  kNone,
  kDeclaration,  // module, proc, var, …: begins a declaration
  kClause,       // env_assumption, …: a declaration of a module or class that states something
  kContract,     // requires, …: between the head and the body of a procedure
  kLoopClause,   // loop_invariant, …
  kFieldClause,  // guarded_by, …
  kStatement,
  kLockStatement,  // acquire, …: statements with one argument; procedures may have these names
  kOther,          // values, operators and types
  kContextual,
};
Role role_of(std::string_view word);
std::vector<std::string> words_with(std::initializer_list<Role> roles);
// "`requires` belongs between …" for a word with such a role, else "".
std::string where_it_belongs(std::string_view word);

class Parser {
 public:
  Parser(const base::SourceMap& sources, std::uint32_t file, std::vector<Token> tokens, Program& program,
         diag::Sink& sink);
  // The rest of the tokens, for a part that is read into a program of its own.
  Parser(const Parser& outer, Program& program)
      : source_(outer.source_),
        file_(outer.file_),
        tokens_(outer.tokens_),
        program_(program),
        sink_(outer.sink_),
        at_(outer.at_),
        last_end_(outer.last_end_),
        in_annotation_(outer.in_annotation_) {}
  void read_file();
  AnnotationText annotation();  // annotation.cc
  ExprPtr whole_expression();

 private:
  struct Skipped {};  // thrown after an error was reported (or kept silent)
  struct Name {
    std::string text;
    SourceRange range;
  };
  struct Parsed {
    ExprPtr expr;
    int height = 1;
  };
  class Level {
   public:
    explicit Level(Parser& parser);
    ~Level() { --parser_.depth_; }
    Level(const Level&) = delete;
    Level& operator=(const Level&) = delete;

   private:
    Parser& parser_;
  };

  // Sets a flag for as long as it lives, exceptions included.
  class Flag {
   public:
    explicit Flag(bool& flag) : flag_(flag), outer_(std::exchange(flag, true)) {}
    ~Flag() { flag_ = outer_; }
    Flag(const Flag&) = delete;
    Flag& operator=(const Flag&) = delete;

   private:
    bool& flag_;
    bool outer_;
  };

  // reader.cc: tokens
  const Token& current() const { return tokens_[at_]; }
  const Token& ahead(std::size_t count) const { return tokens_[std::min(at_ + count, tokens_.size() - 1)]; }
  bool at(TokenKind kind) const { return current().kind == kind; }
  bool at_word(std::string_view word) const { return at(TokenKind::kWord) && text(current()) == word; }
  bool word_ahead(std::size_t count, std::string_view word) const;
  Role current_role() const { return at(TokenKind::kWord) ? role_of(text(current())) : Role::kNone; }
  std::string_view text(const Token& token) const { return source_.substr(token.begin, token.end - token.begin); }
  SourceRange range(const Token& token) const { return {file_, token.begin, token.end}; }
  SourceRange range_since(std::uint32_t begin) const { return {file_, begin, std::max(begin, last_end_)}; }
  SourceRange advance();
  bool accept(TokenKind kind);
  bool accept_word(std::string_view word);
  SourceRange expect(TokenKind kind, std::string_view after = "");
  SourceRange expect_word(std::string_view word);
  void expect_semicolon();
  void close_brace(SourceRange open);
  Name name(std::string_view what);
  Name procedure_name();
  std::string string_value();
  bool begins_line(const Token& token) const;

  // reader.cc: errors
  diag::Diagnostic* report(SourceRange range, std::string message, std::string hint = "");
  [[noreturn]] void fail(SourceRange range, std::string message, std::string hint = "");
  [[noreturn]] void fail_here(std::string message, std::string hint = "");
  [[noreturn]] void fail_expected(const std::string& what, std::string hint = "");
  [[noreturn]] void too_deep(SourceRange range);
  std::string found() const;
  std::string hint_for_assign() const;
  std::string hint_for_type() const;
  bool is_indented_from(std::uint32_t outer) const;
  std::string guess(std::initializer_list<Role> roles) const;
  std::string guess(const std::vector<std::string>& candidates) const;
  int open_braces_since(std::size_t start) const;
  void skip_braces();

  // annotation.cc
  bool begins_clause() const;
  void annotation_clause(AnnotationText& out);
  AnnotationText::Border border(const AnnotationText& out);  // `begin` or `end`
  void threads(AnnotationText& out);
  Variable ghost_declaration();

  // reader_expr.cc
  ExprPtr expression();
  ExprPtr expression_without_comparison();
  static bool is_path(const Expr& expr);
  ExprPtr path(std::string_view what);
  ExprPtr condition();
  ExprPtr expression_or_star();
  std::vector<ExprPtr> expressions();
  std::vector<ExprPtr> arguments();
  TwoState two_state();
  Parsed parse(int least);
  Parsed parse_prefix();
  Parsed parse_unary(UnaryOp op);
  Parsed parse_cast(Parsed operand);
  Parsed parse_primary();
  Parsed parse_word();
  Parsed parse_escaped();
  Parsed parse_parenthesised();
  bool begins_operand() const;
  Parsed parse_quantifier(bool is_forall);
  Parsed parse_jml_quantifier(bool is_forall);
  Parsed parse_sum();
  Parsed parse_postfix(Parsed base);
  Parsed parse_bracket(Parsed base);
  Parsed parse_field(Parsed object);
  void prime(Parsed& base);
  Parsed parse_infix(Parsed left, int binding);
  Parsed parse_conditional(Parsed condition);
  Parsed parse_number();
  Parsed parse_set();
  Parsed parse_shape(ShapeExpr::Kind kind);
  Parsed parse_argument();
  Parsed parse_wrap(bool is_signed);
  Parsed parse_float(const FloatWord& word);
  Parsed parse_two_arguments(BinaryOp op);
  int infix_binding() const;
  bool closes_angle() const;
  template <class Node>
  Parsed make(Node node, SourceRange range, int height);
  Type type();
  Type base_type();
  void close_type();

  // reader_stmt.cc
  using StatementReader = void (Parser::*)(Stmt&);
  static StatementReader statement_reader(std::string_view word);
  StmtPtr block();
  void statements(Block& list);
  StmtPtr statement();
  void statement_core(Stmt& out);
  void read_block(Stmt& out);
  void read_local(Stmt& out);
  void read_if(Stmt& out);
  void read_while(Stmt& out);
  void read_choose(Stmt& out);
  void read_loop(Stmt& out);
  void read_label(Stmt& out);
  Name target_label();
  void read_break(Stmt& out);
  void read_continue(Stmt& out);
  void read_return(Stmt& out);
  void read_throw(Stmt& out);
  void read_assert(Stmt& out);
  void read_assume(Stmt& out);
  void read_havoc(Stmt& out);
  void read_cas(Stmt& out);
  void read_start(Stmt& out);
  void read_atomic(Stmt& out);
  void read_exclusive(Stmt& out);
  void read_leave(Stmt& out);
  void read_skip(Stmt& out);
  void read_unsupported(Stmt& out);
  void read_initialised(Stmt& out);
  void read_call(Stmt& out);
  void read_angle(Stmt& out);
  void read_expression_statement(Stmt& out);
  void read_compound_assignment(Stmt& out, ExprPtr target, std::size_t target_at);
  void read_ghost_set(Block& list, bool after_error);
  GhostSet ghost_set();
  void read_witness(Block& list);
  Direct direct(ExprPtr wrong_unless);
  LoopSpec loop_spec();
  void loop_clause(LoopSpec& spec);
  Rhs right_side();
  Rhs new_value();
  CasExpr cas();
  CallTarget call_target();
  void catch_part(CallTarget& target);
  void refuse_catch();
  bool at_call() const;
  void not_a_statement();
  void recover_statement(std::size_t start);

  // reader_decl.cc
  using DeclarationReader = void (Parser::*)();
  static DeclarationReader declaration_reader(std::string_view word);
  void declarations();
  void declaration();
  void recover_declaration(std::size_t start);
  void read_module();
  void read_enum();
  void read_class();
  void class_members(Class& out, std::uint32_t begin);
  void class_member(Class& out, int class_index);
  void read_const();
  void read_variable();
  Variable variable();
  bool field_clause(Variable& out);
  void read_clause();
  Clause clause();
  Clause monotonic(Clause out, std::uint32_t begin);
  void read_lock_order();
  void read_check();
  Name kind();
  void read_procedure();
  void procedure_head(Procedure& out);
  void recover_contract(std::size_t start);
  bool contract_clause(Contract& out);
  bool abstracted(Abstracted& out);
  bool abstracted_clause(Abstracted& out);
  void modifies(Contract& out);
  Action action();
  Action performs();
  void read_thread();
  void thread_count(Thread& out);
  void thread_number(Thread& out);  // without the brackets
  void read_abstract();
  void read_abstract_thread();
  void machine_member(AbstractThread& out);
  Waiver waiver();
  void read_waiver() { waivers_.push_back(waiver()); }
  std::vector<Waiver> take_waivers() { return std::exchange(waivers_, {}); }
  void refuse_waivers(std::string_view what);
  template <class Declaration>
  void add(std::vector<Declaration>& list, Declaration declaration, Item::Kind kind);

  std::string_view source_;
  std::uint32_t file_;
  std::vector<Token> tokens_;
  Program& program_;
  diag::Sink& sink_;
  std::size_t at_ = 0;
  std::uint32_t last_end_ = 0;  // where the token before the current one ends
  int depth_ = 0;
  int module_ = 0;
  std::uint32_t procedure_begin_ = 0;  // of the procedure whose body we are in
  bool in_atomic_ = false;
  bool in_thread_arguments_ = false;
  bool in_annotation_ = false;      // in a comment of another language
  bool in_angle_ = false;           // inside <…>
  bool else_is_forgiven_ = false;   // an `if` was skipped; its `else` may still come
  bool brace_is_forgiven_ = false;  // a declaration was skipped; its `}` may still come
  bool gave_up_ = false;
  std::size_t last_error_at_ = static_cast<std::size_t>(-1);  // token index
  std::vector<Waiver> waivers_;                               // for the next statement or declaration
};

template <class Node>
Parser::Parsed Parser::make(Node node, SourceRange range, int height) {
  if (depth_ + height > kMostNesting) too_deep(range);
  auto expr = std::make_unique<Expr>();
  expr->node = std::move(node);
  expr->range = range;
  return {std::move(expr), height};
}

}  // namespace concord::plato
