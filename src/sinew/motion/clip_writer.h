// Turns sampled values into tracks of a clip. Data flow: retarget → *here* → Clip.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/math/types.h>
#include <vector>

namespace sinew {

// Tracks with linear keys. Rotations are made unit; of q and −q the one nearer to the last key is written.
Track rotation_track(int32_t joint, const std::vector<float>& times, const std::vector<Quatd>& rotations);
Track translation_track(int32_t joint, const std::vector<float>& times, const std::vector<Vec3d>& positions);

}  // namespace sinew
