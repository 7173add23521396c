#include <sinew/ragdoll/control/walker.h>

#include <sinew/math/rotation.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Gains of a body of 70.4 kg and 1.75 m, N·m per radian and per radian a second; others by mass times height.
struct Gain {
    double stiff, damp;
};
constexpr Gain pelvis_gain{1000, 100}, chest_gain{300, 30}, swing_hip_gain{400, 40}, stance_knee_gain{400, 40},
    swing_knee_gain{240, 16}, stance_ankle_gain{80, 4}, swing_ankle_gain{32, 1};
constexpr double yaw_share = 0.1;         // of the gains about the vertical: a standing foot gives little hold
constexpr double most_yaw_torque = 40.0;  // N·m at the standing hip
constexpr double full_load =
    200.0;  // newtons under the foot from which on the standing hip pushes with all its strength
constexpr double strike_load = 60.0;   // newtons that end a step
constexpr double fallen_height = 0.6;  // of the pelvis, to where it stands
constexpr double fallen_tilt = 1.0;    // radians, of the chest
constexpr double capture_seconds =
    0.31;  // √(h / g): a mass this high over its foot, at this speed, comes to rest so far on
constexpr double least_swing = 0.15;  // seconds until a step may be ended early
// Seconds from which on a foot that touches the ground stands there, though it was to swing on: a body that is thrown
// aside sinks, and a foot that drags along below it trips it.
constexpr double touching_swing = 0.2;
constexpr double most_load = 12.0;                  // newtons for each kilogram of the body, that a foot presses with
constexpr double arm_out = 0.12, elbow_bend = 0.3;  // radians

Quatd about(double angle, const Vec3d& axis) {
    return Quatd(Eigen::AngleAxisd(angle, axis));
}

}  // namespace

Result<BalancedWalker> BalancedWalker::create(const RagdollBody& body, const WalkStyle& style) {
    BalancedWalker walker(body);
    walker.style_ = style;
    const auto need = [&](PartKind kind, Side side, size_t& out) {
        const int32_t part = body.find(kind, side);
        if (part >= 0) out = static_cast<size_t>(part);
        return part >= 0;
    };
    bool whole = body.person && need(PartKind::pelvis, Side::none, walker.pelvis_) &&
                 need(PartKind::chest, Side::none, walker.chest_);
    for (const size_t s : {0u, 1u}) {
        const Side side = s == 0 ? Side::left : Side::right;
        whole = whole && need(PartKind::upper_leg, side, walker.legs_[s].upper) &&
                need(PartKind::lower_leg, side, walker.legs_[s].lower) &&
                need(PartKind::foot, side, walker.legs_[s].foot);
        walker.arms_[s] = {body.find(PartKind::upper_arm, side), body.find(PartKind::lower_arm, side)};
    }
    if (!whole)
        return fail(ErrorCode::invalid_data,
                    "is no person with pelvis, spine, thighs, shins and feet that have skin, so it cannot walk");
    walker.limpness_ = {.joint_friction = 0.0, .friction = 1.0, .damping = 0.0};
    walker.strength_ = body.mass * body.height / (usual_mass * usual_height);
    walker.time_scale_ = std::sqrt(body.height / usual_height);
    // Standing straight: thighs and shins vertical, arms down, all else as at rest.
    std::vector<PartState> rest = parts_of_pose(body, {body.skeleton.rest(), {}});
    walker.upright_.resize(rest.size()), walker.places_.resize(rest.size());
    std::vector<Vec3d> pivot(rest.size());
    for (size_t i = 0; i < rest.size(); ++i) {
        const RagdollPart& part = body.parts[i];
        const Vec3d at = rest[i].position - rest[i].rotation * part.centre;
        Vec3d bone = rest[i].rotation * part.centre;
        for (size_t k = i + 1; k < rest.size(); ++k)
            if (body.parts[k].parent == static_cast<int32_t>(i))
                bone = rest[k].position - rest[k].rotation * body.parts[k].centre - at;
        const double out = part.side == Side::left ? 1.0 : -1.0;
        Quatd by = Quatd::Identity();
        if (part.kind == PartKind::upper_leg || part.kind == PartKind::lower_leg)
            by = shortest_rotation(bone, -body.up);
        if (part.kind == PartKind::upper_arm) by = shortest_rotation(bone, -body.up + arm_out * out * body.left);
        if (part.kind == PartKind::lower_arm)
            by = shortest_rotation(bone, -body.up + 0.5 * arm_out * out * body.left + elbow_bend * body.ahead);
        walker.upright_[i] = (by * rest[i].rotation).normalized();
        pivot[i] = at;
        if (part.parent >= 0) {
            const auto p = static_cast<size_t>(part.parent);
            const Vec3d in_parent = rest[p].rotation.conjugate() * (at - rest[p].position);
            pivot[i] = walker.places_[p] + walker.upright_[p] * in_parent;
        }
        walker.places_[i] = pivot[i] + walker.upright_[i] * part.centre;
    }
    double lowest = INFINITY;
    for (size_t i = 0; i < rest.size(); ++i)
        for (const Vec3d& ball : body.parts[i].balls)
            lowest = std::min(lowest,
                              (walker.places_[i] + walker.upright_[i] * ball).dot(body.up) - body.parts[i].ball_radius);
    if (!std::isfinite(lowest)) return fail(ErrorCode::invalid_data, "has feet without skin, so it cannot stand");
    Vec3d middle = Vec3d::Zero();
    for (size_t i = 0; i < rest.size(); ++i) middle += body.parts[i].mass / body.mass * walker.places_[i];
    const Vec3d shift = -middle + (middle.dot(body.up) - lowest) * body.up;
    for (Vec3d& place : walker.places_) place += shift;
    for (const size_t s : {0u, 1u}) {
        const RagdollPart& foot = body.parts[walker.legs_[s].foot];
        for (const Vec3d& ball : foot.balls) {
            const Vec3d at = walker.upright_[walker.legs_[s].foot] * (foot.centre + ball);
            walker.toe_ = std::max(walker.toe_, at.dot(body.ahead));
            walker.heel_ = std::max(walker.heel_, -at.dot(body.ahead));
            walker.half_sole_ = std::max(walker.half_sole_, std::abs(at.dot(body.left)));
        }
    }
    walker.pelvis_height_ = walker.places_[walker.pelvis_].dot(body.up);
    return walker;
}

