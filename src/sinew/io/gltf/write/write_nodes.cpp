#include <algorithm>
#include <cmath>
#include <set>

#include <sinew/io/gltf/write/draft.h>

namespace sinew::gltf {
namespace {

// Vector members that are at their default need not be stated, unless the file stated them before.
void set_vector(Json& node, const char* key, std::span<const float> value, std::span<const float> usual) {
    if (node.contains(key) || !std::equal(value.begin(), value.end(), usual.begin())) node[key] = to_json(value);
}

void set_transform(Json& node, const Transform& transform) {
    const Transform usual;
    node.erase("matrix");
    set_vector(node, "translation", {transform.translation.data(), 3}, {usual.translation.data(), 3});
    set_vector(node, "rotation", {transform.rotation.coeffs().data(), 4}, {usual.rotation.coeffs().data(), 4});
    set_vector(node, "scale", {transform.scale.data(), 3}, {usual.scale.data(), 3});
}

// Which nodes must not have a matrix, because a clip moves them.
std::vector<bool> moved_joints(const Character& character) {
    std::vector<bool> moved(character.skeleton.size(), false);
    for (const Clip& clip : character.clips) {
        for (const Track& track : clip.tracks) {
            if (track.path != TrackPath::morphs) moved[static_cast<size_t>(track.target)] = true;
        }
    }
    return moved;
}

class NodeWriter {
public:
    NodeWriter(Draft& draft, const Character& character, Numbers& numbers)
        : draft_(draft), character_(character), numbers_(numbers), context_{.document = draft.source} {}

    Result<void> write() {
        SINEW_TRY(was_, read_nodes(context_));
        std::vector<int32_t> sources = character_.joint_source;
        sources.resize(character_.skeleton.size(), -1);
        Numbering numbering = number_items(draft_, "nodes", sources);
        numbers_.node_of_joint = std::move(numbering.number);
        numbers_.abandoned_nodes = std::move(numbering.abandoned);
        for (size_t j = 0; j < character_.skeleton.size(); ++j) {
            // A copy or a new node brings nothing of the tree with it.
            if (!is_source(numbers_.node_of_joint[j])) {
                for (const char* key : {"children", "mesh", "skin", "weights"}) node(j).erase(key);
            }
            set_text(node(j), "name", character_.skeleton.names()[j]);
        }
        transforms();
        tree();
        SINEW_TRY_VOID(instances());
        scene();
        if (draft_.json["nodes"].empty()) draft_.json.erase("nodes");
        return {};
    }

private:
    Json& node(size_t joint) { return draft_.json["nodes"][numbers_.node_of_joint[joint]]; }
    bool is_source(size_t number) const { return number < was_.joint_of_node.size(); }

    void transforms() {
        const std::vector<bool> moved = moved_joints(character_);
        for (size_t j = 0; j < character_.skeleton.size(); ++j) {
            const size_t number = numbers_.node_of_joint[j];
            const Transform& now = character_.skeleton.rest()[j];
            if (is_source(number) && !(moved[j] && node(j).contains("matrix")) && rotation_is_unit(node(j)) &&
                was_.skeleton.rest()[static_cast<size_t>(was_.joint_of_node[number])] == now) {
                continue;
            }
            set_transform(node(j), now);
        }
    }

    static bool rotation_is_unit(const Json& node) {
        const Json& rotation = array_at(node, "rotation");
        double length = 0.0;
        for (const Json& number : rotation) length += number.get<double>() * number.get<double>();
        return rotation.empty() || std::abs(length - 1.0) < 1e-3;
    }

    // Children keep the file's order; those that left are taken out, new ones come last.
    void tree() {
        const Json& nodes = draft_.json["nodes"];
        std::vector<std::vector<size_t>> children(nodes.size());
        std::vector<int64_t> parent(nodes.size(), -1);
        for (size_t j = 0; j < character_.skeleton.size(); ++j) {
            const int32_t p = character_.skeleton.parents()[j];
            if (p < 0) continue;
            const size_t up = numbers_.node_of_joint[static_cast<size_t>(p)];
            children[up].push_back(numbers_.node_of_joint[j]);
            parent[numbers_.node_of_joint[j]] = static_cast<int64_t>(up);
        }
        for (size_t n = 0; n < nodes.size(); ++n) {
            std::vector<size_t> list;
            std::set<size_t> listed;
            for (const Json& child : array_at(nodes[n], "children")) {
                const size_t c = child.get<size_t>();
                if (parent[c] == static_cast<int64_t>(n) && listed.insert(c).second) list.push_back(c);
            }
            for (const size_t c : children[n]) {
                if (listed.insert(c).second) list.push_back(c);
            }
            set_children(n, list);
        }
    }

