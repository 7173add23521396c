#include <sinew/skin/gpu/gpu_skinning.h>

#include <fmt/format.h>
#include <initializer_list>
#include <string_view>

namespace sinew {
namespace {

// A linear map moves normals by its cofactors (the inverse transpose times the determinant), tangents by itself.
constexpr std::string_view vertex_part = R"(
struct SinewVertex { vec3 position; vec3 normal; vec4 tangent; };

vec3 sinew_unit_or(vec3 v, vec3 fallback) {
    float size = length(v);
    return size > 0.0 && !isinf(size) ? v / size : fallback;
}

SinewVertex sinew_move(SinewVertex v, vec3 position, mat3 linear) {
    mat3 cofactors = mat3(cross(linear[1], linear[2]), cross(linear[2], linear[0]), cross(linear[0], linear[1]));
    float side = dot(linear[0], cofactors[0]) < 0.0 ? -1.0 : 1.0;
    return SinewVertex(position, sinew_unit_or(side * (cofactors * v.normal), v.normal),
                       vec4(sinew_unit_or(linear * v.tangent.xyz, v.tangent.xyz), side * v.tangent.w));
}
)";

// SinewBlend, sinew_begin, sinew_add and sinew_end are the method's own.
constexpr std::string_view skin_part = R"(
void sinew_add(inout SinewBlend blend, uvec4 joints, vec4 weights, vec3 point) {
    for (int i = 0; i < 4; ++i) {
        if (weights[i] != 0.0) sinew_add(blend, int(joints[i]), weights[i], point);
    }
}

void sinew_largest(uvec4 joints, vec4 weights, inout int joint, inout float weight) {
    for (int i = 0; i < 4; ++i) {
        if (weights[i] > weight) { joint = int(joints[i]); weight = weights[i]; }
    }
}

SinewVertex sinew_skin(SinewVertex v, uvec4 joints, vec4 weights) {
    int pivot = 0;
    float weight = 0.0;
    sinew_largest(joints, weights, pivot, weight);
    if (weight == 0.0) return v;
    SinewBlend blend = sinew_begin(pivot);
    sinew_add(blend, joints, weights, v.position);
    return sinew_end(blend, v);
}

SinewVertex sinew_skin(SinewVertex v, uvec4 joints0, vec4 weights0, uvec4 joints1, vec4 weights1) {
    int pivot = 0;
    float weight = 0.0;
    sinew_largest(joints0, weights0, pivot, weight);
    sinew_largest(joints1, weights1, pivot, weight);
    if (weight == 0.0) return v;
    SinewBlend blend = sinew_begin(pivot);
    sinew_add(blend, joints0, weights0, v.position);
    sinew_add(blend, joints1, weights1, v.position);
    return sinew_end(blend, v);
}
)";

constexpr std::string_view linear_part = R"(
struct SinewBlend { vec4 x; vec4 y; vec4 z; };

SinewBlend sinew_begin(int pivot) { return SinewBlend(vec4(0.0), vec4(0.0), vec4(0.0)); }

void sinew_add(inout SinewBlend blend, int joint, float weight, vec3 point) {
    blend.x += weight * sinew_palette_row(3 * joint);
    blend.y += weight * sinew_palette_row(3 * joint + 1);
    blend.z += weight * sinew_palette_row(3 * joint + 2);
}

SinewVertex sinew_end(SinewBlend blend, SinewVertex v) {
    vec4 p = vec4(v.position, 1.0);
    return sinew_move(v, vec3(dot(blend.x, p), dot(blend.y, p), dot(blend.z, p)),
                      transpose(mat3(blend.x.xyz, blend.y.xyz, blend.z.xyz)));
}
)";

// A unit quaternion's rotation matrix; and the translation of a dual quaternion whose real part has length 1.
constexpr std::string_view quaternion_part = R"(
mat3 sinew_rotation(vec4 q) {
    vec3 d = 2.0 * q.xyz * q.xyz, o = 2.0 * q.yzx * q.zxy, w = 2.0 * q.w * q.xyz;
    return mat3(1.0 - d.y - d.z, o.z + w.z, o.y - w.y,
                o.z - w.z, 1.0 - d.x - d.z, o.x + w.x,
                o.y + w.y, o.x - w.x, 1.0 - d.x - d.y);
}

