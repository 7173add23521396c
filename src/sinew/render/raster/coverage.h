// Coverage: which triangles are seen in which samples of a picture's pixels. Edges become smooth because a pixel has
// many samples; shading stays cheap because it is done once per triangle and pixel.
// Data flow: surfaces (scene/surface.h), camera.h → *here* → light_buffer.h, draw.h.
#pragma once

#include <sinew/render/camera.h>
#include <sinew/render/scene/surface.h>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// One triangle in one pixel: bit i is set where sample i sees it.
struct Fragment {
    uint32_t surface = 0;
    uint32_t triangle = 0;
    uint64_t samples = 0;
};

constexpr int32_t max_samples = 8;  // across a pixel: as many squared as a fragment has bits
// How many samples a pixel has: as many as across it squared, but in whole groups of four.
constexpr int32_t sample_count(int32_t across) {
    return across < 2 ? 1 : across * across / 4 * 4;
}

// What is never seen: things below the ground, and things behind or just before the eye. By rounding, what stands on
// the ground may reach slightly below it.
struct GroundPlane {
    float height = 0.0f;
    // 1 / depth of the ground at a picture position; 0 where the eye sees none.
    static constexpr float slack = 1e-3f;
    float nearness(const Camera& camera, float x, float y) const;
};

// Tiles of the picture are drawn independently, each in the order of the triangles, so that any number of threads gives
// the same result. Memory is kept from picture to picture.
class Coverage {
public:
    static constexpr int32_t tile = 16;

    explicit Coverage(int32_t samples);

    void draw(std::span<const SceneSurface> surfaces, const Camera& camera, const GroundPlane& ground);

    // Where a pixel's samples lie, from its top left corner. The first is its centre.
    std::span<const Vec2> offsets() const { return offsets_; }
    // The mean position of some samples of a pixel, from its top left corner.
    Vec2 centroid(uint64_t samples) const;

    bool is_empty(int32_t column, int32_t row) const { return !tiles_[tile_index(column, row)].used; }
    // What is solid, largest share first; each sample sees one of these at most.
    std::span<const Fragment> solid(int32_t x, int32_t y) const;
    // What is see-through and in front of all that is solid, nearest first.
    std::span<const Fragment> clear(int32_t x, int32_t y) const;

private:
    // In the picture: x and y in pixels, w = 1 / depth, which is linear there.
    struct Corner {
        float x, y, w;
    };
    struct Triangle {
        std::array<Corner, 3> corner;
        uint32_t surface, triangle;
    };
    static constexpr size_t tile_pixels = static_cast<size_t>(tile) * static_cast<size_t>(tile);
    struct Tile {
        bool used = false;
        std::vector<Fragment> solid, clear;
        std::array<uint32_t, tile_pixels + 1> solid_first, clear_first;  // per pixel, into the lists
    };
    class Drawer;

    size_t tile_index(int32_t column, int32_t row) const {
        return static_cast<size_t>(row) * static_cast<size_t>(columns_) + static_cast<size_t>(column);
    }
    static size_t pixel_index(int32_t x, int32_t y) { return static_cast<size_t>((y % tile) * tile + x % tile); }
    void project(std::span<const SceneSurface> surfaces, const Camera& camera);
    void add_clipped(const std::array<Vec3, 3>& in_view, uint32_t surface, uint32_t triangle, const Camera& camera);
    void sort_into_tiles();
    void draw_tile(std::span<const SceneSurface> surfaces, const Camera& camera, const GroundPlane& ground,
                   int32_t column, int32_t row);

    std::vector<Vec2> offsets_;
    std::array<float, max_samples * max_samples> offset_x_{}, offset_y_{};  // the same, filled up with zeros
    int32_t width_ = 0, height_ = 0, columns_ = 0, rows_ = 0;
    std::vector<Corner> corners_;
    std::vector<Triangle> triangles_;
    std::vector<uint32_t> first_in_tile_, in_tiles_;
    std::vector<Tile> tiles_;
};

}  // namespace sinew
