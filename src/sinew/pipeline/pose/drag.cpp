#include <sinew/pipeline/pose/drag.h>

#include <sinew/ik/elastic/elastic_pose.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

// The drag goes in so many moves, each from the last one's pose, as with a mouse: a limb then takes the short way.
constexpr int moves = 8;

std::vector<ElasticMesh> elastic_meshes(const Character& character) {
    std::vector<ElasticMesh> meshes;
    for (const MeshInstance& instance : character.instances) {
        if (instance.skin < 0 || !instance.in_scene) continue;
        for (const Primitive& primitive : character.meshes[static_cast<size_t>(instance.mesh)].primitives)
            if (!primitive.influences.empty())
                meshes.push_back({primitive.mesh.positions, primitive.mesh.triangles, &primitive.influences,
                                  &character.skins[static_cast<size_t>(instance.skin)]});
    }
    return meshes;
}

// Which mesh, and which of its vertices.
Result<std::pair<int32_t, int32_t>> find_vertex(std::span<const ElasticMesh> meshes, int32_t vertex) {
    size_t first = 0;
    for (size_t m = 0; m < meshes.size(); ++m) {
        const size_t count = meshes[m].positions.size();
        if (static_cast<size_t>(vertex) < first + count)
            return std::pair(static_cast<int32_t>(m), vertex - static_cast<int32_t>(first));
        first += count;
    }
    return fail(ErrorCode::not_found, fmt::format("there is no vertex {}; the skinned meshes have {}", vertex, first),
                "--target");
}

std::vector<int32_t> default_hold(const PoseBody& body) {
    std::vector<int32_t> hold;
    for (const Role foot : {Role::left_foot, Role::right_foot})
        if (body.roles[foot] >= 0) hold.push_back(body.roles[foot]);
    const auto bone = std::find(body.is_bone.begin(), body.is_bone.end(), true);
    if (hold.empty() && bone != body.is_bone.end()) hold.push_back(static_cast<int32_t>(bone - body.is_bone.begin()));
    return hold;
}

}  // namespace

Result<Vec3d> vertex_place(const Character& character, std::span<const Transform> pose, int32_t vertex) {
    const std::vector<ElasticMesh> meshes = elastic_meshes(character);
    SINEW_TRY(const auto found, find_vertex(meshes, vertex));
    const ElasticMesh& mesh = meshes[static_cast<size_t>(found.first)];
    std::vector<AffineD> world(pose.size());
    local_to_world(character.skeleton.parents(), pose, world);
    Vec3d sum = Vec3d::Zero();
    const Vec3d at = mesh.positions[static_cast<size_t>(found.second)].cast<double>();
    for (const Influence& influence : mesh.influences->of(static_cast<size_t>(found.second)))
        sum += static_cast<double>(influence.weight) * (world[static_cast<size_t>(mesh.skin->joints[influence.joint])] *
                                                        (mesh.skin->inverse_bind[influence.joint].cast<double>() * at));
    return sum;
}

Result<PoseOutcome> drag(const Character& character, const PoseBody& body, std::span<const Transform> start,
                         std::span<const PoseGoal> goals, std::vector<int32_t> hold, std::span<const int32_t> keep) {
    const std::vector<ElasticMesh> meshes = elastic_meshes(character);
    SINEW_TRY(const ElasticPoser poser,
              ElasticPoser::create(character.skeleton, start, meshes, {.locked = {keep.begin(), keep.end()}}));
    std::vector<AffineD> world(start.size());
    local_to_world(character.skeleton.parents(), start, world);
    std::vector<ElasticHandle> handles;
    std::vector<Vec3d> from;
    for (const PoseGoal& goal : goals) {
        ElasticHandle handle{.joint = goal.joint, .target = goal.target};
        if (goal.joint < 0) {
            SINEW_TRY(const auto found, find_vertex(meshes, goal.vertex));
            handle.mesh = found.first, handle.vertex = found.second;
            SINEW_TRY(const Vec3d place, vertex_place(character, start, goal.vertex));
            from.push_back(place);
        } else {
            from.push_back(world[static_cast<size_t>(goal.joint)].translation());
        }
        handles.push_back(handle);
    }
    if (hold.empty()) hold = default_hold(body);
    for (const int32_t joint : hold) {
        const auto aimed = [&](const PoseGoal& goal) { return goal.joint == joint; };
        if (std::any_of(goals.begin(), goals.end(), aimed)) continue;
        const AffineD& now = world[static_cast<size_t>(joint)];
        const Mat3d axes = now.linear().colwise().normalized();
        ElasticHandle stay{.joint = joint, .target = now.translation()};
        if (axes.determinant() > 0.0) stay.rotation = Quatd(axes).normalized();
        handles.push_back(stay);
    }

    PoseOutcome outcome{{start.begin(), start.end()}, {}, {}, {}, {}};
    ElasticResult result;
    int iterations = 0;
    for (int move = 1; move <= moves; ++move) {
        for (size_t g = 0; g < goals.size(); ++g)
            handles[g].target = from[g] + (goals[g].target - from[g]) * (static_cast<double>(move) / moves);
        result = poser.solve(handles, outcome.pose);
        iterations += result.iterations;
    }
    for (size_t g = 0; g < goals.size(); ++g) {
        if (!std::isfinite(result.errors[g]))
            return fail(ErrorCode::invalid_argument,
                        fmt::format("no joint that carries skin moves {}; give a target to one that follows the skin",
                                    goals[g].name),
                        "--target");
        outcome.errors.push_back(result.errors[g]);
        outcome.reached.push_back(result.errors[g] <= ElasticOptions{}.reached_within * poser.body_size());
        outcome.solvers.emplace_back("elastic");
        outcome.iterations.push_back(iterations);
    }
    return outcome;
}

}  // namespace sinew
