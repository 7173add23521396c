#include <sinew/motion/skinned/bind_stance.h>

#include <sinew/motion/clip_writer.h>
#include <sinew/motion/retarget/motion_body.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {
namespace {

// The skin that holds most of the body's joints.
const Skin* main_skin(std::span<const Skin> skins, const HumanoidMap& map) {
    const Skin* best = nullptr;
    ptrdiff_t most = 0;
    for (const Skin& skin : skins) {
        const ptrdiff_t held = std::ranges::count_if(map.joint, [&](int32_t joint) {
            return joint >= 0 && std::ranges::find(skin.joints, joint) != skin.joints.end();
        });
        if (held > most) {
            most = held;
            best = &skin;
        }
    }
    return best;
}

Mat3d rotation_of(const AffineD& matrix) {
    return Quatd(decompose(matrix).transform.rotation.cast<double>()).toRotationMatrix();
}

// Where the space of the bind matrices lies in the world. No file says it, but it is the world itself, the frame that
// the skeleton hangs in, or that of a mesh: take the one that moves the hips least.
std::optional<AffineD> world_from_bind(const SkinnedSkeleton& body, const Skin& skin, const std::vector<AffineD>& world,
                                       const AffineD& hips) {
    std::vector<AffineD> candidates = {AffineD::Identity()};
    const int32_t top = *std::ranges::min_element(skin.joints);  // parents stand before their children
    if (const int32_t parent = body.skeleton.parents()[static_cast<size_t>(top)]; parent >= 0)
        candidates.push_back(world[static_cast<size_t>(parent)]);
    for (const SkinnedMeshPlace& mesh : body.meshes)
        if (&body.skins[static_cast<size_t>(mesh.skin)] == &skin)
            candidates.push_back(world[static_cast<size_t>(mesh.joint)]);
    std::optional<AffineD> best;
    double least = 0.8;  // radians: hips turn less than this within a stride
    const double size = std::cbrt(std::abs(hips.linear().determinant()));
    for (const AffineD& candidate : candidates) {
        const double other = std::cbrt(candidate.linear().determinant());
        if (!(std::abs(other - size) < 0.05 * size)) continue;
        const double angle =
            std::abs(Eigen::AngleAxisd(rotation_of(hips).transpose() * rotation_of(candidate)).angle());
        if (angle >= least - 1e-9) continue;
        least = angle;
        best = candidate;
    }
    return best;
}

// The two poses are of one body, of which at least one joint is turned: bones keep their lengths. Fingers do not count,
// nor joints that the skin does not hold (`number` < 0).
bool turns_same_bones(const Skeleton& skeleton, const std::vector<Transform>& local, const HumanoidMap& map,
                      const std::vector<ptrdiff_t>& number) {
    constexpr double turned = 0.2;             // radians
    constexpr float length_difference = 0.1f;  // of a bone
    double most_turned = 0;
    for (size_t role = 0; role < static_cast<size_t>(Role::left_thumb_metacarpal); ++role) {
        const int32_t joint = map.joint[role];
        if (joint < 0 || joint == map[Role::hips] || number[static_cast<size_t>(joint)] < 0) continue;
        const Transform &was = skeleton.rest()[static_cast<size_t>(joint)], &is = local[static_cast<size_t>(joint)];
        const float length = was.translation.norm();
        if (std::abs(length - is.translation.norm()) > length_difference * length + 1e-6f) return false;
        most_turned = std::max(most_turned, double{was.rotation.angularDistance(is.rotation)});
    }
    return most_turned >= turned;
}

}  // namespace

std::optional<Skeleton> bind_stance(const SkinnedSkeleton& body) {
    const Skeleton& skeleton = body.skeleton;
    const HumanoidMap map = recognise_humanoid(skeleton);
    if (!map.is_body()) return std::nullopt;
    const Skin* skin = main_skin(body.skins, map);
    if (!skin) return std::nullopt;
    const std::vector<AffineD> rest = rest_world(skeleton);
    // Some files list only the joints that move skin. Hips that are missing go with what stands on them.
    auto anchor = skin->joints.end();
    for (const Role role : {Role::hips, Role::spine, Role::chest})
        if (anchor == skin->joints.end()) anchor = std::ranges::find(skin->joints, map[role]);
    if (anchor == skin->joints.end()) return std::nullopt;
    const auto bind_of = [&](size_t k) { return AffineD(skin->inverse_bind[k].cast<double>()); };
    const AffineD anchor_bind = bind_of(static_cast<size_t>(anchor - skin->joints.begin()));
    const AffineD anchor_rest = rest[static_cast<size_t>(*anchor)];
    const AffineD moved = anchor_rest * anchor_bind;
    const auto placed = world_from_bind(body, *skin, rest, moved);
    if (!placed) return std::nullopt;

    std::vector<AffineD> world = rest;
    std::vector<Transform> local = skeleton.rest();
    std::vector<ptrdiff_t> number(skeleton.size(), -1);
    for (size_t k = 0; k < skin->joints.size(); ++k)
        number[static_cast<size_t>(skin->joints[k])] = static_cast<ptrdiff_t>(k);
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        const AffineD above = parent < 0 ? AffineD(AffineD::Identity()) : world[static_cast<size_t>(parent)];
        const bool is_hips = static_cast<int32_t>(j) == map[Role::hips];
        if (number[j] < 0 && !is_hips) {
            world[j] = above * to_affine_d(local[j]);
            continue;
        }
        const AffineD bind = number[j] >= 0 ? bind_of(static_cast<size_t>(number[j]))
                                            : AffineD(rest[j].inverse() * anchor_rest * anchor_bind);
        if (!(std::abs(bind.linear().determinant()) > 1e-12) || !(std::abs(above.linear().determinant()) > 1e-18))
            return std::nullopt;
        world[j] = *placed * bind.inverse();
        const Decomposition own = decompose(above.inverse() * world[j]);
        if (!(own.shear_error < 1e-3)) return std::nullopt;
        local[j].rotation = own.transform.rotation;
        local[j].translation = own.transform.translation;
    }
    if (!turns_same_bones(skeleton, local, map, number)) return std::nullopt;
    constexpr double straighter = 0.3;  // radians, in all: less could be a difference of style
    const double before = crookedness(map, world_pose(skeleton, skeleton.rest()));
    if (crookedness(map, world_pose(skeleton, local)) > before - straighter) return std::nullopt;
    auto stance = Skeleton::create(skeleton.names(), skeleton.parents(), std::move(local));
    if (!stance) return std::nullopt;
    return *std::move(stance);
}

void hold_stance(const Skeleton& rest, const Skeleton& stance, Clip& clip) {
    std::set<std::pair<int32_t, TrackPath>> moved;
    for (const Track& track : clip.tracks) moved.emplace(track.target, track.path);
    const std::vector<float> start = {0.0f};
    for (size_t j = 0; j < rest.size(); ++j) {
        const auto joint = static_cast<int32_t>(j);
        const Transform &was = rest.rest()[j], &is = stance.rest()[j];
        if (!moved.contains({joint, TrackPath::rotation}) && was.rotation.angularDistance(is.rotation) > 1e-4f)
            clip.tracks.push_back(rotation_track(joint, start, {Quatd(is.rotation.cast<double>())}));
        const float far = 1e-4f * std::max(was.translation.norm(), is.translation.norm());
        if (!moved.contains({joint, TrackPath::translation}) && (was.translation - is.translation).norm() > far)
            clip.tracks.push_back(translation_track(joint, start, {is.translation.cast<double>()}));
    }
}

}  // namespace sinew
