// Hands beside thighs, and parts that are no part of the body.
#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>
#include <sinew/pipeline/edit_weights.h>
#include <sinew/sample/sample.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <sinew/weights/surface/surface.h>
#include <set>

#include <fmt/format.h>

#include "truth.h"

using namespace sinew;
using namespace sinew::test;

namespace {

std::set<int32_t> below(const Skeleton& skeleton, int32_t top) {
    std::set<int32_t> all = {top};
    for (size_t j = 0; j < skeleton.size(); ++j)
        if (all.count(skeleton.parents()[j])) all.insert(static_cast<int32_t>(j));
    return all;
}

// How much of a vertex's weight belongs to the set.
double share(const Influences& weights, size_t v, const std::vector<int32_t>& joints, const std::set<int32_t>& set) {
    double sum = 0.0;
    for (const Influence& i : weights.of(v))
        if (set.count(joints[i.joint])) sum += i.weight;
    return sum;
}

// The sample with its left arm lowered by an angle: vertices and joints in world space.
struct Posed {
    std::vector<Vec3> positions;
    std::vector<AffineD> frames;
};
Posed lower_arm(const Character& body, int32_t arm, double angle) {
    Pose pose = rest_pose(body);
    std::vector<AffineD> frames(body.skeleton.size());
    local_to_world(body.skeleton.parents(), pose.local, frames);
    // About world z through the shoulder: local' = local · (frame⁻¹ · turn · frame).
    const Mat3d rotation = frames[static_cast<size_t>(arm)].rotation();
    const Mat3d turn = rotation.transpose() * Eigen::AngleAxisd(-angle, Vec3d::UnitZ()).toRotationMatrix() * rotation;
    Transform& local = pose.local[static_cast<size_t>(arm)];
    local.rotation = (local.rotation.cast<double>() * Quatd(turn)).normalized().cast<float>();
    local_to_world(body.skeleton.parents(), pose.local, frames);
    std::vector<DeformedPrimitive> out;
    deform(body, pose, {.normals = false}, out);
    return {out[0].positions, frames};
}

}  // namespace

TEST_CASE("no leak: a hand 2% of the height from the thigh takes nothing from it, nor gives") {
    const Character body = make_rigged_humanoid();
    const HumanoidMap roles = recognise_humanoid(body.skeleton);
    const Primitive& skin = body.meshes[0].primitives[0];
    const std::vector<int32_t>& joints = body.skins[0].joints;
    const std::set<int32_t> hand = below(body.skeleton, roles[Role::left_hand]);
    std::set<int32_t> legs = below(body.skeleton, roles[Role::left_upper_leg]);
    legs.merge(below(body.skeleton, roles[Role::right_upper_leg]));
    std::vector<size_t> hand_vertices, leg_vertices;
    for (size_t v = 0; v < skin.mesh.vertex_count(); ++v) {
        if (share(skin.influences, v, joints, hand) > 0.99) hand_vertices.push_back(v);
        if (share(skin.influences, v, joints, legs) > 0.99) leg_vertices.push_back(v);
    }
    const double height = bounds(skin.mesh.positions).size().y();
    const auto gap = [&](const Posed& posed) {
        double least = 1e9;
        for (size_t a : hand_vertices)
            for (size_t b : leg_vertices)
                least = std::min(least, static_cast<double>((posed.positions[a] - posed.positions[b]).norm()));
        return least / height;
    };
    double low = 0.0, high = 1.2;
    for (int i = 0; i < 12; ++i) {
        const double middle = 0.5 * (low + high);
        (gap(lower_arm(body, roles[Role::left_upper_arm], middle)) > 0.02 ? low : high) = middle;
    }
    const Posed posed = lower_arm(body, roles[Role::left_upper_arm], low);
    REQUIRE(gap(posed) == doctest::Approx(0.02).epsilon(0.2));
    const WeightMesh mesh{posed.positions, skin.mesh.triangles};
    const WeightRig rig{.skeleton = &body.skeleton, .mesh_from_joint = posed.frames, .joints = joints};
    for (WeightMethod method : {WeightMethod::automatic, WeightMethod::heat}) {
        const auto result = compute_weights({&mesh, 1}, rig, {.method = method}).value();
        double hand_takes = 0.0, leg_takes = 0.0;
        for (size_t v : hand_vertices) hand_takes = std::max(hand_takes, share(result.influences[0], v, joints, legs));
        for (size_t v : leg_vertices) leg_takes = std::max(leg_takes, share(result.influences[0], v, joints, hand));
        MESSAGE(fmt::format("{}: hand takes {:.4f} from legs, legs {:.4f} from the hand; {} and {} vertices",
                            to_string(method), hand_takes, leg_takes, hand_vertices.size(), leg_vertices.size()));
        CHECK(hand_takes <= 0.01);
        CHECK(leg_takes <= 0.01);
    }
}

