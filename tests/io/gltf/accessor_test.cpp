#include <sinew/io/gltf/accessor.h>

#include <doctest/doctest.h>
#include <cstring>

using namespace sinew;
using namespace sinew::gltf;

namespace {

// A document of one buffer, one bufferView over all of it, and the accessors given.
template <class T>
GltfDocument document_of(const std::vector<T>& values, const std::vector<Json>& accessors, Json view = Json::object()) {
    Bytes bytes(values.size() * sizeof(T));
    std::memcpy(bytes.data(), values.data(), bytes.size());
    GltfDocument document;
    view["buffer"] = 0;
    view["byteLength"] = bytes.size();
    document.json = {
        {"buffers", {{{"byteLength", bytes.size()}}}}, {"bufferViews", Json::array({view})}, {"accessors", accessors}};
    document.buffers.push_back(SharedBytes::own(std::move(bytes)));
    if (const auto shape = check_schema(document.json); !shape) FAIL(to_string(shape.error()));
    return document;
}

std::vector<float> floats_of(const GltfDocument& document, size_t index = 0) {
    const auto accessor = open_accessor(document, index);
    REQUIRE(accessor);
    std::vector<float> out(accessor->count * accessor->components);
    read_floats(*accessor, out);
    return out;
}

Json accessor(int component, const char* type, size_t count) {
    return {{"bufferView", 0}, {"componentType", component}, {"type", type}, {"count", count}};
}

}  // namespace

TEST_CASE("accessor: floats, tight and strided and with an offset") {
    const std::vector<float> values = {1, 2, 3, 4, 5, 6, 7, 8};
    CHECK(floats_of(document_of(values, {accessor(5126, "VEC4", 2)})) == values);
    CHECK(floats_of(document_of(values, {accessor(5126, "VEC2", 2)}, {{"byteStride", 16}})) ==
          std::vector<float>{1, 2, 5, 6});
    Json late = accessor(5126, "SCALAR", 2);
    late["byteOffset"] = 20;
    CHECK(floats_of(document_of(values, {late})) == std::vector<float>{6, 7});
}

TEST_CASE("accessor: normalised integers reach exactly -1, 0 and 1") {
    const auto normalised = [](auto values, int component) {
        Json json = accessor(component, "SCALAR", values.size());
        json["normalized"] = true;
        return floats_of(document_of(values, {json}));
    };
    CHECK(normalised(std::vector<int8_t>{-128, -127, 0, 127}, 5120) == std::vector<float>{-1, -1, 0, 1});
    CHECK(normalised(std::vector<uint8_t>{0, 51, 255}, 5121) == std::vector<float>{0, 51.0f / 255.0f, 1});
    CHECK(normalised(std::vector<int16_t>{-32768, -32767, 32767}, 5122) == std::vector<float>{-1, -1, 1});
    CHECK(normalised(std::vector<uint16_t>{0, 1, 65535}, 5123) == std::vector<float>{0, 1.0f / 65535.0f, 1});
    CHECK(floats_of(document_of(std::vector<int16_t>{-300, 7}, {accessor(5122, "SCALAR", 2)})) ==
          std::vector<float>{-300, 7});
}

TEST_CASE("accessor: sparse values over zeros and over stored values") {
    struct {
        uint16_t at[2] = {0, 2};
        float values[2] = {5, 6};
        float base[3] = {1, 1, 1};
    } data;
    std::vector<std::byte> raw(sizeof(data));
    std::memcpy(raw.data(), &data, sizeof(data));
    Json zeros = {{"componentType", 5126}, {"type", "SCALAR"}, {"count", 3}};
    zeros["sparse"] = {{"count", 2},
                       {"indices", {{"bufferView", 0}, {"componentType", 5123}}},
                       {"values", {{"bufferView", 0}, {"byteOffset", 4}}}};
    Json stored = zeros;
    stored["bufferView"] = 0;
    stored["byteOffset"] = 12;
    const GltfDocument document = document_of(raw, {zeros, stored});
    CHECK(floats_of(document, 0) == std::vector<float>{5, 0, 6});
    CHECK(floats_of(document, 1) == std::vector<float>{5, 1, 6});

    Json outside = zeros;
    outside["count"] = 2;
    CHECK(open_accessor(document_of(raw, {outside}), 0).error().where == "/accessors/0/sparse/indices");
}

TEST_CASE("accessor: whatever leaves its bytes is refused where it stands") {
    const std::vector<float> values(6, 1.0f);
    const auto where = [&](Json json, Json view = Json::object()) {
        const auto opened = open_accessor(document_of(values, {json}, view), 0);
        REQUIRE(!opened);
        return opened.error().where;
    };
    CHECK(open_accessor(document_of(values, {accessor(5126, "VEC3", 2)}), 0));
    CHECK(where(accessor(5126, "VEC3", 3)) == "/accessors/0/count");
    CHECK(where(accessor(5126, "VEC3", size_t{1} << 53)) == "/accessors/0/count");
    CHECK(where(accessor(5126, "VEC3", 2), {{"byteStride", 13}}) == "/accessors/0/count");
    CHECK(where(accessor(5126, "VEC3", 2), {{"byteStride", 8}}) == "/accessors/0/bufferView");
    CHECK(where(accessor(5124, "VEC3", 2)) == "/accessors/0/componentType");
    CHECK(where(accessor(5126, "VEC5", 2)) == "/accessors/0/type");
    CHECK(where(accessor(5126, "VEC3", 2), {{"byteOffset", 1}}) == "/bufferViews/0");
    Json late = accessor(5126, "VEC3", 2);
    late["byteOffset"] = (uint64_t{1} << 53) - 8;
    CHECK(where(late) == "/accessors/0/count");
}

TEST_CASE("check_schema: names the member that is not as glTF says") {
    const auto where = [](const char* text) {
        const auto checked = check_schema(Json::parse(text));
        REQUIRE(!checked);
        return checked.error().where;
    };
    CHECK(where("[]") == "");
    CHECK(where(R"({"nodes":{}})") == "/nodes");
    CHECK(where(R"({"nodes":[3]})") == "/nodes/0");
    CHECK(where(R"({"nodes":[{"children":[0,1]}]})") == "/nodes/0/children/1");
    CHECK(where(R"({"nodes":[{"children":[-1]}]})") == "/nodes/0/children/0");
    CHECK(where(R"({"nodes":[{"mesh":0}]})") == "/nodes/0/mesh");
    CHECK(where(R"({"nodes":[{"rotation":[0,0,1]}]})") == "/nodes/0/rotation");
    CHECK(where(R"({"nodes":[{"rotation":"xyzw"}]})") == "/nodes/0/rotation");
    CHECK(where(R"({"accessors":[{"count":1.5,"componentType":5126,"type":"VEC3"}]})") == "/accessors/0/count");
    CHECK(where(R"({"meshes":[{"primitives":[{"attributes":{"POSITION":7}}]}]})") ==
          "/meshes/0/primitives/0/attributes/POSITION");
    CHECK(where(R"({"meshes":[{}]})") == "/meshes/0");
    CHECK(where(R"({"asset":{"version":"1.0"}})") == "/asset/version");
    CHECK(where(R"({"asset":{"version":"2.1","minVersion":"2.1"}})") == "/asset/minVersion");
    CHECK(gltf::check_schema(gltf::Json::parse(R"({"asset":{"version":"2.1","minVersion":"2.0"}})")));
    CHECK(check_schema(Json::parse(R"({"nodes":[{"children":[1.0]},{}]})")));
}