    void set_children(size_t n, const std::vector<size_t>& list) {
        Json& json = draft_.json["nodes"][n];
        if (list.empty()) {
            json.erase("children");
        } else if (array_at(json, "children") != Json(list)) {
            json["children"] = list;
        }
    }

    Result<void> instances() {
        SINEW_TRY(const std::vector<MeshInstance> was, read_instances(context_, was_));
        std::vector<const MeshInstance*> was_at(was_.joint_of_node.size(), nullptr);
        for (const MeshInstance& instance : was) {
            was_at[static_cast<size_t>(was_.joint_source[static_cast<size_t>(instance.joint)])] = &instance;
        }
        std::vector<bool> used(draft_.json["nodes"].size(), false);
        for (const MeshInstance& instance : character_.instances) {
            size_t number = numbers_.node_of_joint[static_cast<size_t>(instance.joint)];
            const bool shared = used[number];
            if (shared) number = add_child(number);
            if (!shared) used[number] = true;
            numbers_.node_of_instance.push_back(number);
            place(instance, number, shared || !is_source(number) ? nullptr : was_at[number]);
        }
        for (size_t n = 0; n < was_at.size(); ++n) {
            if (was_at[n] && !used[n]) {
                for (const char* key : {"mesh", "skin", "weights"}) draft_.json["nodes"][n].erase(key);
            }
        }
        return {};
    }

    // A glTF node holds one mesh: a joint's second one gets a node of its own.
    size_t add_child(size_t parent) {
        Json& nodes = draft_.json["nodes"];
        nodes.push_back(Json::object());
        nodes[parent]["children"].push_back(nodes.size() - 1);
        return nodes.size() - 1;
    }

    void place(const MeshInstance& instance, size_t number, const MeshInstance* was) {
        Json& json = draft_.json["nodes"][number];
        const int32_t mesh = numbers_.meshes[static_cast<size_t>(instance.mesh)];
        const int32_t skin =
            instance.skin < 0 ? -1 : static_cast<int32_t>(numbers_.skins[static_cast<size_t>(instance.skin)]);
        if (mesh < 0) {
            for (const char* key : {"mesh", "skin", "weights"}) json.erase(key);
            return;
        }
        json["mesh"] = mesh;
        json.erase("skin");
        if (skin >= 0 && is_skinned(instance)) json["skin"] = skin;
        if (was && context_.repairs == 0 && was->morph_weights == instance.morph_weights) return;
        json.erase("weights");
        if (!instance.morph_weights.empty()) json["weights"] = to_json(instance.morph_weights);
    }

    // glTF allows a skin only on a mesh that has joints.
    bool is_skinned(const MeshInstance& instance) const {
        const MeshGroup& mesh = character_.meshes[static_cast<size_t>(instance.mesh)];
        return std::any_of(mesh.primitives.begin(), mesh.primitives.end(),
                           [](const Primitive& primitive) { return !primitive.influences.empty(); });
    }

    // Roots that the file had keep their place in its scenes; new roots join the active one.
    void scene() {
        std::set<size_t> roots, known;
        for (size_t j = 0; j < character_.skeleton.size(); ++j) {
            if (character_.skeleton.parents()[j] < 0) roots.insert(numbers_.node_of_joint[j]);
        }
        for (const Json& scene : array_at(draft_.json, "scenes")) {
            for (const Json& number : array_at(scene, "nodes")) known.insert(number.get<size_t>());
        }
        std::vector<size_t> fresh;
        for (const size_t root : roots) {
            const bool was_root =
                is_source(root) && was_.skeleton.parents()[static_cast<size_t>(was_.joint_of_node[root])] < 0;
            if (!known.contains(root) && !was_root) fresh.push_back(root);
        }
        const bool had_scenes = !array_at(draft_.json, "scenes").empty();
        if (!had_scenes && !was_.joint_of_node.empty()) return;  // without scenes, every root is shown
        if (!had_scenes && fresh.empty()) return;
        if (!had_scenes) {
            draft_.json["scenes"] = Json::array({Json::object()});
            draft_.json["scene"] = 0;
            set_text(draft_.json["scenes"][0], "name", character_.name);
        }
        for (Json& scene : draft_.json["scenes"]) drop_from(scene, roots);
        Json& active = draft_.json["scenes"][count_at(draft_.json, "scene")];
        for (const size_t root : fresh) active["nodes"].push_back(root);
    }

    // Takes out nodes that are gone and roots that now have a parent.
    void drop_from(Json& scene, const std::set<size_t>& roots) {
        if (!scene.contains("nodes")) return;
        const auto& gone = numbers_.abandoned_nodes;
        Json& list = scene["nodes"];
        for (size_t i = list.size(); i-- > 0;) {
            const size_t n = list[i].get<size_t>();
            const bool was_root = was_.skeleton.parents()[static_cast<size_t>(was_.joint_of_node[n])] < 0;
            if (std::binary_search(gone.begin(), gone.end(), n) || (was_root && !roots.contains(n))) list.erase(i);
        }
        if (list.empty()) scene.erase("nodes");
    }

