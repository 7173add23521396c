// A small glTF made in the test: JSON with a buffer, as .glb or as .gltf with a data URI.
#pragma once

#include <doctest/doctest.h>
#include <sinew/io/gltf/gltf.h>

#include <cstring>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sinew::test {

using Json = nlohmann::json;

struct GltfBuilder {
    Json json = {{"asset", {{"version", "2.0"}}}};
    Bytes bin;

    template <class T>
    size_t view(const std::vector<T>& values) {
        bin.resize((bin.size() + 3) & ~size_t{3});
        const size_t offset = bin.size();
        bin.resize(offset + values.size() * sizeof(T));
        std::memcpy(bin.data() + offset, values.data(), values.size() * sizeof(T));
        json["bufferViews"].push_back(
            {{"buffer", 0}, {"byteOffset", offset}, {"byteLength", values.size() * sizeof(T)}});
        return json["bufferViews"].size() - 1;
    }
    template <class T>
    size_t accessor(const std::vector<T>& values, const char* type, size_t components, int component_type) {
        json["accessors"].push_back({{"bufferView", view(values)},
                                     {"componentType", component_type},
                                     {"count", values.size() / components},
                                     {"type", type}});
        return json["accessors"].size() - 1;
    }
    size_t scalars(const std::vector<float>& values) { return bounded(accessor(values, "SCALAR", 1, 5126), values, 1); }
    size_t vec3(const std::vector<float>& values) { return bounded(accessor(values, "VEC3", 3, 5126), values, 3); }
    size_t vec4(const std::vector<float>& values) { return accessor(values, "VEC4", 4, 5126); }
    size_t u16(const std::vector<uint16_t>& values) { return accessor(values, "SCALAR", 1, 5123); }
    size_t joints(const std::vector<uint8_t>& values) { return accessor(values, "VEC4", 4, 5121); }

    size_t bounded(size_t index, const std::vector<float>& values, size_t components) {
        std::vector<float> low(components, INFINITY), high(components, -INFINITY);
        for (size_t i = 0; i < values.size(); ++i) {
            low[i % components] = std::min(low[i % components], values[i]);
            high[i % components] = std::max(high[i % components], values[i]);
        }
        json["accessors"][index]["min"] = low;
        json["accessors"][index]["max"] = high;
        return index;
    }

    SharedBytes glb() const {
        Json root = json;
        if (!bin.empty()) root["buffers"] = {{{"byteLength", bin.size()}}};
        std::string text = root.dump();
        text.resize((text.size() + 3) & ~size_t{3}, ' ');
        Bytes out;
        const auto u32 = [&out](size_t value) {
            for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
        };
        const size_t padded = (bin.size() + 3) & ~size_t{3};
        u32(0x46546c67), u32(2), u32(20 + text.size() + (bin.empty() ? 0 : 8 + padded));
        u32(text.size()), u32(0x4e4f534a);
        for (const char c : text) out.push_back(static_cast<std::byte>(c));
        if (!bin.empty()) {
            u32(padded), u32(0x004e4942);
            out.insert(out.end(), bin.begin(), bin.end());
            out.resize((out.size() + 3) & ~size_t{3});
        }
        return SharedBytes::own(std::move(out));
    }

    SharedBytes gltf() const {
        Json root = json;
        if (!bin.empty()) {
            root["buffers"] = {
                {{"byteLength", bin.size()}, {"uri", "data:application/octet-stream;base64," + base64(bin)}}};
        }
        const std::string text = root.dump();
        const ByteSpan span = as_byte_span(text);
        return SharedBytes::own(Bytes(span.begin(), span.end()));
    }

    static std::string base64(ByteSpan bytes) {
        constexpr const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        std::string out;
        for (size_t i = 0; i < bytes.size(); i += 3) {
            uint32_t group = 0;
            const size_t left = std::min<size_t>(3, bytes.size() - i);
            for (size_t k = 0; k < 3; ++k)
                group = group << 8 | (k < left ? std::to_integer<uint32_t>(bytes[i + k]) : 0);
            for (size_t k = 0; k < 4; ++k) out += k <= left ? digits[group >> (18 - 6 * k) & 63] : '=';
        }
        return out;
    }
};

// The JSON of a .glb, and the bytes of one of its bufferViews.
struct OpenedGlb {
    Json json;
    Bytes bin;

