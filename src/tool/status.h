// Exit statuses of the tool: part of the contract with scripts.
#pragma once

namespace concord::tool {

enum Status : int {
  kAllVerified = 0,
  kSomethingViolated = 1,
  kSomethingUnproved = 2,
  kSomethingUnknown = 3,  // or nothing to check
  kBadUsage = 64,
  kBadInput = 65,  // unreadable or malformed
  kMissing = 69,   // something needed is not there
  kDefect = 70,    // of concord itself
  kInterrupted = 130,
};

}  // namespace concord::tool
