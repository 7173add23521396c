// What a person's joints can do, and how a person's mass is spread: tables by role, and the bones' directions at rest.
#include <sinew/ik/ik.h>

#include <sinew/math/rotation.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace sinew {
namespace {

// Ranges of motion in degrees, of healthy adults [AAOS1965]; where the book has none, the source stands beside.
constexpr double knee_flexion = 135, knee_beyond_straight = 5;
constexpr double elbow_flexion = 150, elbow_beyond_straight = 5;
constexpr double hip_flexion = 120, hip_extension = 30, hip_rotation = 45;
constexpr double shoulder_swing = 110,
                 shoulder_rotation = 90;  // of a cone about forwards and outwards: 180 up, 60 back, 75 across
constexpr double collar_swing = 30, collar_rotation = 15;  // [Ludewig2009]
constexpr double trunk_flexion = 80, trunk_extension = 30, trunk_rotation = 45;
constexpr double neck_swing = 45, neck_rotation = 60;
constexpr double wrist_swing = 70, forearm_rotation = 80;  // most rigs turn the forearm at the wrist
constexpr double ankle_plantar = 50, ankle_dorsal = 20, ankle_rotation = 20;
constexpr double toes_up = 70, toes_down = 45;

double rad(double angle_deg) {
    return angle_deg * std::numbers::pi / 180.0;
}

constexpr double same_direction = 1e-6;  // sine of the angle between two directions that span no plane
constexpr double clearly_bent = 0.17;    // radians, ten degrees: the bend of a rest pose that tells its axis

class Anatomy {
public:
    Anatomy(const HumanoidMap& map, const Skeleton& skeleton)
        : map_(map), skeleton_(skeleton), world_(rest_world(skeleton)) {
        const auto [left, right] = std::pair(map[Role::left_upper_leg], map[Role::right_upper_leg]);
        if (left >= 0 && right >= 0) left_ = place(left) - place(right);
        for (const Role top : {Role::spine, Role::head, Role::neck})
            if (map[top] >= 0 && map[Role::hips] >= 0) up_ = place(map[top]) - place(map[Role::hips]);
        left_ = left_.norm() > 0.0 ? Vec3d(left_.normalized()) : Vec3d(Vec3d::UnitX());
        ahead_ = left_.cross(up_);
        if (!(ahead_.norm() > same_direction * up_.norm())) left_ = Vec3d::UnitX(), ahead_ = Vec3d::UnitZ();
        ahead_.normalize();
    }

    std::vector<IkLimit> limits() && {
        add_trunk();
        for (const bool left : {true, false}) add_leg(left), add_arm(left);
        std::ranges::sort(limits_, {}, &IkLimit::joint);
        return std::move(limits_);
    }

private:
    Vec3d place(int32_t joint) const { return world_[static_cast<size_t>(joint)].translation(); }
    Quatd rest(int32_t joint) const {
        return skeleton_.rest()[static_cast<size_t>(joint)].rotation.cast<double>().normalized();
    }
    // A world direction in a joint's own frame.
    Vec3d own(int32_t joint, const Vec3d& direction) const {
        const Vec3d v = world_[static_cast<size_t>(joint)].linear().inverse() * direction;
        return v.norm() > 0.0 && v.allFinite() ? Vec3d(v.normalized()) : Vec3d(Vec3d::UnitY());
    }
    Vec3d bone(int32_t from, int32_t to, const Vec3d& otherwise) const {
        const Vec3d v = from >= 0 && to >= 0 ? Vec3d(place(to) - place(from)) : otherwise;
        return v.norm() > 0.0 ? Vec3d(v.normalized()) : otherwise;
    }
    static Role side(Role left_role, bool left) {
        // In VRM's order the four roles of a right limb follow the four of the left one.
        return left ? left_role : static_cast<Role>(static_cast<int>(left_role) + 4);
    }

