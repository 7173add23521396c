#include <doctest/doctest.h>

#include <sinew/pipeline/pose/reach.h>
#include <sinew/pipeline/pose_character.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

using namespace sinew;

namespace {

const Character& hero() {
    static const Character made = make_rigged_humanoid();
    return made;
}

Vec3d place(const Character& character, const char* name) {
    return rest_world(character.skeleton)[static_cast<size_t>(character.skeleton.find(name))].translation();
}

}  // namespace

TEST_CASE("pose: rotations about a joint's own axes are added to what is there, x first") {
    Character character = hero();
    const auto joint = static_cast<size_t>(character.skeleton.find("leftLowerArm"));
    const Quat before = character.skeleton.rest()[joint].rotation;
    REQUIRE(pose_character(character, {.rotate = {{"leftLowerArm", Vec3(90, 0, 90)}}}));
    const Quat after = character.skeleton.rest()[joint].rotation;
    // Its y axis goes to z by the turn about x and stays there by the one about z; its x axis goes to y.
    CHECK((after * Vec3::UnitY() - before * Vec3::UnitZ()).norm() < 1e-5f);
    CHECK((after * Vec3::UnitX() - before * Vec3::UnitY()).norm() < 1e-5f);
}

TEST_CASE("pose: chains end where the body branches, and limbs are whole") {
    const PoseBody body = make_pose_body(hero());
    const auto chain = [&](const char* name) { return chain_for(body, hero().skeleton.find(name)); };
    const auto name = [&](int32_t joint) { return hero().skeleton.names()[static_cast<size_t>(joint)]; };
    CHECK(name(chain("leftHand").root) == "leftUpperArm");
    CHECK(name(chain("rightFoot").root) == "rightUpperLeg");
    CHECK(name(chain("head").root) == "spine");
    CHECK(name(chain("leftIndexDistal").root) == "leftIndexProximal");
}

TEST_CASE("pose: hands reach, straight arms bend their elbows down or backwards, and knees bend forwards") {
    for (const double height : {1.1, 1.3, 1.5}) {
        Character character = hero();
        const Vec3 target(0.2f, static_cast<float>(height), 0.35f);
        const auto report = pose_character(character, {.targets = {{"leftHand", target}}});
        REQUIRE(report);
        CHECK(report->reached);
        CHECK((place(character, "leftHand") - target.cast<double>()).norm() < 2e-3);
        const Vec3d shoulder = place(character, "leftUpperArm"), line = place(character, "leftHand") - shoulder;
        const Vec3d elbow = place(character, "leftLowerArm") - shoulder;
        const Vec3d bend = elbow - line * (elbow.dot(line) / line.squaredNorm());
        CHECK(bend.dot(Vec3d(0.3, -0.7, -0.6)) > 0);
    }
    Character character = hero();
    REQUIRE(pose_character(character, {.moves = {{"leftFoot", Vec3(0, 0.3f, 0.1f)}}}));
    CHECK(place(character, "leftLowerLeg").z() > place(hero(), "leftLowerLeg").z() + 0.05);
}

TEST_CASE("pose: the skin stays bound as it was, and the pose is kept as asked") {
    for (const PoseAs as : {PoseAs::both, PoseAs::nodes, PoseAs::clip}) {
        Character character = hero();
        REQUIRE(pose_character(character, {.moves = {{"rightHand", Vec3(0, 0.2f, 0.2f)}}, .as = as}));
        REQUIRE(validate(character));
        CHECK((character.skeleton.rest() == hero().skeleton.rest()) == (as == PoseAs::clip));
        CHECK((!character.clips.empty() && character.clips.front().name == "pose") == (as != PoseAs::nodes));
        for (size_t i = 0; i < character.skins[0].joints.size(); ++i)
            CHECK(character.skins[0].inverse_bind[i].matrix() == hero().skins[0].inverse_bind[i].matrix());
        const Clip* clip = as == PoseAs::nodes ? nullptr : &character.clips.front();
        const Pose pose = pose_at(character, clip, 0.0f);
        std::vector<AffineD> world(pose.local.size());
        local_to_world(character.skeleton.parents(), pose.local, world);
        const auto hand = static_cast<size_t>(character.skeleton.find("rightHand"));
        CHECK((world[hand].translation() - place(hero(), "rightHand") - Vec3d(0, 0.2, 0.2)).norm() < 2e-3);
    }
}

TEST_CASE("pose: a body without roles is posed by its chains, and an elastic drag holds its root") {
    Character arm = make_arm();
    const std::string tip = "hand", root = arm.skeleton.names()[static_cast<size_t>(arm.skins[0].joints[0])];
    for (const char* solver : {"auto", "elastic"}) {
        Character character = arm;
        const auto report = pose_character(character, {.moves = {{tip, Vec3(-0.1f, 0.1f, 0)}}, .solver = solver});
        REQUIRE(report);
        INFO(std::string(solver), " is off by ", report->goals[0].error);
        CHECK(report->reached);
        CHECK((place(character, root.c_str()) - place(arm, root.c_str())).norm() < 5e-3);
    }
}

TEST_CASE("pose: what cannot be done is told") {
    Character character = hero();
    CHECK(!pose_character(character, {.rotate = {{"nobody", Vec3(1, 0, 0)}}}));
    CHECK(!pose_character(character, {.solver = "magic"}));
    CHECK(!pose_character(character, {.targets = {{"vertex 7", Vec3(1, 0, 0)}}}));
    Character bare = make_humanoid();
    CHECK(!pose_character(bare, {.targets = {{"leftHand", Vec3(1, 0, 0)}}}));
    CHECK(character.skeleton.rest() == hero().skeleton.rest());
    Character arm = make_arm();  // a node above all bones moves by no joint
    const std::string above = arm.skeleton.names()[static_cast<size_t>(arm.instances[0].joint)];
    for (const char* solver : {"auto", "ccd", "elastic"})
        CHECK(!pose_character(arm, {.targets = {{above, Vec3(1, 0, 0)}}, .solver = solver}));
    const auto far = pose_character(character, {.targets = {{"leftHand", Vec3(9, 0, 0)}}});
    REQUIRE(far);
    CHECK(!far->reached);
    CHECK(far->warnings.size() == 1);
    CHECK(far->goals[0].error > 5);
}
