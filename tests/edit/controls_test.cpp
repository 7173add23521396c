// Controls: what they promise, on the sample humanoid and on bodies whose joints have other axes.
#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/curve/rotation_curve.h>
#include <sinew/edit/controls/controls.h>
#include <sinew/edit/controls/face.h>
#include <sinew/motion/builtin.h>
#include <sinew/pipeline/edit/control_body.h>
#include <sinew/pipeline/retarget_character.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/pose.h>
#include <cmath>
#include <numbers>

using namespace sinew;

namespace {

std::vector<Vec3d> places(const Pose& pose, const Skeleton& skeleton) {
    std::vector<AffineD> world(skeleton.size());
    local_to_world(skeleton.parents(), pose.local, world);
    std::vector<Vec3d> made;
    for (const AffineD& joint : world) made.push_back(joint.translation());
    return made;
}

double farthest(const std::vector<Vec3d>& a, const std::vector<Vec3d>& b) {
    double worst = 0.0;
    for (size_t i = 0; i < a.size(); ++i) worst = std::max(worst, (a[i] - b[i]).norm());
    return worst;
}

ControlBody humanoid() {
    return control_body(make_rigged_humanoid());
}

// The same body with all joints' own axes turned at random: joints stand where they stood.
ControlBody with_other_axes(const ControlBody& body, uint64_t seed) {
    Random random(seed);
    const Skeleton& skeleton = body.skeleton;
    std::vector<Quatd> turned(skeleton.size());
    std::vector<Transform> rest = skeleton.rest();
    for (size_t j = 0; j < skeleton.size(); ++j) {
        turned[j] = exp_map({random.uniform(-2, 2), random.uniform(-2, 2), random.uniform(-2, 2)});
        const int32_t parent = skeleton.parents()[j];
        const Quatd back = parent < 0 ? Quatd::Identity() : turned[static_cast<size_t>(parent)].conjugate();
        rest[j].translation = (back * rest[j].translation.cast<double>()).cast<float>();
        rest[j].rotation = Quat((back * Quatd(rest[j].rotation.cast<double>()) * turned[j]).normalized().cast<float>());
    }
    ControlBody other = body;
    other.skeleton = *Skeleton::create(skeleton.names(), skeleton.parents(), rest);
    other.rest.local = rest;
    return other;
}

Pose posed(const ControlBody& body, const ControlSet& set, const std::vector<std::pair<std::string, double>>& values,
           double time = 0.0) {
    const auto rig = ControlRig::create(set, body);
    REQUIRE_MESSAGE(rig, (rig ? "" : rig.error().message));
    std::vector<double> now = rig->rest_values();
    for (const auto& [name, value] : values) now[*rig->find(name)] = value;
    Pose pose = body.rest;
    rig->apply(now, time, pose);
    return pose;
}

// A hinge with three morphs.
ControlBody hinge() {
    std::vector<Transform> rest(2);
    rest[1].translation = {1, 0, 0};
    rest[1].rotation = Quat(Eigen::AngleAxisf(0.7f, Vec3(1, 2, 3).normalized()));
    ControlBody body{*Skeleton::create({"upper", "lower"}, {-1, 0}, rest), {rest, {0, 0, 0}}, {"a", "b", "a"}};
    return body;
}

std::string problem(const char* json) {
    const auto set = parse_controls(json);
    return set ? "" : set.error().where;
}

}  // namespace

