// Decompression: Draco and meshopt geometry → plain accessors and bufferViews, so that nothing after this knows of
// them. Data flow: document.cpp (buffers resolved) → *here* → accessor.h.
#pragma once

#include <sinew/io/gltf/document.h>

namespace sinew::gltf {

// KHR_draco_mesh_compression, EXT_meshopt_compression and KHR_meshopt_compression. Decoded data goes to new buffers;
// the extensions leave the JSON, its lists of extensions included. Numbers of accessors and bufferViews stay what they
// are.
Result<void> decompress(GltfDocument& document, const Limits& limits);

// The steps of decompress(), each doing nothing when the document does not use its extension.
// `budget` is what decoded data may still take in bytes.
Result<void> decompress_draco(GltfDocument& document, size_t& budget);
Result<void> decompress_meshopt(GltfDocument& document, size_t& budget);

// Takes `name` out of an object's extensions, and the empty object after it.
void remove_extension(Json& object, const char* name);
// Appends bytes as a buffer of the document and returns its number.
size_t add_buffer(GltfDocument& document, Bytes bytes);

}  // namespace sinew::gltf
