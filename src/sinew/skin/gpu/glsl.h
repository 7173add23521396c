// Skinning on the GPU: GLSL ES 3.00 functions (WebGL2, OpenGL ES 3, and desktop GLSL 3.30 up) for a vertex shader.
// Data flow: skin/gpu/gpu_palette.h's rows, one of the palettes here, one of the methods here → the caller's shader.
#pragma once

#include <cstddef>
#include <string>

namespace sinew {

// A shader is put together as: "#version 300 es\n", one palette, one method, the caller's own main(). The palette's
// rows must be of the kind (skin/gpu/gpu_palette.h) that the method reads.

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
