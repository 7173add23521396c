// Draft: a document on its way out — the source's JSON with changes, and the bytes that are new.
// Data flow: Character, GltfDocument → write_*.cpp fill *this* → finish() → files.
#pragma once

#include <sinew/core/file.h>
#include <sinew/io/gltf/accessor.h>
#include <sinew/io/gltf/parts.h>
#include <sinew/skeleton/humanoid.h>
#include <map>

namespace sinew::gltf {

// Numbers of existing accessors, bufferViews, nodes, materials and images never change, because extensions that Sinew
// does not know may refer to them. New ones go behind the last.
struct Draft {
    const GltfDocument& source;  // an empty document for characters that came from elsewhere
    Json json;
    Bytes added;                                 // the new bufferViews' data; they say "buffer": source.buffers.size()
    std::vector<SharedBytes> image_bytes;        // one per /images
    std::map<std::vector<float>, size_t> times;  // accessors of key times written so far: tracks share them

    explicit Draft(const GltfDocument& document) : source(document), json(document.json) {}
};

enum class ViewTarget : uint16_t { none = 0, vertices = 34962, indices = 34963 };

// Appends; returns the new number.
size_t add_view(Draft& draft, ByteSpan bytes, ViewTarget target = ViewTarget::none);

struct AccessorOptions {
    const char* type = "SCALAR";
    ViewTarget target = ViewTarget::none;
    bool bounds = false;  // state min and max
};
size_t add_floats(Draft& draft, std::span<const float> values, const AccessorOptions& options);
// As the smallest unsigned type that holds `largest`; never less than 16 bits for indices.
size_t add_indices(Draft& draft, std::span<const uint32_t> indices, size_t vertex_count);
size_t add_joints(Draft& draft, std::span<const uint32_t> joints, uint32_t largest);
// Zeros except at `vertices`; three floats each. With bounds.
size_t add_sparse_vectors(Draft& draft, size_t count, std::span<const uint32_t> vertices, std::span<const Vec3> values);

// The array of that name at the root, made when absent.
Json& root_array(Draft& draft, const char* name);
// Sets a text member, or takes it away when the text is empty.
void set_text(Json& object, const char* key, const std::string& text);
Json to_json(std::span<const float> values);

// Once all parts are written: what only replaced or removed parts used is given up, as far as no extension can refer to
// it, and the min and max that glTF demands are put right.
struct Numbers;
void drop_abandoned(Draft& draft, const Numbers& numbers);
void drop_replaced_data(Draft& draft);
void mend_bounds(Draft& draft);

// One .glb, or a .gltf with its .bin and images before it. Leaves nothing of the draft's bytes.
Result<std::vector<OutputFile>> finish(Draft& draft, const std::filesystem::path& path);

// Items of one kind that the character has, and the numbers they get in the output. An item keeps its source's number;
// a second item of the same source is a copy of it; others are new.
struct Numbering {
    std::vector<size_t> number;     // of each item
    std::vector<size_t> abandoned;  // source numbers that no item has
};
Numbering number_items(Draft& draft, const char* array, std::span<const int32_t> sources);

// The writers of the parts. Each compares with what the source document says and replaces only what differs.
struct Numbers {
    std::vector<size_t> images, materials, skins;
    std::vector<int32_t> meshes;  // −1 for a mesh without vertices, which glTF cannot hold
    std::vector<size_t> node_of_joint, node_of_instance;
    std::vector<size_t> abandoned_meshes, abandoned_skins, abandoned_materials, abandoned_nodes;
};
void write_images(Draft& draft, const Character& character, Numbers& numbers);
void write_materials(Draft& draft, const Character& character, Numbers& numbers);
Result<void> write_meshes(Draft& draft, const Character& character, Numbers& numbers);
Result<void> write_nodes(Draft& draft, const Character& character, Numbers& numbers);
Result<void> write_skins(Draft& draft, const Character& character, Numbers& numbers);
// After write_nodes.
void write_humanoid(Draft& draft, const HumanoidMap& map, const Numbers& numbers);
Result<void> write_clips(Draft& draft, const Character& character, const Numbers& numbers);

}  // namespace sinew::gltf
