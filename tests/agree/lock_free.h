// Random small Plato programs without locks: two or three threads that change the ends of a linked list by compare-and-set, try again when
// they fail, and free nodes and use them again. Stacks and queues that are right, but for what a few random changes did to them.
#pragma once

#include <cstdint>
#include <string>

namespace concord::agree {

std::string generate_lock_free(std::uint64_t seed);

}  // namespace concord::agree
