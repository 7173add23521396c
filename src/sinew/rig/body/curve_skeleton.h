// Curve skeleton: the branches of a body as a tree of centre points. A rig for an unknown shape grows from it.
// Data flow: voxel_body.h → *here* → generic.h, embed.h.
#pragma once

#include <sinew/rig/body/voxel_body.h>

namespace sinew {

// Node 0 is the root, near the body's middle; a parent stands before its children.
struct CurveSkeleton {
    std::vector<Vec3d> position;
    std::vector<double> radius;  // world units
    std::vector<int> parent;

    int size() const { return static_cast<int>(parent.size()); }
    double length(int node) const;  // of the edge to the parent
};

// Cuts the body into bands of equal geodesic distance from a tip; each connected band is a node (a Reeb graph). A ring
// is cut at its thinnest place. Branches shorter than `least` (world units) that lead nowhere are dropped.
CurveSkeleton find_curve_skeleton(const VoxelBody& body, const Extremities& ends, double least);

// Where the straight line between two nodes leaves the solid (from the middle of a table's top to one of its legs),
// adds nodes along a way through the thick of it.
void keep_inside(const VoxelBody& body, CurveSkeleton& tree);

}  // namespace sinew
