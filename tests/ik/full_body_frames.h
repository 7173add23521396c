// Frames for the full-body solver: a person stands, shifts the weight, looks round and moves both hands; feet stay.
// Five goals.
#pragma once

#include <sinew/ik/ik.h>
#include <sinew/skeleton/forward_kinematics.h>
#include <array>
#include <cmath>

#include "ik/person.h"

namespace sinew::test {

class FullBodyFrames {
public:
    explicit FullBodyFrames(const Skeleton& skeleton) : skeleton_(skeleton), rest_(rest_world(skeleton)) { set(0); }

    void set(int frame) {
        const double t = frame / 60.0;
        const auto goal = [&](const char* name, const Vec3d& offset) {
            const int32_t joint = skeleton_.find(name);
            return IkGoal{.joint = joint, .position = Vec3d(rest_[static_cast<size_t>(joint)].translation() + offset)};
        };
        goals = {goal("leftFoot", {0, 0, 0}), goal("rightFoot", {0, 0, 0}),
                 goal("head", {0.05 * std::sin(2 * t), -0.06 + 0.04 * std::cos(3 * t), 0.03}),
                 goal("leftHand", {-0.35 + 0.1 * std::sin(5 * t), -0.2 + 0.2 * std::cos(4 * t), 0.3}),
                 goal("rightHand", {0.35 - 0.1 * std::cos(3 * t), -0.3 + 0.2 * std::sin(5 * t), 0.25})};
    }

    IkProblem problem() const {
        IkProblem result{.parents = skeleton_.parents(), .pose = skeleton_.rest(), .goals = goals};
        result.moving_root = skeleton_.find("hips");
        return result;
    }

    std::array<IkGoal, 5> goals;

private:
    const Skeleton& skeleton_;
    std::vector<AffineD> rest_;
};

}  // namespace sinew::test
