#include <utility>

#include "plato/abstract_program.h"
#include "plato/bare.h"
#include "plato/copy.h"
#include "plato/flow.h"
#include "plato/printer.h"
#include "plato/promela.h"
#include "tool/input.h"
#include "tool/machine.h"
#include "tool/model.h"
#include "tool/status.h"
#include "tool/verbs.h"

namespace concord::tool {

namespace {

int show_model(const Options& options, engine::Control& control) {
  if (!options.dot) {
    write_error("concord: of a model of TVLA's only drawings are shown: --dot\n");
    return kBadUsage;
  }
  const ModelDrawing drawn = draw_model(options, control);
  if (!drawn.errors.empty()) {
    write_error(drawn.errors);
    return kBadInput;
  }
  if (!drawn.why_not.empty()) write_error(drawn.why_not);
  return print(drawn.text, drawn.why_not.empty() ? kAllVerified : kSomethingUnknown);
}

}  // namespace

int show(const Options& options) {
  engine::Control control;
  const Interruptible interruptible(control);
  if (is_model(options.files)) return show_model(options, control);
  const Input input = load(read_texts(options.files), options.java, control);
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
