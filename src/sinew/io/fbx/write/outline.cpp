#include <fmt/format.h>

#include <sinew/io/fbx/write/outline.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>

namespace sinew::fbx {
namespace {

class OutlineMaker {
public:
    explicit OutlineMaker(const Character& character)
        : character_(character), parents_(character.skeleton.parents()), children_(children_of(parents_)) {}

    Outline make() {
        outline_.rest = rest_world(character_.skeleton);
        find_bones();
        find_instances();
        for (size_t j = 0; j < parents_.size(); ++j) add_joint(int32_t(j));
        for (size_t i = 0; i < character_.instances.size(); ++i)
            if (outline_.node_of_instance[i] < 0) add_mesh(int32_t(i));
        return std::move(outline_);
    }

private:
    // The joints that skins use. A skin may list the node of its own mesh, for vertices without weight: where there are
    // none, that node is no bone.
    void find_bones() {
        is_bone_.assign(parents_.size(), false);
        for (const MeshInstance& instance : character_.instances) {
            if (instance.skin < 0) continue;
            const Skin& skin = character_.skins[size_t(instance.skin)];
            for (const int32_t joint : skin.joints) is_bone_[size_t(joint)] = true;
        }
        for (const MeshInstance& instance : character_.instances)
            if (instance.skin >= 0 && !follows_itself(instance)) is_bone_[size_t(instance.joint)] = false;
        if (character_.instances.empty()) is_bone_.assign(parents_.size(), true);
        // Children stand behind their parents: backwards for what has a bone below it, forwards for what has one above.
        std::vector<bool> below = is_bone_, shown(parents_.size(), false);
        for (const MeshInstance& instance : character_.instances) shown[size_t(instance.joint)] = true;
        for (size_t j = parents_.size(); j-- > 0;)
            if (below[j] && parents_[j] >= 0) below[size_t(parents_[j])] = true;
        for (size_t j = 0; j < parents_.size(); ++j) {
            const bool above = parents_[j] >= 0 && is_bone_[size_t(parents_[j])];
            is_bone_[j] = is_bone_[j] || (above && (below[j] || !shown[j]));
        }
    }

    bool follows_itself(const MeshInstance& instance) const {
        const Skin& skin = character_.skins[size_t(instance.skin)];
        for (const Primitive& primitive : character_.meshes[size_t(instance.mesh)].primitives)
            for (size_t v = 0; v < primitive.influences.vertex_count(); ++v)
                for (const Influence& influence : primitive.influences.of(v))
                    if (skin.joints[influence.joint] == instance.joint) return true;
        return false;
    }

    void find_instances() {
        instances_of_.resize(parents_.size());
        for (size_t i = 0; i < character_.instances.size(); ++i)
            instances_of_[size_t(character_.instances[i].joint)].push_back(int32_t(i));
        outline_.node_of_instance.assign(character_.instances.size(), -1);
        outline_.node_of_joint.assign(parents_.size(), -1);
    }

    void add_joint(int32_t joint) {
        const std::vector<int32_t>& instances = instances_of_[size_t(joint)];
        const bool bone = is_bone_[size_t(joint)];
        const bool one = instances.size() == 1 && !bone;
        const bool skinned = one && character_.instances[size_t(instances[0])].skin >= 0;
        if (skinned && children_[size_t(joint)].empty()) return;
        OutNode node;
        node.kind = bone ? OutNode::Kind::bone : OutNode::Kind::group;
        node.name = names_.take(character_.skeleton.names()[size_t(joint)], fmt::format("joint_{}", joint));
        const int32_t parent = parents_[size_t(joint)];
        node.parent = parent < 0 ? -1 : outline_.node_of_joint[size_t(parent)];
        node.joint = joint;
        const auto number = int32_t(outline_.nodes.size());
        if (one && !skinned) {
            node.kind = OutNode::Kind::mesh;
            node.instance = instances[0];
            outline_.node_of_instance[size_t(instances[0])] = number;
        }
        outline_.node_of_joint[size_t(joint)] = number;
        outline_.nodes.push_back(std::move(node));
    }

    void add_mesh(int32_t number) {
        const MeshInstance& instance = character_.instances[size_t(number)];
        const int32_t joint_node = outline_.node_of_joint[size_t(instance.joint)];
        const std::string& mesh = character_.meshes[size_t(instance.mesh)].name;
        OutNode node;
        node.kind = OutNode::Kind::mesh;
        const std::string& name =
            joint_node < 0 || mesh.empty() ? character_.skeleton.names()[size_t(instance.joint)] : mesh;
        node.name = names_.take(name, fmt::format("mesh_{}", number));
        node.parent = instance.skin < 0 ? joint_node : -1;
        node.instance = number;
        outline_.node_of_instance[size_t(number)] = int32_t(outline_.nodes.size());
        outline_.nodes.push_back(std::move(node));
    }

    const Character& character_;
    const std::vector<int32_t>& parents_;
    std::vector<std::vector<int32_t>> children_;
    std::vector<bool> is_bone_;
    std::vector<std::vector<int32_t>> instances_of_;  // by joint
    UniqueNames names_;
    Outline outline_;
};

}  // namespace

std::string UniqueNames::take(const std::string& name, const std::string& otherwise) {
    const std::string base = name.empty() ? otherwise : name;
    std::string result = base;
    while (next_number_.contains(result)) result = fmt::format("{}.{:03}", base, next_number_[base]++);
    next_number_[result] = 1;
    return result;
}

Outline make_outline(const Character& character) {
    return OutlineMaker(character).make();
}

}  // namespace sinew::fbx
