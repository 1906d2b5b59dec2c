// The only place that turns outcomes into an exit status of the process (tool/status.h).
#include <csignal>
#include <exception>
#include <new>

#include "tool/machine.h"
#include "tool/status.h"
#include "tool/verbs.h"

namespace {

using namespace concord::tool;

int run(const std::vector<std::string>& arguments) {
  const Parsed parsed = parse(arguments, CONCORD_VERSION);
  if (!parsed.options) {
    write_error(parsed.error);
    return print(parsed.is_prose ? as_shown(parsed.output) : parsed.output, parsed.status);
  }
  switch (parsed.options->verb) {
    case Verb::kVerify:
    case Verb::kExplore: return verify(*parsed.options, CONCORD_VERSION);
    case Verb::kShow: return show(*parsed.options);
    case Verb::kReplay: return replay_proof(*parsed.options);
    case Verb::kExplain: return explain(*parsed.options);
  }
  return kDefect;
}

}  // namespace

int main(int argc, char** argv) {
  std::signal(SIGPIPE, SIG_IGN);  // a reader of our output that goes away is no defect
  try {
    return run({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    write_error("concord: memory ran out\n");
    return kSomethingUnknown;
  } catch (const std::exception& defect) {
    write_error(defect_report(defect.what(), CONCORD_VERSION));
    return kDefect;
  }
}
