// GroundGait: what a body plays while it goes over the ground at any speed, so that its feet stay where they step.
// Data flow: a skeleton and its clips (stand, walk, run); a body's way, moment by moment → *here* → its pose.
//
// Clips are mixed by speed and played by distance: a stride of the clip for a stride of the way. Where the way turns or
// the mixing bends it, planted feet are held by the legs.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/clip/runtime/crowd.h>
#include <sinew/skeleton/pose.h>
#include <sinew/skeleton/skeleton.h>
#include <array>

namespace sinew {

// A leg as two bones, and the joint that stays on the ground while the foot rolls. All indices of joints.
struct GaitLeg {
    int32_t hip = -1, knee = -1, ankle = -1, ball = -1;
    // Where the heel is, in the ankle's frame; it comes down first. Without a foot that rolls: the ankle itself.
    Vec3 heel = Vec3::Zero();
    // Where the foot ends in front, in the ball's frame; it leaves the ground last. Without skin: the ball itself.
    Vec3 tip = Vec3::Zero();
};
// A point of the skin at rest, in the skeleton's space, and the joint that it follows most.
struct GaitSkinPoint {
    int32_t joint = -1;
    Vec3 rest = Vec3::Zero();
};
constexpr size_t most_gait_legs = 4, most_gait_clips = 3;

// The legs of a person, a beast or a bird; at most four. Empty where there are none. Heels and tips are the ends
// of the soles where the skin has points of them, since boots reach farther than bones say. Else they are guessed.
std::vector<GaitLeg> find_gait_legs(const Skeleton& skeleton, std::span<const GaitSkinPoint> skin = {});

// When a foot is on the ground, as shares of a stride; the end may be beyond 1.
struct FootContact {
    float touch = 0.0f, lift = 0.0f;
};

// A clip as the cycle of a gait.
struct GaitCycle {
    Clip clip;
    float seconds = 1.0f;               // of the whole clip, which may hold several strides
    int32_t strides = 1;                // 1, 2, 3, 4 or 6
    float shift = 0.0f;                 // of the clip at phase 0, in strides: there foot 0 touches
    Vec3 start = Vec3::Zero();          // where the body is when it begins, over the ground
    Vec3 velocity = Vec3::Zero();       // over the ground; zero for standing
    Vec3 in_clip = Vec3::Zero();        // the same as the clip has it: zero for a walk in place
    std::vector<FootContact> contacts;  // per leg, by phase
    float speed() const { return velocity.norm(); }
    float stride() const { return speed() * seconds / static_cast<float>(strides); }
};
// Phases run to this number of strides and begin again: all clips do then.
constexpr float phase_end = 12.0f;

// What one body remembers from moment to moment. Nothing in it is allocated.
struct GaitState {
    float phase = 0.0f;  // strides, [0, phase_end)
    float speed = 0.0f;  // smoothed
    Vec2 place = Vec2::Zero();
    float heading = 0.0f;
    struct Foot {
        Vec3 held = Vec3::Zero();    // where it stands, in the world
        Vec3 offset = Vec3::Zero();  // from where the clips would put it
        bool down = false;           // after pose()
        bool on_heel = false;        // `held` is the heel's place, else the ball's
        float heading = 0.0f;        // the body's when it came down: a foot that stands does not turn along
        float turn = 0.0f;           // from how the clips would turn it, about the vertical
        float step_left = 0.0f;      // seconds of a step that brings a foot back that was left behind
    };
    std::array<Foot, most_gait_legs> feet{};
};
static_assert(sizeof(GaitState) <= 2048);

class GroundGait {
public:
    // `stand` may be null: bodies that stop then stay in the walk's pose. `faster` may be null too. A walk that does
    // not go anywhere is taken for a treadmill: its speed is that of the feet on the ground; without feet it is
    // `speed_in_place`, along +Z, and fails where that is 0. Tracks of morphs are left out.
    static Result<GroundGait> create(const Skeleton& skeleton, const Clip& walk, const Clip* stand, const Clip* faster,
                                     float speed_in_place = 0.0f, std::span<const GaitSkinPoint> skin = {});

    // Puts the body at a place, at a phase of its own.
    GaitState begin(const Vec2& place, float heading, float phase) const;
    // Goes on to a place, `seconds` later: the speed, and by how much of the cycle.
    void advance(GaitState& state, const Vec2& place, float heading, float seconds) const;

    // Which clips at which times, by how much: what a Crowd takes. Clips in the order stand, walk, faster, as
    // cycles() has them; the weights sum to 1.
    std::array<CrowdLayer, most_gait_clips> layers(const GaitState& state) const;
    // The world placement of the body whose clips are mixed so: its place and heading, less travel().
    Affine world_from_body(const GaitState& state) const;
    // How far the mixed clips are from the origin at this moment; it jumps back where a clip begins again.
    Vec3 travel(const GaitState& state) const;

    // The local pose, and the world placement that goes with it, with planted feet held. Call once after each
    // advance(), with its seconds. `scratch` is reused.
    struct Scratch {
        Pose rest;
        std::array<Pose, most_gait_clips> poses;
        std::vector<AffineD> world;
    };
    Affine pose(GaitState& state, float seconds, Pose& pose, Scratch& scratch) const;
    // The same for a body that does not stand: one that flies or swims.
    Affine pose_free(const GaitState& state, Pose& pose, Scratch& scratch) const;

    std::span<const GaitCycle> cycles() const { return cycles_; }
    std::span<const GaitLeg> legs() const { return legs_; }
    float walk_speed() const { return cycles_[walk_].speed(); }
    float top_speed() const;
    // Whether the foot is on the ground at the state's phase.
    bool is_down(const GaitState& state, size_t leg) const;

private:
    // When a foot is down as the clips are mixed now: from `touch` on, for `length`, in strides. Standing: always.
    struct Stance {
        float touch = 0.0f, length = 1.0f;
        bool stands = false;
    };
    Stance stance(const GaitState& state, size_t leg) const;
    // How high a foot that swings should be at least; more where the walk is mixed with standing, which lifts it too
    // little; metres.
    float swing_lift(const GaitState& state, size_t leg) const;
    // Where the clips put a foot at this moment, and what it should do there.
    struct PlayedFoot {
        Vec3 ball = Vec3::Zero(), heel = Vec3::Zero();
        bool down = false, on_heel = false;
        bool lands = false;      // it is in the air, on its way down
        bool carried = false;    // another foot is on the ground
        float clearance = 0.0f;  // of the lowest of heel, ball and tip over where they stand
        float lift = 0.0f;       // that it should have at least
    };
    void place_foot(GaitState::Foot& foot, const PlayedFoot& played, float leg_length, float seconds) const;
    void hold_feet(GaitState& state, float seconds, Affine& root, Pose& pose, Scratch& scratch) const;
    // Brings the ankle to `target`, and turns the foot about the vertical.
    void bend_leg(const GaitLeg& leg, const Vec3d& target, float turn, const AffineD& placed,
                  std::span<const AffineD> world, Pose& pose) const;

    Skeleton skeleton_;
    std::vector<GaitCycle> cycles_;
    std::vector<GaitLeg> legs_;
    std::vector<float> leg_lengths_, ball_heights_, heel_heights_, tip_heights_;
    size_t walk_ = 0;       // cycles_[0] is the stand where there is one
    float forward_ = 0.0f;  // the heading of the walk in its clip
};

}  // namespace sinew
