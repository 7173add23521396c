// Creature feet: where the feet of a retargeted creature belong in each frame, and when they stand still.
// Data flow: paths of the source's feet → *here* → retarget_creature.cpp, which folds the legs to these goals.
#pragma once

#include <sinew/math/types.h>
#include <cstdint>
#include <vector>

namespace sinew {

// A run of frames in which a foot stands.
struct FootStand {
    int32_t first = 0, last = 0;  // frames, inclusive
};

// Frames in which a foot stands: low, and slow. Once it stands it may move a little faster and higher before it counts
// as lifted. Lengths scale with `leg`. `ground` is the foot's height while it stands.
std::vector<FootStand> find_standing(const std::vector<Vec3d>& foot, const Vec3d& up, double ground, double leg,
                                     double fps);

// During each plant the foot stays over one point, the mean of its goals; its height is left alone, because a foot that
// rolls lifts its ankle. The correction fades in and out between plants,
// over at most a fifth of a second on each side.
void hold_plants(const std::vector<FootStand>& plants, const Vec3d& up, double fps, std::vector<Vec3d>& goals);

}  // namespace sinew
