#include <sinew/rig/fit/biped.h>

#include <sinew/rig/beasts/extra_limbs.h>
#include <sinew/rig/body/limb_pairs.h>
#include <sinew/rig/fit/biped_parts.h>
#include <sinew/rig/fit/confidence.h>
#include <sinew/rig/priors/people.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Joints of the left and the right side that mirror each other this well are made to do so exactly. Share of the
// height; chosen: more than voxels and a slack pose make, less than a step.
constexpr double biped_mirror_tolerance = 0.03;

// Arms that hang beside the body, where none are seen.
void place_unseen_arms(const BipedTrunk& trunk, double H, Arms& arms) {
    for (size_t k = 0; k < 2; ++k) {
        const double side = k == 0 ? 1.0 : -1.0;
        const Vec3d at(side * people::unseen_shoulder_out * H, trunk.neck.y(), trunk.neck.z());
        arms.side[k].shoulder = at;
        arms.side[k].elbow = at + Vec3d(side * people::unseen_elbow_out * H, -people::unseen_elbow_down * H, 0.0);
        arms.side[k].wrist = at + Vec3d(side * people::unseen_hand_out * H, -people::unseen_wrist_down * H, 0.0);
        arms.side[k].tip = at + Vec3d(side * people::unseen_hand_out * H, -people::unseen_tip_down * H, 0.0);
    }
}

// The trunk with two arms and two legs.
Fit fit_two_armed(const Upright& upright) {
    Fit fit;
    Legs legs = find_legs(upright);
    if (!legs.found) {
        fit.warnings.push_back("no legs were found");
        return fit;
    }
    Arms arms = find_arms(upright, legs);
    raise_shoulders(upright, arms);
    const BipedTrunk trunk = find_trunk(upright, legs, arms);
    const Arms seen = arms;
    mend_shoulders(upright, legs, trunk, arms);
    const double H = upright.height;
    if (!arms.found) {
        fit.warnings.push_back("no arms were found; their joints are placed by proportion");
        place_unseen_arms(trunk, H, arms);
    }
    const Vec3d shoulders = 0.5 * (arms.side[0].shoulder + arms.side[1].shoulder);
    place_hips(upright, shoulders, legs);
    const double tolerance = biped_mirror_tolerance * H;
    Arm &al = arms.side[0], &ar = arms.side[1];
    Leg &ll = legs.side[0], &lr = legs.side[1];
    for (auto [l, r] : {std::pair(&al.shoulder, &ar.shoulder),
                        {&al.elbow, &ar.elbow},
                        {&al.wrist, &ar.wrist},
                        {&ll.hip, &lr.hip},
                        {&ll.knee, &lr.knee},
                        {&ll.ankle, &lr.ankle},
                        {&ll.ball, &lr.ball}})
        agree(*l, *r, tolerance);

    Vec3d pelvis = trunk.pelvis;
    pelvis.y() = 0.5 * (ll.hip.y() + lr.hip.y());
    const auto add = [&](Role role, int parent, const Vec3d& at) {
        return fit.add(std::string(to_string(role)), parent, at, 1.0, role);
    };
    const int hips = add(Role::hips, -1, pelvis);
    const int spine = add(Role::spine, hips, trunk.spine[0]);
    const int chest = add(Role::chest, spine, trunk.spine[1]);
    const int upper = add(Role::upper_chest, chest, trunk.spine[2]);
    const int neck = add(Role::neck, upper, trunk.neck);
    const int head = add(Role::head, neck, trunk.head);
    fit.joints[static_cast<size_t>(head)].tip = Vec3d(0.0, trunk.top.y(), trunk.head.z());
    for (size_t k = 0; k < 2; ++k) {
        const Arm& arm = arms.side[k];
        const auto sided = [&](Role left, Role right) { return k == 0 ? left : right; };
        const Vec3d collar =
            Vec3d(people::collar_out * arm.shoulder.x(), arm.shoulder.y() - people::collar_below_shoulder * H,
                  0.5 * (arm.shoulder.z() + trunk.neck.z()));
        const int clavicle = add(sided(Role::left_shoulder, Role::right_shoulder), upper, collar);
        const int shoulder = add(sided(Role::left_upper_arm, Role::right_upper_arm), clavicle, arm.shoulder);
        const int elbow = add(sided(Role::left_lower_arm, Role::right_lower_arm), shoulder, arm.elbow);
        const int hand = add(sided(Role::left_hand, Role::right_hand), elbow, arm.wrist);
        // What a hand holds is no finger: the hand is as long as the other one.
        const double held =
            std::max(0.0, arm.wrist_slice - std::min(arms.side[0].wrist_slice, arms.side[1].wrist_slice));
        fit.joints[static_cast<size_t>(hand)].tip = arms.found ? arm.limb.at(held) : arm.tip;
    }
    for (size_t k = 0; k < 2; ++k) {
        const Leg& leg = legs.side[k];
        const auto sided = [&](Role left, Role right) { return k == 0 ? left : right; };
        const int hip = add(sided(Role::left_upper_leg, Role::right_upper_leg), hips, leg.hip);
        const int knee = add(sided(Role::left_lower_leg, Role::right_lower_leg), hip, leg.knee);
        const int ankle = add(sided(Role::left_foot, Role::right_foot), knee, leg.ankle);
        const int toes = add(sided(Role::left_toes, Role::right_toes), ankle, leg.ball);
        fit.joints[static_cast<size_t>(toes)].tip = leg.toe;
    }
    rate_biped(upright, legs, seen, trunk, fit);
    return fit;
}

