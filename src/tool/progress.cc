#include "tool/progress.h"

#include <fmt/format.h>

#include "tool/machine.h"

namespace concord::tool {

namespace {

constexpr std::chrono::milliseconds kInterval{100};
constexpr const char* kClearLine = "\r\033[K";

// With less than this behind it nobody knows how it will go on.
constexpr std::chrono::duration<double> kSoon{2};

}  // namespace

std::string progress_text(const engine::Progress& progress, std::chrono::duration<double> elapsed,
                          std::chrono::duration<double> spent) {
  const std::string total = progress.total       ? fmt::format("/{}", *progress.total)
                            : progress.done == 1 ? " state"
                                                 : " states";
  std::string out = fmt::format("{}: {}{}, {:.1f} s", progress.what, progress.done, total, elapsed.count());
  if (!progress.total || progress.done == 0 || progress.done >= *progress.total || spent < kSoon) return out;
  const auto to_do = static_cast<double>(*progress.total - progress.done);
  return out + fmt::format(", about {:.0f} s left", spent.count() * to_do / static_cast<double>(progress.done));
}

void ProgressLine::show(const engine::Progress& progress) {
  if (!enabled_) return;
  const Clock::time_point now = Clock::now();
  if (progress.what != what_) {
    what_ = progress.what;
    began_ = now;
  }
  if (now - last_ < kInterval) return;
  last_ = now;
  shown_ = true;
  write_error(kClearLine + progress_text(progress, now - start_, now - began_));
}

void ProgressLine::clear() {
  if (!shown_) return;
  write_error(kClearLine);
  shown_ = false;
}

}  // namespace concord::tool
