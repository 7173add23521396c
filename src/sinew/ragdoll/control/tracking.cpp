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
        const Mat3d own = rest[i].rotation.toRotationMatrix();
        carried_.push_back(own.transpose() * sum * own);
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
    const Vec3d torque = strength * (child.rotation * (carried_[part] * (child.rotation.conjugate() * wanted)));
    world.turn(body, part, torque), world.turn(body, p, -torque);
}

void PoseTracker::apply(RagdollWorld& world, size_t body, std::span<const PartState> target, double strength) const {
    const RagdollBody& rag = world.body(body);
    for (size_t i = 0; i < rag.parts.size(); ++i) {
        if (rag.parts[i].parent < 0) continue;
        const auto p = static_cast<size_t>(rag.parts[i].parent);
        const Quatd to_now = world.parts(body)[p].rotation * target[p].rotation.conjugate();
        hold(world, body, i, target[p].rotation.conjugate() * target[i].rotation,
             to_now * Vec3d(target[i].spin - target[p].spin), strength);
    }
    if (!(options_.root > 0.0)) return;
    const double w = 2.0 * std::numbers::pi * options_.root;
    const PartState& root = world.parts(body)[0];
    const Vec3d pull = w * w * (target[0].position - root.position) - 2.0 * w * (root.velocity - target[0].velocity);
    const Vec3d turn = w * w * turn_between(root.rotation, target[0].rotation) - 2.0 * w * (root.spin - target[0].spin);
    world.push(body, 0, strength * mass_ * pull, root.position);
    world.turn(body, 0, strength * (root.rotation * (carried_[0] * (root.rotation.conjugate() * turn))));
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
