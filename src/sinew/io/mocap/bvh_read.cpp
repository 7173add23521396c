#include <fmt/format.h>

#include <sinew/io/mocap/bvh.h>
#include <sinew/io/mocap/euler.h>
#include <sinew/io/text_scan.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// Beyond this many frames consecutive times would no longer differ as floats.
constexpr int64_t max_frames = 8'000'000;
constexpr size_t max_channels_per_joint = 32;

struct Channel {
    bool rotates = false;
    int axis = 0;
};

struct Joint {
    std::string name;
    int32_t parent = -1;
    Vec3 offset = Vec3::Zero();
    std::vector<Channel> channels;
};

std::optional<Channel> parse_channel(std::string_view word) {
    if (word.empty()) return std::nullopt;
    const size_t axis = std::string_view("xyz").find(static_cast<char>(word[0] | 0x20));
    if (axis == std::string_view::npos) return std::nullopt;
    word.remove_prefix(1);
    if (equals_ignoring_case(word, "rotation")) return Channel{true, static_cast<int>(axis)};
    if (equals_ignoring_case(word, "position")) return Channel{false, static_cast<int>(axis)};
    return std::nullopt;
}

class BvhReader {
public:
    BvhReader(std::string_view text, const ReadOptions& options)
        : scan_(text, {.hash_comments = false, .backslash_continues = false}), options_(options) {}

    Result<Character> read() {
        if (!equals_ignoring_case(scan_.word_across_lines(), "HIERARCHY"))
            return fail(ErrorCode::invalid_data,
                        "a BVH file starts with HIERARCHY, and this one does not; is it a BVH file?", scan_.where());
        SINEW_TRY_VOID(read_hierarchy());
        Character character;
        character.format = "bvh";
        SINEW_TRY(character.skeleton, make_skeleton());
        if (has_motion_) {
            SINEW_TRY_VOID(read_motion(character));
        } else {
            warnings_.push_back("the file has no MOTION section; only its skeleton was read");
        }
        character.warnings = std::move(warnings_);
        return character;
    }

private:
    // Up to and with the word MOTION. `open_` holds the joints whose braces are open; an end site's entry is −1.
    Result<void> read_hierarchy() {
        while (true) {
            const std::string_view word = scan_.word_across_lines();
            if (equals_ignoring_case(word, "ROOT") || equals_ignoring_case(word, "JOINT")) {
                SINEW_TRY_VOID(begin_joint(equals_ignoring_case(word, "ROOT")));
            } else if (equals_ignoring_case(word, "End")) {
                SINEW_TRY_VOID(read_end_site());
            } else if (equals_ignoring_case(word, "OFFSET")) {
                SINEW_TRY(const Vec3 offset, read_offset());
                if (open_.empty()) return unexpected(word);
                joints_[size_t(open_.back())].offset = offset;
            } else if (equals_ignoring_case(word, "CHANNELS")) {
                if (open_.empty()) return unexpected(word);
                SINEW_TRY_VOID(read_channels(joints_[size_t(open_.back())]));
            } else if (word == "}") {
                if (open_.empty()) return unexpected(word);
                open_.pop_back();
            } else if (open_.empty() && !joints_.empty() && (word.empty() || equals_ignoring_case(word, "MOTION"))) {
                has_motion_ = !word.empty();
                return {};
            } else {
                return unexpected(word);
            }
        }
    }

    Result<void> unexpected(std::string_view word) const {
        if (word.empty())
            return fail(ErrorCode::invalid_data, "the hierarchy does not end; is the file cut off?", scan_.where());
        return fail(ErrorCode::invalid_data,
                    fmt::format("{} does not belong here; is the file damaged?", in_quotes(word)), scan_.where());
    }

    Result<void> open_brace() {
        if (scan_.word_across_lines() == "{") return {};
        return fail(ErrorCode::invalid_data, "a '{' is missing after a joint's name", scan_.where());
    }

    Result<int32_t> add_joint(std::string name) {
        if (joints_.size() >= options_.limits.max_joints)
            return fail(ErrorCode::limit_exceeded,
                        fmt::format("the file has more than {} joints, which is the limit", options_.limits.max_joints),
                        scan_.where());
        joints_.push_back({std::move(name), open_.empty() ? -1 : open_.back(), Vec3::Zero(), {}});
        return int32_t(joints_.size() - 1);
    }

