#include <algorithm>
#include <cmath>
#include <optional>

#include <fmt/format.h>
#include <sinew/io/gltf/write/draft.h>

namespace sinew::gltf {
namespace {

template <class Vector>
std::span<const float> floats(const std::vector<Vector>& values) {
    return {reinterpret_cast<const float*>(values.data()), values.size() * Vector::RowsAtCompileTime};
}

bool equal(const Influences& a, const Influences& b) {
    if (a.vertex_count() != b.vertex_count()) return false;
    for (size_t v = 0; v < a.vertex_count(); ++v) {
        const auto x = a.of(v), y = b.of(v);
        const bool same = std::equal(
            x.begin(), x.end(), y.begin(), y.end(),
            [](const Influence& i, const Influence& j) { return i.joint == j.joint && i.weight == j.weight; });
        if (!same) return false;
    }
    return true;
}

bool equal(const MorphTarget& a, const MorphTarget& b) {
    return a.vertices == b.vertices && a.positions == b.positions && a.normals == b.normals && a.tangents == b.tangents;
}

// What the Khronos validator takes for a unit vector, with some room.
bool is_unit(const Vec3& v) {
    return std::abs(v.norm() - 1.0f) < 0.005f;
}

Vec3 unit_or_up(const Vec3& v) {
    const float length = v.norm();
    return length > 1e-12f && std::isfinite(length) ? Vec3(v / length) : Vec3(Vec3::UnitY());
}

std::vector<Vec3> unit_normals(std::vector<Vec3> normals) {
    for (Vec3& normal : normals) {
        if (!is_unit(normal)) normal = unit_or_up(normal);
    }
    return normals;
}

std::vector<Vec4> unit_tangents(std::vector<Vec4> tangents) {
    for (Vec4& tangent : tangents) {
        const Vec3 direction = tangent.head<3>();
        if (!is_unit(direction)) tangent.head<3>() = unit_or_up(direction);
        tangent.w() = tangent.w() < 0.0f ? -1.0f : 1.0f;
    }
    return tangents;
}

bool all_unit(const std::vector<Vec3>& normals) {
    return std::all_of(normals.begin(), normals.end(), is_unit);
}

bool all_unit(const std::vector<Vec4>& tangents) {
    return std::all_of(tangents.begin(), tangents.end(),
                       [](const Vec4& t) { return is_unit(t.head<3>()) && std::abs(t.w()) == 1.0f; });
}

std::vector<Vec4> clamped(std::vector<Vec4> colors) {
    for (Vec4& color : colors)
        color = color.allFinite() ? Vec4(color.cwiseMax(0.0f).cwiseMin(1.0f)) : Vec4(Vec4::Ones());
    return colors;
}

std::vector<Vec2> finite(std::vector<Vec2> uvs) {
    for (Vec2& uv : uvs) {
        if (!uv.allFinite()) uv.setZero();
    }
    return uvs;
}

// A vertex's weights as a file holds them: `sets` · 4 of them, the largest first, summing to 1 as floats do at best.
void fill_vertex(std::span<const Influence> influences, size_t v, std::vector<std::vector<uint32_t>>& joints,
                 std::vector<std::vector<float>>& weights) {
    // glTF has no vertex without influences: it goes with the skin's first joint.
    if (influences.empty()) weights[0][v * 4] = 1.0f;
    double sum = 0.0;
    for (const Influence& influence : influences) sum += influence.weight;
    double rest = 1.0;
    for (size_t i = influences.size(); i-- > 0;) {
        const auto weight = static_cast<float>(i == 0 ? rest : influences[i].weight / sum);
        rest -= weight;
        joints[i / 4][v * 4 + i % 4] = influences[i].joint;
        weights[i / 4][v * 4 + i % 4] = weight;
    }
}

void write_influences(Draft& draft, const Influences& influences, Json& attributes) {
    for (auto it = attributes.begin(); it != attributes.end();) {
        const bool old = it.key().starts_with("JOINTS_") || it.key().starts_with("WEIGHTS_");
        it = old ? attributes.erase(it) : std::next(it);
    }
    if (influences.empty()) return;
    const size_t count = influences.vertex_count();
    const size_t sets = std::max<size_t>(1, (influences.max_per_vertex() + 3) / 4);
    std::vector<std::vector<uint32_t>> joints(sets, std::vector<uint32_t>(count * 4, 0));
    std::vector<std::vector<float>> weights(sets, std::vector<float>(count * 4, 0.0f));
    uint32_t largest = 0;
    for (size_t v = 0; v < count; ++v) {
        fill_vertex(influences.of(v), v, joints, weights);
        for (const Influence& influence : influences.of(v)) largest = std::max(largest, influence.joint);
    }
    for (size_t s = 0; s < sets; ++s) {
        attributes[fmt::format("JOINTS_{}", s)] = add_joints(draft, joints[s], largest);
        attributes[fmt::format("WEIGHTS_{}", s)] =
            add_floats(draft, weights[s], {.type = "VEC4", .target = ViewTarget::vertices});
    }
}

// Whether the file's own JOINTS and WEIGHTS may stay: the four largest in set 0, sums that are 1 to the validator's
// precision, no joint twice.
bool sets_are_sound(const GltfDocument& document, const Json& attributes) {
    std::vector<std::vector<uint32_t>> joints;
    std::vector<std::vector<float>> weights;
    for (size_t s = 0;; ++s) {
        const int32_t j = index_at(attributes, fmt::format("JOINTS_{}", s).c_str());
        const int32_t w = index_at(attributes, fmt::format("WEIGHTS_{}", s).c_str());
        if (j < 0 || w < 0) break;
        const auto joint = open_accessor(document, static_cast<size_t>(j));
        const auto weight = open_accessor(document, static_cast<size_t>(w));
        if (!joint || !weight || joint->component == Component::u32) return false;
        read_unsigned(*joint, joints.emplace_back(joint->count * 4));
        read_floats(*weight, weights.emplace_back(weight->count * 4));
    }
    if (joints.empty()) return true;
    std::vector<uint32_t> used;
    for (size_t v = 0; v < joints[0].size() / 4; ++v) {
        double sum = 0.0;
        float smallest_first = INFINITY, largest_later = 0.0f;
        used.clear();
        for (size_t s = 0; s < joints.size(); ++s) {
            for (size_t i = v * 4; i < v * 4 + 4; ++i) {
                const float weight = weights[s][i];
                sum += weight;
                if (s == 0) smallest_first = std::min(smallest_first, weight);
                if (s > 0) largest_later = std::max(largest_later, weight);
                if (weight != 0.0f) used.push_back(joints[s][i]);
                if (weight < 0.0f) return false;
            }
        }
        if (largest_later > smallest_first) return false;
        if (!(std::abs(sum - 1.0) <= 1.9e-7 * static_cast<double>(used.size()))) return false;
        std::sort(used.begin(), used.end());
        if (std::adjacent_find(used.begin(), used.end()) != used.end()) return false;
    }
    return true;
}

// A target's deltas as an accessor: all of them, or only those that are not zero when these are few.
size_t write_deltas(Draft& draft, const MorphTarget& target, const std::vector<Vec3>& values, size_t count) {
    if (target.vertices.size() < count / 4) return add_sparse_vectors(draft, count, target.vertices, values);
    std::vector<Vec3> dense(count, Vec3::Zero());
    for (size_t i = 0; i < target.vertices.size(); ++i) dense[target.vertices[i]] = values[i];
    return add_floats(draft, floats(dense), {.type = "VEC3", .target = ViewTarget::vertices, .bounds = true});
}

Json write_target(Draft& draft, const MorphTarget& target, const Mesh& mesh) {
    const size_t count = mesh.vertex_count();
    Json json = {{"POSITION", write_deltas(draft, target, target.positions, count)}};
    // A target may state deltas only of attributes that the mesh has.
    if (!target.normals.empty() && !mesh.normals.empty()) {
        json["NORMAL"] = write_deltas(draft, target, target.normals, count);
    }
    if (!target.tangents.empty() && !mesh.tangents.empty()) {
        json["TANGENT"] = write_deltas(draft, target, target.tangents, count);
    }
    return json;
}

class PrimitiveWriter {
public:
    // `was` is the primitive as the source document states it, when there is one; `mended` says that reading it had to
    // repair something, so that nothing of it may stay as it was.
    PrimitiveWriter(Draft& draft, const Primitive& now, std::optional<Primitive> was, bool mended, Json json)
        : draft_(draft), now_(now), was_(std::move(was)), mended_(mended), json_(std::move(json)) {}

