// Garments: sheets, and skirts and capes cut to the measure of a body at rest. Data flow: a scene's cloth, an Actor →
// *here* → a mesh and which of its vertices are held → physics/cloth.
#pragma once

#include <sinew/physics/scene/scene.h>
#include <sinew/pipeline/simulate/actor.h>

namespace sinew {

struct Garment {
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
    std::vector<uint32_t> pins;
};

// `actor` may be null for a sheet. Fails where the body has no hips or shoulders to wear it on.
Result<Garment> make_garment(const SceneCloth& cloth, const Actor* actor);

}  // namespace sinew
