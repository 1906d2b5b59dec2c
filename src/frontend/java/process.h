// A Java program that is run to its end, within limits. It dies when we do: its standard input is a pipe that nobody writes to and
// that ends with us, and it is expected to watch that.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace concord::frontend::java {

struct ProcessLimits {
  std::optional<std::chrono::steady_clock::time_point> deadline;  // none: never
  std::function<bool()> is_interrupted;                           // may be empty
};

struct ProcessEnd {
  enum class How { kExited, kKilled, kLate, kInterrupted, kNotStarted } how = How::kNotStarted;
  int code = 0;        // kExited: its status; kKilled: the signal, which was not ours
  std::string output;  // standard output and error, the first 64 KB
};

ProcessEnd run_process(const std::vector<std::string>& command, const ProcessLimits& limits);

}  // namespace concord::frontend::java
