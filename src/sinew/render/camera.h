// Camera: where a preview is seen from. Framing finds the place from which everything added to it just fits.
// Data flow: extents of the whole motion → *here* → rays (draw.h).
#pragma once

#include <sinew/math/types.h>
#include <cstdint>

namespace sinew {

// Looks along `forward`; pixel (0, 0) is the top left corner of the picture, not the centre of its first pixel.
struct Camera {
    Vec3 eye = Vec3::Zero();
    Vec3 right = Vec3::UnitX();
    Vec3 up = Vec3::UnitY();
    Vec3 forward = -Vec3::UnitZ();
    float tan_x = 0.25f;  // half the picture's width and height at unit distance
    float tan_y = 0.25f;
    int32_t width = 1;
    int32_t height = 1;

    Vec3 direction(float x, float y) const;  // unit
    // x, y in pixels, z the depth along `forward`; points behind the eye have z ≤ 0 and no meaningful x, y.
    Vec3 project(const Vec3& point) const;
    // The width of a pixel at unit depth.
    float pixel_size() const { return 2.0f * tan_x / static_cast<float>(width); }
};

// Azimuth 0 looks at the character's front (from +Z), 90° at its left side (from +X); elevation is upwards.
struct ViewAngles {
    float azimuth = 0.0f;
    float elevation = 0.0f;
};

// A camera at the origin that looks in the view's direction, with the field of view for pictures of this shape: 28°
// over the shorter side, and never more than 50° over the longer one.
Camera make_camera(const ViewAngles& angles, int32_t width, int32_t height);

// Finds where the eye must stand so that all points project into the middle `fill` (0..1) of the picture.
// Exact: a point is inside when it lies inside the frustum's four side planes, each of which only needs the farthest
// point in its direction.
class Framing {
public:
    explicit Framing(float fill) : fill_(fill) {}

    // Points go in for one camera (its axes and field of view; its eye does not count), or for several of the same
    // field of view that will share the result, as those of a turntable do. What is not finite is ignored.
    void add(const Camera& camera, const Vec3& point);
    bool empty() const { return !(nearest_ <= farthest_); }

    // The eye in camera axes (right, up, forward; so z is negative) relative to the origin that the points had.
    Vec3 eye_offset(const Camera& camera) const;

private:
    float fill_;
    float left_ = -INFINITY, right_ = -INFINITY, up_ = -INFINITY, down_ = -INFINITY;
    float nearest_ = INFINITY, farthest_ = -INFINITY;
};

}  // namespace sinew
