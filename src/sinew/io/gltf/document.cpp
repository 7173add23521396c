#include <sinew/io/gltf/document.h>

#include <cstring>

#include <fmt/format.h>
#include <sinew/io/gltf/compressed/decompress.h>
#include <sinew/io/gltf/uri.h>

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
        return fail(ErrorCode::unsupported, fmt::format("this is GLB version {}; only version 2 is read", version),
                    "byte 4");
    }
    const size_t length = u32_at(bytes, 8);
    if (length > bytes.size() || length < 12) {
        return broken_glb(fmt::format("the GLB header promises {} bytes, there are {}", length, bytes.size()), 8);
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

// A file that the document names, through the caller's reader.
Result<SharedBytes> fetch(const std::string& uri, const ReadOptions& options) {
    const std::string name = percent_decode(uri);
    if (!is_local_name(name)) {
        return fail(ErrorCode::invalid_data,
                    fmt::format("refers to \"{}\", which is not a file in the document's folder", name));
    }
    if (!options.resources) {
        return fail(ErrorCode::not_found,
                    fmt::format("refers to the file \"{}\", which cannot be opened from here; use a .glb", name));
    }
    return options.resources(name);
}

Result<SharedBytes> resolve_buffer(Json& buffer, const Container& container, bool first, const ReadOptions& options) {
    const std::string uri = text_at(buffer, "uri");
    SharedBytes bytes;
    if (is_data_uri(uri)) {
        SINEW_TRY(auto data, decode_data_uri(uri));
        bytes = SharedBytes::own(std::move(data.bytes));
        buffer.erase("uri");
    } else if (!uri.empty()) {
        SINEW_TRY(bytes, fetch(uri, options));
    } else if (first && container.binary) {
        bytes = container.bin;
    } else {
        return bytes;  // a buffer that only compressed views refer to; any other use of it fails in accessor.cpp
    }
    const size_t length = count_at(buffer, "byteLength");
    if (bytes.view.size() < length) {
        return fail(ErrorCode::invalid_data,
                    fmt::format("has {} bytes instead of {}; the file is cut off", bytes.view.size(), length));
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
            const std::string sniffed = sniff_mime_type(data.bytes);
            image["mimeType"] = sniffed.empty() ? data.mime_type : sniffed;
        }
        return SharedBytes::own(std::move(data.bytes));
    }
    if (!uri.empty()) return fetch(uri, options);
    const int32_t view_index = index_at(image, "bufferView");
    if (view_index < 0) return fail(ErrorCode::invalid_data, "has neither uri nor bufferView");
    const Json& view = document.json["bufferViews"][static_cast<size_t>(view_index)];
    const SharedBytes& buffer = document.buffers[count_at(view, "buffer")];
    const size_t offset = count_at(view, "byteOffset"), length = count_at(view, "byteLength");
    if (offset > buffer.view.size() || length > buffer.view.size() - offset) {
        return fail(ErrorCode::invalid_data, "lies outside its buffer");
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

std::string sniff_mime_type(ByteSpan bytes) {
    const std::string_view text = as_text(bytes);
    if (text.starts_with("\x89PNG\r\n\x1a\n")) return "image/png";
    if (text.starts_with("\xff\xd8\xff")) return "image/jpeg";
    if (text.starts_with("RIFF") && text.size() >= 12 && text.substr(8, 4) == "WEBP") return "image/webp";
    if (text.starts_with("\xabKTX 20\xbb")) return "image/ktx2";
    if (text.starts_with("GIF8")) return "image/gif";
    return {};
}

Result<GltfDocument> load_document(SharedBytes file, const ReadOptions& options, std::vector<std::string>& warnings) {
    SINEW_TRY(const Container container, open_container(file));
    GltfDocument document;
    document.binary = container.binary;
    SINEW_TRY(document.json, parse_json(container.json.view, container.json_offset, options.limits));
    SINEW_TRY_VOID(check_shape(document.json));
    SINEW_TRY_VOID(resolve_buffers(document, container, options));
    SINEW_TRY_VOID(decompress(document, options.limits));
    resolve_images(document, options, warnings);
    return document;
}

}  // namespace sinew::gltf
