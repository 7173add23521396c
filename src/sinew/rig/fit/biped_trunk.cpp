#include <sinew/mesh/geodesic.h>
#include <sinew/rig/fit/biped_parts.h>
#include <sinew/rig/priors/people.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A neck is as narrow as its narrowest cut within this factor; chosen: what voxels vary by.
constexpr double as_narrow = 1.04;
// An area that is smaller than any cut, where there is none to divide by.
constexpr double no_area = 1e-30;
// Only arms that point up this much (sine of the angle to the level) toward the shoulder, and end this far below where
// it should be (share of the height), are raised; chosen: others are seen where they are.
constexpr double hangs = 0.4, worth_raising = 0.015;
// The pelvis is no farther ahead of the crotch or behind it than this share of the height; chosen: beyond all people.
constexpr double pelvis_off_crotch = 0.16;
// A head that ends this far above the shoulders, as a share of the height, on something no thicker than this share of
// the cut at the shoulders is a small head on a long neck that does not narrow, as a kaiju's. Its joint is then at this
// share of the way up. Chosen.
constexpr double long_neck = 0.2, thin_neck = 0.6, long_neck_at = 0.4, head_of_long_neck = 0.7;
// The way from head to pelvis is followed no farther than this, in heights; chosen: more than any way is long.
constexpr double longest_trunk = 1.3;

