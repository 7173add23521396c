// CharacterDeformer: a Pose → world-space vertices of every primitive in the scene, frame after frame.
// Data flow: sample_pose() → Pose → *here* (forward kinematics, morph, skin) → render, bake, your vertex
// buffers.
#pragma once

#include <sinew/character/character.h>
#include <sinew/skin/skinning.h>
#include <sinew/skin/vertex_stream.h>

namespace sinew {

struct DeformOptions {
    bool normals = true;  // also deform normals and tangents
    Skinning skinning = Skinning::linear_blend;
    // Linear blend only: normals of the deformed surface [Tarini2014]. Without it, those that engines compute, which
    // take the weights for constant around a vertex. Has no kernel: 30 times as slow.
    bool surface_normals = false;
    int32_t delta_mush = 0;  // smoothing iterations that keep the detail [Mancewicz2014]; 0: none. Has no kernel
    // SIMD kernels where there are some: rigid, linear blend, dual quaternion, centres of rotation. Without them, the
    // scalar deformers of skin/deform.h, whose results are the same on every machine to the last bit.
    bool kernels = true;
    bool parallel = true;  // spread large primitives over the threads of core/parallel.h
};

// One drawn primitive in world space. Triangles, UVs and material are those of the primitive it names.
struct DeformedPrimitive {
    int32_t instance = 0;
    int32_t primitive = 0;
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;   // empty when the mesh has none
    std::vector<Vec4> tangents;  // empty when the mesh has none
    // Names these vertices: as long as it stays the same, so do they. Set it to 0 after changing them.
    uint64_t revision = 0;
};

// What a CharacterDeformer makes: one primitive of one instance in the scene.
struct DeformedPart {
    int32_t instance = 0;
    int32_t primitive = 0;
    size_t vertex_count = 0;
    bool has_normals = false;
    bool has_tangents = false;
    // VertexOrder::compiled: vertex i of the output is order[i] of the mesh. Empty: that is the mesh's own order.
    std::span<const uint32_t> order;
    uint64_t revision = 0;  // as in DeformedPrimitive; 0 before the first pose
};

// For many poses of one character: prepares once, from the meshes at rest, what the chosen skinning needs. The
// character must outlive it unchanged. After the first frame nothing is allocated, except by delta mush, bulge-free and
// bend-twist. Parts come in order of instances, then primitives; instances outside the scene are left out. One thread
// at a time: make one for each.
class CharacterDeformer {
public:
    explicit CharacterDeformer(const Character& character, const DeformOptions& options = {});
    ~CharacterDeformer();
    CharacterDeformer(CharacterDeformer&&) noexcept;

    // Everything at once, in arrays in the meshes' own order. The arrays in `out` are reused; those that hold the right
    // vertices already, by their revision, are left alone.
    void deform(const Pose& pose, std::vector<DeformedPrimitive>& out);

    // The same into your own buffers, in two steps. First the pose: forward kinematics, palettes and morphs, once.
    void set_pose(const Pose& pose);
    // Then each part that you draw and whose `revision` is not that of what your buffer holds. Attributes that the
    // part has not are not written.
    void write(size_t part, const SkinOutput& to, VertexOrder order = VertexOrder::original);

    std::span<const DeformedPart> parts() const;
    // What moves the part in the pose that was set: world_from_bind of its skin's joints; one matrix if it has no skin.
    std::span<const Affine> palette(size_t part) const;
    // world_from_joint of all the skeleton's joints in that pose.
    std::span<const AffineD> world_from_joint() const;

private:
    class State;
    std::unique_ptr<State> state_;
};

// One pose, by the scalar deformers: nothing to prepare that only many frames would repay.
void deform(const Character& character, const Pose& pose, const DeformOptions& options,
            std::vector<DeformedPrimitive>& out);

}  // namespace sinew
