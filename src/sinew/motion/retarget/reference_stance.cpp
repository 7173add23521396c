#include <sinew/motion/retarget/reference_stance.h>

#include <sinew/math/rotation.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

Quatd turn_about(const Vec3d& axis, double angle) {
    return Quatd(Eigen::AngleAxisd(angle, axis));
}

// The two bodies and the corrections found so far: world rotations to put in front of the reference rotations.
struct Aligner {
    const Body& source;
    const Body& target;
    Quatd m;
    std::array<Quatd, role_count> target_fix, source_fix;

    Aligner(const Body& s, const Body& t) : source(s), target(t), m(Mat3d(t.frame * s.frame.transpose())) {
        target_fix.fill(Quatd::Identity());
        source_fix.fill(Quatd::Identity());
    }
    static size_t i(Role role) { return static_cast<size_t>(role); }
    bool both(Role role) const { return source.map[role] >= 0 && target.map[role] >= 0; }
    static Vec3d between(const Body& body, Role from, Role to) {
        return body.reference.position[static_cast<size_t>(body.map[to])] -
               body.reference.position[static_cast<size_t>(body.map[from])];
    }
    // False when either body lacks one of the joints, or has both in one place.
    bool directions(Role from, Role to, Vec3d& from_source, Vec3d& from_target) const {
        if (!both(from) || !both(to)) return false;
        from_source = m * between(source, from, to);
        from_target = between(target, from, to);
        return from_source.norm() > 1e-6 * source.leg && from_target.norm() > 1e-6 * target.leg;
    }
    // Starts from the parent's correction and adds the shortest rotation that points the bone along the source's.
    void point(Role role, Role child, Role parent) {
        Vec3d s, t;
        target_fix[i(role)] = target_fix[i(parent)];
        if (directions(role, child, s, t))
            target_fix[i(role)] = shortest_rotation(target_fix[i(role)] * t, s) * target_fix[i(role)];
    }
};

void align_leg(Aligner& a, size_t side, const Vec3d& sole_up) {
    const auto roles = leg_roles(side);
    a.point(roles[0], roles[1], Role::hips);
    a.point(roles[1], roles[2], roles[0]);
    if (a.source.map[roles[2]] < 0 || a.target.map[roles[2]] < 0) {
        a.target_fix[Aligner::i(roles[2])] = a.target_fix[Aligner::i(roles[3])] = a.target_fix[Aligner::i(roles[1])];
        return;
    }
    // First both feet are laid flat, then the target's is turned to the source's heading.
    const Vec3d up = a.source.frame.col(1);
    Vec3d heading = a.source.feet[side].heading;
    const Quatd level = level_foot(a.source, side, sole_up);
    const Quatd target_level = level_foot(a.target, side, Vec3d::Zero());
    Vec3d aim = level * (a.source.feet[side].ball(a.source.reference) -
                         a.source.reference.position[static_cast<size_t>(a.source.feet[side].ankle)]);
    const double slope = std::abs(aim.dot(up));
    aim -= aim.dot(up) * up;
    if (aim.norm() > 0.5 * slope) heading = aim.normalized();
    const Quatd yaw = shortest_rotation(a.target.feet[side].heading, a.m * heading) * target_level;
    for (const Role role : {roles[2], roles[3]}) {
        a.source_fix[Aligner::i(role)] = level;
        a.target_fix[Aligner::i(role)] = yaw;
    }
}

void align_fingers(Aligner& a, size_t side) {
    const Role hand = arm_roles(side)[3];
    const size_t base = Aligner::i(side == 0 ? Role::left_thumb_metacarpal : Role::right_thumb_metacarpal);
    for (size_t finger = 0; finger < 5; ++finger) {
        for (size_t k = 0; k < 3; ++k) {
            const auto role = static_cast<Role>(base + 3 * finger + k);
            const Role parent = k == 0 ? hand : static_cast<Role>(base + 3 * finger + k - 1);
            if (k < 2)
                a.point(role, static_cast<Role>(base + 3 * finger + k + 1), parent);
            else
                a.target_fix[Aligner::i(role)] = a.target_fix[Aligner::i(parent)];
        }
    }
}

