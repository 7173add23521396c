// Ragdolls: bodies dropped from seeded poses: when they rest, how far limits give, how fast the fastest part is.
//   script/bench ragdoll [SEEDS]
#include <sinew/io/read.h>
#include <sinew/sample/sample.h>
#include <support/places.h>
#include <chrono>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>
#include "ragdoll/drop.h"

using namespace sinew;

namespace {

void drop_all(const std::string& name, const Character& character, uint64_t seeds) {
    const auto body = fit_ragdoll(character);
    if (!body) return fmt::print("{}: {}\n", name, body.error().message), void();
    test::Fall worst{.rest_after = 0.0};
    uint64_t bad = 0;
    double mean_rest = 0.0;
    const auto start = std::chrono::steady_clock::now();
    for (uint64_t seed = 1; seed <= seeds; ++seed) {
        const test::Fall fall = test::drop(*body, seed);
        worst.rest_after = std::max(worst.rest_after, fall.rest_after);
        worst.excess_deg = std::max(worst.excess_deg, fall.excess_deg);
        worst.fastest = std::max(worst.fastest, fall.fastest), worst.deepest = std::max(worst.deepest, fall.deepest);
        mean_rest += std::min(fall.rest_after, 6.0) / static_cast<double>(seeds);
        if (!(fall.rest_after <= 6.0) || fall.excess_deg > 5.0 || fall.fastest > 15.0 || fall.deepest > 0.05) {
            ++bad;
            fmt::print("  seed {}: rest {:.2f} excess {:.1f} speed {:.1f} deep {:.3f}\n", seed, fall.rest_after,
                       fall.excess_deg, fall.fastest, fall.deepest);
        }
    }
    const double took = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print(
        "{:28} {:2} parts {:7.1f} kg {:5.2f} m | {:3} of {} beyond a bound | rest {:.2f} s (mean {:.2f}), limit "
        "{:.1f}°, {:.1f} m/s, {:.1f} mm deep | {:.0f}× real time\n",
        name, body->parts.size(), body->mass, body->height, bad, seeds, worst.rest_after, mean_rest, worst.excess_deg,
        worst.fastest, 1000.0 * worst.deepest, 6.0 * static_cast<double>(seeds) / took);
}

}  // namespace

int main(int argc, char** argv) {
    const uint64_t seeds = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 100;
    drop_all("sample", make_rigged_humanoid(), seeds);
    drop_all("sample quadruped", make_quadruped(), seeds);
    for (const char* name : {"m2m_var_human-male", "m2m_var_human-female", "m2m_var_human-zombie", "kaykit_Knight",
                             "m2m_fox-animations", "m2m_horse-animations"}) {
        const auto path = test::data_folder() / "rigged-gt" / fmt::format("{}.glb", name);
        if (const auto character = read_character(path)) drop_all(name, *character, seeds);
    }
}
