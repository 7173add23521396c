// Planted feet seen from outside: a walk, up stairs too, on a body of other proportions.
#include <doctest/doctest.h>

#include <sinew/clip/clip.h>
#include <sinew/ik/two_bone.h>
#include <sinew/motion/clip_writer.h>
#include <sinew/motion/retarget.h>
#include <sinew/skeleton/pose.h>
#include <support/humanoid.h>
#include <cmath>

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr double stride = 0.6, stance = 0.55, steps_seconds = 4.0;

// Where a foot's ankle is, relative to the ground under the start. Each foot stands, then swings to its next place.
Vec3d foot_at(double time, size_t side, double rise) {
    const double cycle = time + (side == 0 ? 0.0 : 0.5), step = std::floor(cycle), phase = cycle - step;
    const double u = std::clamp((phase - stance) / (1 - stance), 0.0, 1.0), s = u * u * u * (10 - 15 * u + 6 * u * u);
    const double ahead = stride * (step + s - (side == 0 ? 0.0 : 0.5));
    return {side == 0 ? 0.094 : -0.094, rise * (step + s) + 0.5 * s * (1 - s), ahead};
}

Clip walk_clip(const NamedHumanoid& human, double rise, double seconds = steps_seconds) {
    const std::vector<AffineD> rest = rest_world(human.skeleton);
    const auto at = [&](Role role) { return Vec3d(rest[static_cast<size_t>(human.expected[role])].translation()); };
    std::vector<float> times;
    std::vector<Vec3d> hips;
    std::array<std::array<std::vector<Quatd>, 3>, 2> turns;
    for (int k = 0; k <= static_cast<int>(60 * seconds); ++k) {
        const double time = k / 60.0;
        times.push_back(static_cast<float>(time));
        const Vec3d moved(0, -0.06 + rise * (time - 0.5), stride * (time - 0.27));
        hips.push_back(at(Role::hips) + moved);
        for (size_t side = 0; side < 2; ++side) {
            const Role first = side == 0 ? Role::left_upper_leg : Role::right_upper_leg;
            const auto joint = [&](size_t i) { return at(static_cast<Role>(static_cast<size_t>(first) + i)); };
            Vec3d goal = foot_at(time, side, rise);
            goal.y() += joint(2).y();
            const TwoBoneLimb limb{joint(0) + moved, joint(1) + moved, joint(2) + moved};
            const TwoBoneSolution leg = solve_two_bone(limb, {.target = goal, .pole = Vec3d::UnitZ()});
            turns[side][0].push_back(leg.upper_turn);
            turns[side][1].push_back(leg.upper_turn.conjugate() * leg.lower_turn * leg.upper_turn);
            turns[side][2].push_back((leg.lower_turn * leg.upper_turn).conjugate());
        }
    }
    Clip clip{"walk", {}, -1};
    clip.tracks.push_back(translation_track(human.expected[Role::hips], times, hips));
    for (size_t side = 0; side < 2; ++side)
        for (size_t i = 0; i < 3; ++i) {
            const auto first = static_cast<size_t>(side == 0 ? Role::left_upper_leg : Role::right_upper_leg);
            clip.tracks.push_back(rotation_track(human.expected.joint[first + i], times, turns[side][i]));
        }
    return clip;
}

// Short thighs, long shins, wide hips, big feet; `toes`: false leaves them out.
Skeleton other_body(const NamedHumanoid& human) {
    std::vector<Transform> rest = human.skeleton.rest();
    const auto at = [&](Role role) -> Vec3& { return rest[static_cast<size_t>(human.expected[role])].translation; };
    for (const Role role : {Role::left_lower_leg, Role::right_lower_leg}) at(role).y() *= 0.85f;
    for (const Role role : {Role::left_foot, Role::right_foot}) at(role).y() *= 1.3f;
    for (const Role role : {Role::left_toes, Role::right_toes}) at(role) *= 1.3f;
    for (const Role role : {Role::left_upper_leg, Role::right_upper_leg}) at(role).x() *= 1.4f;
    at(Role::hips).y() += -0.15f * 0.42f + 0.3f * 0.41f + 0.3f * 0.07f;
    std::vector<std::string> names = human.skeleton.names();
    for (std::string& name : names) name += "_x";
    return *Skeleton::create(names, human.skeleton.parents(), rest);
}

struct Places {
    std::vector<std::vector<Vec3d>> joint;  // [frame][joint]
};

