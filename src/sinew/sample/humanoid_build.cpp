#include <sinew/sample/humanoid_build.h>

#include <sinew/core/check.h>
#include <sinew/skeleton/humanoid.h>
#include <sinew/skeleton/pose.h>
#include <cmath>

namespace sinew::shape {
namespace {

// Factors on the average body. Girths are across a bone, lengths along it.
struct Plan {
    double trunk_length = 1, neck_length = 1, arm_length = 1, leg_length = 1;
    double head_size = 1, hand_size = 1, foot_size = 1;
    double shoulder_breadth = 1, hip_breadth = 1;
    double trunk_breadth = 1, trunk_depth = 1, neck_girth = 1, arm_girth = 1, leg_girth = 1;
    double belly = 0, seat = 0;  // metres by which belly and seat bulge beyond that
};

Plan plan_of(HumanoidBuild build) {
    switch (build) {
        case HumanoidBuild::fat:
            return {.head_size = 1.03,
                    .shoulder_breadth = 1.16,
                    .hip_breadth = 1.30,
                    .trunk_breadth = 1.32,
                    .trunk_depth = 1.38,
                    .neck_girth = 1.3,
                    .arm_girth = 1.40,
                    .leg_girth = 1.36,
                    .belly = 0.085,
                    .seat = 0.03};
        case HumanoidBuild::thin:
            return {.head_size = 0.98,
                    .shoulder_breadth = 0.96,
                    .hip_breadth = 0.95,
                    .trunk_breadth = 0.86,
                    .trunk_depth = 0.74,
                    .neck_girth = 0.84,
                    .arm_girth = 0.74,
                    .leg_girth = 0.74};
        case HumanoidBuild::tall:
            return {
                .trunk_length = 1.08, .neck_length = 1.15, .arm_length = 1.16, .leg_length = 1.20, .foot_size = 1.08};
        case HumanoidBuild::child:  // proportions of about six years, 1.16 m
            return {.trunk_length = 0.66,
                    .neck_length = 0.62,
                    .arm_length = 0.62,
                    .leg_length = 0.60,
                    .head_size = 0.90,
                    .hand_size = 0.66,
                    .foot_size = 0.68,
                    .shoulder_breadth = 0.64,
                    .hip_breadth = 0.66,
                    .trunk_breadth = 0.68,
                    .trunk_depth = 0.74,
                    .neck_girth = 0.72,
                    .arm_girth = 0.68,
                    .leg_girth = 0.66};
        case HumanoidBuild::average:
            break;
    }
    return {};
}

// How one joint changes the body: the way from its parent is scaled by `offset`, the skin around it by `skin`. Both are
// along the world's axes for the trunk; a limb's skin is scaled along and across its bone instead.
struct Change {
    Vec3d offset = Vec3d::Ones(), skin = Vec3d::Ones();
    Vec3d bone = Vec3d::Zero();  // unit; zero: no limb
    double along = 1, across = 1;

