#include <sinew/motion/skinned/retarget_skinned.h>

#include <sinew/motion/creatures/follow_along.h>
#include <sinew/motion/retarget/retarget_names.h>
#include <sinew/motion/skinned/bind_stance.h>
#include <sinew/motion/skinned/carry.h>
#include <sinew/motion/skinned/flat_rig.h>
#include <sinew/motion/skinned/puppet_rig.h>

namespace sinew {
namespace {

Result<RetargetResult> retarget_puppet(const Skeleton& source, const Clip& motion, const PuppetRig& rig,
                                       const Skeleton& puppet, const RetargetOptions& options) {
    RetargetOptions how = options;
    how.skin = rig.points;
    SINEW_TRY(RetargetResult result, retarget(source, motion, rig.skeleton, how));
    result.clip = on_puppet(rig, puppet, result.clip);
    std::erase_if(result.map, [&](const JointMatch& m) { return static_cast<size_t>(m.target) >= puppet.size(); });
    result.mapped_joints = static_cast<int32_t>(result.map.size());
    result.warnings.emplace_back("the character's arms and legs do not bend: they turn to where hands and feet go");
    return result;
}

}  // namespace

Result<RetargetResult> retarget_skinned(const Skeleton& source, const Clip& motion, const SkinnedSkeleton& target,
                                        const RetargetOptions& options) {
    const bool same_rig = copy_to_twin(source, motion, target.skeleton).has_value();
    if (!same_rig && options.map.empty())
        if (const auto puppet = make_puppet_rig(target))
            return retarget_puppet(source, motion, *puppet, target.skeleton, options);
    if (!same_rig && options.map.empty())
        if (const auto flat = join_flat_rig(target.skeleton)) {
            const JoinedBody whole(*flat, target);
            SINEW_TRY(RetargetResult result, retarget_skinned(source, motion, whole.body, as_joined(*flat, options)));
            return as_in_file(*flat, target.skeleton, std::move(result));
        }
    const std::optional<Skeleton> stance = same_rig ? std::nullopt : bind_stance(target);
    const Skeleton& body = stance ? *stance : target.skeleton;
    RetargetOptions how = options;
    if (how.skin.empty()) how.skin = target.points;
    auto retargeted = retarget(source, motion, body, how);
    if (!retargeted && target.skins.empty() && !recognise_humanoid(target.skeleton).is_body())
        return fail(ErrorCode::unsupported, "this character has no rig to move; rig it first (sinew rig)");
    SINEW_TRY(RetargetResult result, std::move(retargeted));
    if (stance) hold_stance(target.skeleton, *stance, result.clip);
    if (!same_rig) {
        if (const HumanoidMap person = recognise_humanoid(body); person.is_body())
            carry_along(target, body, person[Role::hips], result.clip);
        follow_with_extra_arms(target.skeleton, recognise_humanoid(target.skeleton), result.clip);
    }
    return result;
}

}  // namespace sinew
