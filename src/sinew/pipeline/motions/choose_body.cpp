#include <sinew/pipeline/motions/choose_body.h>

#include <fmt/format.h>
#include <sinew/core/closest.h>
#include <sinew/skeleton/hangs_on.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/joint_label.h>
#include <algorithm>

namespace sinew {
namespace {

constexpr size_t fewest_joints = 9;  // of a body

// The joints above `root`, and it with all below it; in the skeleton's order.
std::vector<int32_t> joints_of(const Skeleton& skeleton, int32_t root) {
    std::vector<char> in(skeleton.size(), 0);
    for (int32_t j = root; j >= 0; j = skeleton.parents()[static_cast<size_t>(j)]) in[static_cast<size_t>(j)] = 1;
    std::vector<char> below(skeleton.size(), 0);
    below[static_cast<size_t>(root)] = 1;
    std::vector<int32_t> joints;
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        if (parent >= 0 && below[static_cast<size_t>(parent)]) below[j] = 1;
        if (in[j] || below[j]) joints.push_back(static_cast<int32_t>(j));
    }
    return joints;
}

Skeleton part_of(const Skeleton& skeleton, const std::vector<int32_t>& joints) {
    std::vector<int32_t> number(skeleton.size(), -1), parents;
    std::vector<std::string> names;
    std::vector<Transform> rest;
    for (const int32_t joint : joints) {
        const auto j = static_cast<size_t>(joint);
        number[j] = static_cast<int32_t>(names.size());
        const int32_t parent = skeleton.parents()[j];
        parents.push_back(parent < 0 ? -1 : number[static_cast<size_t>(parent)]);
        names.push_back(skeleton.names()[j]);
        rest.push_back(skeleton.rest()[j]);
    }
    return *Skeleton::create(std::move(names), std::move(parents), std::move(rest));
}

bool is_body_below(const Skeleton& skeleton, int32_t root) {
    const std::vector<int32_t> joints = joints_of(skeleton, root);
    return joints.size() >= fewest_joints && recognise_humanoid(part_of(skeleton, joints)).is_body();
}

// A skin or a mesh hangs on a joint at or below the root.
bool moves_something(const Character& character, int32_t root) {
    const auto is_below = [&](int32_t joint) { return hangs_on(character.skeleton, joint, root); };
    return std::ranges::any_of(character.skins,
                               [&](const Skin& s) { return std::ranges::any_of(s.joints, is_below); }) ||
           std::ranges::any_of(character.instances,
                               [&](const MeshInstance& m) { return m.skin < 0 && is_below(m.joint); });
}

}  // namespace

std::vector<BodyInFile> find_bodies(const Skeleton& skeleton) {
    std::vector<std::vector<int32_t>> children = children_of(skeleton.parents());
    std::vector<size_t> size(skeleton.size(), 1);
    std::vector<int32_t> level;
    for (size_t j = skeleton.size(); j-- > 0;)
        if (const int32_t parent = skeleton.parents()[j]; parent >= 0) size[static_cast<size_t>(parent)] += size[j];
    for (size_t j = 0; j < skeleton.size(); ++j)
        if (skeleton.parents()[j] < 0) level.push_back(static_cast<int32_t>(j));
    const auto is_small = [&](int32_t j) { return size[static_cast<size_t>(j)] < fewest_joints; };
    std::erase_if(level, is_small);
    // Down the tree while it has one branch that could be a body: the first level with several holds the characters.
    while (level.size() == 1) {
        level = children[static_cast<size_t>(level[0])];
        std::erase_if(level, is_small);
    }
    std::vector<BodyInFile> bodies;
    for (const int32_t joint : level)
        if (is_body_below(skeleton, joint)) bodies.push_back({joint_label(skeleton, joint), joint});
    return bodies;
}

Result<std::optional<ChosenBody>> choose_body(const Character& character, const std::string& name) {
    std::vector<BodyInFile> bodies = find_bodies(character.skeleton);
    if (bodies.size() < 2 && name.empty()) return std::nullopt;
    // Unless they are asked for, joints that move nothing are no character: an old rig beside the new one.
    if (const auto shown = [&](const BodyInFile& body) { return moves_something(character, body.root); };
        name.empty() && std::ranges::any_of(bodies, shown))
        std::erase_if(bodies, [&](const BodyInFile& body) { return !shown(body); });
    std::vector<std::string_view> names;
    for (const BodyInFile& body : bodies) names.push_back(body.name);
    const auto found = name.empty() ? bodies.begin() : std::ranges::find(bodies, name, &BodyInFile::name);
    if (found == bodies.end()) {
        if (bodies.empty())
            return fail(ErrorCode::not_found,
                        fmt::format("the file has one character at most; leave out --character {}", name));
        return fail(ErrorCode::not_found, unknown_name("character", name, names));
    }
    ChosenBody chosen;
    if (name.empty() && bodies.size() > 1)
        chosen.warning = fmt::format("the file has {} characters ({}): {} moves; choose another with --character",
                                     bodies.size(), fmt::join(names, ", "), found->name);
    chosen.joint = joints_of(character.skeleton, found->root);
    std::vector<int32_t> number(character.skeleton.size(), -1);
    for (size_t j = 0; j < chosen.joint.size(); ++j)
        number[static_cast<size_t>(chosen.joint[j])] = static_cast<int32_t>(j);
    chosen.character.skeleton = part_of(character.skeleton, chosen.joint);
    chosen.character.meshes = character.meshes;
    std::vector<int32_t> skin_number(character.skins.size(), -1);
    for (size_t s = 0; s < character.skins.size(); ++s) {
        Skin skin = character.skins[s];
        for (int32_t& joint : skin.joints) joint = number[static_cast<size_t>(joint)];
        if (std::ranges::find(skin.joints, -1) != skin.joints.end()) continue;
        skin_number[s] = static_cast<int32_t>(chosen.character.skins.size());
        chosen.character.skins.push_back(std::move(skin));
    }
    for (MeshInstance instance : character.instances) {
        const int32_t joint = number[static_cast<size_t>(instance.joint)];
        const bool skinned = instance.skin >= 0;
        if (skinned) instance.skin = skin_number[static_cast<size_t>(instance.skin)];
        if (skinned ? instance.skin < 0 : joint < 0) continue;
        instance.joint = std::max(joint, 0);
        chosen.character.instances.push_back(instance);
    }
    layout_morphs(chosen.character);
    return chosen;
}

void back_to_file(const ChosenBody& body, Clip& clip) {
    for (Track& track : clip.tracks)
        if (track.path != TrackPath::morphs) track.target = body.joint[static_cast<size_t>(track.target)];
}

}  // namespace sinew
