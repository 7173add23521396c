#include <sinew/weights/soften/skin_growth.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <map>
#include <utility>

namespace sinew {
namespace {

constexpr double right_angle = 1.4142135623730951;  // √2: how far a turn by 90° moves a point at distance 1

}  // namespace

SkinGrowth::SkinGrowth(const Skin& skin, std::span<const int32_t> parents) {
    std::map<int32_t, int> index;
    for (size_t i = 0; i < skin.joints.size(); ++i) index[skin.joints[i]] = static_cast<int>(i);
    for (size_t i = 0; i < skin.joints.size(); ++i) {
        pivot_.push_back(skin.inverse_bind[i].inverse().translation());
        above_.emplace_back();
        for (int32_t j = skin.joints[i]; j >= 0; j = parents[static_cast<size_t>(j)])
            if (const auto found = index.find(j); found != index.end()) above_.back().push_back(found->second);
    }
    for (const std::vector<int>& a : above_) {
        shared_.emplace_back();
        for (const std::vector<int>& b : above_) {
            const auto [end, other] = std::mismatch(a.rbegin(), a.rend(), b.rbegin(), b.rend());
            shared_.back().push_back(static_cast<int>(end - a.rbegin()));
        }
    }
}

double SkinGrowth::parting(const SkinPlaces& places, const PlaceEdge& edge, int joint) const {
    const Vec3 &p = places.position[static_cast<size_t>(edge[0])], &q = places.position[static_cast<size_t>(edge[1])];
    const Vec3 lever = 0.5f * (p + q) - pivot_[static_cast<size_t>(joint)];
    return right_angle *
           std::sqrt(static_cast<double>(lever.squaredNorm()) / static_cast<double>((p - q).squaredNorm()));
}

double SkinGrowth::carried(std::span<const JointShare> weights, int joint) const {
    const std::vector<int>& shared = shared_[static_cast<size_t>(joint)];
    const auto all = static_cast<int>(above(joint).size());  // a joint that shares them all hangs on this one
    double sum = 0.0;
    for (const auto& [j, w] : weights)
        if (shared[static_cast<size_t>(j)] == all) sum += w;
    return sum;
}

// By how much the ends differ in what they carry of each joint. A joint above all joints that differ carries as much at
// both ends and is skipped.
void SkinGrowth::find_differences(const SkinPlaces& places, const PlaceEdge& edge, Scratch& scratch) const {
    JointShares& differing = scratch.differing;
    std::vector<double>& difference = scratch.difference;
    std::vector<int>& touched = scratch.touched;
    differing.clear();
    touched.clear();
    difference.resize(pivot_.size(), 0.0);
    int common = INT_MAX;
    each_pair(places.of(edge[0]), places.of(edge[1]), [&](int j, double w, double v) {
        if (w == v) return;
        differing.push_back({j, w - v});
        common = std::min(common, shared_[static_cast<size_t>(differing.front().joint)][static_cast<size_t>(j)]);
    });
    for (const auto& [j, by] : differing) {
        const std::vector<int>& chain = above_[static_cast<size_t>(j)];
        for (size_t k = 0; k + static_cast<size_t>(common) < chain.size(); ++k) {
            double& sum = difference[static_cast<size_t>(chain[k])];
            if (sum == 0.0) touched.push_back(chain[k]);
            sum += by;
        }
    }
}

double SkinGrowth::growth(const SkinPlaces& places, const PlaceEdge& edge, Scratch& scratch) const {
    find_differences(places, edge, scratch);
    if (scratch.touched.empty()) return 1.0;
    const Vec3 &p = places.position[static_cast<size_t>(edge[0])], &q = places.position[static_cast<size_t>(edge[1])];
    const Vec3 middle = 0.5f * (p + q);
    double most = 0.0;  // (difference × lever)²
    for (int j : scratch.touched) {
        const double difference = std::exchange(scratch.difference[static_cast<size_t>(j)], 0.0);
        const auto lever = static_cast<double>((middle - pivot_[static_cast<size_t>(j)]).squaredNorm());
        most = std::max(most, difference * difference * lever);
    }
    return 1.0 + right_angle * std::sqrt(most / static_cast<double>((p - q).squaredNorm()));
}

}  // namespace sinew
