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
// the ground; how fast the body turns. Weighted so that what tells actions apart counts alike.
using MotionRow = std::array<float, motion_features>;
struct MotionDescription {
    std::vector<MotionRow> rows;  // empty where the motion is no person's
    float seconds = 0;
    std::vector<uint8_t> contacts;  // per row: bit 0 the left foot stands, bit 1 the right one
};
MotionDescription describe_motion(const Skeleton& skeleton, const Clip& clip);

// The same with left and right swapped.
MotionRow mirrored_row(const MotionRow& row);

}  // namespace sinew
