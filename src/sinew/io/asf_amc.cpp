#include <fmt/format.h>

#include <sinew/io/asf_amc.h>
#include <sinew/io/euler.h>
#include <sinew/io/text_scan.h>
#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace sinew {
namespace {

constexpr double degree = 3.14159265358979323846 / 180.0;
constexpr double metres_per_inch = 0.0254;
constexpr double frames_per_second = 120.0;
// Beyond this many frames consecutive times would no longer differ as floats.
constexpr size_t max_frames = 8'000'000;

// One degree of freedom: what a number of the motion file means.
struct Dof {
    enum class Kind : uint8_t { rotate, translate, ignored } kind = Kind::ignored;
    int axis = 0;
};

// A bone starts where its parent ends. `axis_frame` is the frame that its rotations are given in, world_from_axis.
struct Bone {
    std::string name;
    int32_t parent = -1;
    Vec3d direction = Vec3d::Zero();  // unit, in the world at rest
    double length = 0;                // as in the file
    Quatd axis_frame = Quatd::Identity();
    std::vector<Dof> dofs;
    bool has_parent = false;
};

std::optional<Dof> parse_dof(std::string_view word) {
    if (equals_ignoring_case(word, "l")) return Dof{};
    if (word.size() != 2) return std::nullopt;
    const size_t axis = std::string_view("xyz").find(static_cast<char>(word[1] | 0x20));
    if (axis == std::string_view::npos) return std::nullopt;
    const char kind = static_cast<char>(word[0] | 0x20);
    if (kind == 'r') return Dof{Dof::Kind::rotate, static_cast<int>(axis)};
    if (kind == 't') return Dof{Dof::Kind::translate, static_cast<int>(axis)};
    return std::nullopt;
}

// The skeleton file. bones[0] is the root; its direction and length are zero.
class Asf {
public:
    Asf(std::string_view text, const ReadOptions& options)
        : scan_(text, {.hash_comments = true, .backslash_continues = false}), options_(options) {
        Bone& root = bones.emplace_back();
        root.name = "root";
        root.has_parent = true;
        index_["root"] = 0;
    }

    Result<void> read() {
        std::string_view section;
        while (scan_.next_line()) {
            const std::string_view word = scan_.word();
            if (word.starts_with(':')) {
                section = word;
                saw_bones_ |= equals_ignoring_case(word, ":bonedata");
            } else if (equals_ignoring_case(section, ":units")) {
                SINEW_TRY_VOID(read_unit(word));
            } else if (equals_ignoring_case(section, ":root")) {
                SINEW_TRY_VOID(read_root(word));
            } else if (equals_ignoring_case(section, ":bonedata")) {
                SINEW_TRY_VOID(read_bone(word));
            } else if (equals_ignoring_case(section, ":hierarchy")) {
                SINEW_TRY_VOID(read_hierarchy(word));
            } else if (section.empty()) {
                return fail(ErrorCode::invalid_data, "an ASF file starts with ':version'", scan_.where());
            }
        }
        if (open_)
            return fail(ErrorCode::invalid_data, "a bone's 'end' is missing; is the file cut off?", scan_.where());
        if (!saw_bones_) return fail(ErrorCode::invalid_data, "the file has no ':bonedata'; is it an ASF file?");
        return put_in_order();
    }

    double metres() const { return metres_per_inch / length_unit_; }
    double angle_unit() const { return angle_unit_; }
    int32_t find(std::string_view name) const {
        const auto found = index_.find(std::string(name));
        return found == index_.end() ? -1 : found->second;
    }

    std::vector<Bone> bones;  // after read(): parents before children
    Vec3d root_position = Vec3d::Zero();
    std::vector<std::string> warnings;

private:
    Result<void> read_unit(std::string_view word) {
        if (equals_ignoring_case(word, "length")) {
            SINEW_TRY(length_unit_, scan_.number("the unit of length"));
            if (!(length_unit_ > 1e-9))
                return fail(ErrorCode::invalid_data, "the unit of length should be positive", scan_.where());
        } else if (equals_ignoring_case(word, "angle")) {
            angle_unit_ = starts_ignoring_case(scan_.word(), "rad") ? 1.0 : degree;
        }
        return {};
    }

    Result<void> read_root(std::string_view word) {
        Bone& root = bones[0];
        if (equals_ignoring_case(word, "order")) return read_dofs(root);
        if (equals_ignoring_case(word, "axis")) {
            root_axis_order_ = scan_.word();
        } else if (equals_ignoring_case(word, "position")) {
            SINEW_TRY(root_position, read_vector("the root's position"));
        } else if (equals_ignoring_case(word, "orientation")) {
            SINEW_TRY(const Vec3d angles, read_vector("the root's orientation"));
            SINEW_TRY(root.axis_frame, rotation(angles, root_axis_order_));
        }
        return {};
    }

