#include "engine/shape/tvla/condition.h"

#include <array>
#include <cstdint>
#include <string>

namespace concord::engine::shape::tvla {

namespace {

constexpr int kMostNesting = 100;
constexpr std::int64_t kGreatest = 1'000'000'000;

// `defined NAME` and `defined(NAME)` as 1 or 0, before macros are replaced.
Text with_defined_known(const Text& in, const Macros& macros) {
  Text out;
  const auto skip = [&](std::size_t i) {
    while (i < in.size() && is_blank(in[i])) ++i;
    return i;
  };
  const auto word_end = [&](std::size_t i) {
    while (i < in.size() && is_macro_letter(in[i])) ++i;
    return i;
  };
  for (std::size_t i = 0; i < in.size();) {
    const std::size_t end = std::max(word_end(i), i + 1);
    if (in.view(i, end) != "defined") {
      out.add(in, i, end);
      i = end;
      continue;
    }
    std::size_t name = skip(end);
    const bool bracket = name < in.size() && in[name] == '(';
    if (bracket) name = skip(name + 1);
    const std::size_t name_end = word_end(name);
    const bool holds = macros.has(std::string(in.view(name, name_end)));
    const base::SourceRange place = in.range(i, end);
    out.add(holds ? '1' : '0', {place.file, place.begin});
    i = name_end;
    if (bracket && skip(i) < in.size() && in[skip(i)] == ')') i = skip(i) + 1;
  }
  return out;
}

class Condition {
 public:
  Condition(const Text& text, diag::Sink& sink) : text_(text), sink_(sink) {}

  bool run() {
    const std::int64_t value = alternatives();
    skip();
    if (at_ < text_.size()) fail("this is no condition");
    return value != 0 && !failed_;
  }

 private:
  std::int64_t alternatives() {
    std::int64_t value = conjunction();
    while (accept("||")) value = static_cast<std::int64_t>(conjunction() != 0 || value != 0);
    return value;
  }

  std::int64_t conjunction() {
    std::int64_t value = comparison();
    while (accept("&&")) value = static_cast<std::int64_t>(comparison() != 0 && value != 0);
    return value;
  }

  std::int64_t comparison() {
    const std::int64_t left = operand();
    if (accept("==")) return static_cast<std::int64_t>(left == operand());
    if (accept("!=")) return static_cast<std::int64_t>(left != operand());
    if (accept("<=")) return static_cast<std::int64_t>(left <= operand());
    if (accept(">=")) return static_cast<std::int64_t>(left >= operand());
    if (accept("<")) return static_cast<std::int64_t>(left < operand());
    if (accept(">")) return static_cast<std::int64_t>(left > operand());
    return left;
  }

  std::int64_t operand() {
    skip();
    if (failed_ || ++depth_ > kMostNesting) return fail("this condition is nested too deeply");
    const std::int64_t value = simple();
    --depth_;
    return value;
  }

  std::int64_t simple() {
    if (accept("!")) return static_cast<std::int64_t>(operand() == 0);
    if (accept("-")) return -operand();
    if (accept("(")) {
      const std::int64_t value = alternatives();
      return accept(")") ? value : fail("expected `)`");
    }
    if (at_ < text_.size() && is_digit(text_[at_])) return number();
    if (at_ >= text_.size() || !is_letter(text_[at_])) return fail("expected a number or a name");
    while (at_ < text_.size() && is_macro_letter(text_[at_])) ++at_;
    return 0;
  }

  std::int64_t number() {
    std::int64_t value = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      value = value * 10 + (text_[at_] - '0');
      if (value > kGreatest) return fail("this number is too great");
    }
    return value;
  }

  bool accept(std::string_view symbol) {
    skip();
    if (!text_.view().substr(at_).starts_with(symbol)) return false;
    at_ += symbol.size();
    return true;
  }

  void skip() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  std::int64_t fail(const char* message) {
    if (!failed_) sink_.error(text_.range(at_, at_ + 1), message);
    failed_ = true;
    at_ = text_.size();
    return 0;
  }

  const Text& text_;
  diag::Sink& sink_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool failed_ = false;
};

}  // namespace

bool condition_holds(const Text& text, Macros& macros, diag::Sink& sink) {
  Text expanded;
  macros.expand(with_defined_known(text, macros), expanded);
  const base::SourceRange end = text.range(text.size(), text.size());
  expanded.end_at({end.file, end.begin});
  return Condition(expanded, sink).run();
}

}  // namespace concord::engine::shape::tvla
