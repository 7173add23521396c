// Small helpers that turn sampled motion into a clip's tracks. Data flow: retarget → *here* → Clip.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/math/types.h>
#include <vector>

namespace sinew {

// Linear keys; neighbouring quaternions are kept on one hemisphere.
Track rotation_track(int32_t joint, const std::vector<float>& times, const std::vector<Quatd>& rotations);
Track translation_track(int32_t joint, const std::vector<float>& times, const std::vector<Vec3d>& positions);

}  // namespace sinew