    Result<void> read_bone(std::string_view word) {
        if (equals_ignoring_case(word, "begin")) {
            if (open_) return fail(ErrorCode::invalid_data, "a bone begins inside another one", scan_.where());
            if (bones.size() >= options_.limits.max_joints)
                return fail(ErrorCode::limit_exceeded, "too many bones", scan_.where());
            open_ = true;
            bones.emplace_back();
            return {};
        }
        if (!open_)
            return fail(ErrorCode::invalid_data, fmt::format("{} stands outside 'begin' and 'end'", in_quotes(word)),
                        scan_.where());
        Bone& bone = bones.back();
        if (equals_ignoring_case(word, "end")) {
            open_ = false;
            if (!index_.try_emplace(bone.name, int32_t(bones.size() - 1)).second)
                return fail(ErrorCode::invalid_data, fmt::format("two bones are called {}", in_quotes(bone.name)),
                            scan_.where());
        } else if (equals_ignoring_case(word, "name")) {
            bone.name = scan_.rest_of_line();
        } else if (equals_ignoring_case(word, "direction")) {
            SINEW_TRY(bone.direction, read_vector("a bone's direction"));
            const double norm = bone.direction.norm();
            if (norm > 0) bone.direction /= norm;
        } else if (equals_ignoring_case(word, "length")) {
            SINEW_TRY(bone.length, scan_.number("a bone's length"));
        } else if (equals_ignoring_case(word, "axis")) {
            SINEW_TRY(const Vec3d angles, read_vector("a bone's axis"));
            SINEW_TRY(bone.axis_frame, rotation(angles, scan_.word()));
        } else if (equals_ignoring_case(word, "dof")) {
            return read_dofs(bone);
        }
        return {};  // id, mass, limits: not needed to place a bone
    }

    Result<void> read_hierarchy(std::string_view word) {
        if (equals_ignoring_case(word, "begin") || equals_ignoring_case(word, "end")) return {};
        const int32_t parent = find(word);
        if (parent < 0) return no_such_bone(word);
        for (word = scan_.word(); !word.empty(); word = scan_.word()) {
            const int32_t child = find(word);
            if (child < 0) return no_such_bone(word);
            if (bones[size_t(child)].has_parent)
                return fail(ErrorCode::invalid_data, fmt::format("{} has two parents", in_quotes(word)), scan_.where());
            bones[size_t(child)].parent = parent;
            bones[size_t(child)].has_parent = true;
        }
        return {};
    }

    Result<void> no_such_bone(std::string_view name) const {
        return fail(ErrorCode::invalid_data,
                    fmt::format("the hierarchy names {}, which no bone is called", in_quotes(name)), scan_.where());
    }

    Result<void> read_dofs(Bone& bone) {
        bone.dofs.clear();
        for (std::string_view word = scan_.word(); !word.empty(); word = scan_.word()) {
            const auto dof = parse_dof(word);
            if (!dof)
                return fail(ErrorCode::invalid_data,
                            fmt::format("{} is no degree of freedom; known are rx ry rz tx ty tz l", in_quotes(word)),
                            scan_.where());
            bone.dofs.push_back(*dof);
        }
        if (bone.dofs.size() > 32)
            return fail(ErrorCode::invalid_data, "a bone has too many degrees of freedom", scan_.where());
        return {};
    }

    Result<Vec3d> read_vector(std::string_view what) {
        Vec3d v;
        for (int i = 0; i < 3; ++i) {
            SINEW_TRY(v[i], scan_.number(what));
        }
        return v;
    }

    // "XYZ": about x first, then y, then z, all of them world axes.
    Result<Quatd> rotation(const Vec3d& angles, std::string_view order) const {
        Quatd q = Quatd::Identity();
        if (order.empty()) order = "XYZ";
        if (order.size() != 3)
            return fail(ErrorCode::invalid_data, fmt::format("{} is no order of axes", in_quotes(order)),
                        scan_.where());
        for (size_t i = 0; i < 3; ++i) {
            const size_t axis = std::string_view("xyz").find(static_cast<char>(order[i] | 0x20));
            if (axis == std::string_view::npos)
                return fail(ErrorCode::invalid_data, fmt::format("{} is no order of axes", in_quotes(order)),
                            scan_.where());
            q = axis_rotation(int(axis), angles[Eigen::Index(i)] * angle_unit_) * q;
        }
        return q;
    }

