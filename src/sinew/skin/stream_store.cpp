#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sinew/skin/stream_store.cpp"
#include <hwy/foreach_target.h>

#include <hwy/cache_control.h>
#include <hwy/highway.h>
#include <sinew/core/aligned.h>
#include <sinew/skin/stream_store.h>
#include <algorithm>
#include <cstdint>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace sinew {
namespace HWY_NAMESPACE {

void copy(const float* HWY_RESTRICT from, float* HWY_RESTRICT to, size_t floats) {
    namespace hn = hwy::HWY_NAMESPACE;
    const hn::CappedTag<float, 16> d;
    constexpr size_t line = cache_line / sizeof(float);
    const size_t past = reinterpret_cast<uintptr_t>(to) % cache_line;
    // A buffer of floats at odd bytes has no whole lines of floats.
    size_t i =
        past % sizeof(float) != 0 ? floats : std::min(floats, past == 0 ? 0 : (cache_line - past) / sizeof(float));
    std::memcpy(to, from, i * sizeof(float));
    for (; i + line <= floats; i += line)
        for (size_t k = 0; k < line; k += hn::Lanes(d)) hn::Stream(hn::LoadU(d, from + i + k), d, to + i + k);
    std::memcpy(to + i, from + i, (floats - i) * sizeof(float));
}

}  // namespace HWY_NAMESPACE
}  // namespace sinew
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sinew {
HWY_EXPORT(copy);
void stream_copy(const float* from, float* to, size_t floats) {
    HWY_DYNAMIC_DISPATCH(copy)(from, to, floats);
}
void stream_fence() {
    hwy::FlushStream();
}
}  // namespace sinew
#endif
