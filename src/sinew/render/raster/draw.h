// Drawing: the surfaces of one moment, as a camera sees them → pixels of a picture.
// Data flow: coverage.h (who is seen), light_buffer.h (how much light is there), scene/shade.h (what colour that makes)
// → *here* → Picture.
#pragma once

#include <sinew/render/preview.h>
#include <sinew/render/raster/light_buffer.h>

namespace sinew {

struct DrawOptions {
    int32_t samples = 4;  // samples² per pixel for smooth edges
    bool wire = false;    // triangle edges on the figure
};

// Draws one moment after the other, and each from several sides; what it needs for that it keeps.
class Painter {
public:
    // The surfaces at their first moment; they and the overlay must outlive the painter. The overlay is drawn over the
    // figure, dimmed where the figure is in front of it. `ground` is the height of the ground.
    Painter(std::span<const SceneSurface> surfaces, std::span<const SceneSurface> overlay, float ground,
            const DrawOptions& options);

    // Call this after the surfaces have moved.
    void update();

    // Draws into the rectangle of the camera's size whose top left corner is (left, top). The picture must contain it.
    // `azimuth` says where the lights stand.
    void draw(const Camera& camera, float azimuth, Picture& picture, int32_t left, int32_t top);

private:
    struct Paint;

    void draw_tile(const Paint& paint, int32_t column, int32_t row) const;
    Vec3 pixel(const Paint& paint, int32_t x, int32_t y, const Vec3& behind) const;
    Vec3 surface_color(const SeenPoint& point, const Vec4& color, const Fragment& fragment, const Vec2& at) const;
    float edge_share(const SeenPoint& point, const Fragment& fragment, int32_t x, int32_t y) const;
    Vec3 with_overlay(Vec3 under, float figure_share, const Camera& camera, int32_t x, int32_t y) const;

    std::span<const SceneSurface> surfaces_, overlay_;
    GroundPlane ground_;
    DrawOptions options_;
    SurfacePoints points_, sparse_points_;
    Shadows shadows_;
    Coverage coverage_, overlay_coverage_;
    LightBuffer light_;
    GroundLight ground_light_;
    Camera camera_;
};

}  // namespace sinew
