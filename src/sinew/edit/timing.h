// Timing of clips: cut, slowed, reversed, resampled, warped. Keys and tangents are kept where that is exact.
// Data flow: Clip → *here* → Clip.
#pragma once

#include <sinew/curve/curve.h>
#include <sinew/edit/frames.h>

namespace sinew {

// What the clip shows from `from` to `to`, beginning at 0. Between keys it is what it was: cut cubics are the same
// cubics, cut rotations the same arcs. Fails unless from < to and the clip lasts beyond `from`; `to` beyond the end is
// the end.
Result<Clip> trim(const Clip& clip, float from, float to);

// Twice as fast with 2. Requires speed > 0.
Clip change_speed(const Clip& clip, float speed);

// The end first.
Clip reverse(const Clip& clip);

// Linear keys at even times, and one at the end.
Clip resample(const Clip& clip, const ClipBody& body, double fps);

// Shows at time t what the clip shows at warp(t). The warp takes [0, duration] into itself. At the clip's own rate.
Clip warp_time(const Clip& clip, const ClipBody& body, const Curve<double>& warp);

}  // namespace sinew
