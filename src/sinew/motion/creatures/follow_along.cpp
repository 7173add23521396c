#include <sinew/motion/creatures/follow_along.h>

#include <sinew/clip/clip.h>
#include <sinew/math/interpolate.h>
#include <sinew/math/rotation.h>
#include <sinew/motion/clip_writer.h>
#include <sinew/skeleton/joint_name.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace sinew {
namespace {

// A joint of the tail follows its parent with this time constant, in seconds, and the whole tail swings this many
// times as far as the hips. Chosen by eye.
constexpr double lag_seconds = 0.10, exaggerate = 2.5;
// Twice through the clip: after the first time the tail of a loop has forgotten how it began.
constexpr int rounds = 2;

// An extra arm hangs this much farther out than the arm above it, in radians, and swings this much less. Chosen by eye:
// the two do not touch.
constexpr double farther_out = 0.3, swings_less = 0.8;

// The hips' rotation at each key.
std::vector<Quatd> hip_rotations(const Skeleton& skeleton, int32_t hips, const std::vector<float>& times,
                                 const Clip& clip) {
    Pose pose{skeleton.rest(), {}};
    std::vector<AffineD> world(skeleton.size());
    std::vector<Quatd> rotations;
    for (const float time : times) {
        sample(clip, time, pose);
        local_to_world(skeleton.parents(), pose.local, world);
        rotations.emplace_back(world[static_cast<size_t>(hips)].rotation());
    }
    return rotations;
}

// The joints of an arm that turn: upper, lower, hand; −1: none.
using ArmJoints = std::array<int32_t, 3>;

bool says_extra(std::string name) {
    std::ranges::transform(name, name.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return name.find("extra") != std::string::npos;
}

// The extra arms of a side, by their names: a chain from each joint that is called an extra upper arm.
std::vector<ArmJoints> extra_arms(const Skeleton& skeleton, Side side) {
    std::vector<ArmJoints> arms;
    const auto children = children_of(skeleton.parents());
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const std::string& name = skeleton.names()[j];
        const JointName parsed = parse_joint_name(name);
        if (parsed.side != side || parsed.part != BodyPart::upper_arm || !says_extra(name)) continue;
        ArmJoints arm = {static_cast<int32_t>(j), -1, -1};
        for (size_t k = 1; k < 3; ++k) {
            const auto& below = children[static_cast<size_t>(arm[k - 1])];
            if (below.empty()) break;
            arm[k] = below.front();
        }
        if (arm[1] >= 0) arms.push_back(arm);
    }
    return arms;
}

// How a joint has turned from its rest, in world axes, seen from another that has turned too.
Quatd turn_seen_from(const std::vector<AffineD>& rest, const std::vector<AffineD>& now, int32_t from, int32_t joint) {
    const auto turned = [&](int32_t j) {
        const auto k = static_cast<size_t>(j);
        return Quatd(Mat3d(now[k].rotation() * rest[k].rotation().transpose()));
    };
    return (from < 0 ? Quatd::Identity() : turned(from).conjugate()) * turned(joint);
}

struct ArmLead {
    int32_t chest = -1;
    ArmJoints arm = {-1, -1, -1};
};

// What the arm of a side does at each key: its upper part seen from the chest, its lower part seen from the upper.
struct ArmSwing {
    std::vector<Quatd> upper, lower;
    Quatd mean = Quatd::Identity();
};

ArmSwing watch_arm(const ArmLead& lead, const std::vector<AffineD>& rest,
                   const std::vector<std::vector<AffineD>>& frames) {
    ArmSwing swing;
    Eigen::Vector4d sum = Eigen::Vector4d::Zero();
    for (const std::vector<AffineD>& now : frames) {
        swing.upper.push_back(turn_seen_from(rest, now, lead.chest, lead.arm[0]));
        swing.lower.push_back(turn_seen_from(rest, now, lead.arm[0], lead.arm[1]));
        const Eigen::Vector4d q = swing.upper.back().coeffs();
        sum += q.dot(swing.upper.front().coeffs()) < 0.0 ? Eigen::Vector4d(-q) : q;
    }
    if (sum.norm() > 0.0) swing.mean = Quatd(sum / sum.norm());
    return swing;
}

// A turn in the world's axes at rest as the local rotation of a joint.
Quatd local_of(const Skeleton& skeleton, const std::vector<AffineD>& rest, int32_t joint, const Quatd& turn) {
    const int32_t parent = skeleton.parents()[static_cast<size_t>(joint)];
    const Quatd frame(rest[static_cast<size_t>(parent)].rotation());
    return frame.conjugate() * turn * frame * skeleton.rest()[static_cast<size_t>(joint)].rotation.cast<double>();
}

}  // namespace

