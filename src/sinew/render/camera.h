// Camera: the eye of a preview. Framing finds the place from which everything just fits into the picture.
// Data flow: extents of the whole motion → *here* → rays (draw.h).
#pragma once

#include <sinew/math/types.h>
#include <cstdint>

namespace sinew {

// Looks along `forward`. Picture position (0, 0) is the top left corner of the picture, not the centre of a pixel.
struct Camera {
    Vec3 eye = Vec3::Zero();
    Vec3 right = Vec3::UnitX();
    Vec3 up = Vec3::UnitY();
    Vec3 forward = -Vec3::UnitZ();
    float tan_x = 0.25f;  // half of what the picture shows at unit distance, across and up
    float tan_y = 0.25f;
    int32_t width = 1;
    int32_t height = 1;

    // From the eye through picture position (x, y), as long as it takes to get one unit deep.
    Vec3 toward(float x, float y) const {
        const float u = (2.0f * x / static_cast<float>(width) - 1.0f) * tan_x;
        const float v = (1.0f - 2.0f * y / static_cast<float>(height)) * tan_y;
        return forward + u * right + v * up;
    }
    // The unit direction of that.
    Vec3 direction(float x, float y) const { return toward(x, y).normalized(); }
    // Where a point appears: x, y in pixels, z the depth along `forward`. Behind the eye z ≤ 0 and x, y mean nothing.
    Vec3 project(const Vec3& point) const;
    // The width of a pixel at unit depth.
    float pixel_size() const { return 2.0f * tan_x / static_cast<float>(width); }
};

// The direction a view comes from, in radians. Azimuth 0 sees the character's front (from +Z), π/2 its left side (from
// +X). A positive elevation looks down from above.
struct ViewAngles {
    float azimuth = 0.0f;
    float elevation = 0.0f;
};

// A camera at the origin that looks in the view's direction. Its field of view is 28° over the picture's shorter side,
// and at most 50° over the longer.
Camera make_camera(const ViewAngles& angles, int32_t width, int32_t height);

// Finds where the eye must be for all points to project into the middle of the picture, into `fill` (0..1) of its
// sides. This is exact: each of the four side planes of the view needs to know only the outermost point in its
// direction.
class Framing {
public:
    explicit Framing(float fill) : fill_(fill) {}

    // Adds a point as the camera's axes and field of view show it; its eye plays no part. Cameras of one field of view
    // may share a framing, as those of a turntable do. Points that are not finite are ignored.
    void add(const Camera& camera, const Vec3& point);
    bool empty() const { return !(nearest_ <= farthest_); }

    // The eye relative to the points' origin, in camera axes (right, up, forward; z is negative).
    Vec3 eye_offset(const Camera& camera) const;

private:
    float fill_;
    float left_ = -INFINITY, right_ = -INFINITY, up_ = -INFINITY, down_ = -INFINITY;
    float nearest_ = INFINITY, farthest_ = -INFINITY;
};

}  // namespace sinew
