// Limbs, clavicles, palms, ears and clothes: which bones the joints own, and which pieces share them.
#include <doctest/doctest.h>

#include <sinew/weights/bones/piece_bones.h>
#include <sinew/weights/heat/heat.h>
#include <sinew/weights/weights.h>
#include <string>

#include "../mesh/shapes.h"
#include "body.h"
#include "skeletons.h"
#include "solids.h"

using namespace sinew;
using namespace sinew::test;

namespace {

// A joint that turns: its bone runs along one local axis.
struct Turned {
    std::string name;
    int32_t parent = -1;
    Vec3 place = Vec3::Zero();
    Vec3 along = Vec3::UnitY();  // the bone, in the world
};

Skeleton turned_skeleton(const std::vector<Turned>& joints, const Vec3& axis) {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    std::vector<Quat> world;
    for (const Turned& joint : joints) {
        names.push_back(joint.name);
        parents.push_back(joint.parent);
        world.push_back(Quat::FromTwoVectors(axis, joint.along));
        Transform& local = rest.emplace_back();
        local.translation = joint.place;
        local.rotation = world.back();
        if (joint.parent < 0) continue;
        const Quat up = world[static_cast<size_t>(joint.parent)].conjugate();
        local.translation = up * (joint.place - joints[static_cast<size_t>(joint.parent)].place);
        local.rotation = up * world.back();
    }
    return Skeleton::create(names, parents, rest).value();
}

BoneChoice choose(const Skeleton& skeleton, const Mesh& mesh) {
    const WeightMesh one{mesh.positions, mesh.triangles};
    return choose_bones({.skeleton = &skeleton}, make_surface({&one, 1})).value();
}

// All bones along +Y, and the thighs so near to the hips that a Blender bone leaves them no gap.
std::vector<Turned> biped(const std::string& thigh, const std::string& shin, const std::string& forearm) {
    std::vector<Turned> joints = {
        {"Hips", -1, {0, 0, 0}}, {"Spine", 0, {0, 0.1f, 0}}, {"Chest", 1, {0, 0.3f, 0}}, {"Head", 2, {0, 0.5f, 0}}};
    for (const float side : {1.0f, -1.0f}) {
        const std::string name = side > 0 ? "Left" : "Right";
        const auto first = static_cast<int32_t>(joints.size());
        joints.push_back({name + thigh, 0, {0.08f * side, -0.04f, 0}, -Vec3::UnitY()});
        joints.push_back({name + shin, first, {0.08f * side, -0.4f, 0}, -Vec3::UnitY()});
        joints.push_back({name + "Foot", first + 1, {0.08f * side, -0.75f, 0}, -Vec3::UnitY()});
        joints.push_back({name + "Arm", 2, {0.15f * side, 0.4f, 0}, Vec3::UnitX() * side});
        joints.push_back({name + forearm, first + 3, {0.4f * side, 0.4f, 0}, Vec3::UnitX() * side});
        joints.push_back({name + "Hand", first + 4, {0.6f * side, 0.4f, 0}, Vec3::UnitX() * side});
    }
    return joints;
}

}  // namespace

TEST_CASE("bones along +Y are segments, but Mixamo's joints are points: the hips own the ways to the thighs") {
    const Mesh mesh = lathe({{0.2f, -0.9f}, {0.2f, 0.6f}});
    const Skeleton blender = turned_skeleton(biped("Thigh", "Shin", "LowerArm"), Vec3::UnitY());
    const BoneChoice segments = choose(blender, mesh);
    CHECK(segments.axis == "+Y");
    CHECK(use_of(segments, 0).segments == 1);
    const Skeleton mixamo = turned_skeleton(biped("UpLeg", "Leg", "ForeArm"), Vec3::UnitY());
    const BoneChoice points = choose(mixamo, mesh);
    CHECK(points.axis == "+Y");
    CHECK(use_of(points, 0).segments == 3);
}

TEST_CASE("a palm is the hand's, though its bone runs to one finger") {
    std::vector<Turned> joints = {{"upper", -1, {0, 0, 0}}, {"fore", 0, {0, 0.3f, 0}}, {"hand", 1, {0, 0.6f, 0}}};
    for (int k = 0; k < 5; ++k) {
        const float x = 0.02f * static_cast<float>(k - 2);
        const auto first = static_cast<int32_t>(joints.size());
        joints.push_back({"finger" + std::to_string(k), 2, {x, 0.7f, 0}});
        joints.push_back({"mid" + std::to_string(k), first, {x, 0.74f, 0}});
        joints.push_back({"tip" + std::to_string(k), first + 1, {x, 0.77f, 0}});
    }
    const Skeleton skeleton = turned_skeleton(joints, Vec3::UnitY());
    const BoneChoice choice = choose(skeleton, lathe({{0.06f, -0.1f}, {0.06f, 0.8f}}));
    CHECK(choice.axis == "+Y");
    CHECK(use_of(choice, 2).segments == 5);
}

