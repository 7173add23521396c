// Ragdolls are made of a body's own measures, fall as bodies do, and come back as poses.
#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/io/read.h>
#include <sinew/sample/sample.h>
#include <cmath>
#include <numbers>

#include <ragdoll/drop.h>
#include <support/data_case.h>

using namespace sinew;

namespace {

// The volume that the surface encloses.
double mesh_volume(const Character& character) {
    double volume = 0.0;
    for (const MeshGroup& mesh : character.meshes)
        for (const Primitive& p : mesh.primitives)
            for (size_t t = 0; t + 2 < p.mesh.triangles.size(); t += 3) {
                const auto at = [&](size_t k) {
                    return p.mesh.positions[p.mesh.triangles[t + k]].cast<double>().eval();
                };
                volume += at(0).dot(at(1).cross(at(2))) / 6.0;
            }
    return volume;
}

void check_falls(const Character& character, uint64_t seeds) {
    const auto body = fit_ragdoll(character);
    REQUIRE(body.has_value());
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        CAPTURE(seed);
        const test::Fall fall = test::drop(*body, seed);
        CHECK(fall.rest_after <= 6.0);
        CHECK(fall.excess_deg <= 5.0);
        CHECK(fall.fastest <= 15.0);
        CHECK(fall.deepest <= 0.03);
    }
}

}  // namespace

TEST_CASE("fit_ragdoll: the sample weighs what its volume says, and its limbs are alike on both sides") {
    const Character sample = make_rigged_humanoid();
    const auto body = fit_ragdoll(sample);
    REQUIRE(body.has_value());
    CHECK(body->parts.size() == 16);
    CHECK(body->mass == doctest::Approx(1000.0 * mesh_volume(sample)).epsilon(0.25));
    for (const PartKind kind : {PartKind::upper_arm, PartKind::lower_arm, PartKind::upper_leg, PartKind::lower_leg}) {
        const auto &left = body->parts[static_cast<size_t>(body->find(kind, Side::left))],
                   &right = body->parts[static_cast<size_t>(body->find(kind, Side::right))];
        CHECK(left.mass == doctest::Approx(right.mass).epsilon(0.05));
        CHECK(left.radius == doctest::Approx(right.radius).epsilon(0.05));
        CHECK(left.high.x() == doctest::Approx(right.high.x()));
        CHECK(left.low.y() == doctest::Approx(-right.high.y()));
    }
}

TEST_CASE("fit_ragdoll: the rest pose is within all limits, and knees bend backwards") {
    for (const char* name : {"humanoid-rigged", "humanoid-child", "quadruped"}) {
        CAPTURE(name);
        const auto body = fit_ragdoll(*make_sample(name));
        REQUIRE(body.has_value());
        const auto rest = parts_of_pose(*body, {body->skeleton.rest(), {}});
        for (size_t i = 0; i < rest.size(); ++i) {
            const RagdollPart& part = body->parts[i];
            if (part.parent < 0) continue;
            const auto& above = rest[static_cast<size_t>(part.parent)];
            const Vec3d a = joint_angles(part, above.rotation, rest[i].rotation);
            CHECK((a - part.low).minCoeff() > 0.0);
            CHECK((part.high - a).minCoeff() > 0.0);
            if (part.kind != PartKind::lower_leg) continue;
            const Quatd bent = rotation_for_angles(part, above.rotation, {1.0, 0.0, 0.0});
            const Vec3d moved = (bent * part.centre - rest[i].rotation * part.centre);
            CHECK(moved.dot(body->ahead) < -0.05);
        }
    }
}

TEST_CASE("joint_angles: the angles of a rotation made of three angles are these three") {
    const auto body = fit_ragdoll(make_rigged_humanoid());
    Random random(5);
    for (int k = 0; k < 200; ++k) {
        const RagdollPart& part = body->parts[1 + random.below(body->parts.size() - 1)];
        const Vec3d angles(random.uniform(-3.0, 3.0), random.uniform(-1.4, 1.4), random.uniform(-3.0, 3.0));
        const Quatd above = Quatd(random.uniform(), random.uniform(), random.uniform(), random.uniform()).normalized();
        CHECK((joint_angles(part, above, rotation_for_angles(part, above, angles)) - angles).norm() < 1e-9);
    }
}

TEST_CASE("pose_of_parts: a pose as parts and back is the pose") {
    for (const char* name : {"humanoid-rigged", "quadruped"}) {
        const auto body = fit_ragdoll(*make_sample(name));
        for (uint64_t seed = 1; seed <= 20; ++seed) {
            const Pose pose = random_ragdoll_pose(*body, seed);
            Pose back{body->skeleton.rest(), {}};
            pose_of_parts(*body, parts_of_pose(*body, pose), back);
            CHECK(test::furthest_joint(body->skeleton, pose, back) < 1e-5);
        }
    }
}

TEST_CASE("RagdollWorld: a body in the air falls as all bodies do") {
    const auto body = fit_ragdoll(make_rigged_humanoid());
    RagdollWorld world;
    auto start = parts_of_pose(*body, {body->skeleton.rest(), {}});
    for (PartState& p : start) p.position.y() += 10.0;
    const size_t me = world.add(*body, start, {.damping = 0.0});
    const auto middle = [&] {
        Vec3d sum = Vec3d::Zero();
        for (size_t i = 0; i < start.size(); ++i) sum += body->parts[i].mass / body->mass * world.parts(me)[i].position;
        return sum;
    };
    const Vec3d from = middle();
    while (world.time() < 0.5) world.step();
    CHECK((middle() - from).y() == doctest::Approx(-0.5 * 9.81 * world.time() * world.time()).epsilon(0.01));
    CHECK(std::hypot((middle() - from).x(), (middle() - from).z()) < 1e-3);
}

TEST_CASE("ragdolls: dropped from seeded poses they come to rest within their limits, on the floor") {
    check_falls(make_rigged_humanoid(), 4);
    check_falls(make_quadruped(), 4);
}

TEST_CASE("ragdolls: the same fall has the same bits") {
    const auto body = fit_ragdoll(make_rigged_humanoid());
    const test::Fall a = test::drop(*body, 3, 2.0), b = test::drop(*body, 3, 2.0);
    for (size_t i = 0; i < a.parts.size(); ++i) {
        CHECK(a.parts[i].position == b.parts[i].position);
        CHECK(a.parts[i].rotation.coeffs() == b.parts[i].rotation.coeffs());
    }
}

TEST_CASE("fit_ragdoll: what has no joints cannot fall") {
    Character nothing;
    const auto body = fit_ragdoll(nothing);
    REQUIRE(!body.has_value());
    CHECK(body.error().message.find("rig it first") != std::string::npos);
}

DATA_TEST_CASE("ragdolls of people and animals in files fall within the same bounds") {
    for (const char* name : {"m2m_var_human-male", "m2m_var_human-female", "m2m_var_human-zombie", "kaykit_Knight",
                             "m2m_fox-animations", "m2m_horse-animations"}) {
        CAPTURE(name);
        const auto character = read_character(data / "rigged-gt" / (std::string(name) + ".glb"));
        REQUIRE(character.has_value());
        check_falls(*character, 3);
    }
}
