#include <sinew/rig/fit/tail.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// A tail is followed no farther than this, in heights: more than any tail with the trunk before it is long.
constexpr double longest_tail = 3.0;
constexpr int fewest_joints = 2, most_joints = 6;

bool is_limb(const Upright& upright, int end) {
    for (const int* pair : {upright.legs, upright.arms, upright.hind_legs})
        if (end == pair[0] || end == pair[1]) return true;
    return false;
}

// The extremity farthest behind the hips that is near the mirror plane and not above the chest.
int find_tail_tip(const Upright& upright, const Vec3d& hips, double top) {
    const double H = upright.height;
    int best = -1;
    double farthest = people::shortest_tail_tip * H;
    for (size_t i = 0; i < upright.ends.list.size(); ++i) {
        const int e = static_cast<int>(i);
        const Vec3d& p = upright.end(e).position;
        const double behind = hips.z() - p.z();
        if (is_limb(upright, e) || upright.end(e).prominence < people::shortest_tail_tip * H || p.y() > top) continue;
        if (std::abs(p.x()) > people::tail_off_middle * H + people::tail_swing * behind || behind < farthest) continue;
        farthest = behind;
        best = e;
    }
    return best;
}

}  // namespace

void add_tail(const Upright& upright, const TailOptions& options, Fit& fit) {
    const int root = fit.find("hips"), chest = fit.find("upperChest");
    if (root < 0 || fit.find("tail1") >= 0) return;
    const double H = upright.height;
    const Vec3d hips = fit.joints[static_cast<size_t>(root)].position;
    const double top = chest < 0 ? H : fit.joints[static_cast<size_t>(chest)].position.y();
    const int tip = options.tip >= 0 ? options.tip : find_tail_tip(upright, hips, top);
    if (tip < 0) return;
    TracedLimb limb = trace_limb(upright.body, upright.end(tip).voxel, upright.middle(), longest_tail * H);
    smooth(limb, 1);
    double slice = limb.nearest(hips, 0.0, limb.size());
    const double trunk = limb.area[static_cast<size_t>(slice)];
    while (slice > 1.0 && (limb.area[static_cast<size_t>(slice)] > options.thickness * trunk ||
                           limb.at(slice).z() > hips.z() - people::tail_root_behind * H))
        slice -= 0.5;
    const double length = slice * limb.cell;
    if (length > std::max(options.least, people::shortest_tail * H))
        add_chain(fit, root, "tail", limb, slice,
                  std::clamp(static_cast<int>(length / (people::tail_bone * H)) + 1, fewest_joints, most_joints));
}

}  // namespace sinew
