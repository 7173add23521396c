// Fitting: a track of a clip as keys of FBX curves: Euler angles for rotations, numbers that go straight for the rest.
// Data flow: Track → *here* → clips_out.cpp.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/math/types.h>
#include <cstdint>
#include <vector>

namespace sinew::fbx {

// `width` numbers per key. From key k to the next they hold (`steps`), go straight, or, where slopes are given, follow
// the cubic with the slopes right[k] and next_left[k] (per second) at its ends.
struct FittedKeys {
    size_t width = 1;
    bool steps = false;
    std::vector<double> times;
    std::vector<double> values;
    std::vector<double> right, next_left;  // as long as values, or empty

    double* row(size_t key) { return &values[key * width]; }
};

struct FitTolerance {
    double turn = 1e-5;    // radians
    double number = 1e-5;  // in the track's own unit
};

// The track's numbers, keys added where a straight line between keys would leave the tolerance. `budget` counts down
// the keys that may be added.
FittedKeys fit_numbers(const Track& track, const FitTolerance& tolerance, size_t& budget);

// Angles in degrees about x, y, z (x first) of before⁻¹ · rotation, without jumps of whole turns. The keys are dense
// enough that the cubics through the angles, the great arcs between the keys, and the straight lines between their
// quaternions stay within the tolerance: programs follow the one or the other.
FittedKeys fit_angles(const Track& track, const Quatd& before, const FitTolerance& tolerance, size_t& budget);

}  // namespace sinew::fbx
