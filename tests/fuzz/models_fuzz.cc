// libFuzzer: any bytes are a model of TVLA's and structures for it, or a list of errors, never a crash.
//
// An input is `m` (with threads) or `p` (without), the model, a byte 30 (record separator), and the structures.
#include <cstdlib>
#include <optional>
#include <string>

#include "engine/shape/tvla/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace concord;
  const std::string text(reinterpret_cast<const char*>(data), size);
  if (text.empty()) return 0;
  const std::string path = text[0] == 'p' ? "model.tvp" : "model.tvm";
  const std::size_t middle = text.find('\x1e');
  const engine::shape::tvla::FileReader files = [&](const std::string& name) -> std::optional<std::string> {
    if (name == path) return text.substr(1, middle == std::string::npos ? middle : middle - 1);
    if (name == "model.tvs") return middle == std::string::npos ? "" : text.substr(middle + 1);
    return std::nullopt;
  };
  base::SourceMap sources;
  diag::Sink sink;
  if (const auto system = engine::shape::tvla::read_model(sources, path, files, {}, sink))
    engine::shape::tvla::read_structures(sources, "model.tvs", files, {}, *system, sink);
  for (const diag::Diagnostic& error : sink.errors()) {
    if (diag::render(sources, error).empty()) std::abort();
  }
  return 0;
}
