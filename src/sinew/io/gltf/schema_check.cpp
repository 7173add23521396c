// The schema of glTF as tables: which members Sinew relies on, of which type, and into which array they point. One pass
// over these tables lets every other file of io/gltf use members without checking them again.
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
    std::span<const Field> schema = {};
    size_t size = 0;
};

constexpr Field name_field{"name", Kind::text};
constexpr Field extensions_field{"extensions", Kind::object};

constexpr Field asset_schema[] = {{"version", Kind::text}, {"generator", Kind::text}};
constexpr Field scene_schema[] = {name_field, {"nodes", Kind::indices, false, "nodes"}};
constexpr Field node_schema[] = {
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
constexpr Field primitive_schema[] = {
    extensions_field,
    {"attributes", Kind::index_map, true, "accessors"},
    {"indices", Kind::index, false, "accessors"},
    {"material", Kind::index, false, "materials"},
    {"mode", Kind::count},
    {"targets", Kind::index_maps, false, "accessors"},
};
constexpr Field mesh_schema[] = {
    name_field, {"primitives", Kind::objects, true, nullptr, primitive_schema}, {"weights", Kind::numbers}};
constexpr Field skin_schema[] = {
    name_field,
    {"joints", Kind::indices, true, "nodes"},
    {"inverseBindMatrices", Kind::index, false, "accessors"},
    {"skeleton", Kind::index, false, "nodes"},
};
constexpr Field sparse_indices_schema[] = {{"bufferView", Kind::index, true, "bufferViews"},
                                           {"byteOffset", Kind::count},
                                           {"componentType", Kind::count, true}};
constexpr Field sparse_values_schema[] = {{"bufferView", Kind::index, true, "bufferViews"},
                                          {"byteOffset", Kind::count}};
constexpr Field sparse_schema[] = {{"count", Kind::count, true},
                                   {"indices", Kind::object, true, nullptr, sparse_indices_schema},
                                   {"values", Kind::object, true, nullptr, sparse_values_schema}};
constexpr Field accessor_schema[] = {
    name_field,
    {"bufferView", Kind::index, false, "bufferViews"},
    {"byteOffset", Kind::count},
    {"componentType", Kind::count, true},
    {"count", Kind::count, true},
    {"type", Kind::text, true},
    {"normalized", Kind::boolean},
    {"min", Kind::numbers},
    {"max", Kind::numbers},
    {"sparse", Kind::object, false, nullptr, sparse_schema},
};
constexpr Field view_schema[] = {
    extensions_field,
    {"buffer", Kind::index, true, "buffers"},
    {"byteOffset", Kind::count},
    {"byteLength", Kind::count, true},
    {"byteStride", Kind::count},
    {"target", Kind::count},
};
constexpr Field buffer_schema[] = {extensions_field, {"uri", Kind::text}, {"byteLength", Kind::count, true}};
constexpr Field image_schema[] = {
    name_field, {"uri", Kind::text}, {"mimeType", Kind::text}, {"bufferView", Kind::index, false, "bufferViews"}};
constexpr Field texture_schema[] = {
    extensions_field, {"source", Kind::index, false, "images"}, {"sampler", Kind::index, false, "samplers"}};
constexpr Field texture_info_schema[] = {{"index", Kind::index, true, "textures"}, {"texCoord", Kind::count}};
constexpr Field pbr_schema[] = {
    {"baseColorFactor", Kind::numbers, false, nullptr, {}, 4},
    {"baseColorTexture", Kind::object, false, nullptr, texture_info_schema},
    {"metallicFactor", Kind::number},
    {"roughnessFactor", Kind::number},
};
constexpr Field material_schema[] = {
    name_field,
    {"pbrMetallicRoughness", Kind::object, false, nullptr, pbr_schema},
    {"emissiveFactor", Kind::numbers, false, nullptr, {}, 3},
    {"alphaMode", Kind::text},
    {"alphaCutoff", Kind::number},
    {"doubleSided", Kind::boolean},
};
constexpr Field sampler_schema[] = {{"input", Kind::index, true, "accessors"},
                                    {"output", Kind::index, true, "accessors"},
                                    {"interpolation", Kind::text}};
constexpr Field target_schema[] = {{"node", Kind::index, false, "nodes"}, {"path", Kind::text, true}};
constexpr Field channel_schema[] = {{"sampler", Kind::count, true},
                                    {"target", Kind::object, true, nullptr, target_schema}};
constexpr Field animation_schema[] = {name_field,
                                      {"samplers", Kind::objects, true, nullptr, sampler_schema},
                                      {"channels", Kind::objects, true, nullptr, channel_schema}};
constexpr Field root_schema[] = {
    extensions_field,
    {"asset", Kind::object, false, nullptr, asset_schema},
    {"extensionsUsed", Kind::texts},
    {"extensionsRequired", Kind::texts},
    {"buffers", Kind::objects, false, nullptr, buffer_schema},
    {"bufferViews", Kind::objects, false, nullptr, view_schema},
    {"accessors", Kind::objects, false, nullptr, accessor_schema},
    {"images", Kind::objects, false, nullptr, image_schema},
    {"samplers", Kind::objects},
    {"textures", Kind::objects, false, nullptr, texture_schema},
    {"materials", Kind::objects, false, nullptr, material_schema},
    {"meshes", Kind::objects, false, nullptr, mesh_schema},
    {"cameras", Kind::objects},
    {"nodes", Kind::objects, false, nullptr, node_schema},
    {"skins", Kind::objects, false, nullptr, skin_schema},
    {"animations", Kind::objects, false, nullptr, animation_schema},
    {"scenes", Kind::objects, false, nullptr, scene_schema},
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

    Result<void> object(const Json& value, std::span<const Field> schema, const std::string& path) const {
        if (!value.is_object()) return wrong(path, "must be a JSON object");
        for (const Field& field : schema) {
            const auto it = value.find(field.name);
            if (it != value.end()) {
                SINEW_TRY_VOID(member(*it, field, path + "/" + field.name));
            } else if (field.required) {
                return wrong(path, fmt::format("the member \"{}\" is missing", field.name));
            }
        }
        return {};
    }

private:
    Result<void> index(const Json& value, const char* of, const std::string& path) const {
        const size_t length = array_at(root_, of).size();
        if (is_count(value) && value.get<uint64_t>() < length) return {};
        return wrong(path, fmt::format("must be an index into /{1}, which has {0} entries", length, of));
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
                return object(value, field.schema, path);
            case Kind::objects:
                return each(value, path,
                            [&](const Json& v, const std::string& p) { return object(v, field.schema, p); });
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

Result<void> check_schema(const Json& root) {
    const Json& version = member(member(root, "asset"), "version");
    if (version.is_string() && version.get_ref<const std::string&>().starts_with("1.")) {
        return fail(ErrorCode::unsupported, "this is glTF 1; convert it to glTF 2.0", "/asset/version");
    }
    // A file may be newer than 2.0, as long as it says that a reader of 2.0 understands it.
    const Json& least = member(member(root, "asset"), "minVersion");
    if (least.is_string() && !least.get_ref<const std::string&>().starts_with("2.0"))
        return fail(ErrorCode::unsupported, "this file needs a newer glTF than 2.0; export it as glTF 2.0",
                    "/asset/minVersion");
    return Checker(root).object(root, root_schema, "");
}

}  // namespace sinew::gltf
