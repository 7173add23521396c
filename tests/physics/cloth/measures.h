// What tests ask of a cloth: how far its edges are stretched, how far it crosses itself.
#pragma once

#include <sinew/physics/cloth/cloth.h>
#include <sinew/physics/cloth/crossings.h>
#include <algorithm>
#include <cmath>

#include "grid_mesh.h"

namespace sinew::test {

struct Stretch {
    double mean = 0.0, worst = 0.0;
};
inline Stretch stretch_of(const Cloth& cloth) {
    Stretch all;
    for (size_t e = 0; e < cloth.edges().size(); ++e) {
        all.mean += std::abs(cloth.stretch(e)) / static_cast<double>(cloth.edges().size());
        all.worst = std::max(all.worst, static_cast<double>(cloth.stretch(e)));
    }
    return all;
}

inline double crossing_of(const Cloth& cloth, const GridMesh& mesh) {
    std::vector<Vec3> now(cloth.size());
    cloth.copy_positions(now);
    return deepest_crossing(now, mesh.triangles);
}

}  // namespace sinew::test
