// The vertex codec of EXT_meshopt_compression (version 0) and KHR_meshopt_compression (version 1), decoding only.
// The packaged meshoptimizer may be older than version 1, and knows no COLOR filter.
#pragma once

#include <sinew/core/bytes.h>
#include <span>

namespace sinew::gltf {

// Decodes out.size() / stride elements; stride is a multiple of 4 up to 256. False when the data is damaged.
bool decode_meshopt_vertices(ByteSpan data, size_t stride, std::span<std::byte> out);

// YCoCg with a scale in the alpha's highest bit → RGBA, in place; 4 components of one or two bytes (stride 4 or 8).
void decode_meshopt_colors(std::span<std::byte> data, size_t stride);

}  // namespace sinew::gltf
