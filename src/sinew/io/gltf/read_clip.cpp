#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <sinew/io/gltf/accessor.h>
#include <sinew/io/gltf/parts.h>

namespace sinew::gltf {
namespace {

Result<Interpolation> interpolation_of(const Json& sampler, const std::string& path) {
    const std::string text = text_at(sampler, "interpolation", "LINEAR");
    if (text == "LINEAR") return Interpolation::linear;
    if (text == "STEP") return Interpolation::step;
    if (text == "CUBICSPLINE") return Interpolation::cubic;
    return wrong(path + "/interpolation", "the interpolation is none of LINEAR, STEP, CUBICSPLINE");
}

// Where a channel's values go; nothing for what Sinew leaves to the document.
bool aim(Context& context, const ClipTargets& targets, const Json& channel, const std::string& path, Track& track) {
    const Json& target = channel["target"];
    const int32_t node = index_at(target, "node");
    const std::string what = text_at(target, "path");
    if (node < 0) return false;
    track.target = targets.joint_of_node[static_cast<size_t>(node)];
    track.width = what == "rotation" ? 4 : 3;
    if (what == "translation") {
        track.path = TrackPath::translation;
    } else if (what == "rotation") {
        track.path = TrackPath::rotation;
    } else if (what == "scale") {
        track.path = TrackPath::scale;
    } else if (what == "weights") {
        const MorphRange range = targets.morphs_of_node[static_cast<size_t>(node)];
        if (range.count == 0) {
            context.warnings.push_back(path +
                                       ": the channel moves morph weights of a node that has none; it was left out");
            return false;
        }
        track.path = TrackPath::morphs;
        track.target = range.first;
        track.width = range.count;
    } else {
        return false;
    }
    return true;
}

Result<std::vector<float>> read_all(Context& context, size_t accessor_index, size_t components,
                                    const std::string& path) {
    SINEW_TRY(const Accessor accessor, open_accessor(context.document, accessor_index));
    if (accessor.components != components) return wrong(path, "the accessor has the wrong type for this channel");
    if (accessor.count > context.limits.max_keys - std::min(context.keys, context.limits.max_keys)) {
        return fail(
            ErrorCode::limit_exceeded,
            fmt::format("the file has more than {} animation keys, which is the limit", context.limits.max_keys), path);
    }
    context.keys += accessor.count;
    std::vector<float> values(accessor.count * components);
    read_floats(accessor, values);
    return values;
}

// Keys in order of time, each later than the one before: equal times move apart by the smallest step a float has, so
// that a jump stays a jump.
Result<void> order_keys(Context& context, Track& track, const std::string& path) {
    std::vector<float>& times = track.times;
    for (const float time : times) {
        if (!std::isfinite(time)) return wrong(path + "/input", "a key's time is not finite");
    }
    if (std::adjacent_find(times.begin(), times.end(), std::greater_equal<>()) == times.end()) return {};
    context.repaired(path + "/input", "the keys' times do not increase; the keys were put in order");
    std::vector<size_t> order(times.size());
    std::iota(order.begin(), order.end(), size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) { return times[a] < times[b]; });
    const size_t width = track.values_per_key();
    std::vector<float> sorted_times(times.size()), sorted_values(track.values.size());
    for (size_t k = 0; k < order.size(); ++k) {
        float time = times[order[k]];
        if (k > 0 && time <= sorted_times[k - 1]) time = std::nextafter(sorted_times[k - 1], INFINITY);
        sorted_times[k] = time;
        std::copy_n(track.values.begin() + static_cast<ptrdiff_t>(order[k] * width), width,
                    sorted_values.begin() + static_cast<ptrdiff_t>(k * width));
    }
    if (!std::isfinite(sorted_times.back())) return wrong(path + "/input", "a key's time is too large");
    times = std::move(sorted_times);
    track.values = std::move(sorted_values);
    return {};
}

// Rotation keys must be unit quaternions for slerp to mean anything.
void mend_rotations(Context& context, Track& track, const std::string& path) {
    const size_t per_key = track.values_per_key(), offset = track.interpolation == Interpolation::cubic ? 4 : 0;
    bool mended = false;
    for (size_t i = offset; i + 4 <= track.values.size(); i += per_key) {
        Eigen::Map<Eigen::Vector4f> q(track.values.data() + i);
        const double length = q.cast<double>().norm();
        if (std::abs(length - 1.0) <= 5e-3) continue;
        mended = true;
        if (length < 1e-12) {
            q = Eigen::Vector4f(0, 0, 0, 1);
        } else {
            q = (q.cast<double>() / length).cast<float>();
        }
    }
    if (mended) context.repaired(path + "/output", "some quaternions do not have length 1; they were normalised");
}

// Morph outputs whose number per key is not the mesh's number of targets are cut or filled with zeros.
void fit_width(Context& context, Track& track, size_t per_key, const std::string& path) {
    const size_t wanted = track.values_per_key(), groups = track.interpolation == Interpolation::cubic ? 3 : 1;
    if (per_key == wanted) return;
    context.repaired(path + "/output",
                     "the number of values is not the number of morph targets; values were cut off or added as 0");
    const size_t old_width = per_key / groups, width = wanted / groups, keys = track.times.size();
    std::vector<float> values(keys * wanted, 0.0f);
    for (size_t g = 0; g < keys * groups; ++g) {
        std::copy_n(track.values.begin() + static_cast<ptrdiff_t>(g * old_width), std::min(old_width, width),
                    values.begin() + static_cast<ptrdiff_t>(g * width));
    }
    track.values = std::move(values);
}

Result<void> read_keys(Context& context, const Json& sampler, const std::string& path, Track& track) {
    SINEW_TRY(track.interpolation, interpolation_of(sampler, path));
    SINEW_TRY(track.times, read_all(context, count_at(sampler, "input"), 1, path + "/input"));
    const bool morphs = track.path == TrackPath::morphs;
    SINEW_TRY(track.values, read_all(context, count_at(sampler, "output"),
                                     morphs ? 1 : static_cast<size_t>(track.width), path + "/output"));
    const size_t keys = track.times.size(), groups = track.interpolation == Interpolation::cubic ? 3 : 1;
    if (keys == 0) return {};
    const size_t per_key = track.values.size() / keys;
    const bool fits = morphs ? per_key >= groups && per_key % groups == 0 : per_key == track.values_per_key();
    if (!fits || track.values.size() % keys != 0) {
        return wrong(path + "/output", fmt::format("there are {} values for {} keys", track.values.size(), keys));
    }
    if (morphs && track.values_per_key() > context.limits.max_keys / keys) {
        return fail(ErrorCode::limit_exceeded, "the animation has too many morph targets and keys; shorten it", path);
    }
    if (morphs) fit_width(context, track, per_key, path);
    for (const float value : track.values) {
        if (!std::isfinite(value)) return wrong(path + "/output", "a key's value is not finite");
    }
    if (track.path == TrackPath::rotation) mend_rotations(context, track, path);
    return order_keys(context, track, path);
}

// What Sinew keeps in an animation's extras: {"events": [{"time", "name"}], "floats": [{"name", "times", "values"}]}.
// Others keep other things there under the same names: what does not look like this is none of ours.
void read_marks(const Json& extras, Clip& clip) {
    for (const Json& event : array_at(extras, "events")) {
        const Json &time = member(event, "time"), &name = member(event, "name");
        if (!time.is_number() || !name.is_string() || !std::isfinite(time.get<float>())) continue;
        clip.events.push_back({time.get<float>(), name.get<std::string>()});
    }
    std::stable_sort(clip.events.begin(), clip.events.end(),
                     [](const ClipEvent& a, const ClipEvent& b) { return a.time < b.time; });
    for (const Json& number : array_at(extras, "floats")) {
        const Json& name = member(number, "name");
        FloatTrack track;
        for (const Json& time : array_at(number, "times"))
            track.times.push_back(time.is_number() ? time.get<float>() : NAN);
        for (const Json& value : array_at(number, "values"))
            track.values.push_back(value.is_number() ? value.get<float>() : NAN);
        const auto finite = [](float x) { return std::isfinite(x); };
        const bool sound = name.is_string() && !track.times.empty() && track.times.size() == track.values.size() &&
                           std::ranges::all_of(track.times, finite) && std::ranges::all_of(track.values, finite) &&
                           std::ranges::adjacent_find(track.times, std::greater_equal<>()) == track.times.end();
        if (!sound) continue;
        track.name = name.get<std::string>();
        clip.floats.push_back(std::move(track));
    }
}

// A VRM animation moves a node along x for each expression of a face: such a track is also a number of that name.
void read_expressions(const Json& document, const ClipTargets& targets, Clip& clip) {
    const Json& extension = member(member(document, "extensions"), "VRMC_vrm_animation");
    const Json& expressions = member(extension, "expressions");
    for (const char* const group : {"preset", "custom"}) {
        const Json& list = member(expressions, group);
        if (!list.is_object()) continue;
        for (const auto& [name, json] : list.items()) {
            const int32_t node = index_at(json, "node");
            if (node < 0 || static_cast<size_t>(node) >= targets.joint_of_node.size()) continue;
            for (const Track& track : clip.tracks) {
                const bool it = track.path == TrackPath::translation &&
                                track.target == targets.joint_of_node[static_cast<size_t>(node)];
                if (!it) continue;
                FloatTrack number{name, track.times, {}};
                const size_t stride = track.values_per_key(), value = stride > 3 ? 3 : 0;
                for (size_t k = 0; k < track.times.size(); ++k)
                    number.values.push_back(track.values[k * stride + value]);
                clip.floats.push_back(std::move(number));
                break;
            }
        }
    }
}

}  // namespace

