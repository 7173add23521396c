#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>
#include <sinew/io/mocap/asf_amc.h>
#include <sinew/skeleton/pose.h>
#include <iostream>
#include <string>

#include "support/data_case.h"

using namespace sinew;

namespace {

SharedBytes bytes_of(std::string_view text) {
    const ByteSpan span = as_byte_span(text);
    return SharedBytes::own(Bytes(span.begin(), span.end()));
}

// Two bones along +x; the second one's axes are turned by 90° about z.
constexpr std::string_view arm_asf =
    "# AST/ASF file\n:version 1.10\n:name ARM\n:units\n mass 1.0\n length 0.0254\n angle deg\n:documentation\n some "
    "begin words\n"
    ":root\n order TX TY TZ RX RY RZ\n axis XYZ\n position 0 0 0\n orientation 0 0 0\n"
    ":bonedata\n begin\n id 1\n name upper\n direction 2 0 0\n length 2\n axis 0 0 0 XYZ\n dof ry rz\n limits (-1 1)\n "
    "(-1 1)\n end\n"
    " begin\n id 2\n name lower\n direction 1 0 0\n length 1\n axis 0 0 90 XYZ\n dof rx\n end\n"
    ":hierarchy\n begin\n root upper\n upper lower\n end\n";

Character read(std::string_view amc, std::string_view asf = arm_asf) {
    auto character = read_amc(bytes_of(amc), bytes_of(asf), {});
    REQUIRE_MESSAGE(character.has_value(), (character ? "" : to_string(character.error())));
    REQUIRE(validate(*character).has_value());
    return *std::move(character);
}

std::string error_of(std::string_view amc, std::string_view asf = arm_asf) {
    const auto character = read_amc(bytes_of(amc), bytes_of(asf), {});
    REQUIRE_FALSE(character.has_value());
    return to_string(character.error());
}

std::vector<Vec3d> positions_at(const Character& character, float time) {
    const Pose pose = pose_at(character, character.clips.empty() ? nullptr : &character.clips[0], time);
    std::vector<AffineD> world(pose.local.size());
    local_to_world(character.skeleton.parents(), pose.local, world);
    std::vector<Vec3d> positions;
    for (const AffineD& m : world) positions.push_back(m.translation());
    return positions;
}

Vec3d position_at(const Character& character, std::string_view joint, float time) {
    const int32_t j = character.skeleton.find(joint);
    REQUIRE_MESSAGE(j >= 0, joint);
    return positions_at(character, time)[size_t(j)];
}

}  // namespace

TEST_CASE("asf: bones are joints at their starts, leaves have ends, lengths are metres") {
    const auto c = read_asf(bytes_of(arm_asf), {});
    REQUIRE(c.has_value());
    CHECK(c->skeleton.names() == std::vector<std::string>{"root", "upper", "lower", "lower_end"});
    CHECK((position_at(*c, "upper", 0) - Vec3d(0, 0, 0)).norm() < 1e-6);
    CHECK((position_at(*c, "lower", 0) - Vec3d(2, 0, 0)).norm() < 1e-6);
    CHECK((position_at(*c, "lower_end", 0) - Vec3d(3, 0, 0)).norm() < 1e-6);
}

// upper: y by 90° first, then z by 90° about fixed axes: x → −z → −z. lower: about its own x, which is the world's y at
// rest: there (1,0,0) → (0,0,−1), and then upper's turn: (0,0,−1) → y-turn (−1,0,0) → z-turn (0,−1,0).
TEST_CASE("amc: angles turn about the bone's own axes, in the order of its dofs") {
    const Character c = read(
        ":FULLY-SPECIFIED\n:DEGREES\n1\nroot 0 0 0 0 0 0\nupper 90 90\nlower 90\n2\nroot 1 2 3 0 0 90\nupper 0 "
        "0\nlower 0\n");
    CHECK((position_at(c, "lower", 0) - Vec3d(0, 0, -2)).norm() < 1e-6);
    CHECK((position_at(c, "lower_end", 0) - Vec3d(0, -1, -2)).norm() < 1e-6);
    const float second = float(1 / 120.0);
    CHECK((position_at(c, "lower_end", second) - Vec3d(1, 5, 3)).norm() < 1e-6);
    CHECK(duration(c.clips[0]) == second);
}

TEST_CASE("amc: radians, frame rate, bones that frames leave out") {
    const Character c = read(":RADIANS\n:SAMPLES-PER-SECOND 10\n1\nupper 0 0\n2\n3\nupper 0 1.5707963267948966\n");
    CHECK((position_at(c, "lower", 0.2f) - Vec3d(0, 2, 0)).norm() < 1e-6);
    CHECK((position_at(c, "lower", 0.1f) - Vec3d(std::sqrt(2.0), std::sqrt(2.0), 0)).norm() < 1e-6);
}

