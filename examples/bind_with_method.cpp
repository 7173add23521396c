// Bind with a chosen method: new weights for a character that has a skeleton, and a look at how they turned out.
//   bind_with_method [CHARACTER METHOD OUTPUT.glb]      METHOD: auto, heat, voxel, bbw, distance or rigid
#include <sinew/sinew.h>

#include "example.h"

int main(int argc, char** argv) {
    const sinew::Character character =
        argc > 1 ? or_exit(sinew::read_character(argv[1])) : sinew::make_rigged_humanoid();
    std::vector<std::string_view> methods = {"heat", "voxel", "rigid"};
    if (argc > 2) methods = {argv[2]};

    for (const std::string_view name : methods) {
        // The same joints and the same bind pose; only the weights are new. bind_skin() binds a mesh that has no skin.
        sinew::Character bound = character;
        const sinew::WeightOptions options = {.method = or_exit(sinew::parse_weight_method(name)), .influences = 4};
        const sinew::WeightReport report = or_exit(sinew::rebind_skin(bound, options));

        // Every vertex follows at least one joint. A leak is weight that turns up far from its joint: worth a look.
        std::printf("%s: %zu vertices, at most %zu joints each, %zu with none, %zu suspected leaks\n",
                    report.method.c_str(), report.vertices, report.max_influences, report.unweighted_vertices,
                    report.leaks.size());
        if (argc > 3) or_exit(sinew::write_character(bound, argv[3]));
    }
}
// Prints:
// heat: 8345 vertices, at most 4 joints each, 0 with none, 0 suspected leaks
// voxel: 8345 vertices, at most 4 joints each, 0 with none, 0 suspected leaks
// rigid: 8345 vertices, at most 1 joints each, 0 with none, 0 suspected leaks
