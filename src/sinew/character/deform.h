// Deform a whole character: Pose → world-space vertices of every primitive in the scene.
// Data flow: clip/sample.h → Pose → *here* (forward kinematics, morph, skin) → render, bake.
#pragma once

#include <sinew/character/character.h>

namespace sinew {

// One drawn primitive in world space. Triangles, UVs and material are those of the primitive it names.
struct DeformedPrimitive {
    int32_t instance = 0;
    int32_t primitive = 0;
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;   // empty when the mesh has none
    std::vector<Vec4> tangents;  // empty when the mesh has none
};

struct DeformOptions {
    bool normals = true;  // also deform normals and tangents
};

// In order of instances, then primitives; instances outside the scene are left out. The arrays in `out` are reused.
void deform(const Character& character, const Pose& pose, const DeformOptions& options,
            std::vector<DeformedPrimitive>& out);

// The character at `time` of `clip` (null: at rest).
Pose pose_at(const Character& character, const Clip* clip, float time);

}  // namespace sinew
