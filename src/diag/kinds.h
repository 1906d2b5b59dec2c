// The catalogue of finding kinds (design: every message has an id, an explanation and a runnable example).
//
// A kind's name is part of the contract with scripts: it is in property ids, `check`, `nowarn`, `--property` and JSON.
// `concord explain KIND` prints the page; docs/messages/KIND.md is generated from the same text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace concord::diag {

enum class Kind {
  kAssertion,
  kInvariant,
  kEnvAssumption,
  kGuarantee,
  kAbstractionStep,
  kPrecondition,
  kPostcondition,
  kLoopInvariant,
  kConformance,
  kNullDereference,
  kArrayBounds,
  kNegativeArraySize,
  kDivisionByZero,
  kClassCast,
  kMonitorState,
  kThreadState,
  kUseAfterFree,
  kLockOrder,
  kGuardedBy,
  kConfinement,
  kMutualExclusion,
  kFinalState,
  kRace,
  kDeadlock,
  kCyclicDeadlock,
  kNestedMonitor,
  kIgnoredNotify,
  kTermination,
  kVacuity,
};

struct KindPage {
  Kind kind;
  std::string_view name;   // "env-assumption"
  std::string_view holds;  // wording when it holds: "every step of other threads satisfies the environment assumption"
  std::string_view may_fail;     // wording when it does not
  bool on_request = false;       // only with `check` or --property
  bool is_missed = true;         // on request: a report says that it was not checked
  std::string_view explanation;  // a few paragraphs, plain words
  std::string_view example;      // a complete .plato program that has exactly this finding
  std::string_view fixed;        // the same program without the finding, and with a claim of this kind
  std::string_view fix;          // the usual fixes
};

const std::vector<KindPage>& catalogue();  // in the order of the enumeration
const KindPage& page(Kind kind);
std::string_view name(Kind kind);
std::optional<Kind> kind_named(std::string_view name);
std::string markdown(const KindPage& page);  // docs/messages/<name>.md
std::string markdown_index();                // docs/messages/README.md

}  // namespace concord::diag
