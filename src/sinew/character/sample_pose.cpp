#include <sinew/character/character.h>

#include <sinew/clip/clip.h>
#include <algorithm>

namespace sinew {
namespace {

void set_rest(const Character& character, Pose& pose) {
    pose.local = character.skeleton.rest();
    pose.morphs.assign(morph_count(character), 0.0f);
    for (const MeshInstance& instance : character.instances) {
        const MeshGroup& mesh = character.meshes[static_cast<size_t>(instance.mesh)];
        const std::vector<float>& weights =
            instance.morph_weights.empty() ? mesh.morph_weights : instance.morph_weights;
        std::copy_n(weights.begin(), std::min(weights.size(), morph_count(mesh)),
                    pose.morphs.begin() + instance.first_morph);
    }
}

}  // namespace

void sample_pose(const Character& character, const Clip* clip, float time, Pose& pose) {
    set_rest(character, pose);
    if (clip) sample(*clip, time, pose);
}

Pose pose_at(const Character& character, const Clip* clip, float time) {
    Pose pose;
    sample_pose(character, clip, time, pose);
    return pose;
}

Pose rest_pose(const Character& character) {
    return pose_at(character, nullptr, 0.0f);
}

}  // namespace sinew
