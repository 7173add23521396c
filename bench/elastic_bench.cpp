// Elastic posing on a body of 10,000 vertices and 20 joints: what a solve takes, and how near its energy is to that of
// the slow solve, in which each vertex has a rotation of its own.
#include <sinew/ik/elastic/elastic_pose.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <sinew/weights/weights.h>
#include <cstdlib>
#include <ctime>

#include "refine.h"
#include "support.h"

namespace {

using namespace sinew;

constexpr size_t vertex_count = 10'000;

struct Body {
    Skeleton skeleton;
    Mesh mesh;
    Skin skin;
    Influences influences;
    HumanoidMap roles;
    ElasticMesh elastic() const { return {mesh.positions, mesh.triangles, &influences, &skin}; }
};

template <class T>
T value_of(Result<T> result) {
    if (!result) std::fprintf(stderr, "%s\n", to_string(result.error()).c_str()), std::exit(1);
    return *std::move(result);
}

// The sample's body without its fingers.
Skeleton main_joints(const Character& character) {
    const HumanoidMap roles = recognise_humanoid(character.skeleton);
    const std::vector<AffineD> world = rest_world(character.skeleton);
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    std::vector<int32_t> kept(character.skeleton.size(), -1);
    const auto role_of = roles.roles(character.skeleton.size());
    for (size_t j = 0; j < character.skeleton.size(); ++j) {
        const Role role = role_of[j];
        const bool face = role == Role::left_eye || role == Role::right_eye || role == Role::jaw;
        if (role > Role::right_hand || face) continue;
        int32_t parent = character.skeleton.parents()[j];
        while (parent >= 0 && kept[static_cast<size_t>(parent)] < 0)
            parent = character.skeleton.parents()[static_cast<size_t>(parent)];
        const AffineD local = parent < 0 ? world[j] : world[static_cast<size_t>(parent)].inverse() * world[j];
        kept[j] = static_cast<int32_t>(names.size());
        names.push_back(character.skeleton.names()[j]);
        parents.push_back(parent < 0 ? -1 : kept[static_cast<size_t>(parent)]);
        rest.push_back(decompose(local).transform);
    }
    return value_of(Skeleton::create(names, parents, rest));
}

Body make_body() {
    const Character sample = make_rigged_humanoid();
    Body body;
    body.skeleton = main_joints(sample);
    body.roles = recognise_humanoid(body.skeleton);
    body.mesh.positions = sample.meshes[0].primitives[0].mesh.positions;
    body.mesh.triangles = sample.meshes[0].primitives[0].mesh.triangles;
    bench::refine(body.mesh.positions, body.mesh.triangles, vertex_count);
    const WeightMesh mesh{body.mesh.positions, body.mesh.triangles};
    WeightResult weights = value_of(compute_weights({&mesh, 1}, {.skeleton = &body.skeleton}));
    body.influences = std::move(weights.influences[0]);
    body.skin.joints = weights.joints;
    const std::vector<AffineD> world = rest_world(body.skeleton);
    for (const int32_t j : weights.joints)
        body.skin.inverse_bind.push_back(world[static_cast<size_t>(j)].inverse().cast<float>());
    return body;
}

// The least processor time of `runs` calls: other programs do not matter.
template <class Work>
double best_processor_seconds(int runs, const Work& work) {
    double best = 1e300;
    for (int i = 0; i < runs; ++i) {
        const std::clock_t start = std::clock();
        work();
        best = std::min(best, static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return best;
}

struct Drag {
    const char* name;
    std::vector<std::pair<Role, Vec3d>> by;  // how far each is dragged; the feet stay unless they are dragged
};

std::vector<ElasticHandle> handles_of(const Body& body, const Drag& drag) {
    const std::vector<AffineD> world = rest_world(body.skeleton);
    std::vector<ElasticHandle> handles;
    const auto place = [&](Role role) -> const AffineD& { return world[static_cast<size_t>(body.roles[role])]; };
    for (const auto& [role, by] : drag.by)
        handles.push_back({.joint = body.roles[role], .target = place(role).translation() + by});
    for (const Role foot : {Role::left_foot, Role::right_foot}) {
        const auto dragged = [&](const auto& d) { return d.first == foot; };
        if (std::any_of(drag.by.begin(), drag.by.end(), dragged)) continue;
        handles.push_back(
            {.joint = body.roles[foot], .target = place(foot).translation(), .rotation = Quatd(place(foot).linear())});
    }
    return handles;
}

// As with a mouse: from where things are to where they shall be, each solve starting at the last one's pose.
constexpr int moves = 20;
void drag_in_moves(const Body& body, const ElasticPoser& poser, std::vector<ElasticHandle> handles) {
    const std::vector<AffineD> world = rest_world(body.skeleton);
    std::vector<Transform> pose = body.skeleton.rest();
    const std::vector<ElasticHandle> ends = handles;
    for (int move = 1; move <= moves; ++move) {
        for (size_t h = 0; h < handles.size(); ++h) {
            const Vec3d from = world[static_cast<size_t>(ends[h].joint)].translation();
            handles[h].target = from + (ends[h].target - from) * move / moves;
        }
        poser.solve(handles, pose);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const Body body = make_body();
    const ElasticMesh mesh = body.elastic();
    const Drag drags[] = {
        {"hand up", {{Role::left_hand, {-0.1, 0.6, 0.2}}}},
        {"hand to the other hip", {{Role::left_hand, {-0.55, 0.1, 0.15}}}},
        {"both hands forwards", {{Role::left_hand, {-0.3, 0.3, 0.45}}, {Role::right_hand, {0.3, 0.3, 0.45}}}},
        {"hips down", {{Role::hips, {0.0, -0.3, -0.1}}}},
        {"foot up", {{Role::left_foot, {0.05, 0.45, 0.35}}, {Role::hips, {0, 0, 0}}}},
        {"head to the side", {{Role::head, {0.35, -0.15, 0.1}}}},
    };
    const auto fast = value_of(ElasticPoser::create(body.skeleton, body.skeleton.rest(), {&mesh, 1}));
    const auto slow = value_of(ElasticPoser::create(body.skeleton, body.skeleton.rest(), {&mesh, 1},
                                                    {.rotations_per_blend = 0, .iterations = 400, .tolerance = 1e-10}));
    bench::Table table;
    table.add("vertices", static_cast<double>(body.mesh.vertex_count()), "");
    table.add("joints that turn", static_cast<double>(fast.joint_count()), "");
    table.add("rotations of the skin", static_cast<double>(fast.rotation_count()), "");
    table.add(
        "preparing",
        1e3 * bench::best_seconds(3,
                                  [&] {
                                      value_of(ElasticPoser::create(body.skeleton, body.skeleton.rest(), {&mesh, 1}));
                                  }),
        "ms");
    double slowest = 0.0, worst = 0.0, dragging = 0.0;
    for (const Drag& drag : drags) {
        const std::vector<ElasticHandle> handles = handles_of(body, drag);
        std::vector<Transform> pose, exact = body.skeleton.rest();
        ElasticResult result;
        const double seconds = best_processor_seconds(20, [&] {
            pose = body.skeleton.rest();
            result = fast.solve(handles, pose);
        });
        slow.solve(handles, exact);
        const double ratio = slow.energy(pose) / slow.energy(exact);
        const double each = best_processor_seconds(5, [&] { drag_in_moves(body, fast, handles); }) / moves;
        slowest = std::max(slowest, seconds);
        worst = std::max(worst, ratio);
        dragging = std::max(dragging, each);
        table.add(fmt::format("{}: in one go, {} steps", drag.name, result.iterations), 1e3 * seconds, "ms");
        table.add(fmt::format("{}: dragged there, each solve", drag.name), 1e3 * each, "ms", 2.0);
        table.add(fmt::format("{}: energy to that of the slow solve", drag.name), ratio, "x", 1.05);
        table.add(fmt::format("{}: a handle is off by at most", drag.name),
                  100 * *std::max_element(result.errors.begin(), result.errors.end()), "cm");
    }
    table.add("slowest in one go", 1e3 * slowest, "ms");
    table.add("slowest of those dragged", 1e3 * dragging, "ms", 2.0);
    table.add("worst energy to that of the slow solve", worst, "x", 1.05);
    return table.finish(argc, argv);
}
