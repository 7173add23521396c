#include <doctest/doctest.h>
#include <sinew/clip/clip.h>
#include <sinew/core/random.h>
#include <sinew/math/interpolate.h>
#include <sinew/motion/retarget.h>
#include <sinew/skeleton/pose.h>
#include <cmath>

#include "motion/world_at.h"
#include "support/humanoid.h"

using namespace sinew;
using test::world_at;
using namespace sinew::test;

namespace {

// Every joint swings in its own way, the hips travel: no two directions agree by chance.
Clip lively_clip(const NamedHumanoid& human, uint64_t seed, float most_deg = 40.0f) {
    Random random(seed);
    Clip clip{"lively", {}, -1};
    const int keys = 61;
    const float rate = 30.0f;
    for (size_t r = 0; r < role_count; ++r) {
        if (human.expected.joint[r] < 0) continue;
        const Vec3 axis = Vec3(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).normalized();
        const double speed = random.uniform(1, 5), phase = random.uniform(0, 6);
        Track track{human.expected.joint[r], TrackPath::rotation, Interpolation::linear, 4, {}, {}};
        for (int k = 0; k < keys; ++k) {
            const float time = k / rate;
            const auto angle = static_cast<float>(radians(most_deg) * std::sin(speed * time + phase));
            const Quat rest = human.skeleton.rest()[static_cast<size_t>(track.target)].rotation;
            const Quat q = rest * Quat(Eigen::AngleAxisf(angle, axis));
            track.times.push_back(time);
            for (int i = 0; i < 4; ++i) track.values.push_back(q.coeffs()[i]);
        }
        clip.tracks.push_back(std::move(track));
    }
    Track path{human.expected[Role::hips], TrackPath::translation, Interpolation::linear, 3, {}, {}};
    for (int k = 0; k < keys; ++k) {
        const float time = k / rate;
        path.times.push_back(time);
        for (const float v : {0.3f * std::sin(time), 0.95f + 0.05f * std::sin(9 * time), 1.2f * time})
            path.values.push_back(v);
    }
    clip.tracks.push_back(std::move(path));
    return clip;
}

Quat random_turn(Random& random) {
    return Quat(Eigen::Quaternionf(static_cast<float>(random.uniform(-1, 1)), static_cast<float>(random.uniform(-1, 1)),
                                   static_cast<float>(random.uniform(-1, 1)),
                                   static_cast<float>(random.uniform(0.1, 1)))
                    .normalized());
}

// The same body turned, scaled, with other axes in every joint and units hidden in the topmost node.
Skeleton disguised(const Skeleton& skeleton, const Quat& yaw, float scale, float node_scale, uint64_t seed) {
    Random random(seed);
    const std::vector<AffineD> world = rest_world(skeleton);
    std::vector<Transform> rest(skeleton.size());
    std::vector<Quat> turn(skeleton.size());
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        turn[j] = random_turn(random);
        if (parent < 0) {
            rest[j].rotation = turn[j];
            rest[j].scale = Vec3::Constant(node_scale);
            continue;
        }
        const Vec3d step = world[j].translation() - world[static_cast<size_t>(parent)].translation();
        const Quat above = turn[static_cast<size_t>(parent)];
        rest[j].translation = above.conjugate() * (yaw * Vec3(step.cast<float>())) * (scale / node_scale);
        rest[j].rotation = above.conjugate() * turn[j];
    }
    return *Skeleton::create(skeleton.names(), skeleton.parents(), rest);
}

// The human with both arms lowered at rest.
NamedHumanoid a_pose(float angle_deg) {
    NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    std::vector<Transform> rest = human.skeleton.rest();
    for (const auto& [role, sign] : {std::pair{Role::left_upper_arm, -1.0f}, {Role::right_upper_arm, 1.0f}})
        rest[static_cast<size_t>(human.expected[role])].rotation =
            Quat(Eigen::AngleAxisf(sign * radians(angle_deg), Vec3::UnitZ()));
    human.skeleton = *Skeleton::create(human.skeleton.names(), human.skeleton.parents(), rest);
    return human;
}

