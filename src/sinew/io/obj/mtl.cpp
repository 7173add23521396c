#include <fmt/format.h>

#include <sinew/io/obj/mtl.h>
#include <sinew/io/text_scan.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace sinew {
namespace {

std::optional<Vec3> read_color(TextScan& scan) {
    Vec3 color;
    const auto red = parse_number(scan.word());
    if (!red) return std::nullopt;  // "spectral" and "xyz" are forms that nobody writes
    const auto green = parse_number(scan.word());
    const auto blue = parse_number(scan.word());
    color = Vec3(float(*red), float(green.value_or(*red)), float(blue.value_or(*red)));
    return color.cwiseMax(0.0f).cwiseMin(1.0f);
}

std::optional<float> read_value(TextScan& scan) {
    std::string_view word = scan.word();
    if (word == "-halo") word = scan.word();
    const auto value = parse_number(word);
    return value ? std::optional(float(*value)) : std::nullopt;
}

// The file's name behind options such as "-s 1 1 1 -bm 0.3".
std::string read_map_name(std::string_view rest) {
    TextScan words(rest, {});
    std::string_view word = words.word();
    while (word.starts_with('-') && word.size() > 1) {
        const bool one_word = word == "-blendu" || word == "-blendv" || word == "-cc" || word == "-clamp" ||
                              word == "-imfchan" || word == "-type" || word == "-texres" || word == "-bm" ||
                              word == "-boost";
        word = words.word();
        if (one_word) word = words.word();
        while (!one_word && parse_number(word)) word = words.word();
    }
    std::string name(word.empty() ? word : rest.substr(static_cast<size_t>(word.data() - rest.data())));
    std::replace(name.begin(), name.end(), '\\', '/');
    return name;
}

std::string* map_of(std::string_view key, MtlMaterial& entry) {
    const auto is = [&](std::string_view name) { return equals_ignoring_case(key, name); };
    if (is("map_Kd")) return &entry.base_color_map;
    if (is("map_Ke")) return &entry.emissive_map;
    if (is("map_Pr")) return &entry.roughness_map;
    if (is("map_Pm")) return &entry.metalness_map;
    if (is("norm") || is("map_Kn")) return &entry.normal_map;
    if (is("map_Bump") || is("bump")) return &entry.bump_map;
    return nullptr;
}

void read_statement(std::string_view key, TextScan& scan, MtlMaterial& entry, float& exponent, bool& mirror) {
    Material& material = entry.material;
    const auto is = [&](std::string_view name) { return equals_ignoring_case(key, name); };
    if (is("Kd")) {
        if (const auto color = read_color(scan)) material.base_color.head<3>() = *color;
    } else if (is("Ke")) {
        if (const auto color = read_color(scan)) material.emissive = *color;
    } else if (is("Ks")) {
        if (const auto color = read_color(scan)) mirror = color->maxCoeff() > 0;
    } else if (is("Ns")) {
        exponent = read_value(scan).value_or(exponent);
    } else if (is("Pr")) {
        if (const auto value = read_value(scan)) material.roughness = std::clamp(*value, 0.0f, 1.0f), exponent = -1;
    } else if (is("Pm")) {
        if (const auto value = read_value(scan)) material.metallic = std::clamp(*value, 0.0f, 1.0f);
    } else if (is("d")) {
        if (const auto value = read_value(scan)) material.base_color[3] = std::clamp(*value, 0.0f, 1.0f);
    } else if (is("Tr")) {
        if (const auto value = read_value(scan)) material.base_color[3] = std::clamp(1 - *value, 0.0f, 1.0f);
    } else if (std::string* map = map_of(key, entry)) {
        *map = read_map_name(scan.rest_of_line());
    }
}

void finish(MtlMaterial& entry, float exponent, bool mirror) {
    Material& material = entry.material;
    if (exponent >= 0) material.roughness = mirror ? roughness_from_exponent(exponent) : 1.0f;
    if (material.base_color[3] < 1) material.alpha_mode = AlphaMode::blend;
    // The map is multiplied with Kd, and many exporters leave Kd black beside a map.
    if (!entry.base_color_map.empty() && material.base_color.head<3>().isZero())
        material.base_color.head<3>().setOnes();
}

}  // namespace

float roughness_from_exponent(float exponent) {
    return static_cast<float>(std::pow(2.0 / (std::max(exponent, 0.0f) + 2.0), 0.25));
}

float exponent_from_roughness(float roughness) {
    const double r = std::clamp(static_cast<double>(roughness), 0.02, 1.0);
    return static_cast<float>(2.0 / (r * r * r * r) - 2.0);
}

void parse_mtl(std::string_view text, std::map<std::string, MtlMaterial, std::less<>>& materials) {
    TextScan scan(text, {.hash_comments = true, .backslash_continues = false});
    MtlMaterial entry;
    bool open = false, mirror = true;
    float exponent = -1;
    const auto close = [&] {
        if (!open) return;
        finish(entry, exponent, mirror);
        const std::string name = entry.material.name;
        materials.try_emplace(name, std::move(entry));
    };
    while (scan.next_line()) {
        const std::string_view key = scan.word();
        if (!equals_ignoring_case(key, "newmtl")) {
            read_statement(key, scan, entry, exponent, mirror);
            continue;
        }
        close();
        entry = {}, open = true, mirror = true, exponent = -1;
        entry.material.name = scan.rest_of_line();
    }
    close();
}

std::string format_mtl(const std::vector<Material>& materials, const std::vector<std::string>& material_names,
                       const std::vector<std::string>& image_names) {
    std::string text;
    for (size_t i = 0; i < materials.size(); ++i) {
        const Material& m = materials[i];
        const auto out = std::back_inserter(text);
        fmt::format_to(out, "newmtl {}\n", material_names[i]);
        fmt::format_to(out, "Kd {:.9g} {:.9g} {:.9g}\n", m.base_color[0], m.base_color[1], m.base_color[2]);
        fmt::format_to(out, "Ks 0.04 0.04 0.04\nNs {:.9g}\n", exponent_from_roughness(m.roughness));
        fmt::format_to(out, "Pr {:.9g}\nPm {:.9g}\n", m.roughness, m.metallic);
        fmt::format_to(out, "Ke {:.9g} {:.9g} {:.9g}\n", m.emissive[0], m.emissive[1], m.emissive[2]);
        fmt::format_to(out, "d {:.9g}\nillum 2\n", m.alpha_mode == AlphaMode::opaque ? 1.0f : m.base_color[3]);
        const auto add_map = [&](const char* key, int32_t image) {
            if (image >= 0 && !image_names[static_cast<size_t>(image)].empty())
                fmt::format_to(out, "{} {}\n", key, image_names[static_cast<size_t>(image)]);
        };
        add_map("map_Kd", m.base_color_image);
        add_map("map_Ke", m.emissive_image);
        add_map("norm", m.normal_image);
        text += '\n';
    }
    return text;
}

}  // namespace sinew
