#include <sinew/motion/skinned/joined_rig.h>

#include <sinew/motion/skinned/placed_joints.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>

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

std::optional<JoinedRig> join_rig(const Skeleton& skeleton, const std::vector<int32_t>& parents) {
    JoinedRig rig;
    rig.joint = parents_first(parents);
    rig.place.assign(parents.size(), -1);
    for (size_t i = 0; i < rig.joint.size(); ++i)
        rig.place[static_cast<size_t>(rig.joint[i])] = static_cast<int32_t>(i);
    const std::vector<AffineD> world = rest_world(skeleton);
    std::vector<std::string> names;
    std::vector<int32_t> joined_parents;
    std::vector<Transform> rest;
    for (size_t i = 0; i < rig.joint.size(); ++i) {
        const auto at = static_cast<size_t>(rig.joint[i]);
        const int32_t parent = parents[at];
        names.push_back(skeleton.names()[at]);
        joined_parents.push_back(parent < 0 ? -1 : rig.place[static_cast<size_t>(parent)]);
        const bool moved = parent != skeleton.parents()[at];
        rest.push_back(moved ? decompose(place_above(world, parent).inverse() * world[at]).transform
                             : skeleton.rest()[at]);
        if (moved) rig.moved.push_back(static_cast<int32_t>(i));
    }
    auto joined = Skeleton::create(std::move(names), std::move(joined_parents), std::move(rest));
    if (!joined) return {};
    rig.skeleton = *std::move(joined);
    return rig;
}

Clip as_in_file(const JoinedRig& rig, const Skeleton& skeleton, const Clip& clip) {
    Clip result = clip;
    std::erase_if(result.tracks, [&](const Track& track) {
        return track.path != TrackPath::morphs && std::ranges::find(rig.moved, track.target) != rig.moved.end();
    });
    for (Track& track : result.tracks)
        if (track.path != TrackPath::morphs) track.target = rig.joint[static_cast<size_t>(track.target)];

    const std::vector<float> times = longest_times(clip);
    std::vector<PlacedJoint> placed(rig.moved.size());
    visit_keys(rig.skeleton, clip, times, [&](const std::vector<AffineD>& world) {
        for (size_t k = 0; k < rig.moved.size(); ++k) {
            const auto joint = static_cast<size_t>(rig.moved[k]);
            const int32_t parent = skeleton.parents()[static_cast<size_t>(rig.joint[joint])];
            const int32_t above = parent < 0 ? -1 : rig.place[static_cast<size_t>(parent)];
            placed[k].add(place_above(world, above).inverse() * world[joint]);
        }
    });
    for (size_t k = 0; k < rig.moved.size() && !times.empty(); ++k)
        placed[k].write(rig.joint[static_cast<size_t>(rig.moved[k])], times, result);
    return result;
}

}  // namespace sinew
