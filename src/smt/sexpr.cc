#include "smt/sexpr.h"

#include <algorithm>

namespace concord::smt {

namespace {

constexpr std::string_view kSpace = " \t\r\n";

// Where the expression that begins here ends. Text that ends too early ends it too.
std::size_t end_of(std::string_view text, std::size_t begin) {
  int depth = 0;
  std::size_t i = begin;
  do {
    const char c = text[i];
    if (c == '|' || c == '"') {
      i = std::min(text.find(c, i + 1), text.size() - 1);
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      --depth;
    } else if (depth == 0) {
      i = std::min(text.find_first_of(" \t\r\n()", i), text.size()) - 1;
    }
    ++i;
  } while (depth > 0 && i < text.size());
  return i;
}

}  // namespace

std::vector<std::string> list_parts(std::string_view text) {
  std::vector<std::string> parts;
  std::size_t i = text.find_first_not_of(kSpace);
  if (i == std::string_view::npos || text[i] != '(') return parts;
  for (++i; (i = text.find_first_not_of(kSpace, i)) != std::string_view::npos && text[i] != ')';) {
    const std::size_t end = end_of(text, i);
    parts.emplace_back(text.substr(i, end - i));
    i = end;
  }
  return parts;
}

}  // namespace concord::smt
