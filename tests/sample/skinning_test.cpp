// The deformers on whole sample characters: bind pose, rigid motion, normals.
#include <sinew/sample/sample.h>

#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>
#include <sinew/core/random.h>
#include <sinew/mesh/topology.h>
#include <sinew/motion/builtin.h>
#include <sinew/motion/retarget.h>
#include <sinew/skeleton/pose.h>
#include <cmath>

using namespace sinew;

namespace {

const Character& hero() {
    static const Character character = make_rigged_humanoid();
    return character;
}

std::vector<DeformedPrimitive> deformed(CharacterDeformer& deformer, const Pose& pose) {
    std::vector<DeformedPrimitive> out;
    deformer.deform(pose, out);
    return out;
}

// Every joint turned by up to 35° about some axis.
Pose random_pose(uint64_t seed) {
    Random random(seed);
    Pose pose = rest_pose(hero());
    for (size_t j = 1; j < pose.local.size(); ++j) {
        const auto x = random.uniform(-1, 1), y = random.uniform(-1, 1), z = random.uniform(-1, 1);
        const Vec3 axis(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
        const auto angle = static_cast<float>(random.uniform(-35, 35));
        pose.local[j].rotation = pose.local[j].rotation * Quat(Eigen::AngleAxisf(radians(angle), axis.normalized()));
    }
    return pose;
}

template <class Check>
void for_each_way(const Check& check) {
    for (size_t s = 0; s < skinning_names().size(); ++s) {
        for (int32_t mush : {0, 5}) {
            CAPTURE(skinning_names()[s]);
            CAPTURE(mush);
            check(DeformOptions{.skinning = static_cast<Skinning>(s), .delta_mush = mush});
        }
    }
}

double angle_deg(const Vec3& a, const Vec3& b) {
    return std::atan2(a.cross(b).cast<double>().norm(), a.cast<double>().dot(b.cast<double>())) * 180.0 / pi;
}

}  // namespace

TEST_CASE("every skinning, with delta mush and without: the bind pose gives back the sample character") {
    const Mesh& mesh = hero().meshes[0].primitives[0].mesh;
    for_each_way([&](const DeformOptions& options) {
        CharacterDeformer deformer(hero(), options);
        const auto out = deformed(deformer, rest_pose(hero()));
        float worst = 0.0f, worst_normal = 0.0f;
        for (size_t v = 0; v < mesh.vertex_count(); ++v) {
            worst = std::max(worst, (out[0].positions[v] - mesh.positions[v]).norm());
            worst_normal = std::max(worst_normal, (out[0].normals[v] - mesh.normals[v]).norm());
        }
        CHECK(worst < 1e-6f);
        CHECK(worst_normal < 1e-4f);
    });
}

TEST_CASE("every skinning, with delta mush and without: moving the root by a rigid motion moves the result by it") {
    const Quat turn(Eigen::AngleAxisf(2.1f, Vec3(1, 2, -1).normalized()));
    const Vec3 shift(0.7f, -0.4f, 1.1f);
    const Pose pose = random_pose(41);
    Pose moved = pose;
    moved.local[0].rotation = turn * pose.local[0].rotation;
    moved.local[0].translation = turn * pose.local[0].translation + shift;
    for_each_way([&](const DeformOptions& options) {
        CharacterDeformer deformer(hero(), options);
        const auto a = deformed(deformer, pose), b = deformed(deformer, moved);
        float worst = 0.0f;
        size_t off = 0;
        for (size_t v = 0; v < a[0].positions.size(); ++v) {
            worst = std::max(worst, (turn * a[0].positions[v] + shift - b[0].positions[v]).norm());
            off += (turn * a[0].normals[v] - b[0].normals[v]).norm() > 1e-4f;
        }
        CHECK(worst < 1e-5f);
        // Crushed triangles have no certain normal, and where bulge-free begins to pull, the surface has a crease.
        CHECK(off < a[0].positions.size() / 500);
    });
}

namespace {

// The hero with the normals of its triangles: what deviates from them later, deviates because of the deformation.
struct Faceted {
    Character character = hero();
    std::vector<uint32_t> same, triangles;

