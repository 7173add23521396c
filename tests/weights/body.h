// Bodies turned on a lathe, and questions to the answer: shared by the tests of which joint owns what.
#pragma once

#include <sinew/mesh/mesh.h>
#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/weights.h>
#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew::test {

// A surface of revolution around +Y through (radius, height): where the profile does not begin or end on the axis, it
// is open there.
inline Mesh lathe(const std::vector<Vec2>& profile) {
    constexpr uint32_t sides = 24, steps = 8;
    std::vector<Vec2> fine;
    for (size_t i = 0; i + 1 < profile.size(); ++i)
        for (uint32_t k = 0; k < steps; ++k)
            fine.push_back(profile[i] + (profile[i + 1] - profile[i]) * (static_cast<float>(k) / steps));
    fine.push_back(profile.back());
    Mesh mesh;
    for (const Vec2& p : fine)
        for (uint32_t k = 0; k < sides; ++k) {
            const float angle = 2.0f * pi * static_cast<float>(k) / sides;
            mesh.positions.push_back({p.x() * std::cos(angle), p.y(), -p.x() * std::sin(angle)});
        }
    for (uint32_t r = 0; r + 1 < fine.size(); ++r)
        for (uint32_t k = 0; k < sides; ++k) {
            const uint32_t a = sides * r + k, b = sides * r + (k + 1) % sides;
            for (uint32_t i : {a, b, a + sides, b, b + sides, a + sides}) mesh.triangles.push_back(i);
        }
    return mesh;
}

inline float weight_of(const Influences& weights, size_t vertex, uint32_t joint) {
    float sum = 0.0f;
    for (const Influence& i : weights.of(vertex)) sum += i.joint == joint ? i.weight : 0.0f;
    return sum;
}

inline const JointUse& use_of(const BoneChoice& choice, int32_t joint) {
    return *std::find_if(choice.table.begin(), choice.table.end(), [&](const JointUse& u) { return u.joint == joint; });
}

}  // namespace sinew::test
