#include <doctest/doctest.h>

#include <sinew/weights/weights.h>

#include "skeletons.h"
#include "solids.h"

using namespace sinew;
using namespace sinew::test;

namespace {

// A trunk, a wide head and two arms of one piece each, with a hat of two walls whose lining looks at the head. The arms
// are nearer to its brim than the head's bone is.
struct Hatted {
    Shape body, hat;
    Skeleton skeleton = skeleton_of({{"hips", -1, {0, 0, 0}},
                                     {"chest", 0, {0, 0.6f, 0}},
                                     {"head", 1, {0, 1.0f, 0}},
                                     {"leftArm", 1, {0.3f, 0.8f, 0}},
                                     {"leftHand", 3, {0.9f, 0.8f, 0}},
                                     {"rightArm", 1, {-0.3f, 0.8f, 0}},
                                     {"rightHand", 5, {-0.9f, 0.8f, 0}}});

    Hatted() {
        body = tube({0, 0, 0}, {0, 1.0f, 0}, 0.25f, 20, 24);
        body.add(tube({0, 1.3f, 0}, {0, 2.1f, 0}, 0.5f, 20, 32));
        body.add(tube({0.25f, 0.8f, 0}, {1.1f, 0.8f, 0}, 0.1f, 20, 16));
        body.add(tube({-0.25f, 0.8f, 0}, {-1.1f, 0.8f, 0}, 0.1f, 20, 16));
        // Outside up, over the top, and down the inside.
        hat = tube({0, 1.15f, 0}, {0, 2.2f, 0}, 0.6f, 10, 32);
        Shape lining = tube({0, 1.15f, 0}, {0, 2.12f, 0}, 0.54f, 10, 32);
        for (size_t i = 0; i < lining.triangles.size(); i += 3) std::swap(lining.triangles[i], lining.triangles[i + 1]);
        // The rims are joined; the flat ends below are cut out.
        const auto open_below = [](Shape& s) {
            const auto below = static_cast<uint32_t>(s.positions.size() - 2);
            std::vector<uint32_t> kept;
            for (size_t i = 0; i < s.triangles.size(); i += 3) {
                const uint32_t* t = &s.triangles[i];
                if (t[0] != below && t[1] != below && t[2] != below) kept.insert(kept.end(), t, t + 3);
            }
            s.triangles = kept;
        };
        open_below(hat);
        open_below(lining);
        const auto inner = static_cast<uint32_t>(hat.positions.size());
        hat.add(lining);
        for (uint32_t k = 0; k < 32; ++k) {
            const uint32_t a = k, b = (k + 1) % 32, c = inner + k, d = inner + (k + 1) % 32;
            hat.triangles.insert(hat.triangles.end(), {a, c, b, b, c, d});
        }
    }
};

}  // namespace

TEST_CASE("parts: a hat goes with the head that it sits on, lining and brim too") {
    const Hatted figure;
    const WeightMesh meshes[] = {{figure.body.positions, figure.body.triangles},
                                 {figure.hat.positions, figure.hat.triangles}};
    const WeightResult result = compute_weights(meshes, {.skeleton = &figure.skeleton}).value();
    double least = 1.0;
    for (size_t v = 0; v < figure.hat.positions.size(); ++v) {
        double head = 0.0;
        for (const Influence& i : result.influences[1].of(v))
            if (result.joints[i.joint] == 2) head += static_cast<double>(i.weight);
        least = std::min(least, head);
    }
    CHECK(least > 0.98);
}

TEST_CASE("parts: a coat over trunk and arms is not made rigid") {
    const Hatted figure;
    Shape coat = tube({0, 0.1f, 0}, {0, 0.9f, 0}, 0.3f, 20, 24);
    const WeightMesh meshes[] = {{figure.body.positions, figure.body.triangles}, {coat.positions, coat.triangles}};
    const WeightResult result = compute_weights(meshes, {.skeleton = &figure.skeleton}).value();
    const auto main_joint = [&](size_t v) { return result.joints[result.influences[1].of(v).front().joint]; };
    CHECK(main_joint(0) == 0);
    CHECK(main_joint(19 * 24) != 0);
}

TEST_CASE("parts: what is stuck on at a bend goes with one joint wholly, unless it is small") {
    const Skeleton skeleton =
        skeleton_of({{"low", -1, {0, -0.95f, 0}}, {"high", 0, {0, 0, 0}}, {"top", 1, {0, 0.95f, 0}}});
    const Shape limb = tube({0, -1, 0}, {0, 1, 0}, 0.15f, 80, 24);
    // Both touch the limb a little above the joint, where its skin belongs to two.
    const Shape spear = tube({0, 0.02f, 0.16f}, {0, 0.02f, 0.9f}, 0.02f, 20, 8);
    const Shape bead = tube({0.155f, 0.02f, 0}, {0.165f, 0.02f, 0}, 0.01f, 2, 8);
    const WeightMesh meshes[] = {
        {limb.positions, limb.triangles}, {spear.positions, spear.triangles}, {bead.positions, bead.triangles}};
    const WeightResult result = compute_weights(meshes, {.skeleton = &skeleton}).value();
    const auto largest = [&](size_t mesh, size_t v) {
        float most = 0.0f;
        for (const Influence& i : result.influences[mesh].of(v)) most = std::max(most, i.weight);
        return most;
    };
    for (size_t v = 0; v < spear.positions.size(); ++v) CHECK(largest(1, v) == 1.0f);
    for (size_t v = 0; v < bead.positions.size(); ++v) CHECK(largest(2, v) < 0.9f);
}
