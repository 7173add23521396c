// Cloth that lies on itself: once a step the vertices that may touch are found, in each small step they are kept apart.
#include <sinew/physics/cloth/cloth.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Two points approach each other by this share of how fast the fastest moves against the whole.
constexpr float approach_share = 0.5f;

}  // namespace

bool Cloth::joined(uint32_t a, uint32_t b) const {
    const auto [low, high] = std::minmax(a, b);
    for (uint32_t k = neighbour_first_[low]; k < neighbour_first_[low + 1]; ++k)
        if (neighbours_[k] == high) return true;
    return false;
}

void Cloth::find_self_pairs(float seconds) {
    pairs_.clear();
    Vec3 mean = Vec3::Zero();
    for (uint32_t i = 0; i < size(); ++i) mean += speed(i);
    mean /= static_cast<float>(size());
    float fastest = 0.0f;
    for (uint32_t i = 0; i < size(); ++i) fastest = std::max(fastest, (speed(i) - mean).squaredNorm());
    const float margin = std::min(approach_share * seconds * std::sqrt(fastest), self_distance_);
    const float reach = self_distance_ + margin;
    if (!(reach > 0.0f)) return;
    grid_.build(std::span<const Float4>(points_).first(size()), reach);
    grid_.pairs(reach, [&](uint32_t a, uint32_t b, float) {
        const float rest = (rest_[a] - rest_[b]).norm();
        if (rest <= longest_edge_ && joined(a, b)) return;         // an edge keeps them apart
        pairs_.push_back({a, b, std::min(self_distance_, rest)});  // they may be as near as they were made
    });
}

void Cloth::leave_self() {
    for (const Pair& pair : pairs_) {
        Float4 &a = points_[pair.a], &b = points_[pair.b];
        const float dx = a.x - b.x, dy = a.y - b.y, dz = a.z - b.z, squared = dx * dx + dy * dy + dz * dz;
        if (squared >= pair.distance * pair.distance) continue;
        const float weight = a.w + b.w;
        if (!(squared > 0.0f) || !(weight > 0.0f)) continue;
        const float length = std::sqrt(squared), s = (pair.distance - length) / (length * weight);
        a.x += s * a.w * dx, a.y += s * a.w * dy, a.z += s * a.w * dz;
        b.x -= s * b.w * dx, b.y -= s * b.w * dy, b.z -= s * b.w * dz;
        // Layers that touch rub: their speeds against each other go halfway to their mean.
        const Float4 &pa = previous_[pair.a], &pb = previous_[pair.b];
        const float share = options_.friction * 0.5f / weight;
        const float vx = (a.x - pa.x) - (b.x - pb.x), vy = (a.y - pa.y) - (b.y - pb.y),
                    vz = (a.z - pa.z) - (b.z - pb.z);
        a.x -= share * a.w * vx, a.y -= share * a.w * vy, a.z -= share * a.w * vz;
        b.x += share * b.w * vx, b.y += share * b.w * vy, b.z += share * b.w * vz;
    }
}

}  // namespace sinew
