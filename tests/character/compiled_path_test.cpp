// CharacterDeformer's kernels against the scalar deformers, on a character that has everything; what a frame allocates
// and what it leaves alone.
#include <doctest/doctest.h>

#include <sinew/clip/clip.h>

#include "random_character.h"
#include "support/count_allocations.h"

using namespace sinew;
using namespace sinew::test;

namespace {

constexpr Skinning with_kernels[] = {Skinning::rigid, Skinning::linear_blend, Skinning::dual_quaternion,
                                     Skinning::centres_of_rotation};

using Shapes = std::vector<DeformedPrimitive>;

// Vertices that no joint moves keep the length that morphing gave their directions in the scalar path; kernels make all
// unit.
Vec3 unit(const Vec3& v) {
    return v.norm() > 0.0f ? Vec3(v.normalized()) : v;
}

void check_equal(const Shapes& a, const Shapes& b) {
    REQUIRE(a.size() == b.size());
    for (size_t k = 0; k < a.size(); ++k) {
        INFO("part " << k);
        CHECK(a[k].instance == b[k].instance);
        CHECK(a[k].primitive == b[k].primitive);
        REQUIRE(a[k].positions.size() == b[k].positions.size());
        REQUIRE(a[k].normals.size() == b[k].normals.size());
        REQUIRE(a[k].tangents.size() == b[k].tangents.size());
        float position = 0, normal = 0, tangent = 0;
        size_t flipped = 0;
        for (size_t v = 0; v < a[k].positions.size(); ++v)
            position = std::max(position, (a[k].positions[v] - b[k].positions[v]).norm());
        for (size_t v = 0; v < a[k].normals.size(); ++v)
            normal = std::max(normal, (unit(a[k].normals[v]) - unit(b[k].normals[v])).norm());
        for (size_t v = 0; v < a[k].tangents.size(); ++v) {
            tangent = std::max(tangent, (unit(a[k].tangents[v].head<3>()) - unit(b[k].tangents[v].head<3>())).norm());
            flipped += a[k].tangents[v].w() != b[k].tangents[v].w();
        }
        CHECK(position < 4e-6f);
        CHECK(normal < 2e-5f);
        CHECK(tangent < 2e-5f);
        CHECK(flipped == 0);
    }
}

// The interleaved buffer of an engine: position, normal, tangent, and two floats that are nobody's business.
struct Interleaved {
    static constexpr size_t floats = 12;
    std::vector<float> data;

    explicit Interleaved(size_t vertices) : data(vertices * floats, -7.0f) {}
    SkinOutput output() {
        const auto at = [&](size_t offset) { return VertexStream{data.data() + offset, floats * sizeof(float)}; };
        return {at(0), at(3), at(6)};
    }
    const float* vertex(size_t v) const { return data.data() + v * floats; }
};

}  // namespace

TEST_CASE("every skinning by kernels is what the scalar deformers make, whatever the character has") {
    for (const Directions directions : {Directions::none, Directions::normals, Directions::tangents}) {
        const Character c = random_character(1, directions);
        REQUIRE(validate(c));
        for (const Skinning skinning : with_kernels) {
            INFO(std::string(to_string(skinning)));
            for (const bool normals : {false, true}) {
                CharacterDeformer compiled(c, {.normals = normals, .skinning = skinning});
                CharacterDeformer scalar(c, {.normals = normals, .skinning = skinning, .kernels = false});
                Random random(2);
                Shapes a, b;
                for (int frame = 0; frame < 6; ++frame) {
                    INFO("frame " << frame);
                    const Pose pose = random_pose(c, random, frame % 2 == 1);
                    compiled.deform(pose, a);
                    scalar.deform(pose, b);
                    check_equal(a, b);
                }
            }
        }
    }
}

TEST_CASE("morphs: a shape that came by many frames is the shape made at once, to the last bit") {
    const Character c = random_character(3, Directions::tangents);
    CharacterDeformer many(c);
    Random random(4);
    Pose pose = random_pose(c, random, false);
    Shapes a, b;
    for (int frame = 0; frame < 40; ++frame) {
        pose.morphs[random.below(pose.morphs.size())] = random.below(2) == 0 ? 0.0f : number(random, 1);
        many.deform(pose, a);
        CharacterDeformer(c).deform(pose, b);
        for (size_t k = 0; k < a.size(); ++k) {
            REQUIRE(a[k].positions == b[k].positions);
            REQUIRE(a[k].normals == b[k].normals);
            REQUIRE(a[k].tangents == b[k].tangents);
        }
    }
}

