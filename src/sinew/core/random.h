// Seeded random numbers: the same sequence on every machine and compiler, unlike <random>'s distributions.
#pragma once

#include <cstdint>

namespace sinew {

// SplitMix64 [Steele2014]: one 64-bit word of state, passes BigCrush, good for tests, noise and sampling.
class Random {
public:
    explicit Random(uint64_t seed) : state_(seed) {}

    uint64_t next() {
        uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
        return z ^ (z >> 31);
    }
    // Uniform in [0, 1).
    double uniform() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }
    double uniform(double low, double high) { return low + (high - low) * uniform(); }
    // Uniform in [0, count); count > 0. The bias is below count / 2^64.
    uint64_t below(uint64_t count) {
        return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * count) >> 64);
    }

private:
    uint64_t state_;
};

}  // namespace sinew