    // Depth first from the root; bones that no line of the hierarchy reaches are left out.
    Result<void> put_in_order() {
        std::vector<std::vector<int32_t>> children(bones.size());
        for (size_t b = 1; b < bones.size(); ++b)
            if (bones[b].has_parent) children[size_t(bones[b].parent)].push_back(int32_t(b));
        std::vector<Bone> ordered;
        std::vector<std::pair<int32_t, int32_t>> stack{{0, -1}};  // bone, its parent's new number
        while (!stack.empty()) {
            const auto [bone, parent] = stack.back();
            stack.pop_back();
            const int32_t number = int32_t(ordered.size());
            ordered.push_back(std::move(bones[size_t(bone)]));
            ordered.back().parent = parent;
            const auto& below = children[size_t(bone)];
            for (auto child = below.rbegin(); child != below.rend(); ++child) stack.emplace_back(*child, number);
        }
        if (ordered.size() < bones.size())
            warnings.push_back(
                fmt::format("{} bones hang on nothing and were left out", bones.size() - ordered.size()));
        bones = std::move(ordered);
        index_.clear();
        for (size_t b = 0; b < bones.size(); ++b) index_[bones[b].name] = int32_t(b);
        return {};
    }

    TextScan scan_;
    const ReadOptions& options_;
    double length_unit_ = 1.0, angle_unit_ = degree;
    std::string_view root_axis_order_;
    std::unordered_map<std::string, int32_t> index_;
    bool open_ = false, saw_bones_ = false;
};

// Each bone is a joint at its start, its frame parallel to the world at rest, followed by the next bone's start. A
// leaf's end is a joint "<bone>_end", so that every end of a bone is a joint. joint_of[b] is bone b's joint.
Result<Character> make_character(const Asf& asf, std::vector<int32_t>& joint_of) {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    const auto end_of = [&](const Bone& bone) { return Vec3d(bone.direction * (bone.length * asf.metres())); };

    std::vector<char> is_leaf(asf.bones.size(), true);
    for (const Bone& bone : asf.bones)
        if (bone.parent >= 0) is_leaf[size_t(bone.parent)] = false;
    joint_of.clear();
    for (size_t b = 0; b < asf.bones.size(); ++b) {
        const Bone& bone = asf.bones[b];
        const Vec3d start =
            bone.parent < 0 ? Vec3d(asf.root_position * asf.metres()) : end_of(asf.bones[size_t(bone.parent)]);
        joint_of.push_back(int32_t(names.size()));
        names.push_back(bone.name);
        parents.push_back(bone.parent < 0 ? -1 : joint_of[size_t(bone.parent)]);
        rest.push_back({.translation = start.cast<float>()});
        if (!is_leaf[b] || b == 0) continue;
        names.push_back(bone.name + "_end");
        parents.push_back(joint_of[b]);
        rest.push_back({.translation = end_of(bone).cast<float>()});
    }
    Character character;
    character.warnings = asf.warnings;
    SINEW_TRY(character.skeleton, Skeleton::create(std::move(names), std::move(parents), std::move(rest)));
    return character;
}

class AmcReader {
public:
    AmcReader(std::string_view text, const Asf& asf, const std::vector<int32_t>& joint_of, const Limits& limits)
        : scan_(text, {.hash_comments = true, .backslash_continues = false}),
          asf_(asf),
          joint_of_(joint_of),
          limits_(limits),
          angle_unit_(asf.angle_unit()) {
        rotation_.resize(asf.bones.size());
        for (size_t b = 0; b < asf.bones.size(); ++b) make_track(b, TrackPath::rotation, rotation_[b]);
        make_track(0, TrackPath::translation, root_);
    }

    Result<Clip> read() {
        while (scan_.next_line()) {
            const std::string_view word = scan_.word();
            if (word.starts_with(':')) {
                read_keyword(word);
            } else if (parse_integer(word)) {
                if (++frames_ > max_frames)
                    return fail(ErrorCode::limit_exceeded, fmt::format("more than {} frames", max_frames),
                                scan_.where());
            } else if (frames_ == 0) {
                return fail(ErrorCode::invalid_data,
                            fmt::format("{} stands before the first frame's number", in_quotes(word)), scan_.where());
            } else {
                SINEW_TRY_VOID(read_bone(word));
            }
        }
        if (frames_ == 0) return fail(ErrorCode::invalid_data, "the motion has no frames; is it an AMC file?");
        return take_clip();
    }

private:
    void make_track(size_t bone, TrackPath path, Track& track) const {
        track.target = joint_of_[bone];
        track.path = path;
        track.width = path == TrackPath::rotation ? 4 : 3;
    }

