// The SIMD kernels against their scalar twins, on random bindings of every kind.
#include <doctest/doctest.h>

#include <hwy/targets.h>
#include <sinew/core/parallel.h>
#include <sinew/core/random.h>
#include <sinew/skin/compiled/compiled_deform.h>
#include <sinew/skin/deform.h>
#include <sinew/skin/deformers/centre_influences.h>
#include <numeric>

using namespace sinew;

namespace {

float number(Random& random, double size) {
    return static_cast<float>(random.uniform(-size, size));
}
Vec3 vector(Random& random, double size) {
    return {number(random, size), number(random, size), number(random, size)};
}

struct Case {
    Influences influences, centre_influences;
    std::vector<Vec3> positions, normals, centres;
    std::vector<Vec4> tangents;
    std::vector<Affine> palette;
};

enum class Joints { rigid, scaled, mirrored };

Affine random_joint(Random& random, Joints kind, double turn = 3) {
    Affine m;
    m.linear() = Eigen::AngleAxisf(number(random, turn), vector(random, 1).normalized()).toRotationMatrix();
    if (kind != Joints::rigid) {
        m.linear() *= Vec3(0.5f + random.uniform(), 0.5f + random.uniform(), 0.5f + random.uniform()).asDiagonal();
        m.linear()(0, 1) += 0.3f;
    }
    if (kind == Joints::mirrored && random.below(3) == 0) m.linear().col(1) *= -1.0f;
    m.translation() = vector(random, 2);
    return m;
}

// Vertices that repeat few joint sets, or none, or anything between; some without influences.
Case random_case(Random& random, size_t vertices, size_t joints, size_t most, Joints kind) {
    Case c;
    std::vector<uint32_t> first{0}, all(joints), list;
    std::iota(all.begin(), all.end(), 0u);
    std::vector<Influence> raw;
    const double change = random.uniform() * random.uniform();
    for (size_t v = 0; v < vertices; ++v) {
        if (list.empty() || random.uniform() < change) {
            list = all;
            for (size_t i = 0; i + 1 < list.size(); ++i) std::swap(list[i], list[i + random.below(list.size() - i)]);
            list.resize(1 + random.below(std::min(most, joints)));
        }
        if (random.below(50) != 0)
            for (const uint32_t joint : list) raw.push_back({joint, static_cast<float>(random.uniform(0.01, 1))});
        first.push_back(static_cast<uint32_t>(raw.size()));
        c.positions.push_back(vector(random, 1));
        c.centres.push_back(c.positions.back() + vector(random, 0.2));
        c.normals.push_back(vector(random, 1).normalized());
        const Vec3 t = c.normals.back().unitOrthogonal();
        c.tangents.emplace_back(t.x(), t.y(), t.z(), random.below(2) == 0 ? 1.0f : -1.0f);
    }
    // Centres follow the same joints by other weights, and not always all of them.
    Random other(vertices);
    std::vector<Influence> carrying = raw;
    for (size_t v = 0; v < vertices; ++v) {
        auto left = static_cast<uint32_t>(1.0f / centre_weight_unit);
        for (uint32_t i = first[v]; i < first[v + 1]; ++i) {
            const uint32_t part = i + 1 == first[v + 1] ? left : static_cast<uint32_t>(other.below(left + 1));
            carrying[i].weight = centre_weight_unit * static_cast<float>(part);
            left -= part;
        }
    }
    c.influences = *Influences::create(first, std::move(raw), joints);
    c.centre_influences = *Influences::create(std::move(first), std::move(carrying), joints);
    // Turned gently, all face one way; else blends must look at signs.
    const double turn = random.below(2) == 0 ? 0.7 : 3.0;
    for (size_t j = 0; j < joints; ++j) c.palette.push_back(random_joint(random, kind, turn));
    return c;
}

struct Deformed {
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> tangents;
};

// A deformer in both forms.
struct Method {
    const char* name;
    Deformer* scalar;
    void (*compiled)(const CompiledSkin&, std::span<const Affine>, const CompiledDeformOptions&, SkinScratch&,
                     const SkinOutput&);
};
constexpr Method methods[] = {{"linear blend", deform_linear_blend, deform_linear_blend},
                              {"dual quaternion", deform_dual_quaternion, deform_dual_quaternion},
                              {"centres of rotation", deform_centres_of_rotation, deform_centres_of_rotation}};

Deformed scalar_twin(const Method& method, const Case& c) {
    Deformed r{c.positions, c.normals, c.tangents};
    method.scalar(c.palette,
                  {.influences = c.influences, .centres = c.centres, .centre_influences = &c.centre_influences},
                  {c.positions, c.normals, c.tangents, r.positions, r.normals, r.tangents});
    return r;
}

enum class Attributes { positions, normals, all };  // each includes those before it

// The kernel's results brought back to the mesh's order, from buffers with the given strides (in floats) and offset.
Deformed kernel(const Method& method, const Case& c, const CompiledSkin& skin, CompiledDeformOptions options,
                size_t extra, size_t offset, Attributes wanted = Attributes::all) {
    const size_t n = c.positions.size();
    constexpr float canary = 12345.0f;
    std::vector<float> p(n * (3 + extra) + offset + 4, canary), q(p), t(n * (4 + extra) + offset + 4, canary);
    const auto stream = [&](std::vector<float>& v, size_t floats) {
        return VertexStream{v.data() + offset, extra == 0 ? 0 : (floats + extra) * sizeof(float)};
    };
    SkinScratch scratch;
    SkinOutput output{.positions = stream(p, 3), .normals = {}, .tangents = {}};
    Deformed r{.positions = c.positions, .normals = {}, .tangents = {}};
    if (wanted != Attributes::positions) output.normals = stream(q, 3), r.normals = c.normals;
    if (wanted == Attributes::all) output.tangents = stream(t, 4), r.tangents = c.tangents;
    method.compiled(skin, c.palette, options, scratch, output);
    const auto check_gap = [&](const std::vector<float>& v, size_t floats) {
        for (size_t i = 0; i < offset; ++i) CHECK(v[i] == canary);
        for (size_t i = 0; i < n; ++i)
            for (size_t k = floats; k < floats + extra; ++k) CHECK(v[offset + i * (floats + extra) + k] == canary);
        for (size_t i = offset + n * (floats + extra); i < v.size(); ++i) CHECK(v[i] == canary);
    };
    check_gap(p, 3), check_gap(q, 3), check_gap(t, 4);
    for (size_t i = 0; i < n; ++i) {
        const size_t v = options.order == VertexOrder::original ? i : skin.order[i];
        std::copy_n(p.data() + offset + i * (3 + extra), 3, r.positions[v].data());
        if (output.normals.data) std::copy_n(q.data() + offset + i * (3 + extra), 3, r.normals[v].data());
        if (output.tangents.data) std::copy_n(t.data() + offset + i * (4 + extra), 4, r.tangents[v].data());
    }
    return r;
}

Mat3 blended_matrix(const Case& c, size_t v) {
    if (c.influences.of(v).empty()) return Mat3::Identity();
    Mat3 blended = Mat3::Zero();
    for (const Influence& i : c.influences.of(v)) blended += i.weight * c.palette[i.joint].linear();
    return blended;
}

float largest_number(const Case& c) {
    float size = 0;
    for (const Affine& m : c.palette) size = std::max(size, m.linear().norm() + m.translation().norm());
    return size;
}

// Positions relative to the largest coordinate that took part in their sum; unit directions as they are, except where
// the blended matrix nearly crushes them and their direction is anybody's guess.
// What `a` was not asked for is not compared.
void check_equal(const Case& c, const Deformed& a, const Deformed& b) {
    const float size = largest_number(c);
    float position = 0, normal = 0, tangent = 0;
    for (size_t v = 0; v < c.positions.size(); ++v) {
        position = std::max(position, (a.positions[v] - b.positions[v]).cwiseAbs().maxCoeff() / size);
        if (a.normals.empty()) continue;
        const Eigen::JacobiSVD<Mat3> svd(blended_matrix(c, v));
        const float condition = svd.singularValues()[0] / std::max(svd.singularValues()[2], 1e-9f);
        const float stretch = condition * size / svd.singularValues()[0];
        normal = std::max(normal, (a.normals[v] - b.normals[v]).norm() / stretch / condition);
        if (a.tangents.empty()) continue;
        tangent = std::max(tangent, (a.tangents[v] - b.tangents[v]).head<3>().norm() / stretch);
        if (condition < 1e4f) CHECK(a.tangents[v].w() == b.tangents[v].w());
    }
    CHECK(position < 1e-6f);
    CHECK(normal < 1e-6f);
    CHECK(tangent < 1e-6f);
}

// Directions of linear blending that nobody made unit: by the blended matrix itself, or normals by its cofactors.
void check_raw(const Case& c, const CompiledSkin& skin) {
    const float size = largest_number(c);
    const Deformed approximate =
        kernel(methods[0], c, skin, {.normals = NormalMethod::approximate, .unit = false}, 0, 0);
    const Deformed exact = kernel(methods[0], c, skin, {.unit = false}, 0, 0);
    float plain = 0, cofactors = 0, tangent = 0;
    for (size_t v = 0; v < c.positions.size(); ++v) {
        const Mat3 m = blended_matrix(c, v);
        Mat3 cofactor;
        for (int k = 0; k < 3; ++k) cofactor.col(k) = m.col((k + 1) % 3).cross(m.col((k + 2) % 3));
        const Vec3 across = cofactor * c.normals[v], along = m * c.tangents[v].head<3>();
        plain = std::max(plain, (approximate.normals[v] - m * c.normals[v]).norm() / size);
        cofactors =
            std::max(cofactors,
                     std::min((exact.normals[v] - across).norm(), (exact.normals[v] + across).norm()) / (size * size));
        for (const Deformed* d : {&approximate, &exact})
            tangent = std::max(tangent, (d->tangents[v].head<3>() - along).norm() / size);
    }
    CHECK(plain < 1e-6f);
    CHECK(cofactors < 1e-6f);
    CHECK(tangent < 1e-6f);
}

}  // namespace

