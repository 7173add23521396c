// Deform a whole character: Pose → world-space vertices of every primitive in the scene.
// Data flow: clip/sample.h → Pose → *here* (forward kinematics, morph, skin) → render, bake.
#pragma once

#include <sinew/character/character.h>
#include <sinew/skin/skinning.h>

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
    Skinning skinning = Skinning::linear_blend;
    // Linear blend only: normals of the deformed surface (weight_gradients.h). Without it, those that engines compute,
    // which take the weights for constant around a vertex.
    bool surface_normals = true;
    int32_t delta_mush = 0;  // smoothing iterations of delta_mush.h over it; 0: none
};

struct BoundParts;

// For many poses of one character: prepares once, from the meshes at rest, what the chosen skinning needs. The
// character must outlive it unchanged.
class CharacterDeformer {
public:
    explicit CharacterDeformer(const Character& character, const DeformOptions& options = {});
    ~CharacterDeformer();

    // In order of instances, then primitives; instances outside the scene are left out. The arrays in `out` are reused.
    void deform(const Pose& pose, std::vector<DeformedPrimitive>& out) const;

private:
    const Character& character_;
    DeformOptions options_;
    std::unique_ptr<const BoundParts> bound_;
};

// The same for one pose.
void deform(const Character& character, const Pose& pose, const DeformOptions& options,
            std::vector<DeformedPrimitive>& out);

// The character at `time` of `clip` (null: at rest).
Pose pose_at(const Character& character, const Clip* clip, float time);

}  // namespace sinew
