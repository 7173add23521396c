#include <sinew/sample/sample.h>

#include <sinew/core/closest.h>

namespace sinew {

namespace {

struct Entry {
    std::string_view name;
    Character (*make)();
};

constexpr Entry entries[] = {
    {"humanoid", make_humanoid},
    {"humanoid-rigged", [] { return make_rigged_humanoid(); }},
    {"humanoid-fat", [] { return make_rigged_humanoid(HumanoidBuild::fat); }},
    {"humanoid-thin", [] { return make_rigged_humanoid(HumanoidBuild::thin); }},
    {"humanoid-tall", [] { return make_rigged_humanoid(HumanoidBuild::tall); }},
    {"humanoid-child", [] { return make_rigged_humanoid(HumanoidBuild::child); }},
    {"quadruped", make_quadruped},
    {"arm", make_arm},
};

}  // namespace

std::vector<std::string_view> sample_names() {
    std::vector<std::string_view> names;
    for (const Entry& entry : entries) names.push_back(entry.name);
    return names;
}

Result<Character> make_sample(std::string_view name) {
    for (const Entry& entry : entries) {
        if (entry.name == name) return entry.make();
    }
    return fail(ErrorCode::not_found, unknown_name("sample", name.substr(0, 40), sample_names()));
}

}  // namespace sinew