    Vec3d stretched(const Vec3d& v) const {
        if (bone.isZero()) return skin.cwiseProduct(v);
        const Vec3d part = bone * bone.dot(v);
        return along * part + across * (v - part);
    }
};

bool is_between(Role role, Role first, Role last) {
    return role >= first && role <= last;
}

Change uniform(double size) {
    return {.offset = Vec3d::Constant(size), .skin = Vec3d::Constant(size)};
}

Change change_of(Role role, const Plan& plan, const Vec3d& bone) {
    const Vec3d trunk(plan.trunk_breadth, plan.trunk_length, plan.trunk_depth);
    const auto limb = [&](double before, double along, double across) {
        return Change{
            .offset = Vec3d::Constant(before), .skin = Vec3d::Ones(), .bone = bone, .along = along, .across = across};
    };
    switch (role) {
        case Role::hips:
            return {.offset = Vec3d::Ones(), .skin = trunk};
        case Role::spine:
        case Role::chest:
        case Role::upper_chest:
            return {.offset = Vec3d(1, plan.trunk_length, 1), .skin = trunk};
        case Role::neck:
            return {.offset = Vec3d(1, plan.trunk_length, 1),
                    .skin = Vec3d(plan.neck_girth, plan.neck_length, plan.neck_girth)};
        case Role::head:
            return {.offset = Vec3d(1, plan.neck_length, 1), .skin = Vec3d::Constant(plan.head_size)};
        case Role::left_shoulder:
        case Role::right_shoulder:
            return {.offset = Vec3d(plan.shoulder_breadth, plan.trunk_length, 1), .skin = trunk};
        case Role::left_upper_arm:
        case Role::right_upper_arm: {
            Change arm = limb(1, plan.arm_length, plan.arm_girth);
            arm.offset = Vec3d(plan.shoulder_breadth, plan.trunk_length, 1);
            return arm;
        }
        case Role::left_lower_arm:
        case Role::right_lower_arm:
            return limb(plan.arm_length, plan.arm_length, plan.arm_girth);
        case Role::left_hand:
        case Role::right_hand: {
            Change hand = uniform(plan.hand_size);
            hand.offset = Vec3d::Constant(plan.arm_length);
            return hand;
        }
        case Role::left_upper_leg:
        case Role::right_upper_leg: {
            Change leg = limb(1, plan.leg_length, plan.leg_girth);
            leg.offset = Vec3d(plan.hip_breadth, plan.trunk_length, 1);
            return leg;
        }
        case Role::left_lower_leg:
        case Role::right_lower_leg:
            return limb(plan.leg_length, plan.leg_length, plan.leg_girth);
        case Role::left_foot:
        case Role::right_foot: {
            Change foot = uniform(plan.foot_size);
            foot.offset = Vec3d::Constant(plan.leg_length);
            return foot;
        }
        default:
            if (is_between(role, Role::left_thumb_metacarpal, Role::right_little_distal))
                return uniform(plan.hand_size);
            return uniform(plan.foot_size);
    }
}

// Belly and seat: round bulges at fixed places of the average body, in the trunk's skin only.
Vec3d bulge(const Plan& plan, const Vec3d& p) {
    const auto bump = [&](const Vec3d& center, const Vec3d& size) {
        return std::exp(-0.5 * (p - center).cwiseQuotient(size).squaredNorm());
    };
    const double belly = plan.belly * bump({0, 1.06, 0.10}, {0.16, 0.11, 0.12});
    const double seat = plan.seat * bump({0, 0.93, -0.12}, {0.16, 0.09, 0.08});
    const Vec3d out(p.x() * 1.2, 0.15 * (p.y() - 1.06), 0.10);
    return belly * out.normalized() - seat * Vec3d::UnitZ();
}

bool is_trunk(Role role) {
    return role == Role::hips || role == Role::spine || role == Role::chest || role == Role::upper_chest;
}

}  // namespace

void reshape_humanoid(HumanoidBuild build, Character& humanoid) {
    if (build == HumanoidBuild::average) return;
    const Plan plan = plan_of(build);
    const Skeleton& skeleton = humanoid.skeleton;
    const HumanoidMap map = recognise_humanoid(skeleton);
    const std::vector<Role> roles = map.roles(skeleton.size());
    const std::vector<AffineD> before = rest_world(skeleton);
    std::vector<Vec3d> after(skeleton.size(), Vec3d::Zero());
    std::vector<Change> change(skeleton.size());
    std::vector<Transform> rest = skeleton.rest();
    for (size_t j = 0; j < skeleton.size(); ++j) {
        const int32_t parent = skeleton.parents()[j];
        if (roles[j] == Role::count || parent < 0) continue;
        Vec3d bone = Vec3d::UnitY();  // to the next joint of the limb: a limb's joints have one child that matters
        for (size_t k = skeleton.size(); k-- > j + 1;)
            if (skeleton.parents()[k] == static_cast<int32_t>(j))
                bone = (before[k].translation() - before[j].translation()).normalized();
        change[j] = change_of(roles[j], plan, bone);
        rest[j].translation = change[j].offset.cwiseProduct(rest[j].translation.cast<double>()).cast<float>();
        after[j] = after[static_cast<size_t>(parent)] + rest[j].translation.cast<double>();
    }

    Mesh& mesh = humanoid.meshes[0].primitives[0].mesh;
    const Influences& influences = humanoid.meshes[0].primitives[0].influences;
    Skin& skin = humanoid.skins[0];
    float lowest = INFINITY;
    for (size_t v = 0; v < mesh.vertex_count(); ++v) {
        const Vec3d p = mesh.positions[v].cast<double>();
        Vec3d moved = Vec3d::Zero();
        for (const Influence& influence : influences.of(v)) {
            const auto j = static_cast<size_t>(skin.joints[influence.joint]);
            Vec3d here = after[j] + change[j].stretched(p - before[j].translation());
            if (is_trunk(roles[j])) here += bulge(plan, p);
            moved += double{influence.weight} * here;
        }
        mesh.positions[v] = moved.cast<float>();
        lowest = std::min(lowest, mesh.positions[v].y());
    }
    for (Vec3& p : mesh.positions) p.y() -= lowest;
    mesh.normals = compute_normals(mesh.positions, mesh.triangles);

    rest[static_cast<size_t>(map[Role::hips])].translation.y() -= lowest;
    auto made = Skeleton::create(skeleton.names(), skeleton.parents(), std::move(rest));
    SINEW_CHECK(made.has_value());
    humanoid.skeleton = *std::move(made);
    const std::vector<AffineD> world = rest_world(humanoid.skeleton);
    for (size_t k = 0; k < skin.joints.size(); ++k)
        skin.inverse_bind[k] = world[static_cast<size_t>(skin.joints[k])].inverse().cast<float>();
}

}  // namespace sinew::shape
