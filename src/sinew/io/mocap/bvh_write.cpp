#include <fmt/format.h>

#include <sinew/character/character_deformer.h>
#include <sinew/io/mocap/bvh.h>
#include <sinew/io/mocap/euler.h>
#include <sinew/io/text_scan.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double degrees_per_radian = 180.0 / 3.14159265358979323846;
constexpr double default_frame_time = 1.0 / 30.0;
constexpr float scale_tolerance = 1e-6f;

// When to sample: frame k stands in the file at k · frame_time and is taken from the clip at times[k].
struct Frames {
    double frame_time = default_frame_time;
    std::vector<float> times;
};

bool on_grid(const std::vector<float>& times, double step) {
    return std::all_of(times.begin(), times.end(), [step](float time) {
        const double k = time / step;
        return std::abs(k - std::round(k)) < 0.01;
    });
}

// The shortest decimal number whose multiples are the keys' times to the last bit, as they are when the clip came from
// a BVH file; the plain average where there is none.
double exact_step(const std::vector<float>& times, double average) {
    for (int digits = 1; digits <= 12; ++digits) {
        const double step = parse_number(fmt::format("{:.{}g}", average, digits)).value_or(average);
        size_t k = 0;
        while (k < times.size() && float(double(k) * step) == times[k]) ++k;
        if (k == times.size()) return step;
    }
    return average;
}

// The keys' own times where the longest track is even, starts at 0 and all others fit in; 30 per second otherwise.
Frames choose_frames(const Clip* clip) {
    Frames frames;
    const Track* longest = nullptr;
    if (clip != nullptr)
        for (const Track& track : clip->tracks)
            if (longest == nullptr || track.times.size() > longest->times.size()) longest = &track;
    const float end = clip != nullptr ? duration(*clip) : 0.0f;
    if (longest == nullptr || !(end > 0)) {
        frames.times = {0.0f};
        return frames;
    }
    const std::vector<float>& keys = longest->times;
    const double step = keys.size() > 1 ? (double(keys.back()) - keys.front()) / double(keys.size() - 1) : 0.0;
    const auto fits = [step](const Track& track) { return on_grid(track.times, step); };
    const bool even = step > 1e-5 && keys.front() == 0.0f && keys.back() == end &&
                      std::all_of(clip->tracks.begin(), clip->tracks.end(), fits);
    if (even) {
        frames.frame_time = exact_step(keys, step);
        frames.times = keys;
        return frames;
    }
    const size_t count = size_t(std::floor(double(end) / default_frame_time + 1e-3)) + 1;
    for (size_t k = 0; k < count; ++k) frames.times.push_back(float(double(k) * default_frame_time));
    return frames;
}

bool has_scale(const Character& character, const Clip* clip) {
    const auto is_scaled = [](const Transform& t) {
        return (t.scale - Vec3::Ones()).cwiseAbs().maxCoeff() > scale_tolerance;
    };
    const auto& rest = character.skeleton.rest();
    const auto scales = [](const Track& track) { return track.path == TrackPath::scale; };
    return std::any_of(rest.begin(), rest.end(), is_scaled) ||
           (clip != nullptr && std::any_of(clip->tracks.begin(), clip->tracks.end(), scales));
}

// Replaces translations so that joints stand where the scales put them, without any scale.
void bake_scale(const std::vector<int32_t>& parents, std::vector<Transform>& local) {
    std::vector<AffineD> world(local.size());
    local_to_world(parents, local, world);
    std::vector<Quatd> turned(local.size());
    for (size_t j = 0; j < local.size(); ++j) {
        const Quatd own(local[j].rotation.cast<double>());
        turned[j] = parents[j] < 0 ? own : Quatd(turned[size_t(parents[j])] * own);
        local[j].scale.setOnes();
        if (parents[j] < 0) continue;
        const size_t p = size_t(parents[j]);
        const Vec3d reach = world[j].translation() - world[p].translation();
        local[j].translation = (turned[p].conjugate() * reach).cast<float>();
    }
}

class BvhWriter {
public:
    BvhWriter(const Character& character, const Clip* clip)
        : skeleton_(character.skeleton), children_(children_of(skeleton_.parents())), rest_(skeleton_.rest()) {
        frames_ = choose_frames(clip);
        const bool scaled = has_scale(character, clip);
        if (scaled) bake_scale(skeleton_.parents(), rest_);
        poses_.reserve(frames_.times.size());
        for (const float time : frames_.times) {
            poses_.push_back(pose_at(character, clip, time).local);
            if (scaled) bake_scale(skeleton_.parents(), poses_.back());
        }
        find_moving_joints();
        find_end_sites(clip);
    }

    std::string format() {
        text_ = "HIERARCHY\n";
        for (size_t j = 0; j < skeleton_.size(); ++j)
            if (skeleton_.parents()[j] < 0) write_tree(j);
        fmt::format_to(std::back_inserter(text_), "MOTION\nFrames: {}\nFrame Time: {:.12g}\n", poses_.size(),
                       frames_.frame_time);
        write_frames();
        return std::move(text_);
    }

private:
    // Position channels where a joint ever leaves its rest translation; roots always have them, as readers expect.
    void find_moving_joints() {
        float reach = 0;
        for (const Transform& t : rest_) reach = std::max(reach, t.translation.cwiseAbs().maxCoeff());
        const float tolerance = 1e-6f * std::max(reach, 1e-3f);
        moves_.assign(skeleton_.size(), false);
        for (size_t j = 0; j < skeleton_.size(); ++j) {
            moves_[j] = skeleton_.parents()[j] < 0;
            for (const auto& pose : poses_) {
                if (moves_[j]) break;
                moves_[j] = (pose[j].translation - rest_[j].translation).cwiseAbs().maxCoeff() > tolerance;
            }
        }
    }

