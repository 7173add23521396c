// Cloth measures: how good cloth looks at one moment, noted in its report. Data flow: run_scene.h, worn_cloth.h →
// *here* → ClothReport.
#pragma once

#include <sinew/physics/cloth/cloth.h>
#include <sinew/pipeline/simulate/simulate.h>

namespace sinew {

struct ClothMoment {
    std::span<const Vec3> positions;
    std::span<const uint32_t> triangles;
    std::span<const Hinge> hinges;
    const Cloth* cloth = nullptr;         // whose edges may be stretched; null: not asked
    const SurfaceTree* skin = nullptr;    // of the body that wears it, where there is one
    std::span<const uint32_t> held = {};  // in order: vertices that are where the file puts them, be it in the skin
};

// The report keeps the worst of all moments.
void note_moment(const ClothMoment& moment, ClothReport& report);

}  // namespace sinew
