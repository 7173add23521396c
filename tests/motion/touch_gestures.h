// Gestures of the sample humanoid for the tests of motion/touch: made by inverse kinematics, checked against the
// deformed skin. Data flow: *here* → touch_test.cpp.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/ik/two_bone.h>
#include <sinew/math/interpolate.h>
#include <sinew/math/rotation.h>
#include <sinew/motion/clip_writer.h>
#include <sinew/motion/retarget.h>
#include <sinew/motion/retarget/motion_body.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace sinew::test {

// A rigged sample with what the tests ask of its skin.
struct SkinnedBody {
    Character character;
    HumanoidMap map;
    std::vector<SkinPoint> skin;
    std::vector<Role> vertex_role;  // of the joint that a vertex follows most

    const Mesh& mesh() const { return character.meshes[0].primitives[0].mesh; }
    // Skin in the pose that the world matrices of the joints give.
    std::vector<Vec3d> deform(const std::vector<AffineD>& world) const;
    std::vector<AffineD> world_at(const Clip& clip, float time) const;
};
SkinnedBody make_body(HumanoidBuild build);

enum class Gesture { hands_on_hips, clap, crossed_arms, hands_on_knees, face_palm };
inline constexpr std::array gestures = {Gesture::hands_on_hips, Gesture::clap, Gesture::crossed_arms,
                                        Gesture::hands_on_knees, Gesture::face_palm};
std::string name_of(Gesture gesture);
// Two seconds from standing into the gesture and back; held, or met three times in clapping. `times` lists moments at
// which the hands touch.
struct GestureClip {
    Clip clip;
    std::vector<float> times;
};
GestureClip make_gesture(const SkinnedBody& body, Gesture gesture);

// How far the skin of each hand is from what it should touch, in metres; 0 where it reaches into it. A hand that does
// not take part has 0.
std::array<double, 2> touch_gaps(const SkinnedBody& body, const std::vector<Vec3d>& skin, Gesture gesture);
// How deep the forearms and hands are in trunk, head and thighs, by winding number and distance to the skin.
double deepest(const SkinnedBody& body, const std::vector<Vec3d>& skin);

