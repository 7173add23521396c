#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>
#include <sinew/io/mocap/bvh.h>
#include <sinew/skeleton/pose.h>
#include <cmath>
#include <filesystem>
#include <string>

#include "support/data_case.h"

using namespace sinew;

namespace {

SharedBytes bytes_of(std::string_view text) {
    const ByteSpan span = as_byte_span(text);
    return SharedBytes::own(Bytes(span.begin(), span.end()));
}

Character read(std::string_view text) {
    auto character = read_bvh(bytes_of(text), {});
    REQUIRE_MESSAGE(character.has_value(), (character ? "" : to_string(character.error())));
    REQUIRE(validate(*character).has_value());
    return *std::move(character);
}

std::string error_of(std::string_view text) {
    const auto character = read_bvh(bytes_of(text), {});
    REQUIRE_FALSE(character.has_value());
    return to_string(character.error());
}

Character round_trip(const Character& character) {
    const auto files = encode_bvh(character, 0, "x.bvh");
    REQUIRE(files.has_value());
    REQUIRE(files->size() == 1);
    return read(as_text((*files)[0].bytes));
}

std::vector<AffineD> world_at(const Character& character, float time) {
    const Clip* clip = character.clips.empty() ? nullptr : &character.clips[0];
    const Pose pose = pose_at(character, clip, time);
    std::vector<AffineD> world(pose.local.size());
    local_to_world(character.skeleton.parents(), pose.local, world);
    return world;
}

Vec3d position_at(const Character& character, std::string_view joint, float time) {
    const int32_t j = character.skeleton.find(joint);
    REQUIRE(j >= 0);
    return world_at(character, time)[size_t(j)].translation();
}

std::string arm(std::string_view channels, std::string_view values) {
    return std::string("HIERARCHY\nROOT shoulder\n{\n OFFSET 0 0 0\n CHANNELS 3 ") + std::string(channels) +
           "\n JOINT hand\n {\n  OFFSET 1 2 3\n  CHANNELS 3 Xrotation Yrotation Zrotation\n  End Site\n  {\n   OFFSET "
           "0 0 1\n"
           "  }\n }\n}\nMOTION\nFrames: 1\nFrame Time: 0.01\n" +
           std::string(values) + " 0 0 0\n";
}

// The largest difference of joint positions and rotation entries over all frames, relative to the skeleton's size.
double difference(const Character& a, const Character& b) {
    REQUIRE(a.skeleton.names() == b.skeleton.names());
    REQUIRE(a.clips.size() == b.clips.size());
    double size = 0, worst = 0;
    for (const AffineD& m : rest_world(a.skeleton)) size = std::max(size, m.translation().norm());
    const std::vector<float>& times = a.clips[0].tracks[0].times;
    REQUIRE(times.size() == b.clips[0].tracks[0].times.size());
    for (const float time : times) {
        const auto wa = world_at(a, time), wb = world_at(b, time);
        for (size_t j = 0; j < wa.size(); ++j) {
            worst = std::max(worst, (wa[j].translation() - wb[j].translation()).norm() / size);
            worst = std::max(worst, (wa[j].linear() - wb[j].linear()).cwiseAbs().maxCoeff());
        }
    }
    return worst;
}

}  // namespace

// Rz(90°) Rx(90°): (1,2,3) → x-turn (1,−3,2) → z-turn (3,1,2).
TEST_CASE("bvh: channels in the order ZXY turn about z last") {
    const Character c = read(arm("Zrotation Xrotation Yrotation", "90 90 0"));
    CHECK((position_at(c, "hand", 0) - Vec3d(3, 1, 2)).norm() < 1e-6);
    // The end's offset (0,0,1) turns the same way: x-turn (0,−1,0), z-turn (1,0,0).
    CHECK((position_at(c, "hand_end", 0) - position_at(c, "hand", 0) - Vec3d(1, 0, 0)).norm() < 1e-6);
}

// Rx(90°) Ry(90°): (1,2,3) → y-turn (3,2,−1) → x-turn (3,1,2).
TEST_CASE("bvh: channels in the order XYZ turn about x last") {
    const Character c = read(arm("Xrotation Yrotation Zrotation", "90 90 0"));
    CHECK((position_at(c, "hand", 0) - Vec3d(3, 1, 2)).norm() < 1e-6);
    // Rx Ry Rz with z alone: (1,2,3) → (−2,1,3).
    const Character z = read(arm("Xrotation Yrotation Zrotation", "0 0 90"));
    CHECK((position_at(z, "hand", 0) - Vec3d(-2, 1, 3)).norm() < 1e-6);
}

