#include <sinew/motion/builtin_on_body.h>

#include <sinew/motion/builtin.h>
#include <sinew/motion/creatures/creature_motion.h>
#include <sinew/motion/creatures/follow_along.h>
#include <sinew/motion/skinned/carry.h>
#include <sinew/motion/skinned/flat_rig.h>
#include <sinew/motion/skinned/loose_feet.h>
#include <sinew/motion/skinned/puppet_rig.h>
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

// Skin that follows a joint above the body's root goes along when that joint travels.
int32_t travelling_root(const Skeleton& skeleton, const std::vector<bool>& moves, int32_t root) {
    int32_t top = root;
    for (int32_t above = root; above >= 0; above = skeleton.parents()[static_cast<size_t>(above)])
        if (moves[static_cast<size_t>(above)]) top = above;
    return top;
}

Result<RetargetResult> on_creature(std::string_view name, const CreatureMap& map, const SkinnedSkeleton& body,
                                   const RetargetOptions& options) {
    const CreatureMotionOptions how{.fps = options.fps, .in_place = options.in_place_root};
    const std::optional<JoinedRig> joined = join_loose_feet(body.skeleton);
    const Skeleton& skeleton = joined ? joined->skeleton : body.skeleton;
    CreatureMap whole = joined ? recognise_creature(skeleton) : map;
    std::vector<bool> moves = body.moves;
    for (size_t j = 0; joined && j < moves.size(); ++j) moves[j] = body.moves[static_cast<size_t>(joined->joint[j])];
    whole.root = travelling_root(skeleton, moves, whole.root);
    SINEW_TRY(CreatureMotion motion, creature_motion(skeleton, whole, name, how));
    RetargetResult result;
    result.clip = joined ? as_in_file(*joined, body.skeleton, motion.clip) : std::move(motion.clip);
    result.mapped_joints = motion.moved;
    result.warnings = std::move(motion.warnings);
    const int32_t root = joined ? joined->joint[static_cast<size_t>(whole.root)] : whole.root;
    carry_along(body, body.skeleton, root, result.clip);
    return result;
}

}  // namespace

Result<RetargetResult> builtin_on_body(std::string_view name, const SkinnedSkeleton& body,
                                       const RetargetOptions& options) {
    if (make_puppet_rig(body)) return on_person(name, {}, body, options);
    if (const auto flat = join_flat_rig(body.skeleton)) {
        const JoinedBody whole(*flat, body);
        SINEW_TRY(RetargetResult result, builtin_on_body(name, whole.body, as_joined(*flat, options)));
        return as_in_file(*flat, body.skeleton, std::move(result));
    }
    const CreatureMap map = recognise_creature(body.skeleton);
    if (map.kind == CreatureKind::biped && recognise_humanoid(body.skeleton).is_body() &&
        !is_beast_on_two_legs(body.skeleton, map))
        return on_person(name, map, body, options);
    if (body.skins.empty() && map.kind == CreatureKind::other)
        return fail(ErrorCode::unsupported, "this character has no rig to move; rig it first (sinew rig)");
    return on_creature(name, map, body, options);
}

}  // namespace sinew
