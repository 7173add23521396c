#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/weights/volume/voxel.h>
#include "solids.h"

using namespace sinew;
using namespace sinew::test;

namespace {

float weight_of(const WeightField& field, size_t v, uint32_t joint) {
    for (const Influence& i : field.of(v))
        if (i.joint == joint) return i.weight;
    return 0.0f;
}

void check_complete(const VoxelResult& result, const Surface& surface) {
    REQUIRE(result.field.vertex_count() == surface.vertex_count());
    for (size_t v = 0; v < surface.vertex_count(); ++v) {
        double sum = 0.0;
        for (const Influence& i : result.field.of(v)) {
            CHECK(i.weight > 0.0f);
            sum += static_cast<double>(i.weight);
        }
        CHECK(sum == doctest::Approx(1.0).epsilon(1e-5));
    }
}

// An arm along x: 400 rings, a hundred times finer than the cells, a bone on each side of the middle.
const Shape arm = tube({-1, 0, 0}, {1, 0, 0}, 0.12f, 400, 24);
std::vector<Bone> arm_bones(const Surface& s) {
    return {bone(s, 0, {-1, 0, 0}, {0, 0, 0}), bone(s, 1, {0, 0, 0}, {1, 0, 0})};
}

}  // namespace

TEST_CASE("voxel_weights: along an arm weights change hands once, evenly, without steps") {
    const Surface surface = arm.surface();
    const VoxelResult result = voxel_weights(surface, arm_bones(surface));
    check_complete(result, surface);
    std::vector<std::pair<double, float>> line;  // one side of the arm, along it
    for (size_t v = 0; v < surface.vertex_count(); ++v) {
        const Vec3d p = surface.from_surface(surface.positions[v]);
        const double angle = std::atan2(p.z(), p.y());
        if (angle > 0.1 && angle < 0.4) line.push_back({p.x(), weight_of(result.field, v, 1)});
    }
    std::sort(line.begin(), line.end());
    REQUIRE(line.size() >= 400);
    CHECK(line.front().second < 0.01f);
    CHECK(line.back().second > 0.99f);
    double steepest = 0.0;
    for (size_t i = 0; i + 20 < line.size(); i += 5) {
        const double slope =
            static_cast<double>(line[i + 20].second - line[i].second) / (line[i + 20].first - line[i].first);
        steepest = std::max(steepest, slope);
    }
    for (size_t i = 0; i + 1 < line.size(); ++i) {
        const double dx = line[i + 1].first - line[i].first,
                     dw = static_cast<double>(line[i + 1].second - line[i].second);
        if (dx < 1e-6) continue;
        CHECK(dw > -2e-3);                       // monotone
        CHECK(dw < 2.0 * steepest * dx + 2e-3);  // no step where a cell ends
    }
    for (const auto& [x, w] : line)
        if (std::abs(x) < 0.003) CHECK(w == doctest::Approx(0.5).epsilon(0.08));
    CHECK(steepest * 0.12 > 0.3);  // over about the arm's own thickness …
    CHECK(steepest * 0.12 < 2.0);  // … neither wider nor a cut
}

TEST_CASE("voxel_weights: a hand that rests beside a thigh does not feel it") {
    // A trunk, a leg below it and an arm that hangs beside the leg, a fiftieth of the height away.
    Shape body = box({-0.2f, 1.0f, -0.1f}, {0.45f, 1.6f, 0.1f});
    body.add(tube({0, 1.1f, 0}, {0, 0, 0}, 0.1f, 60, 24));
    body.add(tube({0.232f, 1.1f, 0}, {0.232f, 0.3f, 0}, 0.1f, 60, 24));
    const Surface surface = body.surface();
    const std::vector<Bone> bones = {
        bone(surface, 0, {0.1, 1.1, 0}, {0.1, 1.5, 0}), bone(surface, 1, {0, 1.0, 0}, {0, 0, 0}),
        bone(surface, 2, {0.232, 1.0, 0}, {0.232, 0.7, 0}), bone(surface, 3, {0.232, 0.7, 0}, {0.232, 0.3, 0})};
    const VoxelResult result = voxel_weights(surface, bones);
    check_complete(result, surface);
    size_t hand = 0;
    for (size_t v = 0; v < surface.vertex_count(); ++v) {
        const Vec3d p = surface.from_surface(surface.positions[v]);
        if (p.y() > 0.7) continue;
        const bool leg = p.x() < 0.116;
        hand += !leg;
        CHECK(weight_of(result.field, v, leg ? 3 : 1) < 0.01f);
        CHECK(weight_of(result.field, v, leg ? 2 : 1) < 0.01f);
    }
    CHECK(hand > 100);
}

TEST_CASE("voxel_weights: holes, flipped faces and doubled shells hardly change anything") {
    const Surface clean = arm.surface();
    const VoxelResult expected = voxel_weights(clean, arm_bones(clean));
    Random random(7);
    Shape dirty;
    dirty.positions = arm.positions;
    for (size_t t = 0; t < arm.triangles.size(); t += 3) {
        if (random.uniform() < 0.03) continue;
        const size_t flip = random.uniform() < 0.3 ? 1 : 0;
        dirty.triangles.insert(dirty.triangles.end(),
                               {arm.triangles[t], arm.triangles[t + 1 + flip], arm.triangles[t + 2 - flip]});
    }
    for (size_t i = 0, n = dirty.triangles.size() / 2; i < n; ++i) dirty.triangles.push_back(dirty.triangles[i]);
    const Surface surface = dirty.surface();
    const VoxelResult result = voxel_weights(surface, arm_bones(surface));
    check_complete(result, surface);
    double difference = 0.0;
    for (size_t v = 0; v < dirty.positions.size(); ++v)
        for (const uint32_t joint : {0u, 1u})
            difference += std::abs(static_cast<double>(weight_of(result.field, surface.vertex_of[v], joint)) -
                                   static_cast<double>(weight_of(expected.field, clean.vertex_of[v], joint)));
    CHECK(difference / static_cast<double>(dirty.positions.size()) < 0.05);
}

TEST_CASE("voxel_weights: the same for any number of threads; bones outside, loose pieces and stray vertices") {
    Shape s = arm;
    s.add(box({1.3f, -0.1f, -0.1f}, {1.5f, 0.1f, 0.1f}));  // touches nothing
    s.positions.push_back({0.5f, 0.5f, 0.5f});             // belongs to nothing
    const Surface surface = s.surface();
    std::vector<Bone> bones = arm_bones(surface);
    bones.push_back(bone(surface, 2, {0, 3, 0}, {0, 4, 0}));
    set_thread_count(1);
    const VoxelResult one = voxel_weights(surface, bones);
    set_thread_count(3);
    const VoxelResult three = voxel_weights(surface, bones);
    set_thread_count(0);
    check_complete(one, surface);
    CHECK(one.bridges > 0);
    for (size_t v = 0; v < surface.vertex_count(); ++v) {
        REQUIRE(one.field.of(v).size() == three.field.of(v).size());
        for (size_t i = 0; i < one.field.of(v).size(); ++i) {
            CHECK(one.field.of(v)[i].joint == three.field.of(v)[i].joint);
            CHECK(one.field.of(v)[i].weight == three.field.of(v)[i].weight);
        }
        if (surface.from_surface(surface.positions[v]).x() > 1.25) CHECK(weight_of(one.field, v, 1) > 0.99f);
    }
}