    void read_keyword(std::string_view word) {
        if (equals_ignoring_case(word, ":degrees")) angle_unit_ = degree;
        if (equals_ignoring_case(word, ":radians")) angle_unit_ = 1.0;
        if (equals_ignoring_case(word, ":samples-per-second"))
            if (const auto rate = parse_number(scan_.word()); rate && *rate >= 1 && *rate <= 1e5) rate_ = *rate;
    }

    Result<void> read_bone(std::string_view name) {
        const int32_t b = asf_.find(name);
        if (b < 0)
            return fail(ErrorCode::invalid_data,
                        fmt::format("the skeleton has no bone {}; is this its .asf?", in_quotes(name)), scan_.where());
        const Bone& bone = asf_.bones[size_t(b)];
        Quatd motion = Quatd::Identity();
        Vec3d position = asf_.root_position;
        bool turned = false, rotates = false, moves = false;
        for (const Dof& dof : bone.dofs) {
            SINEW_TRY(const double value, scan_.number("a bone's value"));
            if (dof.kind == Dof::Kind::rotate) {
                motion = axis_rotation(dof.axis, value * angle_unit_) * motion;
                turned |= value != 0;
                rotates = true;
            } else if (dof.kind == Dof::Kind::translate && b == 0) {
                position[dof.axis] += value;
                moves = true;
            } else {
                ++ignored_;
            }
        }
        if (!scan_.word().empty())
            return fail(ErrorCode::invalid_data,
                        fmt::format("{} has more values than degrees of freedom; is this its .asf?", in_quotes(name)),
                        scan_.where());
        // Rotations are given in the bone's own axes; joints turn in axes parallel to the world.
        const Quatd rotation =
            turned ? Quatd(bone.axis_frame * motion * bone.axis_frame.conjugate()) : Quatd(Quatd::Identity());
        if (rotates) SINEW_TRY_VOID(add_rotation(rotation_[size_t(b)], rotation));
        const Vec3 metres = (position * asf_.metres()).cast<float>();
        if (moves) SINEW_TRY_VOID(add_key(root_, metres.data()));
        return {};
    }

    // q and −q are one rotation; the one on the previous key's side keeps interpolation on the short way.
    Result<void> add_rotation(Track& track, const Quatd& rotation) {
        Eigen::Vector4d xyzw = rotation.coeffs().normalized();
        if (!track.values.empty()) {
            double dot = 0;
            for (size_t i = 0; i < 4; ++i) dot += xyzw[Eigen::Index(i)] * track.values[track.values.size() - 4 + i];
            if (dot < 0) xyzw = -xyzw;
        }
        const Eigen::Vector4f rounded = xyzw.cast<float>();
        return add_key(track, rounded.data());
    }

    // Times are frame numbers until the rate is known.
    Result<void> add_key(Track& track, const float* value) {
        const float frame = float(frames_ - 1);
        if (!track.times.empty() && track.times.back() == frame)
            return fail(ErrorCode::invalid_data, "a bone stands twice in one frame", scan_.where());
        if (++keys_ > limits_.max_keys)
            return fail(ErrorCode::limit_exceeded, "more keys than the limits allow", scan_.where());
        track.times.push_back(frame);
        track.values.insert(track.values.end(), value, value + track.width);
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

public:
    size_t ignored() const { return ignored_; }

private:
    TextScan scan_;
    const Asf& asf_;
    const std::vector<int32_t>& joint_of_;
    const Limits& limits_;
    double angle_unit_, rate_ = frames_per_second;
    std::vector<Track> rotation_;
    Track root_;
    size_t frames_ = 0, keys_ = 0, ignored_ = 0;
};

}  // namespace

Result<Character> read_asf(SharedBytes file, const ReadOptions& options) {
    Asf asf(as_text(file.view), options);
    SINEW_TRY_VOID(asf.read());
    std::vector<int32_t> joint_of;
    SINEW_TRY(Character character, make_character(asf, joint_of));
    character.format = "asf";
    return character;
}

Result<Character> read_amc(SharedBytes amc, SharedBytes asf_file, const ReadOptions& options) {
    Asf asf(as_text(asf_file.view), options);
    if (auto read = asf.read(); !read) {
        Error error = std::move(read).error();
        error.message = "in the .asf skeleton: " + error.message;
        return fail(std::move(error));
    }
    std::vector<int32_t> joint_of;
    SINEW_TRY(Character character, make_character(asf, joint_of));
    character.format = "amc";
    AmcReader reader(as_text(amc.view), asf, joint_of, options.limits);
    SINEW_TRY(Clip clip, reader.read());
    if (reader.ignored() > 0)
        character.warnings.push_back(
            fmt::format("{} values that stretch or shift bones were left out", reader.ignored()));
    if (!clip.tracks.empty()) character.clips.push_back(std::move(clip));
    return character;
}

}  // namespace sinew
