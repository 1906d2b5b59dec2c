// A program that we talk to by text, line by line, over one socket that is its standard input, output and error.
//
// It has no limit of stack but the system's hard one, as deep terms need it, and dies with this object. A socket and not
// pipes: writing to a dead child is then an error and no signal.
#pragma once

#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace concord::smt {

// The path of a program, looked for as a shell does.
std::optional<std::string> find_program(const std::string& name);

// Set from any thread, seen by whoever waits.
class Bell {
 public:
  Bell();
  ~Bell();
  Bell(const Bell&) = delete;
  Bell& operator=(const Bell&) = delete;

  void ring() const;
  bool take() const;  // whether it has rung since the last take()
  int descriptor() const { return descriptor_; }

 private:
  int descriptor_;
};

class Child {
 public:
  using Deadline = std::optional<std::chrono::steady_clock::time_point>;  // none: never

  enum class Status { kAnswered, kLate, kRung, kDead };
  struct Answer {
    Status status = Status::kDead;
    std::string text;  // what it said, up to the mark
  };

  explicit Child(const std::vector<std::string>& command);
  ~Child();
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Sends the text and waits until the child has said a line that is the mark, or the deadline, or the bell (if any).
  Answer ask(const std::string& text, const std::string& mark, Deadline deadline, const Bell* bell);
  bool is_alive() const { return pid_ > 0; }
  // Ends it, or finds out how it had ended: "exit status 1", "signal 11".
  std::string kill();

 private:
  bool exchange(std::string_view& unsent, std::string& said, short events) const;

  int socket_ = -1;
  pid_t pid_ = -1;
};

}  // namespace concord::smt