Result<Clip> read_clip(Context& context, const ClipTargets& targets, size_t index, std::vector<size_t>* channels) {
    const Json& json = context.document.json["animations"][index];
    Clip clip{.name = text_at(json, "name"), .source = static_cast<int32_t>(index)};
    read_marks(member(json, "extras"), clip);
    const Json& samplers = json["samplers"];
    const Json& list = json["channels"];
    std::vector<std::pair<int32_t, TrackPath>> seen;
    for (size_t c = 0; c < list.size(); ++c) {
        const std::string path = fmt::format("/animations/{}/channels/{}", index, c);
        Track track;
        if (!aim(context, targets, list[c], path, track)) continue;
        const size_t sampler = count_at(list[c], "sampler");
        if (sampler >= samplers.size()) return wrong(path + "/sampler", "the animation has no sampler of this number");
        const std::string sampler_path = fmt::format("/animations/{}/samplers/{}", index, sampler);
        SINEW_TRY_VOID(read_keys(context, samplers[sampler], sampler_path, track));
        if (track.times.empty()) {
            context.repaired(sampler_path, "the sampler has no keys; it was left out");
            continue;
        }
        seen.emplace_back(track.target, track.path);
        clip.tracks.push_back(std::move(track));
        if (channels) channels->push_back(c);
    }
    read_expressions(context.document.json, targets, clip);
    std::sort(seen.begin(), seen.end());
    if (std::adjacent_find(seen.begin(), seen.end()) != seen.end()) {
        context.repaired(fmt::format("/animations/{}", index), "two channels move the same thing; the last one counts");
    }
    return clip;
}

}  // namespace sinew::gltf
