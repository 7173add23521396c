#include <sinew/skeleton/creature.h>

#include <sinew/skeleton/creature/creature_kinds.h>
#include <sinew/skeleton/creature/creature_limbs.h>
#include <sinew/skeleton/creature/creature_trunk.h>
#include <optional>

namespace sinew {
namespace {

void finish(const CreatureReading& reading, const Vec3d& forward, CreatureMap& map) {
    map.up = reading.up;
    map.forward = forward;
    map.ground = reading.ground;
    map.root = common_root(reading.tree, map);
    if (map.root < 0) map = {.up = map.up, .forward = map.forward, .ground = map.ground};  // parts of several trees
    if (map.kind == CreatureKind::other) {
        map.limbs = decompose(reading.tree);
        map.root = map.limbs.empty() ? (reading.tree.position.empty() ? -1 : 0) : map.limbs.front().front();
    }
}

}  // namespace

std::string_view to_string(CreatureKind kind) {
    constexpr std::string_view names[] = {"biped", "quadruped", "bird", "fish", "serpent", "other"};
    return names[static_cast<size_t>(kind)];
}

CreatureMap recognise_creature(const Skeleton& skeleton) {
    const CreatureTree tree = make_creature_tree(skeleton);
    // Two pairs of an octopus's arms would do for a person's arms and legs.
    const HumanoidMap roles = is_many_armed(tree) ? HumanoidMap{} : recognise_humanoid(skeleton);
    std::vector<BranchPair> pairs;
    Vec3d forward = Vec3d::UnitZ();
    if (const auto human = humanoid_reading(tree, roles, pairs, forward)) {
        CreatureMap map = read_humanoid(*human, roles, forward);
        finish(*human, forward, map);
        return map;
    }
    // Sinew's up is +Y; a motion file may have kept its own.
    CreatureMap first;
    for (const Vec3d& up : {Vec3d(Vec3d::UnitY()), Vec3d(Vec3d::UnitZ()), Vec3d(Vec3d::UnitX())}) {
        const CreatureReading reading = read_body(tree, up);
        forward = find_forward(reading);
        std::optional<CreatureMap> map;
        const bool two_or_four = reading.legs.size() == 1 || reading.legs.size() == 2;
        const bool radial = is_radial(tree) || (reading.legs.size() < 2 && is_many_armed(tree));
        if (up.y() > 0) map = in_the_air(reading, forward);
        if (!map && radial) map.emplace();
        if (!map && two_or_four) map = with_legs(reading, forward);
        if (!map && up.y() > 0 && reading.legs.empty()) map = without_legs(reading, forward);
        const bool found = map.has_value();
        if (!map) map.emplace();
        finish(reading, forward, *map);
        if (found) return *std::move(map);
        if (up.y() > 0) first = *std::move(map);
    }
    return first;
}

}  // namespace sinew
