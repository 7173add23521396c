#include <sinew/rig/fit/quadruped.h>

#include <sinew/rig/fit/confidence.h>
#include <sinew/rig/fit/quadruped_legs.h>
#include <sinew/rig/fit/tail.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// How high the back is, halfway between the legs.
double back_height(const Upright& upright, const LegPair& front, const LegPair& hind) {
    const VoxelBody& body = upright.body;
    const double z = 0.5 * (front.crotch.z() + hind.crotch.z());
    double top = 0.0;
    for (uint32_t v : body.voxels) {
        const Vec3d p = body.at(v);
        if (std::abs(p.x()) < 2.0 * body.grid.cell && std::abs(p.z() - z) < 1.5 * body.grid.cell)
            top = std::max(top, p.y());
    }
    return std::max(top, 1.2 * std::max(front.crotch.y(), hind.crotch.y()));
}

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
        if (area(k) < 0.9 * area(peak) && peak > 0.2 * neck) return 0.5 * (peak + std::min<double>(peak, 0.62 * neck));
    }
    return 0.6 * neck;
}

void add_head(const Upright& upright, int end, const Vec3d& withers, int neck, Fit& fit) {
    const double H = upright.height;
    if (end < 0) {
        // A round head has no tip; but it is what lies ahead of the withers.
        Vec3d sum = Vec3d::Zero();
        double count = 0.0;
        for (uint32_t v : upright.body.voxels)
            if (const Vec3d p = upright.body.at(v); p.z() > withers.z() + 0.08 * H && p.y() > withers.y())
                sum += p, count += 1.0;
        if (count > 0.02 * static_cast<double>(upright.body.voxels.size())) {
            const Vec3d middle = sum / count;
            fit.add("head", neck, withers + 0.8 * (Vec3d(0.0, middle.y(), middle.z()) - withers), 0.7);
            return;
        }
        fit.add("head", neck, withers + Vec3d(0.0, 0.15 * H, 0.2 * H), 0.3);
        fit.warnings.push_back("no head was found; it is placed by proportion");
        return;
    }
    TracedLimb limb = trace_limb(upright.body, upright.end(end).voxel, upright.middle(), 3.0 * H);
    smooth(limb, 1);
    Vec3d head = limb.at(find_head_slice(limb, limb.nearest(withers, 0.0, limb.size())));
    head.x() = 0.0;
    fit.add("head", neck, head);
}

void agree_legs(LegPair& pair, double tolerance) {
    AnimalLeg &l = pair.side[0], &r = pair.side[1];
    for (Vec3d AnimalLeg::*joint : {&AnimalLeg::upper, &AnimalLeg::lower, &AnimalLeg::foot, &AnimalLeg::toes})
        agree(l.*joint, r.*joint, tolerance);
}

}  // namespace

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
        if (limb || p.y() < 0.12 * upright.height) continue;
        const double off = std::abs(p.x()) / size;
        const double forward = (p.z() - middle.z()) / size - 2.0 * off,
                     backward = (middle.z() - p.z()) / size - 2.0 * off;
        if (forward > ahead + 1e-9) ahead = forward, ends.head = e;
        if (backward > behind + 1e-9 && off < 0.05) behind = backward, ends.tail = e;
    }
    return ends;
}

Fit fit_quadruped(const Upright& upright) {
    Fit fit;
    if (upright.legs[0] < 0 || upright.hind_legs[0] < 0) {
        fit.warnings.push_back("no two pairs of legs were found");
        return fit;
    }
    const double H = upright.height;
    LegPair front = trace_leg_pair(upright, upright.legs), hind = trace_leg_pair(upright, upright.hind_legs);
    const double back = back_height(upright, front, hind), on_paws = paws(front);
    place_front(upright, back, on_paws, front);
    place_hind(upright, back, on_paws, hind);
    agree_legs(front, 0.06 * H);
    agree_legs(hind, 0.06 * H);
    const auto middle = [](const LegPair& pair, Vec3d AnimalLeg::*joint) -> Vec3d {
        return 0.5 * (pair.side[0].*joint + pair.side[1].*joint);
    };
    const Vec3d hind_upper = middle(hind, &AnimalLeg::upper), front_upper = middle(front, &AnimalLeg::upper);
    const double C = front.crotch.y();
    const Vec3d hips(0.0, hind_upper.y() + 0.06 * H, hind_upper.z() + 0.045 * H);
    // The height of the withers is the mean of two rules: by where the legs meet, and by the height of the back.
    const Vec3d withers(0.0, 0.5 * (1.3 * C + 0.13 * H + C + 0.7 * (back - C)), front_upper.z() + 0.015 * H);
    const TrunkEnds ends = find_trunk_ends(upright);

    const int root = fit.add("hips", -1, hips);
    int chest = root;
    for (int k = 1; k <= 3; ++k) {
        constexpr const char* names[] = {"spine", "chest", "upperChest"};
        chest = fit.add(names[k - 1], chest, hips + 0.25 * k * (withers - hips));
    }
    add_head(upright, ends.head, withers, fit.add("neck", chest, withers), fit);
    for (size_t k = 0; k < 2; ++k) add_leg(fit, chest, k == 0 ? "left" : "right", "Front", front.side[k]);
    for (size_t k = 0; k < 2; ++k) add_leg(fit, root, k == 0 ? "left" : "right", "Hind", hind.side[k]);
    if (ends.tail >= 0) add_tail(upright, {.tip = ends.tail}, fit);
    rate_quadruped(upright, fit);
    return fit;
}

}  // namespace sinew
