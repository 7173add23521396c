// Hinges: the angle between two triangles that share an edge, its slope, and the energy that bends it [Grinspun2003].
// Data flow: four points → *here* → cloth (as a constraint), nets of springs (as a force).
#pragma once

#include <sinew/math/types.h>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

// The edge from `a` to `b`, and the vertices opposite to it: c of triangle a b c, and d of triangle b a d.
struct Hinge {
    uint32_t a = 0, b = 0, c = 0, d = 0;
    double rest_angle = 0.0;
    // |edge|² / (area + area) at rest. ½ stiffness · shape · (angle − rest)² adds up to ½ stiffness · area · curvature²
    // on a sheet that is rolled up, for right-angled grids and for equal-sided triangles alike.
    double shape = 0.0;
};

// 0 where the triangles are flat, positive where they make a valley, seen from where their normals point; within (−π,
// π].
double hinge_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d);

// The same, and its gradient with regard to a, b, c, d. Triangles without area give zeros.
double hinge_angle(const Vec3d& a, const Vec3d& b, const Vec3d& c, const Vec3d& d, std::array<Vec3d, 4>& gradient);

// All inner edges of a mesh, in order of their vertices. Edges with three triangles or more bend nowhere.
std::vector<Hinge> find_hinges(std::span<const Vec3> positions, std::span<const uint32_t> triangles);

// Σ ½ stiffness · shape · (angle − rest)².
double bending_energy(std::span<const Hinge> hinges, std::span<const Vec3d> positions, double stiffness);

}  // namespace sinew
