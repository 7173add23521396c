#include <sinew/motion/skinned/loose_feet.h>

#include <sinew/motion/clip_writer.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <array>

namespace sinew {
namespace {

bool hangs_on(const std::vector<int32_t>& parents, int32_t joint, int32_t above) {
    while (joint > above) joint = parents[static_cast<size_t>(joint)];
    return joint == above;
}

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

std::vector<float> longest_times(const Clip& clip) {
    std::vector<float> times;
    for (const Track& track : clip.tracks)
        if (track.times.size() > times.size()) times = track.times;
    return times;
}

}  // namespace

std::optional<JoinedRig> join_loose_feet(const Skeleton& skeleton) {
    const HumanoidMap roles = recognise_humanoid(skeleton);
    std::vector<int32_t> parents = skeleton.parents();
    std::array<int32_t, 2> feet = {-1, -1};
    for (size_t side = 0; side < 2; ++side) {
        const int32_t knee = roles[side == 0 ? Role::left_lower_leg : Role::right_lower_leg];
        const int32_t foot = roles[side == 0 ? Role::left_foot : Role::right_foot];
        if (knee < 0 || foot < 0 || hangs_on(skeleton.parents(), foot, knee) ||
            hangs_on(skeleton.parents(), knee, foot))
            return {};
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
    std::vector<std::vector<Vec3d>> positions(rig.feet.size());
    std::vector<std::vector<Quatd>> rotations(rig.feet.size());
    Pose pose;
    std::vector<AffineD> world(rig.skeleton.size());
    for (const float time : times) {
        pose.local = rig.skeleton.rest();
        sample(clip, time, pose);
        local_to_world(rig.skeleton.parents(), pose.local, world);
        for (size_t k = 0; k < rig.feet.size(); ++k) {
            const auto foot = static_cast<size_t>(rig.feet[k]);
            const int32_t parent = skeleton.parents()[static_cast<size_t>(rig.joint[foot])];
            const AffineD above = parent < 0 ? AffineD(AffineD::Identity())
                                             : world[static_cast<size_t>(place[static_cast<size_t>(parent)])];
            const Transform own = decompose(above.inverse() * world[foot]).transform;
            positions[k].push_back(own.translation.cast<double>());
            rotations[k].push_back(Quatd(own.rotation.cast<double>()).normalized());
        }
    }
    for (size_t k = 0; k < rig.feet.size() && !times.empty(); ++k) {
        const int32_t joint = rig.joint[static_cast<size_t>(rig.feet[k])];
        result.tracks.push_back(translation_track(joint, times, positions[k]));
        result.tracks.push_back(rotation_track(joint, times, rotations[k]));
    }
    return result;
}

}  // namespace sinew