    Faceted() {
        Mesh& mesh = character.meshes[0].primitives[0].mesh;
        same = weld_exact(mesh.positions);
        triangles = mesh.triangles;
        for (uint32_t& v : triangles) v = same[v];
        mesh.normals = surface_normals(mesh.positions);
    }
    std::vector<Vec3> surface_normals(std::span<const Vec3> positions) const {
        std::vector<Vec3> normals = compute_normals(positions, triangles);
        for (size_t v = 0; v < normals.size(); ++v) normals[v] = normals[same[v]];
        return normals;
    }
};

std::vector<Pose> ten_poses(const Character& character) {
    const std::pair<const char*, std::vector<float>> moments[] = {{"walk", {0.1f, 0.4f}},
                                                                  {"run", {0.1f, 0.4f}},
                                                                  {"idle", {0.5f}},
                                                                  {"wave", {0.4f, 0.7f}},
                                                                  {"jump", {0.1f, 0.4f, 0.7f}}};
    std::vector<Pose> poses;
    for (const auto& [name, times] : moments) {
        const Motion motion = builtin_motion(name).value();
        const RetargetResult moved = retarget(motion.skeleton, motion.clip, character.skeleton).value();
        for (float time : times) poses.push_back(pose_at(character, &moved.clip, time));
    }
    return poses;
}

// By the blended matrix itself, as many programs do.
std::vector<Vec3> cheap_normals(const Character& character, const Pose& pose) {
    const Primitive& primitive = character.meshes[0].primitives[0];
    std::vector<AffineD> world(character.skeleton.size());
    local_to_world(character.skeleton.parents(), pose.local, world);
    std::vector<Affine> palette(character.skins[0].joints.size());
    make_palette(character.skins[0], world, palette);
    std::vector<Vec3> normals;
    for (size_t v = 0; v < primitive.mesh.vertex_count(); ++v) {
        Mat3 blended = Mat3::Zero();
        for (const Influence& i : primitive.influences.of(v)) blended += i.weight * palette[i.joint].linear();
        normals.push_back((blended * primitive.mesh.normals[v]).normalized());
    }
    return normals;
}

double mean_error(std::span<const Vec3> normals, std::span<const Vec3> truth) {
    double sum = 0.0;
    for (size_t v = 0; v < truth.size(); ++v) sum += angle_deg(normals[v], truth[v]);
    return sum / static_cast<double>(truth.size());
}

}  // namespace

// As they stand, and stretched to three times their depth, where only the inverse transpose knows. (The triangles' own
// normals are means over a vertex's triangles, which stretching shifts: nothing can follow them exactly there.)
TEST_CASE("linear blend: normals against those of the deformed triangles, in ten poses") {
    const Faceted faceted;
    CharacterDeformer fixed_weights(faceted.character), exact(faceted.character, {.surface_normals = true});
    for (bool scaled : {false, true}) {
        double cheap = 0.0, fixed = 0.0, full = 0.0, worst = 0.0;
        for (Pose& pose : ten_poses(faceted.character)) {
            if (scaled) pose.local[0].scale = Vec3(1.0f, 1.0f, 3.0f);
            const auto a = deformed(fixed_weights, pose), b = deformed(exact, pose);
            const std::vector<Vec3> truth = faceted.surface_normals(a[0].positions);
            cheap += mean_error(cheap_normals(faceted.character, pose), truth) / 10;
            fixed += mean_error(a[0].normals, truth) / 10;
            const double error = mean_error(b[0].normals, truth);
            full += error / 10;
            worst = std::max(worst, error);
        }
        MESSAGE(std::string(scaled ? "stretched" : "as they stand"), ": by the matrix ", cheap,
                "°, by its inverse transpose ", fixed, "°, with weight gradients ", full, "° (worst pose ", worst,
                "°)");
        CHECK(worst < (scaled ? 3.0 : 1.0));
        CHECK(full < 0.6 * fixed);
        CHECK(fixed < (scaled ? 0.2 : 1.01) * cheap);
    }
}
