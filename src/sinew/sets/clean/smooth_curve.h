// Smooth curves: samples at even times, smoothed as much as their noise asks for, and filled where they are missing.
// Data flow: sampled channels of a joint → *here* → clean_clip.h.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <span>
#include <vector>

namespace sinew {

// One row per frame, one column per channel: four for a rotation, three for a translation.
using Signal = Eigen::MatrixXd;

// Frames, first and last included.
struct FrameRun {
    size_t first = 0, last = 0;
};

// The standard deviation of white noise on the samples, all channels together. High differences hardly see a motion and
// see all of the noise; their median is not moved by impacts. Samples that are not `known` play no part.
double noise_level(const Signal& signal, const std::vector<char>& known);

// Minimises |x − signal|² over the known samples + λ|D³x|²: a low-pass without delay whose gain at the frequency f is
// 1 / (1 + (f / cutoff)⁶), and through samples that are not known the curve of least jerk. Cutoff in 1/frames, at most
// 0.5. Time is linear in the frames.
Signal smoothed_curve(const Signal& signal, const std::vector<char>& known, double cutoff);

// As how many independent samples a curve counts after smoothing: the sum of the gains.
double smoothing_freedom(double cutoff, Eigen::Index frames);

// The cut-off, in 1/frames, with the least expected error for noise of this level: Stein's estimate over a row of
// cut-offs [Stein1981]. 0.5 where smoothing would take out less than a fifth of the noise's power.
double best_cutoff(const Signal& signal, const std::vector<char>& known, double noise);

// Replaces the samples that are not known by the curve of least acceleration through the others: a cubic spline.
void fill_unknown(Signal& signal, const std::vector<char>& known);

}  // namespace sinew
