// Blend shapes: whole shapes into sparse deltas, deltas into a mesh, and the way back: drag a vertex, get the weights.
//   blend_shapes [CHARACTER]      a file with morph targets; without one, two shapes made of the built-in sample
#include <sinew/morph/direct_manipulation.h>
#include <sinew/morph/key_shapes.h>
#include <sinew/sinew.h>

#include "example.h"

int main(int argc, char** argv) {
    const sinew::Character character = argc > 1 ? or_exit(sinew::read_character(argv[1])) : sinew::make_humanoid();
    const sinew::Primitive& primitive = character.meshes.at(0).primitives.at(0);
    const std::vector<sinew::Vec3>& neutral = primitive.mesh.positions;

    std::vector<sinew::MorphTarget> targets = primitive.morphs;
    if (targets.empty()) {  // sculpt two: a longer head, and a rounder belly
        std::vector<sinew::KeyShape> shapes(3, {.name = "neutral", .positions = neutral});
        shapes[1].name = "long head", shapes[2].name = "belly";
        for (size_t v = 0; v < neutral.size(); ++v) {
            const sinew::Vec3& p = neutral[v];
            if (p.y() > 1.5f) shapes[1].positions[v].y() += 0.5f * (p.y() - 1.5f);
            const float near = 1.0f - (p - sinew::Vec3(0, 1.05f, 0.1f)).norm() / 0.2f;
            if (near > 0.0f) shapes[2].positions[v].z() += 0.1f * near;
        }
        targets = sinew::to_deltas(shapes, 0);
    }
    for (const sinew::MorphTarget& target : targets)
        std::printf("\"%s\" moves %zu of %zu vertices\n", target.name.c_str(), target.vertices.size(), neutral.size());

    // Forwards: weights to a shape. This is what a deformer does before it skins.
    std::vector<float> weights(targets.size(), 0.0f);
    weights.front() = 0.5f;
    std::vector<sinew::Vec3> shape = neutral;
    sinew::apply_morphs(targets, weights, {.positions = shape});
    const uint32_t vertex = targets.front().vertices.front();
    std::printf("at weight 0.5 vertex %u has moved by %.1f mm\n", vertex,
                1000.0 * (shape[vertex] - neutral[vertex]).norm());

    // Backwards: put that vertex where it is now, and ask which weights do it.
    const sinew::DragHandle handle = {.vertex = vertex, .position = shape[vertex]};
    const sinew::DirectManipulation solved = sinew::solve_weights(neutral, targets, {}, {&handle, 1});
    std::printf("dragged there: weight %.2f, %.1f mm off\n", solved.weights.front(), 1000.0 * solved.report.residual);
}
// Prints:
// "long head" moves 1500 of 8345 vertices
// "belly" moves 332 of 8345 vertices
// at weight 0.5 vertex 0 has moved by 19.2 mm
// dragged there: weight 0.50, 0.0 mm off
