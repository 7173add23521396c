// The table of gaits: which foot strikes when, how long it stays down, and how fast an animal then goes.
// Data flow: a name → *here* → legged_gait.h. Sources stand beside the numbers; docs/motions.md draws them.
#pragma once

#include <array>
#include <span>
#include <string_view>

namespace sinew {

// A phase is the share of a stride after which the foot strikes. Duty factor: the share for which it stays down.
struct Gait {
    std::string_view name;
    std::array<double, 4> phase;  // front left, front right, hind left, hind right; of two legs the last two
    double front_duty, hind_duty;
    double froude;                       // v² / (g · hip height)
    double stride_factor, stride_power;  // stride / hip height = factor · froude^power
    double clearance;                    // how high a foot is lifted, in hip heights
    double flexed_deg;                   // how far the lower leg folds back in the air
    double bob;                          // half of the body's rise and fall, in hip heights
    int bobs;                            // rises per stride
    double highest;                      // phase of a rise
    double yaw_deg, roll_deg, flex_deg;  // of pelvis and shoulders with their feet; the back's bending and stretching
    double rock_deg;                     // the whole trunk pitches, once per stride …
    double nose_up;                      // … and is highest in front at this phase
    double nod_deg;                      // of the neck, as often as the body bobs
};

std::span<const Gait> quadruped_gaits();
std::span<const Gait> two_legged_gaits();  // birds, and beasts that walk upright
const Gait& crawl_gait();                  // any number of legs, slowly; its phases: crawl_phase()

// The gait of that name, or null.
const Gait* find_gait(std::span<const Gait> gaits, std::string_view name);

// The phase of one of many legs: neighbours on one side alternate, and so do the two legs of a pair. With six legs
// this is the alternating tripod of insects [Wilson1966].
double crawl_phase(size_t pair, bool left);

constexpr double gravity = 9.81;
double gait_speed(const Gait& gait, double hip_height_m);  // metres per second
double gait_stride(const Gait& gait, double hip_height);   // in the unit of the height

}  // namespace sinew
