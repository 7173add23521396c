// WeightReport: what was bound to what, how sure it is, and what to look at.
// Data flow: weights.cpp fills it → pipeline, the command line's --report.
#pragma once

#include <sinew/weights/bones/choose_bones.h>
#include <sinew/weights/field.h>
#include <string>
#include <utility>
#include <vector>

namespace sinew {

struct JointWeight {
    int32_t joint = 0;
    size_t vertices = 0;  // that follow it
    double total = 0.0;   // the sum of their weights
};

// A connected part of the surface, and how it was bound: "heat", "rigid to head", "with the surface it touches", …
struct PieceReport {
    size_t vertices = 0;
    std::string how;
};

// Weight that stands apart from the rest of its joint's: an island, on the same piece or across a gap.
struct LeakSuspect {
    int32_t joint = 0;
    size_t vertices = 0;
    double total = 0.0;
    Vec3d place = Vec3d::Zero();  // the middle of it, in the meshes' space
};

struct WeightReport {
    std::string method;  // what was asked for
    size_t vertices = 0, welded_vertices = 0, triangles = 0;
    size_t max_influences = 0;
    size_t unweighted_vertices = 0;  // always 0; counted, not promised
    double largest_sum_error = 0.0;
    std::string bone_axis;
    std::vector<JointUse> bones;  // every joint: what it owns, or why it owns nothing
    std::vector<JointWeight> joints;
    std::vector<PieceReport> pieces;  // the 1000 largest
    size_t piece_count = 0;
    std::vector<LeakSuspect> leaks;
    std::vector<std::pair<std::string, double>> seconds;  // per stage
    std::vector<std::string> warnings;
};

// Islands of weight above 0.1: parts of {w > 0.1} of one joint on the same piece that hold under half of its weight on
// that piece, and weigh more than a thousandth of all. Largest first, at most 20.
std::vector<LeakSuspect> find_leaks(const WeightField& field, const Surface& surface, const Neighbours& neighbours);

}  // namespace sinew
