#include "smt/limits.h"

#include <fmt/format.h>

#include "base/check.h"

namespace concord::smt {

using formula::Op;
using formula::Term;

std::string time_limit(std::chrono::milliseconds limit) {
  return fmt::format("time limit of {} s", static_cast<double>(limit.count()) / 1000);
}

std::string incomplete(const std::string& reason) {
  std::string detail;
  for (const char c : reason) {
    if (c != '(' && c != ')') detail += c;
  }
  const std::string word = kIncomplete;
  detail.erase(detail.find(word), word.size());
  const std::size_t begin = detail.find_first_not_of(' ');
  return begin == std::string::npos ? word : word + ": " + detail.substr(begin);
}

void check_literals(const std::vector<Term>& assumptions) {
  for (Term it : assumptions) {
    const Term atom = it->op == Op::kNot ? it->args[0] : it;
    CONCORD_CHECK(atom->op == Op::kConst || it->op == Op::kTrue || it->op == Op::kFalse,
                  "an assumption is no literal: " + to_string(it));
  }
}

}  // namespace concord::smt
