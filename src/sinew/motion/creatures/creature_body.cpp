#include <sinew/motion/creatures/creature_body.h>

#include <sinew/skeleton/forward_kinematics.h>
#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

// No animal that lived on legs was longer (Patagotitan, some 37 m): what is longer is not in metres.
constexpr double longest_animal = 40.0;
constexpr double unit_step = 0.01;  // metres, centimetres, tenths of a millimetre
// A limb that reaches the ground ends in the lowest part of the body. The last joint of a grown limb lies one bone
// above its tip, and a bone is up to 0.11 of the diagonal there (rig/fit/generic.cpp).
constexpr double lowest_part = 0.25;
// And it starts at least this share of the body's height above its end: what lies flat is not stood upon.
constexpr double least_rise = 0.15;

Vec3d to_body(const CreatureBody& body, const Vec3d& world) {
    Vec3d p = body.world_from_body.transpose() * world;
    p.y() -= body.map.ground;
    return p;
}

struct Extent {
    Vec3d low = Vec3d::Constant(INFINITY), high = Vec3d::Constant(-INFINITY);
    Vec3d size() const { return high - low; }
};

void add_below(const std::vector<std::vector<int32_t>>& children, const std::vector<Vec3d>& rest, int32_t joint,
               Extent& extent) {
    std::vector<int32_t> open = {joint};
    while (!open.empty()) {
        const int32_t j = open.back();
        open.pop_back();
        extent.low = extent.low.cwiseMin(rest[static_cast<size_t>(j)]);
        extent.high = extent.high.cwiseMax(rest[static_cast<size_t>(j)]);
        open.insert(open.end(), children[static_cast<size_t>(j)].begin(), children[static_cast<size_t>(j)].end());
    }
}

// The limbs of a body without known legs that stand on the ground.
std::vector<CreatureLimb> standing_limbs(const CreatureBody& body, const Extent& extent) {
    std::vector<CreatureLimb> legs;
    const double height = extent.size().y();
    for (const JointChain& chain : body.map.limbs) {
        if (chain.size() < 3) continue;
        const Vec3d &first = body.rest[static_cast<size_t>(chain.front())],
                    &last = body.rest[static_cast<size_t>(chain.back())];
        if (last.y() - extent.low.y() > lowest_part * height || first.y() - last.y() < least_rise * height) continue;
        legs.push_back({chain, last.x() >= 0.0 ? Side::left : Side::right, 0, chain.size() - 1});
    }
    if (legs.size() < 2) return {};
    // From front to back, as CreatureMap lists them; ties (mirrored pairs) left before right.
    std::ranges::stable_sort(legs, [&](const CreatureLimb& a, const CreatureLimb& b) {
        const Vec3d &pa = body.rest[static_cast<size_t>(a.joints.back())],
                    &pb = body.rest[static_cast<size_t>(b.joints.back())];
        constexpr double same_row = 0.05;  // of the body's size
        if (std::abs(pa.z() - pb.z()) > same_row * extent.size().norm()) return pa.z() > pb.z();
        return pa.x() > pb.x();
    });
    return legs;
}

void add_legs(CreatureBody& body, const std::vector<CreatureLimb>& limbs) {
    double middle = 0.0;
    for (const CreatureLimb& limb : limbs)
        middle += body.rest[static_cast<size_t>(limb.joints[limb.socket])].z() / static_cast<double>(limbs.size());
    for (const CreatureLimb& limb : limbs) {
        if (limb.foot < limb.socket + 2 || limb.foot >= limb.joints.size()) continue;
        CreatureLeg leg{limb.joints, limb.socket, limb.foot};
        leg.home = body.rest[static_cast<size_t>(leg.foot_joint())];
        leg.left = limb.side == Side::none ? leg.home.x() >= 0.0 : limb.side == Side::left;
        leg.front = limbs.size() > 2 && body.rest[static_cast<size_t>(leg.socket_joint())].z() > middle;
        body.legs.push_back(leg);
    }
    for (const CreatureLeg& leg : body.legs)
        body.hip_height += (body.rest[static_cast<size_t>(leg.socket_joint())].y() - leg.home.y()) /
                           static_cast<double>(body.legs.size());
}

}  // namespace

CreatureBody creature_body(const Skeleton& skeleton, CreatureMap map) {
    CreatureBody body;
    body.skeleton = &skeleton;
    body.map = std::move(map);
    body.world_from_body << body.map.left(), body.map.up, body.map.forward;
    for (const AffineD& world : rest_world(skeleton)) body.rest.push_back(to_body(body, world.translation()));
    Extent extent;
    if (body.map.root >= 0) add_below(children_of(skeleton.parents()), body.rest, body.map.root, extent);
    add_legs(body, body.map.legs.empty() && body.map.kind == CreatureKind::other ? standing_limbs(body, extent)
                                                                                 : body.map.legs);
    body.length = body.map.root >= 0 ? extent.size().maxCoeff() : 0.0;
    if (!std::isfinite(body.length)) body.length = 0.0;
    while (body.real_metres * body.length > longest_animal) body.real_metres *= unit_step;
    return body;
}

}  // namespace sinew
