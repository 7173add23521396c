#include <algorithm>
#include <cstring>
#include <limits>
#include <set>

#include <fmt/format.h>
#include <sinew/image/image_type.h>
#include <sinew/io/gltf/uri.h>
#include <sinew/io/gltf/write/draft.h>
#include <sinew/io/safe_path.h>

namespace sinew::gltf {
namespace {

namespace fs = std::filesystem;

size_t aligned(size_t size) {
    return (size + 3) & ~size_t{3};
}

void append(Bytes& out, ByteSpan bytes) {
    out.resize(aligned(out.size()));
    out.insert(out.end(), bytes.begin(), bytes.end());
}

struct Range {
    size_t begin, end;
    size_t base = 0;  // where it goes in the output
};

// The stretches of a source buffer that bufferViews cover, overlapping ones joined, in order.
std::vector<Range> covered(const Json& views, size_t buffer, size_t size) {
    std::vector<Range> ranges;
    for (const Json& view : views) {
        if (count_at(view, "buffer") != buffer) continue;
        const size_t offset = count_at(view, "byteOffset"), length = count_at(view, "byteLength");
        if (offset <= size && length <= size - offset) ranges.push_back({offset, offset + length});
    }
    std::sort(ranges.begin(), ranges.end(), [](const Range& a, const Range& b) { return a.begin < b.begin; });
    std::vector<Range> joined;
    for (const Range& range : ranges) {
        if (!joined.empty() && range.begin <= joined.back().end) {
            joined.back().end = std::max(joined.back().end, range.end);
        } else {
            joined.push_back(range);
        }
    }
    return joined;
}

// Where the output puts a view that starts at `offset` of a source buffer.
size_t moved(const std::vector<Range>& ranges, size_t offset) {
    const auto after = std::upper_bound(ranges.begin(), ranges.end(), offset,
                                        [](size_t value, const Range& range) { return value < range.begin; });
    const Range& range = *std::prev(after);
    return range.base + (offset - range.begin);
}

// All buffers in one. Whole, unless something in them is given up: then only what bufferViews cover.
Bytes merge_buffers(Draft& draft, bool whole) {
    const auto& sources = draft.source.buffers;
    const Json views = array_at(draft.json, "bufferViews");
    Bytes out;
    size_t total = draft.added.size();
    for (const SharedBytes& buffer : sources) total += aligned(buffer.view.size());
    if (whole) out.reserve(total + 8);
    std::vector<std::vector<Range>> ranges(sources.size());
    for (size_t b = 0; b < sources.size(); ++b) {
        const size_t size = sources[b].view.size();
        ranges[b] = covered(views, b, size);
        if (whole && size > 0) ranges[b] = {{0, size}};
        for (Range& range : ranges[b]) {
            // A start that was aligned stays so.
            const size_t base = aligned(out.size()) + (range.begin & 3);
            out.resize(base);
            range.base = base;
            const ByteSpan bytes = sources[b].view.subspan(range.begin, range.end - range.begin);
            out.insert(out.end(), bytes.begin(), bytes.end());
        }
    }
    const size_t added_base = aligned(out.size());
    if (!draft.added.empty()) append(out, draft.added);
    draft.added = {};
    if (views.empty()) return out;
    for (Json& view : draft.json["bufferViews"]) {
        const size_t buffer = count_at(view, "buffer"), offset = count_at(view, "byteOffset");
        const size_t length = count_at(view, "byteLength");
        size_t base = added_base + offset;
        if (buffer < sources.size()) {
            const size_t size = sources[buffer].view.size();
            const bool exists = offset <= size && length <= size - offset && size > 0;
            // A view that lies outside its buffer has no bytes; what refers to it was never read.
            base = exists ? moved(ranges[buffer], offset) : 0;
            if (!exists) view["byteLength"] = 1;
        }
        if (count_at(view, "byteLength") + base > out.size()) out.resize(base + count_at(view, "byteLength"));
        view["buffer"] = 0;
        if (base != 0 || view.contains("byteOffset")) view["byteOffset"] = base;
    }
    return out;
}

std::string mime_type_of(const Json& image, ByteSpan bytes) {
    const std::string stated = text_at(image, "mimeType");
    if (!stated.empty()) return stated;
    const std::string_view sniffed = image_mime_type(bytes);
    return std::string(sniffed.empty() ? "application/octet-stream" : sniffed);
}

void embed(Draft& draft, size_t index) {
    const SharedBytes bytes = draft.image_bytes[index];
    const size_t view = add_view(draft, bytes.view);
    Json& image = draft.json["images"][index];
    image["mimeType"] = mime_type_of(image, bytes.view);
    image.erase("uri");
    image["bufferView"] = view;
}

// A name beside the main file that no other file of this output has, unless with the same bytes.
std::string free_name(const std::string& wanted, ByteSpan bytes, const std::vector<OutputFile>& files,
                      const fs::path& folder, const std::set<std::string>& reserved) {
    const fs::path name(wanted);
    for (int i = 1;; ++i) {
        fs::path candidate = name;
        if (i > 1)
            candidate.replace_filename(fmt::format("{}_{}{}", name.stem().string(), i, name.extension().string()));
        if (reserved.contains(candidate.string())) continue;
        const auto same = [&](const OutputFile& file) { return file.path == folder / candidate; };
        const auto it = std::find_if(files.begin(), files.end(), same);
        if (it == files.end() || std::equal(it->bytes.begin(), it->bytes.end(), bytes.begin(), bytes.end())) {
            return candidate.string();
        }
    }
}

// Pictures that had a file of their own have one again; all others live in bufferViews.
void place_images(Draft& draft, bool binary, const fs::path& folder, const std::set<std::string>& reserved,
                  std::vector<OutputFile>& files) {
    for (size_t i = 0; i < draft.image_bytes.size(); ++i) {
        Json& image = draft.json["images"][i];
        const ByteSpan bytes = draft.image_bytes[i].view;
        if (bytes.empty()) continue;
        const std::string uri = text_at(image, "uri");
        std::string name = percent_decode(uri);
        if (!uri.empty() && !is_safe_path(name)) name = fs::path(name).filename().string();
        if (binary || uri.empty() || !is_safe_path(name)) {
            if (!image.contains("bufferView")) embed(draft, i);
            continue;
        }
        const std::string chosen = free_name(name, bytes, files, folder, reserved);
        if (chosen != percent_decode(uri)) image["uri"] = percent_encode(chosen);
        const fs::path path = folder / chosen;
        const auto same = [&](const OutputFile& file) { return file.path == path; };
        if (std::none_of(files.begin(), files.end(), same)) files.push_back({path, Bytes(bytes.begin(), bytes.end())});
    }
}

// What is left of the source's descriptions of its buffers goes to the one buffer there is now.
void describe_buffer(Draft& draft, size_t length, const std::string& uri) {
    Json buffer = array_at(draft.source.json, "buffers").empty() ? Json::object() : draft.source.json["buffers"][0];
    draft.json.erase("buffers");
    if (length == 0) return;
    buffer.erase("uri");
    if (!uri.empty()) buffer["uri"] = uri;
    buffer["byteLength"] = length;
    draft.json["buffers"] = Json::array({std::move(buffer)});
}

void put_u32(Bytes& out, uint32_t value) {
    for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

Result<Bytes> encode_glb(const std::string& json, const Bytes& bin) {
    const size_t total = 12 + 8 + aligned(json.size()) + (bin.empty() ? 0 : 8 + aligned(bin.size()));
    if (total > std::numeric_limits<uint32_t>::max()) {
        return fail(ErrorCode::limit_exceeded, "a .glb file cannot be larger than 4 GiB; choose .gltf");
    }
    Bytes out;
    out.reserve(total);
    put_u32(out, 0x46546c67);
    put_u32(out, 2);
    put_u32(out, static_cast<uint32_t>(total));
    put_u32(out, static_cast<uint32_t>(aligned(json.size())));
    put_u32(out, 0x4e4f534a);
    const ByteSpan text = as_byte_span(json);
    out.insert(out.end(), text.begin(), text.end());
    out.resize(aligned(out.size()), std::byte{' '});
    if (bin.empty()) return out;
    put_u32(out, static_cast<uint32_t>(aligned(bin.size())));
    put_u32(out, 0x004e4942);
    out.insert(out.end(), bin.begin(), bin.end());
    out.resize(aligned(out.size()));
    return out;
}

Bytes to_bytes(const std::string& text) {
    const ByteSpan span = as_byte_span(text);
    return {span.begin(), span.end()};
}

}  // namespace

Result<std::vector<OutputFile>> finish(Draft& draft, const fs::path& path) {
    std::string extension = path.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return std::tolower(c); });
    const bool binary = extension != ".gltf";
    const size_t views_before = array_at(draft.source.json, "bufferViews").size();
    const Json source_views = array_at(draft.source.json, "bufferViews");
    drop_replaced_data(draft);
    mend_bounds(draft);
    bool whole = !draft.source.decompressed;
    for (size_t i = 0; i < views_before && whole; ++i) {
        const Json& views = array_at(draft.json, "bufferViews");
        whole = i < views.size() && views[i] == source_views[i];
    }

    std::vector<OutputFile> files;
    const std::string bin_name = path.stem().string() + ".bin";
    place_images(draft, binary, path.parent_path(), {bin_name, path.filename().string()}, files);
    Bytes bin = merge_buffers(draft, whole);
    describe_buffer(draft, bin.size(), binary ? std::string() : percent_encode(bin_name));
    if (binary) {
        SINEW_TRY(Bytes bytes, encode_glb(draft.json.dump(), bin));
        files.push_back({path, std::move(bytes)});
        return files;
    }
    if (!bin.empty()) files.push_back({path.parent_path() / bin_name, std::move(bin)});
    files.push_back({path, to_bytes(draft.json.dump(2) + "\n")});
    return files;
}

}  // namespace sinew::gltf
