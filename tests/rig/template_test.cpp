// Templates: the library's own, the user's in JSON, and skeletons of any kind put into a body by the search.
#include <doctest/doctest.h>

#include <rig/characters.h>
#include <sinew/core/parallel.h>
#include <sinew/rig/fit_skeleton.h>
#include <sinew/rig/template/template_json.h>
#include <sinew/sample/sample.h>
#include <support/humanoid.h>

using namespace sinew;
using namespace sinew::test;

namespace {

BareCharacter bare(const Character& character) {
    BareCharacter c;
    take_triangles(character, rest_pose(character), c);
    return c;
}

RigTemplate turned(RigTemplate t, const Quatd& q, double scale) {
    for (TemplateJoint& joint : t.joints) {
        joint.position = scale * (q * joint.position) + Vec3d(3, -5, 11);
        if (joint.axes) joint.axes = q.toRotationMatrix() * *joint.axes;
    }
    return t;
}

std::string problem(const std::string& text) {
    const auto parsed = parse_template(as_byte_span(text));
    return parsed ? "" : parsed.error().where + ": " + parsed.error().message;
}

}  // namespace

TEST_CASE("template: the library's own are complete and mirror themselves") {
    for (const RigKind kind : {RigKind::biped, RigKind::quadruped, RigKind::bird}) {
        const auto parsed = parse_template(as_byte_span(builtin_template_text(kind)));
        REQUIRE(parsed);
        CHECK(parsed->kind == kind);
        for (size_t j = 0; j < parsed->size(); ++j) {
            const TemplateJoint& joint = parsed->joints[j];
            CAPTURE(joint.name);
            CHECK(joint.parent < static_cast<int>(j));
            CHECK(joint.bend);
            const bool sided = joint.name.rfind("left", 0) == 0 || joint.name.rfind("right", 0) == 0;
            CHECK((joint.mirror >= 0) == sided);
            if (joint.mirror < 0) continue;
            const TemplateJoint& other = parsed->joints[static_cast<size_t>(joint.mirror)];
            CHECK(other.mirror == static_cast<int>(j));
            CHECK((joint.position - Vec3d(-other.position.x(), other.position.y(), other.position.z())).norm() < 1e-9);
        }
    }
    CHECK(builtin_template(RigKind::generic).size() == 0);
    size_t roles = 0;
    for (const TemplateJoint& joint : builtin_template(RigKind::biped).joints) roles += joint.role != Role::count;
    CHECK(roles == builtin_template(RigKind::biped).size() - 1);  // all but the root
    CHECK(scheme_name("leftUpperArm", NameScheme::mixamo) == "mixamorig:LeftArm");
    CHECK(scheme_name("rightLittleDistal", NameScheme::unreal) == "pinky_03_r");
    CHECK(scheme_name("root", NameScheme::humanik) == "Reference");
    CHECK(scheme_name("leftFrontFoot", NameScheme::unreal) == "front_foot_l");
    CHECK(sinew_name("hand_l") == "leftHand");
    CHECK(sinew_name("mixamorig:RightUpLeg") == "rightUpperLeg");
    CHECK(sinew_name("front_foot_l") == "leftFrontFoot");
}

