// CompiledClip: a clip made small and fast to sample, within a bound on how far any joint may stray in model space.
// Data flow: Clip → compile_clip() → *here* → sample(), clip/runtime/ for crowds. Never edited: compiled again.
#pragma once

#include <sinew/clip/clip.h>
#include <sinew/core/bytes.h>
#include <sinew/core/result.h>
#include <sinew/skeleton/pose.h>
#include <sinew/skeleton/skeleton.h>
#include <span>
#include <string>
#include <vector>

namespace sinew {

struct CompileOptions {
    // No point that moves with a joint and lies within `shell` metres of it is ever farther than `bound` metres from
    // where the clip puts it, at keys and between them. Both in model space: errors of parents count.
    double bound = 1e-3;
    double shell = 0.1;
    double float_bound = 1e-3;     // how far morph weights and user floats may be off
    double segment_seconds = 3.0;  // longer segments are smaller, and adapt less to what happens in them
};

// Immutable: what the bytes say was checked once, so that sampling need not. Several threads may sample one clip.
class CompiledClip {
public:
    const std::string& name() const { return name_; }
    // Sampling holds the pose before the first key and after the last.
    float start() const { return start_; }
    float end() const { return end_; }
    size_t joint_count() const { return base_.size(); }
    size_t float_count() const { return base_floats_.size(); }
    double bound() const { return bound_; }
    double shell() const { return shell_; }
    // The largest error that was measured when the clip was compiled, in metres.
    double worst_error() const { return worst_error_; }
    // What the clip says besides its motion, as it was: these are few, and are not compressed.
    std::span<const ClipEvent> events() const { return events_; }
    std::span<const FloatTrack> numbers() const { return numbers_; }
    // The file form: versioned and checksummed, and a third of the size of what sampling reads.
    ByteSpan bytes() const { return bytes_; }
    // What sampling reads takes so many bytes of memory, beside the file form.
    size_t memory() const;

    // What sampling reads. `base` is the pose of everything that does not move; segments hold the rest.
    struct Segment {
        float start = 0.0f;
        float per_second = 0.0f;  // 1 / length; 0 for a clip of one moment
        uint32_t offset = 0;      // of the first group in data()
        uint32_t groups = 0;
        uint32_t first_group = 0, group_count = 0;  // in groups()
        uint32_t first_still = 0, still_count = 0;  // in stills()
        uint32_t first_raw = 0, raw_count = 0;      // in raw_tracks()
    };
    // The head of a group as kernels want it, worked out when the clip is read: eight items that share their knots. A
    // code stands in four bytes of a window of sixteen, at `bytes`; `masks` leave it at whatever bit it begins, and
    // `steps` undo that: a shift less for each code. A group of fewer items has its first once more in the other lanes.
    struct alignas(32) Group {
        static constexpr int items = 8, components = 3;
        float steps[components][items];
        float bases[components][items];
        uint32_t masks[components][items];
        uint8_t bytes[components][4 * items];
        uint16_t ids[items];
        uint8_t charts[items];         // rotations only
        uint16_t windows[components];  // where each component's window begins in a record
        uint8_t stride;                // bytes per control point
        uint8_t kind, spline, count, intervals;
        bool turned;       // some chart is not that of w
        uint32_t records;  // of the first control point, in data()
    };
    std::span<const Group> groups() const { return groups_; }
    // What moves in the clip and stands still in a segment.
    struct Still {
        float values[4];
        uint16_t id;
        uint8_t kind;
    };
    std::span<const Still> stills() const { return stills_; }
    std::span<const Transform> base() const { return base_; }
    std::span<const float> base_floats() const { return base_floats_; }  // not a number: not constant, or not driven
    std::span<const uint16_t> moving_floats() const { return moving_floats_; }
    std::span<const uint16_t> still_floats() const { return still_floats_; }  // driven, and constant
    std::span<const Segment> segments() const { return segments_; }
    std::span<const Track> raw_tracks() const { return raw_; }
    const std::byte* data() const { return memory_.data(); }
    int id_bytes() const { return id_bytes_; }
    // The segment of a time, which is clamped to the clip.
    size_t segment_at(float time) const;

private:
    friend Result<CompiledClip> read_compiled_clip(ByteSpan bytes, const Skeleton& skeleton);
    std::string name_;
    float start_ = 0.0f, end_ = 0.0f;
    double bound_ = 0.0, shell_ = 0.0, worst_error_ = 0.0;
    Bytes bytes_;
    Bytes memory_;  // groups, and some zeros, which kernels may read past the end
    int id_bytes_ = 1;
    std::vector<Transform> base_;
    std::vector<float> base_floats_;
    std::vector<uint16_t> moving_floats_, still_floats_;
    std::vector<Segment> segments_;
    std::vector<Group> groups_;
    std::vector<Still> stills_;
    std::vector<float> starts_;  // of the segments
    std::vector<Track> raw_;     // keys of what no spline could follow, as they were
    std::vector<ClipEvent> events_;
    std::vector<FloatTrack> numbers_;
};

// Compiles a clip of this skeleton and `float_count` floats (morph weights first, then what you like: tracks of
// TrackPath::morphs drive them all). Fails if the clip is not valid for them (validate()). The same bytes for any
// number of threads.
Result<CompiledClip> compile_clip(const Clip& clip, const Skeleton& skeleton, size_t float_count = 0,
                                  const CompileOptions& options = {});

// Reads bytes() back. Damaged bytes and clips of another skeleton are refused.
Result<CompiledClip> read_compiled_clip(ByteSpan bytes, const Skeleton& skeleton);

// The whole pose at a time: all joints, and those floats that the clip moves. Any time costs the same: there is no
// state. Sizes match the clip's. No allocation.
void sample(const CompiledClip& clip, float time, Pose& pose);

// The same for some joints alone: out[i] is that of joints[i].
void sample_joints(const CompiledClip& clip, float time, std::span<const int32_t> joints, std::span<Transform> out);

// The events with from ≤ time < to, as of a Clip. O(log events), no allocation.
std::span<const ClipEvent> events_between(const CompiledClip& clip, float from, float to);

// The readable twin of sample(), without SIMD. The encoder measures errors with it.
void sample_scalar(const CompiledClip& clip, float time, Pose& pose);

// The largest distance between where the clip and the compiled clip put a point that moves with a joint and lies
// within the compiled clip's shell of it, at one time.
double model_error(const Clip& clip, const CompiledClip& compiled, const Skeleton& skeleton, float time);

}  // namespace sinew
