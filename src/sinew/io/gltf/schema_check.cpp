// The shape of a glTF's JSON as tables: which members Sinew relies on, of which type, pointing into which array. One
// pass over these tables is what lets every other gltf_*.cpp use members without asking again.
#include <sinew/io/gltf/document.h>

#include <cmath>
#include <span>

#include <fmt/format.h>

namespace sinew::gltf {
namespace {

enum class Kind : uint8_t {
    text,
    boolean,
    number,
    numbers,    // an array; `size` of them unless 0
    count,      // an integer, 0 … 2^53
    index,      // an integer below the length of the root's array `of`
    indices,    // an array of them
    index_map,  // an object whose values are indices: attributes
    index_maps,
    object,
    objects,  // an array of objects
    texts,
};

struct Field {
    const char* name;
    Kind kind;
    bool required = false;
    const char* of = nullptr;
    std::span<const Field> shape = {};
    size_t size = 0;
};

constexpr Field name_field{"name", Kind::text};
constexpr Field extensions_field{"extensions", Kind::object};

constexpr Field asset_shape[] = {{"version", Kind::text}, {"generator", Kind::text}};
constexpr Field scene_shape[] = {name_field, {"nodes", Kind::indices, false, "nodes"}};
constexpr Field node_shape[] = {
    name_field,
    extensions_field,
    {"children", Kind::indices, false, "nodes"},
    {"mesh", Kind::index, false, "meshes"},
    {"skin", Kind::index, false, "skins"},
    {"camera", Kind::index, false, "cameras"},
    {"matrix", Kind::numbers, false, nullptr, {}, 16},
    {"translation", Kind::numbers, false, nullptr, {}, 3},
    {"rotation", Kind::numbers, false, nullptr, {}, 4},
    {"scale", Kind::numbers, false, nullptr, {}, 3},
    {"weights", Kind::numbers},
};
constexpr Field primitive_shape[] = {
    extensions_field,
    {"attributes", Kind::index_map, true, "accessors"},
    {"indices", Kind::index, false, "accessors"},
    {"material", Kind::index, false, "materials"},
    {"mode", Kind::count},
    {"targets", Kind::index_maps, false, "accessors"},
};
constexpr Field mesh_shape[] = {
    name_field, {"primitives", Kind::objects, true, nullptr, primitive_shape}, {"weights", Kind::numbers}};
constexpr Field skin_shape[] = {
    name_field,
    {"joints", Kind::indices, true, "nodes"},
    {"inverseBindMatrices", Kind::index, false, "accessors"},
    {"skeleton", Kind::index, false, "nodes"},
};
constexpr Field sparse_indices_shape[] = {{"bufferView", Kind::index, true, "bufferViews"},
                                          {"byteOffset", Kind::count},
                                          {"componentType", Kind::count, true}};
constexpr Field sparse_values_shape[] = {{"bufferView", Kind::index, true, "bufferViews"}, {"byteOffset", Kind::count}};
constexpr Field sparse_shape[] = {{"count", Kind::count, true},
                                  {"indices", Kind::object, true, nullptr, sparse_indices_shape},
                                  {"values", Kind::object, true, nullptr, sparse_values_shape}};
constexpr Field accessor_shape[] = {
    name_field,
    {"bufferView", Kind::index, false, "bufferViews"},
    {"byteOffset", Kind::count},
    {"componentType", Kind::count, true},
    {"count", Kind::count, true},
    {"type", Kind::text, true},
    {"normalized", Kind::boolean},
    {"min", Kind::numbers},
    {"max", Kind::numbers},
    {"sparse", Kind::object, false, nullptr, sparse_shape},
};
constexpr Field view_shape[] = {
    extensions_field,
    {"buffer", Kind::index, true, "buffers"},
    {"byteOffset", Kind::count},
    {"byteLength", Kind::count, true},
    {"byteStride", Kind::count},
    {"target", Kind::count},
};
constexpr Field buffer_shape[] = {extensions_field, {"uri", Kind::text}, {"byteLength", Kind::count, true}};
constexpr Field image_shape[] = {
    name_field, {"uri", Kind::text}, {"mimeType", Kind::text}, {"bufferView", Kind::index, false, "bufferViews"}};
constexpr Field texture_shape[] = {
    extensions_field, {"source", Kind::index, false, "images"}, {"sampler", Kind::index, false, "samplers"}};
constexpr Field texture_info_shape[] = {{"index", Kind::index, true, "textures"}, {"texCoord", Kind::count}};
constexpr Field pbr_shape[] = {
    {"baseColorFactor", Kind::numbers, false, nullptr, {}, 4},
    {"baseColorTexture", Kind::object, false, nullptr, texture_info_shape},
    {"metallicFactor", Kind::number},
    {"roughnessFactor", Kind::number},
};
constexpr Field material_shape[] = {
    name_field,
    {"pbrMetallicRoughness", Kind::object, false, nullptr, pbr_shape},
    {"emissiveFactor", Kind::numbers, false, nullptr, {}, 3},
    {"alphaMode", Kind::text},
    {"alphaCutoff", Kind::number},
    {"doubleSided", Kind::boolean},
};
constexpr Field sampler_shape[] = {{"input", Kind::index, true, "accessors"},
                                   {"output", Kind::index, true, "accessors"},
                                   {"interpolation", Kind::text}};
constexpr Field target_shape[] = {{"node", Kind::index, false, "nodes"}, {"path", Kind::text, true}};
constexpr Field channel_shape[] = {{"sampler", Kind::count, true},
                                   {"target", Kind::object, true, nullptr, target_shape}};
constexpr Field animation_shape[] = {name_field,
                                     {"samplers", Kind::objects, true, nullptr, sampler_shape},
                                     {"channels", Kind::objects, true, nullptr, channel_shape}};
constexpr Field root_shape[] = {
    extensions_field,
    {"asset", Kind::object, false, nullptr, asset_shape},
    {"extensionsUsed", Kind::texts},
    {"extensionsRequired", Kind::texts},
    {"buffers", Kind::objects, false, nullptr, buffer_shape},
    {"bufferViews", Kind::objects, false, nullptr, view_shape},
    {"accessors", Kind::objects, false, nullptr, accessor_shape},
    {"images", Kind::objects, false, nullptr, image_shape},
    {"samplers", Kind::objects},
    {"textures", Kind::objects, false, nullptr, texture_shape},
    {"materials", Kind::objects, false, nullptr, material_shape},
    {"meshes", Kind::objects, false, nullptr, mesh_shape},
    {"cameras", Kind::objects},
    {"nodes", Kind::objects, false, nullptr, node_shape},
    {"skins", Kind::objects, false, nullptr, skin_shape},
    {"animations", Kind::objects, false, nullptr, animation_shape},
    {"scenes", Kind::objects, false, nullptr, scene_shape},
    {"scene", Kind::index, false, "scenes"},
};

// JSON's numbers need not be written as integers to be integers.
bool is_count(const Json& value) {
    if (value.is_number_unsigned()) return value.get<uint64_t>() <= (uint64_t{1} << 53);
    if (value.is_number_integer()) return value.get<int64_t>() >= 0 && value.get<int64_t>() <= (int64_t{1} << 53);
    if (!value.is_number_float()) return false;
    const double number = value.get<double>();
    return number >= 0.0 && number <= 0x1.0p53 && number == std::floor(number);
}

class Checker {
public:
    explicit Checker(const Json& root) : root_(root) {}

