#include "engine/shape/tvla/text.h"

namespace concord::engine::shape::tvla {

namespace {

class Cleaner {
 public:
  Cleaner(std::string_view text, std::uint32_t file, diag::Sink& sink) : text_(text), file_(file), sink_(sink) {}

  Text run() {
    if (text_.starts_with("\xEF\xBB\xBF")) at_ = 3;
    while (at_ < text_.size()) one();
    out_.end_at(place(text_.size()));
    return std::move(out_);
  }

 private:
  void one() {
    const std::string_view rest = text_.substr(at_);
    if (const std::size_t joined = continuation(); joined > 0) {
      at_ += joined;
    } else if (rest[0] == '\r') {
      ++at_;
    } else if (!in_string_ && rest.starts_with("//")) {
      at_ = std::min(text_.find('\n', at_), text_.size());
    } else if (!in_string_ && rest.starts_with("/*")) {
      comment();
    } else {
      copy(rest[0]);
    }
  }

  // The length of a `\` with the end of its line; blanks between them are easily overlooked. 0: it is none.
  std::size_t continuation() const {
    if (text_[at_] != '\\') return 0;
    const std::size_t end = text_.find_first_not_of(" \t\r", at_ + 1);
    return end != std::string_view::npos && text_[end] == '\n' ? end + 1 - at_ : 0;
  }

  void copy(char c) {
    if (c == '"') in_string_ = !in_string_;
    if (c == '\n') in_string_ = false;
    out_.add(c, place(at_++));
  }

  void comment() {
    const std::size_t close = text_.find("*/", at_ + 2);
    out_.add(' ', place(at_));
    if (close == std::string_view::npos) {
      sink_.error({file_, place(at_).offset, place(at_ + 2).offset}, "this comment is never closed",
                  "close it with `*/`");
    }
    at_ = close == std::string_view::npos ? text_.size() : close + 2;
  }

  Place place(std::size_t at) const { return {file_, static_cast<std::uint32_t>(at)}; }

  std::string_view text_;
  std::uint32_t file_;
  diag::Sink& sink_;
  std::size_t at_ = 0;
  bool in_string_ = false;
  Text out_;
};

}  // namespace

base::SourceRange Text::range(std::size_t begin, std::size_t end) const {
  if (begin >= size()) return {end_.file, end_.offset, end_.offset};
  const Place first = places_[begin];
  std::uint32_t after = first.offset + 1;
  for (std::size_t i = begin + 1; i < end && i < size(); ++i) {
    if (places_[i].file != first.file || places_[i].offset != after) break;
    ++after;
  }
  return {first.file, first.offset, after};
}

void Text::add(const Text& other, std::size_t begin, std::size_t end) {
  characters_.append(other.view(begin, end));
  const auto from = other.places_.begin();
  places_.insert(places_.end(), from + static_cast<std::ptrdiff_t>(begin), from + static_cast<std::ptrdiff_t>(end));
}

Text Text::part(std::size_t begin, std::size_t end) const {
  Text out;
  out.add(*this, begin, end);
  out.end_ = end < size() ? places_[end] : end_;
  return out;
}

void Text::cut_to(std::size_t size) {
  characters_.resize(size);
  places_.resize(size);
}

bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\f' || c == '\v'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$'; }
bool is_macro_letter(char c) { return is_letter(c) || is_digit(c); }

Text clean(const base::SourceMap& sources, std::uint32_t file, diag::Sink& sink) {
  return Cleaner(sources.file(file).text(), file, sink).run();
}

}  // namespace concord::engine::shape::tvla
