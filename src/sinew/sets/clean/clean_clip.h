// Clean-up of a capture: spikes, gaps, noise, sliding feet, T-pose frames and drift, each by itself and all in order.
// Data flow: Skeleton + Clip of a motion file → *here* → Clip of the same skeleton, and what was changed where.
//
//   clean_clip(skeleton, clip, {})->clip                                       all that a capture needs
//   clean_clip(skeleton, clip, {.filter = CleanFilter::butterworth, .cutoff = 6, .feet = false})
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/core/result.h>
#include <sinew/skeleton/skeleton.h>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// automatic: each joint as much as its own noise asks for, so that a clean joint stays as it is. butterworth: fourth
// order, without delay. one_euro: slow movements more than fast ones, looking at the past only.
enum class CleanFilter : uint8_t { off, automatic, butterworth, one_euro };

// Done in this order.
struct CleanOptions {
    bool t_pose = true;  // frames of a T-pose from which the capture jumps away, at its beginning and end, are dropped
    bool spikes = true;  // samples that jump away and back are replaced
    bool gaps = true;    // stretches without keys, held to the last bit, or set to zero are filled
    double longest_gap = 1.0;  // seconds; longer ones stay
    CleanFilter filter = CleanFilter::automatic;
    double cutoff = 6.0;  // Hz, of butterworth and one_euro
    double beta = 1.0;    // of one_euro: Hz more for each radian or decimetre a second
    bool drift = false;   // a slow slide of the whole body, as planted feet show it, is taken out
    bool feet = true;     // feet that slide while they stand are held still
};

enum class CleanKind : uint8_t { t_pose, spike, gap, noise, drift, feet };
std::string_view to_string(CleanKind kind);

// One thing that was changed. Millimetres are those of a person of usual size.
struct CleanChange {
    CleanKind kind = CleanKind::spike;
    int32_t joint = -1;      // −1: the whole body
    float from = 0, to = 0;  // seconds of the clip that came in
    float amount = 0;        // the largest: degrees of a rotation, millimetres of all else
    float cutoff = 0;        // Hz, of noise
    bool rotation = false;
};

struct CleanResult {
    Clip clip;  // linear keys at the rate that it had
    std::vector<CleanChange> changes;
    std::vector<float> times;                       // of the frames, in the clip that came in
    std::vector<float> changed_mm;                  // per frame: how far the joint that moved most is from where it was
    float dropped_start = 0, dropped_end = 0;       // seconds of T-pose
    float skate_before_mm = 0, skate_after_mm = 0;  // the median slide of planted feet over a contact
    int32_t contacts = 0;
    std::vector<std::string> warnings;
};

// A clip without joints in motion comes back as it is. Fails on a clip that does not fit the skeleton, and on options
// that make no sense. Time is linear in the frames.
Result<CleanResult> clean_clip(const Skeleton& skeleton, const Clip& clip, const CleanOptions& options = {});

}  // namespace sinew
