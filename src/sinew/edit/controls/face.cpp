#include <sinew/edit/controls/face.h>
#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace sinew {
namespace {

// An expression put together from others, for faces that have only those. Weights are by eye, on faces that have both
// sets; they keep within what one morph at 1 shows.
struct Recipe {
    std::string_view name;
    std::vector<std::pair<std::string_view, float>> parts;
};
const std::vector<Recipe>& recipes() {
    static const std::vector<Recipe> all = {
        {"happy",
         {{"mouthSmileLeft", 0.9f},
          {"mouthSmileRight", 0.9f},
          {"cheekSquintLeft", 0.4f},
          {"cheekSquintRight", 0.4f},
          {"eyeSquintLeft", 0.2f},
          {"eyeSquintRight", 0.2f}}},
        {"angry",
         {{"browDownLeft", 1.0f},
          {"browDownRight", 1.0f},
          {"noseSneerLeft", 0.4f},
          {"noseSneerRight", 0.4f},
          {"mouthFrownLeft", 0.5f},
          {"mouthFrownRight", 0.5f},
          {"eyeSquintLeft", 0.4f},
          {"eyeSquintRight", 0.4f}}},
        {"sad",
         {{"browInnerUp", 0.9f}, {"mouthFrownLeft", 0.8f}, {"mouthFrownRight", 0.8f}, {"mouthShrugLower", 0.3f}}},
        {"relaxed",
         {{"mouthSmileLeft", 0.4f}, {"mouthSmileRight", 0.4f}, {"eyeBlinkLeft", 0.3f}, {"eyeBlinkRight", 0.3f}}},
        {"surprised",
         {{"browInnerUp", 0.8f},
          {"browOuterUpLeft", 0.8f},
          {"browOuterUpRight", 0.8f},
          {"eyeWideLeft", 0.8f},
          {"eyeWideRight", 0.8f},
          {"jawOpen", 0.3f}}},
        {"aa", {{"jawOpen", 0.6f}}},
        {"ih",
         {{"jawOpen", 0.15f},
          {"mouthStretchLeft", 0.4f},
          {"mouthStretchRight", 0.4f},
          {"mouthSmileLeft", 0.2f},
          {"mouthSmileRight", 0.2f}}},
        {"ou", {{"mouthPucker", 0.8f}, {"jawOpen", 0.1f}}},
        {"ee", {{"jawOpen", 0.25f}, {"mouthStretchLeft", 0.6f}, {"mouthStretchRight", 0.6f}}},
        {"oh", {{"mouthFunnel", 0.8f}, {"jawOpen", 0.35f}}},
        {"blink", {{"eyeBlinkLeft", 1.0f}, {"eyeBlinkRight", 1.0f}}},
        {"blinkLeft", {{"eyeBlinkLeft", 1.0f}}},
        {"blinkRight", {{"eyeBlinkRight", 1.0f}}},
        {"lookUp", {{"eyeLookUpLeft", 1.0f}, {"eyeLookUpRight", 1.0f}}},
        {"lookDown", {{"eyeLookDownLeft", 1.0f}, {"eyeLookDownRight", 1.0f}}},
        {"lookLeft", {{"eyeLookOutLeft", 1.0f}, {"eyeLookInRight", 1.0f}}},
        {"lookRight", {{"eyeLookInLeft", 1.0f}, {"eyeLookOutRight", 1.0f}}},
        // The other way round: one side of a smile is half of it.
        {"eyeBlinkLeft", {{"blinkLeft", 1.0f}}},
        {"eyeBlinkRight", {{"blinkRight", 1.0f}}},
        {"jawOpen", {{"aa", 1.0f}}},
        {"mouthFunnel", {{"oh", 1.0f}}},
        {"mouthPucker", {{"ou", 1.0f}}},
        {"mouthSmileLeft", {{"happy", 0.5f}}},
        {"mouthSmileRight", {{"happy", 0.5f}}},
        {"mouthFrownLeft", {{"sad", 0.5f}}},
        {"mouthFrownRight", {{"sad", 0.5f}}},
        {"browDownLeft", {{"angry", 0.4f}}},
        {"browDownRight", {{"angry", 0.4f}}},
        {"eyeWideLeft", {{"surprised", 0.3f}}},
        {"eyeWideRight", {{"surprised", 0.3f}}},
    };
    return all;
}

using Weights = std::vector<std::pair<int32_t, float>>;

// By the file's own words, or by the morph of that name.
Weights show_directly(const Face& face, std::string_view name) {
    for (const FileExpression& own : face.expressions)
        if (own.name == name && !own.morphs.empty()) return own.morphs;
    Weights found;
    for (size_t m = 0; m < face.morphs.size(); ++m)
        if (standard_face_name(face.morphs[m]) == name) found.emplace_back(static_cast<int32_t>(m), 1.0f);
    return found;
}

// One number over time that moves an expression: a column of a morph track, or a user's number.
struct FaceChannel {
    const Track* track = nullptr;
    size_t column = 0;
    const FloatTrack* number = nullptr;
    std::vector<std::pair<int32_t, float>> morphs;  // of the target

