// Foot skin: the points of a foot that can touch the ground, and how low they are in any pose of the leg.
// Data flow: SkinPoints of the target, or its joints alone → *here* → toe_bend.h, plant_feet.h.
#pragma once

#include <sinew/motion/retarget.h>
#include <sinew/motion/retarget/motion_body.h>
#include <array>
#include <span>
#include <vector>

namespace sinew {

// The bones that carry a foot's skin. The shin and the foot meet in the ankle, the toes begin at the ball.
enum FootBone : size_t { shin_bone, foot_bone, toe_bone, foot_bone_count };

// A leg from the knee down in one frame, as far as its skin asks.
struct FootPose {
    Vec3d ankle, ball;
    Quatd shin, foot, toes;  // world rotations
};

struct FootSkin {
    struct Point {
        std::array<double, foot_bone_count> weight;  // sum to 1
        std::array<Vec3d, foot_bone_count> place;    // in the bone's rotation frame, times the weight
    };
    std::vector<Point> points;

    // The height of the lowest point along `up`.
    double lowest(const FootPose& pose, const Vec3d& up) const;
};

// The outermost points of the foot in many directions. Without skin: a sole under ankle, ball and toes.
FootSkin find_foot_skin(const Body& target, size_t side, std::span<const SkinPoint> skin);

// The toe joint below the foot, or −1.
int32_t toe_joint(const Body& target, size_t side);
// From the ankle to the toe joint, in the foot's rotation frame; without toes, to where the ball of a foot usually is.
Vec3d ball_in_foot(const Body& target, size_t side);

// The foot as the target rests.
FootPose rest_foot(const Body& target, size_t side);

}  // namespace sinew
