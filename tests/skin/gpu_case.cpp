// Prints as JSON what tests/skin/webgl.py needs: shaders made of the library's GLSL, a random skinned mesh with joints
// of every kind, and what the scalar deformers make of it. The page that runs the shaders compares the two.
#include <fmt/format.h>
#include <sinew/core/random.h>
#include <sinew/skin/deform.h>
#include <sinew/skin/gpu/gpu_skinning.h>
#include <iterator>
#include <nlohmann/json.hpp>

using namespace sinew;
using nlohmann::json;

namespace {

enum class Joints { rigid, stretched };

struct Case {
    std::vector<Affine> palette;
    std::vector<Vec3> positions, normals;
    std::vector<Vec4> tangents;
    Influences influences;
};

float number(Random& random, double size) {
    return static_cast<float>(random.uniform(-size, size));
}
Vec3 vector(Random& random, double size) {
    const float x = number(random, size), y = number(random, size);
    return {x, y, number(random, size)};
}

// Turns up to three quarters round, so that neighbouring quaternions often lie on opposite sides.
Affine random_joint(Random& random, Joints kind) {
    Affine m = Affine::Identity();
    m.linear() = Eigen::AngleAxisf(number(random, 4.7), vector(random, 1).normalized()).toRotationMatrix();
    m.translation() = vector(random, 2);
    if (kind == Joints::rigid) return m;
    m.linear() *= Vec3(1.0f + number(random, 0.5), 1.0f + number(random, 0.5), 1.0f + number(random, 0.5)).asDiagonal();
    m.linear()(0, 2) += number(random, 0.3);
    return m;
}

// Every kind of vertex: one to `most` influences, and now and then none. A mirrored joint stands alone, for a blend of
// mirrored and unmirrored joints passes through a flat matrix, where normals are anybody's guess.
Case make_case(uint64_t seed, Joints kind, size_t vertices, uint64_t most) {
    Random random(seed);
    Case c;
    const size_t joints = 40;
    for (size_t j = 0; j < joints; ++j) c.palette.push_back(random_joint(random, kind));
    if (kind == Joints::stretched) c.palette[0].linear().col(1) *= -1.0f;
    std::vector<uint32_t> first = {0};
    std::vector<Influence> list;
    for (size_t v = 0; v < vertices; ++v) {
        c.positions.push_back(vector(random, 2));
        const Vec3 normal = vector(random, 1).normalized(), tangent = normal.cross(vector(random, 1)).normalized();
        c.normals.push_back(normal);
        c.tangents.push_back({tangent.x(), tangent.y(), tangent.z(), v % 2 == 0 ? 1.0f : -1.0f});
        const uint64_t count = v % 50 == 7 ? 0 : v % 50 == 9 ? 1 : 1 + random.below(most);
        const uint32_t start = static_cast<uint32_t>(1 + random.below(joints - most));
        for (uint32_t i = 0; i < count; ++i) {
            const uint32_t joint = v % 50 == 9 ? 0 : start + i;
            list.push_back({joint, static_cast<float>(0.05 + random.uniform())});
        }
        first.push_back(static_cast<uint32_t>(list.size()));
    }
    c.influences = *Influences::create(std::move(first), std::move(list), joints);
    return c;
}

template <class Vectors>
std::vector<float> flat(const Vectors& vectors) {
    std::vector<float> result;
    for (const auto& v : vectors) result.insert(result.end(), v.data(), v.data() + v.size());
    return result;
}

std::string shader(std::string_view palette, std::string_view method, size_t influences) {
    const bool eight = influences > 4;
    return fmt::format(R"(#version 300 es
{}{}
in vec3 position; in vec3 normal; in vec4 tangent;
in uvec4 joints0; in uvec4 joints1; in vec4 weights0; in vec4 weights1;
out vec3 out_position; out vec3 out_normal; out vec4 out_tangent;
void main() {{
    SinewVertex v = sinew_skin(SinewVertex(position, normal, tangent), joints0, weights0{});
    out_position = v.position; out_normal = v.normal; out_tangent = v.tangent;
    gl_Position = vec4(0.0);
}}
)",
                       palette, method, eight ? ", joints1, weights1" : "");
}

struct Method {
    std::string name;
    GpuPalette kind;
    std::string glsl;
    Deformer* deformer;
};

json run(const Case& c, const Method& method, bool texture) {
    const size_t rows = c.palette.size() * gpu_rows_per_joint(method.kind);
    const GpuTextureSize size = gpu_texture_size(method.kind, c.palette.size());
    std::vector<float> palette(texture ? size.floats() : 4 * rows);
    write_gpu_palette(method.kind, c.palette, palette);
    std::vector<uint32_t> joints(8 * c.positions.size());
    std::vector<float> weights(8 * c.positions.size());
    for (size_t v = 0; v < c.positions.size(); ++v) {
        for (size_t i = 0; i < c.influences.of(v).size(); ++i) {
            joints[8 * v + i] = c.influences.of(v)[i].joint;
            weights[8 * v + i] = c.influences.of(v)[i].weight;
        }
    }
    std::vector<Vec3> positions = c.positions, normals = c.normals;
    std::vector<Vec4> tangents = c.tangents;
    method.deformer(c.palette, {c.influences}, {positions, normals, tangents, positions, normals, tangents});
    const std::string source = texture ? std::string(glsl_palette_texture()) : glsl_palette_uniform(rows);
    const size_t influences = c.influences.max_per_vertex();
    return {{"name", fmt::format("{}, {} influences, {}", method.name, influences, texture ? "texture" : "uniforms")},
            {"shader", shader(source, method.glsl, influences)},
            {"texture", texture ? json{size.width, size.height} : json()},
            {"palette", palette},
            {"joints", joints},
            {"weights", weights},
            {"positions", flat(c.positions)},
            {"normals", flat(c.normals)},
            {"tangents", flat(c.tangents)},
            {"expected", {{"position", flat(positions)}, {"normal", flat(normals)}, {"tangent", flat(tangents)}}}};
}

}  // namespace

int main() {
    const Method linear{"linear blend", GpuPalette::matrices, glsl_linear_blend(), deform_linear_blend};
    const Method rigid{"dual quaternion", GpuPalette::dual_quaternions, glsl_dual_quaternion(), deform_dual_quaternion};
    const Method stretched{"stretched dual quaternion", GpuPalette::stretched_dual_quaternions,
                           glsl_stretched_dual_quaternion(), deform_dual_quaternion};
    json cases = json::array();
    uint64_t seed = 1;
    for (const uint64_t most : {uint64_t{4}, uint64_t{8}}) {
        for (const bool texture : {true, false}) {
            cases.push_back(run(make_case(seed++, Joints::rigid, 500, most), linear, texture));
            cases.push_back(run(make_case(seed++, Joints::stretched, 500, most), linear, texture));
            cases.push_back(run(make_case(seed++, Joints::rigid, 500, most), rigid, texture));
            cases.push_back(run(make_case(seed++, Joints::rigid, 500, most), stretched, texture));
            cases.push_back(run(make_case(seed++, Joints::stretched, 500, most), stretched, texture));
        }
    }
    fmt::print("{}\n", cases.dump());
}