    Result<void> object(const Json& value, std::span<const Field> shape, const std::string& path) const {
        if (!value.is_object()) return wrong(path, "must be a JSON object");
        for (const Field& field : shape) {
            const auto it = value.find(field.name);
            if (it != value.end()) {
                SINEW_TRY_VOID(member(*it, field, path + "/" + field.name));
            } else if (field.required) {
                return wrong(path, fmt::format("lacks \"{}\"", field.name));
            }
        }
        return {};
    }

private:
    static tl::unexpected<Error> wrong(const std::string& path, std::string_view what) {
        return fail(ErrorCode::invalid_data, fmt::format("{}; repair the file or export it again", what), path);
    }

    Result<void> index(const Json& value, const char* of, const std::string& path) const {
        const size_t length = array_at(root_, of).size();
        if (is_count(value) && value.get<uint64_t>() < length) return {};
        return wrong(path, fmt::format("must be an index into the {} {}", length, of));
    }

    Result<void> index_map(const Json& value, const char* of, const std::string& path) const {
        if (!value.is_object()) return wrong(path, "must be a JSON object");
        for (const auto& [key, item] : value.items()) SINEW_TRY_VOID(index(item, of, path + "/" + key));
        return {};
    }

    template <class Check>
    static Result<void> each(const Json& value, const std::string& path, const Check& check) {
        if (!value.is_array()) return wrong(path, "must be an array");
        for (size_t i = 0; i < value.size(); ++i) SINEW_TRY_VOID(check(value[i], fmt::format("{}/{}", path, i)));
        return {};
    }

    Result<void> member(const Json& value, const Field& field, const std::string& path) const {
        switch (field.kind) {
            case Kind::text:
                if (!value.is_string()) return wrong(path, "must be a string");
                return {};
            case Kind::boolean:
                if (!value.is_boolean()) return wrong(path, "must be true or false");
                return {};
            case Kind::number:
                if (!value.is_number()) return wrong(path, "must be a number");
                return {};
            case Kind::numbers:
                if (field.size != 0 && value.size() != field.size) {
                    return wrong(path, fmt::format("must be an array of {} numbers", field.size));
                }
                for (const Json& item : value) {
                    if (!item.is_number()) return wrong(path, "must be an array of numbers");
                }
                return value.is_array() ? Result<void>{} : wrong(path, "must be an array of numbers");
            case Kind::count:
                if (!is_count(value)) return wrong(path, "must be an integer of 0 or more");
                return {};
            case Kind::index:
                return index(value, field.of, path);
            case Kind::indices:
                return each(value, path, [&](const Json& v, const std::string& p) { return index(v, field.of, p); });
            case Kind::index_map:
                return index_map(value, field.of, path);
            case Kind::index_maps:
                return each(value, path,
                            [&](const Json& v, const std::string& p) { return index_map(v, field.of, p); });
            case Kind::object:
                return object(value, field.shape, path);
            case Kind::objects:
                return each(value, path,
                            [&](const Json& v, const std::string& p) { return object(v, field.shape, p); });
            case Kind::texts:
                return each(value, path, [&](const Json& v, const std::string& p) -> Result<void> {
                    if (!v.is_string()) return wrong(p, "must be a string");
                    return {};
                });
        }
        return {};
    }

    const Json& root_;
};

}  // namespace

Result<void> check_shape(const Json& root) {
    const Json& version = member(member(root, "asset"), "version");
    if (version.is_string() && version.get_ref<const std::string&>().starts_with("1.")) {
        return fail(ErrorCode::unsupported, "this is glTF 1; convert it to glTF 2.0", "/asset/version");
    }
    return Checker(root).object(root, root_shape, "");
}

}  // namespace sinew::gltf
