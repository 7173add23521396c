// Compute weights: one algorithm on plain data. A tube, two joints, and how much each vertex follows which.
#include <sinew/sinew.h>
#include <sinew/weights/weights.h>
#include <cmath>

#include "example.h"

int main() {
    // A closed tube from y = 0 to y = 2: rings of vertices, and a point at each end.
    constexpr uint32_t around = 12, rings = 9;
    std::vector<sinew::Vec3> positions = {{0, 0, 0}, {0, 2, 0}};
    std::vector<uint32_t> triangles;
    for (uint32_t ring = 0; ring < rings; ++ring) {
        for (uint32_t i = 0; i < around; ++i) {
            const float angle = 2.0f * sinew::pi * static_cast<float>(i) / around;
            positions.emplace_back(0.2f * std::cos(angle), 0.25f * static_cast<float>(ring), 0.2f * std::sin(angle));
            const uint32_t here = 2 + ring * around + i, next = 2 + ring * around + (i + 1) % around;
            if (ring == 0) triangles.insert(triangles.end(), {0, here, next});
            if (ring + 1 == rings) triangles.insert(triangles.end(), {1, next, here});
            if (ring + 1 < rings)
                triangles.insert(triangles.end(), {here, here + around, next, next, here + around, next + around});
        }
    }

    // Two bones: from the ground to the middle, and from there to a joint at the top, which owns no skin itself.
    sinew::Transform up;
    up.translation = {0, 1, 0};
    const sinew::Skeleton skeleton =
        or_exit(sinew::Skeleton::create({"lower", "upper", "end"}, {-1, 0, 1}, {sinew::Transform(), up, up}));

    const sinew::WeightMesh mesh = {positions, triangles};
    const sinew::WeightResult bound =
        or_exit(sinew::compute_weights({&mesh, 1}, {.skeleton = &skeleton}, {.method = sinew::WeightMethod::heat}));
    for (uint32_t ring = 0; ring < rings; ++ring) {
        float lower = 0.0f;
        for (const sinew::Influence& influence : bound.influences[0].of(2 + ring * around))
            if (bound.joints[influence.joint] == 0) lower += influence.weight;
        std::printf("y = %.2f  follows the lower joint by %.2f\n", 0.25 * ring, lower);
    }
}
// Prints:
// y = 0.00  follows the lower joint by 1.00
// y = 0.25  follows the lower joint by 1.00
// y = 0.50  follows the lower joint by 1.00
// y = 0.75  follows the lower joint by 0.93
// y = 1.00  follows the lower joint by 0.50
// y = 1.25  follows the lower joint by 0.07
// y = 1.50  follows the lower joint by 0.00
// y = 1.75  follows the lower joint by 0.00
// y = 2.00  follows the lower joint by 0.00
