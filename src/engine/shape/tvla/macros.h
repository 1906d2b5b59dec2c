// The macros of the preprocessor, C's with two differences: they are replaced inside strings as well, and `#` makes no string.
//
// Arguments are expanded before they are put into the body, but not where `##` pastes them; the result is expanded again, without the
// macro itself, so that every expansion ends. It may still explode; the work is limited.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "diag/diagnostic.h"
#include "engine/shape/tvla/text.h"

namespace concord::engine::shape::tvla {

struct Macro {
  std::optional<std::vector<std::string>> parameters;
  Text body;
};

class Macros {
 public:
  explicit Macros(diag::Sink& sink) : sink_(sink) {}

  void define(const std::string& name, Macro macro) { macros_[name] = std::move(macro); }
  bool has(const std::string& name) const { return macros_.contains(name); }
  void expand(const Text& in, Text& out);
  // Something was wrong beyond repair; nothing more is expanded.
  bool gave_up() const { return gave_up_; }

  static constexpr std::size_t kMostWork = 4U << 20U;  // characters read and written in expansions
  static constexpr std::size_t kMostNesting = 200;

 private:
  struct Call {
    std::vector<Text> arguments;
    std::size_t end = 0;
  };
  const Macro* usable(const std::string& name) const;
  std::size_t replace(const Text& in, std::size_t begin, std::size_t end, bool in_string, Text& out);
  std::optional<Call> call(const Text& in, std::size_t begin, std::size_t end, bool in_string);
  bool fits(const Macro& macro, Call& call, base::SourceRange name);
  Text substitute(const Macro& macro, const std::vector<Text>& arguments);
  void spend(std::size_t work, base::SourceRange at);
  void give_up(base::SourceRange at, std::string message);

  diag::Sink& sink_;
  std::unordered_map<std::string, Macro> macros_;
  std::vector<std::string> hidden_;  // those we are inside of
  std::size_t depth_ = 0;
  std::size_t work_ = 0;
  bool gave_up_ = false;
};

}  // namespace concord::engine::shape::tvla