// Maya mirrors joints by turning their axes round.
TEST_CASE("an ear whose axis was mirrored ends outside, not across the head") {
    const std::vector<Turned> joints = {{"hips", -1, {0, 0, 0}},
                                        {"spine", 0, {0, 0.2f, 0}},
                                        {"chest", 1, {0, 0.4f, 0}},
                                        {"neck", 2, {0, 0.6f, 0}},
                                        {"head", 3, {0, 0.7f, 0}},
                                        {"earL", 4, {0.1f, 0.75f, 0}, Vec3::UnitX()},
                                        {"earR", 4, {-0.1f, 0.75f, 0}, Vec3::UnitX()}};
    const Skeleton skeleton = turned_skeleton(joints, Vec3::UnitX());
    Mesh mesh = lathe({{0.15f, -0.1f}, {0.15f, 0.6f}});
    append(mesh, sphere({0, 0.75f, 0}, 0.18f));
    const BoneChoice choice = choose(skeleton, mesh);
    CHECK(choice.axis == "+X");
    int ears = 0;
    for (const Bone& bone : choice.bones) {
        if (bone.joint < 5) continue;
        ++ears;
        CHECK((bone.tail - bone.head).x() * (bone.joint == 5 ? 1.0 : -1.0) > 0.0);
    }
    CHECK(ears == 2);
}

TEST_CASE("a clavicle is thin: what is far before it follows the chest") {
    std::vector<Joint> joints = {
        {"hips", -1, {0, 0.8f, 0}}, {"chest", 0, {0, 1.1f, 0}}, {"neck", 1, {0, 1.42f, 0}}, {"head", 2, {0, 1.5f, 0}}};
    for (const float side : {1.0f, -1.0f}) {
        const std::string name = side > 0 ? "left" : "right";
        const auto first = static_cast<int32_t>(joints.size());
        joints.push_back({name + "Shoulder", 1, {0.03f * side, 1.36f, 0}});
        joints.push_back({name + "Arm", first, {0.2f * side, 1.36f, 0}});
        joints.push_back({name + "ForeArm", first + 1, {0.5f * side, 1.36f, 0}});
        joints.push_back({name + "Hand", first + 2, {0.7f * side, 1.36f, 0}});
    }
    const Skeleton skeleton = skeleton_of(joints);
    Mesh mesh = sphere({0, 0, 0}, 1.0f, 48);
    for (Vec3& p : mesh.positions) p = Vec3(0.24f, 0.35f, 0.2f).cwiseProduct(p) + Vec3(0, 1.06f, 0);
    const WeightMesh one{mesh.positions, mesh.triangles};
    const Surface surface = make_surface({&one, 1});
    const BoneChoice choice = choose_bones({.skeleton = &skeleton}, surface).value();
    CHECK(use_of(choice, 1).why.find("part of the way to leftArm") != std::string::npos);  // a chest is wide
    const auto clavicle_owns = [&](const HeatOptions& options, bool near) {
        const WeightField field = heat_weights(surface, choice.bones, options).field;
        double sum = 0.0;
        for (size_t v = 0; v < surface.vertex_count(); ++v) {
            const Vec3d p = surface.from_surface(surface.positions[v]);
            const double off = std::hypot(p.y() - 1.36, p.z());
            if (p.x() < 0.03 || (near ? off > 0.06 : off < 0.12)) continue;
            for (const Influence& i : field.of(v)) sum += i.joint == 4 ? i.weight : 0.0f;
        }
        return sum;
    };
    const HeatOptions thick{.clavicle_reach = INFINITY};
    CHECK(clavicle_owns(thick, false) > 1.0);
    CHECK(clavicle_owns({}, false) < 0.7 * clavicle_owns(thick, false));
    CHECK(clavicle_owns({}, true) > 0.9 * clavicle_owns(thick, true));  // what is near stays its own
}

namespace {

// Trousers, or a puppet's legs, up to the waist, and what is worn or stuck on above; bones of hips, thigh and chest.
struct Dressed {
    Surface surface;
    PieceBones foreign{0, 0};
    int32_t trousers = 0;

