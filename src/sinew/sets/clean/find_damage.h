// Damage in a capture: spikes, stretches in which nothing was recorded, T-pose frames at the ends.
// Data flow: signals of the joints → *here* → which frames cannot be believed → clean_clip.h.
#pragma once

#include <sinew/sets/clean/smooth_curve.h>
#include <cstddef>
#include <vector>

namespace sinew {

// Samples that jump away from their neighbours and back within a few frames, by more than `least` and far more than the
// curve does elsewhere. In the signal's own units.
std::vector<FrameRun> find_spikes(const Signal& signal, double fps, double least);

// Stretches that stand still to the last bit and jump, by more than `least`, where they begin or end: a joint that was
// lost and held, or set to zero.
std::vector<FrameRun> find_held(const Signal& signal, double fps, double least);

// Stretches without keys in a track that else has keys at even times; frames at the rate `fps`.
std::vector<FrameRun> find_key_holes(const std::vector<float>& times, double fps, size_t frames);

}  // namespace sinew
