#include <sinew/motion/retarget.h>

#include <fmt/format.h>
#include <sinew/motion/mapping/body_part.h>
#include <sinew/motion/mapping/joint_matches.h>
#include <sinew/motion/mapping/mirror_motion.h>
#include <sinew/motion/mapping/moving_body.h>
#include <sinew/motion/mapping/same_tree.h>
#include <sinew/motion/plant/plant_feet.h>
#include <sinew/motion/retarget/cycle.h>
#include <sinew/motion/retarget/retarget_names.h>
#include <sinew/motion/retarget/transfer.h>
#include <sinew/motion/retarget_creature/retarget_creature.h>
#include <sinew/motion/touch/touch_motion.h>
#include <algorithm>
#include <optional>

namespace sinew {
namespace {

void note_differences(const Body& source, const Body& target, std::vector<std::string>& warnings) {
    const auto lacks = [](const Body& body, Role left, Role right) {
        return body.map[left] < 0 || body.map[right] < 0;
    };
    if (lacks(target, Role::left_toes, Role::right_toes) && !lacks(source, Role::left_toes, Role::right_toes))
        warnings.push_back("the character has no toes: its feet turn rigidly");
    if (lacks(source, Role::left_hand, Role::right_hand) && !lacks(target, Role::left_hand, Role::right_hand))
        warnings.push_back("the motion has no hands: the character's hands follow its forearms");
    if (lacks(target, Role::left_foot, Role::right_foot))
        warnings.push_back("the character has no feet: nothing holds its legs to the ground");
    if (source.map[Role::head] < 0) warnings.push_back("the motion has no head: the character's head follows its body");
}

// The hips stay above their place; only their height moves.
void keep_in_place(const Body& target, TargetMotion& motion) {
    const Vec3d rest = target.reference.position[static_cast<size_t>(target.map[Role::hips])];
    const Vec3d up = target.frame.col(1);
    for (Vec3d& hips : motion.hips) hips = rest + (hips - rest).dot(up) * up;
}

void report_feet(const PlantPlan& plan, const TargetMotion& motion, const SourceClip& clip, RetargetResult& result) {
    const size_t last = clip.cycle.frames == 0 ? motion.hips.size() - 1 : clip.lead + clip.cycle.frames;
    const FeetQuality quality = measure_feet(plan, motion, clip.lead, last);
    result.foot_skate_cm_per_s = static_cast<float>(100 * quality.skate_per_s);
    result.ground_error_cm = static_cast<float>(100 * quality.ground_error);
    result.planted_contacts = quality.contacts;
}

// Nothing where there is nothing to go by: a target without skin, or one that is built as the source is.
std::optional<TouchPlan> plan_touch(const PlantPlan& plan, const Body& source, const Alignment& alignment,
                                    const RetargetOptions& options) {
    if (!options.touch || options.skin.empty() || alignment.same_build) return std::nullopt;
    constexpr double sole_below_ball = 0.03;  // of the leg's length
    constexpr double no_floor = -1e9;
    const bool feet = !plan.footing.skin[0].points.empty();
    return TouchPlan{source,
                     plan.target,
                     alignment,
                     find_body_shape(source, options.source_skin),
                     find_body_shape(plan.target, options.skin),
                     feet ? plan.contacts.level.ball - sole_below_ball * source.leg : no_floor,
                     feet ? plan.footing.floor : no_floor,
                     options.fps};
}

RetargetResult retarget_body(SourceClip& clip, const HumanoidMap& source_map, const Skeleton& target_skeleton,
                             const HumanoidMap& target_map, const RetargetOptions& options) {
    RetargetResult result;
    const Body source = measure_body(clip.skeleton, source_map,
                                     find_reference_pose(clip, source_map, options.source_stance, result.warnings));
    const Body target = measure_body(target_skeleton, target_map, world_pose(target_skeleton, target_skeleton.rest()));
    note_differences(source, target, result.warnings);
    if (clip.start > 0)
        result.warnings.push_back("the motion jumps away from its first frame, which looks like a T-pose: left out");
    continue_cycle(source.map[Role::hips], source.frame.col(1), clip);

    const SourcePaths paths = trace_paths(clip, source);
    const bool feet = paths.has_feet && target.feet[0].ankle >= 0 && target.feet[1].ankle >= 0;
    if (!paths.has_feet) result.warnings.push_back("the motion has no feet: its ground is assumed to be at height 0");
    const SourceContacts contacts = feet ? find_source_contacts(source, paths, options.fps) : SourceContacts{};
    const Footing footing = feet ? find_footing(target, options.skin) : Footing{};

    const Alignment alignment = align(source, target, contacts.sole_up);
    TargetMotion motion =
        transfer_motion(clip, paths, source, target, alignment, {contacts.level.ankle, footing.ankle});
    const CycleWay way = find_cycle_way(clip, alignment, motion);
    PlantPlan plan{target, alignment.drives, footing, contacts, alignment.scale, options.fps};
    const std::optional<TouchPlan> touch = plan_touch(plan, source, alignment, options);
    if (touch) plan.raised = lift_off_floor(*touch, motion);
    if (feet && options.lock_feet && !alignment.same_build) plant_feet(plan, motion);
    if (touch) touch_as_source(*touch, clip, motion);
    if (feet) report_feet(plan, motion, clip, result);
    cut_cycle(clip, target, alignment.drives, way, motion);
    if (options.in_place_root) keep_in_place(target, motion);
    place_loose_ends(target, alignment.drives, motion);
    result.clip = write_clip(clip.clip.name, target, alignment.drives, clip.own_times(), motion);
    result.mapped_joints = static_cast<int32_t>(alignment.drives.size());
    result.map = list_matches(clip.skeleton, target_skeleton, alignment.drives);
    result.scale = static_cast<float>(alignment.scale);
    return result;
}

// An explicit map replaces recognition: a pair gives both its joints the role that either was recognised in.
void apply_pairs(const JointPairs& pairs, HumanoidMap& source, HumanoidMap& target, size_t source_size,
                 size_t target_size) {
    const std::vector<Role> source_roles = source.roles(source_size), target_roles = target.roles(target_size);
    source = {};
    target = {};
    for (const auto& [from, to] : pairs) {
        Role role = target_roles[static_cast<size_t>(to)];
        if (role == Role::count) role = source_roles[static_cast<size_t>(from)];
        if (role == Role::count) continue;
        source.joint[static_cast<size_t>(role)] = from;
        target.joint[static_cast<size_t>(role)] = to;
    }
}

// What a skeleton lacks to be a human body, for a message.
std::string describe_lack(std::string_view who, const HumanoidMap& map) {
    constexpr std::array needed = {
        Role::hips,           Role::left_upper_leg, Role::left_lower_leg,  Role::right_upper_leg, Role::right_lower_leg,
        Role::left_upper_arm, Role::left_lower_arm, Role::right_upper_arm, Role::right_lower_arm};
    std::vector<std::string_view> missing;
    for (const Role role : needed)
        if (map[role] < 0) missing.push_back(to_string(role));
    if (missing.empty()) return fmt::format("{} is a human body", who);
    if (missing.size() == needed.size()) return fmt::format("{} is not a human body", who);
    return fmt::format("{} has no {}", who, fmt::join(missing, ", "));
}

// A person's motion goes onto an animal only when asked for.
Result<void> check_kinds(CreatureKind source, CreatureKind target) {
    if (source != CreatureKind::biped || target != CreatureKind::quadruped) return {};
    return fail(
        ErrorCode::invalid_data,
        "the motion is a person's and the character walks on four legs; ask for it (--onto-animal), give a map of "
        "joints (--map), or take a motion made for four legs");
}

// Joints that the clip moves, each once.
std::vector<int32_t> moving_joints(const Clip& clip) {
    std::vector<int32_t> joints;
    for (const Track& track : clip.tracks) joints.push_back(track.target);
    std::ranges::sort(joints);
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
    return joints;
}

void note_reference(float time, RetargetResult& result) {
    if (!std::ranges::all_of(result.map, [](const JointMatch& m) { return m.by != MatchedBy::same_rig; })) return;
    result.reference_time = time;
    result.warnings.push_back(fmt::format(
        "the motion's rest pose is no neutral stance: its frame at {:.2f} s serves as the reference", time));
}

// The whole motion as it is: neither mirrored nor in part.
Result<RetargetResult> retarget_whole(const Skeleton& source, const Clip& motion, HumanoidMap source_map,
                                      const Skeleton& target, const RetargetOptions& options) {
    SINEW_TRY(SourceClip clip, make_source_clip(source, motion, options.fps));
    if (!options.source_stance.empty() && options.source_stance.size() != source.size())
        return fail(ErrorCode::invalid_argument,
                    "the source's stance and its skeleton differ in their number of joints");
    for (const auto& [from, to] : options.map) {
        const bool known = from >= 0 && static_cast<size_t>(from) < source.size() && to >= 0 &&
                           static_cast<size_t>(to) < target.size();
        if (!known)
            return fail(ErrorCode::invalid_argument,
                        fmt::format("the map pairs joints {} and {}, which do not both exist", from, to));
    }
    if (options.map.empty() && !options.in_place_root)
        if (auto twin = copy_to_twin(source, clip.clip, target)) return *std::move(twin);

    HumanoidMap target_map = recognise_humanoid(target);
    // A rest pose that is no body does not tell a body from its mirror image; the stance does.
    auto stood = options.source_stance.empty()
                     ? Result<Skeleton>(source)
                     : Skeleton::create(source.names(), source.parents(), options.source_stance);
    const bool same_tree = options.map.empty() && stood && is_same_tree(*stood, target);
    if (same_tree) share_roles(source, target, source_map, target_map);
    if (!options.map.empty()) apply_pairs(options.map, source_map, target_map, source.size(), target.size());
    if (source_map.is_body() && target_map.is_body())
        return retarget_body(clip, source_map, target, target_map, options);
    if (options.map.empty()) {
        CreatureMap from = recognise_creature(source), to = recognise_creature(target);
        if (same_tree) share_roles(source, target, from, to);
        if (auto animal = retarget_creature(clip, from, target, to, options)) return *std::move(animal);
        SINEW_TRY_VOID(check_kinds(from.kind, to.kind));
    }

    const JointPairs pairs = options.map.empty() ? pairs_by_role_and_name(source, target) : options.map;
    const std::vector<int32_t> moving = moving_joints(clip.clip);
    const auto is_paired = [&](int32_t joint) {
        return std::ranges::any_of(pairs, [&](const auto& pair) { return pair.first == joint; });
    };
    const auto paired = static_cast<size_t>(std::ranges::count_if(moving, is_paired));
    if (!options.map.empty() || (!moving.empty() && 10 * paired >= 6 * moving.size()))
        return transfer_pairs(source, clip.clip, target, pairs, clip.times, options);
    return fail(ErrorCode::invalid_data,
                fmt::format("the skeletons do not match: {}, {}, and only {} of {} moving joints have the same role "
                            "or name in both; give a map of joints (--map)",
                            describe_lack("the motion", source_map), describe_lack("the character", target_map), paired,
                            moving.size()));
}

}  // namespace

Result<RetargetResult> retarget(const Skeleton& source, const Clip& motion, const Skeleton& target,
                                const RetargetOptions& options) {
    std::optional<MirroredMotion> mirrored;
    RetargetOptions how = options;
    const bool fits = validate(joints_only(motion), source.size(), 0).has_value();
    const MovingBody body = fits ? see_moving_body(source, motion) : MovingBody{};
    if (how.source_stance.empty()) how.source_stance = body.stance;
    if (options.mirror) {
        SINEW_TRY(mirrored, mirror_motion(source, motion, body, options.source_stance));
        how.source_stance = mirrored->stance;
        for (auto& [from, to] : how.map)
            if (from >= 0 && static_cast<size_t>(from) < source.size())
                from = mirrored->partner[static_cast<size_t>(from)];
    }
    SINEW_TRY(RetargetResult result,
              retarget_whole(mirrored ? mirrored->skeleton : source, mirrored ? mirrored->clip : motion,
                             mirrored ? mirrored->roles : body.map, target, how));
    if (body.reference_time && options.source_stance.empty()) note_reference(*body.reference_time, result);
    if (!options.only.empty()) {
        keep_only(options.only, result.clip);
        std::erase_if(result.map,
                      [&](const JointMatch& m) { return !std::ranges::binary_search(options.only, m.target); });
        result.mapped_joints = static_cast<int32_t>(result.map.size());
    }
    return result;
}

}  // namespace sinew