Vec3d direction(const std::vector<AffineD>& world, const HumanoidMap& map, Role from, Role to) {
    return (world[static_cast<size_t>(map[to])].translation() - world[static_cast<size_t>(map[from])].translation())
        .normalized();
}

constexpr std::pair<Role, Role> limb_bones[] = {
    {Role::left_upper_leg, Role::left_lower_leg},   {Role::left_lower_leg, Role::left_foot},
    {Role::right_upper_leg, Role::right_lower_leg}, {Role::right_lower_leg, Role::right_foot},
    {Role::left_upper_arm, Role::left_lower_arm},   {Role::left_lower_arm, Role::left_hand},
    {Role::right_upper_arm, Role::right_lower_arm}, {Role::right_lower_arm, Role::right_hand}};

}  // namespace

TEST_CASE("retarget: a skeleton to itself is the clip itself") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Clip clip = lively_clip(human, 1);
    const auto result = retarget(human.skeleton, clip, human.skeleton);
    REQUIRE(result);
    CHECK(result->clip.tracks == clip.tracks);
    CHECK(result->mapped_joints == static_cast<int32_t>(clip.tracks.size()) - 1);
}

TEST_CASE("retarget: onto itself by roles alone is the same motion") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    std::vector<std::string> names = human.skeleton.names();
    for (std::string& name : names) name = "mixamorig:" + name;  // no twin by name, the same body by role
    const Skeleton target = *Skeleton::create(names, human.skeleton.parents(), human.skeleton.rest());
    const Clip clip = lively_clip(human, 2);
    const auto result = retarget(human.skeleton, clip, target);
    REQUIRE(result);
    REQUIRE(validate(result->clip, target.size(), 0));
    CHECK(duration(result->clip) == duration(clip));
    for (const float time : {0.0f, 0.5f, 1.7f, 2.0f}) {
        const auto expected = world_at(human.skeleton, clip, time), got = world_at(target, result->clip, time);
        for (size_t j = 0; j < target.size(); ++j) CHECK((expected[j].matrix() - got[j].matrix()).norm() < 1e-4);
    }
}

TEST_CASE("retarget: turned, scaled and with other axes, the world sees the same motion") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Clip clip = lively_clip(human, 3);
    for (const auto& [yaw_deg, scale, node_scale] :
         {std::tuple{90.0f, 1.0f, 0.01f}, {180.0f, 2.5f, 100.0f}, {37.0f, 0.3f, 1.0f}}) {
        const Quat yaw(Eigen::AngleAxisf(radians(yaw_deg), Vec3::UnitY()));
        const Skeleton target = disguised(human.skeleton, yaw, scale, node_scale, 7);
        const auto result = retarget(human.skeleton, clip, target);
        REQUIRE(result);
        CHECK(result->scale == doctest::Approx(scale).epsilon(1e-4));
        for (const float time : {0.0f, 0.4f, 1.3f, 2.0f}) {
            const auto source = world_at(human.skeleton, clip, time), got = world_at(target, result->clip, time);
            for (const int32_t joint : human.expected.joint) {
                const auto j = static_cast<size_t>(joint);
                const Vec3d expected = scale * (Quatd(yaw.cast<double>()) * Vec3d(source[j].translation()));
                CHECK((expected - got[j].translation()).norm() < 1e-3 * scale);
            }
        }
    }
}

