// Poses as parts and parts as poses; the angles of a part's joint.
#include <sinew/core/random.h>
#include <sinew/ragdoll/body/part_plan.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {

Quatd rotation_of(const AffineD& world) {
    Mat3d axes = world.linear();
    if (axes.determinant() < 0.0) axes = -axes;
    for (int k = 0; k < 3; ++k) {
        const double length = axes.col(k).norm();
        axes.col(k) = length > 0.0 ? Vec3d(axes.col(k) / length) : Vec3d(Vec3d::Unit(k));
    }
    return Quatd(axes).normalized();
}

int32_t RagdollBody::find(PartKind kind, Side side) const {
    for (size_t i = 0; i < parts.size(); ++i)
        if (parts[i].kind == kind && (side == Side::none || parts[i].side == side)) return static_cast<int32_t>(i);
    return -1;
}

Vec3d joint_angles(const RagdollPart& part, const Quatd& parent_rotation, const Quatd& rotation) {
    const Mat3d m = ((parent_rotation * part.parent_frame).conjugate() * (rotation * part.frame)).toRotationMatrix();
    // m = Rx Ry Rz: its last column and first row hold the sines.
    return {std::atan2(-m(1, 2), m(2, 2)), std::asin(std::clamp(m(0, 2), -1.0, 1.0)), std::atan2(-m(0, 1), m(0, 0))};
}

Quatd rotation_for_angles(const RagdollPart& part, const Quatd& parent_rotation, const Vec3d& a) {
    const Quatd turned(Eigen::AngleAxisd(a.x(), Vec3d::UnitX()) * Eigen::AngleAxisd(a.y(), Vec3d::UnitY()) *
                       Eigen::AngleAxisd(a.z(), Vec3d::UnitZ()));
    return (parent_rotation * part.parent_frame * turned * part.frame.conjugate()).normalized();
}

std::vector<PartState> parts_of_pose(const RagdollBody& body, const Pose& pose) {
    std::vector<AffineD> world(body.skeleton.size());
    local_to_world(body.skeleton.parents(), pose.local, world);
    std::vector<PartState> parts(body.parts.size());
    for (size_t i = 0; i < parts.size(); ++i) {
        const AffineD& w = world[static_cast<size_t>(body.parts[i].joint)];
        parts[i].rotation = rotation_of(w);
        parts[i].position = w.translation() + parts[i].rotation * body.parts[i].centre;
    }
    return parts;
}

std::vector<PartState> parts_of_pose(const RagdollBody& body, const Pose& before, const Pose& pose, double seconds) {
    const std::vector<PartState> last = parts_of_pose(body, before);
    std::vector<PartState> parts = parts_of_pose(body, pose);
    if (!(seconds > 0.0)) return parts;
    for (size_t i = 0; i < parts.size(); ++i) {
        parts[i].velocity = (parts[i].position - last[i].position) / seconds;
        Quatd by = parts[i].rotation * last[i].rotation.conjugate();
        if (by.w() < 0.0) by.coeffs() *= -1.0;
        const Eigen::AngleAxisd turn(by);
        parts[i].spin = turn.axis() * (turn.angle() / seconds);
    }
    return parts;
}

void pose_of_parts(const RagdollBody& body, std::span<const PartState> parts, Pose& pose) {
    const auto& parents = body.skeleton.parents();
    std::vector<AffineD> world(parents.size());
    size_t next = 0;  // parts are in order of joints
    for (size_t j = 0; j < parents.size(); ++j) {
        const AffineD above = parents[j] < 0 ? AffineD::Identity() : world[static_cast<size_t>(parents[j])];
        if (next < parts.size() && body.parts[next].joint == static_cast<int32_t>(j)) {
            const PartState& part = parts[next];
            Transform& local = pose.local[j];
            local.rotation = (rotation_of(above).conjugate() * part.rotation).normalized().cast<float>();
            if (body.parts[next].parent < 0)
                local.translation =
                    (above.inverse() * Vec3d(part.position - part.rotation * body.parts[next].centre)).cast<float>();
            ++next;
        }
        world[j] = above * to_affine_d(pose.local[j]);
    }
}

Pose random_ragdoll_pose(const RagdollBody& body, uint64_t seed, double share) {
    Random random(seed);
    Pose pose{body.skeleton.rest(), {}};
    std::vector<PartState> parts = parts_of_pose(body, pose);
    for (size_t i = 0; i < parts.size(); ++i) {
        const RagdollPart& part = body.parts[i];
        if (part.parent < 0) {
            const double z = random.uniform(-1.0, 1.0), about = random.uniform(0.0, 2.0 * std::numbers::pi);
            const double across = std::sqrt(1.0 - z * z);
            const Vec3d axis(across * std::cos(about), across * std::sin(about), z);
            parts[i].rotation =
                Quatd(Eigen::AngleAxisd(random.uniform(0.0, std::numbers::pi), axis)) * parts[i].rotation;
            continue;
        }
        Vec3d angles;
        for (int k = 0; k < 3; ++k)
            angles[k] = 0.5 * (part.low[k] + part.high[k]) +
                        0.5 * share * random.uniform(-1.0, 1.0) * (part.high[k] - part.low[k]);
        parts[i].rotation = rotation_for_angles(part, parts[static_cast<size_t>(part.parent)].rotation, angles);
    }
    pose_of_parts(body, parts, pose);
    return pose;
}

}  // namespace sinew
