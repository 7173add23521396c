#include <sinew/io/gltf/compressed/decompress.h>

#include <algorithm>
#include <array>

namespace sinew::gltf {
namespace {

constexpr std::array names = {"KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"};

bool uses(const Json& root, const char* name) {
    const auto lists = [&](const char* key) {
        const Json& list = array_at(root, key);
        return std::find(list.begin(), list.end(), name) != list.end();
    };
    return lists("extensionsUsed") || lists("extensionsRequired");
}

void forget(Json& root, const char* key, const char* name) {
    const auto it = root.find(key);
    if (it == root.end()) return;
    for (size_t i = it->size(); i-- > 0;) {
        if ((*it)[i] == name) it->erase(i);
    }
    if (it->empty()) root.erase(key);
}

}  // namespace

void remove_extension(Json& object, const char* name) {
    const auto it = object.find("extensions");
    if (it == object.end()) return;
    it->erase(name);
    if (it->empty()) object.erase("extensions");
}

size_t add_buffer(GltfDocument& document, Bytes bytes) {
    Json& buffers = document.json["buffers"];
    buffers.push_back({{"byteLength", bytes.size()}});
    document.buffers.push_back(SharedBytes::own(std::move(bytes)));
    document.decompressed = true;
    return document.buffers.size() - 1;
}

Result<void> decompress(GltfDocument& document, const Limits& limits) {
    size_t budget = limits.max_decoded_bytes;
    SINEW_TRY_VOID(decompress_meshopt(document, budget));  // first: Draco's views may themselves be meshopt's
    SINEW_TRY_VOID(decompress_draco(document, budget));
    for (const char* name : names) {
        if (!uses(document.json, name)) continue;
        forget(document.json, "extensionsUsed", name);
        forget(document.json, "extensionsRequired", name);
    }
    return {};
}

}  // namespace sinew::gltf
