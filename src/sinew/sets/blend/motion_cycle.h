// Motion cycles: one round of each clip that repeats itself, closed into a loop and aligned with the first one's.
// Data flow: GraphBody (graph/graph_clips.h) → *here* (registration.h) → cycle_weights.h, parametric_motion.h.
#pragma once

#include <sinew/sets/graph/graph_clips.h>
#include <string>
#include <vector>

namespace sinew {

constexpr size_t cycle_phases = 64;  // steps of a registration curve

// Frames of one round at graph_fps; after the last one comes the first again.
struct MotionLoop {
    std::string clip;
    double from = 0;                 // seconds, in the clip
    std::vector<Pose> in_place;      // over the origin, looking ahead, on level ground
    std::vector<GroundPlace> along;  // from the first frame to each, and to the first of the next round
    std::vector<uint8_t> stands;     // StandBits
    std::vector<double> curve;       // frames since the first, for each phase of the first loop and the end
    double way = 0, yaw = 0;         // over a round: along the ground, in units; radians
    double slope = 0;                // of the ground: how much it rises on the way

    size_t frames() const { return in_place.size(); }
};

// Clips without a round are left out. Ground that rises evenly is levelled first.
std::vector<MotionLoop> find_motion_loops(const std::vector<Clip>& clips, GraphBody& graph);

// How far a body comes that goes to `there` on an arc.
double arc_length(const GroundPlace& there);

// The frame at a phase that may be beyond 1: whole rounds count.
double loop_frame(const MotionLoop& loop, double phase);
Pose loop_pose(const MotionLoop& loop, double frame);
uint8_t loop_stands(const MotionLoop& loop, double frame);
// The way from one frame to a later one.
GroundPlace loop_step(const MotionLoop& loop, double from, double to);

}  // namespace sinew
