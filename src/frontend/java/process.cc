#include "frontend/java/process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <string_view>

#include "base/check.h"

extern char** environ;  // NOLINT: POSIX wants it declared so

namespace concord::frontend::java {

namespace {

constexpr std::size_t kMostOutput = 1U << 16U;
constexpr int kPollMilliseconds = 20;  // how late an interruption is seen

constexpr std::array<std::string_view, 5> kDropped = {
    "JAVA_TOOL_OPTIONS=", "_JAVA_OPTIONS=", "JDK_JAVA_OPTIONS=", "CLASSPATH=", "LC_ALL="};

struct Pipe {
  int read = -1;
  int write = -1;

  Pipe() {
    std::array<int, 2> ends{};
    CONCORD_CHECK(pipe2(ends.data(), O_CLOEXEC) == 0, "pipe2 failed");
    read = ends[0];
    write = ends[1];
  }
  ~Pipe() {
    close_end(read);
    close_end(write);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  static void close_end(int& end) {
    if (end >= 0) close(end);
    end = -1;
  }
};

std::vector<char*> pointers_to(std::vector<std::string>& words) {
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  return pointers;
}

// Ours, but for what would change the result: a virtual machine takes options from it, and reads file names by its locale.
std::vector<std::string> environment() {
  std::vector<std::string> kept;
  for (char** at = environ; *at != nullptr; ++at) {
    const std::string_view variable = *at;
    const bool is_dropped = std::any_of(kDropped.begin(), kDropped.end(),
                                        [&](std::string_view name) { return variable.starts_with(name); });
    if (!is_dropped) kept.emplace_back(variable);
  }
  kept.emplace_back("LC_ALL=C.UTF-8");
  return kept;
}

pid_t spawn(std::vector<std::string> words, const Pipe& input, const Pipe& output) {
  std::vector<std::string> variables = environment();
  const std::vector<char*> arguments = pointers_to(words);
  const std::vector<char*> environment = pointers_to(variables);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, input.read, 0);
  posix_spawn_file_actions_adddup2(&actions, output.write, 1);
  posix_spawn_file_actions_adddup2(&actions, output.write, 2);
  // A thread may have blocked signals; the child should not inherit that.
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  sigset_t none;
  sigemptyset(&none);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  pid_t pid = -1;
  const int error = posix_spawn(&pid, arguments[0], &actions, &attributes, arguments.data(), environment.data());
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return error == 0 ? pid : -1;
}

int wait_for(pid_t pid) {
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  return status;
}

// Reads what is there; false at its end.
bool take_output(int from, std::string& output) {
  std::array<char, 4096> buffer{};
  const ssize_t count = read(from, buffer.data(), buffer.size());
  if (count > 0) {
    output.append(buffer.data(), std::min(static_cast<std::size_t>(count), kMostOutput - output.size()));
  }
  return count > 0 || (count < 0 && (errno == EINTR || errno == EAGAIN));
}

}  // namespace

ProcessEnd run_process(const std::vector<std::string>& command, const ProcessLimits& limits) {
  using How = ProcessEnd::How;
  const auto is_interrupted = [&] { return limits.is_interrupted && limits.is_interrupted(); };
  ProcessEnd end;
  Pipe input;
  Pipe output;
  const pid_t pid = spawn(command, input, output);
  if (pid < 0) return end;
  Pipe::close_end(output.write);
  Pipe::close_end(input.read);
  end.how = How::kExited;
  while (true) {
    pollfd waited{output.read, POLLIN, 0};
    if (poll(&waited, 1, kPollMilliseconds) > 0 && !take_output(output.read, end.output)) break;
    if (is_interrupted()) end.how = How::kInterrupted;
    if (limits.deadline && std::chrono::steady_clock::now() >= *limits.deadline) end.how = How::kLate;
    if (end.how != How::kExited) {
      kill(pid, SIGKILL);
      break;
    }
  }
  const int status = wait_for(pid);
  if (end.how != How::kExited) return end;
  if (is_interrupted()) {  // a terminal interrupts both of us
    end.how = How::kInterrupted;
  } else if (WIFSIGNALED(status)) {
    end.how = How::kKilled;
    end.code = WTERMSIG(status);
  } else {
    end.code = WEXITSTATUS(status);
  }
  return end;
}

}  // namespace concord::frontend::java
