// Skeletons for the tests of weights: joints that do not turn, by where they stand.
#pragma once

#include <sinew/skeleton/skeleton.h>
#include <string>
#include <vector>

namespace sinew::test {

struct Joint {
    std::string name;
    int32_t parent = -1;
    Vec3 place = Vec3::Zero();
};

inline Skeleton skeleton_of(const std::vector<Joint>& joints) {
    std::vector<std::string> names;
    std::vector<int32_t> parents;
    std::vector<Transform> rest;
    for (const Joint& joint : joints) {
        names.push_back(joint.name);
        parents.push_back(joint.parent);
        rest.emplace_back().translation =
            joint.parent < 0 ? joint.place : Vec3(joint.place - joints[static_cast<size_t>(joint.parent)].place);
    }
    return Skeleton::create(names, parents, rest).value();
}

}  // namespace sinew::test
