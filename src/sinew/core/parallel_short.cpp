#include <sinew/core/parallel_short.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

namespace sinew {
namespace {

using Body = std::function<void(size_t, size_t)>;

// Looks of a thread for work before it goes to sleep: some 50 µs. No pause instruction between them: under a hypervisor
// that may give the core away.
constexpr int looks = 40'000;

// The chunks that one thread begins with; the others help when they are done with theirs. `left` counts them down in
// its low half; the high half counts loops, so that a thread that comes late cannot take a chunk of a loop that is
// over. Once a chunk is taken its loop lasts until that chunk is done.
struct alignas(64) Share {
    std::atomic<uint64_t> left{0};
    size_t end = 0;  // chunks end - left, end - left + 1, …
};

class Pool {
public:
    ~Pool() { resize(1); }

    bool run(size_t count, size_t grain, size_t chunks, const Body& body) {
        const std::unique_lock lock(busy_, std::try_to_lock);
        if (!lock || chunks > UINT32_MAX) return false;
        resize(thread_count());
        count_ = count, grain_ = grain, body_ = &body;
        undone_.store(chunks, std::memory_order_relaxed);
        const uint64_t loop = loop_.load(std::memory_order_relaxed) + 1;
        for (size_t s = 0; s < shares_.size(); ++s) {
            const size_t begin = s * chunks / shares_.size(), end = (s + 1) * chunks / shares_.size();
            shares_[s].end = end;
            shares_[s].left.store(loop << 32 | (end - begin), std::memory_order_release);
        }
        loop_.store(loop);
        loop_.notify_all();
        help(loop, 0);
        // The others are in their last chunks.
        for (int i = 0; undone_.load(std::memory_order_acquire) > 0; ++i)
            if (i >= looks) std::this_thread::yield();
        return true;
    }

private:
    // Does chunks of this loop while there are any, its own first.
    void help(uint64_t loop, size_t own) {
        size_t done = 0;
        for (size_t s = 0; s < shares_.size(); ++s) {
            Share& share = shares_[(own + s) % shares_.size()];
            uint64_t left = share.left.load(std::memory_order_acquire);
            while (left >> 32 == (loop & UINT32_MAX) && (left & UINT32_MAX) > 0) {
                if (!share.left.compare_exchange_weak(left, left - 1, std::memory_order_acq_rel)) continue;
                const size_t chunk = share.end - (left & UINT32_MAX);
                (*body_)(chunk * grain_, std::min(count_, (chunk + 1) * grain_));
                ++done;
                left = share.left.load(std::memory_order_acquire);
            }
        }
        if (done > 0) undone_.fetch_sub(done, std::memory_order_acq_rel);
    }

    void work(size_t own, uint64_t seen) {
        while (!stop_.load(std::memory_order_relaxed)) {
            for (int i = 0; i < looks && loop_.load(std::memory_order_relaxed) == seen;) ++i;
            loop_.wait(seen);
            seen = loop_.load();
            help(seen, own);
        }
    }

    void resize(int threads) {
        if (static_cast<int>(shares_.size()) == threads) return;
        stop_ = true;
        ++loop_;
        loop_.notify_all();
        for (std::thread& worker : workers_) worker.join();
        workers_.clear();
        stop_ = false;
        shares_ = std::vector<Share>(static_cast<size_t>(threads));
        for (size_t i = 1; i < shares_.size(); ++i)
            workers_.emplace_back([this, i, seen = loop_.load()] { work(i, seen); });
    }

    std::mutex busy_;
    std::vector<std::thread> workers_;
    std::vector<Share> shares_;
    std::atomic<bool> stop_{false};
    const Body* body_ = nullptr;
    size_t count_ = 0, grain_ = 1;
    alignas(64) std::atomic<uint64_t> loop_{0};
    alignas(64) std::atomic<size_t> undone_{0};
};

}  // namespace

void parallel_for_short(size_t count, size_t grain, const Body& body) {
    grain = std::max<size_t>(1, grain);
    const size_t chunks = (count + grain - 1) / grain;
    static Pool pool;
    static thread_local bool inside = false;
    bool done = false;
    if (chunks > 1 && thread_count() > 1 && !inside) {
        inside = true;
        done = pool.run(count, grain, chunks, body);
        inside = false;
    }
    if (done) return;
    for (size_t chunk = 0; chunk < chunks; ++chunk) body(chunk * grain, std::min(count, (chunk + 1) * grain));
}

}  // namespace sinew
