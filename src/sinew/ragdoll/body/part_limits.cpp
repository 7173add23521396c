// What each joint of a ragdoll may do: a frame and three ranges by the part's kind. x bends, y leans, z is the bone.
#include <sinew/math/rotation.h>
#include <sinew/ragdoll/body/part_plan.h>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

// Ranges in degrees: bend, lean to the right (mirrored on the right side: outwards is towards the first number), twist.
// Of people after [AAOS1965]; a limp body stops a little before. Of animals: about the pose they stand in.
struct KindRange {
    double bend_low, bend_high, lean_low, lean_high, twist;
};
KindRange range_of(PartKind kind) {
    switch (kind) {
        case PartKind::waist:
            return {-12, 30, -12, 12, 15};
        case PartKind::chest:
            return {-15, 35, -15, 15, 20};
        case PartKind::head:
            return {-40, 40, -30, 30, 50};
        case PartKind::upper_arm:
            return {-80, 80, -60, 60, 60};
        case PartKind::lower_arm:
            return {-2, 140, -3, 3, 40};
        case PartKind::hand:
            return {-50, 50, -20, 20, 20};
        case PartKind::upper_leg:
            return {-20, 110, -45, 20, 30};
        case PartKind::lower_leg:
            return {-2, 135, -3, 3, 5};
        case PartKind::foot:
            return {-40, 25, -12, 12, 15};
        case PartKind::trunk:
            return {-15, 15, -15, 15, 10};
        case PartKind::neck:
            return {-35, 35, -25, 25, 20};
        case PartKind::tail:
            return {-35, 35, -35, 35, 15};
        case PartKind::limb_root:
            return {-45, 45, -20, 15, 12};
        default:
            return {-40, 40, -5, 5, 5};
    }
}
constexpr double clearly_bent = 0.17;  // radians: a rest pose bent by more tells the joint's axis itself
constexpr double rest_margin = 0.02;   // radians: the rest pose is within the limits
constexpr double widest_lean = 1.45;   // beyond, bend and twist are one thing
constexpr double nothing = 1e-9;       // of a length

double rad(double angle_deg) {
    return angle_deg * std::numbers::pi / 180.0;
}

// A frame whose z is `along` and whose x is as near to `across` as can be.
Quatd frame_of(const Vec3d& along, const Vec3d& across) {
    const Vec3d z = along.normalized();
    Vec3d x = across - across.dot(z) * z;
    if (!(x.norm() > nothing)) x = z.unitOrthogonal();
    x.normalize();
    Mat3d axes;
    axes << x, z.cross(x), z;
    return Quatd(axes).normalized();
}

class LimitSetter {
public:
    LimitSetter(RagdollBody& body, std::span<const AffineD> world) : body_(body), world_(world) {}

    void set(size_t index) {
        RagdollPart& part = body_.parts[index];
        const RagdollPart& parent = body_.parts[static_cast<size_t>(part.parent)];
        const Vec3d along = bone(static_cast<int32_t>(index));
        Vec3d straight = along, across = body_.left;  // the bone where all angles are 0, and the axis that bends it
        choose(part, along, straight, across);
        const Quatd zero = frame_of(straight, across);
        const Quatd at_rest = (shortest_rotation(straight, along) * zero).normalized();
        const Quatd parent_rotation = rotation_at_rest(parent), rotation = rotation_at_rest(part);
        part.parent_frame = parent_rotation.conjugate() * zero;
        part.frame = rotation.conjugate() * at_rest;
        const KindRange r = range_of(part.kind);
        const bool mirrored = part.side == Side::right;
        part.low = {rad(r.bend_low), rad(mirrored ? -r.lean_high : r.lean_low), rad(-r.twist)};
        part.high = {rad(r.bend_high), rad(mirrored ? -r.lean_low : r.lean_high), rad(r.twist)};
        const Vec3d now = joint_angles(part, parent_rotation, rotation);
        part.low = part.low.cwiseMin(now - Vec3d::Constant(rest_margin));
        part.high = part.high.cwiseMax(now + Vec3d::Constant(rest_margin));
        part.low.y() = std::max(part.low.y(), -widest_lean), part.high.y() = std::min(part.high.y(), widest_lean);
    }

private:
    Quatd rotation_at_rest(const RagdollPart& part) const {
        return rotation_of(world_[static_cast<size_t>(part.joint)]);
    }
    Vec3d place(const RagdollPart& part) const { return world_[static_cast<size_t>(part.joint)].translation(); }

    // From a part's joint to that of the part it carries; where it carries none or several, along its capsule.
    Vec3d bone(int32_t index) const {
        const RagdollPart& part = body_.parts[static_cast<size_t>(index)];
        Vec3d to = Vec3d::Zero();
        int carried = 0;
        for (const RagdollPart& child : body_.parts)
            if (child.parent == index) to += place(child) - place(part), ++carried;
        if (carried != 1 || !(to.norm() > nothing)) to = rotation_at_rest(part) * part.centre;
        return to.norm() > nothing ? to : Vec3d(-body_.up);
    }

    void choose(const RagdollPart& part, const Vec3d& along, Vec3d& straight, Vec3d& across) const {
        const Vec3d out = part.side == Side::right ? Vec3d(-body_.left) : body_.left;
        const Vec3d upper = bone(part.parent);
        switch (part.kind) {
            case PartKind::waist:
            case PartKind::chest:
            case PartKind::head:
                straight = body_.up, across = body_.left;
                break;
            case PartKind::upper_leg:
                straight = -body_.up, across = -body_.left;
                break;
            case PartKind::lower_leg:
                straight = upper, across = hinge(upper, along, -body_.ahead);
                break;
            case PartKind::lower_arm:
                straight = upper, across = hinge(upper, along, body_.ahead);
                break;
            case PartKind::hand:
                straight = upper, across = upper.cross(body_.ahead);
                break;
            case PartKind::foot:
                straight = along, across = -body_.left;
                break;
            case PartKind::upper_arm:
                straight = 0.8 * out + 0.5 * body_.ahead - 0.5 * body_.up, across = body_.up.cross(straight);
                break;
            default:
                break;
        }
    }
    // The axis about which `upper` bends towards `towards`.
    static Vec3d hinge(const Vec3d& upper, const Vec3d& lower, const Vec3d& towards) {
        const Vec3d usual = upper.cross(towards), seen = upper.cross(lower);
        const double bend = std::atan2(seen.norm(), upper.dot(lower));
        return bend > clearly_bent && seen.dot(usual) > 0.0 ? seen : usual;
    }

    RagdollBody& body_;
    std::span<const AffineD> world_;
};

}  // namespace

void set_part_limits(RagdollBody& body, std::span<const AffineD> world) {
    LimitSetter setter(body, world);
    for (size_t i = 0; i < body.parts.size(); ++i)
        if (body.parts[i].parent >= 0) setter.set(i);
}

}  // namespace sinew
