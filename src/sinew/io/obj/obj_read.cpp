#include <fmt/format.h>

#include <sinew/image/image_type.h>
#include <sinew/io/obj/mtl.h>
#include <sinew/io/obj/obj.h>
#include <sinew/io/obj/polygon.h>
#include <sinew/io/resources.h>
#include <sinew/io/surface_maps.h>
#include <sinew/io/text_scan.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <unordered_map>

namespace sinew {
namespace {

// A face's corner: 0-based indices into the file's v, vt and vn; −1 where it has none.
struct Corner {
    int32_t v = -1, vt = -1, vn = -1;
    bool operator==(const Corner&) const = default;
};

// Corner → vertex, open addressing. A node per vertex, as std::unordered_map has, costs more than the parsing.
class CornerMap {
public:
    // The vertex of that corner; `next` if it is new.
    uint32_t find_or_add(const Corner& corner, uint32_t next) {
        if (2 * (count_ + 1) > slots_.size()) grow();
        Slot& slot = find(corner);
        if (slot.vertex == none) slot = {corner, next}, ++count_;
        return slot.vertex;
    }

private:
    static constexpr uint32_t none = ~0u;
    struct Slot {
        Corner corner;
        uint32_t vertex = none;
    };

    Slot& find(const Corner& c) {
        const size_t mask = slots_.size() - 1;
        uint64_t h = (uint64_t(uint32_t(c.v)) << 32 | uint32_t(c.vt)) * 0x9e3779b97f4a7c15ull;
        h = (h ^ (h >> 29) ^ uint32_t(c.vn)) * 0xbf58476d1ce4e5b9ull;
        size_t i = (h ^ (h >> 32)) & mask;
        while (slots_[i].vertex != none && slots_[i].corner != c) i = (i + 1) & mask;
        return slots_[i];
    }
    void grow() {
        std::vector<Slot> old(std::max<size_t>(16, 2 * slots_.size()));
        old.swap(slots_);
        for (const Slot& slot : old)
            if (slot.vertex != none) find(slot.corner) = slot;
    }

