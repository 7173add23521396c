#include <sinew/motion/creatures/gait_table.h>

#include <cmath>
#include <cstddef>

namespace sinew {
namespace {

// Stride lengths of mammals in hip heights, over Froude number: 2.4 Fr^0.34 in symmetrical gaits, as others quote
// [Alexander1983]. That for asymmetrical ones, 1.9 Fr^0.40, we did not find quoted: take it as our own choice. At the
// speeds of a gallop it is 6 to 8 % below 2.3 Fr^0.3, which [Alexander1976] fits to animals in all gaits. The duty
// factors below are our own choice too: above a half in walks, where a foot is always down, and the lower the faster
// the gait.
constexpr double symmetrical = 2.4, symmetrical_power = 0.34, asymmetrical = 1.9, asymmetrical_power = 0.40;

// clang-format off
constexpr Gait quadrupeds[] = {
    // Lateral sequence: each hind foot is followed by the front foot of its side, a quarter stride later, which is the
    // walk of nearly all mammals [Hildebrand1965, Muybridge1887].
    {.name = "walk", .phase = {0.25, 0.75, 0.00, 0.50}, .front_duty = 0.66, .hind_duty = 0.68,
     .froude = 0.18, .stride_factor = symmetrical, .stride_power = symmetrical_power,
     .clearance = 0.10, .flexed_deg = 40, .bob = 0.010, .bobs = 2, .highest = 0.10,
     .yaw_deg = 5, .roll_deg = 3.0, .flex_deg = 1, .rock_deg = 0.8, .nose_up = 0.30, .nod_deg = 3.0},
    // Diagonal pairs strike together, with a short flight between [Hildebrand1965].
    {.name = "trot", .phase = {0.50, 0.00, 0.00, 0.50}, .front_duty = 0.44, .hind_duty = 0.44,
     .froude = 0.80, .stride_factor = symmetrical, .stride_power = symmetrical_power,
     .clearance = 0.16, .flexed_deg = 60, .bob = 0.022, .bobs = 2, .highest = 0.47,
     .yaw_deg = 3, .roll_deg = 1.5, .flex_deg = 1, .rock_deg = 0.5, .nose_up = 0.30, .nod_deg = 1.5},
    // The legs of one side together, as camels go [Hildebrand1965].
    {.name = "pace", .phase = {0.00, 0.50, 0.00, 0.50}, .front_duty = 0.48, .hind_duty = 0.48,
     .froude = 0.70, .stride_factor = symmetrical, .stride_power = symmetrical_power,
     .clearance = 0.13, .flexed_deg = 50, .bob = 0.016, .bobs = 2, .highest = 0.49,
     .yaw_deg = 1, .roll_deg = 4.0, .flex_deg = 1, .rock_deg = 0.5, .nose_up = 0.30, .nod_deg = 1.5},
    // Three beats: a hind foot, a diagonal pair, the leading front foot [Hildebrand1977].
    {.name = "canter", .phase = {0.30, 0.62, 0.00, 0.30}, .front_duty = 0.42, .hind_duty = 0.42,
     .froude = 1.40, .stride_factor = asymmetrical, .stride_power = asymmetrical_power,
     .clearance = 0.18, .flexed_deg = 60, .bob = 0.030, .bobs = 1, .highest = 0.02,
     .yaw_deg = 2, .roll_deg = 1.5, .flex_deg = 4, .rock_deg = 5.0, .nose_up = 0.02, .nod_deg = 4.0},
    // Transverse: the front feet strike in the order of the hind feet, then all are in the air, gathered under the
    // body; the horse's gallop [Hildebrand1977].
    {.name = "gallop", .phase = {0.42, 0.58, 0.00, 0.16}, .front_duty = 0.28, .hind_duty = 0.28,
     .froude = 3.00, .stride_factor = asymmetrical, .stride_power = asymmetrical_power,
     .clearance = 0.20, .flexed_deg = 70, .bob = 0.035, .bobs = 1, .highest = 0.93,
     .yaw_deg = 2, .roll_deg = 1.0, .flex_deg = 9, .rock_deg = 4.5, .nose_up = 0.93, .nod_deg = 5.0},
    // Rotary: the front feet strike in the opposite order; dogs and cats at speed [Hildebrand1977].
    {.name = "rotary-gallop", .phase = {0.58, 0.44, 0.00, 0.14}, .front_duty = 0.26, .hind_duty = 0.26,
     .froude = 3.60, .stride_factor = asymmetrical, .stride_power = asymmetrical_power,
     .clearance = 0.20, .flexed_deg = 70, .bob = 0.035, .bobs = 1, .highest = 0.92,
     .yaw_deg = 2, .roll_deg = 1.0, .flex_deg = 13, .rock_deg = 4.0, .nose_up = 0.92, .nod_deg = 5.0},
};

constexpr Gait two_legged[] = {
    // Birds step at the Froude numbers at which people and quadrupeds do, with stance for some two thirds
    // [Gatesy1991].
    {.name = "walk", .phase = {0.0, 0.0, 0.00, 0.50}, .front_duty = 0.64, .hind_duty = 0.64,
     .froude = 0.18, .stride_factor = symmetrical, .stride_power = symmetrical_power,
     .clearance = 0.16, .flexed_deg = 35, .bob = 0.012, .bobs = 2, .highest = 0.32,
     .yaw_deg = 6, .roll_deg = 3.5, .flex_deg = 0, .rock_deg = 0.5, .nose_up = 0.00, .nod_deg = 4.0},
    {.name = "run", .phase = {0.0, 0.0, 0.00, 0.50}, .front_duty = 0.38, .hind_duty = 0.38,
     .froude = 1.20, .stride_factor = symmetrical, .stride_power = symmetrical_power,
     .clearance = 0.24, .flexed_deg = 60, .bob = 0.030, .bobs = 2, .highest = 0.44,
     .yaw_deg = 6, .roll_deg = 3.0, .flex_deg = 0, .rock_deg = 0.5, .nose_up = 0.00, .nod_deg = 3.0},
    // Both feet together, as small birds go.
    {.name = "hop", .phase = {0.0, 0.0, 0.00, 0.00}, .front_duty = 0.46, .hind_duty = 0.46,
     .froude = 0.50, .stride_factor = symmetrical, .stride_power = symmetrical_power,
     .clearance = 0.22, .flexed_deg = 30, .bob = 0.110, .bobs = 1, .highest = 0.73,
     .yaw_deg = 0, .roll_deg = 0.0, .flex_deg = 0, .rock_deg = 5.0, .nose_up = 0.55, .nod_deg = 5.0},
};

constexpr Gait crawl =
    {.name = "crawl", .phase = {0.25, 0.75, 0.00, 0.50}, .front_duty = 0.66, .hind_duty = 0.66,
     .froude = 0.06, .stride_factor = symmetrical, .stride_power = symmetrical_power,
     .clearance = 0.12, .flexed_deg = 0, .bob = 0.006, .bobs = 2, .highest = 0.10,
     .yaw_deg = 1, .roll_deg = 1.0, .flex_deg = 0, .rock_deg = 0.0, .nose_up = 0.00, .nod_deg = 0.0};
// clang-format on

}  // namespace

std::span<const Gait> quadruped_gaits() {
    return quadrupeds;
}
std::span<const Gait> two_legged_gaits() {
    return two_legged;
}
const Gait& crawl_gait() {
    return crawl;
}

const Gait* find_gait(std::span<const Gait> gaits, std::string_view name) {
    for (const Gait& gait : gaits)
        if (gait.name == name) return &gait;
    return nullptr;
}

double crawl_phase(size_t pair, bool left) {
    return (pair + (left ? 0u : 1u)) % 2 == 0 ? 0.0 : 0.5;
}

double gait_speed(const Gait& gait, double hip_height_m) {
    return std::sqrt(gait.froude * gravity * hip_height_m);
}
double gait_stride(const Gait& gait, double hip_height) {
    return gait.stride_factor * std::pow(gait.froude, gait.stride_power) * hip_height;
}

}  // namespace sinew
