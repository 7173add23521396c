// Cloth that lies on itself: once a step the vertices that may touch are found, in each small step they are kept apart.
#include <sinew/physics/cloth/cloth.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// How far two points may come towards each other between two searches, in distances kept between layers. A search
// costs as much as some small steps; one that comes too late lets layers through each other.
constexpr float most_approach = 0.5f;
constexpr int most_searches = 8;  // in a step

// What is farther apart at rest than so many edges is another layer where it comes near.
constexpr float joined_edges = 3.0f;

}  // namespace

bool Cloth::joined(uint32_t a, uint32_t b) const {
    const auto [low, high] = std::minmax(a, b);
    for (uint32_t k = neighbour_first_[low]; k < neighbour_first_[low + 1]; ++k)
        if (neighbours_[k] == high) return true;
    return false;
}

float Cloth::fastest_against_mean() const {
    Vec3 mean = Vec3::Zero();
    for (uint32_t i = 0; i < size(); ++i) mean += speed(i);
    mean /= static_cast<float>(size());
    float fastest = 0.0f;
    for (uint32_t i = 0; i < size(); ++i) fastest = std::max(fastest, (speed(i) - mean).squaredNorm());
    return std::sqrt(fastest);
}

// After how many small steps points that are apart now may touch.
int Cloth::steps_per_search(float seconds) const {
    const float room = most_approach * self_distance_, way = seconds * fastest_against_mean();
    const int searches =
        way < room * most_searches ? static_cast<int>(std::ceil(std::max(way / room, 1.0f))) : most_searches;
    const int n = std::max(options_.substeps, 1);
    return (n + searches - 1) / searches;
}

void Cloth::search_self(float seconds) {
    find_self_pairs(std::min(seconds * fastest_against_mean(), self_distance_));
    untangle(seconds);
}

void Cloth::find_self_pairs(float margin) {
    pairs_.clear(), layers_.clear();
    const float reach = self_distance_ + margin;
    if (!(reach > 0.0f)) return;
    grid_.build(std::span<const Float4>(points_).first(size()), reach);
    grid_.pairs(reach, [&](uint32_t a, uint32_t b, float) {
        const float rest = (rest_[a] - rest_[b]).norm();
        if (rest <= longest_edge_ && joined(a, b)) return;         // an edge keeps them apart
        pairs_.push_back({a, b, std::min(self_distance_, rest)});  // they may be as near as they were made
        if (rest > joined_edges * longest_edge_) layers_.push_back(pairs_.back());
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