TEST_CASE("amc: errors say the line and what is wrong") {
    CHECK(error_of(":DEGREES\n1\nknee 1\n") == "line 3: the skeleton has no bone 'knee'; is this its .asf?");
    CHECK(error_of("1\nupper 1\n").starts_with("line 2: a bone's value is missing"));
    CHECK(error_of("1\nupper 1 2 3\n").starts_with("line 2: 'upper' has more values"));
    CHECK(error_of("1\nlower 1\nlower 1\n").starts_with("line 3: a bone appears twice"));
    CHECK(error_of("upper 1 2\n").starts_with("line 1: 'upper' comes before"));
    CHECK(error_of("# nothing\n").find("no frames") != std::string::npos);
    CHECK(error_of("1\n", "hello\n").find("in the .asf skeleton") != std::string::npos);
    const std::string cycle = std::string(arm_asf.substr(0, arm_asf.find(":hierarchy"))) +
                              ":hierarchy\nbegin\nupper lower\nlower upper\nend\n";
    const auto c = read_asf(bytes_of(cycle), {});
    REQUIRE(c.has_value());
    CHECK(c->skeleton.size() == 1);
    CHECK(c->warnings.size() == 1);
}

DATA_TEST_CASE("amc: all angles zero is the skeleton's rest pose, exactly") {
    ReadOptions options;
    options.skeleton = data / "asf-amc/07-walk.asf";
    const auto zeros = read_character(data / "asf-amc/zeros.amc", options);
    const auto rest = read_character(data / "asf-amc/07-walk.asf");
    REQUIRE(zeros.has_value());
    REQUIRE(rest.has_value());
    REQUIRE(zeros->skeleton.size() > 30);
    CHECK(positions_at(*zeros, 0) == positions_at(*rest, 0));
    CHECK(positions_at(*zeros, duration(zeros->clips[0])) == positions_at(*rest, 0));
}

// The database's BVH files come from the same takes. Their skeleton lacks the thorax bone: neck and clavicles start
// where it does, which makes them other points, and everything above stands lower. Legs and the arms' bones are the
// same.
DATA_TEST_CASE("amc: takes show the motion of their BVH twins") {
    struct Pair {
        const char *asf, *bvh;
    };
    const Pair legs[] = {{"root", "Hips"},       {"lfemur", "LeftUpLeg"},  {"ltibia", "LeftLeg"},
                         {"lfoot", "LeftFoot"},  {"ltoes", "LeftToeBase"}, {"rfemur", "RightUpLeg"},
                         {"rtibia", "RightLeg"}, {"rfoot", "RightFoot"},   {"rtoes", "RightToeBase"}};
    const Pair rest[] = {{"lowerback", "LowerBack"}, {"upperback", "Spine"},   {"thorax", "Spine1"},
                         {"head", "Head"},           {"lhumerus", "LeftArm"},  {"lradius", "LeftForeArm"},
                         {"lwrist", "LeftHand"},     {"rhumerus", "RightArm"}, {"rradius", "RightForeArm"},
                         {"rwrist", "RightHand"}};
    const Pair takes[] = {{"07_05-walk", "07_05"}, {"09_06-run", "09_06"}, {"131_04-dance", "131_04"}};
    for (const Pair& take : takes) {
        const auto amc = read_character(data / "asf-amc" / (std::string(take.asf) + ".amc"));
        const auto bvh = read_character(data / "bvh-cmu" / (std::string(take.bvh) + ".bvh"));
        REQUIRE(amc.has_value());
        REQUIRE(bvh.has_value());
        double low = 1e9, high = -1e9;  // of the T-pose that the BVH starts with
        for (const Vec3d& p : positions_at(*bvh, 0)) low = std::min(low, p.y()), high = std::max(high, p.y());
        const double height = high - low;
        const auto thigh = [](const Character& c, const char* hip, const char* knee) {
            return (position_at(c, hip, 0) - position_at(c, knee, 0)).norm();
        };
        const double scale = thigh(*bvh, "LeftUpLeg", "LeftLeg") / thigh(*amc, "lfemur", "ltibia");

        double sum = 0, worst_leg = 0, worst_arm = 0;
        size_t count = 0;
        const std::vector<float>& times = bvh->clips[0].tracks[0].times;
        REQUIRE(std::abs(double(times.size()) - 1 - double(amc->clips[0].tracks[0].times.size())) <= 1);
        for (size_t k = 0; k + 1 < times.size() && k < amc->clips[0].tracks[0].times.size(); k += 7) {
            const auto a = positions_at(*amc, amc->clips[0].tracks[0].times[k]), b = positions_at(*bvh, times[k + 1]);
            const auto of_a = [&](const char* name) { return Vec3d(scale * a[size_t(amc->skeleton.find(name))]); };
            const auto of_b = [&](const char* name) { return b[size_t(bvh->skeleton.find(name))]; };
            for (const Pair& pair : legs) {
                const double distance = (of_a(pair.asf) - of_b(pair.bvh)).norm();
                worst_leg = std::max(worst_leg, distance);
                sum += distance, ++count;
            }
            for (const Pair& pair : rest) sum += (of_a(pair.asf) - of_b(pair.bvh)).norm(), ++count;
            const Vec3d forearm = of_a("lwrist") - of_a("lhumerus") - (of_b("LeftHand") - of_b("LeftArm"));
            worst_arm = std::max(worst_arm, forearm.norm());
        }
        const double mean = sum / double(count);
        std::cout << take.asf << ": mean distance of joints " << 100 * mean / height << "% of height, worst leg "
                  << 100 * worst_leg / height << "%, worst shoulder-to-wrist vector " << 100 * worst_arm / height
                  << "%\n";
        CHECK(mean < 0.04 * height);
        CHECK(worst_leg < 0.002 * height);
        CHECK(worst_arm < 0.002 * height);
    }
}
