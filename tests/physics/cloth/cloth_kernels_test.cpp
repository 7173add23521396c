// The kernels of cloth against their scalar twins, bit by bit.
#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/math/types.h>
#include <sinew/physics/cloth/kernels/cloth_kernel.h>
#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

using namespace sinew;

namespace {

bool same_bits(std::span<const Float4> a, std::span<const Float4> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

// Points of a cloth in any state, and a twin to compare with.
struct Twins {
    std::vector<Float4> x, previous, v, x2, previous2, v2;

    explicit Twins(size_t count, uint64_t seed) : x(count), previous(count), v(count) {
        Random random(seed);
        const auto any = [&] { return static_cast<float>(random.uniform(-1, 1)); };
        for (size_t i = 0; i < count; ++i) {
            x[i] = {any(), any(), any(), i % 7 == 0 ? 0.0f : static_cast<float>(random.uniform(1, 5))};
            previous[i] = {x[i].x + 0.01f * any(), x[i].y + 0.01f * any(), x[i].z + 0.01f * any(), x[i].w};
            v[i] = {any(), any(), 0.5f, 0};
        }
        x2 = x, previous2 = previous, v2 = v;
    }
    void check() const {
        CHECK(same_bits(x, x2));
        CHECK(same_bits(previous, previous2));
        CHECK(same_bits(v, v2));
    }
};

}  // namespace

TEST_CASE("cloth: the kernels that move points give the bits of their twins") {
    Twins t(608, 17);
    std::vector<Float4> wind = t.v;
    for (const Float4* push : {static_cast<const Float4*>(nullptr), static_cast<const Float4*>(wind.data())})
        for (const float most : {20.0f, 0.5f}) {
            const ClothMove how{.seconds = 1e-3f, .gravity = {0, -9.81f, 1, 0}, .keep = 0.99f, .acceleration = push};
            move_points(how, t.x, t.previous, t.v), move_points_scalar(how, t.x2, t.previous2, t.v2);
            t.check();
            set_velocities(1e-3f, most, t.x, t.previous, t.v),
                set_velocities_scalar(1e-3f, most, t.x2, t.previous2, t.v2);
            t.check();
        }
}

TEST_CASE("cloth: the kernels that hold distances give the bits of their twins") {
    for (const bool keep_pull : {false, true}) {
        Twins t(608, 19);
        Random random(23);
        std::vector<DistanceBlock> blocks(20);
        std::vector<float> pulls(160), pulls2;
        for (size_t k = 0; k < 160; ++k) {
            DistanceBlock& block = blocks[k / 8];
            block.a[k % 8] = static_cast<uint32_t>(k), block.b[k % 8] = static_cast<uint32_t>(599 - k);
            block.rest[k % 8] = static_cast<float>(random.uniform(0.1, 1));
            pulls[k] = static_cast<float>(random.uniform(-1, 1));
            if (k % 11 == 0) block.a[k % 8] = block.b[k % 8] = 607, block.rest[k % 8] = 0.0f;
        }
        t.x[607] = t.x2[607] = {};
        pulls2 = pulls;
        for (const float soft : {0.0f, 0.7f}) {
            solve_distances(blocks, soft, keep_pull ? pulls.data() : nullptr, t.x.data());
            solve_distances_scalar(blocks, soft, keep_pull ? pulls2.data() : nullptr, t.x2.data());
            t.check();
            CHECK(pulls == pulls2);
        }
        for (const float times : {0.9f, 0.5f, 1e6f}) {
            const size_t changed = limit_distances(blocks, times, t.x.data());
            CHECK(changed == limit_distances_scalar(blocks, times, t.x2.data()));
            CHECK((changed > 0) == (times < 1.0f));
            t.check();
        }
        for (const size_t anchors : {0u, 1u, 4u}) {
            const std::vector<uint32_t> fixed = {0, 7, 14, 21};
            std::vector<float> lengths(4 * 608), own_lengths(608);
            std::vector<uint32_t> own(608);
            for (float& length : lengths)
                length = random.below(3) == 0 ? INFINITY : static_cast<float>(random.uniform(0.2, 2));
            for (size_t i = 0; i < 608; ++i) {
                own[i] = static_cast<uint32_t>(7 * random.below(80));
                own_lengths[i] = i % 7 == 0 ? INFINITY : static_cast<float>(random.uniform(0.2, 2));
                for (size_t k = 0; i % 7 == 0 && k < 4; ++k) lengths[k * 608 + i] = INFINITY;
            }
            const ClothTethers tethers{.anchors = std::span(fixed).first(anchors),
                                       .lengths = lengths.data(),
                                       .own = keep_pull ? own.data() : nullptr,
                                       .own_lengths = own_lengths.data()};
            hold_tethers(tethers, t.x), hold_tethers_scalar(tethers, t.x2);
            t.check();
        }
    }
}

TEST_CASE("cloth: the kernel that bends hinges gives the bits of its twin") {
    Twins t(608, 37);
    Random random(41);
    std::vector<BendBlock> blocks(15);
    for (uint32_t k = 0; k < 120; ++k) {
        BendBlock& block = blocks[k / 8];
        block.a[k % 8] = 4 * k, block.b[k % 8] = 4 * k + 2, block.c[k % 8] = 4 * k + 3, block.d[k % 8] = 4 * k + 1;
        for (float* shares : {block.share_b, block.share_c, block.share_d, block.rest})
            shares[k % 8] = static_cast<float>(random.uniform(-2, 2));
        block.soft[k % 8] = static_cast<float>(random.uniform(0.1, 3));
        if (k % 13 != 0) continue;  // a place that is left over
        for (uint32_t* ids : {block.a, block.b, block.c, block.d}) ids[k % 8] = 607;
    }
    t.x[607] = t.x2[607] = {};
    const std::vector<Float4> start = t.x;
    for (const float soft : {0.0f, 0.5f}) {
        solve_bends(blocks, soft, t.x.data()), solve_bends_scalar(blocks, soft, t.x2.data());
        t.check();
    }
    CHECK_FALSE(same_bits(start, t.x));
}

TEST_CASE("cloth: the kernel that leaves colliders gives the bits of its twin, and puts points outside") {
    const std::vector<ClothSolid> solids = {
        {.a = {-0.5f, 0, 0, 0},
         .along = {1, 0, 0, 1},
         .carried_a = {0, 0, 0.01f, 0},
         .carried_along = {0, 0.01f, 0, 0},
         .radius = 0.3f,
         .friction = 0.4f},
        {.a = {0, 0.5f, 0.2f, 0}, .radius = 0.4f, .friction = 0.9f},
        {.a = {0, -0.6f, 0, 0}, .normal = {0, 1, 0, 0}, .friction = 0.2f, .plane = true},
        {.a = {0, 0, 0, 0}, .radius = 1.2f, .friction = 0.1f, .hollow = true}};
    for (uint32_t only = 0; only <= 4; ++only) {
        Twins t(608, 29 + only);
        std::vector<OctetSolid> near;
        for (uint32_t octet = 0; octet < 76; ++octet)
            for (uint32_t s = 0; s < 4; ++s)
                if (only == 4 || s == only) near.push_back({octet, s});
        t.x[1] = t.x2[1] = {0, 0, 0, 1};  // on the axis of the capsule, and in the middle of a ball
        t.x[2] = t.x2[2] = {0, 0.5f, 0.2f, 1};
        const std::vector<Float4> start = t.x;
        leave_solids(near, solids.data(), 0.01f, t.x.data(), t.previous.data());
        leave_solids_scalar(near, solids.data(), 0.01f, t.x2.data(), t.previous2.data());
        t.check();
        bool moved = false;
        for (size_t i = 0; i < t.x.size(); ++i) {
            moved |= std::memcmp(&t.x[i], &start[i], sizeof(Float4)) != 0;
            if (start[i].w == 0.0f) CHECK(std::memcmp(&t.x[i], &start[i], sizeof(Float4)) == 0);
            if (start[i].w == 0.0f || only == 4) continue;
            const Vec3 p(t.x[i].x, t.x[i].y, t.x[i].z);
            // Friction slides a point back along the tangent, which leads into nothing round by more than this.
            constexpr float slack = 2e-3f;
            if (only == 0) CHECK((p - Vec3(std::clamp(p.x(), -0.5f, 0.5f), 0, 0)).norm() > 0.31f - slack);
            if (only == 1) CHECK((p - Vec3(0, 0.5f, 0.2f)).norm() > 0.41f - slack);
            if (only == 2) CHECK(p.y() > -0.59f - slack);
            if (only == 3) CHECK(p.norm() < 1.19f + slack);
        }
        CHECK(moved);
    }
}
