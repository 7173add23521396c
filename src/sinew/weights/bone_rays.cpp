#include <sinew/weights/bone_rays.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace sinew {

double winding_number(const Surface& surface, const Vec3d& point) {
    double sum = 0.0;  // of solid angles [Oosterom1983]
    for (size_t i = 0; i < surface.triangles.size(); i += 3) {
        const Vec3d a = surface.positions[surface.triangles[i]] - point,
                    b = surface.positions[surface.triangles[i + 1]] - point,
                    c = surface.positions[surface.triangles[i + 2]] - point;
        const double la = a.norm(), lb = b.norm(), lc = c.norm();
        sum += 2.0 * std::atan2(a.dot(b.cross(c)), la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb);
    }
    return sum / (4.0 * 3.14159265358979323846);
}

double distance_to_skin(const Surface& surface, const Vec3d& from, const Vec3d& direction) {
    struct Crossing {
        double distance;
        int step;  // −1 outwards, +1 inwards
    };
    std::vector<Crossing> crossings;
    int depth = 0;
    for (size_t i = 0; i < surface.triangles.size(); i += 3) {
        const Vec3d& a = surface.positions[surface.triangles[i]];
        const Vec3d ab = surface.positions[surface.triangles[i + 1]] - a,
                    ac = surface.positions[surface.triangles[i + 2]] - a;
        const Vec3d cross = direction.cross(ac);
        const double determinant = ab.dot(cross);
        if (!(std::abs(determinant) > 1e-18)) continue;
        const Vec3d offset = from - a;
        const double u = offset.dot(cross) / determinant;
        if (u < 0.0 || u > 1.0) continue;
        const Vec3d q = offset.cross(ab);
        const double v = direction.dot(q) / determinant;
        if (v < 0.0 || u + v > 1.0) continue;
        const double distance = ac.dot(q) / determinant;
        if (!(distance > 1e-6)) continue;
        const int step = ab.cross(ac).dot(direction) > 0.0 ? -1 : 1;
        crossings.push_back({distance, step});
        depth -= step;
    }
    std::sort(crossings.begin(), crossings.end(), [](const Crossing& a, const Crossing& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.step > b.step;
    });
    // Pieces overlap, and have insides of their own: only the way out of the last of them counts.
    depth = std::max(depth, 1);
    for (const Crossing& crossing : crossings) {
        depth += crossing.step;
        if (depth <= 0) return crossing.distance;
    }
    return -1.0;
}

}  // namespace sinew
