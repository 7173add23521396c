// SkinGrowth: how many times its length an edge of a skin would have if one joint bent by a right angle.
// Data flow: Skin, SkinPlaces → *here* → spread_jumps.cpp, soften_weights.cpp.
#pragma once

#include <sinew/weights/soften/skin_places.h>
#include <cmath>
#include <span>
#include <vector>

namespace sinew {

// When a joint bends, all that hangs on it turns with it and the rest stays. The ends of an edge then part by the
// difference of what they follow of the joint, times how far the edge is from it.
class SkinGrowth {
public:
    // `parents` are the skeleton's.
    SkinGrowth(const Skin& skin, std::span<const int32_t> parents);

    size_t joint_count() const { return pivot_.size(); }
    // A joint of the skin and, upwards, the joints of the skin that it hangs on.
    std::span<const int> above(int joint) const { return above_[static_cast<size_t>(joint)]; }
    // How far the ends of an edge part, in multiples of its length, when a joint bends that one end follows wholly and
    // the other not at all.
    double parting(const SkinPlaces& places, const PlaceEdge& edge, int joint) const;
    // The weight of a joint and of all that hangs on it.
    double carried(std::span<const JointShare> weights, int joint) const;

    struct Scratch {
        JointShares differing;
        std::vector<double> difference;
        std::vector<int> touched;
    };
    // How many times its length an edge has, at most, whichever single joint bends.
    double growth(const SkinPlaces& places, const PlaceEdge& edge, Scratch& scratch) const;
    // visit(joint) for each joint that makes the edge grow to more than `limit`.
    template <class Visit>
    void each_above(double limit, const SkinPlaces& places, const PlaceEdge& edge, Scratch& scratch,
                    const Visit& visit) const {
        find_differences(places, edge, scratch);
        for (int j : scratch.touched) {
            double& difference = scratch.difference[static_cast<size_t>(j)];
            if (1.0 + std::abs(difference) * parting(places, edge, j) > limit) visit(j);
            difference = 0.0;
        }
    }

private:
    void find_differences(const SkinPlaces& places, const PlaceEdge& edge, Scratch& scratch) const;

    std::vector<Vec3> pivot_;  // of each joint of the skin, mesh space
    std::vector<std::vector<int>> above_;
    std::vector<std::vector<int>> shared_;  // [a][b]: how many joints above a are above b too
};

}  // namespace sinew
