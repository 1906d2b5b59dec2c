// libFuzzer: any bytes are a program or a list of errors, never a crash; and a program survives printing and reading.
//
//   clang++-14 -std=c++20 -Isrc -g -O1 -fsanitize=fuzzer,address,undefined tests/fuzz/reader_fuzz.cc
//     src/base/*.cc src/diag/diagnostic.cc src/plato/{type,lexer,reader*,printer}.cc -o reader_fuzz
//   ./reader_fuzz -dict=tests/fuzz/plato.dict CORPUS examples
#include <cstdio>
#include <cstdlib>
#include <string>

#include "plato/printer.h"
#include "plato/reader.h"

namespace {

using namespace concord;

// The printed program, or "" if there are errors; they are rendered, so that rendering is tested too.
std::string read_and_print(const std::string& text, diag::Sink& sink) {
  base::SourceMap sources;
  plato::Program program;
  plato::read(sources, sources.add("input", text), program, sink);
  for (const diag::Diagnostic& error : sink.errors()) {
    if (diag::render(sources, error).empty()) std::abort();
  }
  return sink.has_errors() ? "" : plato::print(program);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  diag::Sink first;
  const std::string once = read_and_print(text, first);
  if (first.has_errors()) return 0;
  diag::Sink second;
  const std::string twice = read_and_print(once, second);
  if (second.has_errors() || once != twice) {
    std::fprintf(stderr, "--- printed once\n%s\n--- printed twice\n%s\n", once.c_str(), twice.c_str());
    for (const diag::Diagnostic& error : second.errors()) std::fprintf(stderr, "%s\n", error.message.c_str());
    std::abort();
  }
  return 0;
}