Places play(const Skeleton& skeleton, const Clip& clip, double fps) {
    Places places;
    for (int f = 0; f / fps <= double{duration(clip)} + 1e-4; ++f) {
        Pose pose{skeleton.rest(), {}};
        sample(clip, static_cast<float>(f / fps), pose);
        std::vector<AffineD> world(skeleton.size());
        local_to_world(skeleton.parents(), pose.local, world);
        auto& frame = places.joint.emplace_back();
        for (const AffineD& joint : world) frame.push_back(joint.translation());
    }
    return places;
}

double knee_angle(const std::vector<Vec3d>& p, const HumanoidMap& map, size_t side) {
    const auto at = [&](Role left, Role right) { return p[static_cast<size_t>(map[side == 0 ? left : right])]; };
    const Vec3d knee = at(Role::left_lower_leg, Role::right_lower_leg);
    const Vec3d thigh = knee - at(Role::left_upper_leg, Role::right_upper_leg),
                shin = at(Role::left_foot, Role::right_foot) - knee;
    return std::atan2(thigh.cross(shin).norm(), thigh.dot(shin));
}

}  // namespace

TEST_CASE("retarget: heel and toes of planted feet stay where they are, on floors and stairs, at any rate") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Skeleton target = other_body(human);
    const std::vector<AffineD> rest = rest_world(target);
    for (const double rise : {0.0, 0.15}) {
        const Clip clip = walk_clip(human, rise);
        for (const float fps : {24.0f, 30.0f, 60.0f, 120.0f}) {
            INFO("rise " << rise << ", " << fps << " frames a second");
            const auto moved = retarget(human.skeleton, clip, target, {.fps = fps});
            REQUIRE(moved);
            CHECK(moved->planted_contacts >= 8);
            const Places places = play(target, moved->clip, double{fps});
            for (size_t side = 0; side < 2; ++side) {
                const Role foot = side == 0 ? Role::left_foot : Role::right_foot,
                           toes = side == 0 ? Role::left_toes : Role::right_toes;
                for (int step = 1; step < 4; ++step) {
                    const double begins = step - (side == 0 ? 0.0 : 0.5) + 0.02, ends = begins + stance - 0.04;
                    const auto first = static_cast<size_t>(std::ceil(begins * double{fps})),
                               last = std::min(static_cast<size_t>(ends * double{fps}), places.joint.size() - 1);
                    for (const Role role : {foot, toes}) {
                        const auto joint = static_cast<size_t>(human.expected[role]);
                        double drift = 0;
                        for (size_t f = first; f <= last; ++f)
                            drift = std::max(drift, (places.joint[f][joint] - places.joint[first][joint]).norm());
                        CHECK(drift < 0.004);
                        const double height = places.joint[first][joint].y() - rest[joint].translation().y();
                        CHECK(std::abs(height - double{moved->scale} * rise * step) < 0.015);
                    }
                }
            }
        }
    }
}

TEST_CASE("retarget: knees of planted legs bend as smoothly as the source's") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Skeleton target = other_body(human);
    const Clip clip = walk_clip(human, 0.0);
    const auto moved = retarget(human.skeleton, clip, target);
    REQUIRE(moved);
    const Places source = play(human.skeleton, clip, 30), got = play(target, moved->clip, 30);
    REQUIRE(source.joint.size() == got.joint.size());
    for (size_t side = 0; side < 2; ++side) {
        double off = 0;
        for (size_t f = 1; f + 1 < got.joint.size(); ++f) {
            const auto turn = [&](const Places& p) {
                return knee_angle(p.joint[f + 1], human.expected, side) -
                       2 * knee_angle(p.joint[f], human.expected, side) +
                       knee_angle(p.joint[f - 1], human.expected, side);
            };
            CHECK(std::abs(turn(got)) < std::abs(turn(source)) + radians(4));
            off += std::abs(knee_angle(got.joint[f], human.expected, side) -
                            knee_angle(source.joint[f], human.expected, side));
        }
        CHECK(off / static_cast<double>(got.joint.size()) < double{radians(3)});
    }
}

TEST_CASE("retarget: clips of one and two frames, and none but the hips, keep their feet finite") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Skeleton target = other_body(human);
    for (const double seconds : {0.0, 0.02, 0.05, 0.1}) {
        const Clip clip = walk_clip(human, 0.0, seconds);
        for (const float fps : {1.0f, 30.0f, 100.0f}) {
            const auto moved = retarget(human.skeleton, clip, target, {.fps = fps});
            REQUIRE(moved);
            for (const Track& track : moved->clip.tracks)
                for (const float value : track.values) REQUIRE(std::isfinite(value));
        }
    }
}