TEST_CASE("controls: lean turns the chest by 45 degrees in all, whichever joints share it") {
    const ControlBody body = humanoid();
    const Pose pose = posed(body, builtin_controls(body), {{"lean", 1.0}});
    std::vector<AffineD> before(body.skeleton.size()), after(before);
    local_to_world(body.skeleton.parents(), body.rest.local, before);
    local_to_world(body.skeleton.parents(), pose.local, after);
    const HumanoidMap roles = recognise_humanoid(body.skeleton);
    const auto head = static_cast<size_t>(roles[Role::head]);
    const Eigen::AngleAxisd turn(Mat3d(after[head].linear() * before[head].linear().inverse()));
    CHECK(turn.angle() == doctest::Approx(std::numbers::pi / 4).epsilon(1e-4));
    CHECK(std::abs(turn.axis().x()) == doctest::Approx(1.0).epsilon(1e-4));
    CHECK(after[head].translation().z() > before[head].translation().z() + 0.1);  // ahead
    CHECK(after[head].translation().y() < before[head].translation().y());
}

TEST_CASE("controls: mean the same on joints with any axes, and mirror each other") {
    const ControlBody body = humanoid();
    const ControlSet set = builtin_controls(body);
    const std::vector<std::pair<std::string, double>> values = {{"lean", 0.3}, {"twist", -0.5}, {"turnHead", 0.7},
                                                                {"nod", 0.4},  {"shrug", 1.0},  {"leanSide", 0.2}};
    const std::vector<Vec3d> expected = places(posed(body, set, values), body.skeleton);
    CHECK(farthest(expected, places(body.rest, body.skeleton)) > 0.05);
    for (const uint64_t seed : {1, 2, 3}) {
        const ControlBody other = with_other_axes(body, seed);
        REQUIRE(farthest(places(body.rest, body.skeleton), places(other.rest, other.skeleton)) < 1e-5);
        CHECK(farthest(expected, places(posed(other, set, values), other.skeleton)) < 1e-4);
    }
    const HumanoidMap roles = recognise_humanoid(body.skeleton);
    const std::vector<Vec3d> left = places(posed(body, set, {{"turnHead", 1.0}}), body.skeleton),
                             right = places(posed(body, set, {{"turnHead", -1.0}}), body.skeleton);
    const auto head = static_cast<size_t>(roles[Role::head]);
    CHECK(left[head].x() == doctest::Approx(-right[head].x()).epsilon(1e-3));
}

TEST_CASE("controls: a fist brings finger tips to the palm, on both hands alike") {
    const ControlBody body = humanoid();
    const HumanoidMap roles = recognise_humanoid(body.skeleton);
    REQUIRE(roles[Role::left_index_distal] >= 0);
    const ControlSet set = builtin_controls(body);
    const std::vector<Vec3d> open = places(body.rest, body.skeleton);
    const std::vector<Vec3d> half = places(posed(body, set, {{"fist", 0.5}}), body.skeleton);
    const std::vector<Vec3d> closed = places(posed(body, set, {{"fist", 1.0}}), body.skeleton);
    const auto other = with_other_axes(body, 9);
    CHECK(farthest(closed, places(posed(other, set, {{"fist", 1.0}}), other.skeleton)) < 1e-4);
    for (const auto& [hand, knuckle, tip, side] :
         {std::tuple{Role::left_hand, Role::left_index_proximal, Role::left_index_distal, 1.0},
          {Role::right_hand, Role::right_index_proximal, Role::right_index_distal, -1.0},
          {Role::left_hand, Role::left_little_proximal, Role::left_little_distal, 1.0},
          {Role::right_hand, Role::right_middle_proximal, Role::right_middle_distal, -1.0}}) {
        const auto w = static_cast<size_t>(roles[hand]), k = static_cast<size_t>(roles[knuckle]),
                   t = static_cast<size_t>(roles[tip]);
        CHECK((closed[w] - open[w]).norm() < 1e-6);
        CHECK((closed[t] - closed[w]).norm() < 0.85 * (open[t] - open[w]).norm());
        CHECK((half[t] - half[w]).norm() < (open[t] - open[w]).norm());
        CHECK(side * (closed[t] - open[t]).x() < -0.02);  // palms look towards the body
        CHECK((closed[k] - open[k]).norm() < 1e-6);
    }
    // Mirrored at x = 0.
    const auto l = static_cast<size_t>(roles[Role::left_ring_distal]),
               r = static_cast<size_t>(roles[Role::right_ring_distal]);
    CHECK(closed[l].x() == doctest::Approx(-closed[r].x()).epsilon(2e-3));
    CHECK(closed[l].y() == doctest::Approx(closed[r].y()).epsilon(2e-3));
}

