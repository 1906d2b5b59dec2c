#include <fmt/format.h>

#include <algorithm>

#include "diag/kinds.h"
#include "tool/status.h"
#include "tool/verbs.h"

namespace concord::tool {

namespace {

std::string list_of_kinds() {
  std::size_t longest = 0;
  for (const diag::KindPage& page : diag::catalogue()) longest = std::max(longest, page.name.size());
  std::string text = "The kinds of finding; `concord explain KIND` tells more.\n\n";
  for (const diag::KindPage& page : diag::catalogue()) {
    text += fmt::format("  {:<{}}  {}{}\n", page.name, longest, page.may_fail, page.on_request ? " (on request)" : "");
  }
  return text;
}

std::string indented(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += (end > 0 ? "    " + std::string(text.substr(0, end)) : "") + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

std::string page_text(const diag::KindPage& page) {
  const std::string asked =
      page.on_request ? fmt::format("; on request: `check {0};` or --property {0}", page.name) : "";
  return fmt::format("{}: {}{}\n\n{}\n\n", page.name, page.may_fail, asked, page.explanation) +
         fmt::format("Example: a program with exactly this finding\n\n{}\n", indented(page.example)) +
         fmt::format("The same, and all of it is verified\n\n{}\nUsual fixes\n\n{}\n", indented(page.fixed), page.fix);
}

}  // namespace

int explain(const Options& options) {
  if (options.kind.empty())
    return print(options.markdown ? diag::markdown_index() : as_shown(list_of_kinds()), kAllVerified);
  const diag::KindPage& page = diag::page(diag::kind_named(options.kind).value());
  return print(options.markdown ? diag::markdown(page) : as_shown(page_text(page)), kAllVerified);
}

}  // namespace concord::tool
