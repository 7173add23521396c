// Automatic weights: meshes and a skeleton in, who follows whom out — always, for any mesh, with a report.
// Data flow: Mesh, Skeleton → surface.h → choose_bones.h → a method (heat.h, distance.h, …) → clean.h → *here* →
// Influences.
#pragma once

#include <sinew/core/progress.h>
#include <sinew/skin/influences.h>
#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/report.h>
#include <string_view>

namespace sinew {

enum class WeightMethod : uint8_t { automatic, heat, voxel, bbw, distance, rigid };

std::vector<std::string_view> weight_method_names();  // "auto", "heat", …
std::string_view to_string(WeightMethod method);
Result<WeightMethod> parse_weight_method(std::string_view name);

struct WeightOptions {
    WeightMethod method = WeightMethod::automatic;
    int influences = 4;  // at most, per vertex; 1 … 16
    BoneOptions bones;
    Progress progress;
};

struct WeightResult {
    std::vector<Influences> influences;  // one per mesh
    std::vector<int32_t> joints;         // the skeleton's joint of each index in them: WeightRig::joints, or all
    WeightReport report;
};

// Binds all meshes together: equal positions get equal weights across them, and what one surface is in several meshes
// is solved as one. Every vertex gets at least one joint. Fails when the skeleton has no joints, or on an unknown name
// in `bones`; never because of the mesh. The same bytes for any number of threads. Scale and place of the input do not
// matter.
Result<WeightResult> compute_weights(std::span<const WeightMesh> meshes, const WeightRig& rig,
                                     const WeightOptions& options = {});

}  // namespace sinew
