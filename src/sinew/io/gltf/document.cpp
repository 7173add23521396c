#include <sinew/io/gltf/document.h>

#include <cstring>

#include <fmt/format.h>
#include <sinew/image/image_type.h>
#include <sinew/io/gltf/compressed/decompress.h>
#include <sinew/io/gltf/uri.h>
#include <sinew/io/resources.h>

namespace sinew::gltf {
namespace {

uint32_t u32_at(ByteSpan bytes, size_t offset) {
    uint32_t value = 0;
    for (size_t i = 0; i < 4; ++i) value |= std::to_integer<uint32_t>(bytes[offset + i]) << (8 * i);
    return value;
}

struct Container {
    SharedBytes json;
    size_t json_offset = 0;
    SharedBytes bin;  // empty in a .gltf and in a .glb without one
    bool binary = false;
};

tl::unexpected<Error> broken_glb(std::string_view what, size_t offset) {
    return fail(ErrorCode::invalid_data, fmt::format("{}; the file is cut off or damaged", what),
                fmt::format("byte {}", offset));
}

Result<Container> open_glb(const SharedBytes& file) {
    constexpr uint32_t json_chunk = 0x4e4f534a, bin_chunk = 0x004e4942;
    const ByteSpan bytes = file.view;
    if (bytes.size() < 12) return broken_glb("the GLB header is incomplete", bytes.size());
    const uint32_t version = u32_at(bytes, 4);
    if (version != 2) {
        return fail(
            ErrorCode::unsupported,
            fmt::format("this is GLB version {}, and only version 2 can be read; convert it to glTF 2.0", version),
            "byte 4");
    }
    const size_t length = u32_at(bytes, 8);
    if (length > bytes.size() || length < 12) {
        return broken_glb(fmt::format("the GLB header says {} bytes, but the file has {}", length, bytes.size()), 8);
    }
    Container container{.binary = true};
    bool has_json = false, has_bin = false;
    for (size_t offset = 12; length - offset >= 8;) {
        const size_t size = u32_at(bytes, offset);
        const uint32_t type = u32_at(bytes, offset + 4);
        if (size > length - offset - 8) return broken_glb("a GLB chunk is longer than the file", offset);
        if (type == json_chunk && !has_json) {
            has_json = true;
            container.json = file.part(offset + 8, size);
            container.json_offset = offset + 8;
        } else if (type == bin_chunk && !has_bin) {
            has_bin = true;
            container.bin = file.part(offset + 8, size);
        }
        offset += 8 + size;
    }
    if (!has_json) return broken_glb("the GLB has no JSON chunk", 12);
    return container;
}

Result<Container> open_container(const SharedBytes& file) {
    if (file.view.size() >= 4 && u32_at(file.view, 0) == 0x46546c67) return open_glb(file);
    return Container{.json = file};
}

Result<SharedBytes> resolve_buffer(Json& buffer, const Container& container, bool first, const ReadOptions& options) {
    const std::string uri = text_at(buffer, "uri");
    SharedBytes bytes;
    if (is_data_uri(uri)) {
        SINEW_TRY(auto data, decode_data_uri(uri));
        bytes = SharedBytes::own(std::move(data.bytes));
        buffer.erase("uri");
    } else if (!uri.empty()) {
        SINEW_TRY(bytes, fetch_resource(percent_decode(uri), options));
    } else if (first && container.binary) {
        bytes = container.bin;
    } else {
        return bytes;  // a buffer that only compressed views refer to; any other use of it fails in accessor.cpp
    }
    const size_t length = count_at(buffer, "byteLength");
    if (bytes.view.size() < length) {
        return fail(ErrorCode::invalid_data, fmt::format("the buffer has {} bytes instead of {}; the file is cut off",
                                                         bytes.view.size(), length));
    }
    return bytes.part(0, length);
}

Result<void> resolve_buffers(GltfDocument& document, const Container& container, const ReadOptions& options) {
    if (!document.json.contains("buffers")) return {};
    Json& buffers = document.json["buffers"];
    for (size_t i = 0; i < buffers.size(); ++i) {
        auto bytes = resolve_buffer(buffers[i], container, i == 0, options);
        if (!bytes) {
            Error error = std::move(bytes).error();
            error.where = fmt::format("/buffers/{}", i);
            return fail(std::move(error));
        }
        document.buffers.push_back(*std::move(bytes));
    }
    return {};
}

Result<SharedBytes> resolve_image(const GltfDocument& document, Json& image, const ReadOptions& options) {
    const std::string uri = text_at(image, "uri");
    if (is_data_uri(uri)) {
        SINEW_TRY(auto data, decode_data_uri(uri));
        image.erase("uri");
        if (!image.contains("mimeType")) {
            const std::string_view sniffed = image_mime_type(data.bytes);
            image["mimeType"] = sniffed.empty() ? data.mime_type : std::string(sniffed);
        }
        return SharedBytes::own(std::move(data.bytes));
    }
    if (!uri.empty()) return fetch_resource(percent_decode(uri), options);
    const int32_t view_index = index_at(image, "bufferView");
    if (view_index < 0)
        return fail(ErrorCode::invalid_data, "the image has neither \"uri\" nor \"bufferView\"; export the file again");
    const Json& view = document.json["bufferViews"][static_cast<size_t>(view_index)];
    const SharedBytes& buffer = document.buffers[count_at(view, "buffer")];
    const size_t offset = count_at(view, "byteOffset"), length = count_at(view, "byteLength");
    if (offset > buffer.view.size() || length > buffer.view.size() - offset) {
        return fail(ErrorCode::invalid_data, "the image lies outside its buffer; the file is cut off or damaged");
    }
    return buffer.part(offset, length);
}

// A picture that is missing or broken is no reason to refuse a character.
void resolve_images(GltfDocument& document, const ReadOptions& options, std::vector<std::string>& warnings) {
    if (!document.json.contains("images")) return;
    Json& images = document.json["images"];
    for (size_t i = 0; i < images.size(); ++i) {
        auto bytes = resolve_image(document, images[i], options);
        if (!bytes) warnings.push_back(fmt::format("/images/{}: {}", i, bytes.error().message));
        document.images.push_back(bytes ? *std::move(bytes) : SharedBytes{});
    }
}

}  // namespace

Result<GltfDocument> load_document(SharedBytes file, const ReadOptions& options, std::vector<std::string>& warnings) {
    SINEW_TRY(const Container container, open_container(file));
    GltfDocument document;
    document.binary = container.binary;
    SINEW_TRY(document.json, parse_json(container.json.view, container.json_offset, options.limits));
    SINEW_TRY_VOID(check_schema(document.json));
    SINEW_TRY_VOID(resolve_buffers(document, container, options));
    SINEW_TRY_VOID(decompress(document, options.limits));
    resolve_images(document, options, warnings);
    return document;
}

}  // namespace sinew::gltf
