#include <sinew/io/spring_bones.h>

#include <sinew/io/gltf/document.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using gltf::Json;

double spring_number(const Json& object, const char* key, double otherwise) {
    const Json& value = gltf::member(object, key);
    return value.is_number() && std::isfinite(value.get<double>()) ? value.get<double>() : otherwise;
}

Vec3d spring_vector(const Json& object, const char* key, const Vec3d& otherwise) {
    const Json& value = gltf::member(object, key);
    Vec3d v = otherwise;
    if (value.is_array() && value.size() == 3 && value[0].is_number() && value[1].is_number() && value[2].is_number())
        v = Vec3d(value[0].get<double>(), value[1].get<double>(), value[2].get<double>());
    if (value.is_object())  // VRM 0.x
        v = Vec3d(spring_number(value, "x", otherwise.x()), spring_number(value, "y", otherwise.y()),
                  spring_number(value, "z", otherwise.z()));
    return v.allFinite() ? v : otherwise;
}

// Joints by the file's numbers of nodes.
struct SpringNodes {
    std::vector<int32_t> joint;

    explicit SpringNodes(const Character& character) {
        for (size_t j = 0; j < character.joint_source.size(); ++j) {
            const int32_t node = character.joint_source[j];
            if (node < 0) continue;
            joint.resize(std::max(joint.size(), static_cast<size_t>(node) + 1), -1);
            joint[static_cast<size_t>(node)] = static_cast<int32_t>(j);
        }
    }
    int32_t operator()(const Json& value) const {
        if (!value.is_number_integer()) return -1;
        const auto node = value.get<int64_t>();
        return node >= 0 && static_cast<size_t>(node) < joint.size() ? joint[static_cast<size_t>(node)] : -1;
    }
};

// The colliders of the groups that a spring names; groups[g] lists colliders.
std::vector<uint32_t> spring_colliders(const Json& names, const std::vector<std::vector<uint32_t>>& groups) {
    std::vector<uint32_t> all;
    if (!names.is_array()) return all;
    for (const Json& name : names)
        if (name.is_number_unsigned() && name.get<uint64_t>() < groups.size()) {
            const auto& group = groups[name.get<uint64_t>()];
            all.insert(all.end(), group.begin(), group.end());
        }
    return all;
}

void read_vrm1(const Json& extension, const SpringNodes& nodes, SpringBones& out) {
    std::vector<int64_t> number;  // of each collider in the file, among those that are kept
    for (const Json& json : gltf::array_at(extension, "colliders")) {
        const Json& shape = gltf::member(json, "shape");
        const bool capsule = gltf::member(shape, "capsule").is_object();
        const Json& form = gltf::member(shape, capsule ? "capsule" : "sphere");
        const int32_t joint = nodes(gltf::member(json, "node"));
        number.push_back(joint >= 0 && form.is_object() ? static_cast<int64_t>(out.colliders.size()) : -1);
        if (number.back() < 0) continue;
        out.colliders.push_back({.joint = joint,
                                 .offset = spring_vector(form, "offset", Vec3d::Zero()),
                                 .tail = spring_vector(form, "tail", Vec3d::Zero()),
                                 .radius = std::max(spring_number(form, "radius", 0.0), 0.0),
                                 .capsule = capsule});
    }
    std::vector<std::vector<uint32_t>> groups;
    for (const Json& json : gltf::array_at(extension, "colliderGroups")) {
        groups.emplace_back();
        for (const Json& id : gltf::array_at(json, "colliders"))
            if (id.is_number_unsigned() && id.get<uint64_t>() < number.size() && number[id.get<uint64_t>()] >= 0)
                groups.back().push_back(static_cast<uint32_t>(number[id.get<uint64_t>()]));
    }
    for (const Json& spring : gltf::array_at(extension, "springs")) {
        const Json& joints = gltf::array_at(spring, "joints");
        for (size_t i = 0; i + 1 < joints.size(); ++i) {
            const int32_t joint = nodes(gltf::member(joints[i], "node")),
                          child = nodes(gltf::member(joints[i + 1], "node"));
            if (joint < 0 || child <= joint) continue;
            out.bones.push_back({.joint = joint,
                                 .child = child,
                                 .stiffness = spring_number(joints[i], "stiffness", 1.0),
                                 .gravity_power = spring_number(joints[i], "gravityPower", 0.0),
                                 .drag = spring_number(joints[i], "dragForce", 0.5),
                                 .hit_radius = spring_number(joints[i], "hitRadius", 0.0),
                                 .gravity_direction = spring_vector(joints[i], "gravityDir", Vec3d(0, -1, 0)),
                                 .center = nodes(gltf::member(spring, "center")),
                                 .colliders = spring_colliders(gltf::member(spring, "colliderGroups"), groups)});
        }
    }
}

