// Motion graph [Kovar2002]: clips of one skeleton, and the moments at which one may go on as another without a seam.
// Data flow: clips → *here* (window distances, local minima, the strongly connected core) → path_walk.h → Clip.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/core/result.h>
#include <sinew/skeleton/skeleton.h>
#include <Eigen/Core>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

constexpr double graph_fps = 30.0;
// Frames on each side of a transition over which the two clips are compared and blended: a third of a second together.
constexpr int32_t graph_reach = 5;

// From a frame of a clip to a frame of a clip. `distance`: of the windows around both, root mean square over joints and
// frames once they lie upon each other as well as they can over the ground, in metres of a person.
struct GraphTransition {
    int32_t from_clip = 0, from_frame = 0, to_clip = 0, to_frame = 0;
    float distance = 0;
};

struct GraphOptions {
    double threshold = 0.0;  // metres; 0: 1.5 times the distance of neighbouring frames
};

struct MotionGraph {
    std::vector<std::string> names;
    std::vector<int32_t> frames;               // of each clip, at graph_fps
    std::vector<GraphTransition> transitions;  // of the strongly connected core
    int32_t found = 0;                         // transitions below the threshold, in the core or not
    double frame_distance = 0;                 // the mean of neighbouring frames' windows within the clips
    double threshold = 0;
    double core_share = 0;  // of all frames that lie on ways between transitions of the core
};

// Clips of a person; all belong to the skeleton. Fails on other bodies and on clips that are all shorter than a window.
// Time and memory grow with the square of the frames: for up to some ten minutes of motion.
Result<MotionGraph> build_motion_graph(const Skeleton& skeleton, const std::vector<Clip>& clips,
                                       const GraphOptions& options = {});

// The distances of all pairs of frames that have whole windows, one clip after another; others are infinite.
Result<Eigen::MatrixXf> window_distances(const Skeleton& skeleton, const std::vector<Clip>& clips);

}  // namespace sinew
