// Graph clips: the clips of a motion graph as poses in place, the way of each frame, and when feet stand.
// Data flow: Skeleton + clips → *here* → motion_graph.cpp, path_walk.cpp, blend/.
#pragma once

#include <sinew/edit/root_motion.h>
#include <sinew/motion/retarget/motion_body.h>
#include <sinew/sets/own_feet.h>
#include <array>
#include <memory>

namespace sinew {

// Which points of the feet stand, as bits.
enum StandBit : uint8_t { left_ankle_stands = 1, left_ball_stands = 2, right_ankle_stands = 4, right_ball_stands = 8 };

struct GraphClipFrames {
    std::vector<Pose> poses;         // as they are in the clip
    std::vector<Pose> in_place;      // over the origin, looking ahead
    std::vector<GroundPlace> place;  // of each frame
    std::vector<GroundPlace> step;   // from the frame before, seen from there
    std::vector<uint8_t> stands;     // StandBits
};

struct GraphBody {
    ClipBody clip_body;
    std::optional<Body> body;  // refers to clip_body.skeleton
    int32_t carrier = 0;
    std::vector<GraphClipFrames> clips;
};

// At graph_fps, without T-pose frames at the ends. On the heap, because the body refers to its skeleton. `rounds`: how
// often a clip that is one round of a loop is played. Fails where the clips are no person's.
Result<std::unique_ptr<GraphBody>> make_graph_body(const Skeleton& skeleton, const std::vector<Clip>& clips,
                                                   int32_t rounds = 1);

// The StandBits of each frame.
std::vector<uint8_t> find_stands(const Body& body, std::span<const Pose> poses);

// Contacts of frames that were put together, of their bits.
SourceContacts contacts_of(const std::vector<uint8_t>& stands);

// Two poses mixed, 0: the first.
Pose mix_poses(const Pose& a, const Pose& b, double share);

}  // namespace sinew
