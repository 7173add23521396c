// Skeleton: a file's whole node tree, flat. Every node is a joint, so animated nodes, several skins and rigidly
// attached meshes need no special case. Data flow: io, rig → *here* → clip, motion, skin.
#pragma once

#include <sinew/core/result.h>
#include <sinew/math/transform.h>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Joints are numbered so that a parent stands before its children. Names may repeat and may be empty: files do that.
class Skeleton {
public:
    Skeleton() = default;

    // Proves: equal sizes, −1 ≤ parents[j] < j, rest transforms finite with unit rotations (to 1e-3; they are
    // normalised here).
    static Result<Skeleton> create(std::vector<std::string> names, std::vector<int32_t> parents,
                                   std::vector<Transform> rest);

    size_t size() const { return parents_.size(); }
    const std::vector<std::string>& names() const { return names_; }
    const std::vector<int32_t>& parents() const { return parents_; }
    const std::vector<Transform>& rest() const { return rest_; }

    // The first joint of that name, or −1.
    int32_t find(std::string_view name) const;

private:
    std::vector<std::string> names_;
    std::vector<int32_t> parents_;
    std::vector<Transform> rest_;
};

// children[j], in joint order. For algorithms; run-time loops use parents().
std::vector<std::vector<int32_t>> children_of(std::span<const int32_t> parents);

}  // namespace sinew
