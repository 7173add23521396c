#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/core/parallel_short.h>
#include <atomic>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

using namespace sinew;

namespace {

using Loop = void (*)(size_t, size_t, const std::function<void(size_t, size_t)>&);
constexpr Loop loops[] = {parallel_for, parallel_for_short};

}  // namespace

// The chunks are part of the contract: they may depend on the grain and on nothing else.
TEST_CASE("parallel loops: the same chunks for any number of threads, covering each index once") {
    for (const auto& [loop, threads] :
         {std::pair{loops[0], 1}, {loops[0], 2}, {loops[0], 8}, {loops[1], 1}, {loops[1], 2}, {loops[1], 8}}) {
        set_thread_count(threads);
        std::mutex mutex;
        std::set<std::pair<size_t, size_t>> chunks;
        loop(1003, 100, [&](size_t begin, size_t end) {
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

TEST_CASE("parallel loops: nest, and do nothing for nothing") {
    for (const Loop loop : loops) {
        std::vector<int> hits(50 * 40, 0);
        loop(50, 1, [&](size_t row, size_t) {
            loop(40, 7, [&](size_t begin, size_t end) {
                for (size_t i = begin; i < end; ++i) ++hits[row * 40 + i];
            });
        });
        CHECK(std::accumulate(hits.begin(), hits.end(), 0) == 2000);
        loop(0, 10, [](size_t, size_t) { FAIL("called for an empty range"); });
    }
}

// Eight threads on any machine: each of eight chunks waits until all eight have started, which fewer threads never
// manage.
TEST_CASE("parallel loops: use as many threads as they are told, also more than there are cores") {
    for (const Loop loop : loops) {
        set_thread_count(8);
        std::atomic<int> started{0}, met{0};
        loop(8, 1, [&](size_t, size_t) {
            ++started;
            for (long spins = 0; started < 8 && spins < 2'000'000'000; ++spins) {
                if (spins % 1000 == 0) std::this_thread::yield();
            }
            if (started == 8) ++met;
        });
        CHECK(met == 8);
        set_thread_count(0);
    }
}

// Loops in quick succession, from several threads at once, with the number of threads changing: late threads must not
// take chunks of a loop that is over.
TEST_CASE("parallel_for_short: many loops, one after another and side by side") {
    std::atomic<size_t> sum{0};
    const auto call = [&] {
        for (size_t i = 0; i < 3000; ++i)
            parallel_for_short(1 + i % 40, 1 + i % 3, [&](size_t begin, size_t end) { sum += end - begin; });
    };
    size_t expected = 0;
    for (size_t i = 0; i < 3000; ++i) expected += 1 + i % 40;
    for (const int threads : {2, 5, 3}) {
        set_thread_count(threads);
        sum = 0;
        std::thread other(call);
        call();
        other.join();
        CHECK(sum == 2 * expected);
    }
    set_thread_count(0);
}
