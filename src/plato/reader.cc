#include "plato/reader.h"

#include <algorithm>
#include <array>
#include <memory>
#include <unordered_map>

#include "plato/parser.h"

namespace concord::plato {

namespace {

struct Word {
  std::string_view text;
  Role role;
};

constexpr std::array kWords = {
    Word{"module", Role::kDeclaration},
    Word{"enum", Role::kDeclaration},
    Word{"class", Role::kDeclaration},
    Word{"const", Role::kDeclaration},
    Word{"var", Role::kDeclaration},
    Word{"volatile", Role::kDeclaration},
    Word{"unraced", Role::kDeclaration},
    Word{"ghost", Role::kDeclaration},
    Word{"abstract", Role::kDeclaration},
    Word{"thread_local", Role::kDeclaration},
    Word{"final", Role::kDeclaration},
    Word{"proc", Role::kDeclaration},
    Word{"thread", Role::kDeclaration},
    Word{"check", Role::kDeclaration},
    Word{"nowarn", Role::kDeclaration},
    Word{"global_invariant", Role::kClause},
    Word{"invariant", Role::kClause},
    Word{"initially", Role::kClause},
    Word{"finally", Role::kClause},
    Word{"env_assumption", Role::kClause},
    Word{"monotonic", Role::kClause},
    Word{"rely", Role::kClause},
    Word{"guarantee", Role::kClause},
    Word{"lock_order", Role::kClause},
    Word{"requires", Role::kContract},
    Word{"ensures", Role::kContract},
    Word{"modifies", Role::kContract},
    Word{"assignable", Role::kContract},
    Word{"action", Role::kContract},
    Word{"performs", Role::kContract},
    Word{"inline", Role::kContract},
    Word{"signals", Role::kContract},
    Word{"loop_invariant", Role::kLoopClause},
    Word{"maintaining", Role::kLoopClause},
    Word{"loop_modifies", Role::kLoopClause},
    Word{"assigns", Role::kLoopClause},
    Word{"guarded_by", Role::kFieldClause},
    Word{"writable_if", Role::kFieldClause},
    Word{"unwritable_by_env_if", Role::kFieldClause},
    Word{"elems_unwritable_by_env_if", Role::kFieldClause},
    Word{"if", Role::kStatement},
    Word{"else", Role::kStatement},
    Word{"while", Role::kStatement},
    Word{"choose", Role::kStatement},
    Word{"or", Role::kStatement},
    Word{"loop", Role::kStatement},
    Word{"label", Role::kStatement},
    Word{"break", Role::kStatement},
    Word{"continue", Role::kStatement},
    Word{"return", Role::kStatement},
    Word{"throw", Role::kStatement},
    Word{"assert", Role::kStatement},
    Word{"assume", Role::kStatement},
    Word{"await", Role::kStatement},
    Word{"havoc", Role::kStatement},
    Word{"skip", Role::kStatement},
    Word{"initialised", Role::kStatement},
    Word{"unsupported", Role::kStatement},
    Word{"CAS", Role::kStatement},
    Word{"start", Role::kStatement},
    Word{"atomic", Role::kStatement},
    Word{"trusted", Role::kStatement},
    Word{"exclusive", Role::kStatement},
    Word{"set", Role::kStatement},
    Word{"may_block", Role::kStatement},
    Word{"acquire", Role::kLockStatement},
    Word{"release", Role::kLockStatement},
    Word{"wait", Role::kLockStatement},
    Word{"notify", Role::kLockStatement},
    Word{"notifyall", Role::kLockStatement},
    Word{"join", Role::kLockStatement},
    Word{"bool", Role::kOther},
    Word{"int", Role::kOther},
    Word{"tid", Role::kOther},
    Word{"monitor", Role::kOther},
    Word{"map", Role::kOther},
    Word{"true", Role::kOther},
    Word{"false", Role::kOther},
    Word{"none", Role::kOther},
    Word{"null", Role::kOther},
    Word{"this", Role::kOther},
    Word{"new", Role::kOther},
    Word{"in", Role::kOther},
    Word{"instanceof", Role::kOther},
    Word{"forall", Role::kOther},
    Word{"exists", Role::kOther},
    Word{"abstracted_by", Role::kOther},
    Word{"abstracted", Role::kContextual},
    Word{"by", Role::kContextual},
    Word{"uses", Role::kContextual},
    Word{"also", Role::kContextual},
    Word{"when", Role::kContextual},
    Word{"size", Role::kContextual},
    Word{"index", Role::kContextual},
    Word{"initial", Role::kContextual},
    Word{"node", Role::kContextual},
    Word{"without", Role::kContextual},
    Word{"idle", Role::kContextual},
    Word{"length", Role::kContextual},
    Word{"holder", Role::kContextual},
    Word{"depth", Role::kContextual},
    Word{"throws", Role::kContextual},
    Word{"catch", Role::kContextual},
    Word{"within", Role::kContextual},
    Word{"extends", Role::kContextual},
    Word{"as", Role::kContextual},
};

bool is_reserved(Role role) { return role != Role::kNone && role != Role::kContextual; }

constexpr std::size_t kLongestQuote = 40;

}  // namespace

Role role_of(std::string_view word) {
  static const auto* const kRoles = [] {
    auto* map = new std::unordered_map<std::string_view, Role>;
    for (const Word& entry : kWords) map->emplace(entry.text, entry.role);
    return map;
  }();
  const auto found = kRoles->find(word);
  return found == kRoles->end() ? Role::kNone : found->second;
}

std::vector<std::string> words_with(std::initializer_list<Role> roles) {
  std::vector<std::string> words;
  for (const Word& entry : kWords) {
    if (std::find(roles.begin(), roles.end(), entry.role) != roles.end()) words.emplace_back(entry.text);
  }
  return words;
}

std::string where_it_belongs(std::string_view word) {
  const std::string quoted = "`" + std::string(word) + "`";
  if (word == "invariant") return "`invariant` belongs in a class";
  if (word == "lock_order") return "`lock_order` belongs in a module";
  if (word == "else") return "`else` without an `if` before it";
  if (word == "or") return "`or` without a `choose` before it";
  switch (role_of(word)) {
    case Role::kDeclaration: return quoted + " belongs in a module";
    case Role::kClause: return quoted + " belongs in a module or class";
    case Role::kContract: return quoted + " belongs between the head of a procedure and its body";
    case Role::kLoopClause: return quoted + " belongs between the head of a loop and its body";
    case Role::kFieldClause: return quoted + " belongs after a variable or field, before the `;`";
    case Role::kStatement:
    case Role::kLockStatement: return quoted + " belongs in the body of a procedure";
    case Role::kNone:
    case Role::kOther:
    case Role::kContextual: return "";
  }
  return "";
}

const std::vector<std::string>& reserved_words() {
  static const auto* const kTexts = [] {
    auto* all = new std::vector<std::string>;
    for (const Word& entry : kWords) all->emplace_back(entry.text);
    return all;
  }();
  return *kTexts;
}

Parser::Parser(const base::SourceMap& sources, std::uint32_t file, std::vector<Token> tokens, Program& program,
               diag::Sink& sink)
    : source_(sources.file(file).text()), file_(file), tokens_(std::move(tokens)), program_(program), sink_(sink) {}

void Parser::read_file() {
  while (!at(TokenKind::kEnd)) {
    declarations();
    if (!at(TokenKind::kRightBrace)) continue;
    if (!brace_is_forgiven_) report(range(current()), "this `}` closes nothing");
    brace_is_forgiven_ = false;
    advance();
  }
}

// -------------------------------------------------------------------------------------------------------------- tokens

Parser::Level::Level(Parser& parser) : parser_(parser) {
  if (++parser_.depth_ <= kMostNesting) return;
  --parser_.depth_;  // the destructor of an object that was not made does not run
  parser_.too_deep(parser_.range(parser_.current()));
}

bool Parser::word_ahead(std::size_t count, std::string_view word) const {
  return ahead(count).kind == TokenKind::kWord && text(ahead(count)) == word;
}

SourceRange Parser::advance() {
  const SourceRange passed = range(current());
  last_end_ = passed.end;
  if (!at(TokenKind::kEnd)) ++at_;
  return passed;
}

bool Parser::accept(TokenKind kind) {
  if (!at(kind)) return false;
  advance();
  return true;
}

bool Parser::accept_word(std::string_view word) {
  if (!at_word(word)) return false;
  advance();
  return true;
}

SourceRange Parser::expect(TokenKind kind, std::string_view after) {
  if (at(kind)) return advance();
  std::string what = "`" + std::string(spelling(kind)) + "`";
  if (!after.empty()) what += " after " + std::string(after);
  fail_expected(what, kind == TokenKind::kRightParen ? hint_for_assign() : "");
}

std::string Parser::hint_for_assign() const { return at(TokenKind::kAssign) ? "equality is written `==`" : ""; }

SourceRange Parser::expect_word(std::string_view word) {
  if (at_word(word)) return advance();
  fail_expected("`" + std::string(word) + "`");
}

// A forgotten `;` is reported where it should be. If what follows looks like a new beginning, nothing else is wrong.
void Parser::expect_semicolon() {
  if (accept(TokenKind::kSemicolon)) return;
  if (in_annotation_ && (at(TokenKind::kEnd) || begins_clause())) return;
  const bool new_beginning = at(TokenKind::kRightBrace) || at(TokenKind::kEnd) || begins_line(current());
  if (!new_beginning) fail_expected("`;`", hint_for_assign());
  report({file_, last_end_, last_end_}, "expected `;`");
}

void Parser::close_brace(SourceRange open) {
  if (accept(TokenKind::kRightBrace)) return;
  diag::Diagnostic* error = report(range(current()), "expected `}`, found " + found());
  if (error != nullptr) error->notes.push_back({open, "to close this `{`"});
}

bool Parser::begins_line(const Token& token) const {
  return source_.substr(last_end_, token.begin - last_end_).find('\n') != std::string_view::npos;
}

Parser::Name Parser::name(std::string_view what) {
  if (!at(TokenKind::kWord)) fail_expected(std::string(what));
  if (is_reserved(current_role())) {
    if (begins_line(current())) fail_expected(std::string(what));  // something else begins here
    report(range(current()), found() + " is a reserved word; it cannot be a name");
  }
  std::string word(text(current()));
  return {std::move(word), advance()};
}

Parser::Name Parser::procedure_name() {
  if (current_role() != Role::kLockStatement) return name("the name of a procedure");
  std::string word(text(current()));
  return {std::move(word), advance()};
}

std::string Parser::string_value() {
  if (!at(TokenKind::kString)) fail_expected("a string in quotes");
  std::string_view rest = text(current());
  rest = rest.substr(1, rest.size() - 2);
  advance();
  std::string value;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const bool escape = rest[i] == '\\' && i + 1 < rest.size() && (rest[i + 1] == '"' || rest[i + 1] == '\\');
    if (escape) ++i;
    value += rest[i];
  }
  return value;
}