    const std::vector<float>& times() const { return track ? track->times : number->times; }
    Interpolation interpolation() const { return track ? track->interpolation : Interpolation::linear; }
};

double channel_at(const FaceChannel& channel, float time, std::vector<float>& scratch) {
    if (channel.number) return sample_float(*channel.number, time);
    scratch.resize(static_cast<size_t>(channel.track->width));
    sample_track(*channel.track, time, scratch.data());
    return scratch[channel.column];
}

bool moves(const Track& track, size_t column) {
    const auto width = static_cast<size_t>(track.width);
    for (size_t i = column; i < track.values.size(); i += width)
        if (track.values[i] != 0.0f) return true;
    return false;
}

std::vector<FaceChannel> find_channels(const Clip& clip, std::span<const std::string> source, const Face& target,
                                       FaceTransfer& transfer) {
    std::vector<FaceChannel> channels;
    std::set<std::string> seen;
    const auto add = [&](FaceChannel channel, const std::string& name) {
        if (!seen.insert(name).second) return;  // lashes and teeth move with the face: the first mesh leads
        // A morph of the very same name is meant, whatever it shows.
        for (size_t m = 0; m < target.morphs.size(); ++m)
            if (target.morphs[m] == name) channel.morphs.emplace_back(static_cast<int32_t>(m), 1.0f);
        const std::string standard = standard_face_name(name);
        if (channel.morphs.empty() && !standard.empty()) channel.morphs = show_expression(target, standard);
        (channel.morphs.empty() ? transfer.lost : transfer.carried).push_back(name);
        if (!channel.morphs.empty()) channels.push_back(std::move(channel));
    };
    for (const Track& track : clip.tracks) {
        if (track.path != TrackPath::morphs) continue;
        for (size_t c = 0; c < static_cast<size_t>(track.width); ++c) {
            const size_t morph = static_cast<size_t>(track.target) + c;
            if (morph >= source.size() || source[morph].empty() || !moves(track, c)) continue;
            add({.track = &track, .column = c, .number = nullptr, .morphs = {}}, source[morph]);
        }
    }
    for (const FloatTrack& number : clip.floats)
        if (!standard_face_name(number.name).empty())
            add({.track = nullptr, .column = 0, .number = &number, .morphs = {}}, number.name);
    return channels;
}

std::vector<float> all_times(const std::vector<const FaceChannel*>& channels) {
    std::vector<float> times;
    for (const FaceChannel* channel : channels) {
        times.insert(times.end(), channel->times().begin(), channel->times().end());
        if (channel->interpolation() != Interpolation::cubic) continue;
        // Straight lines follow a cubic closely at a few more times per key.
        constexpr int parts = 4;
        for (size_t k = 1; k < channel->times().size(); ++k)
            for (int i = 1; i < parts; ++i) {
                const float a = channel->times()[k - 1], b = channel->times()[k];
                times.push_back(a + (b - a) * static_cast<float>(i) / static_cast<float>(parts));
            }
    }
    std::sort(times.begin(), times.end());
    times.erase(std::unique(times.begin(), times.end()), times.end());
    return times;
}

// Weights that add up beyond 1 are more than a face can do.
float held(float value, Interpolation interpolation, size_t group) {
    return interpolation == Interpolation::cubic && group % 3 != 1 ? value : std::clamp(value, -1.0f, 1.0f);
}

Track mesh_track(int32_t first, int32_t count, const std::vector<const FaceChannel*>& channels) {
    const bool alike = std::all_of(channels.begin(), channels.end(), [&](const FaceChannel* channel) {
        return channel->times() == channels.front()->times() &&
               channel->interpolation() == channels.front()->interpolation();
    });
    Track track{first,
                TrackPath::morphs,
                alike ? channels.front()->interpolation() : Interpolation::linear,
                count,
                alike ? channels.front()->times() : all_times(channels),
                {}};
    const size_t groups = track.times.size() * (track.interpolation == Interpolation::cubic ? 3 : 1);
    const auto width = static_cast<size_t>(count);
    track.values.assign(groups * width, 0.0f);
    std::vector<float> scratch;
    for (const FaceChannel* channel : channels)
        for (size_t g = 0; g < groups; ++g) {
            const double value =
                !alike ? channel_at(*channel, track.times[g], scratch)
                : channel->number
                    ? channel->number->values[g]
                    : channel->track->values[g * static_cast<size_t>(channel->track->width) + channel->column];
            for (const auto& [morph, weight] : channel->morphs)
                if (morph >= first && morph < first + count)
                    track.values[g * width + static_cast<size_t>(morph - first)] += static_cast<float>(weight * value);
        }
    for (size_t i = 0; i < track.values.size(); ++i)
        track.values[i] = held(track.values[i], track.interpolation, i / width);
    return track;
}

}  // namespace

