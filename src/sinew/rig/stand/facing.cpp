#include <sinew/rig/stand/facing.h>

#include <sinew/math/interpolate.h>
#include <sinew/rig/priors/stances.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Heights above the lowest point of a foot, as shares of the body's: the sole, and the shin above the ankle. Chosen on
// rigged people and animals: hooves and boots end below, calves begin above.
constexpr double sole_height = 0.03, shin_from = 0.07, shin_to = 0.13;
// Soles that lie this far ahead of their shins, as a share of the height, are clear: of people they lie 0.03 to 0.05
// ahead, of animals 0.025 to 0.07.
constexpr double clear_soles = 0.03;
// The length of a sole over the depth of its shin; hooves are as long as the shin is deep, spikes half of that.
constexpr double spike = 0.6, sole_length = 0.9;
// A level of a foot is seen in two voxels at least.
constexpr double least_levels = 2.0;
// The body around a face: this far below and above it, as a share of the height; chosen: half of a person's head.
constexpr double face_level = 0.06;
// A face is clear when it is this far from the middle to the front; eyes of people are 0.7, those of animals with eyes
// on the side of the head less.
constexpr double clear_face = 0.5;

// How far something reaches along a direction.
struct Reach {
    double low = INFINITY, high = -INFINITY;

    void add(double at) { low = std::min(low, at), high = std::max(high, at); }
    bool any() const { return low <= high; }
    double middle() const { return 0.5 * (low + high); }
    double half() const { return 0.5 * (high - low); }
};

struct FootPoint {
    double height, ahead;
};

// The points of each leg near the ground: every voxel goes to the nearest tip on its side.
std::vector<std::vector<FootPoint>> find_feet(const MirroredBody& seen, const Stance& stance,
                                              std::span<const int> tips) {
    std::vector<std::vector<FootPoint>> feet(tips.size());
    const double reach = (stances::ground_reach + shin_to) * stance.height;
    for (uint32_t v : seen.body.voxels) {
        const Vec3d p = seen.body.at(v);
        const double height = stance.up.dot(p) - stance.ground;
        if (height > reach) continue;
        size_t nearest = tips.size();
        double least = INFINITY;
        for (size_t k = 0; k < tips.size(); ++k) {
            const Vec3d off = p - seen.end(tips[k]).position;
            const bool other_side = seen.plane.side(p) * seen.plane.side(seen.end(tips[k]).position) < 0.0;
            const double away = (off - stance.up.dot(off) * stance.up).squaredNorm();
            if (!other_side && away < least) least = away, nearest = k;
        }
        if (nearest < tips.size()) feet[nearest].push_back({height, stance.forward.dot(p)});
    }
    return feet;
}

}  // namespace

double soles_forward(const MirroredBody& seen, const Stance& stance, std::span<const LimbPair> legs) {
    std::vector<int> tips;
    for (const LimbPair& pair : legs) tips.insert(tips.end(), {pair.left, pair.right});
    const double thick = std::max(sole_height * stance.height, least_levels * seen.body.grid.cell);
    double sum = 0.0, feet_seen = 0.0;
    for (const std::vector<FootPoint>& foot : find_feet(seen, stance, tips)) {
        double low = INFINITY;
        for (const FootPoint& p : foot) low = std::min(low, p.height);
        Reach sole, shin;
        for (const FootPoint& p : foot) {
            const double above = p.height - low;
            if (above <= thick) sole.add(p.ahead);
            if (above >= shin_from * stance.height && above <= shin_to * stance.height) shin.add(p.ahead);
        }
        if (!sole.any() || !shin.any()) continue;
        // A leg that ends in a spike leans, and has no sole: it is thinner there than above.
        const double is_sole = smoothstep((sole.half() / std::max(shin.half(), 1e-9) - spike) / (sole_length - spike));
        sum += is_sole * std::clamp((sole.middle() - shin.middle()) / (clear_soles * stance.height), -1.0, 1.0);
        feet_seen += 1.0;
    }
    return feet_seen > 0.0 ? sum / feet_seen : 0.0;
}

double face_forward(const VoxelBody& body, const Stance& stance, std::span<const Vec3d> face) {
    if (face.empty()) return 0.0;
    Vec3d middle = Vec3d::Zero();
    for (const Vec3d& p : face) middle += p / static_cast<double>(face.size());
    Reach around;
    for (uint32_t v : body.voxels) {
        const Vec3d off = body.at(v) - middle;
        if (std::abs(stance.up.dot(off)) <= face_level * stance.height) around.add(stance.forward.dot(off));
    }
    if (!around.any()) return 0.0;
    return std::clamp(-around.middle() / (clear_face * std::max(around.half(), body.grid.cell)), -1.0, 1.0);
}

}  // namespace sinew