    // A cone about `centre`, which the bone's direction at rest is turned to; the rest pose stays within.
    void add_cone(int32_t joint, const Vec3d& along, const Vec3d& centre, double swing, double twist) {
        if (joint < 0) return;
        const Vec3d bone_axis = own(joint, along);
        const Quatd tilt = shortest_rotation(bone_axis, own(joint, centre));
        const double at_rest = 2.0 * std::atan2(tilt.vec().norm(), std::abs(tilt.w()));
        limits_.push_back(
            {joint, rest(joint) * tilt,
             SwingTwistLimit{bone_axis, std::min(std::numbers::pi, std::max(swing, at_rest + same_direction)), -twist,
                             twist}});
    }
    // A hinge that bends by flexion from straight, about a world axis by the right-hand rule; `bent` is where it stands
    // at rest.
    void add_hinge(int32_t joint, const Vec3d& axis, double least, double most, double bent) {
        if (joint < 0) return;
        limits_.push_back({joint, rest(joint),
                           HingeLimit{own(joint, axis), std::min(0.0, least - bent), std::max(0.0, most - bent)}});
    }
    // The axis and the bend of the joint between two bones; a straight one bends towards `towards`.
    std::pair<Vec3d, double> bend_between(const Vec3d& upper, const Vec3d& lower, const Vec3d& towards) const {
        const Vec3d across = upper.cross(lower);
        const double bend = std::atan2(across.norm(), upper.dot(lower));
        const Vec3d usual = upper.cross(towards);
        Vec3d axis = usual.norm() > same_direction ? Vec3d(usual.normalized()) : left_;
        if (bend > clearly_bent && across.dot(axis) > 0.0) axis = across.normalized();
        return {axis, across.dot(axis) > 0.0 ? bend : 0.0};
    }

    void add_trunk() {
        const auto share = [&](std::initializer_list<Role> roles, const auto& add) {
            std::vector<int32_t> joints;
            for (const Role role : roles)
                if (map_[role] >= 0) joints.push_back(map_[role]);
            for (const int32_t joint : joints) add(joint, static_cast<double>(joints.size()));
        };
        share({Role::spine, Role::chest, Role::upper_chest}, [&](int32_t joint, double n) {
            const double forwards = rad(0.5 * (trunk_flexion - trunk_extension)) / n;
            const Vec3d centre = Quatd(Eigen::AngleAxisd(forwards, left_)) * up_;
            add_cone(joint, up_, centre, rad(0.5 * (trunk_flexion + trunk_extension)) / n, rad(trunk_rotation) / n);
        });
        share({Role::neck, Role::head},
              [&](int32_t joint, double n) { add_cone(joint, up_, up_, rad(neck_swing) / n, rad(neck_rotation) / n); });
    }

    void add_leg(bool is_left) {
        const int32_t hip = map_[side(Role::left_upper_leg, is_left)], knee = map_[side(Role::left_lower_leg, is_left)];
        const int32_t foot = map_[side(Role::left_foot, is_left)], toes = map_[side(Role::left_toes, is_left)];
        const Vec3d thigh = bone(hip, knee, -up_), shin = bone(knee, foot, thigh);
        const Quatd forwards(Eigen::AngleAxisd(-rad(0.5 * (hip_flexion - hip_extension)), left_));
        add_cone(hip, thigh, forwards * thigh, rad(0.5 * (hip_flexion + hip_extension)), rad(hip_rotation));
        const auto [axis, bent] = bend_between(thigh, shin, -ahead_);
        add_hinge(knee, axis, -rad(knee_beyond_straight), rad(knee_flexion), bent);
        const Vec3d sole = bone(foot, toes, ahead_);
        const Quatd pointed(Eigen::AngleAxisd(rad(0.5 * (ankle_plantar - ankle_dorsal)), left_));
        add_cone(foot, sole, pointed * sole, rad(0.5 * (ankle_plantar + ankle_dorsal)), rad(ankle_rotation));
        add_hinge(toes, left_, -rad(toes_up), rad(toes_down), 0.0);
    }

