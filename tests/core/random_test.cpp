#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <algorithm>

using namespace sinew;

// The published first outputs of SplitMix64 for seed 1234567: the sequence may never change, tests and samples rely on
// it.
TEST_CASE("Random: SplitMix64's reference sequence") {
    Random random(1234567);
    CHECK(random.next() == 6457827717110365317ull);
    CHECK(random.next() == 3203168211198807973ull);
    CHECK(random.next() == 9817491932198370423ull);
}

TEST_CASE("Random: uniform and below stay in range and fill it") {
    Random random(1);
    double lowest = 1.0, highest = 0.0;
    int seen[5] = {};
    for (int i = 0; i < 10000; ++i) {
        const double u = random.uniform();
        lowest = std::min(lowest, u);
        highest = std::max(highest, u);
        ++seen[random.below(5)];
    }
    CHECK(lowest >= 0.0);
    CHECK(lowest < 0.01);
    CHECK(highest < 1.0);
    CHECK(highest > 0.99);
    for (int count : seen) CHECK(count > 1800);
}