    Json write() {
        if (!json_.contains("attributes")) json_["attributes"] = Json::object();
        if (was_ && was_->mesh.vertex_count() != now_.mesh.vertex_count()) drop_other_attributes();
        if (!was_ || was_->mesh.positions != now_.mesh.positions) {
            attribute("POSITION") = add_floats(draft_, floats(now_.mesh.positions),
                                               {.type = "VEC3", .target = ViewTarget::vertices, .bounds = true});
        }
        normals_and_tangents();
        put("TEXCOORD_0", "VEC2", finite(now_.mesh.uvs), was_ ? &was_->mesh.uvs : nullptr);
        put("COLOR_0", "VEC4", clamped(now_.mesh.colors), was_ ? &was_->mesh.colors : nullptr,
            was_ && was_->mesh.colors == now_.mesh.colors);
        influences();
        triangles();
        morphs();
        return std::move(json_);
    }

private:
    Json& attribute(const char* semantic) { return json_["attributes"][semantic]; }

    // Attributes that Sinew does not know cannot follow a change in the number of vertices.
    void drop_other_attributes() {
        Json& attributes = json_["attributes"];
        const Json& accessors = array_at(draft_.json, "accessors");
        for (auto it = attributes.begin(); it != attributes.end();) {
            const bool fits = count_at(accessors[it->get<size_t>()], "count") == now_.mesh.vertex_count();
            it = fits ? std::next(it) : attributes.erase(it);
        }
    }

