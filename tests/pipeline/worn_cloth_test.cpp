// animate with cloth: a garment of the character is simulated on its moving body and written as joints and keys.
#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>
#include <sinew/io/resources.h>
#include <sinew/pipeline/animate.h>
#include <sinew/pipeline/simulate/simulate.h>
#include <sinew/pipeline/simulate/worn.h>
#include <sinew/sample/sample.h>
#include <algorithm>

using namespace sinew;

namespace {

// The sample body in a skirt of 5 cm edges.
Character dressed() {
    const std::string_view scene =
        R"({"seconds": 0.1, "character": {"sample": "humanoid-rigged"},
            "cloths": [{"name": "skirt", "shape": "skirt", "length": 0.5, "edge": 0.05}]})";
    auto made = simulate(as_byte_span(scene), no_resources());
    REQUIRE(made);
    made->character.clips.clear();
    return std::move(made->character);
}

std::vector<Vec3> skirt_at(const Character& character, const Clip* clip, float time) {
    std::vector<DeformedPrimitive> parts;
    deform(character, pose_at(character, clip, time), {.normals = false}, parts);
    for (DeformedPrimitive& part : parts) {
        const MeshInstance& instance = character.instances[static_cast<size_t>(part.instance)];
        if (character.meshes[static_cast<size_t>(instance.mesh)].name == "skirt") return std::move(part.positions);
    }
    return {};
}

double farthest(std::span<const Vec3> a, std::span<const Vec3> b, const Vec3& by) {
    double most = 0.0;
    for (size_t i = 0; i < a.size(); ++i) most = std::max(most, static_cast<double>((a[i] + by - b[i]).norm()));
    return most;
}

}  // namespace

TEST_CASE("animate: a skirt found by its name swings by itself, stays out of the body, and loops") {
    const Character bare = dressed();
    auto moved = animate(bare, std::vector<std::string>{"walk", "idle"}, {.cloth = "auto"});
    REQUIRE(moved);
    REQUIRE(moved->report.cloths.size() == 1);
    const ClothReport& report = moved->report.cloths.front();
    CHECK(report.name == "skirt");
    CHECK(report.pins > 0);
    CHECK(report.pins < report.vertices / 4);
    CHECK(report.worst_stretch < 0.1f);
    CHECK(report.deepest_mm < 5.0f);
    CHECK(report.fit_error_mm < 5.0f);
    const Character& c = moved->character;
    REQUIRE(validate(c));
    const auto plain = animate(bare, std::vector<std::string>{"walk", "idle"}, {.secondary = false});
    REQUIRE(plain);
    for (size_t k = 0; k < 2; ++k) {
        const Clip &clip = c.clips[k], &still = plain->character.clips[k];
        const float length = duration(clip);
        CHECK(length == doctest::Approx(duration(still)));
        const auto first = skirt_at(c, &clip, 0.0f), last = skirt_at(c, &clip, length);
        // The body goes as far as the hips do.
        const int32_t hips = c.skeleton.find("hips");
        const Vec3 way = pose_at(c, &clip, length).local[static_cast<size_t>(hips)].translation -
                         pose_at(c, &clip, 0.0f).local[static_cast<size_t>(hips)].translation;
        CHECK(farthest(first, last, way) < 0.01);
        if (k == 0)  // the waist goes along with the body, the hem does what it likes
            CHECK(farthest(skirt_at(c, &clip, 0.3f * length), skirt_at(plain->character, &still, 0.3f * length),
                           Vec3::Zero()) > 0.05);
    }
    // At rest, and so in clips that nobody simulated, it hangs where it hung.
    CHECK(farthest(skirt_at(c, nullptr, 0.0f), skirt_at(bare, nullptr, 0.0f), Vec3::Zero()) < 0.005);
}

TEST_CASE("animate: a garment is named by its mesh or material; a wrong name is told with those there are") {
    const Character bare = dressed();
    const auto worn = find_worn(bare, "SKIRT");
    REQUIRE(worn);
    REQUIRE(worn->size() == 1);
    CHECK(worn->front().positions.size() == worn->front().owners.size());
    const auto wrong = animate(bare, std::vector<std::string>{"idle"}, {.cloth = "skrit"});
    REQUIRE(!wrong);
    CHECK(wrong.error().message.find("skirt") != std::string::npos);
}

TEST_CASE("animate: without a name, an open piece that hangs is found; a body alone wears nothing") {
    Character bare = dressed();
    for (MeshGroup& mesh : bare.meshes)
        if (mesh.name == "skirt") mesh.name = "Object_7";
    for (Material& material : bare.materials)
        if (material.name == "skirt") material.name = "Mat";
    auto names = bare.skeleton.names();
    std::ranges::replace(names, std::string("skirt"), std::string("Node"));
    bare.skeleton = Skeleton::create(names, bare.skeleton.parents(), bare.skeleton.rest()).value();
    const auto worn = find_worn(bare, "auto");
    REQUIRE(worn);
    REQUIRE(worn->size() == 1);
    CHECK(bare.meshes[static_cast<size_t>(bare.instances[static_cast<size_t>(worn->front().instance)].mesh)].name ==
          "Object_7");
    CHECK(find_worn(make_rigged_humanoid(), "auto").value().empty());
}

TEST_CASE("simulate: a skirt and a cape on a running body stay out of it, out of themselves, and whole") {
    const std::string_view scene =
        R"({"seconds": 1.5, "fps": 30, "character": {"sample": "humanoid-rigged", "motion": "run"},
            "cloths": [{"name": "skirt", "shape": "skirt", "length": 0.5, "joints": 20},
                       {"name": "cape", "shape": "cape", "length": 0.9, "joints": 20}]})";
    const auto made = simulate(as_byte_span(scene), no_resources());
    REQUIRE(made);
    REQUIRE(made->report.cloths.size() == 2);
    for (const ClothReport& report : made->report.cloths) {
        INFO(report.name);
        CHECK(report.crossing_mm < 5.0f);
        CHECK(report.deepest_mm < 5.0f);
        CHECK(report.worst_stretch < 0.1f);
        CHECK(report.folded < 0.001f);  // it hangs in waves, and does not crumple
        CHECK(report.creased < 0.06f);
    }
}

TEST_CASE("simulate: what a body wears travels along with it from the first moment") {
    const std::string_view scene =
        R"({"seconds": 0.1, "fps": 60, "character": {"sample": "humanoid-rigged", "motion": "run"},
            "cloths": [{"name": "skirt", "shape": "skirt", "length": 0.5, "edge": 0.05}]})";
    const auto made = simulate(as_byte_span(scene), no_resources());
    REQUIRE(made);
    const Character& c = made->character;
    const auto way = [&](float time) {
        const auto from = skirt_at(c, &c.clips.front(), 0.0f), to = skirt_at(c, &c.clips.front(), time);
        REQUIRE(!from.empty());
        return Vec3(to.back() - from.back());  // at the hem
    };
    const auto hips = static_cast<size_t>(c.skeleton.find("hips"));
    const Vec3 body = pose_at(c, &c.clips.front(), 0.033f).local[hips].translation -
                      pose_at(c, &c.clips.front(), 0.0f).local[hips].translation;
    CHECK(body.z() > 0.08f);  // it runs
    CHECK(way(0.033f).z() > 0.5f * body.z());
}
