// Own frames: a clip as poses at its own keys, so that nothing is lost between them.
// Data flow: Clip → *here* → ClipFrames → clean/, graph/, blend/.
#pragma once

#include <sinew/edit/frames.h>

namespace sinew {

struct OwnFrames {
    ClipFrames frames;
    double fps = 30.0;
};

// At the keys of the track with most of them, where those stand at even times from 0 to the clip's end, as captures do.
// Else at a rate that fits the clip's length a whole number of times, as near as can be to that of its keys.
OwnFrames sample_own_frames(const Clip& clip, const ClipBody& body);

}  // namespace sinew
