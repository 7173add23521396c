// A tube along +X bound to a row of joints: any size, weights that overlap.
#pragma once

#include <sinew/skin/deformers/centres_of_rotation.h>
#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew::test {

struct TubeShape {
    uint32_t rings = 10;
    uint32_t segments = 8;
    uint32_t joints = 2;      // evenly along the tube, one unit apart
    uint32_t per_vertex = 2;  // influences, where the joints allow it
};

struct Tube {
    float length = 0.0f;
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
    Influences influences;

    SkinnedSurface surface() const { return {influences, positions, triangles}; }
};

// Each joint's weight falls linearly over per_vertex / 2 units, so that a vertex has at most per_vertex of them.
inline Tube make_tube(const TubeShape& shape) {
    Tube tube;
    tube.length = static_cast<float>(shape.joints);
    std::vector<uint32_t> first = {0};
    std::vector<Influence> raw;
    for (uint32_t r = 0; r < shape.rings; ++r) {
        const float x = tube.length * static_cast<float>(r) / static_cast<float>(shape.rings - 1);
        for (uint32_t s = 0; s < shape.segments; ++s) {
            const float angle = 2.0f * pi * static_cast<float>(s) / static_cast<float>(shape.segments);
            tube.positions.emplace_back(x, 0.3f * std::cos(angle), 0.3f * std::sin(angle));
            for (uint32_t j = 0; j < shape.joints; ++j) {
                const float apart = std::abs(x - static_cast<float>(j) - 0.5f);
                const float weight = 1.0f - apart / (0.5f * static_cast<float>(shape.per_vertex));
                if (weight > 1e-4f) raw.push_back({j, weight});
            }
            first.push_back(static_cast<uint32_t>(raw.size()));
        }
    }
    for (uint32_t r = 0; r + 1 < shape.rings; ++r) {
        for (uint32_t s = 0; s < shape.segments; ++s) {
            const uint32_t next = (s + 1) % shape.segments;
            const uint32_t a = r * shape.segments + s, b = r * shape.segments + next, c = a + shape.segments,
                           d = b + shape.segments;
            tube.triangles.insert(tube.triangles.end(), {a, b, c, c, b, d});
        }
    }
    tube.influences = *Influences::create(std::move(first), std::move(raw), shape.joints);
    return tube;
}

}  // namespace sinew::test
