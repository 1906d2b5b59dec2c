#include "tool/progress.h"

#include <fmt/format.h>

#include "tool/machine.h"

namespace concord::tool {

namespace {

constexpr std::chrono::milliseconds kInterval{100};
constexpr const char* kClearLine = "\r\033[K";

}  // namespace

void ProgressLine::show(const engine::Progress& progress) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (now - last_ < kInterval) return;
  last_ = now;
  shown_ = true;
  const std::string total = progress.total       ? fmt::format("/{}", *progress.total)
                            : progress.done == 1 ? " state"
                                                 : " states";
  const double seconds = std::chrono::duration<double>(now - start_).count();
  write_error(fmt::format("{}{}: {}{}, {:.1f} s", kClearLine, progress.what, progress.done, total, seconds));
}

void ProgressLine::clear() {
  if (!shown_) return;
  write_error(kClearLine);
  shown_ = false;
}

}  // namespace concord::tool
