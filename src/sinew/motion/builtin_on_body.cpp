#include <sinew/motion/builtin_on_body.h>

#include <sinew/motion/builtin.h>
#include <sinew/motion/creatures/creature_motion.h>
#include <sinew/motion/creatures/follow_along.h>
#include <sinew/motion/skinned/retarget_skinned.h>
#include <sinew/skeleton/creature/two_legged.h>
#include <sinew/skeleton/humanoid.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew {
namespace {

Result<RetargetResult> on_person(std::string_view name, const CreatureMap& map, const SkinnedSkeleton& body,
                                 const RetargetOptions& options) {
    const std::vector<std::string_view> known = builtin_motion_names();
    const std::string_view made = nearest_motion(name, known);
    if (made.empty())
        return fail(ErrorCode::not_found, fmt::format("there is no built-in motion '{}' for a person; there are {}",
                                                      name.substr(0, 40), fmt::join(known, ", ")));
    SINEW_TRY(const Motion motion, builtin_motion(made));
    SINEW_TRY(RetargetResult result, retarget_skinned(motion.skeleton, motion.clip, body, options));
    result.clip.name = made;
    result.clip.source = -1;
    follow_with_tail(body.skeleton, map, result.clip);
    if (made != name) result.warnings.push_back(fmt::format("a person has no {}; it gets {}", name, made));
    return result;
}

}  // namespace

Result<RetargetResult> builtin_on_body(std::string_view name, const SkinnedSkeleton& body,
                                       const RetargetOptions& options) {
    const CreatureMap map = recognise_creature(body.skeleton);
    if (map.kind == CreatureKind::biped && recognise_humanoid(body.skeleton).is_body() &&
        !is_beast_on_two_legs(body.skeleton, map))
        return on_person(name, map, body, options);
    if (body.skins.empty() && map.kind == CreatureKind::other)
        return fail(ErrorCode::unsupported, "this character has no rig to move; rig it first (sinew rig)");
    SINEW_TRY(CreatureMotion motion,
              creature_motion(body.skeleton, map, name, {.fps = options.fps, .in_place = options.in_place_root}));
    RetargetResult result;
    result.clip = std::move(motion.clip);
    result.mapped_joints = motion.moved;
    result.warnings = std::move(motion.warnings);
    return result;
}

}  // namespace sinew
