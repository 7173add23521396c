// Automatic weights: meshes and a skeleton in, which vertex follows which joints out, and a report.
// Data flow: Mesh, Skeleton → *here* (surface → bones → heat, volume or bbw → clean) → Influences.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/core/result.h>
#include <sinew/skeleton/skeleton.h>
#include <sinew/skin/influences.h>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
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

// WeightReport, below: which joints own skin and why, how each piece was bound, and what to look at.

// What a joint owns: bones, as segments along which skin follows it, or nothing.
struct JointUse {
    int32_t joint = 0;
    int32_t segments = 0;
    std::string why;  // "to spine_02", "tail towards the skin", "left out: a control, by its name or its place", …
};

struct JointWeight {
    int32_t joint = 0;
    size_t vertices = 0;  // that follow it
    double total = 0.0;   // the sum of their weights
};

// A connected part of the surface, and how it was bound: "heat: a closed surface", "rigid, with what it touches
// (head)", "as the skin that it lies on", …
struct PieceReport {
    size_t vertices = 0;
    std::string how;
};

// An island: vertices that follow a joint, cut off from most of the skin that follows it on the same piece.
struct LeakSuspect {
    int32_t joint = 0;
    size_t vertices = 0;
    double total = 0.0;           // the sum of their weights
    Vec3d place = Vec3d::Zero();  // their middle, in the meshes' space
};

struct WeightReport {
    std::string method;  // the method that was asked for
    size_t vertices = 0, welded_vertices = 0, triangles = 0;
    size_t max_influences = 0;
    size_t unweighted_vertices = 0;  // always 0; it is counted, not assumed
    double largest_sum_error = 0.0;  // of any vertex's weights, from 1
    std::string bone_axis;           // the local axis along which the rig's bones run ("+Y"), if it has one
    std::vector<JointUse> bones;     // one per joint that the skin may use
    std::vector<JointWeight> joints;
    std::vector<PieceReport> pieces;  // the 1000 largest, largest first
    size_t piece_count = 0;
    std::vector<LeakSuspect> leaks;                       // the 20 largest, largest first
    std::vector<std::pair<std::string, double>> seconds;  // per stage
    std::vector<std::string> warnings;                    // sentences for the user
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
