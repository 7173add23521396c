#include <sinew/mesh/geodesic.h>
#include <sinew/rig/fit/biped_parts.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// The top of the head: the highest extremity near the plane, or the highest voxel there is.
uint32_t find_top(const Upright& upright, double above) {
    int best = -1;
    for (size_t i = 0; i < upright.ends.list.size(); ++i) {
        const int e = static_cast<int>(i);
        const Vec3d& p = upright.end(e).position;
        if (e == upright.arms[0] || e == upright.arms[1] || p.y() < above || std::abs(p.x()) > 0.12 * upright.height)
            continue;
        if (best < 0 || p.y() > upright.end(best).position.y()) best = e;
    }
    if (best >= 0) return upright.end(best).voxel;
    uint32_t top = upright.body.voxels.front();
    double highest = -INFINITY;
    for (uint32_t v : upright.body.voxels) {
        const Vec3d p = upright.body.at(v);
        const double worth = p.y() - std::abs(p.x());
        if (worth > highest) highest = worth, top = v;
    }
    return top;
}

// The narrowest cut between shoulders and head, followed upwards along the middle of the cuts. Of a neck that is as
// narrow for a while, the middle. No higher than `most` above the shoulders: hats and hair are narrow, too.
Vec3d find_narrow(const Upright& upright, const Vec3d& shoulders, const Vec3d& top, double most, double& contrast) {
    const VoxelBody& body = upright.body;
    const double from = shoulders.y(), to = top.y() - 0.2 * (top.y() - from);
    std::vector<Cut> cuts;
    Vec3d near = shoulders;
    for (double y = from; y <= to; y += body.grid.cell) {
        near.y() = y;
        const Cut cut = cut_level(body, y, near, 0.3 * upright.height);
        if (!cut.found) continue;
        cuts.push_back(cut);
        near = cut.centre;
    }
    contrast = 0.0;
    if (cuts.empty()) return shoulders + 0.3 * (top - shoulders);
    size_t least = 0;
    for (size_t k = 0; k < cuts.size() && static_cast<double>(k) * body.grid.cell <= most; ++k)
        if (cuts[k].area < cuts[least].area) least = k;
    double above = 0.0;
    for (size_t k = least; k < cuts.size(); ++k) above = std::max(above, cuts[k].area);
    contrast = 1.0 - cuts[least].area / std::max(std::min(cuts.front().area, above), 1e-30);
    size_t first = least, last = least;
    while (first > 0 && cuts[first - 1].area < 1.04 * cuts[least].area) --first;
    while (last + 1 < cuts.size() && cuts[last + 1].area < 1.04 * cuts[least].area) ++last;
    return 0.5 * (cuts[first].centre + cuts[last].centre);
}

}  // namespace

void raise_shoulders(const Upright& upright, Arms& arms) {
    if (!arms.found) return;
    const double H = upright.height;
    const Vec3d shoulders = 0.5 * (arms.side[0].shoulder + arms.side[1].shoulder);
    double contrast = 0.0;
    const Vec3d narrow =
        find_narrow(upright, shoulders, upright.body.at(find_top(upright, shoulders.y() + 0.02 * H)), H, contrast);
    if (contrast < 0.3) return;
    for (Arm& arm : arms.side) {
        const Vec3d along = (arm.shoulder - arm.elbow).normalized();
        const double lack = narrow.y() - 0.06 * H - arm.shoulder.y();
        if (along.y() < 0.4 || lack < 0.015 * H) continue;
        const double step = std::min(lack / along.y(), 0.2 * H);
        arm.shoulder += step * along;
        arm.elbow_slice += 0.37 * step / arm.limb.cell;
        arm.elbow = arm.limb.at(std::min(arm.elbow_slice, arm.shoulder_slice));
    }
}

BipedTrunk find_trunk(const Upright& upright, const Legs& legs, const Arms& arms) {
    BipedTrunk trunk;
    const VoxelBody& body = upright.body;
    const double H = upright.height;
    const Vec3d shoulders = arms.found ? Vec3d(0.5 * (arms.side[0].shoulder + arms.side[1].shoulder))
                                       : Vec3d(0.0, legs.crotch.y() + 0.62 * (H - legs.crotch.y()), legs.crotch.z());
    const uint32_t top = find_top(upright, shoulders.y() + 0.02 * H);
    trunk.top = body.at(top);
    // Down to the middle of the pelvis, a little above the crotch.
    const Vec3d seat(0.0, legs.crotch.y() + 0.13 * (shoulders.y() - legs.crotch.y()), legs.crotch.z());
    const Cut cut = cut_level(body, seat.y(), seat, 0.25 * H);
    const Vec3d goal = cut.found ? cut.centre : seat;
    uint32_t bottom = upright.middle();
    double nearest = INFINITY;
    for (uint32_t v : body.voxels)
        if (const double d = (body.at(v) - goal).squaredNorm(); d < nearest) nearest = d, bottom = v;
    trunk.limb = trace_limb(body, top, bottom, 1.3 * H);
    smooth(trunk.limb, 1);
    trunk.pelvis = goal;
    trunk.pelvis.x() = 0.0;
    trunk.pelvis.z() -= 0.015 * H;  // the sacrum lies behind the middle

    trunk.narrow =
        find_narrow(upright, shoulders, trunk.top, 0.4 * (shoulders.y() - legs.crotch.y()), trunk.neck_contrast);
    // A head that sits on the shoulders shows no neck: then it is short.
    const double sure = std::clamp((trunk.neck_contrast - 0.1) / 0.2, 0.0, 1.0);
    const Vec3d usual(0.0, shoulders.y() + 0.05 * H, shoulders.z());
    trunk.narrow = usual + sure * (trunk.narrow - usual);
    const Vec3d base(0.0, shoulders.y(), 0.5 * (shoulders.z() + trunk.narrow.z()));
    trunk.neck = base + 0.3 * (trunk.narrow - base);
    trunk.head = trunk.narrow + Vec3d(0.0, 0.01 * H, 0.0);
    for (Vec3d* p : {&trunk.neck, &trunk.head}) p->x() = 0.0;

    // The spine follows the middle of the trunk, a little behind.
    const double up = trunk.neck.y() - trunk.pelvis.y();
    constexpr double share[3] = {0.19, 0.42, 0.68};
    for (size_t k = 0; k < 3; ++k) {
        const double y = trunk.pelvis.y() + share[k] * up;
        const Vec3d straight = trunk.pelvis + share[k] * (trunk.neck - trunk.pelvis);
        double slice = 0.0;
        while (slice + 1.0 < trunk.limb.size() && trunk.limb.at(slice).y() > y) slice += 0.5;
        const Vec3d curved = trunk.limb.at(slice);
        trunk.spine[k] = Vec3d(0.0, y, 0.5 * (straight.z() + curved.z()));
    }
    return trunk;
}

}  // namespace sinew
