// Automatic weights: meshes and a skeleton in, which vertex follows which joints out, and a report.
// Data flow: Mesh, Skeleton → *here* (surface → bones → heat, volume or bbw → clean) → Influences.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <sinew/skeleton/skeleton.h>
#include <sinew/skin/influences.h>
#include <sinew/weights/report.h>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// One mesh to bind, in the space in which the rig's joints are given. Any triangles and any numbers will do: holes,
// loose pieces and flipped faces are normal, a triangle that names a missing vertex is ignored, and a position that is
// not finite is moved to the middle and counted. The spans must outlive the call.
struct WeightMesh {
    std::span<const Vec3> positions;
    std::span<const uint32_t> triangles;  // three indices each
};

// A skeleton as it stood when the mesh was made. Only `skeleton` is required. What is given per joint has one entry for
// each joint of the skeleton.
struct WeightRig {
    const Skeleton* skeleton = nullptr;
    // At bind time; empty: the skeleton's rest pose, with the meshes in its space
    std::vector<AffineD> mesh_from_joint = {};
    std::vector<int32_t> joints = {};             // the joints that a skin may use; empty: all
    std::vector<std::optional<Vec3>> tails = {};  // where a bone ends, if the file says so; in the meshes' space
    std::vector<uint8_t> deform = {};             // 0: the file says that this joint moves no skin
};

// Which joints own skin. Empty: Sinew chooses, and says why in WeightReport::bones.
struct BoneOptions {
    // "name": only the joints named so own skin. "+name" and "-name": this one too, or not this one.
    std::vector<std::string> choose = {};
};

// automatic: heat, with parts that have no bone bound to what they touch; voxel where heat cannot be solved
// heat:      bones warm the skin near them and the heat spreads along the surface [Baran2007]
// voxel:     the same inside the body, on voxels: for surfaces beyond repair
// bbw:       bounded biharmonic weights inside the body [Jacobson2011]: the smoothest, and the slowest
// distance:  by the distance to each bone, blind to the surface
// rigid:     the nearest bone alone
enum class WeightMethod : uint8_t { automatic, heat, voxel, bbw, distance, rigid };

std::vector<std::string_view> weight_method_names();  // "auto", "heat", …
std::string_view to_string(WeightMethod method);
Result<WeightMethod> parse_weight_method(std::string_view name);  // fails on an unknown name, and suggests one

struct WeightOptions {
    WeightMethod method = WeightMethod::automatic;
    int influences = 4;  // joints per vertex, at most; 1 … 16
    BoneOptions bones = {};
    Progress progress = {};
};

struct WeightResult {
    std::vector<Influences> influences;  // one per mesh
    // Influence i follows the skeleton's joint joints[i]: WeightRig::joints, or all joints
    std::vector<int32_t> joints = {};
    WeightReport report;
};

// Binds all meshes together, so vertices at the same place get the same weights across meshes. To run one algorithm on
// one mesh:
//
//   const WeightMesh mesh{positions, triangles};
//   auto result = compute_weights({&mesh, 1}, {.skeleton = &skeleton}, {.method = WeightMethod::heat});
//   for (const Influence& i : result->influences[0].of(vertex)) …
//
// Every vertex gets at least one joint. Fails if the skeleton has no joints or if `bones` names a joint that does not
// exist; never because of the mesh. The scale and the place of the input do not matter. The result is the same, bit by
// bit, for any number of threads. The time grows a little faster than the number of vertices (docs/weights.md).
Result<WeightResult> compute_weights(std::span<const WeightMesh> meshes, const WeightRig& rig,
                                     const WeightOptions& options = {});

}  // namespace sinew
