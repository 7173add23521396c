#include <sinew/io/fbx/transform_chain.h>
#include <algorithm>
#include <cmath>

namespace sinew::fbx {
namespace {

constexpr double radian = 3.14159265358979323846 / 180.0;  // per degree

// Which axis turns first, second and third.
constexpr int axes_of_order[6][3] = {{0, 1, 2}, {0, 2, 1}, {1, 2, 0}, {1, 0, 2}, {2, 0, 1}, {2, 1, 0}};

Quatd about(int axis, double angle) {
    return Quatd(Eigen::AngleAxisd(angle, Vec3d::Unit(axis)));
}

}  // namespace

Quatd rotation_from_degrees(const Vec3d& angles, RotationOrder order) {
    const int* axes = axes_of_order[size_t(order)];
    Quatd result = Quatd::Identity();
    for (int i = 0; i < 3; ++i) result = about(axes[i], angles[axes[i]] * radian) * result;
    return result;
}

Vec3d degrees_from_rotation(const Quatd& rotation, RotationOrder order) {
    const auto [i, j, k] = std::to_array(axes_of_order[size_t(order)]);
    const Mat3d m = rotation.normalized().toRotationMatrix();
    const double sign = (j - i + 3) % 3 == 1 ? 1.0 : -1.0;  // of an even permutation
    Vec3d angles;
    const double sine = std::clamp(-sign * m(k, i), -1.0, 1.0);
    constexpr double locked = 1 - 1e-12;  // beyond it the other two turn about the same axis
    angles[j] = std::asin(sine);
    if (std::abs(sine) < locked) {
        angles[i] = std::atan2(sign * m(k, j), m(k, k));
        angles[k] = std::atan2(sign * m(j, i), m(i, i));
    } else {
        angles[i] = 0;
        angles[k] = std::atan2(-sign * m(i, j), m(j, j));
    }
    return angles / radian;
}

Placement TransformChain::place(const LocalValues& values) const {
    Placement result;
    result.rotation = pre_rotation * rotation_from_degrees(values.rotation, order) * post_rotation_inverse;
    result.scale = values.scaling;
    const Vec3d scaled_pivot = values.scaling.cwiseProduct(scaling_pivot);
    result.translation = values.translation + rotation_offset + rotation_pivot +
                         result.rotation * (scaling_offset + scaling_pivot - scaled_pivot - rotation_pivot);
    return result;
}

TransformChain chain_of(const Object& model) {
    const Vec3d zero = Vec3d::Zero();
    TransformChain chain;
    // Without this switch the node turns about its plain axes, whatever else the file says of its rotation.
    if (model.integer("RotationActive", 1) != 0 && model.integer("RotationSpaceForLimitOnly", 0) == 0) {
        const int64_t order = model.integer("RotationOrder", 0);
        if (order >= 0 && order < 6) chain.order = RotationOrder(order);
        chain.pre_rotation = rotation_from_degrees(model.vector("PreRotation", zero), RotationOrder::xyz);
        chain.post_rotation_inverse =
            rotation_from_degrees(model.vector("PostRotation", zero), RotationOrder::xyz).conjugate();
    }
    chain.rotation_offset = model.vector("RotationOffset", zero);
    chain.rotation_pivot = model.vector("RotationPivot", zero);
    chain.scaling_offset = model.vector("ScalingOffset", zero);
    chain.scaling_pivot = model.vector("ScalingPivot", zero);
    return chain;
}

LocalValues rest_values(const Object& model) {
    return {model.vector("Lcl Translation", Vec3d::Zero()), model.vector("Lcl Rotation", Vec3d::Zero()),
            model.vector("Lcl Scaling", Vec3d::Ones())};
}

AffineD geometric_transform(const Object& model) {
    Placement placement;
    placement.translation = model.vector("GeometricTranslation", Vec3d::Zero());
    placement.rotation = rotation_from_degrees(model.vector("GeometricRotation", Vec3d::Zero()), RotationOrder::xyz);
    placement.scale = model.vector("GeometricScaling", Vec3d::Ones());
    return placement.matrix();
}

}  // namespace sinew::fbx
