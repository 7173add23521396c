#include <sinew/io/gltf/compressed/decompress.h>

#include <cstring>
#include <limits>
#include <map>
#include <set>

#include <draco/compression/decode.h>
#include <fmt/format.h>
#include <sinew/io/gltf/accessor.h>

namespace sinew::gltf {
namespace {

constexpr const char* draco_name = "KHR_draco_mesh_compression";

tl::unexpected<Error> bad_draco(const std::string& path, std::string_view what) {
    return fail(ErrorCode::invalid_data, fmt::format("{}; compress the file again", what), path);
}

size_t padded(size_t size) {
    return (size + 3) & ~size_t{3};
}

// Decoded arrays of one primitive, one after another in a buffer of their own, each with a bufferView.
struct Output {
    Bytes bytes;
    struct Part {
        size_t offset, length, stride;  // stride 0: indices
        size_t accessor;
        size_t count;
        Component component;
    };
    std::vector<Part> parts;
};

template <class T>
bool convert_points(const draco::PointAttribute& attribute, size_t points, size_t components, size_t stride,
                    std::byte* out) {
    std::array<T, 16> values{};
    for (uint32_t p = 0; p < points; ++p) {
        const draco::AttributeValueIndex index = attribute.mapped_index(draco::PointIndex(p));
        if (!attribute.ConvertValue<T>(index, static_cast<int8_t>(components), values.data())) return false;
        std::memcpy(out + p * stride, values.data(), components * sizeof(T));
    }
    return true;
}

bool convert_points(const draco::PointAttribute& attribute, Component type, size_t points, size_t components,
                    size_t stride, std::byte* out) {
    switch (type) {
        case Component::i8:
            return convert_points<int8_t>(attribute, points, components, stride, out);
        case Component::u8:
            return convert_points<uint8_t>(attribute, points, components, stride, out);
        case Component::i16:
            return convert_points<int16_t>(attribute, points, components, stride, out);
        case Component::u16:
            return convert_points<uint16_t>(attribute, points, components, stride, out);
        case Component::u32:
            return convert_points<uint32_t>(attribute, points, components, stride, out);
        case Component::f32:
            return convert_points<float>(attribute, points, components, stride, out);
    }
    return false;
}

void store_index(std::byte* out, Component type, uint32_t value) {
    const auto u8 = static_cast<uint8_t>(value);
    const auto u16 = static_cast<uint16_t>(value);
    if (type == Component::u8) std::memcpy(out, &u8, 1);
    if (type == Component::u16) std::memcpy(out, &u16, 2);
    if (type == Component::u32) std::memcpy(out, &value, 4);
}

// Room for a part at the end of the output, within the budget.
Result<std::byte*> reserve(Output& out, size_t count, size_t stride, size_t& budget, const std::string& path) {
    if (count > budget / stride) {
        return fail(ErrorCode::limit_exceeded,
                    "the data decompresses to more than the limit; split the file into smaller ones", path);
    }
    const size_t offset = out.bytes.size(), length = count * stride;
    budget -= length;
    out.bytes.resize(offset + padded(length));
    return out.bytes.data() + offset;
}

Result<void> decode_indices(const draco::Mesh& mesh, const Json& accessor, size_t index, size_t& budget, Output& out,
                            const std::string& path) {
    auto type = static_cast<Component>(count_at(accessor, "componentType"));
    if (type != Component::u8 && type != Component::u16) type = Component::u32;
    if (type == Component::u8 && mesh.num_points() > 255) type = Component::u16;
    if (type == Component::u16 && mesh.num_points() > 65535) type = Component::u32;
    const size_t count = size_t{mesh.num_faces()} * 3, size = component_size(type), offset = out.bytes.size();
    SINEW_TRY(std::byte * target, reserve(out, count, size, budget, path));
    for (uint32_t f = 0; f < mesh.num_faces(); ++f) {
        const draco::Mesh::Face& face = mesh.face(draco::FaceIndex(f));
        for (size_t corner = 0; corner < 3; ++corner) {
            store_index(target + (f * size_t{3} + corner) * size, type, face[corner].value());
        }
    }
    out.parts.push_back({offset, count * size, 0, index, count, type});
    return {};
}

Result<void> decode_attribute(const draco::Mesh& mesh, uint32_t unique_id, const Json& accessor, size_t index,
                              size_t& budget, Output& out, const std::string& path) {
    const draco::PointAttribute* attribute = mesh.GetAttributeByUniqueId(unique_id);
    if (!attribute) return bad_draco(path, "the Draco data does not have this attribute");
    const size_t components = component_count(text_at(accessor, "type"));
    const auto type = static_cast<Component>(count_at(accessor, "componentType"));
    if (components == 0 || components > 4) return bad_draco(path, "the accessor's type does not suit Draco data");
    const size_t stride = padded(components * component_size(type)), offset = out.bytes.size();
    const size_t count = mesh.num_points();
    SINEW_TRY(std::byte * target, reserve(out, count, stride, budget, path));
    if (!convert_points(*attribute, type, count, components, stride, target)) {
        return bad_draco(path, "the Draco values do not fit the accessor's type");
    }
    out.parts.push_back({offset, count * stride, stride, index, count, type});
    return {};
}

Result<std::unique_ptr<draco::Mesh>> decode_mesh(ByteSpan data, const std::string& path) {
    draco::DecoderBuffer buffer;
    buffer.Init(reinterpret_cast<const char*>(data.data()), data.size());
    const auto type = draco::Decoder::GetEncodedGeometryType(&buffer);
    if (!type.ok() || type.value() != draco::TRIANGULAR_MESH)
        return bad_draco(path, "the Draco data holds no triangles");
    draco::Decoder decoder;
    auto mesh = decoder.DecodeMeshFromBuffer(&buffer);
    if (!mesh.ok()) {
        return bad_draco(path, fmt::format("the Draco data cannot be decoded ({})", mesh.status().error_msg()));
    }
    return std::move(mesh).value();
}

Result<ByteSpan> compressed_bytes(const GltfDocument& document, const Json& extension, const std::string& path) {
    const Json& view_index = member(extension, "bufferView");
    const Json& views = array_at(document.json, "bufferViews");
    if (!view_index.is_number_unsigned() || view_index.get<uint64_t>() >= views.size()) {
        return bad_draco(path + "/bufferView", "the file has no bufferView of this number");
    }
    const Json& view = views[view_index.get<size_t>()];
    const ByteSpan buffer = document.buffers[count_at(view, "buffer")].view;
    const size_t offset = count_at(view, "byteOffset"), length = count_at(view, "byteLength");
    if (offset > buffer.size() || length > buffer.size() - offset)
        return bad_draco(path, "the Draco data lies outside its buffer");
    return buffer.subspan(offset, length);
}

// Which accessors already hold decoded data, and which compressed views have been spent.
struct State {
    std::set<size_t> filled_accessors;
    std::set<size_t> spent_views;
};

// Points an accessor at its decoded part. One that another primitive's data has filled is copied: two primitives may
// share an accessor's description but never its decoded values.
size_t fill_accessor(Json& root, const Output::Part& part, size_t view, State& state) {
    size_t index = part.accessor;
    Json& accessors = root["accessors"];
    if (state.filled_accessors.contains(index)) {
        accessors.push_back(Json(accessors[index]));
        index = accessors.size() - 1;
    }
    state.filled_accessors.insert(index);
    Json& accessor = accessors[index];
    for (const char* key : {"byteOffset", "sparse", "min", "max"}) accessor.erase(key);
    accessor["bufferView"] = view;
    accessor["count"] = part.count;
    accessor["componentType"] = static_cast<size_t>(part.component);
    return index;
}

// The compressed data's own bufferView is reused for the first part, so that no number changes and none is wasted.
size_t place_view(Json& root, Json view, size_t compressed_view, State& state) {
    Json& views = root["bufferViews"];
    if (state.spent_views.insert(compressed_view).second) {
        views[compressed_view] = std::move(view);
        return compressed_view;
    }
    views.push_back(std::move(view));
    return views.size() - 1;
}

struct Job {
    size_t mesh, primitive;
    Json extension;
    Output output;
};

Result<Job> decode_primitive(const GltfDocument& document, size_t m, size_t p, size_t& budget) {
    const std::string path = fmt::format("/meshes/{}/primitives/{}/extensions/{}", m, p, draco_name);
    const Json& primitive = document.json["meshes"][m]["primitives"][p];
    Job job{m, p, primitive["extensions"][draco_name], {}};
    SINEW_TRY(const ByteSpan data, compressed_bytes(document, job.extension, path));
    SINEW_TRY(const auto mesh, decode_mesh(data, path));
    const Json& accessors = document.json["accessors"];
    if (const int32_t indices = index_at(primitive, "indices"); indices >= 0) {
        const auto i = static_cast<size_t>(indices);
        SINEW_TRY_VOID(decode_indices(*mesh, accessors[i], i, budget, job.output, path));
    }
    const Json& ids = member(job.extension, "attributes");
    if (!ids.is_object()) return bad_draco(path + "/attributes", "must be a JSON object");
    for (const auto& [semantic, id] : ids.items()) {
        const int32_t accessor = index_at(primitive["attributes"], semantic.c_str());
        if (!id.is_number_unsigned() || id.get<uint64_t>() > std::numeric_limits<uint32_t>::max()) {
            return bad_draco(path + "/attributes/" + semantic, "must be an integer of 0 or more");
        }
        if (accessor < 0) continue;
        const auto i = static_cast<size_t>(accessor);
        SINEW_TRY_VOID(decode_attribute(*mesh, id.get<uint32_t>(), accessors[i], i, budget, job.output,
                                        path + "/attributes/" + semantic));
    }
    return job;
}

void replace(GltfDocument& document, Job job, State& state) {
    Json& root = document.json;
    const size_t compressed_view = job.extension["bufferView"].get<size_t>();
    const auto parts = std::move(job.output.parts);
    const size_t buffer = add_buffer(document, std::move(job.output.bytes));
    std::map<size_t, size_t> renamed;
    for (const Output::Part& part : parts) {
        Json view = {{"buffer", buffer}, {"byteOffset", part.offset}, {"byteLength", part.length}};
        view["target"] = part.stride == 0 ? 34963 : 34962;
        if (part.stride != 0) view["byteStride"] = part.stride;
        renamed[part.accessor] =
            fill_accessor(root, part, place_view(root, std::move(view), compressed_view, state), state);
    }
    Json& primitive = root["meshes"][job.mesh]["primitives"][job.primitive];
    if (primitive.contains("indices") && renamed.contains(count_at(primitive, "indices"))) {
        primitive["indices"] = renamed[count_at(primitive, "indices")];
    }
    for (const auto& [semantic, id] : job.extension["attributes"].items()) {
        if (!primitive["attributes"].contains(semantic)) continue;
        Json& accessor = primitive["attributes"][semantic];
        accessor = renamed[accessor.get<size_t>()];
    }
    if (count_at(primitive, "mode", 4) != 4)
        primitive["mode"] = 4;  // Draco stores triangles, whatever they were before
    remove_extension(primitive, draco_name);
}

// POSITION needs its bounds, which the compressed file's accessors state only for what they were before.
void restore_bounds(GltfDocument& document, const std::vector<std::pair<size_t, size_t>>& primitives) {
    for (const auto& [m, p] : primitives) {
        const int32_t index = index_at(document.json["meshes"][m]["primitives"][p]["attributes"], "POSITION");
        if (index < 0) continue;
        const auto accessor = open_accessor(document, static_cast<size_t>(index));
        if (!accessor || accessor->count == 0) continue;
        const ValueRange range = value_range(*accessor);
        Json& json = document.json["accessors"][static_cast<size_t>(index)];
        json["min"] = range.min;
        json["max"] = range.max;
    }
}

}  // namespace

Result<void> decompress_draco(GltfDocument& document, size_t& budget) {
    State state;
    std::vector<Job> jobs;
    std::vector<std::pair<size_t, size_t>> primitives;
    // All are decoded before any is replaced: primitives may share one compressed view.
    for (size_t m = 0; m < array_at(document.json, "meshes").size(); ++m) {
        for (size_t p = 0; p < document.json["meshes"][m]["primitives"].size(); ++p) {
            if (!member(document.json["meshes"][m]["primitives"][p], "extensions").contains(draco_name)) continue;
            SINEW_TRY(Job job, decode_primitive(document, m, p, budget));
            jobs.push_back(std::move(job));
            primitives.emplace_back(m, p);
        }
    }
    for (Job& job : jobs) replace(document, std::move(job), state);
    restore_bounds(document, primitives);
    return {};
}

}  // namespace sinew::gltf
