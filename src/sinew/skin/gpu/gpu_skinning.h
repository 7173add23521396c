// Skinning on the GPU: a pose's joint matrices as rows of four floats, for a uniform array or a float texture, and
// functions for a vertex shader that read them, in GLSL ES 3.00 (WebGL2, OpenGL ES 3, and desktop GLSL 3.30 up).
// Data flow: make_palette (skin/deform.h) → *here* → the caller's upload and the caller's shader.
#pragma once

#include <sinew/math/types.h>
#include <cstddef>
#include <span>
#include <string>

namespace sinew {

// What a palette holds per joint, each row four floats:
// * matrices: the three rows of the 3×4 matrix (x' = dot(row 0, (p, 1))).
// * dual_quaternions: the real and the dual part, (x, y, z, w) each. Rigid joints only: scale and shear are left out.
// * stretched_dual_quaternions: those two, then the stretch S that comes before the rotation (the matrix's polar
//   decomposition, R S), as the symmetric S − 1: (xx, yy, zz, 0) and (yz, xz, xy, 0). Any joints.
enum class GpuPalette { matrices, dual_quaternions, stretched_dual_quaternions };

// How many rows of four floats one joint takes.
constexpr size_t gpu_rows_per_joint(GpuPalette kind) {
    return kind == GpuPalette::matrices ? 3 : kind == GpuPalette::dual_quaternions ? 2 : 4;
}

// The dual quaternions that are enough for these joints: without stretch where every joint is rigid (to rounding).
GpuPalette smallest_dual_quaternions(std::span<const Affine> palette);

// Fills 4 · gpu_rows_per_joint(kind) floats per joint, one joint after another; `rows` may be longer (a texture's last
// line).
void write_gpu_palette(GpuPalette kind, std::span<const Affine> palette, std::span<float> rows);

// An RGBA32F texture for so many rows: row i is texel (i mod width, i div width), which is how the shader reads it,
// whatever the width. At most 2048 wide, as every WebGL2 device allows. Needs 4 · width · height floats.
struct GpuTextureSize {
    int width = 0;
    int height = 0;

    size_t floats() const { return 4 * static_cast<size_t>(width) * static_cast<size_t>(height); }
};
GpuTextureSize gpu_texture_size(GpuPalette kind, size_t joints);

// A shader is put together as: "#version 300 es\n", one palette, one method, the caller's own main(). The palette's
// rows must be of the kind that the method reads.

// vec4 sinew_palette_row(int row), out of `uniform highp sampler2D sinew_palette` (RGBA32F, nearest, no mipmaps), or
// out of `uniform vec4 sinew_palette[rows]`, for which every device has room for about 250 rows and most for 1000 and
// more.
std::string glsl_palette_texture();
std::string glsl_palette_uniform(size_t rows);

// Each of these declares
//   struct SinewVertex { vec3 position; vec3 normal; vec4 tangent; };
// and, for four and for eight influences of a vertex in any order (those not used with weight 0),
//   SinewVertex sinew_skin(SinewVertex v, uvec4 joints, vec4 weights);
//   SinewVertex sinew_skin(SinewVertex v, uvec4 joints0, vec4 weights0, uvec4 joints1, vec4 weights1);
// They do what skin/deform.h says of the same method: exact normals, tangents with their handedness, unit both; a
// vertex whose weights are all 0 stays as it is. Weights sum to 1.
std::string glsl_linear_blend();               // GpuPalette::matrices
std::string glsl_dual_quaternion();            // GpuPalette::dual_quaternions
std::string glsl_stretched_dual_quaternion();  // GpuPalette::stretched_dual_quaternions

}  // namespace sinew
