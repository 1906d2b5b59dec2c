#include "report/columns.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <utility>

namespace concord::report {

namespace {

constexpr int kIndent = 2;

bool starts_character(char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

// The number of bytes of the first `characters` characters.
std::size_t bytes(std::string_view text, int characters) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (starts_character(text[at]) && characters-- == 0) break;
    ++at;
  }
  return at;
}

// Where a word may be torn apart: behind `(` and `,`, before `.`; not so early that the line is mostly empty.
std::size_t inside_word(std::string_view text, std::size_t most) {
  const std::size_t at = text.substr(0, most).find_last_of("(,.");
  if (at == std::string_view::npos) return most;
  const std::size_t end = text[at] == '.' ? at : at + 1;
  return 2 * end >= most ? end : most;
}

// How many bytes of `text` go on a line of `columns` characters: up to the last space that fits, else as much as fits.
std::size_t line_bytes(std::string_view text, int columns) {
  const std::size_t most = bytes(text, columns);
  if (most == text.size() || text[most] == ' ') return most;
  const std::size_t space = text.substr(0, most).find_last_of(' ');
  const bool only_indent = text.find_first_not_of(' ') > space;
  return space == std::string_view::npos || only_indent ? inside_word(text, most) : space;
}

// Words in lines of at most `columns`, the first begun by `begin`, the others by as many spaces as `indent` says.
std::string filled(const std::vector<std::string>& words, std::string begin, int indent, int columns) {
  std::string out;
  std::string line = std::move(begin);
  bool is_empty = true;
  for (const std::string& word : words) {
    if (!is_empty && width(line) + 1 + width(word) > columns) {
      out += line + "\n";
      line = std::string(static_cast<std::size_t>(indent), ' ');
      is_empty = true;
    }
    line += (is_empty ? "" : " ") + word;
    is_empty = false;
  }
  return out + line + "\n";
}

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  return {std::istream_iterator<std::string>(in), {}};
}

// A line with columns of its own, and what follows in the last of them: that goes on below, or, where it has no room, below
// the first.
std::string with_columns(const std::string& line, const std::vector<std::string>& more, int columns) {
  const std::size_t gap = line.rfind("  ");
  std::size_t last = gap == std::string::npos ? 0 : gap + 2;
  if (2 * width(line.substr(0, last)) > columns) last = line.find_first_not_of(' ') + 2;
  std::vector<std::string> words = words_of(line.substr(last));
  words.insert(words.end(), more.begin(), more.end());
  return filled(words, line.substr(0, last), width(line.substr(0, last)), columns);
}

bool is_plain(const std::string& line) { return !line.empty() && line.front() != ' '; }
bool is_item(const std::string& line) { return line.starts_with("- "); }
bool is_deep(const std::string& line) { return line.starts_with("    "); }

// Whether `next` belongs to what begins with `first`.
bool goes_on(const std::string& first, const std::string& next) {
  if (is_item(first)) return next.starts_with("  ") && !is_deep(next);
  return is_plain(first) ? is_plain(next) && !is_item(next) : is_deep(next);
}

}  // namespace

int width(std::string_view text) { return static_cast<int>(std::count_if(text.begin(), text.end(), starts_character)); }

std::string pad(std::string_view text, int columns) {
  return std::string(text) + std::string(static_cast<std::size_t>(std::max(0, columns - width(text))), ' ');
}

std::string pad_left(std::string_view text, int columns) {
  return std::string(static_cast<std::size_t>(std::max(0, columns - width(text))), ' ') + std::string(text);
}

std::string ascii(std::string_view text) {
  constexpr std::string_view kDots = "…";
  std::string out;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text.substr(at).starts_with(kDots)) {
      out += "...";
      at += kDots.size() - 1;
    } else if (static_cast<unsigned char>(text[at]) < 0x80U) {
      out += text[at];
    } else if (starts_character(text[at])) {
      out += '?';
    }
  }
  return out;
}

std::vector<std::string> wrap(std::string_view text, int columns) {
  const int rest_columns = std::max(1, columns - kIndent);
  std::vector<std::string> lines;
  do {
    const bool first = lines.empty();
    const std::size_t end = line_bytes(text, first ? std::max(1, columns) : rest_columns);
    lines.push_back((first || columns <= kIndent ? "" : std::string(kIndent, ' ')) + std::string(text.substr(0, end)));
    text.remove_prefix(end);
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  } while (!text.empty());
  return lines;
}

std::string fitted(std::string_view text, int columns) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  const auto is_wide = [&](const std::string& line) { return width(line) > columns; };
  if (std::none_of(lines.begin(), lines.end(), is_wide)) return std::string(text);
  std::string out;
  for (std::size_t at = 0; at < lines.size();) {
    const std::string& first = lines[at++];
    if (first.empty() || is_deep(first)) {  // a line of a program
      out += first + "\n";
      continue;
    }
    std::vector<std::string> more;
    for (; at < lines.size() && goes_on(first, lines[at]); ++at) {
      for (std::string& word : words_of(lines[at])) more.push_back(std::move(word));
    }
    if (!is_plain(first)) {
      out += with_columns(first, more, columns);
      continue;
    }
    std::vector<std::string> words = words_of(first);
    words.insert(words.end(), more.begin(), more.end());
    out += filled(words, "", is_item(first) ? kIndent : 0, columns);
  }
  return out;
}

std::vector<int> fit(const std::vector<int>& wanted, int available, int least) {
  std::vector<int> given(wanted.size(), 0);
  std::vector<std::size_t> order(wanted.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  int columns_left = static_cast<int>(wanted.size());
  for (const std::size_t i : order) {
    given[i] = std::min(wanted[i], available / columns_left);
    if (given[i] < wanted[i] && given[i] < least) return {};
    available -= given[i];
    --columns_left;
  }
  return given;
}

}  // namespace concord::report
