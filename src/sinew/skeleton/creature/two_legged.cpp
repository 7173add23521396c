#include <sinew/skeleton/creature/two_legged.h>

#include <sinew/skeleton/pose.h>
#include <cmath>

namespace sinew {

bool is_beast_on_two_legs(const Skeleton& skeleton, const CreatureMap& map) {
    constexpr double level_sin = 0.6;  // of the trunk's slope: T. rex and birds are below, people who lean above
    if (map.kind != CreatureKind::biped || map.tail.empty() || map.spine.size() < 2) return false;
    const std::vector<AffineD> world = rest_world(skeleton);
    const int32_t top = map.neck.empty() ? map.spine.back() : map.neck.front();
    const Vec3d trunk =
        world[static_cast<size_t>(top)].translation() - world[static_cast<size_t>(map.spine.front())].translation();
    return std::abs(trunk.dot(map.up)) < level_sin * trunk.norm();
}

}  // namespace sinew
