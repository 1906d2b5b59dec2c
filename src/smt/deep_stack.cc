#include "smt/deep_stack.h"

#include <pthread.h>

#include <cstddef>
#include <exception>

#include "base/check.h"

namespace concord::smt {

namespace {

constexpr std::size_t kStackBytes = std::size_t{512} << 20U;  // of addresses; memory only as far as it is used

struct Call {
  const std::function<void()>& action;
  std::exception_ptr failure;
};

void* run(void* argument) {
  Call& call = *static_cast<Call*>(argument);
  try {
    call.action();
  } catch (...) { call.failure = std::current_exception(); }
  return nullptr;
}

}  // namespace

// std::thread cannot be asked for a stack.
void with_deep_stack(const std::function<void()>& action) {
  Call call{action, nullptr};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, kStackBytes);
  pthread_t thread{};
  const bool started = pthread_create(&thread, &attributes, run, &call) == 0;
  pthread_attr_destroy(&attributes);
  CONCORD_CHECK(started, "no thread with a deep stack");
  pthread_join(thread, nullptr);
  if (call.failure) std::rethrow_exception(call.failure);
}

}  // namespace concord::smt
