#include <sinew/rig/quadruped.h>

#include <sinew/rig/confidence.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

struct AnimalLeg {
    Vec3d upper, lower, foot, toes;
    TracedLimb limb;
};

struct LegPair {
    AnimalLeg side[2];
    Vec3d crotch;
};

LegPair trace_pair(const Upright& upright, const int (&tips)[2]) {
    LegPair pair;
    for (size_t k = 0; k < 2; ++k) {
        pair.side[k].limb =
            trace_limb(upright.body, upright.end(tips[k]).voxel, upright.middle(), 1.6 * upright.height);
        smooth(pair.side[k].limb, 1);
    }
    pair.crotch = find_crotch(upright.body, pair.side[0].limb, upright.end(tips[1]).voxel);
    return pair;
}

// The joints inside the trunk cannot be seen: the leg's line is continued upwards.
Vec3d above_leg(const AnimalLeg& leg, double y, double crotch) {
    Vec3d at = leg.limb.at(leg.limb.at_height(0.9 * crotch));
    at.y() = y;
    return at;
}

// A foot stands under its leg, wherever the tip was that the leg was followed from.
Vec3d under_leg(const AnimalLeg& leg, double y, double C, double H) {
    Vec3d at = leg.limb.at(leg.limb.at_height(y));
    const Vec3d shin = leg.limb.at(leg.limb.at_height(0.35 * C));
    const Vec3d slack = Vec3d::Constant(0.025 * H);
    const Vec3d held = at.cwiseMax(shin - slack).cwiseMin(shin + slack);
    return {held.x(), at.y(), held.z()};
}

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

void place_front(const Upright& upright, LegPair& pair, double back) {
    const double C = pair.crotch.y();
    for (AnimalLeg& leg : pair.side) {
        leg.upper = above_leg(leg, 0.5 * (1.3 * C + C + 0.3 * (back - C)), C) + Vec3d(0.0, 0.0, 0.035 * upright.height);
        leg.lower = leg.limb.at(leg.limb.at_height(0.72 * C));
        leg.foot = under_leg(leg, 0.2 * C, C, upright.height);
        leg.toes = leg.limb.at(0.45 * leg.limb.at_height(0.2 * C));
    }
}

void place_hind(const Upright& upright, LegPair& pair, double back_y) {
    const double C = pair.crotch.y(), H = upright.height;
    for (AnimalLeg& leg : pair.side) {
        leg.upper = above_leg(leg, 0.5 * (1.34 * C + C + 0.43 * (back_y - C)), C) - Vec3d(0.0, 0.0, 0.01 * H);
        leg.lower = above_leg(leg, 0.96 * C, C) + Vec3d(0.0, 0.0, 0.045 * H);
        // The hock is where the leg is farthest back.
        const double low = leg.limb.at_height(0.36 * C), high = leg.limb.at_height(0.62 * C);
        double hock = 0.5 * (low + high), back = INFINITY;
        for (double k = low; k <= high; k += 0.5) {
            const double z = leg.limb.at(k).z() + 0.1 * std::abs(leg.limb.at(k).y() - 0.5 * C);
            if (z < back) back = z, hock = k;
        }
        leg.foot = leg.limb.at(0.5 * (hock + 0.5 * (low + high))) - Vec3d(0.0, 0.0, 0.01 * H);
        leg.toes = under_leg(leg, 0.11 * C, C, H);
    }
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
    // Heights inside the trunk are the mean of two rules: by where the legs meet, and by the height of the back.
    LegPair front = trace_pair(upright, upright.legs), hind = trace_pair(upright, upright.hind_legs);
    const double back = back_height(upright, front, hind);
    place_front(upright, front, back);
    place_hind(upright, hind, back);
    for (LegPair* pair : {&front, &hind}) {
        AnimalLeg &l = pair->side[0], &r = pair->side[1];
        for (Vec3d AnimalLeg::*joint : {&AnimalLeg::upper, &AnimalLeg::lower, &AnimalLeg::foot, &AnimalLeg::toes})
            agree(l.*joint, r.*joint, 0.06 * H);
    }
    const double hind_z = 0.5 * (hind.side[0].upper.z() + hind.side[1].upper.z()),
                 front_z = 0.5 * (front.side[0].upper.z() + front.side[1].upper.z());
    const double hind_c = hind.crotch.y(), front_c = front.crotch.y();
    const Vec3d hips(0.0, 0.5 * (1.34 * hind_c + 0.04 * H + hind_c + 0.6 * (back - hind_c)), hind_z + 0.035 * H);
    const Vec3d withers(0.0, 0.5 * (1.3 * front_c + 0.13 * H + front_c + 0.7 * (back - front_c)), front_z + 0.01 * H);
    const TrunkEnds ends = find_trunk_ends(upright);

    const int root = fit.add("hips", -1, hips);
    int parent = root;
    for (int k = 1; k <= 3; ++k) {
        constexpr const char* names[] = {"spine", "chest", "upperChest"};
        parent = fit.add(names[k - 1], parent, hips + 0.25 * k * (withers - hips));
    }
    const int chest = parent;
    const int neck = fit.add("neck", chest, withers);
    if (ends.head >= 0) {
        TracedLimb limb = trace_limb(upright.body, upright.end(ends.head).voxel, upright.middle(), 3.0 * H);
        smooth(limb, 1);
        Vec3d head = limb.at(find_head_slice(limb, limb.nearest(withers, 0.0, limb.size())));
        head.x() = 0.0;
        fit.add("head", neck, head);
    } else {
        fit.add("head", neck, withers + Vec3d(0.0, 0.15 * H, 0.2 * H), 0.3);
        fit.warnings.push_back("no head was found; it is placed by proportion");
    }
    for (size_t k = 0; k < 2; ++k) add_leg(fit, chest, k == 0 ? "left" : "right", "Front", front.side[k]);
    for (size_t k = 0; k < 2; ++k) add_leg(fit, root, k == 0 ? "left" : "right", "Hind", hind.side[k]);
    if (ends.tail >= 0) {
        TracedLimb limb = trace_limb(upright.body, upright.end(ends.tail).voxel, upright.middle(), 3.0 * H);
        smooth(limb, 1);
        // From the hips outwards: the tail begins where the trunk has become half as thick.
        double root_slice = limb.nearest(hips, 0.0, limb.size());
        const double trunk = limb.area[static_cast<size_t>(root_slice)];
        while (root_slice > 1.0 && (limb.area[static_cast<size_t>(root_slice)] > 0.5 * trunk ||
                                    limb.at(root_slice).z() > hips.z() - 0.04 * H))
            root_slice -= 0.5;
        const double length = root_slice * limb.cell;
        if (length > 0.08 * H)
            add_chain(fit, root, "tail", limb, root_slice, std::clamp(static_cast<int>(length / (0.18 * H)) + 1, 2, 6));
    }
    rate_quadruped(upright, fit);
    return fit;
}

}  // namespace sinew
