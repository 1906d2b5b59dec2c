// Formulas. Tightest first: `!`, `&`, `|`, `->`, `<->`; all associate to the left. What a quantifier or TC speaks of reaches as far to the
// right as it can.
#include <utility>

#include "engine/shape/tvla/parser.h"

namespace concord::engine::shape::tvla {

FormPtr Parser::make(Form form, base::SourceRange first) {
  form.range = since(first);
  for (const FormPtr& part : form.parts) form.height = std::max(form.height, part->height + 1);
  if (depth_ + form.height > kMostNesting) too_deep(form.range);
  return std::make_shared<const Form>(std::move(form));
}

FormPtr Parser::formula() {
  const base::SourceRange first = here();
  FormPtr left = implication();
  while (accept(TokenKind::kIff)) {
    Form form(Form::Kind::kIff);
    form.parts = {left, implication()};
    left = make(std::move(form), first);
  }
  return left;
}

FormPtr Parser::implication() {
  const base::SourceRange first = here();
  FormPtr left = chain(Form::Kind::kOr);
  // The arrow between the condition of a message and its text is none of ours.
  while (at(TokenKind::kArrow) && ahead(1).kind != TokenKind::kString) {
    advance();
    Form form(Form::Kind::kImplies);
    form.parts = {left, chain(Form::Kind::kOr)};
    left = make(std::move(form), first);
  }
  return left;
}

// a | b | c, or a & b & c, as one.
FormPtr Parser::chain(Form::Kind kind) {
  const base::SourceRange first = here();
  const bool is_or = kind == Form::Kind::kOr;
  Form form(kind);
  do form.parts.push_back(is_or ? chain(Form::Kind::kAnd) : unary());
  while (accept(is_or ? TokenKind::kOr : TokenKind::kAnd));
  if (form.parts.size() == 1) return form.parts[0];
  return make(std::move(form), first);
}

FormPtr Parser::unary() {
  const Level level(*this);
  const base::SourceRange first = here();
  if (!accept(TokenKind::kNot)) return primary();
  Form form(Form::Kind::kNot);
  form.parts = {unary()};
  return make(std::move(form), first);
}

bool Parser::begins_formula() const {
  switch (current().kind) {
    case TokenKind::kWord:
    case TokenKind::kLeftParen:
    case TokenKind::kNot:
    case TokenKind::kTrue:
    case TokenKind::kFalse:
    case TokenKind::kUnknown:
    case TokenKind::kOr:
    case TokenKind::kAnd: return true;
    default: return false;
  }
}

FormPtr Parser::primary() {
  const base::SourceRange first = here();
  switch (current().kind) {
    case TokenKind::kLeftParen: return bracketed();
    case TokenKind::kOr:
    case TokenKind::kAnd: return over_set();
    case TokenKind::kTrue:
    case TokenKind::kFalse:
    case TokenKind::kUnknown: {
      Form form(Form::Kind::kValue);
      form.value = value();
      return make(std::move(form), first);
    }
    case TokenKind::kWord: break;
    default: fail_expected("a formula");
  }
  if (at_word("E")) return quantified(Form::Kind::kExists);
  if (at_word("A")) return quantified(Form::Kind::kForall);
  if (at_word("TC")) return closure();
  return word_formula();
}

FormPtr Parser::bracketed() {
  const base::SourceRange first = advance();
  FormPtr inner = formula();
  if (!accept(TokenKind::kQuestion)) {
    expect(TokenKind::kRightParen);
    return inner;
  }
  Form form(Form::Kind::kIf);
  form.parts.push_back(std::move(inner));
  form.parts.push_back(formula());
  expect(TokenKind::kColon);
  form.parts.push_back(formula());
  expect(TokenKind::kRightParen);
  return make(std::move(form), first);
}

FormPtr Parser::quantified(Form::Kind kind) {
  const base::SourceRange first = advance();
  Form form(kind);
  form.variables = arguments();
  if (form.variables.empty()) fail(first, "a quantifier needs a variable");
  form.parts = {formula()};
  return make(std::move(form), first);
}

FormPtr Parser::closure() {
  const base::SourceRange first = advance();
  Form form(Form::Kind::kClosure);
  form.variables = arguments();
  const std::vector<Word> step = arguments();
  if (form.variables.size() != 2 || step.size() != 2)
    fail(first, "`TC` is written TC(from, to)(a, b) with two variables each");
  if (step[0].text == step[1].text) fail(step[1].range, "the two variables of a step must be different");
  form.variables.insert(form.variables.end(), step.begin(), step.end());
  form.parts = {formula()};
  return make(std::move(form), first);
}

// |/{ F : x in S }
FormPtr Parser::over_set() {
  const base::SourceRange first = here();
  Form form(at(TokenKind::kOr) ? Form::Kind::kOrEach : Form::Kind::kAndEach);
  if (ahead(1).kind != TokenKind::kSlash) fail_expected("a formula");
  advance();
  advance();
  expect(TokenKind::kLeftBrace);
  form.parts = {formula()};
  expect(TokenKind::kColon);
  form.loop = loop();
  expect(TokenKind::kRightBrace);
  return make(std::move(form), first);
}

Name Parser::predicate_name() {
  Name out = name("the name of a predicate");
  const std::string& text = out.word.text;
  const bool reserved = text == "E" || text == "A" || text == "TC" || text == "foreach";
  if (reserved) fail(out.word.range, "`" + text + "` is a reserved word; it cannot be a name");
  return out;
}

FormPtr Parser::word_formula() {
  Form form(Form::Kind::kAtom);
  form.name = predicate_name();
  const base::SourceRange first = form.name.range;
  if (at(TokenKind::kEqual) || at(TokenKind::kNotEqual)) {
    if (form.name.has_parameters) fail(first, "only variables can be compared");
    form.kind = at(TokenKind::kEqual) ? Form::Kind::kEqual : Form::Kind::kNotEqual;
    advance();
    form.variables = {form.name.word, word("a variable")};
    return make(std::move(form), first);
  }
  if (accept(TokenKind::kStar)) form.kind = Form::Kind::kStar;
  if (form.kind == Form::Kind::kAtom && accept(TokenKind::kPlus)) form.kind = Form::Kind::kPlus;
  if (!at(TokenKind::kLeftParen)) {
    fail_expected("`(`", "a predicate is followed by its arguments in brackets, even if there are none");
  }
  form.variables = arguments();
  return make(std::move(form), first);
}

}  // namespace concord::engine::shape::tvla