// -------------------------------------------------------------------------------------------------------------- errors

diag::Diagnostic* Parser::report(SourceRange range, std::string message, std::string hint) {
  // A kBad token at the end may have swallowed anything: a comment that is never closed.
  const bool bad = at(TokenKind::kBad) || (at(TokenKind::kEnd) && at_ > 0 && tokens_[at_ - 1].kind == TokenKind::kBad);
  const bool silent = gave_up_ || bad || last_error_at_ == at_;
  last_error_at_ = at_;
  if (silent) return nullptr;
  diag::Diagnostic& error = sink_.error(range, std::move(message), std::move(hint));
  if (sink_.is_full()) {
    gave_up_ = true;
    at_ = tokens_.size() - 1;
  }
  return &error;
}

void Parser::fail(SourceRange range, std::string message, std::string hint) {
  report(range, std::move(message), std::move(hint));
  throw Skipped();
}

void Parser::fail_here(std::string message, std::string hint) {
  fail(range(current()), std::move(message), std::move(hint));
}

void Parser::fail_expected(const std::string& what, std::string hint) {
  fail_here("expected " + what + ", found " + found(), std::move(hint));
}

void Parser::too_deep(SourceRange range) {
  report(range, "the nesting here is deeper than " + std::to_string(kMostNesting) + " levels, which is the limit",
         "long chains of operators and of `else if` count as nesting");
  gave_up_ = true;
  at_ = tokens_.size() - 1;
  throw Skipped();
}