    explicit OpenedGlb(ByteSpan file) {
        uint32_t length = 0;
        std::memcpy(&length, file.data() + 12, 4);
        json = Json::parse(as_text(file.subspan(20, length)));
        if (file.size() > 28 + length) bin.assign(file.begin() + 28 + length, file.end());
    }
    Bytes view(size_t index) const {
        const Json& v = json["bufferViews"][index];
        const auto start = bin.begin() + v.value("byteOffset", 0);
        return {start, start + v["byteLength"].get<int>()};
    }
    template <class T>
    std::vector<T> values(size_t accessor, size_t components) const {
        const Json& a = json["accessors"][accessor];
        const Bytes bytes = view(a["bufferView"].get<size_t>());
        std::vector<T> out(a["count"].get<size_t>() * components);
        std::memcpy(out.data(), bytes.data() + a.value("byteOffset", 0), out.size() * sizeof(T));
        return out;
    }
};

// Two joints in a row, a quad that follows them, a morph target, a clip with every path, a material with a picture:
// small enough to break at every byte.
inline GltfBuilder small_character() {
    GltfBuilder b;
    const size_t positions = b.vec3({0, 0, 0, 1, 0, 0, 1, 2, 0, 0, 2, 0});
    const size_t normals = b.vec3({0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1});
    const size_t joints = b.joints({0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0});
    const size_t weights = b.vec4({1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0.25f, 0.75f, 0, 0});
    const size_t indices = b.u16({0, 1, 2, 0, 2, 3});
    const size_t target = b.vec3({0, 0, 0, 0, 0, 0.5f, 0, 0, 0, 0, 0, 0});
    const size_t times = b.scalars({0, 1});
    const size_t turns = b.vec4({0, 0, 0, 1, 0, 0, 0.70710678f, 0.70710678f});
    const size_t moves = b.vec3({0, 0, 0, 0, 1, 0});
    const size_t faces = b.accessor(std::vector<float>{0, 1}, "SCALAR", 1, 5126);
    std::vector<float> binds(32, 0.0f);
    for (size_t j = 0; j < 2; ++j) {
        for (size_t i = 0; i < 4; ++i) binds[j * 16 + i * 5] = 1.0f;
    }
    binds[16 + 13] = -1.0f;
    const size_t bind = b.accessor(binds, "MAT4", 16, 5126);
    const std::string png = "\x89PNG\r\n\x1a\n and the rest of a picture";
    const size_t image = b.view(std::vector<char>(png.begin(), png.end()));
    b.json["nodes"] = Json::parse(R"([{"name":"hip","children":[1]},{"name":"knee","translation":[0,1,0]},
        {"name":"body","mesh":0,"skin":0}])");
    b.json["scenes"] = Json::parse(R"([{"nodes":[0,2]}])");
    b.json["scene"] = 0;
    b.json["skins"] = {{{"joints", {0, 1}}, {"inverseBindMatrices", bind}}};
    b.json["materials"] = Json::parse(R"([{"name":"cloth","pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}])");
    b.json["textures"] = Json::parse(R"([{"source":0}])");
    b.json["images"] = {{{"bufferView", image}, {"mimeType", "image/png"}}};
    b.json["meshes"] = {
        {{"name", "skin"},
         {"primitives",
          {{{"attributes",
             {{"POSITION", positions}, {"NORMAL", normals}, {"JOINTS_0", joints}, {"WEIGHTS_0", weights}}},
            {"indices", indices},
            {"material", 0},
            {"targets", {{{"POSITION", target}}}}}}},
         {"extras", {{"targetNames", {"puff"}}}}}};
    b.json["animations"] = {{{"name", "bend"},
                             {"samplers",
                              {{{"input", times}, {"output", turns}},
                               {{"input", times}, {"output", moves}, {"interpolation", "STEP"}},
                               {{"input", times}, {"output", faces}}}},
                             {"channels",
                              {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}},
                               {{"sampler", 1}, {"target", {{"node", 0}, {"path", "translation"}}}},
                               {{"sampler", 2}, {"target", {{"node", 2}, {"path", "weights"}}}}}}}};
    return b;
}

inline const OutputFile& main_file(const std::vector<OutputFile>& files) {
    return files.back();
}

// Reads what must be readable, and valid.
inline Character read_ok(const SharedBytes& bytes, const ReadOptions& options = {}) {
    auto character = read_gltf(bytes, options);
    if (!character) FAIL(to_string(character.error()));
    const auto valid = validate(*character);
    if (!valid) FAIL(to_string(valid.error()));
    return *std::move(character);
}

}  // namespace sinew::test
