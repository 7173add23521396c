// The bones nearest to each cell of a volume, by the shortest way that stays inside.
// Data flow: Volume, bones → *here* → voxel.h (heat's sources), bbw.h (the cells that bones pass through).
#pragma once

#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/volume/volume.h>
#include <array>

namespace sinew {

// For each bone, the cells that it passes through or, if it lies wholly outside, the nearest cell. Never empty.
std::vector<std::vector<uint32_t>> bone_cells(const Volume& volume, std::span<const Bone> bones);

// Up to five bones, nearest first. Chosen: where more meet, the farther ones weigh little.
struct NearBones {
    static constexpr uint32_t most = 5;
    std::array<uint32_t, most> bones{};
    std::array<double, most> distances{};
    std::array<Vec3d, most> directions{};  // unit; from the start of the last straight part of the way
    uint32_t count = 0;
};

// A way is straight if the cell sees the bone through the solid, and bent round corners if not (lazy any-angle search
// [Nash2010], outwards from all bones at once). Parts that no bone reaches have none; see bridge_parts.
std::vector<NearBones> nearest_bones(const Volume& volume, std::span<const Bone> bones,
                                     std::span<const std::vector<uint32_t>> cells);

}  // namespace sinew
