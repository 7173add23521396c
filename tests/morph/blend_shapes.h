// Small shapes for the blend-shape tests: a bumpy patch like a cheek, and seeded random deltas on it.
#pragma once

#include <sinew/core/random.h>
#include <sinew/morph/morph.h>
#include <cmath>
#include <vector>

namespace sinew::test {

struct Surface {
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
};

// n × n vertices over [−1, 1]², curved, with no two triangles alike.
inline Surface cheek(uint32_t n) {
    Surface s;
    for (uint32_t j = 0; j < n; ++j) {
        for (uint32_t i = 0; i < n; ++i) {
            const float x = -1.0f + 2.0f * static_cast<float>(i) / static_cast<float>(n - 1);
            const float y = -1.0f + 2.0f * static_cast<float>(j) / static_cast<float>(n - 1);
            s.positions.push_back({x, y, 0.6f - 0.3f * x * x - 0.2f * y * y + 0.1f * x * y * y});
            if (i + 1 == n || j + 1 == n) continue;
            const uint32_t a = j * n + i, b = a + 1, c = a + n, d = c + 1;
            s.triangles.insert(s.triangles.end(), {a, b, d, a, d, c});
        }
    }
    return s;
}

inline Vec3 random_vector(Random& random, double size) {
    const auto number = [&] { return static_cast<float>(random.uniform(-size, size)); };
    const float x = number(), y = number();
    return {x, y, number()};
}

// Moves about a share of the vertices.
inline MorphTarget random_target(Random& random, size_t vertices, double share) {
    MorphTarget target;
    for (size_t v = 0; v < vertices; ++v) {
        if (random.uniform() >= share) continue;
        target.vertices.push_back(static_cast<uint32_t>(v));
        target.positions.push_back(random_vector(random, 0.3));
        target.normals.push_back(random_vector(random, 0.3));
        target.tangents.push_back(random_vector(random, 0.3));
    }
    return target;
}

inline float largest_difference(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    if (a.size() != b.size()) return INFINITY;
    float most = 0.0f;
    for (size_t i = 0; i < a.size(); ++i) most = std::max(most, (a[i] - b[i]).cwiseAbs().maxCoeff());
    return most;
}

}  // namespace sinew::test