// A fit that is this sure has found the right arms. Of several pairs the longest, after these, are tried if they stick
// out this far, as a share of the longest side. Chosen: ears are shorter.
constexpr double sure_of_arms = 0.5, could_be_arms = 0.15;
// Of several pairs of arms the highest are a person's own, if they are not much shorter than the others.
constexpr double as_long_as_arms = 0.75;

// What fills more of the box around it than this is no body with limbs: it is not worth another look.
constexpr double fat = 0.3;

// The longest pair that was taken for neither legs nor arms.
std::optional<LimbPair> other_pair(const Upright& upright) {
    const double size = (upright.body.high - upright.body.low).maxCoeff();
    std::optional<LimbPair> best;
    double longest = could_be_arms * size;
    for (const LimbPair& pair : pair_limbs(upright.ends, {.normal = Vec3d::UnitX()}, size).pairs) {
        const double length = std::min(upright.end(pair.left).prominence, upright.end(pair.right).prominence);
        const bool known = pair.left == upright.legs[0] || pair.left == upright.legs[1] ||
                           pair.left == upright.arms[0] || pair.left == upright.arms[1];
        if (!known && length > longest) longest = length, best = pair;
    }
    return best;
}

Upright with_arms(const Upright& upright, int a, int b) {
    Upright other = upright;
    const bool left = upright.end(a).position.x() > 0.0;
    other.arms[0] = left ? a : b, other.arms[1] = left ? b : a;
    return other;
}

Fit with_extra_limbs(const Upright& upright, Fit fit) {
    add_extra_limbs(upright, find_extra_pairs(upright, fit), fit);
    return fit;
}

}  // namespace

Fit fit_biped(const Upright& upright) {
    Fit fit = fit_two_armed(upright);
    if (fit.joints.empty() || upright.arms[0] < 0) return fit;
    if (fit.confidence < sure_of_arms && upright.body.fills() < fat) {
        if (const auto pair = other_pair(upright)) {
            const Upright other = with_arms(upright, pair->left, pair->right);
            if (Fit better = fit_two_armed(other); better.confidence > fit.confidence)
                return with_extra_limbs(other, std::move(better));
        }
    }
    const std::vector<ExtraPair> extra = find_extra_pairs(upright, fit);
    if (extra.empty()) return fit;
    const int shoulder = fit.find("leftUpperArm");
    const ExtraPair& top = extra.front();
    if (!top.wings && top.root.y() > fit.joints[static_cast<size_t>(shoulder)].position.y() &&
        top.length > as_long_as_arms * upright.end(upright.arms[0]).prominence) {
        const Upright other = with_arms(upright, top.tips[0], top.tips[1]);
        if (Fit higher = fit_two_armed(other); higher.confidence > fit.confidence)
            return with_extra_limbs(other, std::move(higher));
    }
    add_extra_limbs(upright, extra, fit);
    return fit;
}

}  // namespace sinew
