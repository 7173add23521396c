// What must hold for any mesh and any skeleton.
#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/weights.h>

#include <doctest/doctest.h>

#include <sinew/core/parallel.h>
#include <sinew/sample/sample.h>
#include <cstring>
#include <limits>
#include <map>

#include "skeletons.h"
#include "truth.h"

using namespace sinew;
using namespace sinew::test;

namespace {

const Rigged& sample(const char* name) {
    static std::map<std::string, std::unique_ptr<Rigged>> made;
    auto& place = made[name];
    if (!place) place = take_apart(name, make_sample(name).value());
    return *place;
}

bool same(const Influences& a, const Influences& b) {
    if (a.vertex_count() != b.vertex_count()) return false;
    for (size_t v = 0; v < a.vertex_count(); ++v) {
        if (a.of(v).size() != b.of(v).size() || std::memcmp(a.of(v).data(), b.of(v).data(), a.of(v).size_bytes()) != 0)
            return false;
    }
    return true;
}

Skeleton chain(const std::vector<Vec3>& points) {
    std::vector<Joint> joints;
    for (const Vec3& point : points)
        joints.push_back({"j" + std::to_string(joints.size()), static_cast<int32_t>(joints.size()) - 1, point});
    return skeleton_of(joints);
}

// A closed tube of square rings along +Y.
Mesh tube(int rings, float radius, float height) {
    Mesh mesh;
    for (int r = 0; r <= rings; ++r)
        for (int k = 0; k < 8; ++k) {
            const float angle = 2.0f * pi * static_cast<float>(k) / 8.0f;
            mesh.positions.push_back({radius * std::cos(angle),
                                      height * static_cast<float>(r) / static_cast<float>(rings),
                                      -radius * std::sin(angle)});
        }
    for (uint32_t r = 0; r < static_cast<uint32_t>(rings); ++r)
        for (uint32_t k = 0; k < 8; ++k) {
            const uint32_t a = 8 * r + k, b = 8 * r + (k + 1) % 8;
            for (uint32_t i : {a, b, a + 8, b, b + 8, a + 8}) mesh.triangles.push_back(i);
        }
    const auto bottom = static_cast<uint32_t>(mesh.positions.size());
    mesh.positions.push_back({0, 0, 0});
    mesh.positions.push_back({0, height, 0});
    for (uint32_t k = 0; k < 8; ++k) {
        const uint32_t n = (k + 1) % 8, top = 8 * static_cast<uint32_t>(rings);
        for (uint32_t i : {n, k, bottom, top + k, top + n, bottom + 1}) mesh.triangles.push_back(i);
    }
    return mesh;
}

}  // namespace

TEST_CASE("heat: on a straight tube weights depend on the height alone and cross in the middle") {
    const Mesh mesh = tube(40, 0.05f, 1.0f);
    const Skeleton skeleton = chain({{0, 0, 0}, {0, 0.5f, 0}, {0, 1, 0}});
    const WeightMesh one{mesh.positions, mesh.triangles};
    const WeightRig rig{.skeleton = &skeleton};
    const auto result = compute_weights({&one, 1}, rig, {.method = WeightMethod::heat}).value();
    float before = 2.0f;
    for (size_t ring = 0; ring <= 40; ++ring) {
        const auto weight = [&](size_t v) {
            for (const Influence& i : result.influences[0].of(v))
                if (i.joint == 0) return i.weight;
            return 0.0f;
        };
        const float here = weight(8 * ring);
        for (size_t k = 1; k < 8; ++k) CHECK(weight(8 * ring + k) == doctest::Approx(here).epsilon(1e-3));
        CHECK(here <= before + 1e-5f);
        before = here;
        if (ring == 20) CHECK(here == doctest::Approx(0.5).epsilon(0.02));
        if (ring == 5) CHECK(here > 0.99f);
        if (ring == 35) CHECK(here < 0.01f);
    }
}

TEST_CASE("weights: the same bytes for any number of threads") {
    const Rigged& body = sample("humanoid-rigged");
    std::vector<WeightResult> results;
    for (int threads : {1, 2, 8}) {
        set_thread_count(threads);
        results.push_back(compute_weights(body.meshes(), body.rig).value());
    }
    set_thread_count(0);
    for (size_t i = 1; i < results.size(); ++i)
        for (size_t m = 0; m < results[0].influences.size(); ++m)
            CHECK(same(results[0].influences[m], results[i].influences[m]));
}

// Every triangle cut in four.
void refine(std::vector<Vec3>& positions, std::vector<uint32_t>& triangles) {
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> middles;
    const auto middle = [&](uint32_t a, uint32_t b) {
        const auto [found, fresh] = middles.try_emplace(std::minmax(a, b), static_cast<uint32_t>(positions.size()));
        if (fresh) positions.push_back(0.5f * (positions[a] + positions[b]));
        return found->second;
    };
    std::vector<uint32_t> finer;
    for (size_t i = 0; i < triangles.size(); i += 3) {
        const uint32_t a = triangles[i], b = triangles[i + 1], c = triangles[i + 2];
        const uint32_t ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        for (uint32_t v : {a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca}) finer.push_back(v);
    }
    triangles = std::move(finer);
}

