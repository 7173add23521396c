#include <sinew/pipeline/skin_growth.h>

#include <algorithm>
#include <climits>
#include <cmath>
#include <map>
#include <utility>

namespace sinew {
namespace {

constexpr double right_angle = 1.4142135623730951;  // how far a point moves at distance 1, when turned by it

}  // namespace

void SkinPlaces::set(int place, Shares weights) {
    int& slot = changed[static_cast<size_t>(place)];
    if (slot < 0) {
        slot = static_cast<int>(softened.size());
        softened.emplace_back();
    }
    softened[static_cast<size_t>(slot)] = std::move(weights);
}

SkinGrowth::SkinGrowth(const Skeleton& skeleton, const Skin& skin) {
    std::map<int32_t, int> index;
    for (size_t i = 0; i < skin.joints.size(); ++i) index[skin.joints[i]] = static_cast<int>(i);
    for (size_t i = 0; i < skin.joints.size(); ++i) {
        pivot_.push_back(skin.inverse_bind[i].inverse().translation());
        above_.emplace_back();
        for (int32_t j = skin.joints[i]; j >= 0; j = skeleton.parents()[static_cast<size_t>(j)])
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

double SkinGrowth::parting(const SkinPlaces& places, const std::array<int, 2>& edge, int joint) const {
    const Vec3 &p = places.position[static_cast<size_t>(edge[0])], &q = places.position[static_cast<size_t>(edge[1])];
    const Vec3 lever = 0.5f * (p + q) - pivot_[static_cast<size_t>(joint)];
    return right_angle *
           std::sqrt(static_cast<double>(lever.squaredNorm()) / static_cast<double>((p - q).squaredNorm()));
}

double SkinGrowth::carried(std::span<const Share> weights, int joint) const {
    const std::vector<int>& shared = shared_[static_cast<size_t>(joint)];
    const auto all = static_cast<int>(above(joint).size());  // whoever shares them all hangs on it
    double sum = 0.0;
    for (const auto& [j, w] : weights)
        if (shared[static_cast<size_t>(j)] == all) sum += w;
    return sum;
}

// Of the weight that hangs on each joint. What hangs above all that differs carries as much on both sides, and is not
// looked at.
void SkinGrowth::find_differences(const SkinPlaces& places, const std::array<int, 2>& edge, Scratch& scratch) const {
    Shares& differing = scratch.differing;
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

double SkinGrowth::growth(const SkinPlaces& places, const std::array<int, 2>& edge, Scratch& scratch) const {
    find_differences(places, edge, scratch);
    if (scratch.touched.empty()) return 1.0;
    const Vec3 &p = places.position[static_cast<size_t>(edge[0])], &q = places.position[static_cast<size_t>(edge[1])];
    const Vec3 middle = 0.5f * (p + q);
    double most = 0.0;  // difference times lever, squared
    for (int j : scratch.touched) {
        const double difference = std::exchange(scratch.difference[static_cast<size_t>(j)], 0.0);
        const auto lever = static_cast<double>((middle - pivot_[static_cast<size_t>(j)]).squaredNorm());
        most = std::max(most, difference * difference * lever);
    }
    return 1.0 + right_angle * std::sqrt(most / static_cast<double>((p - q).squaredNorm()));
}

}  // namespace sinew
