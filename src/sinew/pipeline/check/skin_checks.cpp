#include <sinew/core/union_find.h>
#include <sinew/math/angle.h>
#include <sinew/mesh/topology.h>
#include <sinew/pipeline/check/check_rows.h>
#include <sinew/skeleton/creature.h>
#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double most_influences = 4;     // what engines take by default
constexpr double most_joints = 256;       // what fits a palette of 16 KB, the least that WebGL 2 promises
constexpr double most_stray_percent = 3;  // artists' rigs under test have at most 2.4
constexpr float holds = 0.25f;            // from this weight on, a vertex is one that the joint holds
constexpr double slack_percent = 20;  // how far a joint may lie outside the box of what it holds; a panda's spine 18
constexpr double most_uneven_scale = 0.01;              // engines shear what hangs below an uneven scale
constexpr double least_height = 0.1, most_height = 30;  // metres: from a mouse to a whale; beyond it the unit is wrong
constexpr double most_off_ground_percent = 3;
constexpr double most_turned_degrees = 15;

// One mesh instance as one surface: vertices at equal places are one.
struct SkinnedSurface {
    std::vector<uint32_t> same;                    // the first vertex at that place
    std::vector<uint32_t> triangles;               // of first vertices
    std::vector<std::span<const Influence>> held;  // of each vertex
};

SkinnedSurface join_parts(const CheckedBody& body, size_t first, size_t last) {
    SkinnedSurface surface;
    std::vector<Vec3> positions;
    for (size_t p = first; p < last; ++p) {
        const Primitive& primitive = body.primitive(body.rest[p]);
        const auto base = static_cast<uint32_t>(positions.size());
        positions.insert(positions.end(), primitive.mesh.positions.begin(), primitive.mesh.positions.end());
        for (const uint32_t v : primitive.mesh.triangles) surface.triangles.push_back(base + v);
        for (size_t v = 0; v < primitive.mesh.vertex_count(); ++v)
            surface.held.push_back(primitive.influences.empty() ? std::span<const Influence>()
                                                                : primitive.influences.of(v));
    }
    surface.same = weld_exact(positions);
    for (uint32_t& v : surface.triangles) v = surface.same[v];
    return surface;
}

struct Stray {
    double weight = 0, all = 0;
    std::map<int32_t, double> by_joint;
};

// Weight of a joint that lies apart from the bulk of its weight on the same piece of the mesh: a brush that slipped, or
// a thigh that follows the other leg.
void add_stray(const Skin& skin, const SkinnedSurface& surface, Stray& stray) {
    const size_t count = surface.same.size();
    std::vector<uint32_t> first(count + 1, 0);  // of each vertex's holds, numbered one after another
    std::vector<Influence> all;
    for (size_t v = 0; v < count; ++v) {
        if (surface.same[v] == v)
            for (const Influence& each : surface.held[v])
                if (each.weight >= holds) all.push_back(each);
        first[v + 1] = static_cast<uint32_t>(all.size());
    }
    UnionFind pieces(count), patches(all.size());
    const auto join = [&](uint32_t v, uint32_t w) {
        pieces.join(v, w);
        for (uint32_t a = first[v]; a < first[v + 1]; ++a)
            for (uint32_t b = first[w]; b < first[w + 1]; ++b)
                if (all[a].joint == all[b].joint) patches.join(a, b);
    };
    for (size_t t = 0; t < surface.triangles.size(); t += 3) {
        join(surface.triangles[t], surface.triangles[t + 1]);
        join(surface.triangles[t + 1], surface.triangles[t + 2]);
        join(surface.triangles[t + 2], surface.triangles[t]);
    }
    std::vector<double> weight(all.size(), 0);
    for (uint32_t i = 0; i < all.size(); ++i) weight[patches.find(i)] += all[i].weight;
    std::map<std::pair<uint32_t, uint32_t>, double> largest;  // by piece and joint
    for (uint32_t v = 0; v < count; ++v)
        for (uint32_t i = first[v]; i < first[v + 1]; ++i)
            if (patches.find(i) == i) {
                double& most = largest[{pieces.find(v), all[i].joint}];
                most = std::max(most, weight[i]);
            }
    for (uint32_t v = 0; v < count; ++v)
        for (uint32_t i = first[v]; i < first[v + 1]; ++i)
            if (patches.find(i) == i) {
                stray.all += weight[i];
                if (weight[i] >= largest[{pieces.find(v), all[i].joint}]) continue;
                stray.weight += weight[i];
                stray.by_joint[skin.joints[all[i].joint]] += weight[i];
            }
}

