// Copies floats past the caches: for results too large to be read again before they are evicted.
// Data flow: used by skin/compiled_deform.cpp.
#pragma once

#include <cstddef>

namespace sinew {

// Whole cache lines of the target go around the caches, the rest is copied. `from` need not be aligned.
void stream_copy(const float* from, float* to, size_t floats);

// Makes streamed stores visible to other threads. Once, after the last copy of a thread.
void stream_fence();

}  // namespace sinew