std::vector<PartState> BalancedWalker::stand(const Vec3d& at, double heading, double speed) const {
    std::vector<PartState> parts(places_.size());
    const Quatd turn = about(heading, body_.up);
    for (size_t i = 0; i < parts.size(); ++i) {
        parts[i].position = at + turn * places_[i];
        parts[i].rotation = turn * upright_[i];
        parts[i].velocity = speed * (turn * body_.ahead);
    }
    return parts;
}

void BalancedWalker::advance(const RagdollWorld& world, size_t body, const Vec3d& capture, const Vec3d& ahead,
                             const Vec3d& left) {
    since_ += world.step_seconds();
    const double forwards = capture.dot(ahead), outwards = capture.dot(left) * (stance_ == 0 ? 1.0 : -1.0);
    const bool falls =
        forwards > style_.hurry_ahead || -forwards > style_.hurry_behind || outwards > style_.hurry_aside;
    const double least = falls ? least_swing : style_.dwell;
    if (!coming_down_ && since_ >= least * time_scale_) coming_down_ = true;
    const bool strikes = world.load(body, legs_[1 - stance_].foot) >= strike_load * body_.mass / usual_mass;
    if (!strikes || (!coming_down_ && since_ < touching_swing * time_scale_)) return;
    stance_ = 1 - stance_, since_ = 0.0, coming_down_ = false;
    ++steps_;
}

// A mass over its foot keeps v² − (d/T)²: its speed over the foot, which only a push or the foot itself changes. Where
// that is not the usual, the foot presses more with its toes or its heel, as far as it reaches; sideways likewise.
void BalancedWalker::press(RagdollWorld& world, size_t body, const Vec3d& from_foot, const Vec3d& speed,
                           const Vec3d& ahead, const Vec3d& left) const {
    const double size = body_.height / usual_height, out = stance_ == 0 ? 1.0 : -1.0;
    const double v = speed.dot(ahead), d = from_foot.dot(ahead) / capture_seconds;
    const double over = v * v - d * d, over_foot = std::copysign(std::sqrt(std::abs(over)), over);
    const double aside = out * (from_foot + capture_seconds * speed).dot(left) - style_.usual_aside;
    const double forwards = std::clamp(size * style_.press_ahead * (over_foot - style_.usual_speed), -heel_, toe_);
    const double outwards = std::clamp(size * style_.press_aside * aside, -half_sole_, half_sole_);
    const size_t foot = legs_[stance_].foot;
    const double load = std::min(world.load(body, foot), most_load * body_.mass);
    const Vec3d torque = load * (forwards * left - out * outwards * ahead);
    world.turn(body, foot, torque), world.turn(body, legs_[stance_].lower, -torque);
}

