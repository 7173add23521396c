#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/skin/deformers/centre_influences.h>
#include <cmath>

#include "skin/shapes.h"

using namespace sinew;
using namespace sinew::test;

namespace {

// Joints one after another, at the given places.
std::vector<SkinBone> chain(const std::vector<Vec3>& places) {
    Skin skin;
    std::vector<int32_t> parents;
    for (const Vec3& place : places) {
        parents.push_back(static_cast<int32_t>(skin.joints.size()) - 1);
        skin.joints.push_back(static_cast<int32_t>(skin.joints.size()));
        skin.inverse_bind.push_back(Affine(Eigen::Translation3f(-place)));
    }
    return make_bones(skin, parents);
}

Influences of_lists(const std::vector<std::vector<Influence>>& lists, size_t joints) {
    std::vector<uint32_t> first{0};
    std::vector<Influence> raw;
    for (const auto& list : lists) {
        raw.insert(raw.end(), list.begin(), list.end());
        first.push_back(static_cast<uint32_t>(raw.size()));
    }
    return *Influences::create(std::move(first), std::move(raw), joints);
}

float weight_of(std::span<const Influence> list, uint32_t joint) {
    for (const Influence& influence : list)
        if (influence.joint == joint) return influence.weight;
    return 0.0f;
}

// A limb of radius 1 along x with a joint at 0, weights that change over [−half, half].
struct Limb {
    std::vector<SkinBone> bones = chain({Vec3(-10, 0, 0), Vec3::Zero(), Vec3(10, 0, 0)});
    std::vector<Vec3> centres;
    Influences influences, carrying;

    explicit Limb(float half) {
        std::vector<std::vector<Influence>> lists;
        for (int i = 1; i < 200; ++i) {
            const float weight = static_cast<float>(i) / 200.0f;
            centres.emplace_back((2.0f * weight - 1.0f) * half, 0.0f, 0.0f);
            lists.push_back({{0, 1.0f - weight}, {1, weight}});
        }
        influences = of_lists(lists, 3);
        carrying = centre_influences(influences, centres, std::vector<float>(centres.size(), 1.0f), bones);
    }

    // How much further from the bones than at rest the outer side is, bent by an angle: the section around a centre
    // turns by the blended quaternion, its outermost point is one away.
    double bulge(const Influences& carried_by, double angle) const {
        double most = 0.0;
        for (size_t v = 0; v < centres.size(); ++v) {
            const double w = weight_of(influences.of(v), 1), c = weight_of(carried_by.of(v), 1), x = centres[v].x();
            const double turn = 2.0 * std::atan2(w * std::sin(angle / 2), 1.0 - w + w * std::cos(angle / 2));
            const double px = x * (1.0 - c + c * std::cos(angle)) + std::sin(turn),
                         py = x * c * std::sin(angle) - std::cos(turn);
            const double along = px * std::cos(angle) + py * std::sin(angle),
                         aside = py * std::cos(angle) - px * std::sin(angle);
            const double upper = std::hypot(std::max(px, 0.0), py), lower = std::hypot(std::min(along, 0.0), aside);
            most = std::max(most, std::min(upper, lower) - 1.0);
        }
        return most;
    }
    double worst_bulge(const Influences& carried_by) const {
        double most = 0.0;
        for (int angle = 5; angle <= 150; angle += 5) most = std::max(most, bulge(carried_by, angle * pi / 180.0));
        return most;
    }
};

}  // namespace

TEST_CASE("centre weights: on a limb of two bones, in closed form; they bulge less than a third as much") {
    const Limb limb(1.5f);
    for (size_t v = 0; v < limb.centres.size(); ++v) {
        const double w = weight_of(limb.influences.of(v), 1);
        const double expected = w + w * (1.0 - w) * std::tanh(1.5 * limb.centres[v].x());
        CHECK(std::abs(weight_of(limb.carrying.of(v), 1) - expected) < centre_weight_unit);
    }
    CHECK(limb.worst_bulge(limb.influences) > 0.13);
    CHECK(limb.worst_bulge(limb.carrying) < 0.04);
    const Limb wide(2.0f), wider(4.0f);
    CHECK(wide.worst_bulge(wide.influences) > 0.19);
    CHECK(wide.worst_bulge(wide.carrying) < 0.05);
    CHECK(wider.worst_bulge(wider.carrying) < 0.25 * wider.worst_bulge(wider.influences));
}

