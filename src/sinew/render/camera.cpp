#include <sinew/render/camera.h>

#include <algorithm>
#include <cmath>

namespace sinew {

Vec3 Camera::project(const Vec3& point) const {
    const Vec3 offset = point - eye;
    const float depth = offset.dot(forward);
    const float u = offset.dot(right) / (depth * tan_x);
    const float v = offset.dot(up) / (depth * tan_y);
    return {0.5f * (1.0f + u) * static_cast<float>(width), 0.5f * (1.0f - v) * static_cast<float>(height), depth};
}

Camera make_camera(const ViewAngles& angles, int32_t width, int32_t height) {
    const float ca = std::cos(angles.azimuth), sa = std::sin(angles.azimuth);
    const float ce = std::cos(angles.elevation), se = std::sin(angles.elevation);
    Camera camera;
    camera.width = width;
    camera.height = height;
    camera.forward = Vec3(-sa * ce, -se, -ca * ce);
    camera.right = Vec3(ca, 0.0f, -sa);
    camera.up = camera.right.cross(camera.forward);
    const float shorter = static_cast<float>(std::min(width, height));
    const float longer = static_cast<float>(std::max(width, height));
    const float per_pixel = std::min(std::tan(radians(14.0f)) / shorter, std::tan(radians(25.0f)) / longer);
    camera.tan_x = per_pixel * static_cast<float>(width);
    camera.tan_y = per_pixel * static_cast<float>(height);
    return camera;
}

void Framing::add(const Camera& camera, const Vec3& point) {
    const float x = point.dot(camera.right);
    const float y = point.dot(camera.up);
    const float z = point.dot(camera.forward);
    if (!std::isfinite(x + y + z)) return;
    right_ = std::max(right_, x - fill_ * camera.tan_x * z);
    left_ = std::max(left_, -x - fill_ * camera.tan_x * z);
    up_ = std::max(up_, y - fill_ * camera.tan_y * z);
    down_ = std::max(down_, -y - fill_ * camera.tan_y * z);
    nearest_ = std::min(nearest_, z);
    farthest_ = std::max(farthest_, z);
}

Vec3 Framing::eye_offset(const Camera& camera) const {
    if (empty()) return {0.0f, 0.0f, -1.0f};
    // All points need |x − ex| ≤ t (z − ez), that is ex − t ez ≥ right and −ex − t ez ≥ left. The sum of the two bounds
    // ez; their difference centres ex.
    const float from_width = -(right_ + left_) / (2.0f * fill_ * camera.tan_x);
    const float from_height = -(up_ + down_) / (2.0f * fill_ * camera.tan_y);
    // Keep some distance to the nearest point, even when all points lie on the line of sight.
    const float depth = farthest_ - nearest_;
    const float from_depth = nearest_ - std::max(0.25f * depth, 1e-6f * (std::abs(nearest_) + 1e-30f));
    return {0.5f * (right_ - left_), 0.5f * (up_ - down_), std::min({from_width, from_height, from_depth})};
}

}  // namespace sinew
