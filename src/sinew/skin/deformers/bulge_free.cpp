#include <sinew/core/check.h>
#include <sinew/math/segment.h>
#include <sinew/skin/deformers/deform_vertex.h>
#include <sinew/skin/deformers/skin_bones.h>
#include <algorithm>

namespace sinew {
namespace {

// The distance of a point from a segment, with its first and second derivatives.
struct Distance {
    float value = 0.0f;
    Vec3 direction = Vec3::Zero();  // from the segment to the point: the gradient
    Mat3 curvature = Mat3::Zero();
};

Distance distance_from(const Vec3& head, const Vec3& tail, const Vec3& point) {
    const Vec3 along = tail - head;
    const float at = place_on_line(point, head, tail);
    const Vec3 offset = point - (head + std::clamp(at, 0.0f, 1.0f) * along);
    Distance d;
    d.value = offset.norm();
    if (!(d.value > 0.0f)) return d;
    d.direction = offset / d.value;
    d.curvature = Mat3::Identity() - d.direction * d.direction.transpose();
    if (at > 0.0f && at < 1.0f) d.curvature -= along * along.transpose() / along.squaredNorm();
    d.curvature /= d.value;
    return d;
}

}  // namespace

// The paper measures from the bone of the largest weight and pulls the vertex straight back. Here each bone counts by
// its squared weight, so that nothing jumps where another bone becomes the largest:
//   p' = y − E g,   E = max(0, Σ ωᵢ (dᵢ(y) − dᵢ(Mᵢ p))),   g = Σ ωᵢ ∇dᵢ(y),
// where y is the dual quaternion result and dᵢ the distance from bone i where it is now.
void deform_bulge_free(std::span<const Affine> palette, const DeformBinding& binding, const DeformBuffers& buffers) {
    SINEW_CHECK(binding.bones.size() == palette.size());
    const std::vector<JointMotion> motions = take_apart(palette);
    std::vector<Vec3> heads, tails;
    for (size_t j = 0; j < palette.size(); ++j) {
        heads.push_back(palette[j] * binding.bones[j].head);
        tails.push_back(palette[j] * binding.bones[j].tail);
    }
    for_each_blended(palette, binding, buffers, [&](size_t v, std::span<const Influence> list) {
        const Vec3 point = buffers.positions_in[v];
        const BlendedMotion motion = blend_motions(motions, list, point);
        const Vec3 moved = motion * point;
        float squares = 0.0f, bulge = 0.0f;
        for (const Influence& influence : list) squares += influence.weight * influence.weight;
        Vec3 gradient = Vec3::Zero(), rest_gradient = Vec3::Zero();
        Mat3 curvature = Mat3::Zero();
        for (const Influence& influence : list) {
            const size_t j = influence.joint;
            const float share = influence.weight * influence.weight / squares;
            const Distance now = distance_from(heads[j], tails[j], moved);
            const Distance rest = distance_from(heads[j], tails[j], palette[j] * point);
            bulge += share * (now.value - rest.value);
            gradient += share * now.direction;
            curvature += share * now.curvature;
            rest_gradient += share * (palette[j].linear().transpose() * rest.direction);
        }
        if (!(bulge > 0.0f)) return deform_vertex(moved, motion.linear, buffers, v);
        const Vec3 growth = motion.linear.transpose() * gradient - rest_gradient;  // ∇E
        const Mat3 linear = motion.linear - bulge * curvature * motion.linear - gradient * growth.transpose();
        deform_vertex(moved - bulge * gradient, linear, buffers, v);
    });
}

}  // namespace sinew