TEST_CASE("retarget: T-pose on A-pose and back, limbs point the same way") {
    const NamedHumanoid t = make_humanoid_skeleton(vrm_style());
    for (const float angle_deg : {30.0f, 50.0f, 80.0f}) {
        const NamedHumanoid a = a_pose(angle_deg);
        for (const auto& [from, to] : {std::pair{&t, &a}, {&a, &t}}) {
            const Clip clip = lively_clip(*from, 4);
            const auto result = retarget(from->skeleton, clip, to->skeleton, {.lock_feet = false});
            REQUIRE(result);
            for (const float time : {0.1f, 0.9f, 1.8f}) {
                const auto source = world_at(from->skeleton, clip, time),
                           got = world_at(to->skeleton, result->clip, time);
                for (const auto& [upper, lower] : limb_bones)
                    CHECK(direction(source, from->expected, upper, lower)
                              .dot(direction(got, to->expected, upper, lower)) > 1 - 1e-6);
            }
        }
    }
}

TEST_CASE("retarget: spines of different lengths keep the chest, share the bend") {
    const NamedHumanoid source = make_humanoid_skeleton(vrm_style());
    NamingStyle short_spine = vrm_style();
    short_spine.names[2] = short_spine.names[3] = "";
    const NamedHumanoid target = make_humanoid_skeleton(short_spine);
    const Clip clip = lively_clip(source, 5);
    for (const auto& [from, to] : {std::pair{&source, &target}, {&target, &source}}) {
        const Clip motion = from == &source ? clip : lively_clip(target, 6);
        const auto result = retarget(from->skeleton, motion, to->skeleton, {.lock_feet = false});
        REQUIRE(result);
        const auto last = [](const NamedHumanoid& human) {
            return static_cast<size_t>(std::max(
                {human.expected[Role::spine], human.expected[Role::chest], human.expected[Role::upper_chest]}));
        };
        for (const float time : {0.3f, 1.1f}) {
            const auto a = world_at(from->skeleton, motion, time), b = world_at(to->skeleton, result->clip, time);
            CHECK((a[last(*from)].linear() - b[last(*to)].linear()).norm() < 1e-3);
            const auto head = [](const NamedHumanoid& human) {
                return static_cast<size_t>(human.expected[Role::head]);
            };
            CHECK((a[head(*from)].linear() - b[head(*to)].linear()).norm() < 1e-3);
        }
    }
}

namespace {

// Walks on the spot's opposite: hips forward, one foot always down. Feet are placed by bending the legs in closed form.
Clip stepping_clip(const NamedHumanoid& human) {
    Clip clip{"steps", {}, -1};
    const int keys = 121;
    const float rate = 30.0f, stride = 0.25f, period = 1.0f;
    Track path{human.expected[Role::hips], TrackPath::translation, Interpolation::linear, 3, {}, {}};
    std::array<std::array<Track, 3>, 2> legs;
    for (size_t side = 0; side < 2; ++side)
        for (size_t i = 0; i < 3; ++i)
            legs[side][i] = {
                human.expected.joint[static_cast<size_t>(side == 0 ? Role::left_upper_leg : Role::right_upper_leg) + i],
                TrackPath::rotation,
                Interpolation::linear,
                4,
                {},
                {}};
    for (int k = 0; k < keys; ++k) {
        const float time = k / rate;
        path.times.push_back(time);
        const float travelled = 2 * stride * time / period;
        for (const float v : {0.0f, 0.92f, travelled}) path.values.push_back(v);
        for (size_t side = 0; side < 2; ++side) {
            float phase = time / period + (side == 0 ? 0.0f : 0.5f);
            phase -= std::floor(phase);
            // Stance: the foot moves back against the hips; swing: forward and up.
            const float ahead = phase < 0.5f ? stride * (0.5f - 2 * phase) : stride * (-0.5f + 2 * (phase - 0.5f));
            const float lift = phase < 0.5f ? 0.0f : 0.1f * std::sin(2 * pi * (phase - 0.5f));
            const float a = 0.42003f, b = 0.41149f, down = 0.92f - 0.03f - 0.09f - lift;
            const float d = std::hypot(ahead - 0.0f, down);
            const float hip = std::acos((a * a + d * d - b * b) / (2 * a * d)), aim = std::atan2(ahead, down);
            const float knee = pi - std::acos((a * a + b * b - d * d) / (2 * a * b));
            for (const auto& [i, angle] : {std::pair{0, -(aim + hip)}, {1, knee}, {2, aim + hip - knee}}) {
                const Quat q(Eigen::AngleAxisf(angle, Vec3::UnitX()));
                legs[side][static_cast<size_t>(i)].times.push_back(time);
                for (int c = 0; c < 4; ++c) legs[side][static_cast<size_t>(i)].values.push_back(q.coeffs()[c]);
            }
        }
    }
    clip.tracks.push_back(path);
    for (auto& leg : legs)
        for (Track& track : leg) clip.tracks.push_back(track);
    return clip;
}

// Long shins, wide hips, big feet.
Skeleton lanky(const NamedHumanoid& human) {
    std::vector<Transform> rest = human.skeleton.rest();
    const auto at = [&](Role role) -> Vec3& { return rest[static_cast<size_t>(human.expected[role])].translation; };
    for (const Role role : {Role::left_foot, Role::right_foot}) at(role).y() *= 1.4f;
    for (const Role role : {Role::left_toes, Role::right_toes}) at(role) *= 1.3f;
    for (const Role role : {Role::left_upper_leg, Role::right_upper_leg}) at(role).x() *= 1.5f;
    at(Role::hips).y() += 0.4f * 0.41f + 0.3f * 0.07f;
    std::vector<std::string> names = human.skeleton.names();
    for (std::string& name : names) name += "_x";
    return *Skeleton::create(names, human.skeleton.parents(), rest);
}

}  // namespace

