#include <doctest/doctest.h>

#include <sinew/morph/key_shapes.h>
#include <sinew/morph/morph.h>

using namespace sinew;

namespace {

// Where vertex 0 goes when the channel's targets move it to (1, 0, 0), (3, 1, 0) and (4, 4, 0).
Vec3 moved(const InBetweenChannel& channel, float weight) {
    const std::vector<MorphTarget> targets = {
        {"half", {0}, {{1, 0, 0}}, {}, {}}, {"late", {0}, {{3, 1, 0}}, {}, {}}, {"full", {0}, {{4, 4, 0}}, {}, {}}};
    std::vector<float> weights(3, 0.0f);
    channel.apply(weight, weights);
    std::vector<Vec3> positions = {Vec3::Zero()};
    apply_morphs(targets, weights, {.positions = positions, .normals = {}, .tangents = {}});
    return positions[0];
}

}  // namespace

TEST_CASE("in-betweens: the shape passes through every station, straight in between, and goes on outside") {
    const auto channel = InBetweenChannel::create({{1.0f, 2}, {0.5f, 0}, {0.75f, 1}});
    REQUIRE(channel);
    CHECK(moved(*channel, 0.0f) == Vec3(0, 0, 0));
    CHECK(moved(*channel, 0.25f) == Vec3(0.5f, 0, 0));
    CHECK(moved(*channel, 0.5f) == Vec3(1, 0, 0));
    CHECK(moved(*channel, 0.625f) == Vec3(2, 0.5f, 0));
    CHECK(moved(*channel, 0.75f) == Vec3(3, 1, 0));
    CHECK(moved(*channel, 1.0f) == Vec3(4, 4, 0));
    CHECK(moved(*channel, 1.25f) == Vec3(5, 7, 0));
    CHECK(moved(*channel, -0.5f) == Vec3(-1, 0, 0));
}

TEST_CASE("in-betweens: without any the channel is a plain morph weight") {
    const auto channel = InBetweenChannel::create({{1.0f, 1}});
    REQUIRE(channel);
    for (const float weight : {-0.5f, 0.0f, 0.3f, 1.0f, 2.0f}) {
        std::vector<float> weights = {0.0f, 0.25f};
        channel->apply(weight, weights);
        CHECK(weights[0] == 0.0f);
        CHECK(weights[1] == doctest::Approx(0.25f + weight));
    }
}

TEST_CASE("in-betweens: one channel may lead to both sides of the neutral shape") {
    const auto channel = InBetweenChannel::create({{-1.0f, 0}, {1.0f, 2}});
    REQUIRE(channel);
    CHECK(moved(*channel, -0.5f) == Vec3(0.5f, 0, 0));
    CHECK(moved(*channel, 0.0f) == Vec3(0, 0, 0));
    CHECK(moved(*channel, 0.5f) == Vec3(2, 2, 0));
}

TEST_CASE("in-betweens: refuses stations that contradict each other") {
    CHECK_FALSE(InBetweenChannel::create({}));
    CHECK_FALSE(InBetweenChannel::create({{0.0f, 0}}));
    CHECK_FALSE(InBetweenChannel::create({{0.5f, 0}, {0.5f, 1}}));
    CHECK_FALSE(InBetweenChannel::create({{NAN, 0}}));
}
