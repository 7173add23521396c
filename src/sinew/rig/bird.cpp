#include <sinew/rig/bird.h>

#include <sinew/rig/confidence.h>
#include <sinew/rig/quadruped.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

TracedLimb follow(const Upright& upright, int end) {
    TracedLimb limb =
        trace_limb(upright.body, upright.end(end).voxel, upright.middle(), 1.2 * upright.end(end).distance);
    smooth(limb, 1);
    return limb;
}

}  // namespace

Fit fit_bird(const Upright& upright) {
    Fit fit;
    if (upright.legs[0] < 0 || upright.arms[0] < 0) {
        fit.warnings.push_back("no pair of legs and pair of wings were found");
        return fit;
    }
    const double H = upright.height;
    TracedLimb wing[2] = {follow(upright, upright.arms[0]), follow(upright, upright.arms[1])};
    TracedLimb leg[2] = {follow(upright, upright.legs[0]), follow(upright, upright.legs[1])};
    // A wing is broad at its root, so its slices grow slowly: it ends where the trunk's width begins.
    double root[2];
    for (size_t k = 0; k < 2; ++k) {
        root[k] = find_root_slice(wing[k], 0.5 * wing[k].size() * wing[k].cell);
        while (root[k] < wing[k].size() - 1.0 &&
               std::abs(wing[k].at(root[k]).x()) > 0.12 * std::abs(upright.end(upright.arms[k]).position.x()))
            root[k] += 1.0;
    }
    // The bones run along the front of the wing.
    const auto wing_at = [&](size_t k, double slice) {
        const auto i = static_cast<size_t>(std::clamp(slice, 0.0, wing[k].size() - 1.0));
        return Vec3d(wing[k].at(slice) + Vec3d(0.0, 0.0, 0.35 * std::min(wing[k].reach[i], 0.4 * H)));
    };
    Vec3d shoulder[2] = {wing_at(0, root[0]), wing_at(1, root[1])};
    agree(shoulder[0], shoulder[1], 0.2 * H);
    const Vec3d chest(0.0, 0.5 * (shoulder[0].y() + shoulder[1].y()), 0.5 * (shoulder[0].z() + shoulder[1].z()));

    const Vec3d crotch = find_crotch(upright.body, leg[0], upright.end(upright.legs[1]).voxel);
    const Vec3d seat(0.0, std::max(crotch.y(), 0.6 * chest.y()), crotch.z());
    const Cut cut = cut_level(upright.body, seat.y(), seat, 0.5 * H);
    const Vec3d hips(0.0, seat.y(), cut.found ? std::min(seat.z(), chest.z() - 0.1 * H) : seat.z());
    const TrunkEnds ends = find_trunk_ends(upright);

    const int pelvis = fit.add("hips", -1, hips);
    const int spine = fit.add("spine", pelvis, hips + 0.5 * (chest - hips));
    const int torso = fit.add("chest", spine, chest);
    if (ends.head >= 0) {
        const TracedLimb limb = follow(upright, ends.head);
        const double base = limb.nearest(chest, 0.0, limb.size());
        Vec3d neck = limb.at(0.75 * base), head = limb.at(0.4 * base);
        neck.x() = head.x() = 0.0;
        fit.add("head", fit.add("neck", torso, neck), head);
    } else {
        fit.add("head", fit.add("neck", torso, chest + Vec3d(0, 0.1, 0.15) * H, 0.3), chest + Vec3d(0, 0.2, 0.3) * H,
                0.3);
        fit.warnings.push_back("no head was found; it is placed by proportion");
    }
    for (size_t k = 0; k < 2; ++k) {
        const std::string side = k == 0 ? "left" : "right";
        int parent = fit.add(side + "UpperWing", torso, shoulder[k]);
        parent = fit.add(side + "LowerWing", parent, wing_at(k, 0.7 * root[k]));
        parent = fit.add(side + "WingHand", parent, wing_at(k, 0.4 * root[k]));
        fit.add(side + "WingTip", parent, wing_at(k, 0.12 * root[k]));
    }
    for (size_t k = 0; k < 2; ++k) {
        const std::string side = k == 0 ? "left" : "right";
        const double C = std::max(crotch.y(), 0.2 * H);
        const TracedLimb& l = leg[k];
        Vec3d hip = l.at(l.at_height(C));
        hip.x() *= 0.7;
        hip.y() = C + 0.5 * std::max(hips.y() - C, 0.1 * H);
        int parent = fit.add(side + "UpperLeg", pelvis, hip);
        parent = fit.add(side + "LowerLeg", parent, l.at(l.at_height(0.97 * C)));
        parent = fit.add(side + "Foot", parent, l.at(l.at_height(0.55 * C)));
        fit.add(side + "Toes", parent, l.at(l.at_height(0.1 * C)));
    }
    if (ends.tail >= 0) {
        const TracedLimb limb = follow(upright, ends.tail);
        const double base = limb.nearest(hips, 0.0, limb.size());
        if (base * limb.cell > 0.1 * H) add_chain(fit, pelvis, "tail", limb, 0.75 * base, 3);
    }
    rate_bird(upright, fit);
    return fit;
}

}  // namespace sinew
