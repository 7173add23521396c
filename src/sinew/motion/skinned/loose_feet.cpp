#include <sinew/motion/skinned/loose_feet.h>

#include <sinew/motion/skinned/placed_joints.h>
#include <sinew/skeleton/hangs_on.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <array>

namespace sinew {
namespace {

// Joints in an order in which parents come first. The tree has no loops.
std::vector<int32_t> parents_first(const std::vector<int32_t>& parents) {
    std::vector<int32_t> order;
    std::vector<char> placed(parents.size(), 0);
    std::vector<int32_t> way;  // from a joint up to the first one that has its place
    for (size_t j = 0; j < parents.size(); ++j) {
        for (auto at = static_cast<int32_t>(j); at >= 0 && !placed[static_cast<size_t>(at)];
             at = parents[static_cast<size_t>(at)])
            way.push_back(at);
        for (; !way.empty(); way.pop_back()) {
            order.push_back(way.back());
            placed[static_cast<size_t>(way.back())] = 1;
        }
    }
    return order;
}

}  // namespace

std::optional<JoinedRig> join_loose_feet(const Skeleton& skeleton) {
    const HumanoidMap roles = recognise_humanoid(skeleton);
    std::vector<int32_t> parents = skeleton.parents();
    std::array<int32_t, 2> feet = {-1, -1};
    for (size_t side = 0; side < 2; ++side) {
        const int32_t knee = roles[side == 0 ? Role::left_lower_leg : Role::right_lower_leg];
        const int32_t foot = roles[side == 0 ? Role::left_foot : Role::right_foot];
        if (knee < 0 || foot < 0 || hangs_on(skeleton, foot, knee) || hangs_on(skeleton, knee, foot)) return {};
        parents[static_cast<size_t>(foot)] = knee;
        feet[side] = foot;
    }
    JoinedRig rig;
    rig.joint = parents_first(parents);
    std::vector<int32_t> place(parents.size(), -1), joined_parents;
    for (size_t i = 0; i < rig.joint.size(); ++i) place[static_cast<size_t>(rig.joint[i])] = static_cast<int32_t>(i);
    const std::vector<AffineD> world = rest_world(skeleton);
    std::vector<std::string> names;
    std::vector<Transform> rest;
    for (const int32_t j : rig.joint) {
        const auto at = static_cast<size_t>(j);
        const int32_t parent = parents[at];
        names.push_back(skeleton.names()[at]);
        joined_parents.push_back(parent < 0 ? -1 : place[static_cast<size_t>(parent)]);
        const bool moved = parent != skeleton.parents()[at];
        rest.push_back(moved ? decompose(world[static_cast<size_t>(parent)].inverse() * world[at]).transform
                             : skeleton.rest()[at]);
    }
    auto joined = Skeleton::create(std::move(names), std::move(joined_parents), std::move(rest));
    if (!joined) return {};
    rig.skeleton = *std::move(joined);
    for (const int32_t foot : feet) rig.feet.push_back(place[static_cast<size_t>(foot)]);
    return rig;
}

Clip with_loose_feet(const JoinedRig& rig, const Skeleton& skeleton, const Clip& clip) {
    Clip result = clip;
    std::erase_if(result.tracks,
                  [&](const Track& track) { return std::ranges::find(rig.feet, track.target) != rig.feet.end(); });
    for (Track& track : result.tracks) track.target = rig.joint[static_cast<size_t>(track.target)];
    std::vector<int32_t> place(rig.joint.size());
    for (size_t i = 0; i < rig.joint.size(); ++i) place[static_cast<size_t>(rig.joint[i])] = static_cast<int32_t>(i);

    const std::vector<float> times = longest_times(clip);
    std::vector<PlacedJoint> placed(rig.feet.size());
    visit_keys(rig.skeleton, clip, times, [&](const std::vector<AffineD>& world) {
        for (size_t k = 0; k < rig.feet.size(); ++k) {
            const auto foot = static_cast<size_t>(rig.feet[k]);
            const int32_t parent = skeleton.parents()[static_cast<size_t>(rig.joint[foot])];
            const int32_t above = parent < 0 ? -1 : place[static_cast<size_t>(parent)];
            placed[k].add(place_above(world, above).inverse() * world[foot]);
        }
    });
    for (size_t k = 0; k < rig.feet.size() && !times.empty(); ++k)
        placed[k].write(rig.joint[static_cast<size_t>(rig.feet[k])], times, result);
    return result;
}

}  // namespace sinew
