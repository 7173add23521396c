#include <sinew/weights/soften/spread_jumps.h>

#include <sinew/core/parallel.h>
#include <algorithm>
#include <memory>
#include <numeric>
#include <queue>

namespace sinew {
namespace {

struct PlaceNeighbours {
    std::vector<uint32_t> first;
    std::vector<int> all;

    explicit PlaceNeighbours(const SkinPlaces& places) : first(places.size() + 1, 0), all(2 * places.edges.size()) {
        for (const auto& [a, b] : places.edges)
            ++first[static_cast<size_t>(a) + 1], ++first[static_cast<size_t>(b) + 1];
        std::partial_sum(first.begin(), first.end(), first.begin());
        std::vector<uint32_t> at(first.begin(), first.end() - 1);
        for (const auto& [a, b] : places.edges) {
            all[at[static_cast<size_t>(a)]++] = b;
            all[at[static_cast<size_t>(b)]++] = a;
        }
    }
    std::span<const int> of(int place) const {
        const auto p = static_cast<size_t>(place);
        return std::span(all).subspan(first[p], first[p + 1] - first[p]);
    }
};

// By how much a place is to carry more of a joint.
struct CarriedChange {
    int place, joint;
    double by;
};

class Spreading {
public:
    Spreading(const SkinGrowth& growth, double stretch, const SkinPlaces& places, const PlaceNeighbours& neighbours)
        : growth_(growth),
          allowed_(stretch - 1.0),
          places_(places),
          neighbours_(neighbours),
          known_(places.size(), 0),
          value_(std::make_unique_for_overwrite<double[]>(places.size())) {}

    // Lowers what places carry of a joint (or, with `rest`, of everything else) until no edge is too steep, from the
    // lowest place up. Half of that lowering is applied; the lowering of the rest brings the other half.
    void lower(int joint, bool rest, std::span<const PlaceEdge> growing, std::vector<CarriedChange>& changes) {
        ++run_;
        const auto carried = [&](int place) {
            const double part = growth_.carried(places_.of(place), joint);
            return rest ? 1.0 - part : part;
        };
        const auto value = [&](int place) -> double& {
            const auto p = static_cast<size_t>(place);
            if (known_[p] != run_) known_[p] = run_, value_[p] = carried(place);
            return value_[p];
        };
        using Entry = std::pair<double, int>;
        std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
        std::vector<int> lowered;
        const auto offer = [&](int from, int to) {
            const double most = value(from) + allowed_ / growth_.parting(places_, {from, to}, joint);
            if (!(most < value(to))) return;
            if (value(to) == carried(to)) lowered.push_back(to);
            value(to) = most;
            open.push({most, to});
        };
        for (const auto& [a, b] : growing) offer(a, b), offer(b, a);
        while (!open.empty()) {
            const auto [at, place] = open.top();
            open.pop();
            if (at > value(place)) continue;
            for (int other : neighbours_.of(place)) offer(place, other);
        }
        for (int place : lowered)
            changes.push_back({place, joint, (rest ? 0.5 : -0.5) * (carried(place) - value(place))});
    }

private:
    const SkinGrowth& growth_;
    double allowed_;
    const SkinPlaces& places_;
    const PlaceNeighbours& neighbours_;
    std::vector<int> known_;  // the run that value_ is of
    std::unique_ptr<double[]> value_;
    int run_ = 0;
};

// Turns what places carry of joints back into weights: a joint's own weight is what it carries and its children do not.
// Children never carry more than their parent.
class Recarry {
public:
    explicit Recarry(const SkinGrowth& growth) : growth_(growth), carried_(growth.joint_count(), 0.0) {}

    JointShares apply(std::span<const JointShare> weights, std::span<const CarriedChange> changes) {
        joints_.clear();
        const auto add = [&](int joint, double by) {
            if (std::ranges::find(joints_, joint) == joints_.end()) joints_.push_back(joint);
            carried_[static_cast<size_t>(joint)] += by;
        };
        for (const auto& [joint, weight] : weights)
            for (int up : growth_.above(joint)) add(up, weight);
        for (const CarriedChange& change : changes) {
            for (int up : growth_.above(change.joint)) add(up, 0.0);
            add(change.joint, change.by);
        }
        std::ranges::sort(joints_, {}, [&](int j) { return std::pair(growth_.above(j).size(), j); });
        double roots = 0.0;
        for (int joint : joints_) {
            double& here = carried_[static_cast<size_t>(joint)];
            here = std::max(here, 0.0);
            if (growth_.above(joint).size() == 1) roots += here;
        }
        JointShares shares;
        for (int joint : joints_) {
            const double here = carried_[static_cast<size_t>(joint)];
            double below = 0.0;
            each_child(joint, [&](double& child) { below += child; });
            if (below > here) each_child(joint, [&](double& child) { child *= here / below; });
            if (const double own = here - std::min(below, here); own > no_weight)
                shares.push_back({joint, own / roots});
        }
        for (int joint : joints_) carried_[static_cast<size_t>(joint)] = 0.0;
        std::ranges::sort(shares, {}, &JointShare::joint);
        return shares;
    }

private:
    template <class Visit>
    void each_child(int joint, const Visit& visit) {
        for (int other : joints_)
            if (growth_.above(other).size() > 1 && growth_.above(other)[1] == joint)
                visit(carried_[static_cast<size_t>(other)]);
    }

    const SkinGrowth& growth_;
    std::vector<double> carried_;
    std::vector<int> joints_;
};

}  // namespace

void spread_jumps(const SkinGrowth& growth, double stretch, std::span<const PlaceEdge> growing, SkinPlaces& places) {
    std::vector<std::vector<PlaceEdge>> of_joint(growth.joint_count());
    SkinGrowth::Scratch scratch;
    for (const PlaceEdge& edge : growing)
        growth.each_above(stretch, places, edge, scratch,
                          [&](int joint) { of_joint[static_cast<size_t>(joint)].push_back(edge); });
    // Each joint is spread on its own, from the same weights; then all changes are applied together.
    const PlaceNeighbours neighbours(places);
    std::vector<std::vector<CarriedChange>> changes_of(of_joint.size());
    parallel_for(of_joint.size(), 1, [&](size_t joint, size_t) {
        if (of_joint[joint].empty()) return;
        Spreading spreading(growth, stretch, places, neighbours);
        for (const bool rest : {false, true})
            spreading.lower(static_cast<int>(joint), rest, of_joint[joint], changes_of[joint]);
    });
    std::vector<CarriedChange> changes;
    for (const std::vector<CarriedChange>& some : changes_of) changes.insert(changes.end(), some.begin(), some.end());
    // Stable: a place may carry both less and more of a joint, and the order of a sum is in its last bit.
    std::ranges::stable_sort(changes, {}, [](const CarriedChange& c) { return std::pair(c.place, c.joint); });
    Recarry recarry(growth);
    for (size_t i = 0, end = 0; i < changes.size(); i = end) {
        while (end < changes.size() && changes[end].place == changes[i].place) ++end;
        places.set(changes[i].place,
                   recarry.apply(places.of(changes[i].place), std::span(changes).subspan(i, end - i)));
    }
}

}  // namespace sinew
