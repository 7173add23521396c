// Skin into a buffer: at full speed, straight into an interleaved vertex buffer of yours, without any allocation per
// frame.
//   skin_into_buffer [CHARACTER]      a skinned character with a clip
#include <sinew/sinew.h>
#include <sinew/skin/compiled/compiled_deform.h>

#include "example.h"

struct Vertex {  // as the renderer wants it
    float position[3], normal[3], uv[2];
};

int main(int argc, char** argv) {
    sinew::Character hero = argc > 1 ? or_exit(sinew::read_character(argv[1])) : sinew::make_rigged_humanoid();
    if (hero.clips.empty()) or_exit(sinew::add_motion(hero, or_exit(sinew::load_motion("walk"))));
    const sinew::Clip& clip = hero.clips.front();
    const sinew::Primitive& primitive = hero.meshes.at(0).primitives.at(0);
    const sinew::Mesh& mesh = primitive.mesh;
    const sinew::Skin& skin = hero.skins.at(0);

    // Once: the compiled skin groups vertices by the joints that they follow. It has an order of its own, so bring the
    // triangles and the attributes that do not move into that order.
    const sinew::CompiledSkin compiled = sinew::compile_skin(
        primitive.influences, {.positions = mesh.positions, .normals = mesh.normals}, skin.joints.size());
    std::vector<uint32_t> indices = mesh.triangles;
    sinew::remap_indices(compiled, indices);
    std::vector<Vertex> buffer(mesh.vertex_count());
    for (size_t i = 0; i < buffer.size() && !mesh.uvs.empty(); ++i) {
        const sinew::Vec2& uv = mesh.uvs[compiled.order[i]];
        buffer[i].uv[0] = uv.x(), buffer[i].uv[1] = uv.y();
    }

    // Memory that all frames share.
    sinew::Pose pose = sinew::rest_pose(hero);
    std::vector<sinew::AffineD> world_from_joint(hero.skeleton.size());
    std::vector<sinew::Affine> palette(skin.joints.size());
    sinew::SkinScratch scratch;
    const sinew::SkinOutput output = {.positions = {buffer[0].position, sizeof(Vertex)},
                                      .normals = {buffer[0].normal, sizeof(Vertex)}};
    for (const float time : {0.0f, 0.25f, 0.5f}) {
        sinew::sample(clip, time, pose);                                               // clip → joints' transforms
        sinew::local_to_world(hero.skeleton.parents(), pose.local, world_from_joint);  // → joints' matrices
        sinew::make_palette(skin, world_from_joint, palette);                          // → matrices from bind pose
        sinew::deform_linear_blend(compiled, palette, {}, scratch, output);            // → your vertices
        const Vertex& corner = buffer[indices[0]];
        std::printf("t = %.2f s: the first triangle's corner is at (%.3f, %.3f, %.3f)\n", time, corner.position[0],
                    corner.position[1], corner.position[2]);
    }
}
// Prints:
