#include <sinew/character/deform.h>

#include <sinew/clip/sample.h>
#include <sinew/skeleton/forward_kinematics.h>
#include <sinew/skin/deform.h>

namespace sinew {
namespace {

void copy_rest(const Mesh& mesh, bool normals, DeformedPrimitive& out) {
    out.positions = mesh.positions;
    if (normals) {
        out.normals = mesh.normals;
        out.tangents = mesh.tangents;
    } else {
        out.normals.clear();
        out.tangents.clear();
    }
}

}  // namespace

void deform(const Character& character, const Pose& pose, const DeformOptions& options,
            std::vector<DeformedPrimitive>& out) {
    std::vector<AffineD> world_from_joint(character.skeleton.size());
    local_to_world(character.skeleton.parents(), pose.local, world_from_joint);

    std::vector<Affine> palette;
    size_t count = 0;
    for (size_t i = 0; i < character.instances.size(); ++i) {
        const MeshInstance& instance = character.instances[i];
        if (!instance.in_scene) continue;
        const MeshGroup& mesh = character.meshes[static_cast<size_t>(instance.mesh)];
        const Skin* skin = instance.skin < 0 ? nullptr : &character.skins[static_cast<size_t>(instance.skin)];
        if (skin) {
            palette.resize(skin->joints.size());
            make_palette(*skin, world_from_joint, palette);
        }
        const auto weights =
            std::span(pose.morphs).subspan(static_cast<size_t>(instance.first_morph), morph_count(mesh));
        for (size_t p = 0; p < mesh.primitives.size(); ++p) {
            const Primitive& primitive = mesh.primitives[p];
            if (out.size() == count) out.emplace_back();
            DeformedPrimitive& result = out[count++];
            result.instance = static_cast<int32_t>(i);
            result.primitive = static_cast<int32_t>(p);
            copy_rest(primitive.mesh, options.normals, result);
            apply_morphs(primitive.morphs, weights,
                         {.positions = result.positions, .normals = result.normals, .tangents = result.tangents});
            const DeformBuffers buffers{.positions_in = result.positions,
                                        .normals_in = result.normals,
                                        .tangents_in = result.tangents,
                                        .positions_out = result.positions,
                                        .normals_out = result.normals,
                                        .tangents_out = result.tangents};
            if (skin && !primitive.influences.empty()) {
                deform_linear_blend(palette, {.influences = primitive.influences}, buffers);
            } else {
                deform_by_matrix(world_from_joint[static_cast<size_t>(instance.joint)].cast<float>(), buffers);
            }
        }
    }
    out.resize(count);
}

Pose pose_at(const Character& character, const Clip* clip, float time) {
    Pose pose = rest_pose(character);
    if (clip) sample(*clip, time, pose);
    return pose;
}

}  // namespace sinew