std::string Parser::found() const {
  if (at(TokenKind::kEnd)) return "the end of the file";
  std::string_view shown = text(current());
  if (shown.size() <= kLongestQuote) return "`" + std::string(shown) + "`";
  std::size_t end = kLongestQuote;
  while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0U) == 0x80U) --end;
  return "`" + std::string(shown.substr(0, end)) + "…`";
}

std::string Parser::guess(std::initializer_list<Role> roles) const { return guess(words_with(roles)); }

std::string Parser::guess(const std::vector<std::string>& candidates) const {
  if (!at(TokenKind::kWord)) return "";
  const std::string typed(text(current()));
  std::string word = diag::nearest(typed, candidates);
  for (const std::string& candidate : candidates) {
    if (word.empty() && candidate.starts_with(typed + "_")) word = candidate;  // `guarded` for `guarded_by`
  }
  return word.empty() ? "" : "did you mean `" + word + "`?";
}

// `int x = 0;`, as in other languages.
std::string Parser::hint_for_type() const {
  const bool generic = at_word("map") && ahead(1).kind == TokenKind::kLess;
  const bool simple = at_word("int") || at_word("bool") || at_word("tid") || at_word("monitor");
  const bool array = ahead(1).kind == TokenKind::kLeftBracket && ahead(2).kind == TokenKind::kRightBracket;
  const bool named =
      ahead(1).kind == TokenKind::kWord && !word_ahead(1, "in") && !word_ahead(1, "instanceof") && !word_ahead(1, "as");
  return generic || (simple && (array || named)) ? "a variable is declared as in `var x: int = 0;`" : "";
}

