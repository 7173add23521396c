#include <sinew/io/fbx/scene_size.h>

#include <algorithm>
#include <cmath>

namespace sinew::fbx {

double scene_size(const Character& character) {
    double size = 0;
    for (const Transform& rest : character.skeleton.rest()) size = std::max(size, double(rest.translation.norm()));
    for (const MeshGroup& mesh : character.meshes)
        for (const Primitive& primitive : mesh.primitives)
            size = std::max(size, double(bounds(primitive.mesh.positions).diagonal()));
    return size > 0 && std::isfinite(size) ? size : 1.0;
}

}  // namespace sinew::fbx
