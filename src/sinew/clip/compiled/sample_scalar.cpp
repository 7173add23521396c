#include <sinew/clip/compiled/compiled_clip.h>

#include <sinew/clip/clip.h>
#include <sinew/clip/compiled/clip_format.h>
#include <sinew/clip/compiled/kernels/clip_kernel.h>
#include <sinew/core/check.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

void put_item(const GroupView& g, int item, const SplineWeights& s, Transform& to) {
    float v[3];
    decode_item(g, item, s, v);
    if (g.kind == ItemKind::rotation)
        from_chart(g.chart(item), v, to.rotation.coeffs().data());
    else
        std::copy_n(v, 3, g.kind == ItemKind::translation ? to.translation.data() : to.scale.data());
}

void put_raw(const Track& track, float time, Transform& to) {
    float* out = track.path == TrackPath::rotation      ? to.rotation.coeffs().data()
                 : track.path == TrackPath::translation ? to.translation.data()
                                                        : to.scale.data();
    sample_track(track, time, out);
}

// Calls group(view, weights) for each group of the segment, then raw(track).
void each_group(const CompiledClip& clip, float time, const auto& group, const auto& raw) {
    const CompiledClip::Segment& segment = clip.segments()[clip.segment_at(time)];
    const std::byte* at = clip.data() + segment.offset;
    const float place = place_in_segment(segment, time);
    for (uint32_t k = 0; k < segment.groups; ++k) {
        const GroupView g = group_at(at, clip.id_bytes());
        group(g, spline_weights(g.spline, g.intervals, place));
        at = g.end;
    }
    for (const Track& track : clip.raw_tracks().subspan(segment.first_raw, segment.raw_count)) raw(track);
}

}  // namespace

void sample_scalar(const CompiledClip& clip, float time, Pose& pose) {
    SINEW_CHECK(pose.local.size() == clip.joint_count() && pose.morphs.size() >= clip.float_count());
    time = clamp_to_clip(clip, time);
    std::ranges::copy(clip.base(), pose.local.begin());
    for (size_t i = 0; i < clip.float_count(); ++i)
        if (!std::isnan(clip.base_floats()[i])) pose.morphs[i] = clip.base_floats()[i];
    each_group(
        clip, time,
        [&](const GroupView& g, const SplineWeights& s) {
            for (int item = 0; item < g.count; ++item) {
                const size_t id = g.id(item, clip.id_bytes());
                if (g.kind != ItemKind::floats) {
                    put_item(g, item, s, pose.local[id]);
                    continue;
                }
                float v[3];
                decode_item(g, item, s, v);
                const auto moving = clip.moving_floats();
                for (size_t c = 0; c < 3 && 3 * id + c < moving.size(); ++c) pose.morphs[moving[3 * id + c]] = v[c];
            }
        },
        [&](const Track& track) {
            if (track.path == TrackPath::morphs)
                sample_track(track, time, &pose.morphs[static_cast<size_t>(track.target)]);
            else
                put_raw(track, time, pose.local[static_cast<size_t>(track.target)]);
        });
}

void sample_joints(const CompiledClip& clip, float time, std::span<const int32_t> joints, std::span<Transform> out) {
    SINEW_CHECK(joints.size() == out.size());
    time = clamp_to_clip(clip, time);
    for (size_t i = 0; i < joints.size(); ++i) out[i] = clip.base()[static_cast<size_t>(joints[i])];
    const auto each_wanted = [&](size_t id, const auto& put) {
        for (size_t i = 0; i < joints.size(); ++i)
            if (static_cast<size_t>(joints[i]) == id) put(out[i]);
    };
    each_group(
        clip, time,
        [&](const GroupView& g, const SplineWeights& s) {
            if (g.kind == ItemKind::floats) return;
            for (int item = 0; item < g.count; ++item)
                each_wanted(g.id(item, clip.id_bytes()), [&](Transform& to) { put_item(g, item, s, to); });
        },
        [&](const Track& track) {
            if (track.path != TrackPath::morphs)
                each_wanted(static_cast<size_t>(track.target), [&](Transform& to) { put_raw(track, time, to); });
        });
}

}  // namespace sinew