// Whether the current token stands further right than what begins at `outer`. Tells a declaration that is misplaced
// from one before which a `}` is missing.
bool Parser::is_indented_from(std::uint32_t outer) const {
  const auto column = [&](std::uint32_t offset) {
    const std::size_t line_end = offset == 0 ? std::string_view::npos : source_.rfind('\n', offset - 1);
    return line_end == std::string_view::npos ? offset : offset - line_end - 1;
  };
  return column(current().begin) > column(outer);
}

// How many braces the tokens from `start` up to here leave open. Where an error ends a statement, they are those of sets
// and frames; a block deals with its own errors.
int Parser::open_braces_since(std::size_t start) const {
  int open = 0;
  for (std::size_t i = start; i < at_; ++i) {
    if (tokens_[i].kind == TokenKind::kLeftBrace) ++open;
    if (tokens_[i].kind == TokenKind::kRightBrace) --open;
  }
  return open;
}

// From a `{` to behind the `}` that closes it.
void Parser::skip_braces() {
  int open = 0;
  do {
    if (at(TokenKind::kLeftBrace)) ++open;
    if (at(TokenKind::kRightBrace)) --open;
    advance();
  } while (open > 0 && !at(TokenKind::kEnd));
}

// ------------------------------------------------------------------------------------------------------------ reader.h

void read(const base::SourceMap& sources, std::uint32_t file, Program& program, diag::Sink& sink) {
  if (program.modules.empty()) program.modules.emplace_back();
  if (sources.file(file).text().size() > kMostBytes) {
    sink.error({file, 0, 0},
               "this file is larger than " + std::to_string(kMostBytes >> 20U) + " MB, which is the limit");
    return;
  }
  // Lexer and parser run one after the other; the user sees their messages in the order of the text.
  diag::Sink of_lexer;
  diag::Sink of_parser;
  Parser(sources, file, lex(sources, file, of_lexer), program, of_parser).read_file();
  std::vector<diag::Diagnostic> errors = of_lexer.errors();
  errors.insert(errors.end(), of_parser.errors().begin(), of_parser.errors().end());
  std::stable_sort(errors.begin(), errors.end(),
                   [](const diag::Diagnostic& a, const diag::Diagnostic& b) { return a.range.begin < b.range.begin; });
  for (diag::Diagnostic& error : errors) {
    if (sink.is_full()) return;
    sink.error(error.range, std::move(error.message), std::move(error.hint)).notes = std::move(error.notes);
  }
}

}  // namespace concord::plato