    // What the reader would make of an end site is written as one.
    void find_end_sites(const Clip* clip) {
        is_end_.assign(skeleton_.size(), false);
        for (size_t j = 0; j < skeleton_.size(); ++j) {
            const int32_t parent = skeleton_.parents()[j];
            is_end_[j] = parent >= 0 && children_[j].empty() && !moves_[j] && !rest_[j].translation.isZero(0) &&
                         rest_[j].rotation.isApprox(Quat::Identity(), 1e-6f) &&
                         skeleton_.names()[j] == skeleton_.names()[size_t(parent)] + "_end";
        }
        if (clip == nullptr) return;
        for (const Track& track : clip->tracks)
            if (track.path == TrackPath::rotation) is_end_[size_t(track.target)] = false;
    }

    std::string name_of(size_t j) const {
        std::string name(trim(skeleton_.names()[j]));
        std::replace_if(
            name.begin(), name.end(), [](unsigned char c) { return c < 32 || c == '{' || c == '}'; }, '_');
        return name.empty() ? fmt::format("joint_{}", j) : name;
    }

    void line(size_t depth, std::string_view content) {
        text_.append(depth, '\t');
        text_ += content;
        text_ += '\n';
    }

    void write_offset(size_t depth, const Vec3& t) {
        line(depth, fmt::format("OFFSET {:.9g} {:.9g} {:.9g}", t.x(), t.y(), t.z()));
    }

    void open(size_t j, size_t depth) {
        order_.push_back(j);
        line(depth, fmt::format("{} {}", depth == 0 ? "ROOT" : "JOINT", name_of(j)));
        line(depth, "{");
        write_offset(depth + 1, rest_[j].translation);
        line(depth + 1, moves_[j] ? "CHANNELS 6 Xposition Yposition Zposition Zrotation Yrotation Xrotation"
                                  : "CHANNELS 3 Zrotation Yrotation Xrotation");
        if (children_[j].empty()) write_end_site(depth + 1, Vec3::Zero());
    }

    void write_end_site(size_t depth, const Vec3& offset) {
        line(depth, "End Site");
        line(depth, "{");
        write_offset(depth + 1, offset);
        line(depth, "}");
    }

    // Depth first without recursion: a skeleton may be one chain of 65,535 joints.
    void write_tree(size_t root) {
        struct Level {
            size_t joint;
            size_t next_child = 0;
        };
        std::vector<Level> stack{{root}};
        open(root, 0);
        while (!stack.empty()) {
            Level& level = stack.back();
            if (level.next_child == children_[level.joint].size()) {
                stack.pop_back();
                line(stack.size(), "}");
                continue;
            }
            const size_t child = size_t(children_[level.joint][level.next_child++]);
            if (is_end_[child]) {
                write_end_site(stack.size(), rest_[child].translation);
                continue;
            }
            open(child, stack.size());
            stack.push_back({child});
        }
    }

    void write_frames() {
        const auto out = std::back_inserter(text_);
        std::vector<Vec3d> previous(skeleton_.size(), Vec3d::Zero());
        for (const auto& pose : poses_) {
            const char* blank = "";
            for (const size_t j : order_) {
                const Vec3& t = pose[j].translation;
                if (moves_[j])
                    fmt::format_to(out, "{}{:.9g} {:.9g} {:.9g}", std::exchange(blank, " "), t.x(), t.y(), t.z());
                previous[j] = zyx_angles(Quatd(pose[j].rotation.cast<double>()), previous[j]);
                const Vec3d a = previous[j] * degrees_per_radian;
                fmt::format_to(out, "{}{:.9g} {:.9g} {:.9g}", std::exchange(blank, " "), a[0], a[1], a[2]);
            }
            text_ += '\n';
        }
    }

    const Skeleton& skeleton_;
    std::vector<std::vector<int32_t>> children_;
    std::vector<Transform> rest_;
    Frames frames_;
    std::vector<std::vector<Transform>> poses_;
    std::vector<char> moves_, is_end_;
    std::vector<size_t> order_;  // of the joints with channels, as their blocks stand in the file
    std::string text_;
};

}  // namespace

Result<std::vector<OutputFile>> encode_bvh(const Character& character, int32_t clip,
                                           const std::filesystem::path& path) {
    if (character.skeleton.size() == 0)
        return fail(ErrorCode::invalid_argument,
                    "a BVH file holds a skeleton, and this character has none; write .obj or .glb");
    if (!character.clips.empty() && (clip < 0 || size_t(clip) >= character.clips.size()))
        return fail(ErrorCode::not_found, fmt::format("there is no clip {}; the character has {}, numbered from 0",
                                                      clip, character.clips.size()));
    const Clip* motion = character.clips.empty() ? nullptr : &character.clips[size_t(clip)];
    const std::string text = BvhWriter(character, motion).format();
    const ByteSpan bytes = as_byte_span(text);
    std::vector<OutputFile> files;
    files.push_back({path, Bytes(bytes.begin(), bytes.end())});
    return files;
}

}  // namespace sinew