TEST_CASE("retarget: feet stand on the skin that the target has") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Skeleton target = other_body(human);
    // A sole 3 cm below the joints' own: two corners of the heel and two of the toes.
    std::vector<SkinPoint> skin;
    const std::vector<AffineD> rest = rest_world(target);
    const double sole = -0.03;
    for (const auto& [role, ahead] : {std::pair{Role::left_foot, -0.04},
                                      {Role::right_foot, -0.04},
                                      {Role::left_toes, 0.06},
                                      {Role::right_toes, 0.06},
                                      {Role::left_toes, 0.0},
                                      {Role::right_toes, 0.0}}) {
        const auto joint = static_cast<size_t>(human.expected[role]);
        Vec3d place = rest[joint].translation() + Vec3d(0, 0, ahead);
        place.y() = sole;
        skin.push_back(
            {{human.expected[role], 0, 0, 0},
             {1, 0, 0, 0},
             {Vec3((rest[joint].inverse() * place).cast<float>()), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()}});
    }
    const auto moved = retarget(human.skeleton, walk_clip(human, 0.0), target, {.skin = skin});
    REQUIRE(moved);
    CHECK(moved->ground_error_cm < 0.2f);
    double lowest = 1;
    for (int f = 0; f <= 110; ++f) {
        Pose pose{target.rest(), {}};
        sample(moved->clip, static_cast<float>(f) / 30.0f, pose);
        std::vector<AffineD> world(target.size());
        local_to_world(target.parents(), pose.local, world);
        for (const SkinPoint& point : skin)
            lowest = std::min(lowest,
                              (world[static_cast<size_t>(point.joint[0])] * Vec3d(point.place[0].cast<double>())).y());
    }
    CHECK(lowest == doctest::Approx(sole).epsilon(0.1));
}

TEST_CASE("retarget: feet that hang on controls of their own stay at the ends of the legs, and planted") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Skeleton body = other_body(human);
    // The feet move below the topmost joint, as in a rig for IK.
    std::vector<int32_t> parents = body.parents();
    std::vector<Transform> rest = body.rest();
    const std::vector<AffineD> world = rest_world(body);
    for (const Role role : {Role::left_foot, Role::right_foot}) {
        const auto foot = static_cast<size_t>(human.expected[role]);
        parents[foot] = 0;
        rest[foot].translation = Vec3((world[0].inverse() * Vec3d(world[foot].translation())).cast<float>());
    }
    const auto target = Skeleton::create(body.names(), parents, rest);
    REQUIRE(target);
    const Clip clip = walk_clip(human, 0.0);
    RetargetOptions mapped;
    for (const int32_t joint : human.expected.joint)
        if (joint >= 0) mapped.map.emplace_back(joint, joint);
    // With a map, and as they are recognised.
    for (const RetargetOptions& options : {mapped, RetargetOptions{}}) {
        INFO(options.map.size());
        const auto moved = retarget(human.skeleton, clip, *target, options),
                   whole = retarget(human.skeleton, clip, body, options);
        REQUIRE(moved);
        REQUIRE(whole);
        const Places loose = play(*target, moved->clip, 30), hung = play(body, whole->clip, 30);
        for (size_t f = 0; f < loose.joint.size(); ++f)
            for (size_t j = 0; j < body.size(); ++j) CHECK((loose.joint[f][j] - hung.joint[f][j]).norm() < 2e-4);
    }
}

TEST_CASE("retarget: hands that hang on the hips, beside the arms, stay at the ends of the forearms") {
    const NamedHumanoid human = make_humanoid_skeleton(vrm_style());
    const Skeleton body = other_body(human);
    std::vector<int32_t> parents = body.parents();
    std::vector<Transform> rest = body.rest();
    const std::vector<AffineD> world = rest_world(body);
    const int32_t hips = human.expected[Role::hips];
    for (const Role role : {Role::left_hand, Role::right_hand}) {
        const auto hand = static_cast<size_t>(human.expected[role]);
        parents[hand] = hips;
        const AffineD above = world[static_cast<size_t>(hips)];
        rest[hand].translation = Vec3((above.inverse() * Vec3d(world[hand].translation())).cast<float>());
    }
    const auto target = Skeleton::create(body.names(), parents, rest);
    REQUIRE(target);
    const Clip clip = walk_clip(human, 0.0);
    const auto moved = retarget(human.skeleton, clip, *target), whole = retarget(human.skeleton, clip, body);
    REQUIRE(moved);
    REQUIRE(whole);
    const Places loose = play(*target, moved->clip, 30), hung = play(body, whole->clip, 30);
    for (size_t f = 0; f < loose.joint.size(); ++f)
        for (size_t j = 0; j < body.size(); ++j) CHECK((loose.joint[f][j] - hung.joint[f][j]).norm() < 1e-3);
}
