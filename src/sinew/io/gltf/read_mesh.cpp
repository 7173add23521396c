#include <sinew/io/gltf/parts.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <sinew/io/gltf/accessor.h>

namespace sinew::gltf {
namespace {

// An accessor with one element per vertex, of `least` to `most` components each.
Result<Accessor> open_attribute(const GltfDocument& document, size_t index, size_t vertices, size_t least, size_t most,
                                const std::string& path) {
    SINEW_TRY(const Accessor accessor, open_accessor(document, index));
    if (accessor.components < least || accessor.components > most)
        return wrong(path, "the accessor has the wrong type for this attribute");
    if (accessor.count != vertices) {
        return wrong(path, fmt::format("there are {} elements for {} vertices", accessor.count, vertices));
    }
    return accessor;
}

template <class Vector>
std::vector<Vector> read_vectors(const Accessor& accessor) {
    static_assert(sizeof(Vector) == Vector::RowsAtCompileTime * sizeof(float));
    std::vector<Vector> result(accessor.count);
    read_floats(accessor, std::span(reinterpret_cast<float*>(result.data()), accessor.count * accessor.components));
    return result;
}

template <class Vector>
void replace_non_finite(Context& context, std::vector<Vector>& values, const Vector& by, const std::string& path) {
    bool any = false;
    for (Vector& value : values) {
        if (value.allFinite()) continue;
        value = by;
        any = true;
    }
    if (any) context.repaired(path, "some numbers are not finite; they were replaced");
}

class Reader {
public:
    Reader(Context& context, size_t mesh, size_t primitive, const PrimitiveOptions& options)
        : context_(context),
          document_(context.document),
          json_(document_.json["meshes"][mesh]["primitives"][primitive]),
          attributes_(json_["attributes"]),
          path_(fmt::format("/meshes/{}/primitives/{}", mesh, primitive)),
          options_(options) {
        result_.source = static_cast<int32_t>(primitive);
    }

    Result<Primitive> read() {
        result_.material = index_at(json_, "material");
        SINEW_TRY_VOID(positions());
        if (options_.skin_joints > 0) SINEW_TRY_VOID(influences());
        SINEW_TRY_VOID(vectors("NORMAL", result_.mesh.normals, Vec3(Vec3::UnitY())));
        SINEW_TRY_VOID(vectors("TANGENT", result_.mesh.tangents, Vec4(1, 0, 0, 1)));
        SINEW_TRY_VOID(vectors("TEXCOORD_0", result_.mesh.uvs, Vec2(Vec2::Zero())));
        SINEW_TRY_VOID(colors());
        SINEW_TRY_VOID(triangles());
        SINEW_TRY_VOID(morphs());
        return std::move(result_);
    }

private:
    std::string attribute_path(const std::string& semantic) const { return path_ + "/attributes/" + semantic; }

    Result<void> positions() {
        const int32_t index = index_at(attributes_, "POSITION");
        if (index < 0) return {};
        SINEW_TRY(const Accessor accessor, open_accessor(document_, static_cast<size_t>(index)));
        if (accessor.components != 3) return wrong(attribute_path("POSITION"), "the accessor is not of type VEC3");
        count_ = accessor.count;
        if (count_ > context_.limits.max_vertices - std::min(context_.vertices, context_.limits.max_vertices)) {
            return fail(
                ErrorCode::limit_exceeded,
                fmt::format("the file has more than {} vertices, which is the limit", context_.limits.max_vertices),
                path_);
        }
        context_.vertices += count_;
        result_.mesh.positions = read_vectors<Vec3>(accessor);
        for (size_t v = 0; v < count_; ++v) {
            if (!result_.mesh.positions[v].allFinite()) {
                return wrong(attribute_path("POSITION"), fmt::format("the position of vertex {} is not finite", v));
            }
        }
        return {};
    }

    template <class Vector>
    Result<void> vectors(const char* semantic, std::vector<Vector>& out, const Vector& replacement) {
        const int32_t index = index_at(attributes_, semantic);
        if (index < 0) return {};
        constexpr auto n = static_cast<size_t>(Vector::RowsAtCompileTime);
        const std::string path = attribute_path(semantic);
        SINEW_TRY(const Accessor a, open_attribute(document_, static_cast<size_t>(index), count_, n, n, path));
        out = read_vectors<Vector>(a);
        replace_non_finite(context_, out, replacement, path);
        return {};
    }

    Result<void> colors() {
        const int32_t index = index_at(attributes_, "COLOR_0");
        if (index < 0) return {};
        const std::string path = attribute_path("COLOR_0");
        SINEW_TRY(const Accessor a, open_attribute(document_, static_cast<size_t>(index), count_, 3, 4, path));
        if (a.components == 4) {
            result_.mesh.colors = read_vectors<Vec4>(a);
        } else {
            const std::vector<Vec3> rgb = read_vectors<Vec3>(a);
            result_.mesh.colors.resize(count_);
            for (size_t v = 0; v < count_; ++v) result_.mesh.colors[v] << rgb[v], 1.0f;
        }
        replace_non_finite(context_, result_.mesh.colors, Vec4(Vec4::Ones()), path);
        return {};
    }

