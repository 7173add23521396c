#include <sinew/rig/fit/fingers.h>

#include <sinew/rig/priors/people.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Voxels on the surface of one hand: enough for three across a finger.
constexpr int hand_voxels = 4000;
// A finger is followed this far toward the wrist, in hands; its slices are smoothed over this many on both sides.
constexpr double followed = 1.5;
constexpr int smoothed = 2;
// More extremities than this are no hand.
constexpr size_t fewest_fingers = 2, most_fingers = 5;
// Joints that mirror the other hand's this well, as a share of the height, are made to do so exactly.
constexpr double finger_mirror_tolerance = 0.02;
// Joints of fingers are less sure than those of limbs: they are a few voxels apart.
constexpr double finger_confidence = 0.8;

struct Finger {
    Vec3d joint[3], tip;
    double base_along = 0.0;  // how far from the wrist it leaves the hand
};

// The triangles of one hand: beyond the wrist, around the line to the tip.
std::vector<uint32_t> hand_triangles(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                                     const Vec3d& wrist, const Vec3d& along, double length) {
    std::vector<uint32_t> kept;
    const auto near = [&](uint32_t v) {
        const Vec3d d = positions[v].cast<double>() - wrist;
        const double t = d.dot(along);
        return t > -people::hand_behind_wrist * length && t < people::hand_beyond_tip * length &&
               (d - t * along).norm() < people::hand_half_width * length;
    };
    for (size_t t = 0; t + 2 < triangles.size(); t += 3)
        if (triangles[t] < positions.size() && triangles[t + 1] < positions.size() &&
            triangles[t + 2] < positions.size() && near(triangles[t]) && near(triangles[t + 1]) &&
            near(triangles[t + 2]))
            kept.insert(kept.end(), triangles.begin() + static_cast<long>(t),
                        triangles.begin() + static_cast<long>(t) + 3);
    return kept;
}

std::vector<Finger> find_fingers(std::span<const Vec3> positions, std::span<const uint32_t> triangles,
                                 const Vec3d& wrist, const Vec3d& tip) {
    std::vector<Finger> fingers;
    const double length = (tip - wrist).norm();
    if (!(length > 0.0)) return fingers;
    const Vec3d along = (tip - wrist) / length;
    const VoxelBody hand = make_voxel_body(positions, hand_triangles(positions, triangles, wrist, along, length),
                                           {.surface_voxels = hand_voxels, .join = false});
    if (hand.empty()) return fingers;
    uint32_t root = hand.voxels.front();
    for (uint32_t v : hand.voxels)
        if ((hand.at(v) - wrist).squaredNorm() < (hand.at(root) - wrist).squaredNorm()) root = v;
    const Extremities ends = find_extremities_from(hand, root, people::finger_prominence);
    for (const Extremity& end : ends.list) {
        if ((end.position - wrist).dot(along) < people::nearest_fingertip * length) continue;
        TracedLimb limb = trace_limb(hand, end.voxel, root, followed * length);
        smooth(limb, smoothed);
        // The way goes on through the palm; the finger's own part ends where it joins the others.
        const double own =
            std::min(find_root_slice(limb, people::shortest_finger * length, people::finger_tip_part * length),
                     people::longest_finger * length / limb.cell);
        Finger finger;
        finger.tip = end.position;
        constexpr double share[3] = {people::finger_first, people::finger_second, people::finger_third};
        for (size_t k = 0; k < 3; ++k) finger.joint[k] = limb.at(share[k] * own);
        finger.base_along = (limb.at(own) - wrist).dot(along);
        fingers.push_back(finger);
    }
    return fingers;
}

// The thumb first, then the others by their distance from it. False when no finger can be the thumb.
bool sort_fingers(std::vector<Finger>& fingers) {
    const auto thumb = std::min_element(fingers.begin(), fingers.end(),
                                        [](const Finger& a, const Finger& b) { return a.base_along < b.base_along; });
    std::iter_swap(fingers.begin(), thumb);
    double rest = 0.0;
    for (size_t k = 1; k < fingers.size(); ++k) rest += fingers[k].base_along / static_cast<double>(fingers.size() - 1);
    std::sort(fingers.begin() + 1, fingers.end(), [&](const Finger& a, const Finger& b) {
        return (a.joint[0] - fingers[0].joint[0]).norm() < (b.joint[0] - fingers[0].joint[0]).norm();
    });
    return fingers[0].base_along < people::thumb_base * rest;
}

}  // namespace

void add_fingers(std::span<const Vec3> positions, std::span<const uint32_t> triangles, const Upright& upright, int most,
                 Fit& fit) {
    std::vector<Finger> fingers[2];
    for (size_t k = 0; k < 2; ++k) {
        const int hand = fit.find(k == 0 ? "leftHand" : "rightHand");
        if (hand < 0 || upright.arms[k] < 0 || most < static_cast<int>(fewest_fingers)) return;
        const FitJoint& joint = fit.joints[static_cast<size_t>(hand)];
        fingers[k] = find_fingers(positions, triangles, joint.position,
                                  joint.tip.value_or(upright.end(upright.arms[k]).position));
        if (fingers[k].size() < fewest_fingers || fingers[k].size() > most_fingers || !sort_fingers(fingers[k])) return;
    }
    if (fingers[0].size() != fingers[1].size()) return;
    constexpr const char* names[most_fingers][3] = {{"ThumbMetacarpal", "ThumbProximal", "ThumbDistal"},
                                                    {"IndexProximal", "IndexIntermediate", "IndexDistal"},
                                                    {"MiddleProximal", "MiddleIntermediate", "MiddleDistal"},
                                                    {"RingProximal", "RingIntermediate", "RingDistal"},
                                                    {"LittleProximal", "LittleIntermediate", "LittleDistal"}};
    const size_t count = std::min(fingers[0].size(), static_cast<size_t>(most));
    for (size_t f = 0; f < count; ++f)
        for (size_t k = 0; k < 3; ++k)
            agree(fingers[0][f].joint[k], fingers[1][f].joint[k], finger_mirror_tolerance * upright.height);
    for (size_t k = 0; k < 2; ++k) {
        const std::string side = k == 0 ? "left" : "right";
        for (size_t f = 0; f < count; ++f) {
            int parent = fit.find(side + "Hand");
            for (size_t i = 0; i < 3; ++i) {
                const std::string name = side + names[f][i];
                Role role = Role::count;
                for (size_t r = 0; r < role_count; ++r)
                    if (to_string(static_cast<Role>(r)) == name) role = static_cast<Role>(r);
                parent = fit.add(name, parent, fingers[k][f].joint[i], finger_confidence, role);
            }
            fit.joints.back().tip = fingers[k][f].tip;
        }
    }
}

}  // namespace sinew
