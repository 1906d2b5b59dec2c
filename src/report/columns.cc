#include "report/columns.h"

#include <algorithm>

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

// How many bytes of `text` go on a line of `columns` characters: up to the last space that fits, else as much as fits.
std::size_t line_bytes(std::string_view text, int columns) {
  const std::size_t most = bytes(text, columns);
  if (most == text.size() || text[most] == ' ') return most;
  const std::size_t space = text.substr(0, most).find_last_of(' ');
  const bool only_indent = text.find_first_not_of(' ') > space;
  return space == std::string_view::npos || only_indent ? most : space;
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
