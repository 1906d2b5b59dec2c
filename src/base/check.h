// The idiom for "we are wrong": a named check, on in release builds too. It throws InternalError, which src/check turns
// into the verdict `unknown (internal error)` for the property at hand and exit status 70; never into another verdict.
#pragma once

#include <stdexcept>
#include <string>

namespace concord::base {

class InternalError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

[[noreturn]] inline void internal_error(const char* file, int line, const std::string& what) {
  throw InternalError(std::string(file) + ":" + std::to_string(line) + ": " + what);
}

}  // namespace concord::base

#define CONCORD_CHECK(condition, what)                                           \
  do {                                                                           \
    if (!(condition)) ::concord::base::internal_error(__FILE__, __LINE__, what); \
  } while (false)
