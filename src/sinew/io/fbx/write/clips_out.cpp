#include <fmt/format.h>

#include <sinew/io/fbx/scene_size.h>
#include <sinew/io/fbx/write/output.h>
#include <sinew/io/fbx/write/track_keys.h>
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>
#include <set>

namespace sinew::fbx {
namespace {

constexpr double written_ticks = 46186158000.0;
constexpr int32_t key_version = 4008;
constexpr int32_t attribute_constant = 0x2, attribute_linear = 0x4;
constexpr int32_t attribute_cubic = 0x8 | 0x400 | 0x800;  // with slopes of its own, which may differ on both sides
constexpr uint32_t plain_weights = 0x0d050d05;            // a third on both sides, in ten-thousandths
constexpr double same_slope = 1e-6;                       // of the largest: below it a piece is straight
constexpr size_t most_added_keys = 4'000'000;
constexpr double relative_move = 1e-5;  // of the character's size
constexpr float same_as_rest = 1e-6f;   // a tenth of what curves may be off
constexpr double percent_per_weight = 100.0;

int64_t ticks(double seconds) {
    return int64_t(std::llround(seconds * written_ticks));
}

struct KeyLook {
    int32_t flags = attribute_linear;
    float right = 0, next_left = 0;
    bool operator==(const KeyLook&) const = default;
};

// One number of the keys as a curve: keys that repeat what is there are left out where the curve stays level.
struct OutCurve {
    std::vector<int64_t> times;
    std::vector<float> values;
    std::vector<KeyLook> looks;

    OutCurve(const TrackKeys& keys, size_t component, double factor) {
        for (size_t k = 0; k < keys.times.size(); ++k) {
            const size_t at = k * keys.width + component;
            const int64_t time = ticks(keys.times[k]);
            if (!times.empty() && time <= times.back()) continue;
            times.push_back(time);
            values.push_back(float(keys.values[at] * factor));
            looks.push_back(look_of(keys, at, factor));
        }
        if (std::ranges::all_of(values, [&](float v) { return v == values[0]; }) && is_level()) {
            times.resize(1);
            values.resize(1);
            looks.assign(1, KeyLook{});
        }
    }

    bool is_level() const {
        return std::ranges::all_of(looks, [](const KeyLook& look) { return look.flags != attribute_cubic; });
    }

private:
    static KeyLook look_of(const TrackKeys& keys, size_t at, double factor) {
        if (keys.steps) return {attribute_constant, 0, 0};
        if (keys.right.empty() || at + keys.width >= keys.values.size()) return {};
        const size_t k = at / keys.width;
        const double seconds = keys.times[k + 1] - keys.times[k];
        const double chord = (keys.values[at + keys.width] - keys.values[at]) / seconds;
        const double right = keys.right[at], left = keys.next_left[at];
        const double largest = std::max({std::abs(chord), std::abs(right), std::abs(left)});
        if (std::max(std::abs(right - chord), std::abs(left - chord)) <= same_slope * std::max(1.0, largest)) return {};
        return {attribute_cubic, float(right * factor), float(left * factor)};
    }
};

Record curve_record(const Output& output, int64_t id, const OutCurve& curve) {
    Record record = output.object("AnimationCurve", id, "", "AnimCurve", "");
    record.add("Default", double(curve.values[0]));
    record.add("KeyVer", key_version);
    record.add("KeyTime", curve.times);
    record.add("KeyValueFloat", curve.values);
    std::vector<int32_t> flags, counts;
    std::vector<float> data;
    for (size_t k = 0; k < curve.looks.size(); ++k) {
        const KeyLook& look = curve.looks[k];
        if (k > 0 && look == curve.looks[k - 1]) {
            ++counts.back();
            continue;
        }
        flags.push_back(look.flags);
        counts.push_back(1);
        data.insert(data.end(), {look.right, look.next_left, std::bit_cast<float>(plain_weights), 0.0f});
    }
    record.add("KeyAttrFlags", flags);
    record.add("KeyAttrDataFloat", data);
    record.add("KeyAttrRefCount", counts);
    return record;
}

// What a track moves: a part of a joint, or the weights of an instance.
using Moved = std::pair<TrackPath, int32_t>;

struct Channel {
    std::string_view name, property;
    std::array<std::string_view, 3> components;
};

Channel channel_of(TrackPath path) {
    switch (path) {
        case TrackPath::translation:
            return {"T", "Lcl Translation", {"d|X", "d|Y", "d|Z"}};
        case TrackPath::rotation:
            return {"R", "Lcl Rotation", {"d|X", "d|Y", "d|Z"}};
        case TrackPath::scale:
            return {"S", "Lcl Scaling", {"d|X", "d|Y", "d|Z"}};
        case TrackPath::morphs:
            break;
    }
    return {"DeformPercent", "DeformPercent", {"d|DeformPercent", "", ""}};
}

class ClipWriter {
public:
    explicit ClipWriter(Output& output) : output_(output), rest_(rest_pose(output.character)) {
        size_ = scene_size(output.character);
        // A clip of the rest pose keeps its tracks, so that there is something of it.
        for (const Clip& clip : output.character.clips) {
            const bool rests = std::ranges::all_of(clip.tracks, [this](const Track& t) { return repeats_rest(t); });
            for (const Track& track : clip.tracks)
                if (rests || !repeats_rest(track)) moved_.insert({track.path, track.target});
        }
        for (size_t i = 0; i < output.character.instances.size(); ++i)
            instance_of_morph_[output.character.instances[i].first_morph] = i;
    }