    template <class Vector>
    void put(const char* semantic, const char* type, const std::vector<Vector>& now, const std::vector<Vector>* was,
             bool known_same = false) {
        if (was && !mended_ && (known_same || *was == now)) return;
        if (now.empty()) {
            json_["attributes"].erase(semantic);
        } else {
            attribute(semantic) = add_floats(draft_, floats(now), {.type = type, .target = ViewTarget::vertices});
        }
    }

    void normals_and_tangents() {
        const Mesh& mesh = now_.mesh;
        const bool same_normals = was_ && was_->mesh.normals == mesh.normals && all_unit(mesh.normals);
        const bool same_tangents = was_ && was_->mesh.tangents == mesh.tangents && all_unit(mesh.tangents);
        if (!same_normals || mended_)
            put("NORMAL", "VEC3", unit_normals(mesh.normals), static_cast<std::vector<Vec3>*>(nullptr));
        if (!same_tangents || mended_)
            put("TANGENT", "VEC4", unit_tangents(mesh.tangents), static_cast<std::vector<Vec4>*>(nullptr));
    }

    void influences() {
        Json& attributes = json_["attributes"];
        const bool same = was_ && !mended_ && equal(was_->influences, now_.influences);
        if (same && (now_.influences.empty() || sets_are_sound(draft_.source, attributes))) return;
        write_influences(draft_, now_.influences, attributes);
    }

    void triangles() {
        if (was_ && was_->mesh.triangles == now_.mesh.triangles &&
            (!now_.mesh.triangles.empty() || was_->mesh.vertex_count() == now_.mesh.vertex_count())) {
            return;
        }
        json_.erase("mode");
        json_.erase("indices");
        if (now_.mesh.triangles.empty()) {
            json_["mode"] = 0;
        } else {
            json_["indices"] = add_indices(draft_, now_.mesh.triangles, now_.mesh.vertex_count());
        }
    }

    void morphs() {
        const std::vector<MorphTarget>& now = now_.morphs;
        if (now.empty()) {
            json_.erase("targets");
            return;
        }
        Json& targets = json_["targets"];
        if (!targets.is_array()) targets = Json::array();
        const bool same_vertices = was_ && !mended_ && was_->mesh.vertex_count() == now_.mesh.vertex_count();
        const size_t stated = targets.size();
        while (targets.size() > now.size()) targets.erase(targets.size() - 1);
        for (size_t t = 0; t < now.size(); ++t) {
            if (same_vertices && t < stated && t < was_->morphs.size() && equal(was_->morphs[t], now[t])) continue;
            Json target = write_target(draft_, now[t], now_.mesh);
            if (t < targets.size()) {
                targets[t].update(target);
            } else {
                targets.push_back(std::move(target));
            }
        }
    }