TEST_CASE("template: broken JSON says where and what to write, and never more than that") {
    CHECK(problem("{").find("byte 2") == 0);
    CHECK(problem("[]").find("/sinew_template") == 0);
    CHECK(problem(R"({"sinew_template": 2, "joints": []})").find("version 1") != std::string::npos);
    CHECK(problem(R"({"sinew_template": 1})").find("/joints") == 0);
    CHECK(problem(R"({"sinew_template": 1, "kind": "fish", "joints": []})").find("/kind") == 0);
    const auto with_joints = [&](const std::string& joints) {
        return problem(R"({"sinew_template": 1, "joints": [)" + joints + "]}");
    };
    CHECK(with_joints(R"({"name": "a", "position": [0, 0, 0]})") == "");
    CHECK(with_joints("7").find("/joints/0: is not a joint") == 0);
    CHECK(with_joints(R"({"name": "", "position": [0, 0, 0]})").find("/joints/0/name") == 0);
    CHECK(with_joints(R"({"name": "a", "position": [0, 0]})").find("/joints/0/position") == 0);
    CHECK(with_joints(R"({"name": "a", "position": [0, 0, 1e300]})").find("/joints/0/position") == 0);
    CHECK(with_joints(R"({"name": "a", "position": [0, 0, "x"]})").find("/joints/0/position") == 0);
    CHECK(with_joints(R"({"name": "a", "position": [0, 0, 0], "parent": "b"})").find("/joints/0/parent") == 0);
    CHECK(with_joints(R"({"name": "a", "position": [0, 0, 0], "parent": "a"})").find("/joints/0/parent") == 0);
    CHECK(with_joints(R"({"name": "a", "position": [0, 0, 0], "bend": "inward"})").find("/joints/0/bend") == 0);
    CHECK(with_joints(R"({"name": "a", "position": [0, 0, 0], "mirror": "a"})").find("/joints/0/mirror") == 0);
    CHECK(with_joints(R"({"name": "a", "position": [0, 0, 0], "mirror": "z"})").find("/joints/0/mirror") == 0);
    CHECK(with_joints(R"({"name": "a", "position": [0, 0, 0], "prent": null})").find("/joints/0/prent") == 0);
    const std::string a = R"({"name": "a", "position": [0, 0, 0]})";
    CHECK(with_joints(a + "," + a).find("/joints/1/name") == 0);
    std::string many = a;
    for (int k = 0; k < 5000; ++k) many += R"(, {"name": "j)" + std::to_string(k) + R"(", "position": [0, 0, 0]})";
    CHECK(with_joints(many).find("/joints: ") == 0);
    CHECK(problem(std::string(5u << 20, ' ')).find("4 MB") != std::string::npos);
    CHECK(problem(std::string(100000, '[')) != "");

    // Cut at each byte, then with bytes changed: an answer, whatever it is.
    const std::string text(builtin_template_text(RigKind::bird));
    const size_t end = text.find_last_of('}');
    for (size_t cut = 0; cut < end; ++cut) CHECK_FALSE(parse_template(as_byte_span(text.substr(0, cut))));
    Random random(4);
    for (int round = 0; round < 3000; ++round) {
        std::string changed = text;
        for (int k = 0; k < 1 + round % 4; ++k)
            changed[static_cast<size_t>(random.uniform() * static_cast<double>(text.size()))] =
                static_cast<char>(random.uniform() * 256.0);
        const auto parsed = parse_template(as_byte_span(changed));
        if (!parsed) continue;
        for (size_t j = 0; j < parsed->size(); ++j) {
            REQUIRE(parsed->joints[j].parent < static_cast<int>(j));
            REQUIRE(parsed->joints[j].mirror < static_cast<int>(parsed->size()));
            REQUIRE(parsed->joints[j].position.allFinite());
        }
    }
}

TEST_CASE("template: a humanoid skeleton keeps its names and extra joints, and stands in the mesh") {
    const BareCharacter c = bare(make_rigged_humanoid());
    const auto rig = fit_skeleton(c.positions, c.triangles);
    REQUIRE(rig);
    const NamedHumanoid user = make_humanoid_skeleton(vrm_style());
    const auto applied = fit_skeleton(c.positions, c.triangles, {.user_template = make_template(user.skeleton)});
    REQUIRE(applied);
    CHECK(applied->skeleton.names() == user.skeleton.names());
    CHECK(applied->skeleton.parents() == user.skeleton.parents());
    const std::vector<AffineD> world = rest_world(applied->skeleton);
    for (const char* name : {"hips", "head", "leftHand", "rightLowerLeg", "leftFoot"}) {
        const auto a = static_cast<size_t>(applied->skeleton.find(name)),
                   b = static_cast<size_t>(rig->skeleton.find(name));
        CHECK((world[a].translation().cast<float>() - rig->positions[b]).norm() < 1e-4f);
    }
    // The jaw, which was not fitted, hangs on the head where the template has it.
    const auto jaw = static_cast<size_t>(applied->skeleton.find("jaw")),
               head = static_cast<size_t>(applied->skeleton.find("head"));
    const Vec3d offset = world[jaw].translation() - world[head].translation();
    CHECK(offset.z() > 0.0);
    CHECK(offset.norm() < 0.1);
}

