// Skinning: the ways to bend a skin, by name, and each of them on a bound mesh of your own.
// Data flow: a name → Skinning → *here* → one of the deformers of skin/deform.h.
//
// I have a Character:                    character/character_deformer.h does all of this, for all its meshes
// I have a mesh, a skin and influences:  MeshDeformer(mesh, {.skinning = Skinning::bend_twist}).deform(palette,
// buffers)
#pragma once

#include <sinew/core/result.h>
#include <sinew/skin/deform.h>
#include <cstdint>
#include <memory>
#include <string_view>

namespace sinew {

enum class Skinning : uint8_t { rigid, linear_blend, dual_quaternion, bulge_free, bend_twist, centres_of_rotation };

// "rigid", "lbs", "dqs", "bulge-free", "bend-twist", "cor": as numbered in the enum.
std::span<const std::string_view> skinning_names();
std::string_view to_string(Skinning skinning);
// Unknown: the closest names.
Result<Skinning> find_skinning(std::string_view name);

// Its function. Those from bulge_free on need more in the binding than influences: MeshDeformer makes it.
Deformer& deformer(Skinning skinning);

// A mesh at rest, in the space that its skin was bound in, and what it follows.
struct SkinnedMesh {
    std::span<const Vec3> positions;
    std::span<const uint32_t> triangles;
    const Influences& influences;
    const Skin& skin;
    std::span<const int32_t> joint_parents;  // Skeleton::parents()
};

struct MeshDeformerOptions {
    Skinning skinning = Skinning::linear_blend;
    bool surface_normals = false;  // linear blend only: normals of the deformed surface [Tarini2014]
    int delta_mush = 0;            // iterations of smoothing that keeps the detail [Mancewicz2014]; 0: none
};

// Prepares, once per binding, what the skinning needs besides the weights: bones, centres of rotation, sharpened
// weights, the detail of the surface. What the mesh refers to must outlive it unchanged. deform() may be called from
// several threads at once.
class MeshDeformer {
public:
    explicit MeshDeformer(const SkinnedMesh& mesh, const MeshDeformerOptions& options = {});
    ~MeshDeformer();
    MeshDeformer(MeshDeformer&&) noexcept;

    // buffers.positions_in is the shape to bend: the mesh's own positions, or those after morphing.
    void deform(std::span<const Affine> world_from_bind, const DeformBuffers& buffers) const;

private:
    struct Prepared;
    std::unique_ptr<const Prepared> prepared_;
};

}  // namespace sinew