namespace gesture {

inline bool is_hand(Role role, size_t side) {
    const bool left = role >= Role::left_thumb_metacarpal && role <= Role::left_little_distal;
    const bool right = role > Role::left_little_distal && role != Role::count;
    return side == 0 ? left || role == Role::left_hand : right || role == Role::right_hand;
}

inline bool is_trunk(Role role) {
    return role == Role::hips || role == Role::spine || role == Role::chest || role == Role::upper_chest ||
           role == Role::left_shoulder || role == Role::right_shoulder;
}
inline bool is_head(Role role) {
    return role == Role::head || role == Role::neck;
}
inline bool is_leg(Role role) {
    return role == Role::left_upper_leg || role == Role::right_upper_leg || role == Role::left_lower_leg ||
           role == Role::right_lower_leg;
}

// What a hand touches in a gesture.
inline bool is_touched(Gesture gesture, size_t side, Role role) {
    switch (gesture) {
        case Gesture::hands_on_hips:
            return is_trunk(role) || is_leg(role);
        case Gesture::clap:
            return is_hand(role, 1 - side);
        case Gesture::crossed_arms:
            return role == (side == 0 ? Role::right_upper_arm : Role::left_upper_arm) ||
                   role == (side == 0 ? Role::right_lower_arm : Role::left_lower_arm);
        case Gesture::hands_on_knees:
            return is_leg(role);
        case Gesture::face_palm:
            return is_head(role);
    }
    return false;
}

inline double distance_to_triangle(const Vec3d& p, const Vec3d& a, const Vec3d& b, const Vec3d& c) {
    const Vec3d n = (b - a).cross(c - a);
    const auto inside = [&](const Vec3d& u, const Vec3d& v) { return (v - u).cross(p - u).dot(n) >= 0; };
    if (n.squaredNorm() > 0 && inside(a, b) && inside(b, c) && inside(c, a)) return std::abs((p - a).dot(n)) / n.norm();
    const auto to_edge = [&](const Vec3d& u, const Vec3d& v) {
        const double t = std::clamp((p - u).dot(v - u) / std::max(1e-20, (v - u).squaredNorm()), 0.0, 1.0);
        return (p - u - t * (v - u)).norm();
    };
    return std::min({to_edge(a, b), to_edge(b, c), to_edge(c, a)});
}

using Triangle = std::array<uint32_t, 3>;

// Triangles of which at least two corners are chosen.
template <class Chosen>
std::vector<Triangle> triangles_of(const SkinnedBody& body, const Chosen& chosen) {
    std::vector<Triangle> list;
    const auto& all = body.mesh().triangles;
    for (size_t t = 0; t < all.size(); t += 3) {
        int corners = 0;
        for (size_t k = 0; k < 3; ++k) corners += chosen(body.vertex_role[all[t + k]]);
        if (corners >= 2) list.push_back({all[t], all[t + 1], all[t + 2]});
    }
    return list;
}

inline double winding(const std::vector<Vec3d>& skin, const std::vector<Triangle>& triangles, const Vec3d& p) {
    double sum = 0;
    for (const Triangle& t : triangles) {
        const Vec3d a = skin[t[0]] - p, b = skin[t[1]] - p, c = skin[t[2]] - p;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        sum += std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return sum / (2 * 3.14159265358979323846);
}

inline double distance_to(const std::vector<Vec3d>& skin, const std::vector<Triangle>& triangles, const Vec3d& p,
                          double most) {
    double least = most;
    for (const Triangle& t : triangles) {
        const double edge = (skin[t[1]] - skin[t[0]]).norm() + (skin[t[2]] - skin[t[0]]).norm();
        if ((p - skin[t[0]]).norm() - edge > least) continue;
        least = std::min(least, distance_to_triangle(p, skin[t[0]], skin[t[1]], skin[t[2]]));
    }
    return least;
}

// A pose being built: world rotations since rest and the hips' way; the sample's joints are parallel to the world.
struct Posing {
    const SkinnedBody* body_pointer;
    std::vector<Quatd> turn;
    Vec3d hips_way = Vec3d::Zero();

    const SkinnedBody& body() const { return *body_pointer; }

    explicit Posing(const SkinnedBody& of) : body_pointer(&of), turn(of.character.skeleton.size(), Quatd::Identity()) {}
    size_t joint(Role role) const { return static_cast<size_t>(body().map[role]); }
    // Turns a joint and everything below it.
    void rotate(Role role, const Quatd& by) {
        std::vector<bool> below(turn.size(), false);
        below[joint(role)] = true;
        for (size_t j = 0; j < turn.size(); ++j) {
            const int32_t parent = body().character.skeleton.parents()[j];
            if (parent >= 0 && below[static_cast<size_t>(parent)]) below[j] = true;
            if (below[j]) turn[j] = by * turn[j];
        }
    }
    std::vector<Quatd> local() const {
        std::vector<Quatd> result = turn;
        for (size_t j = 0; j < turn.size(); ++j)
            if (const int32_t parent = body().character.skeleton.parents()[j]; parent >= 0)
                result[j] = turn[static_cast<size_t>(parent)].conjugate() * turn[j];
        return result;
    }
    std::vector<AffineD> world() const {
        std::vector<Transform> pose = body().character.skeleton.rest();
        const std::vector<Quatd> own = local();
        for (size_t j = 0; j < pose.size(); ++j) pose[j].rotation = own[j].cast<float>();
        pose[joint(Role::hips)].translation += hips_way.cast<float>();
        std::vector<AffineD> result(pose.size());
        local_to_world(body().character.skeleton.parents(), pose, result);
        return result;
    }
    void reach(const std::array<Role, 3>& limb, const Vec3d& target, const Vec3d& pole) {
        const auto now = world();
        const auto at = [&](size_t i) { return Vec3d(now[joint(limb[i])].translation()); };
        const auto solution = solve_two_bone({at(0), at(1), at(2)}, {.target = target, .pole = pole},
                                             {.straightest = 0.999, .tightest = 0.02});
        const Quatd tip = turn[joint(limb[2])];
        rotate(limb[0], solution.upper_turn);
        rotate(limb[1], solution.lower_turn);
        rotate(limb[2], tip * turn[joint(limb[2])].conjugate());
    }
};

constexpr double palm_from_wrist = 0.075;

struct HandPlan {
    Vec3d from, toward;     // the palm comes from here and goes there until the skins meet
    Vec3d fingers, inside;  // where the fingers and the inside of the hand point
    Vec3d elbow;
    bool used = true;
};

inline Vec3d mirrored(const Vec3d& v) {
    return {-v.x(), v.y(), v.z()};
}

inline Mat3d frame_of(const Vec3d& along, const Vec3d& inside) {
    Mat3d frame;
    frame.col(0) = along.normalized();
    frame.col(1) = (inside - frame.col(0) * frame.col(0).dot(inside)).normalized();
    frame.col(2) = frame.col(0).cross(frame.col(1));
    return frame;
}

inline void place_hand(Posing& pose, size_t side, const HandPlan& plan, const Vec3d& palm) {
    const auto roles = arm_roles(side);
    const auto rest = rest_world(pose.body().character.skeleton);
    const Vec3d fingers =
        (rest[pose.joint(side == 0 ? Role::left_middle_proximal : Role::right_middle_proximal)].translation() -
         rest[pose.joint(roles[3])].translation())
            .normalized();
    const Vec3d inward = (side == 0 ? -1.0 : 1.0) * Vec3d::UnitX();
    const Mat3d was = frame_of(fingers, inward - Vec3d::UnitY()), is = frame_of(plan.fingers, plan.inside);
    const Quatd hand(Mat3d(is * was.transpose()));
    pose.reach({roles[1], roles[2], roles[3]}, palm - palm_from_wrist * plan.fingers.normalized(), plan.elbow);
    pose.rotate(roles[3], hand * pose.turn[pose.joint(roles[3])].conjugate());
}

// Moves the hands in until their skin meets what they touch; both at once, so that they meet in the middle.
inline void close_in(Posing& pose, const std::array<HandPlan, 2>& plans, Gesture gesture) {
    const Posing before = pose;
    const auto posed = [&](const std::array<double, 2>& u) {
        Posing now = before;
        for (size_t side = 0; side < 2; ++side)
            if (plans[side].used)
                place_hand(now, side, plans[side],
                           plans[side].from + u[side] * (plans[side].toward - plans[side].from));
        return now;
    };
    constexpr double met = 0.004;
    std::array<double, 2> low = {0, 0}, high = {1, 1}, u = {0, 0};
    for (int round = 0; round < 9; ++round) {
        for (size_t side = 0; side < 2; ++side) u[side] = 0.5 * (low[side] + high[side]);
        const Posing now = posed(u);
        const auto gaps = touch_gaps(pose.body(), pose.body().deform(now.world()), gesture);
        for (size_t side = 0; side < 2; ++side) (gaps[side] > met ? low : high)[side] = u[side];
    }
    pose = posed(low);
}

inline Quatd pitch(double angle_deg) {
    return Quatd(Eigen::AngleAxisd(radians(angle_deg), Vec3d::UnitX()));
}

// Bent over with bent knees, feet where they were.
inline void crouch(Posing& pose) {
    const auto rest = rest_world(pose.body().character.skeleton);
    pose.hips_way = {0, -0.10, -0.16};
    pose.rotate(Role::hips, pitch(38));
    for (const Role role : {Role::spine, Role::chest, Role::upper_chest}) pose.rotate(role, pitch(8));
    pose.rotate(Role::neck, pitch(-30));
    for (size_t side = 0; side < 2; ++side) {
        const auto leg = leg_roles(side);
        pose.rotate(leg[0], pitch(-38));
        pose.reach({leg[0], leg[1], leg[2]}, rest[pose.joint(leg[2])].translation(), Vec3d::UnitZ());
    }
}

inline std::array<HandPlan, 2> both(const HandPlan& left) {
    return {left,
            {mirrored(left.from), mirrored(left.toward), mirrored(left.fingers), mirrored(left.inside),
             mirrored(left.elbow), left.used}};
}

inline Posing make_pose(const SkinnedBody& body, Gesture gesture) {
    Posing pose(body);
    switch (gesture) {
        case Gesture::hands_on_hips:
            close_in(pose, both({{0.34, 1.03, 0.02}, {0.0, 1.03, 0.02}, {-0.1, -0.35, 0.9}, {-1, 0, 0}, {1, 0, -0.5}}),
                     gesture);
            break;
        case Gesture::clap:
            close_in(pose, both({{0.2, 1.25, 0.36}, {-0.02, 1.25, 0.36}, {0, 0.6, 0.8}, {-1, 0, 0}, {0.6, -1, 0}}),
                     gesture);
            break;
        case Gesture::crossed_arms: {
            // First both forearms before the chest; then each hand closes on the other upper arm.
            const HandPlan left{{-0.14, 1.28, 0.24}, {-0.24, 1.25, 0.0}, {-1, 0.05, -0.25}, {0, 0, -1}, {1, -1, 0.3}};
            const HandPlan right{{0.14, 1.19, 0.24}, {0.24, 1.20, 0.0}, {1, 0.05, -0.25}, {0, 0, -1}, {-1, -1, 0.3}};
            place_hand(pose, 0, left, left.from);
            place_hand(pose, 1, right, right.from);
            close_in(pose, {left, right}, gesture);
            break;
        }
        case Gesture::hands_on_knees: {
            crouch(pose);
            const auto world = pose.world();
            const Vec3d knee = world[pose.joint(Role::left_lower_leg)].translation();
            const Vec3d above = knee + Vec3d(0.02, 0.10, 0.0);
            close_in(pose,
                     both({above + Vec3d(0.03, 0.16, 0.10),
                           above + Vec3d(0, -0.06, -0.04),
                           {0, -0.7, 0.7},
                           {0, -0.7, -0.7},
                           {1, 0.2, -0.3}}),
                     gesture);
            break;
        }
        case Gesture::face_palm: {
            std::array<HandPlan, 2> plans =
                both({{0.05, 1.60, 0.36}, {0.01, 1.63, 0.0}, {-0.35, 0.9, 0.15}, {0, 0.1, -1}, {0.6, -1, 0.3}});
            plans[1].used = false;
            close_in(pose, plans, gesture);
            break;
        }
    }
    return pose;
}

// How much of the gesture shows at a time, 0 to 1.
inline double share_at(Gesture gesture, double time) {
    if (gesture == Gesture::clap) return 0.5 * (1 - std::cos(2 * 3.14159265358979323846 * 1.5 * time));
    return smoothstep(time / 0.6) * smoothstep((2 - time) / 0.6);
}

}  // namespace gesture

inline std::vector<Vec3d> SkinnedBody::deform(const std::vector<AffineD>& world) const {
    std::vector<Vec3d> result(skin.size(), Vec3d::Zero());
    for (size_t v = 0; v < skin.size(); ++v)
        for (size_t k = 0; k < 4; ++k)
            if (skin[v].weight[k] > 0)
                result[v] += double{skin[v].weight[k]} *
                             (world[static_cast<size_t>(skin[v].joint[k])] * Vec3d(skin[v].place[k].cast<double>()));
    return result;
}

inline std::vector<AffineD> SkinnedBody::world_at(const Clip& clip, float time) const {
    Pose pose{character.skeleton.rest(), {}};
    sample(clip, time, pose);
    std::vector<AffineD> world(pose.local.size());
    local_to_world(character.skeleton.parents(), pose.local, world);
    return world;
}

inline SkinnedBody make_body(HumanoidBuild build) {
    SkinnedBody body{make_rigged_humanoid(build), {}, {}, {}};
    body.map = recognise_humanoid(body.character.skeleton);
    const std::vector<Role> roles = body.map.roles(body.character.skeleton.size());
    const Primitive& primitive = body.character.meshes[0].primitives[0];
    const Skin& skin = body.character.skins[0];
    for (size_t v = 0; v < primitive.mesh.vertex_count(); ++v) {
        SkinPoint point;
        size_t k = 0;
        for (const Influence& influence : primitive.influences.of(v)) {
            point.joint[k] = skin.joints[influence.joint];
            point.weight[k] = influence.weight;
            point.place[k++] = skin.inverse_bind[influence.joint] * primitive.mesh.positions[v];
        }
        body.skin.push_back(point);
        body.vertex_role.push_back(roles[static_cast<size_t>(point.joint[0])]);
    }
    return body;
}

inline std::string name_of(Gesture which) {
    constexpr std::array names = {"hands on hips", "clapping", "crossed arms", "hands on knees", "face-palm"};
    return names[static_cast<size_t>(which)];
}

inline GestureClip make_gesture(const SkinnedBody& body, Gesture which) {
    const gesture::Posing pose = gesture::make_pose(body, which);
    const std::vector<Quatd> held = pose.local();
    const Skeleton& skeleton = body.character.skeleton;
    GestureClip result{{name_of(which), {}, -1}, {}};
    constexpr int frames = 61;
    std::vector<float> times;
    std::vector<Vec3d> hips;
    const auto hip_joint = static_cast<size_t>(body.map[Role::hips]);
    for (int f = 0; f < frames; ++f) {
        times.push_back(static_cast<float>(f) / 30.0f);
        const double share = gesture::share_at(which, times.back());
        hips.push_back(skeleton.rest()[hip_joint].translation.cast<double>() + share * pose.hips_way);
        if (share > 0.9999) result.times.push_back(times.back());
    }
    for (size_t j = 0; j < skeleton.size(); ++j) {
        if (held[j].angularDistance(Quatd::Identity()) < 1e-9) continue;
        std::vector<Quatd> keys;
        for (const float time : times)
            keys.push_back(slerp(Quatd(Quatd::Identity()), held[j], gesture::share_at(which, time)));
        result.clip.tracks.push_back(rotation_track(static_cast<int32_t>(j), times, keys));
    }
    result.clip.tracks.push_back(translation_track(static_cast<int32_t>(hip_joint), times, hips));
    return result;
}

inline std::array<double, 2> touch_gaps(const SkinnedBody& body, const std::vector<Vec3d>& skin, Gesture which) {
    std::array<double, 2> gaps = {0, 0};
    for (size_t side = 0; side < (which == Gesture::face_palm ? 1u : 2u); ++side) {
        const auto triangles =
            gesture::triangles_of(body, [&](Role role) { return gesture::is_touched(which, side, role); });
        double least = 0.5;
        for (size_t v = 0; v < skin.size(); ++v)
            if (gesture::is_hand(body.vertex_role[v], side))
                least = gesture::distance_to(skin, triangles, skin[v], least);
        // A hand may have gone in: a corner that is inside touches.
        for (size_t v = 0; v < skin.size() && least > 0; ++v)
            if (gesture::is_hand(body.vertex_role[v], side) && least < 0.03 && v % 4 == 0 &&
                gesture::winding(skin, triangles, skin[v]) > 0.5)
                least = 0;
        gaps[side] = least;
    }
    return gaps;
}

inline double deepest(const SkinnedBody& body, const std::vector<Vec3d>& skin) {
    const auto triangles = gesture::triangles_of(
        body, [](Role role) { return gesture::is_trunk(role) || gesture::is_head(role) || gesture::is_leg(role); });
    Eigen::AlignedBox3d box;
    for (const gesture::Triangle& t : triangles) box.extend(skin[t[0]]);
    double depth = 0;
    for (size_t v = 0; v < skin.size(); ++v) {
        const Role role = body.vertex_role[v];
        const bool arm = role == Role::left_lower_arm || role == Role::right_lower_arm || gesture::is_hand(role, 0) ||
                         gesture::is_hand(role, 1);
        if (!arm || v % 2 != 0 || !box.contains(skin[v])) continue;
        if (gesture::winding(skin, triangles, skin[v]) > 0.5)
            depth = std::max(depth, gesture::distance_to(skin, triangles, skin[v], 0.5));
    }
    return depth;
}

}  // namespace sinew::test
