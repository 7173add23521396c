#include <sinew/character/character_deformer.h>
#include <sinew/math/rotation.h>
#include <sinew/ragdoll/body/part_plan.h>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <numbers>

namespace sinew {
namespace {

constexpr size_t least_points = 8;      // of skin, to fit a capsule to
constexpr double outermost = 0.02;      // share of the points at either end that a capsule leaves out
constexpr double bare_radius = 0.15;    // of a part without skin, in lengths of its bone
constexpr double thinnest = 0.008;      // radius of a part, in heights of the body: thinner ones fall through things
constexpr double lightest = 0.008;      // mass of a part to the body's: a chain of unlike masses is hard to solve
constexpr double ball_share = 0.25;     // radius of a sole's balls to the foot's height
constexpr double sole_inset = 0.06;     // how far its corners are inside, as a share of the points
constexpr double smallest_bone = 1e-4;  // metres

struct SkinOwner {
    Vec3d place;
    int32_t joint;
};

// All skin at rest, each vertex with the joint that moves it most.
std::vector<SkinOwner> gather_skin(const Character& character) {
    std::vector<DeformedPrimitive> shown;
    deform(character, rest_pose(character), {.normals = false, .kernels = false}, shown);
    std::vector<SkinOwner> points;
    for (const DeformedPrimitive& part : shown) {
        const MeshInstance& instance = character.instances[static_cast<size_t>(part.instance)];
        const Primitive& primitive =
            character.meshes[static_cast<size_t>(instance.mesh)].primitives[static_cast<size_t>(part.primitive)];
        for (size_t v = 0; v < part.positions.size(); ++v) {
            int32_t joint = instance.joint;
            if (instance.skin >= 0 && !primitive.influences.empty() && !primitive.influences.of(v).empty())
                joint = character.skins[static_cast<size_t>(instance.skin)].joints[primitive.influences.of(v)[0].joint];
            if (part.positions[v].allFinite()) points.push_back({part.positions[v].cast<double>(), joint});
        }
    }
    return points;
}

// The part of each joint: that of the nearest joint above which has one; above all, the first.
std::vector<int32_t> part_of_joint(const Skeleton& skeleton, const std::vector<PlannedPart>& planned) {
    std::vector<int32_t> part(skeleton.size(), -1);
    size_t next = 0;
    for (size_t j = 0; j < part.size(); ++j) {
        if (next < planned.size() && planned[next].joint == static_cast<int32_t>(j))
            part[j] = static_cast<int32_t>(next++);
        else if (skeleton.parents()[j] >= 0)
            part[j] = part[static_cast<size_t>(skeleton.parents()[j])];
    }
    return part;
}

double quantile(std::vector<double>& values, double share) {
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

Vec3d longest_axis(std::span<const Vec3d> points, const Vec3d& middle) {
    Mat3d spread = Mat3d::Zero();
    for (const Vec3d& p : points) spread += (p - middle) * (p - middle).transpose();
    return Eigen::SelfAdjointEigenSolver<Mat3d>(spread).eigenvectors().col(2);
}

// A capsule in world space.
struct WorldCapsule {
    Vec3d centre, axis;
    double half, radius;
};

// About the points: as long as they reach, as thick as they are on average.
WorldCapsule fit_capsule(std::span<const Vec3d> points, Vec3d axis, double least_radius) {
    Vec3d middle = Vec3d::Zero();
    for (const Vec3d& p : points) middle += p / static_cast<double>(points.size());
    const bool axis_free = axis.isZero();
    if (axis_free) axis = longest_axis(points, middle);
    axis.normalize();
    std::vector<double> along;
    for (const Vec3d& p : points) along.push_back((p - middle).dot(axis));
    const double from = quantile(along, outermost), to = quantile(along, 1.0 - outermost);
    // The middle of the section, not of the vertices: they are denser on one side of many bodies.
    const Vec3d u = axis.unitOrthogonal(), v = axis.cross(u);
    std::vector<double> across_u, across_v;
    for (const Vec3d& p : points) across_u.push_back((p - middle).dot(u)), across_v.push_back((p - middle).dot(v));
    const double u0 = quantile(across_u, outermost), u1 = quantile(across_u, 1.0 - outermost);
    const double v0 = quantile(across_v, outermost), v1 = quantile(across_v, 1.0 - outermost);
    const Vec3d centre = middle + 0.5 * (from + to) * axis + 0.5 * (u0 + u1) * u + 0.5 * (v0 + v1) * v;
    double radius = 0.0;
    for (const Vec3d& p : points) {
        const Vec3d out = p - centre;
        radius += (out - out.dot(axis) * axis).norm() / static_cast<double>(points.size());
    }
    const double length = to - from;
    if (axis_free && length < 2.0 * radius)
        radius = std::cbrt(0.5 * length * radius * radius);  // a ball of the same volume
    radius = std::max(radius, least_radius);
    return {centre, axis, std::max(0.0, 0.5 * length - radius), radius};
}

double volume(double half, double radius) {
    return std::numbers::pi * radius * radius * (2.0 * half + 4.0 / 3.0 * radius);
}

class Fitter {
public:
    Fitter(const Character& character, const RagdollOptions& options)
        : character_(character), options_(options), world_(rest_world(character.skeleton)) {}

    Result<RagdollBody> fit() {
        const std::vector<SkinOwner> skin = gather_skin(character_);
        std::vector<size_t> skinned(character_.skeleton.size(), 0);
        for (const SkinOwner& s : skin) ++skinned[static_cast<size_t>(s.joint)];
        const PartPlan plan = plan_parts(character_.skeleton, skinned, options_);
        if (plan.parts.empty() || skin.size() < least_points)
            return fail(ErrorCode::invalid_data,
                        "has no skin that follows joints, so there is nothing that could fall; rig it first");
        body_.skeleton = character_.skeleton;
        body_.left = plan.left, body_.up = plan.up, body_.ahead = plan.ahead, body_.person = plan.person;
        std::vector<double> heights;
        for (const SkinOwner& s : skin) heights.push_back(s.place.dot(plan.up));
        const auto [low, high] = std::ranges::minmax_element(heights);
        body_.height = std::max(*high - *low, smallest_bone);
        collect(plan, skin);
        for (size_t i = 0; i < body_.parts.size(); ++i) shape(i);
        weigh();
        set_part_limits(body_, world_);
        return std::move(body_);
    }

private:
    Vec3d place(int32_t joint) const { return world_[static_cast<size_t>(joint)].translation(); }

    // Parts with enough skin, or that carry others; the skin of the rest goes to the part above.
    void collect(const PartPlan& plan, std::span<const SkinOwner> skin) {
        std::vector<PlannedPart> kept = plan.parts;
        for (bool again = true; again;) {
            again = false;
            const std::vector<int32_t> owner = part_of_joint(body_.skeleton, kept);
            points_.assign(kept.size(), {});
            for (const SkinOwner& s : skin)
                if (owner[static_cast<size_t>(s.joint)] >= 0)
                    points_[static_cast<size_t>(owner[static_cast<size_t>(s.joint)])].push_back(s.place);
            std::vector<bool> carries(kept.size(), false);
            for (size_t i = 0; i < kept.size(); ++i)
                if (const int32_t p = above(kept[i].joint, owner); p >= 0) carries[static_cast<size_t>(p)] = true;
            for (size_t i = kept.size(); i-- > 1;)
                if (points_[i].size() < least_points && !carries[i])
                    kept.erase(kept.begin() + static_cast<std::ptrdiff_t>(i)), again = true;
        }
        const std::vector<int32_t> owner = part_of_joint(body_.skeleton, kept);
        for (const PlannedPart& p : kept) {
            int32_t parent = above(p.joint, owner);
            if (parent < 0 && !body_.parts.empty()) parent = 0;  // a part beside the body hangs on its root
            body_.parts.push_back({.joint = p.joint, .parent = parent, .kind = p.kind, .side = p.side});
        }
    }
    int32_t above(int32_t joint, std::span<const int32_t> owner) const {
        const int32_t parent = body_.skeleton.parents()[static_cast<size_t>(joint)];
        return parent < 0 ? -1 : owner[static_cast<size_t>(parent)];
    }

    // Limbs lie along their bones; trunk, head, hands and feet as their skin does.
    Vec3d axis_of(size_t i) const {
        const RagdollPart& part = body_.parts[i];
        switch (part.kind) {
            case PartKind::upper_arm:
            case PartKind::lower_arm:
            case PartKind::upper_leg:
            case PartKind::lower_leg:
            case PartKind::limb:
            case PartKind::limb_root:
            case PartKind::tail:
            case PartKind::neck:
                break;
            default:
                return Vec3d::Zero();
        }
        for (const RagdollPart& child : body_.parts)
            if (child.parent == static_cast<int32_t>(i)) return place(child.joint) - place(part.joint);
        return Vec3d::Zero();
    }

    void shape(size_t i) {
        RagdollPart& part = body_.parts[i];
        const Vec3d axis = axis_of(i);
        const double least = thinnest * body_.height;
        WorldCapsule c{place(part.joint), body_.up, 0.0, least};
        if (points_[i].size() >= least_points) {
            c = fit_capsule(points_[i], axis.norm() > smallest_bone ? axis : Vec3d(Vec3d::Zero()), least);
        } else if (axis.norm() > smallest_bone) {
            const double radius = std::max(bare_radius * axis.norm(), least);
            c = {place(part.joint) + 0.5 * axis, axis.normalized(), std::max(0.0, 0.5 * axis.norm() - radius), radius};
        }
        if (part.kind == PartKind::pelvis && body_.person) c = between_hips(i, c);
        const Quatd joint = rotation_of(world_[static_cast<size_t>(part.joint)]);
        part.centre = joint.conjugate() * (c.centre - place(part.joint));
        part.turn = (joint.conjugate() * shortest_rotation(Vec3d::UnitY(), c.axis)).normalized();
        part.half = c.half, part.radius = c.radius;
        if (part.kind == PartKind::foot && points_[i].size() >= least_points) add_sole(i, joint);
    }

    // A person's pelvis reaches from hip to hip, though most of the skin there follows the thighs.
    WorldCapsule between_hips(size_t i, WorldCapsule c) const {
        const int32_t left = body_.find(PartKind::upper_leg, Side::left),
                      right = body_.find(PartKind::upper_leg, Side::right);
        if (left < 0 || right < 0 || points_[i].size() < least_points) return c;
        const Vec3d a = place(body_.parts[static_cast<size_t>(left)].joint),
                    b = place(body_.parts[static_cast<size_t>(right)].joint);
        if (!((a - b).norm() > smallest_bone)) return c;
        c = fit_capsule(points_[i], a - b, thinnest * body_.height);
        c.half = std::max(c.half, 0.5 * (a - b).norm());
        return c;
    }

    // Four balls at the corners of the sole.
    void add_sole(size_t i, const Quatd& joint) {
        RagdollPart& part = body_.parts[i];
        std::vector<double> side, height, length;
        for (const Vec3d& p : points_[i]) {
            side.push_back(p.dot(body_.left)), height.push_back(p.dot(body_.up)), length.push_back(p.dot(body_.ahead));
        }
        const auto ends = [](std::vector<double>& v) {
            return std::pair(quantile(v, sole_inset), quantile(v, 1.0 - sole_inset));
        };
        const double floor = *std::ranges::min_element(height);
        const double tall = std::min(quantile(height, 1.0 - outermost), place(part.joint).dot(body_.up)) - floor;
        auto [right, left] = ends(side);
        auto [back, front] = ends(length);
        const double r = std::max(ball_share * std::min({tall, left - right, front - back}), smallest_bone);
        part.ball_radius = r;
        for (const double s : {right + r, left - r})
            for (const double f : {back + r, front - r}) {
                const Vec3d at = s * body_.left + (floor + r) * body_.up + f * body_.ahead;
                part.balls.push_back(joint.conjugate() * Vec3d(at - place(part.joint)) - part.centre);
            }
    }

    void weigh() {
        double all = 0.0;
        for (RagdollPart& part : body_.parts) {
            part.mass = options_.density * volume(part.half, part.radius);
            all += part.mass;
        }
        for (RagdollPart& part : body_.parts) {
            part.mass = std::max(part.mass, lightest * all);
            body_.mass += part.mass;
        }
    }

    const Character& character_;
    const RagdollOptions& options_;
    std::vector<AffineD> world_;
    RagdollBody body_;
    std::vector<std::vector<Vec3d>> points_;  // of each part, at rest
};

}  // namespace

Result<RagdollBody> fit_ragdoll(const Character& character, const RagdollOptions& options) {
    return Fitter(character, options).fit();
}

}  // namespace sinew
