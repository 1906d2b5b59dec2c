#include "plato/flow.h"
#include "plato/printer.h"
#include "tool/input.h"
#include "tool/machine.h"
#include "tool/status.h"
#include "tool/verbs.h"

namespace concord::tool {

int show(const Options& options) {
  engine::Control control;
  const Interruptible interruptible(control);
  const Input input = load(options.files, options.java, control);
  if (!input.errors.empty()) {
    write_error(input.errors);
    return input.status;
  }
  if (options.dot) return print(plato::print_flow_dot(input.program), kAllVerified);
  if (options.cfg) return print(plato::print_flow(input.program), kAllVerified);
  return print(plato::print(input.program), kAllVerified);
}

}  // namespace concord::tool
