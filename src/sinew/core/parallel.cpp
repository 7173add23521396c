#include <sinew/core/parallel.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace sinew {
namespace {

std::atomic<int> requested_threads{0};

// One arena per process, rebuilt when the number of threads is set anew. More threads than cores are allowed, which
// oneTBB grants only under a global limit that says so: the determinism tests run 8 on any machine.
tbb::task_arena& arena() {
    static std::mutex mutex;
    static std::unique_ptr<tbb::global_control> limit;
    static std::unique_ptr<tbb::task_arena> current;
    static int current_threads = 0;
    const std::lock_guard lock(mutex);
    if (!current || current_threads != thread_count()) {
        current_threads = thread_count();
        current.reset();
        limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism,
                                                      static_cast<size_t>(current_threads));
        current = std::make_unique<tbb::task_arena>(current_threads);
    }
    return *current;
}

}  // namespace

void set_thread_count(int threads) {
    requested_threads = std::max(0, threads);
}

int thread_count() {
    static const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));  // reads files: once
    const int requested = requested_threads;
    return requested > 0 ? requested : cores;
}

void parallel_for(size_t count, size_t grain, const std::function<void(size_t, size_t)>& body) {
    grain = std::max<size_t>(1, grain);
    const size_t chunks = (count + grain - 1) / grain;
    const auto run_chunk = [&](size_t chunk) { body(chunk * grain, std::min(count, (chunk + 1) * grain)); };
    if (chunks <= 1 || thread_count() == 1) {
        for (size_t chunk = 0; chunk < chunks; ++chunk) run_chunk(chunk);
        return;
    }
    arena().execute([&] { tbb::parallel_for(size_t{0}, chunks, run_chunk); });
}

}  // namespace sinew
