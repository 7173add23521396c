#include <sinew/clip/compiled/compiled_clip.h>

#include <sinew/clip/clip.h>
#include <sinew/clip/compiled/kernels/clip_kernel.h>
#include <sinew/core/check.h>
#include <algorithm>
#include <cstring>

namespace sinew {

void sample(const CompiledClip& clip, float time, Pose& pose) {
    SINEW_CHECK(pose.local.size() == clip.joint_count() && pose.morphs.size() >= clip.float_count());
    time = clamp_to_clip(clip, time);
    const CompiledClip::Segment& segment = clip.segments()[clip.segment_at(time)];
    // Plain floats: what Eigen copies one by one.
    std::memcpy(static_cast<void*>(pose.local.data()), clip.base().data(), clip.base().size_bytes());
    for (const uint16_t f : clip.still_floats()) pose.morphs[f] = clip.base_floats()[f];
    if (pose.local.empty()) return;
    constexpr size_t stride = sizeof(Transform) / sizeof(float);
    Transform& first = pose.local[0];
    sample_groups_kernel({.clip = &clip,
                          .segment = &segment,
                          .place = place_in_segment(segment, time),
                          .rotations = {first.rotation.coeffs().data(), stride},
                          .translations = {first.translation.data(), stride},
                          .scales = {first.scale.data(), stride},
                          .floats = pose.morphs.data()});
    for (const Track& track : clip.raw_tracks().subspan(segment.first_raw, segment.raw_count)) {
        const auto target = static_cast<size_t>(track.target);
        float* out = track.path == TrackPath::morphs        ? &pose.morphs[target]
                     : track.path == TrackPath::rotation    ? pose.local[target].rotation.coeffs().data()
                     : track.path == TrackPath::translation ? pose.local[target].translation.data()
                                                            : pose.local[target].scale.data();
        sample_track(track, time, out);
    }
}

}  // namespace sinew