TEST_CASE("retarget: planted feet stay put, on the ground") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Clip clip = stepping_clip(human);
    const Skeleton target = lanky(human);
    const auto locked = retarget(human.skeleton, clip, target),
               loose = retarget(human.skeleton, clip, target, {.lock_feet = false});
    REQUIRE(locked);
    REQUIRE(loose);
    CHECK(locked->foot_skate_cm_per_s < 2.0f);
    CHECK(loose->foot_skate_cm_per_s > 2 * locked->foot_skate_cm_per_s);
    CHECK(locked->ground_error_cm < 0.3f);
    const double ankle = rest_world(target)[static_cast<size_t>(human.expected[Role::left_foot])].translation().y();
    // Seen from outside: the lower ankle never leaves its rest height by more than a lifted heel does, and no knee
    // bends backwards.
    for (int k = 5; k < 115; ++k) {
        const auto world = world_at(target, locked->clip, k / 30.0f);
        const auto at = [&](Role role) {
            return Vec3d(world[static_cast<size_t>(human.expected[role])].translation());
        };
        CHECK(std::abs(std::min(at(Role::left_foot).y(), at(Role::right_foot).y()) - ankle) < 0.012);
        for (const auto& [hip, knee, foot] : {std::tuple{Role::left_upper_leg, Role::left_lower_leg, Role::left_foot},
                                              {Role::right_upper_leg, Role::right_lower_leg, Role::right_foot}}) {
            const Vec3d along = (at(foot) - at(hip)).normalized(), bend = at(knee) - at(hip);
            CHECK((bend - along * along.dot(bend)).z() > -1e-3);
        }
    }
}

TEST_CASE("retarget: in place, the hips stay over their spot") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Clip clip = stepping_clip(human);
    const auto result = retarget(human.skeleton, clip, human.skeleton, {.in_place_root = true});
    REQUIRE(result);
    for (const float time : {0.0f, 1.0f, 3.0f}) {
        const Vec3d hips =
            world_at(human.skeleton, result->clip, time)[static_cast<size_t>(human.expected[Role::hips])].translation();
        CHECK(std::abs(hips.x()) < 1e-6);
        CHECK(std::abs(hips.z()) < 1e-6);
        CHECK(hips.y() == doctest::Approx(0.92).epsilon(0.01));
    }
}