    // All JOINTS_n with their WEIGHTS_n, added up per vertex.
    Result<void> influences() {
        std::vector<Accessor> joints, weights;
        for (size_t set = 0;; ++set) {
            const std::string joints_name = fmt::format("JOINTS_{}", set),
                              weights_name = fmt::format("WEIGHTS_{}", set);
            const int32_t j = index_at(attributes_, joints_name.c_str());
            const int32_t w = index_at(attributes_, weights_name.c_str());
            if (j < 0 || w < 0) break;
            SINEW_TRY(joints.emplace_back(),
                      open_attribute(document_, static_cast<size_t>(j), count_, 4, 4, attribute_path(joints_name)));
            SINEW_TRY(weights.emplace_back(),
                      open_attribute(document_, static_cast<size_t>(w), count_, 4, 4, attribute_path(weights_name)));
            const Component type = joints.back().component;
            if (type != Component::u8 && type != Component::u16 && type != Component::u32) {
                return wrong(attribute_path(joints_name), "joints must have an unsigned integer type");
            }
        }
        if (joints.empty()) return {};
        if (count_ * 4 * joints.size() > UINT32_MAX)
            return wrong(path_, "the primitive has more skin weights than Sinew can count");
        std::vector<uint32_t> first;
        std::vector<Influence> raw;
        SINEW_TRY_VOID(gather(joints, weights, first, raw));
        auto created = Influences::create(std::move(first), std::move(raw), options_.skin_joints);
        if (!created) return wrong(path_, to_string(created.error()));
        result_.influences = *std::move(created);
        return {};
    }

    // The sets of all vertices side by side: every set's four go behind those of the sets before it.
    Result<void> gather(const std::vector<Accessor>& joints, const std::vector<Accessor>& weights,
                        std::vector<uint32_t>& first, std::vector<Influence>& raw) {
        const size_t per_vertex = 4 * joints.size();
        raw.resize(count_ * per_vertex);
        bool broken = false;
        {
            std::vector<uint32_t> j(count_ * 4);
            for (size_t set = 0; set < joints.size(); ++set) {
                read_unsigned(joints[set], j);
                for (size_t i = 0; i < j.size(); ++i) raw[i / 4 * per_vertex + set * 4 + i % 4].joint = j[i];
            }
        }
        std::vector<float> w(count_ * 4);
        for (size_t set = 0; set < weights.size(); ++set) {
            read_floats(weights[set], w);
            for (size_t i = 0; i < w.size(); ++i) {
                const bool sound = w[i] >= 0.0f && std::isfinite(w[i]);
                if (!sound) broken = true;
                raw[i / 4 * per_vertex + set * 4 + i % 4].weight = sound ? w[i] : 0.0f;
            }
        }
        if (broken) context_.repaired(path_, "some skin weights are negative or no numbers; they were read as 0");
        first.resize(count_ + 1);
        for (size_t v = 0; v <= count_; ++v) first[v] = static_cast<uint32_t>(v * per_vertex);
        return {};
    }

    Result<std::vector<uint32_t>> corners() {
        std::vector<uint32_t> result;
        const int32_t index = index_at(json_, "indices");
        if (index < 0) {
            result.resize(count_);
            for (size_t i = 0; i < count_; ++i) result[i] = static_cast<uint32_t>(i);
            return result;
        }
        SINEW_TRY(const Accessor a, open_accessor(document_, static_cast<size_t>(index)));
        if (a.components != 1 ||
            (a.component != Component::u8 && a.component != Component::u16 && a.component != Component::u32)) {
            return wrong(path_ + "/indices", "indices must have an unsigned integer type");
        }
        SINEW_TRY_VOID(count_triangles(a.count / 3));
        result.resize(a.count);
        read_unsigned(a, result);
        for (size_t i = 0; i < result.size(); ++i) {
            if (result[i] >= count_) {
                return wrong(path_ + "/indices",
                             fmt::format("an index names vertex {}, but there are {} vertices", result[i], count_));
            }
        }
        return result;
    }

    Result<void> count_triangles(size_t triangles) {
        if (triangles > context_.limits.max_triangles - std::min(context_.triangles, context_.limits.max_triangles)) {
            return fail(
                ErrorCode::limit_exceeded,
                fmt::format("the file has more than {} triangles, which is the limit", context_.limits.max_triangles),
                path_);
        }
        context_.triangles += triangles;
        return {};
    }