TEST_CASE("bvh: position channels replace OFFSET, component by component; rest stays OFFSET") {
    const Character c = read(
        "HIERARCHY ROOT a { OFFSET 10 20 30 CHANNELS 2 Yposition Zrotation }\n"
        "MOTION\nFrames: 2\nFrame Time: 0.5\n1 0\n2 90\n");
    CHECK((position_at(c, "a", 0) - Vec3d(10, 1, 30)).norm() < 1e-6);
    CHECK((position_at(c, "a", 0.25f) - Vec3d(10, 1.5, 30)).norm() < 1e-6);
    CHECK((position_at(c, "a", 0.5f) - Vec3d(10, 2, 30)).norm() < 1e-6);
    CHECK(c.skeleton.rest()[0].translation == Vec3(10, 20, 30));
}

TEST_CASE("bvh: names with blanks, CRLF, tabs, odd case, several roots, no last newline") {
    const Character c = read(
        "\xEF\xBB\xBFhierarchy\r\nRoot  left hand {\r\n\tOffset 0 1 0\r\n\tchannels 1 XROTATION\r\n\tend "
        "site\r\n\t{\r\n\toffset 0 0 0\r\n\t}\r\n}\r\n"
        "ROOT b\r\n{\r\nOFFSET 1 1 1\r\nCHANNELS 0\r\n}\r\nmotion\r\nframes: 2\r\nframe time: 0.1\r\n1\r\n2");
    REQUIRE(c.skeleton.size() == 2);  // the zero-length end site is none
    CHECK(c.skeleton.names()[0] == "left hand");
    CHECK(c.skeleton.parents()[1] == -1);
    REQUIRE(c.clips.size() == 1);
    CHECK(c.clips[0].tracks.size() == 1);
    CHECK(duration(c.clips[0]) == doctest::Approx(0.1));
}

TEST_CASE("bvh: consecutive keys lie on one side") {
    std::string text =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n}\nMOTION\nFrames: 40\nFrame Time: 0.1\n";
    for (int k = 0; k < 40; ++k) text += std::to_string(k * 50) + "\n";
    const Character c = read(text);
    const std::vector<float>& v = c.clips[0].tracks[0].values;
    for (size_t k = 4; k < v.size(); k += 4) {
        float dot = 0;
        for (size_t i = 0; i < 4; ++i) dot += v[k + i] * v[k + i - 4];
        CHECK(dot == doctest::Approx(std::cos(25.0 * 3.14159265358979 / 180)));
    }
}

TEST_CASE("bvh: errors say the line and what is wrong") {
    const std::string head =
        "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n}\nMOTION\nFrames: 3\nFrame Time: 0.1\n";
    CHECK(error_of(head + "1\n\n\n\n\n\n2\n") == "line 17: values are missing in frame 3; is the file cut off?");
    CHECK(error_of(head + "1\nx\n3\n").starts_with("line 11: a value of frame 2"));
    CHECK(error_of(head + "1\nnan\n3\n").starts_with("line 11: a value of frame 2"));
    CHECK(error_of("HIERARCHY\nROOT a\n{\nOFFSET 0 0\n").starts_with("line 5: a coordinate of OFFSET"));
    CHECK(error_of("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Wrotation\n")
              .starts_with("line 5: 'Wrotation' is not a channel"));
    CHECK(
        error_of(
            "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n}\nMOTION\nFrames: 100000\nFrame Time: 0.1\n1\n")
            .starts_with("line 8: the file says that it has 100000 frames"));
    CHECK(error_of("nonsense").starts_with("line 1"));
}

TEST_CASE("bvh: more values than declared are a warning") {
    const Character c =
        read("HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 1 Zrotation\n}\nMOTION\nFrames: 1\nFrame Time: 0.1\n1\n2\n");
    REQUIRE(c.warnings.size() == 1);
    CHECK(c.warnings[0].find("more values") != std::string::npos);
}

