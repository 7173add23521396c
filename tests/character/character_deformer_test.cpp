#include <doctest/doctest.h>

#include <sinew/character/character_deformer.h>

using namespace sinew;

namespace {

// A strip along +X in two primitives of two meshes with a skin each, as exporters write it; the joint in its middle.
Character strip() {
    Character c;
    std::vector<Transform> rest(2);
    rest[1].translation = {3, 0, 0};
    c.skeleton = *Skeleton::create({"root", "bend"}, {-1, 0}, rest);
    for (int part = 0; part < 2; ++part) {
        Primitive p;
        std::vector<uint32_t> first = {0};
        std::vector<Influence> raw;
        for (int i = 0; i <= 3; ++i) {
            for (int k = 0; k < 2; ++k) {
                const float x = static_cast<float>(3 * part + i), weight = x / 6.0f;
                p.mesh.positions.emplace_back(x, 0.1f * std::sin(3 * x), static_cast<float>(k));
                p.mesh.normals.push_back(Vec3::UnitY());
                raw.push_back({0, 1.0f - weight});
                raw.push_back({1, weight});
                first.push_back(static_cast<uint32_t>(raw.size()));
            }
            const auto a = static_cast<uint32_t>(2 * i);
            if (i < 3) p.mesh.triangles.insert(p.mesh.triangles.end(), {a, a + 1, a + 2, a + 2, a + 1, a + 3});
        }
        p.influences = *Influences::create(first, raw, 2);
        p.morphs = {{"bump", {3}, {{0, 0.5f, 0}}, {}, {}}};
        c.meshes.push_back({"part", {p}, {0.0f}});
        Affine inverse_bind = Affine::Identity();
        inverse_bind.translation() = Vec3(-3, 0, 0);
        c.skins.push_back({"skin", {0, 1}, {Affine::Identity(), inverse_bind}});
        c.instances.push_back({.joint = 0, .mesh = part, .skin = part});
    }
    layout_morphs(c);
    return c;
}

Pose bent(const Character& c) {
    Pose pose = rest_pose(c);
    pose.local[1].rotation = Quat(Eigen::AngleAxisf(1.5f, Vec3(0, 1, 1).normalized()));
    return pose;
}

}  // namespace

TEST_CASE("every skinning keeps a surface whole across meshes, with delta mush and without") {
    const Character c = strip();
    REQUIRE(validate(c));
    for (size_t s = 0; s < skinning_names().size(); ++s) {
        for (int32_t mush : {0, 4}) {
            CAPTURE(skinning_names()[s]);
            std::vector<DeformedPrimitive> out;
            deform(c, bent(c), {.skinning = static_cast<Skinning>(s), .delta_mush = mush}, out);
            REQUIRE(out.size() == 2);
            for (size_t k = 0; k < 2; ++k) {
                CHECK((out[0].positions[6 + k] - out[1].positions[k]).norm() < 1e-6f);
                CHECK((out[0].normals[6 + k] - out[1].normals[k]).norm() < 1e-6f);
            }
        }
    }
}

TEST_CASE("delta mush: a morphed character in its bind pose is the morphed character") {
    const Character c = strip();
    Pose pose = rest_pose(c);
    pose.morphs[0] = 1.0f;
    std::vector<DeformedPrimitive> plain, mushed;
    deform(c, pose, {}, plain);
    deform(c, pose, {.delta_mush = 6}, mushed);
    for (size_t v = 0; v < 8; ++v) CHECK((plain[0].positions[v] - mushed[0].positions[v]).norm() < 1e-6f);
    CHECK(plain[0].positions[3].y() > 0.4f);
}

TEST_CASE("CharacterDeformer: prepared once, the same for every pose as prepared for that pose") {
    const Character c = strip();
    const DeformOptions options{.skinning = Skinning::centres_of_rotation, .delta_mush = 3};
    CharacterDeformer deformer(c, options);
    std::vector<DeformedPrimitive> many, one;
    deformer.deform(rest_pose(c), many);
    deformer.deform(bent(c), many);
    deform(c, bent(c), options, one);
    for (size_t k = 0; k < 2; ++k) {
        CHECK(many[k].positions == one[k].positions);
        CHECK(many[k].normals == one[k].normals);
    }
}

TEST_CASE("a mirrored character is the mirror image, whatever the skinning") {
    const Character c = strip();
    Pose mirrored = bent(c);
    mirrored.local[0].scale = Vec3(-1, 1, 1);
    for (size_t s = 0; s < skinning_names().size(); ++s) {
        CAPTURE(skinning_names()[s]);
        CharacterDeformer deformer(c, {.skinning = static_cast<Skinning>(s), .delta_mush = 2});
        std::vector<DeformedPrimitive> a, b;
        deformer.deform(bent(c), a);
        deformer.deform(mirrored, b);
        for (size_t v = 0; v < 8; ++v) {
            CHECK((b[0].positions[v] - Vec3(-1, 1, 1).cwiseProduct(a[0].positions[v])).norm() < 1e-5f);
            CHECK((b[0].normals[v] - Vec3(-1, 1, 1).cwiseProduct(a[0].normals[v])).norm() < 1e-5f);
        }
    }
}
