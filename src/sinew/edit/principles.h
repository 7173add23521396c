// The animator's principles as tools, each with one strength: 0 changes nothing, 1 is a lot. All but squash and stretch
// are after [Lasseter1987]'s list; anticipation and follow-through move along the motion's own acceleration [Wang2006].
// Data flow: Clip → *here* → Clip. Names in brackets are the options of `sinew edit`.
#pragma once

#include <sinew/edit/frames.h>

namespace sinew {

// [--squash] The body is stretched when it moves up or down fast, and squashed when it lands or pushes off. Its volume
// stays the same; its lowest joint keeps its height.
Clip squash_and_stretch(const Clip& clip, const ClipBody& body, double strength);

// [--anticipate] Before a joint turns one way it turns a little the other way. The first and the last pose do not
// change.
Clip anticipate(const Clip& clip, const ClipBody& body, double strength, const JointMask& mask = {});

// [--follow] Overlapping action: joints lag behind the joint that they hang on, those at the end of a chain most. Legs
// do not, lest the feet slide. The first and the last pose do not change.
Clip follow_through(const Clip& clip, const ClipBody& body, double strength, const JointMask& mask = {});

// [--slow-in-out] The clip starts and ends slowly and is faster in its middle; it lasts as long as before.
Clip slow_in_and_out(const Clip& clip, const ClipBody& body, double strength);

// [--arcs] Joints swing in arcs: towards a smooth curve through the poses of every quarter of a second, or through the
// keys where they are farther apart.
Clip arcs(const Clip& clip, const ClipBody& body, double strength, const JointMask& mask = {});

// [--exaggerate] Poses go farther from the clip's mean pose: by half with strength 1. The body goes the same way, and
// its lowest joint keeps its height.
Clip exaggerate(const Clip& clip, const ClipBody& body, double strength, const JointMask& mask = {});

// [--secondary] A layer of slow noise on spine, neck, head and arms, as in breathing and swaying.
Clip secondary_action(const Clip& clip, const ClipBody& body, double strength, const JointMask& mask = {});

// [--hold] Moving holds: where a joint stands still, it drifts on a little the way it came, and back, so that nothing
// is ever quite dead.
Clip moving_holds(const Clip& clip, const ClipBody& body, double strength, const JointMask& mask = {});

}  // namespace sinew
