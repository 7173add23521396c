// A parallel loop for work of some ten microseconds, such as skinning a mesh once a frame: waking a sleeping thread
// takes as long, so its threads stay awake for a moment after each call, and each begins with the same share of the
// chunks every time, whose data its core still has at hand. For all other work there is core/parallel.h.
#pragma once

#include <cstddef>
#include <functional>

namespace sinew {

// As parallel_for, on the same number of threads. Inside another call of it, or while another thread is in one, it runs
// on the calling thread alone.
void parallel_for_short(size_t count, size_t grain, const std::function<void(size_t begin, size_t end)>& body);

}  // namespace sinew