TEST_CASE("bvh: limits hold") {
    std::string deep = "HIERARCHY\nROOT a\n{\n";
    for (int i = 0; i < 100; ++i) deep += "JOINT b\n{\n";
    ReadOptions options;
    options.limits.max_depth = 50;
    CHECK(read_bvh(bytes_of(deep), options).error().code == ErrorCode::limit_exceeded);
    options = {};
    options.limits.max_joints = 50;
    CHECK(read_bvh(bytes_of(deep), options).error().code == ErrorCode::limit_exceeded);
}

TEST_CASE("bvh: written and read again, gimbal lock included") {
    std::string text =
        "HIERARCHY\nROOT hips\n{\nOFFSET 0 1 0\nCHANNELS 6 Xposition Yposition Zposition Yrotation Xrotation "
        "Zrotation\nJOINT knee\n{\n"
        "OFFSET 0 -1 0.1\nCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\nEnd Site\n{\nOFFSET "
        "0 -1 0\n}\n}\n"
        "JOINT arm\n{\nOFFSET 1 0 0\nCHANNELS 3 Xrotation Yrotation Zrotation\n}\n}\nMOTION\nFrames: 8\nFrame Time: "
        "0.0083333\n";
    for (int k = 0; k < 8; ++k) {
        const std::string a = std::to_string(90 * (k % 4)), b = std::to_string(45 * k);
        text += "1 2 " + b + " " + a + " 90 " + b + " 0.1 -1 0.2 " + b + " -90 " + a + " " + a + " 90 " + b + "\n";
    }
    const Character first = read(text);
    const Character second = round_trip(first);
    CHECK(difference(first, second) < 1e-6);
    CHECK(difference(second, round_trip(second)) < 1e-6);
    CHECK(second.clips[0].tracks[0].times.back() ==
          doctest::Approx(first.clips[0].tracks[0].times.back()).epsilon(1e-6));
}

TEST_CASE("bvh: a skeleton with rest rotations and scale keeps its joint positions") {
    Character c;
    const Quat turn(Eigen::AngleAxisf(0.7f, Vec3(1, 2, 3).normalized()));
    c.skeleton = *Skeleton::create(
        {"root", "upper", "lower"}, {-1, 0, 1},
        {Transform{Vec3(1, 2, 3), turn, Vec3::Constant(2)}, Transform{Vec3(0, 1, 0), turn, Vec3::Ones()},
         Transform{Vec3(0.5f, 1, 0), turn, Vec3(1, 3, 1)}});
    Clip& clip = c.clips.emplace_back();
    clip.tracks.push_back({1,
                           TrackPath::rotation,
                           Interpolation::linear,
                           4,
                           {0, 0.13f, 1},
                           {0, 0, 0, 1, 0, 0, 0.6f, 0.8f, 0.6f, 0, 0, 0.8f}});
    REQUIRE(validate(c).has_value());
    const Character back = round_trip(c);
    CHECK(back.clips[0].tracks[0].times.size() == 31);  // uneven keys: 30 per second
    for (const float time : {0.0f, 0.5f, 1.0f})
        for (const char* joint : {"root", "upper", "lower"})
            CHECK((position_at(c, joint, time) - position_at(back, joint, time)).norm() < 1e-5);
}

TEST_CASE("bvh: a character without clips is written as one frame at rest") {
    Character c;
    c.skeleton = *Skeleton::create({"a", "a_end"}, {-1, 0},
                                   {Transform{}, Transform{Vec3(0, 2, 0), Quat::Identity(), Vec3::Ones()}});
    const Character back = round_trip(c);
    CHECK(back.skeleton.names() == c.skeleton.names());
    CHECK((position_at(back, "a_end", 0) - Vec3d(0, 2, 0)).norm() < 1e-6);
    CHECK_FALSE(encode_bvh(Character{}, 0, "x.bvh").has_value());
}

DATA_TEST_CASE("bvh: real files are the same after being written and read") {
    size_t files = 0;
    for (const char* folder : {"bvh-other", "bvh-cmu"}) {
        for (const auto& entry : std::filesystem::directory_iterator(data / folder)) {
            if (entry.path().extension() != ".bvh" || entry.file_size() > 400'000) continue;
            const auto first = read_character(entry.path());
            REQUIRE_MESSAGE(first.has_value(), entry.path().string());
            CHECK_MESSAGE(difference(*first, round_trip(*first)) < 1e-5, entry.path().string());
            ++files;
        }
    }
    CHECK(files > 5);
}