    void add_arm(bool is_left) {
        const int32_t collar = map_[side(Role::left_shoulder, is_left)],
                      shoulder = map_[side(Role::left_upper_arm, is_left)];
        const int32_t elbow = map_[side(Role::left_lower_arm, is_left)], hand = map_[side(Role::left_hand, is_left)];
        const Vec3d outwards = is_left ? left_ : Vec3d(-left_);
        const Vec3d upper = bone(shoulder, elbow, outwards), lower = bone(elbow, hand, upper);
        const Vec3d collar_bone = bone(collar, shoulder, outwards);
        add_cone(collar, collar_bone, collar_bone, rad(collar_swing), rad(collar_rotation));
        add_cone(shoulder, upper, outwards + ahead_, rad(shoulder_swing), rad(shoulder_rotation));
        const auto [axis, bent] = bend_between(upper, lower, ahead_);
        add_hinge(elbow, axis, -rad(elbow_beyond_straight), rad(elbow_flexion), bent);
        add_cone(hand, lower, lower, rad(wrist_swing), rad(forearm_rotation));
    }

    const HumanoidMap& map_;
    const Skeleton& skeleton_;
    std::vector<AffineD> world_;
    Vec3d left_ = Vec3d::UnitX(), up_ = Vec3d::UnitY(), ahead_ = Vec3d::UnitZ();
    std::vector<IkLimit> limits_;
};

// Segments of the body: share of its mass, and where along the bone its centre is [Winter2009, table 4.1].
struct Segment {
    Role from, to;
    double mass, centre;
};
constexpr std::array<Segment, 14> segments = {{
    {Role::hips, Role::chest, 0.497, 0.5},
    {Role::head, Role::count, 0.081, 0.0},
    {Role::left_upper_arm, Role::left_lower_arm, 0.028, 0.436},
    {Role::right_upper_arm, Role::right_lower_arm, 0.028, 0.436},
    {Role::left_lower_arm, Role::left_hand, 0.016, 0.430},
    {Role::right_lower_arm, Role::right_hand, 0.016, 0.430},
    {Role::left_hand, Role::count, 0.006, 0.0},
    {Role::right_hand, Role::count, 0.006, 0.0},
    {Role::left_upper_leg, Role::left_lower_leg, 0.100, 0.433},
    {Role::right_upper_leg, Role::right_lower_leg, 0.100, 0.433},
    {Role::left_lower_leg, Role::left_foot, 0.0465, 0.433},
    {Role::right_lower_leg, Role::right_foot, 0.0465, 0.433},
    {Role::left_foot, Role::count, 0.0145, 0.0},
    {Role::right_foot, Role::count, 0.0145, 0.0},
}};

}  // namespace

std::vector<IkLimit> anatomical_limits(const HumanoidMap& map, const Skeleton& skeleton) {
    return Anatomy(map, skeleton).limits();
}

std::vector<double> body_masses(const HumanoidMap& map, const Skeleton& skeleton) {
    std::vector<double> mass(skeleton.size(), 0.0);
    const auto joint_of = [&](Role role) {
        if (role == Role::count) return -1;
        if (role == Role::chest)  // rigs may call the top of the trunk so, or only have a spine
            for (const Role other : {Role::upper_chest, Role::chest, Role::spine})
                if (map[other] >= 0) return map[other];
        return map[role];
    };
    for (const Segment& segment : segments) {
        const int32_t from = joint_of(segment.from), to = joint_of(segment.to);
        if (from < 0) continue;
        const double at_end = to < 0 ? 0.0 : segment.centre;
        mass[static_cast<size_t>(from)] += segment.mass * (1.0 - at_end);
        if (to >= 0) mass[static_cast<size_t>(to)] += segment.mass * at_end;
    }
    const double sum = std::accumulate(mass.begin(), mass.end(), 0.0);
    if (sum > 0.0)
        for (double& m : mass) m /= sum;
    return mass;
}

}  // namespace sinew
