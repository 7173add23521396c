// Beasts, figurines and seated people moved by built-in motions: rig, bind and walk in one go.
#include <doctest/doctest.h>

#include <render/shapes.h>
#include <rig/beasts.h>
#include <rig/variants.h>
#include <sinew/pipeline/animate.h>
#include <sinew/sample/sample.h>

using namespace sinew;
using namespace sinew::test;

namespace {

AnimateResult moved(const Mesh& mesh, const char* motion) {
    return animate(character_of(mesh), std::vector<std::string>{motion}).value();
}

// Vertices of the first mesh at a time of the first clip.
std::vector<Vec3> skin_at(const AnimateResult& result, float time) {
    Pose pose = rest_pose(result.character);
    sample(result.character.clips.front(), time, pose);
    std::vector<DeformedPrimitive> deformed;
    deform(result.character, pose, {.normals = false}, deformed);
    return deformed.front().positions;
}

std::vector<float> some_times(const AnimateResult& result) {
    std::vector<float> times;
    for (int k = 0; k < 8; ++k)
        times.push_back(duration(result.character.clips.front()) * static_cast<float>(k) / 8.0f);
    return times;
}

float lowest(const std::vector<Vec3>& points) {
    float low = INFINITY;
    for (const Vec3& p : points) low = std::min(low, p.y());
    return low;
}

// Where joints are at a time, by name.
Vec3 joint_then(const AnimateResult& result, std::string_view name, float time) {
    Pose pose = rest_pose(result.character);
    sample(result.character.clips.front(), time, pose);
    std::vector<AffineD> world(result.character.skeleton.size());
    local_to_world(result.character.skeleton.parents(), pose.local, world);
    const int32_t j = result.character.skeleton.find(name);
    REQUIRE(j >= 0);
    return world[static_cast<size_t>(j)].translation().cast<float>();
}

}  // namespace

TEST_CASE("animate: a T. rex walks on its feet with a level trunk") {
    const AnimateResult rex = moved(t_rex(), "walk");
    const float seconds = duration(rex.character.clips.front());
    CHECK(joint_then(rex, "hips", seconds).z() - joint_then(rex, "hips", 0).z() > 0.5f);  // it gets ahead
    float most_apart = 0.0f;
    for (const float t : some_times(rex)) {
        CAPTURE(t);
        CHECK(std::abs(lowest(skin_at(rex, t))) < 0.06f);
        const Vec3 trunk = joint_then(rex, "neck", t) - joint_then(rex, "hips", t),
                   tail = joint_then(rex, "hips", t) - joint_then(rex, "tail6", t);
        CHECK(trunk.z() > 0.85f * trunk.norm());
        CHECK(tail.z() > 0.85f * tail.norm());
        most_apart =
            std::max(most_apart, std::abs(joint_then(rex, "leftToes", t).z() - joint_then(rex, "rightToes", t).z()));
    }
    CHECK(most_apart > 0.25f);
}

TEST_CASE("animate: a dragon walks on four legs with its wings folded, and flaps them") {
    const Mesh mesh = dragon();
    const AnimateResult walking = moved(mesh, "walk"), flying = moved(mesh, "flap");
    float reach = 0.0f;
    for (const float t : some_times(walking)) {
        CAPTURE(t);
        CHECK(std::abs(lowest(skin_at(walking, t))) < 0.06f);
        reach = std::max(reach, joint_then(walking, "leftWingTip", t).x());
    }
    CHECK(reach < 1.2f);  // spread it is 1.9
    float high = -INFINITY, low = INFINITY;
    for (const float t : some_times(flying)) {
        const float rise = joint_then(flying, "leftWingTip", t).y() - joint_then(flying, "hips", t).y();
        high = std::max(high, rise), low = std::min(low, rise);
    }
    CHECK(high - low > 0.8f);
}

TEST_CASE("animate: a second pair of arms swings along") {
    const AnimateResult four = moved(four_armed(), "walk");
    for (const char* side : {"left", "right"}) {
        float ahead = -INFINITY, behind = INFINITY, down = 0.0f;
        for (const float t : some_times(four)) {
            const std::string name = side;
            const Vec3 arm = joint_then(four, name + "ExtraHand", t) - joint_then(four, name + "ExtraUpperArm", t);
            ahead = std::max(ahead, arm.z()), behind = std::min(behind, arm.z());
            down += -arm.y() / arm.norm() / 8.0f;
        }
        CAPTURE(side);
        CHECK(ahead - behind > 0.1f);
        CHECK(down > 0.6f);  // they hang
    }
}

TEST_CASE("animate: a figurine walks, and its base stays") {
    for (const Plinth plinth : {Plinth::separate, Plinth::fused}) {
        const AnimateResult figure = moved(figurine(plinth), "walk");
        REQUIRE(figure.report.rig);
        const RigResult& rig = figure.report.rig->rig;
        REQUIRE(rig.base_joint >= 0);
        const std::vector<Vec3> before = skin_at(figure, 0.0f);
        for (const float t : some_times(figure)) {
            const std::vector<Vec3> now = skin_at(figure, t);
            float most = 0.0f;
            for (const uint32_t v : rig.base) most = std::max(most, (now[v] - before[v]).norm());
            CHECK(most < 1e-5f);
        }
        // The rest of it does move.
        const std::vector<Vec3> later = skin_at(figure, 0.3f);
        float most = 0.0f;
        for (size_t v = 0; v < later.size(); ++v) most = std::max(most, (later[v] - before[v]).norm());
        CHECK(most > 0.2f);
    }
}

TEST_CASE("animate: who sits or crouches gets up to walk") {
    const Character person = make_rigged_humanoid();
    for (const char* pose : {"seated", "crouching"}) {
        BareCharacter c{.name = pose, .kind = "biped"};
        take_posed(person, pose, c);
        Mesh mesh;
        mesh.positions = c.positions, mesh.triangles = c.triangles;
        const AnimateResult walking = moved(mesh, "walk");
        CAPTURE(std::string(pose));
        REQUIRE(walking.report.rig);
        const RigResult& rig = walking.report.rig->rig;
        REQUIRE(rig.kind == RigKind::biped);
        // Thighs that lie on the belly hide the hips: of one who crouches they are found less exactly.
        const bool seated = std::string(pose) == "seated";
        CHECK(rig.stance != "standing");
        if (seated) CHECK(rig.stance == "seated");
        const auto at = [&](std::string_view name) {
            return rig.positions[static_cast<size_t>(rig.skeleton.find(name))];
        };
        for (const char* name : {"leftUpperLeg", "leftLowerLeg", "leftFoot", "rightLowerLeg", "neck"}) {
            CAPTURE(std::string(name));
            const bool hidden = !seated && std::string(name) == "leftUpperLeg";
            CHECK((at(name) - c.truth[name]).norm() < (hidden ? 0.12f : 0.07f) * 1.75f);
        }
        // The legs are straight, one below the other, and the hips are as high as the legs are long.
        for (const float t : some_times(walking)) {
            const float leg =
                (at("leftUpperLeg") - at("leftLowerLeg")).norm() + (at("leftLowerLeg") - at("leftFoot")).norm();
            const Vec3 hip = joint_then(walking, "leftUpperLeg", t), foot = joint_then(walking, "leftFoot", t);
            CHECK((hip - foot).norm() > 0.8f * leg);
            CHECK(hip.y() - foot.y() > 0.7f * leg);
        }
    }
}