TEST_CASE("centre weights: near a bone between two joints neither gains, and the joint between does") {
    const std::vector<SkinBone> bones = chain({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(2, 0, 0), Vec3(3, 0, 0)});
    const std::vector<Vec3> centres = {Vec3(1.8f, 0.1f, 0), Vec3(1.8f, 0.1f, 0)};
    const Influences influences = of_lists({{{0, 0.5f}, {2, 0.5f}}, {{0, 0.3f}, {1, 0.4f}, {2, 0.3f}}}, 4);
    const Influences carrying = centre_influences(influences, centres, std::vector<float>(2, 0.5f), bones);
    CHECK(weight_of(carrying.of(0), 0) == 0.5f);
    CHECK(weight_of(carrying.of(0), 2) == 0.5f);
    CHECK(weight_of(carrying.of(1), 0) < 0.25f);
    CHECK(weight_of(carrying.of(1), 1) > 0.5f);
    CHECK(weight_of(carrying.of(1), 2) < 0.29f);
}

TEST_CASE("centre weights: a centre off the bones by twice its radius keeps its weights") {
    const Limb limb(1.5f);
    const Influences influences = of_lists({{{0, 0.75f}, {1, 0.25f}}, {{0, 0.75f}, {1, 0.25f}}}, 3);
    const std::vector<Vec3> centres = {Vec3(-1, 0, 0), Vec3(-1, 2, 0)};
    const Influences carrying = centre_influences(influences, centres, std::vector<float>(2, 1.0f), limb.bones);
    CHECK(weight_of(carrying.of(0), 1) < 0.1f);
    CHECK(weight_of(carrying.of(1), 1) == 0.25f);
}

TEST_CASE("centre weights: whole units that add up to 1, of the same joints, at most doubled; bones anywhere") {
    Random random(61);
    for (const double size : {1.0, 1e-6, 1e6, 1e25}) {
        std::vector<Vec3> places, centres;
        for (int j = 0; j < 30; ++j) places.push_back(vector(random, size));
        const std::vector<SkinBone> bones = chain(places);
        constexpr size_t vertices = 2000;
        const Influences influences = random_influences(random, vertices, 30, 12);
        std::vector<float> radii;
        for (size_t v = 0; v < vertices; ++v) {
            centres.push_back(vector(random, size));
            radii.push_back(v % 7 == 0 ? 0.0f : static_cast<float>(random.uniform(0.0, size)));
        }
        const Influences carrying = centre_influences(influences, centres, radii, bones);
        REQUIRE(carrying.vertex_count() == vertices);
        for (size_t v = 0; v < vertices; ++v) {
            float sum = 0.0f;
            for (const Influence& i : carrying.of(v)) {
                const float units = i.weight / centre_weight_unit, own = weight_of(influences.of(v), i.joint);
                const float most = radii[v] > 0.0f ? 2.0f * own : own;
                CHECK(units == std::round(units));
                CHECK(own > 0.0f);
                CHECK(i.weight < most + 12.0f * centre_weight_unit);
                sum += i.weight;
            }
            CHECK(sum == (influences.of(v).empty() ? 0.0f : 1.0f));
        }
        set_thread_count(1);
        const Influences alone = centre_influences(influences, centres, radii, bones);
        set_thread_count(0);
        for (size_t v = 0; v < vertices; ++v) {
            REQUIRE(alone.of(v).size() == carrying.of(v).size());
            for (size_t i = 0; i < alone.of(v).size(); ++i) {
                CHECK(alone.of(v)[i].joint == carrying.of(v)[i].joint);
                CHECK(alone.of(v)[i].weight == carrying.of(v)[i].weight);
            }
        }
    }
}
