// Track keys: a track of a clip as keys of FBX curves, Euler angles for rotations, numbers that go straight for the
// rest. Keys of the track stay, and more come between them where FBX would go another way; curve/fit.h does the
// opposite. Data flow: Track → *here* → clips_out.cpp.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/math/types.h>
#include <cstdint>
#include <vector>

namespace sinew::fbx {

// `width` numbers per key. From key k to the next they hold (`steps`), go straight, or, where slopes are given, follow
// the cubic with the slopes right[k] and next_left[k] (per second) at its ends.
struct TrackKeys {
    size_t width = 1;
    bool steps = false;
    std::vector<double> times;
    std::vector<double> values;
    std::vector<double> right, next_left;  // as long as values, or empty

    double* row(size_t key) { return &values[key * width]; }
};

struct KeyTolerance {
    double turn = 1e-5;    // radians
    double number = 1e-5;  // in the track's own unit
};

// The track's numbers, keys added where a straight line between keys would leave the tolerance. `budget` counts down
// the keys that may be added.
TrackKeys number_keys(const Track& track, const KeyTolerance& tolerance, size_t& budget);

// Angles in degrees about x, y, z (x first) of before⁻¹ · rotation, without jumps of whole turns. The keys are dense
// enough that the cubics through the angles, the great arcs between the keys, and the straight lines between their
// quaternions stay within the tolerance: programs follow the one or the other.
TrackKeys angle_keys(const Track& track, const Quatd& before, const KeyTolerance& tolerance, size_t& budget);

}  // namespace sinew::fbx
