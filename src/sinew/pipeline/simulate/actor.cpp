#include <sinew/pipeline/simulate/actor.h>

#include <sinew/math/interpolate.h>
#include <sinew/pipeline/simulate/worn.h>
#include <algorithm>
#include <cmath>
#include <map>

namespace sinew {
namespace {

// The first half of the lead goes from rest to the clip's first pose.
constexpr double blend_share = 0.5;
// A capsule is as thick as the skin of its bone is near, less a little: it must not push where the skin itself does
// not.
constexpr double near_share = 0.25, inside_share = 0.85;
constexpr size_t least_vertices = 12;
// The body's speed as its clip begins is that of its first moment, in seconds.
constexpr double first_moment = 1.0 / 60.0;
// A clip loops if no joint turns by more than this between its ends, in radians, nor moves by more, in metres.
constexpr float loop_turn = 0.05f, loop_way = 0.02f;

Transform between(const Transform& a, const Transform& b, float t) {
    return {a.translation + t * (b.translation - a.translation), a.rotation.slerp(t, b.rotation),
            a.scale + t * (b.scale - a.scale)};
}

}  // namespace

Actor::Actor(const Character& character, const Clip* clip, std::span<const Worn> without)
    : character_(character), clip_(clip), body_{character.skeleton, rest_pose(character)} {
    deformer_ = std::make_unique<CharacterDeformer>(character, DeformOptions{.normals = false, .kernels = false});
    if (clip_) {
        carriers_ = find_carriers(*clip_, body_);
        Pose first = body_.rest, last = body_.rest;
        sample(*clip_, 0.0f, first), sample(*clip_, duration(*clip_), last);
        round_ = compose(ground_place(last, body_, carriers_), inverse(ground_place(first, body_, carriers_)));
    }
    deformer_->deform(body_.rest, parts_);
    // Vertices at one place are one: normals are smooth across seams.
    std::map<std::array<float, 3>, uint32_t> at;
    std::vector<uint32_t> triangles;
    gather(now_);
    size_t first = 0;
    for (const DeformedPrimitive& part : parts_) {
        const MeshInstance& instance = character.instances[static_cast<size_t>(part.instance)];
        const Primitive& primitive =
            character.meshes[static_cast<size_t>(instance.mesh)].primitives[static_cast<size_t>(part.primitive)];
        const auto worn = [&](size_t v) {
            return std::ranges::any_of(without, [&](const Worn& w) {
                return w.instance == part.instance && w.cloth_vertex[static_cast<size_t>(part.primitive)][v] >= 0;
            });
        };
        for (size_t i = 0; i < primitive.mesh.triangles.size(); ++i) {
            if (worn(primitive.mesh.triangles[i - i % 3])) continue;
            const uint32_t v = primitive.mesh.triangles[i];
            const Vec3& p = part.positions[v];
            triangles.push_back(at.try_emplace({p.x(), p.y(), p.z()}, static_cast<uint32_t>(first + v)).first->second);
        }
        for (size_t v = 0; v < part.positions.size(); ++v) {
            const bool skinned =
                instance.skin >= 0 && !primitive.influences.empty() && !primitive.influences.of(v).empty();
            const int32_t joint =
                skinned
                    ? character.skins[static_cast<size_t>(instance.skin)].joints[primitive.influences.of(v)[0].joint]
                    : instance.joint;
            owner_.push_back(worn(v) ? -1 : joint);
        }
        first += part.positions.size();
    }
    skin_ = SurfaceTree(now_, triangles);
    before_ = now_;
    pose_ = body_.rest;
    world_.resize(character.skeleton.size());
    local_to_world(character.skeleton.parents(), pose_.local, world_);
    last_world_ = world_;
    find_bones();
}

void Actor::gather(std::vector<Vec3>& out) {
    out.clear();
    for (const DeformedPrimitive& part : parts_) out.insert(out.end(), part.positions.begin(), part.positions.end());
}

// Each joint and its child that carries most skin: how near the skin of the joint is to the line between them.
void Actor::find_bones() {
    const auto& parents = character_.skeleton.parents();
    std::vector<size_t> carried(parents.size(), 0);
    for (const int32_t joint : owner_)
        if (joint >= 0) ++carried[static_cast<size_t>(joint)];
    for (int32_t child = 0; child < static_cast<int32_t>(parents.size()); ++child) {
        const int32_t joint = parents[static_cast<size_t>(child)];
        if (joint < 0 || carried[static_cast<size_t>(joint)] < least_vertices) continue;
        if (carried[static_cast<size_t>(child)] == 0) continue;  // no limb: what hangs on it, or a helper of the rig
        const Vec3d a = world_[static_cast<size_t>(joint)].translation(),
                    b = world_[static_cast<size_t>(child)].translation();
        if (!((b - a).norm() > 0.0)) continue;
        std::vector<double> distances;
        for (size_t v = 0; v < owner_.size(); ++v) {
            if (owner_[v] != joint) continue;
            const double along = (now_[v].cast<double>() - a).dot(b - a) / (b - a).squaredNorm();
            if (along > 0.0 && along < 1.0) distances.push_back((now_[v].cast<double>() - a - along * (b - a)).norm());
        }
        if (distances.size() < least_vertices) continue;
        std::ranges::sort(distances);
        const double radius =
            inside_share * distances[static_cast<size_t>(near_share * static_cast<double>(distances.size()))];
        bones_.push_back({joint, child, radius});
    }
}

void Actor::pose_at_time(double time, Pose& pose) const {
    pose = body_.rest;
    if (!clip_) return;
    const double length = std::max(static_cast<double>(duration(*clip_)), 1e-3);
    const double rounds = time > 0.0 ? std::floor(time / length) : 0.0;
    sample(*clip_, static_cast<float>(std::clamp(time - rounds * length, 0.0, length)), pose);
    GroundPlace by;
    for (int i = 0; i < static_cast<int>(rounds); ++i) by = compose(round_, by);
    if (rounds > 0.0) move_pose(by, body_, carriers_, pose);
    const double share = (time + lead) / (blend_share * lead);
    if (share >= 1.0) return;
    const auto eased = static_cast<float>(share <= 0.0 ? 0.0 : share * share * (3.0 - 2.0 * share));
    for (size_t j = 0; j < pose.local.size(); ++j) pose.local[j] = between(body_.rest.local[j], pose.local[j], eased);
}

Vec3 Actor::first_velocity() const {
    if (!clip_) return Vec3::Zero();
    Pose first = body_.rest, next = body_.rest;
    sample(*clip_, 0.0f, first), sample(*clip_, static_cast<float>(first_moment), next);
    const GroundPlace from = ground_place(first, body_, carriers_), to = ground_place(next, body_, carriers_);
    return Vec3d((to.x - from.x) / first_moment, 0.0, (to.z - from.z) / first_moment).cast<float>();
}

bool Actor::loops() const {
    if (!clip_) return false;
    Pose first = body_.rest, last = body_.rest;
    sample(*clip_, 0.0f, first), sample(*clip_, duration(*clip_), last);
    move_pose(round_, body_, carriers_, first);
    for (size_t j = 0; j < first.local.size(); ++j)
        if (first.local[j].rotation.angularDistance(last.local[j].rotation) > loop_turn ||
            (first.local[j].translation - last.local[j].translation).norm() > loop_way)
            return false;
    return true;
}

AffineD Actor::round_place(int rounds) const {
    GroundPlace by;
    for (int i = 0; i < rounds; ++i) by = compose(round_, by);
    AffineD place(Eigen::AngleAxisd(by.yaw, Vec3d::UnitY()));
    place.translation() = Vec3d(by.x, 0, by.z);
    return place;
}

void Actor::move_to(double time, double seconds) {
    pose_at_time(time, pose_);
    std::swap(before_, now_);
    deformer_->deform(pose_, parts_);
    gather(now_);
    skin_.move(now_);
    std::swap(world_, last_world_);
    local_to_world(character_.skeleton.parents(), pose_.local, world_);
    capsules_.clear();
    for (const Bone& bone : bones_) {
        const auto j = static_cast<size_t>(bone.joint), c = static_cast<size_t>(bone.child);
        Collider capsule{.shape = ColliderShape::capsule,
                         .a = last_world_[j].translation(),
                         .b = last_world_[c].translation(),
                         .radius = bone.radius};
        capsule.velocity_a = (world_[j].translation() - capsule.a) / seconds;
        capsule.velocity_b = (world_[c].translation() - capsule.b) / seconds;
        capsules_.push_back(capsule);
    }
}

SkinBinding bind_to_skin(const SurfaceTree& skin, const Vec3& point) {
    const SurfaceHit at = skin.nearest(point, 1e6f);
    return {at.triangle, at.share, at.found() ? at.distance : 0.0f};
}

Vec3 bound_place(const SurfaceTree& skin, const SkinBinding& b) {
    const uint32_t* k = &skin.triangles()[3 * b.triangle];
    const auto p = skin.positions(), n = skin.normals();
    const Vec3 normal = (b.share[0] * n[k[0]] + b.share[1] * n[k[1]] + b.share[2] * n[k[2]]).normalized();
    return b.share[0] * p[k[0]] + b.share[1] * p[k[1]] + b.share[2] * p[k[2]] + b.distance * normal;
}

}  // namespace sinew
