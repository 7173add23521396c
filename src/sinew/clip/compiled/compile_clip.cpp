#include <sinew/clip/compiled/compiled_clip.h>

#include <sinew/clip/clip.h>
#include <sinew/clip/compiled/clip_bytes.h>
#include <sinew/clip/compiled/code_items.h>
#include <sinew/clip/compiled/encode_segment.h>
#include <sinew/clip/compiled/shell_error.h>
#include <sinew/core/parallel.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace sinew {
namespace {

constexpr double constant_share = 0.01;  // of the bound: what moves less than this does not move
constexpr double retry_share = 0.94;     // of the bound, each time the decoder finds an error that the encoder missed
constexpr double allowed = 0.985;        // of the bound, where it is measured: elsewhere it may be a little more
constexpr int retries_before_cut = 2;
constexpr int most_retries = 6;  // then the segment's keys are kept as they are

double largest_change(const Transform& a, const Transform& b, ItemKind kind) {
    switch (kind) {
        case ItemKind::rotation: {
            // Twice the chord of the quaternions. By their product it would be 6e-4 for equal ones: floats are not
            // unit.
            const Quatd p = a.rotation.cast<double>().normalized(), q = b.rotation.cast<double>().normalized();
            return 2.0 * std::min((p.coeffs() - q.coeffs()).norm(), (p.coeffs() + q.coeffs()).norm());
        }
        case ItemKind::translation:
            return (a.translation - b.translation).cast<double>().norm();
        default:
            return (a.scale - b.scale).cast<double>().norm();
    }
}

void set_part(const Transform& from, ItemKind kind, Transform& to) {
    if (kind == ItemKind::rotation) to.rotation = from.rotation;
    if (kind == ItemKind::translation) to.translation = from.translation;
    if (kind == ItemKind::scale) to.scale = from.scale;
}

struct FoundMovers {
    Movers movers;
    std::vector<JointPart> parts;  // three a joint
    SegmentItems constants;        // of those that do not move, and are not at rest
    std::vector<uint16_t> constant_floats;
};

ItemTarget target_of(const Transform& value, ItemKind kind) {
    ItemTarget target;
    target.kind = kind;
    if (kind == ItemKind::rotation) {
        target.rotations = {value.rotation.cast<double>().normalized()};
        to_chart(target);
    } else {
        const Vec3& v = kind == ItemKind::scale ? value.scale : value.translation;
        target.values = {{v.x(), v.y(), v.z()}};
    }
    return target;
}

// What moves, what stands still elsewhere than at rest, and what is at rest. `levers`: how far a joint's turning
// reaches.
FoundMovers find_movers(const Clip& clip, const Skeleton& skeleton, size_t float_count,
                        const std::vector<SegmentPlan>& plans, const std::vector<double>& levers,
                        const CompileOptions& options) {
    const size_t joints = skeleton.size();
    FoundMovers found;
    Movers& m = found.movers;
    m.rest.local = skeleton.rest(), m.rest.morphs.assign(float_count, 0.0f);
    m.base = m.rest;
    sample(clip, plans[0].start, m.base);
    m.joints.assign(joints, {});
    const double tolerance = constant_share * options.bound;
    const auto tolerance_of = [&](size_t j, ItemKind kind) {
        return kind == ItemKind::translation ? tolerance : tolerance / levers[j];
    };
    std::vector<bool> moving(float_count), driven(float_count);
    Pose pose = m.rest;
    for (const SegmentPlan& plan : plans)
        for (const float time : plan.times) {
            sample(clip, time, pose);
            for (size_t j = 0; j < joints; ++j)
                for (const ItemKind kind : joint_kinds)
                    if (largest_change(pose.local[j], m.base.local[j], kind) > tolerance_of(j, kind))
                        m.joints[j][static_cast<size_t>(kind)] = true;
            for (size_t f = 0; f < float_count; ++f)
                if (std::abs(pose.morphs[f] - m.base.morphs[f]) > constant_share * options.float_bound)
                    moving[f] = true;
        }
    for (size_t j = 0; j < joints; ++j)
        for (const ItemKind kind : joint_kinds) {
            bool& moves = m.joints[j][static_cast<size_t>(kind)];
            Transform& base = m.base.local[j];
            const bool rests = !moves && largest_change(base, m.rest.local[j], kind) <= tolerance_of(j, kind);
            if (rests) set_part(m.rest.local[j], kind, base);
            EncodedItem item;
            item.id = static_cast<uint32_t>(j);
            // What cannot be written exactly enough as a constant is left to the segments, which may keep its keys.
            if (!rests && !moves && !encode_constant(target_of(base, kind), tolerance_of(j, kind), item)) moves = true;
            if (!rests && !moves) {
                set_part(constant_part(item), kind, base);
                found.constants.push_back(item);
            }
            found.parts.push_back(moves ? JointPart::moving : rests ? JointPart::at_rest : JointPart::constant);
        }
    for (const Track& track : clip.tracks)
        if (track.path == TrackPath::morphs)
            for (int32_t i = 0; i < track.width; ++i) driven[static_cast<size_t>(track.target + i)] = true;
    for (size_t f = 0; f < float_count; ++f)
        if (driven[f]) (moving[f] ? m.floats : found.constant_floats).push_back(static_cast<uint16_t>(f));
    return found;
}

std::vector<double> subtree_reach(const Skeleton& skeleton, double shell) {
    std::vector<double> reach(skeleton.size(), shell);
    for (size_t j = skeleton.size(); j-- > 0;)
        if (skeleton.parents()[j] >= 0) {
            double& parent = reach[static_cast<size_t>(skeleton.parents()[j])];
            parent = std::max(parent, static_cast<double>(skeleton.rest()[j].translation.norm()) + reach[j]);
        }
    return reach;
}

void write_constant_floats(const FoundMovers& found, Bytes& to) {
    append(to, static_cast<uint16_t>(found.constant_floats.size()));
    for (const uint16_t f : found.constant_floats) append(to, f);
    for (const uint16_t f : found.constant_floats) append(to, found.movers.base.morphs[f]);
}

// The segment's items by slot. They come in the slots' order; those that are missing are raw.
SegmentItems by_slot(const std::vector<ItemSlot>& slots, const EncodedSegment& segment) {
    SegmentItems items(slots.size());
    size_t next = 0;
    for (size_t i = 0; i < slots.size() && next < segment.items.size(); ++i) {
        const EncodedItem& item = segment.items[next];
        if (item.kind == slots[i].kind && item.id == slots[i].id) items[i] = item, ++next;
    }
    return items;
}

void write_raw(const Track& track, Bytes& to) {
    append(to, RawTrackHead{.path = static_cast<uint8_t>(track.path),
                            .interpolation = static_cast<uint8_t>(track.interpolation),
                            .width = static_cast<uint16_t>(track.width),
                            .target = static_cast<uint32_t>(track.target),
                            .keys = static_cast<uint32_t>(track.times.size())});
    for (const float time : track.times) append(to, time);
    for (const float value : track.values) append(to, value);
}

void write_name(const std::string& name, Bytes& to) {
    append(to, static_cast<uint16_t>(name.size()));
    const ByteSpan text = as_byte_span(name);
    to.insert(to.end(), text.begin(), text.end());
}

void write_marks(const Clip& clip, Bytes& to) {
    for (const ClipEvent& event : clip.events) {
        append(to, event.time);
        write_name(event.name, to);
    }
    for (const FloatTrack& track : clip.floats) {
        write_name(track.name, to);
        append(to, static_cast<uint32_t>(track.times.size()));
        for (const float time : track.times) append(to, time);
        for (const float value : track.values) append(to, value);
    }
}

Bytes assemble(ClipHead head, const Clip& clip, const FoundMovers& found, const std::vector<SegmentPlan>& plans,
               const std::vector<EncodedSegment>& segments) {
    Bytes bytes(sizeof(ClipHead));
    const auto text = as_byte_span(clip.name).first(head.name_length);
    bytes.insert(bytes.end(), text.begin(), text.end());
    for (const uint16_t f : found.movers.floats) append(bytes, f);
    const std::vector<ItemSlot> slots = slots_of(found.parts, found.movers.floats.size());
    WrittenItems items{found.parts, found.movers.floats.size(), found.constants, {}};
    for (const EncodedSegment& segment : segments) items.segments.push_back(by_slot(slots, segment));
    const Bytes coded = write_items(std::move(items), found.movers.rest.local);
    head.coded_bytes = static_cast<uint32_t>(coded.size());
    bytes.insert(bytes.end(), coded.begin(), coded.end());
    write_constant_floats(found, bytes);
    for (size_t s = 0; s < segments.size(); ++s)
        append(bytes,
               SegmentEntry{.start = plans[s].start, .raw_tracks = static_cast<uint32_t>(segments[s].raw.size())});
    for (const EncodedSegment& segment : segments)
        for (const Track& track : segment.raw) write_raw(track, bytes);
    write_marks(clip, bytes);
    std::memcpy(bytes.data(), &head, sizeof(head));
    head.checksum = mark_bytes(ByteSpan(bytes).subspan(checked_from));
    std::memcpy(bytes.data(), &head, sizeof(head));
    return bytes;
}

struct Measured {
    double joints = 0.0, floats = 0.0;
};

// Keeps what measuring needs from one time to the next.
class ErrorMeter {
public:
    ErrorMeter(const Clip& clip, const CompiledClip& compiled, const Skeleton& skeleton)
        : clip_(clip), compiled_(compiled), skeleton_(skeleton) {
        rest_.local = skeleton.rest(), rest_.morphs.assign(compiled.float_count(), 0.0f);
        wanted_ = got_ = rest_;
        model_.resize(skeleton.size()), decoded_.resize(skeleton.size());
    }
    Measured at(float time) {
        wanted_ = rest_;
        got_.morphs = rest_.morphs;
        sample(clip_, time, wanted_);
        sample_scalar(compiled_, time, got_);
        local_to_world(skeleton_.parents(), wanted_.local, model_);
        local_to_world(skeleton_.parents(), got_.local, decoded_);
        Measured worst;
        for (size_t j = 0; j < model_.size(); ++j)
            if (shell_error_may_reach(model_[j], decoded_[j], compiled_.shell(), worst.joints))
                worst.joints = std::max(worst.joints, shell_error(model_[j], decoded_[j], compiled_.shell()));
        for (size_t f = 0; f < wanted_.morphs.size(); ++f)
            worst.floats = std::max(worst.floats, static_cast<double>(std::abs(wanted_.morphs[f] - got_.morphs[f])));
        return worst;
    }

private:
    const Clip& clip_;
    const CompiledClip& compiled_;
    const Skeleton& skeleton_;
    Pose rest_, wanted_, got_;
    std::vector<AffineD> model_, decoded_;
};

struct Piece {
    SegmentPlan plan;
    EncodedSegment encoded;
    int tries = 0;
    bool open = true;  // to be encoded, again
    Measured worst = {};
    bool measured = false;  // `worst` is that of `encoded`
};

// Where the encoder looked, and at fifths of the way there.
Measured measure_piece(ErrorMeter& meter, const SegmentPlan& plan) {
    Measured worst;
    for (size_t i = 0; i < plan.times.size(); ++i) {
        const float to = plan.times[i], from = plan.times[i > 0 ? i - 1 : 0];
        for (const float part : {0.2f, 0.4f, 0.6f, 0.8f, 1.0f}) {
            const Measured now = meter.at(from + part * (to - from));
            worst.joints = std::max(worst.joints, now.joints);
            worst.floats = std::max(worst.floats, now.floats);
        }
    }
    return worst;
}

// Cuts pieces that were not encoded within the bound, or failed too often when they were measured. False if none was.
bool cut_pieces(const Clip& clip, const Pose& rest, std::vector<Piece>& pieces) {
    std::vector<Piece> next;
    bool cut = false;
    for (Piece& piece : pieces) {
        const bool failed = !piece.encoded.kept || (piece.open && piece.tries >= retries_before_cut);
        if (!failed || piece.plan.intervals < 2) {
            next.push_back(std::move(piece));
            continue;
        }
        cut = true;
        for (SegmentPlan& part : split_segment(clip, rest, piece.plan))
            next.push_back({.plan = std::move(part), .encoded = {}});
    }
    pieces = std::move(next);
    return cut;
}

// Encodes what is open. Pieces that cannot be are cut until they can.
void encode_open(const Clip& clip, const Skeleton& skeleton, const Movers& movers, const CompileOptions& options,
                 std::vector<Piece>& pieces) {
    cut_pieces(clip, movers.rest, pieces);
    do {
        parallel_for(pieces.size(), 1, [&](size_t begin, size_t end) {
            for (size_t s = begin; s < end; ++s) {
                Piece& piece = pieces[s];
                if (!std::exchange(piece.open, false)) continue;
                piece.measured = false;
                const double bound = options.bound * std::pow(retry_share, piece.tries);
                piece.encoded =
                    encode_segment(clip, skeleton, piece.plan, movers, options, bound, piece.tries >= most_retries);
            }
        });
    } while (cut_pieces(clip, movers.rest, pieces));
}

Result<void> check_compile_input(const Clip& clip, const Skeleton& skeleton, size_t float_count,
                                 const CompileOptions& options) {
    SINEW_TRY_VOID(validate(clip, skeleton.size(), float_count));
    if (skeleton.size() > most_targets || float_count > most_targets)
        return fail(ErrorCode::limit_exceeded,
                    fmt::format("a compiled clip moves at most {} joints and as many floats", most_targets));
    const auto fits = [](const auto& mark) { return mark.name.size() <= most_marks; };
    if (clip.events.size() > most_marks || clip.floats.size() > most_marks || !std::ranges::all_of(clip.events, fits) ||
        !std::ranges::all_of(clip.floats, fits))
        return fail(
            ErrorCode::limit_exceeded,
            fmt::format("a compiled clip has at most {} events, as many numbers, and names as long", most_marks));
    const auto positive = [](double value) { return std::isfinite(value) && value > 0.0; };
    if (!positive(options.bound) || !positive(options.shell) || !positive(options.float_bound) ||
        !positive(options.segment_seconds))
        return fail(ErrorCode::invalid_argument,
                    "the bounds, the shell and the segments of a compiled clip are positive numbers");
    return {};
}

}  // namespace

