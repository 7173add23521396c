#include <doctest/doctest.h>

#include <sinew/mesh/mesh.h>
#include <sinew/morph/delta_transfer.h>
#include "blend_shapes.h"

using namespace sinew;
using namespace sinew::test;

TEST_CASE("transfer_deltas: equal neutral shapes give equal deltas") {
    Random random(41);
    const Surface face = cheek(8);
    const std::vector<MorphTarget> targets = {random_target(random, 64, 0.5), random_target(random, 64, 1.0)};
    const DeltaTransfer made = transfer_deltas(face.positions, face.positions, face.triangles, targets);
    CHECK(made.vertices_without_area == 0);
    for (size_t t = 0; t < 2; ++t) {
        CHECK(made.targets[t].vertices == targets[t].vertices);
        CHECK(largest_difference(made.targets[t].positions, targets[t].positions) < 1e-6f);
        CHECK(largest_difference(made.targets[t].normals, targets[t].normals) < 1e-6f);
        CHECK(largest_difference(made.targets[t].tangents, targets[t].tangents) < 1e-6f);
    }
}

TEST_CASE("transfer_deltas: a larger, turned and moved face gets larger and turned deltas") {
    Random random(42);
    const Surface face = cheek(8);
    const std::vector<MorphTarget> targets = {random_target(random, 64, 0.7)};
    const Mat3 turn = Eigen::AngleAxisf(2.1f, Vec3(1, -2, 0.5f).normalized()).toRotationMatrix();
    std::vector<Vec3> other;
    for (const Vec3& p : face.positions) other.push_back(2.5f * (turn * p) + Vec3(5, 6, -7));
    const DeltaTransfer made = transfer_deltas(face.positions, other, face.triangles, targets);
    for (size_t i = 0; i < targets[0].vertices.size(); ++i) {
        CHECK((made.targets[0].positions[i] - 2.5f * (turn * targets[0].positions[i])).norm() < 2e-5f);
        CHECK((made.targets[0].normals[i] - turn * targets[0].normals[i]).norm() < 2e-5f);
        CHECK((made.targets[0].tangents[i] - turn * targets[0].tangents[i]).norm() < 2e-5f);
    }
}

TEST_CASE("transfer_deltas: a face stretched sideways stretches deltas along the surface as much") {
    Random random(43);
    Surface flat = cheek(6);
    for (Vec3& p : flat.positions) p.z() = 0.0f;
    std::vector<Vec3> other;
    for (const Vec3& p : flat.positions) other.push_back(Vec3(4.0f * p.x(), p.y(), 0.0f));
    const std::vector<MorphTarget> targets = {random_target(random, 36, 1.0)};
    const DeltaTransfer made = transfer_deltas(flat.positions, other, flat.triangles, targets);
    for (size_t i = 0; i < 36; ++i) {
        const Vec3 d = targets[0].positions[i];
        CHECK((made.targets[0].positions[i] - Vec3(4.0f * d.x(), d.y(), 2.0f * d.z())).norm() < 1e-5f);  // √4 across
    }
}

TEST_CASE("transfer_deltas: a part that is larger gets larger deltas there only; seams stay closed") {
    Surface face = cheek(9);
    // A seam: the middle column twice, the right half's triangles using the copies.
    std::vector<uint32_t> copy(face.positions.size());
    for (uint32_t v = 0; v < copy.size(); ++v) copy[v] = v;
    for (uint32_t j = 0; j < 9; ++j) {
        copy[j * 9 + 4] = static_cast<uint32_t>(face.positions.size());
        face.positions.push_back(face.positions[j * 9 + 4]);
    }
    for (size_t t = 0; t < face.triangles.size(); t += 3) {
        const bool right = std::max({face.triangles[t] % 9, face.triangles[t + 1] % 9, face.triangles[t + 2] % 9}) > 4;
        for (size_t k = 0; right && k < 3; ++k) face.triangles[t + k] = copy[face.triangles[t + k]];
    }
    std::vector<Vec3> other = face.positions;
    for (Vec3& p : other) {
        if (p.x() > 0.0f) p = Vec3(2.0f * p.x(), p.y(), p.z());  // the right half is twice as wide
    }
    MorphTarget push{"push", {}, {}, {}, {}};
    for (uint32_t v = 0; v < face.positions.size(); ++v)
        push.vertices.push_back(v), push.positions.push_back({0.1f, 0, 0});
    const DeltaTransfer made = transfer_deltas(face.positions, other, face.triangles, std::vector{push});
    const std::vector<Vec3>& deltas = made.targets[0].positions;
    CHECK((deltas[4 * 9 + 1] - Vec3(0.1f, 0, 0)).norm() < 1e-5f);
    CHECK(deltas[4 * 9 + 7].x() > 0.17f);
    CHECK(deltas[4 * 9 + 4].x() > deltas[4 * 9 + 1].x());
    for (uint32_t j = 0; j < 9; ++j) CHECK(deltas[j * 9 + 4] == deltas[copy[j * 9 + 4]]);
}

TEST_CASE("transfer_deltas: vertices without area follow the whole face, and are counted") {
    Surface face = cheek(4);
    face.positions.push_back({9, 9, 9});                     // loose
    face.triangles.insert(face.triangles.end(), {0, 0, 1});  // and a triangle without area
    std::vector<Vec3> other;
    for (const Vec3& p : face.positions) other.push_back(3.0f * p);
    const MorphTarget target{"t", {16}, {{1, 0, 0}}, {}, {}};
    const DeltaTransfer made = transfer_deltas(face.positions, other, face.triangles, std::vector{target});
    CHECK(made.vertices_without_area == 1);
    CHECK((made.targets[0].positions[0] - Vec3(3, 0, 0)).norm() < 1e-5f);
    const DeltaTransfer points = transfer_deltas(face.positions, other, {}, std::vector{target});
    CHECK(points.vertices_without_area == 17);
    CHECK(points.targets[0].positions[0] == Vec3(1, 0, 0));
}
