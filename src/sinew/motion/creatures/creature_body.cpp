#include <sinew/motion/creatures/creature_body.h>

#include <sinew/skeleton/pose.h>
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

bool is_level(const CreatureBody& body, const JointChain& chain, size_t i) {
    const Vec3d bone = body.rest[static_cast<size_t>(chain[i + 1])] - body.rest[static_cast<size_t>(chain[i])];
    constexpr double level = 0.3;  // sine of the slope
    return std::abs(bone.y()) < level * bone.norm();
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
        // What lies flat before it goes down, like the frame of a table, belongs to the body.
        size_t socket = 0;
        while (socket + 3 < chain.size() && is_level(body, chain, socket)) ++socket;
        legs.push_back({chain, last.x() >= 0.0 ? Side::left : Side::right, socket, chain.size() - 1});
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

// The length of the longest chain below a joint, with the bone that leads to it.
double longest_below(const CreatureBody& body, const std::vector<std::vector<int32_t>>& children, int32_t joint) {
    double longest = 0.0;
    std::vector<std::pair<int32_t, double>> open = {{joint, 0.0}};
    while (!open.empty()) {
        const auto [at, length] = open.back();
        open.pop_back();
        longest = std::max(longest, length);
        for (const int32_t child : children[static_cast<size_t>(at)])
            open.emplace_back(
                child, length + (body.rest[static_cast<size_t>(child)] - body.rest[static_cast<size_t>(at)]).norm());
    }
    return longest;
}

// The chains of a body of another kind share its trunk: each limb begins where no other of some length leaves it.
void trim_limbs(CreatureBody& body, const std::vector<std::vector<int32_t>>& children) {
    constexpr double of_some_length = 0.3;  // of what is left of the limb
    for (JointChain& limb : body.map.limbs) {
        size_t first = 0;
        for (size_t i = 0; i + 1 < limb.size(); ++i) {
            const double left = longest_below(body, children, limb[i + 1]);
            for (const int32_t child : children[static_cast<size_t>(limb[i])]) {
                if (child == limb[i + 1]) continue;
                const double bone =
                    (body.rest[static_cast<size_t>(child)] - body.rest[static_cast<size_t>(limb[i])]).norm();
                if (bone + longest_below(body, children, child) > of_some_length * left) first = i + 1;
            }
        }
        limb.erase(limb.begin(), limb.begin() + static_cast<std::ptrdiff_t>(first));
    }
}

// Below joints that only carry one other stands the one where the body forks.
int32_t fork_below(const std::vector<std::vector<int32_t>>& children, int32_t root) {
    int32_t joint = root;
    while (joint >= 0 && children[static_cast<size_t>(joint)].size() == 1)
        joint = children[static_cast<size_t>(joint)].front();
    return joint >= 0 && children[static_cast<size_t>(joint)].size() > 1 ? joint : root;
}

// The tips of a tree without forks except at its root: one or two. None where there are forks.
std::vector<int32_t> ends_without_forks(const std::vector<std::vector<int32_t>>& children, int32_t root) {
    std::vector<int32_t> ends;
    for (int32_t joint : children[static_cast<size_t>(root)]) {
        while (children[static_cast<size_t>(joint)].size() == 1) joint = children[static_cast<size_t>(joint)].front();
        if (!children[static_cast<size_t>(joint)].empty()) return {};
        ends.push_back(joint);
    }
    return ends.size() <= 2 ? ends : std::vector<int32_t>{};
}

JointChain chain_to(const Skeleton& skeleton, int32_t root, int32_t end) {
    JointChain chain;
    for (int32_t joint = end; joint != root; joint = skeleton.parents()[static_cast<size_t>(joint)])
        chain.push_back(joint);
    std::ranges::reverse(chain);
    return chain;
}

// A grown rig of one long branch that lies on the ground, or of two that meet in the middle, is a snake's, whichever
// way it faces.
void read_as_snake(const Skeleton& skeleton, const std::vector<std::vector<int32_t>>& children, CreatureMap& map) {
    if (map.kind != CreatureKind::other || map.root < 0) return;
    const std::vector<int32_t> ends = ends_without_forks(children, map.root);
    if (ends.empty()) return;
    const std::vector<AffineD> world = rest_world(skeleton);
    const auto at = [&](int32_t joint) { return Vec3d(world[static_cast<size_t>(joint)].translation()); };
    const int32_t tail = ends.size() == 2 ? ends[1] : map.root;
    int32_t head = ends[0], last = tail;
    if ((at(head) - at(last)).dot(map.forward) < 0) std::swap(head, last);
    const Vec3d along = at(head) - at(last), flat = along - map.up * map.up.dot(along);
    constexpr size_t least_joints = 5;
    constexpr double lies = 0.8;  // cosine to the ground
    const JointChain fore = chain_to(skeleton, map.root, head), aft = chain_to(skeleton, map.root, last);
    if (fore.size() + aft.size() + 1 < least_joints || !(flat.norm() > lies * along.norm())) return;
    map.kind = CreatureKind::serpent;
    map.forward = flat.normalized();
    map.spine = {map.root};
    map.tail = aft;
    if (!fore.empty()) {
        map.neck.assign(fore.begin(), fore.end() - 1);
        map.head = {fore.back()};
    }
}

}  // namespace

CreatureBody creature_body(const Skeleton& skeleton, CreatureMap map) {
    CreatureBody body;
    const auto children = children_of(skeleton.parents());
    if (map.kind == CreatureKind::other) map.root = fork_below(children, map.root);
    read_as_snake(skeleton, children, map);
    body.skeleton = &skeleton;
    body.map = std::move(map);
    body.world_from_body << body.map.left(), body.map.up, body.map.forward;
    for (const AffineD& world : rest_world(skeleton)) body.rest.push_back(to_body(body, world.translation()));
    Extent extent;
    if (body.map.root >= 0) add_below(children, body.rest, body.map.root, extent);
    if (body.map.kind == CreatureKind::other) trim_limbs(body, children);
    add_legs(body, body.map.legs.empty() && body.map.kind == CreatureKind::other ? standing_limbs(body, extent)
                                                                                 : body.map.legs);
    body.length = body.map.root >= 0 ? extent.size().maxCoeff() : 0.0;
    if (!std::isfinite(body.length)) body.length = 0.0;
    constexpr double no_height = 1e-4;  // of the body's length: legs that lie flat carry nothing
    if (!(body.hip_height > no_height * body.length)) body.legs.clear(), body.hip_height = 0.0;
    while (body.real_metres * body.length > longest_animal) body.real_metres *= unit_step;
    return body;
}

}  // namespace sinew
