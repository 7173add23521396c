// Pictures of a surface beyond its colour: every format that has them says the same in Material's terms.
#include <doctest/doctest.h>

#include <sinew/image/decode_image.h>
#include <sinew/image/encode_png.h>
#include <sinew/io/fbx/fbx.h>
#include <sinew/io/gltf/gltf.h>
#include <sinew/io/obj/obj.h>
#include <sinew/io/surface_maps.h>
#include <sinew/io/write.h>
#include <array>
#include <map>

using namespace sinew;

namespace {

using Pixel = std::array<uint8_t, 4>;

Bytes png(int32_t width, int32_t height, const std::vector<Pixel>& pixels) {
    std::vector<uint8_t> rgba;
    for (const Pixel& pixel : pixels) rgba.insert(rgba.end(), pixel.begin(), pixel.end());
    auto bytes = encode_png(width, height, rgba);
    REQUIRE(bytes.has_value());
    return *std::move(bytes);
}

Bytes flat_png(Pixel pixel) {
    return png(2, 2, std::vector<Pixel>(4, pixel));
}

Pixel pixel_at(const Image& image, int32_t x, int32_t y) {
    const auto pixels = decode_image(image.bytes.view);
    REQUIRE(pixels.has_value());
    const uint8_t* first = &pixels->rgba[4 * size_t(y * pixels->width + x)];
    return {first[0], first[1], first[2], first[3]};
}

constexpr Pixel flat_normal = {128, 128, 255, 255}, grey = {90, 90, 90, 255}, red_light = {255, 0, 0, 255};

Character read_obj_with(std::string_view mtl, std::map<std::string, Bytes> files) {
    const ByteSpan text = as_byte_span(mtl);
    files["a.mtl"] = Bytes(text.begin(), text.end());
    ReadOptions options;
    options.resources = [files](std::string_view name) -> Result<SharedBytes> {
        const auto found = files.find(std::string(name));
        if (found == files.end()) return fail(ErrorCode::not_found, "not there");
        return SharedBytes::own(found->second);
    };
    const ByteSpan obj = as_byte_span("mtllib a.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n");
    auto character = read_obj(SharedBytes::own(Bytes(obj.begin(), obj.end())), options);
    REQUIRE_MESSAGE(character.has_value(), (character ? "" : to_string(character.error())));
    REQUIRE(character->materials.size() == 1);
    return *std::move(character);
}

}  // namespace

TEST_CASE("surface maps: an OBJ's maps of roughness and metalness become glTF's one picture") {
    const Bytes rough = png(2, 1, {{10, 10, 10, 255}, {200, 200, 200, 255}});
    const Bytes metal = png(4, 2,
                            {{0, 0, 0, 255},
                             {1, 1, 1, 255},
                             {2, 2, 2, 255},
                             {3, 3, 3, 255},
                             {4, 4, 4, 255},
                             {5, 5, 5, 255},
                             {6, 6, 6, 255},
                             {7, 7, 7, 255}});
    const Character c = read_obj_with(
        "newmtl a\nPr 0.3\nPm 0.1\nmap_Pr r.png\nmap_Pm m.png\nmap_Ke e.png\nnorm n.png\n",
        {{"r.png", rough}, {"m.png", metal}, {"e.png", flat_png(red_light)}, {"n.png", flat_png(flat_normal)}});
    const Material& material = c.materials[0];
    CHECK(material.roughness == 1);
    CHECK(material.metallic == 1);
    CHECK(material.emissive == Vec3(1, 1, 1));
    REQUIRE(material.metallic_roughness_image >= 0);
    const Image& packed = c.images[size_t(material.metallic_roughness_image)];
    CHECK(packed.mime_type == "image/png");
    CHECK(pixel_at(packed, 0, 0) == Pixel{255, 10, 0, 255});
    CHECK(pixel_at(packed, 3, 0) == Pixel{255, 200, 3, 255});
    CHECK(pixel_at(packed, 1, 1) == Pixel{255, 10, 5, 255});
    CHECK(pixel_at(c.images[size_t(material.normal_image)], 0, 0) == flat_normal);
    CHECK(pixel_at(c.images[size_t(material.emissive_image)], 0, 0) == red_light);
}

TEST_CASE("surface maps: a bump map of normals is one of normals, a map of heights is not") {
    const auto normals_of = [](Pixel pixel) {
        return read_obj_with("newmtl a\nmap_Bump -bm 0.5 b.png\n", {{"b.png", flat_png(pixel)}})
            .materials[0]
            .normal_image;
    };
    CHECK(normals_of(flat_normal) >= 0);
    CHECK(normals_of(grey) == -1);
}

TEST_CASE("surface maps: one picture for both is packed already; a broken one is left out") {
    const Character both = read_obj_with("newmtl a\nmap_Pr s.png\nmap_Pm s.png\n", {{"s.png", flat_png(grey)}});
    CHECK(both.images.size() == 1);
    CHECK(both.materials[0].metallic_roughness_image == 0);
    const Character broken = read_obj_with("newmtl a\nPr 0.3\nmap_Pr s.png\n", {{"s.png", Bytes(20, std::byte{7})}});
    CHECK(broken.materials[0].metallic_roughness_image == -1);
    CHECK(broken.materials[0].roughness == doctest::Approx(0.3f));
}

TEST_CASE("surface maps: they survive glTF and FBX") {
    Character c = read_obj_with("newmtl a\nmap_Kd k.png\nmap_Pr r.png\nmap_Pm m.png\nmap_Ke e.png\nnorm n.png\n",
                                {{"k.png", flat_png({1, 2, 3, 255})},
                                 {"r.png", flat_png({40, 40, 40, 255})},
                                 {"m.png", flat_png({50, 50, 50, 255})},
                                 {"e.png", flat_png(red_light)},
                                 {"n.png", flat_png(flat_normal)}});
    c.materials[0].roughness = 0.5f;
    for (const char* name : {"a.glb", "a.fbx"}) {
        INFO(name);
        auto files = encode_character(c, name);
        REQUIRE_MESSAGE(files.has_value(), (files ? "" : to_string(files.error())));
        const SharedBytes bytes = SharedBytes::own(std::move(files->front().bytes));
        const auto back = std::string_view(name) == "a.glb" ? read_gltf(bytes, {}) : read_fbx(bytes, {});
        REQUIRE_MESSAGE(back.has_value(), (back ? "" : to_string(back.error())));
        REQUIRE(back->materials.size() == 1);
        const Material& material = back->materials[0];
        CHECK(material.roughness == doctest::Approx(0.5f));
        CHECK(material.metallic == doctest::Approx(1.0f));
        for (const auto image : {&Material::base_color_image, &Material::metallic_roughness_image,
                                 &Material::normal_image, &Material::emissive_image})
            REQUIRE(material.*image >= 0);
        const auto first_pixel = [&](int32_t image) { return pixel_at(back->images[size_t(image)], 0, 0); };
        CHECK(first_pixel(material.base_color_image) == Pixel{1, 2, 3, 255});
        CHECK(first_pixel(material.metallic_roughness_image) == Pixel{255, 40, 50, 255});
        CHECK(first_pixel(material.normal_image) == flat_normal);
        CHECK(first_pixel(material.emissive_image) == red_light);
    }
}
