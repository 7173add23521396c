#include <sinew/rig/body/limb_pairs.h>

#include <sinew/rig/priors/stances.h>
#include <algorithm>
#include <cmath>
#include <functional>

namespace sinew {
namespace {

struct Pairing {
    const Extremities& ends;
    const MirrorPlane& plane;
    std::vector<char> used;
    LimbPairs result;

    const Extremity& end(size_t i) const { return ends.list[i]; }
    double side(size_t i) const { return plane.side(end(i).cap); }
    double mirror_gap(size_t i, size_t j) const { return (plane.mirror(end(i).cap) - end(j).cap).norm(); }

    // Pairs the ends that are left, cheapest first, up to a cost of `most`.
    void pair_cheapest(const std::function<double(size_t, size_t)>& cost, double most) {
        std::vector<std::pair<double, LimbPair>> offers;
        for (size_t i = 0; i < used.size(); ++i) {
            for (size_t j = 0; j < used.size(); ++j) {
                if (used[i] || used[j] || side(i) <= 0.0 || side(j) >= 0.0) continue;
                if (const double c = cost(i, j); c < most)
                    offers.push_back({c, {static_cast<int>(i), static_cast<int>(j)}});
            }
        }
        std::stable_sort(offers.begin(), offers.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
        for (const auto& [c, pair] : offers) {
            char &l = used[static_cast<size_t>(pair.left)], &r = used[static_cast<size_t>(pair.right)];
            if (l || r) continue;
            l = r = 1;
            result.pairs.push_back(pair);
        }
    }

    // Whether it is a turned head, with hair or a hat to one side: its neck is still in the middle.
    bool sits_in_the_middle(size_t i, double size) const {
        return std::abs(side(i)) < stances::turned_head * size &&
               std::abs(plane.side(end(i).root)) < stances::neck_on_plane * size;
    }

    // Takes ends near the plane that have no partner on the other side: they lie on it.
    void take_singles(double size) {
        for (size_t i = 0; i < used.size(); ++i) {
            bool partner = false;
            for (size_t j = 0; j < used.size(); ++j)
                partner |=
                    j != i && side(i) * side(j) < 0.0 &&
                    mirror_gap(i, j) < stances::partner_reach * std::abs(side(i)) + stances::partner_slack * size;
            if ((std::abs(side(i)) < stances::on_plane * size || sits_in_the_middle(i, size)) && !partner) {
                used[i] = 1;
                result.singles.push_back(static_cast<int>(i));
            }
        }
    }
};

}  // namespace

LimbPairs pair_limbs(const Extremities& ends, const MirrorPlane& plane, double size) {
    Pairing pairing{ends, plane, std::vector<char>(ends.list.size(), 0), {}};
    pairing.take_singles(size);
    pairing.pair_cheapest([&](size_t i, size_t j) { return pairing.mirror_gap(i, j); }, stances::mirror_gap * size);
    const auto held_apart = [&](size_t i, size_t j) {
        return std::abs(ends.list[i].distance - ends.list[j].distance) + stances::gap_weight * pairing.mirror_gap(i, j);
    };
    pairing.pair_cheapest(held_apart, stances::two_poses * size);
    // A raised arm ends farther from the middle than one that hangs. Where only legs were paired, ends that stick out
    // as far as arms do may differ more.
    const auto far_out = [&](size_t i, size_t j) {
        return std::min(ends.list[i].prominence, ends.list[j].prominence) > stances::far_out * size ? held_apart(i, j)
                                                                                                    : INFINITY;
    };
    if (pairing.result.pairs.size() < 2) pairing.pair_cheapest(far_out, stances::two_poses_far_out * size);
    for (size_t i = 0; i < ends.list.size(); ++i)
        if (!pairing.used[i]) pairing.result.singles.push_back(static_cast<int>(i));
    return pairing.result;
}

}  // namespace sinew
