#include <fmt/format.h>

#include "report/columns.h"
#include "tool/machine.h"
#include "tool/status.h"
#include "tool/verbs.h"

namespace concord::tool {

std::string as_shown(const std::string& prose) {
  const Characters characters = output_characters();
  if (characters == Characters::kAny) return prose;
  const std::string fitted = report::fitted(prose, output_width());
  return characters == Characters::kAsciiTerminal ? report::ascii(fitted) : fitted;
}

int print(const std::string& text, int status) {
  std::string error;
  if (write_output(text, error)) return status;
  write_error(fmt::format("concord: cannot write to standard output: {}\n", error));
  return kMissing;
}

std::string defect_report(const std::string& what, std::string_view version) {
  return fmt::format(
      "concord: {}\nThis is a defect of concord itself. Please report this message with the version ({}), the command "
      "line "
      "and the\ninput files; a smaller input that still shows it helps most.\n",
      what, version);
}

}  // namespace concord::tool