TEST_CASE("parts: a sword in the hand and a button on the chest move as one, and the report says so") {
    const auto body = take_apart("humanoid", make_rigged_humanoid());
    const auto meshes = body->meshes();
    std::vector<Vec3> positions(meshes[0].positions.begin(), meshes[0].positions.end());
    std::vector<uint32_t> triangles(meshes[0].triangles.begin(), meshes[0].triangles.end());
    const auto add_box = [&](const Vec3& middle, const Vec3& half) {
        const auto base = static_cast<uint32_t>(positions.size());
        for (int k = 0; k < 8; ++k)
            positions.push_back(middle + half.cwiseProduct(Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1)));
        for (uint32_t i : {0u, 2u, 1u, 1u, 2u, 3u, 4u, 5u, 6u, 5u, 7u, 6u, 0u, 1u, 4u, 1u, 5u, 4u,
                           2u, 6u, 3u, 3u, 6u, 7u, 0u, 4u, 2u, 2u, 4u, 6u, 1u, 3u, 5u, 3u, 7u, 5u})
            triangles.push_back(base + i);
        return base;
    };
    const HumanoidMap roles = recognise_humanoid(body->character.skeleton);
    const auto frames = rest_world(body->character.skeleton);
    const Vec3 hand = frames[static_cast<size_t>(roles[Role::left_hand])].translation().cast<float>();
    const uint32_t sword = add_box(hand + Vec3(0.06f, -0.05f, 0.45f), {0.005f, 0.01f, 0.4f});
    Vec3 front = hand;
    front.z() = -10.0f;
    for (const Vec3& p : meshes[0].positions)
        if (std::abs(p.x()) < 0.03f && std::abs(p.y() - 1.2f) < 0.03f && p.z() > front.z()) front = p;
    const uint32_t button = add_box(front + Vec3(0, 0, 0.008f), {0.008f, 0.008f, 0.004f});
    const WeightMesh mesh{positions, triangles};
    const auto result = compute_weights({&mesh, 1}, body->rig).value();
    for (uint32_t base : {sword, button}) {
        for (uint32_t v = base; v < base + 8; ++v) {
            REQUIRE(result.influences[0].of(v).size() == result.influences[0].of(base).size());
            for (size_t i = 0; i < result.influences[0].of(v).size(); ++i) {
                CHECK(result.influences[0].of(v)[i].joint == result.influences[0].of(base)[i].joint);
                CHECK(result.influences[0].of(v)[i].weight == result.influences[0].of(base)[i].weight);
            }
        }
    }
    const std::set<int32_t> arm = below(body->character.skeleton, roles[Role::left_lower_arm]);
    CHECK(share(result.influences[0], sword, result.joints, arm) > 0.99);
    CHECK(result.report.pieces.size() == 3);
    CHECK(result.report.pieces[1].how.starts_with("rigid"));
}

TEST_CASE("edit: mirror makes weights symmetric; smooth, prune and limit keep sums; transfer brings them back") {
    Character body = make_rigged_humanoid();
    const Character original = body;
    Primitive& skin = body.meshes[0].primitives[0];
    const auto compare = [&](const Influences& a, const Influences& b) {
        std::vector<uint32_t> same(body.skins[0].joints.size());
        for (size_t j = 0; j < same.size(); ++j) same[j] = static_cast<uint32_t>(j);
        std::vector<double> difference(same.size(), 0.0);
        double sum = 0.0;
        for (size_t v = 0; v < a.vertex_count(); ++v) sum += row_distance(a.of(v), b.of(v), same, difference);
        return sum / static_cast<double>(a.vertex_count());
    };
    // Spoil the right side (x < 0): everything follows joint 0.
    std::vector<uint32_t> first = {0};
    std::vector<Influence> raw;
    for (size_t v = 0; v < skin.mesh.vertex_count(); ++v) {
        if (skin.mesh.positions[v].x() < 0.0f)
            raw.push_back({0, 1.0f});
        else
            raw.insert(raw.end(), skin.influences.of(v).begin(), skin.influences.of(v).end());
        first.push_back(static_cast<uint32_t>(raw.size()));
    }
    skin.influences = Influences::create(first, raw, body.skins[0].joints.size()).value();
    Character spoiled = body;
    CHECK(compare(skin.influences, original.meshes[0].primitives[0].influences) > 0.5);
    REQUIRE(edit_weights(body, {.mirror = 0}).has_value());
    CHECK(compare(skin.influences, original.meshes[0].primitives[0].influences) < 0.03);

    const auto edited = edit_weights(body, {.smooth = 2, .prune = 0.02f, .influences = 2}).value();
    CHECK(edited.max_influences <= 2);
    CHECK(edited.unweighted_vertices == 0);

    const auto moved = edit_weights(spoiled, {.transfer_from = &original}).value();
    CHECK(moved.transferred >
          0.99 * static_cast<double>(make_surface(take_apart("", original)->meshes()).vertex_count()));
    CHECK(compare(spoiled.meshes[0].primitives[0].influences, original.meshes[0].primitives[0].influences) < 0.01);
}
