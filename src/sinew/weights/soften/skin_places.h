// SkinPlaces: the vertices of all meshes of one skin, with those at the same place taken for one.
// Data flow: soften_weights.h's meshes → *here* → skin_growth.h, spread_jumps.h → soften_weights.cpp.
#pragma once

#include <sinew/weights/soften/soften_weights.h>
#include <array>
#include <span>
#include <vector>

namespace sinew {

struct JointShare {
    int joint;  // index in the skin
    double weight;
};
using JointShares = std::vector<JointShare>;  // by joint
constexpr double no_weight = 1e-9;            // less is rounding: weights are stored as floats

using PlaceEdge = std::array<int, 2>;  // lower place first

// Each place has the weights of the first bound vertex there. Softening changes few of them.
struct SkinPlaces {
    std::vector<Vec3> position;
    std::vector<PlaceEdge> edges;             // sorted; each once; none of length 0
    std::vector<std::vector<int>> of_vertex;  // of_vertex[mesh][vertex]: its place; −1: not bound
    std::vector<size_t> first = {0};          // place p is bound by bound[first[p]] to bound[first[p + 1]]
    JointShares bound;
    std::vector<int> changed;  // per place: its number in `softened`; −1: still as bound
    std::vector<JointShares> softened;

    size_t size() const { return position.size(); }
    bool is_changed(int place) const { return changed[static_cast<size_t>(place)] >= 0; }
    std::span<const JointShare> of(int place) const {
        const auto p = static_cast<size_t>(place);
        if (is_changed(place)) return softened[static_cast<size_t>(changed[p])];
        return std::span(bound).subspan(first[p], first[p + 1] - first[p]);
    }
    void set(int place, JointShares weights);
};

// Meshes without influences are passed over. Positions that are not finite count as not bound. O(n log n).
SkinPlaces find_places(std::span<const BoundMesh> meshes);

// visit(joint, weight in a, weight in b) for every joint of either.
template <class Visit>
void each_pair(std::span<const JointShare> a, std::span<const JointShare> b, const Visit& visit) {
    for (size_t i = 0, k = 0; i < a.size() || k < b.size();) {
        const bool first = k == b.size() || (i < a.size() && a[i].joint <= b[k].joint);
        const bool second = i == a.size() || (k < b.size() && b[k].joint <= a[i].joint);
        visit(first ? a[i].joint : b[k].joint, first ? a[i].weight : 0.0, second ? b[k].weight : 0.0);
        i += first;
        k += second;
    }
}

}  // namespace sinew
