// Accessors: bounded, typed reading of a document's binary data.
// Data flow: GltfDocument → *here* → parts.h.
#pragma once

#include <sinew/io/gltf/document.h>
#include <span>

namespace sinew::gltf {

enum class Component : uint16_t { i8 = 5120, u8 = 5121, i16 = 5122, u16 = 5123, u32 = 5125, f32 = 5126 };

size_t component_size(Component component);
// Components per element of "SCALAR", "VEC3", "MAT4" …; 0 for any other text.
size_t component_count(std::string_view type);

// An accessor whose every byte is known to exist. Empty `data` means zeros. Matrices of small components, which glTF
// pads, are not opened.
struct Accessor {
    size_t index = 0;
    size_t count = 0;
    size_t components = 1;
    Component component = Component::f32;
    bool normalized = false;
    ByteSpan data;  // from the first element on
    size_t stride = 0;
    size_t sparse_count = 0;  // elements that sparse_values replace
    Component sparse_index = Component::u32;
    ByteSpan sparse_indices, sparse_values;  // tight
};

// Checks every offset and count of accessor `index` (which exists) against the bytes there are.
Result<Accessor> open_accessor(const GltfDocument& document, size_t index);

// Converted to float (normalised integers to 0…1 or −1…1), components of one element after another.
// Requires out.size() == count · components.
void read_floats(const Accessor& accessor, std::span<float> out);

// As they are. Requires an unsigned component type.
void read_unsigned(const Accessor& accessor, std::span<uint32_t> out);

// The smallest and largest value per component in the accessor's own numbers (not normalised), ignoring NaN.
struct ValueRange {
    std::vector<double> min, max;
};
ValueRange value_range(const Accessor& accessor);

}  // namespace sinew::gltf
