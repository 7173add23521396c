// GPU palette: skinning in a vertex shader. Sinew gives you the palette's floats and the shader's functions; uploading
// and drawing are yours.
//   gpu_palette [CHARACTER]
#include <sinew/sinew.h>
#include <sinew/skin/gpu/gpu_skinning.h>

#include "example.h"

int main(int argc, char** argv) {
    const sinew::Character hero = argc > 1 ? or_exit(sinew::read_character(argv[1])) : sinew::make_rigged_humanoid();
    const sinew::Skin& skin = hero.skins.at(0);

    // Every frame: pose → joints' matrices → palette → rows of four floats for a texture (or a uniform array).
    sinew::Pose pose = sinew::rest_pose(hero);
    if (const int32_t neck = hero.skeleton.find("neck"); neck >= 0)
        pose.local[static_cast<size_t>(neck)].rotation *=
            sinew::Quat(Eigen::AngleAxisf(sinew::radians(30.0f), sinew::Vec3::UnitY()));
    std::vector<sinew::AffineD> world_from_joint(hero.skeleton.size());
    sinew::local_to_world(hero.skeleton.parents(), pose.local, world_from_joint);
    std::vector<sinew::Affine> palette(skin.joints.size());
    sinew::make_palette(skin, world_from_joint, palette);

    // Dual quaternions take two rows a joint when nothing is scaled, and four otherwise.
    const sinew::GpuPalette kind = sinew::smallest_dual_quaternions(palette);
    const sinew::GpuTextureSize size = sinew::gpu_texture_size(kind, palette.size());
    std::vector<float> texels(size.floats());
    sinew::write_gpu_palette(kind, palette, texels);
    std::printf("%zu joints, %zu rows each: an RGBA32F texture of %d x %d\n", palette.size(),
                sinew::gpu_rows_per_joint(kind), size.width, size.height);

    // Once: the shader. These functions, then a main() of yours that calls sinew_skin().
    const std::string shader = "#version 300 es\n" + sinew::glsl_palette_texture() +
                               (kind == sinew::GpuPalette::dual_quaternions ? sinew::glsl_dual_quaternion()
                                                                            : sinew::glsl_stretched_dual_quaternion());
    std::printf("the shader declares %s\n", shader.substr(shader.find("SinewVertex sinew_skin("), 65).c_str());
}
// Prints:
// 53 joints, 2 rows each: an RGBA32F texture of 106 x 1
// the shader declares SinewVertex sinew_skin(SinewVertex v, uvec4 joints, vec4 weights)
