#include <sinew/motion/retarget_creature/creature_stance.h>

#include <sinew/math/rotation.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double same_bones = 0.03;     // bones of one build differ by less than this share of their length
constexpr double elsewhere_cos = 0.82;  // 35 degrees: chains that differ more do not stand alike

Mat3d frame_of(const CreatureMap& map) {
    Mat3d frame;
    frame << map.left(), map.up, map.forward;
    return frame;
}

const Vec3d& joint_at(const WorldPose& pose, int32_t joint) {
    return pose.position[static_cast<size_t>(joint)];
}

double chain_length(const WorldPose& pose, std::span<const int32_t> chain) {
    double length = 0;
    for (size_t i = 1; i < chain.size(); ++i)
        length += (joint_at(pose, chain[i]) - joint_at(pose, chain[i - 1])).norm();
    return length;
}

double body_scale(const CreatureMap& source, const WorldPose& source_pose, const CreatureMap& target,
                  const WorldPose& target_pose, const std::vector<ChainMatch>& matches) {
    double s = 0, t = 0;
    for (const ChainMatch& match : matches) {
        if (!match.leg) continue;
        s += chain_length(source_pose, std::span(match.source).first(match.source_foot + 1));
        t += chain_length(target_pose, std::span(match.target).first(match.target_foot + 1));
    }
    if (!(s > 0) || !(t > 0)) {
        const auto trunk = [](const CreatureMap& map, const WorldPose& pose) {
            double length = chain_length(pose, map.spine);
            for (const JointChain* chain : {&map.neck, &map.head, &map.tail}) {
                length += chain_length(pose, *chain);
                if (!chain->empty() && !map.spine.empty())
                    length += (joint_at(pose, chain->front()) -
                               joint_at(pose, chain == &map.tail ? map.spine.front() : map.spine.back()))
                                  .norm();
            }
            return length;
        };
        s = trunk(source, source_pose);
        t = trunk(target, target_pose);
    }
    return s > 0 && t > 0 ? t / s : 1.0;
}

bool same_bone_lengths(const ChainMatch& match, const WorldPose& source, const WorldPose& target, double scale) {
    if (match.source.size() != match.target.size()) return false;
    for (size_t i = 1; i < match.source.size(); ++i) {
        const double s = scale * (joint_at(source, match.source[i]) - joint_at(source, match.source[i - 1])).norm();
        const double t = (joint_at(target, match.target[i]) - joint_at(target, match.target[i - 1])).norm();
        if (std::abs(s - t) > same_bones * std::max(s, t)) return false;
    }
    return true;
}

// The world rotations that bring the target's joints to the common stance; identity where nothing is to be done.
struct Fixes {
    std::vector<Quatd> fix;
    std::vector<char> known;
};

// The point at a share of the way along a chain.
Vec3d point_along(const WorldPose& pose, std::span<const int32_t> chain, double share) {
    double left = share * chain_length(pose, chain);
    for (size_t i = 1; i < chain.size(); ++i) {
        const Vec3d bone = joint_at(pose, chain[i]) - joint_at(pose, chain[i - 1]);
        if (left <= bone.norm() && bone.norm() > 0) return joint_at(pose, chain[i - 1]) + bone * (left / bone.norm());
        left -= bone.norm();
    }
    return joint_at(pose, chain.back());
}

// Each bone of the target points the way the source's chain goes at that place.
void point_bones(const ChainMatch& match, const WorldPose& source, const WorldPose& target, const Quatd& m,
                 Quatd carried, Fixes& fixes) {
    const bool pairwise = match.source.size() == match.target.size();
    const double length = chain_length(target, match.target);
    double along = 0;
    for (size_t i = 0; i < match.target.size(); ++i) {
        const auto joint = static_cast<size_t>(match.target[i]);
        if (i + 1 < match.target.size()) {
            const Vec3d t = joint_at(target, match.target[i + 1]) - joint_at(target, match.target[i]);
            Vec3d s = Vec3d::Zero();
            if (pairwise)
                s = joint_at(source, match.source[i + 1]) - joint_at(source, match.source[i]);
            else if (length > 0)
                s = point_along(source, match.source, (along + t.norm()) / length) -
                    point_along(source, match.source, along / length);
            along += t.norm();
            if (s.norm() > 0 && t.norm() > 0) carried = shortest_rotation(carried * t, m * s) * carried;
        }
        fixes.fix[joint] = carried;
        fixes.known[joint] = 1;
    }
}