TEST_CASE("driven keys: a joint's turn from rest drives a morph through keys, whatever it rests at") {
    const ControlBody body = hinge();
    const auto set = parse_controls(R"({"driven": [{"by": {"joint": "lower", "turn": "z"}, "morph": "a",
        "keys": [[0, 0], [90, 1]]}]})");
    REQUIRE(set);
    const auto rig = ControlRig::create(*set, body);
    REQUIRE(rig);
    for (const double degrees : {0.0, 30.0, 45.0, 90.0, 120.0}) {
        Pose pose = body.rest;
        // About z of the model, whose rest rotation the joint has.
        const Quatd rest(body.rest.local[1].rotation.cast<double>());
        const Quatd turn(Eigen::AngleAxisd(degrees * std::numbers::pi / 180, Vec3d::UnitZ()));
        pose.local[1].rotation = Quat((turn * rest).normalized().cast<float>());
        rig->apply({}, 0.0, pose);
        CHECK(pose.morphs[0] == doctest::Approx(std::min(degrees / 90, 1.0)).epsilon(1e-4));
        CHECK(pose.morphs[2] == pose.morphs[0]);  // morphs of one name move together
        CHECK(pose.morphs[1] == 0.0f);
    }
}

TEST_CASE("controls: ranges, shapes, formulas, and controls that drive controls") {
    const ControlBody body = hinge();
    const auto set = parse_controls(R"({"controls": {
        "top": {"range": [0, 2], "drives": [{"control": "low", "amount": 0.5}]},
        "low": {"drives": [{"morph": "a", "keys": [[0, 0], [0.5, 0.2], [1, 1]]}]},
        "step": {"drives": [{"morph": "b", "keys": [[0, 0], [0.5, 0.4], [1, 1]], "curve": "step"}]},
        "clock": {"range": [0, 60], "drives": [{"joint": "lower", "turn": "z", "formula": "-6*x + 0*low + 0*t"}]},
        "long": {"drives": [{"joint": "lower", "move": "x", "amount": 0.25}]}}})");
    REQUIRE(set);
    CHECK(posed(body, *set, {{"top", 1.0}}).morphs[0] == doctest::Approx(0.2));
    CHECK(posed(body, *set, {{"top", 9.0}}).morphs[0] == doctest::Approx(1.0));  // kept at 2, which drives low to 1
    CHECK(posed(body, *set, {{"low", 0.75}}).morphs[0] == doctest::Approx(0.6));
    CHECK(posed(body, *set, {{"low", -1.0}}).morphs[0] == 0.0f);
    CHECK(posed(body, *set, {{"step", 0.7}}).morphs[1] == doctest::Approx(0.4));
    CHECK(posed(body, *set, {{"long", 1.0}}).local[1].translation.x() == doctest::Approx(1.25));
    const Pose quarter = posed(body, *set, {{"clock", 15.0}});
    const Quatd rest(body.rest.local[1].rotation.cast<double>());
    const Quatd turn = Quatd(quarter.local[1].rotation.cast<double>()) * rest.conjugate();
    CHECK(Eigen::AngleAxisd(turn).angle() == doctest::Approx(std::numbers::pi / 2));
    CHECK((turn * Vec3d::UnitX() - Vec3d(0, -1, 0)).norm() < 1e-5);  // clockwise

    const auto circle = parse_controls(R"({"controls": {"p": {"drives": [{"control": "q", "amount": 1}]},
        "q": {"drives": [{"control": "p", "amount": 1}]}}})");
    REQUIRE(circle);
    CHECK(!ControlRig::create(*circle, body));
    const auto unknown = parse_controls(R"({"controls": {"p": {"drives": [{"joint": "lowr", "turn": "x"}]}}})");
    const auto refused = ControlRig::create(*unknown, body);
    REQUIRE(!refused);
    CHECK(refused.error().message.find("lower") != std::string::npos);
    CHECK(refused.error().where == "controls/p");
}