CheckRow stray_row(const CheckedBody& body) {
    Stray stray;
    for (size_t p = 0; p < body.rest.size();) {
        size_t end = p;
        while (end < body.rest.size() && body.rest[end].instance == body.rest[p].instance) ++end;
        if (const Skin* skin = body.skin(body.rest[p])) add_stray(*skin, join_parts(body, p, end), stray);
        p = end;
    }
    std::string where;
    double most = 0;
    for (const auto& [joint, weight] : stray.by_joint)
        if (weight > most) most = weight, where = body.joint_name(joint);
    return make_row("stray_weight", stray.all > 0 ? 100 * stray.weight / stray.all : 0, "%",
                    {.most = most_stray_percent, .beyond = Grade::fault}, where,
                    "parts of the skin follow a joint that the skin around them does not; smooth the weights with "
                    "`sinew weights --smooth 3`, or bind again with `sinew bind`");
}

// The boxes of the vertices that each joint holds, in world space at rest; empty where it holds none.
std::vector<Box> held_boxes(const CheckedBody& body) {
    std::vector<Box> boxes(body.character.skeleton.size());
    for (const DeformedPrimitive& part : body.rest) {
        const Skin* skin = body.skin(part);
        if (!skin) continue;
        const Influences& influences = body.primitive(part).influences;
        for (size_t v = 0; v < part.positions.size(); ++v)
            for (const Influence& each : influences.of(v))
                if (each.weight >= holds) boxes[static_cast<size_t>(skin->joints[each.joint])].add(part.positions[v]);
    }
    return boxes;
}

CheckRow misplaced_row(const CheckedBody& body) {
    const std::vector<Box> boxes = held_boxes(body);
    double farthest = 0;
    std::string where;
    for (size_t j = 0; j < boxes.size(); ++j) {
        if (boxes[j].empty()) continue;
        const Vec3 at = body.world[j].translation().cast<float>();
        const double off = (at - at.cwiseMax(boxes[j].min).cwiseMin(boxes[j].max)).norm();
        if (off > farthest) farthest = off, where = body.joint_name(static_cast<int32_t>(j));
    }
    return make_row("joint_off_skin", 100 * farthest / body.height, "%",
                    {.most = slack_percent, .beyond = Grade::warning}, where,
                    "a joint lies outside the skin that it moves; move it, or fit a skeleton with `sinew rig`");
}

void check_names_and_scales(const CheckedBody& body, std::vector<CheckRow>& rows) {
    std::set<int32_t> used;
    for (const Skin& skin : body.character.skins) used.insert(skin.joints.begin(), skin.joints.end());
    std::map<std::string, int> names;
    double uneven = 0, twice = 0;
    std::string uneven_where, twice_where;
    for (const int32_t joint : used) {
        const auto j = static_cast<size_t>(joint);
        if (++names[body.character.skeleton.names()[j]] == 2) ++twice, twice_where = body.joint_name(joint);
        const Vec3d scale = body.world[j].linear().colwise().norm().transpose();
        const double ratio = scale.minCoeff() > 0 ? scale.maxCoeff() / scale.minCoeff() - 1 : 1;
        if (ratio > uneven) uneven = ratio, uneven_where = body.joint_name(joint);
    }
    rows.push_back(make_row("joints", static_cast<double>(used.size()), "",
                            {.most = most_joints, .beyond = Grade::warning}, "",
                            "engines take no more joints in one palette; remove joints that no skin needs"));
    rows.push_back(make_row("names_twice", twice, "", {.most = 0, .beyond = Grade::warning}, twice_where,
                            "joints share a name, by which engines find them; rename them"));
    rows.push_back(make_row("uneven_scale", uneven, "", {.most = most_uneven_scale, .beyond = Grade::warning},
                            uneven_where,
                            "a joint's axes are scaled differently, which shears what hangs below it; "
                            "apply the scale in the program that made the rig"));
}