// A group names roots; all that hangs on them swings.
void read_vrm0(const Json& secondary, const SpringNodes& nodes, const Skeleton& skeleton, SpringBones& out) {
    std::vector<std::vector<uint32_t>> groups;
    for (const Json& json : gltf::array_at(secondary, "colliderGroups")) {
        groups.emplace_back();
        const int32_t joint = nodes(gltf::member(json, "node"));
        for (const Json& ball : gltf::array_at(json, "colliders")) {
            if (joint < 0) continue;
            Vec3d offset = spring_vector(ball, "offset", Vec3d::Zero());
            offset.z() = -offset.z();  // VRM 0.x has colliders in Unity's space
            groups.back().push_back(static_cast<uint32_t>(out.colliders.size()));
            out.colliders.push_back(
                {.joint = joint, .offset = offset, .radius = std::max(spring_number(ball, "radius", 0.0), 0.0)});
        }
    }
    const auto children = children_of(skeleton.parents());
    for (const Json& group : gltf::array_at(secondary, "boneGroups")) {
        SpringBone like{.stiffness = spring_number(group, "stiffiness", 1.0),
                        .gravity_power = spring_number(group, "gravityPower", 0.0),
                        .drag = spring_number(group, "dragForce", 0.4),
                        .hit_radius = spring_number(group, "hitRadius", 0.0),
                        .gravity_direction = spring_vector(group, "gravityDir", Vec3d(0, -1, 0)),
                        .center = nodes(gltf::member(group, "center")),
                        .colliders = spring_colliders(gltf::member(group, "colliderGroups"), groups)};
        for (const Json& root : gltf::array_at(group, "bones")) {
            std::vector<int32_t> open = {nodes(root)};
            if (open.front() < 0) continue;
            while (!open.empty()) {
                const int32_t joint = open.back();
                open.pop_back();
                const auto& below = children[static_cast<size_t>(joint)];
                like.joint = joint, like.child = below.empty() ? -1 : below.front();
                out.bones.push_back(like);
                open.insert(open.end(), below.begin(), below.end());
            }
        }
    }
}

}  // namespace

SpringBones read_spring_bones(const Character& character) {
    SpringBones found;
    if (!character.source) return found;
    const Json& extensions = gltf::member(character.source->json, "extensions");
    const SpringNodes nodes(character);
    const Json& vrm1 = gltf::member(extensions, "VRMC_springBone");
    const Json& vrm0 = gltf::member(gltf::member(extensions, "VRM"), "secondaryAnimation");
    if (vrm1.is_object())
        read_vrm1(vrm1, nodes, found);
    else if (vrm0.is_object())
        read_vrm0(vrm0, nodes, character.skeleton, found);
    // Parents before children, each joint once: a joint that two springs name belongs to the first.
    std::ranges::stable_sort(found.bones, {}, &SpringBone::joint);
    found.bones.erase(std::unique(found.bones.begin(), found.bones.end(),
                                  [](const SpringBone& a, const SpringBone& b) { return a.joint == b.joint; }),
                      found.bones.end());
    return found;
}

}  // namespace sinew
