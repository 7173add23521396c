// Spring bones against three-vrm: the same chain, moved and struck in the same way; and chains found by their names.
#include <doctest/doctest.h>

#include <sinew/physics/spring_bones/spring_bones.h>
#include <algorithm>
#include <array>
#include <cmath>

using namespace sinew;

namespace {

// By three_vrm.mjs beside this file, with @pixiv/three-vrm 3.5.5: four tails at the end of each of five seconds.
constexpr double three_vrm_tails[20][3] = {
    {0.143251, 1.335423, 0.102755},   {0.177491, 1.242338, 0.076956},   {0.211900, 1.147690, 0.057922},
    {0.239791, 1.050725, 0.039295},   {-0.000318, 1.348079, -0.130910}, {-0.033850, 1.251362, -0.133417},
    {-0.075702, 1.158420, -0.143435}, {-0.120115, 1.068251, -0.163816}, {0.238389, 1.348202, 0.004084},
    {0.291172, 1.263002, -0.016667},  {0.349412, 1.185619, -0.049652},  {0.407753, 1.114069, -0.094165},
    {-0.084515, 1.312484, 0.153367},  {-0.119888, 1.216724, 0.147297},  {-0.164946, 1.126152, 0.132852},
    {-0.211416, 1.039416, 0.104213},  {0.305924, 1.280884, -0.172875},  {0.336878, 1.185056, -0.191473},
    {0.352326, 1.084037, -0.207737},  {0.337403, 0.979648, -0.215549},
};

// The same, but each bone keeps its length (three_vrm.mjs --hold-lengths). three-vrm itself measures a bone up to where
// its child was before the bone's parent turned, so that lengths change from frame to frame.
constexpr double held_tails[20][3] = {
    {0.143251, 1.335423, 0.102755},   {0.177486, 1.242350, 0.076958},   {0.211890, 1.147724, 0.057925},
    {0.239766, 1.050889, 0.039325},   {-0.000318, 1.348079, -0.130910}, {-0.033873, 1.251292, -0.133419},
    {-0.075747, 1.158308, -0.143445}, {-0.120123, 1.068221, -0.163820}, {0.238389, 1.348202, 0.004084},
    {0.291229, 1.262901, -0.016690},  {0.349548, 1.185397, -0.049736},  {0.407858, 1.113862, -0.094264},
    {-0.084515, 1.312484, 0.153367},  {-0.119947, 1.216528, 0.147282},  {-0.165103, 1.125697, 0.132770},
    {-0.211513, 1.038969, 0.104056},  {0.305924, 1.280884, -0.172875},  {0.336894, 1.184995, -0.191478},
    {0.352326, 1.084998, -0.207681},  {0.338415, 0.983813, -0.215936},
};

Quat turned(const Vec3& axis, float angle) {
    return Quat(Eigen::AngleAxisf(angle, axis));
}

}  // namespace

