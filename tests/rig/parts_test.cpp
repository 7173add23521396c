#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/rig/embed/user_template.h>
#include <sinew/rig/fit/fit.h>
#include <sinew/rig/hints.h>
#include <sinew/rig/joint_frames.h>
#include <sinew/rig/joint_names.h>
#include <sinew/rig/template/template_json.h>

using namespace sinew;

namespace {

// Arms out, legs down, 1 m.
Fit plain_biped() {
    Fit fit;
    const int hips = fit.add("hips", -1, {0, 0.5, 0}), spine = fit.add("spine", hips, {0, 0.6, 0}),
              neck = fit.add("neck", spine, {0, 0.8, 0});
    fit.add("head", neck, {0, 0.85, 0});
    for (const double side : {1.0, -1.0}) {
        const std::string name = side > 0 ? "left" : "right";
        const int arm = fit.add(name + "UpperArm", spine, {side * 0.1, 0.78, 0}),
                  elbow = fit.add(name + "LowerArm", arm, {side * 0.26, 0.78, 0});
        fit.add(name + "Hand", elbow, {side * 0.4, 0.78, 0});
        const int leg = fit.add(name + "UpperLeg", hips, {side * 0.05, 0.48, 0}),
                  knee = fit.add(name + "LowerLeg", leg, {side * 0.05, 0.28, 0.01});
        const int foot = fit.add(name + "Foot", knee, {side * 0.05, 0.05, 0});
        fit.add(name + "Toes", foot, {side * 0.05, 0.01, 0.07});
    }
    follow_template(fit, builtin_template(RigKind::biped));
    return fit;
}

}  // namespace

TEST_CASE("names: every scheme, and back") {
    CHECK(scheme_name("leftUpperArm", NameScheme::mixamo) == "mixamorig:LeftArm");
    CHECK(scheme_name("leftUpperArm", NameScheme::unreal) == "upperarm_l");
    CHECK(scheme_name("leftUpperArm", NameScheme::humanik) == "LeftArm");
    CHECK(scheme_name("leftFrontUpperLeg", NameScheme::unreal) == "front_upper_leg_l");
    CHECK(scheme_name("tail2", NameScheme::mixamo) == "mixamorig:Tail2");
    CHECK(scheme_name("leftUpperArmTwist1", NameScheme::unreal) == "upperarm_twist_01_l");
    CHECK(scheme_name("leftUpperArmTwist1", NameScheme::humanik) == "LeftArmTwist1");
    for (const char* name : {"hips", "upperChest", "head", "leftHand", "rightLowerLeg", "leftThumbDistal", "rightToes"})
        for (const NameScheme scheme : {NameScheme::vrm, NameScheme::mixamo, NameScheme::unreal, NameScheme::humanik})
            CHECK(sinew_name(scheme_name(name, scheme)) == name);
    CHECK(sinew_name("HAND_L") == "leftHand");
    CHECK(sinew_name("nonsense").empty());
    CHECK_FALSE(find_name_scheme("maya"));
}

TEST_CASE("joint frames: orthonormal, along the bone, mirrored, and a positive turn about X bends the right way") {
    const Fit fit = plain_biped();
    const std::vector<Mat3d> frames = find_joint_frames(fit);
    const auto frame = [&](const char* name) { return frames[static_cast<size_t>(fit.find(name))]; };
    for (const Mat3d& f : frames) {
        CHECK((f * f.transpose() - Mat3d::Identity()).norm() < 1e-12);
        CHECK(f.determinant() == doctest::Approx(1.0));
    }
    CHECK(frame("leftUpperArm").col(1).x() == doctest::Approx(1.0));
    CHECK(frame("rightUpperArm").col(1).x() == doctest::Approx(-1.0));
    // What the tip of the bone does under a small turn about +X: X × Y.
    const auto bends = [&](const char* name) { return Vec3d(frame(name).col(2)); };
    CHECK(bends("leftLowerLeg").z() < -0.9);  // a knee goes back
    CHECK(bends("leftLowerArm").z() > 0.9);   // an elbow comes forward
    CHECK(bends("rightLowerArm").z() > 0.9);
    CHECK(bends("spine").z() > 0.9);  // a bow
    for (const char* joint : {"UpperArm", "LowerArm", "UpperLeg", "LowerLeg"}) {
        const Mat3d l = frame((std::string("left") + joint).c_str()), r = frame((std::string("right") + joint).c_str());
        CHECK(std::abs(l(1, 1) - r(1, 1)) < 1e-12);
        CHECK(std::abs(l(2, 2) - r(2, 2)) < 1e-12);
    }
    // The knee and the thigh of a bent leg turn about the same axis.
    CHECK(frame("leftUpperLeg").col(0).dot(frame("leftLowerLeg").col(0)) > 0.99);
}

TEST_CASE(
    "hints: the joint is where it must be, what hangs on it comes along, the chain takes its share, the partner "
    "mirrors it") {
    Fit fit = plain_biped();
    const Fit before = fit;
    fix_joints(fit, {{"leftHand", {0.4, 0.68, 0.0}}}, true);
    const auto moved = [&](const char* name) {
        const auto j = static_cast<size_t>(fit.find(name));
        return Vec3d(fit.joints[j].position - before.joints[j].position);
    };
    CHECK((moved("leftHand") - Vec3d(0, -0.1, 0)).norm() < 1e-12);
    CHECK((moved("rightHand") - Vec3d(0, -0.1, 0)).norm() < 1e-12);
    CHECK(moved("leftLowerArm").y() == doctest::Approx(-0.1 * 2 / 3));
    CHECK(moved("leftUpperArm").y() == doctest::Approx(-0.1 / 3));
    CHECK(moved("spine").norm() == 0.0);
    CHECK(moved("leftFoot").norm() == 0.0);

    Fit one = plain_biped();
    fix_joints(one, {{"leftUpperLeg", {0.08, 0.5, 0}}, {"rightUpperLeg", {-0.05, 0.48, 0}}}, true);
    CHECK(one.joints[static_cast<size_t>(one.find("leftToes"))].position.x() == doctest::Approx(0.08));
    CHECK(one.joints[static_cast<size_t>(one.find("rightToes"))].position.x() == doctest::Approx(-0.05));
}

TEST_CASE("twist joints lie on their bones; the root stands on the ground") {
    Fit fit = plain_biped();
    const size_t before = fit.joints.size();
    add_twist_joints(fit, 2);
    CHECK(fit.joints.size() == before + 2 * 8);
    const int twist = fit.find("leftUpperArmTwist1");
    REQUIRE(twist >= 0);
    CHECK(fit.joints[static_cast<size_t>(twist)].position.x() == doctest::Approx(0.1 + 0.16 / 3));
    CHECK(fit.joints[static_cast<size_t>(fit.joints[static_cast<size_t>(twist)].parent)].name == "leftUpperArm");
    add_root(fit, 0.0);
    CHECK(fit.joints[0].name == "root");
    CHECK(fit.joints[0].position.y() == 0.0);
    for (size_t j = 1; j < fit.joints.size(); ++j) CHECK(fit.joints[j].parent >= 0);
}
