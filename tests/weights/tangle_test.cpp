// Meshes that are no surface at all: bound whole, told about, and in the time a surface takes (nothing here is timed; a
// method that takes minutes is seen).
#include <doctest/doctest.h>

#include <sinew/core/random.h>
#include <sinew/weights/heat/heat.h>
#include <sinew/weights/sparse/sparse_cholesky.h>
#include <sinew/weights/weights.h>
#include <cmath>

using namespace sinew;

namespace {

struct Tangle {
    const char* name;
    std::vector<Vec3> positions;
    std::vector<uint32_t> triangles;
};

Vec3 anywhere(Random& random) {
    return Vec3d(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1)).cast<float>();
}

// Long triangles through each other, each on its own.
Tangle loose_triangles(uint32_t count) {
    Random random(1);
    Tangle t{"loose triangles", {}, {}};
    for (uint32_t i = 0; i < 3 * count; ++i) {
        t.positions.push_back(anywhere(random));
        t.triangles.push_back(i);
    }
    return t;
}

// Triangles between vertices drawn at random: a graph that no order of elimination keeps sparse.
Tangle random_graph(uint32_t count) {
    Random random(2);
    Tangle t{"random graph", {}, {}};
    for (uint32_t i = 0; i < count; ++i) {
        t.positions.push_back(anywhere(random));
        for (int k = 0; k < 3; ++k) t.triangles.push_back(static_cast<uint32_t>(random.uniform(0, count - 0.001)));
    }
    return t;
}

Tangle fan(uint32_t count) {
    Tangle t{"a fan on one edge", {{0, -1, 0}, {0, 1, 0}}, {}};
    for (uint32_t i = 0; i < count; ++i) {
        const double angle = 6.28318530718 * i / count;
        t.positions.push_back(Vec3d(std::cos(angle), 0, std::sin(angle)).cast<float>());
        t.triangles.insert(t.triangles.end(), {0, 1, i + 2});
    }
    return t;
}

Tangle star(uint32_t count) {
    Random random(3);
    Tangle t{"a star around one vertex", {{0, 0, 0}}, {}};
    for (uint32_t i = 1; i < count; ++i) {
        t.positions.push_back(anywhere(random));
        if (i > 1) t.triangles.insert(t.triangles.end(), {0, i - 1, i});
    }
    return t;
}

Skeleton skeleton_of(size_t joints) {
    Random random(4);
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest(joints);
    for (size_t j = 0; j < joints; ++j) {
        names.push_back("j" + std::to_string(j));
        parents.push_back(j == 0 ? -1 : static_cast<int32_t>(random.uniform(0, static_cast<double>(j) - 0.001)));
        rest[j].translation = 0.3f * anywhere(random);
    }
    return Skeleton::create(names, parents, rest).value();
}

}  // namespace

TEST_CASE("tangles: every method binds every vertex, with few joints and with many") {
    const Tangle tangles[] = {loose_triangles(300), random_graph(2000), fan(100), star(1000)};
    const Skeleton few = skeleton_of(5), many = skeleton_of(200);
    for (const Tangle& t : tangles)
        for (const std::string_view method : weight_method_names()) {
            // Inside of what has none everything is a guess, and takes a second or two: once each is enough here.
            if ((method == "voxel" && &t != &tangles[1]) || (method == "bbw" && &t != &tangles[2])) continue;
            CAPTURE(t.name);
            CAPTURE(method);
            const WeightMesh mesh{t.positions, t.triangles};
            const WeightRig rig{.skeleton = &t == &tangles[0] ? &many : &few};
            const auto result = compute_weights({&mesh, 1}, rig, {.method = parse_weight_method(method).value()});
            REQUIRE(result.has_value());
            CHECK(result->report.unweighted_vertices == 0);
            CHECK(result->report.largest_sum_error < 1e-5);
        }
}

TEST_CASE("heat: what is too tangled to be factorised is solved all the same") {
    const Tangle t = random_graph(16000);
    const WeightMesh mesh{t.positions, t.triangles};
    const Surface surface = make_surface({&mesh, 1});
    std::vector<Bone> bones(2);
    bones[0] = {.joint = 0, .head = Vec3d(0, -0.3, 0), .tail = Vec3d(0, 0, 0)};
    bones[1] = {.joint = 1, .head = Vec3d(0, 0, 0), .tail = Vec3d(0, 0.3, 0)};
    const HeatResult heat = heat_weights(surface, bones);
    CHECK(heat.solved);
    // Everything touches everything: both bones are felt nearly everywhere. Rows sum to 1 as the equation's do, or to
    // more where a negative weight was left out.
    double least = 1.0;
    size_t both = 0;
    for (size_t v = 0; v < surface.vertex_count(); ++v) {
        if (surface.piece[v] < 0) continue;
        double sum = 0.0;
        for (const Influence& i : heat.field.of(v)) sum += i.weight;
        least = std::min(least, sum);
        both += heat.field.of(v).size() == 2;
    }
    CHECK(least > 1.0 - 1e-3);
    CHECK(both > surface.vertex_count() / 2);
}

TEST_CASE("weights: loose vertices, and bones in another scale, are told") {
    const Skeleton few = skeleton_of(5);
    Tangle t = fan(20);
    for (Vec3& p : t.positions) p *= 1e4f;
    t.positions.push_back({0, 0, 0.5f});
    const WeightMesh mesh{t.positions, t.triangles}, points{t.positions, {}};
    const WeightRig rig{.skeleton = &few};
    const auto says = [&](const WeightMesh& m, std::string_view words) {
        const WeightReport report = compute_weights({&m, 1}, rig).value().report;
        for (const std::string& warning : report.warnings)
            if (warning.find(words) != std::string::npos) return true;
        return false;
    };
    CHECK(says(mesh, "1 vertices belong to no face"));
    CHECK(says(mesh, "all bones lie in one spot"));
    CHECK(says(points, "the mesh has no faces"));
}
