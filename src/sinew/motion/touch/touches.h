// Touches: when and where the hands of a motion touch their own body, each other or the floor.
// Data flow: the source's poses and shape → *here* → arm_goals.h.
#pragma once

#include <sinew/motion/touch/body_shape.h>

namespace sinew {

// What a hand touches. The parts come first.
enum class Touched : uint8_t { floor = static_cast<uint8_t>(PartName::count), other_hand, count };
constexpr size_t touched_count = static_cast<size_t>(Touched::count);

// One body in motion.
struct BodyMotion {
    const BodyShape& shape;
    std::vector<PosedShape> poses;
    Vec3d up = Vec3d::UnitY();
    double floor = 0;  // height along up
    double size = 1;   // the leg's length over a usual person's
};

// For one hand and one thing that it touches: how much each frame counts as touching, 0 to 1, with smooth beginnings
// and ends, and how far the skins are apart. A hand that only passes by does not touch.
struct Touch {
    size_t side = 0;
    size_t what = 0;  // a PartName, or a Touched
    std::vector<float> weight, gap;
};

// Only what is touched at all is listed, and other_hand once, for side 0. Linear in frames.
std::vector<Touch> find_touches(const BodyMotion& source, double fps);

constexpr Role hand_role(size_t side) {
    return side == 0 ? Role::left_hand : Role::right_hand;
}
inline Vec3d palm_of(const BodyMotion& body, size_t frame, size_t side) {
    const PosedShape& pose = body.poses[frame];
    return pose.at(hand_role(side)) + pose.turn_of(hand_role(side)) * body.shape.palm[side];
}
// How far apart two hands are along the unit direction `along` from the left palm to the right one: their palms lie
// `apart` from each other in that direction.
double hands_apart(const BodyShape& shape, const std::array<Quatd, 2>& hand_turn, const Vec3d& along, double apart);

}  // namespace sinew
