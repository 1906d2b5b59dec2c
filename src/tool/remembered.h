// The answer of an earlier run with the same input: then nothing is read, lowered or proved.
//
// The key has the arguments, the sources, what the export of Java depends on, and the program itself. Sources that the Java
// compiler found besides are told with the answer, by what they contain.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "base/source.h"
#include "cache/store.h"
#include "check/check.h"
#include "tool/input.h"
#include "tool/options.h"

namespace concord::tool {

// Without a file if the user does not want it, or there is no place for it; null: every question is to be asked.
std::unique_ptr<cache::Store> open_store(const Options& options);

struct RememberedAnswer {
  check::CheckResult result;
  base::SourceMap sources;
};

class RememberedRun {
 public:
  RememberedRun(cache::Store* store, const Options& options, const Texts& texts);
  std::optional<RememberedAnswer> take() const;
  // `sources`: those given, then those found.
  void keep(const check::CheckResult& result, const base::SourceMap& sources) const;

 private:
  cache::Store* const store_;
  base::SourceMap given_;
  std::string key_;  // empty: it is not to be kept
};

}  // namespace concord::tool
