#include <sinew/ragdoll/control/tracking.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// Of a capsule about its centre, in its own frame, as a cylinder with round ends weighs in well enough.
Mat3d capsule_inertia(const RagdollPart& part) {
    const double r = part.radius, length = 2.0 * (part.half + r);
    const double across = part.mass * (r * r / 4.0 + length * length / 12.0), along = part.mass * r * r / 2.0;
    return Vec3d(across, along, across).asDiagonal();
}

Mat3d about_point(double mass, const Vec3d& away) {
    return mass * (away.squaredNorm() * Mat3d::Identity() - away * away.transpose());
}

}  // namespace

Vec3d turn_between(const Quatd& from, const Quatd& to) {
    Quatd by = to * from.conjugate();
    if (by.w() < 0.0) by.coeffs() *= -1.0;
    const double s = by.vec().norm();
    return s > 0.0 ? Vec3d(by.vec() * (2.0 * std::atan2(s, by.w()) / s)) : Vec3d(Vec3d::Zero());
}

PoseTracker::PoseTracker(const RagdollBody& body, const TrackingOptions& options)
    : options_(options), mass_(body.mass) {
    const std::vector<PartState> rest = parts_of_pose(body, {body.skeleton.rest(), {}});
    for (size_t i = 0; i < body.parts.size(); ++i) {
        const Vec3d pivot = rest[i].position - rest[i].rotation * body.parts[i].centre;
        std::vector<bool> below(body.parts.size(), false);
        Mat3d sum = Mat3d::Zero();
        for (size_t k = i; k < body.parts.size(); ++k) {
            const RagdollPart& part = body.parts[k];
            below[k] = k == i || (part.parent >= 0 && below[static_cast<size_t>(part.parent)]);
            if (!below[k]) continue;
            const Mat3d turn = (rest[k].rotation * part.turn).toRotationMatrix();
            sum += turn * capsule_inertia(part) * turn.transpose() + about_point(part.mass, rest[k].position - pivot);
        }
        const Mat3d frame = rest[i].rotation.toRotationMatrix();
        carried_.push_back(frame.transpose() * sum * frame);
        const Mat3d capsule = (rest[i].rotation * body.parts[i].turn).toRotationMatrix();
        const Mat3d own = capsule * capsule_inertia(body.parts[i]) * capsule.transpose() +
                          about_point(body.parts[i].mass, rest[i].position - pivot);
        ratio_.push_back((own.inverse() * sum).trace());  // at least the largest eigenvalue
    }
}

void PoseTracker::hold(RagdollWorld& world, size_t body, size_t part, const Quatd& relative, const Vec3d& relative_spin,
                       double strength) const {
    const auto p = static_cast<size_t>(world.body(body).parts[part].parent);
    const PartState &child = world.parts(body)[part], &parent = world.parts(body)[p];
    const double w = 2.0 * std::numbers::pi * options_.frequency;
    const Vec3d missing = turn_between(child.rotation, parent.rotation * relative);
    const Vec3d speed = child.spin - parent.spin - relative_spin;
    const Vec3d wanted = w * w * missing - 2.0 * options_.damping * w * speed;
    // A torque that is large against what it turns must not overshoot within a step: the gains of an implicit step.
    const double soft = 1.0 / (1.0 + 2.0 * options_.damping * w * world.step_seconds() * ratio_[part]);
    const Vec3d torque = soft * strength * (child.rotation * (carried_[part] * (child.rotation.conjugate() * wanted)));
    world.turn(body, part, torque), world.turn(body, p, -torque);
}

void PoseTracker::apply(RagdollWorld& world, size_t body, std::span<const PartState> target, double strength) const {
    const RagdollBody& rag = world.body(body);
    const double w_joint = 2.0 * std::numbers::pi * options_.frequency;
    constexpr double soon = 1e-3;  // seconds over which the target's rates are taken
    const auto later = [&](const PartState& p) {
        const double angle = p.spin.norm() * soon;
        return angle > 0.0 ? Quatd(Eigen::AngleAxisd(angle, p.spin.normalized()) * p.rotation) : p.rotation;
    };
    for (size_t i = 0; i < rag.parts.size(); ++i) {
        const RagdollPart& part = rag.parts[i];
        if (part.parent < 0) continue;
        const auto p = static_cast<size_t>(part.parent);
        const Vec3d wanted = joint_angles(part, target[p].rotation, target[i].rotation);
        const Vec3d rates = (joint_angles(part, later(target[p]), later(target[i])) - wanted) / soon;
        world.drive(body, i, w_joint * (wanted - world.angles(body, i)) + rates,
                    strength * w_joint * w_joint * carried_[i].trace());
    }
    if (!(options_.root > 0.0)) return;
    const double w = 2.0 * std::numbers::pi * options_.root;
    const PartState& root = world.parts(body)[0];
    const Vec3d pull = w * w * (target[0].position - root.position) - 2.0 * w * (root.velocity - target[0].velocity);
    const Vec3d turn = w * w * turn_between(root.rotation, target[0].rotation) - 2.0 * w * (root.spin - target[0].spin);
    const double stiff = 2.0 * w * world.step_seconds();
    const double soft_push = 1.0 / (1.0 + stiff * mass_ / rag.parts[0].mass),
                 soft_turn = 1.0 / (1.0 + stiff * ratio_[0]);
    world.push(body, 0, soft_push * strength * mass_ * pull, root.position);
    world.turn(body, 0, soft_turn * strength * (root.rotation * (carried_[0] * (root.rotation.conjugate() * turn))));
}

double worst_tracking_error(const RagdollBody& body, std::span<const PartState> parts,
                            std::span<const PartState> target) {
    double worst = 0.0;
    for (size_t i = 0; i < body.parts.size(); ++i) {
        if (body.parts[i].parent < 0) continue;
        const auto p = static_cast<size_t>(body.parts[i].parent);
        worst = std::max(worst, turn_between(parts[p].rotation.conjugate() * parts[i].rotation,
                                             target[p].rotation.conjugate() * target[i].rotation)
                                    .norm());
    }
    return worst;
}

}  // namespace sinew
