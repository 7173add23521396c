// Light buffer: how much of each light arrives at what a view shows. Soft shadows and open sky, without noise.
// Data flow: coverage.h (who is seen), shadow_map.h, sky_maps.h (what is in the way) → *here* → draw.h.
#pragma once

#include <sinew/render/raster/coverage.h>
#include <sinew/render/raster/ground_sky.h>
#include <sinew/render/raster/shadow_map.h>
#include <sinew/render/raster/sky_maps.h>
#include <sinew/render/scene/shade.h>
#include <vector>

namespace sinew {

// What is in the way of light at one moment: the sky from all sides, and two lights that stand where a view has them.
struct Shadows {
    SkyMaps sky;
    GroundSky ground_sky;
    ShadowMap key, rim;
    Bounds bounds;
    Studio studio;
};

// The light at the centre of every other pixel that shows the figure. Each asks for a few samples, in a pattern that
// repeats every 4×4 pixels; then each averages over exactly that period, among neighbours on the same piece of surface.
// That gives 8 times the samples for the price of one, and no flickering noise.
class LightBuffer {
public:
    void fill(const Coverage& coverage, std::span<const SceneSurface> surfaces, const Camera& camera,
              const Shadows& shadows);

    // The light at a point seen near picture position (x, y), from the pixels around it that see the same surface.
    // Where none does, it is asked for anew.
    Visibility at(const SeenPoint& point, float x, float y) const;

private:
    struct Pixel {
        Vec3 position, normal;
        Visibility light;
    };

    size_t index(int32_t x, int32_t y) const {
        return static_cast<size_t>(y) * static_cast<size_t>(camera_.width) + static_cast<size_t>(x);
    }
    void fill_tile(const Coverage& coverage, std::span<const SceneSurface> surfaces, int32_t column, int32_t row);
    Visibility smoothed(int32_t x, int32_t y) const;

    Camera camera_;
    const Shadows* shadows_ = nullptr;
    std::vector<uint8_t>
        seen_;  // whether the pixel is lit and its centre shows the figure; else its other entries mean nothing
    std::vector<Pixel> pixels_;
    std::vector<Visibility> smooth_;
};

// The light on the ground, at the corners of cells of 4×4 pixels; finer where it changes much within a cell.
class GroundLight {
public:
    static constexpr int32_t cell = 4;

    void fill(const Camera& camera, const GroundPlane& ground, const Shadows& shadows);

    // The light at the pixels of the cell, row by row. False where the ground is fully lit or not seen at all.
    bool cell_light(int32_t column, int32_t row, std::span<Visibility, cell * cell> out) const;

private:
    Visibility at(float x, float y) const;
    const Visibility& node(int32_t column, int32_t row) const {
        return nodes_[static_cast<size_t>(row) * static_cast<size_t>(columns_) + static_cast<size_t>(column)];
    }

    Camera camera_;
    GroundPlane ground_;
    const Shadows* shadows_ = nullptr;
    int32_t columns_ = 0;
    std::vector<Visibility> nodes_;
};

}  // namespace sinew