void follow_with_extra_arms(const Skeleton& skeleton, const HumanoidMap& roles, Clip& clip) {
    if (clip.tracks.empty() || !roles.is_body()) return;
    const std::vector<AffineD> rest = rest_world(skeleton);
    std::vector<float> times;
    std::vector<std::vector<AffineD>> frames;
    const auto at = [&](int32_t joint) { return Vec3d(rest[static_cast<size_t>(joint)].translation()); };
    for (const bool left : {true, false}) {
        const ArmLead lead{
            .chest =
                skeleton.parents()[static_cast<size_t>(roles[left ? Role::left_upper_arm : Role::right_upper_arm])],
            .arm = {roles[left ? Role::left_upper_arm : Role::right_upper_arm],
                    roles[left ? Role::left_lower_arm : Role::right_lower_arm], -1}};
        for (const ArmJoints& arm : extra_arms(skeleton, left ? Side::left : Side::right)) {
            if (std::ranges::any_of(clip.tracks, [&](const Track& t) { return t.target == arm[0]; })) continue;
            if (frames.empty()) {
                times = std::ranges::max_element(clip.tracks, {}, [](const Track& t) { return t.times.size(); })->times;
                Pose pose{skeleton.rest(), {}};
                for (const float time : times) {
                    sample(clip, time, pose);
                    frames.emplace_back(skeleton.size());
                    local_to_world(skeleton.parents(), pose.local, frames.back());
                }
            }
            const ArmSwing swing = watch_arm(lead, rest, frames);
            const Vec3d own = at(arm[1]) - at(arm[0]), led = swing.mean * (at(lead.arm[1]) - at(lead.arm[0]));
            // Lifted about the way ahead, which is across both the way to this side and up.
            Vec3d side = at(lead.arm[0]) - at(roles[left ? Role::right_upper_arm : Role::left_upper_arm]);
            const Vec3d ahead = side.cross(led).normalized();
            const Vec3d hanging =
                Eigen::AngleAxisd(-farther_out, ahead.allFinite() ? ahead : Vec3d(Vec3d::UnitZ())) * led;
            const Quatd down = shortest_rotation(own, hanging);
            std::vector<Quatd> upper, lower;
            for (size_t i = 0; i < times.size(); ++i) {
                const Quatd swung = Quatd::Identity().slerp(swings_less, swing.upper[i] * swing.mean.conjugate());
                upper.push_back(local_of(skeleton, rest, arm[0], swung * down));
                // The elbow bends about the axis about which the other does, carried over to this arm.
                const Quatd carried = shortest_rotation(at(lead.arm[1]) - at(lead.arm[0]), own);
                lower.push_back(local_of(skeleton, rest, arm[1], carried * swing.lower[i] * carried.conjugate()));
            }
            clip.tracks.push_back(rotation_track(arm[0], times, upper));
            clip.tracks.push_back(rotation_track(arm[1], times, lower));
        }
    }
}

void follow_with_tail(const Skeleton& skeleton, const CreatureMap& map, Clip& clip) {
    if (map.tail.empty() || clip.tracks.empty()) return;
    const int32_t hips = skeleton.parents()[static_cast<size_t>(map.tail.front())];
    for (const Track& track : clip.tracks)
        if (std::ranges::find(map.tail, track.target) != map.tail.end()) return;
    if (hips < 0) return;
    const auto longest = std::ranges::max_element(clip.tracks, {}, [](const Track& t) { return t.times.size(); });
    const std::vector<float> times = longest->times;
    if (times.size() < 2) return;
    std::vector<Quatd> led = hip_rotations(skeleton, hips, times, clip);
    const std::vector<AffineD> rest = rest_world(skeleton);
    const Quatd hips_rest(rest[static_cast<size_t>(hips)].rotation());
    // Turns of the hips away from rest, exaggerated: what the tail swings after.
    for (Quatd& q : led) {
        const Eigen::AngleAxisd turn(Quatd(q * hips_rest.conjugate()).normalized());
        q = Quatd(Eigen::AngleAxisd(exaggerate * turn.angle(), turn.axis()));
    }
    const bool loops = led.front().angularDistance(led.back()) < 1e-3;
    for (const int32_t joint : map.tail) {
        std::vector<Quatd> late(times.size());
        Quatd at = led.front();
        for (int round = 0; round < (loops ? rounds : 1); ++round) {
            for (size_t i = 0; i < times.size(); ++i) {
                const double dt = i > 0 ? times[i] - times[i - 1] : 0.0;
                at = slerp(at, led[i], 1.0 - std::exp(-dt / lag_seconds));
                late[i] = at;
            }
        }
        // The joint turns against its parent by what it lags behind.
        const int32_t parent = skeleton.parents()[static_cast<size_t>(joint)];
        const Quatd frame(rest[static_cast<size_t>(parent)].rotation());
        const Quatd own = skeleton.rest()[static_cast<size_t>(joint)].rotation.cast<double>();
        std::vector<Quatd> local;
        for (size_t i = 0; i < times.size(); ++i)
            local.push_back(frame.conjugate() * (led[i].conjugate() * late[i]) * frame * own);
        clip.tracks.push_back(rotation_track(joint, times, local));
        led = std::move(late);
    }
}

}  // namespace sinew
