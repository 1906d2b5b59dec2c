#include <algorithm>
#include <array>
#include <utility>

#include "engine/shape/tvla/parser.h"

namespace concord::engine::shape::tvla {

namespace {

// In the order they must come in; `{` are the updates.
constexpr std::array kOrder = {"%t", "%f", "%p", "%message", "%new", "%halt", "{", "%retain"};

// What has no meaning here yet. With some of them the answer would be another one, so they are not passed over.
constexpr std::array kRefused = {"%param", "%frame_pre", "%compose",   "%frame",      "%clone",    "%start",
                                 "%wait",  "%stop",      "%newthread", "%explicitat", "%decompose"};

constexpr std::size_t kMostParameters = 100;

std::size_t place_in_order(std::string_view clause) {
  return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), clause) - kOrder.begin());
}

}  // namespace

void Parser::actions() {
  while (!at_section_end()) {
    try {
      if (!at_directive("%action")) fail_expected("`%action`");
      action();
    } catch (const Skipped&) {
      loops_.clear();
      while (!at_section_end() && !at_directive("%action")) advance();
    }
  }
}

void Parser::action() {
  advance();
  ActionDecl out;
  out.name = word("the name of an action");
  out.parameters = arguments();
  if (out.parameters.size() > kMostParameters) fail(out.name.range, "this action has too many parameters");
  expect(TokenKind::kLeftBrace);
  clauses(out);
  expect(TokenKind::kRightBrace);
  model_.actions.push_back(std::move(out));
}

void Parser::clauses(ActionDecl& out) {
  std::size_t last = 0;
  std::string last_name;
  while (!at(TokenKind::kRightBrace)) {
    const std::string name = at(TokenKind::kDirective) || at(TokenKind::kLeftBrace) ? current().text : "";
    const bool refused = std::find(kRefused.begin(), kRefused.end(), name) != kRefused.end();
    if (refused) unsupported(name);
    const std::size_t place = place_in_order(name);
    if (place == kOrder.size()) fail_expected("a clause of an action or `}`");
    if (name == "%message" && last > place) unsupported("a `%message` after `" + last_name + "`");
    const bool again = place == last && !last_name.empty() && name != "%message";
    if (again) fail_here("a second `" + name + "` in this action");
    if (place < last) fail_here("`" + name + "` must come before `" + last_name + "`");
    clause(out, name);
    last = place;
    last_name = name;
  }
}

void Parser::clause(ActionDecl& out, const std::string& name) {
  if (name == "%f") return focus(out.focus);
  if (name == "{") return updates(out.updates);
  if (name == "%message") return out.messages.push_back(message());
  if (name == "%halt" && !model_.has_threads) fail_here("`%halt` is for models with threads (.tvm)");
  advance();
  if (name == "%t") {
    out.title = pieces();
  } else if (name == "%p") {
    out.precondition = formula();
  } else if (name == "%new") {
    out.creates = true;
    if (begins_formula()) out.created_for = formula();
  } else if (name == "%halt") {
    Form always(Form::Kind::kValue);
    always.value = Kleene::kTrue;
    out.halts = begins_formula() ? formula() : make(std::move(always), last_);
  } else {
    out.retained = formula();
  }
}

void Parser::focus(std::vector<FocusDecl>& out) {
  advance();
  expect(TokenKind::kLeftBrace);
  focus_list(out);
  expect(TokenKind::kRightBrace);
}

void Parser::focus_list(std::vector<FocusDecl>& out) {
  do {
    if (at_word("foreach")) {
      foreach_loop([&] { focus_list(out); });
    } else {
      FormPtr it = formula();
      out.push_back({loops_, std::move(it)});
    }
  } while (accept(TokenKind::kComma));
}

MessageDecl Parser::message() {
  MessageDecl out;
  const base::SourceRange first = advance();
  out.condition = formula();
  expect(TokenKind::kArrow);
  if (!at(TokenKind::kString)) fail_expected("the text of the message, in quotes");
  out.text = pieces();
  out.range = since(first);
  return out;
}

// "text" + name + …
std::vector<Piece> Parser::pieces() {
  std::vector<Piece> out;
  do {
    Piece piece;
    piece.range = here();
    if (at(TokenKind::kString)) {
      piece.text = current().text;
      advance();
    } else {
      piece.name = name("a text in quotes or a name");
    }
    out.push_back(std::move(piece));
  } while (accept(TokenKind::kPlus));
  return out;
}

void Parser::updates(std::vector<UpdateDecl>& out) {
  expect(TokenKind::kLeftBrace);
  const auto list = [&](const auto& self) -> void {
    while (!at(TokenKind::kRightBrace)) {
      if (at_word("foreach")) {
        foreach_loop([&] { self(self); });
      } else {
        out.push_back(update());
      }
    }
  };
  list(list);
  expect(TokenKind::kRightBrace);
}

UpdateDecl Parser::update() {
  UpdateDecl out;
  const base::SourceRange first = here();
  const bool bracket = accept(TokenKind::kLeftParen);
  out.name = predicate_name();
  out.arguments = arguments();
  if (bracket) expect(TokenKind::kRightParen);
  expect(TokenKind::kAssign);
  out.value = formula();
  if (at_word("auto")) {
    if (model_.has_threads) fail_here("`auto` is for models without threads (.tvp)");
    out.is_auto = true;
    advance();
  }
  out.range = since(first);
  out.loops = loops_;
  return out;
}

}  // namespace concord::engine::shape::tvla
