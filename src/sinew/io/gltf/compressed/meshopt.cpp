#include <sinew/io/gltf/compressed/decompress.h>

#include <algorithm>
#include <cstdint>
#include <optional>

#include <fmt/format.h>
#include <meshoptimizer.h>
#include <sinew/io/gltf/compressed/meshopt_vertex.h>

namespace sinew::gltf {
namespace {

constexpr const char* extension_names[] = {"EXT_meshopt_compression", "KHR_meshopt_compression"};

enum class Mode : uint8_t { attributes, triangles, indices };
enum class Filter : uint8_t { none, octahedral, quaternion, exponential, color };

struct Stream {
    ByteSpan data;
    size_t count = 0, stride = 0;
    Mode mode = Mode::attributes;
    Filter filter = Filter::none;
};

tl::unexpected<Error> bad_meshopt(const std::string& path, std::string_view what) {
    return fail(ErrorCode::invalid_data, fmt::format("{}; compress the file again", what), path);
}

std::optional<Mode> mode_of(const std::string& text) {
    if (text == "ATTRIBUTES") return Mode::attributes;
    if (text == "TRIANGLES") return Mode::triangles;
    if (text == "INDICES") return Mode::indices;
    return std::nullopt;
}

std::optional<Filter> filter_of(const std::string& text) {
    if (text == "NONE") return Filter::none;
    if (text == "OCTAHEDRAL") return Filter::octahedral;
    if (text == "QUATERNION") return Filter::quaternion;
    if (text == "EXPONENTIAL") return Filter::exponential;
    if (text == "COLOR") return Filter::color;
    return std::nullopt;
}

bool stride_fits(const Stream& stream) {
    const size_t stride = stream.stride;
    if (stream.mode != Mode::attributes) return stride == 2 || stride == 4;
    switch (stream.filter) {
        case Filter::octahedral:
        case Filter::color:
            return stride == 4 || stride == 8;
        case Filter::quaternion:
            return stride == 8;
        default:
            return stride % 4 == 0 && stride >= 4 && stride <= 256;
    }
}

// A member that must be a non-negative integer; the extension's own members are outside check_schema's tables.
Result<size_t> natural(const Json& json, const char* key, std::optional<size_t> fallback, const std::string& path) {
    const Json& value = member(json, key);
    if (value.is_null() && fallback) return *fallback;
    if (!value.is_number_unsigned() || value.get<uint64_t>() > (uint64_t{1} << 53)) {
        return bad_meshopt(path + "/" + key, "must be an integer of 0 or more");
    }
    return static_cast<size_t>(std::min<uint64_t>(value.get<uint64_t>(), SIZE_MAX));
}

Result<Stream> open_stream(const GltfDocument& document, const Json& json, const std::string& path) {
    Stream stream;
    SINEW_TRY(const size_t buffer, natural(json, "buffer", std::nullopt, path));
    SINEW_TRY(const size_t offset, natural(json, "byteOffset", 0, path));
    SINEW_TRY(const size_t length, natural(json, "byteLength", std::nullopt, path));
    SINEW_TRY(stream.stride, natural(json, "byteStride", std::nullopt, path));
    SINEW_TRY(stream.count, natural(json, "count", std::nullopt, path));
    if (buffer >= document.buffers.size())
        return bad_meshopt(path + "/buffer", "the file has no buffer of this number");
    const ByteSpan bytes = document.buffers[buffer].view;
    if (offset > bytes.size() || length > bytes.size() - offset)
        return bad_meshopt(path, "the meshopt data lies outside its buffer");
    stream.data = bytes.subspan(offset, length);
    const auto mode = mode_of(text_at(json, "mode"));
    const auto filter = filter_of(text_at(json, "filter", "NONE"));
    if (!mode) return bad_meshopt(path + "/mode", "the mode is none of ATTRIBUTES, TRIANGLES, INDICES");
    if (!filter)
        return fail(ErrorCode::unsupported, "Sinew does not know this filter; compress the file without it",
                    path + "/filter");
    stream.mode = *mode;
    stream.filter = *filter;
    if (!stride_fits(stream))
        return bad_meshopt(path + "/byteStride", "the stride does not suit the mode and the filter");
    if (*mode == Mode::triangles && stream.count % 3 != 0)
        return bad_meshopt(path + "/count", "the count is not a multiple of three");
    return stream;
}

// What `length` bytes can decode to at most: a block of vertices stores at least two bits per byte column, a triangle
// and an index one byte each. Keeps a hostile count from allocating.
bool plausible(const Stream& stream) {
    const size_t length = stream.data.size();
    switch (stream.mode) {
        case Mode::attributes:
            return stream.count / 1024 <= length;
        case Mode::triangles:
            return stream.count / 3 <= length;
        case Mode::indices:
            return stream.count <= length;
    }
    return false;
}

bool decode(const Stream& stream, Bytes& out) {
    const auto* data = reinterpret_cast<const unsigned char*>(stream.data.data());
    const size_t size = stream.data.size();
    switch (stream.mode) {
        case Mode::attributes:
            return decode_meshopt_vertices(stream.data, stream.stride, out);
        case Mode::triangles:
            return meshopt_decodeIndexBuffer(out.data(), stream.count, stream.stride, data, size) == 0;
        case Mode::indices:
            return meshopt_decodeIndexSequence(out.data(), stream.count, stream.stride, data, size) == 0;
    }
    return false;
}

void apply_filter(const Stream& stream, Bytes& out) {
    switch (stream.filter) {
        case Filter::none:
            return;
        case Filter::octahedral:
            return meshopt_decodeFilterOct(out.data(), stream.count, stream.stride);
        case Filter::quaternion:
            return meshopt_decodeFilterQuat(out.data(), stream.count, stream.stride);
        case Filter::exponential:
            return meshopt_decodeFilterExp(out.data(), stream.count, stream.stride);
        case Filter::color:
            return decode_meshopt_colors(out, stream.stride);
    }
}

Result<void> decompress_view(GltfDocument& document, size_t index, const char* extension, size_t& budget) {
    const std::string path = fmt::format("/bufferViews/{}/extensions/{}", index, extension);
    const Json json = document.json["bufferViews"][index]["extensions"][extension];
    if (!json.is_object()) return bad_meshopt(path, "must be a JSON object");
    SINEW_TRY(const Stream stream, open_stream(document, json, path));
    if (!plausible(stream)) return bad_meshopt(path, "the meshopt data is too short for its count");
    if (stream.count > budget / stream.stride) {
        return fail(ErrorCode::limit_exceeded,
                    "the data decompresses to more than the limit; split the file into smaller ones", path);
    }
    Bytes bytes(stream.count * stream.stride);
    budget -= bytes.size();
    if (!decode(stream, bytes)) return bad_meshopt(path, "the meshopt data is damaged");
    apply_filter(stream, bytes);
    const size_t length = bytes.size();
    const size_t buffer = add_buffer(document, std::move(bytes));
    Json& view = document.json["bufferViews"][index];
    remove_extension(view, extension);
    view.erase("byteOffset");
    view["buffer"] = buffer;
    view["byteLength"] = length;
    return {};
}

}  // namespace

Result<void> decompress_meshopt(GltfDocument& document, size_t& budget) {
    bool any = false;
    for (size_t i = 0; i < array_at(document.json, "bufferViews").size(); ++i) {
        for (const char* name : extension_names) {
            if (!member(document.json["bufferViews"][i], "extensions").contains(name)) continue;
            SINEW_TRY_VOID(decompress_view(document, i, name, budget));
            any = true;
        }
    }
    if (!any) return {};
    for (Json& buffer : document.json["buffers"]) {
        for (const char* name : extension_names) remove_extension(buffer, name);
    }
    return {};
}

}  // namespace sinew::gltf