    Dressed(const Mesh& low, const Mesh& high, bool side) {
        const WeightMesh meshes[] = {{low.positions, low.triangles}, {high.positions, high.triangles}};
        surface = make_surface(meshes);
        std::vector<Bone> bones = {bone(surface, 0, {0, 0, 0}, {0, 0.2, 0}),
                                   bone(surface, 1, {0, -0.05, 0}, {0, -0.7, 0}),
                                   bone(surface, 2, {0, 0.2, 0}, {0, 0.6, 0})};
        bones[1].parent = bones[2].parent = 0;
        bones[0].side = side;
        foreign = piece_bones(surface, bones);
        trousers = surface.piece[surface.vertex_of[0]];
    }
};

Mesh mesh_of(const Shape& shape) {
    Mesh mesh;
    mesh.positions = shape.positions;
    mesh.triangles = shape.triangles;
    return mesh;
}

}  // namespace

TEST_CASE("a piece shares the bone that leaves it by an opening, and one stuck into another does not") {
    const Mesh shirt = lathe({{0.25f, -0.1f}, {0.25f, 0.7f}});
    const Mesh trousers = lathe({{0.2f, -0.8f}, {0.2f, 0.1f}});
    const Mesh trunk = mesh_of(tube({0, -0.1f, 0}, {0, 0.7f, 0}, 0.25f, 12, 24));
    const Mesh leg = mesh_of(tube({0, -0.8f, 0}, {0, 0.1f, 0}, 0.2f, 12, 24));
    const Mesh short_leg = mesh_of(tube({0, -0.8f, 0}, {0, 0.05f, 0}, 0.2f, 12, 24));
    for (const bool side : {false, true}) {
        const Dressed open(trousers, shirt, side);
        CHECK_FALSE(open.foreign.is_foreign(open.trousers, 0));
        CHECK_FALSE(open.foreign.is_foreign(open.trousers, 1));
        CHECK(open.foreign.is_foreign(open.trousers, 2));  // none of the chest is in there
        const Dressed closed(leg, trunk, side);
        CHECK(closed.foreign.is_foreign(closed.trousers, 0) == side);
    }
    const Dressed barely(short_leg, trunk, false);
    CHECK(barely.foreign.is_foreign(barely.trousers, 0));
}

// An arm hangs beside the plate, as near to it as the trunk's own bones.
TEST_CASE("a plate on the body moves as the skin under it, a peg in the body does not") {
    const Mesh trunk = mesh_of(tube({0, -1, 0}, {0, 1, 0}, 0.15f, 40, 24));
    const Mesh plate = mesh_of(tube({0.22f, -0.3f, 0}, {0.22f, 0.3f, 0}, 0.05f, 16, 8));
    const Mesh arm = mesh_of(tube({0.44f, -1, 0}, {0.44f, 0.6f, 0}, 0.02f, 40, 12));
    const Mesh peg = mesh_of(tube({0, -0.3f, 0.1f}, {0, 0.3f, 0.1f}, 0.03f, 16, 8));
    const Skeleton skeleton = skeleton_of({{"low", -1, {0, -0.95f, 0}},
                                           {"high", 0, {0, 0, 0}},
                                           {"top", 1, {0, 0.95f, 0}},
                                           {"upper", 2, {0.44f, 0.55f, 0}},
                                           {"lower", 3, {0.44f, 0.05f, 0}},
                                           {"hand", 4, {0.44f, -0.9f, 0}}});
    const WeightMesh meshes[] = {{trunk.positions, trunk.triangles},
                                 {plate.positions, plate.triangles},
                                 {arm.positions, arm.triangles},
                                 {peg.positions, peg.triangles}};
    const auto arms_share = [&](const WeightResult& result) {
        double sum = 0.0;
        for (size_t v = 0; v < plate.positions.size(); ++v)
            for (const uint32_t joint : {3u, 4u, 5u}) sum += weight_of(result.influences[1], v, joint);
        return sum / static_cast<double>(plate.positions.size());
    };
    const auto lie_on = [](const WeightResult& result) {
        return std::count_if(result.report.pieces.begin(), result.report.pieces.end(),
                             [](const PieceReport& p) { return p.how == "as the skin that it lies on"; });
    };
    const auto result = compute_weights(meshes, {.skeleton = &skeleton}).value();
    CHECK(arms_share(result) < 0.01);
    CHECK(lie_on(result) == 1);
    double low = 0.0, high = 0.0;  // and it bends with the trunk
    for (size_t v = 0; v < plate.positions.size(); ++v) {
        if (plate.positions[v].y() < -0.25f) low = std::max<double>(low, weight_of(result.influences[1], v, 1));
        if (plate.positions[v].y() > 0.25f) high = std::max<double>(high, weight_of(result.influences[1], v, 0));
    }
    CHECK(low < 0.2);
    CHECK(high < 0.2);
    const auto heat = compute_weights(meshes, {.skeleton = &skeleton}, {.method = WeightMethod::heat}).value();
    CHECK(arms_share(heat) > 0.1);
    CHECK(lie_on(heat) == 0);
}