TEST_CASE("a frame after the first allocates nothing, from sampling to vertices") {
    Character c = random_character(5, Directions::tangents);
    Clip clip{.name = "turn", .tracks = {}};
    for (int32_t j = 0; j < static_cast<int32_t>(random_joints); ++j)
        clip.tracks.push_back({.target = j, .times = {0, 1, 2}, .values = {0, 0, 0, 1, 0, 0.6f, 0, 0.8f, 0, 0, 0, 1}});
    const auto morphs = static_cast<int32_t>(morph_count(c));
    Track weights{.target = 0, .path = TrackPath::morphs, .width = morphs, .times = {0, 2}, .values = {}};
    weights.values.assign(2 * static_cast<size_t>(morphs), 1.0f);
    std::fill_n(weights.values.begin(), morphs / 2, 0.0f);
    clip.tracks.push_back(weights);
    c.clips = {clip};
    REQUIRE(validate(c));
    for (const Skinning skinning : with_kernels) {
        INFO(std::string(to_string(skinning)));
        CharacterDeformer deformer(c, {.skinning = skinning});
        Shapes out;
        std::vector<Interleaved> buffers;
        for (const DeformedPart& part : deformer.parts()) buffers.emplace_back(part.vertex_count);
        Pose pose;
        const auto frame = [&](float time) {
            sample_pose(c, &c.clips[0], time, pose);
            deformer.deform(pose, out);
            for (size_t k = 0; k < buffers.size(); ++k)
                deformer.write(k, buffers[k].output(), k % 2 == 0 ? VertexOrder::compiled : VertexOrder::original);
        };
        frame(0.0f);
        const size_t before = allocations;
        for (int i = 1; i < 10; ++i) frame(0.1f * static_cast<float>(i));
        CHECK(allocations - before == 0);
    }
    // The scalar path of linear blending does not allocate either, though it takes its time.
    CharacterDeformer slow(c, {.surface_normals = true});
    Shapes out;
    Pose pose = rest_pose(c);
    slow.deform(pose, out);
    const size_t before = allocations;
    for (int i = 1; i < 4; ++i) {
        sample_pose(c, &c.clips[0], 0.2f * static_cast<float>(i), pose);
        slow.deform(pose, out);
    }
    CHECK(allocations - before == 0);
}

TEST_CASE("write: interleaved buffers in both orders hold what the arrays hold") {
    const Character c = random_character(7, Directions::tangents);
    for (size_t s = 0; s < skinning_names().size(); ++s) {
        INFO(std::string(skinning_names()[s]));
        CharacterDeformer deformer(c, {.skinning = static_cast<Skinning>(s)});
        Random random(8);
        const Pose pose = random_pose(c, random, false);
        Shapes shapes;
        deformer.deform(pose, shapes);
        deformer.set_pose(pose);
        for (size_t k = 0; k < shapes.size(); ++k) {
            const DeformedPart& part = deformer.parts()[k];
            CHECK(part.revision == shapes[k].revision);
            REQUIRE(part.vertex_count == shapes[k].positions.size());
            for (const VertexOrder order : {VertexOrder::compiled, VertexOrder::original}) {
                Interleaved buffer(part.vertex_count);
                deformer.write(k, buffer.output(), order);
                for (size_t i = 0; i < part.vertex_count; ++i) {
                    const bool same = order == VertexOrder::original || part.order.empty();
                    const size_t v = same ? i : part.order[i];
                    const float* at = buffer.vertex(i);
                    CHECK(Eigen::Map<const Vec3>(at) == shapes[k].positions[v]);
                    CHECK(Eigen::Map<const Vec3>(at + 3) == shapes[k].normals[v]);
                    CHECK(Eigen::Map<const Vec4>(at + 6) == shapes[k].tangents[v]);
                    CHECK(at[10] == -7.0f);
                    CHECK(at[11] == -7.0f);
                }
            }
        }
    }
}

TEST_CASE("deform: what did not change is left alone, and what did is made again") {
    const Character c = random_character(9, Directions::normals);
    for (const bool kernels : {true, false}) {
        CharacterDeformer deformer(c, {.kernels = kernels});
        Pose pose = rest_pose(c);
        Shapes out;
        deformer.deform(pose, out);
        const Shapes first = out;
        const Vec3 mark(1, 2, 3);
        const auto marked = [&] {
            for (DeformedPrimitive& p : out)
                if (!p.positions.empty()) p.positions[0] = mark;
            deformer.deform(pose, out);
            std::vector<int32_t> left_alone;
            for (const DeformedPrimitive& p : out)
                if (!p.positions.empty() && p.positions[0] == mark) left_alone.push_back(p.instance);
            return left_alone;
        };
        CHECK(marked() == std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6, 7});
        // Instances 3, 4 and 7 have morphs; 7's begin after eight others.
        pose.morphs[8] = 0.25f;
        CHECK(marked() == std::vector<int32_t>{0, 1, 2, 3, 4, 5, 6});
        pose.morphs[0] = 0.25f;
        CHECK(marked() == std::vector<int32_t>{0, 1, 2, 4, 5, 6, 7});
        pose.local[0].translation.x() += 1.0f;
        CHECK(marked().empty());
        // Back again, into other arrays, and into those that somebody claims to have changed.
        pose = rest_pose(c);
        Shapes fresh;
        deformer.deform(pose, fresh);
        for (DeformedPrimitive& p : out) p.revision = 0;
        deformer.deform(pose, out);
        for (size_t k = 0; k < out.size(); ++k) {
            CHECK(fresh[k].positions == first[k].positions);
            CHECK(out[k].positions == first[k].positions);
        }
    }
}

TEST_CASE("deform: another deformer of the same character does not take the first one's arrays for its own") {
    const Character c = random_character(10, Directions::none);
    Pose pose = rest_pose(c);
    pose.local[0].translation = Vec3(5, 0, 0);
    Shapes out, expected;
    CharacterDeformer(c).deform(rest_pose(c), out);
    CharacterDeformer(c).deform(pose, out);
    CharacterDeformer(c).deform(pose, expected);
    for (size_t k = 0; k < out.size(); ++k) CHECK(out[k].positions == expected[k].positions);
}

TEST_CASE("sample_pose: what pose_at gives, also into a pose that held something else") {
    const Character c = random_character(11, Directions::none);
    Random random(12);
    Pose pose = random_pose(c, random, false);
    sample_pose(c, nullptr, 0.0f, pose);
    CHECK(pose.local == rest_pose(c).local);
    CHECK(pose.morphs == rest_pose(c).morphs);
}