    Draft& draft_;
    const Character& character_;
    Numbers& numbers_;
    Context context_;
    Nodes was_;
};

bool same_matrix(const Affine& a, const Affine& b) {
    return a.matrix() == b.matrix();
}

size_t write_inverse_binds(Draft& draft, const Skin& skin) {
    std::vector<float> values;
    for (const Affine& matrix : skin.inverse_bind) {
        for (int column = 0; column < 4; ++column) {
            for (int row = 0; row < 3; ++row) values.push_back(matrix.matrix()(row, column));
            values.push_back(column == 3 ? 1.0f : 0.0f);
        }
    }
    return add_floats(draft, values, {.type = "MAT4"});
}

constexpr size_t no_parent = SIZE_MAX;

// Found once: a crowd has hundreds of skins and thousands of nodes.
std::vector<size_t> parents_of_nodes(const Json& nodes) {
    std::vector<size_t> parent(nodes.size(), no_parent);
    for (size_t n = 0; n < nodes.size(); ++n) {
        for (const Json& child : array_at(nodes[n], "children")) parent[child.get<size_t>()] = n;
    }
    return parent;
}

// glTF wants a skin's joints to have a common root. Where they have several, those become children of a new node.
void join_roots(Draft& draft, const std::vector<size_t>& joints, std::vector<size_t>& parent) {
    Json& nodes = draft.json["nodes"];
    std::set<size_t> roots;
    for (size_t root : joints) {
        while (parent[root] != no_parent) root = parent[root];
        roots.insert(root);
    }
    if (roots.size() < 2) return;
    const size_t top = nodes.size();
    nodes.push_back({{"name", "root"}, {"children", roots}});
    parent.push_back(no_parent);
    for (const size_t root : roots) parent[root] = top;
    for (Json& scene : root_array(draft, "scenes")) {
        Json list = Json::array();
        bool any = false;
        for (const Json& node : array_at(scene, "nodes")) {
            if (roots.contains(node.get<size_t>())) {
                any = true;
            } else {
                list.push_back(node);
            }
        }
        if (any) list.push_back(top);
        if (any) scene["nodes"] = std::move(list);
    }
    if (draft.json["scenes"].empty()) draft.json.erase("scenes");
}

}  // namespace

Result<void> write_nodes(Draft& draft, const Character& character, Numbers& numbers) {
    std::vector<int32_t> sources;
    for (const Skin& skin : character.skins) sources.push_back(skin.source);
    Numbering numbering = number_items(draft, "skins", sources);
    numbers.skins = std::move(numbering.number);
    numbers.abandoned_skins = std::move(numbering.abandoned);
    return NodeWriter(draft, character, numbers).write();
}

Result<void> write_skins(Draft& draft, const Character& character, Numbers& numbers) {
    Context context{.document = draft.source};
    SINEW_TRY(const Nodes nodes, read_nodes(context));
    std::vector<size_t> parents = parents_of_nodes(array_at(draft.json, "nodes"));
    const Skin* last_written = nullptr;  // the bodies of a crowd have the same matrices, one after another
    size_t last_matrices = 0;
    for (size_t s = 0; s < character.skins.size(); ++s) {
        const Skin& skin = character.skins[s];
        Json& json = draft.json["skins"][numbers.skins[s]];
        set_text(json, "name", skin.name);
        std::vector<size_t> joints;
        for (const int32_t joint : skin.joints) joints.push_back(numbers.node_of_joint[static_cast<size_t>(joint)]);
        bool same_matrices = false;
        if (numbers.skins[s] < array_at(draft.source.json, "skins").size()) {
            const auto was = read_skin(context, nodes, numbers.skins[s]);
            same_matrices = was && std::equal(was->inverse_bind.begin(), was->inverse_bind.end(),
                                              skin.inverse_bind.begin(), skin.inverse_bind.end(), same_matrix);
        }
        if (array_at(json, "joints") != Json(joints)) {
            json["joints"] = joints;
            json.erase("skeleton");
            join_roots(draft, joints, parents);
        }
        if (same_matrices) continue;
        const bool as_before =
            last_written && std::equal(last_written->inverse_bind.begin(), last_written->inverse_bind.end(),
                                       skin.inverse_bind.begin(), skin.inverse_bind.end(), same_matrix);
        if (!as_before) last_matrices = write_inverse_binds(draft, skin);
        last_written = &skin;
        draft.json["skins"][numbers.skins[s]]["inverseBindMatrices"] = last_matrices;
    }
    return {};
}

}  // namespace sinew::gltf
