// Filters with a cut-off of your choice: Butterworth without delay, and the one-euro filter.
// Data flow: one channel of a joint → *here*, in place → clean_clip.h.
#pragma once

#include <span>

namespace sinew {

// A Butterworth low-pass of second order, run forwards and backwards: fourth order, no delay, gain 1/2 at the cut-off.
// The ends are continued by their mirror image through the end point. Cutoff in Hz; from half the frame rate on it
// changes nothing.
void butterworth(std::span<double> curve, double cutoff, double fps);

// The one-euro filter [Casiez2012]: smooths slow movements more than fast ones, and looks at the past only.
struct OneEuro {
    double cutoff = 1.0;             // Hz, at rest
    double beta = 0.0;               // Hz more for each unit of speed
    double derivative_cutoff = 1.0;  // Hz, of the speed
};
void one_euro(std::span<double> curve, const OneEuro& filter, double fps);

}  // namespace sinew
