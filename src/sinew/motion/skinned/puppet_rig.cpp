#include <sinew/motion/skinned/puppet_rig.h>

#include <sinew/math/rotation.h>
#include <sinew/motion/clip_writer.h>
#include <sinew/motion/skinned/placed_joints.h>
#include <sinew/skeleton/hangs_on.h>
#include <sinew/skeleton/pose.h>
#include <algorithm>
#include <array>
#include <cmath>

namespace sinew {
namespace {

// Where along a limb its joints are put: proportions of people, ankle and wrist above sole and fingertips.
constexpr double leg_bend = 0.47, leg_end = 0.9, arm_bend = 0.42, arm_end = 0.78;
constexpr double least_drop = 0.5;  // cosine: legs go down

// The point of the limb's shape that is farthest from its joint: along `way`, or, without one, in any direction.
std::optional<Vec3d> find_tip(const SkinnedSkeleton& body, const std::vector<AffineD>& world, int32_t limb,
                              const std::optional<Vec3d>& way) {
    const Vec3d from = world[static_cast<size_t>(limb)].translation();
    std::optional<Vec3d> tip;
    double farthest = 0;
    Vec3d sum = Vec3d::Zero();
    double count = 0;
    for (const SkinPoint& point : body.points) {
        if (!hangs_on(body.skeleton, point.joint[0], limb)) continue;
        const Vec3d at = world[static_cast<size_t>(point.joint[0])] * point.place[0].cast<double>() - from;
        const double reach = way ? at.dot(*way) : at.norm();
        sum += at;
        count += 1;
        if (reach > farthest) {
            farthest = reach;
            tip = at;
        }
    }
    if (!tip || !(farthest > 0)) return {};
    // Along the limb's middle, not to a corner of its end.
    const Vec3d middle = sum / count;
    if (!(middle.norm() > 0.1 * farthest)) return tip;
    return middle.normalized() * std::abs(tip->dot(middle.normalized()));
}

struct WholeBuilder {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    int32_t add(std::string name, int32_t parent, const Vec3d& offset) {
        names.push_back(std::move(name));
        parents.push_back(parent);
        Transform local;
        local.translation = offset.cast<float>();
        rest.push_back(local);
        return static_cast<int32_t>(names.size()) - 1;
    }
};

// A point of a limb's shape belongs to the part of the limb beside which it lies.
SkinPoint on_whole(const SkinPoint& point, const Vec3d& from, const Vec3d& tip, const std::array<double, 2>& shares,
                   const std::array<int32_t, 3>& joints, const std::vector<AffineD>& whole, const Vec3d& at) {
    const double share = (at - from).dot(tip) / tip.squaredNorm();
    const int32_t joint = share > shares[1] ? joints[2] : share > shares[0] ? joints[1] : joints[0];
    SkinPoint moved = point;
    moved.joint = {joint, 0, 0, 0};
    moved.weight = {1, 0, 0, 0};
    moved.place[0] = (whole[static_cast<size_t>(joint)].inverse() * at).cast<float>();
    return moved;
}

Vec3d place_of(const std::vector<AffineD>& world, int32_t joint) {
    return world[static_cast<size_t>(joint)].translation();
}
Quatd turn_of(const std::vector<AffineD>& world, int32_t joint) {
    return Quatd(Mat3d(world[static_cast<size_t>(joint)].linear().colwise().normalized()));
}

// A stiff limb that points to where the whole skeleton's hand or foot is.
struct StiffLimb {
    Quatd rotation;  // of its joint, relative to the parent
    Vec3d tip;       // in the world
};
StiffLimb point_limb(const PuppetLimb& limb, const Skeleton& whole, const std::vector<AffineD>& rest,
                     const std::vector<AffineD>& world) {
    const Quatd bent = turn_of(world, limb.joint);
    const Vec3d tip = bent * (turn_of(rest, limb.joint).conjugate() * limb.tip);
    const Vec3d from = place_of(world, limb.joint);
    const Quatd swing = shortest_rotation(tip, place_of(world, limb.end) - from);
    const Quatd above = turn_of(world, whole.parents()[static_cast<size_t>(limb.joint)]);
    return {(above.conjugate() * swing * bent).normalized(), from + swing * tip};
}

// The clip without what a puppet has no joints for, or what its limbs do in another way.
Clip without_limbs(const PuppetRig& rig, const Skeleton& puppet, const Clip& clip) {
    const auto own = static_cast<int32_t>(puppet.size());
    const auto is_limb = [&](int32_t joint) {
        return std::ranges::any_of(rig.limbs, [&](const PuppetLimb& limb) { return limb.joint == joint; });
    };
    Clip result = clip;
    std::erase_if(result.tracks, [&](const Track& track) {
        return track.target >= own || (is_limb(track.target) && track.path == TrackPath::rotation) ||
               (track.target == rig.map.hips && track.path == TrackPath::translation);
    });
    return result;
}

}  // namespace

std::optional<PuppetRig> make_puppet_rig(const SkinnedSkeleton& body) {
    const auto map = recognise_puppet(body.skeleton);
    if (!map) return {};
    const std::vector<AffineD> world = rest_world(body.skeleton);
    WholeBuilder whole{body.skeleton.names(), body.skeleton.parents(), body.skeleton.rest()};
    // Names of the puppet's own joints say nothing that the map does not.
    for (std::string& name : whole.names) name = "part";
    const auto call = [&](int32_t joint, const char* name) {
        if (joint >= 0) whole.names[static_cast<size_t>(joint)] = name;
    };
    call(map->hips, "hips");
    call(map->torso, "chest");
    call(map->head, "head");
    PuppetRig rig{*map, {}, {}, {}};
    std::vector<std::array<int32_t, 3>> chains;
    for (size_t i = 0; i < 4; ++i) {
        const bool leg = i < 2;
        const char* side = i % 2 == 0 ? "left" : "right";
        const int32_t joint = (leg ? map->leg : map->arm)[i % 2];
        const auto tip = find_tip(body, world, joint, leg ? std::optional(Vec3d(-Vec3d::UnitY())) : std::nullopt);
        if (!tip || (leg && -tip->y() < least_drop * tip->norm())) return {};
        const AffineD& at = world[static_cast<size_t>(joint)];
        const Vec3d inside = at.linear().inverse() * *tip;
        const double bend = leg ? leg_bend : arm_bend, end = leg ? leg_end : arm_end;
        call(joint,
             leg ? (i % 2 == 0 ? "leftUpperLeg" : "rightUpperLeg") : (i % 2 == 0 ? "leftUpperArm" : "rightUpperArm"));
        const int32_t middle = whole.add(std::string(side) + (leg ? "LowerLeg" : "LowerArm"), joint, bend * inside);
        const int32_t last = whole.add(std::string(side) + (leg ? "Foot" : "Hand"), middle, (end - bend) * inside);
        rig.limbs.push_back({joint, last, *tip});
        chains.push_back({joint, middle, last});
    }
    auto made = Skeleton::create(whole.names, whole.parents, whole.rest);
    if (!made) return {};
    rig.skeleton = *std::move(made);
    const std::vector<AffineD> whole_world = rest_world(rig.skeleton);
    for (const SkinPoint& point : body.points) {
        const Vec3d at = world[static_cast<size_t>(point.joint[0])] * point.place[0].cast<double>();
        SkinPoint moved = point;
        for (size_t i = 0; i < 4; ++i)
            if (hangs_on(body.skeleton, point.joint[0], rig.limbs[i].joint))
                moved = on_whole(point, world[static_cast<size_t>(rig.limbs[i].joint)].translation(), rig.limbs[i].tip,
                                 {i < 2 ? leg_bend : arm_bend, i < 2 ? leg_end : arm_end}, chains[i], whole_world, at);
        rig.points.push_back(moved);
    }
    return rig;
}

Clip on_puppet(const PuppetRig& rig, const Skeleton& puppet, const Clip& clip) {
    const std::vector<float> times = longest_times(clip);
    const std::vector<AffineD> rest = rest_world(rig.skeleton);
    const int32_t above_hips = rig.skeleton.parents()[static_cast<size_t>(rig.map.hips)];
    std::array<std::vector<Quatd>, 4> turns;
    std::vector<Vec3d> path;
    visit_keys(rig.skeleton, clip, times, [&](const std::vector<AffineD>& world) {
        // How far the lower foot is above its place at rest: as the stiff legs have it, and as the motion does.
        double lowest = INFINITY, wanted = INFINITY;
        for (size_t i = 0; i < 4; ++i) {
            const PuppetLimb& limb = rig.limbs[i];
            const StiffLimb stiff = point_limb(limb, rig.skeleton, rest, world);
            turns[i].push_back(stiff.rotation);
            if (i >= 2) continue;
            lowest = std::min(lowest, stiff.tip.y() - (place_of(rest, limb.joint) + limb.tip).y());
            wanted = std::min(wanted, (place_of(world, limb.end) - place_of(rest, limb.end)).y());
        }
        const Vec3d hips = place_of(world, rig.map.hips) + (wanted - lowest) * Vec3d::UnitY();
        path.push_back(place_above(world, above_hips).inverse() * hips);
    });
    Clip result = without_limbs(rig, puppet, clip);
    result.tracks.push_back(translation_track(rig.map.hips, times, path));
    for (size_t i = 0; i < 4; ++i) result.tracks.push_back(rotation_track(rig.limbs[i].joint, times, turns[i]));
    return result;
}

}  // namespace sinew
