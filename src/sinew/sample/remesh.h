// Adaptive isotropic remeshing [Botsch2004, Dunyach2013] of an implicit surface: even triangles, small where it curves.
// Data flow: surface_nets.h → *here* → Mesh of a sample character.
#pragma once

#include <sinew/mesh/mesh.h>
#include <sinew/sample/implicit_field.h>
#include <sinew/sample/surface_nets.h>
#include <functional>

namespace sinew::shape {

struct RemeshOptions {
    double tolerance = 0.0006;  // how far an edge may be from the surface, metres
    double shortest = 0.005;    // edge lengths, metres
    double longest = 0.03;
    double grading = 0.35;  // how fast lengths may grow, metres per metre
    int rounds = 6;
    // Multiplies the edge length at a point, for more detail than curvature alone would give. Empty: 1 everywhere.
    std::function<double(const Vec3d&)> scale;
};

HalfMesh remesh(const Field& field, HalfMesh mesh, const RemeshOptions& options);

// Both halves as one closed mesh with normals from the field, exactly mirror-symmetric in x.
Mesh mirror_halves(const Field& field, const HalfMesh& half);

}  // namespace sinew::shape
