// Inner parts: the inside of a standing body, without its surface, layer by layer, as connected parts. Where an arm
// rests against the body, or cloth between the legs encloses a space, the surfaces between them still keep the insides
// apart. Data flow: voxel_body.h, standing → *here* → legs_apart.h, arms_apart.h.
#pragma once

#include <sinew/rig/body/voxel_body.h>

namespace sinew {

// Voxels of one layer that no triangle touches and that share faces.
struct InnerPart {
    int layer = 0;
    uint32_t first = 0, count = 0;                                            // in InnerParts::voxels
    Vec3d centre = Vec3d::Zero(), low = Vec3d::Zero(), high = Vec3d::Zero();  // of its voxels' centres

    bool left() const { return low.x() > 0.0; }
    bool right() const { return high.x() < 0.0; }
    bool central() const { return !left() && !right(); }
};

struct InnerParts {
    std::vector<InnerPart> list;   // from the lowest layer up
    std::vector<int> layer_first;  // the first part of each layer of the grid, and one more entry for the end
    std::vector<uint32_t> voxels;
    std::vector<int32_t> of_voxel;  // −1: none

    const InnerPart& operator[](int part) const { return list[static_cast<size_t>(part)]; }
    // The part `steps` layers above (negative: below) that covers most of this one; −1: none does.
    int beyond(const VoxelGrid& grid, int part, int steps) const;
};
InnerParts find_inner_parts(const VoxelBody& body);

// For every voxel of the body in the layers from `low` to `high`, the inner part of the same layer that is nearest; −1
// where the layer has none, and in other layers.
std::vector<int32_t> spread_parts(const VoxelBody& body, const InnerParts& inner, int low, int high);

}  // namespace sinew
