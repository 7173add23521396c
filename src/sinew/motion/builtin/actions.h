// Actions: motions on the spot (standing, waving, jumping). Data flow: *here* → body_pose.h → Clip.
#pragma once

#include <sinew/motion/builtin/body_pose.h>
#include <vector>

namespace sinew {

struct StandOptions {
    double fps = 30;
    double seconds = 6;
    int breaths = 2;      // per loop
    double sway = 0.020;  // metres from foot to foot
    double half_width = 0.100;
    double toe_out_deg = 8;
};
std::vector<BodyPose> idle_poses(const BodySize& size, const StandOptions& options = {});

struct WaveOptions {
    double fps = 30;
    double seconds = 3;
    double raise_from = 0.15, raise_time = 0.55, lower_from = 2.30;
    double waves_per_second = 2.0;
    double wave_deg = 24;  // swing of the forearm to either side
};
std::vector<BodyPose> wave_poses(const BodySize& size, const WaveOptions& options = {});

struct JumpOptions {
    double fps = 30;
    double gravity = 9.81;
    double height = 0.32;                 // how far the hips rise after take-off, metres
    double crouch = 0.26, absorb = 0.22;  // how far the hips sink before the jump and after it
    double stand_time = 0.20, crouch_time = 0.40, push_time = 0.34, absorb_time = 0.24, recover_time = 0.70;
    double landing_drop = 0.05;  // the hips are this much lower at landing than at take-off
};
// When the feet leave the ground and when they return, seconds.
struct JumpTimes {
    double take_off, landing, end;
};
JumpTimes jump_times(const JumpOptions& options);
std::vector<BodyPose> jump_poses(const BodySize& size, const JumpOptions& options = {});

}  // namespace sinew
