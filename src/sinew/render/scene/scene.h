// Scene: the surfaces of one moment in an Embree acceleration structure, and what rays meet there.
// Data flow: figure.h, bone_shapes.h fill surfaces → *here* → lighting.h and draw.h trace rays.
// Scene units: the character is about 1 large and stands near the origin, so tolerances are plain numbers.
#pragma once

#include <sinew/character/character.h>
#include <sinew/render/image/texture.h>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace sinew {

// One drawn mesh. Triangles, UVs and colours stay the same; positions and normals change over time. There are as many
// normals as positions, all unit.
struct SceneSurface {
    std::span<const uint32_t> triangles;
    std::span<const Vec2> uvs;     // may be empty
    std::span<const Vec4> colors;  // linear RGBA that multiplies the material's; may be empty
    std::vector<Vec3> positions;
    std::vector<Vec3> normals;
    Material material;
    const Texture* texture = nullptr;
};

struct Ray {
    Vec3 origin;
    Vec3 direction;  // unit
    float near = 0.0f;
    float far = INFINITY;
};

// Where a ray meets a surface. Both normals are unit and face the ray's origin.
struct Hit {
    const SceneSurface* surface = nullptr;
    uint32_t triangle = 0;
    float distance = INFINITY;
    Vec3 barycentric = Vec3::Zero();
    Vec3 position = Vec3::Zero();
    Vec3 face_normal = Vec3::Zero();
    Vec3 normal = Vec3::Zero();
};

// The base colour at a hit: material × vertex colour × texture. `footprint` is the width that one sample covers, in
// scene units; it picks the texture's mip level.
Vec4 base_color(const Hit& hit, float footprint);

// A point beside the hit from which shadow rays can start without meeting the surface's own facets, which interpolated
// normals pretend are smooth [Hanika2021]. A margin that grows with the coordinates keeps it off the surface.
Vec3 shadow_origin(const Hit& hit);

class Scene {
public:
    explicit Scene(std::vector<SceneSurface> surfaces);
    ~Scene();
    Scene(Scene&&) noexcept;
    Scene& operator=(Scene&&) noexcept;

    std::vector<SceneSurface>& surfaces();
    bool empty() const;

    // Call this after changing positions; triangles must not change. It refits the structure, which is cheaper than
    // building it.
    void update();

    // Rays pass through cut-outs. Safe to call from several threads between updates.
    std::optional<Hit> intersect(const Ray& ray) const;
    bool occluded(const Ray& ray) const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace sinew
