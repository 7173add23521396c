// Sorts many short lists that lie one after another. Data flow: used where things are filed under a vertex: the sides
// of triangles, neighbours, doubles.
#pragma once

#include <sinew/core/parallel.h>
#include <algorithm>
#include <cstdint>
#include <span>

namespace sinew {

// List i is [first[i], first[i + 1]) of `all`. In parallel; each list is sorted by one thread.
template <class T>
void sort_buckets(std::span<const uint32_t> first, std::span<T> all) {
    if (first.empty()) return;
    parallel_for(first.size() - 1, 16384, [&](size_t begin, size_t end) {
        for (size_t i = begin; i < end; ++i) std::sort(all.data() + first[i], all.data() + first[i + 1]);
    });
}

}  // namespace sinew