    std::vector<Slot> slots_;
    size_t count_ = 0;
};

// A group costs a thousand times the bytes that its line has, so there must be an end to them.
constexpr size_t max_parts = 1'000'000;

// One primitive while it grows. What not every corner has is dropped or filled in when the file has been read.
struct Part {
    Mesh mesh;
    CornerMap vertices;
    int32_t material = -1;
    bool lacks_normals = false;
    bool has_uvs = false;
    bool has_colors = false;
};

struct Group {
    std::string name;
    std::unordered_map<int32_t, size_t> part_of_material;
    std::vector<Part> parts;
};

float linear_from_srgb(double c) {
    return float(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
}

class ObjReader {
public:
    ObjReader(std::string_view text, const ReadOptions& options)
        : scan_(text, {.hash_comments = true, .backslash_continues = true}), options_(options) {}

    Result<Character> read() {
        while (scan_.next_line()) SINEW_TRY_VOID(statement(scan_.word()));
        if (triangles_ == 0)
            return fail(ErrorCode::invalid_data, "the file has no faces ('f' lines); export it as a mesh");
        return finish();
    }

private:
    Result<void> statement(std::string_view key) {
        if (key == "v") return position();
        if (key == "vt") return uv();
        if (key == "vn") return normal();
        if (key == "f" || key == "fo") return face();
        if (key == "o" || key == "g") {
            group_name_ = scan_.rest_of_line();
            part_ = nullptr;
        } else if (key == "usemtl") {
            material_ = material(std::string(scan_.rest_of_line()));
            part_ = nullptr;
        } else if (key == "mtllib") {
            load_materials(scan_.rest_of_line());
        } else if (key == "l" || key == "p") {
            ++lines_and_points_;
        } else if (key == "curv" || key == "curv2" || key == "surf") {
            ++freeform_;
        }
        return {};  // smoothing groups, display attributes and the rest say nothing about triangles
    }

    Result<void> position() {
        Vec3 p;
        for (int i = 0; i < 3; ++i) {
            SINEW_TRY(const double value, scan_.number("a vertex's coordinate"));
            p[i] = float(value);
        }
        positions_.push_back(p);
        std::array<double, 4> more{};
        size_t count = 0;
        for (std::string_view word = scan_.word(); !word.empty() && count < 4; word = scan_.word())
            more[count++] = parse_number(word).value_or(0.0);
        // One more number is w; three are red, green, blue; four have an alpha that nobody agrees on.
        if (count < 3) return {};
        colors_.resize(positions_.size() - 1, Vec3::Ones());
        for (double& c : more) c = std::clamp(c, 0.0, 1.0);
        colors_.emplace_back(linear_from_srgb(more[0]), linear_from_srgb(more[1]), linear_from_srgb(more[2]));
        return {};
    }

    Result<void> uv() {
        SINEW_TRY(const double u, scan_.number("a texture coordinate"));
        const auto v = parse_number(scan_.word());
        uvs_.emplace_back(float(u), float(1.0 - v.value_or(0.0)));
        return {};
    }

    Result<void> normal() {
        Vec3 n;
        for (int i = 0; i < 3; ++i) {
            SINEW_TRY(const double value, scan_.number("a normal's coordinate"));
            n[i] = float(value);
        }
        // Normals that are unit already stay as they are, to the bit.
        const double length = n.cast<double>().norm();
        if (!(length > 0))
            n = Vec3::UnitY();
        else if (std::abs(length - 1) > 1e-6)
            n = (n.cast<double>() / length).cast<float>();
        normals_.push_back(n);
        return {};
    }

    // 1 is the first one; −1 the last one so far.
    Result<int32_t> index(std::string_view word, size_t count, std::string_view what) const {
        const auto number = parse_integer(word);
        if (!number)
            return fail(ErrorCode::invalid_data,
                        fmt::format("a face's corner should be a number, not {}", in_quotes(word)), scan_.where());
        const int64_t i = *number < 0 ? *number + int64_t(count) : *number - 1;
        if (*number == 0 || i < 0 || i >= int64_t(count))
            return fail(ErrorCode::invalid_data,
                        fmt::format("a face uses {} {}, but the file has only {} up to here", what, *number, count),
                        scan_.where());
        return int32_t(i);
    }

    // v, v/vt, v//vn or v/vt/vn.
    Result<Corner> corner(std::string_view word) const {
        Corner result;
        const size_t slash = word.find('/');
        SINEW_TRY(result.v, index(word.substr(0, slash), positions_.size(), "vertex"));
        if (slash == std::string_view::npos) return result;
        word.remove_prefix(slash + 1);
        const size_t second = word.find('/');
        const std::string_view vt = word.substr(0, second);
        if (!vt.empty()) {
            SINEW_TRY(result.vt, index(vt, uvs_.size(), "texture coordinate"));
        }
        if (second == std::string_view::npos || second + 1 == word.size()) return result;
        SINEW_TRY(result.vn, index(word.substr(second + 1), normals_.size(), "normal"));
        return result;
    }

    Result<void> face() {
        corners_.clear();
        points_.clear();
        for (std::string_view word = scan_.word(); !word.empty(); word = scan_.word()) {
            SINEW_TRY(const Corner c, corner(word));
            corners_.push_back(c);
            points_.push_back(positions_[size_t(c.v)]);
        }
        if (corners_.size() < 3)
            return fail(ErrorCode::invalid_data,
                        fmt::format("a face has {} corners; it needs at least three", corners_.size()), scan_.where());
        triangles_ += corners_.size() - 2;
        if (triangles_ > options_.limits.max_triangles)
            return fail(ErrorCode::limit_exceeded, "more triangles than the limits allow", scan_.where());

        if (part_ == nullptr) part_ = &current_part();
        if (parts_ > max_parts)
            return fail(ErrorCode::limit_exceeded, "the file has too many groups and materials; merge some of them",
                        scan_.where());
        split_.clear();
        triangulator_.split(points_, split_);
        vertex_of_corner_.clear();
        for (const Corner& c : corners_) vertex_of_corner_.push_back(add_vertex(*part_, c));
        for (const uint32_t i : split_) part_->mesh.triangles.push_back(vertex_of_corner_[i]);
        if (vertices_ > options_.limits.max_vertices)
            return fail(ErrorCode::limit_exceeded, "more vertices than the limits allow", scan_.where());
        return {};
    }

    uint32_t add_vertex(Part& part, const Corner& c) {
        const uint32_t next = uint32_t(part.mesh.positions.size());
        const uint32_t vertex = part.vertices.find_or_add(c, next);
        if (vertex != next) return vertex;
        ++vertices_;
        Mesh& mesh = part.mesh;
        mesh.positions.push_back(positions_[size_t(c.v)]);
        mesh.uvs.push_back(c.vt < 0 ? Vec2(Vec2::Zero()) : uvs_[size_t(c.vt)]);
        mesh.normals.push_back(c.vn < 0 ? Vec3(Vec3::UnitY()) : normals_[size_t(c.vn)]);
        part.has_uvs |= c.vt >= 0;
        part.lacks_normals |= c.vn < 0;
        if (size_t(c.v) < colors_.size() || part.has_colors) {
            part.has_colors = true;
            mesh.colors.resize(mesh.positions.size(), Vec4::Ones());
            if (size_t(c.v) < colors_.size()) mesh.colors.back().head<3>() = colors_[size_t(c.v)];
        }
        return vertex;
    }

    Part& current_part() {
        const auto [found, is_new] = group_of_name_.try_emplace(group_name_, groups_.size());
        if (is_new) groups_.push_back({group_name_, {}, {}});
        Group& group = groups_[found->second];
        const auto [part, is_new_part] = group.part_of_material.try_emplace(material_, group.parts.size());
        if (is_new_part) {
            group.parts.emplace_back().material = material_;
            ++parts_;
        }
        return group.parts[part->second];
    }

    int32_t material(const std::string& name) {
        const auto [found, is_new] = material_of_name_.try_emplace(name, int32_t(material_names_.size()));
        if (is_new) material_names_.push_back(name);
        return found->second;
    }

    // "mtllib a b.mtl" may name one file or two.
    void load_materials(std::string_view names) {
        if (names.empty() || load_material_file(names)) return;
        TextScan words(names, {});
        size_t missing = 0, count = 0;
        for (std::string_view word = words.word(); !word.empty(); word = words.word(), ++count)
            if (names.find(' ') == std::string_view::npos || !load_material_file(word)) ++missing;
        if (missing > 0)
            warnings_.push_back(
                fmt::format("the material file {} could not be read; put it beside the .obj", in_quotes(names)));
    }

    bool load_material_file(std::string_view name) {
        std::string path(name);
        std::replace(path.begin(), path.end(), '\\', '/');  // written on Windows
        const auto bytes = fetch_resource(path, options_);
        if (!bytes) return false;
        parse_mtl(as_text(bytes->view), library_);
        return true;
    }

    int32_t load_image(const std::string& name, Character& character) {
        for (size_t i = 0; i < character.images.size(); ++i)
            if (character.images[i].uri == name) return int32_t(i);
        const auto bytes = fetch_resource(name, options_);
        if (!bytes) {
            missing_pictures_.insert(name);
            return -1;
        }
        character.images.push_back(
            {.name = name, .mime_type = std::string(image_mime_type(bytes->view)), .uri = name, .bytes = *bytes});
        return int32_t(character.images.size() - 1);
    }

    // A map of roughness or metalness stands for its number; one of light is multiplied with Ke, where that says so.
    void add_maps(const MtlMaterial& entry, Material& material, Character& character) {
        const auto load = [&](const std::string& name) { return name.empty() ? -1 : load_image(name, character); };
        material.base_color_image = load(entry.base_color_map);
        material.emissive_image = load(entry.emissive_map);
        if (material.emissive_image >= 0 && material.emissive.isZero()) material.emissive.setOnes();
        material.normal_image = load(entry.normal_map);
        if (material.normal_image < 0)
            if (const int32_t bump = load(entry.bump_map);
                bump >= 0 && looks_like_normals(character.images[size_t(bump)]))
                material.normal_image = bump;
        const int32_t roughness = load(entry.roughness_map), metalness = load(entry.metalness_map);
        material.metallic_roughness_image = add_surface_image(character, roughness, metalness);
        if (material.metallic_roughness_image < 0) return;
        if (roughness >= 0) material.roughness = 1;
        if (metalness >= 0) material.metallic = 1;
    }

    void finish_materials(Character& character) {
        for (const std::string& name : material_names_) {
            const auto found = library_.find(name);
            Material material;
            if (found != library_.end()) {
                material = found->second.material;
                add_maps(found->second, material, character);
            }
            material.name = name;
            character.materials.push_back(std::move(material));
        }
    }

    void finish_part(Part& part, MeshGroup& mesh) {
        if (!part.has_uvs) part.mesh.uvs.clear();
        if (part.lacks_normals) part.mesh.normals.clear();
        if (part.has_colors) part.mesh.colors.resize(part.mesh.positions.size(), Vec4::Ones());
        Primitive& primitive = mesh.primitives.emplace_back();
        primitive.mesh = std::move(part.mesh);
        primitive.material = part.material;
        primitive.source = int32_t(mesh.primitives.size() - 1);
    }

    Result<Character> finish() {
        Character character;
        character.format = "obj";
        SINEW_TRY(character.skeleton, Skeleton::create({"root"}, {-1}, {Transform{}}));
        for (Group& group : groups_) {
            MeshGroup& mesh = character.meshes.emplace_back();
            mesh.name = group.name;
            for (Part& part : group.parts) finish_part(part, mesh);
            character.instances.emplace_back().mesh = int32_t(character.meshes.size() - 1);
        }
        finish_materials(character);
        if (lines_and_points_ > 0)
            warnings_.push_back(
                fmt::format("{} lines and points were left out; only faces are read", lines_and_points_));
        if (freeform_ > 0)
            warnings_.push_back(fmt::format("{} free-form curves and surfaces were left out", freeform_));
        if (triangulator_.out_of_budget())
            warnings_.push_back("some very large concave faces were split without regard to their shape");
        warn_of_missing_pictures({missing_pictures_.begin(), missing_pictures_.end()}, warnings_);
        character.warnings = std::move(warnings_);
        return character;
    }

    TextScan scan_;
    const ReadOptions& options_;

    std::vector<Vec3> positions_, normals_, colors_;  // as in the file; colors_ may be shorter than positions_
    std::vector<Vec2> uvs_;

    std::string group_name_;
    std::vector<Group> groups_;
    std::unordered_map<std::string, size_t> group_of_name_;
    Part* part_ = nullptr;  // what the current group and material make; null after either has changed

    int32_t material_ = -1;
    std::vector<std::string> material_names_;
    std::unordered_map<std::string, int32_t> material_of_name_;
    std::map<std::string, MtlMaterial, std::less<>> library_;

    Triangulator triangulator_;
    std::vector<Corner> corners_;
    std::vector<Vec3> points_;
    std::vector<uint32_t> split_, vertex_of_corner_;
    size_t triangles_ = 0, vertices_ = 0, parts_ = 0, lines_and_points_ = 0, freeform_ = 0;
    std::vector<std::string> warnings_;
    std::set<std::string> missing_pictures_;
};

}  // namespace

Result<Character> read_obj(SharedBytes file, const ReadOptions& options) {
    return ObjReader(as_text(file.view), options).read();
}

}  // namespace sinew
