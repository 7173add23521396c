#include <sinew/motion/builtin.h>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
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

// Levenshtein's distance: the fewest letters to insert, drop or change.
size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<size_t> row(b.size() + 1);
    for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (size_t i = 1; i <= a.size(); ++i) {
        size_t diagonal = std::exchange(row[0], i);
        for (size_t j = 1; j <= b.size(); ++j) {
            size_t change = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, change});
        }
    }
    return row.back();
}

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
    std::vector<std::string_view> names = builtin_motion_names();
    std::string_view shown = name.substr(0, 40);
    std::stable_sort(names.begin(), names.end(),
                     [&](auto a, auto b) { return edit_distance(shown, a) < edit_distance(shown, b); });
    return fail(ErrorCode::not_found,
                fmt::format("there is no built-in motion \"{}\"; use one of: {}", shown, fmt::join(names, ", ")));
}

}  // namespace sinew