TEST_CASE("template: the library's own biped as a file gives the library's own rig") {
    const BareCharacter c = bare(make_rigged_humanoid());
    const auto rig = fit_skeleton(c.positions, c.triangles);
    const auto same = fit_skeleton(c.positions, c.triangles, {.user_template = builtin_template(RigKind::biped)});
    REQUIRE(rig);
    REQUIRE(same);
    CHECK(same->kind == RigKind::biped);
    size_t found = 0;
    for (size_t j = 0; j < same->skeleton.size(); ++j) {
        const int32_t k = rig->skeleton.find(same->skeleton.names()[j]);
        if (k < 0) continue;
        ++found;
        if (same->skeleton.names()[j] == "root") continue;  // below the hips here, by proportion there
        CHECK((same->positions[j] - rig->positions[static_cast<size_t>(k)]).norm() < 1e-4f);
    }
    CHECK(found == rig->skeleton.size());
}

TEST_CASE("template: the search puts any skeleton back into its own body, turned and scaled away") {
    const Quatd turn(0.3, -0.5, 0.7, 0.2);
    for (const Character& character : {make_quadruped(), make_rigged_humanoid()}) {
        const BareCharacter c = bare(character);
        RigTemplate t = make_template(character.skeleton);
        t.kind.reset();
        for (TemplateJoint& joint : t.joints) joint.role = Role::count;
        const std::vector<AffineD> truth = rest_world(character.skeleton);
        Box box;
        for (const Vec3& p : c.positions) box.add(p);
        const auto size = static_cast<double>(box.size().norm());
        const auto rig = fit_skeleton(c.positions, c.triangles, {.user_template = turned(t, turn.normalized(), 20.0)});
        REQUIRE(rig);
        REQUIRE(rig->skeleton.names() == character.skeleton.names());
        double sum = 0.0, worst = 0.0;
        for (size_t j = 0; j < truth.size(); ++j) {
            const double off = (rig->positions[j].cast<double>() - truth[j].translation()).norm() / size;
            sum += off;
            worst = std::max(worst, off);
        }
        MESSAGE("own skeleton: mean " << 100.0 * sum / static_cast<double>(truth.size()) << "% of the diagonal, worst "
                                      << 100.0 * worst << "%, confidence " << rig->confidence);
        CHECK(sum / static_cast<double>(truth.size()) < 0.04);
        if (character.skeleton.size() > 30) continue;
        set_thread_count(1);
        const auto serial =
            fit_skeleton(c.positions, c.triangles, {.user_template = turned(t, turn.normalized(), 20.0)});
        set_thread_count(0);
        REQUIRE(serial);
        CHECK(serial->positions == rig->positions);
    }
}

TEST_CASE("template: strange templates and strange bodies have an answer") {
    const BareCharacter c = bare(make_arm());
    RigTemplate one;
    one.joints.push_back({.name = "only"});
    RigTemplate heap;  // all in one place
    for (int k = 0; k < 5; ++k) heap.joints.push_back({.name = "j" + std::to_string(k), .parent = k - 1});
    RigTemplate star;  // forty arms
    star.joints.push_back({.name = "middle"});
    for (int k = 0; k < 40; ++k)
        star.joints.push_back({.name = "arm" + std::to_string(k),
                               .parent = 0,
                               .position = {std::cos(0.3 * k), std::sin(0.3 * k), 0.1 * k}});
    for (const RigTemplate& t : {one, heap, star, make_template(make_quadruped().skeleton)}) {
        const auto rig = fit_skeleton(c.positions, c.triangles, {.user_template = t});
        REQUIRE(rig);
        CHECK(rig->skeleton.size() == t.size());
        for (const Vec3& p : rig->positions) CHECK(p.allFinite());
    }
    CHECK_FALSE(fit_skeleton(c.positions, c.triangles, {.user_template = RigTemplate{}}));
}
