#include <sinew/clip/compiled/compiled_clip.h>

#include <sinew/clip/compiled/clip_bytes.h>
#include <sinew/clip/compiled/clip_format.h>
#include <sinew/clip/compiled/code_items.h>
#include <sinew/clip/compiled/encode_segment.h>
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sinew {
namespace {

// Takes values off the front of some bytes; once it fails it gives zeros.
class ClipReader {
public:
    explicit ClipReader(ByteSpan bytes) : bytes_(bytes) {}
    template <class T>
    T take() {
        T value{};
        if (!has(sizeof(T))) return value;
        std::memcpy(&value, bytes_.data() + at_, sizeof(T));
        at_ += sizeof(T);
        return value;
    }
    // Floats, all finite, or failure.
    std::vector<float> take_floats(size_t count) {
        if (count > left() / sizeof(float)) return failed_ = true, std::vector<float>();
        std::vector<float> values(count);
        if (count > 0) std::memcpy(values.data(), bytes_.data() + at_, count * sizeof(float));
        at_ += count * sizeof(float);
        if (!std::ranges::all_of(values, [](float v) { return std::isfinite(v); })) failed_ = true;
        return values;
    }
    bool has(size_t count) {
        if (count > left()) failed_ = true;
        return !failed_;
    }
    void fail() { failed_ = true; }
    bool failed() const { return failed_; }
    size_t at() const { return at_; }
    size_t left() const { return bytes_.size() - at_; }
    const std::byte* here() const { return bytes_.data() + at_; }
    void skip(size_t count) { at_ += has(count) ? count : 0; }

private:
    ByteSpan bytes_;
    size_t at_ = 0;
    bool failed_ = false;
};

// False if what should stand still does not.
bool take_constants(const SegmentItems& items, std::span<Transform> base) {
    for (const auto& item : items) {
        if (!item || item->spline != SplineKind::constant) return false;
        const Transform part = constant_part(*item);
        if (item->kind == ItemKind::rotation) base[item->id].rotation = part.rotation;
        if (item->kind == ItemKind::translation) base[item->id].translation = part.translation;
        if (item->kind == ItemKind::scale) base[item->id].scale = part.scale;
    }
    return true;
}

void read_constant_floats(ClipReader& in, std::span<float> floats) {
    const size_t count = in.take<uint16_t>();
    std::vector<uint16_t> ids;
    for (size_t i = 0; i < count && !in.failed(); ++i) {
        ids.push_back(in.take<uint16_t>());
        if (ids.back() >= floats.size()) in.fail();
    }
    const std::vector<float> values = in.take_floats(ids.size());
    for (size_t i = 0; i < ids.size() && !in.failed(); ++i) floats[ids[i]] = values[i];
}

// The items of a sound group without knots.
void add_stills(const GroupView& g, int id_bytes, std::vector<CompiledClip::Still>& stills) {
    const SplineWeights whole = spline_weights(SplineKind::constant, 0, 0.0f);
    for (int k = 0; k < g.count; ++k) {
        CompiledClip::Still still{
            .values = {}, .id = static_cast<uint16_t>(g.id(k, id_bytes)), .kind = static_cast<uint8_t>(g.kind)};
        float v[item_components];
        decode_item(g, k, whole, v);
        if (g.kind == ItemKind::rotation)
            from_chart(g.chart(k), v, still.values);
        else
            std::copy_n(v, item_components, still.values);
        stills.push_back(still);
    }
}

CompiledClip::Group expanded(const GroupView& g, int id_bytes, size_t records) {
    CompiledClip::Group to{};
    to.records = static_cast<uint32_t>(records), to.stride = static_cast<uint8_t>(g.stride);
    to.kind = static_cast<uint8_t>(g.kind), to.spline = static_cast<uint8_t>(g.spline);
    to.count = static_cast<uint8_t>(g.count), to.intervals = static_cast<uint8_t>(g.intervals);
    int bit = 0;
    for (int c = 0; c < item_components; ++c) {
        const uint32_t codes = g.width_codes(c);
        const int window = bit / 8;
        to.windows[c] = static_cast<uint16_t>(window);
        for (int k = 0; k < g.count; ++k) {
            const int width = lane_widths[(codes >> (4 * k)) & 15], from = bit - 8 * window, shift = from & 7;
            to.masks[c][k] = ((1u << width) - 1) << shift;
            to.steps[c][k] = std::ldexp(step_of(load_value<uint8_t>(g.steps + k)), -shift);
            to.bases[c][k] = g.base(c, k);
            // Bytes past the window hold no bit of a code.
            for (int b = 0; b < 4; ++b) to.bytes[c][4 * k + b] = static_cast<uint8_t>((from / 8 + b) & 15);
            bit += width;
        }
        for (int k = g.count; k < group_items; ++k) {
            to.masks[c][k] = to.masks[c][0], to.steps[c][k] = to.steps[c][0], to.bases[c][k] = to.bases[c][0];
            std::copy_n(to.bytes[c], 4, to.bytes[c] + 4 * k);
        }
    }
    for (int k = 0; k < group_items; ++k) {
        const int item = k < g.count ? k : 0;
        to.ids[k] = static_cast<uint16_t>(g.id(item, id_bytes));
        if (g.kind != ItemKind::rotation) continue;
        to.charts[k] = static_cast<uint8_t>(g.chart(item));
        to.turned |= to.charts[k] != 3;
    }
    return to;
}

// The items of one segment, from the file's form to that which is sampled, at the end of `memory`.
void add_groups(const SegmentItems& items, int id_bytes, Bytes& memory, CompiledClip::Segment& segment,
                std::vector<CompiledClip::Group>& groups, std::vector<CompiledClip::Still>& stills) {
    std::vector<EncodedItem> there;
    for (const auto& item : items)
        if (item) there.push_back(*item);
    segment.offset = static_cast<uint32_t>(memory.size());
    segment.groups = pack_groups(std::move(there), id_bytes, memory);
    memory.resize(memory.size() + read_ahead);  // for the length of this function: kernels read past what they use
    const std::byte* at = memory.data() + segment.offset;
    for (uint32_t g = 0; g < segment.groups; ++g) {
        const GroupView group = group_at(at, id_bytes);
        if (group.spline == SplineKind::constant)
            add_stills(group, id_bytes, stills);
        else
            groups.push_back(expanded(group, id_bytes, static_cast<size_t>(group.records - memory.data())));
        at = group.end;
    }
    memory.resize(memory.size() - read_ahead);
}

Track read_raw_track(ClipReader& in) {
    const auto head = in.take<RawTrackHead>();
    if (head.path > static_cast<uint8_t>(TrackPath::morphs) ||
        head.interpolation > static_cast<uint8_t>(Interpolation::cubic))
        in.fail();
    Track track;
    if (in.failed()) return track;
    track.target = static_cast<int32_t>(std::min<uint32_t>(head.target, most_targets));
    track.path = static_cast<TrackPath>(head.path);
    track.interpolation = static_cast<Interpolation>(head.interpolation);
    track.width = head.width;
    track.times = in.take_floats(head.keys);
    if (!in.failed()) track.values = in.take_floats(head.keys * track.values_per_key());
    return track;
}

std::string take_name(ClipReader& in, size_t length) {
    if (!in.has(length)) return {};
    std::string name(reinterpret_cast<const char*>(in.here()), length);
    in.skip(length);
    return name;
}

void read_marks(ClipReader& in, const ClipHead& head, std::vector<ClipEvent>& events,
                std::vector<FloatTrack>& numbers) {
    for (size_t i = 0; i < head.events && !in.failed(); ++i) {
        const auto time = in.take<float>();
        events.push_back({time, take_name(in, in.take<uint16_t>())});
    }
    for (size_t i = 0; i < head.numbers && !in.failed(); ++i) {
        FloatTrack track;
        track.name = take_name(in, in.take<uint16_t>());
        const size_t keys = in.take<uint32_t>();
        track.times = in.take_floats(keys);
        if (!in.failed()) track.values = in.take_floats(keys);
        numbers.push_back(std::move(track));
    }
}

auto damaged(const ClipReader& in) {
    return fail(ErrorCode::invalid_data, "the compiled clip is damaged; compile the clip again",
                fmt::format("byte {}", in.at()));
}

}  // namespace

size_t CompiledClip::segment_at(float time) const {
    const auto after = std::upper_bound(starts_.begin() + 1, starts_.end(), time);
    return static_cast<size_t>(after - starts_.begin()) - 1;
}

size_t CompiledClip::memory() const {
    size_t bytes = memory_.size() + groups_.size() * sizeof(Group) + stills_.size() * sizeof(Still) +
                   segments_.size() * sizeof(Segment) + base_.size() * sizeof(Transform);
    for (const Track& track : raw_) bytes += (track.times.size() + track.values.size()) * sizeof(float);
    return bytes;
}

std::span<const ClipEvent> events_between(const CompiledClip& clip, float from, float to) {
    const auto before = [](const ClipEvent& event, float time) { return event.time < time; };
    const std::span<const ClipEvent> events = clip.events();
    const auto first = std::lower_bound(events.begin(), events.end(), from, before);
    return {first, std::lower_bound(first, events.end(), std::max(from, to), before)};
}

Result<CompiledClip> read_compiled_clip(ByteSpan bytes, const Skeleton& skeleton) {
    ClipReader in(bytes);
    const auto head = in.take<ClipHead>();
    if (in.failed() || std::memcmp(head.magic, ClipHead().magic, sizeof(head.magic)) != 0)
        return fail(ErrorCode::invalid_data, "these bytes are no compiled clip; give what CompiledClip::bytes() gave");
    if (head.version != ClipHead().version)
        return fail(ErrorCode::unsupported,
                    fmt::format("a compiled clip of version {}, and this is version {}; compile the clip again",
                                head.version, ClipHead().version));
    if (mark_bytes(bytes.subspan(checked_from)) != head.checksum) return damaged(in);
    if (head.joints != skeleton.size() || head.skeleton != skeleton_mark(skeleton))
        return fail(ErrorCode::invalid_argument, "the clip was compiled for another skeleton; compile it for this one");
    if (head.floats > most_targets || head.segments == 0 || head.segments > in.left() / sizeof(SegmentEntry) ||
        !(head.start <= head.end) || !std::isfinite(head.start) || !std::isfinite(head.end))
        return damaged(in);

    CompiledClip clip;
    clip.start_ = head.start, clip.end_ = head.end;
    clip.bound_ = head.bound, clip.shell_ = head.shell, clip.worst_error_ = head.worst_error;
    clip.id_bytes_ = std::max(head.joints, head.floats) <= 256 ? 1 : 2;
    clip.name_ = take_name(in, head.name_length);
    for (size_t i = 0; i < head.moving_floats && !in.failed(); ++i) {
        clip.moving_floats_.push_back(in.take<uint16_t>());
        if (clip.moving_floats_.back() >= head.floats) in.fail();
    }
    if (!in.has(head.coded_bytes)) return damaged(in);
    ItemReader items(ByteSpan(in.here(), head.coded_bytes), skeleton.rest());
    in.skip(head.coded_bytes);
    std::vector<JointPart> parts(3 * skeleton.size());
    SegmentItems segment_items;
    clip.base_ = skeleton.rest();
    if (!items.read_parts(parts)) return damaged(in);
    const std::vector<ItemSlot> still = constant_slots(parts);
    items.begin(still);
    if (!items.read_segment(still, segment_items) || !take_constants(segment_items, clip.base_)) return damaged(in);
    clip.base_floats_.assign(head.floats, NAN);
    read_constant_floats(in, clip.base_floats_);
    for (size_t f = 0; f < clip.base_floats_.size(); ++f)
        if (!std::isnan(clip.base_floats_[f])) clip.still_floats_.push_back(static_cast<uint16_t>(f));
    const std::vector<ItemSlot> slots = slots_of(parts, clip.moving_floats_.size());
    items.begin(slots);
    std::vector<SegmentEntry> entries;
    for (uint32_t s = 0; s < head.segments && !in.failed(); ++s) entries.push_back(in.take<SegmentEntry>());
    for (size_t s = 0; s < entries.size() && !in.failed(); ++s) {
        const SegmentEntry& entry = entries[s];
        const float end = s + 1 < entries.size() ? entries[s + 1].start : head.end;
        if (!std::isfinite(entry.start) || !(entry.start < end || head.segments == 1)) in.fail();
        if (s == 0 && entry.start != head.start) in.fail();
        CompiledClip::Segment segment{.start = entry.start,
                                      .per_second = end > entry.start ? 1.0f / (end - entry.start) : 0.0f,
                                      .first_group = static_cast<uint32_t>(clip.groups_.size()),
                                      .first_still = static_cast<uint32_t>(clip.stills_.size()),
                                      .first_raw = static_cast<uint32_t>(clip.raw_.size()),
                                      .raw_count = entry.raw_tracks};
        if (!std::isfinite(segment.per_second) || in.failed() || !items.read_segment(slots, segment_items)) {
            in.fail();
            break;
        }
        add_groups(segment_items, clip.id_bytes_, clip.memory_, segment, clip.groups_, clip.stills_);
        segment.group_count = static_cast<uint32_t>(clip.groups_.size()) - segment.first_group;
        segment.still_count = static_cast<uint32_t>(clip.stills_.size()) - segment.first_still;
        for (uint32_t r = 0; r < entry.raw_tracks && !in.failed(); ++r) clip.raw_.push_back(read_raw_track(in));
        clip.segments_.push_back(segment);
        clip.starts_.push_back(entry.start);
    }
    Clip raw{.name = clip.name_, .tracks = std::move(clip.raw_)};
    read_marks(in, head, raw.events, raw.floats);
    if (in.failed() || in.left() != 0) return damaged(in);
    SINEW_TRY_VOID(validate(raw, head.joints, head.floats));
    clip.raw_ = std::move(raw.tracks);
    clip.events_ = std::move(raw.events);
    clip.numbers_ = std::move(raw.floats);
    clip.bytes_.assign(bytes.begin(), bytes.end());
    clip.memory_.resize(clip.memory_.size() + read_ahead);
    return clip;
}

}  // namespace sinew
