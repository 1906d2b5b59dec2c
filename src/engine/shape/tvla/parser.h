// The parser of TVP and TVM files; only reader.cc includes this. One class, told in four files: parser.cc (files, the program),
// parse_formula.cc, parse_declaration.cc and parse_action.cc.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "diag/diagnostic.h"
#include "engine/shape/tvla/lexer.h"
#include "engine/shape/tvla/syntax.h"
#include "engine/shape/tvla/token_reader.h"

namespace concord::engine::shape::tvla {

class Parser : private TokenReader {
 public:
  Parser(std::vector<Token> tokens, bool has_threads, diag::Sink& sink);
  // Meaningful only if the sink has no error.
  Model model();

 private:
  // parser.cc
  void section();
  bool at_section_end() const { return at(TokenKind::kSection) || at_end(); }
  void skip_to_section();
  void sequential_program();
  void threads();
  void thread();
  void atomic_block(std::vector<EdgeDecl>& edges);
  EdgeDecl edge();
  Use use();
  Use assertion();
  void output();
  [[noreturn]] void unsupported(const std::string& what);

  // parse_declaration.cc
  void declarations();
  void declaration();
  void skip_declaration();
  void set_declaration();
  void predicate_declaration(bool is_derived);
  void properties(PredicateDecl& out);
  void rule_declaration();
  void foreach_loop(const std::function<void()>& body);
  std::shared_ptr<const Loop> loop();
  SetExpr set();
  SetExpr set_sum();
  SetExpr set_operand();
  SetExpr listed_set();
  std::vector<Word> arguments();

  // parse_action.cc
  void actions();
  void action();
  void clauses(ActionDecl& out);
  void clause(ActionDecl& out, const std::string& name);
  void focus(std::vector<FocusDecl>& out);
  void focus_list(std::vector<FocusDecl>& out);
  MessageDecl message();
  std::vector<Piece> pieces();
  void updates(std::vector<UpdateDecl>& out);
  UpdateDecl update();

  // parse_formula.cc
  FormPtr formula();
  FormPtr implication();
  FormPtr chain(Form::Kind kind);
  FormPtr unary();
  FormPtr primary();
  FormPtr bracketed();
  FormPtr quantified(Form::Kind kind);
  FormPtr closure();
  FormPtr over_set();
  FormPtr word_formula();
  bool begins_formula() const;
  Name predicate_name();
  FormPtr make(Form form, base::SourceRange first);

  Model model_;
  Loops loops_;  // the `foreach` we are in
  int atomic_blocks_ = 0;
};

}  // namespace concord::engine::shape::tvla
