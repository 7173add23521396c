#include <sinew/clip/clip.h>
#include <sinew/math/rotation.h>
#include <sinew/motion/clip_writer.h>
#include <sinew/motion/mapping/joint_matches.h>
#include <sinew/motion/retarget/motion_body.h>
#include <sinew/motion/retarget/retarget_names.h>
#include <sinew/skeleton/pose.h>
#include <Eigen/SVD>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <unordered_map>

namespace sinew {
namespace {

std::string plain_name(std::string_view name) {
    if (const size_t colon = name.find_last_of(":|"); colon != std::string_view::npos && colon + 1 < name.size())
        name.remove_prefix(colon + 1);
    std::string plain;
    for (const char c : name)
        if (std::isalnum(static_cast<unsigned char>(c)))
            plain += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return plain.empty() ? std::string(name) : plain;
}

bool same_rest(const Transform& a, const Transform& b) {
    const float size = std::max({1e-3f, a.translation.norm(), b.translation.norm()});
    return (a.translation - b.translation).norm() < 1e-3f * size && (a.scale - b.scale).norm() < 1e-3f &&
           std::abs(a.rotation.dot(b.rotation)) > 1.0f - 1e-6f;
}

// The rotation and scale that fit the source's paired joints to the target's, both at rest, in least squares
// [Umeyama1991].
struct Fit {
    Quatd turn = Quatd::Identity();
    double scale = 1.0;
};
Fit fit_rest(const WorldPose& source, const WorldPose& target, const JointPairs& pairs) {
    Vec3d source_mean = Vec3d::Zero(), target_mean = Vec3d::Zero();
    for (const auto& [from, to] : pairs) {
        source_mean += source.position[static_cast<size_t>(from)] / static_cast<double>(pairs.size());
        target_mean += target.position[static_cast<size_t>(to)] / static_cast<double>(pairs.size());
    }
    Mat3d covariance = Mat3d::Zero();
    double source_size = 0, target_size = 0;
    for (const auto& [from, to] : pairs) {
        const Vec3d s = source.position[static_cast<size_t>(from)] - source_mean;
        const Vec3d t = target.position[static_cast<size_t>(to)] - target_mean;
        covariance += t * s.transpose();
        source_size += s.squaredNorm();
        target_size += t.squaredNorm();
    }
    Fit fit;
    if (!(source_size > 0) || !(target_size > 0)) return fit;
    fit.scale = std::sqrt(target_size / source_size);
    const Eigen::JacobiSVD<Mat3d> svd(covariance, Eigen::ComputeFullU | Eigen::ComputeFullV);
    // Joints in one line do not determine the rotation about it: keep the files' own axes.
    if (svd.singularValues()[1] < 1e-3 * svd.singularValues()[0]) return fit;
    Mat3d sign = Mat3d::Identity();
    sign(2, 2) = (svd.matrixU() * svd.matrixV().transpose()).determinant() < 0 ? -1 : 1;
    fit.turn = Quatd(Mat3d(svd.matrixU() * sign * svd.matrixV().transpose()));
    if (std::abs(fit.turn.w()) > std::cos(0.5 * 0.09))
        fit.turn = Quatd::Identity();  // 5 degrees: rests that differ a little
    return fit;
}

// Per target joint, the world rotation that points its bone along the source's, where they differ by over 20 degrees.
std::vector<Quatd> rest_fixes(const Skeleton& target, const WorldPose& source_rest, const WorldPose& target_rest,
                              const std::vector<int32_t>& source_of, const Quatd& turn_all) {
    const size_t n = target.size();
    std::vector<int32_t> child(n, -1);  // the one paired joint below, −2 when there are several
    std::vector<int32_t> above(n, -1);  // the nearest paired ancestor
    for (size_t j = 0; j < n; ++j) {
        const int32_t parent = target.parents()[j];
        if (parent >= 0)
            above[j] = source_of[static_cast<size_t>(parent)] >= 0 ? parent : above[static_cast<size_t>(parent)];
        if (source_of[j] >= 0 && above[j] >= 0) {
            int32_t& only = child[static_cast<size_t>(above[j])];
            only = only == -1 ? static_cast<int32_t>(j) : -2;
        }
    }
    std::vector<Quatd> fix(n, Quatd::Identity());
    for (size_t j = 0; j < n; ++j) {
        if (source_of[j] < 0) continue;
        if (above[j] >= 0) fix[j] = fix[static_cast<size_t>(above[j])];
        if (child[j] < 0) continue;
        const auto c = static_cast<size_t>(child[j]);
        const Vec3d t = fix[j] * (target_rest.position[c] - target_rest.position[j]);
        const Vec3d s = turn_all * (source_rest.position[static_cast<size_t>(source_of[c])] -
                                    source_rest.position[static_cast<size_t>(source_of[j])]);
        if (t.norm() > 1e-9 && s.norm() > 1e-9 && t.normalized().dot(s.normalized()) < std::cos(radians(20.0f)))
            fix[j] = shortest_rotation(t, s) * fix[j];
    }
    return fix;
}

}  // namespace

std::optional<RetargetResult> copy_to_twin(const Skeleton& source, const Clip& motion, const Skeleton& target) {
    std::unordered_map<std::string_view, int32_t> by_name;
    for (size_t j = 0; j < target.size(); ++j) by_name.emplace(target.names()[j], static_cast<int32_t>(j));
    std::vector<int32_t> twin(source.size(), -1);
    for (size_t j = 0; j < source.size(); ++j) {
        const auto found = by_name.find(source.names()[j]);
        if (found == by_name.end() || !same_rest(source.rest()[j], target.rest()[static_cast<size_t>(found->second)]))
            continue;
        const int32_t parent = source.parents()[j], other = target.parents()[static_cast<size_t>(found->second)];
        if (parent < 0 ? other < 0 : other >= 0 && twin[static_cast<size_t>(parent)] == other) twin[j] = found->second;
    }
    RetargetResult result;
    result.clip = motion;
    std::vector<int32_t> joints;
    for (Track& track : result.clip.tracks) {
        if (track.path == TrackPath::morphs) continue;
        track.target = twin[static_cast<size_t>(track.target)];
        if (track.target < 0) return std::nullopt;
        joints.push_back(track.target);
    }
    if (joints.empty()) return std::nullopt;
    std::ranges::sort(joints);
    joints.erase(std::unique(joints.begin(), joints.end()), joints.end());
    result.mapped_joints = static_cast<int32_t>(joints.size());
    std::vector<int32_t> source_of(target.size(), -1);
    for (size_t j = 0; j < twin.size(); ++j)
        if (twin[j] >= 0) source_of[static_cast<size_t>(twin[j])] = static_cast<int32_t>(j);
    for (const int32_t joint : joints)
        result.map.push_back({source_of[static_cast<size_t>(joint)], joint, MatchedBy::same_rig});
    return result;
}

bool same_plain_name(std::string_view a, std::string_view b) {
    return plain_name(a) == plain_name(b);
}

JointPairs pairs_by_name(const Skeleton& source, const Skeleton& target) {
    std::unordered_map<std::string, int32_t> by_name;
    for (size_t j = 0; j < target.size(); ++j) by_name.emplace(plain_name(target.names()[j]), static_cast<int32_t>(j));
    JointPairs pairs;
    std::vector<char> taken(target.size(), 0);
    for (size_t j = 0; j < source.size(); ++j) {
        const auto found = by_name.find(plain_name(source.names()[j]));
        if (found == by_name.end() || taken[static_cast<size_t>(found->second)]) continue;
        taken[static_cast<size_t>(found->second)] = 1;
        pairs.emplace_back(static_cast<int32_t>(j), found->second);
    }
    return pairs;
}

JointPairs pairs_by_role(const Skeleton& source, const Skeleton& target) {
    const HumanoidMap from = recognise_humanoid(source), to = recognise_humanoid(target);
    JointPairs pairs;
    for (size_t r = 0; r < role_count; ++r)
        if (from.joint[r] >= 0 && to.joint[r] >= 0) pairs.emplace_back(from.joint[r], to.joint[r]);
    return pairs;
}

JointPairs pairs_by_role_and_name(const Skeleton& source, const Skeleton& target) {
    JointPairs pairs = pairs_by_role(source, target);
    std::vector<char> used(source.size(), 0), taken(target.size(), 0);
    for (const auto& [from, to] : pairs) used[static_cast<size_t>(from)] = taken[static_cast<size_t>(to)] = 1;
    for (const auto& [from, to] : pairs_by_name(source, target))
        if (!used[static_cast<size_t>(from)] && !taken[static_cast<size_t>(to)]) pairs.emplace_back(from, to);
    return pairs;
}

RetargetResult transfer_pairs(const Skeleton& source, const Clip& motion, const Skeleton& target,
                              const JointPairs& pairs, const std::vector<float>& times,
                              const RetargetOptions& options) {
    const WorldPose source_rest = world_pose(source, source.rest()), target_rest = world_pose(target, target.rest());
    const Fit fit = fit_rest(source_rest, target_rest, pairs);
    std::vector<char> turned(source.size(), 0);
    int32_t mover = -1;  // the topmost joint that travels
    for (const Track& track : motion.tracks) {
        if (track.path == TrackPath::rotation) turned[static_cast<size_t>(track.target)] = 1;
    }
    std::vector<int32_t> source_of(target.size(), -1);
    for (const auto& [from, to] : pairs) source_of[static_cast<size_t>(to)] = from;
    for (size_t j = 0; j < target.size() && mover < 0; ++j)
        for (const Track& track : motion.tracks)
            if (track.path == TrackPath::translation && track.target == source_of[j]) mover = static_cast<int32_t>(j);
    const std::vector<Quatd> fix = rest_fixes(target, source_rest, target_rest, source_of, fit.turn);

    std::vector<std::vector<Quatd>> rotations(target.size());
    std::vector<Vec3d> travel;
    std::vector<Quatd> world(target.size());
    for (const float time : times) {
        Pose pose{source.rest(), {}};
        sample(motion, time, pose);
        const WorldPose now = world_pose(source, pose.local);
        std::vector<Transform> local = target.rest();
        for (size_t j = 0; j < target.size(); ++j) {
            const int32_t parent = target.parents()[j], s = source_of[j];
            const Quatd above = parent < 0 ? Quatd(Quatd::Identity()) : world[static_cast<size_t>(parent)];
            if (s >= 0 && turned[static_cast<size_t>(s)]) {
                const Quatd since =
                    now.rotation[static_cast<size_t>(s)] * source_rest.rotation[static_cast<size_t>(s)].conjugate();
                world[j] = fit.turn * since * fit.turn.conjugate() * fix[j] * target_rest.rotation[j];
                rotations[j].push_back(above.conjugate() * world[j]);
                local[j].rotation = rotations[j].back().normalized().cast<float>();
            } else {
                world[j] = above * Quatd(target.rest()[j].rotation.cast<double>());
            }
        }
        if (mover < 0) continue;
        const auto m = static_cast<size_t>(mover);
        const Vec3d path =
            now.position[static_cast<size_t>(source_of[m])] - source_rest.position[static_cast<size_t>(source_of[m])];
        Vec3d moved = fit.scale * (fit.turn * path);
        if (options.in_place_root) moved = Vec3d(0, moved.y(), 0);
        std::vector<AffineD> affine(target.size());
        local_to_world(target.parents(), local, affine);
        AffineD parent_from_world = AffineD::Identity();
        if (target.parents()[m] >= 0) parent_from_world = affine[static_cast<size_t>(target.parents()[m])].inverse();
        travel.push_back(parent_from_world * Vec3d(target_rest.position[m] + moved));
    }

    RetargetResult result;
    result.clip.name = motion.name;
    result.scale = static_cast<float>(fit.scale);
    if (mover >= 0) result.clip.tracks.push_back(translation_track(mover, times, travel));
    for (size_t j = 0; j < target.size(); ++j) {
        if (rotations[j].empty()) continue;
        result.clip.tracks.push_back(rotation_track(static_cast<int32_t>(j), times, rotations[j]));
        ++result.mapped_joints;
    }
    result.map = list_matches(source, target, pairs);
    std::erase_if(result.map,
                  [&](const JointMatch& match) { return rotations[static_cast<size_t>(match.target)].empty(); });
    for (JointMatch& match : result.map)
        if (!options.map.empty()) match.by = MatchedBy::map;
    result.warnings.emplace_back(
        "the joints were matched one by one, because these are not two whole bodies of a kind: nothing holds feet to "
        "the "
        "ground");
    return result;
}

}  // namespace sinew
