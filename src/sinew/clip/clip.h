// Clip: a named motion, as keyframed tracks over the joints and morph weights of one character.
// Data flow: io, motion → *here*, sample() → Pose → skeleton/pose.h (matrices).
#pragma once

#include <sinew/core/result.h>
#include <sinew/skeleton/pose.h>
#include <cstdint>
#include <string>
#include <vector>

namespace sinew {

enum class Interpolation : uint8_t { step, linear, cubic };  // as glTF defines them; linear rotations are slerped
enum class TrackPath : uint8_t { translation, rotation, scale, morphs };

// `target` is a joint; for morphs, the first of `width` weights in Pose::morphs.
// `values` holds `width` floats per key: 3 for translation and scale, 4 (x y z w) for rotation. Cubic interpolation has
// three such groups per key: in-tangent, value, out-tangent. Times are in seconds and strictly increasing.
struct Track {
    int32_t target = 0;
    TrackPath path = TrackPath::rotation;
    Interpolation interpolation = Interpolation::linear;
    int32_t width = 4;
    std::vector<float> times;
    std::vector<float> values;

    // The number of floats in `values` that belong to one key.
    size_t values_per_key() const {
        return static_cast<size_t>(width) * (interpolation == Interpolation::cubic ? 3 : 1);
    }
    bool operator==(const Track&) const = default;
};

struct Clip {
    std::string name;
    std::vector<Track> tracks;
    int32_t source = -1;  // number of the animation in the file it came from; −1 when Sinew made it
};

// The time of the last key of any track; 0 for a clip without keys.
float duration(const Clip& clip);

// Proves what sampling relies on: targets in range, sizes that match, at least one key per track, times finite and
// strictly increasing, values finite. `where` names the track.
Result<void> validate(const Clip& clip, size_t joint_count, size_t morph_count);

// Overwrites in `pose` what the clip animates and leaves the rest alone: start from the rest pose. Before the first key
// and after the last the track holds. The clip is valid for the pose (validate()). No allocation;
// O(tracks) where tracks share their times, as they mostly do, else O(tracks · log keys). Interpolates in double and
// rounds once.
void sample(const Clip& clip, float time, Pose& pose);

// One track at one time into `width` floats; rotations come out unit. sample() is this over all tracks.
void sample_track(const Track& track, float time, float* out);

}  // namespace sinew
