// GltfDocument: a glTF file as its container gives it — the JSON and the bytes it refers to.
// Data flow: bytes → *here* → accessor.h, parts.h → Character; write/ goes back. For io/gltf alone.
#pragma once

#include <sinew/core/bytes.h>
#include <sinew/io/read.h>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sinew {

// The JSON has passed gltf::check_schema: the members that Sinew knows have the right types, and their indices exist.
// Data URIs and compressed geometry are decoded; the URIs' text and the compression extensions are gone from the JSON.
struct GltfDocument {
    nlohmann::json json;
    std::vector<SharedBytes> buffers;  // one per /buffers; empty when a buffer has no bytes of its own
    std::vector<SharedBytes> images;   // one per /images, encoded; empty when its file is missing
    bool decompressed = false;         // some buffer ranges hold compressed data that nothing refers to any more
    bool binary = false;               // came from a .glb
};

namespace gltf {

using Json = nlohmann::json;

// Container → document: GLB chunks, data URIs, files through options.resources, Draco and meshopt decompressed.
// A missing image file becomes a warning. Buffers inside `file` are not copied.
Result<GltfDocument> load_document(SharedBytes file, const ReadOptions& options, std::vector<std::string>& warnings);

// Bounded in depth and in the number of values. `offset` is where the text starts in the file, for error messages.
Result<Json> parse_json(ByteSpan text, size_t offset, const Limits& limits);

// Fails at the first member that Sinew relies on and that does not have the type and range that glTF gives it.
Result<void> check_schema(const Json& root);

// "export it again" for a document that breaks glTF's rules at `where`.
tl::unexpected<Error> wrong(std::string where, std::string_view what);

// Members of a document that has passed check_schema. Absent ones give null, an empty array, −1 or the fallback.
const Json& member(const Json& object, const char* key);
const Json& array_at(const Json& object, const char* key);
int32_t index_at(const Json& object, const char* key);
size_t count_at(const Json& object, const char* key, size_t fallback = 0);
double number_at(const Json& object, const char* key, double fallback);
bool flag_at(const Json& object, const char* key);
std::string text_at(const Json& object, const char* key, std::string_view fallback = {});

}  // namespace gltf
}  // namespace sinew