    Result<void> begin_joint(bool is_root) {
        if (is_root != open_.empty())
            return fail(ErrorCode::invalid_data,
                        is_root ? "a ROOT cannot be inside another joint; close that one's braces first"
                                : "a JOINT must be inside a ROOT",
                        scan_.where());
        if (open_.size() >= size_t(options_.limits.max_depth))
            return fail(
                ErrorCode::limit_exceeded,
                fmt::format("joints are nested more than {} deep, which is the limit", options_.limits.max_depth),
                scan_.where());
        SINEW_TRY(const int32_t joint, add_joint(std::string(scan_.until('{'))));
        SINEW_TRY_VOID(open_brace());
        open_.push_back(joint);
        return {};
    }

    // A zero-length one only marks a leaf, as the format demands, and makes no joint.
    Result<void> read_end_site() {
        if (open_.empty()) return unexpected("End");
        scan_.until('{');
        SINEW_TRY_VOID(open_brace());
        Vec3 offset = Vec3::Zero();
        std::string_view word = scan_.word_across_lines();
        if (equals_ignoring_case(word, "OFFSET")) {
            SINEW_TRY(offset, read_offset());
            word = scan_.word_across_lines();
        }
        if (word != "}") return unexpected(word);
        if (offset.isZero(0)) return {};
        SINEW_TRY(const int32_t joint, add_joint(joints_[size_t(open_.back())].name + "_end"));
        joints_[size_t(joint)].offset = offset;
        return {};
    }

    Result<Vec3> read_offset() {
        Vec3 offset;
        for (int i = 0; i < 3; ++i) {
            SINEW_TRY(const double value, scan_.number_across_lines("a coordinate of OFFSET"));
            offset[i] = float(value);
        }
        return offset;
    }

    Result<void> read_channels(Joint& joint) {
        const auto count = parse_integer(scan_.word_across_lines());
        if (!count || *count < 0 || *count > int64_t(max_channels_per_joint))
            return fail(ErrorCode::invalid_data, "CHANNELS must be followed by how many there are, at most 32",
                        scan_.where());
        if (!joint.channels.empty())
            return fail(ErrorCode::invalid_data, "a joint has CHANNELS twice; remove one of the two lines",
                        scan_.where());
        for (int64_t i = 0; i < *count; ++i) {
            const std::string_view word = scan_.word_across_lines();
            const auto channel = parse_channel(word);
            if (!channel)
                return fail(
                    ErrorCode::invalid_data,
                    fmt::format("{} is not a channel; use X, Y or Z followed by position or rotation", in_quotes(word)),
                    scan_.where());
            joint.channels.push_back(*channel);
        }
        channel_count_ += size_t(*count);
        return {};
    }

    Result<Skeleton> make_skeleton() const {
        std::vector<std::string> names;
        std::vector<int32_t> parents;
        std::vector<Transform> rest;
        for (const Joint& joint : joints_) {
            names.push_back(joint.name);
            parents.push_back(joint.parent);
            rest.push_back({.translation = joint.offset});
        }
        return Skeleton::create(std::move(names), std::move(parents), std::move(rest));
    }

    // "Frames: 12", "Frame Time: .0083": what follows the colon.
    Result<double> read_field(std::string_view name) {
        if (!scan_.next_line())
            return fail(ErrorCode::invalid_data, fmt::format("'{}:' is missing; is the file cut off?", name),
                        scan_.where());
        const std::string_view line = scan_.rest_of_line();
        const size_t colon = std::min(line.find(':'), line.size());
        const auto value = parse_number(trim(line.substr(std::min(colon + 1, line.size()))));
        if (!equals_ignoring_case(trim(line.substr(0, colon)), name) || !value)
            return fail(ErrorCode::invalid_data,
                        fmt::format("expected '{}:' and a number, not {}", name, in_quotes(line)), scan_.where());
        return *value;
    }

