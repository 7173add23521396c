#include <sinew/mesh/space_curve.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <utility>

namespace sinew {
namespace {

uint64_t place_on_curve(const Vec3d& p, const Vec3d& low, double width) {
    uint64_t code = 0;
    for (int k = 0; k < 3; ++k) {
        auto bits = static_cast<uint64_t>(std::clamp((p[k] - low[k]) / width, 0.0, 1.0) * 0x1fffff);
        bits = (bits | bits << 32) & 0x1f00000000ffffull;  // two zeros before every bit
        bits = (bits | bits << 16) & 0x1f0000ff0000ffull;
        bits = (bits | bits << 8) & 0x100f00f00f00f00full;
        bits = (bits | bits << 4) & 0x10c30c30c30c30c3ull;
        bits = (bits | bits << 2) & 0x1249249249249249ull;
        code |= bits << k;
    }
    return code;
}

}  // namespace

std::vector<uint32_t> order_on_curve(std::span<const Vec3d> points, const Vec3d& low, double width) {
    std::vector<std::pair<uint64_t, uint32_t>> order(points.size());
    const size_t half = points.size() / 2;
    parallel_for(2, 1, [&](size_t part, size_t) {
        const size_t begin = part == 0 ? 0 : half, end = part == 0 ? half : points.size();
        for (size_t v = begin; v < end; ++v)
            order[v] = {place_on_curve(points[v], low, width), static_cast<uint32_t>(v)};
        std::sort(order.data() + begin, order.data() + end);
    });
    std::inplace_merge(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(half), order.end());
    std::vector<uint32_t> indices(points.size());
    for (size_t i = 0; i < indices.size(); ++i) indices[i] = order[i].second;
    return indices;
}

}  // namespace sinew
