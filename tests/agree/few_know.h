// Random small Plato programs in which each thread knows some objects only: two or three threads that lock what they are given, set
// flags of it and flags that all know, hand objects to each other, and claim something of all that. What one of them does may depend on
// what another has locked, of which a third has never heard.
#pragma once

#include <cstdint>
#include <string>

namespace concord::agree {

std::string generate_few_know(std::uint64_t seed);

}  // namespace concord::agree
