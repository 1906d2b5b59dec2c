// Work on several cores.
#pragma once

#include <cstddef>
#include <functional>

namespace concord::base {

// work(0), …, work(count - 1), by at most so many threads at once; the first exception that one of them ends in is thrown on.
void in_parallel(std::size_t jobs, std::size_t count, const std::function<void(std::size_t)>& work);

}  // namespace concord::base
