#include <sinew/skin/deformers/bend_twist.h>
#include <sinew/skin/deformers/centre_influences.h>
#include <sinew/skin/deformers/delta_mush.h>
#include <sinew/skin/deformers/weight_gradients.h>
#include <sinew/skin/skinning.h>
#include <algorithm>

namespace sinew {

struct MeshDeformer::Prepared {
    SkinnedMesh mesh;
    MeshDeformerOptions options;
    std::vector<SkinBone> bones;
    BendTwist bend_twist;
    WeightGradients gradients;
    Centres centres;
    Influences centre_influences;
    DeltaMush mush;
};

MeshDeformer::MeshDeformer(const SkinnedMesh& mesh, const MeshDeformerOptions& options) {
    Prepared p{.mesh = mesh, .options = options};
    if (options.skinning >= Skinning::bulge_free) p.bones = make_bones(mesh.skin, mesh.joint_parents);
    if (options.skinning == Skinning::bend_twist) p.bend_twist = make_bend_twist(mesh.influences, p.bones);
    if (options.skinning == Skinning::centres_of_rotation) {
        const SkinnedSurface surface{mesh.influences, mesh.positions, mesh.triangles};
        p.centres = find_centres_of_rotation({&surface, 1});
        p.centre_influences = centre_influences(mesh.influences, p.centres.points, p.centres.radii, p.bones);
    }
    if (options.skinning == Skinning::linear_blend && options.surface_normals)
        p.gradients = find_weight_gradients(mesh.influences, mesh.positions, mesh.triangles);
    if (options.delta_mush > 0)
        p.mush = make_delta_mush(mesh.influences, mesh.positions, mesh.triangles, options.delta_mush);
    prepared_ = std::make_unique<const Prepared>(std::move(p));
}

MeshDeformer::~MeshDeformer() = default;
MeshDeformer::MeshDeformer(MeshDeformer&&) noexcept = default;

void MeshDeformer::deform(std::span<const Affine> world_from_bind, const DeformBuffers& buffers) const {
    const Prepared& p = *prepared_;
    const bool keep_detail = p.options.delta_mush > 0;
    // A morphed shape has detail of its own. Found before anything is written: in and out may be the same memory.
    std::vector<Vec3> deltas;
    if (keep_detail && !std::ranges::equal(buffers.positions_in, p.mesh.positions))
        deltas = find_deltas(p.mush, buffers.positions_in);

    DeformBinding binding{.influences = p.mesh.influences,
                          .bones = p.bones,
                          .bend_twist = &p.bend_twist,
                          .centres = p.centres.points,
                          .centre_influences = &p.centre_influences};
    if (!p.gradients.point_of.empty()) binding.gradients = &p.gradients;
    deformer(p.options.skinning)(world_from_bind, binding, buffers);
    if (!keep_detail) return;

    const auto mirrors = [](const Affine& m) { return m.linear().determinant() < 0.0f; };
    const auto mirrored = static_cast<size_t>(std::ranges::count_if(world_from_bind, mirrors));
    const DeformBuffers in_place{buffers.positions_out, buffers.normals_out, buffers.tangents_out,
                                 buffers.positions_out, buffers.normals_out, buffers.tangents_out};
    apply_delta_mush(p.mush, {.deltas = deltas, .mirrored = 2 * mirrored > world_from_bind.size()}, in_place);
}

}  // namespace sinew
