#include <sinew/pipeline/simulate/worn.h>

#include <sinew/character/character_deformer.h>
#include <sinew/core/closest.h>
#include <sinew/core/union_find.h>
#include <sinew/physics/spring_bones/spring_bones.h>
#include <sinew/pipeline/simulate/actor.h>
#include <sinew/skeleton/humanoid.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr std::array<std::string_view, 15> loose_words = {"skirt",  "cape",  "cloak",  "dress",  "robe",
                                                          "gown",   "scarf", "veil",   "poncho", "kilt",
                                                          "mantle", "toga",  "tabard", "shawl",  "coattail"};
// The rim that is held: this share of the garment's height below its highest border.
constexpr float rim_share = 0.06f;
// As a share of the body's height. Up to here from the skin, cloth lies close; beyond, it hangs.
constexpr float close_share = 0.011f, hanging_share = 0.02f;
// An open piece of mesh is a garment if this share of it hangs, it is so high, and it begins below a person's chin.
constexpr float least_hanging = 0.4f, least_height = 0.12f, highest_start = 0.86f;

bool same_name(std::string_view a, std::string_view b) {
    return std::ranges::equal(a, b,
                              [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

struct Names {
    std::string_view node, mesh, material;
};
Names names_of(const Character& character, const MeshInstance& instance, const Primitive& primitive) {
    return {character.skeleton.names()[static_cast<size_t>(instance.joint)],
            character.meshes[static_cast<size_t>(instance.mesh)].name,
            primitive.material < 0 ? std::string_view()
                                   : character.materials[static_cast<size_t>(primitive.material)].name};
}

std::array<uint32_t, 3> sorted_corners(std::array<uint32_t, 3> corners) {
    std::ranges::sort(corners);
    return corners;
}

int32_t owner_of(const Character& character, const MeshInstance& instance, const Primitive& primitive, size_t v) {
    if (instance.skin < 0 || primitive.influences.empty() || primitive.influences.of(v).empty()) return instance.joint;
    return character.skins[static_cast<size_t>(instance.skin)].joints[primitive.influences.of(v)[0].joint];
}

// The chosen triangles of an instance as one piece of cloth: vertices at one place are one, and of two triangles with
// the same corners (the two sides of a sheet) one is kept.
class Tailor {
public:
    Tailor(const Character& character, int32_t instance, std::string name)
        : character_(character), instance_(character.instances[static_cast<size_t>(instance)]) {
        worn_.name = std::move(name), worn_.instance = instance;
        for (const Primitive& p : group().primitives) worn_.cloth_vertex.emplace_back(p.mesh.vertex_count(), -1);
    }
    const MeshGroup& group() const { return character_.meshes[static_cast<size_t>(instance_.mesh)]; }

    void add(size_t primitive, std::span<const Vec3> deformed, const auto& wanted) {
        const Primitive& p = group().primitives[primitive];
        for (size_t t = 0; t + 2 < p.mesh.triangles.size(); t += 3) {
            const std::array corners = {p.mesh.triangles[t], p.mesh.triangles[t + 1], p.mesh.triangles[t + 2]};
            if (!wanted(corners[0])) continue;
            std::array<uint32_t, 3> mine{};
            for (size_t k = 0; k < 3; ++k) mine[k] = vertex(primitive, corners[k], deformed);
            if (mine[0] == mine[1] || mine[1] == mine[2] || mine[2] == mine[0]) continue;
            if (seen_.insert(sorted_corners(mine)).second)
                worn_.triangles.insert(worn_.triangles.end(), mine.begin(), mine.end());
        }
    }
    Worn finish() { return std::move(worn_); }

private:
    uint32_t vertex(size_t primitive, uint32_t v, std::span<const Vec3> deformed) {
        const Primitive& p = group().primitives[primitive];
        const Vec3& at = p.mesh.positions[v];
        const auto next = static_cast<uint32_t>(worn_.positions.size());
        const uint32_t id = at_.try_emplace({at.x(), at.y(), at.z()}, next).first->second;
        worn_.cloth_vertex[primitive][v] = static_cast<int32_t>(id);
        if (id == next) {
            worn_.in_mesh.push_back(at);
            worn_.positions.push_back(deformed[v]);
            worn_.owners.push_back(owner_of(character_, instance_, p, v));
        }
        return id;
    }
    const Character& character_;
    const MeshInstance& instance_;
    Worn worn_;
    std::map<std::array<float, 3>, uint32_t> at_;
    std::set<std::array<uint32_t, 3>> seen_;
};

std::vector<uint8_t> border_of(const Worn& worn) {
    std::map<std::pair<uint32_t, uint32_t>, int> sides;
    for (size_t i = 0; i < worn.triangles.size(); ++i) {
        const size_t first = i - i % 3;
        ++sides[std::minmax(worn.triangles[first + i % 3], worn.triangles[first + (i + 1) % 3])];
    }
    std::vector<uint8_t> border(worn.positions.size(), 0);
    for (const auto& [side, count] : sides)
        if (count == 1) border[side.first] = border[side.second] = 1;
    return border;
}

// Each piece of an instance's mesh, by the places of its vertices.
std::vector<Worn> pieces_of(const Character& character, const DeformedPrimitive& part, const std::string& name) {
    const MeshInstance& instance = character.instances[static_cast<size_t>(part.instance)];
    const Mesh& mesh =
        character.meshes[static_cast<size_t>(instance.mesh)].primitives[static_cast<size_t>(part.primitive)].mesh;
    std::map<std::array<float, 3>, uint32_t> at;
    UnionFind pieces(mesh.vertex_count());
    for (uint32_t v = 0; v < mesh.vertex_count(); ++v) {
        const Vec3& p = mesh.positions[v];
        pieces.join(v, at.try_emplace({p.x(), p.y(), p.z()}, v).first->second);
    }
    for (size_t i = 0; i < mesh.triangles.size(); ++i) pieces.join(mesh.triangles[i], mesh.triangles[i - i % 3]);
    std::vector<Worn> out;
    std::set<size_t> roots;
    for (const uint32_t v : mesh.triangles) roots.insert(pieces.find(v));
    constexpr size_t most_pieces = 256;  // beyond, these are leaves or scales
    if (roots.size() > most_pieces) return out;
    for (const size_t root : roots) {
        Tailor tailor(character, part.instance, name);
        tailor.add(static_cast<size_t>(part.primitive), part.positions,
                   [&](uint32_t v) { return pieces.find(v) == root; });
        out.push_back(tailor.finish());
    }
    return out;
}

bool hangs(const Worn& piece, const Character& character, const Box& body) {
    const Box box = bounds(piece.positions);
    const float height = body.size().y();
    if (box.size().y() < least_height * height || box.max.y() > body.min.y() + highest_start * height) return false;
    const auto border = border_of(piece);
    if (std::ranges::none_of(border, [](uint8_t b) { return b != 0; })) return false;
    const Actor rest(character, nullptr, std::span(&piece, 1));
    if (rest.skin().empty()) return false;
    size_t hanging = 0;
    for (const Vec3& p : piece.positions)
        hanging += rest.skin().nearest(p, height).distance > hanging_share * height ? 1 : 0;
    return static_cast<float>(hanging) > least_hanging * static_cast<float>(piece.positions.size());
}

std::vector<Worn> find_hanging(const Character& character, const std::vector<DeformedPrimitive>& parts) {
    Box body;
    for (const DeformedPrimitive& part : parts) body.add(bounds(part.positions));
    std::vector<Worn> found;
    for (const DeformedPrimitive& part : parts)
        for (Worn& piece : pieces_of(character, part, fmt::format("cloth{}", found.size())))
            if (hangs(piece, character, body)) found.push_back(std::move(piece));
    return found;
}

// Joints on which cloth that lies close stays where its weights put it: the trunk and the arms, not the legs.
std::vector<uint8_t> holding_joints(const Skeleton& skeleton) {
    const HumanoidMap roles = recognise_humanoid(skeleton);
    std::vector<uint8_t> holds(skeleton.size(), 0);
    for (size_t r = 0; r < role_count; ++r) {
        const auto role = static_cast<Role>(r);
        const bool leg = role >= Role::left_upper_leg && role <= Role::right_toes;
        if (roles[role] >= 0 && !leg) holds[static_cast<size_t>(roles[role])] = 1;
    }
    return holds;
}

}  // namespace

Result<std::vector<Worn>> find_worn(const Character& character, const std::string& name) {
    std::vector<DeformedPrimitive> parts;
    deform(character, rest_pose(character), {.normals = false}, parts);
    const bool by_itself = name == "auto";
    const auto fits = [&](std::string_view given) {
        if (!by_itself) return same_name(given, name);
        return std::ranges::any_of(loose_words, [&](std::string_view word) { return name_has_word(given, word); });
    };
    std::map<std::pair<int32_t, std::string>, Tailor> tailors;
    std::set<std::string> known;
    for (const DeformedPrimitive& part : parts) {
        const MeshInstance& instance = character.instances[static_cast<size_t>(part.instance)];
        const Primitive& primitive =
            character.meshes[static_cast<size_t>(instance.mesh)].primitives[static_cast<size_t>(part.primitive)];
        const Names names = names_of(character, instance, primitive);
        for (const std::string_view given : {names.node, names.mesh, names.material})
            if (!given.empty()) known.emplace(given);
        for (const std::string_view given : {names.material, names.mesh, names.node}) {
            if (given.empty() || !fits(given)) continue;
            tailors.try_emplace({part.instance, std::string(given)}, character, part.instance, std::string(given))
                .first->second.add(static_cast<size_t>(part.primitive), part.positions, [](uint32_t) { return true; });
            break;
        }
    }
    std::vector<Worn> found;
    for (auto& [key, tailor] : tailors)
        if (Worn worn = tailor.finish(); !worn.triangles.empty()) found.push_back(std::move(worn));
    if (found.empty() && by_itself) return find_hanging(character, parts);
    if (found.empty()) {
        const std::vector<std::string_view> all(known.begin(), known.end());
        return fail(ErrorCode::not_found, fmt::format("no node, mesh or material is called \"{}\"; there is {}", name,
                                                      fmt::join(closest_names(name, all), ", ")));
    }
    return found;
}

std::vector<uint32_t> find_pins(const Worn& worn, const Character& character, const SurfaceTree& skin) {
    const Box box = bounds(worn.positions), body = skin.bounds();
    const auto border = border_of(worn);
    float top = -INFINITY;
    for (size_t v = 0; v < border.size(); ++v)
        if (border[v]) top = std::max(top, worn.positions[v].y());
    const bool open = std::isfinite(top);
    if (!open) top = box.max.y();
    const float rim = top - rim_share * box.size().y();
    std::vector<uint8_t> held(worn.positions.size(), 0);
    for (size_t v = 0; v < held.size(); ++v) held[v] = (border[v] || !open) && worn.positions[v].y() >= rim ? 1 : 0;
    // From the rim on down over what lies close.
    const auto holds = holding_joints(character.skeleton);
    const float close = close_share * body.size().y();
    std::vector<uint8_t> lies_close(held.size(), 0);
    for (size_t v = 0; v < held.size(); ++v)
        lies_close[v] = holds[static_cast<size_t>(worn.owners[v])] &&
                                std::abs(skin.nearest(worn.positions[v], body.size().y()).distance) < close
                            ? 1
                            : 0;
    for (bool grown = true; grown;) {
        grown = false;
        for (size_t t = 0; t < worn.triangles.size(); t += 3) {
            const uint32_t* k = &worn.triangles[t];
            if (!held[k[0]] && !held[k[1]] && !held[k[2]]) continue;
            for (int i = 0; i < 3; ++i)
                if (!held[k[i]] && lies_close[k[i]]) held[k[i]] = 1, grown = true;
        }
    }
    std::vector<uint32_t> pins;
    for (uint32_t v = 0; v < held.size(); ++v)
        if (held[v]) pins.push_back(v);
    return pins;
}

}  // namespace sinew
