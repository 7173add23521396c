#include <sinew/edit/marks.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

namespace sinew {
namespace {

void sort_events(Clip& clip) {
    std::stable_sort(clip.events.begin(), clip.events.end(),
                     [](const ClipEvent& a, const ClipEvent& b) { return a.time < b.time; });
}

// Keys that a float cannot tell apart any more: the later ones go.
void add_key(FloatTrack& track, double time, float value) {
    if (!track.times.empty() && !(static_cast<float>(time) > track.times.back())) return;
    track.times.push_back(static_cast<float>(time));
    track.values.push_back(value);
}

FloatTrack cut(const FloatTrack& track, double from, double to) {
    FloatTrack made{track.name, {}, {}};
    if (track.times.front() < from || track.times.size() == 1)
        add_key(made, 0.0, sample_float(track, static_cast<float>(from)));
    for (size_t k = 0; k < track.times.size(); ++k)
        if (track.times[k] >= from && track.times[k] <= to) add_key(made, track.times[k] - from, track.values[k]);
    if (track.times.back() > to) add_key(made, to - from, sample_float(track, static_cast<float>(to)));
    if (made.times.empty()) add_key(made, 0.0, track.values.front());
    return made;
}

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0;
}

// The word in the case of what it stands for.
std::string in_case_of(std::string_view like, std::string_view word) {
    std::string made(word);
    const auto upper = [](char c) { return std::isupper(static_cast<unsigned char>(c)) != 0; };
    if (upper(like.front())) made[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(made[0])));
    if (like.size() > 1 && std::all_of(like.begin(), like.end(), upper))
        for (char& c : made) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return made;
}

bool equal_but_case(std::string_view a, std::string_view b) {
    return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](char x, char y) {
               return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
           });
}

}  // namespace

void move_marks(Clip& clip, const std::function<double(double)>& new_time) {
    for (ClipEvent& event : clip.events) event.time = static_cast<float>(new_time(event.time));
    sort_events(clip);
    for (FloatTrack& track : clip.floats) {
        std::vector<std::pair<double, float>> keys;
        for (size_t k = 0; k < track.times.size(); ++k) keys.emplace_back(new_time(track.times[k]), track.values[k]);
        if (keys.size() > 1 && keys.front().first > keys.back().first) std::reverse(keys.begin(), keys.end());
        track.times.clear();
        track.values.clear();
        for (const auto& [time, value] : keys) add_key(track, time, value);
    }
}

void cut_marks(Clip& clip, double from, double to) {
    std::erase_if(clip.events, [&](const ClipEvent& event) { return event.time < from || event.time > to; });
    for (ClipEvent& event : clip.events) event.time = static_cast<float>(event.time - from);
    for (FloatTrack& track : clip.floats) track = cut(track, from, to);
}

void append_marks(Clip& clip, const Clip& next, double at) {
    merge_events(clip, next.events, at, 0.0);
    for (const FloatTrack& track : next.floats) {
        auto own = std::find_if(clip.floats.begin(), clip.floats.end(),
                                [&](const FloatTrack& other) { return other.name == track.name; });
        if (own == clip.floats.end()) own = clip.floats.insert(clip.floats.end(), {track.name, {}, {}});
        while (!own->times.empty() && own->times.back() >= at) {
            own->times.pop_back();
            own->values.pop_back();
        }
        for (size_t k = 0; k < track.times.size(); ++k) add_key(*own, at + track.times[k], track.values[k]);
    }
}

void merge_events(Clip& clip, const std::vector<ClipEvent>& events, double at, double overlap) {
    const std::vector<ClipEvent> own = clip.events;
    for (const ClipEvent& event : events) {
        const double time = at + event.time;
        const bool known = std::any_of(own.begin(), own.end(), [&](const ClipEvent& other) {
            return other.name == event.name && std::abs(other.time - time) < overlap;
        });
        if (!known) clip.events.push_back({static_cast<float>(time), event.name});
    }
    sort_events(clip);
}

void add_event(Clip& clip, ClipEvent event) {
    const auto after = std::upper_bound(clip.events.begin(), clip.events.end(), event.time,
                                        [](float time, const ClipEvent& other) { return time < other.time; });
    clip.events.insert(after, std::move(event));
}

std::string mirrored_event_name(const std::string& name) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> sides = {{{"left", "right"}, {"l", "r"}}};
    std::string made;
    for (size_t i = 0; i < name.size();) {
        // A word ends where letters end, or where a small one is followed by a capital.
        size_t end = i + 1;
        while (is_letter(name[i]) && end < name.size() && is_letter(name[end]) &&
               !(std::islower(static_cast<unsigned char>(name[end - 1])) &&
                 std::isupper(static_cast<unsigned char>(name[end]))))
            ++end;
        const std::string_view word = std::string_view(name).substr(i, end - i);
        std::string turned(word);
        for (const auto& [left, right] : sides) {
            if (equal_but_case(word, left)) turned = in_case_of(word, right);
            if (equal_but_case(word, right)) turned = in_case_of(word, left);
        }
        made += turned;
        i = end;
    }
    return made;
}

}  // namespace sinew