void check_stance(const CheckedBody& body, std::vector<CheckRow>& rows) {
    rows.push_back(make_row("height", body.bounds.empty() ? 0 : body.bounds.size().maxCoeff(), "m",
                            {.least = least_height, .most = most_height, .beyond = Grade::warning}, "",
                            "the body's size in metres is unlikely; the file's unit may be wrong"));
    const CreatureMap map = recognise_creature(body.character.skeleton);
    if (map.legs.empty()) return;
    const HumanoidMap humanoid = recognise_humanoid(body.character.skeleton);
    if (humanoid.is_body()) {
        std::string missing;
        double count = 0;
        for (const Role role : {Role::head, Role::left_hand, Role::right_hand, Role::left_foot, Role::right_foot})
            if (humanoid[role] < 0) ++count, missing += (missing.empty() ? "" : ", ") + std::string(to_string(role));
        rows.push_back(make_row("missing_roles", count, "", {.most = 0, .beyond = Grade::warning}, missing,
                                "a person's rig without these moves badly; add the joints, or fit a skeleton with "
                                "`sinew rig`"));
    }
    rows.push_back(make_row("tilted", degrees(static_cast<float>(angle_between(map.up, Vec3d::UnitY()))), "degrees",
                            {.most = most_turned_degrees, .beyond = Grade::warning}, "",
                            "the body does not stand up along +Y, as glTF has it"));
    rows.push_back(make_row("turned", degrees(static_cast<float>(angle_between(map.forward, Vec3d::UnitZ()))),
                            "degrees", {.most = most_turned_degrees, .beyond = Grade::warning}, "",
                            "the body does not look along +Z, as glTF has it"));
    rows.push_back(
        make_row("off_ground", 100 * body.bounds.min.y() / body.height, "%",
                 {.least = -most_off_ground_percent, .most = most_off_ground_percent, .beyond = Grade::warning}, "",
                 "the soles are not at height 0; move the root"));
}

}  // namespace

void check_skin(const CheckedBody& body, std::vector<CheckRow>& rows) {
    size_t skinned = 0, unweighted = 0, most = 0;
    std::string where;
    for (const DeformedPrimitive& part : body.rest) {
        if (!body.skin(part)) continue;
        ++skinned;
        const Influences& influences = body.primitive(part).influences;
        most = std::max(most, influences.max_per_vertex());
        if (influences.unweighted_vertices() == 0) continue;
        unweighted += influences.unweighted_vertices();
        where = body.character
                    .meshes[static_cast<size_t>(body.character.instances[static_cast<size_t>(part.instance)].mesh)]
                    .name;
    }
    rows.push_back(make_row("skinned_parts", static_cast<double>(skinned), "", {.least = 1, .beyond = Grade::fault}, "",
                            "no mesh follows a skeleton; make one with `sinew rig`"));
    if (skinned == 0) return;
    rows.push_back(make_row("unweighted_vertices", static_cast<double>(unweighted), "",
                            {.most = 0, .beyond = Grade::fault}, where,
                            "vertices follow no joint and stay behind; bind again with `sinew bind`"));
    rows.push_back(make_row("influences", static_cast<double>(most), "",
                            {.most = most_influences, .beyond = Grade::warning}, "",
                            "engines take four joints a vertex; reduce them with `sinew weights --influences 4`"));
    rows.push_back(stray_row(body));
    rows.push_back(misplaced_row(body));
    check_names_and_scales(body, rows);
    check_stance(body, rows);
}

}  // namespace sinew
