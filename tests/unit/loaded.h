// For tests of engines: a program and its properties, and what is said of the answers.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/engine.h"
#include "plato/reader.h"
#include "plato/wellformed.h"

namespace concord::engine {

inline void PrintTo(const PropertyResult& result, std::ostream* out) {  // NOLINT: the name is fixed by GoogleTest
  *out << result.property.id << ": " << name(result.verdict) << ' ' << result.message << result.reason << '\n';
}

inline void PrintTo(const EngineResult& answer, std::ostream* out) {  // NOLINT: the name is fixed by GoogleTest
  for (const PropertyResult& it : answer.results) PrintTo(it, out);
}

// A program and its properties, for any engine.
struct Loaded {
  base::SourceMap sources;
  plato::Program program;
  Task task{&sources, &program, {}, {}};

  explicit Loaded(const std::string& text, const Settings& settings = {}) {
    sources.add("a.plato", text);
    diag::Sink sink;
    plato::read(sources, 0, program, sink);
    if (!sink.has_errors()) plato::check_well_formed(sources, program, sink);
    for (const diag::Diagnostic& error : sink.errors()) ADD_FAILURE() << diag::render(sources, error);
    if (sink.has_errors()) return;
    task.properties = collect_properties(sources, program, {});
    task.settings = settings;
    EXPECT_FALSE(task.properties.empty());
  }

  EngineResult by(Engine&& engine) const {
    Control control;
    return engine.run(task, control);
  }
};

inline testing::Matcher<PropertyResult> is(Verdict verdict) {
  return testing::Field("verdict", &PropertyResult::verdict, verdict);
}

inline testing::Matcher<PropertyResult> is(diag::Kind kind, Verdict verdict) {
  return testing::AllOf(is(verdict), testing::Field("property", &PropertyResult::property,
                                                    testing::Field("kind", &Property::kind, kind)));
}

inline testing::Matcher<EngineResult> results(const testing::Matcher<std::vector<PropertyResult>>& matcher) {
  return testing::Field("results", &EngineResult::results, matcher);
}

}  // namespace concord::engine
