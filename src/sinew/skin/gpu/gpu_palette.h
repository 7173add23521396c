// Palettes for the GPU: a pose's joint matrices as rows of four floats, for a uniform array or a float texture.
// Data flow: make_palette (skin/deform.h) → *here* → the caller's upload → the functions of skin/gpu/glsl.h.
#pragma once

#include <sinew/math/types.h>
#include <cstddef>
#include <span>

namespace sinew {

// What a palette holds per joint, each row four floats:
// * matrices: the three rows of the 3×4 matrix (x' = dot(row 0, (p, 1))).
// * dual_quaternions: the real and the dual part, (x, y, z, w) each. Rigid joints only: scale and shear are left out.
// * stretched_dual_quaternions: those two, then the stretch that comes before the rotation
// (skin/deformers/joint_motion.h),
//   less the identity and symmetric: (xx, yy, zz, 0) and (yz, xz, xy, 0). Any joints.
enum class GpuPalette { matrices, dual_quaternions, stretched_dual_quaternions };

constexpr size_t gpu_rows_per_joint(GpuPalette kind) {
    return kind == GpuPalette::matrices ? 3 : kind == GpuPalette::dual_quaternions ? 2 : 4;
}

// The dual quaternions that are enough for these joints: without stretch where every joint is rigid (to rounding).
GpuPalette smallest_dual_quaternions(std::span<const Affine> palette);

// Fills 4 · gpu_rows_per_joint(kind) floats per joint, one joint after another; `rows` may be longer (a texture's last
// line).
void write_gpu_palette(GpuPalette kind, std::span<const Affine> palette, std::span<float> rows);

// An RGBA32F texture for so many rows: row i is texel (i mod width, i div width), which is how skin/gpu/glsl.h reads
// it, whatever the width. At most 2048 wide, as every WebGL2 device allows. Needs 4 · width · height floats.
struct GpuTextureSize {
    int width = 0;
    int height = 0;

    size_t floats() const { return 4 * static_cast<size_t>(width) * static_cast<size_t>(height); }
};
GpuTextureSize gpu_texture_size(GpuPalette kind, size_t joints);

}  // namespace sinew
