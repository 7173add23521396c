// Ground sky: how much of the sky each place of the ground sees past the figure that stands on it.
// Data flow: sky_maps.h's points on the surfaces → *here*, thrown onto the ground from many directions →
// light_buffer.h.
#pragma once

#include <sinew/render/raster/sky_maps.h>
#include <array>
#include <cstdint>
#include <vector>

namespace sinew {

// The same for every camera: two grids on the ground around the figure. What is close to the ground hides the sky in a
// fine one; what is higher up hides it from far away, and a coarse one is enough.
class GroundSky {
public:
    void draw(const SurfacePoints& fine, const SurfacePoints& sparse, const Bounds& bounds, float height);

    // The share of the sky that is open, 0 to 1; 1 outside the grids.
    float open(const Vec3& point) const;

private:
    struct Grid {
        Vec3 corner = Vec3::Zero();
        float cells_per_unit = 1.0f;
        int32_t side = 0;
        std::vector<Vec3> points;
        std::vector<uint32_t> sums;  // one grid per batch of directions
        std::vector<float> hidden;   // the share of the sky

        void draw(float spacing, const Bounds& bounds, float height);
        void throw_shadow(const Vec3& direction, uint32_t number, uint32_t* to) const;
        void blur();
        float at(const Vec3& point) const;
    };
    Grid low_, high_;
};

}  // namespace sinew
