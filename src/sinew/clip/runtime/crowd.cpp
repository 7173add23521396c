#include <sinew/clip/runtime/crowd.h>

#include <sinew/clip/clip.h>
#include <sinew/clip/compiled/clip_format.h>
#include <sinew/clip/compiled/kernels/clip_kernel.h>
#include <sinew/clip/runtime/kernels/crowd_kernel.h>
#include <sinew/core/check.h>
#include <sinew/core/parallel.h>
#include <algorithm>
#include <cstring>
#include <numeric>

namespace sinew {
namespace {

constexpr size_t blocks_at_once = 16;       // of eight characters, by one thread
constexpr size_t streamed_bytes = 4 << 20;  // palettes larger than this are not kept in the caches

// Calls moved(kind, joint) for all that a clip moves, in any segment, by splines or raw keys.
void each_moved(const CompiledClip& clip, const auto& moved) {
    for (const CompiledClip::Segment& segment : clip.segments()) {
        const std::byte* at = clip.data() + segment.offset;
        for (uint32_t k = 0; k < segment.groups; ++k) {
            const GroupView g = group_at(at, clip.id_bytes());
            if (g.kind != ItemKind::floats)
                for (int item = 0; item < g.count; ++item) moved(g.kind, g.id(item, clip.id_bytes()));
            at = g.end;
        }
    }
    for (const Track& track : clip.raw_tracks()) {
        if (track.path == TrackPath::morphs) continue;
        moved(track.path == TrackPath::rotation      ? ItemKind::rotation
              : track.path == TrackPath::translation ? ItemKind::translation
                                                     : ItemKind::scale,
              static_cast<uint32_t>(track.target));
    }
}

void put_three(const Vec3& from, float* to) {
    std::memcpy(to, from.data(), 3 * sizeof(float));
}

}  // namespace

// What eight characters need while they are worked on. Cache lines of its own for each joint.
struct CrowdBlock {
    CrowdBlock(const Crowd& crowd, size_t layers, bool stream)
        : crowd_(crowd), stream_(stream), joints_(crowd.parents_.size()) {
        stage_.resize(crowd_lanes * crowd.inverse_bind_.size());
        buffer_ = std::make_unique_for_overwrite<float[]>(joints_ * (3 * layers * joint_floats + model_floats) + 16);
        const auto address = reinterpret_cast<uintptr_t>(buffer_.get());
        auto* at = reinterpret_cast<float*>((address + 63) / 64 * 64);
        const auto take = [&](size_t count) { return std::exchange(at, at + count); };
        job_.parents = crowd.parents_, job_.rest = crowd.rest_, job_.placed = crowd.placed_;
        job_.scaled = crowd.scaled_, job_.layers = layers;
        job_.first_slot = crowd.first_slot_, job_.slots = crowd.slots_, job_.inverse_bind = crowd.inverse_bind_;
        for (size_t l = 0; l < layers; ++l) {
            job_.rotations[l] = rotations_[l] = take(joints_ * joint_floats);
            job_.translations[l] = translations_[l] = take(joints_ * joint_floats);
            job_.scales[l] = scales_[l] = take(joints_ * joint_floats);
        }
        job_.model = take(joints_ * model_floats);
    }

    // Layers of up to eight characters; the last one stands in for those that are missing.
    void run(std::span<const CrowdLayer> layers, std::span<Affine> palettes) {
        const size_t each = job_.layers, count = layers.size() / each;
        for (size_t c = 0; c < crowd_lanes; ++c) {
            const auto own = layers.subspan(std::min(c, count - 1) * each, each);
            float sum = 0.0f;
            for (const CrowdLayer& layer : own) sum += layer.weight;
            size_t used = 0;
            for (size_t l = 1; l < each; ++l)
                if (own[l].weight > own[used].weight) used = l;
            for (size_t l = 0; l < each; ++l) {
                const bool weightless = !(own[l].weight > 0.0f);
                job_.weights[l][c] = sum > 0.0f ? own[l].weight / sum : l == 0 ? 1.0f : 0.0f;
                sample_into(own[weightless ? used : l], l, c);
            }
        }
        const bool staged = stream_ || count < crowd_lanes;
        job_.palettes = staged ? stage_.data() : palettes.data();
        crowd_kernel(job_);
        if (stream_)
            stream_out(stage_[0].data(), 12 * palettes.size(), palettes[0].data());
        else if (staged)
            std::copy_n(stage_.begin(), palettes.size(), palettes.begin());
    }

private:
    void sample_into(const CrowdLayer& layer, size_t l, size_t c) {
        const Crowd::ClipUse& use = crowd_.clips_[layer.clip];
        const CompiledClip& clip = *use.clip;
        const size_t place = 4 * place_of(c);
        float *rotations = rotations_[l] + place, *translations = translations_[l] + place,
              *scales = scales_[l] + place;
        // What a clip moves it writes at every moment; the rest is still there if the same clip was here before.
        if (std::exchange(played_[l][c], &clip) != &clip) {
            for (const uint16_t j : use.still_rotations)
                std::memcpy(rotations + j * joint_floats, clip.base()[j].rotation.coeffs().data(), 4 * sizeof(float));
            for (const uint16_t j : use.still_translations)
                put_three(clip.base()[j].translation, translations + j * joint_floats);
            for (const uint16_t j : use.still_scales) put_three(clip.base()[j].scale, scales + j * joint_floats);
        }
        const float time = clamp_to_clip(clip, layer.time);
        const CompiledClip::Segment& segment = clip.segments()[clip.segment_at(time)];
        floats_.resize(clip.float_count());
        sample_groups_kernel({.clip = &clip,
                              .segment = &segment,
                              .place = place_in_segment(segment, time),
                              .rotations = {rotations, joint_floats},
                              .translations = {translations, joint_floats},
                              .scales = {scales, joint_floats},
                              .floats = floats_.data()});
        for (const Track& track : clip.raw_tracks().subspan(segment.first_raw, segment.raw_count)) {
            if (track.path == TrackPath::morphs) continue;
            float* to = track.path == TrackPath::rotation      ? rotations
                        : track.path == TrackPath::translation ? translations
                                                               : scales;
            sample_track(track, time, to + static_cast<size_t>(track.target) * joint_floats);
        }
    }

