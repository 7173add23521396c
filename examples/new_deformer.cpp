// New deformer: write your own way to bend a skin, and compare it with Sinew's. A deformer is a function that takes a
// palette (one matrix per joint), a binding (who follows whom) and buffers (vertices in, vertices out).
#include <sinew/sinew.h>
#include <sinew/skin/deform.h>
#include <cstdio>

// Linear blending loses volume at a bend, dual quaternions bulge there. Mixing them half and half is a known remedy.
void deform_half_and_half(std::span<const sinew::Affine> palette, const sinew::DeformBinding& binding,
                          const sinew::DeformBuffers& buffers) {
    std::vector<sinew::Vec3> linear(buffers.positions_in.size());
    sinew::deform_linear_blend(palette, binding, {.positions_in = buffers.positions_in, .positions_out = linear});
    sinew::deform_dual_quaternion(palette, binding, buffers);  // also deforms normals and tangents, if there are any
    for (size_t v = 0; v < linear.size(); ++v) buffers.positions_out[v] = 0.5f * (buffers.positions_out[v] + linear[v]);
}

// The sum of the tetrahedra between the origin and each triangle.
double volume(const std::vector<sinew::Vec3>& positions, const std::vector<uint32_t>& triangles) {
    double sum = 0.0;
    for (size_t i = 0; i < triangles.size(); i += 3)
        sum += positions[triangles[i]].dot(positions[triangles[i + 1]].cross(positions[triangles[i + 2]])) / 6.0;
    return sum;
}

int main() {
    const sinew::Character arm = sinew::make_arm();
    const sinew::Primitive& primitive = arm.meshes[0].primitives[0];
    const sinew::Skin& skin = arm.skins[0];

    // Bend the elbow by 100 degrees.
    sinew::Pose pose = sinew::rest_pose(arm);
    pose.local[static_cast<size_t>(arm.skeleton.find("lowerArm"))].rotation =
        sinew::Quat(Eigen::AngleAxisf(sinew::radians(100.0f), sinew::Vec3::UnitZ()));
    std::vector<sinew::AffineD> world_from_joint(arm.skeleton.size());
    sinew::local_to_world(arm.skeleton.parents(), pose.local, world_from_joint);
    std::vector<sinew::Affine> palette(skin.joints.size());
    sinew::make_palette(skin, world_from_joint, palette);

    const double rest = volume(primitive.mesh.positions, primitive.mesh.triangles);
    std::vector<sinew::Vec3> bent(primitive.mesh.vertex_count());
    const auto measure = [&](const char* name, sinew::Deformer& deformer) {
        deformer(palette, {.influences = primitive.influences},
                 {.positions_in = primitive.mesh.positions, .positions_out = bent});
        std::printf("%-15s keeps %.1f%% of the volume\n", name, 100.0 * volume(bent, primitive.mesh.triangles) / rest);
    };
    measure("linear blend", sinew::deform_linear_blend);
    measure("half and half", deform_half_and_half);
    measure("dual quaternion", sinew::deform_dual_quaternion);
}
// Prints:
// linear blend    keeps 94.9% of the volume
// half and half   keeps 97.2% of the volume
// dual quaternion keeps 99.9% of the volume
