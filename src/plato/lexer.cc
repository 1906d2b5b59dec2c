#include "plato/lexer.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace concord::plato {

namespace {

struct Punctuation {
  std::string_view text;
  TokenKind kind;
};

// Of two that begin alike, the longer one first.
constexpr std::array kPunctuation = {
    Punctuation{"<==>", TokenKind::kIff},       Punctuation{"==>", TokenKind::kImplies},
    Punctuation{"==", TokenKind::kEqual},       Punctuation{"!=", TokenKind::kNotEqual},
    Punctuation{"<=", TokenKind::kLessEqual},   Punctuation{">=", TokenKind::kGreaterEqual},
    Punctuation{"&&", TokenKind::kAnd},         Punctuation{"||", TokenKind::kOr},
    Punctuation{"::", TokenKind::kColonColon},  Punctuation{":=", TokenKind::kColonEqual},
    Punctuation{"..", TokenKind::kDotDot},      Punctuation{"++", TokenKind::kPlusPlus},
    Punctuation{"+=", TokenKind::kPlusAssign},  Punctuation{"--", TokenKind::kMinusMinus},
    Punctuation{"-=", TokenKind::kMinusAssign}, Punctuation{"->", TokenKind::kArrow},
    Punctuation{"{", TokenKind::kLeftBrace},    Punctuation{"}", TokenKind::kRightBrace},
    Punctuation{"(", TokenKind::kLeftParen},    Punctuation{")", TokenKind::kRightParen},
    Punctuation{"[", TokenKind::kLeftBracket},  Punctuation{"]", TokenKind::kRightBracket},
    Punctuation{",", TokenKind::kComma},        Punctuation{";", TokenKind::kSemicolon},
    Punctuation{":", TokenKind::kColon},        Punctuation{".", TokenKind::kDot},
    Punctuation{"'", TokenKind::kPrime},        Punctuation{"?", TokenKind::kQuestion},
    Punctuation{"=", TokenKind::kAssign},       Punctuation{"<", TokenKind::kLess},
    Punctuation{">", TokenKind::kGreater},      Punctuation{"+", TokenKind::kPlus},
    Punctuation{"-", TokenKind::kMinus},        Punctuation{"*", TokenKind::kStar},
    Punctuation{"/", TokenKind::kSlash},        Punctuation{"%", TokenKind::kPercent},
    Punctuation{"&", TokenKind::kAmpersand},    Punctuation{"!", TokenKind::kNot},
};

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }
bool is_ascii(char c) { return static_cast<unsigned char>(c) < 0x80U; }
bool is_control(char c) { return static_cast<unsigned char>(c) < 0x20U || c == 0x7F; }

// The length of the UTF-8 character at the start of `text`, or 0 if there is none.
std::size_t utf8_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80U) return 1;
  if (lead < 0xC2U || lead > 0xF4U) return 0;
  const std::size_t length = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
  if (text.size() < length) return 0;
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return 0;
  }
  const unsigned second = byte(1);
  const bool overlong = (lead == 0xE0U && second < 0xA0U) || (lead == 0xF0U && second < 0x90U);
  const bool surrogate = lead == 0xEDU && second > 0x9FU;
  const bool too_large = lead == 0xF4U && second > 0x8FU;
  return overlong || surrogate || too_large ? 0 : length;
}

class Lexer {
 public:
  Lexer(std::string_view text, std::uint32_t file, diag::Sink& sink) : text_(text), file_(file), sink_(sink) {}

  // From `begin` on, in a comment of another language.
  std::vector<Token> run_from(std::size_t begin) {
    in_comment_ = true;
    at_ = begin;
    while (at_ < text_.size() && !sink_.is_full()) one();
    at_ = text_.size();
    push(TokenKind::kEnd, at_);
    return std::move(tokens_);
  }

