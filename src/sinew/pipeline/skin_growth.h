// SkinGrowth: how much an edge of a skin would grow if one joint bent by a right angle.
// Data flow: a bound Character → soften_weights.cpp → *here* → soften_weights.cpp, spread_jumps.cpp.
#pragma once

#include <sinew/skeleton/skeleton.h>
#include <sinew/skin/influences.h>
#include <array>
#include <cmath>
#include <span>
#include <vector>

namespace sinew {

struct Share {
    int joint;  // index in the skin
    double weight;
};
using Shares = std::vector<Share>;  // by joint

// The places of all primitives of one skin's meshes; vertices at one place are one. Few of them change.
struct SkinPlaces {
    std::vector<Vec3> position;
    std::vector<std::array<int, 2>> edges;  // lower place first; sorted; none of length 0
    std::vector<size_t> first = {0};        // the weights of place p as bound: bound[first[p]] to bound[first[p + 1]]
    Shares bound;
    std::vector<int> changed;  // per place: which of `softened` it has now; −1: as bound
    std::vector<Shares> softened;

    size_t size() const { return position.size(); }
    std::span<const Share> of(int place) const {
        const auto p = static_cast<size_t>(place);
        if (changed[p] >= 0) return softened[static_cast<size_t>(changed[p])];
        return std::span(bound).subspan(first[p], first[p + 1] - first[p]);
    }
    void set(int place, Shares weights);
};

class SkinGrowth {
public:
    SkinGrowth(const Skeleton& skeleton, const Skin& skin);

    size_t joint_count() const { return pivot_.size(); }
    // Of a skin's joint: itself and those of the skin that it hangs on, upwards.
    std::span<const int> above(int joint) const { return above_[static_cast<size_t>(joint)]; }
    // How far an edge's ends part when a joint bends that one of them follows wholly and the other not at all, as a
    // multiple of its length.
    double parting(const SkinPlaces& places, const std::array<int, 2>& edge, int joint) const;
    // The weight of all that hangs on a joint.
    double carried(std::span<const Share> weights, int joint) const;

    struct Scratch {
        Shares differing;
        std::vector<double> difference;
        std::vector<int> touched;
    };
    // How many times its length an edge has at most when one joint bends: what hangs on the joint moves, the rest does
    // not.
    double growth(const SkinPlaces& places, const std::array<int, 2>& edge, Scratch& scratch) const;
    // visit(joint) for those that make it grow to more than `limit`.
    template <class Visit>
    void each_above(double limit, const SkinPlaces& places, const std::array<int, 2>& edge, Scratch& scratch,
                    const Visit& visit) const {
        find_differences(places, edge, scratch);
        for (int j : scratch.touched) {
            double& difference = scratch.difference[static_cast<size_t>(j)];
            if (1.0 + std::abs(difference) * parting(places, edge, j) > limit) visit(j);
            difference = 0.0;
        }
    }

private:
    void find_differences(const SkinPlaces& places, const std::array<int, 2>& edge, Scratch& scratch) const;

    std::vector<Vec3> pivot_;  // of each joint of the skin, mesh space
    std::vector<std::vector<int>> above_;
    std::vector<std::vector<int>> shared_;  // of each two joints: how many of those above are above both
};

// visit(joint, weight in a, weight in b) for every joint of either.
template <class Visit>
void each_pair(std::span<const Share> a, std::span<const Share> b, const Visit& visit) {
    for (size_t i = 0, k = 0; i < a.size() || k < b.size();) {
        const bool first = k == b.size() || (i < a.size() && a[i].joint <= b[k].joint);
        const bool second = i == a.size() || (k < b.size() && b[k].joint <= a[i].joint);
        visit(first ? a[i].joint : b[k].joint, first ? a[i].weight : 0.0, second ? b[k].weight : 0.0);
        i += first;
        k += second;
    }
}

}  // namespace sinew
