// Scene files: valid ones are read, bad ones are refused with the field and what to write.
#include <doctest/doctest.h>

#include <sinew/core/file.h>
#include <sinew/physics/scene/scene.h>
#include <support/seeds.h>
#include <cmath>

using namespace sinew;

namespace {

Result<Scene> parse(std::string_view text) {
    return parse_scene(std::as_bytes(std::span(text.data(), text.size())));
}

void check_refused(std::string_view text, std::string_view where, std::string_view part) {
    const auto scene = parse(text);
    INFO(text);
    REQUIRE_FALSE(scene.has_value());
    CHECK(scene.error().where == where);
    CHECK_MESSAGE(scene.error().message.find(part) != std::string::npos, scene.error().message);
    CHECK(scene.error().message.find('\n') == std::string::npos);
}

}  // namespace

TEST_CASE("scene: the valid seeds are read, the damaged ones refused in one line") {
    for (const auto& path : test::seed_files("seeds", "scene")) {
        INFO(path.string());
        const auto scene = parse_scene(read_file(path).value());
        CHECK_MESSAGE(scene.has_value(), (scene ? "" : to_string(scene.error())));
    }
    for (const auto& path : test::seed_files("crashes", "scene")) {
        INFO(path.string());
        const auto scene = parse_scene(read_file(path).value());
        REQUIRE_FALSE(scene.has_value());
        CHECK_FALSE(scene.error().message.empty());
        CHECK(scene.error().message.find('\n') == std::string::npos);
    }
}

TEST_CASE("scene: mistakes are named by field, or by line where it is no JSON") {
    check_refused("{\n\n \"spheres\": [{]\n}", "line 3", "JSON");
    check_refused(R"({"spheres":[{"mass":0}]})", "/spheres/0/mass", "number from");
    check_refused(R"({"spheres":[{},{"radius":-1}]})", "/spheres/1/radius", "number from");
    check_refused(R"({"spheres":[{"raduis":1}]})", "/spheres/0/raduis", "radius");
    check_refused(R"({"emitters":[{"most":1e9}]})", "/emitters/0/most", "20000");
    check_refused(R"({"cloths":[{"shape":"skirt"}]})", "/cloths/0/shape", "character");
    check_refused(R"({"colliders":[{"shape":"cone"}],"spheres":[{}]})", "/colliders/0/shape", "cone");
    check_refused(R"({"seconds":1})", "/", "nothing that moves");
}

TEST_CASE("scene: every start of a valid file is refused or read, never anything else") {
    for (const auto& path : test::seed_files("seeds", "scene")) {
        const Bytes all = read_file(path).value();
        for (size_t size = 0; size < all.size(); ++size) {
            const auto scene = parse_scene(ByteSpan(all).first(size));
            if (!scene) CHECK_FALSE(scene.error().message.empty());
        }
    }
}

TEST_CASE("scene: a pyramid has its layers, a row hangs on strings, one raised") {
    const auto pyramid = parse(R"({"spheres":[{"pyramid":5,"radius":0.1,"at":[0,0.1,0]}]})");
    REQUIRE(pyramid.has_value());
    const auto& spheres = pyramid->spheres[0].spheres;
    CHECK(spheres.size() == 55);
    double highest = 0.0, nearest = 1.0;
    for (size_t i = 0; i < 55; ++i) {
        highest = std::max(highest, spheres[i].position.y());
        for (size_t j = 0; j < i; ++j) nearest = std::min(nearest, (spheres[i].position - spheres[j].position).norm());
    }
    CHECK(highest == doctest::Approx(0.1 + 0.4 * std::sqrt(2.0)));
    CHECK(nearest == doctest::Approx(0.2));
    const auto row = parse(R"({"spheres":[{"count":[5,1,1],"string":1,"raise":30,"at":[0,1,0]}]})");
    REQUIRE(row.has_value());
    const auto& first = row->spheres[0];
    REQUIRE(first.strings.size() == 5);
    for (size_t i = 0; i < 5; ++i)
        CHECK((first.spheres[i].position - first.strings[i].anchor).norm() == doctest::Approx(1.0));
    CHECK(first.spheres[0].position.y() > first.spheres[1].position.y());
}
