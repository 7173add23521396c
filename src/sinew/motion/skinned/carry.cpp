#include <sinew/motion/skinned/carry.h>

#include <sinew/clip/clip.h>
#include <sinew/math/segment.h>
#include <sinew/motion/skinned/placed_joints.h>
#include <sinew/skeleton/hangs_on.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <limits>

namespace sinew {
namespace {

// Skins of which some joint lies outside the box around the hips' own skin are another thing: a flag, a horse. Those
// inside belong to the body: a face with an armature of its own.
bool lies_inside(const Skin& skin, const Box& box, const std::vector<AffineD>& world) {
    constexpr float slack = 0.1f;  // of the box
    const Vec3 grow = slack * box.size();
    return std::ranges::all_of(skin.joints, [&](int32_t joint) {
        const Vec3 at = world[static_cast<size_t>(joint)].translation().cast<float>();
        return (at.array() >= (box.min - grow).array()).all() && (at.array() <= (box.max + grow).array()).all();
    });
}

// Per joint: a skin of the body holds it.
std::vector<bool> joints_in_skins(const SkinnedSkeleton& body, int32_t hips) {
    std::vector<bool> in_skin(body.skeleton.size(), false);
    const auto take = [&](const Skin& skin) {
        for (const int32_t joint : skin.joints) in_skin[static_cast<size_t>(joint)] = true;
    };
    // Some rigs bind no skin to the hips themselves, but to helpers below them.
    const auto has_hips = [&](const Skin& skin) {
        return std::ranges::any_of(skin.joints, [&](int32_t j) { return hangs_on(body.skeleton, j, hips); });
    };
    const std::vector<AffineD> world = rest_world(body.skeleton);
    Box box;
    for (const Skin& skin : body.skins) {
        if (!has_hips(skin)) continue;
        take(skin);
        for (const int32_t joint : skin.joints) box.add(world[static_cast<size_t>(joint)].translation().cast<float>());
    }
    for (const Skin& skin : body.skins)
        if (!box.empty() && !has_hips(skin) && lies_inside(skin, box, world)) take(skin);
    return in_skin;
}

// What a figurine stands on, by the name that rig gives it: it stays.
bool is_plinth(std::string_view name) {
    if (const size_t colon = name.find_last_of(':'); colon != std::string_view::npos) name.remove_prefix(colon + 1);
    return name == "base" || name == "Base";
}

// The tops of the trees beside the body.
std::vector<size_t> find_strays(const SkinnedSkeleton& body, int32_t hips) {
    const std::vector<int32_t>& parents = body.skeleton.parents();
    const std::vector<bool> in_skin = joints_in_skins(body, hips);
    std::vector<bool> above(parents.size(), false), inside(parents.size(), false);
    for (int32_t j = parents[static_cast<size_t>(hips)]; j >= 0; j = parents[static_cast<size_t>(j)])
        above[static_cast<size_t>(j)] = true;
    std::vector<bool> moves = body.moves;
    for (size_t j = parents.size(); j-- > 0;)
        if (moves[j] && parents[j] >= 0) moves[static_cast<size_t>(parents[j])] = true;
    std::vector<size_t> strays;
    inside[static_cast<size_t>(hips)] = true;  // the body, and what hangs on a stray
    for (size_t j = 0; j < parents.size(); ++j) {
        if (parents[j] >= 0 && inside[static_cast<size_t>(parents[j])]) inside[j] = true;
        if (inside[j] || above[j] || !in_skin[j] || !moves[j] || is_plinth(body.skeleton.names()[j])) continue;
        strays.push_back(j);
        inside[j] = true;
    }
    return strays;
}

// The turned joint on whose bones the point lies, or nearest to them.
size_t nearest_bone(const Skeleton& skeleton, const std::vector<AffineD>& world, const std::vector<bool>& turned,
                    const Vec3d& point, size_t hips) {
    size_t best = hips;
    double least = std::numeric_limits<double>::infinity();
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        const Vec3d at = world[j].translation();
        const auto offer = [&](size_t joint, double distance) {
            if (!turned[joint] || distance >= least * (1 - 1e-6)) return;  // a bone's end belongs to the next joint
            least = distance;
            best = joint;
        };
        offer(j, (point - at).norm());
        if (parent >= 0)
            offer(static_cast<size_t>(parent),
                  distance_to_segment<Vec3d>(point, world[static_cast<size_t>(parent)].translation(), at));
    }
    return best;
}

}  // namespace

void carry_along(const SkinnedSkeleton& body, const Skeleton& rest, int32_t hips, Clip& clip) {
    std::vector<bool> turned(rest.size(), false), held(rest.size(), false);
    std::vector<float> times;
    for (const Track& track : clip.tracks) {
        if (track.path == TrackPath::morphs) continue;
        if (track.path == TrackPath::rotation && track.times.size() > 1)
            turned[static_cast<size_t>(track.target)] = true;
        if (track.target == hips && track.times.size() > times.size()) times = track.times;
        // What holds a joint that is put somewhere must stay where it is.
        if (track.target != hips && track.path == TrackPath::translation && track.times.size() > 1)
            for (int32_t j = track.target; j >= 0; j = rest.parents()[static_cast<size_t>(j)])
                held[static_cast<size_t>(j)] = true;
    }
    std::vector<size_t> strays = find_strays(body, hips);
    std::erase_if(strays, [&](size_t j) { return turned[j] || held[j]; });
    if (strays.empty() || times.empty()) return;

    // The file's own rest pose shows where a prop is held, whatever pose the skin was bound in.
    const std::vector<AffineD> world = rest_world(body.skeleton);
    std::vector<AffineD> carried;  // the stray's place in the joint that carries it
    std::vector<size_t> carrier;
    for (const size_t j : strays) {
        carrier.push_back(
            nearest_bone(body.skeleton, world, turned, world[j].translation(), static_cast<size_t>(hips)));
        carried.push_back(world[carrier.back()].inverse() * world[j]);
    }
    std::vector<PlacedJoint> placed(strays.size());
    visit_keys(rest, clip, times, [&](const std::vector<AffineD>& now) {
        for (size_t k = 0; k < strays.size(); ++k)
            placed[k].add(place_above(now, rest.parents()[strays[k]]).inverse() * now[carrier[k]] * carried[k]);
    });
    for (size_t k = 0; k < strays.size(); ++k) placed[k].write(static_cast<int32_t>(strays[k]), times, clip);
}

}  // namespace sinew
