#include <sinew/io/gltf/write/draft.h>

#include <algorithm>
#include <cmath>
#include <cstring>

namespace sinew::gltf {
namespace {

void align(Bytes& bytes) {
    bytes.resize((bytes.size() + 3) & ~size_t{3});
}

size_t add_accessor(Draft& draft, Json accessor) {
    Json& accessors = root_array(draft, "accessors");
    accessors.push_back(std::move(accessor));
    return accessors.size() - 1;
}

void state_bounds(Json& accessor, std::span<const float> values, size_t components) {
    std::vector<float> low(components, INFINITY), high(components, -INFINITY);
    for (size_t i = 0; i < values.size(); ++i) {
        low[i % components] = std::min(low[i % components], values[i]);
        high[i % components] = std::max(high[i % components], values[i]);
    }
    accessor["min"] = to_json(low);
    accessor["max"] = to_json(high);
}

template <class Int>
size_t add_unsigned(Draft& draft, std::span<const uint32_t> values, ViewTarget target) {
    std::vector<Int> narrow(values.begin(), values.end());
    return add_view(draft, std::as_bytes(std::span(narrow)), target);
}

}  // namespace

Json& root_array(Draft& draft, const char* name) {
    Json& array = draft.json[name];
    if (!array.is_array()) array = Json::array();
    return array;
}

void set_text(Json& object, const char* key, const std::string& text) {
    if (text == text_at(object, key)) return;
    if (text.empty()) {
        object.erase(key);
    } else {
        object[key] = text;
    }
}

// Through double, exactly: JSON's shortest digits then give back the same float.
Json to_json(std::span<const float> values) {
    Json array = Json::array();
    for (const float value : values) array.push_back(static_cast<double>(value));
    return array;
}

size_t add_view(Draft& draft, ByteSpan bytes, ViewTarget target) {
    align(draft.added);
    Json view = {
        {"buffer", draft.source.buffers.size()}, {"byteOffset", draft.added.size()}, {"byteLength", bytes.size()}};
    if (target != ViewTarget::none) view["target"] = static_cast<size_t>(target);
    draft.added.insert(draft.added.end(), bytes.begin(), bytes.end());
    Json& views = root_array(draft, "bufferViews");
    views.push_back(std::move(view));
    return views.size() - 1;
}

size_t add_floats(Draft& draft, std::span<const float> values, const AccessorOptions& options) {
    const size_t components = component_count(options.type);
    Json accessor = {{"bufferView", add_view(draft, std::as_bytes(values), options.target)},
                     {"componentType", 5126},
                     {"count", values.size() / components},
                     {"type", options.type}};
    if (options.bounds) state_bounds(accessor, values, components);
    return add_accessor(draft, std::move(accessor));
}

size_t add_indices(Draft& draft, std::span<const uint32_t> indices, size_t vertex_count) {
    // 65535 itself is the restart value of 16-bit indices, so it can be no vertex.
    const bool small = vertex_count <= 65535;
    const size_t view = small ? add_unsigned<uint16_t>(draft, indices, ViewTarget::indices)
                              : add_view(draft, std::as_bytes(indices), ViewTarget::indices);
    return add_accessor(
        draft,
        {{"bufferView", view}, {"componentType", small ? 5123 : 5125}, {"count", indices.size()}, {"type", "SCALAR"}});
}

size_t add_joints(Draft& draft, std::span<const uint32_t> joints, uint32_t largest) {
    const bool small = largest < 256;
    const size_t view = small ? add_unsigned<uint8_t>(draft, joints, ViewTarget::vertices)
                              : add_unsigned<uint16_t>(draft, joints, ViewTarget::vertices);
    return add_accessor(
        draft,
        {{"bufferView", view}, {"componentType", small ? 5121 : 5123}, {"count", joints.size() / 4}, {"type", "VEC4"}});
}

size_t add_sparse_vectors(Draft& draft, size_t count, std::span<const uint32_t> vertices,
                          std::span<const Vec3> values) {
    Json accessor = {{"componentType", 5126}, {"count", count}, {"type", "VEC3"}};
    Vec3 low = Vec3::Zero(), high = Vec3::Zero();  // the vertices that stay count too
    if (!vertices.empty()) {
        for (const Vec3& value : values) {
            low = low.cwiseMin(value);
            high = high.cwiseMax(value);
        }
        const bool small = count <= 65535;
        const size_t indices = small ? add_unsigned<uint16_t>(draft, vertices, ViewTarget::none)
                                     : add_view(draft, std::as_bytes(vertices));
        accessor["sparse"] = {{"count", vertices.size()},
                              {"indices", {{"bufferView", indices}, {"componentType", small ? 5123 : 5125}}},
                              {"values", {{"bufferView", add_view(draft, std::as_bytes(values))}}}};
    }
    accessor["min"] = to_json({low.data(), 3});
    accessor["max"] = to_json({high.data(), 3});
    return add_accessor(draft, std::move(accessor));
}

Numbering number_items(Draft& draft, const char* array, std::span<const int32_t> sources) {
    const size_t existing = array_at(draft.source.json, array).size();
    std::vector<bool> taken(existing, false);
    Numbering result;
    for (const int32_t source : sources) {
        const bool known = source >= 0 && static_cast<size_t>(source) < existing;
        if (known && !taken[static_cast<size_t>(source)]) {
            taken[static_cast<size_t>(source)] = true;
            result.number.push_back(static_cast<size_t>(source));
            continue;
        }
        Json& items = root_array(draft, array);
        items.push_back(known ? draft.source.json[array][static_cast<size_t>(source)] : Json::object());
        result.number.push_back(items.size() - 1);
    }
    for (size_t i = 0; i < existing; ++i) {
        if (!taken[i]) result.abandoned.push_back(i);
    }
    return result;
}

}  // namespace sinew::gltf