void align_arm(Aligner& a, size_t side) {
    const auto roles = arm_roles(side);
    a.point(roles[1], roles[2], Role::hips);
    a.point(roles[2], roles[3], roles[1]);
    const auto finger = [&](Role left, Role right) { return side == 0 ? left : right; };
    const Role index = finger(Role::left_index_proximal, Role::right_index_proximal);
    const Role middle = finger(Role::left_middle_proximal, Role::right_middle_proximal);
    const Role little = finger(Role::left_little_proximal, Role::right_little_proximal);
    a.point(roles[3], middle, roles[2]);
    // Palms face down in some rest poses, forwards in others; the knuckles show it. Hand and forearm share the roll.
    Vec3d s_along, t_along, s_across, t_across;
    if (a.directions(roles[3], middle, s_along, t_along) && a.directions(little, index, s_across, t_across)) {
        Quatd& fix = a.target_fix[Aligner::i(roles[3])];
        const Vec3d axis = s_along.normalized();
        const Vec3d from = fix * t_across - axis * axis.dot(fix * t_across), to = s_across - axis * axis.dot(s_across);
        const double roll = std::atan2(axis.dot(from.cross(to)), from.dot(to));
        fix = turn_about(axis, roll) * fix;
        Vec3d s, t;
        Quatd& forearm = a.target_fix[Aligner::i(roles[2])];
        if (a.directions(roles[2], roles[3], s, t)) forearm = turn_about(s.normalized(), 0.5 * roll) * forearm;
    }
    align_fingers(a, side);
}

// Every bone of the limbs is as long as the source's, scaled, and the trunk has the same shape: the target is
// the source turned and scaled, perhaps in another rest pose.
bool same_build(const Aligner& a, double scale) {
    constexpr double alike = 0.003;  // of a bone; more, and planted feet would slide by what steps differ
    const auto agree = [&](Role from, Role to, bool limb) {
        const auto has = [](const Body& body, Role r) { return body.map[r] >= 0; };
        if (has(a.source, to) != has(a.target, to) || has(a.source, from) != has(a.target, from)) return false;
        Vec3d s, t;
        if (!a.directions(from, to, s, t)) return true;
        return (limb ? std::abs(t.norm() - scale * s.norm()) : (t - scale * s).norm()) <= alike * t.norm();
    };
    bool same = agree(Role::hips, Role::spine, false) && agree(Role::hips, Role::head, false);
    for (size_t side = 0; side < 2; ++side) {
        const auto leg = leg_roles(side), arm = arm_roles(side);
        same = same && agree(Role::hips, leg[0], false) && agree(arm[0], arm[1], false);
        for (size_t i = 0; i + 1 < leg.size(); ++i) same = same && agree(leg[i], leg[i + 1], true);
        for (size_t i = 1; i + 1 < arm.size(); ++i) same = same && agree(arm[i], arm[i + 1], true);
    }
    return same;
}

// For bodies of one build: every bone points the way its twin does.
void align_twin(Aligner& a, size_t side) {
    const auto leg = leg_roles(side), arm = arm_roles(side);
    a.point(leg[0], leg[1], Role::hips);
    a.point(leg[1], leg[2], leg[0]);
    a.point(leg[2], leg[3], leg[1]);
    a.target_fix[Aligner::i(leg[3])] = a.target_fix[Aligner::i(leg[2])];
    a.point(arm[1], arm[2], Role::hips);
    a.point(arm[2], arm[3], arm[1]);
    a.point(arm[3], side == 0 ? Role::left_middle_proximal : Role::right_middle_proximal, arm[2]);
    align_fingers(a, side);
}

// Drives a chain of joints by a chain of another length: joint k takes the rotation at its share of the way along.
// `source_before` is the joint below both chains.
void drive_chain(const Aligner& a, const std::vector<int32_t>& from, const std::vector<int32_t>& to,
                 int32_t source_before, int32_t source_after, std::vector<Drive>& drives) {
    std::vector<int32_t> knots = {source_before};
    knots.insert(knots.end(), from.begin(), from.end());
    // A neck ends in the head; a spine ends in its own last joint.
    if (source_after >= 0) knots.push_back(source_after);
    const double last = static_cast<double>(knots.size() - 1);
    const double steps = static_cast<double>(to.size() + (source_after >= 0 ? 1 : 0));
    for (size_t k = 0; k < to.size(); ++k) {
        const double x = last * static_cast<double>(k + 1) / steps;
        const size_t low = std::min(static_cast<size_t>(x + 1e-9), knots.size() - 1);
        const size_t high = std::min(low + 1, knots.size() - 1);
        Drive drive;
        drive.target = to[k];
        drive.source_a = knots[low];
        drive.source_b = knots[high];
        drive.blend = std::max(0.0, x - static_cast<double>(low));
        drive.source_reference_a = a.source.reference.rotation[static_cast<size_t>(drive.source_a)];
        drive.source_reference_b = a.source.reference.rotation[static_cast<size_t>(drive.source_b)];
        drive.target_reference = a.target.reference.rotation[static_cast<size_t>(drive.target)];
        drives.push_back(drive);
    }
}