TEST_CASE("controls: a description that is wrong is refused where it is wrong") {
    CHECK(parse_controls("[1]").has_value() == false);
    CHECK(problem(R"({"control": {}})") == "/");
    CHECK(problem(R"({"controls": {"a": {"drives": [{"morph": "x", "amount": "1"}]}}})") ==
          "/controls/a/drives/0/amount");
    CHECK(problem(R"({"controls": {"a": {"drives": [{"joint": "x"}]}}})") == "/controls/a/drives/0");
    CHECK(problem(R"({"controls": {"a": {"drives": [{"joint": "x", "turn": "w"}]}}})") == "/controls/a/drives/0/turn");
    CHECK(problem(R"({"controls": {"a": {"range": [1, 0], "drives": []}}})") == "/controls/a/range");
    CHECK(problem(R"({"controls": {"a": {"rest": 2, "drives": []}}})") == "/controls/a/rest");
    CHECK(problem(R"({"controls": {"a": {"drives": [{"morph": "x", "keys": [[1, 0], [0, 1]]}]}}})") ==
          "/controls/a/drives/0/keys/1");
    CHECK(problem(R"({"controls": {"a": {"drives": [{"morph": "x", "amount": 1, "formula": "x"}]}}})") ==
          "/controls/a/drives/0");
    CHECK(problem(R"({"driven": [{"morph": "x"}]})") == "/driven/0");
    CHECK(problem(R"({"driven": [{"by": {"joint": "x"}, "morph": "x"}]})") == "/driven/0/by");
    CHECK(problem(R"({"poses": {"a": {"joints": {"x": {"turn": [0, 0, 0, 0]}}}}})") == "/poses/a/joints/x/turn");
}

TEST_CASE("controls: JSON gives the same set back") {
    const ControlBody body = humanoid();
    ControlSet set = builtin_controls(body);
    set.driven.push_back({"leftLowerArm", ControlAxis::y, {.what = Driven::pose, .targets = {"p"}}});
    Pose pose = body.rest;
    pose.local[3].rotation = Quat(Eigen::AngleAxisf(0.4f, Vec3(0, 0, 1)));
    set.poses.push_back(make_library_pose("p", pose, body));
    const auto again = parse_controls(encode_json(set));
    REQUIRE_MESSAGE(again, (again ? "" : again.error().message));
    CHECK(encode_json(*again) == encode_json(set));
    CHECK(again->controls.size() == set.controls.size());
}

TEST_CASE("pose library: a pose of one rig stands the same on a rig with other axes") {
    Character character = make_rigged_humanoid();
    character.clips.clear();
    REQUIRE(add_motion(character, *load_motion("jump")));
    const ControlBody body = control_body(character);
    const Pose pose = pose_at(character, &character.clips.front(), 0.6f);
    const ControlSet set{{}, {}, {make_library_pose("leap", pose, body)}};
    const ControlBody other = with_other_axes(body, 5);
    for (const ControlBody* on : {&body, &other}) {
        const auto rig = ControlRig::create(set, *on);
        REQUIRE(rig);
        Pose now = on->rest;
        REQUIRE(rig->apply_pose("leap", 1.0, now));
        // Moves are kept in the parent's axes, so that only a rig with the same ones travels the same way.
        std::vector<Vec3d> expected = places(pose, body.skeleton), got = places(now, on->skeleton);
        const Vec3d shift = on == &body ? Vec3d(Vec3d::Zero()) : Vec3d(got[0] - expected[0]);
        for (Vec3d& place : got) place -= shift;
        if (on == &body) CHECK(farthest(expected, got) < 1e-4);
        Pose none = on->rest;
        REQUIRE(rig->apply_pose("leap", 0.0, none));
        CHECK(farthest(places(none, on->skeleton), places(on->rest, on->skeleton)) < 1e-6);
        CHECK(!rig->apply_pose("leep", 1.0, now));
    }
}

