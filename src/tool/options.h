// The command line, parsed once into one typed struct.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/check.h"
#include "engine/shape/reach.h"
#include "tool/input.h"

namespace concord::tool {

enum class Verb { kVerify, kExplore, kShow, kReplay, kExplain };
enum class Format { kText, kJson, kSarif };
enum class Color { kAuto, kAlways, kNever };

struct Options {
  Verb verb = Verb::kVerify;
  std::vector<std::string> arguments;  // as they were given
  std::vector<std::string> files;
  JavaInput java;
  // verify, explore
  check::CheckOptions check;
  Format format = Format::kText;
  std::string report_folder;  // --report, or empty
  Color color = Color::kAuto;
  bool use_cache = true;
  bool suggests = false;
  bool quiet = false;
  bool verbose = false;
  std::string save_proof;  // a file, or empty
  std::optional<std::chrono::milliseconds> timeout;
  std::optional<std::uint64_t> memory_bytes;  // none: a share of what the machine has
  // verify, of a model of TVLA's
  engine::shape::Join join = engine::shape::Join::kRelational;
  std::vector<std::string> definitions;
  // show
  bool cfg = false;
  bool dot = false;
  bool promela = false;
  bool bare = false;
  bool abstract = false;
  // replay
  bool prints_proof = false;
  int fold = 0;  // how deep the tree is shown; 0: all of it
  bool trusts = false;
  // explain
  std::string kind;       // empty: the list of kinds
  bool markdown = false;  // for scripts/generate-docs
};

// What to do: go on with `options`, or print and leave (help, version, bad usage).
struct Parsed {
  std::optional<Options> options;
  int status = 0;
  std::string output;     // for stdout
  std::string error;      // for stderr
  bool is_prose = false;  // `output` is for people, not for other programs
};

// `arguments` without the name of the program.
Parsed parse(const std::vector<std::string>& arguments, std::string_view version);

// "did you mean `X`?" with the candidate nearest to `word`; `otherwise` if none is near.
std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         const std::string& otherwise);

}  // namespace concord::tool
