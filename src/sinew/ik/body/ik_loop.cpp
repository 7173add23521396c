#include <sinew/ik/body/ik_loop.h>

#include <sinew/math/angle.h>
#include <sinew/math/rotation.h>
#include <cmath>

namespace sinew {
namespace {

constexpr double same_side = 1e-9;  // of the body's length: nearer to the line a joint has no side

}  // namespace

bool is_stationary(const IkBody& body, double flat) {
    for (const BodyGoal& goal : body.goals) {
        if (goal.has_orientation && goal_error(body, goal, {}).angle > flat) return false;
        if (!goal.has_position) continue;
        for (const int32_t end : {goal.joint, goal.meets}) {
            if (end < 0) continue;
            const Vec3d from = body.position[at(end)], way = goal_target(body, goal) - from;
            for (int32_t j = body.joints[at(end)].parent; j >= 0; j = body.joints[at(j)].parent) {
                const Vec3d lever = from - body.position[at(j)];
                if (body.joints[at(j)].turns && lever.cross(way).norm() > flat * goal.length * way.norm()) return false;
            }
        }
    }
    return true;
}

void bend_joints(IkBody& body, double angle) {
    Vec3d side = Vec3d::Zero();
    for (const IkPole& pole : body.poles) side += pole.direction;
    double turn = -angle;
    for (size_t j = body.first; j < body.joints.size(); ++j) {
        if (body.joints[j].parent < 0) continue;
        const auto parent = at(body.joints[j].parent);
        const Vec3d bone = body.position[j] - body.position[parent];
        if (!body.joints[parent].turns || !(bone.norm() > 0.0)) continue;
        const Vec3d across = side.cross(bone);
        const Vec3d axis =
            across.norm() > same_side * bone.norm() ? Vec3d(across.normalized()) : Vec3d(bone.unitOrthogonal());
        // The first bone leans to the side and the others lean back: an arc.
        turn_joint(body, parent, Quatd(Eigen::AngleAxisd(turn, axis)));
        turn = angle;
    }
    place_joints(body);
}

void apply_poles(IkBody& body) {
    for (const IkPole& pole : body.poles) {
        const auto root = at(pole.chain.root), tip = at(pole.chain.tip);
        const Vec3d line = body.position[tip] - body.position[root];
        if (!body.joints[root].turns || !(line.norm() > same_side * body.length)) continue;
        const Vec3d along = line.normalized(), out = body.position[at(pole.joint)] - body.position[root];
        const Vec3d is = out - along * along.dot(out), should = pole.direction - along * along.dot(pole.direction);
        if (!(is.norm() > same_side * body.length) || !(should.norm() > same_side * pole.direction.norm())) continue;
        const double angle = angle_about(along, is, should);
        const Quatd old = body.local[root];
        turn_joint(body, root, Quatd(Eigen::AngleAxisd(angle, along)));
        place_joints(body);
        // A limit in the way would have swung the tip off: then the chain stays as it was.
        if ((body.position[tip] - body.position[root] - line).norm() > same_side * body.length) {
            body.local[root] = old;
            place_joints(body);
        }
    }
    if (!body.poles.empty()) turn_tips(body);
}

void turn_tips(IkBody& body) {
    bool turned = false;
    for (const BodyGoal& goal : body.goals) {
        const auto joint = at(goal.joint);
        if (!goal.has_orientation || !body.joints[joint].turns) continue;
        turn_joint(body, joint, goal.orientation * body.rotation[joint].conjugate());
        turned = true;
    }
    if (turned) place_joints(body);
}

void BestState::keep(IkBody& body, double new_cost) {
    cost = new_cost;
    body.best_local.assign(body.local.begin(), body.local.end());
    body.best_offset.resize(body.joints.size());
    for (size_t j = 0; j < body.joints.size(); ++j) body.best_offset[j] = body.joints[j].offset;
}

void BestState::restore(IkBody& body) const {
    body.local.assign(body.best_local.begin(), body.best_local.end());
    for (size_t j = 0; j < body.joints.size(); ++j) body.joints[j].offset = body.best_offset[j];
    place_joints(body);
}

}  // namespace sinew
