#include <sinew/io/gltf/accessor.h>

#include <sinew/core/check.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include <fmt/format.h>

namespace sinew::gltf {
namespace {

tl::unexpected<Error> wrong(size_t accessor, std::string_view member, std::string_view what) {
    return gltf::wrong(fmt::format("/accessors/{}{}", accessor, member), what);
}

std::optional<Component> component_of(size_t value) {
    switch (value) {
        case 5120:
        case 5121:
        case 5122:
        case 5123:
        case 5125:
        case 5126:
            return static_cast<Component>(value);
        default:
            return std::nullopt;
    }
}

struct View {
    ByteSpan bytes;
    size_t stride = 0;  // 0: tight
};

Result<View> open_view(const GltfDocument& document, size_t index) {
    const Json& view = document.json["bufferViews"][index];
    const ByteSpan buffer = document.buffers[count_at(view, "buffer")].view;
    const size_t offset = count_at(view, "byteOffset"), length = count_at(view, "byteLength");
    if (offset > buffer.size() || length > buffer.size() - offset) {
        return fail(ErrorCode::invalid_data, "the bufferView lies outside its buffer; the file is cut off or damaged",
                    fmt::format("/bufferViews/{}", index));
    }
    const size_t stride = count_at(view, "byteStride");
    if (stride > 65536)
        return fail(ErrorCode::invalid_data, "the stride is larger than 65536 bytes; export the file again",
                    fmt::format("/bufferViews/{}/byteStride", index));
    return View{buffer.subspan(offset, length), stride};
}

// The bytes of `count` elements, or nothing when the view does not hold them. All factors are below 2^54, so that
// dividing is the only way to compare without overflow.
std::optional<ByteSpan> elements(ByteSpan view, size_t offset, size_t count, size_t stride, size_t element) {
    if (count == 0) return ByteSpan{};
    if (offset > view.size() || element > view.size() - offset) return std::nullopt;
    if (count - 1 > (view.size() - offset - element) / stride) return std::nullopt;
    return view.subspan(offset);
}

uint32_t unsigned_at(const std::byte* from, Component component) {
    switch (component) {
        case Component::u8:
            return std::to_integer<uint32_t>(*from);
        case Component::u16: {
            uint16_t value;
            std::memcpy(&value, from, 2);
            return value;
        }
        default: {
            uint32_t value;
            std::memcpy(&value, from, 4);
            return value;
        }
    }
}

template <class Int>
void convert(const std::byte* from, size_t components, float scale, float lowest, float* out) {
    for (size_t c = 0; c < components; ++c) {
        Int value;
        std::memcpy(&value, from + c * sizeof(Int), sizeof(Int));
        out[c] = std::max(static_cast<float>(value) / scale, lowest);
    }
}

// One element as floats. Dividing by the largest integer is exact to the last bit, multiplying by its inverse is not.
void element_floats(const Accessor& a, const std::byte* from, float* out) {
    constexpr float none = -std::numeric_limits<float>::infinity();
    switch (a.component) {
        case Component::i8:
            return convert<int8_t>(from, a.components, a.normalized ? 127.0f : 1.0f, a.normalized ? -1.0f : none, out);
        case Component::u8:
            return convert<uint8_t>(from, a.components, a.normalized ? 255.0f : 1.0f, none, out);
        case Component::i16:
            return convert<int16_t>(from, a.components, a.normalized ? 32767.0f : 1.0f, a.normalized ? -1.0f : none,
                                    out);
        case Component::u16:
            return convert<uint16_t>(from, a.components, a.normalized ? 65535.0f : 1.0f, none, out);
        case Component::u32:
            return convert<uint32_t>(from, a.components, a.normalized ? 4294967295.0f : 1.0f, none, out);
        case Component::f32:
            std::memcpy(out, from, a.components * sizeof(float));
            return;
    }
}

// Calls visit(element, bytes) for the stored elements in order, then for those that sparse values replace.
template <class Visit>
void for_each_element(const Accessor& a, const Visit& visit) {
    if (!a.data.empty()) {
        for (size_t i = 0; i < a.count; ++i) visit(i, a.data.data() + i * a.stride);
    }
    const size_t element = a.components * component_size(a.component), index_size = component_size(a.sparse_index);
    for (size_t s = 0; s < a.sparse_count; ++s) {
        visit(unsigned_at(a.sparse_indices.data() + s * index_size, a.sparse_index),
              a.sparse_values.data() + s * element);
    }
}

Result<void> open_sparse(const GltfDocument& document, const Json& sparse, size_t element, Accessor& a) {
    a.sparse_count = count_at(sparse, "count");
    if (a.sparse_count > a.count)
        return wrong(a.index, "/sparse/count", "the sparse part replaces more elements than the accessor has");
    const Json &indices = sparse["indices"], &values = sparse["values"];
    const auto component = component_of(count_at(indices, "componentType"));
    if (component != Component::u8 && component != Component::u16 && component != Component::u32) {
        return wrong(a.index, "/sparse/indices/componentType", "sparse indices must have an unsigned integer type");
    }
    a.sparse_index = *component;
    SINEW_TRY(const View index_view, open_view(document, count_at(indices, "bufferView")));
    SINEW_TRY(const View value_view, open_view(document, count_at(values, "bufferView")));
    const size_t index_size = component_size(*component);
    const auto index_bytes =
        elements(index_view.bytes, count_at(indices, "byteOffset"), a.sparse_count, index_size, index_size);
    const auto value_bytes =
        elements(value_view.bytes, count_at(values, "byteOffset"), a.sparse_count, element, element);
    if (!index_bytes)
        return wrong(a.index, "/sparse/indices", "the sparse indices need more bytes than their bufferView has");
    if (!value_bytes)
        return wrong(a.index, "/sparse/values", "the sparse values need more bytes than their bufferView has");
    a.sparse_indices = *index_bytes;
    a.sparse_values = *value_bytes;
    for (size_t s = 0; s < a.sparse_count; ++s) {
        if (unsigned_at(a.sparse_indices.data() + s * index_size, a.sparse_index) >= a.count) {
            return wrong(a.index, "/sparse/indices", "a sparse index is not below the accessor's count");
        }
    }
    return {};
}

}  // namespace

size_t component_size(Component component) {
    switch (component) {
        case Component::i8:
        case Component::u8:
            return 1;
        case Component::i16:
        case Component::u16:
            return 2;
        default:
            return 4;
    }
}

size_t component_count(std::string_view type) {
    if (type == "SCALAR") return 1;
    if (type == "VEC2") return 2;
    if (type == "VEC3") return 3;
    if (type == "VEC4" || type == "MAT2") return 4;
    if (type == "MAT3") return 9;
    if (type == "MAT4") return 16;
    return 0;
}

Result<Accessor> open_accessor(const GltfDocument& document, size_t index) {
    const Json& json = document.json["accessors"][index];
    Accessor a{.index = index, .count = count_at(json, "count"), .normalized = flag_at(json, "normalized")};
    const std::string type = text_at(json, "type");
    const auto component = component_of(count_at(json, "componentType"));
    a.components = component_count(type);
    if (a.components == 0)
        return wrong(index, "/type", "the type is none of SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3, MAT4");
    if (!component)
        return wrong(index, "/componentType", "the component type is none of 5120, 5121, 5122, 5123, 5125, 5126");
    a.component = *component;
    const size_t element = a.components * component_size(a.component);
    if ((type == "MAT2" || type == "MAT3") && component_size(a.component) < 4) {
        return wrong(index, "/type", "matrices of 8- or 16-bit integers cannot be read");
    }
    a.stride = element;
    if (const int32_t view_index = index_at(json, "bufferView"); view_index >= 0) {
        SINEW_TRY(const View view, open_view(document, static_cast<size_t>(view_index)));
        if (view.stride != 0) a.stride = view.stride;
        if (a.stride < element)
            return wrong(index, "/bufferView", "the bufferView's byteStride is smaller than one element");
        const auto bytes = elements(view.bytes, count_at(json, "byteOffset"), a.count, a.stride, element);
        if (!bytes) return wrong(index, "/count", "the accessor needs more bytes than its bufferView has");
        a.data = *bytes;
    }
    if (json.contains("sparse")) SINEW_TRY_VOID(open_sparse(document, json["sparse"], element, a));
    return a;
}

void read_floats(const Accessor& accessor, std::span<float> out) {
    SINEW_CHECK(out.size() == accessor.count * accessor.components);
    if (accessor.data.empty()) std::fill(out.begin(), out.end(), 0.0f);
    for_each_element(accessor, [&](size_t i, const std::byte* from) {
        element_floats(accessor, from, out.data() + i * accessor.components);
    });
}

void read_unsigned(const Accessor& accessor, std::span<uint32_t> out) {
    SINEW_CHECK(out.size() == accessor.count * accessor.components);
    const size_t size = component_size(accessor.component);
    if (accessor.data.empty()) std::fill(out.begin(), out.end(), 0u);
    for_each_element(accessor, [&](size_t i, const std::byte* from) {
        for (size_t c = 0; c < accessor.components; ++c) {
            out[i * accessor.components + c] = unsigned_at(from + c * size, accessor.component);
        }
    });
}

ValueRange value_range(const Accessor& accessor) {
    Accessor plain = accessor;
    plain.normalized = false;
    std::vector<float> values(accessor.count * accessor.components);
    read_floats(plain, values);
    ValueRange range;
    range.min.assign(accessor.components, INFINITY);
    range.max.assign(accessor.components, -INFINITY);
    for (size_t i = 0; i < values.size(); ++i) {
        const size_t c = i % accessor.components;
        range.min[c] = std::min(range.min[c], static_cast<double>(values[i]));
        range.max[c] = std::max(range.max[c], static_cast<double>(values[i]));
    }
    return range;
}

}  // namespace sinew::gltf
