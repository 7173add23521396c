// Describe motion: a clip as a row of numbers for each tenth of a second, which mean the same for every body.
// Data flow: Skeleton + Clip → *here* (roles, mapping) → MotionDescription → motion_index.h.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/skeleton/skeleton.h>
#include <array>
#include <vector>

namespace sinew {

constexpr size_t motion_features = 50;
constexpr double motion_feature_rate = 10.0;  // rows a second

// Poses in the body's own frame (left, up, ahead, from the hips), in leg lengths: head, hands, elbows, knees, feet;
// hips over the ground; where the trunk points; how fast head, hands and feet move against the hips, and the hips over
// the ground; how fast the body turns. A body that walks on the spot goes as fast as its feet tell. Weighted so that
// what tells actions apart counts alike.
using MotionRow = std::array<float, motion_features>;
struct MotionDescription {
    std::vector<MotionRow> rows;  // empty where the motion is no person's
    float seconds = 0;
    std::vector<uint8_t> contacts;  // per row: bit 0 the left foot stands, bit 1 the right one
};
MotionDescription describe_motion(const Skeleton& skeleton, const Clip& clip);

// What a row says, in the body's own frame, in legs and seconds.
struct RowMeasures {
    Vec3 head, trunk;
    std::array<Vec3, 2> hand, elbow, knee, foot;  // left, right; places are seen from the hips
    Vec3 head_speed;                              // against the hips
    std::array<Vec3, 2> hand_speed, foot_speed;
    Vec3 way;                    // of the hips over the ground
    float height = 0, turn = 0;  // of the hips over the ground; radians a second, to the left
};
RowMeasures read_row(const MotionRow& row);

// The same with left and right swapped.
MotionRow mirrored_row(const MotionRow& row);

}  // namespace sinew
