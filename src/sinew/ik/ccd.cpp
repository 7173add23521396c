// Cyclic coordinate descent [Wang1991]: from the tip to the root, each joint turns so that the tip comes as near to its
// goal as this one joint can bring it. Then again, until it is there.
//
// Where a joint carries one goal, the best turn is the shortest one that points the tip at the goal, seen from the
// joint. A hinge has the best angle in closed form. With several goals, or orientations, it is the rotation that best
// brings all the tips, and the axes of their frames, to where they should be [Mueller2016].
#include <sinew/ik/ik_loop.h>
#include <sinew/ik/ik_solvers.h>
#include <sinew/math/rotation.h>
#include <cmath>

namespace sinew {
namespace {

size_t at(int32_t index) {
    return static_cast<size_t>(index);
}

// A goal's joint during a sweep: it moves with every joint above it that has turned.
struct Tip {
    Vec3d position;
    Quatd rotation;
};

// Σ w · (goal vector)(tip vector)ᵀ over what hangs on a joint: the turn R that suits all best makes the trace of
// Rᵀ·this largest.
struct Pull {
    Mat3d sum = Mat3d::Zero();
    int positions = 0, orientations = 0;
    Vec3d from = Vec3d::Zero(), to = Vec3d::Zero();  // of the last position
};

// The rotation nearest to a matrix, from the identity by small turns [Mueller2016].
Quatd nearest_rotation(const Mat3d& a) {
    constexpr int turns = 12;
    constexpr double settled = 1e-6;  // radians
    Quatd q = Quatd::Identity();
    for (int i = 0; i < turns; ++i) {
        const Mat3d r = q.toRotationMatrix();
        const Vec3d torque = r.col(0).cross(a.col(0)) + r.col(1).cross(a.col(1)) + r.col(2).cross(a.col(2));
        const double along = std::abs(r.col(0).dot(a.col(0)) + r.col(1).dot(a.col(1)) + r.col(2).dot(a.col(2)));
        const Vec3d turn = torque / (along + 1e-12 * a.norm() + 1e-300);
        const double angle = turn.norm();
        if (angle < settled) break;
        q = Quatd(Eigen::AngleAxisd(angle, turn / angle)) * q;
    }
    return q.normalized();
}

// The best angle about one axis: the trace of (turn by θ)ᵀ·A is largest where its derivative is zero.
Quatd best_about(const Vec3d& axis, const Mat3d& a) {
    const Vec3d curl(a(2, 1) - a(1, 2), a(0, 2) - a(2, 0), a(1, 0) - a(0, 1));
    const double sine = axis.dot(curl), cosine = a.trace() - axis.dot(a * axis);
    return Quatd(Eigen::AngleAxisd(sine == 0.0 && cosine == 0.0 ? 0.0 : std::atan2(sine, cosine), axis));
}

Quatd at_most(const Quatd& turn, double largest) {
    const double angle = 2.0 * std::atan2(turn.vec().norm(), std::abs(turn.w()));
    return angle <= largest ? turn : Quatd(Quatd::Identity().slerp(largest / angle, turn));
}

class Sweep {
public:
    Sweep(IkBody& body, double largest_turn) : body_(body), largest_turn_(largest_turn) {}

    void operator()() {
        for (size_t j = body_.joints.size(); j-- > body_.first;)
            if (body_.joints[j].turns) turn(j);
        place_joints(body_);
    }

private:
    bool carries(size_t joint, int32_t end) const {
        for (; end > static_cast<int32_t>(joint); end = body_.joints[at(end)].parent) {
        }
        return end == static_cast<int32_t>(joint);
    }

    Pull pull_on(size_t joint) const {
        Pull pull;
        const Vec3d& pivot = body_.position[joint];
        for (const BodyGoal& goal : body_.goals) {
            const bool joint_is_above = carries(joint, goal.joint);
            const bool meets_is_below = goal.meets >= 0 && carries(joint, goal.meets);
            if (goal.has_position && joint_is_above != meets_is_below) {
                const Vec3d &a = body_.position[at(goal.joint)],
                            b = goal.meets < 0 ? goal.target : body_.position[at(goal.meets)];
                pull.from = (joint_is_above ? a : b) - pivot;
                pull.to = (joint_is_above ? b : a) - pivot;
                pull.sum += goal.weight * pull.to * pull.from.transpose();
                ++pull.positions;
            }
            if (goal.has_orientation && joint_is_above) {
                const Quatd left = goal.orientation * body_.rotation[at(goal.joint)].conjugate();
                pull.sum += goal.weight * goal.length * goal.length * left.toRotationMatrix();
                ++pull.orientations;
            }
        }
        return pull;
    }

    Quatd best_turn(size_t joint, const Pull& pull) const {
        const IkLimit* limit = body_.joints[joint].limit;
        if (const auto* hinge = limit ? std::get_if<HingeLimit>(&limit->shape) : nullptr) {
            const Vec3d axis = parent_rotation(body_, joint) * limit->reference * hinge->axis;
            return best_about(axis.normalized(), pull.sum);
        }
        if (pull.positions == 1 && pull.orientations == 0) return shortest_rotation(pull.from, pull.to);
        return nearest_rotation(pull.sum);
    }

    // The joints above have not turned yet in this sweep, so their frames still hold. The tips below have moved along.
    void turn(size_t joint) {
        const Pull pull = pull_on(joint);
        if (pull.positions + pull.orientations == 0) return;
        const Quatd done = turn_joint(body_, joint, at_most(best_turn(joint, pull), largest_turn_));
        for (const BodyGoal& goal : body_.goals)
            for (const int32_t end : {goal.joint, goal.meets})
                if (end >= 0 && carries(joint, end)) {
                    Vec3d& tip = body_.position[at(end)];
                    tip = body_.position[joint] + done * (tip - body_.position[joint]);
                    body_.rotation[at(end)] = done * body_.rotation[at(end)];
                }
    }

    IkBody& body_;
    double largest_turn_;
};

}  // namespace

int solve_ccd(IkBody& body, const IkTask& task) {
    Sweep sweep(body, task.largest_turn);
    return iterate(body, task.options, task.budget, sweep);
}

}  // namespace sinew
