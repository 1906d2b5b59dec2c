#include "smt/child.h"

#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <string_view>

#include "base/check.h"

extern char** environ;  // NOLINT: POSIX wants it declared so

namespace concord::smt {

std::optional<std::string> find_program(const std::string& name) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "/usr/bin" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    std::string file = (folder.empty() ? "." : folder) + "/" + name;
    if (access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

// ------------------------------------------------------------------------------------------------------------------- bell

Bell::Bell() : descriptor_(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
  CONCORD_CHECK(descriptor_ >= 0, "eventfd failed");
}

Bell::~Bell() { close(descriptor_); }

void Bell::ring() const { eventfd_write(descriptor_, 1); }

bool Bell::take() const {
  eventfd_t count = 0;
  return eventfd_read(descriptor_, &count) == 0;
}

// --------------------------------------------------------------------------------------------------------- birth and death

namespace {

struct SpawnSettings {
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};

  explicit SpawnSettings(int socket) {
    posix_spawn_file_actions_init(&actions);
    for (int i = 0; i < 3; ++i) posix_spawn_file_actions_adddup2(&actions, socket, i);
    // A thread may have blocked signals; the child should not inherit that.
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK);
  }
  ~SpawnSettings() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }
  SpawnSettings(const SpawnSettings&) = delete;
  SpawnSettings& operator=(const SpawnSettings&) = delete;
};

}  // namespace

Child::Child(const std::vector<std::string>& command) {
  std::array<int, 2> sockets{};
  CONCORD_CHECK(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets.data()) == 0, "socketpair failed");
  socket_ = sockets[0];
  // posix_spawn cannot set limits, and fork would copy the tables of a large process.
  std::vector<std::string> words{"/bin/sh", "-c", "ulimit -s \"$(ulimit -H -s)\"; exec \"$0\" \"$@\""};
  words.insert(words.end(), command.begin(), command.end());
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  const SpawnSettings settings(sockets[1]);
  if (posix_spawn(&pid_, pointers[0], &settings.actions, &settings.attributes, pointers.data(), environ) != 0)
    pid_ = -1;
  close(sockets[1]);
}

Child::~Child() {
  kill();
  close(socket_);
}

std::string Child::kill() {
  if (!is_alive()) return "not started";
  ::kill(pid_, SIGKILL);
  int status = 0;
  while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {}
  pid_ = -1;
  if (WIFEXITED(status)) return fmt::format("exit status {}", WEXITSTATUS(status));
  return fmt::format("signal {}", WTERMSIG(status));
}

// ---------------------------------------------------------------------------------------------------------------- dialogue

namespace {

bool ends_with_line(const std::string& text, const std::string& line) {
  const std::string end = line + "\n";
  return text.ends_with(end) && (text.size() == end.size() || text[text.size() - end.size() - 1] == '\n');
}

// For poll: rounded up, -1 is for ever. Who waits longer than the maximum asks again.
int milliseconds_until(Child::Deadline deadline) {
  if (!deadline) return -1;
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*deadline - std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, 1'000'000));
}

}  // namespace

Child::Answer Child::ask(const std::string& text, const std::string& mark, Deadline deadline, const Bell* bell) {
  Answer answer;
  std::string_view unsent = text;
  if (!is_alive()) return answer;
  while (!ends_with_line(answer.text, mark)) {
    std::array<pollfd, 2> waited{{{socket_, static_cast<short>(unsent.empty() ? POLLIN : POLLIN | POLLOUT), 0},
                                  {bell == nullptr ? -1 : bell->descriptor(), POLLIN, 0}}};
    const int ready = poll(waited.data(), waited.size(), milliseconds_until(deadline));
    if (waited[1].revents != 0 && ready > 0) return {Status::kRung, ""};
    if (ready == 0 && deadline && std::chrono::steady_clock::now() >= *deadline) return {Status::kLate, ""};
    if (ready > 0 && !exchange(unsent, answer.text, waited[0].revents)) return answer;
  }
  answer.status = Status::kAnswered;
  answer.text.resize(answer.text.size() - mark.size() - 1);
  return answer;
}

// Sends and receives what goes without waiting; false if the child has gone.
bool Child::exchange(std::string_view& unsent, std::string& said, short events) const {
  const auto again = [] { return errno == EAGAIN || errno == EINTR; };
  if ((events & POLLOUT) != 0 && !unsent.empty()) {
    const ssize_t sent = send(socket_, unsent.data(), unsent.size(), MSG_DONTWAIT | MSG_NOSIGNAL);
    if (sent > 0) unsent.remove_prefix(static_cast<std::size_t>(sent));
    if (sent < 0 && !again()) unsent = {};  // what it said before it died is still to be read
  }
  if ((events & (POLLIN | POLLHUP | POLLERR)) == 0) return true;
  std::array<char, 65536> buffer{};
  const ssize_t received = recv(socket_, buffer.data(), buffer.size(), MSG_DONTWAIT);
  if (received > 0) said.append(buffer.data(), static_cast<std::size_t>(received));
  return received > 0 || (received < 0 && again());
}

}  // namespace concord::smt