TEST_CASE("retarget: a leading frame of the rest pose is not part of the motion") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    Clip clip = lively_clip(human, 8, 60);
    for (Track& track : clip.tracks) {
        if (track.path != TrackPath::rotation) continue;
        for (float& time : track.times) time /= 4;  // 120 frames per second
        for (int i = 0; i < 4; ++i) track.values[static_cast<size_t>(i)] = i == 3 ? 1.0f : 0.0f;
    }
    for (float& time : clip.tracks.back().times) time /= 4;
    const Skeleton target = a_pose(40).skeleton;
    const auto result = retarget(human.skeleton, clip, target);
    REQUIRE(result);
    const auto first = world_at(target, result->clip, 0), next = world_at(human.skeleton, clip, 1 / 120.0f);
    CHECK(direction(first, human.expected, Role::left_lower_arm, Role::left_hand)
              .dot(direction(next, human.expected, Role::left_lower_arm, Role::left_hand)) > 1 - 1e-4);
}

TEST_CASE("retarget: other bodies go by name") {
    const auto snake = [](const std::string& prefix, float size) {
        std::vector<std::string> names;
        std::vector<int32_t> parents;
        std::vector<Transform> rest(6);
        for (int j = 0; j < 6; ++j) {
            names.push_back(prefix + "Bone_" + std::to_string(j));
            parents.push_back(j - 1);
            rest[static_cast<size_t>(j)].translation =
                j == 0 ? Vec3(0, 0, 0) : Vec3(0, 0.1f * size * static_cast<float>(j % 2), size);
        }
        return *Skeleton::create(names, parents, rest);
    };
    const Skeleton small = snake("", 1), large = snake("rig:", 3);
    Clip clip{"bend", {}, -1};
    for (int j = 0; j < 6; ++j) {
        const Quat q(Eigen::AngleAxisf(0.3f, Vec3(1, 2, 3).normalized()));
        clip.tracks.push_back(
            {j, TrackPath::rotation, Interpolation::linear, 4, {0, 1}, {0, 0, 0, 1, q.x(), q.y(), q.z(), q.w()}});
    }
    clip.tracks.push_back({0, TrackPath::translation, Interpolation::linear, 3, {0, 1}, {0, 0, 0, 1, 2, 3}});
    const auto result = retarget(small, clip, large);
    REQUIRE(result);
    CHECK(result->scale == doctest::Approx(3));
    const auto a = world_at(small, clip, 1), b = world_at(large, result->clip, 1);
    for (size_t j = 0; j < 6; ++j) CHECK((3 * a[j].translation() - b[j].translation()).norm() < 1e-4);
}

TEST_CASE("retarget: a map of joints decides") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Clip clip = lively_clip(human, 9);
    const Skeleton target = a_pose(45).skeleton;
    std::vector<std::pair<int32_t, int32_t>> map;
    for (const Role role :
         {Role::hips, Role::left_upper_leg, Role::left_lower_leg, Role::right_upper_leg, Role::right_lower_leg,
          Role::left_upper_arm, Role::left_lower_arm, Role::left_hand, Role::right_upper_arm, Role::right_lower_arm})
        map.emplace_back(human.expected[role], human.expected[role]);
    const auto result = retarget(human.skeleton, clip, target, {.map = map});
    REQUIRE(result);
    CHECK(result->mapped_joints == static_cast<int32_t>(map.size()));
    const auto a = world_at(human.skeleton, clip, 1), b = world_at(target, result->clip, 1);
    CHECK(direction(a, human.expected, Role::left_lower_arm, Role::left_hand)
              .dot(direction(b, human.expected, Role::left_lower_arm, Role::left_hand)) > 1 - 1e-5);
}