double model_error(const Clip& clip, const CompiledClip& compiled, const Skeleton& skeleton, float time) {
    return ErrorMeter(clip, compiled, skeleton).at(time).joints;
}

Result<CompiledClip> compile_clip(const Clip& clip, const Skeleton& skeleton, size_t float_count,
                                  const CompileOptions& options) {
    SINEW_TRY_VOID(check_compile_input(clip, skeleton, float_count, options));
    Pose rest{.local = skeleton.rest(), .morphs = std::vector<float>(float_count)};
    const std::vector<SegmentPlan> first_plans = plan_segments(clip, rest, options.segment_seconds);
    const FoundMovers found =
        find_movers(clip, skeleton, float_count, first_plans, subtree_reach(skeleton, options.shell), options);
    std::vector<Piece> pieces;
    for (const SegmentPlan& plan : first_plans) pieces.push_back({.plan = plan, .encoded = {}});

    ClipHead head;
    head.skeleton = skeleton_mark(skeleton);
    head.joints = static_cast<uint16_t>(skeleton.size()), head.floats = static_cast<uint16_t>(float_count);
    head.start = first_plans.front().start, head.end = first_plans.back().end;
    head.bound = static_cast<float>(options.bound), head.shell = static_cast<float>(options.shell);
    head.name_length = static_cast<uint16_t>(std::min<size_t>(clip.name.size(), UINT16_MAX));
    head.moving_floats = static_cast<uint16_t>(found.movers.floats.size());
    head.events = static_cast<uint16_t>(clip.events.size());
    head.numbers = static_cast<uint16_t>(clip.floats.size());

    while (true) {
        encode_open(clip, skeleton, found.movers, options, pieces);
        std::vector<SegmentPlan> plans;
        std::vector<EncodedSegment> segments;
        for (const Piece& piece : pieces) plans.push_back(piece.plan), segments.push_back(piece.encoded);
        head.segments = static_cast<uint32_t>(plans.size());
        SINEW_TRY(CompiledClip compiled, read_compiled_clip(assemble(head, clip, found, plans, segments), skeleton));
        // Only what is new is measured; the other pieces' bytes are what they were.
        parallel_for(plans.size(), 1, [&](size_t begin, size_t end) {
            std::optional<ErrorMeter> meter;
            for (size_t s = begin; s < end; ++s) {
                if (std::exchange(pieces[s].measured, true)) continue;
                if (!meter) meter.emplace(clip, compiled, skeleton);
                pieces[s].worst = measure_piece(*meter, plans[s]);
            }
        });
        bool again = false;
        double most = 0.0;
        for (Piece& piece : pieces) {
            most = std::max(most, piece.worst.joints);
            piece.open = (piece.worst.joints > allowed * options.bound || piece.worst.floats > options.float_bound) &&
                         piece.tries < most_retries;
            piece.tries += piece.open;
            again |= piece.open;
        }
        if (again) continue;
        head.worst_error = static_cast<float>(most);
        return read_compiled_clip(assemble(head, clip, found, plans, segments), skeleton);
    }
}

}  // namespace sinew
