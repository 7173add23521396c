// Surfaces: the triangles of one moment, and what is seen at a point of them.
// Data flow: figure.h, bone_shapes.h fill surfaces → *here* → raster/ finds who is seen where, and draws it.
// Scene units: the character is about 1 large and stands near the origin, so tolerances are plain numbers.
#pragma once

#include <sinew/character/character.h>
#include <sinew/render/image/texture.h>
#include <array>
#include <cstdint>
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

// A point of a triangle. Both normals are unit and face the eye.
struct SeenPoint {
    const SceneSurface* surface = nullptr;
    uint32_t triangle = 0;
    Vec3 barycentric = Vec3::Zero();
    Vec3 position = Vec3::Zero();
    Vec3 face_normal = Vec3::Zero();
    Vec3 normal = Vec3::Zero();
};

// The vertices of a triangle.
inline std::array<uint32_t, 3> corners(const SceneSurface& surface, uint32_t triangle) {
    const size_t first = size_t{triangle} * 3;
    return {surface.triangles[first], surface.triangles[first + 1], surface.triangles[first + 2]};
}

// Where a line meets the triangle's plane, as barycentric coordinates; the nearest point inside where it misses.
Vec3 barycentric_on_line(const SceneSurface& surface, uint32_t triangle, const Vec3& origin, const Vec3& direction);

SeenPoint seen_point(const SceneSurface& surface, uint32_t triangle, const Vec3& barycentric, const Vec3& eye);

// The base colour at a point: material × vertex colour × texture. `footprint` is the width that one sample covers, in
// scene units; it picks the texture's mip level.
Vec4 base_color(const SeenPoint& point, float footprint);

// Whether anything is there to be seen, or to cast a shadow: false in the holes of cut-outs. Blended surfaces are
// see-through, but cast shadows like cut-outs.
bool is_visible(const SceneSurface& surface, uint32_t triangle, const Vec3& barycentric);
bool casts_shadow(const SceneSurface& surface, uint32_t triangle, const Vec3& barycentric);

// A point beside the surface from which light is asked for. It lies where the smooth surface would be that interpolated
// normals pretend, so that the surface's own facets cast no shadow on it [Hanika2021].
Vec3 shadow_origin(const SeenPoint& point);

}  // namespace sinew