vec3 sinew_translation(vec4 real, vec4 dual) {
    return 2.0 * (real.w * dual.xyz - dual.w * real.xyz + cross(real.xyz, dual.xyz));
}
)";

// q and -q are one motion: each is taken from the pivot's side [Kavan2008].
constexpr std::string_view rigid_part = R"(
struct SinewBlend { vec4 pivot; vec4 real; vec4 dual; };

SinewBlend sinew_begin(int pivot) { return SinewBlend(sinew_palette_row(2 * pivot), vec4(0.0), vec4(0.0)); }

void sinew_add(inout SinewBlend blend, int joint, float weight, vec3 point) {
    vec4 real = sinew_palette_row(2 * joint);
    float signed_weight = dot(blend.pivot, real) < 0.0 ? -weight : weight;
    blend.real += signed_weight * real;
    blend.dual += signed_weight * sinew_palette_row(2 * joint + 1);
}

SinewVertex sinew_end(SinewBlend blend, SinewVertex v) {
    float size = length(blend.real);
    vec4 real = blend.real / size;
    mat3 linear = sinew_rotation(real);
    return sinew_move(v, linear * v.position + sinew_translation(real, blend.dual / size), linear);
}
)";

// The rigid motion that agrees with the joint's matrix at the point itself: what the stretch S adds to the translation
// is R (S - 1) p, and with a translation R d the dual part grows by real * (0, d) / 2.
constexpr std::string_view stretched_part = R"(
struct SinewBlend { vec4 pivot; vec4 real; vec4 dual; vec3 straight; vec3 shear; };

SinewBlend sinew_begin(int pivot) {
    return SinewBlend(sinew_palette_row(4 * pivot), vec4(0.0), vec4(0.0), vec3(0.0), vec3(0.0));
}

vec3 sinew_stretch(vec3 straight, vec3 shear, vec3 p) {
    return straight * p + shear.zxy * p.yzx + shear.yzx * p.zxy;
}

void sinew_add(inout SinewBlend blend, int joint, float weight, vec3 point) {
    vec4 real = sinew_palette_row(4 * joint);
    vec3 straight = sinew_palette_row(4 * joint + 2).xyz, shear = sinew_palette_row(4 * joint + 3).xyz;
    vec3 d = sinew_stretch(straight, shear, point);
    vec4 moved = 0.5 * vec4(real.w * d + cross(real.xyz, d), -dot(real.xyz, d));
    float signed_weight = dot(blend.pivot, real) < 0.0 ? -weight : weight;
    blend.real += signed_weight * real;
    blend.dual += signed_weight * (sinew_palette_row(4 * joint + 1) + moved);
    blend.straight += weight * straight;
    blend.shear += weight * shear;
}

SinewVertex sinew_end(SinewBlend blend, SinewVertex v) {
    float size = length(blend.real);
    vec4 real = blend.real / size;
    mat3 rotation = sinew_rotation(real);
    vec3 a = blend.straight + 1.0, s = blend.shear;
    mat3 stretch = mat3(a.x, s.z, s.y, s.z, a.y, s.x, s.y, s.x, a.z);
    return sinew_move(v, rotation * v.position + sinew_translation(real, blend.dual / size), rotation * stretch);
}
)";

std::string join(std::initializer_list<std::string_view> parts) {
    return fmt::format("{}", fmt::join(parts, ""));
}

}  // namespace

std::string glsl_palette_texture() {
    return R"(
uniform highp sampler2D sinew_palette;

vec4 sinew_palette_row(int row) {
    int width = textureSize(sinew_palette, 0).x;
    return texelFetch(sinew_palette, ivec2(row % width, row / width), 0);
}
)";
}

std::string glsl_palette_uniform(size_t rows) {
    return fmt::format(R"(
uniform vec4 sinew_palette[{}];

vec4 sinew_palette_row(int row) {{ return sinew_palette[row]; }}
)",
                       rows);
}

std::string glsl_linear_blend() {
    return join({vertex_part, linear_part, skin_part});
}

std::string glsl_dual_quaternion() {
    return join({vertex_part, quaternion_part, rigid_part, skin_part});
}

std::string glsl_stretched_dual_quaternion() {
    return join({vertex_part, quaternion_part, stretched_part, skin_part});
}

}  // namespace sinew
