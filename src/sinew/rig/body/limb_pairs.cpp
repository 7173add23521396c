#include <sinew/rig/body/limb_pairs.h>

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

    // Pairs what is left, cheapest first, up to a cost of `most`.
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

    // A head that is turned, with hair or a hat to one side: it still sits on its neck.
    bool sits_in_the_middle(size_t i, double size) const {
        return std::abs(side(i)) < 0.15 * size && std::abs(plane.side(end(i).root)) < 0.02 * size;
    }

    // Close to the plane and without a partner farther out: on it.
    void take_singles(double size) {
        for (size_t i = 0; i < used.size(); ++i) {
            bool partner = false;
            for (size_t j = 0; j < used.size(); ++j)
                partner |=
                    j != i && side(i) * side(j) < 0.0 && mirror_gap(i, j) < 1.2 * std::abs(side(i)) + 0.015 * size;
            if ((std::abs(side(i)) < 0.045 * size || sits_in_the_middle(i, size)) && !partner) {
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
    pairing.pair_cheapest([&](size_t i, size_t j) { return pairing.mirror_gap(i, j); }, 0.08 * size);
    const auto held_apart = [&](size_t i, size_t j) {
        return std::abs(ends.list[i].distance - ends.list[j].distance) + 0.15 * pairing.mirror_gap(i, j);
    };
    pairing.pair_cheapest(held_apart, 0.2 * size);
    // A raised arm is farther from the middle than one that hangs: where there are but legs, what sticks out as far as
    // arms do is allowed more.
    const auto far_out = [&](size_t i, size_t j) {
        return std::min(ends.list[i].prominence, ends.list[j].prominence) > 0.2 * size ? held_apart(i, j) : INFINITY;
    };
    if (pairing.result.pairs.size() < 2) pairing.pair_cheapest(far_out, 0.3 * size);
    for (size_t i = 0; i < ends.list.size(); ++i)
        if (!pairing.used[i]) pairing.result.singles.push_back(static_cast<int>(i));
    return pairing.result;
}

}  // namespace sinew
