// Skin into a buffer: at full speed, straight into an interleaved vertex buffer of yours, with no allocation per frame.
//   skin_into_buffer [CHARACTER]
#include <sinew/sinew.h>

#include "example.h"

struct Vertex {  // as your renderer wants it
    float position[3], normal[3], uv[2];
};

int main(int argc, char** argv) {
    sinew::Character hero = argc > 1 ? or_exit(sinew::read_character(argv[1])) : sinew::make_rigged_humanoid();
    if (hero.clips.empty()) or_exit(sinew::add_motion(hero, or_exit(sinew::load_motion("walk"))));

    // Once: the deformer compiles every part of the character for the SIMD kernels. A part is what you draw in one
    // call: a primitive of a mesh in the scene. This program draws the first one.
    sinew::CharacterDeformer deformer(hero, {.skinning = sinew::Skinning::linear_blend});
    const sinew::DeformedPart part = deformer.parts()[0];
    const size_t mesh_number = static_cast<size_t>(hero.instances[static_cast<size_t>(part.instance)].mesh);
    const sinew::Mesh& mesh = hero.meshes[mesh_number].primitives[static_cast<size_t>(part.primitive)].mesh;

    // The kernels have an order of their own, which is faster to write. So bring what does not move into that order:
    // UVs, and the triangles' indices.
    std::vector<Vertex> buffer(part.vertex_count);
    std::vector<uint32_t> place(part.vertex_count), indices = mesh.triangles;
    for (uint32_t i = 0; i < buffer.size(); ++i) {
        const uint32_t vertex = part.order.empty() ? i : part.order[i];
        place[vertex] = i;
        if (!mesh.uvs.empty()) buffer[i].uv[0] = mesh.uvs[vertex].x(), buffer[i].uv[1] = mesh.uvs[vertex].y();
    }
    for (uint32_t& index : indices) index = place[index];

    // Every frame: the clip makes a pose, the pose moves the vertices. Your buffer may be mapped memory of the GPU.
    const sinew::SkinOutput output = {.positions = {buffer[0].position, sizeof(Vertex)},
                                      .normals = {buffer[0].normal, sizeof(Vertex)}};
    sinew::Pose pose;
    for (const float time : {0.0f, 0.25f, 0.5f}) {
        sinew::sample_pose(hero, &hero.clips[0], time, pose);
        deformer.set_pose(pose);
        deformer.write(0, output, sinew::VertexOrder::compiled);
        const Vertex& corner = buffer[indices[0]];
        std::printf("t = %.2f s: a corner of the first triangle is at (%.3f, %.3f, %.3f)\n", time, corner.position[0],
                    corner.position[1], corner.position[2]);
    }
}
// Prints:
// t = 0.00 s: a corner of the first triangle is at (0.073, 1.521, 0.018)
// t = 0.25 s: a corner of the first triangle is at (0.093, 1.565, 0.381)
// t = 0.50 s: a corner of the first triangle is at (0.091, 1.519, 0.726)