    void write(const Clip& clip, const std::string& name) {
        const int64_t stack = output_.new_id(), end = ticks(double(duration(clip)));
        Record record = output_.object("AnimationStack", stack, name, "AnimStack", "");
        Record& properties = record.add("Properties70");
        for (const std::string_view property : {"LocalStart", "ReferenceStart"})
            properties.add("P", property, "KTime", "Time", "", int64_t(0));
        for (const std::string_view property : {"LocalStop", "ReferenceStop"})
            properties.add("P", property, "KTime", "Time", "", end);
        output_.objects.add(std::move(record));
        layer_ = output_.new_id();
        Record layer = output_.object("AnimationLayer", layer_, "BaseLayer", "AnimLayer", "");
        layer.add("Properties70");
        output_.objects.add(std::move(layer));
        output_.connect(layer_, stack);
        write_tracks(clip);
        Record& take = output_.takes.add("Take", name);
        take.add("FileName", name + ".tak");
        take.add("LocalTime", int64_t(0), end);
        take.add("ReferenceTime", int64_t(0), end);
    }

private:
    // Every clip says something of all that any clip moves: programs that play one after the other keep the last value.
    void write_tracks(const Clip& clip) {
        std::map<Moved, const Track*> tracks;
        for (const Track& track : clip.tracks) tracks.try_emplace({track.path, track.target}, &track);
        size_t budget = most_added_keys;
        for (const Moved& moved : moved_) {
            const auto found = tracks.find(moved);
            const Track rest = found == tracks.end() ? rest_track(moved) : Track{};
            const Track& track = found == tracks.end() ? rest : *found->second;
            if (moved.first == TrackPath::morphs)
                write_morphs(track, budget);
            else
                write_joint(track, budget);
        }
    }

    // Exporters write tracks for all there is, moving or not.
    bool repeats_rest(const Track& track) const {
        if (track.path == TrackPath::morphs) return false;
        const std::vector<float> rest = rest_track({track.path, track.target}).values;
        if (track.interpolation == Interpolation::cubic) return false;
        for (size_t i = 0; i < track.values.size(); ++i) {
            const float expected = rest[i % rest.size()];
            if (std::abs(track.values[i] - expected) > same_as_rest * std::max(1.0f, std::abs(expected))) return false;
        }
        return true;
    }

