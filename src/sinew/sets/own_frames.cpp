#include <sinew/sets/own_frames.h>

#include <sinew/clip/clip.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

const std::vector<float>* densest_keys(const Clip& clip) {
    const std::vector<float>* densest = nullptr;
    for (const Track& track : clip.tracks)
        if (!densest || track.times.size() > densest->size()) densest = &track.times;
    return densest;
}

bool is_even(const std::vector<float>& times, float end) {
    constexpr double off = 0.02;  // of a step: more than float times of a long clip are off
    if (times.size() < 2 || times.back() < end) return false;
    const double step = (static_cast<double>(times.back()) - times.front()) / static_cast<double>(times.size() - 1);
    if (times.front() > off * step) return false;
    for (size_t k = 0; k < times.size(); ++k)
        if (std::abs(times[k] - times.front() - static_cast<double>(k) * step) > off * step) return false;
    return true;
}

}  // namespace

OwnFrames sample_own_frames(const Clip& clip, const ClipBody& body) {
    OwnFrames own;
    const float end = duration(clip);
    const std::vector<float>* keys = densest_keys(clip);
    if (keys && is_even(*keys, end)) {
        own.frames.times = *keys;
        own.fps = static_cast<double>(keys->size() - 1) / (static_cast<double>(keys->back()) - keys->front());
    } else {
        const double steps = std::max(1.0, std::round(end * clip_rate(clip)));
        own.fps = end > 0.0f ? steps / end : clip_rate(clip);
        for (double k = 0; k <= (end > 0.0f ? steps : 0.0); ++k)
            own.frames.times.push_back(static_cast<float>(std::min(k / own.fps, static_cast<double>(end))));
    }
    own.frames.poses.assign(own.frames.times.size(), body.rest);
    for (size_t f = 0; f < own.frames.times.size(); ++f) sample(clip, own.frames.times[f], own.frames.poses[f]);
    return own;
}

}  // namespace sinew
