// Chains of joints to try the solvers on, for the tests and the bench alike.
#pragma once

#include <sinew/core/random.h>
#include <sinew/math/transform.h>
#include <cmath>
#include <cstdint>
#include <vector>

namespace sinew::test {

inline Vec3d random_direction(Random& random) {
    for (;;) {
        const Vec3d v(random.uniform(-1, 1), random.uniform(-1, 1), random.uniform(-1, 1));
        if (v.norm() > 0.1 && v.norm() < 1.0) return v.normalized();
    }
}

inline Quatd random_rotation(Random& random, double largest_angle) {
    return Quatd(Eigen::AngleAxisd(random.uniform(0, largest_angle), random_direction(random)));
}

// A row of joints that turn, and a tip: as many bones as joints that turn.
struct Chain {
    std::vector<int32_t> parents;
    std::vector<Transform> pose;

    int32_t tip() const { return static_cast<int32_t>(parents.size()) - 1; }
    double bone(size_t joint) const { return pose[joint].translation.cast<double>().norm(); }
    double length() const {
        double sum = 0;
        for (size_t j = 1; j < pose.size(); ++j) sum += bone(j);
        return sum;
    }
    Vec3d root() const { return pose[0].translation.cast<double>(); }
    // How near the tip can come to a goal, by the lengths of the bones alone.
    double best_distance(const Vec3d& goal) const {
        double longest = 0;
        for (size_t j = 1; j < pose.size(); ++j) longest = std::max(longest, bone(j));
        const double d = (goal - root()).norm();
        return std::max({0.0, d - length(), 2 * longest - length() - d});
    }
};

// Bones of 0.5 … 1.5 in random frames; each joint is turned by up to `bend` radians.
inline Chain random_chain(Random& random, int joints, double bend = 1.0) {
    Chain chain;
    const Vec3d along = random_direction(random);
    for (int j = 0; j <= joints; ++j) {
        chain.parents.push_back(j - 1);
        Transform& local = chain.pose.emplace_back();
        local.translation = ((j == 0 ? 1.0 : random.uniform(0.5, 1.5)) * along).cast<float>();
        local.rotation = random_rotation(random, bend).cast<float>();
    }
    return chain;
}

// The tip's place in another pose of the same chain: each joint at random.
inline Vec3d reachable_goal(Random& random, const Chain& chain) {
    Vec3d place = chain.root();
    for (size_t j = 1; j < chain.pose.size(); ++j) place += chain.bone(j) * random_direction(random);
    return place;
}

}  // namespace sinew::test