  std::vector<Token> run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    tokens_.reserve(text_.size() / 4);
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos) {
      error(nul, nul + 1, "this looks like a binary file: it has a NUL byte");
      at_ = text_.size();
      push(TokenKind::kBad, at_);
    }
    while (at_ < text_.size() && !sink_.is_full()) one();
    at_ = text_.size();
    push(TokenKind::kEnd, at_);
    return std::move(tokens_);
  }

 private:
  void one() {
    const char c = text_[at_];
    const char next = at_ + 1 < text_.size() ? text_[at_ + 1] : ' ';
    if (is_space(c) || (in_comment_ && is_mark(c))) {
      ++at_;
    } else if (is_letter(c)) {
      push(TokenKind::kWord, end_of_word(at_));
    } else if (is_digit(c)) {
      number();
    } else if (c == '"') {
      string();
    } else if (c == '\\' && is_letter(next)) {
      push(TokenKind::kEscaped, end_of_word(at_ + 1));
    } else if (in_comment_ && text_.substr(at_).starts_with("//@")) {
      at_ += 3;  // one more annotation on the line
    } else if (in_comment_ && c == '/' && (next == '/' || next == '*') && is_hidden_annotation()) {
      error(at_, at_ + 2, "this comment looks like an annotation, but is none",
            "write its clauses into the annotation, or `//@` without anything between");
      push(TokenKind::kBad, text_.size());
    } else if (c == '/' && next == '/') {
      skip_comment(text_.find('\n', at_));
    } else if (c == '/' && next == '*') {
      block_comment();
    } else {
      punctuation();
    }
  }

  // `@`, or the `*` that a line of a long comment begins with.
  bool is_mark(char c) const {
    if (c == '@') return true;
    if (c != '*') return false;
    const std::size_t line = text_.find_last_not_of(" \t", at_ == 0 ? 0 : at_ - 1);
    return line != std::string_view::npos && line < at_ && text_[line] == '\n';
  }

  // A comment that begins with `@`.
  bool is_hidden_annotation() const {
    const std::size_t first = text_.find_first_not_of(" \t*", at_ + 2);
    return first != std::string_view::npos && text_[first] == '@';
  }

  std::size_t end_of_word(std::size_t i) const {
    while (i < text_.size() && is_word(text_[i])) ++i;
    return i;
  }

  void number() {
    const std::size_t end = end_of_word(at_);
    std::size_t digits = at_;
    while (digits < end && is_digit(text_[digits])) ++digits;
    if (digits == end) return push(TokenKind::kNumber, end);
    error(at_, end, "a number cannot be followed directly by letters",
          "numbers are decimal; names do not begin with a digit");
    push(TokenKind::kBad, end);
  }

  void string() {
    std::size_t i = at_ + 1;
    while (i < text_.size() && text_[i] != '"' && text_[i] != '\n') {
      const bool escape = text_[i] == '\\' && i + 1 < text_.size() && (text_[i + 1] == '"' || text_[i + 1] == '\\');
      i += escape ? 2 : 1;
    }
    if (i >= text_.size() || text_[i] == '\n') {
      const std::size_t end = i > at_ + 1 && text_[i - 1] == '\r' ? i - 1 : i;
      error(at_, end, "this string does not end on its line");
      return push(TokenKind::kBad, end);
    }
    check_utf8(at_, i);
    push(string_is_plain(i) ? TokenKind::kString : TokenKind::kBad, i + 1);
  }

  bool string_is_plain(std::size_t end) {
    for (std::size_t i = at_; i < end; ++i) {
      if (!is_control(text_[i]) || text_[i] == '\t') continue;
      error(i, i + 1, "control character in a string");
      return false;
    }
    return true;
  }

  void block_comment() {
    const std::size_t close = text_.find("*/", at_ + 2);
    if (close != std::string_view::npos) return skip_comment(close + 2);
    error(at_, at_ + 2, "this comment is never closed", "close it with `*/`");
    push(TokenKind::kBad, text_.size());
  }

  void skip_comment(std::size_t end) {
    end = std::min(end, text_.size());
    check_utf8(at_, end);
    at_ = end;
  }

  void punctuation() {
    for (const Punctuation& candidate : kPunctuation) {
      if (text_.compare(at_, candidate.text.size(), candidate.text) == 0) {
        return push(candidate.kind, at_ + candidate.text.size());
      }
    }
    bad_characters();
  }

  // A run of characters that begin no token is one mistake.
  void bad_characters() {
    const std::size_t begin = at_;
    std::size_t end = begin;
    while (end < text_.size() && begins_no_token(text_[end])) ++end;
    if (end == begin) ++end;
    push(TokenKind::kBad, end);
    if (!check_utf8(begin, end)) return;
    if (is_control(text_[begin])) return error(begin, begin + 1, "unexpected control character");
    const std::size_t first_end = begin + utf8_length(text_.substr(begin));
    const std::string character(text_.substr(begin, first_end - begin));
    std::string hint;
    if (character == "|") hint = "did you mean `||`?";
    if (character == "\\") hint = "a `\\` begins a word such as `\\old`";
    error(begin, first_end, "unexpected character `" + character + "`", std::move(hint));
  }

  static bool begins_no_token(char c) {
    static constexpr std::string_view kTokenStarts = "{}()[],;:.'?=<>+-*/%&!|\"\\";
    return !is_space(c) && !is_word(c) && kTokenStarts.find(c) == std::string_view::npos;
  }

  // One message per file: text in another encoding is wrong in many places.
  bool check_utf8(std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end;) {
      if (is_ascii(text_[i])) {
        ++i;
        continue;
      }
      const std::size_t length = utf8_length(text_.substr(i));
      if (length == 0) {
        if (!encoding_reported_) error(i, i + 1, "this byte is not UTF-8", "save the file in the encoding UTF-8");
        encoding_reported_ = true;
        return false;
      }
      i += length;
    }
    return true;
  }

  void push(TokenKind kind, std::size_t end) {
    tokens_.push_back({kind, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(end)});
    at_ = end;
  }

  void error(std::size_t begin, std::size_t end, std::string message, std::string hint = "") {
    const base::SourceRange range{file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    sink_.error(range, std::move(message), std::move(hint));
  }

  std::string_view text_;
  std::uint32_t file_;
  diag::Sink& sink_;
  std::size_t at_ = 0;
  bool in_comment_ = false;
  bool encoding_reported_ = false;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> lex(const base::SourceMap& sources, std::uint32_t file, diag::Sink& sink) {
  return Lexer(sources.file(file).text(), file, sink).run();
}

std::vector<Token> lex(const base::SourceMap& sources, base::SourceRange inside, diag::Sink& sink) {
  return Lexer(sources.file(inside.file).text().substr(0, inside.end), inside.file, sink).run_from(inside.begin);
}

std::string_view spelling(TokenKind kind) {
  for (const Punctuation& candidate : kPunctuation) {
    if (candidate.kind == kind) return candidate.text;
  }
  return "";
}

}  // namespace concord::plato
