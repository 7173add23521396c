#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

using namespace sinew;

// The chunks are part of the contract: they may depend on the grain and on nothing else.
TEST_CASE("parallel_for: the same chunks for any number of threads, covering each index once") {
    for (int threads : {1, 2, 8}) {
        set_thread_count(threads);
        std::mutex mutex;
        std::set<std::pair<size_t, size_t>> chunks;
        parallel_for(1003, 100, [&](size_t begin, size_t end) {
            const std::lock_guard lock(mutex);
            chunks.emplace(begin, end);
        });
        REQUIRE(chunks.size() == 11);
        size_t expected = 0;
        for (const auto& [begin, end] : chunks) {
            CHECK(begin == expected);
            expected = end;
        }
        CHECK(expected == 1003);
    }
    set_thread_count(0);
}

TEST_CASE("parallel_for: nests, and does nothing for nothing") {
    std::vector<int> hits(50 * 40, 0);
    parallel_for(50, 1, [&](size_t row, size_t) {
        parallel_for(40, 7, [&](size_t begin, size_t end) {
            for (size_t i = begin; i < end; ++i) ++hits[row * 40 + i];
        });
    });
    CHECK(std::accumulate(hits.begin(), hits.end(), 0) == 2000);
    parallel_for(0, 10, [](size_t, size_t) { FAIL("called for an empty range"); });
}

// Eight threads on any machine: each of eight chunks waits until all eight have started, which fewer threads never
// manage.
TEST_CASE("parallel_for: uses as many threads as it is told, also more than there are cores") {
    set_thread_count(8);
    std::atomic<int> started{0}, met{0};
    parallel_for(8, 1, [&](size_t, size_t) {
        ++started;
        for (long spins = 0; started < 8 && spins < 2'000'000'000; ++spins) {
            if (spins % 1000 == 0) std::this_thread::yield();
        }
        if (started == 8) ++met;
    });
    CHECK(met == 8);
    set_thread_count(0);
}