Weights show_expression(const Face& face, std::string_view name) {
    if (Weights direct = show_directly(face, name); !direct.empty()) return direct;
    std::map<int32_t, float> sum;
    for (const Recipe& recipe : recipes()) {
        if (recipe.name != name) continue;
        for (const auto& [part, share] : recipe.parts)
            for (const auto& [morph, weight] : show_directly(face, part)) sum[morph] += share * weight;
    }
    Weights made;
    for (const auto& [morph, weight] : sum) made.emplace_back(morph, std::min(weight, 1.0f));
    return made;
}

std::vector<Control> face_controls(const Face& face) {
    std::vector<Control> controls;
    for (const std::string& name : standard_face_names()) {
        const Weights weights = show_expression(face, name);
        if (weights.empty()) continue;
        Control control{.name = name, .drives = {}};
        std::set<std::string> seen;  // a drive by name moves the morphs of that name on all meshes
        for (const auto& [morph, weight] : weights) {
            const std::string& target = face.morphs[static_cast<size_t>(morph)];
            if (!seen.insert(target).second) continue;
            control.drives.push_back({.what = Driven::morph, .targets = {target}, .keys = {{0.0, 0.0}, {1.0, weight}}});
        }
        controls.push_back(std::move(control));
    }
    return controls;
}

FaceTransfer transfer_expressions(const Clip& clip, std::span<const std::string> source_morphs, const Face& target) {
    FaceTransfer transfer;
    const std::vector<FaceChannel> channels = find_channels(clip, source_morphs, target, transfer);
    std::vector<std::pair<int32_t, int32_t>> ranges = target.morph_ranges;
    if (ranges.empty() && !target.morphs.empty()) ranges = {{0, static_cast<int32_t>(target.morphs.size())}};
    for (const auto& [first, count] : ranges) {
        std::vector<const FaceChannel*> here;
        for (const FaceChannel& channel : channels)
            if (std::any_of(channel.morphs.begin(), channel.morphs.end(), [&, from = first, n = count](const auto& to) {
                    return to.first >= from && to.first < from + n;
                }))
                here.push_back(&channel);
        if (!here.empty()) transfer.tracks.push_back(mesh_track(first, count, here));
    }
    return transfer;
}

}  // namespace sinew
