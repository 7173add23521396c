#include <sinew/io/gltf/gltf.h>
#include <sinew/io/gltf/write/draft.h>
#include <algorithm>

namespace sinew::gltf {
namespace {

// What VRM 1.0 demands of a humanoid.
constexpr Role required[] = {Role::hips,
                             Role::spine,
                             Role::head,
                             Role::left_upper_leg,
                             Role::left_lower_leg,
                             Role::left_foot,
                             Role::right_upper_leg,
                             Role::right_lower_leg,
                             Role::right_foot,
                             Role::left_upper_arm,
                             Role::left_lower_arm,
                             Role::left_hand,
                             Role::right_upper_arm,
                             Role::right_lower_arm,
                             Role::right_hand};

}  // namespace

}  // namespace sinew::gltf

std::vector<sinew::Role> sinew::missing_for_vrm(const HumanoidMap& map) {
    std::vector<Role> missing;
    for (const Role role : gltf::required)
        if (map[role] < 0) missing.push_back(role);
    return missing;
}

namespace sinew::gltf {

void write_humanoid(Draft& draft, const HumanoidMap& map, const Numbers& numbers) {
    if (!missing_for_vrm(map).empty()) return;
    // A VRM 0.x stays one: its characters face the other way, so it cannot be both.
    const auto extensions = draft.json.find("extensions");
    if (extensions != draft.json.end() && extensions->contains("VRM")) return;
    Json bones = Json::object();
    for (size_t r = 0; r < role_count; ++r) {
        if (map.joint[r] < 0) continue;
        bones[std::string(to_string(static_cast<Role>(r)))]["node"] =
            numbers.node_of_joint[static_cast<size_t>(map.joint[r])];
    }
    Json& vrm = draft.json["extensions"]["VRMC_vrm"];
    if (!vrm.is_object()) vrm = Json::object();
    vrm["specVersion"] = "1.0";
    if (!vrm.contains("meta"))
        vrm["meta"] = {{"name", "character"},
                       {"authors", Json::array({"unknown"})},
                       {"licenseUrl", "https://vrm.dev/licenses/1.0/"}};
    vrm["humanoid"]["humanBones"] = std::move(bones);
    Json& used = draft.json["extensionsUsed"];
    if (!used.is_array()) used = Json::array();
    if (std::find(used.begin(), used.end(), "VRMC_vrm") == used.end()) used.push_back("VRMC_vrm");
}

}  // namespace sinew::gltf