// The chain as a whole points the way the source's does, where they differ much.
void point_chain(const ChainMatch& match, const WorldPose& source, const WorldPose& target, const Quatd& m,
                 Quatd carried, Fixes& fixes) {
    const size_t s_end = match.leg ? match.source_foot : match.source.size() - 1;
    const size_t t_end = match.leg ? match.target_foot : match.target.size() - 1;
    if (s_end > 0 && t_end > 0) {
        const Vec3d s = m * (joint_at(source, match.source[s_end]) - joint_at(source, match.source[0]));
        const Vec3d t = carried * (joint_at(target, match.target[t_end]) - joint_at(target, match.target[0]));
        const double scale = s.norm() * t.norm();
        if (scale > 0 && s.dot(t) < elsewhere_cos * scale) carried = shortest_rotation(t, s) * carried;
    }
    for (const int32_t joint : match.target) {
        fixes.fix[static_cast<size_t>(joint)] = carried;
        fixes.known[static_cast<size_t>(joint)] = 1;
    }
}

WorldPose stand(const Skeleton& skeleton, const WorldPose& rest, const Fixes& fixes) {
    WorldPose pose = rest;
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        if (parent >= 0) {
            const auto p = static_cast<size_t>(parent);
            const Quatd carried = pose.rotation[p] * rest.rotation[p].conjugate();
            pose.position[j] = pose.position[p] + carried * (rest.position[j] - rest.position[p]);
            pose.rotation[j] = carried * rest.rotation[j];
        }
        if (fixes.known[j]) pose.rotation[j] = fixes.fix[j] * rest.rotation[j];
    }
    return pose;
}

}  // namespace

CreatureStance align_creatures(const Skeleton& source, const CreatureMap& source_map, const WorldPose& source_pose,
                               const Skeleton& target, const CreatureMap& target_map, const WorldPose& target_pose,
                               const std::vector<ChainMatch>& matches) {
    (void)source;
    CreatureStance stance;
    stance.target_from_source = Quatd(Mat3d(frame_of(target_map) * frame_of(source_map).transpose())).normalized();
    stance.scale = body_scale(source_map, source_pose, target_map, target_pose, matches);
    Fixes fixes{std::vector<Quatd>(target.size(), Quatd::Identity()), std::vector<char>(target.size(), 0)};
    stance.same_build = !matches.empty();
    for (const ChainMatch& match : matches) {
        if (match.target.empty()) continue;
        const bool twins = same_bone_lengths(match, source_pose, target_pose, stance.scale);
        stance.same_build &= twins;
        // What the trunk below was turned by comes along.
        Quatd carried = Quatd::Identity();
        for (int32_t above = target.parents()[static_cast<size_t>(match.target[0])]; above >= 0;
             above = target.parents()[static_cast<size_t>(above)]) {
            if (!fixes.known[static_cast<size_t>(above)]) continue;
            carried = fixes.fix[static_cast<size_t>(above)];
            break;
        }
        if (match.source.empty() || match.part == "spine" || match.part == "head" || match.part == "jaw") {
            if (twins && match.target.size() > 1)
                point_bones(match, source_pose, target_pose, stance.target_from_source, carried, fixes);
            continue;
        }
        (twins || match.shaped ? point_bones : point_chain)(match, source_pose, target_pose, stance.target_from_source,
                                                            carried, fixes);
    }
    stance.target = stand(target, target_pose, fixes);
    for (const ChainMatch& match : matches) {
        for (const JointDrive& joint : match.drives) {
            Drive drive;
            drive.target = joint.target;
            drive.source_a = joint.source_a;
            drive.source_b = joint.source_b;
            drive.blend = joint.blend;
            drive.source_reference_a = source_pose.rotation[static_cast<size_t>(joint.source_a)];
            drive.source_reference_b = source_pose.rotation[static_cast<size_t>(joint.source_b)];
            drive.target_reference = stance.target.rotation[static_cast<size_t>(joint.target)];
            stance.drives.push_back(drive);
        }
    }
    std::ranges::stable_sort(stance.drives, {}, &Drive::target);
    const auto same = [](const Drive& x, const Drive& y) { return x.target == y.target; };
    stance.drives.erase(std::unique(stance.drives.begin(), stance.drives.end(), same), stance.drives.end());
    return stance;
}

}  // namespace sinew
