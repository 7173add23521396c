#include <sinew/skin/gpu/gpu_skinning.h>

#include <sinew/core/check.h>
#include <sinew/skin/deformers/joint_motion.h>
#include <algorithm>

namespace sinew {
namespace {

Eigen::Map<Eigen::Vector4f> row(float* rows, int index) {
    return Eigen::Map<Eigen::Vector4f>(rows + 4 * index);
}

void write_matrix(const Affine& matrix, float* rows) {
    for (int r = 0; r < 3; ++r) row(rows, r) = matrix.matrix().row(r).transpose();
}

void write_dual_quaternion(const JointMotion& motion, float* rows) {
    row(rows, 0) = motion.rigid.real.coeffs();
    row(rows, 1) = motion.rigid.dual.coeffs();
}

// Without the identity no digits are lost where joints hardly stretch.
void write_stretch(const JointMotion& motion, float* rows) {
    const Mat3 s = motion.stretch - Mat3::Identity();
    row(rows, 2) = Eigen::Vector4f(s(0, 0), s(1, 1), s(2, 2), 0.0f);
    row(rows, 3) = Eigen::Vector4f(s(1, 2), s(0, 2), s(0, 1), 0.0f);
}

}  // namespace

GpuPalette smallest_dual_quaternions(std::span<const Affine> palette) {
    const bool rigid = std::ranges::all_of(palette, [](const Affine& matrix) { return take_apart(matrix).is_rigid; });
    return rigid ? GpuPalette::dual_quaternions : GpuPalette::stretched_dual_quaternions;
}

void write_gpu_palette(GpuPalette kind, std::span<const Affine> palette, std::span<float> rows) {
    const size_t stride = 4 * gpu_rows_per_joint(kind);
    SINEW_CHECK(rows.size() >= stride * palette.size());
    for (size_t j = 0; j < palette.size(); ++j) {
        float* const out = rows.data() + j * stride;
        if (kind == GpuPalette::matrices) {
            write_matrix(palette[j], out);
            continue;
        }
        const JointMotion motion = take_apart(palette[j]);
        write_dual_quaternion(motion, out);
        if (kind == GpuPalette::stretched_dual_quaternions) write_stretch(motion, out);
    }
}

GpuTextureSize gpu_texture_size(GpuPalette kind, size_t joints) {
    constexpr size_t widest = 2048;
    const size_t rows = std::max<size_t>(1, joints * gpu_rows_per_joint(kind));
    const size_t width = std::min(rows, widest);
    return {static_cast<int>(width), static_cast<int>((rows + width - 1) / width)};
}

}  // namespace sinew
