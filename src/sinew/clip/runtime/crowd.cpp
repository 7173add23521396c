#include <sinew/clip/runtime/crowd.h>

#include <sinew/clip/clip.h>
#include <sinew/clip/compiled/clip_format.h>
#include <sinew/clip/compiled/kernels/clip_kernel.h>
#include <sinew/clip/runtime/kernels/crowd_kernel.h>
#include <sinew/core/check.h>
#include <sinew/core/parallel.h>
#include <algorithm>
#include <cstring>

namespace sinew {
namespace {

constexpr size_t blocks_at_once = 16;  // of eight characters, by one thread

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

void put_quad(const float* xyz, float* to) {
    to[0] = xyz[0], to[1] = xyz[1], to[2] = xyz[2];
}

}  // namespace

// What eight characters need while they are worked on. Cache lines of its own for each joint.
struct CrowdBlock {
    CrowdBlock(const Crowd& crowd, size_t layers) : crowd_(crowd), joints_(crowd.parents_.size()) {
        buffer_ = std::make_unique_for_overwrite<float[]>(joints_ * (3 * layers * joint_floats + model_floats) + 16);
        const auto address = reinterpret_cast<uintptr_t>(buffer_.get());
        auto* at = reinterpret_cast<float*>((address + 63) / 64 * 64);
        const auto take = [&](size_t count) { return std::exchange(at, at + count); };
        job_.parents = crowd.parents_, job_.rest = crowd.rest_, job_.placed = crowd.placed_;
        job_.scaled = crowd.scaled_, job_.layers = layers;
        job_.skin_joints = crowd.skin_joints_, job_.inverse_bind = crowd.inverse_bind_;
        for (size_t l = 0; l < layers; ++l) {
            job_.rotations[l] = rotations_[l] = take(joints_ * joint_floats);
            job_.translations[l] = translations_[l] = take(joints_ * joint_floats);
            job_.scales[l] = scales_[l] = take(joints_ * joint_floats);
        }
        job_.model = take(joints_ * model_floats);
    }

    // Layers of up to eight characters; the last one stands in for those that are missing.
    void run(std::span<const CrowdLayer> layers, std::span<Affine> palettes) {
        const size_t each = job_.layers, count = layers.size() / each, size = crowd_.skin_joints_.size();
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
                if (c < count) sample_into(own[weightless ? used : l], l, c);
            }
            job_.palettes[c] = c < count ? palettes.data() + c * size : nullptr;
        }
        for (size_t c = count; c < crowd_lanes; ++c) copy_character(count - 1, c);
        crowd_model_kernel(job_);
        crowd_palette_kernel(job_);
    }

private:
    void sample_into(const CrowdLayer& layer, size_t l, size_t c) {
        const Crowd::ClipUse& use = crowd_.clips_[layer.clip];
        const CompiledClip& clip = *use.clip;
        float *rotations = rotations_[l] + 4 * c, *translations = translations_[l] + 4 * c,
              *scales = scales_[l] + 4 * c;
        for (const uint16_t j : use.still)
            std::memcpy(rotations + j * joint_floats, clip.base()[j].rotation.coeffs().data(), 4 * sizeof(float));
        for (const uint16_t j : use.still_placed) {
            put_quad(clip.base()[j].translation.data(), translations + j * joint_floats);
            put_quad(clip.base()[j].scale.data(), scales + j * joint_floats);
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

    void copy_character(size_t from, size_t to) {
        for (size_t l = 0; l < job_.layers; ++l)
            for (float* all : {rotations_[l], translations_[l], scales_[l]})
                for (size_t j = 0; j < joints_; ++j)
                    std::memcpy(all + j * joint_floats + 4 * to, all + j * joint_floats + 4 * from, 4 * sizeof(float));
    }

    const Crowd& crowd_;
    const size_t joints_;
    std::unique_ptr<float[]> buffer_;  // what is read was written before
    std::vector<float> floats_;
    float *rotations_[most_layers] = {}, *translations_[most_layers] = {}, *scales_[most_layers] = {};
    CrowdJob job_;
};

Crowd::Crowd(const Skeleton& skeleton, std::span<const CompiledClip* const> clips, std::span<const int32_t> skin_joints,
             std::span<const Affine> inverse_bind)
    : parents_(skeleton.parents()),
      rest_(skeleton.rest()),
      placed_(skeleton.size(), 0),
      skin_joints_(skin_joints.begin(), skin_joints.end()),
      inverse_bind_(inverse_bind.begin(), inverse_bind.end()) {
    SINEW_CHECK(skin_joints.size() == inverse_bind.size());
    const size_t joints = skeleton.size();
    for (const Transform& rest : rest_) scaled_ |= rest.scale != Vec3::Ones();
    std::vector<std::vector<uint8_t>> turned;
    for (const CompiledClip* clip : clips) {
        SINEW_CHECK(clip->joint_count() == joints);
        turned.emplace_back(joints, 0);
        for (size_t j = 0; j < joints; ++j) {
            const Transform& base = clip->base()[j];
            placed_[j] |= base.translation != rest_[j].translation || base.scale != rest_[j].scale;
            scaled_ |= base.scale != Vec3::Ones();
        }
        each_moved(*clip, [&](ItemKind kind, uint32_t j) {
            if (kind == ItemKind::rotation) turned.back()[j] = 1;
            if (kind != ItemKind::rotation) placed_[j] = 1;
            scaled_ |= kind == ItemKind::scale;
        });
    }
    for (size_t k = 0; k < clips.size(); ++k) {
        ClipUse use{.clip = clips[k], .still = {}, .still_placed = {}};
        for (size_t j = 0; j < joints; ++j) {
            if (!turned[k][j]) use.still.push_back(static_cast<uint16_t>(j));
            // Splines of the segment overwrite what they move.
            if (placed_[j]) use.still_placed.push_back(static_cast<uint16_t>(j));
        }
        clips_.push_back(std::move(use));
    }
}

void Crowd::palettes(std::span<const CrowdLayer> layers, size_t layers_each, std::span<Affine> palettes) const {
    SINEW_CHECK(layers_each >= 1 && layers_each <= most_layers && layers.size() % layers_each == 0);
    const size_t count = layers.size() / layers_each;
    SINEW_CHECK(palettes.size() == count * skin_joints_.size());
    for (const CrowdLayer& layer : layers) SINEW_ASSERT(layer.clip < clips_.size());
    const size_t blocks = (count + crowd_lanes - 1) / crowd_lanes;
    parallel_for(blocks, blocks_at_once, [&](size_t begin, size_t end) {
        CrowdBlock block(*this, layers_each);
        for (size_t b = begin; b < end; ++b) {
            const size_t first = b * crowd_lanes, some = std::min(crowd_lanes, count - first);
            block.run(layers.subspan(first * layers_each, some * layers_each),
                      palettes.subspan(first * skin_joints_.size(), some * skin_joints_.size()));
        }
    });
}

}  // namespace sinew
