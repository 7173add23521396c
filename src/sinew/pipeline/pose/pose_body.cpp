#include <sinew/pipeline/pose/pose_body.h>

#include <sinew/core/closest.h>
#include <algorithm>
#include <charconv>

namespace sinew {
namespace {

// The number of "joint 7", or −1.
int32_t joint_number(std::string_view name) {
    constexpr std::string_view word = "joint ";
    if (!name.starts_with(word)) return -1;
    int32_t number = -1;
    const auto [end, error] = std::from_chars(name.data() + word.size(), name.data() + name.size(), number);
    return error == std::errc{} && end == name.data() + name.size() ? number : -1;
}

}  // namespace

PoseBody make_pose_body(const Character& character) {
    const size_t n = character.skeleton.size();
    PoseBody body{&character.skeleton, recognise_humanoid(character.skeleton), {}, {}, {}};
    body.role_of = body.roles.roles(n);
    body.is_bone.assign(n, character.skins.empty());
    for (const Skin& skin : character.skins)
        for (const int32_t joint : skin.joints) body.is_bone[static_cast<size_t>(joint)] = true;
    body.bones_below.assign(n, 0);
    for (size_t j = n; j-- > 0;) {
        const int32_t parent = character.skeleton.parents()[j];
        if (!body.is_bone[j] || parent < 0) continue;
        body.is_bone[static_cast<size_t>(parent)] = true;
        ++body.bones_below[static_cast<size_t>(parent)];
    }
    return body;
}

Result<int32_t> find_pose_joint(const PoseBody& body, const std::string& name, const std::string& where) {
    const Skeleton& skeleton = *body.skeleton;
    if (const int32_t joint = skeleton.find(name); joint >= 0) return joint;
    std::vector<std::string_view> known;
    for (size_t r = 0; r < role_count; ++r) {
        if (body.roles.joint[r] < 0) continue;
        if (to_string(static_cast<Role>(r)) == name) return body.roles.joint[r];
        known.push_back(to_string(static_cast<Role>(r)));
    }
    if (const int32_t number = joint_number(name); number >= 0 && static_cast<size_t>(number) < skeleton.size())
        return number;
    for (const std::string& other : skeleton.names())
        if (!other.empty() && std::find(known.begin(), known.end(), other) == known.end()) known.push_back(other);
    if (skeleton.size() < 2)
        return fail(ErrorCode::not_found, "there are no joints to pose; rig it first (sinew rig)", where);
    return fail(ErrorCode::not_found, unknown_name("joint", name, known), where);
}

}  // namespace sinew
