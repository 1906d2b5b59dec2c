#include <utility>

#include "plato/abstract_program.h"
#include "plato/bare.h"
#include "plato/copy.h"
#include "plato/flow.h"
#include "plato/printer.h"
#include "plato/promela.h"
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
  plato::Program program = options.bare ? plato::bare(input.program) : plato::copy(input.program);
  if (options.abstract) {
    plato::AbstractProgram abstract = plato::abstract_program(plato::without_step_clauses(input.program));
    if (!abstract.trouble.empty()) {
      diag::Sink sink;
      sink.error(abstract.at, "not in the abstract program: " + abstract.trouble);
      write_error(diag::render(input.sources, sink.errors().front()));
      return kBadInput;
    }
    program = std::move(abstract.program);
  }
  if (options.promela) {
    diag::Sink sink;
    const std::string text = plato::print_promela(program, options.check.settings.threads.value_or(2), sink);
    if (!sink.has_errors()) return print(text, kAllVerified);
    write_error(diag::render(input.sources, sink.errors().front()));
    return kBadInput;
  }
  if (options.dot) return print(plato::print_flow_dot(program), kAllVerified);
  if (options.cfg) return print(plato::print_flow(program), kAllVerified);
  return print(plato::print(program), kAllVerified);
}

}  // namespace concord::tool
