#include <sinew/physics/cloth/surface_distance.h>

#include <algorithm>
#include <cmath>
#include <queue>

namespace sinew {
namespace {

// The distance at c when a and b have theirs: the source, unfolded into the plane on the other side of a b, or along an
// edge where the straight way would leave the triangle.
double unfolded(const Vec3d& a, const Vec3d& b, const Vec3d& c, double da, double db) {
    const double ca = (c - a).norm(), cb = (c - b).norm(), along_edge = std::min(da + ca, db + cb);
    const Vec3d e = b - a;
    const double length = e.norm();
    if (!(length > 0.0)) return along_edge;
    const double sx = (da * da - db * db + length * length) / (2.0 * length), s2 = da * da - sx * sx;
    if (s2 < 0.0) return along_edge;
    const double sy = -std::sqrt(s2), cx = (c - a).dot(e) / length, cy2 = ca * ca - cx * cx,
                 cy = std::sqrt(std::max(cy2, 0.0));
    const double crossing = cy - sy > 0.0 ? sx + (cx - sx) * (-sy) / (cy - sy) : -1.0;
    if (crossing < 0.0 || crossing > length) return along_edge;
    return std::min(along_edge, std::hypot(cx - sx, cy - sy));
}

}  // namespace

SurfaceDistance::SurfaceDistance(std::span<const Vec3> positions, std::span<const uint32_t> triangles)
    : positions_(positions), triangles_(triangles), first_(positions.size() + 1, 0), at_(triangles.size()) {
    for (const uint32_t v : triangles) ++first_[v + 1];
    for (size_t i = 0; i < positions.size(); ++i) first_[i + 1] += first_[i];
    std::vector<uint32_t> next(first_.begin(), first_.end() - 1);
    for (size_t k = 0; k < triangles.size(); ++k) at_[next[triangles[k]]++] = static_cast<uint32_t>(k / 3);
}

void SurfaceDistance::from(std::span<const uint32_t> sources, std::vector<float>& distance) const {
    distance.assign(positions_.size(), INFINITY);
    using Entry = std::pair<float, uint32_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    for (const uint32_t s : sources) distance[s] = 0.0f, open.push({0.0f, s});
    std::vector<uint8_t> done(positions_.size(), 0);
    const auto at = [this](uint32_t v) { return Vec3d(positions_[v].cast<double>()); };
    while (!open.empty()) {
        const uint32_t v = open.top().second;
        open.pop();
        if (done[v]) continue;
        done[v] = 1;
        for (uint32_t k = first_[v]; k < first_[v + 1]; ++k) {
            const uint32_t* t = &triangles_[3 * at_[k]];
            for (int i = 0; i < 3; ++i) {
                const uint32_t c = t[i], a = t[(i + 1) % 3], b = t[(i + 2) % 3];
                if (done[c] || (a != v && b != v)) continue;
                const uint32_t other = a == v ? b : a;
                const double straight = distance[v] + (at(c) - at(v)).norm();
                const double found = done[other] ? unfolded(at(a), at(b), at(c), distance[a], distance[b]) : straight;
                if (const auto best = static_cast<float>(std::min(straight, found)); best < distance[c])
                    distance[c] = best, open.push({best, c});
            }
        }
    }
}

}  // namespace sinew