namespace {

using Tails = std::array<Vec3d, 20>;  // four at the end of each of five seconds
constexpr double bone_length = 0.1025;

Tails as_tails(const double (&table)[20][3]) {
    Tails tails;
    for (size_t i = 0; i < 20; ++i) tails[i] = Vec3d(table[i][0], table[i][1], table[i][2]);
    return tails;
}

double worst_of(const Tails& a, const Tails& b) {
    double worst = 0.0;
    for (size_t i = 0; i < 20; ++i) worst = std::max(worst, (a[i] - b[i]).norm());
    return worst;
}

std::vector<Transform> chain_at_rest() {
    std::vector<Transform> rest = {Transform{}};
    for (int i = 0; i < 5; ++i) {
        const auto n = static_cast<float>(i);
        rest.push_back({i == 0 ? Vec3(0.1f, 1.4f, 0) : Vec3(0.02f, -0.1f, -0.01f),
                        turned(Vec3::UnitX(), 0.1f * n) * turned(Vec3::UnitY(), 0.05f * n)});
    }
    return rest;
}

Transform root_at(int frame) {
    const auto t = static_cast<float>(frame) / 60.0f;
    return {Vec3(0.3f * std::sin(3 * t), 0.05f * std::sin(7 * t), 0.2f * std::sin(2 * t)),
            turned(Vec3::UnitY(), 0.8f * std::sin(1.7f * t))};
}

Tails tails_of_sinew() {
    const std::vector<Transform> rest = chain_at_rest();
    const auto skeleton = Skeleton::create({"root", "a", "b", "c", "d", "e"}, {-1, 0, 1, 2, 3, 4}, rest).value();
    SpringBones bones;
    bones.colliders = {
        {.joint = 0, .offset = {0.1, 1.2, 0.12}, .radius = 0.1},
        {.joint = 0, .offset = {-0.15, 1.3, 0}, .tail = {-0.15, 0.9, 0}, .radius = 0.08, .capsule = true}};
    for (int i = 1; i < 5; ++i)
        bones.bones.push_back({.joint = i,
                               .child = i + 1,
                               .stiffness = 0.6,
                               .gravity_power = 0.3,
                               .drag = 0.3,
                               .hit_radius = 0.02,
                               .colliders = {0, 1}});
    SpringBoneSimulation simulation(bones, skeleton, rest);
    Tails tails;
    for (int f = 1; f <= 300; ++f) {
        std::vector<Transform> pose = rest;
        pose[0] = root_at(f);
        simulation.step(1.0 / 60.0, pose);
        if (f % 60 != 0) continue;
        for (size_t b = 0; b < 4; ++b) tails[static_cast<size_t>(f / 60 - 1) * 4 + b] = simulation.tail(b);
        // The pose's own joints are at those tails.
        std::vector<AffineD> world(6);
        local_to_world(skeleton.parents(), pose, world);
        CHECK((world[5].translation() - simulation.tail(3)).norm() < 1e-5);
    }
    return tails;
}

// The pseudo-code of VRMC_springBone 1.0, word by word, on the same chain. `stale`: a bone is as long as from where it
// is now to where its child was before this frame turned any bone, which is what three-vrm takes; the specification has
// lengths that stay.
Tails tails_of_the_specification(bool stale) {
    const std::vector<Transform> rest = chain_at_rest();
    std::array<Quatd, 6> rotation, initial;
    std::array<Vec3d, 6> place;
    for (size_t i = 0; i < 6; ++i)
        rotation[i] = initial[i] = rest[i].rotation.cast<double>(), place[i] = rest[i].translation.cast<double>();
    const auto world_rotation = [&](size_t i) {
        Quatd q = Quatd::Identity();
        for (size_t k = 0; k <= i; ++k) q = q * rotation[k];
        return q;
    };
    const auto world_position = [&](size_t i) {
        Vec3d p = place[i];
        for (size_t k = i; k-- > 0;) p = rotation[k] * p + place[k];
        return p;
    };
    std::array<Vec3d, 5> current, previous;
    for (size_t i = 1; i < 5; ++i) current[i] = previous[i] = world_position(i + 1);
    Tails tails;
    const double delta = 1.0 / 60.0, hit = 0.02;
    for (int f = 1; f <= 300; ++f) {
        const Transform root = root_at(f);
        rotation[0] = root.rotation.cast<double>(), place[0] = root.translation.cast<double>();
        std::array<Vec3d, 6> before;
        for (size_t i = 0; i < 6; ++i) before[i] = world_position(i);
        for (size_t i = 1; i < 5; ++i) {
            const Vec3d head = world_position(i), axis = place[i + 1].normalized();
            const double length = stale ? (before[i + 1] - head).norm() : place[i + 1].norm();
            const Quatd from_rest = world_rotation(i - 1) * initial[i];
            Vec3d next = current[i] + (1.0 - 0.3) * (current[i] - previous[i]) + delta * 0.6 * (from_rest * axis) +
                         delta * 0.3 * Vec3d(0, -1, 0);
            next = head + length * (next - head).normalized();
            const auto collide = [&](const Vec3d& center, double radius) {
                const Vec3d away = next - center;
                const double gap = away.norm() - radius - hit;
                if (gap < 0.0) {
                    next -= gap * away.normalized();
                    next = head + length * (next - head).normalized();
                }
            };
            collide(rotation[0] * Vec3d(0.1, 1.2, 0.12) + place[0], 0.1);
            const Vec3d top = rotation[0] * Vec3d(-0.15, 1.3, 0) + place[0],
                        bottom = rotation[0] * Vec3d(-0.15, 0.9, 0) + place[0], rod = bottom - top;
            collide(top + std::clamp((next - top).dot(rod) / rod.squaredNorm(), 0.0, 1.0) * rod, 0.08);
            previous[i] = current[i], current[i] = next;
            rotation[i] = initial[i] * Quatd::FromTwoVectors(axis, from_rest.inverse() * (next - head));
        }
        for (size_t b = 0; f % 60 == 0 && b < 4; ++b) tails[static_cast<size_t>(f / 60 - 1) * 4 + b] = current[b + 1];
    }
    return tails;
}

}  // namespace

TEST_CASE("spring bones: tails are where the specification's own steps put them, over five seconds") {
    CHECK(worst_of(tails_of_sinew(), tails_of_the_specification(false)) < 0.001 * bone_length);
}

// three-vrm as it is goes up to 4.2 % of a bone away from the specification: this is all that it does otherwise.
TEST_CASE("spring bones: three-vrm is the specification with bones measured to where their children were") {
    CHECK(worst_of(as_tails(three_vrm_tails), tails_of_the_specification(true)) < 0.002 * bone_length);
}