TEST_CASE("play: only what controls move gets new keys, and it shows their values") {
    Character character = make_rigged_humanoid();
    character.clips.clear();
    REQUIRE(add_motion(character, *load_motion("walk")));
    const ControlBody body = control_body(character);
    const Clip& walk = character.clips.front();
    const auto rig = ControlRig::create(builtin_controls(body), body);
    REQUIRE(rig);
    const auto same = rig->play(walk, {});
    REQUIRE(same);
    CHECK(same->tracks == walk.tracks);
    const std::vector<ControlTrack> controls = {*parse_control_track("nod", "0:0,0.5:1,1:0")};
    const auto nodding = rig->play(walk, controls);
    REQUIRE(nodding);
    REQUIRE(validate(*nodding, body.skeleton.size(), body.morphs.size()));
    const HumanoidMap roles = recognise_humanoid(body.skeleton);
    size_t changed = 0;
    for (const Track& track : walk.tracks)
        changed += std::ranges::find(nodding->tracks, track) == nodding->tracks.end();
    CHECK(changed <= 2);  // neck and head
    std::vector<double> values = rig->rest_values();
    values[*rig->find("nod")] = 1.0;
    Pose expected = body.rest, got = body.rest;
    sample(walk, 0.5f, expected);
    rig->apply(values, 0.5, expected);
    sample(*nodding, 0.5f, got);
    CHECK(farthest(places(expected, body.skeleton), places(got, body.skeleton)) < 1e-5);
    CHECK(got.local[static_cast<size_t>(roles[Role::head])].rotation.isApprox(
        expected.local[static_cast<size_t>(roles[Role::head])].rotation, 1e-5f));

    CHECK(!rig->play(walk, std::vector<ControlTrack>{*parse_control_track("nodd", "1")}));
    CHECK(!rig->play(walk, std::vector<ControlTrack>{*parse_control_track("nod", "2*s")}));
    CHECK(!rig->play(walk, std::vector<ControlTrack>{*parse_control_track("nod", "1:0,0:1")}));
    const auto swaying = rig->play({"sway", {}, -1}, std::vector<ControlTrack>{*parse_control_track("lean", "sin(t)")});
    REQUIRE(swaying);
    CHECK(duration(*swaying) == doctest::Approx(1.0));
}

TEST_CASE("faces: names of morphs are understood as people write them") {
    for (const auto& [name, standard] : {std::pair{"eyeBlinkLeft", "eyeBlinkLeft"},
                                         {"blendShape1.eyeBlink_L", "eyeBlinkLeft"},
                                         {"EYE_BLINK_RIGHT", "eyeBlinkRight"},
                                         {"Face.M_F00_000_00_Fcl_EYE_Close_R", "blinkRight"},
                                         {"Fcl_ALL_Joy", "happy"},
                                         {"A", "aa"},
                                         {"Smile", "happy"},
                                         {"mouthOpen", "jawOpen"},
                                         {"head_jawOpen", "jawOpen"},
                                         {"blink_l", "blinkLeft"},
                                         {"toe", ""},
                                         {"", ""},
                                         {"banana", ""},
                                         {"cheese", ""}})
        CHECK_MESSAGE(standard_face_name(name) == standard, name);
    for (const std::string& name : standard_face_names()) CHECK(standard_face_name(name) == name);
    CHECK(standard_face_names().size() == 70);
}