    Draft& draft_;
    const Primitive& now_;
    std::optional<Primitive> was_;
    bool mended_;
    Json json_;
};

bool is_in(const GltfDocument& source, const MeshGroup& group) {
    return group.source >= 0 && static_cast<size_t>(group.source) < array_at(source.json, "meshes").size();
}

// glTF has no primitive without vertices and no mesh without primitives.
bool has_primitives(const MeshGroup& group) {
    return std::any_of(group.primitives.begin(), group.primitives.end(),
                       [](const Primitive& primitive) { return !primitive.mesh.positions.empty(); });
}

// The primitive of the source that `primitive` came from, read again; nothing when there is none.
std::optional<Primitive> read_source(Context& context, int32_t mesh, int32_t primitive,
                                     const PrimitiveOptions& options) {
    const Json& meshes = array_at(context.document.json, "meshes");
    if (mesh < 0 || static_cast<size_t>(mesh) >= meshes.size()) return std::nullopt;
    const Json& primitives = meshes[static_cast<size_t>(mesh)]["primitives"];
    if (primitive < 0 || static_cast<size_t>(primitive) >= primitives.size()) return std::nullopt;
    auto read = read_primitive(context, static_cast<size_t>(mesh), static_cast<size_t>(primitive), options);
    if (!read) return std::nullopt;
    return *std::move(read);
}

void set_target_names(Json& mesh, const MeshGroup& group) {
    if (morph_count(group) == 0) return;
    std::vector<std::string> names;
    for (const MorphTarget& target : group.primitives.front().morphs) names.push_back(target.name);
    if (names == target_names(mesh, names.size()) &&
        array_at(member(mesh, "extras"), "targetNames").size() <= names.size()) {
        return;
    }
    if (mesh.contains("extras") && !mesh["extras"].is_object()) return;
    mesh["extras"]["targetNames"] = names;
}

void write_header(Draft& draft, const MeshGroup& group, Json& mesh, bool from_source) {
    set_text(mesh, "name", group.name);
    set_target_names(mesh, group);
    if (from_source) {
        Context context{.document = draft.source};
        const MeshGroup was = read_mesh_header(context, static_cast<size_t>(group.source));
        if (context.repairs == 0 && was.morph_weights == group.morph_weights) return;
    }
    if (group.morph_weights.empty()) {
        mesh.erase("weights");
    } else {
        mesh["weights"] = to_json(group.morph_weights);
    }
}

Json write_primitives(Draft& draft, const MeshGroup& group, const PrimitiveOptions& options, const Numbers& numbers) {
    Json primitives = Json::array();
    for (const Primitive& primitive : group.primitives) {
        if (primitive.mesh.positions.empty()) continue;
        Context context{.document = draft.source};
        std::optional<Primitive> was = read_source(context, group.source, primitive.source, options);
        Json json = Json::object();
        if (was) {
            json = draft.source.json["meshes"][static_cast<size_t>(group.source)]["primitives"]
                                    [static_cast<size_t>(primitive.source)];
        }
        json = PrimitiveWriter(draft, primitive, std::move(was), context.repairs > 0, std::move(json)).write();
        json.erase("material");
        if (primitive.material >= 0) json["material"] = numbers.materials[static_cast<size_t>(primitive.material)];
        primitives.push_back(std::move(json));
    }
    return primitives;
}

}  // namespace

Result<void> write_meshes(Draft& draft, const Character& character, Numbers& numbers) {
    std::vector<int32_t> sources;
    std::vector<size_t> groups;
    for (size_t g = 0; g < character.meshes.size(); ++g) {
        if (!has_primitives(character.meshes[g])) continue;
        groups.push_back(g);
        sources.push_back(character.meshes[g].source);
    }
    Numbering numbering = number_items(draft, "meshes", sources);
    numbers.abandoned_meshes = std::move(numbering.abandoned);
    numbers.meshes.assign(character.meshes.size(), -1);
    const std::vector<size_t> skin_joints = skin_joints_per_mesh(draft.source);
    for (size_t k = 0; k < groups.size(); ++k) {
        const MeshGroup& group = character.meshes[groups[k]];
        numbers.meshes[groups[k]] = static_cast<int32_t>(numbering.number[k]);
        PrimitiveOptions options;
        const bool from_source = is_in(draft.source, group);
        if (from_source) {
            const auto source = static_cast<size_t>(group.source);
            options = {.skin_joints = skin_joints[source],
                       .targets = target_count(draft.source.json["meshes"][source])};
        }
        write_header(draft, group, draft.json["meshes"][numbering.number[k]], from_source);
        Json primitives = write_primitives(draft, group, options, numbers);
        draft.json["meshes"][numbering.number[k]]["primitives"] = std::move(primitives);
    }
    return {};
}

}  // namespace sinew::gltf
