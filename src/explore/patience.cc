#include "explore/patience.h"

#include <unistd.h>

#include <fstream>

namespace concord::explore {

void Patience::check_time() const {
  if (control_.was_interrupted()) throw Stopped{Outcome::kInterrupted};
  if (control_.timed_out()) throw Stopped{Outcome::kTimeOut};
}

void Patience::check_memory() const {
  if (control_.memory_limit_bytes == 0) return;
  std::ifstream statm("/proc/self/statm");
  std::uint64_t total = 0, resident = 0;
  statm >> total >> resident;
  if (resident * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) > control_.memory_limit_bytes) {
    throw Stopped{Outcome::kOutOfMemory};
  }
}

}  // namespace concord::explore
