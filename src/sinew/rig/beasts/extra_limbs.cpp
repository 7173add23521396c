#include <sinew/rig/beasts/extra_limbs.h>

#include <sinew/rig/beasts/dragon.h>
#include <sinew/rig/body/limb_pairs.h>
#include <sinew/rig/priors/people.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// All of these are chosen by us. An extra limb sticks out by at least this share of the arm's length.
constexpr double least_of_arm = 0.5;
// It grows between these heights: shares of the way from the hips to the neck; coat tails hang lower, hair higher.
constexpr double waist = 0.15, shoulders = 1.05;
// Where a limb begins: this share of the way from its tip to its root farther in.
constexpr double into_trunk = 0.3;
// And no farther to the side than this, in distances of the shoulders: fingers of spread hands do.
constexpr double farthest_out = 3.0;
// Wings begin this far behind the spine, as a share of the height.
constexpr double behind_spine = 0.04;
// Slices nearer to the tip than this share of the height are no arm yet; the trunk begins behind this share of the
// limb.
constexpr double extra_tip = 0.02, outer_part = 0.5;
// Joints that mirror the other side's this well, as a share of the height, are made to do so exactly.
constexpr double extra_mirror_tolerance = 0.05;

const Vec3d& at(const Fit& fit, std::string_view name) {
    return fit.joints[static_cast<size_t>(fit.find(name))].position;
}

double arm_length(const Fit& fit) {
    const FitJoint& hand = fit.joints[static_cast<size_t>(fit.find("leftHand"))];
    return (at(fit, "leftUpperArm") - at(fit, "leftLowerArm")).norm() +
           (at(fit, "leftLowerArm") - hand.position).norm() + (hand.tip ? (*hand.tip - hand.position).norm() : 0.0);
}

bool is_known(const Upright& upright, int end) {
    for (const int* pair : {upright.legs, upright.arms, upright.hind_legs})
        if (end == pair[0] || end == pair[1]) return true;
    return false;
}

struct ExtraArm {
    Vec3d shoulder, elbow, wrist, tip;
};

ExtraArm trace_extra_arm(const Upright& upright, int end) {
    const Extremity& tip = upright.end(end);
    TracedLimb limb = trace_limb(upright.body, tip.voxel, upright.middle(), tip.distance);
    smooth(limb, 1);
    const double root = find_root_slice(limb, outer_part * tip.prominence, extra_tip * upright.height);
    return {limb.at(root), limb.at(people::elbow_share * root), limb.at(people::wrist_share * root), tip.position};
}

// The highest joint of the spine that is not above a place.
int spine_at(const Fit& fit, double height) {
    int best = fit.find("spine");
    for (const char* name : {"chest", "upperChest"})
        if (at(fit, name).y() <= height) best = fit.find(name);
    return best;
}

}  // namespace

std::vector<ExtraPair> find_extra_pairs(const Upright& upright, const Fit& biped) {
    std::vector<ExtraPair> extra;
    if (upright.arms[0] < 0 || biped.find("leftHand") < 0) return extra;
    const double size = (upright.body.high - upright.body.low).maxCoeff(), arm = arm_length(biped);
    const Vec3d hips = at(biped, "hips"), neck = at(biped, "neck");
    for (const LimbPair& pair : pair_limbs(upright.ends, {.normal = Vec3d::UnitX()}, size).pairs) {
        if (is_known(upright, pair.left) || is_known(upright, pair.right)) continue;
        const Extremity &l = upright.end(pair.left), &r = upright.end(pair.right);
        // The root of an extremity is a little outside the trunk.
        const auto begins = [](const Extremity& e) -> Vec3d { return e.root + into_trunk * (e.root - e.position); };
        const Vec3d root = 0.5 * (begins(l) + mirrored(begins(r)));
        const double length = std::min(l.prominence, r.prominence),
                     share = (root.y() - hips.y()) / std::max(neck.y() - hips.y(), upright.body.grid.cell);
        if (length < least_of_arm * arm || share < waist || share > shoulders ||
            std::abs(root.x()) > farthest_out * std::abs(at(biped, "leftUpperArm").x()))
            continue;
        ExtraPair found{.root = root, .length = length};
        found.tips[l.position.x() > 0.0 ? 0 : 1] = pair.left;
        found.tips[l.position.x() > 0.0 ? 1 : 0] = pair.right;
        found.wings = neck.z() - root.z() > behind_spine * upright.height;
        extra.push_back(found);
    }
    std::stable_sort(extra.begin(), extra.end(),
                     [](const ExtraPair& a, const ExtraPair& b) { return a.root.y() > b.root.y(); });
    return extra;
}

void add_extra_limbs(const Upright& upright, const std::vector<ExtraPair>& pairs, Fit& fit) {
    int arms = 0;
    for (const ExtraPair& pair : pairs) {
        const int parent = spine_at(fit, pair.root.y());
        if (pair.wings && fit.find("leftUpperWing") < 0) {
            add_wings(upright, {.tips = {pair.tips[0], pair.tips[1]}, .parent = parent, .trunk = pair.root.x()}, fit);
            continue;
        }
        const std::string extra = ++arms == 1 ? "Extra" : "Extra" + std::to_string(arms);
        ExtraArm side[2] = {trace_extra_arm(upright, pair.tips[0]), trace_extra_arm(upright, pair.tips[1])};
        for (Vec3d ExtraArm::*joint : {&ExtraArm::shoulder, &ExtraArm::elbow, &ExtraArm::wrist})
            agree(side[0].*joint, side[1].*joint, extra_mirror_tolerance * upright.height);
        for (size_t k = 0; k < 2; ++k) {
            const std::string name = (k == 0 ? "left" : "right") + extra;
            const int upper = fit.add(name + "UpperArm", parent, side[k].shoulder);
            const int hand = fit.add(name + "Hand", fit.add(name + "LowerArm", upper, side[k].elbow), side[k].wrist);
            fit.joints[static_cast<size_t>(hand)].tip = side[k].tip;
        }
    }
}

}  // namespace sinew
