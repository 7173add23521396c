#include <sinew/pipeline/check/check_rows.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>
#include <set>

namespace sinew {
namespace {

constexpr double bend_degrees = 60;        // as far as elbows and knees bend in a run
constexpr double most_stretch = 8;         // times as long; artists' rigs under test reach 6.5
constexpr double least_share = 0.002;      // joints that hold less of the skin are not bent: eyelids, straps
constexpr double tiny_edge_percent = 0.1;  // of the height: edges below it say nothing
constexpr size_t most_bends = 80;          // joints; the ones that hold most skin
constexpr double worst_share = 0.001;      // one edge in a thousand may be worse than what is told

// The joints that hold most of the skin, and their share of it.
std::vector<int32_t> joints_to_bend(const CheckedBody& body) {
    std::vector<double> held(body.character.skeleton.size(), 0);
    double all = 0;
    for (const DeformedPrimitive& part : body.rest) {
        const Skin* skin = body.skin(part);
        if (!skin) continue;
        const Influences& influences = body.primitive(part).influences;
        for (size_t v = 0; v < part.positions.size(); ++v)
            for (const Influence& each : influences.of(v))
                held[static_cast<size_t>(skin->joints[each.joint])] += each.weight, all += each.weight;
    }
    std::vector<int32_t> joints;
    for (size_t j = 0; j < held.size(); ++j)
        if (held[j] > least_share * all && body.character.skeleton.parents()[j] >= 0)
            joints.push_back(static_cast<int32_t>(j));
    std::stable_sort(joints.begin(), joints.end(),
                     [&](int32_t a, int32_t b) { return held[static_cast<size_t>(a)] > held[static_cast<size_t>(b)]; });
    joints.resize(std::min(joints.size(), most_bends));
    return joints;
}

// Two directions at right angles to the bone, in the joint's own axes.
std::array<Vec3, 2> bend_axes(const CheckedBody& body, int32_t joint) {
    const auto& rest = body.character.skeleton.rest();
    const auto& parents = body.character.skeleton.parents();
    Vec3 along = Vec3::Zero();
    for (size_t j = 0; j < rest.size(); ++j)
        if (parents[j] == joint) along += rest[j].translation;
    if (along.norm() < 1e-12f)
        along = rest[static_cast<size_t>(joint)].rotation.conjugate() * rest[static_cast<size_t>(joint)].translation;
    if (along.norm() < 1e-12f) along = Vec3::UnitY();
    const Vec3 side = along.unitOrthogonal();
    return {side, along.normalized().cross(side)};
}

}  // namespace

EdgeStretch find_edges(const CheckedBody& body, size_t part) {
    EdgeStretch found;
    const DeformedPrimitive& rest = body.rest[part];
    const std::vector<uint32_t>& triangles = body.primitive(rest).mesh.triangles;
    for (size_t t = 0; t < triangles.size(); ++t) {
        const uint32_t v = triangles[t], w = triangles[t % 3 == 2 ? t - 2 : t + 1];
        const float length = (rest.positions[v] - rest.positions[w]).norm();
        if (v == w || 100 * length < tiny_edge_percent * body.height) continue;
        found.edges.emplace_back(v, w);
        found.rest_length.push_back(length);
    }
    return found;
}

float worst_stretch(std::span<const EdgeStretch> edges, std::span<const DeformedPrimitive> posed,
                    std::vector<float>& scratch) {
    scratch.clear();
    for (size_t p = 0; p < edges.size(); ++p)
        for (size_t e = 0; e < edges[p].edges.size(); ++e) {
            const auto [v, w] = edges[p].edges[e];
            scratch.push_back((posed[p].positions[v] - posed[p].positions[w]).norm() / edges[p].rest_length[e]);
        }
    if (scratch.empty()) return 1;
    const auto at =
        scratch.begin() + static_cast<ptrdiff_t>((1 - worst_share) * static_cast<double>(scratch.size() - 1));
    std::nth_element(scratch.begin(), at, scratch.end());
    return *at;
}

void check_bends(const CheckedBody& body, const Progress& progress, std::vector<CheckRow>& rows) {
    const std::vector<int32_t> joints = joints_to_bend(body);
    if (joints.empty()) return;
    std::vector<EdgeStretch> edges;
    for (size_t p = 0; p < body.rest.size(); ++p) edges.push_back(find_edges(body, p));
    CharacterDeformer deformer(body.character, {.normals = false});
    std::vector<DeformedPrimitive> posed;
    std::vector<float> scratch;
    const Pose rest = rest_pose(body.character);
    float worst = 1;
    std::string where;
    for (size_t i = 0; i < joints.size(); ++i) {
        report(progress, "bending", static_cast<double>(i) / static_cast<double>(joints.size()));
        const auto j = static_cast<size_t>(joints[i]);
        for (const Vec3& axis : bend_axes(body, joints[i])) {
            Pose pose = rest;
            pose.local[j].rotation =
                pose.local[j].rotation * Quat(Eigen::AngleAxisf(radians(static_cast<float>(bend_degrees)), axis));
            deformer.deform(pose, posed);
            const float stretch = worst_stretch(edges, posed, scratch);
            if (stretch > worst) worst = stretch, where = body.joint_name(joints[i]);
        }
    }
    report(progress, "bending", 1.0);
    rows.push_back(make_row("stretch", worst, "x", {.most = most_stretch, .beyond = Grade::fault}, where,
                            "skin tears where this joint bends by 60 degrees; bind again with `sinew bind`, or smooth "
                            "the weights with `sinew weights --smooth 3`"));
}

}  // namespace sinew
