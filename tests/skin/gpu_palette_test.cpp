#include <doctest/doctest.h>

#include <sinew/math/dual_quat.h>
#include <sinew/skin/gpu/gpu_skinning.h>
#include <string>
#include <vector>

using namespace sinew;

namespace {

Affine turned() {
    return Affine(Eigen::Translation3f(1, -2, 3) * Eigen::AngleAxisf(radians(90), Vec3::UnitY()));
}

}  // namespace

TEST_CASE("write_gpu_palette: matrices are three rows a joint") {
    const std::vector<Affine> palette = {Affine::Identity(), turned()};
    std::vector<float> rows(24);
    write_gpu_palette(GpuPalette::matrices, palette, rows);
    const std::vector<float> expected = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 1, 0, -2, -1, 0, 0, 3};
    for (size_t i = 0; i < 24; ++i) CHECK(rows[i] == doctest::Approx(expected[i]).epsilon(1e-6).scale(1));
}

TEST_CASE("write_gpu_palette: dual quaternions move points as the matrix does") {
    const std::vector<Affine> palette = {turned()};
    std::vector<float> rows(8);
    CHECK(smallest_dual_quaternions(palette) == GpuPalette::dual_quaternions);
    write_gpu_palette(GpuPalette::dual_quaternions, palette, rows);
    const DualQuat q{Quat(rows[3], rows[0], rows[1], rows[2]), Quat(rows[7], rows[4], rows[5], rows[6])};
    for (const Vec3& p : {Vec3(0, 0, 0), Vec3(1, 2, 3), Vec3(-4, 0, 1)}) {
        CHECK((transform_point(q, p) - palette[0] * p).norm() < 1e-5f);
    }
}

TEST_CASE("write_gpu_palette: stretch is the symmetric part before the rotation, less the identity") {
    Affine joint = turned();
    Mat3 stretch;
    stretch << 2.0f, 0.1f, 0.2f, 0.1f, 1.5f, 0.3f, 0.2f, 0.3f, 1.0f;
    joint.linear() = joint.linear() * stretch;
    std::vector<float> rows(16);
    CHECK(smallest_dual_quaternions(std::vector{joint}) == GpuPalette::stretched_dual_quaternions);
    write_gpu_palette(GpuPalette::stretched_dual_quaternions, std::vector{joint}, rows);
    const std::vector<float> expected = {1.0f, 0.5f, 0.0f, 0.0f, 0.3f, 0.2f, 0.1f, 0.0f};
    for (size_t i = 0; i < 8; ++i) CHECK(rows[8 + i] == doctest::Approx(expected[i]).epsilon(1e-5).scale(1));
    write_gpu_palette(GpuPalette::stretched_dual_quaternions, std::vector{turned()}, rows);
    for (size_t i = 8; i < 16; ++i) CHECK(rows[i] == 0.0f);
}

TEST_CASE("gpu_texture_size: room for every row, no wider than any device allows") {
    for (const size_t joints : {0u, 1u, 50u, 683u, 5000u}) {
        const GpuTextureSize size = gpu_texture_size(GpuPalette::matrices, joints);
        CHECK(size.width <= 2048);
        CHECK(size.floats() >= 12 * joints);
        CHECK(size.floats() < 12 * joints + 4 * 2048 + 4);
        CHECK(size.floats() > 0);
    }
}

TEST_CASE("glsl: every method declares what the header promises") {
    for (const std::string& method : {glsl_linear_blend(), glsl_dual_quaternion(), glsl_stretched_dual_quaternion()}) {
        CHECK(method.find("SinewVertex sinew_skin(SinewVertex v, uvec4 joints, vec4 weights)") != std::string::npos);
        CHECK(method.find("struct SinewVertex { vec3 position; vec3 normal; vec4 tangent; };") != std::string::npos);
    }
    CHECK(glsl_palette_uniform(12).find("sinew_palette[12]") != std::string::npos);
}