// The top of the head: the highest extremity near the mirror plane, or else the highest voxel near it.
uint32_t find_top(const Upright& upright, double above) {
    int best = -1;
    for (size_t i = 0; i < upright.ends.list.size(); ++i) {
        const int e = static_cast<int>(i);
        const Vec3d& p = upright.end(e).position;
        if (e == upright.arms[0] || e == upright.arms[1] || p.y() < above ||
            std::abs(p.x()) > people::head_off_middle * upright.height)
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

// The centre of the narrowest cut between shoulders and head; each cut is looked for above the one below. Where several
// cuts are about as narrow, the middle of them. No higher than `most` above the shoulders: hats and hair are narrow,
// too.
Vec3d find_narrow(const Upright& upright, const Vec3d& shoulders, const Vec3d& top, double most, double& contrast) {
    const VoxelBody& body = upright.body;
    const double from = shoulders.y(), to = top.y() - people::head_without_neck * (top.y() - from);
    std::vector<Cut> cuts;
    Vec3d near = shoulders;
    for (double y = from; y <= to; y += body.grid.cell) {
        near.y() = y;
        const Cut cut = cut_level(body, y, near, people::head_half_width * upright.height);
        if (!cut.found) continue;
        cuts.push_back(cut);
        near = cut.centre;
    }
    contrast = 0.0;
    if (cuts.empty()) return shoulders + people::neck_not_seen.value * (top - shoulders);
    size_t least = 0;
    for (size_t k = 0; k < cuts.size() && static_cast<double>(k) * body.grid.cell <= most; ++k)
        if (cuts[k].area < cuts[least].area) least = k;
    double above = 0.0;
    for (size_t k = least; k < cuts.size(); ++k) above = std::max(above, cuts[k].area);
    contrast = 1.0 - cuts[least].area / std::max(std::min(cuts.front().area, above), no_area);
    size_t first = least, last = least;
    while (first > 0 && cuts[first - 1].area < as_narrow * cuts[least].area) --first;
    while (last + 1 < cuts.size() && cuts[last + 1].area < as_narrow * cuts[least].area) ++last;
    return 0.5 * (cuts[first].centre + cuts[last].centre);
}

bool has_long_neck(const Upright& upright, const Vec3d& shoulders, const Vec3d& top) {
    const double H = upright.height;
    if (top.y() - shoulders.y() < long_neck * H) return false;
    const Vec3d middle = shoulders + long_neck_at * (top - shoulders);
    const Cut neck = cut_level(upright.body, middle.y(), {0.0, middle.y(), middle.z()}, people::head_half_width * H),
              chest = cut_level(upright.body, shoulders.y(), shoulders, people::head_half_width * H);
    return neck.found && chest.found && neck.area < thin_neck * chest.area;
}

}  // namespace

void raise_shoulders(const Upright& upright, Arms& arms) {
    if (!arms.found) return;
    const double H = upright.height;
    const Vec3d shoulders = 0.5 * (arms.side[0].shoulder + arms.side[1].shoulder);
    double contrast = 0.0;
    const Vec3d narrow =
        find_narrow(upright, shoulders,
                    upright.body.at(find_top(upright, shoulders.y() + people::head_above_shoulders * H)), H, contrast);
    if (contrast < people::clear_neck) return;
    for (Arm& arm : arms.side) {
        const Vec3d along = (arm.shoulder - arm.elbow).normalized();
        const double lack = narrow.y() - people::shoulder_below_neck * H - arm.shoulder.y();
        if (along.y() < hangs || lack < worth_raising * H) continue;
        const double step = std::min(lack / along.y(), people::highest_raise * H);
        arm.shoulder += step * along;
        arm.elbow_slice += people::upper_arm_share * step / arm.limb.cell;
        arm.elbow = arm.limb.at(std::min(arm.elbow_slice, arm.shoulder_slice));
    }
}

BipedTrunk find_trunk(const Upright& upright, const Legs& legs, const Arms& arms) {
    BipedTrunk trunk;
    const VoxelBody& body = upright.body;
    const double H = upright.height;
    const Vec3d shoulders =
        arms.found
            ? Vec3d(0.5 * (arms.side[0].shoulder + arms.side[1].shoulder))
            : Vec3d(0.0, legs.crotch.y() + people::unseen_shoulder_height * (H - legs.crotch.y()), legs.crotch.z());
    const uint32_t top = find_top(upright, shoulders.y() + people::head_above_shoulders * H);
    trunk.top = body.at(top);
    // Down to the middle of the pelvis, a little above the crotch.
    const Vec3d seat(0.0, legs.crotch.y() + people::pelvis_rise * (shoulders.y() - legs.crotch.y()), legs.crotch.z());
    const Cut cut = cut_level(body, seat.y(), seat, people::trunk_half_width * H);
    Vec3d goal = cut.found ? cut.centre : seat;
    // A tail is no pelvis.
    goal.z() = std::clamp(goal.z(), seat.z() - pelvis_off_crotch * H, seat.z() + pelvis_off_crotch * H);
    uint32_t bottom = upright.middle();
    double nearest = INFINITY;
    for (uint32_t v : body.voxels)
        if (const double d = (body.at(v) - goal).squaredNorm(); d < nearest) nearest = d, bottom = v;
    trunk.limb = trace_limb(body, top, bottom, longest_trunk * H);
    smooth(trunk.limb, 1);
    trunk.pelvis = goal;
    trunk.pelvis.x() = 0.0;
    trunk.pelvis.z() -= people::sacrum_behind * H;

    trunk.narrow = find_narrow(upright, shoulders, trunk.top, people::highest_neck * (shoulders.y() - legs.crotch.y()),
                               trunk.neck_contrast);
    // A head that sits on the shoulders shows no neck: then the neck is short.
    const double sure =
        std::clamp((trunk.neck_contrast - people::neck_contrast_least) / people::neck_contrast_sure, 0.0, 1.0);
    const Vec3d usual(0.0, shoulders.y() + people::short_neck * H, shoulders.z());
    trunk.narrow = usual + sure * (trunk.narrow - usual);
    const bool on_long_neck = sure <= 0.0 && has_long_neck(upright, shoulders, trunk.top);
    const Vec3d base(0.0, shoulders.y(), 0.5 * (shoulders.z() + trunk.narrow.z()));
    trunk.neck = base + people::neck_share.value * (trunk.narrow - base);
    trunk.head = trunk.narrow + Vec3d(0.0, people::head_above_neck * H, 0.0);
    if (on_long_neck) trunk.head = shoulders + head_of_long_neck * (trunk.top - shoulders);
    for (Vec3d* p : {&trunk.neck, &trunk.head}) p->x() = 0.0;

    // The spine lies between the straight line from pelvis to neck and the middle of the trunk.
    const double up = trunk.neck.y() - trunk.pelvis.y();
    constexpr double share[3] = {people::spine_share, people::chest_share, people::upper_chest_share};
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