    Result<void> triangles() {
        const size_t mode = count_at(json_, "mode", 4);
        if (mode > 6) return wrong(path_ + "/mode", "the mode is not 0 to 6");
        SINEW_TRY(std::vector<uint32_t> corner, corners());
        if (mode < 4) return {};
        if (mode == 4) {
            if (corner.size() % 3 != 0) {
                context_.warnings.push_back(path_ + ": the last triangle is incomplete; it was left out");
                corner.resize(corner.size() / 3 * 3);
            }
            result_.mesh.triangles = std::move(corner);
            return {};
        }
        const size_t count = corner.size() < 3 ? 0 : corner.size() - 2;
        SINEW_TRY_VOID(count_triangles(count));
        std::vector<uint32_t>& out = result_.mesh.triangles;
        out.reserve(count * 3);
        for (size_t i = 0; i < count; ++i) {
            // Every second triangle of a strip is wound the other way; a fan's all start at the first vertex.
            const uint32_t a = mode == 6 ? corner[0] : corner[i];
            const size_t swap = mode == 5 ? i % 2 : 0;
            out.insert(out.end(), {a, corner[i + 1 + swap], corner[i + 2 - swap]});
        }
        return {};
    }

    Result<std::vector<Vec3>> deltas(const Json& target, const char* semantic, const std::string& path) {
        const int32_t index = index_at(target, semantic);
        if (index < 0) return std::vector<Vec3>{};
        const std::string where = path + "/" + semantic;
        SINEW_TRY(const Accessor a, open_attribute(document_, static_cast<size_t>(index), count_, 3, 3, where));
        std::vector<Vec3> result = read_vectors<Vec3>(a);
        replace_non_finite(context_, result, Vec3(Vec3::Zero()), where);
        return result;
    }

    Result<void> morphs() {
        const Json& targets = array_at(json_, "targets");
        if (targets.size() != options_.targets) {
            context_.repaired(path_ + "/targets",
                              "the mesh's primitives differ in their number of morph targets; empty ones were added");
        }
        result_.morphs.resize(options_.targets);
        for (size_t t = 0; t < std::min(targets.size(), options_.targets); ++t) {
            // A small accessor can be named by very many targets.
            context_.deltas += count_;
            if (context_.deltas / 10 > context_.limits.max_vertices) {
                return fail(ErrorCode::limit_exceeded, "the file has too many morph targets; remove some", path_);
            }
            const std::string path = fmt::format("{}/targets/{}", path_, t);
            SINEW_TRY(const auto positions, deltas(targets[t], "POSITION", path));
            SINEW_TRY(const auto normals, deltas(targets[t], "NORMAL", path));
            SINEW_TRY(const auto tangents, deltas(targets[t], "TANGENT", path));
            fill(result_.morphs[t], positions, normals, tangents);
        }
        return {};
    }

    void fill(MorphTarget& out, const std::vector<Vec3>& positions, const std::vector<Vec3>& normals,
              const std::vector<Vec3>& tangents) const {
        const auto moved = [](const std::vector<Vec3>& d, size_t v) { return !d.empty() && !d[v].isZero(0.0f); };
        for (size_t v = 0; v < count_; ++v) {
            if (!moved(positions, v) && !moved(normals, v) && !moved(tangents, v)) continue;
            out.vertices.push_back(static_cast<uint32_t>(v));
            out.positions.push_back(positions.empty() ? Vec3(Vec3::Zero()) : positions[v]);
            if (!normals.empty()) out.normals.push_back(normals[v]);
            if (!tangents.empty()) out.tangents.push_back(tangents[v]);
        }
    }

    Context& context_;
    const GltfDocument& document_;
    const Json& json_;
    const Json& attributes_;
    std::string path_;
    PrimitiveOptions options_;
    Primitive result_;
    size_t count_ = 0;
};

}  // namespace

size_t target_count(const Json& mesh) {
    size_t most = 0;
    for (const Json& primitive : array_at(mesh, "primitives")) {
        most = std::max(most, array_at(primitive, "targets").size());
    }
    return most;
}

std::vector<std::string> target_names(const Json& mesh, size_t count) {
    std::vector<std::string> names(count);
    const Json& list = array_at(member(mesh, "extras"), "targetNames");
    for (size_t t = 0; t < std::min(count, list.size()); ++t) {
        if (list[t].is_string()) names[t] = list[t].get<std::string>();
    }
    return names;
}

Result<Primitive> read_primitive(Context& context, size_t mesh, size_t primitive, const PrimitiveOptions& options) {
    return Reader(context, mesh, primitive, options).read();
}

MeshGroup read_mesh_header(Context& context, size_t mesh) {
    const Json& json = context.document.json["meshes"][mesh];
    MeshGroup group{.name = text_at(json, "name"), .source = static_cast<int32_t>(mesh)};
    const Json& weights = array_at(json, "weights");
    if (weights.empty()) return group;
    const size_t targets = target_count(json);
    if (weights.size() != targets) {
        context.repaired(
            fmt::format("/meshes/{}/weights", mesh),
            "the number of weights is not the number of morph targets; weights were cut off or added as 0");
    }
    if (targets == 0) return group;
    group.morph_weights.assign(targets, 0.0f);
    for (size_t t = 0; t < std::min(targets, weights.size()); ++t) {
        const auto weight = static_cast<float>(weights[t].get<double>());
        if (std::isfinite(weight)) group.morph_weights[t] = weight;
    }
    return group;
}

}  // namespace sinew::gltf
