// Marks: the events and the user's numbers of a clip, kept in step with edits of its tracks.
// Data flow: timing.h, join.h, layers.h → *here* → Clip::events, Clip::floats.
#pragma once

#include <sinew/clip/clip.h>
#include <functional>

namespace sinew {

// Each mark goes to new_time(its time); the map may run backwards but not turn round. Marks are put in order again.
void move_marks(Clip& clip, const std::function<double(double)>& new_time);

// What lies in [from, to] stays, and `from` becomes 0. Numbers keep their value at both ends.
void cut_marks(Clip& clip, double from, double to);

// The marks of `next`, `at` seconds later; numbers of the same name go on there.
void append_marks(Clip& clip, const Clip& next, double at);

// The events of a second clip that play after `at` seconds, in a clip where its first `overlap` seconds take the place
// of the last ones: events of one name within the overlap are one.
void merge_events(Clip& clip, const std::vector<ClipEvent>& events, double at, double overlap);

// Adds one in its place.
void add_event(Clip& clip, ClipEvent event);

// "step_left" becomes "step_right", and so on, as in mirrored clips: a word left or right, or an L or R on its own.
std::string mirrored_event_name(const std::string& name);

}  // namespace sinew