void drive_roles(const Aligner& a, std::vector<Drive>& drives) {
    for (size_t r = 0; r < role_count; ++r) {
        const auto role = static_cast<Role>(r);
        const bool on_trunk = role >= Role::spine && role <= Role::neck;
        if (on_trunk || !a.both(role)) continue;
        // Where the source has only one joint of a finger, it tells nothing about the finger.
        if (role >= Role::left_thumb_metacarpal) {
            const size_t finger = r - (r - Aligner::i(Role::left_thumb_metacarpal)) % 3;
            if (a.source.map.joint[finger + 1] < 0) continue;
        }
        Drive drive;
        drive.target = a.target.map[role];
        drive.source_a = drive.source_b = a.source.map[role];
        const Quatd source_rest = a.source.reference.rotation[static_cast<size_t>(drive.source_a)];
        drive.source_reference_a = drive.source_reference_b = a.source_fix[r] * source_rest;
        drive.target_reference = a.target_fix[r] * a.target.reference.rotation[static_cast<size_t>(drive.target)];
        drives.push_back(drive);
    }
}

}  // namespace

Quatd level_foot(const Body& body, size_t side, Vec3d sole_up) {
    const Vec3d up = body.frame.col(1), heading = body.feet[side].heading;
    if (sole_up.isZero()) {
        Vec3d leg = -Aligner::between(body, leg_roles(side)[0], leg_roles(side)[2]);
        leg -= leg.dot(body.frame.col(2)) * body.frame.col(2);
        const double splay = std::atan2(std::abs(leg.dot(body.frame.col(0))), leg.dot(up));
        if (splay < 0.2 || splay > 0.8) return Quatd::Identity();
        sole_up = leg.normalized();
    }
    const double roll = std::atan2(sole_up.dot(up.cross(heading)), sole_up.dot(up));
    const Quatd unroll = std::abs(roll) < 0.8 ? turn_about(heading, roll) : Quatd(Quatd::Identity());
    sole_up = unroll * sole_up;
    // Toes up while standing: the rest pose was not flat. Toes far down: the clip may be danced on tiptoe throughout.
    const double pitch = std::atan2(sole_up.dot(heading), sole_up.dot(up));
    if (pitch > 0.7 || pitch < -0.26) return unroll;
    return turn_about(up.cross(heading), -pitch) * unroll;
}

Alignment align(const Body& source, const Body& target, const std::array<Vec3d, 2>& sole_up) {
    Aligner a(source, target);
    Alignment result;
    result.target_from_source = a.m;
    result.scale = target.leg / source.leg;
    result.same_build = same_build(a, result.scale);
    for (size_t side = 0; side < 2; ++side) {
        if (result.same_build) {
            align_twin(a, side);
        } else {
            align_leg(a, side, sole_up[side]);
            align_arm(a, side);
        }
    }
    drive_roles(a, result.drives);
    const Trunk from = trunk_of(source.skeleton, source.map), to = trunk_of(target.skeleton, target.map);
    const int32_t hips = source.map[Role::hips];
    drive_chain(a, from.spine, to.spine, hips, -1, result.drives);
    const int32_t chest = from.spine.empty() ? hips : from.spine.back();
    drive_chain(a, from.neck, to.neck, chest, source.map[Role::head], result.drives);
    std::ranges::stable_sort(result.drives, {}, &Drive::target);  // of two for a joint the first one stays
    const auto same_target = [](const Drive& x, const Drive& y) { return x.target == y.target; };
    result.drives.erase(std::unique(result.drives.begin(), result.drives.end(), same_target), result.drives.end());
    return result;
}

}  // namespace sinew
