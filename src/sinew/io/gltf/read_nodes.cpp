#include <sinew/io/gltf/parts.h>

#include <cmath>

#include <fmt/format.h>
#include <sinew/io/gltf/accessor.h>

namespace sinew::gltf {
namespace {

Result<std::vector<int32_t>> parents_of(const Json& nodes) {
    std::vector<int32_t> parents(nodes.size(), -1);
    for (size_t i = 0; i < nodes.size(); ++i) {
        const Json& children = array_at(nodes[i], "children");
        for (size_t c = 0; c < children.size(); ++c) {
            const size_t child = children[c].get<size_t>();
            if (parents[child] != -1 || child == i) {
                return wrong(fmt::format("/nodes/{}/children/{}", i, c),
                             fmt::format("node {} is a child of two nodes", child));
            }
            parents[child] = static_cast<int32_t>(i);
        }
    }
    return parents;
}

// Each node behind its ancestors, otherwise in file order. A chain that comes back to itself is a cycle.
Result<std::vector<int32_t>> parents_first(const std::vector<int32_t>& parents) {
    enum class Mark : uint8_t { open, pending, done };
    std::vector<Mark> marks(parents.size(), Mark::open);
    std::vector<int32_t> order, chain;
    order.reserve(parents.size());
    for (size_t i = 0; i < parents.size(); ++i) {
        for (auto n = static_cast<int32_t>(i); n >= 0 && marks[static_cast<size_t>(n)] != Mark::done;
             n = parents[static_cast<size_t>(n)]) {
            if (marks[static_cast<size_t>(n)] == Mark::pending) {
                return wrong(fmt::format("/nodes/{}", n), "the node is its own ancestor");
            }
            marks[static_cast<size_t>(n)] = Mark::pending;
            chain.push_back(n);
        }
        for (; !chain.empty(); chain.pop_back()) {
            marks[static_cast<size_t>(chain.back())] = Mark::done;
            order.push_back(chain.back());
        }
    }
    return order;
}

// A chain of joints multiplies such numbers and stays within the range of floats.
constexpr double largest_number = 1e30;
constexpr std::string_view too_large = "a number is larger than 1e30";

bool read_numbers(const Json& node, const char* key, size_t count, double* out) {
    const Json& values = member(node, key);
    if (!values.is_array()) return true;
    for (size_t i = 0; i < count; ++i) {
        out[i] = values[i].get<double>();
        if (!(std::abs(out[i]) <= largest_number)) return false;
    }
    return true;
}

Result<Transform> matrix_transform(Context& context, const Json& node, const std::string& path) {
    double m[16];
    if (!read_numbers(node, "matrix", 16, m)) return wrong(path + "/matrix", too_large);
    AffineD matrix;
    for (int column = 0; column < 4; ++column) {
        for (int row = 0; row < 3; ++row) matrix.matrix()(row, column) = m[column * 4 + row];
    }
    const Decomposition parts = decompose(matrix);
    if (parts.shear_error > 1e-4) {
        context.warnings.push_back(path +
                                   "/matrix: the matrix is sheared; joints cannot be, so the shear was left out");
    }
    return parts.transform;
}

Result<Transform> local_transform(Context& context, const Json& node, const std::string& path) {
    if (node.contains("matrix")) return matrix_transform(context, node, path);
    double t[3] = {0, 0, 0}, r[4] = {0, 0, 0, 1}, s[3] = {1, 1, 1};
    if (!read_numbers(node, "translation", 3, t)) return wrong(path + "/translation", too_large);
    if (!read_numbers(node, "rotation", 4, r)) return wrong(path + "/rotation", too_large);
    if (!read_numbers(node, "scale", 3, s)) return wrong(path + "/scale", too_large);
    Transform transform;
    transform.translation = Vec3d(t[0], t[1], t[2]).cast<float>();
    transform.scale = Vec3d(s[0], s[1], s[2]).cast<float>();
    Quatd rotation(r[3], r[0], r[1], r[2]);
    const double length = rotation.norm();
    if (!(length > 1e-12)) {
        context.repaired(path + "/rotation", "the quaternion is zero; it was read as no rotation");
        rotation = Quatd::Identity();
    } else if (std::abs(length - 1.0) > 5e-4) {
        context.repaired(path + "/rotation", "the quaternion does not have length 1; it was normalised");
        rotation.normalize();
    }
    transform.rotation = rotation.cast<float>();
    return transform;
}

void mark_scene(const Json& root, const std::vector<int32_t>& parents, const std::vector<int32_t>& order,
                std::vector<bool>& in_scene) {
    const Json& scenes = array_at(root, "scenes");
    if (scenes.empty()) {
        in_scene.assign(parents.size(), true);
        return;
    }
    in_scene.assign(parents.size(), false);
    for (const Json& node : array_at(scenes[count_at(root, "scene")], "nodes")) in_scene[node.get<size_t>()] = true;
    for (const int32_t node : order) {
        const int32_t parent = parents[static_cast<size_t>(node)];
        if (parent >= 0 && in_scene[static_cast<size_t>(parent)]) in_scene[static_cast<size_t>(node)] = true;
    }
}

}  // namespace

void Context::repaired(std::string where, std::string_view what) {
    if (++repairs <= 100) warnings.push_back(fmt::format("{}: {}", where, what));
    if (repairs == 101) warnings.emplace_back("there are more repairs, which are not listed");
}

Result<Nodes> read_nodes(Context& context) {
    const Json& root = context.document.json;
    const Json& nodes = array_at(root, "nodes");
    if (nodes.size() > context.limits.max_joints) {
        return fail(ErrorCode::limit_exceeded,
                    fmt::format("the file has {} nodes; the limit is {}", nodes.size(), context.limits.max_joints),
                    "/nodes");
    }
    SINEW_TRY(const std::vector<int32_t> node_parents, parents_of(nodes));
    Nodes result;
    SINEW_TRY(result.joint_source, parents_first(node_parents));
    result.joint_of_node.assign(nodes.size(), -1);
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    for (const int32_t node_index : result.joint_source) {
        const auto n = static_cast<size_t>(node_index);
        result.joint_of_node[n] = static_cast<int32_t>(names.size());
        names.push_back(text_at(nodes[n], "name"));
        const int32_t parent = node_parents[n];
        parents.push_back(parent < 0 ? -1 : result.joint_of_node[static_cast<size_t>(parent)]);
        SINEW_TRY(const Transform transform, local_transform(context, nodes[n], fmt::format("/nodes/{}", n)));
        rest.push_back(transform);
    }
    mark_scene(root, node_parents, result.joint_source, result.in_scene);
    SINEW_TRY(result.skeleton, Skeleton::create(std::move(names), std::move(parents), std::move(rest)));
    return result;
}

Result<Skin> read_skin(Context& context, const Nodes& nodes, size_t index) {
    const Json& json = context.document.json["skins"][index];
    const std::string path = fmt::format("/skins/{}", index);
    Skin skin{.name = text_at(json, "name"), .source = static_cast<int32_t>(index)};
    const Json& joints = json["joints"];
    if (joints.size() > context.limits.max_joints)
        return wrong(path + "/joints", "the skin has more joints than the limit");
    for (const Json& node : joints) skin.joints.push_back(nodes.joint_of_node[node.get<size_t>()]);
    skin.inverse_bind.assign(joints.size(), Affine::Identity());
    const int32_t matrices = index_at(json, "inverseBindMatrices");
    if (matrices < 0) return skin;
    SINEW_TRY(const Accessor accessor, open_accessor(context.document, static_cast<size_t>(matrices)));
    if (accessor.components != 16) return wrong(path + "/inverseBindMatrices", "the accessor is not of type MAT4");
    if (accessor.count < joints.size()) {
        return wrong(path + "/inverseBindMatrices",
                     fmt::format("there are {} matrices for {} joints", accessor.count, joints.size()));
    }
    // A shorter view of the same accessor: matrices beyond the joints mean nothing.
    Accessor needed = accessor;
    needed.count = joints.size();
    if (needed.sparse_count > 0) needed.count = accessor.count;
    if (needed.count > context.limits.max_joints) return wrong(path, "the skin has more matrices than the limit");
    std::vector<float> values(needed.count * 16);
    read_floats(needed, values);
    for (size_t j = 0; j < joints.size(); ++j) {
        for (int column = 0; column < 4; ++column) {
            for (int row = 0; row < 3; ++row) {
                skin.inverse_bind[j].matrix()(row, column) = values[j * 16 + static_cast<size_t>(column * 4 + row)];
            }
        }
        if (!skin.inverse_bind[j].matrix().allFinite()) {
            return wrong(path + "/inverseBindMatrices", fmt::format("matrix {} has a number that is not finite", j));
        }
    }
    return skin;
}

std::vector<size_t> skin_joints_per_mesh(const GltfDocument& document) {
    std::vector<size_t> result(array_at(document.json, "meshes").size(), 0);
    for (const Json& node : array_at(document.json, "nodes")) {
        const int32_t mesh = index_at(node, "mesh"), skin = index_at(node, "skin");
        if (mesh < 0 || skin < 0) continue;
        const size_t joints = document.json["skins"][static_cast<size_t>(skin)]["joints"].size();
        size_t& fewest = result[static_cast<size_t>(mesh)];
        fewest = fewest == 0 ? joints : std::min(fewest, joints);
    }
    return result;
}

}  // namespace sinew::gltf