    Result<int64_t> read_frame_count() {
        SINEW_TRY(const double frames, read_field("Frames"));
        if (!(frames >= 0) || frames != std::floor(frames))
            return fail(ErrorCode::invalid_data, "the number of frames must be a whole number, 0 or more",
                        scan_.where());
        if (frames > double(max_frames))
            return fail(ErrorCode::limit_exceeded,
                        fmt::format("the motion has more than {} frames, which is the limit", max_frames),
                        scan_.where());
        // Every value takes a digit and a blank; anything beyond that is not in the file.
        if (frames * double(channel_count_) > 0.5 * double(scan_.bytes_left()) + 1)
            return fail(ErrorCode::invalid_data,
                        fmt::format("the file says that it has {} frames, but is too short for them; is it cut off?",
                                    int64_t(frames)),
                        scan_.where());
        return int64_t(frames);
    }

    Result<void> read_motion(Character& character) {
        SINEW_TRY(const int64_t frames, read_frame_count());
        SINEW_TRY(double frame_time, read_field("Frame Time"));
        if (!(frame_time >= 1e-6 && frame_time <= 1e6)) {
            warnings_.push_back(
                fmt::format("the frame time is {} s, which cannot be right; 1/30 s was used instead", frame_time));
            frame_time = 1.0 / 30.0;
        }
        make_tracks(size_t(frames));
        if (double(frames) * double(clip_.tracks.size()) > double(options_.limits.max_keys))
            return fail(ErrorCode::limit_exceeded, "the motion has too many keys; shorten it", scan_.where());
        if (channel_count_ > 0) {
            for (int64_t k = 0; k < frames; ++k) SINEW_TRY_VOID(read_frame(k, float(double(k) * frame_time)));
            if (!scan_.word_across_lines().empty())
                warnings_.push_back(
                    fmt::format("the file has more values than its {} frames need; the rest was left out", frames));
        }
        if (frames > 0 && !clip_.tracks.empty()) character.clips.push_back(std::move(clip_));
        return {};
    }

    // One track for a joint's rotation, one for its position, where it has such channels.
    void make_tracks(size_t frames) {
        for (size_t j = 0; j < joints_.size(); ++j) {
            for (const bool rotates : {false, true}) {
                const auto is_such = [rotates](const Channel& channel) { return channel.rotates == rotates; };
                if (std::none_of(joints_[j].channels.begin(), joints_[j].channels.end(), is_such)) continue;
                Track& track = clip_.tracks.emplace_back();
                track.target = int32_t(j);
                track.path = rotates ? TrackPath::rotation : TrackPath::translation;
                track.width = rotates ? 4 : 3;
                track.times.reserve(frames);
                track.values.reserve(frames * size_t(track.width));
            }
        }
    }

    Result<void> read_frame(int64_t frame, float time) {
        auto track = clip_.tracks.begin();
        for (const Joint& joint : joints_) {
            if (joint.channels.empty()) continue;
            Vec3 position = joint.offset;
            Quatd rotation = Quatd::Identity();
            bool moves = false, turns = false;
            for (const Channel& channel : joint.channels) {
                const std::string_view word = scan_.word_across_lines();
                const auto value = parse_number(word);
                if (!value) return bad_value(word, frame);
                if (channel.rotates)
                    rotation = rotation * axis_rotation(channel.axis, *value * degree), turns = true;
                else
                    position[channel.axis] = float(*value), moves = true;
            }
            if (moves) add_key(*track++, time, position);
            if (turns) add_key(*track++, time, rotation);
        }
        return {};
    }

    Result<void> bad_value(std::string_view word, int64_t frame) const {
        if (word.empty())
            return fail(ErrorCode::invalid_data,
                        fmt::format("values are missing in frame {}; is the file cut off?", frame + 1), scan_.where());
        return fail(ErrorCode::invalid_data,
                    fmt::format("a value of frame {} should be a number, not {}", frame + 1, in_quotes(word)),
                    scan_.where());
    }

    static void add_key(Track& track, float time, const Vec3& position) {
        track.times.push_back(time);
        track.values.insert(track.values.end(), position.data(), position.data() + 3);
    }

    static void add_key(Track& track, float time, const Quatd& rotation) {
        track.times.push_back(time);
        push_rotation(track.values, rotation);
    }

    TextScan scan_;
    const ReadOptions& options_;
    std::vector<Joint> joints_;
    std::vector<int32_t> open_;
    size_t channel_count_ = 0;
    bool has_motion_ = false;
    Clip clip_;
    std::vector<std::string> warnings_;
};

}  // namespace

Result<Character> read_bvh(SharedBytes file, const ReadOptions& options) {
    return BvhReader(as_text(file.view), options).read();
}

}  // namespace sinew