void BalancedWalker::hold_arms(RagdollWorld& world, size_t body, double stride) const {
    for (const size_t s : {0u, 1u}) {
        if (arms_[s].upper < 0) continue;
        const auto upper = static_cast<size_t>(arms_[s].upper);
        const auto chest = static_cast<size_t>(body_.parts[upper].parent);
        const double swing = style_.arms * (s == 0 ? -stride : stride);
        const Quatd target = about(-swing, body_.left) * upright_[upper];
        tracker_.hold(world, body, upper, upright_[chest].conjugate() * target, Vec3d::Zero());
        if (arms_[s].lower < 0) continue;
        const auto lower = static_cast<size_t>(arms_[s].lower);
        tracker_.hold(world, body, lower, upright_[upper].conjugate() * upright_[lower], Vec3d::Zero());
    }
    for (size_t i = 0; i < body_.parts.size(); ++i) {
        if (body_.parts[i].kind != PartKind::head && body_.parts[i].kind != PartKind::tail) continue;
        const auto p = static_cast<size_t>(body_.parts[i].parent);
        tracker_.hold(world, body, i, upright_[p].conjugate() * upright_[i], Vec3d::Zero());
    }
}

void BalancedWalker::apply(RagdollWorld& world, size_t body, double heading) {
    const std::vector<PartState>& parts = world.parts(body);
    const Quatd turn = about(heading, body_.up);
    const Vec3d left = turn * body_.left, ahead = turn * body_.ahead, up = body_.up;
    Vec3d middle = Vec3d::Zero(), velocity = Vec3d::Zero();
    for (size_t i = 0; i < parts.size(); ++i) {
        middle += body_.parts[i].mass / body_.mass * parts[i].position;
        velocity += body_.parts[i].mass / body_.mass * parts[i].velocity;
    }
    // Lengths in heights and speeds in their own, so that bodies of all sizes are alike.
    const double size = body_.height / usual_height;
    const Vec3d speed = velocity / (size / time_scale_);
    const auto from_ankle = [&](size_t part) {
        const PartState& foot = parts[part];
        return Vec3d((middle - (foot.position - foot.rotation * body_.parts[part].centre)) / size);
    };
    advance(world, body, from_ankle(legs_[stance_].foot) + capture_seconds * speed, ahead, left);
    const Leg &stance = legs_[stance_], &swing = legs_[1 - stance_];
    const Vec3d from_foot = from_ankle(stance.foot);

    const auto pd = [&](size_t part, const Quatd& target, Gain gain) {
        Vec3d torque = strength_ * (gain.stiff * turn_between(parts[part].rotation, target) -
                                    gain.damp * time_scale_ * parts[part].spin);
        return Vec3d(torque - (1.0 - yaw_share) * torque.dot(up) * up);
    };
    const auto knee = [&](size_t part, double target, Gain gain) {
        const RagdollPart& shin = body_.parts[part];
        const auto p = static_cast<size_t>(shin.parent);
        const Vec3d axis = parts[part].rotation * (shin.frame * Vec3d::UnitX());
        const double angle = world.angles(body, part).x();
        const double rate = (parts[part].spin - parts[p].spin).dot(axis);
        const Vec3d torque = strength_ * (gain.stiff * (target - angle) - gain.damp * time_scale_ * rate) * axis;
        world.turn(body, part, torque), world.turn(body, p, -torque);
    };
    const auto ankle = [&](size_t part, double toes_up, Gain gain) {
        const auto p = static_cast<size_t>(body_.parts[part].parent);
        const Quatd relative = upright_[p].conjugate() * about(-toes_up, body_.left) * upright_[part];
        const Vec3d torque =
            strength_ * (gain.stiff * turn_between(parts[part].rotation, parts[p].rotation * relative) -
                         gain.damp * time_scale_ * (parts[part].spin - parts[p].spin));
        world.turn(body, part, torque), world.turn(body, p, -torque);
    };

    const WalkStyle& s = style_;
    const double hip = (coming_down_ ? s.swing_hip_b : s.swing_hip_a) +
                       (coming_down_ ? s.place_b : s.place_a) * from_foot.dot(ahead) +
                       (coming_down_ ? s.speed_b : s.speed_a) * speed.dot(ahead);
    const double to_swing = stance_ == 0 ? -1.0 : 1.0;
    const double aside = s.side_place * from_foot.dot(left) + s.side_speed * speed.dot(left);
    const double side = to_swing * std::clamp(to_swing * aside, -s.most_cross, s.most_wide);
    const Gain swinging{s.swing_force * swing_hip_gain.stiff, std::sqrt(s.swing_force) * swing_hip_gain.damp};
    const Vec3d swing_torque =
        pd(swing.upper, turn * about(-hip, body_.left) * about(side, body_.ahead) * upright_[swing.upper], swinging);
    const double beyond = (from_foot + capture_seconds * speed).dot(left) + to_swing * s.usual_aside;
    const Vec3d chest_torque = pd(
        chest_, turn * about(s.lean, body_.left) * about(-s.sway * beyond, body_.ahead) * upright_[chest_], chest_gain);
    const Vec3d pelvis_torque = pd(pelvis_, turn * about(s.pelvis_pitch, body_.left) * upright_[pelvis_], pelvis_gain);
    // The standing hip makes the pelvis' net torque what it should be, as far as the ground carries it.
    Vec3d stance_torque = -(pelvis_torque + swing_torque + chest_torque);
    const double yaw = stance_torque.dot(up), most = most_yaw_torque * strength_;
    stance_torque += (std::clamp(yaw, -most, most) - yaw) * up;
    stance_torque *= std::clamp(world.load(body, stance.foot) / (full_load * body_.mass / usual_mass), 0.0, 1.0);
    world.turn(body, swing.upper, swing_torque), world.turn(body, pelvis_, -swing_torque);
    world.turn(body, chest_, chest_torque), world.turn(body, pelvis_, -chest_torque);
    world.turn(body, stance.upper, stance_torque), world.turn(body, pelvis_, -stance_torque);

    knee(swing.lower, coming_down_ ? s.swing_knee_b : s.swing_knee_a, swing_knee_gain);
    knee(stance.lower, coming_down_ ? s.stance_knee_b : s.stance_knee_a, stance_knee_gain);
    ankle(swing.foot, s.swing_ankle, swing_ankle_gain);
    ankle(stance.foot, coming_down_ ? s.stance_ankle_b : s.stance_ankle_a, stance_ankle_gain);
    press(world, body, from_foot, speed, ahead, left);
    // Arms swing with the other side's leg.
    const auto forward_of = [&](size_t leg) {
        return (parts[legs_[leg].foot].position - parts[pelvis_].position).dot(ahead) / (0.5 * body_.height);
    };
    hold_arms(world, body, 2.0 * (forward_of(0) - forward_of(1)));
}

bool BalancedWalker::fallen(const RagdollWorld& world, size_t body) const {
    const std::vector<PartState>& parts = world.parts(body);
    const double stands = parts[pelvis_].position.dot(body_.up) - std::min(parts[legs_[0].foot].position.dot(body_.up),
                                                                           parts[legs_[1].foot].position.dot(body_.up));
    const Vec3d spine = parts[chest_].rotation * (upright_[chest_].conjugate() * body_.up);
    return !(stands > fallen_height * pelvis_height_) || !(spine.dot(body_.up) > std::cos(fallen_tilt));
}

double BalancedWalker::yaw(const RagdollWorld& world, size_t body, double heading) const {
    const Vec3d looks = world.parts(body)[pelvis_].rotation * (upright_[pelvis_].conjugate() * body_.ahead);
    const Quatd turn = about(heading, body_.up);
    return std::atan2(looks.dot(turn * body_.left), looks.dot(turn * body_.ahead));
}

}  // namespace sinew
