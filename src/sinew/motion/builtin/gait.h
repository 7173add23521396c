// Gait: walking and running from parameters. Each foot repeats strike, roll, flat, heel-off, swing; the rest of the
// body follows the feet. Data flow: GaitOptions → *here* → body_pose.h → Clip.
#pragma once

#include <sinew/motion/builtin/body_pose.h>
#include <vector>

namespace sinew {

// Fractions are of one cycle (two steps), which begins when the left foot strikes. Lengths in metres, angles in
// degrees.
struct GaitOptions {
    double speed = 1.4;         // metres per second
    int frames_per_cycle = 30;  // even, so that the two steps are alike key by key
    int cycles = 2;
    double fps = 30;

    // The foot.
    double stance = 0.62;        // the foot is on the ground until here
    double flat_from = 0.09;     // the sole lies flat …
    double heel_off = 0.36;      // … until the heel rises
    double under_body = 0.245;   // the pelvis passes over the foot
    double strike_deg = 20;      // toes up at the strike
    double toe_off_deg = 46;     // heel up when the toes leave the ground
    double swing_peak_deg = 54;  // and in the swing after it
    double swing_peak_at = 0.68;
    double clearance = 0.020;    // of the sole, half-way through the swing
    double strike_speed = 0.10;  // of the foot, as a fraction of the body's
    double heel_kick = 0.0;      // extra lift early in the swing
    double track_width = 0.062;  // distance of each foot from the line of travel
    double toe_out_deg = 7;

    // The pelvis swings over the standing leg, turns with the leading leg, and drops on the free side.
    double bob = 0.022;        // half of its rise and fall
    double highest_at = 0.27;  // after each strike
    double sway = 0.018;
    double turn_deg = 7;
    double list_deg = 4;
    double lean_deg = 2;
    double reach = 0.998;  // the straightest a leg gets

    // The upper body moves against the pelvis.
    double chest_turn_deg = 8;
    double chest_lean_deg = 3;
    double arm_swing_deg = 24;
    double arm_forward_deg = 2;
    double arm_spread_deg = 9;
    double elbow_deg = 22;
    double elbow_swing_deg = 13;
    double finger_curl_deg = 20;
};

GaitOptions walk_options();
GaitOptions run_options();
GaitOptions sneak_options();

// One pose per key, cycles · frames_per_cycle + 1 in all. The last is the first, moved by the distance travelled.
std::vector<BodyPose> gait_poses(const BodySize& size, const GaitOptions& options);

}  // namespace sinew
