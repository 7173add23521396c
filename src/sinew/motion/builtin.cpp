#include <sinew/motion/builtin.h>

#include <sinew/core/closest.h>
#include <sinew/motion/builtin/actions.h>
#include <sinew/motion/builtin/gait.h>
#include <sinew/motion/creatures/creature_motion.h>
#include <sinew/motion/skinned/flat_rig.h>
#include <sinew/motion/skinned/loose_feet.h>
#include <sinew/skeleton/creature/two_legged.h>
#include <sinew/skeleton/puppet.h>
#include <algorithm>

namespace sinew {

namespace {

constexpr double fps = 30.0;

struct Entry {
    std::string_view name;
    std::vector<BodyPose> (*poses)(const BodySize&);
};

constexpr Entry entries[] = {
    {"walk", [](const BodySize& size) { return gait_poses(size, walk_options()); }},
    {"run", [](const BodySize& size) { return gait_poses(size, run_options()); }},
    {"sneak", [](const BodySize& size) { return gait_poses(size, sneak_options()); }},
    {"idle", [](const BodySize& size) { return idle_poses(size); }},
    {"wave", [](const BodySize& size) { return wave_poses(size); }},
    {"jump", [](const BodySize& size) { return jump_poses(size); }},
};

}  // namespace

std::vector<std::string_view> builtin_motion_names() {
    std::vector<std::string_view> names;
    for (const Entry& entry : entries) names.push_back(entry.name);
    return names;
}

std::vector<BuiltinMotions> builtin_motions_by_kind() {
    using enum CreatureKind;
    return {{"person", builtin_motion_names()},
            {"beast on two legs", creature_motion_names(biped, true)},
            {"quadruped", creature_motion_names(quadruped, true)},
            {"bird", creature_motion_names(bird, true)},
            {"fish", creature_motion_names(fish, false)},
            {"snake", creature_motion_names(serpent, false)},
            {"any other with legs", creature_motion_names(other, true)},
            {"any other", creature_motion_names(other, false)}};
}

BuiltinMotions builtin_motions_of(const Skeleton& skeleton) {
    if (recognise_puppet(skeleton)) return {"person", builtin_motion_names()};
    if (const auto flat = join_flat_rig(skeleton)) return builtin_motions_of(flat->skeleton);
    const CreatureMap map = recognise_creature(skeleton);
    const bool is_empty = map.root < 0 || (map.kind == CreatureKind::other && map.limbs.empty());
    if (is_empty) return {};
    if (map.kind == CreatureKind::biped && recognise_humanoid(skeleton).is_body() &&
        !is_beast_on_two_legs(skeleton, map))
        return {"person", builtin_motion_names()};
    if (const auto joined = join_loose_feet(skeleton)) return builtin_motions_of(joined->skeleton);
    const CreatureBody body = creature_body(skeleton, map);
    const CreatureKind kind = body.map.kind;
    if (kind == CreatureKind::serpent) return {"snake", creature_motion_names(kind, false)};
    if (kind == CreatureKind::biped) return {"beast on two legs", creature_motion_names(kind, true)};
    if (kind != CreatureKind::other) return {to_string(kind), creature_motions_of(body)};
    return {body.legs.empty() ? "any other" : "any other with legs", creature_motion_names(kind, !body.legs.empty())};
}

Result<void> check_builtin_name(std::string_view name) {
    std::vector<std::string_view> all;
    for (const BuiltinMotions& kind : builtin_motions_by_kind())
        for (const std::string_view known : kind.names)
            if (std::ranges::find(all, known) == all.end()) all.push_back(known);
    if (std::ranges::find(all, name) != all.end()) return {};
    return fail(ErrorCode::not_found, unknown_name("built-in motion", name.substr(0, 40), all));
}

Result<Motion> builtin_motion(std::string_view name) {
    for (const Entry& entry : entries) {
        if (entry.name != name) continue;
        const BodySize size;
        Motion motion{humanoid_reference_skeleton(), {}};
        motion.clip = bake_body(motion.skeleton, size, entry.poses(size), fps, std::string(name));
        return motion;
    }
    return fail(ErrorCode::not_found, unknown_name("built-in motion", name.substr(0, 40), builtin_motion_names()));
}

}  // namespace sinew
