// All vertices of a character at one time of a clip, for tests that compare files.
#pragma once

#include <sinew/character/character_deformer.h>
#include <vector>

namespace sinew::test {

inline std::vector<Vec3> vertices_at(const Character& character, const Clip* clip, float time) {
    std::vector<DeformedPrimitive> shapes;
    deform(character, pose_at(character, clip, time), {}, shapes);
    std::vector<Vec3> all;
    for (const DeformedPrimitive& shape : shapes) all.insert(all.end(), shape.positions.begin(), shape.positions.end());
    return all;
}

}  // namespace sinew::test