    Track rest_track(const Moved& moved) const {
        Track track;
        track.path = moved.first;
        track.target = moved.second;
        track.times = {0.0f};
        if (moved.first == TrackPath::morphs) {
            const MeshInstance& instance = output_.character.instances[instance_of_morph_.at(moved.second)];
            track.width = int32_t(morph_count(output_.character.meshes[size_t(instance.mesh)]));
            const auto first = rest_.morphs.begin() + moved.second;
            track.values.assign(first, first + track.width);
            return track;
        }
        const Transform& rest = rest_.local[size_t(moved.second)];
        track.width = moved.first == TrackPath::rotation ? 4 : 3;
        const float* from = moved.first == TrackPath::rotation      ? rest.rotation.coeffs().data()
                            : moved.first == TrackPath::translation ? rest.translation.data()
                                                                    : rest.scale.data();
        track.values.assign(from, from + track.width);
        return track;
    }

    void write_joint(const Track& track, size_t& budget) {
        const int32_t number = output_.outline.node_of_joint[size_t(track.target)];
        if (number < 0) return;
        const OutNode& node = output_.outline.nodes[size_t(number)];
        KeyTolerance tolerance;
        if (track.path == TrackPath::rotation) {
            const bool is_bone = node.kind == OutNode::Kind::bone;
            const Quatd before = is_bone ? Quatd(rest_.local[size_t(track.target)].rotation.cast<double>().normalized())
                                         : Quatd(Quatd::Identity());
            return write_curves(angle_keys(track, before, tolerance, budget), 1.0, track.path, node.id);
        }
        if (track.path == TrackPath::translation) tolerance.number = relative_move * size_;
        const double factor = track.path == TrackPath::translation ? centimetres : 1.0;
        write_curves(number_keys(track, tolerance, budget), factor, track.path, node.id);
    }

    void write_morphs(const Track& track, size_t& budget) {
        const auto instance = instance_of_morph_.find(track.target);
        if (instance == instance_of_morph_.end()) return;
        const std::vector<int64_t>& channels = output_.shape_channels[instance->second];
        const TrackKeys keys = number_keys(track, {}, budget);
        for (size_t t = 0; t < std::min(channels.size(), keys.width); ++t) {
            TrackKeys one;
            one.steps = keys.steps;
            one.times = keys.times;
            for (size_t k = 0; k < keys.times.size(); ++k) one.values.push_back(keys.values[k * keys.width + t]);
            write_curves(one, percent_per_weight, TrackPath::morphs, channels[t]);
        }
    }

    void write_curves(const TrackKeys& keys, double factor, TrackPath path, int64_t target) {
        const Channel channel = channel_of(path);
        const int64_t id = output_.new_id();
        Record node = output_.object("AnimationCurveNode", id, channel.name, "AnimCurveNode", "");
        Record& properties = node.add("Properties70");
        for (size_t i = 0; i < keys.width; ++i)
            properties.add("P", channel.components[i], "Number", "", "A", keys.values[i] * factor);
        output_.objects.add(std::move(node));
        output_.connect(id, layer_);
        output_.connect(id, target, channel.property);
        for (size_t i = 0; i < keys.width; ++i) {
            const int64_t curve = output_.new_id();
            output_.objects.add(curve_record(output_, curve, OutCurve(keys, i, factor)));
            output_.connect(curve, id, channel.components[i]);
        }
    }

    Output& output_;
    Pose rest_;
    double size_ = 1;
    std::set<Moved> moved_;
    std::map<int32_t, size_t> instance_of_morph_;
    int64_t layer_ = 0;
};

}  // namespace

int frame_rate(const Character& character) {
    constexpr std::array<int, 8> usual = {24, 25, 30, 48, 50, 60, 100, 120};
    constexpr int otherwise = 30;
    constexpr double near_a_frame = 0.02;  // of a frame
    for (const int rate : usual) {
        size_t on = 0, all = 0;
        for (const Clip& clip : character.clips)
            for (const Track& track : clip.tracks)
                for (const float time : track.times) {
                    const double frame = double(time) * rate;
                    on += std::abs(frame - std::round(frame)) < near_a_frame;
                    ++all;
                }
        if (all > 0 && 2 * on > all) return rate;
    }
    return otherwise;
}

void write_clips(Output& output) {
    ClipWriter writer(output);
    UniqueNames names;
    for (size_t c = 0; c < output.character.clips.size(); ++c) {
        const Clip& clip = output.character.clips[c];
        writer.write(clip, names.take(clip.name, fmt::format("clip_{}", c)));
    }
}

}  // namespace sinew::fbx
