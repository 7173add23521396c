#include <sinew/mesh/mesh.h>

#include <sinew/core/check.h>
#include <sinew/math/angle.h>
#include <algorithm>
#include <cmath>

namespace sinew {

Box bounds(std::span<const Vec3> points) {
    Box box;
    for (const Vec3& point : points) box.add(point);
    return box;
}

std::vector<Vec3> compute_normals(std::span<const Vec3> positions, std::span<const uint32_t> triangles) {
    std::vector<Vec3d> sums(positions.size(), Vec3d::Zero());
    for (size_t i = 0; i + 2 < triangles.size(); i += 3) {
        const uint32_t* corner = &triangles[i];
        Vec3d point[3];
        for (int k = 0; k < 3; ++k) {
            SINEW_ASSERT(corner[k] < positions.size());
            point[k] = positions[corner[k]].cast<double>();
        }
        const Vec3d cross = (point[1] - point[0]).cross(point[2] - point[0]);
        const double twice_area = cross.norm();
        if (!(twice_area > 0.0)) continue;
        const Vec3d normal = cross / twice_area;
        for (int k = 0; k < 3; ++k) {
            const Vec3d a = point[(k + 1) % 3] - point[k];
            const Vec3d b = point[(k + 2) % 3] - point[k];
            sums[corner[k]] += angle_between(a, b) * normal;
        }
    }
    std::vector<Vec3> normals(positions.size());
    for (size_t v = 0; v < sums.size(); ++v) {
        const double length = sums[v].norm();
        normals[v] = length > 0.0 ? Vec3((sums[v] / length).cast<float>()) : Vec3(Vec3::UnitY());
    }
    return normals;
}

}  // namespace sinew
