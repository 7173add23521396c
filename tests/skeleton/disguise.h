// Disguises: the same body with other names or frames, for tests that must not depend on them.
#pragma once

#include <sinew/core/random.h>
#include <sinew/skeleton/skeleton.h>
#include <string>
#include <vector>

namespace sinew::test {

// Every joint's frame turned at random about itself; all positions stay.
inline Skeleton rerolled(const Skeleton& skeleton, uint64_t seed) {
    Random random(seed);
    std::vector<Transform> rest = skeleton.rest();
    std::vector<Quat> turn;
    for (size_t j = 0; j < rest.size(); ++j) {
        Eigen::Vector4f q;
        for (int i = 0; i < 4; ++i) q[i] = static_cast<float>(random.uniform() - 0.5);
        turn.push_back(Quat(q.normalized()));
        const int32_t parent = skeleton.parents()[j];
        const Quat above = parent < 0 ? Quat::Identity() : turn[static_cast<size_t>(parent)].conjugate();
        rest[j].translation = above * rest[j].translation;
        rest[j].rotation = (above * rest[j].rotation * turn[j]).normalized();
    }
    return *Skeleton::create(skeleton.names(), skeleton.parents(), rest);
}

inline Skeleton without_names(const Skeleton& skeleton) {
    std::vector<std::string> names;
    for (size_t j = 0; j < skeleton.size(); ++j) names.push_back("bone_" + std::to_string(j));
    return *Skeleton::create(names, skeleton.parents(), skeleton.rest());
}

}  // namespace sinew::test
