#include <sinew/physics/colliders.h>

#include <algorithm>
#include <cmath>

namespace sinew {

ColliderContact touch(const Collider& c, const Vec3d& point) {
    if (c.shape == ColliderShape::plane) return {c.normal.dot(point - c.a), c.normal, c.velocity_a};
    double along = 0.0;
    if (c.shape == ColliderShape::capsule) {
        const Vec3d axis = c.b - c.a;
        const double squared = axis.squaredNorm();
        if (squared > 0.0) along = std::clamp(axis.dot(point - c.a) / squared, 0.0, 1.0);
    }
    const Vec3d center = along == 0.0 ? c.a : Vec3d(c.a + along * (c.b - c.a));
    const Vec3d away = point - center;
    const double length = away.norm();
    ColliderContact contact{length - c.radius, length > 0.0 ? Vec3d(away / length) : Vec3d::UnitY(),
                            c.velocity_a + along * (c.velocity_b - c.velocity_a)};
    if (c.hollow) contact.distance = -contact.distance, contact.normal = -contact.normal;
    return contact;
}

Collider moved(Collider c, double seconds) {
    c.a += seconds * c.velocity_a;
    c.b += seconds * c.velocity_b;
    return c;
}

}  // namespace sinew
