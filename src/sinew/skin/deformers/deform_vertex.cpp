#include <sinew/skin/deformers/deform_vertex.h>

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

}  // namespace

void check_sizes(const DeformBuffers& b) {
    SINEW_CHECK(b.positions_out.empty() || b.positions_out.size() == b.positions_in.size());
    SINEW_CHECK(b.normals_out.empty() || b.normals_out.size() == b.normals_in.size());
    SINEW_CHECK(b.tangents_out.empty() || b.tangents_out.size() == b.tangents_in.size());
}

void check_sizes(const DeformBinding& binding, const DeformBuffers& b) {
    check_sizes(b);
    SINEW_CHECK(binding.influences.vertex_count() == b.positions_in.size());
}

void deform_vertex(const Vec3& position, const Mat3& linear, const Mat3& sided, const DeformBuffers& b, size_t v) {
    if (!b.normals_out.empty() || !b.tangents_out.empty()) {
        const Mat3 cofactors = normal_matrix(linear);
        const float sign = sided.col(0).dot(sided.col(1).cross(sided.col(2))) < 0.0f ? -1.0f : 1.0f;
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
    if (!b.positions_out.empty()) b.positions_out[v] = position;
}

void deform_vertex(const Vec3& position, const Mat3& linear, const DeformBuffers& b, size_t v) {
    deform_vertex(position, linear, linear, b, v);
}

void deform_vertex(const Affine& matrix, const DeformBuffers& b, size_t v) {
    deform_vertex(matrix * b.positions_in[v], matrix.linear(), b, v);
}

void copy_vertex(const DeformBuffers& b, size_t v) {
    if (!b.positions_out.empty()) b.positions_out[v] = b.positions_in[v];
    if (!b.normals_out.empty()) b.normals_out[v] = b.normals_in[v];
    if (!b.tangents_out.empty()) b.tangents_out[v] = b.tangents_in[v];
}

Affine blend_matrices(std::span<const Affine> palette, std::span<const Influence> list) {
    Affine blended;
    blended.matrix().setZero();
    for (const Influence& influence : list) blended.matrix() += influence.weight * palette[influence.joint].matrix();
    return blended;
}

// |real| is never zero: after the signs are set, no term points away from the largest one.
BlendedMotion blend_motions(std::span<const JointMotion> motions, std::span<const Influence> list, const Vec3& point) {
    const Quat& pivot = motions[list.front().joint].rigid.real;
    DualQuat sum{Quat(0.0f, 0.0f, 0.0f, 0.0f), Quat(0.0f, 0.0f, 0.0f, 0.0f)};
    Mat3 stretch = Mat3::Zero();
    bool rigid = true;
    for (const Influence& influence : list) {
        const JointMotion& motion = motions[influence.joint];
        const float weight = pivot.dot(motion.rigid.real) < 0.0f ? -influence.weight : influence.weight;
        sum.real.coeffs() += weight * motion.rigid.real.coeffs();
        sum.dual.coeffs() += weight * motion.rigid.dual.coeffs();
        stretch += influence.weight * motion.stretch;
        if (motion.is_rigid) continue;
        rigid = false;
        sum.dual.coeffs() += weight * translation_dual(motion.residue * point, motion.rigid.real).coeffs();
    }
    BlendedMotion result{.rotation = sum.real.normalized(), .translation = translation_of(sum), .linear = {}};
    result.linear = result.rotation.toRotationMatrix();
    if (!rigid) result.linear = result.linear * stretch;
    return result;
}

}  // namespace sinew
