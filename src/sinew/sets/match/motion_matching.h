// Motion matching [Clavet2016]: in each moment, the frame of all clips that goes best with where the body shall go and
// how it stands now. Data flow: clips, once → MotionMatcher; a goal per frame → advance() → Pose.
//
//   const auto matcher = MotionMatcher::create(skeleton, clips);
//   MatchState state = matcher->start();
//   for (;;) matcher->advance({points ahead on my path}, state, pose);   // 30 times a second
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/math/types.h>
#include <sinew/skeleton/pose.h>
#include <sinew/skeleton/skeleton.h>
#include <array>
#include <cstdint>
#include <memory>
#include <vector>

namespace sinew {

constexpr float match_fps = 30.0f;
// Where the body shall be in a third, two thirds and a whole second: x and z on the ground, in metres.
struct MatchGoal {
    std::array<Vec2, 3> ahead = {Vec2::Zero(), Vec2::Zero(), Vec2::Zero()};
};

// One character: what it shows, where it is, and what is left of what it showed before. Below 1 KB for a person.
struct MatchState {
    uint32_t clip = 0, frame = 0;
    float x = 0, z = 0, yaw = 0;  // on the ground: metres, radians about +Y, 0 ahead along +Z
    float turn_speed = 0;
    uint32_t since_search = 0;  // frames
    uint32_t switches = 0;      // how often it went on elsewhere
    // Per joint: a turn that dies away, and its speed; ten-thousandths of a radian, thousandths of a radian a second.
    std::vector<std::array<int16_t, 6>> offset;

    size_t bytes() const { return sizeof *this + offset.size() * sizeof offset[0]; }
};

struct MatchRows;

class MotionMatcher {
public:
    // Clips of a person on this skeleton; frames at match_fps. Fails on other bodies and on clips that are all shorter
    // than a second and a half.
    static Result<MotionMatcher> create(const Skeleton& skeleton, const std::vector<Clip>& clips);

    // How many there are, of all clips.
    size_t frames() const;
    // What frames are compared by, for those who measure.
    const MatchRows& rows() const;
    // The first frame, at the origin.
    MatchState start() const;
    // Plays on by one frame, and looks for a better one a few times a second. A switch is inertialised: the pose does
    // not jump, and what it differs by dies away. `turn`: radians a second by which the body may turn towards the goal
    // beyond what its clip does. No allocation once `pose` and `state` have been used.
    void advance(const MatchGoal& goal, MatchState& state, Pose& pose, float turn = 0.7f) const;

private:
    struct Data;
    std::shared_ptr<const Data> data_;
};

}  // namespace sinew
