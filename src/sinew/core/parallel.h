// Parallel loops: the only place where Sinew uses threads.
// Chunks are fixed by `grain` alone, never by the number of threads, so results do not depend on it.
#pragma once

#include <cstddef>
#include <functional>

namespace sinew {

// The number of threads that parallel_for may use; 0 means one per core. Set once, at start-up.
void set_thread_count(int threads);
int thread_count();

// Calls body(begin, end) for consecutive chunks of [0, count) of `grain` elements (the last one may be shorter), from
// several threads. Chunks must write to disjoint places. Nested calls are allowed.
void parallel_for(size_t count, size_t grain, const std::function<void(size_t begin, size_t end)>& body);

}  // namespace sinew
