#include <sinew/rig/fit/quadruped.h>

#include <sinew/rig/fit/confidence.h>
#include <sinew/rig/fit/quadruped_legs.h>
#include <sinew/rig/fit/tail.h>
#include <sinew/rig/priors/animals.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Joints that mirror the other side's this well, as a share of the height, are made to do so exactly.
constexpr double quadruped_mirror_tolerance = 0.06;
// A head is followed no farther than this, in heights: more than any neck with the trunk behind it is long.
constexpr double longest_limb = 3.0;
// What is off the mirror plane must reach farther ahead or back by this factor of it to be head or tail.
constexpr double off_plane_price = 2.0, a_tie = 1e-9;
// The confidence of a head that is round, and of one that is not seen.
constexpr double round_head = 0.7, unseen_head = 0.3;

int add_leg(Fit& fit, int parent, const std::string& side, const std::string& pair, const AnimalLeg& leg) {
    const int upper = fit.add(side + pair + "UpperLeg", parent, leg.upper);
    const int lower = fit.add(side + pair + "LowerLeg", upper, leg.lower);
    const int foot = fit.add(side + pair + "Foot", lower, leg.foot);
    return fit.add(side + pair + "Toes", foot, leg.toes);
}

// The head's joint: where the slices behind the nose are largest before they narrow to the neck, or by proportion.
double find_head_slice(const TracedLimb& limb, double neck) {
    const auto area = [&](int k) { return limb.area[static_cast<size_t>(std::clamp(k, 0, limb.size() - 1))]; };
    int peak = 0;
    for (int k = 1; k < neck; ++k) {
        if (area(k) > area(peak)) peak = k;
        if (area(k) < animals::neck_narrows * area(peak) && peak > animals::nose * neck)
            return 0.5 * (peak + std::min<double>(peak, animals::head_share_most * neck));
    }
    return animals::head_share * neck;
}

void agree_legs(LegPair& pair, double tolerance) {
    AnimalLeg &l = pair.side[0], &r = pair.side[1];
    for (Vec3d AnimalLeg::*joint : {&AnimalLeg::upper, &AnimalLeg::lower, &AnimalLeg::foot, &AnimalLeg::toes})
        agree(l.*joint, r.*joint, tolerance);
}

// Adds the joint "head" to `neck`, on the way from the nose (extremity `end`; −1: a round head) to the withers.
void add_animal_head(const Upright& upright, int end, const Vec3d& withers, int neck, Fit& fit) {
    const double H = upright.height;
    if (end < 0) {
        // A round head has no tip: take what lies ahead of the withers and above them.
        Vec3d sum = Vec3d::Zero();
        double count = 0.0;
        for (uint32_t v : upright.body.voxels)
            if (const Vec3d p = upright.body.at(v);
                p.z() > withers.z() + animals::round_head_ahead * H && p.y() > withers.y())
                sum += p, count += 1.0;
        if (count > animals::round_head_bulk * static_cast<double>(upright.body.voxels.size())) {
            const Vec3d middle = sum / count;
            fit.add("head", neck,
                    withers + animals::round_head_share.value * (Vec3d(0.0, middle.y(), middle.z()) - withers),
                    round_head);
            return;
        }
        fit.add("head", neck, withers + Vec3d(0.0, animals::unseen_head_up * H, animals::unseen_head_ahead * H),
                unseen_head);
        fit.warnings.push_back("no head was found; its joint is placed by proportion");
        return;
    }
    TracedLimb limb = trace_limb(upright.body, upright.end(end).voxel, upright.middle(), longest_limb * H);
    smooth(limb, 1);
    Vec3d head = limb.at(find_head_slice(limb, limb.nearest(withers, 0.0, limb.size())));
    head.x() = 0.0;
    fit.add("head", neck, head);
}

}  // namespace

AnimalTrunk add_animal_trunk(const Upright& upright, const Vec3d& hips, const Vec3d& withers, int nose, Fit& fit) {
    AnimalTrunk trunk{.hips = fit.add("hips", -1, hips)};
    trunk.chest = trunk.hips;
    for (int k = 1; k <= 3; ++k) {
        constexpr const char* names[] = {"spine", "chest", "upperChest"};
        trunk.chest = fit.add(names[k - 1], trunk.chest, hips + animals::spine_step.value * k * (withers - hips));
    }
    add_animal_head(upright, nose, withers, fit.add("neck", trunk.chest, withers), fit);
    return trunk;
}

TrunkEnds find_trunk_ends(const Upright& upright) {
    TrunkEnds ends;
    const Vec3d middle = upright.body.at(upright.middle());
    const double size = (upright.body.high - upright.body.low).maxCoeff();
    double ahead = 0.0, behind = 0.0;
    for (size_t i = 0; i < upright.ends.list.size(); ++i) {
        const int e = static_cast<int>(i);
        const Vec3d& p = upright.end(e).position;
        bool limb = false;
        for (const int* pair : {upright.legs, upright.arms, upright.hind_legs}) limb |= e == pair[0] || e == pair[1];
        if (limb || p.y() < animals::lowest_trunk_end * upright.height) continue;
        const double off = std::abs(p.x()) / size;
        const double forward = (p.z() - middle.z()) / size - off_plane_price * off,
                     backward = (middle.z() - p.z()) / size - off_plane_price * off;
        if (forward > ahead + a_tie) ahead = forward, ends.head = e;
        if (backward > behind + a_tie && off < animals::tail_off_middle) behind = backward, ends.tail = e;
    }
    return ends;
}

Fit fit_quadruped(const Upright& upright) {
    Fit fit;
    if (upright.legs[0] < 0 || upright.hind_legs[0] < 0) {
        fit.warnings.push_back("four legs were not found");
        return fit;
    }
    const double H = upright.height;
    LegPair front = trace_leg_pair(upright, upright.legs), hind = trace_leg_pair(upright, upright.hind_legs);
    const double back = back_height(upright, front, hind), on_paws = paws(front);
    place_front(upright, back, on_paws, front);
    place_hind(upright, back, on_paws, hind);
    agree_legs(front, quadruped_mirror_tolerance * H);
    agree_legs(hind, quadruped_mirror_tolerance * H);
    const auto middle = [](const LegPair& pair, Vec3d AnimalLeg::*joint) -> Vec3d {
        return 0.5 * (pair.side[0].*joint + pair.side[1].*joint);
    };
    const Vec3d hind_upper = middle(hind, &AnimalLeg::upper), front_upper = middle(front, &AnimalLeg::upper);
    const double C = front.crotch.y();
    const Vec3d hips(0.0, hind_upper.y() + animals::hips_above_legs * H,
                     hind_upper.z() + animals::hips_ahead_of_legs * H);
    // The height of the withers is the mean of two rules: by where the legs meet, and by the height of the back.
    const Vec3d withers(0.0,
                        0.5 * (animals::withers_by_legs * C + animals::withers_by_height * H + C +
                               animals::withers_by_back * (back - C)),
                        front_upper.z() + animals::withers_ahead * H);
    const TrunkEnds ends = find_trunk_ends(upright);

    const auto [root, chest] = add_animal_trunk(upright, hips, withers, ends.head, fit);
    for (size_t k = 0; k < 2; ++k) add_leg(fit, chest, k == 0 ? "left" : "right", "Front", front.side[k]);
    for (size_t k = 0; k < 2; ++k) add_leg(fit, root, k == 0 ? "left" : "right", "Hind", hind.side[k]);
    if (ends.tail >= 0) add_tail(upright, {.tip = ends.tail}, fit);
    rate_quadruped(upright, fit);
    return fit;
}

}  // namespace sinew
