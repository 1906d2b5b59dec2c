#include "engine/shape/tvla/lexer.h"

#include <array>
#include <utility>

namespace concord::engine::shape::tvla {

namespace {

struct Punctuation {
  std::string_view text;  // between two of its characters there may be a blank where the table has one
  TokenKind kind;
};

// Of two that begin alike, the longer one first.
constexpr std::array kPunctuation = {
    Punctuation{"==>", TokenKind::kImplies},    Punctuation{"==", TokenKind::kEqual},
    Punctuation{"!=", TokenKind::kNotEqual},    Punctuation{"->", TokenKind::kArrow},
    Punctuation{"- >", TokenKind::kArrow},      Punctuation{"<->", TokenKind::kIff},
    Punctuation{"< ->", TokenKind::kIff},       Punctuation{"<- >", TokenKind::kIff},
    Punctuation{"< - >", TokenKind::kIff},      Punctuation{"{", TokenKind::kLeftBrace},
    Punctuation{"}", TokenKind::kRightBrace},   Punctuation{"(", TokenKind::kLeftParen},
    Punctuation{")", TokenKind::kRightParen},   Punctuation{"[", TokenKind::kLeftBracket},
    Punctuation{"]", TokenKind::kRightBracket}, Punctuation{",", TokenKind::kComma},
    Punctuation{":", TokenKind::kColon},        Punctuation{"?", TokenKind::kQuestion},
    Punctuation{"=", TokenKind::kAssign},       Punctuation{"|", TokenKind::kOr},
    Punctuation{"&", TokenKind::kAnd},          Punctuation{"!", TokenKind::kNot},
    Punctuation{"+", TokenKind::kPlus},         Punctuation{"-", TokenKind::kMinus},
    Punctuation{"*", TokenKind::kStar},         Punctuation{"/", TokenKind::kSlash},
};

constexpr char kEndOfFile = 0x1A;  // some old files end with it

bool is_space(char c) { return is_blank(c) || c == '\n' || c == kEndOfFile; }

class Lexer {
 public:
  Lexer(const Text& text, diag::Sink& sink) : text_(text), sink_(sink) {}

  std::vector<Token> run() {
    while (at_ < text_.size() && !sink_.is_full()) one();
    tokens_.push_back({TokenKind::kEnd, "", text_.range(text_.size(), text_.size())});
    return std::move(tokens_);
  }

 private:
  void one() {
    const char c = text_[at_];
    if (is_space(c)) {
      ++at_;
    } else if (is_letter(c)) {
      push(TokenKind::kWord, end_of_word(at_));
    } else if (is_digit(c)) {
      number();
    } else if (c == '"') {
      string();
    } else if (c == '%') {
      percent();
    } else {
      punctuation();
    }
  }

  std::size_t end_of_word(std::size_t i) const {
    while (i < text_.size() && (is_letter(text_[i]) || is_digit(text_[i]) || text_[i] == '.')) ++i;
    return i;
  }

  std::size_t after_blanks(std::size_t i) const {
    while (i < text_.size() && is_blank(text_[i])) ++i;
    return i;
  }

  void number() {
    const std::size_t end = end_of_word(at_);
    const std::string_view digits = text_.view(at_, end);
    const std::size_t slash = after_blanks(end);
    if (digits == "1" && slash < text_.size() && text_[slash] == '/') {
      const std::size_t half = after_blanks(slash + 1);
      if (text_.view(half, end_of_word(half)) == "2") return push(TokenKind::kUnknown, half + 1);
    }
    if (digits == "1") return push(TokenKind::kTrue, end);
    if (digits == "0") return push(TokenKind::kFalse, end);
    bad(end, "the only numbers are 0, 1 and 1/2", "names do not begin with a digit");
  }

  void string() {
    std::size_t end = at_ + 1;
    while (end < text_.size() && text_[end] != '"' && text_[end] != '\n') ++end;
    if (end >= text_.size() || text_[end] == '\n') return bad(end, "this string does not end on its line");
    push(TokenKind::kString, end + 1);
    tokens_.back().text = tokens_.back().text.substr(1, tokens_.back().text.size() - 2);
  }

  void percent() {
    if (text_.view().substr(at_).starts_with("%%")) return push(TokenKind::kSection, at_ + 2);
    const std::size_t end = end_of_word(at_ + 1);
    if (end == at_ + 1) return bad(end, "expected a word such as `p` or another `%` after `%`");
    push(TokenKind::kDirective, end);
  }

  void punctuation() {
    for (const Punctuation& candidate : kPunctuation) {
      if (text_.view().substr(at_).starts_with(candidate.text)) {
        return push(candidate.kind, at_ + candidate.text.size());
      }
    }
    // A run of characters that begin no token is one mistake.
    std::size_t end = at_ + 1;
    while (end < text_.size() && begins_no_token(text_[end])) ++end;
    const bool shown = text_[at_] > ' ' && text_[at_] < 0x7F;
    bad(end, shown ? "unexpected character `" + std::string(1, text_[at_]) + "`" : "unexpected character");
  }

  static bool begins_no_token(char c) {
    static constexpr std::string_view kTokenStarts = "{}()[],:?=!-<|&+*/\"%";
    return !is_space(c) && !is_letter(c) && !is_digit(c) && kTokenStarts.find(c) == std::string_view::npos;
  }

  void bad(std::size_t end, std::string message, std::string hint = "") {
    sink_.error(text_.range(at_, end), std::move(message), std::move(hint));
    push(TokenKind::kBad, end);
  }

  void push(TokenKind kind, std::size_t end) {
    tokens_.push_back({kind, std::string(text_.view(at_, end)), text_.range(at_, end)});
    at_ = end;
  }

  const Text& text_;
  diag::Sink& sink_;
  std::size_t at_ = 0;
  std::vector<Token> tokens_;
};

}  // namespace

std::vector<Token> lex(const Text& text, diag::Sink& sink) { return Lexer(text, sink).run(); }

std::string_view spelling(TokenKind kind) {
  for (const Punctuation& candidate : kPunctuation) {
    if (candidate.kind == kind) return candidate.text;
  }
  return "";
}

}  // namespace concord::engine::shape::tvla