TEST_CASE("retarget: what cannot be done says so") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Clip clip = lively_clip(human, 10);
    CHECK(retarget(human.skeleton, clip, human.skeleton, {.fps = 0}).error().code == ErrorCode::invalid_argument);
    CHECK(retarget(human.skeleton, clip, human.skeleton, {.map = {{0, 999}}}).error().code ==
          ErrorCode::invalid_argument);
    CHECK(retarget(human.skeleton, clip, human.skeleton, {.map = {{-1, 0}}}).error().code ==
          ErrorCode::invalid_argument);
    const Skeleton stick = *Skeleton::create({"a", "b"}, {-1, 0}, {Transform(), Transform()});
    const auto lacking = retarget(human.skeleton, clip, stick);
    REQUIRE_FALSE(lacking);
    CHECK(lacking.error().message.find("the motion is a human body, the character is not a human body") !=
          std::string::npos);
    const Skeleton& whole = human.skeleton;
    const auto arm = static_cast<size_t>(recognise_humanoid(whole)[Role::left_lower_arm]);
    std::vector<std::string> names;
    std::vector<int32_t> parents, kept(whole.size(), -1);
    std::vector<Transform> rest;
    for (size_t j = 0; j < whole.size(); ++j) {
        const int32_t parent = whole.parents()[j];
        if (j == arm || (parent >= 0 && kept[static_cast<size_t>(parent)] < 0)) continue;
        kept[j] = static_cast<int32_t>(names.size());
        names.push_back("Bip_" + whole.names()[j]);  // not the motion's own names
        parents.push_back(parent < 0 ? -1 : kept[static_cast<size_t>(parent)]);
        rest.push_back(whole.rest()[j]);
    }
    // Where a limb is missing, the others move all the same.
    const Skeleton maimed = Skeleton::create(names, parents, rest).value();
    const auto made = retarget(human.skeleton, clip, maimed);
    REQUIRE(made);
    const int32_t other = recognise_humanoid(maimed)[Role::right_lower_arm];
    REQUIRE(other >= 0);
    CHECK(std::ranges::any_of(made->map, [&](const JointMatch& match) { return match.target == other; }));
    Clip broken = clip;
    broken.tracks[0].target = 10000;
    CHECK_FALSE(retarget(human.skeleton, broken, human.skeleton));
    Clip endless{
        "long", {{0, TrackPath::rotation, Interpolation::linear, 4, {0, 1e12f}, {0, 0, 0, 1, 0, 0, 0, 1}}}, -1};
    CHECK(retarget(human.skeleton, endless, a_pose(40).skeleton).error().code == ErrorCode::limit_exceeded);
    // No keys at all: a clip of one frame, at rest.
    const auto still = retarget(human.skeleton, Clip{"none", {}, -1}, a_pose(40).skeleton);
    REQUIRE(still);
    CHECK(duration(still->clip) == 0);
}

TEST_CASE("retarget: a few frames of a T-pose before the motion are left out") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Skeleton other = disguised(human.skeleton, Quat::Identity(), 1.3f, 1.0f, 5);
    Clip clip = lively_clip(human, 8);
    for (const int held : {1, 3}) {
        Clip late = clip;
        for (Track& track : late.tracks) {
            if (track.path != TrackPath::rotation) continue;
            const Quat rest = human.skeleton.rest()[static_cast<size_t>(track.target)].rotation;
            for (int k = 0; k < held; ++k)
                for (int i = 0; i < 4; ++i) track.values[static_cast<size_t>(4 * k + i)] = rest.coeffs()[i];
        }
        const auto plain = retarget(human.skeleton, late, other), calm = retarget(human.skeleton, clip, other);
        REQUIRE(plain);
        REQUIRE(calm);
        CHECK(std::ranges::any_of(plain->warnings, [](const auto& w) { return w.find("T-pose") != w.npos; }));
        CHECK(std::ranges::none_of(calm->warnings, [](const auto& w) { return w.find("T-pose") != w.npos; }));
        // The first frames show the moment in which the motion begins.
        const auto begun = static_cast<float>(held) / 30.0f;
        for (size_t j = 0; j < other.size(); ++j)
            CHECK((world_at(other, plain->clip, 0)[j].translation() -
                   world_at(other, plain->clip, begun)[j].translation())
                      .norm() < 0.05);
    }
}
