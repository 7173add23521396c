#include <fmt/format.h>

#include <sinew/io/mocap/asf.h>
#include <sinew/io/mocap/asf_amc.h>
#include <sinew/io/mocap/euler.h>
#include <sinew/io/text_scan.h>

namespace sinew {
namespace {

constexpr double database_frames_per_second = 120.0;
// Beyond this many frames consecutive times would no longer differ as floats.
constexpr size_t max_amc_frames = 8'000'000;

class AmcReader {
public:
    AmcReader(std::string_view text, const AsfSkeleton& asf, const std::vector<int32_t>& joint_of_bone,
              const Limits& limits)
        : scan_(text, {}), asf_(asf), limits_(limits), radians_(asf.radians), rotation_(asf.bones.size()) {
        for (size_t b = 0; b < rotation_.size(); ++b) rotation_[b].target = joint_of_bone[b];
        root_.path = TrackPath::translation;
        root_.width = 3;
    }

    // A bone that a frame does not name has no key there.
    Result<Clip> read() {
        while (scan_.next_line()) {
            const std::string_view word = scan_.word();
            if (word.starts_with(':')) {
                read_keyword(word);
            } else if (parse_integer(word)) {
                if (++frames_ > max_amc_frames)
                    return fail(ErrorCode::limit_exceeded,
                                fmt::format("the motion has more than {} frames, which is the limit", max_amc_frames),
                                scan_.where());
            } else if (frames_ == 0) {
                return error(
                    fmt::format("{} comes before the first frame's number; is it an AMC file?", in_quotes(word)));
            } else {
                SINEW_TRY_VOID(read_bone(word));
            }
        }
        if (frames_ == 0) return fail(ErrorCode::invalid_data, "the motion has no frames; is it an AMC file?");
        return take_clip();
    }

    size_t ignored() const { return ignored_; }

private:
    tl::unexpected<Error> error(std::string message) const {
        return fail(ErrorCode::invalid_data, std::move(message), scan_.where());
    }

    void read_keyword(std::string_view word) {
        if (equals_ignoring_case(word, ":degrees")) radians_ = degree;
        if (equals_ignoring_case(word, ":radians")) radians_ = 1.0;
        if (equals_ignoring_case(word, ":samples-per-second"))
            if (const auto rate = parse_number(scan_.word()); rate && *rate >= 1 && *rate <= 1e5) rate_ = *rate;
    }

    Result<void> read_bone(std::string_view name) {
        const auto found = asf_.bone_of_name.find(std::string(name));
        if (found == asf_.bone_of_name.end())
            return error(fmt::format("the skeleton has no bone {}; is this its .asf?", in_quotes(name)));
        const size_t b = size_t(found->second);
        const AsfBone& bone = asf_.bones[b];
        Quatd motion = Quatd::Identity();
        Vec3d position = asf_.root_position;
        bool turned = false, rotates = false, moves = false;
        for (const AsfDof& dof : bone.dofs) {
            SINEW_TRY(const double value, scan_.number("a bone's value"));
            if (dof.kind == AsfDof::Kind::rotate) {
                motion = axis_rotation(dof.axis, value * radians_) * motion;
                turned |= value != 0;
                rotates = true;
            } else if (dof.kind == AsfDof::Kind::translate && b == 0) {
                position[dof.axis] += value;
                moves = true;
            } else {
                ++ignored_;
            }
        }
        if (!scan_.word().empty())
            return error(fmt::format("{} has more values than degrees of freedom; is this its .asf?", in_quotes(name)));

        if (moves) {
            SINEW_TRY_VOID(begin_key(root_));
            const Vec3 metres = (position * asf_.metres).cast<float>();
            root_.values.insert(root_.values.end(), metres.data(), metres.data() + 3);
        }
        if (rotates) {
            SINEW_TRY_VOID(begin_key(rotation_[b]));
            // Given in the bone's own axes; joints turn in axes parallel to the world. No turn is none, to the last
            // bit.
            const Quatd& c = bone.world_from_axis;
            push_rotation(rotation_[b].values, turned ? Quatd(c * motion * c.conjugate()) : Quatd(Quatd::Identity()));
        }
        return {};
    }

    // Times are frame numbers until the rate is known.
    Result<void> begin_key(Track& track) {
        const float frame = float(frames_ - 1);
        if (!track.times.empty() && track.times.back() == frame)
            return error("a bone appears twice in one frame; remove one of the two lines");
        if (++keys_ > limits_.max_keys)
            return fail(ErrorCode::limit_exceeded, "the motion has too many keys; shorten it", scan_.where());
        track.times.push_back(frame);
        return {};
    }

    Clip take_clip() {
        Clip clip;
        if (!root_.times.empty()) clip.tracks.push_back(std::move(root_));
        for (Track& track : rotation_)
            if (!track.times.empty()) clip.tracks.push_back(std::move(track));
        for (Track& track : clip.tracks)
            for (float& time : track.times) time = float(double(time) / rate_);
        return clip;
    }

    TextScan scan_;
    const AsfSkeleton& asf_;
    const Limits& limits_;
    double radians_, rate_ = database_frames_per_second;
    std::vector<Track> rotation_;
    Track root_;
    size_t frames_ = 0, keys_ = 0, ignored_ = 0;
};

}  // namespace

Result<Character> read_amc(SharedBytes amc, SharedBytes asf_file, const ReadOptions& options) {
    auto asf = parse_asf(as_text(asf_file.view), options.limits);
    if (!asf) {
        asf.error().message = "in the .asf skeleton: " + asf.error().message;
        return fail(std::move(asf).error());
    }
    SINEW_TRY(AsfCharacter made, make_character(*asf));
    Character& character = made.character;
    character.format = "amc";
    AmcReader reader(as_text(amc.view), *asf, made.joint_of_bone, options.limits);
    SINEW_TRY(Clip clip, reader.read());
    if (reader.ignored() > 0)
        character.warnings.push_back(
            fmt::format("{} values that stretch or shift bones were left out", reader.ignored()));
    if (!clip.tracks.empty()) character.clips.push_back(std::move(clip));
    return std::move(character);
}

}  // namespace sinew
