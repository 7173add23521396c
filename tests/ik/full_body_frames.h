// Frames for the full-body solver: a person stands, shifts the weight, looks round and moves both hands; feet stay.
// Five goals.
#pragma once

#include <sinew/ik/ik.h>
#include <sinew/skeleton/pose.h>
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
        if (asks_for_all_)
            for (const size_t foot : {0, 1}) goals[foot].orientation = Quatd(Quatd::Identity());
    }

    // Hands and feet also keep the way they are turned; limits, balance and a preferred pose.
    void ask_for_all() {
        const HumanoidMap map = recognise_humanoid(skeleton_);
        limits_ = anatomical_limits(map, skeleton_);
        masses_ = body_masses(map, skeleton_);
        for (const char* name : {"leftFoot", "rightFoot", "leftToes", "rightToes"})
            support_.push_back(rest_[static_cast<size_t>(skeleton_.find(name))].translation());
        asks_for_all_ = true;
    }

    IkProblem problem() const {
        IkProblem result{.parents = skeleton_.parents(), .pose = skeleton_.rest(), .goals = goals};
        result.moving_root = skeleton_.find("hips");
        if (!asks_for_all_) return result;
        result.limits = limits_;
        result.preferred = skeleton_.rest();
        result.balance = IkBalance{.mass = masses_, .support = support_, .priority = 1};
        return result;
    }

    std::array<IkGoal, 5> goals;

private:
    const Skeleton& skeleton_;
    std::vector<AffineD> rest_;
    bool asks_for_all_ = false;
    std::vector<IkLimit> limits_;
    std::vector<double> masses_;
    std::vector<Vec3d> support_;
};

}  // namespace sinew::test
