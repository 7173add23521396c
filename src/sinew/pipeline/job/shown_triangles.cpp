#include <sinew/pipeline/job/shown_triangles.h>

#include <sinew/character/character_deformer.h>

namespace sinew {

ShownTriangles shown_triangles(const Character& character) {
    ShownTriangles out;
    std::vector<DeformedPrimitive> deformed;
    deform(character, rest_pose(character), {.normals = false}, deformed);
    for (const DeformedPrimitive& d : deformed) {
        const MeshInstance& instance = character.instances[static_cast<size_t>(d.instance)];
        const MeshGroup& group = character.meshes[static_cast<size_t>(instance.mesh)];
        const auto base = static_cast<uint32_t>(out.positions.size());
        out.positions.insert(out.positions.end(), d.positions.begin(), d.positions.end());
        for (uint32_t v : group.primitives[static_cast<size_t>(d.primitive)].mesh.triangles)
            out.triangles.push_back(base + v);
    }
    return out;
}

}  // namespace sinew
