// SurfaceFinder: the nearest point of a Surface, and the weights there.
// Data flow: Surface, WeightField → *here* → mirror.cpp, transfer.cpp.
#pragma once

#include <sinew/weights/field.h>
#include <sinew/weights/surface/point_grid.h>
#include <sinew/weights/surface/surface.h>
#include <array>

namespace sinew {

// A point of the surface as a mixture of up to three vertices.
struct SurfacePoint {
    std::array<uint32_t, 3> vertices{};
    std::array<double, 3> shares{};  // sum to 1
    double distance = 0.0;
    Vec3d normal = Vec3d::Zero();
};

class SurfaceFinder {
public:
    explicit SurfaceFinder(const Surface& surface);
    // The nearest point of the triangles around the nearest vertex and up to seven others near it: exact unless
    // triangles are long and thin. Requires a surface with vertices.
    SurfacePoint nearest(const Vec3d& p) const;

private:
    const Surface& surface_;
    PointGrid grid_;
    std::vector<uint32_t> first_, faces_;  // triangles around each vertex
};

// Adds the weights at a point of the surface to a row.
void add_weights(const WeightField& field, const SurfacePoint& point, double share, WeightField& row, size_t at);

}  // namespace sinew