    const Crowd& crowd_;
    const bool stream_;
    const size_t joints_;
    std::unique_ptr<float[]> buffer_;  // what is read was written before
    std::vector<float> floats_;
    std::vector<Affine> stage_;  // palettes on their way past the caches, or of fewer than eight characters
    const CompiledClip* played_[most_layers][crowd_lanes] = {};
    float *rotations_[most_layers] = {}, *translations_[most_layers] = {}, *scales_[most_layers] = {};
    CrowdJob job_;
};

Crowd::Crowd(const Skeleton& skeleton, std::span<const CompiledClip* const> clips, std::span<const int32_t> skin_joints,
             std::span<const Affine> inverse_bind)
    : parents_(skeleton.parents()),
      rest_(skeleton.rest()),
      placed_(skeleton.size(), 0),
      first_slot_(skeleton.size() + 1, 0),
      inverse_bind_(inverse_bind.begin(), inverse_bind.end()) {
    SINEW_CHECK(skin_joints.size() == inverse_bind.size());
    const size_t joints = skeleton.size();
    slots_.resize(skin_joints.size());
    std::iota(slots_.begin(), slots_.end(), 0u);
    std::ranges::stable_sort(slots_, {}, [&](uint32_t slot) { return skin_joints[slot]; });
    for (const int32_t j : skin_joints) ++first_slot_[static_cast<size_t>(j) + 1];
    std::partial_sum(first_slot_.begin(), first_slot_.end(), first_slot_.begin());
    for (const Transform& rest : rest_) scaled_ |= rest.scale != Vec3::Ones();
    std::vector<std::vector<std::array<bool, 3>>> moves;
    for (const CompiledClip* clip : clips) {
        SINEW_CHECK(clip->joint_count() == joints);
        moves.emplace_back(joints);
        for (size_t j = 0; j < joints; ++j) {
            const Transform& base = clip->base()[j];
            placed_[j] |= base.translation != rest_[j].translation || base.scale != rest_[j].scale;
            scaled_ |= base.scale != Vec3::Ones();
        }
        each_moved(*clip, [&](ItemKind kind, uint32_t j) {
            moves.back()[j][static_cast<size_t>(kind)] = true;
            if (kind != ItemKind::rotation) placed_[j] = 1;
            scaled_ |= kind == ItemKind::scale;
        });
    }
    for (size_t k = 0; k < clips.size(); ++k) {
        ClipUse use{.clip = clips[k], .still_rotations = {}, .still_translations = {}, .still_scales = {}};
        for (size_t j = 0; j < joints; ++j) {
            const auto [turned, moved, scaled] = moves[k][j];
            const auto joint = static_cast<uint16_t>(j);
            if (!turned) use.still_rotations.push_back(joint);
            if (!moved && placed_[j]) use.still_translations.push_back(joint);
            if (!scaled && placed_[j]) use.still_scales.push_back(joint);
        }
        clips_.push_back(std::move(use));
    }
}

void Crowd::palettes(std::span<const CrowdLayer> layers, size_t layers_each, std::span<Affine> palettes) const {
    SINEW_CHECK(layers_each >= 1 && layers_each <= most_layers && layers.size() % layers_each == 0);
    const size_t count = layers.size() / layers_each;
    SINEW_CHECK(palettes.size() == count * inverse_bind_.size());
    for (const CrowdLayer& layer : layers) SINEW_ASSERT(layer.clip < clips_.size());
    const size_t blocks = (count + crowd_lanes - 1) / crowd_lanes;
    const bool stream = palettes.size_bytes() > streamed_bytes;
    parallel_for(blocks, blocks_at_once, [&](size_t begin, size_t end) {
        CrowdBlock block(*this, layers_each, stream);
        for (size_t b = begin; b < end; ++b) {
            const size_t first = b * crowd_lanes, some = std::min(crowd_lanes, count - first);
            block.run(layers.subspan(first * layers_each, some * layers_each),
                      palettes.subspan(first * inverse_bind_.size(), some * inverse_bind_.size()));
        }
        if (stream) finish_streaming();
    });
}

}  // namespace sinew
