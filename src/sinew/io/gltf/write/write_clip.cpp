#include <algorithm>
#include <cmath>
#include <map>

#include <sinew/io/gltf/write/draft.h>

namespace sinew::gltf {
namespace {

// A track with its target as a node of the output.
struct NodeTrack {
    size_t node = 0;
    Track track;
};

using Key = std::pair<size_t, TrackPath>;

const char* path_name(TrackPath path) {
    switch (path) {
        case TrackPath::translation:
            return "translation";
        case TrackPath::rotation:
            return "rotation";
        case TrackPath::scale:
            return "scale";
        case TrackPath::morphs:
            return "weights";
    }
    return "";
}

const char* interpolation_name(Interpolation interpolation) {
    switch (interpolation) {
        case Interpolation::step:
            return "STEP";
        case Interpolation::linear:
            return "LINEAR";
        case Interpolation::cubic:
            return "CUBICSPLINE";
    }
    return "";
}

// The part of a morph track that moves one instance, as glTF wants it: all weights of the node's mesh in every key.
// Weights that the track leaves alone stay at rest.
Track morphs_of_instance(const Track& track, const MeshInstance& instance, std::span<const float> rest) {
    if (track.target == instance.first_morph && static_cast<size_t>(track.width) == rest.size()) return track;
    Track result = track;
    result.target = instance.first_morph;
    result.width = static_cast<int32_t>(rest.size());
    result.values.clear();
    const bool cubic = track.interpolation == Interpolation::cubic;
    const size_t groups = track.times.size() * (cubic ? 3 : 1), width = static_cast<size_t>(track.width);
    for (size_t g = 0; g < groups; ++g) {
        for (size_t m = 0; m < rest.size(); ++m) {
            const int64_t column = int64_t{instance.first_morph} + static_cast<int64_t>(m) - track.target;
            const bool moved = column >= 0 && column < track.width;
            const float still = cubic && g % 3 != 1 ? 0.0f : rest[m];
            result.values.push_back(moved ? track.values[g * width + static_cast<size_t>(column)] : still);
        }
    }
    return result;
}

std::vector<NodeTrack> node_tracks(const Character& character, const Clip& clip, const Numbers& numbers,
                                   const Pose& rest) {
    std::vector<NodeTrack> result;
    for (const Track& track : clip.tracks) {
        if (track.path != TrackPath::morphs) {
            result.push_back({numbers.node_of_joint[static_cast<size_t>(track.target)], track});
            continue;
        }
        for (size_t i = 0; i < character.instances.size(); ++i) {
            const MeshInstance& instance = character.instances[i];
            const size_t count = morph_count(character.meshes[static_cast<size_t>(instance.mesh)]);
            const int32_t end = instance.first_morph + static_cast<int32_t>(count);
            if (track.target >= end || track.target + track.width <= instance.first_morph) continue;
            const auto weights = std::span(rest.morphs).subspan(static_cast<size_t>(instance.first_morph), count);
            result.push_back({numbers.node_of_instance[i], morphs_of_instance(track, instance, weights)});
        }
    }
    return result;
}

bool equal_keys(const Track& a, const Track& b) {
    return a.interpolation == b.interpolation && a.width == b.width && a.times == b.times && a.values == b.values;
}

std::vector<float> unit_rotations(const Track& track) {
    std::vector<float> values = track.values;
    if (track.path != TrackPath::rotation) return values;
    const size_t first = track.interpolation == Interpolation::cubic ? 4 : 0;
    for (size_t i = first; i + 4 <= values.size(); i += track.values_per_key()) {
        Eigen::Map<Eigen::Vector4f> q(values.data() + i);
        const double length = q.cast<double>().norm();
        if (length < 1e-12) {
            q = Eigen::Vector4f(0, 0, 0, 1);
        } else if (std::abs(length - 1.0) > 5e-3) {
            q = (q.cast<double>() / length).cast<float>();
        }
    }
    return values;
}

size_t write_times(Draft& draft, const std::vector<float>& times) {
    const auto [it, fresh] = draft.times.try_emplace(times, 0);
    if (fresh) it->second = add_floats(draft, times, {.type = "SCALAR", .bounds = true});
    return it->second;
}

Json write_sampler(Draft& draft, const Track& track) {
    const char* type = track.path == TrackPath::morphs ? "SCALAR" : track.path == TrackPath::rotation ? "VEC4" : "VEC3";
    return {{"input", write_times(draft, track.times)},
            {"output", add_floats(draft, unit_rotations(track), {.type = type})},
            {"interpolation", interpolation_name(track.interpolation)}};
}

// An animation of the source: its JSON and what Sinew reads of it.
struct Source {
    Json json;
    std::vector<ClipEvent> events;
    std::vector<FloatTrack> floats;
    std::map<Key, std::pair<size_t, Track>> channels;  // by target: the channel's number and its keys
    std::vector<size_t> known_channels;                // all that Sinew reads
    bool mended = false;
};

Source read_source(const GltfDocument& document, const ClipTargets& targets, const Nodes& nodes,
                   const std::vector<MeshInstance>& instances, size_t index) {
    Source source{.json = document.json["animations"][index]};
    Context context{.document = document};
    auto clip = read_clip(context, targets, index, &source.known_channels);
    if (!clip) return source;
    source.mended = context.repairs > 0;
    source.events = clip->events;
    source.floats = clip->floats;
    for (size_t t = 0; t < clip->tracks.size(); ++t) {
        const Track& track = clip->tracks[t];
        int32_t joint = track.target;
        if (track.path == TrackPath::morphs) {
            const auto owner = std::find_if(instances.begin(), instances.end(), [&](const MeshInstance& instance) {
                return instance.first_morph == track.target &&
                       targets.morphs_of_node[static_cast<size_t>(
                                                  nodes.joint_source[static_cast<size_t>(instance.joint)])]
                               .count > 0;
            });
            joint = owner->joint;
        }
        const auto node = static_cast<size_t>(nodes.joint_source[static_cast<size_t>(joint)]);
        source.channels[{node, track.path}] = {source.known_channels[t], std::move(clip->tracks[t])};
    }
    return source;
}

// Channels that Sinew does not read (KHR_animation_pointer and the like): they stay as they are.
Json foreign_channels(const Json& channels, const std::vector<bool>& is_known) {
    Json result = Json::array();
    for (size_t c = 0; c < channels.size(); ++c) {
        if (!is_known[c]) result.push_back(channels[c]);
    }
    return result;
}

// Gives up samplers that no channel names, and renumbers the rest.
void drop_unused_samplers(Json& animation) {
    Json& samplers = animation["samplers"];
    std::vector<size_t> number(samplers.size(), SIZE_MAX);
    Json kept = Json::array();
    for (Json& channel : animation["channels"]) {
        size_t& n = number[channel["sampler"].get<size_t>()];
        if (n == SIZE_MAX) {
            n = kept.size();
            kept.push_back(samplers[channel["sampler"].get<size_t>()]);
        }
        channel["sampler"] = n;
    }
    samplers = std::move(kept);
}

// Events and numbers go into the extras, beside what others keep there.
void write_marks(const Clip& clip, const Source& source, Json& json) {
    if (clip.events == source.events && clip.floats == source.floats) return;
    Json extras = member(json, "extras").is_object() ? json["extras"] : Json::object();
    extras.erase("events");
    extras.erase("floats");
    for (const ClipEvent& event : clip.events) extras["events"].push_back({{"time", event.time}, {"name", event.name}});
    for (const FloatTrack& track : clip.floats)
        extras["floats"].push_back({{"name", track.name}, {"times", track.times}, {"values", track.values}});
    json.erase("extras");
    if (!extras.empty()) json["extras"] = std::move(extras);
}

Json write_clip(Draft& draft, const std::vector<NodeTrack>& tracks, const Clip& clip, const Source& source) {
    std::map<Key, const NodeTrack*> by_target;  // a target that is moved twice is moved by the last
    for (const NodeTrack& track : tracks) by_target[{track.node, track.track.path}] = &track;
    const auto is_same = [&](const NodeTrack& now) {
        const auto it = source.channels.find({now.node, now.track.path});
        return !source.mended && it != source.channels.end() && equal_keys(it->second.second, now.track);
    };
    Json json = source.json.is_object() ? source.json : Json::object();
    set_text(json, "name", clip.name);
    write_marks(clip, source, json);
    const bool unchanged = source.json.is_object() && !source.mended && tracks.size() == source.known_channels.size() &&
                           by_target.size() == source.channels.size() &&
                           std::all_of(tracks.begin(), tracks.end(), is_same);
    if (unchanged) return json;

    const Json old_channels = array_at(json, "channels");
    std::vector<bool> is_known(old_channels.size(), false);
    for (const size_t channel : source.known_channels) is_known[channel] = true;
    Json channels = Json::array(), samplers = array_at(json, "samplers");
    for (const NodeTrack& now : tracks) {
        const Key key{now.node, now.track.path};
        if (by_target[key] != &now) continue;
        if (is_same(now)) {
            channels.push_back(old_channels[source.channels.at(key).first]);
            continue;
        }
        samplers.push_back(write_sampler(draft, now.track));
        channels.push_back(
            {{"sampler", samplers.size() - 1}, {"target", {{"node", now.node}, {"path", path_name(now.track.path)}}}});
    }
    for (Json& channel : foreign_channels(old_channels, is_known)) {
        if (count_at(channel, "sampler") < samplers.size()) channels.push_back(std::move(channel));
    }
    json["channels"] = std::move(channels);
    json["samplers"] = std::move(samplers);
    drop_unused_samplers(json);
    return json;
}

}  // namespace

Result<void> write_clips(Draft& draft, const Character& character, const Numbers& numbers) {
    const GltfDocument& document = draft.source;
    Context context{.document = document};
    SINEW_TRY(const Nodes nodes, read_nodes(context));
    SINEW_TRY(const std::vector<MeshInstance> instances, read_instances(context, nodes));
    const ClipTargets targets = clip_targets(document, nodes, instances);
    const size_t existing = array_at(document.json, "animations").size();
    const Pose rest = rest_pose(character);
    Json animations = Json::array();
    for (const Clip& clip : character.clips) {
        Source source;
        if (clip.source >= 0 && static_cast<size_t>(clip.source) < existing) {
            source = read_source(document, targets, nodes, instances, static_cast<size_t>(clip.source));
        }
        Json json = write_clip(draft, node_tracks(character, clip, numbers, rest), clip, source);
        if (!array_at(json, "channels").empty()) animations.push_back(std::move(json));  // glTF has no empty animation
    }
    draft.json.erase("animations");
    if (!animations.empty()) draft.json["animations"] = std::move(animations);
    return {};
}

}  // namespace sinew::gltf
