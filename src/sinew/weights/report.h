// WeightReport: which joints own skin and why, how each piece was bound, and what to look at.
// Data flow: weights.h fills it → pipeline, the command line's --report.
#pragma once

#include <sinew/math/types.h>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

// What a joint owns: bones, as segments along which skin follows it, or nothing.
struct JointUse {
    int32_t joint = 0;
    int32_t segments = 0;
    std::string why;  // "to spine_02", "tail towards the skin", "left out: a control, by its name or its place", …
};

struct JointWeight {
    int32_t joint = 0;
    size_t vertices = 0;  // that follow it
    double total = 0.0;   // the sum of their weights
};

// A connected part of the surface, and how it was bound: "heat: a closed surface", "rigid, with what it touches
// (head)", "as the skin that it lies on", …
struct PieceReport {
    size_t vertices = 0;
    std::string how;
};

// An island: vertices that follow a joint, cut off from most of the skin that follows it on the same piece.
struct LeakSuspect {
    int32_t joint = 0;
    size_t vertices = 0;
    double total = 0.0;           // the sum of their weights
    Vec3d place = Vec3d::Zero();  // their middle, in the meshes' space
};

struct WeightReport {
    std::string method;  // the method that was asked for
    size_t vertices = 0, welded_vertices = 0, triangles = 0;
    size_t max_influences = 0;
    size_t unweighted_vertices = 0;  // always 0; it is counted, not assumed
    double largest_sum_error = 0.0;  // of any vertex's weights, from 1
    std::string bone_axis;           // the local axis along which the rig's bones run ("+Y"), if it has one
    std::vector<JointUse> bones;     // one per joint that the skin may use
    std::vector<JointWeight> joints;
    std::vector<PieceReport> pieces;  // the 1000 largest, largest first
    size_t piece_count = 0;
    std::vector<LeakSuspect> leaks;                       // the 20 largest, largest first
    std::vector<std::pair<std::string, double>> seconds;  // per stage
    std::vector<std::string> warnings;                    // sentences for the user
};

}  // namespace sinew
