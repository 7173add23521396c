#include <sinew/pipeline/simulate/cloth_joints.h>

#include <sinew/core/check.h>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

Track make_track(int32_t joint, TrackPath path, std::span<const float> times, int width, const auto& value_at) {
    Track track{.target = joint, .path = path, .width = width};
    std::vector<float> values(static_cast<size_t>(width) * times.size());
    for (size_t f = 0; f < times.size(); ++f) value_at(f, &values[f * static_cast<size_t>(width)]);
    const auto same = [&](size_t a, size_t b) {
        return std::equal(&values[a * static_cast<size_t>(width)], &values[a * static_cast<size_t>(width)] + width,
                          &values[b * static_cast<size_t>(width)]);
    };
    for (size_t f = 0; f < times.size(); ++f) {
        if (f > 0 && same(f - 1, f) && (f + 1 == times.size() ? true : same(f, f + 1))) continue;
        track.times.push_back(times[f]);
        track.values.insert(track.values.end(), &values[f * static_cast<size_t>(width)],
                            &values[f * static_cast<size_t>(width)] + width);
    }
    return track;
}

std::vector<AffineD> worlds_of(const Character& character, const Pose& pose) {
    std::vector<AffineD> world(pose.local.size());
    local_to_world(std::span(character.skeleton.parents()).first(world.size()), pose.local, world);
    return world;
}

Transform below(const std::vector<AffineD>& world, int32_t parent, const Transform& place) {
    if (parent < 0 || static_cast<size_t>(parent) >= world.size()) return place;
    return decompose(world[static_cast<size_t>(parent)].inverse() * to_affine_d(place)).transform;
}

}  // namespace

void add_transform_tracks(Clip& clip, const MovedJoint& what, std::span<const float> times,
                          std::span<const Transform> frames) {
    clip.tracks.push_back(make_track(what.joint, TrackPath::translation, times, 3,
                                     [&](size_t f, float* out) { std::copy_n(frames[f].translation.data(), 3, out); }));
    Quat last = Quat::Identity();
    Track turn = make_track(what.joint, TrackPath::rotation, times, 4, [&](size_t f, float* out) {
        Quat q = frames[f].rotation.normalized();
        if (q.dot(last) < 0.0f) q.coeffs() *= -1.0f;
        last = q;
        std::copy_n(q.coeffs().data(), 4, out);
    });
    if (turn.times.size() > 1 || !frames[0].rotation.isApprox(Quat::Identity())) clip.tracks.push_back(std::move(turn));
    if (!what.scale) return;
    Track size = make_track(what.joint, TrackPath::scale, times, 3,
                            [&](size_t f, float* out) { std::copy_n(frames[f].scale.data(), 3, out); });
    if (what.steps) size.interpolation = Interpolation::step;
    clip.tracks.push_back(std::move(size));
}

int32_t add_joints(Character& character, const std::vector<std::string>& new_names,
                   const std::vector<Transform>& new_rest, const std::vector<int32_t>& new_parents) {
    auto names = character.skeleton.names();
    auto parents = character.skeleton.parents();
    auto rest = character.skeleton.rest();
    const auto first = static_cast<int32_t>(names.size());
    character.joint_source.resize(names.size(), -1);
    names.insert(names.end(), new_names.begin(), new_names.end());
    rest.insert(rest.end(), new_rest.begin(), new_rest.end());
    parents.insert(parents.end(), new_parents.begin(), new_parents.end());
    character.joint_source.insert(character.joint_source.end(), new_names.size(), -1);
    auto skeleton = Skeleton::create(std::move(names), std::move(parents), std::move(rest));
    SINEW_CHECK(skeleton.has_value());
    character.skeleton = *std::move(skeleton);
    return first;
}

ClothJoints add_cloth_joints(Character& character, const MovedCloth& cloth, std::span<const ClothTake> takes,
                             int32_t root) {
    ClothJoints out;
    out.patches = fit_patches(cloth.rest, cloth.triangles, cloth.positions, cloth.fit);
    const Patches& patches = out.patches;
    const size_t count = patches.centers.size();
    std::vector<std::string> names;
    std::vector<Transform> places;
    std::vector<int32_t> parents;
    const std::vector<AffineD> rest = worlds_of(character, rest_pose(character));
    for (size_t k = 0; k < count; ++k) {
        // No name that anyone would take for a chain that swings.
        names.push_back(fmt::format("cloth_{:04}", rest.size() + k));
        const int32_t owner = cloth.owners.empty() ? -1 : cloth.owners[patches.centers[k]];
        parents.push_back(owner >= 0 ? owner : root);
        places.push_back(below(rest, owner, patches.frames[k]));
    }
    out.first = add_joints(character, names, places, parents);
    size_t frame = 1;
    for (const ClothTake& take : takes) {
        std::vector<std::vector<Transform>> local(count, std::vector<Transform>(take.times.size()));
        for (size_t f = 0; f < take.times.size(); ++f, ++frame) {
            const auto world = take.poses.empty() ? std::vector<AffineD>() : worlds_of(character, take.poses[f]);
            for (size_t k = 0; k < count; ++k) {
                const int32_t owner = parents[k] == root ? -1 : parents[k];
                local[k][f] = below(world, owner, patches.frames[frame * count + k]);
            }
        }
        for (size_t k = 0; k < count; ++k)
            add_transform_tracks(*take.clip, {.joint = out.first + static_cast<int32_t>(k)}, take.times, local[k]);
    }
    return out;
}

}  // namespace sinew
