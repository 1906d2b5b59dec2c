#include "tool/machine.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cctype>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <system_error>

#include "tool/status.h"

namespace concord::tool {

namespace {

constexpr int kWidthOfFiles = 100;
constexpr int kLeastWidth = 40;

// Of the Interruptible that lives now, if any.
std::atomic<engine::Control*> interrupted_control{nullptr};

// Also SIGHUP: whoever closes the terminal may have sent the output to a file.
constexpr std::array kSignals = {SIGINT, SIGTERM, SIGHUP};

extern "C" void on_interrupt(int) {
  engine::Control* control = interrupted_control.load();
  if (control == nullptr || control->interrupted.exchange(true)) _exit(kInterrupted);
}

std::uint64_t physical_memory() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_size = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page_size > 0 ? static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_size) : 0;
}

// The limit of the container, or 0: the files of control groups, version 2 and 1.
std::uint64_t container_memory() {
  for (const char* path : {"/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"}) {
    std::uint64_t bytes = 0;
    if (std::ifstream(path) >> bytes) return bytes;  // "max" is no number
  }
  return 0;
}

}  // namespace

int output_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 0 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0)
    return kWidthOfFiles;
  return std::max<int>(size.ws_col, kLeastWidth);
}

bool output_takes_color() {
  const char* no_color = std::getenv("NO_COLOR");
  const char* terminal = std::getenv("TERM");
  const bool unwanted = no_color && *no_color != '\0';
  return isatty(STDOUT_FILENO) != 0 && !unwanted && terminal && std::string_view(terminal) != "dumb";
}

Characters output_characters() {
  if (isatty(STDOUT_FILENO) == 0) return Characters::kAny;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {  // the first that is set decides
    const char* value = std::getenv(name);
    if (value == nullptr || *value == '\0') continue;
    std::string locale = value;
    std::transform(locale.begin(), locale.end(), locale.begin(), [](unsigned char c) { return std::tolower(c); });
    const bool is_unicode = locale.find("utf-8") != std::string::npos || locale.find("utf8") != std::string::npos;
    return is_unicode ? Characters::kUnicodeTerminal : Characters::kAsciiTerminal;
  }
  return Characters::kAsciiTerminal;
}

bool errors_go_to_terminal() { return isatty(STDERR_FILENO) != 0; }

std::uint64_t default_memory_bytes() {
  const std::uint64_t machine = physical_memory();
  const std::uint64_t container = container_memory();
  return (container == 0 ? machine : machine == 0 ? container : std::min(machine, container)) / 4 * 3;
}

Interruptible::Interruptible(engine::Control& control) {
  interrupted_control.store(&control);
  struct sigaction action {};
  action.sa_handler = on_interrupt;
  action.sa_flags = SA_RESTART;  // a report that is being written is written whole
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < kSignals.size(); ++i) {
    sigaction(kSignals[i], &action, &before_[i]);
    const bool told_to_stay = kSignals[i] == SIGHUP && before_[i].sa_handler == SIG_IGN;  // nohup
    if (told_to_stay) sigaction(kSignals[i], &before_[i], nullptr);
  }
}

Interruptible::~Interruptible() {
  for (std::size_t i = 0; i < kSignals.size(); ++i) sigaction(kSignals[i], &before_[i], nullptr);
  interrupted_control.store(nullptr);
}

bool write_output(const std::string& text, std::string& error) {
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size() && std::fflush(stdout) == 0;
  if (written || errno == EPIPE) return true;
  error = std::generic_category().message(errno);
  return false;
}

void write_error(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

}  // namespace concord::tool
