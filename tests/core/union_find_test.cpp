#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/core/union_find.h>
#include <algorithm>

using namespace sinew;

TEST_CASE("UnionFind: everything is alone at first, and a set is named after its smallest member") {
    UnionFind sets(6);
    CHECK(sets.size() == 6);
    for (uint32_t i = 0; i < 6; ++i) CHECK(sets.find(i) == i);
    CHECK(sets.join(5, 3));
    CHECK(sets.join(3, 4));
    CHECK_FALSE(sets.join(4, 5));  // they were together already
    CHECK_FALSE(sets.join(2, 2));
    for (uint32_t i : {3u, 4u, 5u}) CHECK(sets.find(i) == 3);
    CHECK(sets.join(5, 1));
    for (uint32_t i : {1u, 3u, 4u, 5u}) CHECK(sets.find(i) == 1);
    CHECK(sets.joined(3, 5));
    CHECK_FALSE(sets.joined(0, 1));
    CHECK_FALSE(sets.joined(2, 3));
}

TEST_CASE("UnionFind: a long chain, joined in the worst order") {
    constexpr uint32_t n = 100'000;
    UnionFind sets(n);
    for (uint32_t i = n - 1; i > 0; --i) CHECK(sets.join(i, i - 1));
    for (uint32_t i : {0u, 1u, n / 2, n - 1}) CHECK(sets.find(i) == 0);
}

TEST_CASE("UnionFind: as repainting labels, for random joins in any order") {
    constexpr uint32_t n = 60;
    for (uint32_t seed = 0; seed < 50; ++seed) {
        Random random(seed);
        UnionFind sets(n);
        std::vector<uint32_t> label(n);
        for (uint32_t i = 0; i < n; ++i) label[i] = i;
        for (int k = 0; k < 45; ++k) {
            const auto a = static_cast<uint32_t>(random.below(n)), b = static_cast<uint32_t>(random.below(n));
            const uint32_t low = std::min(label[a], label[b]), high = std::max(label[a], label[b]);
            CHECK(sets.join(a, b) == (low != high));
            std::replace(label.begin(), label.end(), high, low);
        }
        for (uint32_t i = 0; i < n; ++i) CHECK(sets.find(i) == label[i]);
    }
}