TEST_CASE("spring bones: tails are where three-vrm has them if it keeps the bones' lengths") {
    CHECK(worst_of(tails_of_sinew(), as_tails(held_tails)) < 0.02 * bone_length);
}

TEST_CASE("spring bones: found by name, and only where the name says so") {
    const auto skeleton = Skeleton::create({"hips", "tail_01", "tail_02", "LeftForeArm", "Hair.Front", "detail",
                                            "heart", "J_Sec_Hair1_01", "leftEar", "Bone", "hips_skirt"},
                                           {-1, 0, 1, 0, 0, 0, 0, 0, 0, 2, 0},
                                           std::vector<Transform>(11, {.translation = Vec3(0, 0.1f, 0)}))
                              .value();
    std::vector<int32_t> found;
    for (const SpringBone& bone : find_spring_bones(skeleton).bones) found.push_back(bone.joint);
    CHECK(found == std::vector<int32_t>{1, 2, 4, 7, 8, 9, 10});
}

// Galilei: in air that moves as fast as the body, hair swings as it does when all stand still.
TEST_CASE("spring bones: air that goes along holds nothing back") {
    std::vector<Transform> rest(4, {.translation = Vec3(0, 0.1f, 0.05f)});
    const auto skeleton = Skeleton::create({"root", "hair1", "hair2", "hair3"}, {-1, 0, 1, 2}, rest).value();
    SpringBoneSimulation still(find_spring_bones(skeleton), skeleton, rest),
        moving(find_spring_bones(skeleton), skeleton, rest);
    const Vec3d step(0.03, 0, 0.01);
    for (int i = 0; i < 320; ++i) {
        std::vector<Transform> a = rest, b = rest;
        const float nod = 0.4f * std::sin(0.2f * static_cast<float>(i));
        a[0].rotation = b[0].rotation = Quat(Eigen::AngleAxisf(nod, Vec3::UnitX()));
        b[0].translation += (static_cast<double>(i) * step).cast<float>();
        if (i == 0) still.reset(a), moving.reset(b);
        still.step(1.0 / 60, a);
        moving.step(1.0 / 60, b, i == 0 ? Vec3d(Vec3d::Zero()) : step);
        if (i < 240) continue;  // the first step began without the speed
        for (size_t j = 1; j < 4; ++j) CHECK(a[j].rotation.angularDistance(b[j].rotation) < 1e-3f);
    }
}

TEST_CASE("spring bones: bodies of other sizes swing alike") {
    const auto swing = [](float size) {
        std::vector<Transform> rest(4, {.translation = size * Vec3(0, 0.4f, 0.2f)});
        const auto skeleton = Skeleton::create({"root", "hair1", "hair2", "hair3"}, {-1, 0, 1, 2}, rest).value();
        SpringBoneSimulation simulation(find_spring_bones(skeleton), skeleton, rest);
        std::vector<Transform> pose;
        for (int i = 0; i < 40; ++i) {
            pose = rest;
            pose[0].translation += size * Vec3(0.1f * std::sin(0.3f * static_cast<float>(i)), 0, 0);
            simulation.step(1.0 / 60, pose);
        }
        return pose[2].rotation;
    };
    CHECK(swing(1.0f).angularDistance(Quat::Identity()) > 0.01f);
    for (const float size : {0.01f, 100.0f}) CHECK(swing(size).angularDistance(swing(1.0f)) < 1e-4f);
}

TEST_CASE("spring bones: a chain at rest stays, a hanging one swings down and comes to rest") {
    std::vector<Transform> rest(4, {.translation = Vec3(0.1f, 0, 0)});
    const auto skeleton = Skeleton::create({"root", "a", "b", "c"}, {-1, 0, 1, 2}, rest).value();
    SpringBones bones;
    for (int i = 1; i < 3; ++i)
        bones.bones.push_back({.joint = i, .child = i + 1, .stiffness = 0.0, .gravity_power = 1.0});
    SpringBoneSimulation simulation(bones, skeleton, rest);
    std::vector<Transform> pose = rest;
    for (int f = 0; f < 600; ++f) simulation.step(1.0 / 60.0, pose);
    CHECK((simulation.tail(1) - Vec3d(0.2, -0.2, 0)).norm() < 1e-3);
    bones.bones[0].gravity_power = bones.bones[1].gravity_power = 0.0;
    SpringBoneSimulation still(bones, skeleton, rest);
    pose = rest;
    for (int f = 0; f < 60; ++f) still.step(1.0 / 60.0, pose);
    for (size_t j = 0; j < 4; ++j) CHECK(pose[j].rotation.angularDistance(rest[j].rotation) < 1e-6f);
}
