#include <sinew/motion/touch/raise_props.h>

#include <sinew/motion/rotation_vector.h>
#include <sinew/motion/touch/active_frames.h>
#include <sinew/motion/touch/smooth_curve.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double most_wrist_turn = 1.2;  // radians: a wrist bends by some 70 degrees
constexpr double lowest_wrist = 0.05;    // metres of a usual person: arms are kept so far above the floor
constexpr double raising_time = 0.4;     // seconds in which a hand begins to turn, and comes back
constexpr int most_raising_rounds = 12, free_raising_rounds = 4;
constexpr double near_ground_of_prop = 0.15;  // metres likewise: a point that may come to the floor in a step
constexpr double prop_weight = 1e5;           // of a point below the floor, against a turn's own, 1
constexpr double longest_raising = 0.3, raised_turn = 2e-3;  // radians in one step; less does not show

double wrist_height(const BodyMotion& body, const ArmPath& arm, size_t frame) {
    return std::max(lowest_wrist * body.size, arm.base[frame].wrist.dot(body.up) - body.floor);
}

std::vector<bool> frames_below(const BodyMotion& body, const ArmPath& arm) {
    std::vector<bool> below(arm.base.size(), false);
    for (size_t f = 0; f < below.size(); ++f) {
        const double height = wrist_height(body, arm, f);
        if (height >= body.shape.held_reach[arm.side]) continue;
        const Vec3d up_in_hand = arm.hand[f].conjugate() * body.up;
        below[f] = std::ranges::any_of(body.shape.held[arm.side],
                                       [&](const Vec3d& point) { return height + point.dot(up_in_hand) < 0; });
    }
    return below;
}

// The rotation vectors of the hand in the frames [first, end).
void raise_in_run(const BodyMotion& body, double fps, size_t first, size_t end, ArmPath& arm) {
    SmoothCurve curve(end - first, {.spread = 0.5 * raising_time * fps,
                                    .open_start = first == 0,
                                    .open_end = end == arm.base.size(),
                                    .longest_step = longest_raising});
    for (int round = 0; round < most_raising_rounds; ++round) {
        for (size_t f = first; f < end; ++f) {
            const Vec3d turn = curve.at(f - first);
            const Mat3d hand = (from_rotation_vector(turn) * arm.hand[f]).toRotationMatrix();
            const double wrist = wrist_height(body, arm, f);
            for (const Vec3d& point : body.shape.held[arm.side]) {
                const Vec3d reach = hand * point;
                const double height = (wrist + reach.dot(body.up)) / body.size;
                if (height >= near_ground_of_prop) continue;
                const Vec3d row = reach.cross(body.up) / body.size;  // (turn × reach) · up
                curve.add_bound(f - first, row, row.dot(turn) - height, prop_weight);
            }
        }
        const double damping = round < free_raising_rounds ? 0.0 : std::pow(2.0, round - free_raising_rounds);
        if (curve.step(damping) < raised_turn) break;
    }
    for (size_t f = first; f < end; ++f) {
        Vec3d turn = curve.at(f - first);
        if (turn.norm() > most_wrist_turn) turn *= most_wrist_turn / turn.norm();
        arm.hand[f] = (from_rotation_vector(turn) * arm.hand[f]).normalized();
    }
}

}  // namespace

void raise_props(const BodyMotion& body, double fps, std::array<ArmPath, 2>& arms) {
    for (ArmPath& arm : arms) {
        if (body.shape.held[arm.side].empty() || arm.base.empty()) continue;
        const auto margin = static_cast<size_t>(std::ceil(raising_time * fps)) + 2;
        for (const auto& [first, end] : active_runs(frames_below(body, arm), margin))
            raise_in_run(body, fps, first, end, arm);
    }
}

}  // namespace sinew