TEST_CASE("faces: expressions are shown by the file's own words, by name, or put together") {
    const Face arkit{{"mouthSmileLeft", "mouthSmileRight", "eyeBlinkLeft", "eyeBlinkRight", "jawOpen"}};
    using Weights = std::vector<std::pair<int32_t, float>>;
    CHECK(show_expression(arkit, "jawOpen") == Weights{{4, 1.0f}});
    CHECK(show_expression(arkit, "blink") == Weights{{2, 1.0f}, {3, 1.0f}});
    CHECK(show_expression(arkit, "happy") == Weights{{0, 0.9f}, {1, 0.9f}});
    CHECK(show_expression(arkit, "tongueOut").empty());
    const Face vrm{{"m0", "m1", "Fcl_MTH_O"}, {}, {{"happy", {{1, 0.7f}}}}};
    CHECK(show_expression(vrm, "happy") == Weights{{1, 0.7f}});
    CHECK(show_expression(vrm, "mouthFunnel") == Weights{{2, 1.0f}});
    CHECK(show_expression(vrm, "mouthSmileLeft") == Weights{{1, 0.35f}});
    const auto controls = face_controls(arkit);
    CHECK(std::ranges::any_of(controls, [](const Control& c) { return c.name == "blinkLeft"; }));
    CHECK(std::ranges::none_of(controls, [](const Control& c) { return c.name == "tongueOut"; }));
}

TEST_CASE("faces: a clip goes to another face by names, exactly, for each interpolation") {
    Random random(8);
    const std::vector<std::string> source = {"jawOpen", "eyeBlinkLeft", "nonsense", "eyeBlinkRight"};
    const Face target{{"Fcl_EYE_Close", "Fcl_MTH_A", "x", "Fcl_EYE_Close_L", "Fcl_EYE_Close_R"}, {{0, 2}, {2, 3}}};
    for (const Interpolation way : {Interpolation::step, Interpolation::linear, Interpolation::cubic}) {
        Track track{0, TrackPath::morphs, way, 4, {0.0f, 0.4f, 0.7f, 1.5f}, {}};
        for (size_t i = 0; i < 4 * track.values_per_key(); ++i)
            track.values.push_back(static_cast<float>(random.uniform(0.0, way == Interpolation::cubic ? 0.4 : 1.0)));
        const Clip clip{"talk", {track}, -1};
        const FaceTransfer made = transfer_expressions(clip, source, target);
        CHECK(made.lost == std::vector<std::string>{"nonsense"});
        REQUIRE(made.tracks.size() == 2);
        Clip on{"talk", made.tracks, -1};
        REQUIRE(validate(on, 1, 5));
        for (float t = -0.1f; t < 1.7f; t += 0.037f) {
            float from[4];
            Pose pose{{}, {0, 0, 0, 0, 0}};
            pose.local.resize(1);
            sample_track(track, t, from);
            sample(on, t, pose);
            CHECK(pose.morphs[1] == doctest::Approx(from[0]).epsilon(1e-5));
            CHECK(pose.morphs[3] == doctest::Approx(from[1]).epsilon(1e-5));
            CHECK(pose.morphs[4] == doctest::Approx(from[3]).epsilon(1e-5));
            CHECK(pose.morphs[0] == 0.0f);
            CHECK(pose.morphs[2] == 0.0f);
        }
    }
    // Numbers with standard names, as VRM animations have them; times of their own.
    Clip numbers{"n",
                 {},
                 -1,
                 {},
                 {{"aa", {0.0f, 1.0f}, {0.0f, 1.0f}}, {"blink", {0.5f, 0.9f}, {1.0f, 0.0f}}, {"wind", {0.0f}, {3.0f}}}};
    const FaceTransfer made = transfer_expressions(numbers, {}, target);
    REQUIRE(made.tracks.size() == 1);
    Pose pose{{}, {0, 0, 0, 0, 0}};
    pose.local.resize(1);
    sample({"n", made.tracks, -1}, 0.7f, pose);
    CHECK(pose.morphs[1] == doctest::Approx(0.7f));
    CHECK(pose.morphs[0] == doctest::Approx(0.5f));
}
