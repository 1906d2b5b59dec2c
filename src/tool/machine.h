// What the tool asks of the machine it runs on: the terminal, the memory, signals.
#pragma once

#include <array>
#include <csignal>
#include <cstdint>
#include <string>

#include "engine/engine.h"

namespace concord::tool {

// Characters per line of the terminal that stdout is; a fixed number if it is none, so that files do not depend on it.
int output_width();
bool output_takes_color();
// What the characters of stdout may be: a file takes any, a terminal what the locale says.
enum class Characters { kAny, kUnicodeTerminal, kAsciiTerminal };
Characters output_characters();
bool errors_go_to_terminal();

// Memory that a run may use unless --memory says otherwise: three quarters of what this machine or container has.
std::uint64_t default_memory_bytes();

// While it lives, SIGINT, SIGTERM and SIGHUP set control.interrupted; a second one ends the process with status 130. One
// at a time: a signal handler reaches only what is global.
class Interruptible {
 public:
  explicit Interruptible(engine::Control& control);
  ~Interruptible();
  Interruptible(const Interruptible&) = delete;
  Interruptible& operator=(const Interruptible&) = delete;

 private:
  std::array<struct sigaction, 3> before_{};
};

// Writes all of `text` to stdout. False, with the reason in `error`, if that failed for another reason than a closed
// pipe.
bool write_output(const std::string& text, std::string& error);
// Writes to stderr; there is nobody to tell if that fails.
void write_error(const std::string& text);

}  // namespace concord::tool