TEST_CASE("weights: the same bytes for any number of threads, above a hundred thousand vertices") {
    // Large enough that every loop of every step falls into several chunks.
    const Rigged& body = sample("humanoid-rigged");
    std::vector<Vec3> positions(body.meshes()[0].positions.begin(), body.meshes()[0].positions.end());
    std::vector<uint32_t> triangles(body.meshes()[0].triangles.begin(), body.meshes()[0].triangles.end());
    refine(positions, triangles);
    refine(positions, triangles);
    CHECK(positions.size() > 100'000);
    const WeightMesh mesh{positions, triangles};
    for (const WeightMethod method : {WeightMethod::automatic, WeightMethod::voxel}) {
        std::vector<WeightResult> results;
        for (int threads : {1, 2, 7}) {
            if (threads == 2 && method == WeightMethod::voxel) continue;  // dearer
            set_thread_count(threads);
            results.push_back(compute_weights({&mesh, 1}, body.rig, {.method = method}).value());
        }
        set_thread_count(0);
        for (size_t i = 1; i < results.size(); ++i) CHECK(same(results[0].influences[0], results[i].influences[0]));
    }
}

TEST_CASE("weights: scale, place and orientation do not matter") {
    const Rigged& body = sample("humanoid-rigged");
    const auto plain = compute_weights(body.meshes(), body.rig).value();
    for (double scale : {1e-4, 1e4}) {
        AffineD change = AffineD::Identity();
        change.linear() = scale * Eigen::AngleAxisd(1.1, Vec3d(1, 2, 3).normalized()).toRotationMatrix();
        change.translation() = scale * Vec3d(3, -2, 1);
        std::vector<std::vector<Vec3>> moved;
        std::vector<WeightMesh> meshes;
        for (const WeightMesh& mesh : body.meshes()) {
            moved.emplace_back();
            for (const Vec3& p : mesh.positions) moved.back().push_back((change * p.cast<double>()).cast<float>());
        }
        for (size_t m = 0; m < moved.size(); ++m) meshes.push_back({moved[m], body.meshes()[m].triangles});
        WeightRig rig = body.rig;
        for (AffineD& frame : rig.mesh_from_joint) frame = change * frame;
        const auto result = compute_weights(meshes, rig).value();
        std::vector<double> difference(rig.joints.size(), 0.0);
        std::vector<uint32_t> merged(rig.joints.size());
        for (size_t i = 0; i < merged.size(); ++i) merged[i] = static_cast<uint32_t>(i);
        double sum = 0.0;
        size_t count = 0;
        for (size_t m = 0; m < meshes.size(); ++m)
            for (size_t v = 0; v < meshes[m].positions.size(); ++v, ++count)
                sum += row_distance(result.influences[m].of(v), plain.influences[m].of(v), merged, difference);
        CHECK(sum / static_cast<double>(count) < 0.01);
    }
}

TEST_CASE("weights: no mesh and no skeleton is too strange") {
    const float nan = std::numeric_limits<float>::quiet_NaN(), inf = std::numeric_limits<float>::infinity();
    const Skeleton skeleton = chain({{0, 0, 0}, {0, 0, 0}, {0, 1, 0}, {0, 1, 0}});
    const Skeleton lonely = chain({{5, 5, 5}});
    struct Case {
        const char* name;
        std::vector<Vec3> positions;
        std::vector<uint32_t> triangles;
    };
    const Case cases[] = {
        {"nothing", {}, {}},
        {"one vertex", {{1, 2, 3}}, {}},
        {"one triangle", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 2}},
        {"all in one place", {{1, 1, 1}, {1, 1, 1}, {1, 1, 1}}, {0, 1, 2}},
        {"no area", {{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {0, 1, 2}},
        {"not numbers", {{nan, 0, 0}, {inf, 0, 0}, {0, 1, 0}, {1, 0, 0}, {0, 0, 1}}, {0, 1, 2, 2, 3, 4}},
        {"huge", {{3e38f, 0, 0}, {-3e38f, 0, 0}, {0, 3e38f, 0}}, {0, 1, 2}},
        {"tiny", {{1e-40f, 0, 0}, {0, 1e-40f, 0}, {0, 0, 1e-40f}}, {0, 1, 2}},
        {"indices beyond the end", {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, {0, 1, 7, 0, 1, 2}},
        {"a fan of ten on one edge",
         {{0, 0, 0}, {0, 1, 0}, {1, 0, 0}, {-1, 0, 0}, {0, 0, 1}, {0, 0, -1}, {1, 0, 1}},
         {0, 1, 2, 0, 1, 3, 0, 1, 4, 0, 1, 5, 0, 1, 6, 1, 0, 2}},
    };
    for (const Case& c : cases) {
        for (const Skeleton* s : {&skeleton, &lonely}) {
            for (std::string_view method : weight_method_names()) {
                // Volumes of open meshes take long; voxel_test has a bone far outside.
                const bool slow = method == "voxel" || method == "bbw";
                if (slow && (s == &lonely || c.positions.size() > 3)) continue;
                CAPTURE(c.name);
                CAPTURE(method);
                const WeightMesh mesh{c.positions, c.triangles};
                const WeightRig rig{.skeleton = s};
                const auto result = compute_weights({&mesh, 1}, rig, {.method = parse_weight_method(method).value()});
                REQUIRE(result.has_value());
                CHECK(result->influences[0].vertex_count() == c.positions.size());
                CHECK(result->report.unweighted_vertices == 0);
                CHECK(result->report.largest_sum_error < 1e-5);
            }
        }
    }
    const Skeleton empty;
    const WeightRig none{.skeleton = &empty};
    CHECK_FALSE(compute_weights({}, none).has_value());
}

TEST_CASE("weights: a seam between two meshes gets one set of weights") {
    // The tube cut in two meshes at its middle ring, each with its own copy of the ring.
    const Mesh whole = tube(20, 0.05f, 1.0f);
    std::vector<uint32_t> low, high;
    for (size_t i = 0; i < whole.triangles.size(); i += 3) {
        float top = 0.0f;
        for (size_t k = 0; k < 3; ++k) top = std::max(top, whole.positions[whole.triangles[i + k]].y());
        auto& part = top <= 0.5f + 1e-6f ? low : high;
        part.insert(part.end(), &whole.triangles[i], &whole.triangles[i] + 3);
    }
    const std::vector<WeightMesh> meshes = {{whole.positions, low}, {whole.positions, high}};
    const Skeleton skeleton = chain({{0, 0, 0}, {0, 0.5f, 0}, {0, 1, 0}});
    const WeightRig rig{.skeleton = &skeleton};
    const auto cut = compute_weights(meshes, rig).value();
    const WeightMesh one{whole.positions, whole.triangles};
    const auto plain = compute_weights({&one, 1}, rig).value();
    CHECK(cut.report.piece_count == 1);
    CHECK(same(cut.influences[0], cut.influences[1]));
    for (size_t v = 0; v < whole.positions.size(); ++v)
        CHECK(cut.influences[0].of(v)[0].weight == doctest::Approx(plain.influences[0].of(v)[0].weight).epsilon(1e-4));
}

TEST_CASE("bones: roots, controls and marks own nothing; choices by hand are kept; unknown names are told") {
    const Rigged& body = sample("humanoid-rigged");
    const Surface surface = make_surface(body.meshes());
    const auto choice = choose_bones(body.rig, surface).value();
    CHECK(choice.table.size() == body.rig.joints.size());
    const std::string some = body.character.skeleton.names()[static_cast<size_t>(choice.bones[2].joint)];
    const auto without = choose_bones(body.rig, surface, {.choose = {"-" + some}}).value();
    for (const Bone& bone : without.bones)
        CHECK(body.character.skeleton.names()[static_cast<size_t>(bone.joint)] != some);
    const auto only = choose_bones(body.rig, surface, {.choose = {some}}).value();
    REQUIRE(only.bones.size() == 1);
    CHECK(body.character.skeleton.names()[static_cast<size_t>(only.bones[0].joint)] == some);
    const auto unknown = choose_bones(body.rig, surface, {.choose = {"lefthnad"}});
    REQUIRE_FALSE(unknown.has_value());
    CHECK(unknown.error().message.find("leftHand") != std::string::npos);
}

TEST_CASE("bones: tails and deform flags that the file gives are taken") {
    const Mesh mesh = tube(20, 0.05f, 1.0f);
    const Skeleton skeleton = chain({{0, 0, 0}, {0, 0.5f, 0}, {0, 0.75f, 0}});
    const WeightMesh one{mesh.positions, mesh.triangles};
    const Surface surface = make_surface({&one, 1});
    WeightRig rig{.skeleton = &skeleton};
    rig.tails = {std::nullopt, std::nullopt, Vec3(0.02f, 0.9f, 0.0f)};
    rig.deform = {1, 0, 1};
    const auto choice = choose_bones(rig, surface).value();
    CHECK(choice.table[1].segments == 0);
    CHECK(choice.table[1].why.find("the file says") != std::string::npos);
    REQUIRE(choice.table[2].segments == 1);
    for (const Bone& bone : choice.bones)
        if (bone.joint == 2) CHECK((surface.from_surface(bone.tail) - Vec3d(0.02, 0.9, 0)).norm() < 1e-6);
    const auto result = compute_weights({&one, 1}, rig).value();
    for (const JointWeight& joint : result.report.joints)
        if (joint.joint == 1) CHECK(joint.vertices == 0);
}
