#include "program.h"

#include "diag/diagnostic.h"
#include "plato/reader.h"
#include "plato/wellformed.h"

namespace concord::agree {

std::unique_ptr<Loaded> load(const std::string& text) {
  auto loaded = std::make_unique<Loaded>();
  diag::Sink sink;
  const std::uint32_t file = loaded->sources.add("program.plato", text);
  plato::read(loaded->sources, file, loaded->program, sink);
  if (!sink.has_errors()) plato::check_well_formed(loaded->sources, loaded->program, sink);
  for (const diag::Diagnostic& error : sink.errors()) loaded->error += diag::render(loaded->sources, error);
  return loaded;
}

}  // namespace concord::agree
