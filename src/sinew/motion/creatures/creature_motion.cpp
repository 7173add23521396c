#include <sinew/motion/creatures/creature_motion.h>

#include <sinew/motion/creatures/stand_actions.h>
#include <sinew/motion/creatures/sway.h>
#include <sinew/motion/creatures/undulation.h>
#include <sinew/motion/creatures/wings.h>
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sinew {
namespace {

using Names = std::vector<std::string_view>;

bool has(const Names& names, std::string_view name) {
    return std::ranges::find(names, name) != names.end();
}

// Motions that mean the same for different bodies: who asks for one gets the first of `instead` that the body has.
struct Meaning {
    Names asked, instead;
};
const Meaning meanings[] = {
    {{"walk", "sneak", "crawl", "swim", "pace", "hop"}, {"walk", "crawl", "swim", "flap", "sway"}},
    {{"run", "trot", "canter", "gallop", "rotary-gallop"}, {"gallop", "run", "crawl", "swim", "flap", "sway"}},
    {{"idle", "sway"}, {"idle", "flap", "sway"}},
    {{"flap", "glide"}, {"flap", "swim"}},
};

CreaturePoses make(const CreatureBody& body, std::string_view name, double fps) {
    const CreatureKind kind = body.map.kind;
    if (name == "swim") return swim_poses(body, fps);
    if (name == "sway") return sway_poses(body, fps);
    if (name == "flap") return flap_poses(body, fps);
    if (name == "glide") return glide_poses(body, fps);
    if (name == "sit") return sit_poses(body, fps);
    if (name == "shake") return shake_poses(body, fps);
    if (name == "crawl")
        return kind == CreatureKind::serpent ? slither_poses(body, fps) : legged_poses(body, crawl_gait(), fps);
    if (name == "idle") {
        if (kind == CreatureKind::fish) return swim_poses(body, fps, 0.4);
        return body.legs.empty() ? sway_poses(body, fps) : creature_idle_poses(body, fps);
    }
    const Gait* gait = find_gait(kind == CreatureKind::quadruped ? quadruped_gaits() : two_legged_gaits(), name);
    return legged_poses(body, gait ? *gait : crawl_gait(), fps);
}

std::string_view body_word(CreatureKind kind) {
    return kind == CreatureKind::other ? "body without a known shape" : to_string(kind);
}

}  // namespace

std::vector<std::string_view> creature_motion_names(CreatureKind kind, bool legs) {
    switch (kind) {
        case CreatureKind::biped:
            return {"walk", "run", "hop", "idle"};
        case CreatureKind::quadruped:
            return {"walk", "trot", "pace", "canter", "gallop", "rotary-gallop", "idle", "sit", "shake"};
        case CreatureKind::bird:
            return {"walk", "run", "hop", "idle", "flap", "glide"};
        case CreatureKind::fish:
            return {"swim", "idle"};
        case CreatureKind::serpent:
            return {"crawl", "idle"};
        case CreatureKind::other:
            break;
    }
    return legs ? Names{"crawl", "idle", "sway"} : Names{"sway"};
}

std::vector<std::string_view> creature_motions_of(const CreatureBody& body) {
    const CreatureKind kind = body.map.kind;
    if (kind == CreatureKind::other) return creature_motion_names(kind, !body.legs.empty());
    Names names = creature_motion_names(kind, true);
    const bool wants_legs =
        kind == CreatureKind::quadruped || kind == CreatureKind::biped || kind == CreatureKind::bird;
    if (wants_legs && body.legs.empty()) names = {"sway"};
    if (kind == CreatureKind::bird && !body.map.wings.empty() && body.legs.empty()) names = {"flap", "glide"};
    if (kind == CreatureKind::quadruped && !body.map.wings.empty()) names.insert(names.end(), {"flap", "glide"});
    if (body.map.wings.empty()) std::erase_if(names, [](auto n) { return n == "flap" || n == "glide"; });
    return names;
}

std::string_view nearest_motion(std::string_view name, const std::vector<std::string_view>& known) {
    for (const std::string_view exact : known)
        if (exact == name) return exact;
    for (const Meaning& meaning : meanings) {
        if (!has(meaning.asked, name)) continue;
        for (const std::string_view instead : meaning.instead)
            for (const std::string_view exact : known)
                if (exact == instead) return exact;
    }
    return {};
}

Result<CreatureMotion> creature_motion(const Skeleton& skeleton, const CreatureMap& map, std::string_view name,
                                       const CreatureMotionOptions& options) {
    if (map.root < 0 || static_cast<size_t>(map.root) >= skeleton.size())
        return fail(ErrorCode::unsupported, "this character has no rig to move; rig it first (sinew rig)");
    const CreatureBody body = creature_body(skeleton, map);
    const Names known = creature_motions_of(body);
    const std::string_view made = nearest_motion(name, known);
    if (made.empty())
        return fail(ErrorCode::not_found,
                    fmt::format("there is no built-in motion '{}' for a {}; it has {}", name.substr(0, 40),
                                body_word(body.map.kind), fmt::join(known, ", ")));
    CreaturePoses poses = make(body, made, options.fps);
    if (options.in_place)
        for (size_t i = 0; i < poses.poses.size(); ++i) poses.poses[i].shift -= poses.travel[i];
    CreatureMotion motion;
    motion.clip = bake_creature(body, poses.poses, poses.step, std::string(made));
    std::set<int32_t> moved;
    for (const Track& track : motion.clip.tracks) moved.insert(track.target);
    motion.moved = static_cast<int32_t>(moved.size());
    motion.warnings = std::move(poses.notes);
    if (made != name)
        motion.warnings.insert(motion.warnings.begin(),
                               fmt::format("a {} has no {}; it gets {}", body_word(body.map.kind), name, made));
    return motion;
}

}  // namespace sinew
