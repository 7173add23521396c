#include <sinew/core/parallel.h>

#include <sinew/core/parallel_short.h>
#include <algorithm>

namespace sinew {

void set_thread_count(int) {}

int thread_count() {
    return 1;
}

// The same chunks as with threads, so that results are the same.
void parallel_for(size_t count, size_t grain, const std::function<void(size_t, size_t)>& body) {
    grain = std::max<size_t>(1, grain);
    for (size_t begin = 0; begin < count; begin += std::min(grain, count - begin))
        body(begin, begin + std::min(grain, count - begin));
}

void parallel_for_short(size_t count, size_t grain, const std::function<void(size_t, size_t)>& body) {
    parallel_for(count, grain, body);
}

}  // namespace sinew