TEST_CASE("compiled skin: every kernel equals its scalar twin, on every instruction set here") {
    for (const int64_t target : hwy::SupportedAndGeneratedTargets()) {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
        INFO("target " << std::string(hwy::TargetName(target)));
        Random random(11);
        size_t runs = 0, octets = 0, loose = 0;
        for (int i = 0; i < 60; ++i) {
            const size_t vertices = 1 + random.below(i % 6 == 0 ? 2000 : 90);
            const auto kind = static_cast<Joints>(i % 3);
            const Case c =
                random_case(random, vertices, 1 + random.below(40), 1 + random.below(i % 4 == 0 ? 24 : 8), kind);
            INFO("case " << i << ", " << vertices << " vertices, " << c.influences.max_per_vertex() << " influences");
            const CompiledSkin skin = compile_skin(c.influences, {c.positions, c.normals, c.tangents, c.centres},
                                                   c.palette.size(), &c.centre_influences);
            runs += skin.runs.size(), octets += skin.octets.size(), loose += skin.loose.size();
            for (const Method& method : methods) {
                INFO(std::string(method.name));
                const Deformed twin = scalar_twin(method, c);
                check_equal(c, kernel(method, c, skin, {}, 0, 0), twin);
                check_equal(c, kernel(method, c, skin, {.order = VertexOrder::original}, 0, random.below(4)), twin);
                check_equal(c, kernel(method, c, skin, {}, 1 + random.below(5), random.below(4)), twin);
                for (const Attributes wanted : {Attributes::positions, Attributes::normals})
                    check_equal(c, kernel(method, c, skin, {}, 0, random.below(4), wanted), twin);
            }
            check_raw(c, skin);
        }
        CHECK(runs > 50);
        CHECK(octets > 100);
        CHECK(loose > 100);
    }
    hwy::SetSupportedTargetsForTest(0);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST_CASE("compiled skin: the bind pose gives back the input") {
    Random random(21);
    Case c = random_case(random, 700, 20, 6, Joints::rigid);
    for (Affine& m : c.palette) m = Affine::Identity();
    const CompiledSkin skin = compile_skin(c.influences, {c.positions, c.normals, c.tangents, c.centres},
                                           c.palette.size(), &c.centre_influences);
    for (const Method& method : methods) {
        const Deformed r = kernel(method, c, skin, {}, 0, 0);
        for (size_t v = 0; v < c.positions.size(); ++v) {
            CHECK((r.positions[v] - c.positions[v]).norm() < 1e-6f);
            CHECK((r.normals[v] - c.normals[v]).norm() < 1e-6f);
            CHECK((r.tangents[v] - c.tangents[v]).norm() < 1e-6f);
        }
    }
}

TEST_CASE(
    "compiled skin: joints that fold over each other and vertices of a single set take the slow path, and agree") {
    Random random(31);
    Case c = random_case(random, 400, 4, 4, Joints::rigid);
    // Half turns about three axes: no choice of signs puts all four on one side of each other.
    for (int j = 0; j < 4; ++j) {
        c.palette[static_cast<size_t>(j)].linear() =
            j == 3 ? Mat3(Mat3::Identity()) : Mat3(Eigen::AngleAxisf(3.0f, Vec3::Unit(j)).toRotationMatrix());
    }
    c.palette[0].linear() = Eigen::AngleAxisf(-3.1f, Vec3(1, 1, 0).normalized()).toRotationMatrix();
    const CompiledSkin skin =
        compile_skin(c.influences, {c.positions, c.normals, c.tangents, c.centres}, 4, &c.centre_influences);
    for (const Method& method : methods) check_equal(c, kernel(method, c, skin, {}, 0, 0), scalar_twin(method, c));
}

TEST_CASE("compiled skin: every vertex has one place, and indices follow") {
    Random random(41);
    const Case c = random_case(random, 3000, 30, 5, Joints::rigid);
    const CompiledSkin skin = compile_skin(c.influences, {.positions = c.positions}, c.palette.size());
    std::vector<uint32_t> indices(c.positions.size());
    std::iota(indices.begin(), indices.end(), 0u);
    remap_indices(skin, indices);
    for (size_t v = 0; v < indices.size(); ++v) CHECK(skin.order[indices[v]] == v);
    std::vector<uint32_t> sorted = skin.order;
    std::ranges::sort(sorted);
    for (size_t v = 0; v < sorted.size(); ++v) CHECK(sorted[v] == v);
}

TEST_CASE("compiled skin: a million vertices, the same for one thread and many") {
    Random random(51);
    const size_t n = 1'000'000;
    Case c;
    std::vector<uint32_t> first{0};
    std::vector<Influence> raw;
    for (size_t v = 0; v < n; ++v) {
        const auto joint = static_cast<uint32_t>(v / 977 % 60);
        const float w = static_cast<float>(random.uniform());
        raw.push_back({joint, w}), raw.push_back({joint + 1 + static_cast<uint32_t>(random.below(3)), 1.0f - w});
        first.push_back(static_cast<uint32_t>(raw.size()));
        c.positions.push_back(vector(random, 1));
    }
    c.influences = *Influences::create(std::move(first), std::move(raw), 64);
    for (int j = 0; j < 64; ++j) c.palette.push_back(random_joint(random, Joints::scaled));
    const CompiledSkin skin = compile_skin(c.influences, {.positions = c.positions}, 64);
    std::vector<Vec3> one(n), many(n), plain(n);
    SkinScratch scratch;
    deform_linear_blend(skin, c.palette, {.parallel = false}, scratch, {.positions = {one[0].data()}});
    deform_linear_blend(skin, c.palette, {.parallel = true}, scratch, {.positions = {many[0].data()}});
    deform_linear_blend(c.palette, {.influences = c.influences}, {.positions_in = c.positions, .positions_out = plain});
    CHECK(one == many);
    float worst = 0;
    for (size_t i = 0; i < n; ++i) worst = std::max(worst, (one[i] - plain[skin.order[i]]).cwiseAbs().maxCoeff());
    CHECK(worst < 1e-5f);
}
