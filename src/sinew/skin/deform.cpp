#include <sinew/skin/deform.h>

#include <sinew/core/check.h>
#include <cmath>

namespace sinew {
namespace {

// A direction that a singular matrix crushed keeps its old value rather than becoming NaN.
Vec3 unit_or(const Vec3& v, const Vec3& fallback) {
    const float length = v.norm();
    return length > 0.0f && std::isfinite(length) ? Vec3(v / length) : fallback;
}

// The cofactor matrix is det(M) times the inverse transpose, exists for singular matrices too, and needs no division;
// its sign is that of det(M), so a mirroring matrix must not turn the normal inside out.
Mat3 normal_matrix(const Mat3& m) {
    Mat3 cofactors;
    cofactors.col(0) = m.col(1).cross(m.col(2));
    cofactors.col(1) = m.col(2).cross(m.col(0));
    cofactors.col(2) = m.col(0).cross(m.col(1));
    return cofactors;
}

// One vertex by one matrix: shared by all deformers that end in a matrix per vertex.
void deform_vertex(const Affine& matrix, const DeformBuffers& b, size_t v) {
    if (!b.normals_out.empty() || !b.tangents_out.empty()) {
        const Mat3 linear = matrix.linear();
        const Mat3 cofactors = normal_matrix(linear);
        const float sign = linear.col(0).dot(cofactors.col(0)) < 0.0f ? -1.0f : 1.0f;
        if (!b.normals_out.empty()) {
            const Vec3 normal = b.normals_in[v];
            b.normals_out[v] = unit_or(sign * (cofactors * normal), normal);
        }
        if (!b.tangents_out.empty()) {
            const Vec4 tangent = b.tangents_in[v];
            const Vec3 direction = tangent.head<3>();
            b.tangents_out[v].head<3>() = unit_or(linear * direction, direction);
            b.tangents_out[v].w() = sign * tangent.w();
        }
    }
    if (!b.positions_out.empty()) b.positions_out[v] = matrix * b.positions_in[v];
}

void check_sizes(const DeformBuffers& b) {
    SINEW_CHECK(b.positions_out.empty() || b.positions_out.size() == b.positions_in.size());
    SINEW_CHECK(b.normals_out.empty() || b.normals_out.size() == b.normals_in.size());
    SINEW_CHECK(b.tangents_out.empty() || b.tangents_out.size() == b.tangents_in.size());
}

void copy_vertex(const DeformBuffers& b, size_t v) {
    if (!b.positions_out.empty()) b.positions_out[v] = b.positions_in[v];
    if (!b.normals_out.empty()) b.normals_out[v] = b.normals_in[v];
    if (!b.tangents_out.empty()) b.tangents_out[v] = b.tangents_in[v];
}

}  // namespace

void make_palette(const Skin& skin, std::span<const AffineD> world_from_joint, std::span<Affine> world_from_bind) {
    SINEW_CHECK(world_from_bind.size() == skin.joints.size() && skin.inverse_bind.size() == skin.joints.size());
    for (size_t i = 0; i < skin.joints.size(); ++i) {
        const AffineD bind = skin.inverse_bind[i].cast<double>();
        world_from_bind[i] = (world_from_joint[static_cast<size_t>(skin.joints[i])] * bind).cast<float>();
    }
}

void deform_rigid(const Affine& world_from_mesh, const DeformBuffers& buffers) {
    check_sizes(buffers);
    for (size_t v = 0; v < buffers.positions_in.size(); ++v) deform_vertex(world_from_mesh, buffers, v);
}

void deform_linear_blend(std::span<const Affine> world_from_bind, const Influences& influences,
                         const DeformBuffers& buffers) {
    check_sizes(buffers);
    SINEW_CHECK(influences.vertex_count() == buffers.positions_in.size());
    for (size_t v = 0; v < influences.vertex_count(); ++v) {
        const std::span<const Influence> list = influences.of(v);
        if (list.empty()) {
            copy_vertex(buffers, v);
            continue;
        }
        Affine blended;
        blended.matrix().setZero();
        for (const Influence& influence : list) {
            blended.matrix() += influence.weight * world_from_bind[influence.joint].matrix();
        }
        deform_vertex(blended, buffers, v);
    }
}

}  // namespace sinew
