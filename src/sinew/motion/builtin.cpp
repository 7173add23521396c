#include <sinew/motion/builtin.h>

#include <sinew/core/closest.h>
#include <sinew/motion/builtin/actions.h>
#include <sinew/motion/builtin/gait.h>

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
